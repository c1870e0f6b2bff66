import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forEachUpToConjugacy } from '../../engine/group/conjugate-elements.js';
import { permutation, type Permutation } from '../../engine/group/permutation.js';
import { neighborSwaps, permutationsOf } from '../arbitrary/literal-groups.js';
import { closure } from '../reference/brute-force-group.js';

/** The lengths of the cycles, which conjugate permutations have in common. */
function cycleType(images: ArrayLike<number>): string {
    const seen = new Set<number>();
    const lengths: number[] = [];
    for (let start = 0; start < images.length; start++) {
        let length = 0;
        for (let point = start; !seen.has(point); point = images[point]!) {
            seen.add(point);
            length++;
        }
        if (length > 0) {
            lengths.push(length);
        }
    }
    return lengths.sort((a, b) => a - b).join();
}

function visitAll(generators: readonly (readonly number[])[], degree: number, limit = Infinity) {
    const visited: { readonly element: Permutation; readonly count: bigint }[] = [];
    const isDone = forEachUpToConjugacy(
        generators.map(permutation),
        degree,
        BigInt(closure(generators, degree).length),
        { workLimit: limit, stepsOfVisit: 0 },
        (element, count) => visited.push({ element, count }),
    );
    return { visited, isDone };
}

test('what is visited are elements, and they stand for as many of each cycle type as there are', () => {
    fc.assert(
        fc.property(fc.array(permutationsOf(6), { minLength: 0, maxLength: 3 }), generators => {
            const all = closure(generators, 6);
            const known = new Set(all.map(element => element.join()));
            const expected = new Map<string, bigint>();
            all.forEach(element => {
                const type = cycleType(element);
                expected.set(type, (expected.get(type) ?? 0n) + 1n);
            });
            const { visited, isDone } = visitAll(generators, 6);
            const found = new Map<string, bigint>();
            visited.forEach(({ element, count }) => {
                expect(known.has(element.join())).toBe(true);
                const type = cycleType(element);
                found.set(type, (found.get(type) ?? 0n) + count);
            });
            expect(isDone).toBe(true);
            expect([...found].sort()).toEqual([...expected].sort());
        }),
        { numRuns: 300 },
    );
});

test('of 40,320 permutations of eight points one in two hundred is visited', () => {
    const { visited } = visitAll(neighborSwaps(8), 8);
    expect(visited.length).toBeLessThan(200);
    expect(visited.reduce((sum, { count }) => sum + count, 0n)).toBe(40_320n);
});

test('of the rotations of a torus one is visited of those that are powers of each other', () => {
    const size = 12;
    const points = Array.from({ length: size * size }, (_, point) => point);
    const right = points.map(point => point - (point % size) + ((point + 1) % size));
    const down = points.map(point => (point + size) % (size * size));
    const { visited } = visitAll([right, down], size * size);
    // The subgroups with one generator: of C4 x C4 there are 10, of C3 x C3 there are 5.
    expect(visited).toHaveLength(50);
    const types = new Map<string, bigint>();
    visited.forEach(({ element, count }) => {
        types.set(cycleType(element), (types.get(cycleType(element)) ?? 0n) + count);
    });
    const expected = new Map<string, bigint>();
    closure([right, down], size * size).forEach(element => {
        expected.set(cycleType(element), (expected.get(cycleType(element)) ?? 0n) + 1n);
    });
    expect([...types].sort()).toEqual([...expected].sort());
});

test('where it would take too long it ends, and says so', () => {
    expect(visitAll(neighborSwaps(7), 7, 1000).isDone).toBe(false);
});
