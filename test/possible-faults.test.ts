/** Hints at faults: each one is true of a run, and none stands at what guards or other variables keep safe. */
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invariant } from '../engine/common/assert.js';
import type { Problem } from '../engine/common/problem.js';
import { keyOfRange } from '../engine/common/source-range.js';
import { UNLIMITED, type WorkLimit } from '../engine/common/work-limit.js';
import { valuesOf } from '../engine/constraints/dead-steps.js';
import { exploreStateGraph } from '../engine/explore/state-graph.js';
import { interpretedSuccessors } from '../engine/explore/successors.js';
import { findPossibleFaults } from '../engine/verdict/possible-faults.js';
import { linearize } from '../engine/sequential/linearize.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import { loadModel } from '../language-server/load-model.js';
import { models } from './arbitrary/models.js';
import { printModel } from './reference/print.js';

interface Examined {
    readonly sequential: SequentialModel;
    readonly hints: readonly Problem[];
}

/** Undefined if the text has errors, or if too much would have to be worked out. */
async function tryToExamine(text: string, limit: WorkLimit = UNLIMITED): Promise<Examined | undefined> {
    const { model } = await loadModel(text, 'file:///faults.orbit');
    const sequential = model && linearize(model).sequential;
    const values = sequential && valuesOf(sequential, UNLIMITED);
    return (
        sequential && values && { sequential, hints: findPossibleFaults(sequential, values, () => undefined, limit) }
    );
}

async function examine(text: string, limit?: WorkLimit): Promise<Examined> {
    const examined = await tryToExamine(text, limit);
    invariant(examined !== undefined, 'the text is a model, and not too large');
    return examined;
}

async function messages(text: string): Promise<readonly string[]> {
    return (await examine(text)).hints.map(({ message }) => message);
}

test.each([
    ['a counter', '{ x := x + 1 }'],
    ['a guard that reads something else', 'when y < 3 { x := x + 1 }'],
    ['a guard for the first of two assignments', 'when x < 3 { x := x + 1; x := x + 1 }'],
    ['a guard one step before', 'when x < 3; { x := x + 1 }'],
    ['a guard with one value too many', 'when x <= 3 { x := x + 1 }'],
])('%s does not exclude a fault', async (_, step) => {
    const text = `var x: 0 .. 3 = 0 var y: 0 .. 3 = 0 process P[i: 0 .. 1] { loop { ${step} } }`;
    expect(await messages(text)).toHaveLength(1);
});

test.each([
    ['a guard', 'when x < 3 { x := x + 1 } or when x == 3 { x := 0 }'],
    ['a guard of several parts', 'when y == 0 && x != 3 { x := x + 1 }'],
    ['a test in the step', '{ if x == 3 { x := 0 } else { x := x + 1 } }'],
    ['a test before the step', 'if x < 3 { x := x + 1 } else { x := 0 }'],
    ['a conditional value', '{ x := if x < 3 then x + 1 else 0 }'],
    ['a remainder', '{ x := (x + 1) mod 4 }'],
    ['an unfinished round', '{ x := x + 1; x := x - 1 }'],
    ['another variable', 'when y < 3 { x := x + 1; y := y + 1 }'],
])('%s that excludes the value leaves no hint', async (_, step) => {
    const steps = step.split(' or ').map(each => `{ ${each} }`);
    const body = steps.length === 1 ? step : `choose ${steps.join(' or ')}`;
    const text = `var x: 0 .. 3 = 0 var y: 0 .. 3 = 0 process P { loop { ${body} } }`;
    expect(await messages(text)).toEqual([]);
});

test('a counter is driven to its end through the interleavings of others', async () => {
    // 6 processes with 4 locations each: 4,096 states for each of 101 values.
    const text = `
        var y: 0 .. 100 = 0
        process Idle[i: 0 .. 5] { loop { skip; skip; skip; skip } }
        process P { loop { skip; y := y + 1 } }`;
    expect(await messages(text)).toEqual(['where `y` is 100, this is a fault: 101 is not in `0 .. 100`']);
});

test('values that add up to a fault are found together', async () => {
    const text = `
        type Id = 0 .. 4
        var lock: bool = false
        var a: 0 .. 20 = 0
        process P[i: Id] {
            var k: 0 .. 9 = 0
            loop {
                when !lock { lock := true }
                more: k := (k + 1) mod 10;
                if k == 9 { bump: a := a + k }
                leave: lock := false
            }
        }
        process Idle[i: Id] { loop { skip; skip; skip } }`;
    expect(await messages(text)).toEqual([
        expect.stringMatching(/^where `a` is (1[2-9]|20) and `P\[\d\]\.k` is 9, this is a fault: /),
    ]);
});

test('a hint names the instance that has the fault', async () => {
    const text = `
        type Id = 0 .. 2
        var next: bool[Id] = false
        process P[i: Id] { var k: Id = i loop { next[k + 1] := true } }`;
    expect(await messages(text)).toEqual([
        'where `P[2].k` is 2, this is a fault: the index `P[2].k + 1` = 3 is not in `0 .. 2`',
    ]);
});

test('no step of the published models has a hint: none of them has a fault', async () => {
    for (const file of readdirSync('models').filter(name => name.endsWith('.orbit'))) {
        expect((await examine(readFileSync(`models/${file}`, 'utf8'))).hints, file).toEqual([]);
    }
});

test('where there is no time to search, nothing is said', async () => {
    const text = 'var x: 0 .. 3 = 0 process P { loop { x := x + 1 } }';
    expect((await examine(text, { isExhausted: () => true })).hints).toEqual([]);
});

/** Where a step is a fault in one of these states. */
function placesOfFaults(sequential: SequentialModel, states: readonly Int32Array[]): ReadonlySet<string> {
    const places = new Set<string>();
    const successors = interpretedSuccessors(sequential);
    for (const state of states) {
        successors.forEachFiring(state, {
            fired: () => true,
            faulted: (_, { range }) => places.add(keyOfRange(range)).size > 0,
        });
    }
    return places;
}

test('each hint in a random model is a fault of its state graph', async () => {
    let count = 0;
    await fc.assert(
        fc.asyncProperty(models(), async random => {
            const text = printModel(random);
            const examined = await tryToExamine(text);
            const result = examined && exploreStateGraph(examined.sequential, 3_000);
            if (examined === undefined || result?.kind !== 'graph') {
                return;
            }
            const { sequential, hints } = examined;
            const places = placesOfFaults(sequential, result.graph.states);
            for (const { range } of hints) {
                count++;
                expect(places, `a fault in line ${range.start.line + 1} of\n${text}`).toContain(keyOfRange(range));
            }
        }),
        { numRuns: 60 },
    );
    expect(count).toBeGreaterThan(0);
});
