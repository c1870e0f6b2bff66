/** The firings of stored states once more, each with the symmetry that took its successor to what is stored. */
import { invariant } from '../common/assert.js';
import type { Successors } from '../explore/successors.js';
import { SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { MarkedCanonicalizer } from './marked-canonicalizer.js';
import type { StoredGraph } from './stored-graph.js';

/** A firing of a stored state. */
export interface MarkedFiring {
    /** The stored state that it leads to. */
    readonly target: number;
    /** REST for the rest at an end. */
    readonly summand: number;
    readonly successor: Readonly<Int32Array>;
    /** Takes the successor to the target. */
    readonly symmetry: SparsePermutation;
}

/** No summand: the run stays at an end. */
export const REST = -1;

export class MarkedFirings {
    readonly #graph: StoredGraph;
    readonly #successors: Successors;
    readonly #canonicalizer: MarkedCanonicalizer | undefined;
    readonly #state: Int32Array;
    readonly #stored: Int32Array;

    constructor(
        model: SequentialModel,
        graph: StoredGraph,
        successors: Successors,
        canonicalizer: MarkedCanonicalizer | undefined,
    ) {
        this.#graph = graph;
        this.#successors = successors;
        this.#canonicalizer = canonicalizer;
        this.#state = new Int32Array(model.cells.length);
        this.#stored = new Int32Array(model.cells.length);
    }

    /** All firings without a fault to stored states, in the order of the summands; the rest of an end. */
    of(index: number): readonly MarkedFiring[] {
        const firings: MarkedFiring[] = [];
        let hasFired = false;
        this.#graph.stateInto(this.#state, index);
        this.#successors.forEachFiring(this.#state, {
            fired: (summand, successor, representative) => {
                hasFired = true;
                const target = this.#graph.storedFormOf(successor, representative);
                if (target >= 0) {
                    const symmetry = this.#symmetryTo(target, successor);
                    firings.push({ target, summand, successor: successor.slice(), symmetry });
                }
                return true;
            },
            faulted: (_, { kind }) => {
                hasFired ||= kind === 'outside';
                return true;
            },
        });
        return hasFired
            ? firings
            : [{ target: index, summand: REST, successor: this.#state.slice(), symmetry: SPARSE_IDENTITY }];
    }

    #symmetryTo(target: number, successor: Readonly<Int32Array>): SparsePermutation {
        this.#graph.stateInto(this.#stored, target);
        if (this.#stored.every((code, cell) => code === successor[cell])) {
            return SPARSE_IDENTITY;
        }
        const symmetry = this.#canonicalizer?.symmetryAlong(successor, this.#stored);
        invariant(symmetry !== undefined, 'a state that is stored as another one has a way there');
        return symmetry;
    }
}
