/** Channels: what is sent, stored, matched and received. Counts by hand. */
import { expect, test } from 'vitest';
import { linearizationErrors, spaceOf } from './text-space.js';

test('a buffer hands on its messages in the order in which they came', async () => {
    // s messages sent and r received, 0 <= r <= s <= 2.
    const space = await spaceOf(`
        channel c: 2 of 0 .. 1
        process P { c ! 0; c ! 1 }
        process Q { c ? == 0; c ? == 1 }`);
    expect(space).toEqual({ states: 6, transitions: 6, faults: [] });
});

test('a message that does not match waits, and those behind it', async () => {
    const space = await spaceOf(`
        channel c: 2 of 0 .. 1
        process P { c ! 1; c ! 0 }
        process Q { c ? == 0 }`);
    expect(space).toEqual({ states: 3, transitions: 2, faults: [] });
});

test('a rendezvous is a transition for each pair', async () => {
    // One of two meets one of two: 4 states; then the others meet.
    const space = await spaceOf(`
        channel c: 0 of bool
        process P[i: 0 .. 1] { c ! true }
        process Q[j: 0 .. 1] { c ? _ }`);
    expect(space).toEqual({ states: 6, transitions: 8, faults: [] });
});

test('what a pattern binds is there when the body begins', async () => {
    const space = await spaceOf(`
        channel c: 1 of 0 .. 2
        var x: 0 .. 2
        var y: 0 .. 2
        process P { c ! 2 }
        process Q { c ? x { y := x }; when y == 2 { skip } }`);
    expect(space).toEqual({ states: 4, transitions: 3, faults: [] });
});

test('a channel that an index decides is one of all; an index of none is a fault', async () => {
    const space = await spaceOf(`
        channel c[2]: 1 of bool
        var t: 0 .. 2 = any
        process P { c[t] ! true }`);
    expect(space).toEqual({ states: 5, transitions: 2, faults: ['index'] });
});

test('a message outside its type is a fault of who sends it', async () => {
    const buffered = await spaceOf(`
        channel c: 1 of 0 .. 1
        var v: 0 .. 2 = any
        process P { c ! v }`);
    expect(buffered).toEqual({ states: 5, transitions: 2, faults: ['range'] });
    const met = await spaceOf(`
        channel c: 0 of 0 .. 1
        var v: 0 .. 2 = any
        process P { c ! v }
        process Q { c ? _ }`);
    expect(met).toEqual({ states: 5, transitions: 2, faults: ['range'] });
});

test('a buffer of many slots is no deep nest', async () => {
    const errors = await linearizationErrors(`
        channel c: 10000 of bool
        process P { loop { c ! true } }
        process Q { loop { c ? _ } }`);
    expect(errors).toEqual([]);
});
