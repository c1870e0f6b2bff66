/**
 * Results of one analysis of a model that the next one uses during editing; they never change its result. Edits of
 * comments, layout or names keep the groups, their certificate and the estimate. Edits of a step keep the other
 * fragments and processes. Edits that change no group keep the summary.
 */
import { sameData, withKnownParts } from './common/same-data.js';
import type { WorkLimit } from './common/work-limit.js';
import type { Encoding } from './constraints/encode.js';
import type { FormulaTable } from './constraints/formula.js';
import { FragmentCache } from './constraints/fragment.js';
import { knownSummary } from './describe/known-summary.js';
import type { Findings, Summary } from './describe/summarize.js';
import type { ReachableEstimate } from './explore/reachable-estimate.js';
import type { Model } from './model/model.js';
import { LinearizationMemory } from './sequential/known-processes.js';
import type { CertificateResult } from './symmetry/certify.js';
import { withKnownObjects, type Groups } from './symmetry/groups.js';
import type { RunGroups } from './symmetry/run-groups.js';

/** The stages whose results depend on nothing but what the model does. */
interface Results {
    readonly groups: Groups;
    readonly certificate: CertificateResult['kind'];
    readonly reachable: ReachableEstimate | undefined;
    /** These depend on the markers besides: what is said about runs is no part of what a model does. */
    readonly runs: RunGroups;
    readonly costlyFairness: readonly number[] | undefined;
}

/** What a result depends on besides the encoded model, without the places of the text in it. */
const PLACES: ReadonlySet<string> = new Set(['range']);

interface KnownResult {
    readonly key: FormulaTable;
    readonly besides: unknown;
    readonly result: unknown;
}

/** The results of the last analysis of one document, by stage. Each analysis that is given it adds to it. */
export class AnalysisMemory {
    readonly instances = new LinearizationMemory();
    readonly fragments = new FragmentCache();
    /** Of the last model. If the next one does the same, it has the same table of formulas. */
    encoding: Encoding | undefined;
    private model: Model | undefined;
    private groups: Groups | undefined;
    private described: { readonly findings: Findings; readonly summary: Summary } | undefined;
    /** By stage its last result, and the table of formulas of the model that it belongs to. */
    private readonly results = new Map<keyof Results, KnownResult>();

    /** An equal model, with the declarations of the last one in the place of equal ones. */
    withKnownDeclarations(model: Model): Model {
        const known = this.model;
        this.model = known === undefined || known === model ? model : withKnownParts(known, model);
        return this.model;
    }

    /** The groups, with those of the last model in the place of equal ones. */
    withKnownGroups(groups: Groups): Groups {
        this.groups = this.groups === undefined ? groups : withKnownObjects(groups, this.groups);
        return this.groups;
    }

    /**
     * The result of a stage for the last encoded model and the data that it depends on `besides`. It is not kept if the
     * limit may have ended the stage.
     */
    result<Stage extends keyof Results>(
        stage: Stage,
        limit: WorkLimit,
        compute: () => Results[Stage],
        besides?: unknown,
    ): Results[Stage] {
        const key = this.encoding?.problem.formulas;
        const known = this.results.get(stage);
        if (known !== undefined && known.key === key && sameData(known.besides, besides, PLACES)) {
            return known.result as Results[Stage];
        }
        const result = compute();
        if (key !== undefined && !limit.isExhausted()) {
            this.results.set(stage, { key, besides, result });
        }
        return result;
    }

    /** The summary of what was found. It is not kept if the limit may have ended it. */
    summary(findings: Findings, limit: WorkLimit, summarize: () => Summary): Summary {
        const { described } = this;
        const known = described && knownSummary(described.findings, described.summary, findings);
        const summary = known ?? summarize();
        if (known === undefined && !limit.isExhausted()) {
            this.described = { findings, summary };
        }
        return summary;
    }
}
