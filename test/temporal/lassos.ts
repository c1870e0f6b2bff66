/** Runs that repeat some of their positions for ever: what formulas say about them, and which automata accept them. */
import { unreachable } from '../../engine/common/assert.js';
import type { TemporalFormula } from '../../engine/sequential/sequential-model.js';
import type { Automaton, AutomatonTransition } from '../../engine/temporal/automaton.js';

export interface Lasso {
    /** By position: bit k is the value of atom k. */
    readonly letters: readonly number[];
    /** The position after the last one. */
    readonly loopStart: number;
}

/** All lassos of one to `mostPositions` positions. */
export function lassosUpTo(mostPositions: number, atomCount: number): readonly Lasso[] {
    let words: number[][] = [[]];
    const lassos: Lasso[] = [];
    for (let length = 1; length <= mostPositions; length++) {
        words = words.flatMap(word => Array.from({ length: 1 << atomCount }, (_, letter) => [...word, letter]));
        for (let loopStart = 0; loopStart < length; loopStart++) {
            lassos.push(...words.map(letters => ({ letters, loopStart })));
        }
    }
    return lassos;
}

function positionAfter({ letters, loopStart }: Lasso, position: number): number {
    return position + 1 < letters.length ? position + 1 : loopStart;
}

/** By position: whether the formula holds there. The least solution for `until`, the greatest for `release`. */
export function valuesOn(lasso: Lasso, formula: TemporalFormula): readonly boolean[] {
    const constant = (value: boolean): boolean[] => lasso.letters.map(() => value);
    switch (formula.kind) {
        case 'true':
            return constant(true);
        case 'false':
            return constant(false);
        case 'atom':
            return lasso.letters.map(letter => ((letter >> formula.atom) & 1) === (formula.isNegated ? 0 : 1));
        case 'and':
        case 'or': {
            const operands = formula.operands.map(operand => valuesOn(lasso, operand));
            return lasso.letters.map((_, position) =>
                formula.kind === 'and'
                    ? operands.every(values => values[position])
                    : operands.some(values => values[position]),
            );
        }
        case 'until':
        case 'release': {
            const left = valuesOn(lasso, formula.left);
            const right = valuesOn(lasso, formula.right);
            return fixpoint(constant(formula.kind === 'release'), values =>
                values.map((_, position) => {
                    const later = values[positionAfter(lasso, position)]!;
                    return formula.kind === 'until'
                        ? right[position]! || (left[position]! && later)
                        : right[position]! && (left[position]! || later);
                }),
            );
        }
        default:
            return unreachable(formula);
    }
}

function fixpoint(
    start: readonly boolean[],
    step: (values: readonly boolean[]) => readonly boolean[],
): readonly boolean[] {
    const values = step(start);
    return values.every((value, index) => value === start[index]) ? values : fixpoint(values, step);
}

/**
 * Whether some path of the automaton along the lasso keeps no promise waiting for ever. `good` are the pairs of state
 * and position from which there is one: the greatest set in which each promise has a way to a transition without it.
 */
export function accepts(automaton: Automaton, lasso: Lasso): boolean {
    const length = lasso.letters.length;
    const stepsOf = automaton.transitions.flatMap(transitions =>
        lasso.letters.map((letter, position) =>
            transitions
                .filter(transition => isTaken(transition, letter))
                .map(({ target, promised }) => ({
                    to: target * length + positionAfter(lasso, position),
                    promised,
                })),
        ),
    );
    const promises = Array.from({ length: Math.max(1, automaton.promiseCount) }, (_, promise) => promise);
    const onTheWayTo = (promise: number, good: readonly boolean[]): readonly boolean[] =>
        fixpoint(
            good.map(() => false),
            found =>
                stepsOf.map(steps =>
                    steps.some(({ to, promised }) => good[to]! && (found[to]! || !promised.includes(promise))),
                ),
        );
    const good = fixpoint(
        stepsOf.map(() => true),
        all => promises.reduce((rest, promise) => onTheWayTo(promise, rest), all),
    );
    return automaton.initial.some(state => good[state * length]);
}

function isTaken({ positive, negative }: AutomatonTransition, letter: number): boolean {
    return positive.every(atom => ((letter >> atom) & 1) === 1) && negative.every(atom => ((letter >> atom) & 1) === 0);
}
