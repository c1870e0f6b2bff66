/** Counterexamples of temporal properties, right ones and each way to be wrong. */
import { expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import type {
    PropertyMember,
    SequentialModel,
    TemporalAtom,
    TemporalFormula,
} from '../../engine/sequential/sequential-model.js';
import { checkLasso, type ClaimedLasso } from '../../engine/verify/check-lasso.js';
import { always, and, atom, eventually, fairness, infinitelyOften, not } from '../arbitrary/temporal-formulas.js';
import { binary, constant, faultUnless, toyModel, type Toy } from '../arbitrary/toys.js';

/** From 0 up to 1 and back, or out to 2, where nothing happens any more; in 1 there is a step that is a fault. */
const toy: Toy = {
    cells: { x: 3 },
    initial: { x: 0 },
    rules: ({ is, set }) => [
        { when: [is('x', 0)], then: [set('x', 1)] },
        { when: [is('x', 1)], then: [set('x', 0)] },
        { when: [is('x', 1)], then: [set('x', 2)] },
        { when: [is('x', 1)], then: [set('x', 3)] },
    ],
};
const model = toyModel(toy);

/** Atoms 0 to 2 are `x == 0` to `x == 2`; more may follow. */
function member(formula: TemporalFormula, ...more: readonly TemporalAtom[]): PropertyMember {
    const atoms = [0, 1, 2].map((value): TemporalAtom => ({ kind: 'state', expression: isValue(value) }));
    return { values: {}, skeleton: '', atoms: [...atoms, ...more], formula };
}

function isValue(value: number) {
    return binary({ kind: 'cell', cell: 0, range: NOWHERE }, '==', constant(value));
}

function lasso(values: readonly number[], firings: readonly number[], loopStart: number): ClaimedLasso {
    return { states: values.map(value => Int32Array.of(value)), firings, loopStart };
}

const round = lasso([0, 1, 0], [0, 1], 0);
const out = lasso([0, 1, 2, 2], [0, 2, -1], 2);
const reachesTwo = member(eventually(atom(2)));

test('a loop and a run that ends show what they violate', () => {
    expect(checkLasso(model, round, reachesTwo)).toBeUndefined();
    expect(checkLasso(model, out, member(infinitelyOften(atom(0))))).toBeUndefined();
    expect(checkLasso(model, lasso([0, 1, 0, 1], [0, 1, 0], 1), reachesTwo)).toBeUndefined();
});

test('a run on which the property holds is no counterexample', () => {
    expect(checkLasso(model, out, reachesTwo)).toBe('the property holds on the run');
});

test.each<readonly [string, ClaimedLasso]>([
    ['there are 2 states and 2 firings', lasso([0, 1], [0, 1], 0)],
    ['the loop starts at 2, which is no position', lasso([0, 1, 0], [0, 1], 2)],
    ['the loop starts at 0, which is no position', lasso([0], [], 0)],
    ['the first state is not an initial state', lasso([1, 0, 1], [1, 0], 0)],
    ['the run rests at position 0, where a step is possible', lasso([0, 0], [-1], 0)],
    ['summand 1 does not fire at position 0', lasso([0, 0], [1], 0)],
    ['summand 3 does not fire at position 1', lasso([0, 1, 0], [0, 3], 0)],
    ['the firing at position 1 leads to another state', lasso([0, 1, 1], [0, 1], 1)],
    ['the firing at position 2 leads to another state', lasso([0, 1, 2, 1], [0, 2, -1], 1)],
    ['the last state is not that at position 1', lasso([0, 1, 0], [0, 1], 1)],
])('%s', (sentence, wrong) => {
    expect(checkLasso(model, wrong, reachesTwo)).toBe(sentence);
});

/** The model, where the values of its first cell are numbers without end. */
function withNumbers(bounded: SequentialModel): SequentialModel {
    const sort = { cells: [0], told: false, most: 0, look: 0, reach: 1, modulus: 1 };
    return { ...bounded, numbers: { sorts: [sort], sums: [], mentioned: 1, assigned: 1, first: 0 } };
}

test('a loop whose numbers move is gone on with: it takes the same steps, where the same is true', () => {
    const counting = (most: number): SequentialModel =>
        toyModel({
            cells: { x: 40 },
            initial: { x: 0 },
            rules: ({ read, set }) => [
                {
                    when: [binary(read('x'), '<', constant(most))],
                    then: [set('x', binary(read('x'), '+', constant(1)))],
                },
            ],
        });
    const upTo = (most: number): SequentialModel => withNumbers(counting(most));
    const up = lasso([0, 1], [0], 0);
    const below = (most: number): TemporalAtom => ({
        kind: 'state',
        expression: binary({ kind: 'cell', cell: 0, range: NOWHERE }, '<', constant(most)),
    });
    const violated = (...atoms: readonly TemporalAtom[]): PropertyMember => ({
        values: {},
        skeleton: '',
        atoms,
        formula: not(always(atom(0))),
    });
    expect(checkLasso(upTo(39), up, violated(below(39)))).toBe('the last state is not that at position 0');
    expect(checkLasso(upTo(39), up, violated(below(39)), true)).toBeUndefined();
    expect(checkLasso(upTo(39), up, violated(below(4)), true)).toBe('round 4 of the loop differs at position 0');
    expect(checkLasso(upTo(3), up, violated(below(39)), true)).toBe('round 3 of the loop differs at position 0');
    const enabled: TemporalAtom = { kind: 'enabled', summands: [1] };
    const later = withNumbers(
        toyModel({
            cells: { x: 40 },
            initial: { x: 0 },
            rules: ({ read, set, is }) => [
                { when: [], then: [set('x', binary(read('x'), '+', constant(1)))] },
                { when: [is('x', 2)], then: [] },
            ],
        }),
    );
    expect(checkLasso(later, up, violated(below(39), enabled), true)).toBe('round 2 of the loop differs at position 0');
    expect(checkLasso(later, up, violated(below(39)), true)).toBeUndefined();
    // What is no number must be the same again.
    expect(checkLasso(counting(39), up, violated(below(39)), true)).toBe('round 1 of the loop differs at position 0');
});

test('an unfair run is no counterexample; what is asked on the stem only does not count', () => {
    const fair: SequentialModel = { ...model, fairness: [fairness('strong', 'back', [1])] };
    const unfair: SequentialModel = { ...model, fairness: [fairness('strong', 'out', [2])] };
    expect(checkLasso(fair, round, reachesTwo)).toBeUndefined();
    expect(checkLasso(unfair, round, reachesTwo)).toBe(
        'the run is unfair: `out` is asked in the loop and not met there',
    );
    expect(checkLasso(fair, out, member(always(atom(0))))).toBeUndefined();
});

test('atoms are about the firing, about what is enabled, and about what can be reached', () => {
    const taken: TemporalAtom = { kind: 'taken', summands: [1, 2] };
    const enabled: TemporalAtom = { kind: 'enabled', summands: [1, 3] };
    const possible: TemporalAtom = { kind: 'possible', condition: atom(0) };
    const faulty: TemporalAtom = { kind: 'enabled', summands: [3] };
    const of = (formula: TemporalFormula) =>
        checkLasso(model, out, member(not(formula), taken, enabled, possible, faulty));
    expect(of(and(not(atom(3)), eventually(and(atom(1), atom(3)))))).toBeUndefined();
    expect(of(eventually(and(atom(1), atom(4))))).toBeUndefined();
    expect(of(and(atom(5), eventually(and(atom(1), atom(5))), eventually(and(atom(2), not(atom(5))))))).toBeUndefined();
    expect(of(always(not(atom(6))))).toBeUndefined();
});

test('a fault of an atom and a search that is too large are said', () => {
    const faulty: TemporalAtom = { kind: 'state', expression: faultUnless(isValue(0), 'index') };
    expect(checkLasso(model, round, member(eventually(atom(2)), faulty))).toBe(
        'an atom is the fault `index` in a state of the run',
    );
    const large = toyModel({
        cells: { x: 3, y: 200_000 },
        initial: { x: 0, y: 0 },
        rules: ({ read, set }) => [
            { when: [], then: [set('y', binary(read('y'), '+', constant(1)))] },
            { when: [], then: [] },
        ],
    });
    const idle: ClaimedLasso = { states: [Int32Array.of(0, 0), Int32Array.of(0, 0)], firings: [1], loopStart: 0 };
    const impossible = member(eventually(atom(3)), { kind: 'possible', condition: atom(2) });
    expect(checkLasso(large, idle, impossible)).toBe('`possible` is not decided within 100000 states');
});
