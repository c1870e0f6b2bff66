/** Which places of a model treat values of a type by number or order, told from where the values of variables flow. */
import { expect, test } from 'vitest';
import { createTextOf } from '../../engine/common/source-text.js';
import { placesOf } from '../../engine/explain/neutralize.js';
import { modelOf } from '../model-of-text.js';

/** The places that may tell values of the type apart, as the text has them. */
async function suspectsOf(type: string, text: string): Promise<string[]> {
    const places = placesOf(
        await modelOf(text),
        createTextOf(() => text),
    );
    // An assignment and what it assigns are two places.
    return [...new Set(places.filter(({ types }) => types.has(type)).map(place => place.text))];
}

test('a comparison with a number is about the values that are compared', async () => {
    const text = `
type Id = 0 .. 2
var level: 0 .. 2[Id] = 0
var turn: 0 .. 2 = 1
process P[i: Id] {
    loop {
        choose { up: when level[i] < 2 && turn == i { level[i] := level[i] + 1 } }
        or { down: when turn == 0 && i < 2 { turn := 2; level[i] := 0 } }
    }
}`;
    expect(await suspectsOf('Id', text)).toEqual(['turn = 1', 'turn == 0', 'i < 2', 'turn := 2']);
});

test('what is used as an index is one of its type, and so is what it is worked out from', async () => {
    const text = `
type Id = 0 .. 2
var asks: bool[Id] = false
var rounds: 0 .. 3 = 0
process P[i: Id] {
    var j: 0 .. 3 = 0
    loop {
        ask: { asks[i] := true; rounds := 1 };
        while j < 3 { next: when !asks[j] { j := j + 1 } }
        leave: when rounds < 2 { asks[i] := false; j := 0 }
    }
}`;
    expect(await suspectsOf('Id', text)).toEqual(['j = 0', 'j < 3', 'j := j + 1', 'j := 0']);
});

test('values flow through functions, channels, events and fields', async () => {
    const text = `
type Id = 0 .. 2
record Note = { from: 0 .. 2, count: 0 .. 2 }
var asks: bool[Id] = false
channel box: 1 of Note
event meet[0 .. 2]
function first(k: 0 .. 2): 0 .. 2 = if k > 1 then 0 else k
function many(k: 0 .. 2): bool = k > 1
process P[i: Id] {
    var n: Note
    loop {
        choose { post: box ! Note(i, 0) }
        or { read: box ? n; late: when many(n.count) && n.from != 1 meet[2] { asks[first(0)] := true } }
        or { meet[i] }
    }
}
allow deadlock`;
    const suspects = await suspectsOf('Id', text);
    expect(suspects).toContain('n.from != 1');
    expect(suspects).toContain('k > 1');
    expect(suspects).toContain('meet[2]');
    expect(suspects).not.toContain('many(n.count)');
});

test('a call is as suspicious as what the function does', async () => {
    const text = `
type Id = 0 .. 2
var x: bool[Id] = false
function inner(i: Id): bool = i < 2
function outer(i: Id): bool = inner(i)
function plain(i: Id): bool = x[i]
process P[i: Id] { loop { choose { a: when outer(i) { x[i] := !x[i] } } or { b: when plain(i) { x[i] := false } } } }`;
    expect(await suspectsOf('Id', text)).toEqual(['i < 2', 'outer(i)']);
});

test('initial values that differ, defaults and loops are about the types that they go through', async () => {
    const text = `
type Id = 0 .. 2
type Level = 0 .. 2
var x: Level[Id] = [0, 1, 0]
var y: Level[Id] = 1
var z: Id
process P { loop { for j in Id { go: when z == j { x[j] := y[j] } } } }`;
    expect(await suspectsOf('Id', text)).toEqual(['x = [0, 1, 0]', 'z = 0', 'for j in Id']);
    expect(await suspectsOf('Level', text)).toEqual(['x = [0, 1, 0]', 'y = 1']);
});
