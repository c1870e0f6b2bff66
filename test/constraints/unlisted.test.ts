/** Variables with too many values to list: nothing that depends on one may move. */
import { expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/constraints/encode.js';
import { detectSymmetries } from '../../engine/symmetry/detect.js';
import { detectGroups } from '../../engine/symmetry/groups.js';
import { binary, constant, toyModel, type Toy } from '../arbitrary/toys.js';

function orderOf(toy: Toy): bigint {
    const problem = encode(toyModel(toy), UNLIMITED);
    return detectSymmetries(problem, [], [], UNLIMITED).group.order;
}

test.each([
    ['one variable', (read: Read) => read('x')],
    ['two variables', (read: Read) => binary(read('x'), '+', read('c'))],
])('a guard over %s with too many values pins what its summand writes', (_, left) => {
    // Without the two guards a and b could be exchanged.
    const order = orderOf({
        cells: { x: 100_000, c: 2, a: 2, b: 2 },
        initial: { x: 0, c: 0, a: 0, b: 0 },
        rules: ({ read, set }) => [
            { when: [], then: [set('x', binary(binary(read('x'), '+', constant(1)), 'mod', constant(100_000)))] },
            { when: [binary(left(read), '>', constant(500))], then: [set('a', 1)] },
            { when: [binary(left(read), '>', constant(600))], then: [set('b', 1)] },
        ],
    });
    expect(order).toBe(1n);
});

/** What is pinned where x has too many values and y, z have few. */
function pinnedIn(toy: Omit<Toy, 'cells'>): readonly number[] {
    const cells = { x: 100_000, y: 2, z: 2 };
    return encode(toyModel({ ...toy, cells }), UNLIMITED).pinned;
}

test('what a summand reads is pinned with what it writes', () => {
    const pinned = pinnedIn({
        rules: ({ is, read, set }) => [
            { when: [is('y', 0), binary(read('x'), '>', constant(5))], then: [set('z', 1)] },
        ],
    });
    expect(pinned).toEqual([0, 1, 2]);
});

test('what an invariant reads is pinned for that property alone where it is too large', () => {
    const toy = toyModel({
        cells: { x: 100_000, y: 2, z: 2 },
        rules: () => [],
        invariants: ({ read }) => [
            binary(binary(read('x'), '+', read('y')), '>', constant(5)),
            binary(binary(read('y'), '+', read('z')), '<', constant(2)),
        ],
    });
    const { pinned, properties } = encode(toy, UNLIMITED);
    expect(pinned).toEqual([]);
    expect(properties.filter(({ kind }) => kind === 'invariant').map(property => property.pinned)).toEqual([
        [0, 1],
        [],
    ]);
});

test('symmetries of the model are not lost to an invariant that is too large, those that keep it are', () => {
    const names = ['a', 'b', 'c', 'd'];
    const sequential = toyModel({
        cells: Object.fromEntries(names.map(name => [name, 150])),
        initial: Object.fromEntries(names.map(name => [name, 0])),
        rules: ({ read, set }) =>
            names.map(name => ({
                when: [],
                then: [set(name, binary(binary(read(name), '+', constant(1)), 'mod', constant(150)))],
            })),
        invariants: ({ read }) => [binary(binary(read('a'), '*', read('b')), '>=', binary(read('b'), '*', read('a')))],
    });
    const constraints = encode(sequential, UNLIMITED);
    const { detection, propertyGroups, explorationGroup, startGroup } = detectGroups(constraints, [], UNLIMITED);
    const ofInvariant = constraints.properties.findIndex(({ kind }) => kind === 'invariant');
    expect(constraints.properties[ofInvariant]!.pinned).toEqual([0, 1]);
    expect(detection.group.order).toBe(24n);
    // c and d can still be exchanged.
    expect(propertyGroups[ofInvariant]!.order).toBe(2n);
    expect(startGroup.order).toBe(2n);
    // And, as far as steps go, each of them has 150 values in a circle.
    expect(explorationGroup.order).toBe(2n * 150n * 150n);
});

test('an addition of variables is not too large because there are many pairs of values', () => {
    const names = ['x', 'y', 'z'];
    const order = orderOf({
        cells: { x: 150, y: 150, z: 150 },
        initial: { x: 0, y: 0, z: 0 },
        rules: ({ read, set }) =>
            names.map(name => ({
                when: [],
                then: [set(name, binary(binary(read(name), '+', constant(1)), 'mod', constant(150)))],
            })),
        invariants: ({ read }) => [
            binary(binary(binary(read('x'), '+', read('y')), '+', read('z')), '<', constant(400)),
        ],
    });
    expect(order).toBe(6n);
});

test('what an initial value reads is pinned where it is too large', () => {
    const expression = binary(binary({ kind: 'cell', cell: 0, range: NOWHERE }, '+', constant(0)), 'mod', constant(2));
    expect(pinnedIn({ initial: { y: expression }, rules: () => [] })).toEqual([0, 1]);
});

test('a variable that is not listed starts as another one says: that one is pinned', () => {
    const cells = { y: 2, z: 2, x: 100_000 };
    const initial = { x: binary({ kind: 'cell', cell: 0, range: NOWHERE }, '+', constant(1)) };
    const problem = encode(toyModel({ cells, initial, rules: () => [] }), UNLIMITED);
    expect(problem.pinned).toEqual([0]);
});

test('a program counter with too many locations is no reason to leave out what happens at them', () => {
    const toy = toyModel({
        cells: { counter: 20_000, a: 2 },
        initial: { counter: 0, a: 0 },
        rules: ({ is, set }) => [{ when: [is('counter', 0)], then: [set('a', 1), set('counter', 1)] }],
    });
    const [instance] = toy.instances;
    const locations = Array.from({ length: 20_000 }, () => instance!.locations[0]!);
    const model = { ...toy, instances: [{ ...instance!, counter: 0, locations }] };
    expect(encode(model, UNLIMITED).pinned).toEqual([0, 1]);
});

type Read = Parameters<Toy['rules']>[0]['read'];
