/** A random model with values and numbers without end, by the engine and by the reference. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findSymmetries, startExploration } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';
import type { Way } from '../dynamic/agreement.js';
import { randomModel, textOf, withNumbers } from './random-text.js';
import { referenceOf } from './reference.js';

/** The reference has the states whose numbers are no farther apart. */
const MOST_DISTANCE = 4;

const MOST_STATES = 4000;

export type BesideNumbers = 'skipped' | 'holds' | 'violated' | 'undecided';

/** Throws where the two do not agree. */
export async function compareBesideNumbers(
    seed: number,
    classLimit: number,
    { reduction, isInterpreted }: Way,
): Promise<BesideNumbers> {
    const data = withNumbers(randomModel(seed), seed + 1);
    const text = textOf(data);
    const { model, problems } = await loadModel(text, 'file:///random.orbit');
    if (model === undefined) {
        throw new Error(`${problems.map(({ message }) => message).join('\n')}\n${text}`);
    }
    const reference = referenceOf(data, classLimit, new Set(), MOST_DISTANCE);
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (reference === undefined || analysis.sequential === undefined) {
        return 'skipped';
    }
    // Several states of an orbit are not stored with numbers without end.
    const used = reduction === 'local' ? 'unique' : reduction;
    const options = { reduction: used, isInterpreted, continueAfterViolation: true, maxStates: MOST_STATES } as const;
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    while (!exploration.advance(UNLIMITED));
    const { report } = exploration.result();
    const verdict = report?.verdict;
    const found = new Set(report?.violations.map(({ kind }) => kind));
    const isWrong = (kind: 'fault' | 'invariant', isNear: boolean): boolean => {
        const numbersOf = (state: Readonly<Int32Array>): number[] =>
            analysis.sequential!.cells.flatMap(({ name }, cell) =>
                data.numbers!.includes(name) ? [state[cell]!] : [],
            );
        const isNearRun = report!.violations.some(
            violation =>
                violation.kind === kind &&
                violation.run.states.every(state => {
                    const numbers = numbersOf(state);
                    return Math.max(...numbers) - Math.min(...numbers) <= MOST_DISTANCE;
                }),
        );
        return (isNear && !found.has(kind) && report!.limit === undefined) || (isNearRun && !isNear);
    };
    const isDeadlockMissed = reference.deadlocks > 0 && !found.has('deadlock') && report?.limit === undefined;
    if (
        verdict === undefined ||
        isWrong('fault', reference.isFaulty) ||
        isWrong('invariant', reference.isViolated) ||
        isDeadlockMissed ||
        (verdict === 'holds' && reference.isFaulty)
    ) {
        const { isFaulty, isViolated, deadlocks } = reference;
        throw new Error(
            `seed ${seed}, ${used}, ${isInterpreted ? 'interpreted' : 'compiled'}: the engine says ${verdict}, ` +
                `${[...found].join()}, the reference ${JSON.stringify({ isFaulty, isViolated, deadlocks })}\n${text}`,
        );
    }
    return verdict;
}
