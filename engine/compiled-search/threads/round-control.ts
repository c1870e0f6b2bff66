/**
 * The control of the threads of a search: 32-bit numbers in shared memory, used by `Atomics`. The leading thread sets a
 * task, takes part in it, and continues when all are done.
 */
import { SEQUENCE } from '../memory-map.js';

export const CONTROL = {
    /** Rises by one with each task. */
    task: 0,
    /** The present TASK. */
    kind: 1,
    /** The other threads that are done with the task. */
    done: 2,
    /** The next block to take. */
    next: 3,
    /** Threads that have begun. */
    ready: 4,
    /** 1 after a failure of a thread; its message has `textLength` characters from `text` on. */
    failed: 5,
    textLength: 6,
    /** 1 if the result is no longer wanted. */
    cancelled: 7,
    /** Rises while a thread works. */
    pulse: 8,
    /** Of the round: the first state to expand, and the number of states. */
    first: 9,
    available: 10,
    blocks: 11,
    /** The threads in the task; only the leading one if there is little to do. */
    threads: 12,
    /** States of a block. */
    blockStates: 13,
    /** 1 if no more blocks are to be taken in this round. */
    isEnough: 14,
    /** 1 if the seen set is in shards, 0 if in the main memory. */
    isSplit: 15,
    /** As in the header of the main memory. */
    takesAll: 16,
    text: 17,
    /** The start of the blocks. */
    records: 17 + 256,
} as const;

export const TASK = { grow: 1, expand: 2, publish: 3, merge: 4, end: 5 } as const;
export type Task = Exclude<keyof typeof TASK, 'end'>;

/** The most blocks of a round. */
export const MOST_BLOCKS = 1 << (32 - SEQUENCE.blockShift);

/** Of a block. Then for each shard the first of its claims and their end, after publication of the remaining ones. */
export const BLOCK = {
    /** The number of its thread. */
    thread: 0,
    transitions: 1,
    /** The number of new states, and the number of the first one. */
    found: 2,
    base: 3,
    /** Addresses of its events in the main memory. */
    firstEvent: 4,
    endEvent: 5,
    /** Addresses of its entries without a successor in the thread memory. */
    firstSpecial: 6,
    endSpecial: 7,
    /** Firings that the constraint cut off. */
    outside: 8,
    /** Firings that were possible, if only some of them are taken. */
    enabled: 9,
    claims: 10,
} as const;

const MOST_TEXT = CONTROL.records - CONTROL.text;

function blockLength(partCount: number): number {
    return BLOCK.claims + 2 * partCount;
}

/** The start of a block. */
export function blockAt(block: number, partCount: number): number {
    return CONTROL.records + block * blockLength(partCount);
}

/** Shared if there are other threads. */
export function createControl(partCount: number, isShared: boolean): Int32Array {
    const bytes = 4 * blockAt(MOST_BLOCKS, partCount);
    return new Int32Array(isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
}

/** Most waits between tasks are shorter than sleeping and waking up, above all on a virtual machine. */
const SPINS = 1 << 14;

/** Waits until a number changes, at most about a tenth of a millisecond; then the caller should sleep. */
export function spinWhile(control: Int32Array, number: number, seen: number): void {
    for (let spin = 0; spin < SPINS && Atomics.load(control, number) === seen; spin++);
}

/** Tells the leading thread the reason of a failure. */
export function fail(control: Int32Array, reason: string): void {
    const text = [...reason].slice(0, MOST_TEXT).map(character => character.codePointAt(0) ?? 0);
    control.set(text, CONTROL.text);
    Atomics.store(control, CONTROL.textLength, text.length);
    Atomics.store(control, CONTROL.failed, 1);
    Atomics.notify(control, CONTROL.done);
}

/** The reason of a failure of a thread; undefined if none has failed. */
export function failureOf(control: Int32Array): string | undefined {
    if (Atomics.load(control, CONTROL.failed) === 0) {
        return undefined;
    }
    const length = Atomics.load(control, CONTROL.textLength);
    return String.fromCodePoint(...control.subarray(CONTROL.text, CONTROL.text + length));
}
