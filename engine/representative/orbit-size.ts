/**
 * How many states the orbit of a state has, and a text that only the states of this orbit have, under any group.
 *
 * The elements that give one image of the state are as many as those that fix it, so counting them gives the size of the
 * orbit. Elements are gone through along a stabilizer chain, or not at all if the group permutes blocks of cells freely.
 */
import { HashChains } from '../common/hash-chains.js';
import { sameNumbers } from '../common/same-data.js';
import { createLiteralAction, type LiteralAction, type LiteralGroup } from '../group/literal-action.js';
import { orbitNumbers } from '../group/orbits.js';
import { CHAIN_ENTRY_LIMIT } from '../group/permutation-group.js';
import { inverse, type Permutation } from '../group/permutation.js';
import { toDense, toSparse } from '../group/sparse-permutation.js';
import { blocksOfElements } from '../group/element-blocks.js';
import { ContentNumbering } from './content-numbering.js';
import {
    compareRows,
    prepareFamily,
    sortFamily,
    type BlockFamily,
    type PreparedFamily,
} from './representative-by-sorting.js';
import { tryStabilizerChain } from '../group/stabilizer-chain.js';
import { findSymmetricAction } from '../group/symmetric-action.js';
import { cosetElements } from '../group/symmetric-quotient.js';
import { disjointFactorsWithOrders } from '../group/wreath-action.js';

/** Of a state. */
interface Orbit {
    readonly size: bigint;
    /** The same text for two states exactly if this is the orbit of both. */
    readonly key: string;
}

/** Finds the orbits of states, one at a time. */
export interface OrbitSizes {
    /** For codes, -1 for no value; `undefined` where too many images tie. */
    orbitOf(state: Readonly<Int32Array>): Orbit | undefined;
    /** Cells looked at for one state in which few images tie. */
    readonly work: number;
    /** Cells looked at for all states so far. */
    readonly worked: number;
}

/** Cells looked at for one factor of one state: some tenths of a second. */
const MOST_WORK = 20_000_000;

/**
 * `undefined` where a factor needs a stabilizer chain that takes too much memory, or that has more generators times points
 * than `largestChain`. Blocks of cells that are permuted freely need no chain, however many they are.
 */
export function createOrbitSizes(group: LiteralGroup, largestChain = Infinity): OrbitSizes | undefined {
    const action = createLiteralAction(group);
    const factors: Factor[] = [];
    for (const part of disjointFactorsWithOrders(action)) {
        const factor = createFactor(part, largestChain);
        if (factor === undefined) {
            return undefined;
        }
        factors.push(factor);
    }
    const numbering = new ContentNumbering(group);
    const contents = new Int32Array(group.cellCount);
    return {
        work: factors.reduce((sum, { work }) => sum + work, 0),
        get worked(): number {
            return factors.reduce((sum, { worked }) => sum + worked(), 0);
        },
        orbitOf(state): Orbit | undefined {
            numbering.contentsInto(contents, state);
            let size = 1n;
            for (const { cells, leafOf } of factors) {
                const leaf = leafOf(cells.map(cell => contents[cell]));
                if (leaf === undefined) {
                    return undefined;
                }
                cells.forEach((cell, index) => (contents[cell] = leaf.contents[index]));
                size *= leaf.orbitSize;
            }
            numbering.codesInto(contents, contents);
            return { size, key: contents.join() };
        },
    };
}

interface Leaf {
    readonly orbitSize: bigint;
    /** The canonical image. */
    readonly contents: Int32Array;
}

interface Factor {
    readonly cells: Int32Array;
    /** Of the contents of its cells. */
    readonly leafOf: (contents: Int32Array) => Leaf | undefined;
    readonly work: number;
    readonly worked: () => number;
}

/** One step along the chain. */
interface Step {
    /** For each point of the base point's orbit, the inverse of an element that maps the base point there. */
    readonly inverses: readonly Permutation[];
    /**
     * `marks[i][point]` is a number for the image of the point under `inverses[i]`: the same for two images exactly if the
     * next subgroup maps one to the other.
     */
    readonly marks: readonly Int32Array[];
}

function createFactor(action: LiteralAction, largestChain: number): Factor | undefined {
    const families = freeBlocks(action);
    if (families !== undefined) {
        return createFactorBySorting(action, families);
    }
    return action.generators.length * action.pointCount > largestChain ? undefined : createFactorByChain(action);
}

/** Blocks of cells that the group permutes freely, if it does nothing else. */
function freeBlocks(action: LiteralAction): readonly BlockFamily[] | undefined {
    const symmetric = findSymmetricAction(action.generators, action.pointCount);
    const blocks = symmetric && blocksOfElements(action, symmetric);
    return blocks && cosetElements(action, symmetric, 1) && blocks;
}

/** Blocks of cells that are permuted freely are sorted. O(cells · log cells) for a state. */
function createFactorBySorting(action: LiteralAction, families: readonly BlockFamily[]): Factor {
    const { cells } = action;
    const prepared = families.map(family => prepareFamily(action, family));
    let worked = 0;
    return {
        cells,
        work: cells.length,
        worked: () => worked,
        leafOf(contents): Leaf {
            const sorted = contents.slice();
            let orbitSize = 1n;
            worked += cells.length;
            for (const family of prepared) {
                sortFamily(sorted, contents, family);
                orbitSize *= arrangementsOf(family);
            }
            return { orbitSize, contents: sorted };
        },
    };
}

/** How many arrangements the sorted rows have: the multinomial coefficient of how often each row occurs. */
function arrangementsOf({ blockCount, width, rows, order }: PreparedFamily): bigint {
    let arrangements = 1n;
    let alike = 1n;
    for (let place = 1; place < blockCount; place++) {
        alike = compareRows(rows, width, order[place - 1], order[place]) === 0 ? alike + 1n : 1n;
        arrangements = (arrangements * BigInt(place + 1)) / alike;
    }
    return arrangements;
}

/**
 * Elements are split along a stabilizer chain: G(0) is the group, G(i + 1) fixes one more base point, and an element of
 * G(i) is one of G(i + 1) before a transversal element, whose inverse is applied first here. After i steps there are
 * nodes: the distinct images so far, each with the number of ways that lead to it; what can still happen to a node is
 * G(i). Only the nodes are kept that are least by a number that no element of G(i) changes, so of one final image either
 * all ways are kept or none. [Linton2004]; the number is by orbits, as in [JeffersonEtAl2019].
 *
 * Base points are first the points that stand for no value, so each step settles one cell with all its contents. Work is
 * the sum of the lengths of the chain's orbits times the number of cells, as long as few nodes tie.
 */
function createFactorByChain(action: LiteralAction): Factor | undefined {
    const { firstPoint, cellOfPoint, pointCount, cells } = action;
    const generators = action.generators.map(generator => toDense(generator, pointCount));
    const chain = tryStabilizerChain(generators, pointCount, {
        base: Array.from(cells, (_, cell) => firstPoint[cell]),
        entryLimit: CHAIN_ENTRY_LIMIT,
        ...(action.order === undefined ? {} : { order: action.order }),
    });
    if (chain === undefined) {
        return undefined;
    }
    const levels = [...chain.base.keys()].filter(level => chain.orbit(level).length > 1);
    const steps = levels.map((level): Step => {
        const inverses = chain.orbit(level).map(point => inverse(chain.transversalElement(level, point)));
        const marks = orbitMarks(chain.stabilizerGenerators(level + 1), pointCount);
        return { inverses, marks: inverses.map(element => element.map(image => marks[image])) };
    });
    const { order } = chain;
    const image = new Int32Array(cells.length);
    const childrenOfHash = new HashChains();
    const work = steps.reduce((sum, { inverses }) => sum + inverses.length * cells.length, 0);
    let worked = 0;
    return { cells, work, leafOf, worked: () => worked };

    function leafOf(start: Int32Array): Leaf | undefined {
        let nodes: Node[] = [{ contents: start, ways: 1n }];
        let work = 0;
        for (const step of steps) {
            const more = nodes.length * step.inverses.length * cells.length;
            work += more;
            worked += more;
            if (work > MOST_WORK) {
                return undefined;
            }
            nodes = leastChildren(nodes, step);
        }
        const [first] = nodes;
        let { contents } = first;
        for (const node of nodes) {
            contents = isBefore(node.contents, contents) ? node.contents : contents;
        }
        return { orbitSize: order / first.ways, contents };
    }

    /** Writes the image into `image`, and returns a hash of it. */
    function makeImage(contents: Int32Array, element: Permutation): number {
        let hash = 0;
        for (let cell = 0; cell < contents.length; cell++) {
            const point = element[firstPoint[cell] + contents[cell]];
            const target = cellOfPoint[point];
            image[target] = point - firstPoint[target];
            const mixed = Math.imul(point + 1, 0x9e3779b1);
            hash = (hash + Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77)) | 0;
        }
        return hash;
    }

    /** The images of all nodes under the inverses of a step, those with the least number, equal ones as one. */
    function leastChildren(nodes: readonly Node[], { inverses, marks }: Step): Node[] {
        let least = Infinity;
        let children: Node[] = [];
        childrenOfHash.clear();
        for (const { contents, ways } of nodes) {
            for (let index = 0; index < inverses.length; index++) {
                const markOfImage = marks[index];
                let number = 0;
                for (let cell = 0; cell < contents.length; cell++) {
                    number = (number + markOfImage[firstPoint[cell] + contents[cell]]) | 0;
                }
                if (number < least) {
                    least = number;
                    children = [];
                    childrenOfHash.clear();
                }
                if (number === least) {
                    addImage(makeImage(contents, inverses[index]), ways, children);
                }
            }
        }
        return children;
    }

    /** Adds what is in `image` to the children, or its ways to those of an equal one. */
    function addImage(hash: number, ways: bigint, children: Node[]): void {
        for (let child = childrenOfHash.first(hash); child >= 0; child = childrenOfHash.next(child)) {
            if (sameNumbers(children[child].contents, image)) {
                children[child].ways += ways;
                return;
            }
        }
        childrenOfHash.add(children.length, hash);
        children.push({ contents: image.slice(), ways });
    }
}

interface Node {
    readonly contents: Int32Array;
    ways: bigint;
}

function isBefore(first: Int32Array, second: Int32Array): boolean {
    const index = first.findIndex((content, cell) => content !== second[cell]);
    return index >= 0 && first[index] < second[index];
}

/** Numbers of orbits, mixed: sums of them tell most multisets apart. That two are confused costs time only. */
function orbitMarks(generators: readonly Permutation[], pointCount: number): Int32Array {
    return orbitNumbers(generators.map(toSparse), pointCount).map(number => {
        const hash = Math.imul(number + 1, 0x9e3779b1);
        return Math.imul(hash ^ (hash >>> 15), 0x85ebca77);
    });
}
