/** ForcedVertices, with its loops in the code and the memory of a compiled refiner (refinement-code.ts). */
import type { WorkLimit } from '../common/work-limit.js';
import type { ColoredGraph } from './colored-graph.js';
import { MOST_LOOKS } from './forced-vertices.js';
import type { ForcingVertex } from './forced-vertices.js';
import { INTEGER_BYTES } from '../webassembly/function-body.js';
import type { RefinementFunctions } from './refinement-code.js';
import { GLOBAL } from './refinement-memory.js';

/** The work limit is asked once in so many edges. */
const EDGES_PER_QUESTION = 2 ** 12;

const COUNT = GLOBAL.forcedCount / INTEGER_BYTES;
const EDGES = GLOBAL.forcedEdges / INTEGER_BYTES;

export class CompiledForcedVertices implements ForcingVertex {
    edgesWasted = 0;
    readonly #mostEdges: number;
    readonly #functions: RefinementFunctions;
    readonly #globals: Int32Array;
    readonly #positions: Int32Array;

    /** `globals` and `positions` are those of the memory of the functions. */
    constructor(
        { vertexCount, edgeCount }: ColoredGraph,
        functions: RefinementFunctions,
        globals: Int32Array,
        positions: Int32Array,
    ) {
        this.#mostEdges = 2 * MOST_LOOKS * (edgeCount + vertexCount);
        this.#functions = functions;
        this.#globals = globals;
        this.#positions = positions;
    }

    get positions(): Int32Array {
        return this.#positions.subarray(0, this.#globals[COUNT]);
    }

    find(vertex: number, workLimit: WorkLimit): boolean {
        this.#functions.forceFirst(vertex);
        let isFinished = false;
        while (!isFinished && this.#globals[EDGES] <= this.#mostEdges && !workLimit.isExhausted()) {
            const edgeLimit = Math.min(this.#mostEdges + 1, this.#globals[EDGES] + EDGES_PER_QUESTION);
            isFinished = this.#functions.forceOthers(edgeLimit) === 1;
        }
        const isFound = this.#functions.endForcing() === 1;
        if (!isFound) {
            this.edgesWasted += this.#globals[EDGES];
            this.#globals[COUNT] = 0;
        }
        return isFound;
    }

    follow(vertex: number): boolean {
        return this.#functions.followForced(vertex) === 1;
    }
}
