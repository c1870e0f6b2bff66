/**
 * The counts of a compiled search, and the events of its generated code.
 *
 * If the observer stops the search at an event, the counts are those at the event, as in the interpreted search,
 * although generated code has finished its slice.
 */
import { gainsTooLittle } from '../explore/step-selection.js';
import type { SearchObserver, StateSearchOptions } from '../explore/state-search.js';
import type { CompiledModel } from './compiled-model.js';
import { EVENT, EVENT_BYTES, HEADER } from './memory-map.js';
import { NumberNotes } from './number-notes.js';
import type { PathReplay } from './path-replay.js';
import type { WasmHeap } from './wasm-heap.js';

/** The largest number of states in generated code. */
export const MOST_STATES = 0xffff_ffff;

interface Counts {
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    readonly next: number;
}

export class SearchProgress {
    next = 0;
    /** The first state of the next level; Infinity before all initial states are stored. */
    levelEnd = Infinity;
    isStopped = false;
    #level = 0;
    #depth = 0;
    /** Without the present slice. */
    #transitions = 0;
    /** Firings that the constraint cut off; known exactly only if no event has stopped the search. */
    #outside = 0;
    #enabled = 0;
    /** The counts at the event that is being told or has stopped the search. */
    #atEvent: Counts | undefined;
    readonly #compiled: CompiledModel;
    readonly #heap: WasmHeap;
    readonly #paths: PathReplay;
    readonly #observer: SearchObserver;
    readonly #options: StateSearchOptions;
    readonly #state: Int32Array;
    readonly #notes: NumberNotes | undefined;

    constructor(
        compiled: CompiledModel,
        heap: WasmHeap,
        paths: PathReplay,
        observer: SearchObserver,
        options: StateSearchOptions,
    ) {
        this.#compiled = compiled;
        this.#heap = heap;
        this.#paths = paths;
        this.#observer = observer;
        this.#options = options;
        this.#state = new Int32Array(compiled.model.cells.length);
        this.#notes = compiled.numbers && options.numbers && new NumberNotes(compiled.numbers, heap, options.numbers);
    }

    get states(): number {
        return this.#atEvent?.states ?? this.#heap.read(HEADER.count);
    }

    get nextState(): number {
        return this.#atEvent?.next ?? this.next;
    }

    get transitions(): number {
        return this.#atEvent?.transitions ?? this.#transitions;
    }

    get outside(): number {
        return this.#outside;
    }

    /** The firings that were possible; counted only if some of them are chosen. */
    get enabled(): number {
        return this.#enabled;
    }

    get depth(): number {
        return this.#atEvent?.depth ?? this.#depth;
    }

    get isTelling(): boolean {
        return this.#atEvent !== undefined;
    }

    /** The part of the progress that is not in the memory. */
    get counts(): Readonly<Record<string, number>> {
        return {
            next: this.next,
            levelEnd: this.levelEnd === Infinity ? -1 : this.levelEnd,
            level: this.#level,
            depth: this.#depth,
            transitions: this.#transitions,
            outside: this.#outside,
            enabled: this.#enabled,
        };
    }

    /** Takes over the result of `counts`. */
    restore(counts: Readonly<Record<string, number>>): void {
        this.next = counts['next'];
        this.levelEnd = counts['levelEnd'] < 0 ? Infinity : counts['levelEnd'];
        this.#level = counts['level'];
        this.#depth = counts['depth'];
        this.#transitions = counts['transitions'];
        this.#outside = counts['outside'];
        this.#enabled = counts['enabled'];
    }

    tellMemoryLimit(bytes: number): void {
        this.#observer.limited({ kind: 'memory', value: this.#options.maxMemoryBytes ?? bytes });
    }

    /**
     * Takes over the counts of generated code, and tells its events. Of a slice of which only a part is stored, `mostTold`
     * firings count.
     */
    settle(mostTold = Infinity): void {
        const { map } = this.#compiled;
        const { words } = this.#heap;
        // Events may run code again that writes notes.
        const addNotes = this.#notes?.take();
        if (!this.tell(map.events, words[HEADER.eventEnd / 4], 0, 0)) {
            addNotes?.(this.transitions - this.#transitions);
            return;
        }
        addNotes?.(mostTold);
        this.takeOver(words[HEADER.transitions / 4], words[HEADER.outside / 4], words[HEADER.enabled / 4]);
        words[HEADER.transitions / 4] = 0;
        words[HEADER.outside / 4] = 0;
        words[HEADER.enabled / 4] = 0;
        words[HEADER.eventEnd / 4] = map.events;
    }

    /** Tells events, with states from `firstStored` and subjects from `firstState`; false if the search was stopped. */
    tell(from: number, end: number, firstState: number, firstStored: number): boolean {
        const { words } = this.#heap;
        for (let event = from; event < end; event += EVENT_BYTES) {
            this.#tellEvent(words.subarray(event / 4, (event + EVENT_BYTES) / 4), firstState, firstStored);
            if (this.isStopped) {
                return false;
            }
            this.#atEvent = undefined;
        }
        return true;
    }

    #tellEvent(
        [kind, subject, index, stored, transitions]: Uint32Array,
        firstState: number,
        firstStored: number,
    ): void {
        const states = firstStored + stored;
        this.#atEvent = {
            states,
            transitions: this.#transitions + transitions,
            depth: states > this.levelEnd ? this.#level + 1 : this.#depth,
            next: Math.min(this.next, states),
        };
        switch (kind) {
            case EVENT.violated:
                this.#paths.stateInto(this.#state, firstStored + index);
                this.#observer.storedSuspicious(firstStored + index, this.#state);
                break;
            case EVENT.stuck:
                this.#paths.stateInto(this.#state, firstState + index);
                this.#observer.stoodStill(firstState + index, this.#state);
                break;
            case EVENT.fault:
                this.#notes?.fault(subject);
                this.#observer.faulted(firstState + index, this.#compiled.sites.faultOf(subject));
                break;
            case EVENT.limit:
                this.#observer.limited({ kind: 'states', value: this.#options.maxStates ?? MOST_STATES });
                break;
        }
    }

    /** Counts firings whose states are already counted. */
    takeOver(transitions: number, outside: number, enabled: number): void {
        this.#transitions += transitions;
        this.#outside += outside;
        this.#enabled += enabled;
        if (this.#heap.read(HEADER.count) > this.levelEnd) {
            this.#depth = this.#level + 1;
        }
    }

    /** Whether there is a state to expand; begins its level. */
    beginLevel(): boolean {
        const count = this.#heap.read(HEADER.count);
        if (this.next === count) {
            return false;
        }
        if (this.levelEnd === Infinity) {
            this.levelEnd = count;
        } else if (this.next === this.levelEnd) {
            const { selection } = this.#options;
            if (selection !== undefined && gainsTooLittle(selection, count, this.#transitions, this.#enabled)) {
                this.#heap.write(HEADER.takesAll, 1);
            }
            this.levelEnd = count;
            this.#level++;
        }
        return true;
    }

    /** The states to expand, at least one, before there may be more than `pauseAtStates`. */
    get statesBeforePause(): number {
        const { pauseAtStates = Infinity } = this.#options;
        const { mostFirings } = this.#compiled.map;
        return Math.max(1, Math.floor((pauseAtStates - this.#heap.read(HEADER.count)) / Math.max(1, mostFirings)));
    }
}
