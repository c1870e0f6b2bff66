/** A graph is whole, or there is none. */
import { expect, test } from 'vitest';
import { UNLIMITED, withinQuestions } from '../../engine/common/work-limit.js';
import { exploreStateGraph } from '../../engine/explore/state-graph.js';
import { sequentialOf } from '../model-of-text.js';

test('a limit leaves no part of a graph', async () => {
    const model = await sequentialOf('var x: 0 .. 99 = 0 process P { loop { up: x := (x + 1) mod 100 } }');
    expect(exploreStateGraph(model, 100, withinQuestions(UNLIMITED, 50))).toEqual({ kind: 'too-many-states' });
    expect(exploreStateGraph(model, 100)).toMatchObject({ kind: 'graph' });
});
