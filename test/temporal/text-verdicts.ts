/** What explorations find of one temporal property of a model in text, with every reduction. */
import { expect } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { invariant } from '../../engine/common/assert.js';
import type { Problem } from '../../engine/common/problem.js';
import type { ExplorationReport, Verdict, Violation } from '../../engine/explore/verdict.js';
import { analyze, startExploration, type Analysis, type Reduction } from '../../engine/pipeline.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { checkLasso, type ClaimedLasso } from '../../engine/verify/check-lasso.js';
import type { ParameterTexts } from '../../language-server/load-model.js';
import { modelOf } from '../model-of-text.js';
import { lassoOfViolation, memberOfViolation } from './agreement.js';

export const REDUCTIONS: readonly Reduction[] = ['none', 'local', 'unique', 'auto'];

/** Of one property with one reduction. */
export interface Finding {
    readonly verdict: Verdict;
    /** What violates it: absent if it holds, or if a condition in it is a fault. */
    readonly lasso?: ClaimedLasso;
    readonly report: ExplorationReport;
    readonly problems: readonly Problem[];
}

export async function temporalAnalysis(text: string, parameters: ParameterTexts = []): Promise<Analysis> {
    const model = await modelOf(text, parameters);
    return analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
}

/** Explores for the property alone. The lasso is one of the model as written: that is checked here. */
export function findingOf(analysis: Analysis, name: string, reduction: Reduction): Finding {
    const { sequential } = analysis;
    invariant(sequential !== undefined, 'a model without errors has a sequential model');
    const { exploration } = startExploration(analysis, { reduction, properties: [name] }, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report, problems } = exploration.result();
    invariant(report !== undefined, 'an exploration without limits has a report');
    const [violation] = report.violations;
    const lasso = violation && lassoOfViolation(violation);
    if (violation !== undefined && lasso !== undefined) {
        expect(lassoProblem(sequential, name, violation, lasso)).toBeUndefined();
    }
    return { verdict: report.verdict, report, problems, ...(lasso !== undefined && { lasso }) };
}

/** `verdict` for each reduction, for a comparison at a glance. */
export function verdictsOf(analysis: Analysis, name: string): Readonly<Record<string, Verdict>> {
    return Object.fromEntries(
        REDUCTIONS.map(reduction => [reduction, findingOf(analysis, name, reduction).verdict] as const),
    );
}

/** What `verdictsOf` gives if all reductions find the same. */
export function always(verdict: Verdict): Readonly<Record<string, Verdict>> {
    return Object.fromEntries(REDUCTIONS.map(reduction => [reduction, verdict]));
}

function lassoProblem(
    model: SequentialModel,
    name: string,
    violation: Violation,
    lasso: ClaimedLasso,
): string | undefined {
    const property = model.properties.find(each => each.name === name);
    const member = property && memberOfViolation(property, violation);
    return member === undefined ? 'no member has these values' : checkLasso(model, lasso, member);
}
