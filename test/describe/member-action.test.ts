/** What symmetries do to members of a declaration, where the time is short. */
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED, type WorkLimit } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/constraints/encode.js';
import type { Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { encodeGraph, type GraphEncoding } from '../../engine/symmetry/graph-encoding.js';
import { instanceMovesOf, memberActionOf } from '../../engine/describe/member-action.js';
import { modelOf } from '../model-of-text.js';

/** Each waits for its neighbors on a torus of five by four that has directions: C5 and C4, of order 20. */
const TORUS = `model Torus
type Row = 0 .. 4
type Column = 0 .. 3
var on: bool[Row, Column] = any
process P[i: Row, j: Column] {
    loop {
        choose { when on[(i + 1) mod 5, j] { on[i, j] := true } } or { when !on[i, (j + 1) mod 4] { on[i, j] := false } }
    }
}`;

async function encoded(text: string): Promise<{ readonly model: Model; readonly encoding: GraphEncoding }> {
    const model = await modelOf(text);
    const { sequential } = linearize(model);
    invariant(sequential !== undefined, 'the model has no errors');
    return { model, encoding: encodeGraph(encode(sequential, UNLIMITED), []) };
}

/** Exhausted from the given question on; `asked` counts the questions. */
function counting(questions = Infinity): { readonly limit: WorkLimit; asked: number } {
    const counter = { limit: { isExhausted: () => ++counter.asked > questions }, asked: 0 };
    return counter;
}

const INSTANCES = { kind: 'instances', process: 0 } as const;

test('a limit that comes at any time leaves it open what members do, or changes nothing but names', async () => {
    const { model, encoding } = await encoded(TORUS);
    const whole = memberActionOf(INSTANCES, model, encoding, UNLIMITED);
    expect(whole).toMatchObject({ structure: 'C20', order: 20n, isFull: false, isComplete: true });
    const searching = counting();
    instanceMovesOf([0], encoding, searching.limit);
    const all = counting();
    memberActionOf(INSTANCES, model, encoding, all.limit);
    // What was found is named within the limit as well.
    expect(all.asked).toBeGreaterThan(searching.asked);
    const unnamed = new Set<boolean>();
    for (let questions = 0; questions < all.asked; questions += 13) {
        const action = memberActionOf(INSTANCES, model, encoding, counting(questions).limit);
        expect(whole.order % action.order).toBe(0n);
        expect(action.isFull).toBe(false);
        if (action.structure === `a group of order at least ${action.order}`) {
            unnamed.add(action.isComplete);
        } else if (action.isComplete) {
            expect(action).toEqual(whole);
        }
    }
    // The limit came before the search was over, or after it: rotations are not all permutations, whatever they are called.
    expect([...unnamed]).toEqual([false, true]);
});
