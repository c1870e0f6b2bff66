/**
 * The truth of atoms in the states of a stored graph: a row of bits for each expanded state, one bit for each atom about
 * states. An atom about the step that leaves a state is looked up by the class of the step.
 */
import { remembered } from '../common/list-map.js';
import { Fault } from '../sequential/expression/evaluate.js';
import type { Marker, SequentialModel, TemporalFormula } from '../sequential/sequential-model.js';
import type { MarkedEdges, MarkerImages } from './marked-canonicalizer.js';
import { AtomTests, type Column, type PositionTest } from './atom-tests.js';
import type { StepClasses } from './step-classes.js';
import { OUTSIDE, type StoredGraph } from './stored-graph.js';
import { Tape } from './tape.js';

/** A fault in an atom, and the state where it is. */
export interface AtomFault {
    readonly marker: number;
    readonly state: number;
    readonly fault: Fault;
}

const BITS = 32;

export class AtomTruth {
    readonly #graph: StoredGraph;
    readonly #classes: StepClasses;
    readonly #tests: AtomTests;
    readonly #words: number;
    readonly #rows: Tape;
    readonly #state: Int32Array;
    #fault: AtomFault | undefined;
    #filled = 0;

    constructor(model: SequentialModel, graph: StoredGraph, classes: StepClasses, markers: readonly Marker[]) {
        this.#graph = graph;
        this.#classes = classes;
        this.#state = new Int32Array(model.cells.length);
        this.#tests = new AtomTests(model, classes, markers, (state, column) => this.#bit(state, column));
        this.#words = Math.max(1, Math.ceil(this.#tests.columns.length / BITS));
        this.#rows = new Tape(length => new Uint32Array(length));
    }

    get bytes(): number {
        return this.#rows.bytes;
    }

    /** The first fault of an atom, if there is one. */
    get fault(): AtomFault | undefined {
        return this.#fault;
    }

    /** Whether some marker asks what is possible; such atoms are false until `decidePossible`. */
    get hasPossible(): boolean {
        return this.#tests.columns.some(({ kind }) => kind === 'possible');
    }

    /** Fills the rows of the states that have been expanded, of so many at most; false if none were left. */
    fill(most: number): boolean {
        const end = Math.min(this.#graph.expandedCount, this.#filled + most);
        if (this.#filled === end) {
            return false;
        }
        for (; this.#filled < end; this.#filled++) {
            this.#fillRow(this.#filled);
        }
        return true;
    }

    get classCount(): number {
        return this.#classes.count;
    }

    /** As of AtomTests. */
    testOfCube(...asked: Parameters<AtomTests['testOfCube']>): ReturnType<AtomTests['testOfCube']> {
        return this.#tests.testOfCube(...asked);
    }

    /** The truth of a formula over the atoms of a marker. */
    test(formula: TemporalFormula, marker: number): PositionTest {
        return this.#tests.test(formula, marker);
    }

    /**
     * Decides the atoms `possible`, backwards over the edges; all states must be expanded and filled. With `moved`, the
     * edges that say where symmetries take markers, if the graph does not and they move one that asks. Yields now and
     * then. O(edges) for each of them.
     */
    *decidePossible(moved?: MarkedEdges): Generator<undefined> {
        const columns = [...this.#tests.columns.entries()].flatMap(([column, asked]) =>
            asked.kind === 'possible' ? [{ column, ...asked }] : [],
        );
        if (columns.length === 0) {
            return;
        }
        const edges = moved === undefined ? edgesOf(this.#graph) : yield* edgesAlong(this.#graph.stateCount, moved);
        const back = backwardEdges(this.#graph.stateCount, edges);
        yield;
        // An atom may ask for those before it, of markers that edges lead to, too.
        for (const atom of [...new Set(columns.map(column => column.atom))].sort((first, second) => first - second)) {
            yield* this.#decide(
                columns.filter(column => column.atom === atom),
                back,
            );
        }
    }

    /** Decides the atoms of one number. */
    *#decide(
        columns: readonly PossibleColumn[],
        { firstBack, source, edge, imagesOf }: BackwardEdges,
    ): Generator<undefined> {
        const columnOfMarker = new Map(columns.map(({ marker, column }) => [marker, column]));
        const queue: { readonly state: number; readonly marker: number }[] = [];
        const reach = (state: number, marker: number): void => {
            const column = columnOfMarker.get(marker);
            if (column !== undefined && !this.#bit(state, column)) {
                this.#setBit(state, column);
                queue.push({ state, marker });
            }
        };
        for (const { marker, test } of columns) {
            for (let state = 0; state < this.#graph.stateCount; state++) {
                if (test(state, 0)) {
                    reach(state, marker);
                }
            }
            yield;
        }
        const sources = new Map<MarkerImages, MarkerImages>();
        for (const [index, { state, marker }] of queue.entries()) {
            for (let at = firstBack[state]; at < firstBack[state + 1]; at++) {
                const images = imagesOf(edge[at]);
                const before =
                    images === undefined ? marker : remembered(sources, images, () => inverseOf(images))[marker];
                reach(source[edge[at]], before);
            }
            if (index % 4096 === 0) {
                yield;
            }
        }
    }

    #fillRow(state: number): void {
        const first = this.#rows.length;
        for (let word = 0; word < this.#words; word++) {
            this.#rows.append(0);
        }
        this.#graph.stateInto(this.#state, state);
        const { firstEdge } = this.#graph;
        this.#tests.columns.forEach((column, number) => {
            let isTrue = false;
            if (column.kind === 'state') {
                isTrue = this.#holds(column, state);
            } else if (column.kind === 'enabled') {
                for (let edge = firstEdge[state]; !isTrue && edge < firstEdge[state + 1]; edge++) {
                    isTrue =
                        this.#classes.contains[this.#graph.stepClassOf(edge) * this.#classes.setCount + column.set] ===
                        1;
                }
            }
            if (isTrue) {
                this.#rows.numbers[first + (number >>> 5)] |= 1 << (number & 31);
            }
        });
    }

    #holds({ marker, holds }: Extract<Column, { kind: 'state' }>, state: number): boolean {
        try {
            return holds(this.#state);
        } catch (error) {
            if (error instanceof Fault) {
                this.#fault ??= { marker, state, fault: error };
                return false;
            }
            throw error;
        }
    }

    /** Whether the bit of an expanded state is set. */
    bit(state: number, column: number): boolean {
        return this.#bit(state, column);
    }

    #bit(state: number, column: number): boolean {
        return ((this.#rows.numbers[state * this.#words + (column >>> 5)] >>> (column & 31)) & 1) === 1;
    }

    #setBit(state: number, column: number): void {
        this.#rows.numbers[state * this.#words + (column >>> 5)] |= 1 << (column & 31);
    }
}

type PossibleColumn = Extract<Column, { kind: 'possible' }> & { readonly column: number };

interface Edges {
    /** By edge. */
    readonly source: ArrayLike<number>;
    readonly target: ArrayLike<number>;
    /** Where the symmetry of an edge takes markers; undefined if it moves none that matters. */
    readonly imagesOf: (edge: number) => MarkerImages | undefined;
}

function edgesOf(graph: StoredGraph): Edges {
    const { stateCount, firstEdge } = graph;
    const source = new Uint32Array(firstEdge[stateCount]);
    for (let state = 0; state < stateCount; state++) {
        source.fill(state, firstEdge[state], firstEdge[state + 1]);
    }
    return { source, target: graph.target.subarray(0, source.length), imagesOf: edge => graph.imagesOf(edge) };
}

function* edgesAlong(stateCount: number, moved: MarkedEdges): Generator<undefined, Edges> {
    const [source, target, images]: [number[], number[], MarkerImages[]] = [[], [], []];
    const interned = new Map<string, MarkerImages>();
    for (let state = 0; state < stateCount; state++) {
        for (const edge of moved(state)) {
            source.push(state);
            target.push(edge.target);
            images.push(remembered(interned, edge.images.join(), () => edge.images));
        }
        yield;
    }
    return { source, target, imagesOf: edge => images[edge] };
}

/** The edges to state t are `edge[firstBack[t]]` … `edge[firstBack[t + 1] - 1]`. */
interface BackwardEdges extends Edges {
    readonly firstBack: Uint32Array;
    readonly edge: Uint32Array;
}

function backwardEdges(stateCount: number, edges: Edges): BackwardEdges {
    const { target } = edges;
    const firstBack = new Uint32Array(stateCount + 1);
    for (let index = 0; index < target.length; index++) {
        if (target[index] !== OUTSIDE) {
            firstBack[target[index] + 1]++;
        }
    }
    for (let state = 0; state < stateCount; state++) {
        firstBack[state + 1] += firstBack[state];
    }
    const next = firstBack.slice();
    const edge = new Uint32Array(target.length);
    for (let index = 0; index < target.length; index++) {
        if (target[index] !== OUTSIDE) {
            edge[next[target[index]]++] = index;
        }
    }
    return { ...edges, firstBack, edge };
}

function inverseOf(images: MarkerImages): MarkerImages {
    const inverse = new Uint32Array(images.length);
    images.forEach((image, marker) => (inverse[image] = marker));
    return inverse;
}
