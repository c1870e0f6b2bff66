import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOrbitSizes } from '../../engine/representative/orbit-size.js';
import type { LiteralGroup } from '../../engine/group/literal-action.js';
import { sparsePermutation } from '../../engine/group/sparse-permutation.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import { literalGroups, type LiteralGroupSample } from '../arbitrary/literal-groups.js';

/** All states, cells without a value included. */
function statesOf(domainSizes: readonly number[]): Int32Array[] {
    return domainSizes
        .reduce<number[][]>(
            (states, size) =>
                states.flatMap(state => Array.from({ length: size + 1 }, (_, content) => [...state, content - 1])),
            [[]],
        )
        .map(state => Int32Array.from(state));
}

/** By definition: apply the generators until nothing is new. */
function orbitOf(group: LiteralGroup, state: Int32Array): Set<string> {
    const canonicalizer = createCanonicalizer(group);
    const seen = new Set([state.join()]);
    const queue = [state];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        for (const generator of group.generators) {
            const image = new Int32Array(next.length);
            canonicalizer.imageInto(image, next, generator);
            if (!seen.has(image.join())) {
                seen.add(image.join());
                queue.push(image);
            }
        }
    }
    return seen;
}

function toGroup({ domainSizes, generators }: LiteralGroupSample): LiteralGroup {
    return {
        cellCount: domainSizes.length,
        domainSizes,
        generators: generators.map(images => sparsePermutation(images.map((image, point) => [point, image]))),
    };
}

describe('the size of an orbit', () => {
    test('is how many images there are, and the key tells orbits apart', () => {
        fc.assert(
            fc.property(literalGroups(), sample => {
                const group = toGroup(sample);
                const sizes = createOrbitSizes(group)!;
                const orbitOfKey = new Map<string, string>();
                for (const state of statesOf(sample.domainSizes)) {
                    const orbit = orbitOf(group, state);
                    expect(sizes.orbitOf(state)?.size).toBe(BigInt(orbit.size));
                    const key = sizes.orbitOf(state)!.key;
                    const name = [...orbit].sort()[0]!;
                    expect(orbit.has(key)).toBe(true);
                    expect(orbitOfKey.get(key) ?? name).toBe(name);
                    orbitOfKey.set(key, name);
                }
            }),
            { numRuns: 100 },
        );
    });

    test('is a multinomial coefficient for interchangeable cells, however many', () => {
        const count = 40;
        const group: LiteralGroup = {
            cellCount: count,
            domainSizes: Array.from({ length: count }, () => 3),
            generators: Array.from({ length: count - 1 }, (_, cell) =>
                sparsePermutation(
                    [0, 1, 2].flatMap(code => [
                        [3 * cell + code, 3 * cell + 3 + code] as const,
                        [3 * cell + 3 + code, 3 * cell + code] as const,
                    ]),
                ),
            ),
        };
        const state = Int32Array.from({ length: count }, (_, cell) => (cell < 20 ? 0 : cell < 35 ? 1 : 2));
        const factorial = (n: number): bigint => (n === 0 ? 1n : BigInt(n) * factorial(n - 1));
        const scattered = state.map((_, cell) => state[(7 * cell) % count]!);
        const sizes = createOrbitSizes(group)!;
        const size = factorial(40) / (factorial(20) * factorial(15) * factorial(5));
        expect(sizes.orbitOf(state)?.size).toBe(size);
        expect(sizes.orbitOf(scattered)?.size).toBe(size);
        // However many images tie, each cell is looked at once for each state.
        expect(sizes.worked).toBe(2 * count);
        expect(sizes.orbitOf(scattered)!.key).toBe(sizes.orbitOf(state)!.key);
    });
});
