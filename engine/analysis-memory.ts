/**
 * What is kept from one analysis of a model to the next while its text is being edited: the last analysis, and the
 * fragments of the last two.
 *
 * A memory belongs to whoever calls the analysis, one for each document. What is in it is found again by content:
 *
 *     an edit of comments or layout       nothing but the linearization is done again
 *     a new name                          constraints, groups and certificate stay; what is said of them is said anew
 *     another order of the declarations,
 *     a guard                             the fragments that it does not touch stay, the values that can occur where it
 *                                         changes none on the way, and what is said of the groups where these are the same
 *
 * A process that is still at its place in the text and in the state is not linearized again (sequential/known-processes.ts).
 *
 * With a memory the result is the same as without.
 */
import { atMovedPlaces, movedPlaces } from './common/moved-places.js';
import { withKnownParts } from './common/same-data.js';
import type { Encoding } from './constraints/encode.js';
import { FragmentCache } from './constraints/fragment.js';
import type { Model } from './model/model.js';
import { LinearizationMemory } from './sequential/known-processes.js';
import type { SequentialModel } from './sequential/sequential-model.js';
import type { CertificateResult } from './symmetry/certify.js';
import { withKnownObjects, type Groups } from './symmetry/groups.js';
import type { Candidate } from './symmetry/declared-action.js';
import { knownCandidates, knownSummary } from './describe/known-summary.js';
import type { LiteralPoints } from './symmetry/model-symmetry.js';
import type { SymmetryReport } from './describe/report.js';
import type { Findings, Summary } from './describe/summarize.js';

/** A finished analysis. */
export interface RememberedAnalysis {
    readonly model: Model;
    readonly sequential: SequentialModel;
    readonly constraints: Encoding;
    /** As they were found, trusted or not. */
    readonly groups: Groups;
    readonly certificate: CertificateResult['kind'];
    readonly report: SymmetryReport;
    /** What was said of the groups last, and of what; perhaps at places of an earlier text. */
    readonly described: Described;
    /** What was asked for besides the model. */
    readonly wishes: string;
    /** What an explanation in the report may have quoted from the text. */
    readonly quoted: readonly string[];
    /** No limit ended any part of it. */
    readonly isWhole: boolean;
}

/** What an analysis has found, and what it says of it. */
export interface Described {
    readonly findings: Findings;
    readonly summary: Summary;
}

/** What is kept of the last analyses of one document. Empty at first; each analysis that is given it adds to it. */
export class AnalysisMemory {
    readonly fragments = new FragmentCache();
    readonly linearization = new LinearizationMemory();
    private remembered: RememberedAnalysis | undefined;

    get last(): RememberedAnalysis | undefined {
        return this.remembered;
    }

    /** An equal model, with the declarations of the last one where they are equal. */
    withKnownDeclarations(model: Model): Model {
        return this.last === undefined ? model : withKnownParts(this.last.model, model);
    }

    remember(analysis: RememberedAnalysis): void {
        this.remembered = analysis;
        this.fragments.forgetUnused();
    }

    /**
     * The last report at the places where things stand now, where the model differs from the last one in nothing else and
     * the same is asked for. The timings and counts of work are those of the last one. To be asked only where the
     * sequential model does what the last one does.
     */
    reportAtMovedPlaces(model: Model, sequential: SequentialModel, wishes: string): SymmetryReport | undefined {
        const { last } = this;
        if (last?.isWhole !== true || last.wishes !== wishes || !hasNamesOf(last.sequential, sequential)) {
            return undefined;
        }
        const places = movedPlaces(last.model, model);
        return places && atMovedPlaces(last.report, places);
    }

    /** The groups, those of the last model in the place of equal ones. */
    withKnownObjects(groups: Groups): Groups {
        return this.last === undefined ? groups : withKnownObjects(groups, this.last.groups);
    }

    /** What was said of the groups last, where they are the same still. */
    summaryOf(findings: Findings): Summary | undefined {
        const { last } = this;
        return last?.isWhole === true
            ? knownSummary(last.described.findings, last.described.summary, findings)
            : undefined;
    }

    /** What the declarations suggest, where they have suggested the same before. */
    candidatesOf(model: Model, sequential: SequentialModel, points: LiteralPoints): readonly Candidate[] | undefined {
        const { last } = this;
        return last && knownCandidates(last.described.findings, model, sequential, points);
    }
}

/** Steps without a label are called by the line in which they stand, so names may change where nothing else does. */
function hasNamesOf(first: SequentialModel, second: SequentialModel): boolean {
    return (
        first.cells.every(({ name }, cell) => name === second.cells[cell].name) &&
        first.summands.every(({ label }, summand) => label === second.summands[summand].label) &&
        first.instances.every(
            ({ name, locations }, instance) =>
                name === second.instances[instance].name &&
                locations.every(
                    (location, index) => location.name === second.instances[instance].locations[index].name,
                ),
        )
    );
}
