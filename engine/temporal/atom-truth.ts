/**
 * The truth of atoms in the states of a stored graph: a row of bits for each expanded state, one bit for each atom about
 * states. An atom about the step that leaves a state is looked up by the class of the step.
 */
import { Fault } from '../sequential/expression/evaluate.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Marker, TemporalFormula } from '../sequential/temporal.js';
import { AtomTests, type Column, type PositionTest } from './atom-tests.js';
import type { StepClasses } from './step-classes.js';
import type { StoredGraph } from './stored-graph.js';
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
     * Decides the atoms `possible`, backwards over the edges; all states must be expanded and filled. Yields now and
     * then. O(edges) for each of them.
     */
    *decidePossible(): Generator<undefined> {
        const { stateCount, firstEdge, target } = this.#graph;
        for (const [column, asked] of this.#tests.columns.entries()) {
            if (asked.kind !== 'possible') {
                continue;
            }
            const { test } = asked;
            const { firstBack, source } = backwardEdges(stateCount, firstEdge, target);
            yield;
            const queue = new Uint32Array(stateCount);
            let end = 0;
            const reach = (state: number): void => {
                if (!this.#bit(state, column)) {
                    this.#setBit(state, column);
                    queue[end++] = state;
                }
            };
            for (let state = 0; state < stateCount; state++) {
                if (test(state, 0)) {
                    reach(state);
                }
            }
            yield;
            for (let next = 0; next < end; next++) {
                for (let edge = firstBack[queue[next]]; edge < firstBack[queue[next] + 1]; edge++) {
                    reach(source[edge]);
                }
                if (next % 4096 === 0) {
                    yield;
                }
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

/** By target the sources of the edges. `source[firstBack[t]]` … `source[firstBack[t + 1] - 1]`. */
function backwardEdges(
    stateCount: number,
    firstEdge: Readonly<Uint32Array>,
    target: Readonly<Uint32Array>,
): { readonly firstBack: Uint32Array; readonly source: Uint32Array } {
    const edgeCount = firstEdge[stateCount];
    const firstBack = new Uint32Array(stateCount + 1);
    for (let edge = 0; edge < edgeCount; edge++) {
        firstBack[target[edge] + 1]++;
    }
    for (let state = 0; state < stateCount; state++) {
        firstBack[state + 1] += firstBack[state];
    }
    const next = firstBack.slice();
    const source = new Uint32Array(edgeCount);
    for (let state = 0; state < stateCount; state++) {
        for (let edge = firstEdge[state]; edge < firstEdge[state + 1]; edge++) {
            source[next[target[edge]]++] = state;
        }
    }
    return { firstBack, source };
}
