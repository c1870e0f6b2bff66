/**
 * The reachable states, one for each orbit if there are symmetries, with the edges between them. States are numbered as
 * they are stored, and expanded in that order; a state that waits has no edges yet.
 *
 * An edge is a target and a kind: the class of the step (step-classes.ts) and, if the graph tracks markers, where the
 * symmetry to the target takes them. Equal edges are one. An end, a state without a firing, has an edge to itself; a
 * firing that leads outside of the constraint has an edge to OUTSIDE, along which no run goes.
 */
import { invariant } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { NO_PARENT, SeenSet } from '../explore/seen-set.js';
import { limitOfNumbers } from '../explore/limit-of-numbers.js';
import { limitOfSlots } from '../explore/limit-of-slots.js';
import type { NumberSteps } from '../explore/number-successors.js';
import { StateLayout } from '../explore/state-layout.js';
import type { FiringVisitor, Successors } from '../explore/successors.js';
import type { ExplorationLimit } from '../explore/verdict.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { SPARSE_IDENTITY } from '../group/sparse-permutation.js';
import type { MarkedCanonicalizer, MarkerImages } from './marked-canonicalizer.js';
import type { StepClasses } from './step-classes.js';
import { Tape } from './tape.js';

export interface StoredGraphOptions {
    readonly successors: Successors;
    /** Absent without symmetries. */
    readonly canonicalizer?: MarkedCanonicalizer;
    /** A state without a decided representative ends the search instead of being stored; the value is the work allowed. */
    readonly exactWithin?: number;
    /** Whether edges say where their symmetries take markers; there should be few such symmetries. */
    readonly tracksMarkers?: boolean;
    /** Whether symmetries may map initial states to other states. */
    readonly movesStart?: boolean;
    readonly classes: StepClasses;
    /** Of states whose numbers without end are in the form of explore/number-order.ts. */
    readonly numbers?: NumberSteps;
    readonly maxStates?: number;
    readonly maxMemoryBytes?: number;
}

/** The target of edges that only say that a step is possible: no state has this number. */
export const OUTSIDE = 0xffff_ffff;

/** More edges of one state than this are compared by a table. */
const FEW_EDGES = 32;

export class StoredGraph {
    readonly #options: StoredGraphOptions;
    readonly #layout: StateLayout;
    readonly #seen: SeenSet;
    readonly #firstEdge = new Tape(length => new Uint32Array(length));
    readonly #target = new Tape(length => new Uint32Array(length));
    readonly #edgeKind: Tape<Uint8Array | Uint16Array | Uint32Array>;
    /** Of a graph that tracks markers. */
    readonly #kinds: EdgeKinds | undefined;
    readonly #visitor: FiringVisitor;
    /** The kind and target of each edge of the state that is expanded, once there are many. */
    readonly #edgesHere = new Set<number>();
    readonly #state: Int32Array;
    readonly #representative: Int32Array;
    readonly #words: Uint32Array;
    #workLimit: WorkLimit | undefined;
    #initialCount = 0;
    /** By stored form of initial states, then by text: where symmetries from initial states to it take markers. */
    readonly #markersAtStart = new Map<number, Map<string, MarkerImages>>();
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
        const isTracked = options.tracksMarkers === true;
        this.#kinds = isTracked ? new EdgeKinds() : undefined;
        this.#edgeKind = new Tape<Uint8Array | Uint16Array | Uint32Array>(length =>
            !isTracked && count <= 1 << 8
                ? new Uint8Array(length)
                : !isTracked && count <= 1 << 16
                  ? new Uint16Array(length)
                  : new Uint32Array(length),
        );
        this.#visitor = {
            fired: (summand, successor, representative) => {
                this.#transitions++;
                this.#firings++;
                const target = this.#store(successor, this.#expanded, representative);
                if (target >= 0) {
                    this.#addEdge(target, this.#kindOf(options.classes.classOf[summand], target, successor));
                }
                return this.#limit === undefined;
            },
            faulted: (summand, { kind, range }) => {
                if (kind === 'numbers') {
                    this.#limit = limitOfNumbers(model, options.numbers);
                } else if (kind === 'slots') {
                    this.#limit = limitOfSlots(model, range);
                } else if (kind === 'outside') {
                    this.#firings++;
                    this.#addEdge(OUTSIDE, this.#kindOfUnmoved(options.classes.classOf[summand]));
                } else {
                    this.#transitions++;
                }
                return this.#limit === undefined;
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
        return this.#seen.bytes + this.#firstEdge.bytes + this.#target.bytes + this.#edgeKind.bytes;
    }

    get bytesPerState(): number {
        return this.#seen.bytesPerState;
    }

    /** The limit that ended the expansion early. */
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

    /** The kind of each edge. Without tracked markers it is the class of the step. */
    get edgeKind(): Readonly<Uint8Array | Uint16Array | Uint32Array> {
        return this.#edgeKind.numbers;
    }

    /** By kind: the class of the step, and where the symmetry takes markers; undefined if a kind is a class. */
    get kinds(): Pick<EdgeKinds, 'classOf' | 'imagesOf'> | undefined {
        return this.#kinds;
    }

    /** The class of the step of an edge. */
    stepClassOf(edge: number): number {
        const kind = this.#edgeKind.numbers[edge];
        return this.#kinds === undefined ? kind : this.#kinds.classOf[kind];
    }

    /** Where the symmetry of an edge takes markers; undefined if the graph does not track them. */
    imagesOf(edge: number): MarkerImages | undefined {
        return this.#kinds?.imagesOf[this.#edgeKind.numbers[edge]];
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
        const stored = this.#store(state, NO_PARENT);
        this.#initialCount = this.#seen.count;
        const { tracksMarkers, movesStart } = this.#options;
        if (tracksMarkers === true && movesStart === true && stored >= 0) {
            const images = this.#markersTo(stored, state);
            remembered(this.#markersAtStart, stored, () => new Map<string, MarkerImages>()).set(images.join(), images);
        }
    }

    /**
     * Where symmetries from initial states to this stored form take markers; undefined if all markers of a set may be
     * there, because the symmetries keep the start or no marker moves.
     */
    markersAtStart(state: number): Iterable<MarkerImages> | undefined {
        return this.#markersAtStart.get(state)?.values();
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
            this.#edgeKind.truncate(edgesBefore);
            this.#transitions = transitionsBefore;
            return false;
        }
        if (this.#firings === 0) {
            this.#addEdge(this.#expanded, this.#kindOf(0, this.#expanded, this.#state));
        }
        this.#expanded++;
        this.#firstEdge.append(this.#target.length);
        return true;
    }

    /**
     * The stored state of a successor of a stored state, -1 if it is none. Its words are searched, so it costs as much
     * as its representative, if that is not given.
     */
    storedFormOf(state: Readonly<Int32Array>, representative?: Readonly<Int32Array>): number {
        this.#representativeInto(this.#representative, state, representative);
        this.#layout.pack(this.#representative, this.#words, 0);
        return this.#seen.find(this.#words);
    }

    /** A call, since a visit may have ended it. */
    #hasEnded(): boolean {
        return this.#limit !== undefined;
    }

    #kindOf(stepClass: number, target: number, successor: Readonly<Int32Array>): number {
        if (this.#kinds === undefined || this.#options.canonicalizer === undefined) {
            return stepClass;
        }
        return this.#kinds.numberOf(stepClass, this.#markersTo(target, successor));
    }

    #kindOfUnmoved(stepClass: number): number {
        const { canonicalizer } = this.#options;
        return canonicalizer === undefined
            ? stepClass
            : (this.#kinds?.numberOf(stepClass, canonicalizer.markerImages(SPARSE_IDENTITY)) ?? stepClass);
    }

    /** Where the symmetry takes markers that takes a state to its stored form. */
    #markersTo(stored: number, state: Readonly<Int32Array>): MarkerImages {
        const { canonicalizer } = this.#options;
        invariant(canonicalizer !== undefined, 'markers move by symmetries');
        this.stateInto(this.#representative, stored);
        const isMoved = this.#representative.some((code, cell) => code !== state[cell]);
        const images = isMoved
            ? canonicalizer.markersAlong(state, this.#representative)
            : canonicalizer.markerImages(SPARSE_IDENTITY);
        invariant(images !== undefined, 'a state that is stored as another one has a way there');
        return images;
    }

    #addEdge(target: number, kind: number): void {
        const first = this.#firstEdge.numbers[this.#expanded];
        const count = this.#target.length - first;
        const targets = this.#target.numbers;
        const kinds = this.#edgeKind.numbers;
        const keyOf = (edge: number): number => kinds[edge] * 2 ** 32 + targets[edge];
        const key = kind * 2 ** 32 + target;
        if (count < FEW_EDGES) {
            for (let edge = first; edge < first + count; edge++) {
                if (targets[edge] === target && kinds[edge] === kind) {
                    return;
                }
            }
        } else {
            for (let edge = first; this.#edgesHere.size < FEW_EDGES; edge++) {
                this.#edgesHere.add(keyOf(edge));
            }
            if (this.#edgesHere.has(key)) {
                return;
            }
            this.#edgesHere.add(key);
        }
        this.#target.append(target);
        this.#edgeKind.append(kind);
    }

    /** False if the state had to be taken as it is. */
    #representativeInto(
        target: Int32Array,
        state: Readonly<Int32Array>,
        known: Readonly<Int32Array> | undefined,
    ): boolean {
        const { canonicalizer } = this.#options;
        if (canonicalizer === undefined || known !== undefined) {
            target.set(known ?? state);
            return true;
        }
        const isDecided = canonicalizer.canonicalizeInto(target, state);
        if (!isDecided) {
            target.set(state);
        }
        return isDecided;
    }

    /** The number of the stored form of a state; -1 if a limit keeps it out. */
    #store(state: Readonly<Int32Array>, parent: number, representative?: Readonly<Int32Array>): number {
        const { exactWithin, maxStates = Infinity, maxMemoryBytes = Infinity } = this.#options;
        if (!this.#representativeInto(this.#representative, state, representative)) {
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

/** Classes of steps with the images of markers, numbered. */
class EdgeKinds {
    readonly classOf: number[] = [];
    readonly imagesOf: MarkerImages[] = [];
    readonly #numbers = new WeakMap<MarkerImages, Map<number, number>>();
    readonly #numbersOfText = new Map<string, number>();

    numberOf(stepClass: number, images: MarkerImages): number {
        const ofImages = remembered(this.#numbers, images, () => new Map<number, number>());
        return remembered(ofImages, stepClass, () =>
            // The same images may come as other objects.
            remembered(this.#numbersOfText, `${stepClass} ${images.join()}`, () => {
                this.classOf.push(stepClass);
                this.imagesOf.push(images);
                return this.classOf.length - 1;
            }),
        );
    }
}
