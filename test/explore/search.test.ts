import { describe, expect, test, vi } from 'vitest';
import { createWorkLimit, OperationCancelled, UNLIMITED } from '../../engine/common/work-limit.js';
import type { WorkLimit } from '../../engine/common/work-limit.js';
import { Exploration } from '../../engine/explore/search.js';
import type { ExplorationOptions, ExplorationResult } from '../../engine/explore/search.js';
import type { Model } from '../../engine/model/model.js';
import {
    diningPhilosophers,
    hanoi,
    peterson,
    readersWriters,
    semaphoreMutex,
    tokenRing,
} from '../arbitrary/published-models.js';
import { modelOf } from '../model-of-text.js';
import { explore, sequentialOf } from './explore-model.js';

/** A limit that ends each slice after so many questions. */
function slices(length: number): WorkLimit {
    let asked = 0;
    return { isExhausted: () => ++asked % length === 0 };
}

/** One step increments x up to `top`; the value `bad` breaks the invariant. */
function counter(top: number, bad: number): Promise<Model> {
    return modelOf(`
        var x: 0 .. ${top} = 0
        process P { loop { increment: when x < ${top} { x := x + 1 } } }
        invariant low = x < ${bad}`);
}

describe('published numbers', () => {
    // PAPER.md, "Small numbers that pin the semantics": a semaphore has 2^n + n 2^(n-1) states.
    test.each([1, 2, 3, 5, 10])('the semaphore for %i processes', async count => {
        const report = explore(await semaphoreMutex(count));
        expect(report.states).toBe(2 ** count + count * 2 ** (count - 1));
        expect(report.verdict).toBe('holds');
    });

    test('readers and writers 2+1 have 22 states', async () => {
        expect(explore(await readersWriters(2, 1)).states).toBe(22);
    });

    test('the dining philosophers have 154450 states for N = 10, and one deadlock', async () => {
        const report = explore(await diningPhilosophers(10));
        // PAPER.md, Table II.
        expect(report).toMatchObject({ states: 154450, deadlocks: 1, verdict: 'violated' });
        // Everybody takes the right fork.
        expect(report.violations.map(({ kind, trace }) => [kind, trace.length])).toEqual([['deadlock', 11]]);
    });

    test('the token ring has every state as an initial one: 8^4 for N = 4', async () => {
        expect(explore(await tokenRing(4))).toMatchObject({ states: 4096, depth: 0, verdict: 'holds' });
    });

    test.each([2, 3, 4])("Peterson's algorithm excludes for N = %i", async count => {
        expect(explore(await peterson(count)).verdict).toBe('holds');
    });

    // Every placement of the discs is reachable; the farthest one needs 2^n - 1 moves.
    test.each([3, 6])('the towers of Hanoi with %i discs', async discs => {
        expect(explore(await hanoi(discs))).toMatchObject({ states: 3 ** discs, depth: 2 ** discs - 1, deadlocks: 0 });
    });
});

describe('slices', async () => {
    function inSlices(of: Model, length: number, options: ExplorationOptions = {}): ExplorationResult {
        const exploration = new Exploration(sequentialOf(of), { continueAfterViolation: true, ...options });
        let advances = 0;
        while (!exploration.advance(slices(length))) {
            expect(++advances).toBeLessThan(1_000_000);
        }
        return exploration.result();
    }

    test.each([await diningPhilosophers(4), await tokenRing(3), await counter(20, 7)])(
        'the result does not depend on them',
        of => {
            const whole = explore(of);
            for (const length of [1, 2, 7]) {
                expect(inSlices(of, length)).toEqual({ report: whole, problems: [] });
            }
        },
    );

    test('progress counts what is done', async () => {
        const exploration = new Exploration(sequentialOf(await diningPhilosophers(4)), {
            continueAfterViolation: true,
        });
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
        const exploration = new Exploration(sequentialOf(MANY_INITIAL_STATES));
        expect(() => exploration.advance(cancelledAfter(5))).toThrow(OperationCancelled);
        expect(exploration.progress()).toMatchObject({ phase: 'initial states' });
    });

    test('a cancelled exploration stops in the middle of the search and of a trace', async () => {
        const search = new Exploration(sequentialOf(await diningPhilosophers(7)), { continueAfterViolation: true });
        expect(() => search.advance(cancelledAfter(5))).toThrow(OperationCancelled);
        expect(search.progress()).toMatchObject({ phase: 'search' });

        const trace = new Exploration(sequentialOf(await counter(2000, 2000)));
        while (trace.progress().phase !== 'traces') {
            trace.advance(slices(1));
        }
        expect(() => trace.advance(cancelledAfter(2))).toThrow(OperationCancelled);
    });
});

/** 2^40 of them. */
const MANY_INITIAL_STATES = await modelOf('var x: bool[1 .. 40] = any process P { loop { skip } }');

describe('limits', () => {
    test('a limit on states leaves the question undecided', async () => {
        const report = explore(await diningPhilosophers(6), { maxStates: 100 });
        expect(report).toMatchObject({ verdict: 'undecided', states: 100, limit: { kind: 'states', value: 100 } });
    });

    test('as many states as the limit allows are no reason to stop', async () => {
        expect(explore(await readersWriters(2, 1), { maxStates: 22 }).verdict).toBe('holds');
        expect(explore(await readersWriters(2, 1), { maxStates: 21 }).verdict).toBe('undecided');
    });

    test('initial states count too, however many there are', () => {
        const report = explore(MANY_INITIAL_STATES, { maxStates: 1000 });
        expect(report).toMatchObject({ verdict: 'undecided', states: 1000, transitions: 0 });
    });

    test('a limit on memory is kept', async () => {
        const maxMemoryBytes = 400_000;
        const report = explore(await semaphoreMutex(12), { maxMemoryBytes });
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
            expect(explore(MANY_INITIAL_STATES)).toMatchObject({
                verdict: 'undecided',
                states: Math.floor(2 ** 17 / 3),
                limit: { kind: 'memory' },
            });
        } finally {
            vi.unstubAllGlobals();
        }
    });

    test('the caller can stop it, and a violation found before is reported with its trace', async () => {
        const exploration = new Exploration(sequentialOf(await counter(10_000, 5)), { continueAfterViolation: true });
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
    test('exploration stops at the first one unless told to go on', async () => {
        const stopped = explore(await counter(100, 5), { continueAfterViolation: false });
        expect(stopped).toMatchObject({ verdict: 'violated', states: 6, depth: 5 });
        expect(explore(await counter(100, 5))).toMatchObject({ verdict: 'violated', states: 101, depth: 100 });
    });

    test('a trace starts in an initial state and each entry says what happened and what changed', async () => {
        const [violation] = explore(await counter(100, 2)).violations;
        expect(violation).toMatchObject({ kind: 'invariant', name: 'low' });
        expect(violation?.trace).toMatchObject([
            { step: null, state: { x: 0 }, changed: [] },
            { step: { process: 'P', label: 'increment' }, state: { x: 1 }, changed: ['x'] },
            { step: { process: 'P', label: 'increment' }, state: { x: 2 }, changed: ['x'] },
        ]);
    });

    test('the step of an event names all instances that meet', async () => {
        const [deadlock] = explore(await diningPhilosophers(2)).violations;
        expect(deadlock?.trace[1]?.step).toMatchObject({ process: 'Phil[0] & Fork[1]', label: 'get[0, 1]' });
    });

    test('the last entry of a fault is the step that has no successor', async () => {
        const faulty = await modelOf('var x: 0 .. 2 = 0 process P { loop { x := x + 1 } }');
        const report = explore(faulty);
        expect(report).toMatchObject({ states: 3, transitions: 3 });
        expect(report.violations).toMatchObject([{ kind: 'fault', name: 'range', range: { start: { line: 0 } } }]);
        const trace = report.violations[0]?.trace ?? [];
        expect(trace.map(({ state }) => state)).toEqual([{ x: 0 }, { x: 1 }, { x: 2 }, { x: 2 }]);
        expect(trace.at(-1)).toMatchObject({ fault: 'range', changed: [] });
    });

    test('there is one for each kind, name and place, shortest trace first', async () => {
        const report = explore(
            await modelOf(`
                var x: 0 .. 9 = 0
                process P[i: 1 .. 3] { loop { choose { x := x + 1 }
                    or { assert x < 4 }
                    or { assert x < 6 } } }
                invariant small = x < 8
                invariant tiny = x < 2`),
        );
        expect(
            report.violations.map(({ name, range, trace }) => [name, (range?.start.line ?? 0) + 1, trace.length]),
        ).toEqual([
            ['tiny', 7, 3],
            ['assert', 4, 6],
            ['assert', 5, 8],
            ['small', 6, 9],
            ['range', 3, 11],
        ]);
    });

    test('a limit on their number ends the search', async () => {
        const two = await modelOf(`
            var x: 0 .. 50 = 0
            process P { loop { { if x < 50 { x := x + 1 } } } }
            invariant a = x < 3
            invariant b = x < 5
            invariant c = x < 7`);
        // a is violated from 3 on, b from 5 on.
        expect(explore(two, { maxViolations: 4, continueAfterViolation: false })).toMatchObject({
            states: 6,
            violations: [{ name: 'a' }, { name: 'a' }, { name: 'a' }, { name: 'b' }],
        });
        expect(explore(two, { maxViolations: 1 })).toMatchObject({ states: 51, violations: [{ name: 'a' }] });
        expect(explore(two)).toMatchObject({ states: 51, violations: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    });

    test('an invariant that faults is a fault, not a violation of the invariant', async () => {
        const report = explore(
            await modelOf(`
                var x: 0 .. 1 = 0
                process P { loop { skip } }
                invariant broken = forall i in 0 .. 1: 1 div x == i`),
        );
        expect(report.violations).toMatchObject([{ kind: 'fault', name: 'division', trace: [{ step: null }] }]);
    });

    test('only the properties asked for are checked', async () => {
        expect(explore(await counter(9, 5), { properties: ['deadlock'] }).violations.map(({ kind }) => kind)).toEqual([
            'deadlock',
        ]);
        expect(explore(await counter(9, 5), { properties: ['low'] }).violations.map(({ kind }) => kind)).toEqual([
            'invariant',
        ]);
        expect(explore(await counter(9, 5), { properties: [] })).toMatchObject({ verdict: 'holds', deadlocks: 1 });
    });

    test('a local that holds no value is left out of the state', async () => {
        const trace = explore(
            await modelOf(`
                var flag: bool = false
                process P { var k: 0 .. 3 = 2; when k == 2 { } flag := !flag }
                invariant never = !flag`),
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

describe('a search that finishes a depth', () => {
    const found = ({ violations }: ExplorationResult['report'] & object): readonly string[] =>
        violations.map(({ kind, name, trace }) => `${kind} ${name} ${trace.length - 1}`).sort();

    test('finds all that is violated by the fewest steps, and nothing behind that', async () => {
        // Either of two steps violates something, and so does one more step.
        const model = await modelOf(`
            var x: 0 .. 9 = 0
            var y: 0 .. 9 = 0
            process P { loop { up: when x < 9 { x := x + 1 } } }
            process Q { loop { up: when y < 9 { y := y + 1 } } }
            invariant first = x < 2
            invariant second = y < 2
            invariant third = x + y < 3`);
        expect(found(explore(model, { continueAfterViolation: false }))).toEqual(['invariant first 2']);
        const options = { continueAfterViolation: false, finishesDepth: true };
        expect(found(explore(model, options))).toEqual(['invariant first 2', 'invariant second 2']);
        expect(found(explore(model, { ...options, meant: new Set(['first', 'second']) }))).toEqual([
            'invariant first 2',
            'invariant second 2',
            'invariant third 3',
        ]);
    });

    test('finds what is violated at the start, and a deadlock beside a violation of one step more', async () => {
        const options = { continueAfterViolation: false, finishesDepth: true };
        const atStart = await modelOf(`
            var x: 0 .. 2 = any
            process P { loop { up: when x < 2 { x := x + 1 } } }
            invariant zero = x != 0
            invariant one = x != 1
            allow deadlock`);
        expect(found(explore(atStart, options))).toEqual(['invariant one 0', 'invariant zero 0']);
        const stuck = await modelOf(`
            var x: 0 .. 9 = 0
            process P { loop { choose { a: when x == 0 { x := 1 } } or { b: when x == 0 { x := 5 } }
                or { c: when x == 5 { x := 6 } } } }
            invariant low = x < 6`);
        // The state with 1 has no step, and that with 5 has one to 6: both are expanded at depth 1.
        expect(found(explore(stuck, options))).toEqual(['deadlock deadlock 1', 'invariant low 2']);
        // The last of all states has no step.
        const last = await modelOf(`
            var x: 0 .. 2 = 0
            process P { loop { up: when x < 2 { x := x + 1 } } }`);
        expect(found(explore(last, options))).toEqual(['deadlock deadlock 2']);
    });
});
