/** Runs that are to exist, as an exploration finds them. */
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationResult } from '../../engine/explore/search.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { startExploration, type Analysis, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { analysisOf } from '../model-of-text.js';

export async function exploreText(
    ...[text, options, parameters]: Parameters<typeof resultOf>
): Promise<ExplorationReport> {
    const { report, problems } = await resultOf(text, options, parameters);
    invariant(report !== undefined, problems.map(({ message }) => message).join());
    return report;
}

export async function resultOf(
    text: string,
    options: Partial<ReducedExplorationOptions> = {},
    parameters: Readonly<Record<string, number>> = {},
): Promise<ExplorationResult> {
    return resultOfAnalysis(await analysisOf(text, parameters), options);
}

/** For several explorations of one text, which need its symmetries once. */
export function resultOfAnalysis(
    analysis: Analysis,
    options: Partial<ReducedExplorationOptions> = {},
): ExplorationResult {
    const { exploration } = startExploration(analysis, { reduction: 'unique', ...options }, UNLIMITED);
    invariant(exploration.advance(UNLIMITED), 'an exploration without limits ends');
    const result = exploration.result();
    exploration.close();
    return result;
}

/** `commits: 4`, `wrong: none`, by run. */
export function outcomesOf({ runs = [] }: ExplorationReport): Readonly<Record<string, number | string>> {
    return Object.fromEntries(
        runs.map(({ name, verdict, found }) => [name, found === undefined ? verdict : found.trace.length - 1]),
    );
}
