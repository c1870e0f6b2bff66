/**
 * Builds a colored graph from vertices and edges in any order. Colors are given as texts, such as `lit` or `and:3`, and
 * become numbers in the order of the sorted texts, whatever the order of their first use.
 */
import { invariant } from '../common/assert.js';
import type { ColoredGraph } from './colored-graph.js';
import { enlarged } from './scratch.js';

/** The first capacity for vertices and for edge ends. */
const INITIAL_CAPACITY = 64;

export class GraphBuilder {
    #vertexCount = 0;
    /** `#colorOfVertex[v]` is the index in `#colorTexts` of the color of v. The first `#vertexCount` entries count. */
    #colorOfVertex = new Int32Array(INITIAL_CAPACITY);
    readonly #colorTexts: string[] = [];
    readonly #indexOfColor = new Map<string, number>();
    #endCount = 0;
    /** The two ends of the edges, one pair after the other. The first `#endCount` entries count. */
    #ends = new Int32Array(INITIAL_CAPACITY);

    /** The next vertex gets this number. */
    get vertexCount(): number {
        return this.#vertexCount;
    }

    /** Returns the number of the new vertex: 0, 1, 2, … in the order of the calls. */
    addVertex(color: string): number {
        let colorIndex = this.#indexOfColor.get(color);
        if (colorIndex === undefined) {
            colorIndex = this.#colorTexts.length;
            this.#colorTexts.push(color);
            this.#indexOfColor.set(color, colorIndex);
        }
        if (this.#vertexCount === this.#colorOfVertex.length) {
            this.#colorOfVertex = enlarged(this.#colorOfVertex);
        }
        this.#colorOfVertex[this.#vertexCount] = colorIndex;
        return this.#vertexCount++;
    }

    /** Joins two different vertices. Joining them again changes nothing. */
    addEdge(first: number, second: number): void {
        if (!this.#isVertex(first) || !this.#isVertex(second) || first === second) {
            invariant(false, `no edge ${first} – ${second}`);
        }
        if (this.#endCount === this.#ends.length) {
            this.#ends = enlarged(this.#ends);
        }
        this.#ends[this.#endCount++] = first;
        this.#ends[this.#endCount++] = second;
    }

    /** O(vertexCount + edgeCount), and sorting the colors. */
    build(): ColoredGraph {
        const vertexCount = this.#vertexCount;
        const sortedTexts = [...this.#colorTexts].sort();
        const colorNumbers = new Map(sortedTexts.map((text, color) => [text, color]));
        const colorNumberOfIndex = Int32Array.from(this.#colorTexts, text => colorNumbers.get(text) ?? 0);
        const colors = new Int32Array(vertexCount);
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            colors[vertex] = colorNumberOfIndex[this.#colorOfVertex[vertex]];
        }
        const { firstNeighbor, neighbors } = this.#rows();
        return {
            vertexCount,
            edgeCount: neighbors.length / 2,
            colors,
            colorCount: sortedTexts.length,
            firstNeighbor,
            neighbors,
        };
    }

    /**
     * Sorts all edge ends by transposing twice, in linear time: if the ends are distributed over their rows in the
     * order of the other end, each row ascends. Equal neighbors are then adjacent and merge.
     */
    #rows(): { firstNeighbor: Int32Array; neighbors: Int32Array } {
        const vertexCount = this.#vertexCount;
        const endCount = this.#endCount;
        const ends = this.#ends;
        const rowStart = new Int32Array(vertexCount + 1);
        for (let i = 0; i < endCount; i++) {
            rowStart[ends[i] + 1]++;
        }
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            rowStart[vertex + 1] += rowStart[vertex];
        }
        const unsorted = new Int32Array(endCount);
        const next = rowStart.slice(0, vertexCount);
        for (let i = 0; i < endCount; i++) {
            unsorted[next[ends[i]]++] = ends[i ^ 1];
        }
        const sorted = new Int32Array(endCount);
        next.set(rowStart.subarray(0, vertexCount));
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            for (let i = rowStart[vertex]; i < rowStart[vertex + 1]; i++) {
                sorted[next[unsorted[i]]++] = vertex;
            }
        }
        const firstNeighbor = new Int32Array(vertexCount + 1);
        let length = 0;
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            let previous = -1;
            for (let i = rowStart[vertex]; i < rowStart[vertex + 1]; i++) {
                if (sorted[i] !== previous) {
                    previous = sorted[i];
                    sorted[length++] = previous;
                }
            }
            firstNeighbor[vertex + 1] = length;
        }
        return { firstNeighbor, neighbors: sorted.slice(0, length) };
    }

    #isVertex(vertex: number): boolean {
        return Number.isInteger(vertex) && 0 <= vertex && vertex < this.#vertexCount;
    }
}
