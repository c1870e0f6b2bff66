/** What the panel with a state graph says, and the columns of its table. */
import { expect, test } from 'vitest';
import type { GraphDocument, OrbitDocument } from '../../language-server/protocol.js';
import { tableOf } from '../../vscode-extension/webview/graph-table.js';
import {
    figuresOf,
    hiddenSteps,
    pathOf,
    readingOf,
    spokenOf,
    titleOfGraph,
    graphToCsv,
    wayTo,
} from '../../vscode-extension/webview/graph-words.js';

const PLACE = { file: 'm', line: 3, column: 1, endLine: 3, endColumn: 2 };
const STEP = { process: 'P[0]', label: 'go', location: PLACE };

/** Three orbits in a row: both wait, one has gone, both have gone, which violates `alone`. */
const GRAPH: GraphDocument = {
    schemaVersion: 1,
    model: 'Lock',
    params: { N: 2 },
    group: { structure: 'C2', order: '2' },
    around: [],
    places: { 'P[0].at': 'P', 'P[1].at': 'P' },
    orbits: [
        orbit({ state: { 'P[0].at': 'wait', 'P[1].at': 'wait', 'a[0]': 0, 'a[1]': 0, n: 7 } }),
        orbit({ state: { 'P[0].at': 'gone', 'P[1].at': 'wait', 'a[0]': 1, 'a[1]': 0, n: 7 }, size: '2', from: 0 }),
        orbit({
            state: { 'P[0].at': 'gone', 'P[1].at': 'gone', 'a[0]': 1, 'a[1]': 1, n: 7 },
            from: 1,
            violates: [{ kind: 'invariant', name: 'alone', location: PLACE }],
        }),
    ].map((one, depth) => ({ ...one, depth, path: [0] })),
    edges: [
        { from: 0, to: 1, step: STEP },
        { from: 1, to: 2, step: STEP },
        { from: 1, to: 0, step: STEP },
    ],
    isWhole: true,
};

function orbit(own: Partial<OrbitDocument>): OrbitDocument {
    const isLater = own.from !== undefined;
    return {
        state: {},
        path: [],
        size: '1',
        depth: 0,
        violates: [],
        isExpanded: true,
        ...(isLater && { step: STEP }),
        ...own,
    };
}

test('the title says what is violated and in how many orbits', () => {
    expect(titleOfGraph(GRAPH)).toBe('`alone` is violated in 1 of 3 orbits');
    const deadlock = { kind: 'deadlock' as const, name: 'deadlock', location: PLACE };
    const stuck = GRAPH.orbits.map(one => ({ ...one, violates: one.violates.map(() => deadlock) }));
    expect(titleOfGraph({ ...GRAPH, orbits: stuck })).toBe('Deadlock in 1 of 3 orbits');
    const fine = GRAPH.orbits.map(one => ({ ...one, violates: [] }));
    expect(titleOfGraph({ ...GRAPH, orbits: fine })).toBe('Nothing is violated in 3 orbits');
    expect(titleOfGraph({ ...GRAPH, orbits: fine, isWhole: false })).toBe(
        'Nothing is violated in the nearest 3 orbits',
    );
});

test('the way to the nearest violation has the numbers of its orbits', () => {
    const path = pathOf(GRAPH);
    expect([...path]).toEqual([0, 1, 2]);
    expect(wayTo(GRAPH, path)).toBe('The nearest is 2 steps away: #0 go → #1 go → #2');
    expect(spokenOf(GRAPH, 1, path)).toBe('Orbit 1, 2 states, depth 1, on the path');
    expect(spokenOf(GRAPH, 2, path)).toBe('Orbit 2, 1 state, depth 2, on the path, violated: alone');
});

test('figures count orbits, states and edges', () => {
    expect(figuresOf(GRAPH)).toBe('3 orbits · 4 states · 3 edges · depth 2');
    expect(readingOf(GRAPH)).toContain('3 orbits stand for 4 states.');
    expect(hiddenSteps(GRAPH)).toContain('1 step ');
});

test('the table counts the instances at each place, and leaves out what never changes', () => {
    const { columns, rows } = tableOf(GRAPH);
    expect(columns).toEqual([
        { title: 'wait', isNumber: true },
        { title: 'gone', isNumber: true },
        { title: 'a', isNumber: false },
    ]);
    expect(rows).toEqual([
        ['2', '0', '0 0'],
        ['1', '1', '1 0'],
        ['0', '2', '1 1'],
    ]);
});

test('the table for other programs has a line for each orbit', () => {
    expect(graphToCsv(GRAPH).split('\r\n')).toEqual([
        'orbit,depth,size,violated,wait,gone,a',
        '0,0,1,,2,0,0 0',
        '1,1,2,,1,1,1 0',
        '2,2,1,alone,0,2,1 1',
        '',
    ]);
});
