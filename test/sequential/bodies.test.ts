/** What a body does, statement by statement. Counts by hand. */
import { expect, test } from 'vitest';
import { linearizationErrors, spaceOf } from './text-space.js';

test('all values of an assignment are evaluated before it writes', async () => {
    const space = await spaceOf(`
        var a: 0 .. 1[2] = any
        process P { loop { { a := [a[1], a[0]] } } }`);
    expect(space).toEqual({ states: 4, transitions: 4, faults: [] });
});

test('a loop that comes back to a state is a fault', async () => {
    const space = await spaceOf(`
        var x: 0 .. 1 = any
        process P { { while x == 0 { skip } } }`);
    expect(space).toEqual({ states: 3, transitions: 1, faults: ['endless'] });
});

test('the condition of a loop is asked before each round', async () => {
    const space = await spaceOf(`
        var a: bool[3] = [false, true, false]
        var rounds: 0 .. 3 = 0
        process P { { for i in 0 .. 2 where !a[i] { rounds := rounds + 1; if i < 2 { a[i + 1] := !a[i + 1] } } } }
        invariant all = rounds != 3`);
    // The first round makes the second one possible, and that one takes the third one away.
    expect(space).toEqual({ states: 2, transitions: 1, faults: [] });
    const faulty = await spaceOf(`
        var x: 0 .. 1 = any
        process P { { for i in 0 .. 1 where i div x == i { skip } } }`);
    expect(faulty).toEqual({ states: 3, transitions: 1, faults: ['division'] });
});

test('a name is evaluated where it stands, used or not', async () => {
    const space = await spaceOf(`
        var x: 0 .. 1 = any
        process P { { let unused = 1 div x; skip } }`);
    expect(space).toEqual({ states: 3, transitions: 1, faults: ['division'] });
});

test('an index that is known to be wrong is a fault when it is reached', async () => {
    const space = await spaceOf(`
        var a: 0 .. 1[2]
        var x: 0 .. 1 = any
        process P { { for i in 0 .. 2 { if x == 1 || i < 2 { a[i] := 1 } } } }`);
    expect(space).toEqual({ states: 3, transitions: 1, faults: ['index'] });
});

test('a local that a part of is written stays part of the state', async () => {
    // One whole write makes the value before it irrelevant; two parts do not.
    const whole = await spaceOf('process P { var z: bool[2] = any skip; { z := [true, z[0]] } }');
    expect(whole.states).toBe(4 + 4 + 1);
    const dead = await spaceOf('process P { var z: bool[2] = any skip; { z := [true, true] } }');
    expect(dead.states).toBe(3);
    const parts = await spaceOf('process P { var z: bool[2] = any skip; { z[0] := true; z[1] := true } }');
    expect(parts.states).toBe(4 + 4 + 1);
});

test('quantifiers inside one another are beyond a limit, not a hang', async () => {
    const errors = await linearizationErrors(`
        var x: 0 .. 9
        process P {
            when forall a in 0 .. 199: exists b in 0 .. 199: forall c in 0 .. 199: exists d in 0 .. 199: x < 5 { skip }
        }`);
    expect(errors).toEqual(['limit/expression-size']);
});

test('the greatest of very many values has bounds', async () => {
    const errors = await linearizationErrors(`
        var a: 0 .. 9[150000]
        process P { when max(i in 0 .. 149999: a[i]) > 1 { skip } }`);
    expect(errors).toEqual([]);
});
