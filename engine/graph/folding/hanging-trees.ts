/**
 * Folds the trees that hang on a graph, and the components that are trees. O(vertexCount + edgeCount).
 *
 * Removing vertices of degree one repeatedly leaves the vertices on or between cycles, and the middle of each component
 * that is a tree. From the leaves upwards, each vertex gets a number that is equal exactly for isomorphic rooted trees
 * [AhoHopcroftUllman1974, §3.2]. Exchanges of neighboring children with equal numbers generate the automorphisms that
 * map each tree to itself and fix the rest. A remaining vertex is colored by its number; its bundle is its tree in
 * preorder, children in the order of their numbers.
 */
import type { WorkLimit } from '../../common/work-limit.js';
import type { BundledGraph, Folding } from './bundled-graph.js';
import { folded, isWorthFolding } from './bundled-graph.js';
import type { ColoredGraph } from '../colored-graph.js';
import { Exchanges } from './exchanges.js';
import type { Kernel } from './kernel.js';
import type { Scratch } from '../scratch.js';
import { SequenceNumbering } from './sequence-numbering.js';

const NONE = -1;
/** The work limit is checked once in so many vertices. */
const POLL_MASK = 2 ** 12 - 1;

/** `stage` without hanging trees; `stage` itself if it has none worth folding. */
export function foldHangingTrees(stage: BundledGraph, kernel: Kernel, scratch: Scratch): BundledGraph | 'stopped' {
    const forest = peel(stage.graph, kernel.workLimit, scratch);
    if (forest === 'stopped') {
        return forest;
    }
    if (forest === undefined || !isWorthFolding(stage.graph, forest.peeledCount + forest.middles.length)) {
        return stage;
    }
    const numbering = numberSubtrees(stage, forest, kernel.workLimit, scratch);
    if (numbering === 'stopped') {
        return numbering;
    }
    const { folding, exchanges } = layOut(stage, forest, numbering, scratch);
    kernel.add(exchanges);
    return folded(stage.graph, folding, scratch);
}

// Two rooted trees are isomorphic if and only if their roots have one color and their children can be paired so that the
// subtrees of each pair are isomorphic: so the color and the sorted numbers of the children determine the number.

// An exchange moves a vertex only if the vertex or an ancestor is one of two neighboring children with equal numbers.
// Each such child is in at most two exchanges, and the tree of its parent is at least twice as large. So at most
// 2 log2(vertexCount) exchanges move a vertex.

interface Forest {
    /** The removed vertices, layer by layer; numbering sorts each layer. The first `peeledCount` entries count. */
    readonly order: Int32Array;
    readonly peeledCount: number;
    /** `layerEnds[h]` is the end of the vertices of height h in `order`. */
    readonly layerEnds: readonly number[];
    /** `parentOf[v]` is the vertex on which v hangs; NONE for the remaining vertices. */
    readonly parentOf: Int32Array;
    readonly middles: readonly Middle[];
}

/** The two ends of the edge in the middle of a tree. Neither is removed. */
interface Middle {
    readonly first: number;
    readonly second: number;
}

/** Removes leaves until none is left. Undefined if there is no leaf. */
function peel(
    { vertexCount, firstNeighbor, neighbors }: ColoredGraph,
    workLimit: WorkLimit,
    scratch: Scratch,
): Forest | 'stopped' | undefined {
    /** `degreeOf[v]` counts the remaining neighbors of v; 0 if v has been removed or is a middle. */
    const degreeOf = scratch.integers(vertexCount);
    const queue = scratch.integers(vertexCount);
    let queued = 0;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        degreeOf[vertex] = firstNeighbor[vertex + 1] - firstNeighbor[vertex];
        if (degreeOf[vertex] === 1) {
            queue[queued++] = vertex;
        }
    }
    if (queued === 0) {
        return undefined;
    }
    const heightOf = scratch.integers(vertexCount);
    const order = scratch.integers(vertexCount);
    const parentOf = scratch.integers(vertexCount).fill(NONE);
    const layerEnds: number[] = [];
    const middles: Middle[] = [];
    let peeledCount = 0;
    let height = 0;
    for (let next = 0; next < queued; next++) {
        if ((next & POLL_MASK) === 0 && workLimit.isExhausted()) {
            return 'stopped';
        }
        const vertex = queue[next];
        if (degreeOf[vertex] === 0) {
            continue;
        }
        // The search for the last neighbor visits each row once.
        let row = firstNeighbor[vertex];
        while (degreeOf[neighbors[row]] === 0) {
            row++;
        }
        const parent = neighbors[row];
        if (degreeOf[parent] === 1 && heightOf[parent] === heightOf[vertex]) {
            degreeOf[vertex] = 0;
            degreeOf[parent] = 0;
            middles.push({ first: vertex, second: parent });
            continue;
        }
        for (; height < heightOf[vertex]; height++) {
            layerEnds.push(peeledCount);
        }
        order[peeledCount++] = vertex;
        parentOf[vertex] = parent;
        degreeOf[vertex] = 0;
        if (--degreeOf[parent] === 1) {
            heightOf[parent] = heightOf[vertex] + 1;
            queue[queued++] = parent;
        }
    }
    layerEnds.push(peeledCount);
    return { order, peeledCount, layerEnds, parentOf, middles };
}

interface SubtreeNumbering {
    /** `numberOf[v]`: equal exactly for roots of isomorphic trees, among the removed and among the other vertices. */
    readonly numberOf: Int32Array;
    /** `sizeOf[v]` is the number of vertices of the original graph in that tree. */
    readonly sizeOf: Int32Array;
    /** The children of v are `children[firstNeighbor[v]]` … `children[childrenEnd[v] - 1]`, sorted by their numbers. */
    readonly children: Int32Array;
    readonly childrenEnd: Int32Array;
}

/**
 * Numbers the tree of each vertex, height by height, so that larger heights have larger numbers. A run of children with
 * equal numbers enters the sequence as this number and the negative length of the run.
 */
function numberSubtrees(
    { graph, bundleStart }: BundledGraph,
    { order, peeledCount, layerEnds, parentOf }: Forest,
    workLimit: WorkLimit,
    scratch: Scratch,
): SubtreeNumbering | 'stopped' {
    const { vertexCount, colors, colorCount, firstNeighbor, neighbors } = graph;
    const childrenEnd = scratch.integers(vertexCount);
    childrenEnd.set(firstNeighbor.subarray(0, vertexCount));
    const children = scratch.integers(neighbors.length);
    const numberOf = scratch.integers(vertexCount);
    const sizeOf = scratch.integers(vertexCount);
    const numberVertex = (vertex: number, numbering: SequenceNumbering): void => {
        const end = childrenEnd[vertex];
        let size = bundleStart[vertex + 1] - bundleStart[vertex];
        let next = firstNeighbor[vertex];
        numbering.push(colors[vertex]);
        while (next < end) {
            const runStart = next;
            const number = numberOf[children[runStart]];
            do {
                next++;
            } while (next < end && numberOf[children[next]] === number);
            numbering.push(number);
            if (next - runStart > 1) {
                // No number is negative.
                numbering.push(runStart - next);
            }
            size += (next - runStart) * sizeOf[children[runStart]];
        }
        numberOf[vertex] = numbering.finish();
        sizeOf[vertex] = size;
    };
    const ofSubtrees = new SequenceNumbering(scratch);
    /** `numberOfLeaf[c]` is the number of a leaf of color c. The first layer has only leaves. */
    const numberOfLeaf = scratch.integers(colorCount).fill(NONE);
    let sorting: SortingSpace | undefined;
    let layerStart = 0;
    for (const layerEnd of layerEnds) {
        const firstNumber = ofSubtrees.count;
        for (let i = layerStart; i < layerEnd; i++) {
            if ((i & POLL_MASK) === 0 && workLimit.isExhausted()) {
                return 'stopped';
            }
            const vertex = order[i];
            const numberOfAlike = layerStart === 0 ? numberOfLeaf[colors[vertex]] : NONE;
            if (numberOfAlike !== NONE) {
                numberOf[vertex] = numberOfAlike;
                sizeOf[vertex] = bundleStart[vertex + 1] - bundleStart[vertex];
                continue;
            }
            numberVertex(vertex, ofSubtrees);
            if (layerStart === 0) {
                numberOfLeaf[colors[vertex]] = numberOf[vertex];
            }
        }
        if (ofSubtrees.count > firstNumber + 1) {
            sorting ??= { next: scratch.integers(peeledCount + 1), copy: scratch.integers(peeledCount) };
            sortByNumber(order, layerStart, layerEnd, numberOf, firstNumber, ofSubtrees.count, sorting);
        }
        for (let i = layerStart; i < layerEnd; i++) {
            children[childrenEnd[parentOf[order[i]]]++] = order[i];
        }
        layerStart = layerEnd;
    }
    const ofRoots = new SequenceNumbering(scratch);
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        if (parentOf[vertex] === NONE) {
            numberVertex(vertex, ofRoots);
        }
    }
    return { numberOf, sizeOf, children, childrenEnd };
}

/** Scratch space for the vertices to be sorted, with one more entry in `next`. */
interface SortingSpace {
    readonly next: Int32Array;
    readonly copy: Int32Array;
}

/** Sorts a part of `vertices` by their numbers, which are at least `firstNumber` and less than `endNumber`. */
function sortByNumber(
    vertices: Int32Array,
    start: number,
    end: number,
    numberOf: Int32Array,
    firstNumber: number,
    endNumber: number,
    { next, copy }: SortingSpace,
): void {
    for (let i = 0; i <= endNumber - firstNumber; i++) {
        next[i] = 0;
    }
    for (let i = start; i < end; i++) {
        const vertex = vertices[i];
        copy[i - start] = vertex;
        next[numberOf[vertex] - firstNumber + 1]++;
    }
    next[0] = start;
    for (let i = 1; i < endNumber - firstNumber; i++) {
        next[i] += next[i - 1];
    }
    for (let i = 0; i < end - start; i++) {
        vertices[next[numberOf[copy[i]] - firstNumber]++] = copy[i];
    }
}

/** Returns the folding, and the exchanges of children, those of larger subtrees first. */
function layOut(
    { graph, bundleStart, bundle }: BundledGraph,
    { order, peeledCount, parentOf, middles }: Forest,
    { numberOf, sizeOf, children, childrenEnd }: SubtreeNumbering,
    scratch: Scratch,
): { readonly folding: Folding; readonly exchanges: Exchanges } {
    const { vertexCount, firstNeighbor } = graph;
    const hasMiddles = middles.length > 0;
    /** `partnerOf[v]` is the other, folded end of the middle edge of v, or NONE. Empty if there are no middles. */
    const partnerOf = scratch.integers(hasMiddles ? vertexCount : 0).fill(NONE);
    /** `isPartner[v]` is 1 if v is such an end. */
    const isPartner = scratch.bytes(partnerOf.length);
    for (const { first, second } of middles) {
        const [front, back] = numberOf[first] <= numberOf[second] ? [first, second] : [second, first];
        partnerOf[front] = back;
        isPartner[back] = 1;
    }

    const kept = scratch.integers(vertexCount - peeledCount - middles.length);
    const colors = scratch.integers(kept.length);
    const keptStart = scratch.integers(kept.length + 1);
    const newBundle = new Int32Array(bundle.length);
    const exchanges = new Exchanges(newBundle);
    /** The tree of v goes to `newBundle[startOf[v]]` … `newBundle[startOf[v] + sizeOf[v] - 1]`. */
    const startOf = scratch.integers(vertexCount);
    /** Writes the original vertices of `vertex`, and sets where its children go. */
    const place = (vertex: number): void => {
        let here = startOf[vertex];
        for (let i = bundleStart[vertex]; i < bundleStart[vertex + 1]; i++) {
            newBundle[here++] = bundle[i];
        }
        const end = childrenEnd[vertex];
        let next = firstNeighbor[vertex];
        while (next < end) {
            const runStart = next;
            const number = numberOf[children[runStart]];
            const size = sizeOf[children[runStart]];
            const firstStart = here;
            do {
                startOf[children[next++]] = here;
                here += size;
            } while (next < end && numberOf[children[next]] === number);
            exchanges.add(firstStart, size, next - runStart);
        }
    };
    const newColors = new SequenceNumbering(scratch);
    let keptCount = 0;
    let end = 0;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        if (parentOf[vertex] !== NONE || (hasMiddles && isPartner[vertex] === 1)) {
            continue;
        }
        newColors.push(numberOf[vertex]);
        startOf[vertex] = end;
        end += sizeOf[vertex];
        const partner = hasMiddles ? partnerOf[vertex] : NONE;
        if (partner !== NONE) {
            newColors.push(numberOf[partner]);
            startOf[partner] = end;
            end += sizeOf[partner];
            if (numberOf[vertex] === numberOf[partner]) {
                exchanges.add(startOf[vertex], sizeOf[vertex], 2);
            }
            place(partner);
        }
        place(vertex);
        colors[keptCount] = newColors.finish();
        kept[keptCount++] = vertex;
        keptStart[keptCount] = end;
    }
    for (let i = peeledCount - 1; i >= 0; i--) {
        place(order[i]);
    }
    const folding = { kept, colors, colorCount: newColors.count, bundleStart: keptStart, bundle: newBundle };
    return { folding, exchanges };
}
