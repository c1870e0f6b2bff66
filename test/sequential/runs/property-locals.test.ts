/** `P[i].k` in an invariant: a cell of the instance that holds a value at every location. */
import { expect, test } from 'vitest';
import type { ExplorationReport } from '../../../engine/explore/verdict.js';
import { loadModel } from '../../../language-server/load-model.js';
import { explore } from '../../explore/explore-model.js';

async function exploreText(text: string): Promise<ExplorationReport> {
    const { model, problems } = await loadModel(text, 'test:/model.orbit');
    expect(problems).toEqual([]);
    return explore(model!);
}

const text = (invariant: string): string => `
    process P[i: 0 .. 1] {
        var k: 0 .. 1 = any
        step: k := 1;
        other: skip
    }
    ${invariant}
    allow deadlock
`;

test('a local that a property names is live everywhere', async () => {
    // Nothing reads k: it is dead, and an instance has three states, one for each location.
    expect(await exploreText(text(''))).toMatchObject({ verdict: 'holds', states: 9 });
    // Two initial values, then k = 1 at the two other locations: four states each.
    const named = text('invariant small = forall i in 0 .. 1: P[i].k <= 1');
    expect(await exploreText(named)).toMatchObject({ verdict: 'holds', states: 16 });
});

test('it has the value of the instance that the index chooses', async () => {
    const { violations } = await exploreText(text('invariant apart = P[0].k != P[1].k'));
    expect(violations).toMatchObject([{ kind: 'invariant', name: 'apart' }]);
});

test('an instance that the `where` of the family excludes is a fault of the property', async () => {
    const gap = `
        process P[i: 0 .. 2 where i != 1] { var k: 0 .. 1 = 0  step: k := 1 }
        invariant low = forall i in 0 .. 2: P[i].k <= 1
        allow deadlock
    `;
    const { violations } = await exploreText(gap);
    expect(violations).toMatchObject([{ kind: 'fault' }]);
});

test('parts of records and elements of arrays can be named', async () => {
    const parts = `
        record Hand = { left: bool, right: bool }
        process P { var hand: Hand = Hand(false, true)  var a: bool[2] = [true, false]  step: a[1] := true }
        invariant first = P.hand.right && P.a[0]
        invariant second = P.a[1]
        allow deadlock
    `;
    const { violations } = await exploreText(parts);
    expect(violations).toMatchObject([{ kind: 'invariant', name: 'second' }]);
});
