import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Compiler } from '../../../engine/sequential/expression/evaluate.js';
import { UNLIMITED } from '../../../engine/common/work-limit.js';
import { InitialStates } from '../../../engine/explore/initial/initial-states.js';
import { Exploration } from '../../../engine/explore/search.js';
import type { Problem } from '../../../engine/common/problem.js';
import type { Model } from '../../../engine/model/model.js';
import { createRandom } from '../../../engine/common/random.js';
import type { WorkLimit } from '../../../engine/common/work-limit.js';
import { NOWHERE } from '../../../engine/common/source-range.js';
import type { SequentialExpression, SequentialModel } from '../../../engine/sequential/sequential-model.js';
import { binary, constant, faultUnless, toyModel, type Toy } from '../../arbitrary/toys.js';
import { integers } from '../../arbitrary/domains.js';
import { modelOf } from '../../model-of-text.js';
import { sequentialOf } from '../explore-model.js';

function of(variables: string): Promise<Model> {
    return modelOf(`${variables} process P { skip }`);
}

function list(text: Model, limit = 100): number[][] {
    const sequential = sequentialOf(text);
    const states = new InitialStates(sequential);
    const state = new Int32Array(sequential.cells.length);
    const listed: number[][] = [];
    while (listed.length < limit && states.nextInto(state)) {
        expect(states.includes(state)).toBe(true);
        listed.push([...state].slice(0, -1));
    }
    return listed;
}

function problemsOf(text: Model): readonly Problem[] {
    const exploration = new Exploration(sequentialOf(text));
    expect(exploration.advance(UNLIMITED)).toBe(true);
    const { report, problems } = exploration.result();
    expect(report).toBeUndefined();
    return problems;
}

test('any takes each value, the last variable fastest', async () => {
    const listed = list(await of('var x: bool = any var y: 3 .. 5 = any'));
    expect(listed).toEqual([
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 0],
        [1, 1],
        [1, 2],
    ]);
});

test('an initializer may read earlier variables', async () => {
    const listed = list(await of('var x: 0 .. 2 = any var y: 0 .. 9 = x * 4 var z: bool = any'));
    expect(listed.map(([x, y]) => [x, y])).toEqual([
        [0, 0],
        [0, 0],
        [1, 4],
        [1, 4],
        [2, 8],
        [2, 8],
    ]);
});

test('a scalar fills an array, and without an initializer a cell has the first value', async () => {
    const listed = list(await of('var x: 3 .. 7[0 .. 1] = 5 var y: 3 .. 7[0 .. 1]'));
    expect(listed).toEqual([[2, 2, 0, 0]]);
});

test('2^40 initial states come one by one', async () => {
    expect(list(await of('var x: bool[1 .. 40] = any'), 1000)).toHaveLength(1000);
});

test('a state that is not initial is not included', async () => {
    const sequential = sequentialOf(await of('var x: 0 .. 2 = 1'));
    const states = new InitialStates(sequential);
    expect(states.includes(Int32Array.of(1, 0))).toBe(true);
    expect(states.includes(Int32Array.of(2, 0))).toBe(false);
    expect(states.includes(Int32Array.of(1, 1))).toBe(false);
});

test('a type without values leaves no initial state', async () => {
    for (const start of ['= any', '']) {
        // No text can say such a type.
        const text = await of(`var x: bool[1 .. 40] = any var y: 0 .. 1 ${start}`);
        const [x, y] = text.variables;
        const variables = [x!, { ...y!, element: integers(1, 0) }];
        expect(problemsOf({ ...text, variables })).toMatchObject([
            { code: 'model/no-initial-state', severity: 'error' },
        ]);
    }
});

test('an initial value that is a fault or outside its type is a problem', async () => {
    const outside = await of('var x: 0 .. 3 = any var y: 0 .. 2 = x');
    expect(problemsOf(outside)).toMatchObject([
        { code: 'model/initial-fault', message: 'the initial value `3` of `y` is outside its type `0 .. 2`' },
    ]);
    const fault = await of('var x: 0 .. 3 = any var y: 0 .. 2 = 1 div x');
    expect(problemsOf(fault)).toMatchObject([
        { code: 'model/initial-fault', message: 'the initial value of `y` cannot be computed: a division by zero' },
    ]);
});

function listToy(toy: Toy): number[][] {
    const model = toyModel(toy);
    const states = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    const listed: number[][] = [];
    while (states.nextInto(state)) {
        expect(states.includes(state)).toBe(true);
        listed.push([...state]);
    }
    expect(states.problem).toBeUndefined();
    return listed;
}

function problemOf(toy: Toy): Problem | undefined {
    const states = new InitialStates(toyModel(toy));
    const state = new Int32Array(Object.keys(toy.cells).length);
    while (states.nextInto(state)) {
        // To the end.
    }
    return states.problem;
}

const NO_RULES = (): [] => [];

test('one of several values is taken once, however often it is named, and may depend on earlier variables', () => {
    const x: SequentialExpression = { kind: 'cell', cell: 0, range: NOWHERE };
    const toy: Toy = {
        cells: { x: 3, y: 4 },
        initial: { x: [2, 0, 2], y: [x, 1, binary(x, '+', constant(1))] },
        rules: NO_RULES,
    };
    expect(listToy(toy)).toEqual([
        [0, 0],
        [0, 1],
        [2, 1],
        [2, 2],
        [2, 3],
    ]);
    const states = new InitialStates(toyModel(toy));
    expect(states.includes(Int32Array.of(0, 2))).toBe(false);
    expect(states.includes(Int32Array.of(1, 1))).toBe(false);
    expect(problemOf({ ...toy, initial: { x: [1, 3] } })).toMatchObject({ code: 'model/initial-fault' });
    expect(problemOf({ ...toy, initial: { x: [] } })).toMatchObject({ code: 'model/no-initial-state' });
});

test('of 2^60 choices only those are visited that may satisfy the conditions', () => {
    // Neighbors are equal: all bits 0 or all 1. One conjunction over all bits is asked operand by operand.
    const names = Array.from({ length: 60 }, (_, index) => `b${index}`);
    const toy: Toy = {
        cells: Object.fromEntries(names.map(name => [name, 2])),
        conditions: ({ read }) => [
            {
                kind: 'and',
                operands: names.slice(1).map((name, index) => binary(read(names[index]!), '==', read(name))),
                range: NOWHERE,
            },
        ],
        rules: NO_RULES,
    };
    expect(listToy(toy)).toEqual([names.map(() => 0), names.map(() => 1)]);
    const chosen = new Int32Array(60);
    const random = createRandom(1);
    const firsts = Array.from({ length: 20 }, () => {
        expect(new InitialStates(toyModel(toy)).chooseInto(chosen, random)).toBe(true);
        expect([...chosen]).toEqual(names.map(() => chosen[0]));
        return chosen[0];
    });
    expect(new Set(firsts)).toEqual(new Set([0, 1]));
});

test('of 2^60 choices only those are visited of which the condition may still hold', () => {
    const names = Array.from({ length: 60 }, (_, index) => `b${index}`);
    const listed = listToy({
        cells: Object.fromEntries(names.map(name => [name, 2])),
        conditions: ({ is }) => [
            binary({ kind: 'count', operands: names.map(name => is(name, 1)), range: NOWHERE }, '==', constant(1)),
        ],
        rules: NO_RULES,
    });
    // Exactly one of them is 1; the last one first, for it varies fastest.
    expect(listed).toEqual(names.map((_, one) => names.map((__, bit) => (bit === 59 - one ? 1 : 0))));
});

test('conditions are asked like a filter of all choices would, faults included', () => {
    // What may be a fault: y := 2 div x, and the condition that is one for a value of some cell.
    const bits = fc.integer({ min: 0, max: 2 });
    fc.assert(
        fc.property(bits, bits, bits, bits, fc.boolean(), (a, b, c, cell, mayFault) => {
            const read = (cell: number): SequentialExpression => ({ kind: 'cell', cell, range: NOWHERE });
            const conditions = [
                binary(binary(read(0), '+', read(2)), '>', constant(a)),
                faultUnless(binary(read(cell), '!=', constant(b)), 'division'),
                binary(read(1), '<=', constant(c)),
            ];
            const initial = mayFault ? { y: binary(constant(2), 'div', read(0)) } : {};
            const model = toyModel({
                cells: { x: 3, y: 3, z: 3 },
                initial,
                conditions: () => conditions,
                rules: NO_RULES,
            });
            expect(outcomeOf(model)).toEqual(filtered(model));
        }),
    );
});

/** The initial states, or the code of the problem. */
function outcomeOf(model: SequentialModel): string {
    const states = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    const listed: string[] = [];
    while (states.nextInto(state)) {
        listed.push(state.join());
    }
    return states.problem?.code ?? listed.join(' ');
}

/** By definition: a fault of an initializer first, then of the conditions of a choice for which none is false. */
function filtered(model: SequentialModel): string {
    const compiler = new Compiler(model.cells);
    const listed: string[] = [];
    let problem: string | undefined;
    for (const [x, any, z] of [0, 1, 2].flatMap(i => [0, 1, 2].flatMap(j => [0, 1, 2].map(k => [i, j, k] as const)))) {
        const state = Int32Array.of(x, any, z);
        const { value } = model.initial[1]!;
        if (value.kind === 'value') {
            if (any > 0) {
                continue;
            }
            if (x === 0) {
                return 'model/initial-fault';
            }
            state[1] = compiler.expression(value.expression)(state);
        }
        const answers = model.initialConditions.map(condition => {
            try {
                return compiler.condition(condition)(state);
            } catch {
                return 'fault';
            }
        });
        if (!answers.includes(false)) {
            problem = answers.includes('fault') ? 'model/initial-fault' : problem;
            listed.push(state.join());
        }
    }
    return problem ?? (listed.length === 0 ? 'model/no-initial-state' : listed.join(' '));
}

test('without a choice that satisfies the conditions there is no initial state, and that is said', () => {
    const toy: Toy = { cells: { x: 3 }, conditions: ({ is }) => [is('x', 1), is('x', 2)], rules: NO_RULES };
    expect(problemOf(toy)).toMatchObject({
        code: 'model/no-initial-state',
        message: 'there is no initial state: no values satisfy what `init` demands',
    });
    const states = new InitialStates(toyModel(toy));
    expect(states.chooseInto(new Int32Array(1), createRandom(1))).toBe(false);
    expect(states.problem).toMatchObject({ code: 'model/no-initial-state' });
    expect(problemOf({ cells: {}, conditions: () => [constant(0)], rules: NO_RULES })).toBeDefined();
});

test('a search that takes long pauses at the limit and goes on where it was', () => {
    // Seven times the sum of 16 bits is 10 modulo 17 where all are set, and bounds do not tell.
    const names = Array.from({ length: 16 }, (_, index) => `b${index}`);
    const model = toyModel({
        cells: Object.fromEntries(names.map(name => [name, 2])),
        conditions: ({ read }) => [
            binary(
                binary(
                    binary({ kind: 'sum', operands: names.map(read), range: NOWHERE }, '*', constant(7)),
                    'mod',
                    constant(17),
                ),
                '==',
                constant(10),
            ),
        ],
        rules: NO_RULES,
    });
    const limit: WorkLimit = { isExhausted: () => true };
    const states = new InitialStates(model);
    const state = new Int32Array(16);
    let pauses = 0;
    while (!states.nextInto(state, limit)) {
        expect(states.isPaused).toBe(true);
        pauses++;
    }
    expect(pauses).toBeGreaterThan(10);
    expect([...state]).toEqual(names.map(() => 1));
    const exploration = new Exploration(model);
    let slices = 1;
    while (!exploration.advance(limit)) {
        slices++;
    }
    expect(slices).toBeGreaterThan(pauses);
    expect(exploration.result().report).toMatchObject({ states: 1 });
});
