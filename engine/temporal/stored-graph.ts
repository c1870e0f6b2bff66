/**
 * The reachable states, one for each orbit if there are symmetries, with the edges between them. States are numbered as
 * they are stored, and expanded in that order; a state that waits has no edges yet.
 *
 * An edge is a target and the class of the step (step-classes.ts); equal edges are one. A state without a firing is an
 * end: it has an edge to itself, of class 0.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { NO_PARENT, SeenSet } from '../explore/seen-set.js';
import { StateLayout } from '../explore/state-layout.js';
import type { FiringVisitor, Successors } from '../explore/successors.js';
import type { ExplorationLimit } from '../explore/verdict.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { MarkedCanonicalizer } from './marked-canonicalizer.js';
import type { StepClasses } from './step-classes.js';
import { Tape } from './tape.js';

export interface StoredGraphOptions {
    readonly successors: Successors;
    /** Absent without symmetries. */
    readonly canonicalizer?: MarkedCanonicalizer;
    /** A state without a decided representative ends the search instead of being stored; the value is the work allowed. */
    readonly exactWithin?: number;
    readonly classes: StepClasses;
    readonly maxStates?: number;
    readonly maxMemoryBytes?: number;
}

/** More edges of one state than this are compared by a table. */
const FEW_EDGES = 32;

export class StoredGraph {
    readonly #options: StoredGraphOptions;
    readonly #layout: StateLayout;
    readonly #seen: SeenSet;
    readonly #firstEdge = new Tape(length => new Uint32Array(length));
    readonly #target = new Tape(length => new Uint32Array(length));
    readonly #edgeClass: Tape<Uint8Array | Uint16Array | Uint32Array>;
    readonly #visitor: FiringVisitor;
    /** The class and target of each edge of the state that is expanded, once there are many. */
    readonly #edgesHere = new Set<number>();
    readonly #state: Int32Array;
    readonly #representative: Int32Array;
    readonly #words: Uint32Array;
    #workLimit: WorkLimit | undefined;
    #initialCount = 0;
    #expanded = 0;
    #transitions = 0;
    #firings = 0;
    #limit: ExplorationLimit | undefined;
    #unique: boolean;

    constructor(model: SequentialModel, options: StoredGraphOptions) {
        this.#options = options;
        this.#layout = new StateLayout(model.cells);
        this.#seen = new SeenSet(this.#layout.wordCount);
        this.#state = new Int32Array(model.cells.length);
        this.#representative = new Int32Array(model.cells.length);
        this.#words = new Uint32Array(this.#layout.wordCount);
        this.#unique = options.canonicalizer?.strategy.unique ?? true;
        this.#firstEdge.append(0);
        const { count } = options.classes;
        this.#edgeClass = new Tape<Uint8Array | Uint16Array | Uint32Array>(length =>
            count <= 1 << 8
                ? new Uint8Array(length)
                : count <= 1 << 16
                  ? new Uint16Array(length)
                  : new Uint32Array(length),
        );
        this.#visitor = {
            fired: (summand, successor) => {
                this.#transitions++;
                this.#firings++;
                const target = this.#store(successor, this.#expanded);
                if (target >= 0) {
                    this.#addEdge(target, options.classes.classOf[summand]);
                }
                return this.#limit === undefined;
            },
            faulted: () => {
                this.#transitions++;
                return true;
            },
        };
    }

    get stateCount(): number {
        return this.#seen.count;
    }

    /** The states before this number have their edges. */
    get expandedCount(): number {
        return this.#expanded;
    }

    /** The first states are the initial ones. */
    get initialCount(): number {
        return this.#initialCount;
    }

    get edgeCount(): number {
        return this.#target.length;
    }

    /** Firings of expanded states, faults included. */
    get transitions(): number {
        return this.#transitions;
    }

    get bytes(): number {
        return this.#seen.bytes + this.#firstEdge.bytes + this.#target.bytes + this.#edgeClass.bytes;
    }

    get bytesPerState(): number {
        return this.#seen.bytesPerState;
    }

    /** What ended the expansion early. */
    get limit(): ExplorationLimit | undefined {
        return this.#limit;
    }

    /** Whether every orbit has one state so far. */
    get isUnique(): boolean {
        return this.#unique;
    }

    /** `firstEdge[s]` … `firstEdge[s + 1] - 1` are the edges of an expanded state s. */
    get firstEdge(): Readonly<Uint32Array> {
        return this.#firstEdge.numbers;
    }

    get target(): Readonly<Uint32Array> {
        return this.#target.numbers;
    }

    get edgeClass(): Readonly<Uint8Array | Uint16Array | Uint32Array> {
        return this.#edgeClass.numbers;
    }

    emptyState(): Int32Array {
        return new Int32Array(this.#state.length);
    }

    stateInto(target: Int32Array, index: number): void {
        this.#seen.readInto(this.#words, index);
        this.#layout.unpack(this.#words, 0, target);
    }

    /** To be called before the first `expand`. */
    addInitialState(state: Readonly<Int32Array>): void {
        this.#store(state, NO_PARENT);
        this.#initialCount = this.#seen.count;
    }

    /** Expands the next state; false if none waits or a limit has ended this. Asks the limit only for its exception. */
    expand(limit: WorkLimit): boolean {
        if (this.#limit !== undefined || this.#expanded === this.#seen.count) {
            return false;
        }
        this.#workLimit = limit;
        this.stateInto(this.#state, this.#expanded);
        this.#firings = 0;
        this.#edgesHere.clear();
        const edgesBefore = this.#target.length;
        const transitionsBefore = this.#transitions;
        this.#options.successors.forEachFiring(this.#state, this.#visitor);
        if (this.#hasEnded()) {
            // It counts as one that waits: its edges are not complete.
            this.#target.truncate(edgesBefore);
            this.#edgeClass.truncate(edgesBefore);
            this.#transitions = transitionsBefore;
            return false;
        }
        if (this.#firings === 0) {
            this.#addEdge(this.#expanded, 0);
        }
        this.#expanded++;
        this.#firstEdge.append(this.#target.length);
        return true;
    }

    /**
     * The stored state of a successor of a stored state, -1 if it is none. Its words are searched, so it costs as much
     * as its representative.
     */
    storedFormOf(state: Readonly<Int32Array>): number {
        this.#representativeInto(this.#representative, state);
        this.#layout.pack(this.#representative, this.#words, 0);
        return this.#seen.find(this.#words);
    }

    /** A call, since a visit may have ended it. */
    #hasEnded(): boolean {
        return this.#limit !== undefined;
    }

    #addEdge(target: number, edgeClass: number): void {
        const first = this.#firstEdge.numbers[this.#expanded];
        const count = this.#target.length - first;
        const targets = this.#target.numbers;
        const classes = this.#edgeClass.numbers;
        const key = edgeClass * 2 ** 32 + target;
        if (count < FEW_EDGES) {
            for (let edge = first; edge < first + count; edge++) {
                if (targets[edge] === target && classes[edge] === edgeClass) {
                    return;
                }
            }
        } else {
            if (count === FEW_EDGES && this.#edgesHere.size === 0) {
                for (let edge = first; edge < first + count; edge++) {
                    this.#edgesHere.add(classes[edge] * 2 ** 32 + targets[edge]);
                }
            }
            if (this.#edgesHere.has(key)) {
                return;
            }
            this.#edgesHere.add(key);
        }
        this.#target.append(target);
        this.#edgeClass.append(edgeClass);
    }

    /** False if the state had to be taken as it is. */
    #representativeInto(target: Int32Array, state: Readonly<Int32Array>): boolean {
        const { canonicalizer } = this.#options;
        if (canonicalizer === undefined) {
            target.set(state);
            return true;
        }
        const isDecided = canonicalizer.canonicalizeInto(target, state);
        if (!isDecided) {
            target.set(state);
        }
        return isDecided;
    }

    /** The number of the stored form of a state; -1 if a limit keeps it out. */
    #store(state: Readonly<Int32Array>, parent: number): number {
        const { exactWithin, maxStates = Infinity, maxMemoryBytes = Infinity } = this.#options;
        if (!this.#representativeInto(this.#representative, state)) {
            if (exactWithin !== undefined) {
                this.#limit = { kind: 'work', value: exactWithin };
                return -1;
            }
            this.#unique = false;
        }
        this.#layout.pack(this.#representative, this.#words, 0);
        const known = this.#seen.find(this.#words);
        if (known >= 0) {
            return known;
        }
        if (this.#seen.count >= maxStates) {
            this.#limit = { kind: 'states', value: maxStates };
            return -1;
        }
        if (this.bytes + this.#seen.growthBytes > maxMemoryBytes) {
            this.#limit = { kind: 'memory', value: maxMemoryBytes };
            return -1;
        }
        if (this.#workLimit !== undefined && !this.#seen.reserve(this.#workLimit)) {
            this.#limit = { kind: 'memory', value: this.bytes + this.#seen.growthBytes };
            return -1;
        }
        return this.#seen.insert(this.#words, parent);
    }
}
