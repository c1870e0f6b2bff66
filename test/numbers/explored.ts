/** Explorations of texts with numbers without end. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { findSymmetries, startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';

/** A text with an error is thrown. */
export async function explored(
    text: string,
    options: Partial<ReducedExplorationOptions> = {},
    parameters: Readonly<Record<string, number>> = {},
): Promise<ExplorationReport> {
    const values = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
    const { model, problems } = await loadModel(text, 'file:///test.orbit', values);
    if (model === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (analysis.sequential === undefined) {
        throw new Error(analysis.problems.map(({ code, message }) => `${code}: ${message}`).join('\n'));
    }
    const { exploration } = startExploration(analysis, { reduction: 'none', ...options }, UNLIMITED);
    while (!exploration.advance(UNLIMITED));
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('an exploration without a problem has a report');
    }
    return report;
}

/** Whether no step depends on how long a long distance is. */
export function isExact({ numbers = [] }: ExplorationReport): boolean {
    return numbers.every(({ exact }) => exact === true);
}
