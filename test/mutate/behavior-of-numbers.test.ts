/** What classes of numbers without end say of a mutant, beside all its runs of some steps with the numbers themselves. */
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { behaviorOf, effectOf, nameOfStep } from '../../engine/mutate/behavior.js';
import { commonNumbers } from '../../engine/mutate/common-numbers.js';
import { mutationsOf } from '../../engine/mutate/mutations.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { withRealNumbers } from '../../engine/sequential/numbers/real-numbers.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { modelOf } from '../model-of-text.js';

/** All states and firings of the runs of at most so many steps, as texts. */
function factsOf(given: SequentialModel, steps: number): ReadonlySet<string> {
    const model = withRealNumbers(given);
    const textOf = (state: Readonly<Int32Array>): string =>
        state.filter((_, cell) => model.cells[cell]?.kind !== 'temporary').join();
    const first = new Int32Array(model.cells.length);
    new InitialStates(model).nextInto(first, UNLIMITED);
    const successors = interpretedSuccessors(model);
    const facts = new Set<string>();
    let level = new Map<string, Readonly<Int32Array>>([[textOf(first), first]]);
    for (let step = 0; step < steps; step++) {
        const next = new Map<string, Int32Array>();
        for (const [from, state] of level) {
            const firing = (summand: number, to: string): boolean => {
                const fired = model.summands[summand];
                invariant(fired !== undefined, 'it is a summand');
                facts.add(`${from} ${nameOfStep(model, fired)} ${to}`);
                return true;
            };
            successors.forEachFiring(state, {
                fired: (summand, successor) => {
                    const to = textOf(successor);
                    next.set(to, successor.slice());
                    return firing(summand, to);
                },
                faulted: (summand, { kind }) => firing(summand, kind),
            });
        }
        level = next;
    }
    return facts;
}

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
    [...some].every(each => all.has(each));

const TEXTS: readonly string[] = [
    // Of one number that nothing is compared with all states are one class.
    `
        var count: nat = 0
        var on: bool = false
        process P { loop { choose { up: when !on { count := count + 1; on := true } } or { off: when on { on := false } } } }`,
    // As classes, counting by 1 and by 2 are one where only equality is asked for.
    `
        var version: nat = 0
        var seen: nat = 0
        var tries: 0 .. 2 = 0
        process P { loop { choose
            { change: when tries < 2 && tries <= 2 { version := version + 1; tries := tries + 1 } }
            or { look: when seen != version || tries == 2 { seen := version; tries := 0 } }
            or { again: when seen == version && tries == 0 { seen := version } } } }`,
    `
        var next: nat = 0
        var serving: nat = 0
        var held: bool = false
        process Draw { loop { draw: when next <= serving + 1 { next := next + 1 } } }
        process Serve { loop { choose
            { enter: when !held && serving < next { held := true } }
            or { leave: when held && serving <= next { held := false; serving := serving + 1 } } } }`,
    // A dropped assignment makes two sorts of one.
    `
        var a: nat = 0
        var b: nat = 0
        var c: nat = 3
        process P { loop { choose
            { up: when a <= b + 2 { a := a + 1 } }
            or { take: when a != b { b := a } }
            or { keep: when c < b && a == b { c := b } }
            or { most: when a == b { c := max(c, b + 1) } } } }`,
    // The number that is kept is always 1 more, and a class does not show that: there is no other effect.
    `
        var x: nat = 0
        var y: nat = 0
        var z: nat = 0
        process P { loop { up: { z := y + 1; x := y } down: { x := z; x := y + 1; z := y } } }`,
    // Locals of the same name, one of which is no number without end.
    `
        var c: nat = 0
        var out: 0 .. 9 = 0
        process P { loop {
            loop { var x: nat = 0
                mark: { x := c }
                choose { up: when x <= c { c := x + 1 } } or { leave: skip; break } }
            loop { var x: 0 .. 9 = 5
                set: { x := 7 }
                take: when x > 6 { out := x };
                break }
        } }`,
    // The distance of two clocks becomes long, and a step adds to the lower one.
    `
        var fast: nat = 0
        var slow: nat = 0
        var stamp: nat = 0
        process P { loop { choose
            { run: when fast < slow + 2 { fast := fast + 2 } }
            or { walk: when slow + 1 <= fast { slow := slow + 1 } }
            or { note: when stamp != slow && stamp <= slow { stamp := slow } } } }`,
    // Rests, absent numbers, messages.
    `
        type Id = 1 .. 2
        var head: nat = 0
        var tail: nat = 0
        var buffer: bool[0 .. 1] = false
        process Put { loop { put: when head != tail + 2 && head <= tail + 1 { buffer[head mod 2] := true; head := head + 1 } } }
        process Get { loop { get: when tail < head && buffer[tail mod 2] { buffer[tail mod 2] := false; tail := tail + 1 } } }`,
    `
        var last: nat? = none
        var now: nat = 0
        var seen: nat? = none
        process P { loop { choose
        { tick: when last == none || last != none && last + 2 > now { now := now + 1 } }
        or { mark: when last == none || last != none && last < now { last := now } }
        or { drop: when last != none && seen == none { seen := last; last := none } }
        or { forget: when seen != none { seen := none } } } }`,
    `
        channel c: 2 of nat
        var n: nat = 0
        var got: nat = 0
        process S { loop { send: when !full(c) && n <= got + 1 { c := append(c, n); n := n + 1 } } }
        process R { var m: nat
        loop { receive: when !empty(c) { m := head(c); c := tail(c) }
        take: when m >= got { got := m + 1 } } }`,
];

test('each mutant', async () => {
    const places = new Map<string, number>();
    const kinds = new Set<string | undefined>();
    for (const text of TEXTS) {
        const model = await modelOf(text);
        const { sequential } = linearize(model);
        invariant(sequential !== undefined, 'it is a model');
        const known = factsOf(sequential, 9);
        const mutations = mutationsOf(
            model,
            createTextOf(() => text),
        );
        for (const { changed, from, to } of mutations) {
            const mutant = linearize(changed()).sequential;
            invariant(mutant !== undefined, 'a mutant is a model');
            const numbers = commonNumbers([sequential, mutant], []);
            const [before, after] = [sequential, mutant].map(each =>
                behaviorOf(each, 5_000, UNLIMITED, places, { numbers }),
            );
            invariant(before !== undefined && after !== undefined, 'there are few classes');
            const found = factsOf(mutant, 9);
            const isLess = isWithin(found, known);
            const expected = isWithin(known, found) ? (isLess ? 'same' : 'more') : isLess ? 'less' : 'other';
            const kind = effectOf(before, after)?.kind;
            // Where a class may have states that are not reached, it is not said.
            expect(kind ?? expected, `${from} => ${to}`).toBe(expected);
            kinds.add(kind);
        }
    }
    expect(kinds).toEqual(new Set(['same', 'more', 'less', 'other', undefined]));
});
