/**
 * Wreath products that act on blocks of cells, such as servers with their clients: every permutation of the blocks, and
 * an independent copy of an inner group inside each block.
 *
 * If a group permutes blocks of cells, it is contained in H wr S_k, where H is the action inside a block of its
 * stabilizer. An upper bound of |H| thus bounds the order of the group. If the bound is the order, the group is the
 * wreath product, and it needs no stabilizer chain.
 */
import { appendTo } from '../common/list-map.js';
import { allBlockSystems } from './blocks.js';
import { disjointFactors, restrictAction, type LiteralAction } from './literal-action.js';
import { ordersOfParts } from './recognize-action.js';
import { orbits } from './orbits.js';
import { factorial, permutation } from './permutation.js';
import {
    composeSparse,
    imageOf,
    SPARSE_IDENTITY,
    sparsePermutation,
    type SparsePermutation,
    toDense,
} from './sparse-permutation.js';
import { tryStabilizerChain } from './stabilizer-chain.js';
import { findSymmetricAction } from './symmetric-action.js';
import { cosetElements } from './symmetric-quotient.js';

export interface WreathAction {
    /** Blocks of cells with the same number of cells; the group permutes the blocks in every way. */
    readonly blocks: readonly (readonly number[])[];
    /** `fromFirst[block]` maps the first block onto the block. */
    readonly fromFirst: readonly SparsePermutation[];
    /** The inner group, on the cells of `blocks[0]`; its order is exact. */
    readonly inner: LiteralAction;
}

/** The most cosets of a product of symmetric groups that are counted. */
const COSET_LIMIT = 64;
const CHAIN_ENTRY_LIMIT = 2_000_000;
/** The most cells of an orbit that is searched for blocks. */
const ORBIT_LIMIT = 400;
const BLOCK_SYSTEM_LIMIT = 30;

/** A group of known order as a wreath product, if it is one. */
export function findWreathAction(action: LiteralAction, order = action.order): WreathAction | undefined {
    if (order === undefined) {
        return undefined;
    }
    const cellImages = action.generators.map(generator => cellPermutation(action, generator));
    const cellOrbits = orbits(cellImages, action.cells.length)
        .filter(orbit => orbit.length > 1)
        .sort((a, b) => a.length - b.length);
    // Cells that are fixed but change their values belong to no block.
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

/**
 * The direct factors with disjoint cells, with exact orders if bounds prove them: if the product of lower bounds, or of
 * upper bounds, is the order of the group, each bound is exact.
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

/** An upper bound of the order, or the order. If `expected` is given, the order is at least this. */
function orderBound(action: LiteralAction, expected: bigint | undefined): bigint | undefined {
    const factors = disjointFactors(action);
    if (factors.length !== 1) {
        const bounds = factors.map(factor => orderBound(factor, undefined));
        return bounds.some(bound => bound === undefined)
            ? undefined
            : bounds.reduce<bigint>((product, bound) => product * bound!, 1n);
    }
    // A product of symmetric groups that is much smaller has too many cosets.
    const symmetric = findSymmetricAction(action.generators, action.pointCount);
    if (symmetric !== undefined && (expected ?? 0n) <= symmetric.order * BigInt(COSET_LIMIT)) {
        const cosets = cosetElements(action, symmetric, COSET_LIMIT);
        if (cosets !== undefined) {
            return symmetric.order * BigInt(cosets.length);
        }
    }
    const guess = expected === undefined ? undefined : findWreathAction(action, expected);
    if (guess !== undefined) {
        return expected;
    }
    const generators = action.generators.map(generator => toDense(generator, action.pointCount));
    return tryStabilizerChain(generators, action.pointCount, { entryLimit: CHAIN_ENTRY_LIMIT })?.order;
}

/** Partitions of one orbit into blocks: single cells of each orbit, and block systems of the shortest orbit. */
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
 * is, if the images of the pair of both have one block for each cell.
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

interface BlockMoves {
    /** `movers[block]`: the generators that move points of the block. */
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

/** The action of the stabilizer of the first block inside it, by Schreier's lemma. */
function actionInFirstBlock(action: LiteralAction, blocks: readonly (readonly number[])[]): LiteralAction {
    const { movers, imageOfBlock } = blockMovesOf(action, blocks);
    const points = blocks[0].flatMap(cell =>
        Array.from(
            { length: action.firstPoint[cell + 1] - action.firstPoint[cell] },
            (_, i) => action.firstPoint[cell] + i,
        ),
    );
    /** `images[block]`: the images of the points of the first block; `origin[point]`: the point mapped to `point`. */
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

/** The permutation of the cells that `p` induces. */
function cellPermutation(action: LiteralAction, p: SparsePermutation): SparsePermutation {
    const pairs: [number, number][] = [];
    p.points.forEach((point, i) => {
        if (action.firstPoint[action.cellOfPoint[point]] === point) {
            pairs.push([action.cellOfPoint[point], action.cellOfPoint[p.images[i]]]);
        }
    });
    return sparsePermutation(pairs);
}
