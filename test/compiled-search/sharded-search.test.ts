// @module-tag long
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invariant, InvariantViolation } from '../../engine/common/assert.js';
import { OperationCancelled, UNLIMITED, type WorkLimit } from '../../engine/common/work-limit.js';
import { createRandom } from '../../engine/common/random.js';
import { compileSearchOf } from '../../engine/compiled-search/compiled-search.js';
import type { SearchWorkerData } from '../../engine/compiled-search/threads/search-worker.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { Exploration, type RunningExploration, type ExplorationOptions } from '../../engine/explore/search.js';
import type { SearchObserver, StateSearch } from '../../engine/explore/state-search.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { analyze, startExploration } from '../../engine/pipeline.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { searchThreads } from '../../language-server/analysis/search-threads.js';
import { linearModels } from '../arbitrary/linear-models.js';
import { diningPhilosophers, hanoi, peterson, semaphoreMutex, tokenRing } from '../arbitrary/published-models.js';
import { cases, drawsAll } from '../cases.js';
import { sequentialOf } from '../explore/explore-model.js';
import { modelOf } from '../model-of-text.js';
import { folder, testThreads } from './test-threads.js';

/** Undefined where the model cannot be compiled. */
function begin(model: SequentialModel, options: ExplorationOptions): Exploration | undefined {
    const code = compileSearchOf(model, options);
    return code.kind === 'interpreted' ? undefined : new Exploration(model, { ...options, search: code.search });
}

/** The result but for what the states take in memory. */
function comparable(exploration: RunningExploration, limit: WorkLimit = UNLIMITED): unknown {
    while (!exploration.advance(limit));
    return comparableResult(exploration);
}

function comparableResult(exploration: RunningExploration): unknown {
    const { report, problems } = exploration.result();
    return { ...report, peakBytes: 0, problems };
}

const IN_SLICES: WorkLimit = { isExhausted: () => true };

/** The same of a search with threads. In between comes word of a thread that has ended, for which the search would wait. */
async function comparableOfThreads(exploration: RunningExploration): Promise<unknown> {
    while (!exploration.advance(IN_SLICES)) {
        await nextTurn();
    }
    return comparableResult(exploration);
}

function nextTurn(): Promise<void> {
    return new Promise(resolve => setImmediate(resolve));
}

const ALL: readonly ExplorationOptions[] = [
    {},
    { continueAfterViolation: true },
    { maxViolations: 2 },
    { maxStates: 7 },
    { continueAfterViolation: true, maxStates: 40 },
    { continueAfterViolation: true, maxStates: 1500 },
    { properties: ['deadlock'], continueAfterViolation: true },
];

const PUBLISHED: readonly (readonly [string, SequentialModel])[] = [
    ['dining philosophers', sequentialOf(await diningPhilosophers(8))],
    ['Peterson', sequentialOf(await peterson(4))],
    ['the semaphore', sequentialOf(await semaphoreMutex(10))],
    ['the token ring', sequentialOf(await tokenRing(4))],
    ['Hanoi', sequentialOf(await hanoi(6))],
];

describe('one thread with several shards has the report of a search in one memory', () => {
    test('on random models', async () => {
        let states = 0;
        await fc.assert(
            fc.asyncProperty(
                linearModels(),
                fc.constantFrom(...ALL),
                fc.integer({ min: 2, max: 4 }),
                async (load, options, count) => {
                    const sequential = await load();
                    const plain = sequential && begin(sequential, { maxStates: 2000, ...options });
                    if (sequential === undefined || plain === undefined) {
                        return;
                    }
                    const sharded = begin(sequential, {
                        maxStates: 2000,
                        ...options,
                        shards: { count, fromStates: 1 },
                    });
                    invariant(sharded !== undefined, 'it is compiled again');
                    expect(comparable(sharded), printSequentialModel(sequential)).toEqual(comparable(plain));
                    states += plain.progress().states;
                },
            ),
            { numRuns: cases(60), endOnFailure: true },
        );
        expect(states).toBeGreaterThan(cases(600));
    });

    test.each(PUBLISHED)('on %s', (_name, model) => {
        for (const options of ALL) {
            const plain = begin(model, options);
            invariant(plain !== undefined, 'it is compiled');
            const expected = comparable(plain);
            for (const shards of [
                { count: 2, fromStates: 30 },
                { count: 3, fromStates: 1 },
            ]) {
                const sharded = begin(model, { ...options, shards });
                invariant(sharded !== undefined, 'it is compiled again');
                expect(comparable(sharded, IN_SLICES)).toEqual(expected);
            }
        }
    });
});

/** Threads in the memory that there is, and in several. */
const SHARD_COUNTS = [1, 2] as const;

test.each([2, 8])('a round in which each of %i shards gets many states has room for all of them', async count => {
    const model = sequentialOf(await diningPhilosophers(11));
    const [plain, sharded] = [{}, { shards: { count, fromStates: 1000 } }].map(options =>
        begin(model, { properties: [], ...options }),
    );
    invariant(plain !== undefined && sharded !== undefined, 'it is compiled');
    expect(comparable(sharded)).toEqual(comparable(plain));
});

test.each([1, 2, 3])('a seen set is split between rounds in one memory, with %i threads', async threadCount => {
    const model = sequentialOf(await diningPhilosophers(10));
    const plain = begin(model, { properties: [] });
    invariant(plain !== undefined, 'it is compiled');
    const expected = comparable(plain);
    for (const fromBytes of [1_000_000, 3_000_000]) {
        const workers = threadCount > 1 ? testThreads(threadCount) : undefined;
        const shards = { count: 2, fromStates: 100, fromBytes };
        const split = begin(model, { properties: [], shards, ...(workers !== undefined && { workers }) });
        invariant(split !== undefined, 'it is compiled again');
        expect(await comparableOfThreads(split)).toEqual(expected);
        await workers?.ended();
    }
});

test('states so long that a block of them is less than a batch are split', async () => {
    const model = sequentialOf(
        await modelOf(`
            var words: 0 .. 1073741823[1 .. 1024]
            var number: 0 .. 2099 = any
            init number < 2000
            process P { loop { number := (number + 1) mod 2100 } }`),
    );
    // A page has many fingerprints of such states, but few of the states.
    const [plain, split] = [{}, { shards: { count: 2, fromStates: 1 } }].map(options =>
        begin(model, { properties: [], storesFingerprints: true, ...options }),
    );
    invariant(plain !== undefined && split !== undefined, 'it is compiled');
    expect(comparable(split)).toEqual(comparable(plain));
    expect(plain.progress().states).toBe(2100);
});

describe.each(SHARD_COUNTS)('two and three threads have the report of one, with %i parts of the seen set', count => {
    test.each(PUBLISHED)('on %s', async (_name, model) => {
        for (const [threadCount, options] of [
            [2, { continueAfterViolation: true }],
            [3, { maxViolations: 2, maxStates: 5000 }],
        ] as const) {
            const plain = begin(model, options);
            const workers = testThreads(threadCount);
            const shared = begin(model, { ...options, workers, shards: { count, fromStates: 8 } });
            invariant(plain !== undefined && shared !== undefined, 'it is compiled');
            expect(await comparableOfThreads(shared)).toEqual(comparable(plain));
            expect(shared.threadCount).toBe(threadCount);
            await workers.ended();
        }
    });

    test('with representatives of orbits, under the host of the packages', async () => {
        const model = await diningPhilosophers(10);
        const analysis = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
        const options = { reduction: 'unique', continueAfterViolation: true } as const;
        const plain = startExploration(analysis, options, UNLIMITED).exploration;
        const workers = searchThreads(folder, 2);
        invariant(workers !== undefined, 'two threads need a host');
        const shards = { count, fromStates: 1000 };
        const shared = startExploration(analysis, { ...options, workers, shards }, UNLIMITED).exploration;
        expect(await comparableOfThreads(shared)).toEqual(comparable(plain));
        expect(shared.threadCount).toBe(2);
        // The published number of orbits.
        expect(plain.progress().states).toBe(15_489);
    });
});

test('where the system gives no threads, one does everything', async () => {
    const model = sequentialOf(await diningPhilosophers(9));
    const options = { continueAfterViolation: true };
    const plain = begin(model, options);
    // Node refuses a worker at once whose file is none.
    const workers = searchThreads('data:none', 3);
    invariant(workers !== undefined, 'three threads need a host');
    const shared = begin(model, { ...options, workers, shards: { count: 2, fromStates: 100 } });
    invariant(plain !== undefined && shared !== undefined, 'it is compiled');
    expect(await comparableOfThreads(shared)).toEqual(comparable(plain));
    expect(shared.threadCount).toBe(1);
});

const SILENT: SearchObserver = {
    storedSuspicious: () => undefined,
    stoodStill: () => undefined,
    faulted: () => undefined,
    limited: () => undefined,
    gaveUpRepresentative: () => undefined,
};

async function searchAll(model: SequentialModel, options: ExplorationOptions): Promise<StateSearch> {
    const code = compileSearchOf(model, options);
    invariant(code.kind === 'compiled', 'this model is compiled');
    const search = code.search(SILENT, options);
    const initial = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    while (initial.nextInto(state)) {
        search.addInitialState(state, UNLIMITED);
    }
    search.storeInitialStates(UNLIMITED);
    while (search.advance(IN_SLICES)) {
        await nextTurn();
    }
    return search;
}

test.each([
    ['one initial state, parts: 1', await diningPhilosophers(9), 1],
    ['one initial state, parts: 2', await diningPhilosophers(9), 2],
    ['many initial states, parts: 1', await tokenRing(5), 1],
    ['many initial states, parts: 2', await tokenRing(5), 2],
])('states have the same numbers, and the ways to them are found again: %s', async (_name, definition, count) => {
    const model = sequentialOf(definition);
    const workers = testThreads(2);
    const plain = await searchAll(model, {});
    const shared = await searchAll(model, { workers, shards: { count, fromStates: 1000 } });
    expect(shared.threadCount).toBe(2);
    expect(shared.stateCount).toBe(plain.stateCount);
    const state = new Int32Array(model.cells.length);
    const other = new Int32Array(model.cells.length);
    for (let index = 0; index < plain.stateCount; index += 97) {
        expect(shared.parentOf(index)).toBe(plain.parentOf(index));
        plain.stateInto(state, index);
        shared.stateInto(other, index);
        expect(other).toEqual(state);
    }
    shared.close();
    await workers.ended();
});

test('one limit holds for all memories, wherever it is reached', async () => {
    const model = sequentialOf(await diningPhilosophers(9));
    let reached = 0;
    const counts = new Set<number>();
    const step = drawsAll ? 500_000 : 1_000_000;
    // From a limit without room even for thread memories to one with room for everything.
    for (let maxMemoryBytes = 1_000_000; maxMemoryBytes < 20_000_000; maxMemoryBytes += step) {
        const options = { properties: [], maxMemoryBytes, shards: { count: 2, fromStates: 1000 } };
        const exploration = begin(model, options);
        invariant(exploration !== undefined, 'this model is compiled');
        exploration.advance(UNLIMITED);
        const report = reportOf(exploration);
        expect(report.peakBytes).toBeLessThanOrEqual(maxMemoryBytes);
        counts.add(report.states);
        if (report.limit !== undefined) {
            reached++;
            expect(report).toMatchObject({ verdict: 'undecided', limit: { kind: 'memory', value: maxMemoryBytes } });
        } else {
            expect(report).toMatchObject({ verdict: 'holds', states: 46_763 });
        }
    }
    expect(reached).toBeGreaterThan(1);
    expect(counts.size).toBeGreaterThan(2);
});

function reportOf(exploration: RunningExploration): ExplorationReport {
    const { report } = exploration.result();
    invariant(report !== undefined, 'an exploration of a model that begins somewhere has a report');
    return report;
}

/** Is exhausted at each question, and ends the exploration at one of them. */
function cancelledAfter(questions: number): WorkLimit {
    let asked = 0;
    return {
        isExhausted: () => {
            if (++asked === questions) {
                throw new OperationCancelled();
            }
            return true;
        },
    };
}

test.each(SHARD_COUNTS)('cancelled at any moment, a search leaves no thread behind: %i', async count => {
    const model = sequentialOf(await diningPhilosophers(9));
    const random = createRandom(1);
    for (let run = 0; run < cases(60); run++) {
        const workers = testThreads(2);
        const options = { continueAfterViolation: true, workers, shards: { count, fromStates: 10 } };
        const exploration = begin(model, options);
        invariant(exploration !== undefined, 'this model is compiled');
        const limit = cancelledAfter(1 + random.below(150));
        expect(() => {
            while (!exploration.advance(limit));
        }).toThrow(OperationCancelled);
        exploration.close();
        exploration.close();
        await workers.ended();
    }
});

test('a thread that is ended from outside leaves the question undecided, with what was reached', async () => {
    const model = sequentialOf(await diningPhilosophers(10));
    for (const rounds of [1, 20, 60]) {
        const workers = testThreads(2);
        const options = { properties: [], workers, shards: { count: 2, fromStates: 100 } };
        const exploration = begin(model, options);
        invariant(exploration !== undefined, 'this model is compiled');
        for (let round = 0; round < rounds || exploration.threadCount === 1; round++) {
            exploration.advance(IN_SLICES);
        }
        await workers.threads[0]?.terminate();
        while (!exploration.advance(IN_SLICES)) {
            await nextTurn();
        }
        const { states, transitions, ...rest } = reportOf(exploration);
        expect(rest).toMatchObject({ verdict: 'undecided', limit: { kind: 'thread', value: 1 } });
        expect(states).toBeLessThan(154_450);
        expect(transitions).toBeGreaterThan(states);
        await workers.ended();
    }
});

test('a thread that never comes is not needed', async () => {
    const model = sequentialOf(await diningPhilosophers(8));
    const workers = testThreads(2, () => undefined);
    const exploration = begin(model, { properties: [], workers, shards: { count: 2, fromStates: 100 } });
    invariant(exploration !== undefined, 'this model is compiled');
    while (!exploration.advance(IN_SLICES)) {
        await nextTurn();
    }
    expect(reportOf(exploration)).toMatchObject({ verdict: 'holds', states: 14_158 });
    expect(exploration.threadCount).toBe(1);
});

test('what goes wrong in a thread is a defect, and said', async () => {
    const model = sequentialOf(await diningPhilosophers(8));
    const workers = testThreads(2, data => {
        const { shared, number } = data as SearchWorkerData;
        return { number, shared: { ...shared, threadMemories: [] } };
    });
    const exploration = begin(model, { properties: [], workers, shards: { count: 2, fromStates: 100 } });
    invariant(exploration !== undefined, 'this model is compiled');
    expect(() => {
        while (!exploration.advance(IN_SLICES));
    }).toThrow(InvariantViolation);
    exploration.close();
    await workers.ended();
});
