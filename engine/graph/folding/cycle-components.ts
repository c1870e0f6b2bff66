/**
 * Folds up components that are cycles.
 *
 * The colors along a cycle, read from the place and in the direction where they come first in the order of a dictionary, say
 * which cycles are isomorphic. How often this word repeats itself says how far the cycle can be turned, and whether it reads
 * the same in the other direction says whether it can be turned over: the group is cyclic or dihedral. One vertex of each
 * cycle is left, without neighbors, colored by the length and the word; it stands for the cycle read in this way.
 *
 * O(vertexCount + edgeCount): the least rotation of a word is found in linear time [Shiloach1981].
 */
import type { WorkLimit } from '../../common/work-limit.js';
import type { BasePoints } from './base-points.js';
import type { BundledGraph, Folding } from './bundled-graph.js';
import { folded, isWorthFolding } from './bundled-graph.js';
import type { ColoredGraph } from '../colored-graph.js';
import { degree } from '../colored-graph.js';
import type { Kernel, PlainSymmetries } from './kernel.js';
import type { PermutationList } from '../permutation-list.js';
import type { Scratch } from '../scratch.js';
import { SequenceNumbering } from './sequence-numbering.js';

/** The work limit is asked once in so many vertices. */
const POLL_MASK = 2 ** 12 - 1;

/** `stage` with one vertex for each component that is a cycle; `stage` itself if there are none worth folding. */
export function foldCycleComponents(stage: BundledGraph, kernel: Kernel, scratch: Scratch): BundledGraph | 'stopped' {
    const cycles = findCycles(stage.graph, kernel.workLimit, scratch);
    if (cycles === 'stopped') {
        return cycles;
    }
    const foldedCount = cycles.reduce((sum, { vertices }) => sum + vertices.length, 0);
    if (!isWorthFolding(stage.graph, foldedCount)) {
        return stage;
    }
    const layout = layOut(stage, cycles, scratch);
    kernel.add(new Turns(cycles, layout.places));
    return kernel.workLimit.isExhausted() ? 'stopped' : folded(stage.graph, layout.folding, scratch);
}

interface Cycle {
    /** In the order in which their colors make the least word. */
    readonly vertices: Int32Array;
    /** The colors repeat after so many vertices, and not earlier. A divisor of the length. */
    readonly period: number;
    /** If the cycle can be turned over, it can be so that place i goes to place `turn - i`, modulo the length. Else -1. */
    readonly turn: number;
}

/** The cycles, by their least vertices. */
function findCycles(graph: ColoredGraph, workLimit: WorkLimit, scratch: Scratch): Cycle[] | 'stopped' {
    const { vertexCount } = graph;
    const wasSeen = scratch.bytes(vertexCount);
    const walk = scratch.integers(vertexCount);
    const cycles: Cycle[] = [];
    for (let start = 0; start < vertexCount; start++) {
        if ((start & POLL_MASK) === 0 && workLimit.isExhausted()) {
            return 'stopped';
        }
        if (wasSeen[start] === 0 && degree(graph, start) === 2) {
            const length = walkAlong(graph, start, wasSeen, walk);
            if (length > 0) {
                cycles.push(canonicalCycle(graph.colors, walk.subarray(0, length)));
            }
        }
    }
    return cycles;
}

/**
 * Walks on from a vertex of degree two, in both directions, and marks what it comes by. If that is a cycle, the number of its
 * vertices, which are then the first in `walk`; else 0.
 */
function walkAlong(
    { firstNeighbor, neighbors }: ColoredGraph,
    start: number,
    wasSeen: Uint8Array,
    walk: Int32Array,
): number {
    wasSeen[start] = 1;
    walk[0] = start;
    for (let direction = 0; direction < 2; direction++) {
        let length = 1;
        let previous = start;
        let vertex = neighbors[firstNeighbor[start] + direction];
        while (vertex !== start && firstNeighbor[vertex + 1] - firstNeighbor[vertex] === 2) {
            wasSeen[vertex] = 1;
            walk[length++] = vertex;
            const row = firstNeighbor[vertex];
            const next = neighbors[row] === previous ? neighbors[row + 1] : neighbors[row];
            previous = vertex;
            vertex = next;
        }
        if (vertex === start) {
            return length;
        }
    }
    return 0;
}

/** The cycle read as its least word. `walk` has its vertices in their order. */
function canonicalCycle(colors: Int32Array, walk: Int32Array): Cycle {
    const length = walk.length;
    const back = walk.slice().reverse();
    const word = walk.map(vertex => colors[vertex]);
    const backWord = word.slice().reverse();
    const { start, period } = leastRotation(word);
    const { start: backStart } = leastRotation(backWord);
    let difference = 0;
    for (let i = 0; i < length && difference === 0; i++) {
        difference = word[(start + i) % length] - backWord[(backStart + i) % length];
    }
    return {
        vertices: difference <= 0 ? rotated(walk, start) : rotated(back, backStart),
        period,
        // What is at place i of `back` is at place length - 1 - i of `walk`.
        turn: difference === 0 ? (2 * length - 1 - start - backStart) % length : -1,
    };
}

/** Where the least rotation of a word starts, and the least number of places by which it can be rotated onto itself. */
function leastRotation(word: Int32Array): { start: number; period: number } {
    const length = word.length;
    // Two starts that agree in the next places. Where they differ, no start up to that place of the greater is the least.
    let first = 0;
    let second = 1;
    let agreed = 0;
    while (first < length && second < length && agreed < length) {
        const difference = word[(first + agreed) % length] - word[(second + agreed) % length];
        if (difference === 0) {
            agreed++;
            continue;
        }
        if (difference > 0) {
            first += agreed + 1;
        } else {
            second += agreed + 1;
        }
        if (first === second) {
            second++;
        }
        agreed = 0;
    }
    return { start: Math.min(first, second), period: agreed === length ? Math.abs(first - second) : length };
}

function rotated(vertices: Int32Array, start: number): Int32Array {
    const result = new Int32Array(vertices.length);
    result.set(vertices.subarray(start));
    result.set(vertices.subarray(0, start), vertices.length - start);
    return result;
}

/** Where the vertices go in the bundles of the folded graph. */
interface Layout {
    readonly folding: Folding;
    readonly places: Places;
}

interface Places {
    /** The bundles of the folded graph. */
    readonly bundle: Int32Array;
    /** The bundle of v goes to `bundle[startOf[v]]` … `bundle[startOf[v] + sizeOf[v] - 1]`. */
    readonly startOf: Int32Array;
    readonly sizeOf: Int32Array;
}

function layOut({ graph, bundleStart, bundle }: BundledGraph, cycles: readonly Cycle[], scratch: Scratch): Layout {
    const { vertexCount, colors } = graph;
    /** `cycleOf[v]` is 1 + the index of the cycle of v, or 0. */
    const cycleOf = scratch.integers(vertexCount);
    let keptCount = vertexCount;
    cycles.forEach(({ vertices }, index) => {
        for (let i = 0; i < vertices.length; i++) {
            cycleOf[vertices[i]] = index + 1;
        }
        keptCount -= vertices.length - 1;
    });
    const kept = scratch.integers(keptCount);
    const newColors = scratch.integers(keptCount);
    const newBundleStart = scratch.integers(keptCount + 1);
    const newBundle = new Int32Array(bundle.length);
    const startOf = new Int32Array(vertexCount);
    const sizeOf = new Int32Array(vertexCount);
    const numbering = new SequenceNumbering(scratch);
    let next = 0;
    let end = 0;
    const place = (vertex: number): void => {
        startOf[vertex] = end;
        for (let i = bundleStart[vertex]; i < bundleStart[vertex + 1]; i++) {
            newBundle[end++] = bundle[i];
        }
        sizeOf[vertex] = end - startOf[vertex];
    };
    let cyclesPlaced = 0;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        if (cycleOf[vertex] === 0) {
            numbering.push(colors[vertex]);
            place(vertex);
        } else if (cycleOf[vertex] === cyclesPlaced + 1) {
            // This is its least vertex.
            const { vertices, period } = cycles[cyclesPlaced++];
            numbering.push(vertices.length);
            for (let i = 0; i < period; i++) {
                numbering.push(colors[vertices[i]]);
            }
            for (let i = 0; i < vertices.length; i++) {
                place(vertices[i]);
            }
        } else {
            continue;
        }
        kept[next] = vertex;
        newColors[next++] = numbering.finish();
        newBundleStart[next] = end;
    }
    const colorCount = numbering.count;
    return {
        folding: { kept, colors: newColors, colorCount, bundleStart: newBundleStart, bundle: newBundle },
        places: { bundle: newBundle, startOf, sizeOf },
    };
}

/** The rotations and reflections of the cycles. */
class Turns implements PlainSymmetries {
    readonly #cycles: readonly Cycle[];
    readonly #places: Places;

    constructor(cycles: readonly Cycle[], places: Places) {
        this.#cycles = cycles;
        this.#places = places;
    }

    /** The base point of each cycle, and a second one if the cycle can be turned over with the first where it is. */
    forEachLevel(basePoints: BasePoints, visit: (point: number, orbitLength: number) => void): void {
        for (const cycle of this.#cycles) {
            visitLevels(cycle, this.#places, basePoints, visit);
        }
    }

    writeGenerators(list: PermutationList, keep: () => void): void {
        for (const cycle of this.#cycles) {
            if (cycle.period < cycle.vertices.length) {
                writeRotation(cycle, this.#places, list);
                keep();
            }
            if (cycle.turn >= 0) {
                writeReflection(cycle, this.#places, list);
                keep();
            }
        }
    }
}

/** Writes down the rotation by one period. */
function writeRotation({ vertices, period }: Cycle, { bundle, startOf }: Places, list: PermutationList): void {
    // What the cycle stands for is one range, of which one period is a part.
    const start = startOf[vertices[0]];
    const shift = startOf[vertices[period]] - start;
    const length = shift * (vertices.length / period);
    list.reserve(length);
    list.map(bundle, start, bundle, start + shift, length - shift);
    list.map(bundle, start + length - shift, bundle, start, shift);
}

/** Writes down one way to turn the cycle over. */
function writeReflection({ vertices, turn }: Cycle, { bundle, startOf, sizeOf }: Places, list: PermutationList): void {
    for (let i = 0; i < vertices.length; i++) {
        const vertex = vertices[i];
        const image = vertices[(turn - i + vertices.length) % vertices.length];
        if (vertex !== image) {
            list.reserve(sizeOf[vertex]);
            list.map(bundle, startOf[vertex], bundle, startOf[image], sizeOf[vertex]);
        }
    }
}

function visitLevels(
    { vertices, period, turn }: Cycle,
    { bundle, startOf, sizeOf }: Places,
    basePoints: BasePoints,
    visit: (point: number, orbitLength: number) => void,
): void {
    const length = vertices.length;
    const rotations = length / period;
    const pointAt = (place: number): number => {
        const start = startOf[vertices[place % length]];
        return basePoints.among(bundle, start, start + sizeOf[vertices[place % length]]);
    };
    const { hasPreferences } = basePoints;
    let place = 0;
    while (hasPreferences && place < length && !basePoints.isPreferred(pointAt(place))) {
        place++;
    }
    place %= length;
    if (turn < 0 || (2 * place - turn) % period !== 0) {
        const orbitLength = turn < 0 ? rotations : 2 * rotations;
        if (orbitLength > 1) {
            visit(pointAt(place), orbitLength);
        }
        return;
    }
    if (rotations > 1) {
        visit(pointAt(place), rotations);
    }
    // Turning the cycle over leaves this place and the opposite one where they are, and no other.
    let second = place + 1;
    while (
        hasPreferences &&
        second < place + length &&
        (2 * (second - place) === length || !basePoints.isPreferred(pointAt(second)))
    ) {
        second++;
    }
    visit(pointAt(second < place + length ? second : place + 1), 2);
}
