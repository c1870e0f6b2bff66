/** Initial states given by generated code, beside the cursor that they are taken from. */
// @module-tag long
import { expect, test } from 'vitest';
import { startExploration, type Analysis } from '../../engine/pipeline.js';
import { CompiledInitialStates } from '../../engine/compiled-search/compiled-initial-states.js';
import { compileModel } from '../../engine/compiled-search/compiled-model.js';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { InitialRest } from '../../engine/explore/initial/initial-rest.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import type { ExplorationResult } from '../../engine/explore/search.js';
import type { Model } from '../../engine/model/model.js';
import type { ReducedExplorationOptions } from '../../engine/verdict/reduced-exploration.js';
import { drawsAll } from '../cases.js';
import { analysisOf, modelOf } from '../model-of-text.js';
import { sequentialOf } from '../explore/explore-model.js';

/** By what there is to go through. */
const MODELS: Readonly<Record<string, string>> = {
    'a ring of anything': `
        type Agent = 0 .. 4
        var color: 0 .. 4[Agent] = any
        process Look[a: Agent] {
            loop { when color[a] == color[(a + 1) mod 5] { color[a] := (color[a] + 1) mod 5 } }
        }
        invariant several = exists a, b in Agent: color[a] != color[b]
    `,
    'negative numbers, no number, and a set': `
        type Site = 0 .. 2
        type Guest = 0 .. 2
        var level: -3 .. 2[Site] = any
        var guest: Guest? in { none, 2, 0 }
        var start: 0 .. 9 in { 7, 1, 3 .. 5 }
        process P[s: Site] { loop { when level[s] < 0 && guest == none { level[s] := start mod 3 } } }
        invariant low = exists s in Site: level[s] < 2
        allow deadlock
    `,
    'values that follow from others': `
        type Site = 0 .. 3
        var base: 0 .. 5[Site]   = any
        var all: 0 .. 20         = sum(s in Site: base[s])
        var twice: 0 .. 10[Site] = [s in Site: 2 * base[s]]
        var more: bool           = any
        process P[s: Site] {
            var own: 0 .. 10 = twice[s]
            take: when own > 0 && more { own := 0; all := all - base[s]; base[s] := 0 }
        }
        invariant bounded = all < 19
        allow deadlock
    `,
    'a demand that is given up before it can be asked': `
        type Node = 0 .. 3
        var id: 0 .. 5[Node] = any
        var left: bool = any
        var right: bool = any
        init left != right
        process P[n: Node] { step: when left && id[n] < n + 1 { id[n] := id[n] + 1; left := right } }
        invariant high = exists n in Node: id[n] < 5
        allow deadlock
    `,
    'different numbers, then anything': `
        type Node = 0 .. 2
        type Bit = 0 .. 6
        var id: 0 .. 4[Node] = any
        var start: Node in { 0, 2 }
        var bit: bool[Bit]   = any
        init forall a, b in Node: a == b || id[a] != id[b]
        init start == 0 || !bit[6]
        process P[n: Node] { step: when bit[n] && id[n] < 2 { bit[n] := false; id[n] := 4 } }
        invariant low = exists n in Node: id[n] < 4
        allow deadlock
    `,
    'a demand on what follows from choices': `
        type Node = 0 .. 5
        type Place = 0 .. 3
        var token: bool[Node]   = any
        var tokens: 0 .. 6      = count(n in Node: token[n])
        var mark: 0 .. 2[Place] = any
        init tokens mod 3 == 1
        process P[n: Node] { step: when token[n] && mark[n mod 4] == 0 { token[n] := false; mark[n mod 4] := 2 } }
        allow deadlock
    `,
    'more than a word': `
        type Node = 0 .. 2
        var far: 0 .. 70000[Node]
        var load: 0 .. 1000[Node]
        var kind: 0 .. 3[Node] = any
        var wish: bool[Node]   = any
        var last: 0 .. 2       = any
        init last != 1
        process P[n: Node] { step: when wish[n] { far[n] := 60000; load[n] := 999; wish[n] := false } }
        invariant wished = (exists n in Node: wish[n]) || last < 2
        allow deadlock
    `,
    'numbers beyond 32 bits on the way': `
        type Node = 0 .. 3
        var digit: 0 .. 5[Node] = any
        var all: 0 .. 20        = sum(n in Node: digit[n])
        init (all * 4000000000) mod 7 != 3
        process P[n: Node] { step: when digit[n] == 5 { digit[n] := 0 } }
        allow deadlock
    `,
    records: `
        type Node = 0 .. 2
        record Seat = { taken: bool, by: Node? }
        var seat: Seat[Node] = any
        process P[n: Node] {
            sit: when !seat[n].taken { seat[n].taken := true; seat[n].by := n }
            rise: when seat[n].by == n { seat[n].taken := false; seat[n].by := none }
        }
        invariant empty = exists n in Node: !seat[n].taken
        allow deadlock
    `,
    'two families': `
        type Reader = 0 .. 3
        type Writer = 0 .. 2
        var reads: 0 .. 2[Reader]  = any
        var writes: 0 .. 3[Writer] = any
        process R[r: Reader] { read: when reads[r] == 1 { reads[r] := 2 } }
        process W[w: Writer] { write: when writes[w] == 3 && forall r in Reader: reads[r] != 2 { writes[w] := 0 } }
        invariant quiet = (exists r in Reader: reads[r] < 2) || (exists w in Writer: writes[w] < 3)
        allow deadlock
    `,
    'names of others': `
        type Node = 0 .. 3
        var next: Node[Node] = any
        var hop: bool[Node]  = any
        process P[n: Node] { step: when hop[n] { next[n] := next[next[n]]; hop[n] := false } }
        invariant moving = exists n in Node: next[n] != n
        allow deadlock
    `,
};

const names = Object.keys(MODELS);

/** In the order in which each is first met: the states of the cursor, and the same with generated code after some of them. */
function statesBothWays(
    model: Model,
    before: number,
    mostBytes: number,
): { readonly expected: readonly string[]; readonly actual: readonly string[] } {
    const sequential = sequentialOf(model);
    const state = new Int32Array(sequential.cells.length);
    const expected: string[] = [];
    for (const cursor = new InitialStates(sequential); cursor.nextInto(state);) {
        expected.push(state.join());
    }
    const cursor = new InitialStates(sequential);
    const actual: string[] = [];
    const compiled = compileModel(sequential);
    invariant(compiled.kind === 'compiled', 'this model is compiled');
    const { layout, map } = compiled;
    let rest: InitialRest | undefined;
    while (rest === undefined && cursor.nextInto(state)) {
        actual.push(state.join());
        rest = actual.length < before ? undefined : cursor.rest();
    }
    const states = rest && CompiledInitialStates.of(rest, compiled);
    invariant(rest !== undefined && states !== undefined, 'the rest is compiled');
    do {
        states.begin(rest);
        while (states.isLeft) {
            const entries = states.entries(mostBytes);
            for (let entry = 0; entry < entries.length; entry += map.entryBytes / 4) {
                layout.unpackLong(entries, entry, state);
                actual.push(state.join());
            }
        }
    } while (cursor.advanceFloor(rest, UNLIMITED));
    return { expected, actual: [...new Set(actual)] };
}

test.each(names)('generated code gives the states of the cursor in its order: %s', async name => {
    const model = await modelOf(MODELS[name]!);
    for (const [before, mostBytes] of [
        [1, 1 << 20],
        [5, 1],
    ] as const) {
        const { expected, actual } = statesBothWays(model, before, mostBytes);
        expect(actual).toEqual(expected);
        expect(expected.length).toBeGreaterThan(10);
    }
});

const REDUCTIONS = ['none', 'unique'] as const;
const OPTIONS: readonly Omit<ReducedExplorationOptions, 'reduction'>[] = [
    {},
    { continueAfterViolation: true },
    { maxViolations: 3 },
    { maxStates: 900 },
    { continueAfterViolation: true, maxStates: 1500 },
];

function explored(
    analysis: Analysis,
    options: ReducedExplorationOptions,
    isExhausted: () => boolean,
): ExplorationResult {
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    while (!exploration.advance({ isExhausted }));
    return exploration.result();
}

function comparable({ report, problems }: ExplorationResult): unknown {
    return { ...report, bytesPerState: 0, peakBytes: 0, problems };
}

test.each(names)('the whole exploration has the report of the interpreted one, whatever the slices: %s', async name => {
    const analysis = await analysisOf(MODELS[name]!);
    for (const [first, reduction] of REDUCTIONS.entries()) {
        for (const [second, options] of OPTIONS.entries()) {
            // Few cases are every other one, not the same ones for each model.
            if (!drawsAll && (first + second + names.indexOf(name)) % 2 === 1) {
                continue;
            }
            const each = { reduction, passes: [], ...options };
            const expected = comparable(explored(analysis, { ...each, isInterpreted: true }, () => false));
            expect(comparable(explored(analysis, each, () => false))).toEqual(expected);
            expect(comparable(explored(analysis, each, () => true))).toEqual(expected);
        }
    }
});

test('a slice ends while millions of initial states are gone through', async () => {
    const analysis = await analysisOf(`
        type Node = 0 .. 10
        var digit: 0 .. 9[Node] = any
        process P[n: Node] { step: when digit[n] == 9 { digit[n] := 0 } }
        allow deadlock`);
    const { exploration } = startExploration(analysis, { reduction: 'none' }, UNLIMITED);
    let asked = 0;
    const counts: number[] = [];
    for (let slice = 0; slice < 10; slice++) {
        asked = 0;
        exploration.advance({ isExhausted: () => ++asked > 1000 });
        counts.push(exploration.progress().states);
    }
    expect(exploration.progress().phase).toBe('initial states');
    counts.forEach((count, slice) => {
        expect(count - (counts[slice - 1] ?? 0)).toBeGreaterThan(500);
        expect(count - (counts[slice - 1] ?? 0)).toBeLessThan(300_000);
    });
    exploration.close();
});

test('what may be a fault, and demands that leave little, are left to the cursor', async () => {
    const rest = async (text: string, before: number, leastWays?: number): Promise<InitialRest | undefined> => {
        const sequential = sequentialOf(await modelOf(text));
        const cursor = new InitialStates(sequential);
        const state = new Int32Array(sequential.cells.length);
        for (let i = 0; i < before; i++) {
            cursor.nextInto(state);
        }
        return cursor.rest(leastWays);
    };
    const withInitial = (initial: string): string => `
        type Node = 0 .. 9
        var digit: 0 .. 1[Node] = any
        ${initial}
        process P[n: Node] { step: when digit[n] == 1 { digit[n] := 0 } }
    `;
    expect(await rest(withInitial(''), 10)).toBeDefined();
    // Ten digits of two values.
    expect(await rest(withInitial(''), 10, 2 ** 10)).toBeDefined();
    expect(await rest(withInitial(''), 10, 2 ** 10 + 1)).toBeUndefined();
    expect(await rest(withInitial('init 10 div digit[0] > 2'), 10)).toBeUndefined();
    expect(await rest(withInitial('var low: 0 .. 8 = sum(n in Node: digit[n])'), 10)).toBeUndefined();
    expect(await rest(withInitial('init sum(n in Node: digit[n]) == 3'), 10)).toBeUndefined();
    expect(await rest(withInitial(''), 0)).toBeUndefined();
    expect((await rest(withInitial('init digit[0] != digit[9]'), 10))?.choices).toHaveLength(9);
    expect((await rest(withInitial('init digit[0] == 1 || digit[7] < digit[2]'), 10))?.choices).toHaveLength(7);
    // At most 2^12 ways are made at once.
    expect((await rest(withInitial('var more: 0 .. 1[Node] = any'), 10))?.choices).toHaveLength(12);
});
