/** The reference search: expands one state after the other, by the interpreter or by other successors. */
import { invariant } from '../common/assert.js';
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { EqualBlocks } from './equal-processes.js';
import { NO_PARENT, SeenSet } from './seen-set.js';
import type { SearchSnapshot, StoredSearch } from './snapshot.js';
import { StateLayout } from './state-layout.js';
import type { SearchObserver, StateSearchOptions, StateSearch } from './state-search.js';
import { SelectedSuccessors, type SelectionCounts } from './step-selection.js';
import type { FiringVisitor, Successors } from './successors.js';

export class InterpretedSearch implements StateSearch {
    readonly #observer: SearchObserver;
    readonly #options: StateSearchOptions;
    readonly #successors: Successors;
    readonly #selected: SelectedSuccessors | undefined;
    readonly #equal: EqualBlocks | undefined;
    readonly #layout: StateLayout;
    readonly #seen: SeenSet;
    readonly #visitor: FiringVisitor;
    /** Scratch space. */
    readonly #state: Int32Array;
    readonly #representative: Int32Array;
    readonly #words: Uint32Array;
    /** By summand: 1 once it has fired. */
    readonly #fired: Uint8Array;

    #next = 0;
    /** The first state of the next level. */
    #levelEnd = 0;
    #level = 0;
    #depth = 0;
    #transitions = 0;
    /** The transitions of the states before the next one to expand. */
    #transitionsBefore = 0;
    #firings = 0;
    #outside = 0;
    /** Those of the states before the next one to expand. */
    #outsideBefore = 0;
    #enabledBefore = 0;
    #isStopped = false;
    /** Also asked during an expansion, so that a long one can be cancelled. */
    #workLimit: WorkLimit = UNLIMITED;

    constructor(model: SequentialModel, successors: Successors, observer: SearchObserver, options: StateSearchOptions) {
        this.#observer = observer;
        this.#options = options;
        this.#selected = options.selection && new SelectedSuccessors(model, successors, options.selection);
        this.#successors = this.#selected ?? successors;
        this.#equal = options.equal && new EqualBlocks(options.equal);
        this.#layout = new StateLayout(model.cells);
        this.#seen = new SeenSet(this.#layout.wordCount);
        this.#state = new Int32Array(model.cells.length);
        this.#representative = new Int32Array(model.cells.length);
        this.#words = new Uint32Array(this.#layout.wordCount);
        this.#fired = new Uint8Array(model.summands.length);
        this.#visitor = {
            fired: (summand, successor) => {
                this.#countFiring(summand);
                if (this.#selected?.takesAll === false || this.#equal?.isLater(summand) !== true) {
                    this.#store(successor, this.#next);
                }
                return !this.#isStopped;
            },
            faulted: (summand, fault) => {
                if (fault.kind === 'outside') {
                    this.#firings++;
                    this.#outside++;
                    return true;
                }
                this.#countFiring(summand);
                observer.faulted(this.#next, fault);
                return !this.#isStopped;
            },
        };
    }

    get stateCount(): number {
        return this.#seen.count;
    }

    get nextState(): number {
        return this.#next;
    }

    get transitions(): number {
        return this.#transitions;
    }

    get outside(): number {
        return this.#outside;
    }

    get depth(): number {
        return this.#depth;
    }

    get bytes(): number {
        return this.#seen.bytes;
    }

    get peakBytes(): number {
        return this.#seen.peakBytes;
    }

    get selected(): SelectionCounts | undefined {
        return this.#selected?.counts;
    }

    get omissionProbability(): number {
        return 0;
    }

    get threadCount(): number {
        return 1;
    }

    get bytesPerState(): number {
        return this.#seen.bytesPerState;
    }

    addInitialState(state: Readonly<Int32Array>, limit: WorkLimit): void {
        this.#workLimit = limit;
        const { numbers } = this.#options;
        if (numbers !== undefined) {
            this.#state.set(state);
            invariant(numbers.order.normalize(this.#state), 'there are codes for all initial values');
        }
        this.#store(numbers === undefined ? state : this.#state, NO_PARENT);
        this.#levelEnd = this.#seen.count;
    }

    storeInitialStates(): void {
        // They are already stored.
    }

    advance(limit: WorkLimit): boolean {
        this.#workLimit = limit;
        if (this.#isStopped || this.#next === this.#seen.count) {
            return false;
        }
        if (this.#next === this.#levelEnd) {
            this.#selected?.levelEnds(this.#seen.count, this.#transitions);
            this.#levelEnd = this.#seen.count;
            this.#level++;
        }
        this.stateInto(this.#state, this.#next);
        this.#firings = 0;
        this.#transitionsBefore = this.#transitions;
        this.#outsideBefore = this.#outside;
        this.#equal?.look(this.#state);
        this.#successors.forEachFiring(this.#state, this.#visitor);
        if (this.#firings === 0) {
            this.#observer.stoodStill(this.#next, this.#state);
        }
        if (!this.#hasStopped()) {
            this.#next++;
            this.#transitionsBefore = this.#transitions;
            this.#outsideBefore = this.#outside;
            this.#enabledBefore = this.#selected?.counts.enabled ?? 0;
        }
        return true;
    }

    stop(): void {
        this.#isStopped = true;
    }

    hasFired(summand: number): boolean {
        return this.#fired[summand] === 1;
    }

    /** A state with an interrupted expansion is expanded again: its successors get the same numbers. */
    snapshot(): SearchSnapshot {
        return {
            counts: {
                states: this.#seen.count,
                next: this.#next,
                levelEnd: this.#levelEnd,
                level: this.#level,
                depth: this.#depth,
                transitions: this.#transitionsBefore,
                outside: this.#outsideBefore,
                enabled: this.#enabledBefore,
                takesAll: this.#selected?.counts.isOff === true ? 1 : 0,
            },
            memories: [this.#fired, ...this.#seen.memories],
        };
    }

    restore({ counts, memories: [fired, ...seen] }: StoredSearch): boolean {
        fired.readInto(this.#fired);
        this.#next = counts['next'];
        this.#levelEnd = counts['levelEnd'];
        this.#level = counts['level'];
        this.#depth = counts['depth'];
        this.#transitions = counts['transitions'];
        this.#transitionsBefore = this.#transitions;
        this.#outside = counts['outside'];
        this.#outsideBefore = this.#outside;
        this.#enabledBefore = counts['enabled'];
        this.#selected?.restore({ enabled: counts['enabled'], isOff: counts['takesAll'] === 1 });
        return this.#seen.restore(seen, counts['states']);
    }

    close(): void {
        // It has no threads.
    }

    parentOf(index: number): number {
        return this.#seen.parentOf(index);
    }

    stateInto(target: Int32Array, index: number): void {
        this.#seen.readInto(this.#words, index);
        this.#layout.unpack(this.#words, 0, target);
    }

    /** A call, since the observer may have stopped the search. */
    #hasStopped(): boolean {
        return this.#isStopped;
    }

    #countFiring(summand: number): void {
        this.#fired[summand] = 1;
        this.#firings++;
        this.#transitions++;
        // Only for its exception; a slice ends after the state.
        this.#workLimit.isExhausted();
    }

    /** Stores the representative of a state unless it is known. */
    #store(state: Readonly<Int32Array>, parent: number): void {
        const { canonicalizer, exactWithin, maxStates, maxMemoryBytes } = this.#options;
        let stored = state;
        if (canonicalizer !== undefined) {
            if (canonicalizer.canonicalizeInto(this.#representative, state)) {
                stored = this.#representative;
            } else if (exactWithin !== undefined) {
                this.#observer.limited({ kind: 'work', value: exactWithin });
                return;
            } else {
                // The state represents itself: sound, but other states of its orbit may be stored, too.
                this.#observer.gaveUpRepresentative();
            }
        }
        this.#layout.pack(stored, this.#words, 0);
        if (this.#seen.find(this.#words) >= 0) {
            return;
        }
        if (maxStates !== undefined && this.#seen.count >= maxStates) {
            this.#observer.limited({ kind: 'states', value: maxStates });
            return;
        }
        if (maxMemoryBytes !== undefined && this.#seen.bytes + this.#seen.growthBytes > maxMemoryBytes) {
            this.#observer.limited({ kind: 'memory', value: maxMemoryBytes });
            return;
        }
        if (!this.#seen.reserve(this.#workLimit)) {
            this.#observer.limited({ kind: 'memory', value: this.#seen.bytes + this.#seen.growthBytes });
            return;
        }
        const index = this.#seen.insert(this.#words, parent);
        if (parent !== NO_PARENT) {
            this.#depth = this.#level + 1;
        }
        this.#observer.storedSuspicious(index, stored);
    }
}
