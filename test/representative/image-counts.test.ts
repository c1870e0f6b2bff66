import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import { literalGroups, neighborSwaps, toSparseGenerators } from '../arbitrary/literal-groups.js';
import { allStates, closure, imageOfState } from '../reference/brute-force-group.js';

test('a small group has as many different images of a state as there are', () => {
    fc.assert(
        fc.property(literalGroups(), ({ domainSizes, generators }) => {
            const literalCount = domainSizes.reduce((sum, size) => sum + size, 0);
            const elements = closure(generators, literalCount);
            fc.pre(elements.length <= 1024);
            const canonicalizer = createCanonicalizer({
                cellCount: domainSizes.length,
                domainSizes,
                generators: toSparseGenerators(generators),
            });
            // Of a product each factor is counted by itself: what all of them do together is not among the elements.
            fc.pre(canonicalizer.strategy.factors.length === 1);
            const states = allStates(domainSizes, -1).slice(0, 50);
            const counts = states.map(
                state => new Set(elements.map(element => imageOfState(state, domainSizes, element).join())).size,
            );
            const asInts = states.map(state => Int32Array.from(state));
            expect(canonicalizer.imageCounts(asInts, 1024)).toEqual(counts);
        }),
        { numRuns: 60 },
    );
});

test('a few elements show a few images, and generators of every factor are among them', () => {
    // S6 on six cells and S5 on five others.
    const swaps = [...neighborSwaps(6), ...neighborSwaps(5).map(swap => swap.map(cell => cell + 6))];
    const generators = toSparseGenerators(
        swaps.map(swap => {
            const images = Array.from({ length: 11 }, (_, cell) => cell);
            swap.forEach((image, i) => (images[swap.length === 6 ? i : i + 6] = image));
            return images.flatMap(cell => [0, 1, 2, 3, 4, 5].map(value => cell * 6 + value));
        }),
    );
    const canonicalizer = createCanonicalizer({ cellCount: 11, domainSizes: Array<number>(11).fill(6), generators });
    const states = [Int32Array.of(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4), new Int32Array(11)];
    // The nine generators, and the state itself.
    expect(canonicalizer.imageCounts(states, 9)).toEqual([10, 1]);
    expect(canonicalizer.imageCounts(states, 20)[0]).toBeLessThanOrEqual(21);
    expect(canonicalizer.imageCounts(states, 20)[0]).toBeGreaterThan(15);
});
