/**
 * Which of the states that a system may be in are left after it has said that it does nothing on its own, or that it
 * cannot take a step. The states are closed under hidden steps.
 */
import type { Candidate } from '../match/candidates.js';
import type { Ground } from '../match/ground.js';
import type { Observation } from '../match/observation.js';

interface Quiet {
    readonly left: readonly Candidate[];
    /** Some of them can take hidden steps without end, and are quiet only for who looks at lines. */
    readonly isEndless: boolean;
    /** The constraint cuts off steps of its own of some of them. */
    readonly isCutOff: boolean;
}

/**
 * Those without a step of the system's own, hidden ones too, and those from which hidden steps can go on without end.
 */
export function quietAmong(
    reached: readonly Candidate[],
    ground: Ground,
    isInput: (summand: number) => boolean,
): Quiet {
    const numbers = new Map(reached.map((candidate, index) => [keyOf(candidate), index]));
    const behind = reached.map((): number[] => []);
    const isStill: boolean[] = [];
    let isCutOff = false;
    reached.forEach(({ state, bindings }, index) => {
        isStill[index] = true;
        ground.forEachStep(state, {
            fired: summand => {
                isStill[index] &&= isInput(summand);
                return true;
            },
            faulted: (summand, { kind }) => {
                isCutOff ||= kind === 'outside' && !isInput(summand);
                return true;
            },
        });
        ground.forEachHidden(state, {
            fired: (_, after) => {
                const next = numbers.get(keyOf({ state: after, bindings: ground.withEnded(bindings, after) }));
                if (next !== undefined) {
                    behind[index].push(next);
                }
                return true;
            },
            faulted: () => true,
        });
    });
    const isEndless = reached.map(() => true);
    for (let hasChanged = true; hasChanged;) {
        hasChanged = false;
        behind.forEach((next, index) => {
            if (isEndless[index] && !next.some(each => isEndless[each])) {
                isEndless[index] = false;
                hasChanged = true;
            }
        });
    }
    return {
        left: reached.filter((_, index) => isStill[index] || isEndless[index]),
        isEndless: isEndless.includes(true),
        isCutOff,
    };
}

function keyOf({ state, bindings }: Pick<Candidate, 'state' | 'bindings'>): string {
    return `${state.join()};${bindings.join()}`;
}

/** Those that cannot take the step. */
export function unableAmong(
    reached: readonly Candidate[],
    ground: Ground,
    observation: Observation,
): readonly Candidate[] {
    return reached.filter(candidate => {
        const { state, bindings } = candidate;
        let isAble = false;
        ground.forEachNamed(observation, candidate, {
            fired: (summand, after) => {
                isAble ||= ground.steps.ofFiring(observation, summand, { before: state, after }, bindings).length > 0;
                return !isAble;
            },
            faulted: () => true,
        });
        return !isAble;
    });
}
