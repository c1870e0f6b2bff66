/** Verdicts that are meant: what is expected, what is missing, and how far the search goes on. */
import { describe, expect, test } from 'vitest';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { analysisOf } from '../model-of-text.js';
import { exploreText, outcomesOf } from './stated-runs.js';

/** A counter, which reaches `top` and stays there. */
const COUNTER = `
model Counter
param top: 1 .. 9 = 3
var x: 0 .. 9 = 0
process Up { loop { up: when x < top { x := x + 1 } } }
allow deadlock
`;

function surprisesOf({ unexpected = [] }: ExplorationReport): readonly string[] {
    return unexpected.map(({ kind, name }) => `${kind} ${name}`);
}

describe('runs that are to exist', () => {
    test('a run may be there at the start: it has no step', async () => {
        const report = await exploreText(`${COUNTER}run start = x == 0`);
        expect(outcomesOf(report)).toEqual({ start: 0 });
        expect(report.verdict).toBe('holds');
    });

    test('what comes behind `then` counts from there on, or at once, and not before', async () => {
        const report = await exploreText(
            `${COUNTER}run forth = x == 1 then x == 3\nrun back = x == 2 then x == 1\nrun same = x == 2 then x >= 1`,
        );
        expect(outcomesOf(report)).toEqual({ forth: 3, back: 'none', same: 2 });
        expect(report.runs?.map(({ parts }) => parts)).toEqual([[1, 3], undefined, [2, 2]]);
        expect(surprisesOf(report)).toEqual(['none back']);
        expect(report.verdict).toBe('violated');
    });

    test('behind `takes` the next part looks from the state after the step', async () => {
        const report = await exploreText(
            `${COUNTER}run after = Up takes up then x == 0\nrun once = Up takes up then x == 1\nrun twice = Up takes up then Up takes up`,
        );
        expect(outcomesOf(report)).toEqual({ after: 'none', once: 1, twice: 2 });
        // The step of `twice` leaves the second state, and the run ends behind it.
        expect(report.runs?.[2]?.parts).toEqual([0, 1]);
    });

    test('a run about one member is shown for that one', async () => {
        const report = await exploreText(`
            model Members
            type Id = 1 .. 4
            var on: bool[Id] = false
            process P[i: Id] { go: on[i] := true }
            allow deadlock
            run third = on[3]
            run pair = on[2] then on[4] && !on[1]
        `);
        expect(outcomesOf(report)).toEqual({ third: 1, pair: 2 });
        const [third, pair] = report.runs ?? [];
        expect(third?.found?.trace.at(-1)?.step?.process).toBe('P[3]');
        expect(pair?.found?.trace.map(({ step }) => step?.process)).toEqual([undefined, 'P[2]', 'P[4]']);
        // The variable that counts parts is not shown.
        expect(Object.keys(pair?.found?.trace[0]?.state ?? {})).not.toContain('parts of pair');
        // All symmetries stay: the images of the condition are asked together.
        expect(report.states).toBe(5);
    });

    test('images are those under symmetries that keep the start', async () => {
        // One step of an image, which starts in no initial state, would come there.
        const report = await exploreText(`
            model Start
            type Id = 1 .. 3
            var token: Id = 1
            var mark: Id = 1
            process P[i: Id] {
                loop { enter: when token == i && mark == i { token := i }; cs: skip }
            }
            process Mover { loop { choose t in Id, m in Id where t != m { move: { token := t; mark := m } } } }
            run second = P[2] at cs
            run first = P[1] at cs
        `);
        expect(outcomesOf(report)).toEqual({ second: 'none', first: 1 });
    });

    test('a condition over very many values has the symmetries that move none of its cells', async () => {
        const report = await exploreText(`
            model Large
            type I = 1 .. 3
            var x: 0 .. 1000000000 = 0
            var a: bool[I] = false
            process P[i: I] { go: a[i] := true }
            process Q { up: x := x + 1 }
            allow deadlock
            run both = a[1] && x == 1
        `);
        // By hand: two values of a[1], three numbers of others, two values of x.
        expect([outcomesOf(report), report.states]).toEqual([{ both: 2 }, 12]);
    });

    test('a fault in the condition is one of the model', async () => {
        const report = await exploreText(
            `${COUNTER}run odd = 6 div (2 - x) == 9\nrun later = x == 1 then 6 div (2 - x) == 9`,
        );
        expect(report.violations.map(({ kind, invariant }) => [kind, invariant])).toEqual([['fault', 'odd']]);
        const alone = await exploreText(`${COUNTER}run later = x == 1 then 6 div (2 - x) == 9`);
        expect(alone.violations.map(({ kind, invariant, trace }) => [kind, invariant, trace.length])).toEqual([
            ['fault', 'later', 3],
        ]);
        expect(alone.verdict).toBe('violated');
    });

    test('a run that was not looked for to the end is undecided', async () => {
        const report = await exploreText(
            `${COUNTER}run far = x == 9\nrun two = x == 1 then x == 9`,
            { maxStates: 2 },
            { top: 9 },
        );
        expect(outcomesOf(report)).toEqual({ far: 'undecided', two: 'undecided' });
        expect(report.verdict).toBe('undecided');
    });

    test('a violation that nobody expects ends the search; runs that were not seen are open', async () => {
        const report = await exploreText(`${COUNTER}invariant low = x < 1\nrun far = x == 3`);
        expect([report.verdict, outcomesOf(report)]).toEqual(['violated', { far: 'undecided' }]);
        const whole = await exploreText(`${COUNTER}invariant low = x < 1\nrun far = x == 3`, {
            continueAfterViolation: true,
        });
        expect([whole.verdict, outcomesOf(whole)]).toEqual(['violated', { far: 3 }]);
    });

    test('processes that are created may be part of a run', async () => {
        const report = await exploreText(`
            model Workers
            process W(k: 1 .. 2) { work: skip }
            process Boss { first: spawn W(1); second: spawn W(2) }
            run two = count(w in W: true) == 2
            run order = (exists w in W: w.k == 1) then (count(w in W: true) == 0) then (exists w in W: w.k == 2)
        `);
        expect(outcomesOf(report)).toEqual({ two: 2, order: 3 });
    });
});

describe('runs beside properties', () => {
    const TWO = `
        model Two
        type I = 1 .. 2
        var x: bool[I] = false
        var n: bool = false
        process P[i: I] { loop { go: when !n { x[i] := true; n := true } } }
        allow deadlock
    `;

    test('no symmetry exchanges a run with an invariant: one is to be found, the other one not', async () => {
        const report = await exploreText(`${TWO}invariant one = !x[1]\nrun two = x[2]`, {
            continueAfterViolation: true,
        });
        expect([report.violations.map(({ name }) => name), outcomesOf(report)]).toEqual([['one'], { two: 1 }]);
        const stated = await exploreText(`${TWO}property one = always !x[1]\nrun two = x[2]`);
        expect(stated.verdict).toBe('violated');
    });

    test('a run with several parts is looked for behind faults of its parts', async () => {
        const faulty = `
            model Faulty
            var k: 0 .. 5 = 0
            var a: bool[0 .. 3] = false
            process P { choose { go: k := 5 } or { far: k := 2; near: k := 1 } }
            allow deadlock
            run found = k == 1 || a[k] then true
            expect violated faults
        `;
        const report = await exploreText(faulty);
        expect([report.verdict, outcomesOf(report)]).toEqual(['holds', { found: 2 }]);
        // A fault counts, too, if it comes after the run was found.
        const later = await exploreText(faulty.replace('k := 5', 'k := 1').replace('near: k := 1', 'near: k := 5'));
        expect([later.verdict, outcomesOf(later), surprisesOf(later)]).toEqual(['holds', { found: 1 }, []]);
    });

    test('a part about a state or a step is met in a last state, too', async () => {
        const report = await exploreText(`
            model Last
            var x: 0 .. 3 = 0
            process P { go: x := 1; stop: x := 2 }
            run either = x == 2 || P takes stop && x == 7
        `);
        expect(outcomesOf(report)).toEqual({ either: 2 });
    });

    test('with more violations of each, an expected one is kept once, and an alike one as often as it is', async () => {
        const text = `
            model More
            type I = 1 .. 2
            var x: bool[I] = false
            var c: 0 .. 3 = 0
            process P[i: I] { loop { choose { go: when !x[1] && !x[2] { x[i] := true } } or { inc: when c < 3 { c := c + 1 } } } }
            invariant one = !x[2]
            invariant two = !x[1]
            expect violated one
            allow deadlock
        `;
        const counts = async (reduction: 'none' | 'unique'): Promise<readonly number[]> => {
            const { violations } = await exploreText(text, { reduction, maxViolations: 9 });
            return ['one', 'two'].map(name => violations.filter(violation => violation.name === name).length);
        };
        expect(await counts('unique')).toEqual([1, 4]);
        expect(await counts('none')).toEqual([1, 4]);
    });
});

describe('expected violations', () => {
    const EXPECTING = `${COUNTER}invariant low = x < 2\nexpect violated low when top > 1\n`;

    test('an expected violation is as it should be, and stays in the report', async () => {
        const report = await exploreText(EXPECTING);
        expect(report.verdict).toBe('holds');
        expect(report.violations.map(({ name, expected, trace }) => [name, expected, trace.length])).toEqual([
            ['low', true, 3],
        ]);
        // The search has gone on.
        expect(report.states).toBe(4);
    });

    test('a missing one is a surprise, and so is one that is not expected for this value', async () => {
        const missing = await exploreText(`${COUNTER}invariant low = x < 2\nexpect violated low`, {}, { top: 1 });
        expect([missing.verdict, surprisesOf(missing)]).toEqual(['violated', ['missing low']]);
        const right = await exploreText(EXPECTING, {}, { top: 1 });
        expect([right.verdict, right.violations]).toEqual(['holds', []]);
    });

    test('several for one name are an `or`', async () => {
        const report = await exploreText(`${EXPECTING}expect violated low when top == 1`);
        expect(report.verdict).toBe('holds');
    });

    test('an expected violation and a limit are undecided', async () => {
        const report = await exploreText(EXPECTING, { maxStates: 3 });
        expect([report.verdict, report.violations.map(({ expected }) => expected)]).toEqual(['undecided', [true]]);
    });

    test('the first violation that is not expected ends the search, behind those that are', async () => {
        const report = await exploreText(`${EXPECTING}invariant lower = x < 3`);
        expect(report.violations.map(({ name, expected }) => [name, expected])).toEqual([
            ['low', true],
            ['lower', undefined],
        ]);
        expect(report.verdict).toBe('violated');
    });

    test('an endless search ends when all that is asked for by name is decided', async () => {
        const endless = `
            model Endless
            process W() { stay: when false skip }
            process Boss { loop { more: spawn W() } }
            invariant few = count(w in W: true) < 3
            expect violated few
        `;
        const asked = await exploreText(endless, { properties: ['few'] });
        expect([asked.verdict, asked.violations.length]).toEqual(['holds', 1]);
        const all = await exploreText(endless, { maxInstances: 4 });
        expect([all.verdict, all.limit?.kind]).toEqual(['undecided', 'instances']);
    });

    test('deadlocks and faults are expected by their names', async () => {
        const stuck = `
            model Stuck
            var x: 0 .. 2 = 0
            process P { up: x := x + 1; more: x := x + 2; never: when false skip }
        `;
        const both = await exploreText(`${stuck}expect violated faults`);
        expect([both.verdict, both.violations.map(({ kind, expected }) => [kind, expected])]).toEqual([
            'holds',
            [['fault', true]],
        ]);
        const deadlock = await exploreText(`${stuck.replace('x + 2', 'x + 1')}expect violated deadlock`);
        expect([deadlock.verdict, deadlock.violations.map(({ kind }) => kind)]).toEqual(['holds', ['deadlock']]);
        const missing = await exploreText(
            `${stuck.replace('x + 2', 'x + 1')}expect violated faults\nexpect violated deadlock`,
        );
        expect(surprisesOf(missing)).toEqual(['missing faults']);
    });

    test('a property of runs may be expected to be violated, and the others are checked all the same', async () => {
        const text = `
            model Runs
            var x: 0 .. 1 = 0
            process P { loop { choose { flip: x := 1 - x } or { stay: skip } } }
            property once = eventually x == 1
            property both = infinitely often x == 1
            expect violated once
        `;
        const report = await exploreText(text);
        expect(report.verdict).toBe('violated');
        expect(report.violations.map(({ name, expected }) => [name, expected])).toEqual([
            ['once', true],
            ['both', undefined],
        ]);
        const whole = await exploreText(`${text}expect violated both`);
        expect(whole.verdict).toBe('holds');
    });

    test('of two alike invariants one is expected, and the other is a surprise', async () => {
        const twins = `
            model Twins
            type Id = 1 .. 2
            var on: bool[Id] = false
            process P[i: Id] { go: on[i] := true }
            allow deadlock
            invariant one = !on[1]
            invariant two = !on[2]
            expect violated one
        `;
        const report = await exploreText(twins);
        expect([report.verdict, report.violations.map(({ name, expected }) => [name, expected])]).toEqual([
            'violated',
            [
                ['one', true],
                ['two', undefined],
            ],
        ]);
    });
});

describe('expect every step', () => {
    test('a step that no run takes is a surprise at the statement', async () => {
        const report = await exploreText(
            `${COUNTER.replace('loop {', 'loop { choose {').replace('+ 1 }', '+ 1 } } or { dead: when x > 5 skip }')}expect every step`,
        );
        expect([report.verdict, surprisesOf(report)]).toEqual(['violated', ['dead Up dead']]);
    });

    test('an image is not enough where the start moves', async () => {
        // Both are 1 at the start only, and never 2.
        const text = `
            model Images
            type Id = 1 .. 2
            var token: Id = 1
            var mark: Id = 1
            process P { loop { p: when token == 1 && mark == 1 { skip } } }
            process Q { loop { q: when token == 2 && mark == 2 { skip } } }
            process M { loop { choose i in Id { move: { token := i; mark := 3 - i } } } }
        `;
        const { symmetry } = await analysisOf(text);
        // One exchanges the two variables; the other ones exchange 1 and 2, and move the start.
        expect([symmetry?.startGroup.order, symmetry?.explorationGroup.order]).toEqual([2n, 4n]);
        const plain = await exploreText(`${text}expect every step`, { reduction: 'none' });
        const reduced = await exploreText(`${text}expect every step`);
        expect(surprisesOf(plain)).toEqual(['dead Q q']);
        expect(surprisesOf(reduced)).toEqual(['dead Q q']);
    });

    test('it asks for all steps, whatever order would be enough', async () => {
        const report = await exploreText(`${COUNTER}expect every step`, { partialOrder: 'shortest' });
        expect([report.verdict, report.states]).toEqual(['holds', 4]);
    });

    test('with properties by name it is not asked', async () => {
        const text = `${COUNTER.replace('loop {', 'loop { choose {').replace('+ 1 }', '+ 1 } } or { dead: when x > 5 skip }')}invariant small = x < 9\nexpect every step`;
        expect((await exploreText(text, { properties: ['small'] })).verdict).toBe('holds');
    });
});
