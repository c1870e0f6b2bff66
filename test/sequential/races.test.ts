/** When the participants of a joint step come in each other's way. */
import { expect, test } from 'vitest';
import { linearizationErrors, spaceOf } from './text-space.js';

test('two writers of one cell are a race where the indices are equal', async () => {
    // i and j keep their four values; where they differ e fires and both cells are written: 2 more states.
    const space = await spaceOf(`
        event e
        var a: 0 .. 2[2]
        var i: 0 .. 1 = any
        var j: 0 .. 1 = any
        process P { e { a[i] := 1 } }
        process Q { e { a[j] := 2 } }`);
    expect(space).toEqual({ states: 6, transitions: 2, faults: ['race', 'race'] });
});

test('a step whose guard does not hold is no race', async () => {
    const space = await spaceOf(`
        event e
        var a: 0 .. 2[2]
        var i: 0 .. 1 = any
        var g: bool
        process P { when g e { a[i] := 1 } }
        process Q { e { a[i] := 2 } }`);
    expect(space).toEqual({ states: 2, transitions: 0, faults: [] });
});

test('a message that is written where its sender works is a race where the indices are equal', async () => {
    // Where i is 0 the receiver writes a[0] and the sender a[0]; else both are written.
    const space = await spaceOf(`
        channel c: 0 of 0 .. 1
        var a: 0 .. 1[2]
        var i: 0 .. 1 = any
        process P { c ! 1 { a[0] := 1 } }
        process Q { c ? a[i] }`);
    expect(space).toEqual({ states: 3, transitions: 1, faults: ['race'] });
});

test('a body that reads what another one writes is a race where the indices are equal', async () => {
    // Where i is 0, Q reads what P writes; else x gets what a[1] is.
    const space = await spaceOf(`
        event e
        var a: 0 .. 1[2]
        var x: 0 .. 1
        var i: 0 .. 1 = any
        process P { e { a[0] := 1 } }
        process Q { e { x := a[i] } }`);
    expect(space).toEqual({ states: 3, transitions: 1, faults: ['race'] });
});

test('a cell that both write for certain is an error', async () => {
    const errors = await linearizationErrors(`
        event e
        var x: 0 .. 2
        process P { e { x := 1 } }
        process Q { e { x := 2 } }`);
    expect(errors).toEqual(['event/race']);
});

test('what guards and arguments read is read before the step', async () => {
    const space = await spaceOf(`
        event e[bool]
        var x: bool
        process P { when !x e[false] { x := true } }
        process Q { when !x e[x] }`);
    expect(space).toEqual({ states: 2, transitions: 1, faults: [] });
});

test('a value that is only written on does not hide where a body writes', async () => {
    // b takes what an index has written; the index of the other write is known.
    const space = await spaceOf(`
        event e
        var a: 0 .. 1[2]
        var b: 0 .. 1
        var i: 0 .. 1 = any
        process P { e { a[i] := 1; b := a[0]; a[i] := b } }
        process Q { e { a[1] := 1 } }`);
    expect(space).toEqual({ states: 3, transitions: 1, faults: ['race'] });
});
