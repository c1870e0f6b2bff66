/**
 * The ten ways to get symmetries that a model has not, or to miss some. Each toy opens one trap (open-traps.ts). The
 * true group is found by trial, and the check of the generators refutes every unsound group.
 */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { createRandom } from '../../engine/common/random.js';
import type { ConstraintProblem } from '../../engine/constraints/constraint-problem.js';
import { encode } from '../../engine/constraints/encode.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import type { SequentialExpression, SequentialModel } from '../../engine/sequential/sequential-model.js';
import { checkGenerators, stateAction } from '../../engine/symmetry/certify.js';
import { detectSymmetries, type Detection } from '../../engine/symmetry/detect.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { encodeGraph, withFixedLiterals, type GraphEncoding } from '../../engine/symmetry/graph-encoding.js';
import { diningPhilosophers, hanoi, peterson, readersWriters, tokenRing } from '../arbitrary/published-models.js';
import { binary, constant, faultUnless, toyModel, type Names, type Toy } from '../arbitrary/toys.js';
import { DecodedGraph } from '../reference/decode-graph.js';
import {
    allStates,
    initialStatesOf,
    outcomesOf,
    runnableByDefinition,
    symmetriesByDefinition,
} from '../reference/literal-symmetries.js';
import {
    alternativesAreConjuncts,
    anyInitialState,
    faultsAreAlike,
    faultsAreNothing,
    groupWithOpen,
    impossibleValues,
    looseEffects,
    lostWrites,
    noValueIsAValue,
    repeatedVertices,
    untiedCopies,
    valuesThatIndexNothing,
    type OpenTrap,
    type WrongGroup,
} from './open-traps.js';

function detect(toy: Toy): Detection {
    const problem = problemOf(toy);
    return detectSymmetries(problem, [...problem.properties.keys()], [], UNLIMITED);
}

function problemOf(toy: Toy): ConstraintProblem {
    return encode(toyModel(toy), UNLIMITED);
}

/** The order with the trap open, where the check of the generators has to say that they are no symmetries. */
function unsoundOrder(trap: OpenTrap, toy: Toy): bigint {
    const group = groupWithOpen(trap, problemOf(toy));
    expect(checkOnStates(toy, group)).toBe('refuted');
    return group.order;
}

/** The order with the trap open, where what is found are symmetries that mean nothing. */
function meaninglessOrder(trap: OpenTrap, toy: Toy): bigint {
    const group = groupWithOpen(trap, problemOf(toy));
    expect(checkOnStates(toy, group)).toBe('agrees');
    return group.order;
}

function checkOnStates(toy: Toy, group: WrongGroup): string {
    const model = toyModel(toy);
    const options = { workLimit: UNLIMITED, states: 64, random: createRandom(1) };
    return checkGenerators(runnableByDefinition(model), group, group.generators, options).kind;
}

function orderOf(toy: Toy): number {
    const model = toyModel(toy);
    const { group } = detect(toy);
    const initial = new Set(initialStatesOf(model).map(String));
    for (const generator of group.generators) {
        const action = stateAction(group, generator);
        const image = (state: readonly number[]): number[] => [...action(Int32Array.from(state))];
        for (const state of allStates(model)) {
            expect(initial.has(String(image(state)))).toBe(initial.has(String(state)));
            const images = [...outcomesOf(model, state)].map(outcome =>
                /^-?\d/.test(outcome) ? String(image(outcome.split(',').map(Number))) : outcome,
            );
            expect([...outcomesOf(model, image(state))].sort()).toEqual(images.sort());
        }
    }
    return Number(group.order);
}

function complementOf(expression: SequentialExpression): SequentialExpression {
    return binary(constant(1), '-', expression);
}

test('1: what holds now and what holds next move together', () => {
    // Untied copies: x=0 and x=1 could be exchanged alone.
    const toy: Toy = {
        cells: { x: 2, y: 2, z: 2 },
        rules: ({ is, set }) => [
            { when: [is('x', 0)], then: [set('y', 0)] },
            { when: [is('x', 1)], then: [set('y', 1)] },
            { when: [is('y', 1)], then: [set('z', 1)] },
        ],
    };
    expect(orderOf(toy)).toBe(1);
    expect(unsoundOrder(untiedCopies, toy)).toBe(4n);
    expect(symmetriesByDefinition(toyModel(toy))).toHaveLength(1);
});

test('2: the guard of a summand goes where its effect goes', () => {
    // Without a vertex that ties them: x and y could be exchanged while p and q stay.
    const toy: Toy = {
        cells: { x: 2, y: 2, p: 2, q: 2 },
        rules: ({ is, set }) => [
            { when: [is('x', 1)], then: [set('p', 1)] },
            { when: [is('y', 1)], then: [set('q', 1)] },
        ],
    };
    expect(orderOf(toy)).toBe(2);
    expect(unsoundOrder(looseEffects, toy)).toBe(4n);
    expect(symmetriesByDefinition(toyModel(toy))).toHaveLength(2);
});

test('3: a step that may write any value still writes', () => {
    // With "a becomes anything" as no constraint at all, a and b could be exchanged.
    const toy: Toy = {
        cells: { g: 2, a: 2, b: 2 },
        rules: ({ is, set }) => [
            { when: [is('g', 0)], then: [set('a', 0)] },
            { when: [is('g', 0)], then: [set('a', 1)] },
        ],
    };
    expect(orderOf(toy)).toBe(4);
    expect(unsoundOrder(lostWrites, toy)).toBe(8n);
    expect(symmetriesByDefinition(toyModel(toy))).toHaveLength(4);
});

test.each(['c := c', 'a := 1 where a = 1'])('3: a write that changes nothing is no write (%s)', which => {
    // As a write it would tell the two summands apart, order 4.
    const toy: Toy = {
        cells: { a: 2, b: 2, c: 2, d: 2 },
        rules: ({ is, set, read }) => [
            {
                when: [is('a', 1)],
                then: [set('b', complementOf(read('b'))), which === 'c := c' ? set('c', read('c')) : set('a', 1)],
            },
            { when: [is('c', 1)], then: [set('d', complementOf(read('d')))] },
        ],
    };
    expect(orderOf(toy)).toBe(8);
    expect(symmetriesByDefinition(toyModel(toy))).toHaveLength(8);
});

test('4: no value is never exchanged with a value', () => {
    // A slot that is filled with the only value and emptied again: none and 0 would be exchanged.
    const toy: Toy = {
        cells: { slot: 1 },
        mayBeAbsent: ['slot'],
        initial: { slot: 'none' },
        rules: ({ set, clear, is }) => [
            { when: [], then: [set('slot', 0)] },
            { when: [is('slot', 0)], then: [clear('slot')] },
        ],
    };
    expect(orderOf({ ...toy, initial: { slot: 'any' } })).toBe(1);
    const { encoding } = detect({ ...toy, initial: { slot: 'any' } });
    expect(encoding.kinds.slice(0, 2)).toEqual(['no-value:0', 'literal:0']);
});

test('4: an empty slot is not a full one with another name', () => {
    // Exchanging the slots, and none with 0 in both, keeps the initial state and the steps.
    const toy: Toy = {
        cells: { empty: 1, full: 1 },
        mayBeAbsent: ['empty', 'full'],
        initial: { empty: 'none', full: 0 },
        rules: ({ set, clear }) =>
            ['empty', 'full'].flatMap(slot => [
                { when: [], then: [set(slot, 0)] },
                { when: [], then: [clear(slot)] },
            ]),
    };
    expect(orderOf(toy)).toBe(1);
    expect(groupWithOpen(noValueIsAValue, problemOf(toy)).graphOrder).toBe(2n);
});

test('4: no value moves with its cell', () => {
    const toy: Toy = {
        cells: { left: 2, right: 2 },
        mayBeAbsent: ['left', 'right'],
        initial: { left: 'none', right: 'none' },
        rules: ({ set, clear }) =>
            ['left', 'right'].flatMap(slot => [
                { when: [], then: [set(slot, 0)] },
                { when: [], then: [set(slot, 1)] },
                { when: [], then: [clear(slot)] },
            ]),
    };
    // Both slots alike, the values of each interchangeable: 2 · 2 · 2.
    expect(orderOf(toy)).toBe(8);
    expect(symmetriesByDefinition(toyModel(toy))).toHaveLength(8);
});

test.each([
    // Two bits that flip: exchanged and complemented at will.
    ['any value', {}, 8],
    ['one state', { x: 0, y: 0 }, 2],
    // Different values: the exchange must complement both, or swap the cells with their initial values.
    ['two different values', { x: 0, y: 1 }, 2],
    ['a constraint over two variables', { x: 'any', y: { kind: 'cell', cell: 0, range: NOWHERE } }, 4],
] as const)('5: initial states are a constraint like any other (%s)', (_, initial, order) => {
    const toy: Toy = {
        cells: { x: 2, y: 2 },
        initial,
        rules: ({ is, set }) =>
            ['x', 'y'].flatMap(name => [
                { when: [is(name, 0)], then: [set(name, 1)] },
                { when: [is(name, 1)], then: [set(name, 0)] },
            ]),
    };
    expect(orderOf(toy)).toBe(order);
    expect((order < 8 ? unsoundOrder : meaninglessOrder)(anyInitialState, toy)).toBe(8n);
    expect(symmetriesByDefinition(toyModel(toy))).toHaveLength(order);
});

test.each([
    // Of 2 · 2 · 2 flips and exchanges those that keep the set of initial states.
    ['two different bits', ({ read }: Names) => [binary(read('x'), '!=', read('y'))], {}, 4],
    ['one of them at most', ({ is }: Names) => [binary(is('x', 0), '>=', is('y', 1))], {}, 2],
    ['all there are', () => [], {}, 8],
    ['one after the other', ({ is }: Names) => [is('x', 0), binary(is('x', 0), '==', is('y', 1))], {}, 2],
    ['a set of values', () => [], { x: [0, 1], y: [1] }, 2],
    ['a set that depends', () => [], { y: [{ kind: 'cell', cell: 0, range: NOWHERE }, constant(0)] }, 2],
] as const)('5: conditions on the initial states are constraints as well (%s)', (_, conditions, initial, order) => {
    const toy: Toy = {
        cells: { x: 2, y: 2 },
        initial,
        conditions,
        rules: ({ is, set }) =>
            ['x', 'y'].flatMap(name => [
                { when: [is(name, 0)], then: [set(name, 1)] },
                { when: [is(name, 1)], then: [set(name, 0)] },
            ]),
    };
    expect(symmetriesByDefinition(toyModel(toy))).toHaveLength(order);
    expect(orderOf(toy)).toBe(order);
});

test('6: a variable that holds an index moves with the array it indexes', () => {
    const array = ['a0', 'a1', 'a2'];
    const toy: Toy = {
        cells: { a0: 2, a1: 2, a2: 2, p: 3 },
        initial: { a0: 0, a1: 0, a2: 0 },
        rules: ({ at, setAt }) => [{ when: [binary(at(array, 'p'), '==', constant(0))], then: [setAt(array, 'p', 1)] }],
    };
    const { group } = detect(toy);
    expect(orderOf(toy)).toBe(6);
    // With the values of p fixed by nothing they would be permuted apart from the cells.
    expect(unsoundOrder(valuesThatIndexNothing(3), toy)).toBe(36n);
    expect(symmetriesByDefinition(toyModel(toy))).toHaveLength(6);
    // Every generator moves values of p together with cells of the array.
    const firstOfIndex = group.firstPoint[3]!;
    for (const generator of group.generators) {
        expect(generator.points.some(point => point >= firstOfIndex)).toBe(true);
        expect(generator.points.some(point => point < firstOfIndex)).toBe(true);
    }
});

test('7: values that cannot occur have no symmetry', () => {
    // 2 and 3 are never reached.
    const toy: Toy = {
        cells: { v: 4 },
        initial: { v: 0 },
        rules: ({ is, set }) => [
            { when: [is('v', 0)], then: [set('v', 1)] },
            { when: [is('v', 1)], then: [set('v', 0)] },
        ],
    };
    const { group } = detect(toy);
    expect(group.order).toBe(1n);
    expect(group.codes).toEqual([[0, 1]]);
    expect(meaninglessOrder(impossibleValues, toy)).toBe(2n);
});

test('8: a fault maps to a fault of the same kind', () => {
    const toy = (second: 'index' | 'division'): Toy => ({
        cells: { x: 2, y: 2 },
        rules: ({ is }) => [
            { when: [faultUnless(is('x', 0), 'index')], then: [] },
            { when: [faultUnless(is('y', 0), second)], then: [] },
        ],
    });
    expect(orderOf(toy('index'))).toBe(2);
    expect(orderOf(toy('division'))).toBe(1);
    expect(unsoundOrder(faultsAreAlike, toy('division'))).toBe(2n);
    expect(unsoundOrder(faultsAreNothing, toy('division'))).toBeGreaterThan(1n);
    expect(symmetriesByDefinition(toyModel(toy('division')))).toHaveLength(1);
});

test('8: a fault in a guard is no disabled guard', () => {
    // v := none, v := 0, and w := 1 that faults when v is none. Without the fault none and 0 could be exchanged.
    const toy: Toy = {
        cells: { v: { kind: 'optional', base: { kind: 'range', low: 0, high: 0 } }, w: 2 },
        rules: ({ set, read }) => [
            { when: [], then: [set('v', Number.NEGATIVE_INFINITY)] },
            { when: [], then: [set('v', 0)] },
            { when: [binary(binary(read('v'), '+', constant(0)), '==', constant(0))], then: [set('w', 1)] },
        ],
    };
    expect(orderOf(toy)).toBe(1);
    expect(symmetriesByDefinition(toyModel(toy))).toHaveLength(1);
});

test('9: automorphisms that move no literal do not count', () => {
    // The same rule twice, and a rule that two spellings make: no vertex of the graph can be exchanged for another.
    const toy: Toy = {
        cells: { x: 3, y: 3, p: 2 },
        rules: ({ is, set, read }) => [
            { when: [is('x', 1)], then: [set('p', 1)] },
            { when: [is('x', 1)], then: [set('p', 1)] },
            { when: [binary(read('x'), '==', read('y'))], then: [set('p', 0)] },
            { when: [binary(read('y'), '==', read('x'))], then: [set('p', 0)] },
        ],
    };
    expect(orderOf(toy)).toBe(symmetriesByDefinition(toyModel(toy)).length);
    expect(kernelOrder(detect(toy).encoding)).toBe(1n);
    // With each rule a vertex of its own, two pairs of which can be exchanged.
    const { order, graphOrder } = groupWithOpen(repeatedVertices, problemOf(toy));
    expect(graphOrder).toBe(4n * order);
});

test('10: a condition keeps its meaning when it is rewritten', () => {
    const toy: Toy = {
        cells: { x: 2, y: 2, z: 2, w: 2, p: 2, q: 2 },
        rules: ({ is, set }) => [
            { when: [{ kind: 'and', operands: [is('x', 1), is('y', 1)], range: NOWHERE }], then: [set('p', 1)] },
            { when: [{ kind: 'or', operands: [is('z', 1), is('w', 1)], range: NOWHERE }], then: [set('q', 1)] },
        ],
    };
    expect(orderOf(toy)).toBe(4);
    expect(unsoundOrder(alternativesAreConjuncts, toy)).toBe(8n);
});

test.each([
    ['token ring', await tokenRing(4)],
    ['dining philosophers', await diningPhilosophers(5)],
    ['Peterson', await peterson(4)],
    ['readers and writers', await readersWriters(2, 1)],
    ['towers of Hanoi', await hanoi(4)],
])('9: whoever fixes all literals of the %s fixes the graph', (_, model) => {
    const { sequential } = linearize(model);
    const problem = encode(sequential!, UNLIMITED);
    expect(kernelOrder(encodeGraph(problem, [...problem.properties.keys()]))).toBe(1n);
});

function kernelOrder(encoding: GraphEncoding): bigint {
    return findAutomorphisms(withFixedLiterals(encoding), { workLimit: UNLIMITED }).order;
}

/** The orders of the model's group, and of the group that keeps all properties. */
function ordersOf(toy: Toy): [bigint, bigint] {
    const problem = encode(toyModel(toy), UNLIMITED);
    const { order } = detectSymmetries(problem, [], [], UNLIMITED).group;
    return [order, detectSymmetries(problem, [...problem.properties.keys()], [], UNLIMITED).group.order];
}

const TWO_BITS: Toy = {
    cells: { x: 2, y: 2 },
    initial: { x: 0, y: 0 },
    rules: ({ is, set }) => ['x', 'y'].map(name => ({ when: [is(name, 0)], then: [set(name, 1)] })),
};

test('a property keeps its truth in the group that is used to check it', () => {
    expect(ordersOf({ ...TWO_BITS, invariants: ({ is }) => [is('x', 0)] })).toEqual([2n, 1n]);
    expect(ordersOf({ ...TWO_BITS, invariants: ({ is }) => [binary(is('x', 0), '==', is('y', 0))] })).toEqual([2n, 2n]);
});

test('two properties that a symmetry exchanges are kept as a set, and each alone is told apart from its image', () => {
    expect(ordersOf({ ...TWO_BITS, invariants: ({ is }) => [is('x', 0), is('y', 0)] })).toEqual([2n, 2n]);
    expect(ordersOf({ ...TWO_BITS, invariants: ({ is }) => [is('x', 0)] })).toEqual([2n, 1n]);
});

test('a property keeps its faults', () => {
    // Both hold nowhere; where x is 1 the property is a fault.
    const faulty = (is: Names['is']): SequentialExpression => ({
        kind: 'and',
        operands: [faultUnless(is('x', 0), 'division'), constant(0)],
        range: NOWHERE,
    });
    expect(ordersOf({ ...TWO_BITS, invariants: ({ is }) => [faulty(is)] })).toEqual([2n, 1n]);
});

/** The two rules as one step of two instances: the graph says of it what the interpreter says. */
function checkJointStep(model: SequentialModel): void {
    const [first, second] = model.summands;
    const joint: SequentialModel = {
        ...model,
        instances: [...model.instances, { ...model.instances[0]!, name: 'Q' }],
        summands: [
            { label: 'both', participants: [first!.participants[0]!, { ...second!.participants[0]!, instance: 1 }] },
        ],
    };
    const decoded = new DecodedGraph(encodeGraph(encode(joint, UNLIMITED), []));
    for (const state of allStates(joint)) {
        const { successors, faults } = decoded.outcomes(state);
        expect([...successors, ...faults].sort()).toEqual([...outcomesOf(joint, state)].sort());
    }
}

test('of the faults of a joint step the first kind counts, not the first participant', () => {
    // P is a division by zero where x is 1, Q an index outside its type where y is 1; of both the index counts.
    const model = toyModel({
        ...TWO_BITS,
        rules: ({ is }) => [
            { when: [faultUnless(is('x', 0), 'division')], then: [] },
            { when: [faultUnless(is('y', 0), 'index')], then: [] },
        ],
        initial: {},
    });
    checkJointStep(model);
});

test('a joint step in which one is not ready is no fault, whatever the other one is', () => {
    const model = toyModel({
        ...TWO_BITS,
        rules: ({ is }) => [
            { when: [faultUnless(is('x', 0), 'division')], then: [] },
            { when: [is('y', 0)], then: [] },
        ],
        initial: {},
    });
    checkJointStep(model);
});
