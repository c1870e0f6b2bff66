/** What the constraints say of a step is what the interpreter says of it, kinds of faults and long bodies included. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/constraints/encode.js';
import { unresolved } from '../../engine/constraints/transition.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { domainSize, NONE, type Domain } from '../../engine/model/domain.js';
import { AbsentRead } from '../../engine/sequential/expression/evaluate.js';
import type {
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
} from '../../engine/sequential/sequential-model.js';
import { orbits } from '../../engine/group/orbits.js';
import { detectSymmetries } from '../../engine/symmetry/detect.js';
import { encodeGraph } from '../../engine/symmetry/graph-encoding.js';
import { randomSequentialModel, randomState } from '../arbitrary/sequential-models.js';
import { binary, constant, toyModel, type Toy } from '../arbitrary/toys.js';
import { DecodedGraph } from '../reference/decode-graph.js';
import { allStates, outcomesOf } from '../reference/literal-symmetries.js';

const range = NOWHERE;

/** Compares constraints and interpreter on all states; how many outcomes there are. */
function checkOutcomes(toy: Toy): Set<string> {
    const model = toyModel(toy);
    const decoded = new DecodedGraph(encodeGraph(encode(model, UNLIMITED), []));
    const faults = new Set<string>();
    for (const state of allStates(model)) {
        const expected = [...outcomesOf(model, state)].sort();
        const found = decoded.outcomes(state);
        expect([...found.successors, ...found.faults].sort()).toEqual(expected);
        found.faults.forEach(fault => faults.add(fault));
    }
    return faults;
}

const BIT: Domain = { kind: 'range', low: 0, high: 1 };
const OPTIONAL: Domain = { kind: 'optional', base: { kind: 'range', low: 0, high: 3 } };

test('all indices are evaluated before one of them is outside', () => {
    // a[5][1 div x] := 1 is a division by zero where x is 0, and an index outside its type elsewhere.
    const quotient = (x: SequentialExpression): SequentialExpression => binary(constant(1), 'div', x);
    const faults = checkOutcomes({
        cells: { a00: 2, a01: 2, a10: 2, a11: 2, x: 2 },
        rules: ({ read }) => [
            {
                when: [],
                then: [
                    {
                        kind: 'assign',
                        target: {
                            kind: 'element',
                            cells: [0, 1, 2, 3],
                            indices: [constant(5), quotient(read('x'))],
                            domains: [BIT, BIT],
                            range,
                        },
                        value: constant(1),
                        range,
                    },
                ],
            },
        ],
    });
    expect([...faults].sort()).toEqual(['division', 'index']);
});

test.each([
    ['negate', (operands: readonly SequentialExpression[]) => ({ kind: 'negate', operand: operands[0]!, range })],
    ['sum', (operands: readonly SequentialExpression[]) => ({ kind: 'sum', operands, range })],
] as const)('%s of none is undefined, also where it is split', (_, expression) => {
    // Four optional values are more than a relation holds, and so is an element of them.
    const names = ['a0', 'a1', 'a2', 'i'];
    const faults = checkOutcomes({
        cells: { a0: OPTIONAL, a1: OPTIONAL, a2: OPTIONAL, i: 3, y: 2 },
        rules: ({ at, read, set }) => {
            const element = at(names.slice(0, 3), 'i');
            const value = expression([element, read('a0'), read('a1'), read('a2')]) as SequentialExpression;
            return [{ when: [binary(value, '<', constant(4))], then: [set('y', 1)] }];
        },
    });
    expect([...faults]).toEqual(['undefined']);
});

test('a sum beyond 2^53 is an overflow, also where it is split', () => {
    const names = ['a', 'b', 'c', 'd'];
    const high = Number.MAX_SAFE_INTEGER;
    const huge: Domain = { kind: 'range', low: high - 2, high };
    const signed: Domain = { kind: 'range', low: -high, high: -high + 2 };
    const toy: Toy = {
        cells: { a: huge, b: huge, c: signed, d: signed, y: 2 },
        rules: ({ read, set }) => {
            const value: SequentialExpression = { kind: 'sum', operands: names.map(read), range };
            return [{ when: [binary(value, '==', constant(0))], then: [set('y', 1)] }];
        },
    };
    // No sum with it is written down: whatever it reads stays where it is.
    expect(encode(toyModel(toy), UNLIMITED).pinned).toEqual([0, 1, 2, 3, 4]);
});

test('a sum that is beyond 2^53 on the way is an overflow, and not in another order', () => {
    const faults = checkOutcomes({
        cells: { x: { kind: 'range', low: -3, high: 4 }, y: 2 },
        rules: ({ read, set }) => {
            const operands = [read('x'), constant(Number.MAX_SAFE_INTEGER), constant(-3)];
            const value: SequentialExpression = { kind: 'sum', operands, range };
            return [{ when: [binary(value, '>', constant(0))], then: [set('y', 1)] }];
        },
    });
    expect([...faults]).toEqual(['overflow']);
});

test('what is counted twice counts twice, also where it is split', () => {
    const names = Array.from({ length: 11 }, (_, number) => `bit${number}`);
    checkOutcomes({
        cells: Object.fromEntries(names.map(name => [name, 2])),
        rules: ({ read, set }) => {
            const holds = ['bit0', ...names].map(name => binary(read(name), '==', constant(1)));
            const count: SequentialExpression = { kind: 'count', operands: holds, range };
            return [{ when: [binary(count, '==', constant(3))], then: [set('bit1', 0)] }];
        },
    });
});

test('a body in which each statement reads what the last one wrote does not blow up', { timeout: 10_000 }, () => {
    const doubled = (times: number, read: SequentialExpression): SequentialStatement[] =>
        Array.from({ length: times }, () => ({
            kind: 'if',
            condition: binary(read, '>', constant(1)),
            then: [{ kind: 'assign', target: { kind: 'cell', cell: 0 }, value: binary(read, '-', constant(1)), range }],
            otherwise: [
                { kind: 'assign', target: { kind: 'cell', cell: 0 }, value: binary(read, '+', constant(1)), range },
            ],
            range,
        }));
    const toy = (times: number): Toy => ({
        cells: { x: 4, y: 2, z: 2 },
        rules: ({ read, set }) => [
            { when: [], then: [...doubled(times, read('x')), set('y', constant(1))] },
            { when: [], then: [set('z', 1)] },
        ],
    });
    checkOutcomes(toy(4));
    const { pinned } = encode(toyModel(toy(40)), UNLIMITED);
    expect(pinned).toEqual([0, 1]);
});

test('an assignment that the guard makes idle is none', () => {
    // Each test reads both cells, so only both together say that q keeps its value.
    const problem = encode(
        toyModel({
            cells: { p: 3, q: 3 },
            rules: ({ read, set }) => [{ when: [binary(read('p'), '==', read('q'))], then: [set('q', read('p'))] }],
        }),
        UNLIMITED,
    );
    expect(problem.summands.map(({ effects }) => effects)).toEqual([[]]);
});

test('where a cell has its new value already, it does not matter whether it is written', () => {
    // x := if k = 1 then 0 else x: the only effect is 0 where k is 1, whatever x was.
    const { summands, formulas } = encode(
        toyModel({
            cells: { k: 2, x: 3 },
            rules: ({ is, read, set }) => [
                {
                    when: [],
                    then: [
                        set('x', {
                            kind: 'conditional',
                            condition: is('k', 1),
                            then: constant(0),
                            otherwise: read('x'),
                            range,
                        }),
                    ],
                },
            ],
        }),
        UNLIMITED,
    );
    const [effect, ...others] = summands[0]!.effects;
    expect(others).toEqual([]);
    expect(effect).toMatchObject({ cell: 1, code: 0 });
    expect(effect!.conditions.map(condition => formulas.nodes[condition])).toEqual([
        { kind: 'set', cell: 0, codes: [1] },
    ]);
});

/** Eight bits are more than a relation holds; one of them may flip where `holding` of them are 1. */
function countingToy(holding: number): Toy {
    const names = Array.from({ length: 8 }, (_, index) => `b${index}`);
    return {
        cells: Object.fromEntries(names.map(name => [name, 2])),
        rules: ({ is, read, set }) =>
            names.map(name => ({
                when: [
                    binary(
                        { kind: 'count', operands: names.map(other => is(other, 1)), range },
                        '==',
                        constant(holding),
                    ),
                ],
                then: [set(name, binary(constant(1), '-', read(name)))],
            })),
    };
}

test.each([0, 1, 3, 4, 5, 7, 8])('a count of %i in 8 is the count of the others, too', holding => {
    checkOutcomes(countingToy(holding));
    const problem = encode(toyModel(countingToy(holding)), UNLIMITED);
    // All 8! orders of the bits; a count of 4 is also the same for the complements.
    const { order } = detectSymmetries(problem, [], [], UNLIMITED).group;
    expect(order).toBe(holding === 4 ? 80640n : 40320n);
});

/** A random small model. Every state with values is initial; only temporaries and the slot of a channel are cleared. */
function smallRandomModel(g: fc.GeneratorValue): SequentialModel {
    const model = randomSequentialModel(g);
    const clear = model.cells.flatMap(({ kind }, cell): SequentialStatement[] =>
        kind === 'temporary' ? [{ kind: 'clear', cell }] : [],
    );
    const cleared = new Set(
        model.summands.flatMap(({ participants }) => participants.flatMap(({ body }) => clearedBy(body))),
    );
    return {
        ...model,
        cells: model.cells.map((cell, index) => ({
            ...cell,
            domain: domainSize(cell.domain) > 8 ? { kind: 'range', low: 0, high: 2 } : cell.domain,
            kind: cell.kind === 'shared' && cleared.has(index) ? 'channel' : cell.kind,
            mayBeAbsent: cell.kind === 'temporary' || cleared.has(index),
        })),
        summands: model.summands.map(summand => ({
            ...summand,
            participants: summand.participants.map(part => ({ ...part, body: [...part.body, ...clear] })),
        })),
        initial: model.cells.map(({ kind }, cell) => ({
            cell,
            value: { kind: kind === 'temporary' ? 'none' : 'any' },
        })),
    };
}

function clearedBy(statements: readonly SequentialStatement[]): number[] {
    return statements.flatMap(statement => {
        switch (statement.kind) {
            case 'clear':
                return [statement.cell];
            case 'if':
                return [...clearedBy(statement.then), ...clearedBy(statement.otherwise)];
            case 'while':
                return clearedBy(statement.body);
            default:
                return [];
        }
    });
}

/** The successors and the kinds of faults; undefined where a cell without a value is read, which no model does. */
function outcomesOfReading(model: SequentialModel, state: Int32Array): string[] | undefined {
    let isLegal = true;
    // Among the faults of partners another one may come first.
    const parts = model.summands.flatMap(({ label, participants }) =>
        participants.map(one => ({ label, participants: [one] })),
    );
    interpretedSuccessors({ ...model, summands: parts }).forEachFiring(state, {
        fired: () => true,
        faulted: (_, fault) => (isLegal &&= !(fault instanceof AbsentRead)),
    });
    return isLegal ? [...outcomesOf(model, [...state])].sort() : undefined;
}

test('the constraints of any summand say what the interpreter says, joint steps and loops included', () => {
    let compared = 0;
    fc.assert(
        fc.property(fc.gen(), g => {
            const model = smallRandomModel(g);
            const problem = encode(model, UNLIMITED);
            if (problem.pinned.length > 0) {
                return;
            }
            const decoded = new DecodedGraph(encodeGraph(problem, []));
            const withValues = { ...model, cells: model.cells.map(cell => ({ ...cell, mayBeAbsent: false })) };
            const waiting = Array.from({ length: 3 }, () => [...randomState(g, withValues)]);
            for (const state of waiting) {
                const expected = outcomesOfReading(model, Int32Array.from(state));
                if (expected !== undefined) {
                    const { successors, faults } = decoded.outcomes(state);
                    expect([...successors, ...faults].sort()).toEqual(expected);
                    compared += expected.length;
                    if (waiting.length < 8) {
                        waiting.push(...[...successors].map(text => text.split(',').map(Number)));
                    }
                }
            }
        }),
        { numRuns: 40, endOnFailure: true },
    );
    expect(compared).toBeGreaterThan(50);
});

test('rules that only compare and copy values, in other words for others, say what the interpreter says', () => {
    const names = ['x', 'y', 'a', 'b', 'o'] as const;
    const RANGE: Domain = { kind: 'range', low: 2, high: 5 };
    const VALUES = [2, 3, 4, 5] as const;
    fc.assert(
        fc.property(fc.gen(), g => {
            const pick = <T>(list: readonly T[]): T => list[g(fc.nat, { max: list.length - 1 })]!;
            const isOneOf = (count: number): boolean => g(fc.nat, { max: count - 1 }) === 0;
            const toy: Toy = {
                cells: { x: RANGE, y: RANGE, a: RANGE, b: RANGE, o: { kind: 'optional', base: RANGE }, i: 2 },
                initial: Object.fromEntries(names.map(name => [name, isOneOf(3) ? 'any' : pick(VALUES)])),
                rules: ({ read, at, set, setAt }) => {
                    const some = (): SequentialExpression => read(pick(names));
                    const element = (): SequentialExpression => at(['a', 'b'], 'i');
                    const leaf = (): SequentialExpression =>
                        isOneOf(2) ? constant(pick([...VALUES, NONE])) : isOneOf(3) ? element() : some();
                    const test = (): SequentialExpression => {
                        const operator = isOneOf(6) ? '<' : pick(['==', '!='] as const);
                        const atom = binary(some(), operator, operator === '<' ? constant(pick(VALUES)) : leaf());
                        return isOneOf(4) ? { kind: 'not', operand: atom, range } : atom;
                    };
                    const hub = (): SequentialExpression => ({
                        kind: pick(['and', 'or'] as const),
                        operands: [test(), test(), test()],
                        range,
                    });
                    // What faults is of no interest here: `none` goes nowhere but into `o`.
                    const value = (): SequentialExpression =>
                        isOneOf(2) ? constant(pick(VALUES)) : read(pick(['x', 'y', 'a', 'b']));
                    return Array.from({ length: 6 }, () => ({
                        when: [test(), ...(isOneOf(2) ? [hub()] : [])],
                        then: [
                            set(pick(names), value()),
                            isOneOf(2)
                                ? setAt(['a', 'b'], 'i', value())
                                : set('o', isOneOf(3) ? constant(NONE) : value()),
                        ],
                    }));
                },
            };
            const model = toyModel(toy);
            const problem = encode(model, UNLIMITED);
            const decoded = new DecodedGraph(encodeGraph(problem, []));
            for (let count = 0; count < 30; count++) {
                const state = problem.domains.map(codes => pick(codes));
                const { successors, faults } = decoded.outcomes(state);
                expect([...successors, ...faults].sort()).toEqual([...outcomesOf(model, state)].sort());
            }
        }),
        { numRuns: 40, endOnFailure: true },
    );
});

test('arithmetic over more cells than a table has room for says what the interpreter says, none compared with it too', () => {
    const integers = ['x', 'y', 'z', 'u'] as const;
    const RANGE: Domain = { kind: 'range', low: -3, high: 12 };
    const cells = { x: RANGE, y: RANGE, z: RANGE, u: RANGE, o: { kind: 'optional', base: RANGE }, hit: 2 } as const;
    let compared = 0;
    fc.assert(
        fc.property(fc.gen(), g => {
            const pick = <T>(list: readonly T[]): T => list[g(fc.nat, { max: list.length - 1 })]!;
            const model = toyModel({
                cells,
                rules: ({ read, set }) => {
                    const term = (depth: number): SequentialExpression => {
                        if (depth === 0) {
                            return pick([
                                read(pick(integers)),
                                read(pick([...integers, 'o'])),
                                constant(pick([-1, 0, 2])),
                            ]);
                        }
                        const operand = (): SequentialExpression => term(depth - 1);
                        switch (pick(['+', '-', 'negate', 'sum', '*', 'div'] as const)) {
                            case '+':
                                return binary(operand(), '+', operand());
                            case '-':
                                return binary(operand(), '-', operand());
                            case 'negate':
                                return { kind: 'negate', operand: operand(), range };
                            case 'sum':
                                return { kind: 'sum', operands: [operand(), operand(), operand()], range };
                            case '*':
                                return binary(constant(pick([-1, 2])), '*', operand());
                            case 'div':
                                return binary(operand(), 'div', read(pick(integers)));
                        }
                    };
                    const comparison = pick(['==', '!=', '<', '>='] as const);
                    const other = pick([read('o'), term(1), term(2)]);
                    return [{ when: [binary(term(2), comparison, other)], then: [set('hit', 1)] }];
                },
            });
            const problem = encode(model, UNLIMITED);
            if (problem.pinned.length > 0) {
                return;
            }
            const decoded = new DecodedGraph(encodeGraph(problem, []));
            for (let count = 0; count < 30; count++) {
                const state = problem.domains.map(codes => pick(codes));
                const { successors, faults } = decoded.outcomes(state);
                expect([...successors, ...faults].sort()).toEqual([...outcomesOf(model, state)].sort());
                compared++;
            }
        }),
        { numRuns: 60, endOnFailure: true },
    );
    expect(compared).toBeGreaterThan(1000);
});

test('a cell that a test mentions for nothing does not tell a step from its twin', () => {
    // own1 changes where own0 is not shared, and own0 where own1 is not; the second rule mentions own0 besides.
    const model = toyModel({
        cells: { own0: 2, own1: 2, shared: 3 },
        rules: ({ read, set }) => {
            const differs = (name: string): SequentialExpression => binary(read(name), '!=', read('shared'));
            const flip = (name: string): SequentialStatement => set(name, binary(constant(1), '-', read(name)));
            const idle: SequentialExpression = binary(read('own0'), '!=', read('own0'));
            const either = { kind: 'or', operands: [idle, binary(read('own1'), '==', read('shared'))], range } as const;
            return [
                { when: [differs('own0')], then: [flip('own1')] },
                { when: [{ kind: 'not', operand: either, range }], then: [flip('own0')] },
            ];
        },
    });
    const { group } = detectSymmetries(encode(model, UNLIMITED), [], [], UNLIMITED);
    const literals = orbits(group.generators, group.firstPoint[group.cellCount]!);
    expect(literals.find(orbit => orbit.includes(group.firstPoint[0]!))).toContain(group.firstPoint[1]);
});

test('of a step that is too long to write out it is known which cells hold no value behind it', () => {
    const { summands } = toyModel({
        cells: { kept: 2, emptied: 2, filled: 2 },
        rules: ({ set, clear }) => [{ when: [], then: [clear('emptied'), clear('filled'), set('filled', 1)] }],
    });
    expect([...unresolved(summands[0]!).effects]).toEqual([
        [1, 'absent'],
        [2, 'unknown'],
    ]);
});

test('a receiver reads what the sender had before the step, and nobody sees what another one initializes', () => {
    const { cells, instances, ...rest } = toyModel({
        cells: { x: 3, y: 3, z: 3, w: 3 },
        rules: () => [],
    });
    const read = (cell: number): SequentialExpression => ({ kind: 'cell', cell, range });
    const assign = (cell: number, value: SequentialExpression) => ({ kind: 'assign' as const, cell, value, range });
    const to = (cell: number, value: SequentialExpression): SequentialStatement => ({
        kind: 'assign',
        target: { kind: 'cell', cell },
        value,
        range,
    });
    const next = (cell: number): SequentialExpression =>
        binary(binary(read(cell), '+', constant(1)), 'mod', constant(3));
    const joint: SequentialModel = {
        ...rest,
        cells,
        instances: [...instances, { ...instances[0]!, name: 'Q' }],
        summands: [
            {
                label: 'c',
                participants: [
                    // Initializes w by x, and sends x, which it changes.
                    { instance: 0, source: 0, target: 0, path: [assign(3, next(0))], body: [to(0, read(3))], range },
                    // Takes x into y if it is not what w was before, and copies it.
                    {
                        instance: 1,
                        source: 0,
                        target: 0,
                        path: [assign(1, read(0)), { kind: 'test', condition: binary(read(1), '!=', read(3)) }],
                        body: [to(2, next(1))],
                        range,
                    },
                ],
            },
        ],
    };
    const decoded = new DecodedGraph(encodeGraph(encode(joint, UNLIMITED), []));
    for (const state of allStates(joint)) {
        const [x, , , w] = state as [number, number, number, number];
        const y = x;
        const expected = y === w ? [] : [[(x + 1) % 3, y, (y + 1) % 3, (x + 1) % 3].join()];
        expect([...outcomesOf(joint, state)]).toEqual(expected);
        expect(decoded.outcomes(state)).toMatchObject({ successors: new Set(expected), faults: new Set() });
    }
});
