/** What a property asks for only under a condition. */
import { expect, test } from 'vitest';
import type { TemporalFormula } from '../../engine/sequential/sequential-model.js';
import { conditionOf } from '../../engine/temporal/vacuity.js';

const TRUE: TemporalFormula = { kind: 'true' };
const FALSE: TemporalFormula = { kind: 'false' };
const atom = (number: number, isNegated = false): TemporalFormula => ({ kind: 'atom', atom: number, isNegated });
const or = (...operands: TemporalFormula[]): TemporalFormula => ({ kind: 'or', operands });
const and = (...operands: TemporalFormula[]): TemporalFormula => ({ kind: 'and', operands });
const always = (right: TemporalFormula): TemporalFormula => ({ kind: 'release', left: FALSE, right });
const eventually = (right: TemporalFormula): TemporalFormula => ({ kind: 'until', left: TRUE, right });

test('the condition is what stands before `leads to` or `implies`', () => {
    expect(conditionOf(always(or(atom(0, true), eventually(atom(1)))))).toEqual(and(atom(0)));
    const several = or(or(atom(0, true), atom(1)), eventually(atom(2)), atom(3));
    expect(conditionOf(always(several))).toEqual(and(atom(0), atom(1, true), atom(3, true)));
});

test('what asks in every state has none', () => {
    expect(conditionOf(always(atom(0)))).toBeUndefined();
    expect(conditionOf(always(eventually(atom(0))))).toBeUndefined();
    expect(conditionOf(always(or(eventually(atom(0)), always(atom(1)))))).toBeUndefined();
    expect(conditionOf(or(atom(0), eventually(atom(1))))).toBeUndefined();
});
