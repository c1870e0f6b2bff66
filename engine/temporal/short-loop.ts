/**
 * A shorter loop out of the steps of a long one. A loop that goes round once for each power of a symmetry comes to its
 * states many times; a walk over the same steps that does what each of them is there for, always the nearest first, is
 * a loop of the same run of the model. O(steps · things to do).
 */
import { remembered } from '../common/list-map.js';

/** A step of a loop in the model as written. */
export interface LoopStep {
    /** That it leaves, and where the automaton is then. */
    readonly state: Readonly<Int32Array>;
    readonly place: number;
    readonly summand: number;
    /** Bits of what a loop with this step must do, and of what this step does. */
    readonly asked: bigint;
    readonly done: bigint;
}

/** A loop of some of the steps that begins where these do, and does all that they ask. */
export function shortLoop(steps: readonly LoopStep[]): readonly LoopStep[] {
    const numbers = new Map<string, number>();
    const leaving: number[][] = [];
    const nodes = steps.map(({ state, place }, index) => {
        const node = remembered(numbers, `${place}: ${state.join()}`, () => leaving.push([]) - 1);
        leaving[node].push(index);
        return node;
    });
    const after = (step: number): number => nodes[(step + 1) % steps.length];
    const loop: number[] = [];
    let open = steps.reduce((all, { asked }) => all | asked, 0n);
    /** Goes the shortest way on whose last step is wanted. */
    const walk = (isWanted: (step: number) => boolean): void => {
        const from = loop.length === 0 ? nodes[0] : after(loop[loop.length - 1]);
        const before = new Map<number, number | undefined>([[from, undefined]]);
        // The iteration includes nodes that are added during it.
        for (const [node] of before) {
            for (const step of leaving[node]) {
                if (isWanted(step)) {
                    const way = [step];
                    for (let last = before.get(node); last !== undefined; last = before.get(nodes[last])) {
                        way.unshift(last);
                    }
                    way.forEach(each => (open &= ~steps[each].done));
                    loop.push(...way);
                    return;
                }
                if (!before.has(after(step))) {
                    before.set(after(step), step);
                }
            }
        }
    };
    while (open !== 0n) {
        walk(step => (steps[step].done & open) !== 0n);
    }
    if (loop.length === 0 || after(loop[loop.length - 1]) !== nodes[0]) {
        walk(step => after(step) === nodes[0]);
    }
    return loop.map(step => steps[step]);
}
