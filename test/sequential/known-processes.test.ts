/** Processes that an edit has not touched are taken from the linearization before, which changes nothing of the result. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withKnownParts } from '../../engine/common/same-data.js';
import { createRandom } from '../../engine/common/random.js';
import type { Model } from '../../engine/model/model.js';
import { LinearizationMemory } from '../../engine/sequential/known-processes.js';
import { linearize, type Linearization } from '../../engine/sequential/linearize.js';
import { loadModel } from '../../language-server/load-model.js';
import { editedTexts } from '../arbitrary/edits.js';
import { models } from '../arbitrary/models.js';

async function modelOf(text: string): Promise<Model | undefined> {
    return (await loadModel(text, 'file:///model.orbit')).model;
}

/** The linearizations of texts one after the other, each compared with the one from nothing. */
async function linearized(texts: readonly string[]): Promise<Linearization[]> {
    const memory = new LinearizationMemory();
    const results: Linearization[] = [];
    let last: Model | undefined;
    for (const text of texts) {
        const current = await modelOf(text);
        if (current === undefined) {
            continue;
        }
        const model = last === undefined ? current : withKnownParts(last, current);
        expect(model).toEqual(current);
        const result = linearize(model, memory);
        expect(result).toEqual(linearize(current));
        results.push(result);
        last = model;
    }
    return results;
}

test('whatever is edited, the sequential model is that of the text', async () => {
    await fc.assert(
        fc.asyncProperty(models(), fc.nat(), (model, seed) =>
            linearized(editedTexts(model, 6, createRandom(seed))).then(() => true),
        ),
        { numRuns: 12 },
    );
});

const MODEL = `model Mixed
type Id = 0 .. 2
enum Phase = { out, inside }
var a: 0 .. 3[Id] = 0
var b: Phase[Id] = out
var first: 0 .. 3 = 0
var second: 0 .. 3 = 1
channel mail[Id]: 1 of 0 .. 3
event both[Id]

function more(x: 0 .. 3): 0 .. 3 = if x < 3 then x + 1 else x

process Counter[i: Id] {
    var k: 0 .. 3 = 0
    loop {
        choose { up: when a[i] < 3 { a[i] := more(a[i]); k := a[i] } }
        or { swap: when k > 0 { let kept = first; first := second; second := kept; k := 0 } }
    }
}

process Guest[i: Id] {
    loop {
        enter: when b[i] == out { b[i] := inside }
        choose { sent: mail[i] ! a[i] }
        or { got: mail[i] ? first }
        met: both[i];
        leave: when forall j in Id: !(Host[j] at idle) { b[i] := out }
    }
}

process Host[i: Id] {
    loop {
        idle: when b[i] == inside && a[i] < 2 { let seen = a[i]; a[i] := seen + 1 }
        met: both[i] { b[i] := out }
    }
}

process Plain[i: Id] {
    loop { when a[i] == 3 { a[i] := 0 } }
}

invariant bounded = forall i in Id: a[i] <= 3
allow deadlock
`;

const FAMILIES = ['Counter', 'Guest', 'Host', 'Plain'];

function summandsOf({ sequential }: Linearization, family: number): readonly unknown[] {
    return sequential!.summands.filter(
        ({ participants }) =>
            participants.length === 1 && sequential!.instances[participants[0]!.instance]!.process === family,
    );
}

/** The families all of whose steps without others are those that they were before an edit. */
async function keptAfter(before: string, after: string): Promise<string[]> {
    const [first, second] = await linearized([MODEL, MODEL.replace(before, after)]);
    return FAMILIES.filter((_, family) => {
        const known = new Set(summandsOf(first!, family));
        const now = summandsOf(second!, family);
        expect(now.length).toBeGreaterThan(0);
        return now.every(summand => known.has(summand));
    });
}

test.each<[string, string, string, string[]]>([
    // The steps of guests ask where hosts are, so they are made anew with any other. What is sent is a step of its own.
    ['a guard', 'a[i] < 3 {', 'a[i] < 2 {', ['Host', 'Plain']],
    ['the guard of a step that has a name for a value', 'a[i] < 2 {', 'a[i] < 3 {', ['Counter', 'Plain']],
    ['an invariant', 'a[i] <= 3', 'a[i] <= 2', ['Counter', 'Host', 'Plain']],
    ['an initial value', 'b: Phase[Id] = out', 'b: Phase[Id] = any', ['Counter', 'Host', 'Plain']],
    // All cells of locals that follow get other numbers.
    ['a local', 'var k: 0 .. 3 = 0', 'var k: 0 .. 3 = 0  var l: bool = false', []],
    ['the type of a variable', 'var a: 0 .. 3', 'var a: 0 .. 4', []],
    ['a function', 'then x + 1 else x', 'then x + 1 else 0', []],
    ['the number of instances', 'Id = 0 .. 2', 'Id = 0 .. 3', []],
    ['the lines of all that follows', 'process Counter', '\nprocess Counter', []],
    ['a documentation', 'process Plain', '/// Back to the beginning.\nprocess Plain', ['Counter', 'Host']],
])('an edit of %s leaves the steps of the families that it does not touch', async (_, before, after, kept) => {
    expect(MODEL).toContain(before);
    expect(await keptAfter(before, after)).toEqual(kept);
});

test('where a limit is near, everything is made anew', async () => {
    // Each of 320 guards has 320 operands: a third of all that there may be.
    const wide = (index: number): string => `model Wide
var x: bool[0 .. 319] = false
process P[i: 0 .. 319] { loop { when forall j in 0 .. 319: x[j] || j != i { x[i] := true } } }
process Q { loop { when x[${index}] { x[0] := false } } }
allow deadlock
`;
    const memory = new LinearizationMemory();
    const first = (await modelOf(wide(1)))!;
    const second = withKnownParts(first, (await modelOf(wide(2)))!);
    expect(second.processes[0]).toBe(first.processes[0]);
    const [before, after] = [linearize(first, memory), linearize(second, memory)];
    expect(summandsOf(before, 0).length).toBe(320);
    expect(summandsOf(after, 0)[0]).not.toBe(summandsOf(before, 0)[0]);
});

test('what is taken over counts where the rest comes near to a limit', async () => {
    // The guards have a tenth of the nodes that there may be, the second invariant most of them.
    const text = (most: number): string => `model Wide
type Id = 0 .. 499
var x: bool[Id] = false
process P[i: 0 .. 79] { loop { when forall j in Id: x[j] || j != i { x[i] := true } } }
invariant pairs = forall i in 0 .. ${most}: forall j in Id: x[i] || x[j]
allow deadlock
`;
    const memory = new LinearizationMemory();
    const first = (await modelOf(text(1)))!;
    const second = withKnownParts(first, (await modelOf(text(400)))!);
    expect(linearize(first, memory).problems).toEqual([]);
    const [problem] = linearize(second).problems;
    expect(problem?.code).toBe('limit/expression-size');
    expect(linearize(second, memory).problems).toEqual([problem]);
});
