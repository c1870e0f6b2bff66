/**
 * A refiner whose loops are compiled to WebAssembly (refinement-code.ts), and the partition that it refines.
 *
 * The arrays of both are in one memory, which the next search uses again. What the rest of the search reads of them are views
 * of that memory and numbers that are read from it after each call.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { ColoredGraph } from './colored-graph.js';
import { CompiledCode } from './compiled-code.js';
import { CompiledForcedVertices } from './compiled-forced-vertices.js';
import type { ForcingVertex } from './forced-vertices.js';
import { INTEGER_BYTES } from '../webassembly/function-body.js';
import type { Machine } from './compiled-code.js';
import { OrderedPartition } from './ordered-partition.js';
import type { Leaf, PartitionArrays } from './ordered-partition.js';
import type { PartitionRefiner, RefinementOutcome } from './refinement.js';
import { OUTCOME, refinementModule } from './refinement-code.js';
import type { RefinementFunctions } from './refinement-code.js';
import { CLEARED_ARRAYS, FIRST_ARRAY, GLOBAL, REFINEMENT_ARRAYS } from './refinement-memory.js';
import { Scratch } from './scratch.js';

/** The work limit is asked once in so many edges. */
const EDGES_PER_QUESTION = 2 ** 12;
/** More splits than there can be. */
const UNBOUNDED = 2 ** 31 - 1;

type ArrayName = (typeof REFINEMENT_ARRAYS)[number];

const code = new CompiledCode<ArrayName, RefinementFunctions>(REFINEMENT_ARRAYS, FIRST_ARRAY, refinementModule);

/**
 * What `use` returns, which keeps no array of the refiner. Undefined where there is no WebAssembly, or the graph is too large
 * for its memory.
 */
export function withCompiledRefiner<Result>(
    graph: ColoredGraph,
    use: (refiner: CompiledRefiner) => Result,
): { readonly result: Result } | undefined {
    const machine = code.acquire(graph);
    if (machine === undefined) {
        return undefined;
    }
    try {
        return { result: use(new CompiledRefiner(graph, machine)) };
    } finally {
        code.release(machine);
    }
}

/** A partition in the memory of a compiled refiner. */
class CompiledPartition extends OrderedPartition {
    readonly #functions: RefinementFunctions;
    readonly #globals: Int32Array;
    readonly #leaf: Leaf;

    constructor(
        graph: ColoredGraph,
        arrays: PartitionArrays,
        leaf: Leaf,
        globals: Int32Array,
        functions: RefinementFunctions,
    ) {
        super(graph, new Scratch(), arrays);
        this.#functions = functions;
        this.#globals = globals;
        this.#leaf = leaf;
        globals[GLOBAL.cellCount / INTEGER_BYTES] = this.cellCount;
    }

    override split(parent: number, start: number): void {
        this.#functions.split(parent, start);
        this.readCounts();
    }

    override undoTo(splitCount: number): void {
        if (splitCount < this.splitCount) {
            this.#functions.undoTo(splitCount);
            this.readCounts();
        }
    }

    override watch(leaf: Leaf, watchedSplits: number): void {
        super.watch(leaf, watchedSplits);
        this.#globals[GLOBAL.watchedSplits / INTEGER_BYTES] = watchedSplits;
    }

    override unwatch(): void {
        super.unwatch();
        this.#globals[GLOBAL.watchedSplits / INTEGER_BYTES] = 0;
    }

    /** The only leaf that can be watched. */
    protected override roomForLeaf(): Leaf {
        return this.#leaf;
    }

    readCounts(): void {
        const globals = this.#globals;
        this.splitCount = globals[GLOBAL.splitCount / INTEGER_BYTES];
        this.cellCount = globals[GLOBAL.cellCount / INTEGER_BYTES];
        this.differentCells = globals[GLOBAL.differentCells / INTEGER_BYTES];
        this.differentVertices = globals[GLOBAL.differentVertices / INTEGER_BYTES];
    }
}

export class CompiledRefiner implements PartitionRefiner {
    readonly partition: CompiledPartition;
    edgesSeen = 0;
    traceLength = 0;
    traceCursor = 0;
    stepCount = 0;
    stepEdges = 0;
    readonly #functions: RefinementFunctions;
    readonly #globals: Int32Array;
    readonly #forcedPositions: Int32Array;
    readonly #graph: ColoredGraph;

    /** `machine` has the rows of `graph` in its memory. */
    constructor(graph: ColoredGraph, { layout, functions, integers }: Machine<ArrayName, RefinementFunctions>) {
        const { vertexCount } = graph;
        const { buffer } = integers;
        const view = (name: ArrayName): Int32Array => new Int32Array(buffer, layout[name], vertexCount);
        integers.fill(0, 0, FIRST_ARRAY / INTEGER_BYTES);
        for (const name of CLEARED_ARRAYS) {
            const start = layout[name] / INTEGER_BYTES;
            integers.fill(0, start, start + vertexCount + 1);
        }
        integers[GLOBAL.vertexCount / INTEGER_BYTES] = vertexCount;
        this.#functions = functions;
        this.#globals = integers.subarray(0, FIRST_ARRAY / INTEGER_BYTES);
        this.#forcedPositions = view('forcedPositions');
        this.#graph = graph;
        const arrays = {
            elements: view('elements'),
            position: view('position'),
            cellOf: view('cellOf'),
            cellLength: view('cellLength'),
            splitStart: view('splitStart'),
            splitParent: view('splitParent'),
            strangers: view('strangers'),
            strangersBefore: view('strangersBefore'),
        };
        const leaf = { elements: view('leafElements'), position: view('leafPosition') };
        this.partition = new CompiledPartition(graph, arrays, leaf, this.#globals, functions);
    }

    compareFrom(cursor: number): void {
        this.#globals[GLOBAL.isComparing / INTEGER_BYTES] = 1;
        this.#globals[GLOBAL.traceCursor / INTEGER_BYTES] = cursor;
        this.traceCursor = cursor;
    }

    enqueueAllCells(): void {
        const { cellLength, vertexCount } = this.partition;
        for (let start = 0; start < vertexCount; start += cellLength[start]) {
            this.#functions.enqueue(start);
        }
    }

    individualize(vertex: number): void {
        this.#functions.individualize(vertex);
        this.partition.readCounts();
    }

    repeat(vertex: number, firstStep: number, endStep: number, workLimit: WorkLimit): RefinementOutcome {
        const globals = this.#globals;
        globals[GLOBAL.isComparing / INTEGER_BYTES] = 1;
        globals[GLOBAL.isRepeating / INTEGER_BYTES] = 1;
        globals[GLOBAL.nextStep / INTEGER_BYTES] = firstStep;
        this.#functions.individualize(vertex);
        const outcome = this.#run(workLimit, () => this.#functions.repeat(endStep, EDGES_PER_QUESTION));
        globals[GLOBAL.isRepeating / INTEGER_BYTES] = 0;
        return outcome;
    }

    sign(vertex: number, splitLimit: number, workLimit: WorkLimit): number | undefined {
        const globals = this.#globals;
        globals[GLOBAL.isComparing / INTEGER_BYTES] = 0;
        globals[GLOBAL.isSigning / INTEGER_BYTES] = 1;
        globals[GLOBAL.signature / INTEGER_BYTES] = 0;
        this.individualize(vertex);
        const outcome = this.refine(workLimit, this.partition.splitCount + splitLimit);
        globals[GLOBAL.isSigning / INTEGER_BYTES] = 0;
        return outcome === 'stopped' ? undefined : globals[GLOBAL.signature / INTEGER_BYTES];
    }

    refine(workLimit: WorkLimit, splitLimit = UNBOUNDED): RefinementOutcome {
        return this.#run(workLimit, () => this.#functions.refine(splitLimit, EDGES_PER_QUESTION));
    }

    forcing(): ForcingVertex {
        return new CompiledForcedVertices(this.#graph, this.#functions, this.#globals, this.#forcedPositions);
    }

    /** Goes on as long as there is something to do and the limit is not reached. */
    #run(workLimit: WorkLimit, go: () => number): RefinementOutcome {
        for (;;) {
            if (workLimit.isExhausted()) {
                this.#functions.clearQueue();
                this.#readCounts();
                return 'stopped';
            }
            const outcome = go();
            this.#readCounts();
            switch (outcome) {
                case OUTCOME.equitable:
                    return 'equitable';
                case OUTCOME.conflict:
                    return 'conflict';
            }
        }
    }

    #readCounts(): void {
        const globals = this.#globals;
        this.partition.readCounts();
        this.traceLength = globals[GLOBAL.traceLength / INTEGER_BYTES];
        this.traceCursor = globals[GLOBAL.traceCursor / INTEGER_BYTES];
        this.stepCount = globals[GLOBAL.stepCount / INTEGER_BYTES];
        this.stepEdges = globals[GLOBAL.stepEdges / INTEGER_BYTES];
        this.edgesSeen += globals[GLOBAL.edgesSeen / INTEGER_BYTES];
        globals[GLOBAL.edgesSeen / INTEGER_BYTES] = 0;
    }
}
