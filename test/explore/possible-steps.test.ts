import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { possibleSteps, shortestWay } from '../../engine/explore/possible-steps.js';
import { simulate } from '../../engine/explore/simulate.js';
import { createRandom } from '../../engine/common/random.js';
import { instancesNamedIn } from '../../engine/explore/instance-names.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { walkGrowing, withRoomFor } from '../../engine/verdict/enough-slots.js';
import { modelOf, sequentialOf } from '../model-of-text.js';

test.each([
    'alternating-bit',
    'bakery',
    'chang-roberts',
    'dining-philosophers',
    'paxos-single',
    'raft-election',
    'hanoi',
])('each step of a walk through %s is among those that are possible in the state before', async name => {
    const model = await sequentialOf(readFileSync(`models/${name}.orbit`, 'utf8'));
    const walk = simulate(model, { random: createRandom(7), steps: 60 });
    const trace = walk.kind === 'walk' ? walk.trace : [];
    expect(trace.length).toBeGreaterThan(1);
    trace.slice(1).forEach((entry, index) => {
        const steps = possibleSteps(model, trace[index]!.state)?.map(step => step.entry) ?? [];
        expect(steps).toContainEqual(entry);
    });
    expect(possibleSteps(model, undefined)!.map(({ entry }) => entry)).toContainEqual(trace[0]);
});

test.each(['challenge-response', 'sessions'])(
    'so is each step of a walk through %s, with new names in it',
    async name => {
        const model = await modelOf(readFileSync(`models/${name}.orbit`, 'utf8'));
        const { sequential } = linearize(model);
        const walk = walkGrowing(model, sequential!, enough =>
            simulate(enough, { random: createRandom(7), steps: 60 }),
        );
        const trace = walk.kind === 'walk' ? walk.trace : [];
        expect(trace.length).toBeGreaterThan(20);
        const created: Record<string, number> = {};
        for (let index = 1; index < trace.length; index++) {
            const { state } = trace[index - 1]!;
            for (const [template, numbers] of instancesNamedIn(sequential!, state)) {
                created[template] = Math.max(created[template] ?? 0, ...numbers);
            }
            const steps = possibleSteps(withRoomFor(model, sequential!, state), state, created);
            expect(steps?.map(({ entry }) => entry)).toContainEqual(trace[index]);
        }
    },
);

/** Sets as variables, in arrays, of records and in a record that may be none; one of them is a local of an instance. */
const COLLECTIONS = `model m
type T = 1 .. 3
record R = { a: T, b: bool[2] }
record O = { s: set of T, r: R? }
var s: set of T[2] = {}
var m: set of R = {}
var o: O? = none
process P[i: T] {
    var mine: set of T = {}
    loop {
        choose { add: s[0] := s[0] union { i } } or { note: m := m union { R(i, [true, false]) } }
        or { keep: { mine := s[0]; o := O(mine, none) } } or { drop: when o != none { o := none } }
    }
}
`;

/** Sequences as variables, of records and of values with fields. */
const SEQUENCES = `model m
enum M = { ask(b: 0 .. 3), stop }
record R = { a: 0 .. 1, b: bool[2] }
var q: seq 3 of M = [stop]
var r: seq 2 of R = []
channel c: 2 of M
var last: M = stop
process A {
    loop {
        choose { add: when len(q) < 3 { q := append(q, ask(2)) } } or { drop: when len(q) > 0 { q := tail(q) } }
        or { note: when len(r) < 2 { r := append(r, R(1, [true, false])) } } or { send: c ! stop } or { take: c ? last }
    }
}
`;

test.each([COLLECTIONS, SEQUENCES])('a state with collections and records is read as it is shown', async text => {
    const model = await sequentialOf(text);
    const walk = simulate(model, { random: createRandom(5), steps: 40 });
    const trace = walk.kind === 'walk' ? walk.trace : [];
    expect(trace.length).toBe(41);
    trace.slice(1).forEach((entry, index) => {
        expect(possibleSteps(model, trace[index]!.state)?.map(step => step.entry)).toContainEqual(entry);
    });
    const wrong = text === COLLECTIONS ? 'm' : 'q';
    expect(possibleSteps(model, { ...trace[0]!.state, [wrong]: '{R(4, true, false)}' })).toBeUndefined();
    expect(possibleSteps(model, { ...trace[0]!.state, [wrong]: 'R(1, true, false)' })).toBeUndefined();
});

const TWO_BLOCKS = `model m
var x: 0 .. 9 = 0
process P { loop { choose { var t: 0 .. 9 = 1; a: x := t } or { var t: 0 .. 9 = 2; b: x := t } } }
`;

test('locals of two blocks with one name are told apart by what the steps read', async () => {
    const model = await sequentialOf(TWO_BLOCKS);
    const walk = simulate(model, { random: createRandom(1), steps: 20 });
    const trace = walk.kind === 'walk' ? walk.trace : [];
    trace.slice(1).forEach((entry, index) => {
        expect(possibleSteps(model, trace[index]!.state)?.map(step => step.entry)).toContainEqual(entry);
    });
});

test('a step says what is violated after it, a fault before it', async () => {
    const model = await sequentialOf(
        'model m\nvar x: 0 .. 1 = 0\nprocess P { loop { up: x := x + 1 } }\ninvariant low = x == 0\n',
    );
    const first = possibleSteps(model, { x: 0 });
    expect(first?.map(({ findings }) => findings.map(({ name }) => name))).toEqual([['low']]);
    const second = possibleSteps(model, { x: 1 });
    expect(second).toMatchObject([{ entry: { fault: 'range' }, findings: [{ kind: 'fault', name: 'range' }] }]);
});

test('the way to a label is a shortest one, and each of its steps follows from the one before', async () => {
    const model = await sequentialOf(readFileSync('models/semaphore-mutex.orbit', 'utf8'));
    const [start] = possibleSteps(model, undefined)!;
    const way = shortestWay(model, start!.entry.state, 'leave', UNLIMITED)!;
    expect(way.map(({ step }) => step?.label)).toEqual(['try', 'enter', 'leave']);
    let state = start!.entry.state;
    for (const entry of way) {
        expect(possibleSteps(model, state)?.map(step => step.entry)).toContainEqual(entry);
        ({ state } = entry);
    }
    expect(shortestWay(model, start!.entry.state, 'P[2] leave', UNLIMITED)?.at(-1)?.step?.process).toBe('P[2]');
    expect(shortestWay(model, start!.entry.state, 'nowhere', UNLIMITED)).toBeUndefined();
});

test('values of another model are no state', async () => {
    const model = await sequentialOf(TWO_BLOCKS);
    expect(possibleSteps(model, { x: 12 })).toBeUndefined();
    expect(possibleSteps(model, { y: 1 })).toBeUndefined();
});
