/** Reductions that only say what they are given, in the two phases. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { reduce, type ReductionFacts, type SearchReduction } from '../../engine/verdict/reduction.js';
import { modelOf } from '../model-of-text.js';

const CONE: ReductionFacts = { coneUnder: () => [0] };
const SYMMETRIES: ReductionFacts = { symmetries: [] };

/** Puts down the facts that it is given when it is prepared, and when it is applied. */
function witness(own: ReductionFacts, seen: ReductionFacts[], exactWithin: number): SearchReduction {
    return {
        prepare: (_given, _demand, known) => {
            seen.push(known);
            return {
                facts: own,
                apply: all => {
                    seen.push(all);
                    return { parts: { exactWithin }, report: {}, identity: () => `${exactWithin};` };
                },
            };
        },
    };
}

test('a reduction is prepared with what those before it have found, and applied with what all have', async () => {
    const { sequential } = linearize(await modelOf('process P { loop { skip } }'));
    const [first, second]: ReductionFacts[][] = [[], []];
    const reductions = [witness(CONE, first!, 1), witness(SYMMETRIES, second!, 2)];
    const { facts, parts, identity } = reduce(reductions, { sequential: sequential! }, { workLimit: UNLIMITED });
    const all = { ...CONE, ...SYMMETRIES };
    expect([first, second]).toEqual([
        [{}, all],
        [CONE, all],
    ]);
    expect(facts).toEqual(all);
    // Of one part there is one: that of the last reduction; what states depend on is that of all.
    expect(parts).toEqual({ exactWithin: 2 });
    expect(identity()).toBe('1;2;');
});

test('without reductions every state of the model as written is stored', async () => {
    const { sequential } = linearize(await modelOf('process P { loop { skip } }'));
    const { parts, report } = reduce([], { sequential: sequential! }, { workLimit: UNLIMITED });
    expect({ parts, report }).toEqual({ parts: {}, report: {} });
});
