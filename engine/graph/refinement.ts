/**
 * Color refinement: the coarsest equitable partition at least as fine as a given ordered one. In an equitable partition
 * any two vertices of a cell have equally many neighbors in each cell. O(edgeCount · log vertexCount) [Hopcroft1971].
 *
 * Each step takes a cell from a queue and splits all cells by their numbers of neighbors in it. Only positions, lengths
 * and counts decide the order of the steps, so isomorphic graphs are refined in step. The first path records a trace of
 * events; other paths compare theirs and end at the first difference [McKayPiperno2014, §3; JunttilaKaski2007, §4].
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { ColoredGraph } from './colored-graph.js';
import type { OrderedPartition } from './ordered-partition.js';
import { Scratch } from './scratch.js';
import { COUNT_FACTOR, mix, Trace } from './trace.js';
import { WaitingCells } from './waiting-cells.js';

/** More cells than this are not sorted by insertion. */
const MANY = 24;

/** Bases of counts do not exceed this. */
const LAST_COUNT_BASE = 2 ** 31 - 1;

/** `conflict`: the trace differs from the recorded one. `stopped`: the work limit was reached. */
export type RefinementOutcome = 'equitable' | 'conflict' | 'stopped';

/**
 * Refines one partition, and records or compares the trace.
 *
 * Most steps split nothing. A recorded refinement can be repeated by the effective steps alone, without a queue
 * [AndersSchweitzer2021]. The result has the recorded cells, but may not be equitable if the paths are not equivalent.
 */
export class Refiner {
    readonly #graph: ColoredGraph;
    readonly partition: OrderedPartition;
    /** How many edges have been visited: the measure of the work done. */
    edgesSeen = 0;

    readonly trace: Trace;
    /** Whether recorded steps are repeated, without a queue. */
    #repeating = false;
    readonly #waiting: WaitingCells;

    // Scratch space of one step. All lengths are 0 between two steps.
    /**
     * `#neighborCount[v]` is `#countBase` plus the number of neighbors of v in the splitting cell, or at most
     * `#countBase` if there are none. The next step has a greater base, so the array need not be cleared.
     */
    readonly #neighborCount: Int32Array;
    #countBase = 0;
    /** An upper bound for the numbers of neighbors in the last step. */
    #greatestCount = 0;
    /** Whether no vertex has two such neighbors. */
    #areCountsOne = false;
    /** The vertices with such neighbors, without singletons. The first `#touchedCount` entries count. */
    readonly #touched: Int32Array;
    #touchedCount = 0;
    /** `#touchedLength[s]` counts those of the cell s; `#movedLength[s]` those moved to its end. */
    readonly #touchedLength: Int32Array;
    readonly #movedLength: Int32Array;
    /** Starts of the cells with such vertices. The first `#touchedCellCount` entries count. */
    readonly #touchedCells: Int32Array;
    #touchedCellCount = 0;
    /** `#bucket[c]` counts vertices with c neighbors; then it is the position of the next of them. */
    readonly #bucket: Int32Array;
    /** Copies of vertices while they are rearranged. */
    readonly #copy: Int32Array;
    /** The hash of the whole step in the trace. */
    #stepHash = 0;

    constructor(graph: ColoredGraph, partition: OrderedPartition, scratch = new Scratch()) {
        const { vertexCount } = graph;
        this.#graph = graph;
        this.partition = partition;
        this.trace = new Trace(vertexCount, scratch);
        this.#waiting = new WaitingCells(vertexCount, scratch);
        this.#neighborCount = scratch.integers(vertexCount);
        this.#touched = scratch.integers(vertexCount + 1);
        this.#touchedLength = scratch.integers(vertexCount);
        this.#movedLength = scratch.integers(vertexCount);
        this.#touchedCells = scratch.integers(vertexCount);
        this.#bucket = scratch.integers(vertexCount + 1);
        this.#copy = scratch.integers(vertexCount);
    }

    enqueueAllCells(): void {
        const { cellLength, vertexCount } = this.partition;
        for (let start = 0; start < vertexCount; start += cellLength[start]) {
            this.#enqueue(start);
        }
    }

    /** Makes `vertex`, which is no singleton, a cell of its own behind the rest of its cell, and queues it. */
    individualize(vertex: number): void {
        const partition = this.partition;
        const cell = partition.cellOf[vertex];
        const start = cell + partition.cellLength[cell] - 1;
        partition.moveToEnd(vertex);
        partition.split(cell, start);
        this.#enqueue(start);
    }

    /** Individualizes `vertex`, then repeats the recorded steps `firstStep` to `endStep - 1` with their splits. */
    repeat(vertex: number, firstStep: number, endStep: number, workLimit: WorkLimit): RefinementOutcome {
        const { trace } = this;
        trace.compareFrom(trace.cursor);
        this.#repeating = true;
        this.individualize(vertex);
        let outcome: RefinementOutcome = 'equitable';
        for (let step = firstStep; step < endStep && outcome === 'equitable'; step++) {
            trace.cursor = trace.firstEventOf(step);
            if (workLimit.isExhausted()) {
                outcome = 'stopped';
            } else if (!this.#splitBy(trace.splitterOf(step))) {
                outcome = 'conflict';
            }
        }
        this.#repeating = false;
        return outcome;
    }

    /**
     * Individualizes `vertex`, refines for at most `splitLimit` splits, and returns a hash of the trace, which is equal
     * for equivalent vertices. Undefined if the work limit was reached. The caller undoes the splits.
     */
    sign(vertex: number, splitLimit: number, workLimit: WorkLimit): number | undefined {
        const { partition, trace } = this;
        trace.startSigning();
        this.individualize(vertex);
        const outcome = this.refine(workLimit, partition.splitCount + splitLimit);
        return outcome === 'stopped' ? undefined : trace.signature;
    }

    /** Splits cells until the partition is equitable or has `splitLimit` splits. Always leaves the queue empty. */
    refine(workLimit: WorkLimit, splitLimit = Infinity): RefinementOutcome {
        const { partition, trace } = this;
        const waiting = this.#waiting;
        while (!waiting.isEmpty() && partition.cellCount < partition.vertexCount && partition.splitCount < splitLimit) {
            if (workLimit.isExhausted()) {
                waiting.clear();
                return 'stopped';
            }
            const start = waiting.remove();
            const splitCount = partition.splitCount;
            const firstEvent = trace.length;
            const edgesSeen = this.edgesSeen;
            if (!this.#splitBy(start)) {
                waiting.clear();
                return 'conflict';
            }
            if (trace.isRecording && partition.splitCount > splitCount) {
                trace.recordStep(start, firstEvent, this.edgesSeen - edgesSeen);
            }
        }
        waiting.clear();
        return 'equitable';
    }

    /** Splits all cells by the cell at `start`. False when the trace differs. */
    #splitBy(start: number): boolean {
        return this.partition.cellLength[start] === 1 ? this.#splitBySingleton(start) : this.#splitByCell(start);
    }

    /** Splits all cells by adjacency to the one vertex at `start`. False when the trace differs. */
    #splitBySingleton(start: number): boolean {
        const { trace } = this;
        const { firstNeighbor, neighbors } = this.#graph;
        const { elements, position, cellOf, cellLength } = this.partition;
        const touchedLength = this.#touchedLength;
        const touchedCells = this.#touchedCells;
        let touchedCellCount = 0;
        const vertex = elements[start];
        const rowStart = firstNeighbor[vertex];
        const rowEnd = firstNeighbor[vertex + 1];
        let hash = mix(start);
        for (let i = rowStart; i < rowEnd; i++) {
            const neighbor = neighbors[i];
            const cell = cellOf[neighbor];
            const length = cellLength[cell];
            if (length === 1) {
                hash = (hash + mix(cell)) | 0;
                continue;
            }
            const touched = touchedLength[cell]++;
            if (touched === 0) {
                touchedCells[touchedCellCount++] = cell;
            }
            const place = position[neighbor];
            const target = cell + length - 1 - touched;
            const other = elements[target];
            elements[target] = neighbor;
            elements[place] = other;
            position[neighbor] = target;
            position[other] = place;
        }
        this.edgesSeen += rowEnd - rowStart + 1;
        if (touchedCellCount === 0) {
            return trace.record(hash);
        }
        if (touchedCellCount > 1) {
            sortAscending(touchedCells, touchedCellCount);
        }
        let agrees = true;
        for (let i = 0; i < touchedCellCount; i++) {
            const cell = touchedCells[i];
            const touched = touchedLength[cell];
            touchedLength[cell] = 0;
            if (!agrees) {
                continue;
            }
            const length = cellLength[cell];
            hash = (hash + mix(cell + Math.imul(touched, COUNT_FACTOR))) | 0;
            if (touched < length) {
                agrees = this.#splitInTwo(cell, cell + length - touched);
            }
        }
        return agrees && trace.record(hash);
    }

    /** Splits all cells by the number of neighbors in the cell at `start`. False when the trace differs. */
    #splitByCell(start: number): boolean {
        this.#countNeighborsIn(start);
        const { elements, cellLength } = this.partition;
        const neighborCount = this.#neighborCount;
        const countBase = this.#countBase;
        const touchedLength = this.#touchedLength;
        const touchedCells = this.#touchedCells;
        const touchedCellCount = this.#touchedCellCount;
        const areCountsOne = this.#areCountsOne;
        let areWhole = true;
        for (let i = 0; i < touchedCellCount && areWhole; i++) {
            areWhole = touchedLength[touchedCells[i]] === cellLength[touchedCells[i]];
        }
        if (!areWhole) {
            this.#moveTouchedToEnds();
        }
        if (!(areWhole && areCountsOne)) {
            sortAscending(touchedCells, touchedCellCount);
        }
        let agrees = true;
        for (let i = 0; i < touchedCellCount; i++) {
            const cell = touchedCells[i];
            const touched = touchedLength[cell];
            touchedLength[cell] = 0;
            if (!agrees) {
                continue;
            }
            const length = cellLength[cell];
            const end = cell + length;
            const touchedStart = end - touched;
            let least = 1;
            let greatest = 1;
            if (!areCountsOne) {
                least = neighborCount[elements[touchedStart]];
                greatest = least;
                for (let place = touchedStart + 1; place < end; place++) {
                    const count = neighborCount[elements[place]];
                    if (count < least) {
                        least = count;
                    } else if (count > greatest) {
                        greatest = count;
                    }
                }
                least -= countBase;
                greatest -= countBase;
            }
            if (least < greatest) {
                agrees = this.#splitByCounts(cell, touchedStart, end, least, greatest);
            } else {
                this.#addToHash(cell, least, touched);
                if (touched < length) {
                    agrees = this.#splitInTwo(cell, touchedStart);
                }
            }
        }
        return agrees && this.trace.record(this.#stepHash);
    }

    /**
     * Counts for every vertex its neighbors in the cell at `start` and lists the vertices that have any, and their
     * cells. Singletons enter the hash only. The loop over the rows has no branch that depends on a neighbor, because
     * half of the branch predictions would be wrong in dense graphs.
     */
    #countNeighborsIn(start: number): void {
        const { vertexCount, firstNeighbor, neighbors } = this.#graph;
        const { elements, cellOf, cellLength } = this.partition;
        const neighborCount = this.#neighborCount;
        const touchedLength = this.#touchedLength;
        const touchedCells = this.#touchedCells;
        const touched = this.#touched;
        const end = start + cellLength[start];
        if (this.#countBase > LAST_COUNT_BASE - this.#greatestCount - vertexCount) {
            neighborCount.fill(0);
            this.#countBase = 0;
            this.#greatestCount = 0;
        }
        const countBase = this.#countBase + this.#greatestCount;
        this.#countBase = countBase;
        // No vertex has more neighbors in a cell than the cell has vertices.
        this.#greatestCount = end - start;
        if (end - start === vertexCount && this.#countDegrees()) {
            return;
        }
        let listed = 0;
        let edgeCount = 0;
        for (let place = start; place < end; place++) {
            const vertex = elements[place];
            const rowStart = firstNeighbor[vertex];
            const rowEnd = firstNeighbor[vertex + 1];
            edgeCount += rowEnd - rowStart;
            for (let i = rowStart; i < rowEnd; i++) {
                const neighbor = neighbors[i];
                const count = (neighborCount[neighbor] - countBase) | 0;
                neighborCount[neighbor] = countBase + (count & ~(count >> 31)) + 1;
                touched[listed] = neighbor;
                listed += (count - 1) >>> 31;
            }
        }
        let touchedCount = 0;
        let touchedCellCount = 0;
        let hash = mix(start);
        for (let i = 0; i < listed; i++) {
            const neighbor = touched[i];
            const cell = cellOf[neighbor];
            if (cellLength[cell] === 1) {
                hash = (hash + Math.imul(mix(cell), neighborCount[neighbor] - countBase)) | 0;
                continue;
            }
            touched[touchedCount++] = neighbor;
            if (touchedLength[cell]++ === 0) {
                touchedCells[touchedCellCount++] = cell;
            }
        }
        this.edgesSeen += edgeCount + end - start;
        this.#areCountsOne = listed === edgeCount;
        this.#touchedCount = touchedCount;
        this.#touchedCellCount = touchedCellCount;
        this.#stepHash = hash;
    }

    /** The same for a cell of all vertices: the counts are the degrees. False if one of them is 0. */
    #countDegrees(): boolean {
        const { vertexCount, firstNeighbor } = this.#graph;
        const neighborCount = this.#neighborCount;
        const countBase = this.#countBase;
        let isolated = 0;
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            const degree = firstNeighbor[vertex + 1] - firstNeighbor[vertex];
            neighborCount[vertex] = countBase + degree;
            isolated += degree === 0 ? 1 : 0;
        }
        if (isolated > 0) {
            neighborCount.fill(countBase);
            return false;
        }
        this.#touchedLength[0] = vertexCount;
        this.#touchedCells[0] = 0;
        this.#touchedCellCount = 1;
        this.#areCountsOne = false;
        this.edgesSeen += vertexCount;
        this.#stepHash = mix(0);
        return true;
    }

    /** Moves the listed vertices to the ends of their cells, unless all vertices of the cell are listed. */
    #moveTouchedToEnds(): void {
        const { elements, position, cellOf, cellLength } = this.partition;
        const touched = this.#touched;
        const touchedCount = this.#touchedCount;
        const touchedLength = this.#touchedLength;
        const movedLength = this.#movedLength;
        for (let i = 0; i < touchedCount; i++) {
            const vertex = touched[i];
            const cell = cellOf[vertex];
            const length = cellLength[cell];
            if (touchedLength[cell] === length) {
                continue;
            }
            const place = position[vertex];
            const target = cell + length - ++movedLength[cell];
            const other = elements[target];
            elements[target] = vertex;
            elements[place] = other;
            position[vertex] = target;
            position[other] = place;
        }
        for (let i = 0; i < this.#touchedCellCount; i++) {
            movedLength[this.#touchedCells[i]] = 0;
        }
    }

    /** Cuts a cell before its touched vertices and queues the smaller part. False when the trace differs. */
    #splitInTwo(cell: number, start: number): boolean {
        const { partition, trace } = this;
        partition.split(cell, start);
        if (this.#repeating) {
            return trace.isNext(start);
        }
        const { cellLength } = partition;
        const waiting = this.#waiting;
        const added = waiting.has(cell) || cellLength[start] <= cellLength[cell] ? start : cell;
        waiting.add(added, cellLength[added] === 1);
        return trace.record(start);
    }

    /**
     * Sorts the touched vertices of a cell by their counts and cuts the cell between different counts. Counting sort
     * takes O(edges visited), because this bounds the greatest count. False when the trace differs.
     */
    #splitByCounts(cell: number, touchedStart: number, end: number, least: number, greatest: number): boolean {
        const { partition, trace } = this;
        const { elements, position, cellLength } = partition;
        const neighborCount = this.#neighborCount;
        const countBase = this.#countBase;
        const bucket = this.#bucket;
        const copy = this.#copy;
        for (let place = touchedStart; place < end; place++) {
            const vertex = elements[place];
            copy[place - touchedStart] = vertex;
            bucket[neighborCount[vertex] - countBase]++;
        }
        let next = touchedStart;
        for (let count = least; count <= greatest; count++) {
            const size = bucket[count];
            bucket[count] = next;
            next += size;
        }
        for (let i = 0; i < end - touchedStart; i++) {
            const vertex = copy[i];
            const place = bucket[neighborCount[vertex] - countBase]++;
            elements[place] = vertex;
            position[vertex] = place;
        }
        // Each bucket is now the end of its vertices. Cutting from the back changes the cell of each vertex once.
        let agrees = true;
        let partEnd = end;
        let largest = 0;
        let largestStart = cell;
        const firstSplit = partition.splitCount;
        for (let count = greatest; count >= least; count--) {
            const partStart = count === least ? touchedStart : bucket[count - 1];
            bucket[count] = 0;
            if (partStart === partEnd) {
                continue;
            }
            this.#addToHash(cell, count, partEnd - partStart);
            if (partStart > cell) {
                partition.split(cell, partStart);
                agrees = trace.record(partStart) && agrees;
            }
            if (partEnd - partStart > largest) {
                largest = partEnd - partStart;
                largestStart = partStart;
            }
            partEnd = partStart;
        }
        if (cellLength[cell] >= largest) {
            largestStart = cell;
        }
        const wasWaiting = this.#waiting.has(cell);
        for (let i = firstSplit; i < partition.splitCount; i++) {
            const start = partition.splitStart[i];
            if (wasWaiting || start !== largestStart) {
                this.#enqueue(start);
            }
        }
        if (!wasWaiting && largestStart !== cell) {
            this.#enqueue(cell);
        }
        return agrees;
    }

    #addToHash(cell: number, count: number, length: number): void {
        this.#stepHash = (this.#stepHash + mix(cell + Math.imul(mix(length) + count, COUNT_FACTOR))) | 0;
    }

    #enqueue(start: number): void {
        if (!this.#repeating) {
            this.#waiting.add(start, this.partition.cellLength[start] === 1);
        }
    }
}

/** Sorts touched cells, because the order of neighbors is not invariant. */
function sortAscending(cells: Int32Array, count: number): void {
    if (count > MANY) {
        cells.subarray(0, count).sort();
        return;
    }
    for (let i = 1; i < count; i++) {
        const cell = cells[i];
        let j = i;
        for (; j > 0 && cells[j - 1] > cell; j--) {
            cells[j] = cells[j - 1];
        }
        cells[j] = cell;
    }
}
