/**
 * Wreath products that act on blocks of cells: every permutation of the blocks, and inside each block, independently of
 * the others, an inner group. Servers with their clients are such blocks, and so are the subtrees below a node.
 *
 * For any way to cut the cells into blocks that the group permutes, the group is contained in H wr S_k, where H is what
 * the elements that keep a block do inside it. Bounding H in the same way in turn bounds the order from above, down to
 * groups whose order is easily had. Where the bound is met by the order of the group, all these inclusions are
 * equalities, and the group is the wreath product: no stabilizer chain of the whole group is needed to know that.
 */
import { allBlockSystems } from './blocks.js';
import { disjointFactors, restrictAction, type LiteralAction } from './literal-action.js';
import { orbits } from './orbits.js';
import { factorial, permutation, toDense } from './permutation.js';
import {
    composeSparse,
    imageOf,
    inverseSparse,
    sparsePermutation,
    SPARSE_IDENTITY,
    type SparsePermutation,
} from './sparse-permutation.js';
import { tryStabilizerChain } from './stabilizer-chain.js';
import { findSymmetricAction } from './symmetric-action.js';
import { cosetElements } from './symmetric-quotient.js';

export interface WreathAction {
    /** Blocks of cells with the same number of cells; the group permutes the blocks in every way. */
    readonly blocks: readonly (readonly number[])[];
    /** `fromFirst[block]` maps the first block onto the block. */
    readonly fromFirst: readonly SparsePermutation[];
    /** What the group does inside the first block, on the cells of `blocks[0]`; its order is exact. */
    readonly inner: LiteralAction;
}

/** Cosets of a product of symmetric groups that are counted to have an order. */
const COSET_LIMIT = 64;
const CHAIN_ENTRY_LIMIT = 2_000_000;
/** Cells of an orbit in which blocks are looked for. */
const ORBIT_LIMIT = 400;
const BLOCK_SYSTEM_LIMIT = 30;

/** The wreath product that a group of known order is, if it is one. */
export function findWreathAction(action: LiteralAction): WreathAction | undefined {
    const { order } = action;
    return order === undefined ? undefined : findWreathOfOrder(action, order);
}

/**
 * The direct factors with disjoint cells, each with its exact order where bounds prove it: if the product of upper
 * bounds is the order of the whole, each bound is met.
 */
export function disjointFactorsWithOrders(action: LiteralAction): readonly LiteralAction[] {
    const factors = disjointFactors(action);
    if (factors.length < 2 || action.order === undefined) {
        return factors;
    }
    const bounds = factors.map(factor => orderBound(factor, undefined));
    const product = bounds.reduce<bigint>((total, bound) => total * (bound ?? 0n), 1n);
    return product === action.order ? factors.map((factor, i) => ({ ...factor, order: bounds[i] })) : factors;
}

function findWreathOfOrder(action: LiteralAction, order: bigint): WreathAction | undefined {
    const cellImages = action.generators.map(generator => cellPermutation(action, generator));
    const cellOrbits = orbits(cellImages, action.cells.length)
        .filter(orbit => orbit.length > 1)
        .sort((a, b) => a.length - b.length);
    // Cells that stay where they are but change their values belong to no block.
    if (cellOrbits.reduce((sum, orbit) => sum + orbit.length, 0) < action.cells.length) {
        return undefined;
    }
    for (const system of candidateSystems(cellImages, cellOrbits)) {
        const innerOrder = exactRoot(order, system.length);
        const blocks = innerOrder === undefined ? undefined : blocksOfCells(cellImages, cellOrbits, system);
        if (innerOrder === undefined || blocks === undefined) {
            continue;
        }
        const found = actionInBlocks(action, blocks);
        if (orderBound(found.inner, innerOrder) === innerOrder) {
            return { ...found, inner: { ...found.inner, order: innerOrder } };
        }
    }
    return undefined;
}

/** h, if `order` is h^k · k! */
function exactRoot(order: bigint, k: number): bigint | undefined {
    const power = order / factorial(k);
    if (power * factorial(k) !== order) {
        return undefined;
    }
    let low = 1n;
    let high = 1n << BigInt(Math.ceil(power.toString(2).length / k));
    while (low < high) {
        const middle = (low + high) / 2n;
        if (middle ** BigInt(k) < power) {
            low = middle + 1n;
        } else {
            high = middle;
        }
    }
    return low ** BigInt(k) === power ? low : undefined;
}

/**
 * An upper bound of the order; the order itself where it is easily had. `expected` is the bound one hopes for: where
 * several are possible the first that meets it is taken.
 */
function orderBound(action: LiteralAction, expected: bigint | undefined): bigint | undefined {
    const factors = disjointFactors(action);
    if (factors.length !== 1) {
        const bounds = factors.map(factor => orderBound(factor, undefined));
        return bounds.some(bound => bound === undefined)
            ? undefined
            : bounds.reduce<bigint>((product, bound) => product * bound!, 1n);
    }
    // The order is at least what is expected, so a product of symmetric groups that falls far short of it is no help.
    const symmetric = findSymmetricAction(action.generators, action.pointCount);
    if (symmetric !== undefined && (expected ?? 0n) <= symmetric.order * BigInt(COSET_LIMIT)) {
        const cosets = cosetElements(action, symmetric, COSET_LIMIT);
        if (cosets !== undefined) {
            return symmetric.order * BigInt(cosets.length);
        }
    }
    const guess = expected === undefined ? undefined : findWreathOfOrder(action, expected);
    if (guess !== undefined) {
        return expected;
    }
    const generators = action.generators.map(generator => toDense(generator, action.pointCount));
    return tryStabilizerChain(generators, action.pointCount, { entryLimit: CHAIN_ENTRY_LIMIT })?.order;
}

/** Ways to cut one orbit of cells into blocks: into single cells, the shortest orbit first, then into larger blocks. */
function candidateSystems(
    cellImages: readonly SparsePermutation[],
    cellOrbits: readonly (readonly number[])[],
): readonly (readonly (readonly number[])[])[] {
    const systems: (readonly (readonly number[])[])[] = cellOrbits.map(orbit => orbit.map(cell => [cell]));
    for (const orbit of cellOrbits.slice(0, 1)) {
        if (orbit.length > ORBIT_LIMIT) {
            continue;
        }
        const number = new Map(orbit.map((cell, i) => [cell, i]));
        const onOrbit = cellImages.map(p => permutation(orbit.map(cell => number.get(imageOf(p, cell))!)));
        for (const { blockCount, blockOfPoint } of allBlockSystems(onOrbit, orbit.length, BLOCK_SYSTEM_LIMIT) ?? []) {
            const blocks: number[][] = Array.from({ length: blockCount }, () => []);
            blockOfPoint.forEach((block, i) => blocks[block].push(orbit[i]));
            systems.push(blocks);
        }
    }
    return systems.sort((a, b) => a.length - b.length);
}

/**
 * Extends blocks of one orbit to all cells: a cell joins a block if the elements that fix the cell keep the block, that
 * is, if the images of the pair of both show each cell with one block only.
 */
function blocksOfCells(
    cellImages: readonly SparsePermutation[],
    cellOrbits: readonly (readonly number[])[],
    system: readonly (readonly number[])[],
): readonly (readonly number[])[] | undefined {
    const blockOfCell = new Map<number, number>();
    system.forEach((block, i) => block.forEach(cell => blockOfCell.set(cell, i)));
    const blockImages = cellImages.map(p => system.map(block => blockOfCell.get(imageOf(p, block[0]))!));
    for (const orbit of cellOrbits) {
        if (blockOfCell.has(orbit[0])) {
            continue;
        }
        let blockOf: Map<number, number> | undefined;
        for (let block = 0; block < system.length && blockOf === undefined; block++) {
            blockOf = followPair(cellImages, blockImages, orbit[0], block);
        }
        if (blockOf === undefined) {
            return undefined;
        }
        blockOf.forEach((block, cell) => blockOfCell.set(cell, block));
    }
    const blocks: number[][] = system.map(() => []);
    for (const cell of [...blockOfCell.keys()].sort((a, b) => a - b)) {
        blocks[blockOfCell.get(cell)!].push(cell);
    }
    return blocks;
}

/** The block of each cell of the orbit if `cell` is in `block`; `undefined` if some cell would be in two. */
function followPair(
    cellImages: readonly SparsePermutation[],
    blockImages: readonly (readonly number[])[],
    cell: number,
    block: number,
): Map<number, number> | undefined {
    const blockOf = new Map([[cell, block]]);
    for (const [from, fromBlock] of blockOf) {
        for (let g = 0; g < cellImages.length; g++) {
            const to = imageOf(cellImages[g], from);
            const toBlock = blockImages[g][fromBlock];
            const known = blockOf.get(to);
            if (known === undefined) {
                blockOf.set(to, toBlock);
            } else if (known !== toBlock) {
                return undefined;
            }
        }
    }
    return blockOf;
}

/** Elements that map the first block onto each, and by Schreier's lemma what those that keep it do inside it. */
function actionInBlocks(action: LiteralAction, blocks: readonly (readonly number[])[]): WreathAction {
    const blockOfCell = new Int32Array(action.cells.length);
    blocks.forEach((block, i) => block.forEach(cell => (blockOfCell[cell] = i)));
    const imageOfBlock = (p: SparsePermutation, block: number): number =>
        blockOfCell[action.cellOfPoint[imageOf(p, action.firstPoint[blocks[block][0]])]];
    // A generator that moves nothing of a block maps it onto itself and does nothing inside it.
    const moversOfBlock = blocks.map((): SparsePermutation[] => []);
    for (const generator of action.generators) {
        for (const block of new Set(Array.from(generator.points, point => blockOfCell[action.cellOfPoint[point]]))) {
            moversOfBlock[block].push(generator);
        }
    }
    const fromFirst: SparsePermutation[] = [];
    fromFirst[0] = SPARSE_IDENTITY;
    const reached = [0];
    for (const block of reached) {
        for (const generator of moversOfBlock[block]) {
            const image = imageOfBlock(generator, block);
            if (fromFirst[image] === undefined) {
                fromFirst[image] = composeSparse(fromFirst[block], generator);
                reached.push(image);
            }
        }
    }
    const toFirst = fromFirst.map(inverseSparse);
    const inner = new Map<string, SparsePermutation>();
    for (let block = 0; block < blocks.length; block++) {
        for (const generator of moversOfBlock[block]) {
            const image = imageOfBlock(generator, block);
            const kept = composeSparse(composeSparse(fromFirst[block], generator), toFirst[image]);
            const inside: [number, number][] = [];
            kept.points.forEach((point, i) => {
                if (blockOfCell[action.cellOfPoint[point]] === 0) {
                    inside.push([point, kept.images[i]]);
                }
            });
            if (inside.length > 0) {
                inner.set(inside.join(), sparsePermutation(inside));
            }
        }
    }
    return { blocks, fromFirst, inner: restrictAction(action, blocks[0], [...inner.values()], undefined) };
}

/** What `p` does to cells. */
function cellPermutation(action: LiteralAction, p: SparsePermutation): SparsePermutation {
    const pairs: [number, number][] = [];
    p.points.forEach((point, i) => {
        if (action.firstPoint[action.cellOfPoint[point]] === point) {
            pairs.push([action.cellOfPoint[point], action.cellOfPoint[p.images[i]]]);
        }
    });
    return sparsePermutation(pairs);
}
