/**
 * The control of the threads of a search: 32-bit numbers in shared memory, read and written by `Atomics`. The leading thread
 * sets the task, takes part in it, and goes on once all have done their part.
 */
import { SEQUENCE } from '../memory-map.js';

export const CONTROL = {
    /** Rises by one with each task. */
    task: 0,
    /** What to do: a TASK. */
    kind: 1,
    /** Threads besides the leading one that are done with the task. */
    done: 2,
    /** The next block to take. */
    next: 3,
    /** Threads that have begun. */
    ready: 4,
    /** 1 once a thread has failed; its message begins at `text`, `textLength` numbers for as many characters. */
    failed: 5,
    textLength: 6,
    /** 1 once the result is not wanted any more. */
    cancelled: 7,
    /** Rises while a thread works. */
    pulse: 8,
    /** Of the round: the first state to expand, and how many there are of them. */
    first: 9,
    available: 10,
    blocks: 11,
    /** The threads that take part in the task; the leading one is alone if there is little to do. */
    threads: 12,
    /** States of a block. */
    blockStates: 13,
    /** 1 once no more blocks are to be taken in this round. */
    isEnough: 14,
    /** 1 if the seen set is in the shards, 0 if it is in the main memory. */
    isSplit: 15,
    text: 16,
    /** Where the blocks begin. */
    records: 16 + 256,
} as const;

export const TASK = { grow: 1, expand: 2, publish: 3, merge: 4, end: 5 } as const;
export type Task = Exclude<keyof typeof TASK, 'end'>;

/** More blocks are not taken in a round. */
export const MOST_BLOCKS = 1 << (32 - SEQUENCE.blockShift);

/**
 * Of a block. Behind these numbers are those of its claims for each shard, the address of the first one and their end: as
 * they were made, and once they are published of those that are left.
 */
export const BLOCK = {
    /** The number of the thread that has expanded it. */
    thread: 0,
    transitions: 1,
    /** New states, and the number of the first one. */
    found: 2,
    base: 3,
    /** Addresses of its events, in the main memory. */
    firstEvent: 4,
    endEvent: 5,
    /** Addresses in the thread memory of entries without a successor. */
    firstSpecial: 6,
    endSpecial: 7,
    claims: 8,
} as const;

const MOST_TEXT = CONTROL.records - CONTROL.text;

function blockLength(partCount: number): number {
    return BLOCK.claims + 2 * partCount;
}

/** Where the numbers of a block begin. */
export function blockAt(block: number, partCount: number): number {
    return CONTROL.records + block * blockLength(partCount);
}

/** Shared if there are other threads. */
export function createControl(partCount: number, isShared: boolean): Int32Array {
    const bytes = 4 * blockAt(MOST_BLOCKS, partCount);
    return new Int32Array(isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
}

/** Most waits between two tasks are shorter than going to sleep and being woken, above all on a virtual machine. */
const SPINS = 1 << 14;

/** Waits for about a tenth of a millisecond, or until a number changes; if it takes longer the caller should sleep. */
export function spinWhile(control: Int32Array, number: number, seen: number): void {
    for (let spin = 0; spin < SPINS && Atomics.load(control, number) === seen; spin++);
}

/** Tells the leading thread why a task could not be done. */
export function fail(control: Int32Array, reason: string): void {
    const text = [...reason].slice(0, MOST_TEXT).map(character => character.codePointAt(0) ?? 0);
    control.set(text, CONTROL.text);
    Atomics.store(control, CONTROL.textLength, text.length);
    Atomics.store(control, CONTROL.failed, 1);
    Atomics.notify(control, CONTROL.done);
}

/** The reason why a thread has failed; undefined while none has. */
export function failureOf(control: Int32Array): string | undefined {
    if (Atomics.load(control, CONTROL.failed) === 0) {
        return undefined;
    }
    const length = Atomics.load(control, CONTROL.textLength);
    return String.fromCodePoint(...control.subarray(CONTROL.text, CONTROL.text + length));
}
