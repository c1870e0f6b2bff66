/** All problems of a text, those that only show when its steps are put together included. */
import type { Problem } from '../engine/common/problem.js';
import { UNLIMITED, type WorkLimit } from '../engine/common/work-limit.js';
import { findDeadSteps } from '../engine/constraints/dead-steps.js';
import { linearize } from '../engine/sequential/linearize.js';
import { withoutIgnored } from '../language/problems/ignored.js';
import { type LoadOptions, loadModel } from './load-model.js';

/**
 * The problems of a model, like `orbit check`: errors, warnings, names that nothing uses, and steps that can never be
 * taken. The search for the latter ends with the work limit.
 */
export async function check(
    text: string | Uint8Array,
    options: LoadOptions & { readonly workLimit?: WorkLimit } = {},
): Promise<readonly Problem[]> {
    const { workLimit = UNLIMITED, ...loading } = options;
    const { model, problems, advice } = await loadModel(text, loading);
    if (model === undefined) {
        return problems;
    }
    const { sequential, problems: behind } = linearize(model);
    const found = sequential === undefined ? [] : findDeadSteps(model, sequential, workLimit);
    const own = typeof text === 'string' ? text : new TextDecoder().decode(text);
    // An imported file has its own comments, which are not at hand here.
    const textOf = (uri: string): string | undefined => (uri === model.nameRange.uri ? own : undefined);
    return [...problems, ...advice, ...behind, ...withoutIgnored(found, textOf)];
}
