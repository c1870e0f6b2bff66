// @module-tag long
import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { createWorkLimit, UNLIMITED } from '../../engine/common/work-limit.js';
import type { Coverage } from '../../engine/explore/coverage.js';
import { exploreStateGraph } from '../../engine/explore/state-graph.js';
import { startExploration, type Analysis, type Reduction } from '../../engine/pipeline.js';
import { analysisOf } from '../model-of-text.js';

function explored(
    analysis: Analysis,
    reduction: Reduction,
    isInterpreted = false,
): { coverage: Coverage; unreached: readonly string[] | undefined; states: number } {
    const started = startExploration(
        analysis,
        { reduction, continueAfterViolation: true, countsCoverage: true, isInterpreted },
        UNLIMITED,
    );
    started.exploration.advance(UNLIMITED);
    return {
        coverage: started.coverage!(),
        unreached: started.unreached()?.map(({ process, label }) => `${process} ${label}`),
        states: started.exploration.result().report!.states,
    };
}

/** The steps that the search of a user finds to be never reached, by generated code. */
function unreachedBySearch(analysis: Analysis, reduction: Reduction): readonly string[] | undefined {
    const started = startExploration(analysis, { reduction, continueAfterViolation: true }, UNLIMITED);
    expect(started.interpretedBecause).toBeUndefined();
    started.exploration.advance(UNLIMITED);
    return started.unreached()?.map(({ process, label }) => `${process} ${label}`);
}

/** `P.enter 3` by label, and `line 7: 2 true, 1 false` by test. */
function format({ steps, branches }: Coverage): string[] {
    return [
        ...steps.map(
            ({ process, label, fired, blocked }) =>
                `${process}.${label} ${fired}${blocked === undefined ? '' : `, not ${blocked}`}`,
        ),
        ...branches.map(
            ({ range, whenTrue, whenFalse }) => `line ${range.start.line + 1}: ${whenTrue} true, ${whenFalse} false`,
        ),
    ];
}

/** By label: a step of the text fires as often as the state graph has edges of it. */
function firingsInGraph({ sequential }: Analysis): Map<string, number> {
    const result = exploreStateGraph(sequential!, 100_000);
    if (result.kind !== 'graph') {
        throw new Error(result.kind);
    }
    const counts = new Map<string, number>();
    for (const { summand } of result.graph.edges) {
        for (const { label } of sequential!.summands[summand]!.participants) {
            if (label !== undefined) {
                counts.set(label, (counts.get(label) ?? 0) + 1);
            }
        }
    }
    return counts;
}

const MODELS: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
    ['dining-philosophers', { N: 5 }],
    ['peterson', { N: 3 }],
    ['bakery', { N: 2 }],
    ['bounded-buffer', {}],
    ['german-cache', { N: 2 }],
    ['hanoi', {}],
    ['hypercube', {}],
    ['msi-bus', {}],
    ['readers-writers', {}],
    ['resource-allocator', {}],
    ['semaphore-mutex', { N: 4 }],
    ['szymanski', {}],
    ['three-tier-rendezvous', {}],
    ['token-ring', {}],
    ['two-hop-coloring', { N: 3 }],
    ['two-phase-commit', {}],
];

test('while a search runs it says how many states one stands for', async () => {
    const analysis = await analysisOf(readFileSync('models/semaphore-mutex.orbit', 'utf8'), { N: 12 });
    const { exploration } = startExploration(analysis, { reduction: 'unique' }, UNLIMITED);
    expect(exploration.statesPerOrbit()).toBeUndefined();
    let now = 0;
    const estimates: number[] = [];
    while (!exploration.advance(createWorkLimit({ now: () => now++, budgetMilliseconds: 2 }))) {
        estimates.push(exploration.statesPerOrbit() ?? 0);
    }
    // 12 states have one trying, 66 have two; no orbit has more than 12! / (5! 6! 1!).
    expect(Math.max(...estimates)).toBeGreaterThan(12);
    expect(Math.max(...estimates)).toBeLessThanOrEqual(5544);
    const full = startExploration(analysis, { reduction: 'none' }, UNLIMITED).exploration;
    expect(full.statesPerOrbit()).toBeUndefined();
});

describe('coverage', () => {
    test('counts firings and refusals', async () => {
        const analysis = await analysisOf(`
model Counted
var x: 0 .. 2 = 0
process P {
    loop {
        if x < 2 { up: x := x + 1 } else { down: x := 0 }
        rest: when x != 1
    }
}
process Q { never: when x == 7 - 4 - 1 && x == 1 }
allow deadlock
`);
        // By hand, x and where P is: 0 up, 1 rest (stuck, for it waits for x != 1), and nothing else.
        expect(format(explored(analysis, 'none').coverage)).toEqual([
            'P.up 1, not 0',
            'P.down 0, not 1',
            'P.rest 0, not 1',
            'Q.never 0, not 2',
            'line 6: 1 true, 0 false',
        ]);
        expect(explored(analysis, 'none').unreached).toEqual(['P down', 'P rest', 'Q never']);
    });

    test('counts tests inside of braces, of all states that are symmetric', async () => {
        const analysis = await analysisOf(`
model Flipped
var x: bool = any
var y: bool = false
process P {
    loop {
        flip: {
            if x { y := true } else { y := false }
            if x && !x { y := false }
            while y { y := false; x := x }
            x := !x
        }
    }
}
process Q { loop { rest: when y { for i in 0 .. 1 { if x { y := false } } } } }
allow deadlock
`);
        // By hand: x is false or true, y false; P flips x in both states, Q never gets to its test.
        const expected = [
            'P.flip 2, not 0',
            'Q.rest 0, not 2',
            'line 8: 1 true, 1 false',
            'line 9: 0 true, 2 false',
            'line 10: 1 true, 2 false',
            'line 15: 0 true, 0 false',
        ];
        const all = explored(analysis, 'none');
        expect(format(all.coverage)).toEqual(expected);
        expect(all.coverage.hasBodyBranches).toBe(true);
    });

    test('a step may go one way in a state, and the other in a symmetric one', async () => {
        const analysis = await analysisOf(`
model Turned
var x: bool[2] = any
var y: bool[2] = any
process P {
    loop {
        copy: { if x[0] { y[0] := true } else { y[0] := false }; if x[1] { y[1] := true } else { y[1] := false } }
    }
}
allow deadlock
`);
        expect(analysis.symmetry!.report.order).not.toBe('1');
        const all = explored(analysis, 'none');
        // By hand: all 16 states are initial, and in half of them each test is true.
        expect(format(all.coverage)).toEqual([
            'P.copy 16, not 0',
            'line 7: 8 true, 8 false',
            'line 7: 8 true, 8 false',
        ]);
        const reduced = explored(analysis, 'unique');
        expect(reduced.states).toBeLessThan(all.states);
        expect(reduced.coverage).toEqual(all.coverage);
    });

    test('of too many states leaves out the tests inside of braces', async () => {
        const analysis = await analysisOf(`
model Large
var x: 0 .. 499 = any
var y: 0 .. 499 = any
process P { loop { when x > y { if y > 0 { y := 0 } } } }
allow deadlock
`);
        const { coverage } = explored(analysis, 'none');
        expect(coverage).toMatchObject({ states: 250_000, branches: [], hasBodyBranches: false });
    });

    test('steps that a symmetry exchanges share their counts', async () => {
        const analysis = await analysisOf(`
model Exchanged
var turned: bool[2] = false
process P {
    loop { choose { left: when !turned[0] { turned[0] := true } } or { right: when !turned[1] { turned[1] := true } } }
}
allow deadlock
`);
        expect(analysis.symmetry!.report.order).toBe('2');
        // By hand: left fires where the left one is not turned yet, in 2 of 4 states; right likewise.
        const expected = ['P.left 2, not 2', 'P.right 2, not 2'];
        expect(format(explored(analysis, 'none').coverage)).toEqual(expected);
        expect(format(explored(analysis, 'unique').coverage)).toEqual(expected);
        expect(explored(analysis, 'unique').states).toBe(3);
    });

    test('a step is reached that only a state symmetric to the expanded one takes', async () => {
        const analysis = await analysisOf(`
model Once
var winner: 0 .. 2 = 0
process P { choose { first: when winner == 0 { winner := 1 } } or { second: when winner == 0 { winner := 2 } } }
process Q { loop { one: when winner == 1 { winner := 0 } } }
process R { loop { two: when winner == 2 { winner := 0 } } }
process S { lost: when winner == 1 && winner == 2 }
allow deadlock
`);
        expect(analysis.symmetry!.report.order).toBe('2');
        expect(explored(analysis, 'unique').unreached).toEqual(['S lost']);
        expect(explored(analysis, 'none').unreached).toEqual(['S lost']);
    });

    test.each(MODELS)('of %s %j is the same with reduction and without', async (name, parameters) => {
        const analysis = await analysisOf(readFileSync(`models/${name}.orbit`, 'utf8'), parameters);
        const all = explored(analysis, 'none');
        expect(all.coverage.states).toBe(all.states);
        const firings = firingsInGraph(analysis);
        for (const { label, fired } of all.coverage.steps) {
            const sameLabel = all.coverage.steps.filter(other => other.label === label);
            const expected = firings.get(label);
            if (sameLabel.length === 1 && expected !== undefined) {
                expect([label, fired]).toEqual([label, expected]);
            }
        }
        for (const isInterpreted of [false, true]) {
            const reduced = explored(analysis, 'unique', isInterpreted);
            expect(reduced.coverage.isExact).toBe(true);
            expect(format(reduced.coverage)).toEqual(format(all.coverage));
            expect(reduced.coverage.states).toBe(all.states);
            expect(reduced.unreached).toEqual(all.unreached);
        }
        expect(unreachedBySearch(analysis, 'none')).toEqual(all.unreached);
        expect(unreachedBySearch(analysis, 'unique')).toEqual(all.unreached);
    });
});
