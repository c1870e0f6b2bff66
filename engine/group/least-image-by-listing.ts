/**
 * The least image of a state by going through all elements of a small group.
 *
 * The elements are kept as a tree: the path of an element says, for the first cell, the second and so on, from which
 * cell its content comes and how it is translated. Elements that agree on the first cells share the beginning of their
 * paths, and a beginning that is larger than the best image so far is left with all elements below it.
 */
import { LEAST_IMAGE_ELEMENT_LIMIT, listElements } from './elements.js';
import type { LiteralAction } from './literal-action.js';
import { toSparse, type Permutation } from './permutation.js';
import type { FactorCanonicalizer } from './representative.js';
import type { SparsePermutation } from './sparse-permutation.js';

/** Nodes of the tree that are worth keeping: 14 bytes each. */
const NODE_LIMIT = 2_000_000;

/** The tree in preorder: a node's subtree follows it directly. All arrays have length nodeCount. */
interface ElementTree {
    /** The cell of the image that the node determines. */
    readonly cell: Int32Array;
    /** The cell of the state that its content comes from. */
    readonly source: Int32Array;
    /** `translation[offset[node] + content]` is the content in the image of `content` at the source. */
    readonly offset: Int32Array;
    readonly translation: Int32Array;
    /** The first node behind the node's subtree. */
    readonly behind: Int32Array;
    readonly nodeCount: number;
    /** `elementOfLeaf` gives the element at a node of the last cell. */
    readonly elementOfLeaf: ReadonlyMap<number, Permutation>;
}

/** `undefined` when the group is too large to be listed. */
export function createLeastImageByListing(action: LiteralAction): FactorCanonicalizer | undefined {
    const cellCount = action.cells.length;
    const elements = listElements(action, Math.min(LEAST_IMAGE_ELEMENT_LIMIT, Math.floor(NODE_LIMIT / cellCount)));
    if (elements === undefined) {
        return undefined;
    }
    const tree = buildTree(action, elements);
    return {
        strategy: 'list',
        unique: true,
        canonicalizeInto(target, contents): boolean {
            leastImageInto(target, contents, tree);
            return true;
        },
        transformation(contents): SparsePermutation {
            const leaf = leastImageInto(new Int32Array(cellCount), contents, tree);
            return toSparse(tree.elementOfLeaf.get(leaf)!);
        },
    };
}

/**
 * Writes the least image into `target` and returns the leaf of an element that makes it. Reads each node at most once;
 * allocates nothing.
 */
function leastImageInto(target: Int32Array, contents: Readonly<Int32Array>, tree: ElementTree): number {
    const { cell, source, offset, translation, behind, nodeCount } = tree;
    const lastCell = target.length - 1;
    // The cells before `known` hold the least beginning of an image so far.
    let known = 0;
    let bestLeaf = 0;
    let improved = true;
    for (let node = 0; node < nodeCount; ) {
        const position = cell[node];
        const content = translation[offset[node] + contents[source[node]]];
        if (position >= known || content < target[position]) {
            target[position] = content;
            known = position + 1;
            improved = true;
        } else if (content > target[position]) {
            node = behind[node];
            continue;
        }
        if (position === lastCell && improved) {
            bestLeaf = node;
            improved = false;
        }
        node++;
    }
    return bestLeaf;
}

function buildTree(action: LiteralAction, elements: readonly Permutation[]): ElementTree {
    const { firstPoint, cellOfPoint } = action;
    const cellCount = action.cells.length;
    const cell: number[] = [];
    const source: number[] = [];
    const offset: number[] = [];
    const behind: number[] = [];
    const translation: number[] = [];
    const offsetOfTranslation = new Map<string, number>();
    const elementOfLeaf = new Map<number, Permutation>();

    /** `sources[e][i]`: the cell that element e maps onto cell i. */
    const sources = elements.map(element => {
        const sourceOfCell = new Int32Array(cellCount);
        for (let i = 0; i < cellCount; i++) {
            sourceOfCell[cellOfPoint[element[firstPoint[i]]]] = i;
        }
        return sourceOfCell;
    });

    const translationOffset = (element: Permutation, from: number, to: number): number => {
        const contents: number[] = [];
        for (let point = firstPoint[from]; point < firstPoint[from + 1]; point++) {
            contents.push(element[point] - firstPoint[to]);
        }
        const key = contents.join();
        let known = offsetOfTranslation.get(key);
        if (known === undefined) {
            known = translation.length;
            translation.push(...contents);
            offsetOfTranslation.set(key, known);
        }
        return known;
    };

    const pushNode = (position: number, from: number, at: number): number => {
        cell.push(position);
        source.push(from);
        offset.push(at);
        behind.push(-1);
        return cell.length - 1;
    };

    const addSubtrees = (members: readonly number[], start: number): void => {
        if (members.length === 1) {
            addChain(members[0], start);
            return;
        }
        const groups = new Map<number, number[]>();
        for (const e of members) {
            const from = sources[e][start];
            const key = translationOffset(elements[e], from, start) * cellCount + from;
            const group = groups.get(key);
            if (group === undefined) {
                groups.set(key, [e]);
            } else {
                group.push(e);
            }
        }
        for (const [key, group] of groups) {
            const node = pushNode(start, key % cellCount, Math.floor(key / cellCount));
            addSubtrees(group, start + 1);
            behind[node] = cell.length;
        }
    };

    /** The rest of the path of a single element. */
    const addChain = (e: number, start: number): void => {
        const first = cell.length;
        for (let position = start; position < cellCount; position++) {
            const from = sources[e][position];
            pushNode(position, from, translationOffset(elements[e], from, position));
        }
        behind.fill(cell.length, first);
        elementOfLeaf.set(cell.length - 1, elements[e]);
    };

    addSubtrees([...elements.keys()], 0);
    return {
        cell: Int32Array.from(cell),
        source: Int32Array.from(source),
        offset: Int32Array.from(offset),
        translation: Int32Array.from(translation),
        behind: Int32Array.from(behind),
        nodeCount: cell.length,
        elementOfLeaf,
    };
}
