/** What the direct factors of published models permute, in words that were written down before the program said them. */
// @module-tag long
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED, withinQuestions, type WorkLimit } from '../../engine/common/work-limit.js';
import { analyze } from '../../engine/pipeline.js';
import type { FactorReport, SymmetryReport } from '../../engine/describe/report.js';
import { loadModel } from '../../language-server/load-model.js';
import { cases } from '../cases.js';
import { analysisOf } from '../model-of-text.js';

async function factorsOf(
    text: string,
    parameters: Readonly<Record<string, unknown>> = {},
): Promise<readonly FactorReport[]> {
    const values = Object.entries(parameters).map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
    const { symmetry } = await analysisOf(text, values);
    invariant(symmetry !== undefined, 'a model without errors has symmetries');
    const { factors, order } = symmetry.report;
    expect(factors.reduce((product, factor) => product * BigInt(factor.order), 1n)).toBe(BigInt(order));
    return factors;
}

test.each<[string, Readonly<Record<string, unknown>>, string[]]>([
    ['peterson', { N: 4 }, ['S4: the 4 instances of `P` are interchangeable']],
    [
        'token-ring',
        { N: 5 },
        ['C5: the 5 instances of `Link` can be rotated', 'C2: the values 0 and 1 of `label` are interchangeable'],
    ],
    ['hanoi', { N: 3 }, ['C2: the values 1 and 2 of `Peg` are interchangeable']],
    ['elevator', { N: 4 }, ['C2: the 4 instances of `Caller` are reflected']],
    [
        'hypercube',
        { D: 3 },
        ['S4 x C2: the 8 instances of `Receive` are permuted like the corners of a cube of 3 dimensions'],
    ],
    [
        'hypercube',
        { D: 4 },
        ['C2 wr S4: the 16 instances of `Receive` are permuted like the corners of a cube of 4 dimensions'],
    ],
    [
        'three-tier',
        { clients: [3, 3, 2] },
        [
            'S3 wr C2: the 6 instances of `User` with `server` 0 or 1: the 3 with the same `server` are interchangeable; ' +
                'so are the 2 values of `server`',
            'C2: User[Client(2, 0)] and User[Client(2, 1)] are interchangeable',
        ],
    ],
    [
        'resource-allocator',
        { clients: [1, 3, 4] },
        [
            'S4: the 4 instances of `User` with `priority` 2 are interchangeable',
            'S3: the 3 instances of `User` with `priority` 1 are interchangeable',
        ],
    ],
    [
        'social-golfer',
        { G: 2, S: 3, W: 2 },
        [
            'S6: the 6 values of `Golfer` are interchangeable',
            'C2: `one` and `other` are exchanged in the 30 values of `Pair`',
        ],
    ],
    [
        'two-hop-coloring',
        { N: 5 },
        [
            'D5: the 5 values of `Agent` can be rotated and reflected',
            'S3: the 3 values of `Color` are interchangeable',
            'C2: the values false and true of `seen` are interchangeable',
        ],
    ],
    [
        'leader-election-tree',
        { parent: [0, 0, 0, 1, 1, 2, 2] },
        [
            'D4: Edge[3], Edge[4], Edge[5] and Edge[6], in 2 groups of 2: those of a group are interchangeable; so are the ' +
                '2 groups, and others of `Edge` with them',
        ],
    ],
    ['milner-scheduler', { N: 4 }, []],
])('%s with %o', async (name, parameters, words) => {
    const factors = await factorsOf(readFileSync(`models/${name}.orbit`, 'utf8'), parameters);
    expect(factors.map(({ structure, permutes }) => `${structure}: ${permutes}`)).toEqual(words);
});

/** Twins under names of their own; what each does besides is said by the second argument. */
function namedProcesses(names: readonly string[], partnerOf: (i: number) => number): string {
    return [
        'model Named',
        ...names.map(name => `var flag${name}: bool = false`),
        ...names.map(
            (name, i) => `process ${name} {
                loop { ask: flag${name} := true; wait: when !flag${names[partnerOf(i)] ?? ''}; leave: flag${name} := false }
            }`,
        ),
        'allow deadlock',
    ].join('\n');
}

/** Each cell of a grid that is closed to a torus takes over what a neighbor has. */
const TORUS = `model Torus
    param N: 3 .. 9 = 3
    type Line = 0 .. N - 1
    var has: bool[Line, Line] = any
    process Cell[row: Line, column: Line] {
        loop {
            choose { down: has[row, column] := has[(row + 1) mod N, column] }
            or { up: has[row, column] := has[(row + N - 1) mod N, column] }
            or { right: has[row, column] := has[row, (column + 1) mod N] }
            or { left: has[row, column] := has[row, (column + N - 1) mod N] }
        }
    }
    allow deadlock`;

// The symmetries of an n by n torus, n = 3 or n > 4, are those of the rings of rows and columns, and their exchange.
test.each<[number, string]>([
    [3, 'S3 wr C2: the 9 instances of `Cell`: the 3 values of `row` are interchangeable, '],
    [5, 'D5 wr C2: the 25 instances of `Cell`: the 5 values of `row` can be rotated and reflected, '],
    [7, 'D7 wr C2: the 49 instances of `Cell`: the 7 values of `row` can be rotated and reflected, '],
])('the rows and columns of a torus of %d rows', async (N, words) => {
    const [cells] = await factorsOf(TORUS, { N });
    expect(`${cells?.structure}: ${cells?.permutes}`).toBe(
        `${words}those of \`column\` too, and \`row\` and \`column\` can be exchanged`,
    );
});

test('values that are interchangeable in single cells are told cell by cell', async () => {
    const [factor] = await factorsOf(`model Memory
        type Address = 1 .. 2
        type Value = 1 .. 2
        var memory: Value[Address] = any
        var copy: Value[Address] = any
        process Load[a: Address] { loop { load: copy[a] := memory[a] } }
        process Change[a: Address] { loop { change: memory[a] := 3 - memory[a] } }
        allow deadlock`);
    expect(factor?.permutes.split('; ').at(-1)).toMatch(/^the values of (memory|copy)\[2\] are interchangeable$/);
});

test('processes that are no family are called by their names', async () => {
    const [two] = await factorsOf(namedProcesses(['Ann', 'Bob'], i => 1 - i));
    expect(two).toMatchObject({ structure: 'C2', permutes: '`Ann` and `Bob` are interchangeable' });
    const ring = await factorsOf(namedProcesses(['Ann', 'Bob', 'Cid', 'Dan', 'Eva'], i => (i + 1) % 5));
    expect(ring.map(({ structure, permutes }) => `${structure}: ${permutes}`)).toEqual([
        'C5: `Ann`, `Bob`, `Cid`, `Dan` and `Eva` can be rotated',
    ]);
});

test('where no subject shows all of a factor, its parts are told one after the other', async () => {
    const [coupled, flip] = await factorsOf(readFileSync('models/two-hop-coloring.orbit', 'utf8'), { N: 12 });
    expect(coupled?.structure).toBe('(S3 x S3) : D12');
    const parts = coupled?.permutes.split('; ').sort();
    expect(parts).toEqual([
        'the 12 values of `Agent` can be rotated and reflected',
        'the values of color[0], color[2], color[4] and 3 more are interchangeable, in all of them at once',
        'the values of color[1], color[3], color[5] and 3 more are interchangeable, in all of them at once',
    ]);
    expect(flip?.moves).toEqual(['seen']);
});

test('processes that move are told of before cells, also where others cannot be told apart from their partners', async () => {
    const [factor, ...more] = await factorsOf(`model Meeting
        type Id = 1 .. 5
        var mark: 0 .. 3[Id] = 0
        event meet[Id]
        process Giver[i: Id] { loop { meet[i] { mark[i] := 1 } } }
        process Taker[i: Id] { loop { meet[i] } }
        process Eraser[i: Id] { loop { erase: when mark[i] == 1 { mark[i] := 0 } } }
        process Single { loop { when mark[1] == 1 { mark[2] := 3 } } }`);
    expect(more).toEqual([]);
    expect(factor).toMatchObject({
        structure: 'S3',
        permutes: 'Eraser[3], Eraser[4] and Eraser[5] are interchangeable',
        moves: ['Eraser', 'mark'],
    });
});

test.each([
    ['token-ring', { N: 5 }],
    ['two-hop-coloring', { N: 6 }],
    ['three-tier', { clients: [3, 3, 2] }],
])('whenever time is over for %s, what is said is right', async (name, parameters) => {
    const values = Object.entries(parameters).map(([key, value]): [string, string] => [key, JSON.stringify(value)]);
    const { model } = await loadModel(readFileSync(`models/${name}.orbit`), 'file:///model.orbit', values);
    const reportWithin = (workLimit: WorkLimit): SymmetryReport =>
        analyze(model!, { now: () => 0, workLimit, explain: false }).symmetry!.report;
    let questions = 0;
    const whole = reportWithin({ isExhausted: () => questions++ < 0 });
    let undescribedCount = 0;
    for (let count = 1; count <= questions; count += Math.ceil(questions / cases(60))) {
        const report = reportWithin(withinQuestions(UNLIMITED, count));
        expect(BigInt(whole.order) % BigInt(report.order)).toBe(0n);
        if (!report.complete) {
            expect(report.factors).toEqual([]);
            continue;
        }
        undescribedCount += report.undescribed === true ? 1 : 0;
        expect(report.order).toBe(whole.order);
        expect(report.factors.reduce((product, factor) => product * BigInt(factor.order), 1n)).toBe(
            BigInt(whole.order),
        );
        expect([undefined, whole.potentialOrbits]).toContain(report.potentialOrbits);
        report.families.forEach((family, index) => expect(['0', whole.families[index]!.order]).toContain(family.order));
        if (report.undescribed === undefined) {
            expect(report).toMatchObject({ structure: whole.structure, factors: whole.factors });
        }
    }
    expect(undescribedCount).toBeGreaterThan(0);
});
