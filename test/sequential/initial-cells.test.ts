/** What locals start with. */
import { expect, test } from 'vitest';
import { exploreStateGraph } from '../../engine/explore/state-graph.js';
import { spaceOf } from './text-space.js';
import { sequentialOf } from '../model-of-text.js';

test('a local that starts from one that is not used starts from the value of that one', async () => {
    const space = await spaceOf(`
        var y: 0 .. 1 = any
        process P { var a: 0 .. 1 = y var b: 0 .. 1 = a loop { when b == 1 { y := b } } }`);
    expect(space).toEqual({ states: 2, transitions: 1, faults: [] });
});

test('each `any` within an initial value is a choice of its own, as in variables apart', async () => {
    const together = await spaceOf(`
        record R = { a: 0 .. 2, b: bool, c: bool[2] }
        var r: R[2] = R(any, false, [true, any])
        var y: bool[2, 2] = [i in 0 .. 1: [i == 0, any]]
        process P { l: { y[0, 0] := y[1, 1] } m: { r[0].b := r[1].c[1] } }`);
    const apart = await spaceOf(`
        var a: 0 .. 2[2] = any
        var b: bool[2] = false
        var d: bool[2] = any
        var first: bool = true
        var y: bool[2] = any
        process P { l: { first := y[1] } m: { b[0] := d[1] } }`);
    expect(together).toEqual(apart);
    // Three steps with the 3 * 3 values of a, the 2 * 2 of c[1], and the 2 * 2 of y[0, 1] and y[1, 1].
    expect(together).toEqual({ states: 3 * 9 * 4 * 4, transitions: 2 * 9 * 4 * 4, faults: [] });
});

test('an initial value that is a fault is one, also where nothing uses it', async () => {
    const model = await sequentialOf(`
        var y: 0 .. 1 = any
        process P { var a: 0 .. 3 = 1 div y loop { skip } }`);
    const result = exploreStateGraph(model, 10);
    expect(result.kind === 'problem' && result.problem.code).toBe('model/initial-fault');
});
