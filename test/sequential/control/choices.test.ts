/** Choices and other control between steps. Counts by hand. */
import { expect, test } from 'vitest';
import { linearizationErrors, spaceOf } from '../text-space.js';
import { sequentialOf } from '../../model-of-text.js';

test('a choice is a transition for each value', async () => {
    const space = await spaceOf(`
        var a: 0 .. 2
        process P { loop { choose v in 0 .. 2 { { a := v } } } }`);
    expect(space).toEqual({ states: 3, transitions: 9, faults: [] });
});

test('`where` leaves the values for which it holds', async () => {
    const space = await spaceOf(`
        var a: 0 .. 2
        process P { loop { choose v in 0 .. 2 where v != a { { a := v } } } }`);
    expect(space).toEqual({ states: 3, transitions: 6, faults: [] });
});

test('a chosen value is part of the state as long as it is used', async () => {
    // Before the choice 2 states, one for each a; behind it a and v.
    const space = await spaceOf(`
        var a: 0 .. 1
        process P { loop { choose v in 0 .. 1 { skip; { a := v } } } }`);
    expect(space).toEqual({ states: 6, transitions: 8, faults: [] });
});

test('tests that a choice decides leave no step', async () => {
    const { summands } = await sequentialOf(`
        var a: 0 .. 99
        process P { loop { choose v in 0 .. 99, w in 0 .. 99 where v + w == 3 { { a := v } } } }`);
    expect(summands).toHaveLength(4);
});

test('choices with too many values are beyond a limit', async () => {
    const errors = await linearizationErrors(`
        var a: 0 .. 999
        process P { loop { choose v in 0 .. 999, w in 0 .. 999 { { a := v } } } }`);
    expect(errors).toEqual(['limit/paths']);
});

test('a `while` without a step waits', async () => {
    const space = await spaceOf(`
        var x: bool = any
        process P { while x { } skip }`);
    expect(space).toEqual({ states: 3, transitions: 1, faults: [] });
});

test('rounds of a `for` in which nothing happens take no step, however many they are', async () => {
    const { summands, instances } = await sequentialOf(`
        var x: 0 .. 1999
        process P { loop { for i in 0 .. 1999 { if i == 1500 { { x := i } } } } }`);
    expect(summands).toHaveLength(1);
    expect(instances[0]!.locations).toHaveLength(1);
});

test('many tests one after the other are beyond a limit', async () => {
    const errors = await linearizationErrors(`
        var x: 0 .. 9
        process P { loop { ${'if x == 1 { } '.repeat(30)} skip } }`);
    expect(errors).toEqual(['limit/paths']);
});
