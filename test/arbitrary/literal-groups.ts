/** Groups of literal permutations for fast-check: arbitrary small ones, and those of the shapes that models have. */
import fc from 'fast-check';
import { sparsePermutation, type SparsePermutation } from '../../engine/group/sparse-permutation.js';

export interface LiteralGroupSample {
    readonly domainSizes: readonly number[];
    /** Image arrays on literals. */
    readonly generators: readonly (readonly number[])[];
}

/** Any permutation of `count` numbers. */
export function permutationsOf(count: number): fc.Arbitrary<number[]> {
    const numbers = Array.from({ length: count }, (_, i) => i);
    return fc.shuffledSubarray(numbers, { minLength: count, maxLength: count });
}

/** Up to three random generators on up to four cells with up to three values each. */
export function literalGroups(): fc.Arbitrary<LiteralGroupSample> {
    return fc
        .array(fc.constantFrom(1, 2, 2, 3), { minLength: 1, maxLength: 4 })
        .chain(domainSizes =>
            fc
                .array(literalPermutations(domainSizes), { minLength: 0, maxLength: 3 })
                .map(generators => ({ domainSizes, generators })),
        );
}

export function literalPermutations(domainSizes: readonly number[]): fc.Arbitrary<number[]> {
    const first = firstLiterals(domainSizes);
    const cellsOfSize = (size: number): number[] => [...domainSizes.keys()].filter(cell => domainSizes[cell] === size);
    const sizes = [...new Set(domainSizes)];
    return fc
        .tuple(
            fc.tuple(...sizes.map(size => permutationsOf(cellsOfSize(size).length))),
            fc.tuple(...domainSizes.map(size => permutationsOf(size))),
            fc.boolean(),
        )
        .map(([cellImages, valueImages, keepsValues]) => {
            const images: number[] = [];
            domainSizes.forEach((size, cell) => {
                const cells = cellsOfSize(size);
                const target = cells[cellImages[sizes.indexOf(size)]![cells.indexOf(cell)]!]!;
                for (let code = 0; code < size; code++) {
                    images.push(first[target]! + (keepsValues ? code : valueImages[cell]![code]!));
                }
            });
            return images;
        });
}

/** What a permutation of `elementCount` processes does to cells of several kinds, as in real models. */
export interface CellShape {
    /** `array`: one cell for each element. `pairs`: one for each ordered pair of different elements. `single`: one cell. */
    readonly kind: 'array' | 'pairs' | 'single';
    /** Values that stand for themselves; the values that name elements, if there are any, come behind them. */
    readonly plainValues: number;
    readonly namesElements: boolean;
}

/** Generators of the symmetric group on the elements, or only of the rotations, acting on cells of the given shapes. */
export function familyGroup(
    elementCount: number,
    shapes: readonly CellShape[],
    generatorsOfElements: readonly (readonly number[])[],
): LiteralGroupSample {
    const cells: { readonly shape: CellShape; readonly owner: readonly number[]; readonly index: number }[] = [];
    shapes.forEach((shape, index) => {
        for (const owner of ownersOf(shape.kind, elementCount)) {
            cells.push({ shape, owner, index });
        }
    });
    const domainSizes = cells.map(({ shape }) => shape.plainValues + (shape.namesElements ? elementCount : 0));
    const first = firstLiterals(domainSizes);
    const generators = generatorsOfElements.map(images => {
        const result: number[] = [];
        for (const { shape, owner, index } of cells) {
            const imageOwner = owner.map(element => images[element]!).join();
            const target = cells.findIndex(other => other.index === index && other.owner.join() === imageOwner);
            for (let code = 0; code < shape.plainValues; code++) {
                result.push(first[target]! + code);
            }
            for (let element = 0; shape.namesElements && element < elementCount; element++) {
                result.push(first[target]! + shape.plainValues + images[element]!);
            }
        }
        return result;
    });
    return { domainSizes, generators };
}

/**
 * Callers, and as many functions, each with a value; a function also names its caller, or none. Callers are interchangeable,
 * and so are functions. The cells: the values of callers, those of functions, then the callers of functions.
 */
export function callerGroup(count: number, values: number): LiteralGroupSample {
    const domainSizes = Array.from({ length: 3 * count }, (_, cell) => (cell < 2 * count ? values : count + 1));
    const first = firstLiterals(domainSizes);
    const generators = neighborSwaps(count).flatMap(swap => {
        const same = swap.map((_, i) => i);
        return [
            [swap, same],
            [same, swap],
        ].map(([callers, functions]) => {
            const cells = [
                callers!,
                functions!.map(each => count + each),
                functions!.map(each => 2 * count + each),
            ].flat();
            return domainSizes.flatMap((size, cell) =>
                Array.from({ length: size }, (_, code) => {
                    const image = cell < 2 * count || code === 0 ? code : 1 + callers![code - 1]!;
                    return first[cells[cell]!]! + image;
                }),
            );
        });
    });
    return { domainSizes, generators };
}

/** Graphs with interchangeable vertices: a bit for each of them, and one for each set of two, in the order 01, 02, …, 12, … */
export function graphGroup(count: number): LiteralGroupSample {
    const vertices = Array.from({ length: count }, (_, i) => i);
    const sets = [...vertices.map(i => [i]), ...vertices.flatMap(i => vertices.slice(i + 1).map(j => [i, j]))];
    const generators = neighborSwaps(count).map(images =>
        sets.flatMap(set => {
            const image = set.map(each => images[each]!).sort((a, b) => a - b);
            const target = sets.findIndex(other => other.join() === image.join());
            return [2 * target, 2 * target + 1];
        }),
    );
    return { domainSizes: sets.map(() => 2), generators };
}

/** Swaps of neighboring subtrees of a tree; a node but the root is a cell, with `domainSizes[depth]` values. */
export function treeGroup(branching: readonly number[], sizeOfDepth: readonly number[]): LiteralGroupSample {
    const paths: number[][] = [[]];
    for (const path of paths) {
        for (let child = 0; child < (branching[path.length] ?? 0); child++) {
            paths.push([...path, child]);
        }
    }
    const nodes = paths.slice(1);
    const cellOfPath = new Map(nodes.map((path, cell) => [path.join(), cell]));
    const domainSizes = nodes.map(path => sizeOfDepth[path.length - 1]!);
    const first = firstLiterals(domainSizes);
    const generators: number[][] = [];
    for (const path of paths) {
        for (let child = 0; child + 1 < (branching[path.length] ?? 0); child++) {
            const images: number[] = [];
            nodes.forEach(node => {
                const image = node.slice();
                if (path.every((step, i) => node[i] === step) && node.length > path.length) {
                    const at = path.length;
                    image[at] = node[at] === child ? child + 1 : node[at] === child + 1 ? child : node[at]!;
                }
                const target = cellOfPath.get(image.join())!;
                for (let code = 0; code < sizeOfDepth[node.length - 1]!; code++) {
                    images.push(first[target]! + code);
                }
            });
            generators.push(images);
        }
    }
    return { domainSizes, generators };
}

function firstLiterals(domainSizes: readonly number[]): number[] {
    const first: number[] = [0];
    for (const size of domainSizes) {
        first.push(first[first.length - 1]! + size);
    }
    return first;
}

export function neighborSwaps(count: number): number[][] {
    return Array.from({ length: Math.max(0, count - 1) }, (_, i) =>
        Array.from({ length: count }, (_, x) => (x === i ? i + 1 : x === i + 1 ? i : x)),
    );
}

export function rotation(count: number): number[] {
    return Array.from({ length: count }, (_, x) => (x + 1) % count);
}

/** The image array of the reflection that fixes 0. */
export function reflection(count: number): number[] {
    return Array.from({ length: count }, (_, x) => (count - x) % count);
}

export function toSparseGenerators(generators: readonly (readonly number[])[]): SparsePermutation[] {
    return generators.map(images => sparsePermutation(images.map((image, point) => [point, image] as const)));
}

function ownersOf(kind: CellShape['kind'], count: number): number[][] {
    const elements = Array.from({ length: count }, (_, i) => i);
    switch (kind) {
        case 'single':
            return [[]];
        case 'array':
            return elements.map(i => [i]);
        case 'pairs':
            return elements.flatMap(i => elements.filter(j => j !== i).map(j => [i, j]));
    }
}
