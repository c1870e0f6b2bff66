/** Temporal formulas as a model writes them, over the atoms p, q, r, …, and random ones over p and q. */
import * as fc from 'fast-check';
import { negationOf } from '../../engine/temporal/automaton.js';
import type { TemporalFormula } from '../../engine/sequential/sequential-model.js';

export const TRUE: TemporalFormula = { kind: 'true' };
export const FALSE: TemporalFormula = { kind: 'false' };

export const atom = (number: number): TemporalFormula => ({ kind: 'atom', atom: number, isNegated: false });
export const not = negationOf;
export const and = (...operands: TemporalFormula[]): TemporalFormula => ({ kind: 'and', operands });
export const or = (...operands: TemporalFormula[]): TemporalFormula => ({ kind: 'or', operands });
export const implies = (left: TemporalFormula, right: TemporalFormula): TemporalFormula => or(not(left), right);
export const until = (left: TemporalFormula, right: TemporalFormula): TemporalFormula => ({
    kind: 'until',
    left,
    right,
});
export const release = (left: TemporalFormula, right: TemporalFormula): TemporalFormula => ({
    kind: 'release',
    left,
    right,
});
export const always = (formula: TemporalFormula): TemporalFormula => release(FALSE, formula);
export const eventually = (formula: TemporalFormula): TemporalFormula => until(TRUE, formula);
export const infinitelyOften = (formula: TemporalFormula): TemporalFormula => always(eventually(formula));
export const weakUntil = (left: TemporalFormula, right: TemporalFormula): TemporalFormula =>
    release(right, or(left, right));
export const leadsTo = (left: TemporalFormula, right: TemporalFormula): TemporalFormula =>
    always(implies(left, eventually(right)));

/** Constants are rare, because they leave little of what is around them. */
export function randomFormula(depth: number): fc.Arbitrary<TemporalFormula> {
    const simple = fc.oneof(
        { weight: 1, arbitrary: fc.constantFrom(TRUE, FALSE) },
        { weight: 8, arbitrary: fc.constantFrom(atom(0), atom(1), not(atom(0)), not(atom(1))) },
    );
    if (depth === 0) {
        return simple;
    }
    const smaller = randomFormula(depth - 1);
    const sides = fc.tuple(smaller, smaller);
    return fc.oneof(
        simple,
        sides.map(([left, right]) => and(left, right)),
        sides.map(([left, right]) => or(left, right)),
        sides.map(([left, right]) => until(left, right)),
        sides.map(([left, right]) => release(left, right)),
        smaller.map(always),
        smaller.map(eventually),
    );
}
