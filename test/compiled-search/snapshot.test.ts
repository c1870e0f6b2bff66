/** A search that is stopped, and continued by another one from a snapshot, has the report of one that is not stopped. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { StateCanonicalizer } from '../../engine/explore/state-canonicalizer.js';
import { compileSearchOf } from '../../engine/compiled-search/compiled-search.js';
import { Exploration, type ExplorationOptions, type RunningExploration } from '../../engine/explore/search.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { linearModels } from '../arbitrary/linear-models.js';
import { diningPhilosophers, peterson, tokenRing } from '../arbitrary/published-models.js';
import { cases } from '../cases.js';
import { sequentialOf } from '../explore/explore-model.js';
import { modelOf } from '../model-of-text.js';
import { exploreInPieces, stored } from '../explore/in-pieces.js';

type Way = 'interpreted' | 'one memory' | 'two shards';

function begin(model: SequentialModel, way: Way, options: ExplorationOptions): Exploration {
    const shards = way === 'two shards' ? { shards: { count: 2, fromStates: 1 } } : {};
    const code = way === 'interpreted' ? undefined : compileSearchOf(model, options);
    return new Exploration(model, { ...options, ...shards, ...(code?.kind === 'compiled' && { search: code.search }) });
}

/** Everything but what the states take in memory. */
function reportOf(exploration: RunningExploration): unknown {
    while (!exploration.advance(UNLIMITED));
    const { report, problems } = exploration.result();
    return { ...report, peakBytes: 0, problems };
}

const WAYS: readonly Way[] = ['interpreted', 'one memory', 'two shards'];

function reportInPieces(model: SequentialModel, way: Way, options: ExplorationOptions, slices: number) {
    const { exploration, pieces } = exploreInPieces(
        resumeFrom => begin(model, way, { ...options, ...(resumeFrom !== undefined && { resumeFrom }) }),
        slices,
    );
    return { pieces, report: reportOf(exploration) };
}

test.each([
    ['dining philosophers', sequentialOf(await diningPhilosophers(8))],
    ['Peterson', sequentialOf(await peterson(4))],
    ['the token ring', sequentialOf(await tokenRing(4))],
])('on %s', (_name, model) => {
    for (const way of WAYS) {
        const options = { continueAfterViolation: true };
        const expected = reportOf(begin(model, way, options));
        const { pieces, report } = reportInPieces(model, way, options, way === 'interpreted' ? 100 : 1);
        expect(report).toEqual(expected);
        expect(pieces).toBeGreaterThan(2);
    }
});

test('on random models', async () => {
    let pieces = 0;
    await fc.assert(
        fc.asyncProperty(
            linearModels(),
            fc.constantFrom(...WAYS),
            fc.integer({ min: 0, max: 3 }),
            async (load, way, slices) => {
                const sequential = await load();
                if (sequential === undefined) {
                    return;
                }
                const options = { maxStates: 500, continueAfterViolation: true, endsWithSnapshot: true };
                const inPieces = reportInPieces(sequential, way, options, slices);
                expect(inPieces.report, printSequentialModel(sequential)).toEqual(
                    reportOf(begin(sequential, way, options)),
                );
                pieces += inPieces.pieces;
            },
        ),
        { numRuns: cases(40), endOnFailure: true },
    );
    expect(pieces).toBeGreaterThan(cases(60));
});

test('what is ended by a violation, or has come to its end, has no snapshot', async () => {
    const model = sequentialOf(await diningPhilosophers(4));
    for (const way of WAYS) {
        const violated = begin(model, way, {});
        reportOf(violated);
        expect(violated.snapshot()).toBeUndefined();
        const complete = begin(model, way, { continueAfterViolation: true });
        reportOf(complete);
        expect(complete.snapshot()).toBeUndefined();
        const limited = begin(model, way, { continueAfterViolation: true, maxStates: 20, endsWithSnapshot: true });
        reportOf(limited);
        invariant(limited.snapshot() !== undefined, 'a limit leaves one');
    }
});

test('as many states as the limit allows are no more than it allows', async () => {
    const model = sequentialOf(await diningPhilosophers(4));
    for (const way of WAYS) {
        const options = { continueAfterViolation: true };
        const whole = begin(model, way, options);
        const expected = reportOf(whole);
        const maxStates = whole.progress().states;
        for (const endsWithSnapshot of [false, true]) {
            expect(reportOf(begin(model, way, { ...options, maxStates, endsWithSnapshot }))).toEqual(expected);
        }
    }
});

test('beyond the limit there are the successors of one state, in every way the same', async () => {
    const model = sequentialOf(await diningPhilosophers(8));
    for (const maxStates of [1, 30, 1000]) {
        const options = { continueAfterViolation: true, maxStates, endsWithSnapshot: true };
        const ended = WAYS.map(way => {
            const exploration = begin(model, way, options);
            reportOf(exploration);
            const { states, transitions, depth, frontier } = exploration.progress();
            return { states, transitions, depth, frontier };
        });
        expect(ended[0]).toMatchObject({ states: expect.toSatisfy((states: number) => states > maxStates) as number });
        expect(ended).toEqual(ended.map(() => ended[0]));
    }
});

test('where there are more initial states than the limit allows, no way takes a step', async () => {
    const model = sequentialOf(await tokenRing(4));
    const options = { continueAfterViolation: true, endsWithSnapshot: true };
    const initialStates = 2 ** 12;
    for (const way of WAYS) {
        for (const maxStates of [1, 418, initialStates - 1]) {
            const exploration = begin(model, way, { ...options, maxStates });
            expect(reportOf(exploration)).toMatchObject({ verdict: 'undecided', states: initialStates, deadlocks: 0 });
            expect(exploration.progress()).toMatchObject({ transitions: 0, frontier: initialStates });
            expect(exploration.snapshot()).toBeDefined();
        }
    }
});

test('where the limit is exceeded before the first step there is something to go on with, too', async () => {
    const model = sequentialOf(
        await modelOf('var cells: bool[1 .. 9] = any process Flipper { loop { cells[1] := !cells[1] } }'),
    );
    const whole = { continueAfterViolation: true, shards: { count: 2, fromStates: 100 } };
    const limited = { ...whole, maxStates: 20, endsWithSnapshot: true };
    const first = begin(model, 'one memory', limited);
    expect(reportOf(first)).toMatchObject({ verdict: 'undecided', states: 512 });
    const snapshot = first.snapshot();
    invariant(snapshot !== undefined, 'a limit leaves one');
    const second = begin(model, 'one memory', { ...limited, resumeFrom: stored(snapshot) });
    expect(reportOf(second)).toMatchObject({ verdict: 'undecided', states: 512 });
    const last = second.snapshot();
    invariant(last !== undefined, 'so does the same limit once more');
    const resumeFrom = stored(last);
    expect(reportOf(begin(model, 'one memory', { ...whole, resumeFrom }))).toEqual(
        reportOf(begin(model, 'one memory', whole)),
    );
});

test('nothing goes on where states are missing', async () => {
    const model = sequentialOf(await diningPhilosophers(6));
    const options = { continueAfterViolation: true };
    let asked = 0;
    // Each state is its own representative, until one has none.
    const canonicalizer: StateCanonicalizer = {
        strategy: { name: 'none', unique: true },
        canonicalizeInto(target, state) {
            target.set(state);
            return ++asked < 100;
        },
        transformation: () => undefined,
        imageInto(target, state) {
            target.set(state);
        },
    };
    const reduced = begin(model, 'one memory', { ...options, canonicalizer, exactWithin: 7 });
    expect(reportOf(reduced)).toMatchObject({ verdict: 'undecided', limit: { kind: 'work', value: 7 } });
    expect(reduced.snapshot()).toBeUndefined();
});

test('without the memory for what was stored there is no answer, and nothing to go on with', async () => {
    const model = sequentialOf(await diningPhilosophers(8));
    for (const way of ['one memory', 'two shards'] as const) {
        const first = begin(model, way, { continueAfterViolation: true, maxStates: 2_000, endsWithSnapshot: true });
        reportOf(first);
        const snapshot = first.snapshot();
        invariant(snapshot !== undefined, 'a limit leaves one');
        const found = { finding: { kind: 'deadlock', name: 'deadlock' }, stateIndex: 1 } as const;
        const resumeFrom = stored({ ...snapshot, state: { ...snapshot.state, found: [found] } });
        const second = begin(model, way, { continueAfterViolation: true, maxMemoryBytes: 1000, resumeFrom });
        expect(reportOf(second)).toMatchObject({ verdict: 'undecided', states: 0, violations: [] });
        expect(second.snapshot()).toBeUndefined();
    }
});
