import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
    actionOnBlocks,
    allBlockSystems,
    finestBlockSystem,
    moversOfPoints,
    type BlockSystem,
} from '../../engine/group/blocks.js';
import { permutation } from '../../engine/group/permutation.js';
import { permutationsOf, rotation } from '../arbitrary/literal-groups.js';
import { closure } from '../reference/brute-force-group.js';

/** All partitions of 0 … degree - 1 that every generator maps onto themselves, from the definition. */
function invariantPartitions(generators: readonly (readonly number[])[], degree: number): string[] {
    const found: string[] = [];
    const extend = (blocks: readonly number[], used: number): void => {
        if (blocks.length === degree) {
            const isInvariant = generators.every(images => {
                const imageOfBlock = new Map<number, number>();
                return blocks.every((block, point) => {
                    const image = blocks[images[point]!]!;
                    const known = imageOfBlock.get(block) ?? image;
                    imageOfBlock.set(block, known);
                    return known === image;
                });
            });
            if (isInvariant && used > 1 && used < degree) {
                found.push(blocks.join());
            }
            return;
        }
        for (let block = 0; block <= used; block++) {
            extend([...blocks, block], Math.max(used, block + 1));
        }
    };
    extend([], 0);
    return found.sort();
}

/** A transitive group of degree 6 or 8 with blocks to find: a rotation and, perhaps, a permutation that keeps pairs. */
const transitiveGroups = fc.constantFrom(6, 8).chain(degree =>
    fc.option(permutationsOf(degree / 2)).map(pairs => {
        const generators = [rotation(degree)];
        if (pairs !== null) {
            generators.push(
                Array.from({ length: degree }, (_, i) => pairs[i % (degree / 2)]! + (i < degree / 2 ? 0 : degree / 2)),
            );
        }
        return { degree, generators };
    }),
);

test('all block systems are the partitions that the group keeps', () => {
    fc.assert(
        fc.property(transitiveGroups, ({ degree, generators }) => {
            const systems = allBlockSystems(generators.map(permutation), degree, 100)!;
            expect(systems.map(system => system.blockOfPoint.join()).sort()).toEqual(
                invariantPartitions(generators, degree),
            );
        }),
        { numRuns: 40 },
    );
});

test('the finest system joins what it must and nothing else', () => {
    const isSame = ({ blockOfPoint }: BlockSystem, a: number, b: number): boolean =>
        blockOfPoint[a] === blockOfPoint[b];
    const system = finestBlockSystem(moversOfPoints([permutation(rotation(12))], 12), 0, 6);
    expect(system.blockCount).toBe(6);
    expect(isSame(system, 1, 7) && !isSame(system, 0, 1)).toBe(true);
});

test('the action on blocks is a homomorphism', () => {
    const generators = [rotation(12)];
    const system = finestBlockSystem(moversOfPoints(generators.map(permutation), 12), 0, 4);
    for (const element of closure(generators, 12)) {
        const images = actionOnBlocks(permutation(element), system);
        element.forEach((image, point) => expect(images[system.blockOfPoint[point]!]).toBe(system.blockOfPoint[image]));
    }
});

test('too many systems are not listed', () => {
    // The elementary abelian group of order 16 in its regular action has 65 nontrivial subgroups.
    const generators = [1, 2, 4, 8].map(bit => permutation(Array.from({ length: 16 }, (_, point) => point ^ bit)));
    expect(allBlockSystems(generators, 16, 30)).toBeUndefined();
    expect(allBlockSystems(generators, 16, 100)).toHaveLength(65);
});
