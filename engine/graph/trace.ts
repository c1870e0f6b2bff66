import { enlarged, type Scratch } from './scratch.js';

/** Odd, so that multiplication is one-to-one. */
export const COUNT_FACTOR = 0x9e3779b1;

// The modes of `record`, as small integers because each split compares the mode.
const RECORD = 0;
const COMPARE = 1;
const SIGN = 2;

/**
 * The events of refinements. The first path records them; later paths are compared with the record, or hash their own
 * events into a signature. The record also lists the steps that split something.
 */
export class Trace {
    /** The recorded events. The first `length` entries count. */
    #events: Int32Array;
    length = 0;
    /** While comparing, how many events have agreed. */
    cursor = 0;
    #mode = RECORD;
    /** The hash of the events since `startSigning`. */
    signature = 0;

    /** `#stepSplitter[i]` is the start of the splitting cell of the i-th recorded step that split a cell. */
    #stepSplitter: Int32Array;
    /** `#stepTrace[i]` is the index of the first event of that step. */
    #stepTrace: Int32Array;
    stepCount = 0;
    /** How many edges were visited in these steps. */
    stepEdges = 0;

    constructor(vertexCount: number, scratch: Scratch) {
        // Most paths take a step for each vertex, with one event for the step and one for each split.
        this.#events = scratch.integers(4 * vertexCount + 16);
        this.#stepSplitter = scratch.integers(vertexCount + 16);
        this.#stepTrace = scratch.integers(vertexCount + 16);
    }

    get isRecording(): boolean {
        return this.#mode === RECORD;
    }

    /** From now on, events are compared with the recorded ones from index `cursor` on. */
    compareFrom(cursor: number): void {
        this.#mode = COMPARE;
        this.cursor = cursor;
    }

    startSigning(): void {
        this.#mode = SIGN;
        this.signature = 0;
    }

    /** Whether the next recorded event is `event`. */
    isNext(event: number): boolean {
        return this.cursor < this.length && this.#events[this.cursor++] === event;
    }

    /** Records or hashes an event, or returns whether it is the recorded one. */
    record(event: number): boolean {
        if (this.#mode === COMPARE) {
            return this.isNext(event);
        }
        if (this.#mode === SIGN) {
            this.signature = mix(Math.imul(this.signature, COUNT_FACTOR) + event);
            return true;
        }
        if (this.length === this.#events.length) {
            this.#events = enlarged(this.#events);
        }
        this.#events[this.length++] = event;
        return true;
    }

    /** Records a step that split something by the cell at `splitter`. */
    recordStep(splitter: number, firstEvent: number, edgeCount: number): void {
        if (this.stepCount === this.#stepSplitter.length) {
            this.#stepSplitter = enlarged(this.#stepSplitter);
            this.#stepTrace = enlarged(this.#stepTrace);
        }
        this.#stepSplitter[this.stepCount] = splitter;
        this.#stepTrace[this.stepCount++] = firstEvent;
        this.stepEdges += edgeCount;
    }

    /** A copy of the recorded events. */
    recorded(): Int32Array {
        return this.#events.slice(0, this.length);
    }

    splitterOf(step: number): number {
        return this.#stepSplitter[step];
    }

    firstEventOf(step: number): number {
        return this.#stepTrace[step];
    }
}

/** A hash of a 32-bit integer: the finalizer of MurmurHash3 (Appleby, public domain), one round. */
export function mix(value: number): number {
    const product = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    return product ^ (product >>> 13);
}
