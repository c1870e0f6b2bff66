/** Representatives of the model's states, where states hold codes that groups do not number. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/constraints/encode.js';
import { detectSymmetries } from '../../engine/symmetry/detect.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import { binary, constant, toyModel, type Toy } from '../arbitrary/toys.js';

/** Two slots that hold 1, 3 or nothing, and a number with too many values to list. */
const SLOTS: Toy = {
    cells: { left: 4, right: 4, clock: 100_000 },
    mayBeAbsent: ['left', 'right'],
    initial: { left: 'none', right: 'none', clock: 7 },
    rules: ({ set, clear, read }) => [
        ...['left', 'right'].flatMap(slot => [
            { when: [], then: [set(slot, 1)] },
            { when: [], then: [set(slot, 3)] },
            { when: [], then: [clear(slot)] },
        ]),
        { when: [], then: [set('clock', binary(binary(read('clock'), '+', constant(1)), 'mod', constant(100_000)))] },
    ],
};

test('states are counted up to symmetry, whatever values cannot occur', () => {
    const problem = encode(toyModel(SLOTS), UNLIMITED);
    const { group } = detectSymmetries(problem, [], [], UNLIMITED);
    // The slots are alike, and so are the values 1 and 3 of each.
    expect(group.order).toBe(8n);
    expect(group.codes).toEqual([[1, 3], [1, 3], []]);
    const canonicalizer = createCanonicalizer(literalGroup(group));
    const representatives = new Set<string>();
    for (const left of [-1, 1, 3]) {
        for (const right of [-1, 1, 3]) {
            const state = Int32Array.of(left, right, 99_999);
            const representative = new Int32Array(3);
            expect(canonicalizer.canonicalizeInto(representative, state)).toBe(true);
            representatives.add(representative.join());
            // It is a state of the same orbit: as many slots are filled, and the clock stands still.
            const filled = (of: Int32Array): number => [of[0], of[1]].filter(code => code !== -1).length;
            expect(filled(representative)).toBe(filled(state));
            expect(representative[2]).toBe(99_999);
            const again = new Int32Array(3);
            canonicalizer.canonicalizeInto(again, representative);
            expect(again).toEqual(representative);
            // The transformation leads from the state to its representative.
            const image = new Int32Array(3);
            const transformation = canonicalizer.transformation(state);
            canonicalizer.imageInto(image, state, transformation!);
            expect(image).toEqual(representative);
        }
    }
    // None, one or both slots are filled.
    expect(representatives.size).toBe(3);
});
