/**
 * Symmetries that need not keep the start, and the way back to it: the stored form of an initial state may be no initial
 * state. [EmersonSistla1996]
 */
import { invariant } from '../../common/assert.js';
import { sameNumbers } from '../../common/same-data.js';
import type { WorkLimit } from '../../common/work-limit.js';
import { inverseSparse, SPARSE_IDENTITY, type SparsePermutation } from '../../group/sparse-permutation.js';
import type { OrbitSizes } from '../../representative/orbit-size.js';
import { Fault } from '../../sequential/expression/evaluate.js';
import type { SequentialModel } from '../../sequential/sequential-model.js';
import type { StateCanonicalizer } from '../state-canonicalizer.js';
import { InitialStates, type SymmetriesOnCells } from './initial-states.js';

/** The symmetries that keep the start, where those in use need not. */
export interface StartSymmetries {
    /** Of those in use; absent if none are known. */
    readonly elements?: SymmetriesOnCells;
    /** The orbits of states under all symmetries of the model that keep what is checked. */
    readonly orbits: () => OrbitSizes | undefined;
}

/** An initial state, by the symmetry that takes its stored form to it. */
export interface Root {
    readonly toRun: SparsePermutation;
}

/** Whether a symmetry may be the one that takes an initial state to its stored form. */
type IsWanted = (there: SparsePermutation) => boolean;

/** Finds initial states by their stored forms. */
export class Roots {
    readonly #model: SequentialModel;
    readonly #canonicalizer: Pick<StateCanonicalizer, 'canonicalizeInto' | 'transformation'>;
    readonly #elements: SymmetriesOnCells | undefined;
    readonly #known = new Map<string, Root>();
    /** Goes on from call to call until the root is found. */
    #cursor: InitialStates | undefined;

    /** The model whose initial states were stored, with those left out that `elements` make superfluous. */
    constructor(
        model: SequentialModel,
        canonicalizer: Pick<StateCanonicalizer, 'canonicalizeInto' | 'transformation'>,
        elements: SymmetriesOnCells | undefined,
    ) {
        this.#model = model;
        this.#canonicalizer = canonicalizer;
        this.#elements = elements;
    }

    /**
     * The root of a stored form, itself if it is an initial state. Undefined at the limit: the next call for it goes on.
     * About as much work as storing the initial states.
     */
    of(stored: Readonly<Int32Array>, limit: WorkLimit): Root | undefined {
        const key = stored.join();
        const root = this.#known.get(key) ?? this.wanted(stored, () => true, limit);
        if (root !== undefined) {
            this.#known.set(key, root);
        }
        return root;
    }

    /** The same with a symmetry that is wanted; there is one. */
    wanted(stored: Readonly<Int32Array>, isWanted: IsWanted, limit: WorkLimit): Root | undefined {
        const root = this.#itself(stored, isWanted) ?? this.#search(stored, isWanted, limit);
        if (root !== undefined) {
            this.#cursor = undefined;
        }
        return root;
    }

    #itself(stored: Readonly<Int32Array>, isWanted: IsWanted): Root | undefined {
        const mayBe = this.#cursor === undefined && isWanted(SPARSE_IDENTITY);
        return mayBe && isInitial(this.#model, stored.slice()) ? { toRun: SPARSE_IDENTITY } : undefined;
    }

    #search(stored: Readonly<Int32Array>, isWanted: IsWanted, limit: WorkLimit): Root | undefined {
        this.#cursor ??= new InitialStates(this.#model, this.#elements);
        const state = new Int32Array(stored.length);
        const image = new Int32Array(stored.length);
        while (this.#cursor.nextInto(state, limit)) {
            if (this.#canonicalizer.canonicalizeInto(image, state) && sameNumbers(image, stored)) {
                const there = this.#canonicalizer.transformation(state);
                invariant(there !== undefined, 'a state with a representative has a way there');
                if (isWanted(there)) {
                    return { toRun: inverseSparse(there) };
                }
            }
            if (limit.isExhausted()) {
                return undefined;
            }
        }
        invariant(this.#cursor.isPaused, 'a root of the search is the stored form of an initial state');
        return undefined;
    }
}

/** An expression that faults in a state that cannot be reached makes it no initial state. */
function isInitial(model: SequentialModel, state: Int32Array): boolean {
    try {
        return new InitialStates(model).includes(state);
    } catch (error) {
        if (error instanceof Fault) {
            return false;
        }
        throw error;
    }
}
