import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { OperationCancelled, UNLIMITED, type WorkLimit } from '../../engine/common/work-limit.js';
import { compileSearchOf } from '../../engine/compiled-search/compiled-search.js';
import { Exploration, type ExplorationOptions, type ExplorationResult } from '../../engine/explore/search.js';
import { InterpretedSearch } from '../../engine/explore/interpreted-search.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import type { SearchObserver, StateSearch, StateSearchFactory } from '../../engine/explore/state-search.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { linearModels } from '../arbitrary/linear-models.js';
import { diningPhilosophers, hanoi, peterson, semaphoreMutex, tokenRing } from '../arbitrary/published-models.js';
import { binary, constant, toyModel } from '../arbitrary/toys.js';
import { cases } from '../cases.js';
import { sequentialOf } from '../explore/explore-model.js';
import { modelOf } from '../model-of-text.js';

function compiled(model: SequentialModel, options: ExplorationOptions): StateSearchFactory | undefined {
    const code = compileSearchOf(model, options);
    if (code.kind === 'interpreted') {
        expect(code.reason).toBe('an expression is too large');
        return undefined;
    }
    return code.search;
}

function explore(
    model: SequentialModel,
    options: ExplorationOptions,
    limit: WorkLimit = UNLIMITED,
): { result: ExplorationResult; levels: number[] } {
    const exploration = new Exploration(model, options);
    const levels: number[] = [];
    while (!exploration.advance(limit)) {
        const { depth, states } = exploration.progress();
        levels[depth] = states;
    }
    return { result: exploration.result(), levels };
}

/** Everything but what the states take in memory. */
function comparable({ report, problems }: ExplorationResult): unknown {
    return { ...report, bytesPerState: 0, peakBytes: 0, problems };
}

function compare(model: SequentialModel, options: ExplorationOptions): number {
    const search = compiled(model, options);
    if (search === undefined) {
        return 0;
    }
    const expected = comparable(explore(model, options).result);
    const { result } = explore(model, { ...options, search });
    expect(comparable(result), printSequentialModel(model)).toEqual(expected);
    return result.report?.states ?? 0;
}

const ALL: readonly ExplorationOptions[] = [
    {},
    { continueAfterViolation: true },
    { maxViolations: 2 },
    { maxStates: 7 },
    { continueAfterViolation: true, maxStates: 40 },
    { properties: ['deadlock'], continueAfterViolation: true },
];

test('the compiled search has the report of the interpreted one on random models', async () => {
    let states = 0;
    await fc.assert(
        fc.asyncProperty(linearModels(), fc.constantFrom(...ALL), async (load, options) => {
            const sequential = await load();
            if (sequential !== undefined) {
                states += compare(sequential, { maxStates: 2000, ...options });
            }
        }),
        { numRuns: cases(75), endOnFailure: true },
    );
    expect(states).toBeGreaterThan(cases(750));
});

describe('published models', async () => {
    test.each([
        ['dining philosophers', await diningPhilosophers(8)],
        ['Peterson', await peterson(4)],
        ['the semaphore', await semaphoreMutex(10)],
        ['the token ring', await tokenRing(4)],
        ['Hanoi', await hanoi(6)],
    ])('%s', (_name, model) => {
        for (const options of ALL) {
            compare(sequentialOf(model), options);
        }
    });
});

test('the result does not depend on the slices', async () => {
    const model = sequentialOf(await diningPhilosophers(7));
    const options = { continueAfterViolation: true };
    const search = compiled(model, options);
    invariant(search !== undefined, 'this model is compiled');
    const whole = explore(model, { ...options, search });
    const again = compiled(model, options);
    invariant(again !== undefined, 'it is compiled a second time');
    const sliced = explore(model, { ...options, search: again }, { isExhausted: () => true });
    expect(comparable(sliced.result)).toEqual(comparable(whole.result));
    expect(sliced.levels.length).toBeGreaterThan(10);
});

const SILENT: SearchObserver = {
    storedSuspicious: () => undefined,
    stoodStill: () => undefined,
    faulted: () => undefined,
    limited: () => undefined,
    gaveUpRepresentative: () => undefined,
};

/** Both searches of everything, without an exploration around them. */
function searchBoth(model: SequentialModel): { expected: StateSearch; actual: StateSearch } {
    const expected = new InterpretedSearch(model, interpretedSuccessors(model), SILENT, {});
    const actual = compiled(model, {})?.(SILENT, {});
    invariant(actual !== undefined, 'this model is compiled');
    for (const search of [expected, actual]) {
        const initial = new InitialStates(model);
        const state = new Int32Array(model.cells.length);
        while (initial.nextInto(state)) {
            search.addInitialState(state, UNLIMITED);
        }
        search.storeInitialStates(UNLIMITED);
        let isWorking = true;
        while (isWorking) {
            isWorking = search.advance(UNLIMITED);
        }
    }
    return { expected, actual };
}

test.each([
    ['one initial state', await diningPhilosophers(9)],
    ['many initial states', await tokenRing(5)],
])('states and the ways to them are found again by number: %s', (_name, definition) => {
    const model = sequentialOf(definition);
    const { expected, actual } = searchBoth(model);
    expect(actual.stateCount).toBe(expected.stateCount);
    // More than a page, so that most states have been given up.
    expect(actual.stateCount).toBeGreaterThan(30_000);
    const state = new Int32Array(model.cells.length);
    const other = new Int32Array(model.cells.length);
    for (let index = 0; index < actual.stateCount; index += 97) {
        expect(actual.parentOf(index)).toBe(expected.parentOf(index));
        actual.stateInto(state, index);
        expected.stateInto(other, index);
        expect(state).toEqual(other);
    }
});

test('the memory limit is kept, and what was reached by then is said', async () => {
    const model = sequentialOf(await diningPhilosophers(10));
    const search = compiled(model, {});
    invariant(search !== undefined, 'this model is compiled');
    const maxMemoryBytes = 1_500_000;
    const options = { properties: [], search, maxMemoryBytes };
    const { report } = explore(model, options).result;
    expect(report?.verdict).toBe('undecided');
    expect(report?.limit).toEqual({ kind: 'memory', value: maxMemoryBytes });
    expect(report?.peakBytes).toBeLessThanOrEqual(maxMemoryBytes);
    expect(report?.states).toBeGreaterThan(20_000);
});

test('an initial state that violates something is known at the end of the slice in which it was found', async () => {
    const model = sequentialOf(
        await modelOf('var x: bool = any var y: bool = any process P { skip } invariant later = x'),
    );
    const search = compiled(model, {});
    invariant(search !== undefined, 'this model is compiled');
    const exploration = new Exploration(model, { search });
    exploration.advance({ isExhausted: () => true });
    expect(exploration.progress()).toMatchObject({ states: 1, violations: 1 });
});

test('cancelling at any moment passes through', async () => {
    const model = sequentialOf(await diningPhilosophers(10));
    for (const questions of [1, 2, 7, 20, 53]) {
        const search = compiled(model, {});
        invariant(search !== undefined, 'this model is compiled');
        const exploration = new Exploration(model, { continueAfterViolation: true, search });
        let asked = 0;
        const limit: WorkLimit = {
            isExhausted: () => {
                if (++asked === questions) {
                    throw new OperationCancelled();
                }
                return false;
            },
        };
        expect(() => exploration.advance(limit)).toThrow(OperationCancelled);
    }
});

/** 90,000 states: two counters, before or behind cells that stay as they are and fill a long word. */
function counters(position: 'before' | 'behind'): SequentialModel {
    const moving = { first: 300, second: 300 };
    const staying = Object.fromEntries(Array.from({ length: 8 }, (_, number) => [`stays${number}`, 256]));
    const cells = position === 'before' ? { ...moving, ...staying } : { ...staying, ...moving };
    return toyModel({
        cells,
        initial: Object.fromEntries(Object.keys(cells).map(name => [name, 0])),
        rules: ({ read, set }) =>
            ['first', 'second'].map(name => ({
                when: [],
                then: [set(name, binary(binary(read(name), '+', constant(1)), 'mod', constant(300)))],
            })),
    });
}

test.each(['before', 'behind'] as const)(
    'states that differ %s a long word that they share are told apart',
    position => {
        for (const options of [{}, { shards: { count: 2, fromStates: 1 } }]) {
            const model = counters(position);
            const search = compiled(model, options);
            invariant(search !== undefined, 'counters are compiled');
            const { report } = explore(model, { ...options, search }).result;
            expect(report).toMatchObject({ states: 90_000, transitions: 180_000, depth: 598 });
        }
    },
);

test('finds what the fewest steps violate where the last of all states has no step, or many are expanded at once', async () => {
    const last = sequentialOf(
        await modelOf(`
            var x: 0 .. 40 = 0
            process P { loop { up: when x < 40 { x := x + 1 } } }`),
    );
    const many = sequentialOf(
        await modelOf(`
            var x: 0 .. 30 = 0
            var y: 0 .. 30 = 0
            process P { loop { up: when x < 30 { x := x + 1 } } }
            process Q { loop { up: when y < 30 { y := y + 1 } } }
            invariant first = x < 5
            invariant second = y < 5
            invariant far = x + y < 40`),
    );
    const options = { finishesDepth: true };
    const violated = (model: SequentialModel): unknown => {
        const search = compiled(model, options);
        const { report } = explore(model, { ...options, ...(search && { search }) }).result;
        return report?.violations.map(({ kind, name, trace }) => [kind, name, trace.length - 1]);
    };
    expect(violated(last)).toEqual([['deadlock', 'deadlock', 40]]);
    expect(violated(many)).toEqual(
        expect.arrayContaining([
            ['invariant', 'first', 5],
            ['invariant', 'second', 5],
        ]),
    );
});
