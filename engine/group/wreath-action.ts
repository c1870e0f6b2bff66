/**
 * Wreath products that act on blocks of cells, such as servers with their clients or the subtrees below a node: every
 * permutation of the blocks, and inside each block, independently of the others, an inner group.
 */
import { appendTo } from '../common/list-map.js';
import { allBlockSystems } from './blocks.js';
import { disjointFactors, restrictAction, type LiteralAction } from './literal-action.js';
import { ordersOfParts } from './recognize-action.js';
import { orbits } from './orbits.js';
import { factorial, permutation, toDense } from './permutation.js';
import {
    composeSparse,
    imageOf,
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
 * The direct factors with disjoint cells, each with its exact order where bounds prove it: if the product of bounds, all
 * of them from below or all from above, is the order of the whole, each bound is met.
 */
export function disjointFactorsWithOrders(action: LiteralAction): readonly LiteralAction[] {
    const factors = disjointFactors(action);
    if (factors.length < 2 || action.order === undefined) {
        return factors;
    }
    const parts = factors.map(({ generators, pointCount }) => ({ generators, degree: pointCount }));
    const orders = ordersOfParts(parts, action.order) ?? ordersByBounds(factors, action.order);
    return orders === undefined ? factors : factors.map((factor, i) => ({ ...factor, order: orders[i] }));
}

function ordersByBounds(factors: readonly LiteralAction[], order: bigint): readonly bigint[] | undefined {
    const bounds = factors.map(factor => orderBound(factor, undefined));
    const product = bounds.reduce<bigint>((total, bound) => total * (bound ?? 0n), 1n);
    return product === order ? (bounds as bigint[]) : undefined;
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
    for (const system of candidateSystems(cellImages, cellOrbits, order)) {
        const innerOrder = exactRoot(order, system.length);
        const blocks = innerOrder === undefined ? undefined : blocksOfCells(cellImages, cellOrbits, system);
        if (innerOrder === undefined || blocks === undefined) {
            continue;
        }
        const inner = actionInFirstBlock(action, blocks);
        if (orderBound(inner, innerOrder) === innerOrder) {
            return wreathAction(action, blocks, { ...inner, order: innerOrder });
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
    order: bigint,
): readonly (readonly (readonly number[])[])[] {
    const systems: (readonly (readonly number[])[])[] = cellOrbits.map(orbit => orbit.map(cell => [cell]));
    for (const orbit of cellOrbits.slice(0, 1)) {
        const isPossible = Array.from({ length: orbit.length }, (_, count) => count).some(
            count => count > 1 && orbit.length % count === 0 && exactRoot(order, count) !== undefined,
        );
        if (orbit.length > ORBIT_LIMIT || !isPossible) {
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
    const moversOfBlock = system.map((_, block) =>
        [...cellImages.keys()].filter(generator => blockImages[generator][block] !== block),
    );
    const moversOfCell = new Map<number, number[]>();
    cellImages.forEach(({ points }, generator) => points.forEach(cell => appendTo(moversOfCell, cell, generator)));
    const moversOf = (cell: number, block: number): readonly number[] => [
        ...(moversOfCell.get(cell) ?? []),
        ...moversOfBlock[block],
    ];
    for (const orbit of cellOrbits) {
        if (blockOfCell.has(orbit[0])) {
            continue;
        }
        let blockOf: Map<number, number> | undefined;
        for (let block = 0; block < system.length && blockOf === undefined; block++) {
            blockOf = followPair(cellImages, blockImages, moversOf, orbit[0], block);
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
    /** The generators that move the cell or the block. */
    moversOf: (cell: number, block: number) => readonly number[],
    cell: number,
    block: number,
): Map<number, number> | undefined {
    const blockOf = new Map([[cell, block]]);
    for (const [from, fromBlock] of blockOf) {
        for (const g of moversOf(from, fromBlock)) {
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

function wreathAction(
    action: LiteralAction,
    blocks: readonly (readonly number[])[],
    inner: LiteralAction,
): WreathAction {
    let elements: readonly SparsePermutation[] | undefined;
    return {
        blocks,
        inner,
        get fromFirst(): readonly SparsePermutation[] {
            elements ??= elementsFromFirst(action, blocks);
            return elements;
        },
    };
}

/** How the generators move blocks. One that moves nothing of a block maps it onto itself and does nothing inside it. */
interface BlockMoves {
    /** `movers[block]`: the generators that move something of the block. */
    readonly movers: readonly (readonly SparsePermutation[])[];
    readonly imageOfBlock: (p: SparsePermutation, block: number) => number;
}

function blockMovesOf(action: LiteralAction, blocks: readonly (readonly number[])[]): BlockMoves {
    const blockOfCell = new Int32Array(action.cells.length);
    blocks.forEach((block, i) => block.forEach(cell => (blockOfCell[cell] = i)));
    const movers = blocks.map((): SparsePermutation[] => []);
    for (const generator of action.generators) {
        for (const block of new Set(Array.from(generator.points, point => blockOfCell[action.cellOfPoint[point]]))) {
            movers[block].push(generator);
        }
    }
    return {
        movers,
        imageOfBlock: (p, block) => blockOfCell[action.cellOfPoint[imageOf(p, action.firstPoint[blocks[block][0]])]],
    };
}

/** Elements that map the first block onto each. */
function elementsFromFirst(
    action: LiteralAction,
    blocks: readonly (readonly number[])[],
): readonly SparsePermutation[] {
    const { movers, imageOfBlock } = blockMovesOf(action, blocks);
    const fromFirst: SparsePermutation[] = [];
    fromFirst[0] = SPARSE_IDENTITY;
    const reached = [0];
    for (const block of reached) {
        for (const generator of movers[block]) {
            const image = imageOfBlock(generator, block);
            if (fromFirst[image] === undefined) {
                fromFirst[image] = composeSparse(fromFirst[block], generator);
                reached.push(image);
            }
        }
    }
    return fromFirst;
}

/**
 * By Schreier's lemma what those elements that keep the first block do inside it. Of the elements that map it onto the
 * others only that is looked at which they do to its points.
 */
function actionInFirstBlock(action: LiteralAction, blocks: readonly (readonly number[])[]): LiteralAction {
    const { movers, imageOfBlock } = blockMovesOf(action, blocks);
    const points = blocks[0].flatMap(cell =>
        Array.from(
            { length: action.firstPoint[cell + 1] - action.firstPoint[cell] },
            (_, i) => action.firstPoint[cell] + i,
        ),
    );
    /** `images[block]`: where the points of the first block go in it; `origin[point]`: which of these goes there. */
    const images: (readonly number[])[] = [];
    const origin = new Int32Array(action.pointCount).fill(-1);
    const reached = [0];
    const reach = (block: number, own: readonly number[]): void => {
        images[block] = own;
        own.forEach((point, i) => (origin[point] = points[i]));
    };
    reach(0, points);
    for (const block of reached) {
        for (const generator of movers[block]) {
            const image = imageOfBlock(generator, block);
            if (images[image] === undefined) {
                reach(
                    image,
                    images[block].map(point => imageOf(generator, point)),
                );
                reached.push(image);
            }
        }
    }
    const inner = new Map<string, SparsePermutation>();
    for (const block of reached) {
        for (const generator of movers[block]) {
            const kept = sparsePermutation(
                points.map((point, i): [number, number] => [point, origin[imageOf(generator, images[block][i])]]),
            );
            if (kept.points.length > 0) {
                inner.set(`${kept.points.join()};${kept.images.join()}`, kept);
            }
        }
    }
    return restrictAction(action, blocks[0], [...inner.values()], undefined);
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

/*
 * For any way to cut the cells into blocks that the group permutes, the group is contained in H wr S_k, where H is the
 * action inside a block of the elements that keep it. A bound of H, found in the same way, bounds the order from above.
 * If the bound is the order of the group, all these inclusions are equalities, and the group is the wreath product. So
 * no stabilizer chain of the whole group is needed.
 */
