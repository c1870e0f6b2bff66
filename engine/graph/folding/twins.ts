/**
 * Folds twins: vertices of one color with the same neighbors, adjacent to each other or not.
 *
 * No vertex has both adjacent and other twins, so the twins form classes. One vertex of each class remains, colored by
 * the size of the class and whether its members are joined. Vertices with some common neighbors are hashed by all
 * neighbors and compared in full. O(vertexCount + edgeCount) if different sets of neighbors have different hashes.
 */
import type { BundledGraph, Folding } from './bundled-graph.js';
import { folded, isWorthFolding } from './bundled-graph.js';
import type { ColoredGraph } from '../colored-graph.js';
import { Exchanges } from './exchanges.js';
import type { Kernel } from './kernel.js';
import { scrambled } from '../scrambled.js';
import type { Scratch } from '../scratch.js';
import { SequenceNumbering } from './sequence-numbering.js';

const NONE = -1;
/** Odd: a different hash factor for the sums in which a vertex counts itself. */
const JOINED = 0x5bd1e995;
/** The number of neighbors in a longer row that are compared to find suspects. */
const SAMPLES = 8;
/** The work limit is checked once in so many vertices. */
const POLL_MASK = 2 ** 10 - 1;

/** `stage` with one vertex for each class of twins; `stage` itself if there are none worth folding. */
export function foldTwins(stage: BundledGraph, kernel: Kernel, scratch: Scratch): BundledGraph | 'stopped' {
    const classes = findTwins(stage.graph, kernel, scratch);
    if (classes === 'stopped') {
        return classes;
    }
    if (!isWorthFolding(stage.graph, classes.foldedCount)) {
        return stage;
    }
    const folding = layOut(stage, classes, scratch);
    const exchanges = new Exchanges(folding.bundle);
    for (let i = 0; i < folding.kept.length; i++) {
        const size = classes.sizeOf[folding.kept[i]];
        const start = folding.bundleStart[i];
        exchanges.add(start, (folding.bundleStart[i + 1] - start) / size, size);
    }
    kernel.add(exchanges);
    return folded(stage.graph, folding, scratch);
}

interface TwinClasses {
    /** `firstOf[v]` is the least of v and its twins. */
    readonly firstOf: Int32Array;
    /** `sizeOf[v]` is the number of vertices w with `firstOf[w] === v`. */
    readonly sizeOf: Int32Array;
    /** `isJoined[v]` is 1 if v has twins and is joined with them. */
    readonly isJoined: Uint8Array;
    /** How many vertices have a lesser twin. */
    readonly foldedCount: number;
}

function findTwins(graph: ColoredGraph, kernel: Kernel, scratch: Scratch): TwinClasses | 'stopped' {
    const { vertexCount, colors, firstNeighbor, neighbors } = graph;
    const suspects = findSuspects(graph, scratch);
    /** `hashOf[v]` is a hash of the color and neighbors of v; in `joinedHashOf[v]`, v counts as its own neighbor. */
    const hashOf = scratch.integers(vertexCount);
    const joinedHashOf = scratch.integers(vertexCount);
    const firstOf = scratch.integers(vertexCount);
    const sizeOf = scratch.integers(vertexCount).fill(1);
    const isJoined = scratch.bytes(vertexCount);
    let foldedCount = 0;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        firstOf[vertex] = vertex;
    }
    /** A power of two; at least half of the slots stay free. */
    const slotCount = 2 ** Math.ceil(Math.log2(2 * suspects.length + 2));
    /** The least vertex of each class found, by its hash; NONE in free slots. */
    const table = scratch.integers(slotCount).fill(NONE);
    for (let next = 0; next < suspects.length; next++) {
        if ((next & POLL_MASK) === 0 && kernel.workLimit.isExhausted()) {
            return 'stopped';
        }
        const vertex = suspects[next];
        let hash = Math.imul(colors[vertex], 0x9e3779b1);
        const end = firstNeighbor[vertex + 1];
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            hash = (hash + scrambled(neighbors[i])) | 0;
        }
        hashOf[vertex] = hash;
        joinedHashOf[vertex] = (hash + scrambled(vertex)) | 0;
        let slot = (hash ^ (hash >>> 15)) & (slotCount - 1);
        while (table[slot] !== NONE && !(hashOf[table[slot]] === hash && areTwins(graph, table[slot], vertex))) {
            slot = (slot + 1) & (slotCount - 1);
        }
        const first = table[slot];
        if (first === NONE) {
            table[slot] = vertex;
        } else {
            firstOf[vertex] = first;
            sizeOf[first]++;
            foldedCount++;
        }
    }
    for (let next = 0; next < suspects.length; next++) {
        if ((next & POLL_MASK) === 0 && kernel.workLimit.isExhausted()) {
            return 'stopped';
        }
        const vertex = suspects[next];
        if (sizeOf[vertex] > 1 || firstOf[vertex] < vertex) {
            continue;
        }
        // The first twin is the first neighbor with this hash. A vertex that is no suspect has no twins and hash 0.
        const hash = joinedHashOf[vertex];
        const end = firstNeighbor[vertex + 1];
        for (let i = firstNeighbor[vertex]; i < end && neighbors[i] < vertex; i++) {
            const first = neighbors[i];
            if (joinedHashOf[first] === hash && areTwins(graph, first, vertex)) {
                firstOf[vertex] = first;
                sizeOf[first]++;
                isJoined[first] = 1;
                foldedCount++;
                break;
            }
        }
    }
    return { firstOf, sizeOf, isJoined, foldedCount };
}

/**
 * All vertices with twins, and few others, ascending: those with the same sampled neighbors as another vertex, with or
 * without counting each vertex as its own neighbor. O(vertexCount · log vertexCount).
 */
function findSuspects({ vertexCount, firstNeighbor, neighbors }: ColoredGraph, scratch: Scratch): Int32Array {
    const slotCount = 2 ** Math.ceil(Math.log2(16 * vertexCount + 16));
    const shift = Math.clz32(slotCount - 1);
    /** The number of vertices with this hash, either way; at most 2. */
    const table = scratch.bytes(slotCount);
    const slots = scratch.integers(vertexCount);
    const joinedSlots = scratch.integers(vertexCount);
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        const start = firstNeighbor[vertex];
        const end = firstNeighbor[vertex + 1];
        const length = end - start;
        let sum = 0;
        let joinedSum = 0;
        if (length <= SAMPLES) {
            for (let i = start; i < end; i++) {
                sum = (sum + Math.imul(neighbors[i], neighbors[i])) | 0;
            }
            joinedSum = sum + Math.imul(vertex, vertex);
        } else {
            const ownPlace = placeInRow(neighbors, start, end, vertex);
            for (let sample = 0; sample < SAMPLES; sample++) {
                const neighbor = neighbors[start + Math.floor((sample * length) / SAMPLES)];
                const place = start + Math.floor((sample * (length + 1)) / SAMPLES);
                const joinedNeighbor = place === ownPlace ? vertex : neighbors[place < ownPlace ? place : place - 1];
                sum = (sum + Math.imul(neighbor, neighbor)) | 0;
                joinedSum = (joinedSum + Math.imul(joinedNeighbor, joinedNeighbor)) | 0;
            }
        }
        const slot = Math.imul(sum, 0x9e3779b1) >>> shift;
        const joinedSlot = Math.imul(joinedSum, JOINED) >>> shift;
        slots[vertex] = slot;
        joinedSlots[vertex] = joinedSlot;
        table[slot] = table[slot] === 0 ? 1 : 2;
        table[joinedSlot] = table[joinedSlot] === 0 ? 1 : 2;
    }
    const suspects = scratch.integers(vertexCount);
    let count = 0;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        if (table[slots[vertex]] === 2 || table[joinedSlots[vertex]] === 2) {
            suspects[count++] = vertex;
        }
    }
    return suspects.subarray(0, count);
}

/** The place of `vertex`, which is not in the row, in an ascending row. */
function placeInRow(neighbors: Int32Array, start: number, end: number, vertex: number): number {
    let low = start;
    let high = end;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (neighbors[middle] < vertex) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/** Whether two vertices have one color and, except each other, the same neighbors. */
function areTwins({ colors, firstNeighbor, neighbors }: ColoredGraph, first: number, second: number): boolean {
    const firstEnd = firstNeighbor[first + 1];
    const secondEnd = firstNeighbor[second + 1];
    let i = firstNeighbor[first];
    let j = firstNeighbor[second];
    if (colors[first] !== colors[second] || firstEnd - i !== secondEnd - j) {
        return false;
    }
    for (; i < firstEnd; i++, j++) {
        // Rows ascend. Each row may have the other vertex, at different places.
        if (neighbors[i] === second) {
            i++;
        }
        if (j < secondEnd && neighbors[j] === first) {
            j++;
        }
        if (i < firstEnd && neighbors[i] !== neighbors[j]) {
            return false;
        }
    }
    return true;
}

/** Lays out the classes one after the other, their members ascending. */
function layOut({ graph, bundleStart, bundle }: BundledGraph, classes: TwinClasses, scratch: Scratch): Folding {
    const { vertexCount } = graph;
    const { firstOf, sizeOf, isJoined, foldedCount } = classes;
    const kept = scratch.integers(vertexCount - foldedCount);
    const colors = scratch.integers(kept.length);
    const newBundleStart = scratch.integers(kept.length + 1);
    const newColors = new SequenceNumbering(scratch);
    /** `endOf[v]`, for the least vertex v of a class, is the position for the next member. */
    const endOf = scratch.integers(vertexCount);
    let keptCount = 0;
    let end = 0;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        if (firstOf[vertex] < vertex) {
            continue;
        }
        newColors.push(graph.colors[vertex]);
        if (sizeOf[vertex] > 1) {
            newColors.push(sizeOf[vertex]);
            newColors.push(isJoined[vertex]);
        }
        colors[keptCount] = newColors.finish();
        kept[keptCount++] = vertex;
        endOf[vertex] = end;
        end += sizeOf[vertex] * (bundleStart[vertex + 1] - bundleStart[vertex]);
        newBundleStart[keptCount] = end;
    }
    const newBundle = new Int32Array(bundle.length);
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        const first = firstOf[vertex];
        for (let i = bundleStart[vertex]; i < bundleStart[vertex + 1]; i++) {
            newBundle[endOf[first]++] = bundle[i];
        }
    }
    return { kept, colors, colorCount: newColors.count, bundleStart: newBundleStart, bundle: newBundle };
}
