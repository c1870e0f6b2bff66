import { describe, expect, test, vi } from 'vitest';
import { createWorkLimit, OperationCancelled, UNLIMITED } from '../../engine/common/work-limit.js';
import type { WorkLimit } from '../../engine/common/work-limit.js';
import { Exploration } from '../../engine/explore/search.js';
import type { ExplorationOptions, ExplorationResult } from '../../engine/explore/search.js';
import type { Model } from '../../engine/model/model.js';
import {
    assign,
    binder,
    BOOLEAN,
    check,
    choose,
    integers,
    labeled,
    line,
    loop,
    model,
    not,
    op,
    over,
    process,
    read,
    shared,
    step,
    the,
    variable,
    when,
} from '../arbitrary/model-builder.js';
import {
    diningPhilosophers,
    hanoi,
    peterson,
    readersWriters,
    semaphoreMutex,
    tokenRing,
} from '../arbitrary/published-models.js';
import { explore, sequentialOf } from './explore-model.js';

/** A limit that ends each slice after so many questions. */
function slices(length: number): WorkLimit {
    let asked = 0;
    return { isExhausted: () => ++asked % length === 0 };
}

/** One step increments x up to `top`; the value `bad` breaks the invariant. */
function counter(top: number, bad: number): Model {
    return model({
        variables: [variable('x', integers(0, top), 0)],
        processes: [
            process('P', {
                body: [
                    loop(
                        labeled(
                            'increment',
                            step({
                                when: op(read(shared(0)), '<', top),
                                do: [assign(shared(0), op(read(shared(0)), '+', 1))],
                            }),
                        ),
                    ),
                ],
            }),
        ],
        invariants: { low: op(read(shared(0)), '<', bad) },
    });
}

describe('published numbers', () => {
    // PAPER.md, "Small numbers that pin the semantics": a semaphore has 2^n + n 2^(n-1) states.
    test.each([1, 2, 3, 5, 10])('the semaphore for %i processes', count => {
        const report = explore(semaphoreMutex(count));
        expect(report.states).toBe(2 ** count + count * 2 ** (count - 1));
        expect(report.verdict).toBe('holds');
    });

    test('readers and writers 2+1 have 22 states', () => {
        expect(explore(readersWriters(2, 1)).states).toBe(22);
    });

    test('the dining philosophers have 154450 states for N = 10, and one deadlock', () => {
        const report = explore(diningPhilosophers(10));
        // PAPER.md, Table II.
        expect(report).toMatchObject({ states: 154450, deadlocks: 1, verdict: 'violated' });
        // Everybody takes the right fork.
        expect(report.violations.map(({ kind, trace }) => [kind, trace.length])).toEqual([['deadlock', 11]]);
    });

    test('the token ring has every state as an initial one: 8^4 for N = 4', () => {
        expect(explore(tokenRing(4))).toMatchObject({ states: 4096, depth: 0, verdict: 'holds' });
    });

    test.each([2, 3, 4])("Peterson's algorithm excludes for N = %i", count => {
        expect(explore(peterson(count)).verdict).toBe('holds');
    });

    // Every placement of the discs is reachable; the farthest one needs 2^n - 1 moves.
    test.each([3, 6])('the towers of Hanoi with %i discs', discs => {
        expect(explore(hanoi(discs))).toMatchObject({ states: 3 ** discs, depth: 2 ** discs - 1, deadlocks: 0 });
    });
});

describe('slices', () => {
    function inSlices(of: Model, length: number, options: ExplorationOptions = {}): ExplorationResult {
        const exploration = new Exploration(sequentialOf(of), { continueAfterViolation: true, ...options });
        let advances = 0;
        while (!exploration.advance(slices(length))) {
            expect(++advances).toBeLessThan(1_000_000);
        }
        return exploration.result();
    }

    test.each([diningPhilosophers(4), tokenRing(3), counter(20, 7)])('the result does not depend on them', of => {
        const whole = explore(of);
        for (const length of [1, 2, 7]) {
            expect(inSlices(of, length)).toEqual({ report: whole, problems: [] });
        }
    });

    test('progress counts what is done', () => {
        const exploration = new Exploration(sequentialOf(diningPhilosophers(4)), { continueAfterViolation: true });
        const phases = new Set<string>();
        let states = 0;
        while (!exploration.advance(slices(1))) {
            const progress = exploration.progress();
            phases.add(progress.phase);
            expect(progress.states).toBeGreaterThanOrEqual(states);
            expect(progress.frontier).toBeLessThanOrEqual(progress.states);
            states = progress.states;
        }
        expect([...phases]).toEqual(['initial states', 'search', 'traces', 'orbits']);
        expect(exploration.progress()).toMatchObject({ phase: 'finished', frontier: 0 });
    });

    /** A clock that the limit advances by one millisecond whenever it is read. */
    function cancelledAfter(milliseconds: number): WorkLimit {
        let now = 0;
        return createWorkLimit({
            now: () => now++,
            budgetMilliseconds: Infinity,
            isCancelled: () => now > milliseconds,
        });
    }

    test('a cancelled exploration stops while it lists initial states', () => {
        const exploration = new Exploration(sequentialOf(manyInitialStates()));
        expect(() => exploration.advance(cancelledAfter(5))).toThrow(OperationCancelled);
        expect(exploration.progress()).toMatchObject({ phase: 'initial states' });
    });

    test('a cancelled exploration stops in the middle of the search and of a trace', () => {
        const search = new Exploration(sequentialOf(diningPhilosophers(7)), { continueAfterViolation: true });
        expect(() => search.advance(cancelledAfter(5))).toThrow(OperationCancelled);
        expect(search.progress()).toMatchObject({ phase: 'search' });

        const trace = new Exploration(sequentialOf(counter(2000, 2000)));
        while (trace.progress().phase !== 'traces') {
            trace.advance(slices(1));
        }
        expect(() => trace.advance(cancelledAfter(2))).toThrow(OperationCancelled);
    });
});

/** 2^40 of them. */
function manyInitialStates(): Model {
    return model({
        variables: [variable('x', BOOLEAN, 'any', integers(1, 40))],
        processes: [process('P', { body: [loop(step())] })],
    });
}

describe('limits', () => {
    test('a limit on states leaves the question undecided', () => {
        const report = explore(diningPhilosophers(6), { maxStates: 100 });
        expect(report).toMatchObject({ verdict: 'undecided', states: 100, limit: { kind: 'states', value: 100 } });
    });

    test('as many states as the limit allows are no reason to stop', () => {
        expect(explore(readersWriters(2, 1), { maxStates: 22 }).verdict).toBe('holds');
        expect(explore(readersWriters(2, 1), { maxStates: 21 }).verdict).toBe('undecided');
    });

    test('initial states count too, however many there are', () => {
        const report = explore(manyInitialStates(), { maxStates: 1000 });
        expect(report).toMatchObject({ verdict: 'undecided', states: 1000, transitions: 0 });
    });

    test('a limit on memory is kept', () => {
        const maxMemoryBytes = 400_000;
        const report = explore(semaphoreMutex(12), { maxMemoryBytes });
        expect(report).toMatchObject({ verdict: 'undecided', limit: { kind: 'memory', value: maxMemoryBytes } });
        expect(report.peakBytes).toBeLessThanOrEqual(maxMemoryBytes);
        expect(report.states).toBeGreaterThan(1000);
    });

    test('memory that is not to be had ends the search, too', () => {
        class Scarce extends Uint32Array {
            constructor(length: number) {
                if (length > 2 ** 16) {
                    throw new RangeError('Array buffer allocation failed');
                }
                super(length);
            }
        }
        vi.stubGlobal('Uint32Array', Scarce);
        try {
            // A table of 2^16 slots is used to two thirds.
            expect(explore(manyInitialStates())).toMatchObject({
                verdict: 'undecided',
                states: Math.floor(2 ** 17 / 3),
                limit: { kind: 'memory' },
            });
        } finally {
            vi.unstubAllGlobals();
        }
    });

    test('the caller can stop it, and a violation found before is reported with its trace', () => {
        const exploration = new Exploration(sequentialOf(counter(10_000, 5)), { continueAfterViolation: true });
        while (exploration.progress().states < 100) {
            exploration.advance(slices(1));
        }
        exploration.stop({ kind: 'time', value: 1000 });
        expect(exploration.advance(UNLIMITED)).toBe(true);
        const { report } = exploration.result();
        expect(report).toMatchObject({ verdict: 'violated', limit: { kind: 'time', value: 1000 } });
        expect(report?.violations.map(({ trace }) => trace.length)).toEqual([6]);
    });
});

describe('violations', () => {
    test('exploration stops at the first one unless told to go on', () => {
        const stopped = explore(counter(100, 5), { continueAfterViolation: false });
        expect(stopped).toMatchObject({ verdict: 'violated', states: 6, depth: 5 });
        expect(explore(counter(100, 5))).toMatchObject({ verdict: 'violated', states: 101, depth: 100 });
    });

    test('a trace starts in an initial state and each entry says what happened and what changed', () => {
        const [violation] = explore(counter(100, 2)).violations;
        expect(violation).toMatchObject({ kind: 'invariant', name: 'low' });
        expect(violation?.trace).toMatchObject([
            { step: null, state: { x: 0 }, changed: [] },
            { step: { process: 'P', label: 'increment' }, state: { x: 1 }, changed: ['x'] },
            { step: { process: 'P', label: 'increment' }, state: { x: 2 }, changed: ['x'] },
        ]);
    });

    test('the step of an event names all instances that meet', () => {
        const [deadlock] = explore(diningPhilosophers(2)).violations;
        expect(deadlock?.trace[1]?.step).toMatchObject({ process: 'Phil[0] & Fork[1]', label: 'get[0, 1]' });
    });

    test('the last entry of a fault is the step that has no successor', () => {
        const faulty = model({
            variables: [variable('x', integers(0, 2), 0)],
            processes: [
                process('P', {
                    body: [loop(step({ do: [assign(shared(0), op(read(shared(0)), '+', 1), line(9))] }))],
                }),
            ],
        });
        const report = explore(faulty);
        expect(report).toMatchObject({ states: 3, transitions: 3 });
        expect(report.violations).toMatchObject([{ kind: 'fault', name: 'range', range: line(9) }]);
        const trace = report.violations[0]?.trace ?? [];
        expect(trace.map(({ state }) => state)).toEqual([{ x: 0 }, { x: 1 }, { x: 2 }, { x: 2 }]);
        expect(trace.at(-1)).toMatchObject({ fault: 'range', changed: [] });
    });

    test('there is one for each kind, name and place, shortest trace first', () => {
        const i = binder('i', integers(1, 3));
        const report = explore(
            model({
                variables: [variable('x', integers(0, 9), 0)],
                processes: [
                    process('P', {
                        indices: [i],
                        body: [
                            loop(
                                choose(
                                    [step({ do: [assign(shared(0), op(read(shared(0)), '+', 1), line(1))] })],
                                    [step({ do: [check(op(read(shared(0)), '<', 4), line(2))] })],
                                    [step({ do: [check(op(read(shared(0)), '<', 6), line(3))] })],
                                ),
                            ),
                        ],
                    }),
                ],
                invariants: { small: op(read(shared(0)), '<', 8), tiny: op(read(shared(0)), '<', 2) },
            }),
        );
        expect(
            report.violations.map(({ name, range, trace }) => [name, (range?.start.line ?? 0) + 1, trace.length]),
        ).toEqual([
            ['tiny', 1, 3],
            ['assert', 2, 6],
            ['assert', 3, 8],
            ['small', 1, 9],
            ['range', 1, 11],
        ]);
    });

    test('a limit on their number ends the search', () => {
        const two = model({
            variables: [variable('x', integers(0, 50), 0)],
            processes: [
                process('P', {
                    body: [
                        loop(
                            step({
                                do: [
                                    when(op(read(shared(0)), '<', 50), [
                                        assign(shared(0), op(read(shared(0)), '+', 1)),
                                    ]),
                                ],
                            }),
                        ),
                    ],
                }),
            ],
            invariants: {
                a: op(read(shared(0)), '<', 3),
                b: op(read(shared(0)), '<', 5),
                c: op(read(shared(0)), '<', 7),
            },
        });
        // a is violated from 3 on, b from 5 on.
        expect(explore(two, { maxViolations: 4, continueAfterViolation: false })).toMatchObject({
            states: 6,
            violations: [{ name: 'a' }, { name: 'a' }, { name: 'a' }, { name: 'b' }],
        });
        expect(explore(two, { maxViolations: 1 })).toMatchObject({ states: 51, violations: [{ name: 'a' }] });
        expect(explore(two)).toMatchObject({ states: 51, violations: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    });

    test('an invariant that faults is a fault, not a violation of the invariant', () => {
        const i = binder('i', integers(0, 1));
        const report = explore(
            model({
                variables: [variable('x', integers(0, 1), 0)],
                processes: [process('P', { body: [loop(step())] })],
                invariants: { broken: over('forall', i, op(op(1, 'div', read(shared(0))), '==', the(i))) },
            }),
        );
        expect(report.violations).toMatchObject([{ kind: 'fault', name: 'division', trace: [{ step: null }] }]);
    });

    test('only the properties asked for are checked', () => {
        expect(explore(counter(9, 5), { properties: ['deadlock'] }).violations.map(({ kind }) => kind)).toEqual([
            'deadlock',
        ]);
        expect(explore(counter(9, 5), { properties: ['low'] }).violations.map(({ kind }) => kind)).toEqual([
            'invariant',
        ]);
        expect(explore(counter(9, 5), { properties: [] })).toMatchObject({ verdict: 'holds', deadlocks: 1 });
    });

    test('a local that holds no value is left out of the state', () => {
        const trace = explore(
            model({
                variables: [variable('flag', BOOLEAN, false)],
                processes: [
                    process('P', {
                        locals: [variable('k', integers(0, 3), 2)],
                        body: [
                            step({ when: op(read({ kind: 'local', local: 0, indices: [], range: line(1) }), '==', 2) }),
                            step({ do: [assign(shared(0), not(read(shared(0))))] }),
                        ],
                    }),
                ],
                invariants: { never: not(read(shared(0))) },
            }),
        ).violations[0]?.trace;
        expect(trace?.map(({ state, changed }) => [Object.keys(state), changed])).toEqual([
            [['flag', 'P.k', 'P.at'], []],
            [
                ['flag', 'P.at'],
                ['P.k', 'P.at'],
            ],
            [
                ['flag', 'P.at'],
                ['flag', 'P.at'],
            ],
        ]);
    });
});
