/** Searches that look up one firing of equal processes say the same as searches that look up all, traces included. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { SearchParts } from '../../engine/explore/search-parts.js';
import type { PartialOrder } from '../../engine/explore/stubborn.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import type { PassName } from '../../engine/passes/pass-names.js';
import { findSymmetries } from '../../engine/pipeline.js';
import { reduce } from '../../engine/verdict/reduction.js';
import { reductionsOf } from '../../engine/verdict/reductions.js';
import { searchStates, type StateSearchSettings } from '../../engine/verdict/search-states.js';
import { loadModel } from '../../language-server/load-model.js';
import { equalTexts } from '../arbitrary/equal-texts.js';
import { cases } from '../cases.js';

interface Way {
    readonly partialOrder?: PartialOrder;
    readonly passes?: readonly PassName[];
    readonly settings?: StateSearchSettings;
    /** In slices as short as can be: initial states are stored one by one. */
    readonly inSlices?: true;
}

const WAYS: readonly Way[] = [
    { settings: { isInterpreted: true } },
    {},
    { inSlices: true },
    { settings: { shards: { count: 2, fromStates: 1 } } },
    { settings: { continueAfterViolation: false } },
    { settings: { continueAfterViolation: false, isInterpreted: true } },
    { settings: { maxStates: 20 } },
    { passes: ['cone', 'reset', 'narrow'] },
    { passes: ['merge'] },
    { partialOrder: 'shortest' },
    { partialOrder: 'fewest', settings: { isInterpreted: true } },
];

/** The reports with one firing of equal processes and with all; how many summands have earlier ones. */
async function reportsOf(text: string, { partialOrder, passes = [], settings, inSlices }: Way) {
    const { model, problems } = await loadModel(text, 'file:///model.orbit', []);
    invariant(model !== undefined, problems.map(({ message }) => message).join());
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    const { sequential } = analysis;
    invariant(sequential !== undefined, 'a model that is loaded has no errors');
    const given = { ...analysis, sequential };
    const reductions = reductionsOf(given, 'unique', passes, partialOrder);
    const reduced = reduce(reductions, given, { workLimit: UNLIMITED });
    const { equal, ...others } = reduced.parts;
    const explore = (parts: SearchParts): ExplorationReport => {
        const options = { maxStates: 2_000, continueAfterViolation: true, ...settings };
        const { exploration } = searchStates(model, sequential, { ...reduced, parts }, options);
        while (!exploration.advance(inSlices === true ? { isExhausted: () => true } : UNLIMITED));
        const { report } = exploration.result();
        invariant(report !== undefined, 'the model has initial states');
        return { ...report, peakBytes: 0, bytesPerState: 0 };
    };
    return {
        one: explore(reduced.parts),
        all: explore(others),
        later: equal?.later.filter(blocks => blocks.length > 0).length ?? 0,
    };
}

test.each([
    // 4 * 3 firings of four that send or receive, then 2 of the two that are left.
    [
        'senders and receivers',
        `channel c: 0 of 0 .. 0
        process P[i: 0 .. 3] { choose { a: c ! 0 } or { b: c ? _ } }
        allow deadlock`,
        14,
    ],
    // 5 - k firings after k steps; k from 0 to 4 if the odd one has stepped, which is one of them, or not: 25.
    [
        'processes of which one is odd',
        `var x: bool[0 .. 4] = [i in 0 .. 4: i == 0]
        process P[i: 0 .. 4] { a: x[i] := true }
        allow deadlock`,
        25,
    ],
    // 4 - k firings of P after k steps, 10 together, from two starts and after the step of Q, which adds 5.
    [
        'two initial states',
        `var n: 0 .. 1 = any
        process P[i: 0 .. 3] { l: skip }
        process Q { q: when n == 1 { n := 0 } }
        allow deadlock`,
        35,
    ],
])('all firings of %s are counted', async (_, text, transitions) => {
    for (const way of WAYS.slice(0, 4)) {
        const { one, all, later } = await reportsOf(`model Toy\n${text}\n`, way);
        expect(later).toBeGreaterThan(0);
        expect(one).toEqual(all);
        expect(one).toMatchObject({ transitions });
    }
});

test('of random models', async () => {
    let withLater = 0;
    let states = 0;
    await fc.assert(
        fc.asyncProperty(equalTexts, fc.constantFrom(...WAYS), async (text, way) => {
            const { one, all, later } = await reportsOf(text, way);
            expect(one, text).toEqual(all);
            withLater += later > 0 ? 1 : 0;
            states += one.states;
        }),
        { numRuns: cases(150) },
    );
    expect(withLater).toBeGreaterThan(3);
    expect(states).toBeGreaterThan(withLater);
});
