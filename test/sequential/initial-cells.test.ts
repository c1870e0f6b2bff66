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

test('an initial value that is a fault is one, also where nothing uses it', async () => {
    const model = await sequentialOf(`
        var y: 0 .. 1 = any
        process P { var a: 0 .. 3 = 1 div y loop { skip } }`);
    const result = exploreStateGraph(model, 10);
    expect(result.kind === 'problem' && result.problem.code).toBe('model/initial-fault');
});
