/**
 * The least image of a state by going through all elements of a small group.
 *
 * The elements are kept as a tree: the path of an element says, for the first cell, the second and so on, from which
 * cell its content comes and how it is translated. Elements that agree on the first cells share the beginning of their
 * paths, and a beginning that is larger than the best image so far is left with all elements below it.
 *
 * Cells that stay in place while their values move, such as the index of a process, come first in the comparison: the
 * least of many values leaves few elements for the rest. Least means least in this order of the cells.
 */
import { LEAST_IMAGE_ELEMENT_LIMIT, listElements } from './elements.js';
import type { LiteralAction } from './literal-action.js';
import { toSparse, type Permutation } from './permutation.js';
import type { FactorCanonicalizer } from './representative.js';
import type { SparsePermutation } from './sparse-permutation.js';

/** Nodes of the tree that are worth keeping: 16 bytes each. */
const NODE_LIMIT = 4_000_000;

/** The tree in preorder: a node's subtree follows it directly. All arrays have length nodeCount. */
interface ElementTree {
    /** The place in `cellOrder` of the cell that the node determines. */
    readonly place: Int32Array;
    /** The cell of the state that its content comes from. */
    readonly source: Int32Array;
    /** `translation[offset[node] + content]` is the content in the image of `content` at the source. */
    readonly offset: Int32Array;
    readonly translation: Int32Array;
    /** The first node behind the node's subtree. */
    readonly behind: Int32Array;
    readonly nodeCount: number;
    /** The cells in the order of comparison. */
    readonly cellOrder: Int32Array;
    /** The element at each node of the last cell. */
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
    const image = new Int32Array(cellCount);
    return {
        strategy: 'list',
        unique: true,
        canonicalizeInto(target, contents): boolean {
            leastImageInto(image, contents, tree);
            for (let place = 0; place < cellCount; place++) {
                target[tree.cellOrder[place]] = image[place];
            }
            return true;
        },
        transformation(contents): SparsePermutation {
            const leaf = leastImageInto(image, contents, tree);
            return toSparse(tree.elementOfLeaf.get(leaf)!);
        },
    };
}

/**
 * Writes the contents of the least image into `image`, by places, and returns the leaf of an element that makes it.
 * Reads each node at most once; allocates nothing.
 */
function leastImageInto(image: Int32Array, contents: Readonly<Int32Array>, tree: ElementTree): number {
    const { place, source, offset, translation, behind, nodeCount } = tree;
    const lastPlace = image.length - 1;
    // The places before `known` hold the least beginning of an image so far.
    let known = 0;
    let bestLeaf = 0;
    let isImproved = true;
    for (let node = 0; node < nodeCount; ) {
        const at = place[node];
        const content = translation[offset[node] + contents[source[node]]];
        if (at >= known || content < image[at]) {
            image[at] = content;
            known = at + 1;
            isImproved = true;
        } else if (content > image[at]) {
            node = behind[node];
            continue;
        }
        if (at === lastPlace && isImproved) {
            bestLeaf = node;
            isImproved = false;
        }
        node++;
    }
    return bestLeaf;
}

/** Cells that no element moves, those with the most values first; then the others as they are numbered. */
function orderOfCells(action: LiteralAction): Int32Array {
    const { firstPoint, generators } = action;
    const isMoved = new Uint8Array(action.cells.length);
    for (const { points } of generators) {
        for (const point of points) {
            if (point === firstPoint[action.cellOfPoint[point]]) {
                isMoved[action.cellOfPoint[point]] = 1;
            }
        }
    }
    const size = (cell: number): number => (isMoved[cell] === 1 ? 0 : firstPoint[cell + 1] - firstPoint[cell]);
    return Int32Array.from(
        Array.from(action.cells.keys()).sort((a, b) => size(b) - size(a) || a - b),
    );
}

function buildTree(action: LiteralAction, elements: readonly Permutation[]): ElementTree {
    const { firstPoint, cellOfPoint } = action;
    const cellCount = action.cells.length;
    const cellOrder = orderOfCells(action);
    const place: number[] = [];
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

    const pushNode = (at: number, from: number, translatedBy: number): number => {
        place.push(at);
        source.push(from);
        offset.push(translatedBy);
        behind.push(-1);
        return place.length - 1;
    };

    const addSubtrees = (members: readonly number[], start: number): void => {
        if (members.length === 1) {
            addChain(members[0], start);
            return;
        }
        const groups = new Map<number, number[]>();
        for (const e of members) {
            const from = sources[e][cellOrder[start]];
            const key = translationOffset(elements[e], from, cellOrder[start]) * cellCount + from;
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
            behind[node] = place.length;
        }
    };

    /** The rest of the path of a single element. */
    const addChain = (e: number, start: number): void => {
        const first = place.length;
        for (let at = start; at < cellCount; at++) {
            const from = sources[e][cellOrder[at]];
            pushNode(at, from, translationOffset(elements[e], from, cellOrder[at]));
        }
        behind.fill(place.length, first);
        elementOfLeaf.set(place.length - 1, elements[e]);
    };

    addSubtrees([...elements.keys()], 0);
    return {
        place: Int32Array.from(place),
        source: Int32Array.from(source),
        offset: Int32Array.from(offset),
        translation: Int32Array.from(translation),
        behind: Int32Array.from(behind),
        nodeCount: place.length,
        cellOrder,
        elementOfLeaf,
    };
}
