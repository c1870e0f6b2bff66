import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { InitialStates } from '../../engine/explore/initial-states.js';
import { Exploration } from '../../engine/explore/search.js';
import type { Problem } from '../../engine/common/problem.js';
import type { Model } from '../../engine/model/model.js';
import type { Variable } from '../../engine/model/model.js';
import { BOOLEAN, integers, model, op, process, read, shared, step, variable } from '../arbitrary/model-builder.js';
import { sequentialOf } from './explore-model.js';

function of(...variables: Variable[]): Model {
    return model({ variables, processes: [process('P', { body: [step()] })] });
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

test('any takes each value, the last variable fastest', () => {
    const listed = list(of(variable('x', BOOLEAN, 'any'), variable('y', integers(3, 5), 'any')));
    expect(listed).toEqual([
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 0],
        [1, 1],
        [1, 2],
    ]);
});

test('an initializer may read earlier variables', () => {
    const listed = list(
        of(
            variable('x', integers(0, 2), 'any'),
            variable('y', integers(0, 9), op(read(shared(0)), '*', 4)),
            variable('z', BOOLEAN, 'any'),
        ),
    );
    expect(listed.map(([x, y]) => [x, y])).toEqual([
        [0, 0],
        [0, 0],
        [1, 4],
        [1, 4],
        [2, 8],
        [2, 8],
    ]);
});

test('a scalar fills an array, and without an initializer a cell has the first value', () => {
    const pair = integers(0, 1);
    expect(list(of(variable('x', integers(3, 7), 5, pair), variable('y', integers(3, 7), 'default', pair)))).toEqual([
        [2, 2, 0, 0],
    ]);
});

test('2^40 initial states come one by one', () => {
    expect(list(of(variable('x', BOOLEAN, 'any', integers(1, 40))), 1000)).toHaveLength(1000);
});

test('a state that is not initial is not included', () => {
    const sequential = sequentialOf(of(variable('x', integers(0, 2), 1)));
    const states = new InitialStates(sequential);
    expect(states.includes(Int32Array.of(1, 0))).toBe(true);
    expect(states.includes(Int32Array.of(2, 0))).toBe(false);
    expect(states.includes(Int32Array.of(1, 1))).toBe(false);
});

test('a type without values leaves no initial state', () => {
    for (const start of ['any', 'default'] as const) {
        const text = of(variable('x', BOOLEAN, 'any', integers(1, 40)), variable('y', integers(1, 0), start));
        expect(problemsOf(text)).toMatchObject([{ code: 'model/no-initial-state', severity: 'error' }]);
    }
});

test('an initial value that is a fault or outside its type is a problem', () => {
    const outside = of(variable('x', integers(0, 3), 'any'), variable('y', integers(0, 2), read(shared(0))));
    expect(problemsOf(outside)).toMatchObject([
        { code: 'model/initial-fault', message: "The initial value 3 of 'y' is outside its type 0 .. 2" },
    ]);
    const fault = of(
        variable('x', integers(0, 3), 'any'),
        variable('y', integers(0, 2), op(1, 'div', read(shared(0)))),
    );
    expect(problemsOf(fault)).toMatchObject([
        { code: 'model/initial-fault', message: "The initial value of 'y' cannot be computed: a division by zero" },
    ]);
});
