/**
 * The least image of a state under all elements of a small group; first-compared-cells.ts chooses the order of cells.
 *
 * The contents of the first cells select the elements that make them least: the leaves of a tree. A node says from which
 * cell the content of the next cell comes, and how it is translated. A branch with contents larger than those of the best
 * image is left. Selections and trees are made on first use.
 */
import { appendTo, remembered } from '../common/list-map.js';
import { LEAST_IMAGE_ELEMENT_LIMIT, listElements } from '../group/elements.js';
import { leadingCells } from './first-compared-cells.js';
import type { LiteralAction } from '../group/literal-action.js';
import type { Permutation } from '../group/permutation.js';
import type { FactorCanonicalizer, WorkMeter } from './strategy.js';
import { stateImages, type RepresentativePlan } from './representative-plan.js';
import { type SparsePermutation, toSparse } from '../group/sparse-permutation.js';

/** Nodes that all trees together may have, 16 bytes each; beyond that they are made anew. */
const NODE_LIMIT = 8_000_000;
/** Nodes that the tree of the whole group may have. */
const TREE_NODE_LIMIT = 4_000_000;
/** More elements are not written down one by one. */
export const MOST_PLANNED = 1024;
/** So few elements are not worth selecting from. */
const FEW_ELEMENTS = 16;

/** Elements that make the cells so far least; the next cell that stays in place selects among them. */
interface Selection {
    readonly elements: readonly Permutation[];
    /** The selections for the contents of the next such cell. */
    readonly byContent: (Selection | undefined)[];
    tree: ElementTree | undefined;
}

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
    /** The element at each node of the last cell. */
    readonly elementOfLeaf: ReadonlyMap<number, Permutation>;
}

/** `undefined` when the group is too large to be listed. */
export function createLeastImageByListing(action: LiteralAction, meter: WorkMeter): FactorCanonicalizer | undefined {
    const cellCount = action.cells.length;
    const treeLimit = Math.floor(TREE_NODE_LIMIT / cellCount);
    const elements = listElements(action, Math.min(LEAST_IMAGE_ELEMENT_LIMIT, 2 * treeLimit));
    if (elements === undefined) {
        return undefined;
    }
    const leading = leadingCells(action, elements);
    // Where the first cell stays in place, no tree ever holds more than the elements that fix one of its values.
    if (!leading.areFixed && elements.length > treeLimit) {
        return undefined;
    }
    const fixedCount = leading.areFixed ? leading.cells.length : 0;
    const others = [...action.cells.keys()].filter(cell => !leading.cells.includes(cell));
    const cellOrder = Int32Array.from([...leading.cells, ...others]);
    let root = newSelection(elements);
    let nodeCount = 0;
    const image = new Int32Array(cellCount);
    const treeFor = (contents: Readonly<Int32Array>): ElementTree => {
        let selection = root;
        for (let place = 0; place < fixedCount && selection.elements.length > FEW_ELEMENTS; place++) {
            const content = contents[cellOrder[place]];
            selection.byContent[content] ??= newSelection(
                selectLeast(selection.elements, action.firstPoint[cellOrder[place]] + content),
            );
            selection = selection.byContent[content];
        }
        if (selection.tree === undefined) {
            selection.tree = buildTree(action, cellOrder, selection.elements);
            nodeCount += selection.tree.nodeCount;
            if (nodeCount > NODE_LIMIT) {
                root = newSelection(elements);
                nodeCount = 0;
            }
        }
        return selection.tree;
    };
    return {
        strategy: 'list',
        unique: true,
        canonicalizeInto(target, contents): boolean {
            leastImageInto(image, contents, treeFor(contents), meter);
            for (let place = 0; place < cellCount; place++) {
                target[cellOrder[place]] = image[place];
            }
            return true;
        },
        transformation(contents): SparsePermutation {
            const tree = treeFor(contents);
            const leaf = leastImageInto(image, contents, tree, meter);
            return toSparse(tree.elementOfLeaf.get(leaf)!);
        },
        plan(): RepresentativePlan | undefined {
            return elements.length > MOST_PLANNED
                ? undefined
                : [{ kind: 'list', leading: leading.cells, images: stateImages(action, elements) }];
        },
    };
}

function newSelection(elements: readonly Permutation[]): Selection {
    return { elements, byContent: [], tree: undefined };
}

/** The elements whose image of the point is least. */
function selectLeast(elements: readonly Permutation[], point: number): readonly Permutation[] {
    let least = Infinity;
    for (const element of elements) {
        least = Math.min(least, element[point]);
    }
    return elements.filter(element => element[point] === least);
}

/**
 * Writes the contents of the least image into `image`, by places, and returns the leaf of an element that makes it.
 * Reads each node at most once; allocates nothing.
 */
function leastImageInto(
    image: Int32Array,
    contents: Readonly<Int32Array>,
    tree: ElementTree,
    meter: WorkMeter,
): number {
    const { place, source, offset, translation, behind, nodeCount } = tree;
    const lastPlace = image.length - 1;
    // The places before `known` hold the least beginning of an image so far.
    let known = 0;
    let bestLeaf = 0;
    let isImproved = true;
    let steps = 0;
    for (let node = 0; node < nodeCount; steps++) {
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
    meter.steps += steps;
    return bestLeaf;
}

function buildTree(action: LiteralAction, cellOrder: Int32Array, elements: readonly Permutation[]): ElementTree {
    const { firstPoint, cellOfPoint } = action;
    const cellCount = action.cells.length;
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
        return remembered(offsetOfTranslation, contents.join(), () => translation.push(...contents) - contents.length);
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
            appendTo(groups, key, e);
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
        elementOfLeaf,
    };
}
