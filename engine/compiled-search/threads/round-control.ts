/**
 * What the threads of a search tell each other: numbers of 32 bits in shared memory, read and written by `Atomics`. The
 * thread that everything began with leads: it says what to do, takes part in it, and goes on once all have done their part.
 */
import { SEQUENCE } from '../memory-map.js';

export const CONTROL = {
    /** Rises by one with each task. */
    task: 0,
    /** What to do: a TASK. */
    kind: 1,
    /** Threads besides the leading one that are done with the task. */
    done: 2,
    /** The next block that nobody has taken. */
    next: 3,
    /** Threads that have begun. */
    ready: 4,
    /** 1 once a thread has failed; what it said begins at `text`, `textLength` numbers for as many characters. */
    failed: 5,
    textLength: 6,
    /** 1 when nobody waits for the result any more. */
    cancelled: 7,
    /** Rises while a thread works. */
    pulse: 8,
    /** Of the round: the first state to expand, and how many there are of them. */
    first: 9,
    available: 10,
    blocks: 11,
    /** How many threads take part in the task; where there is little to do the leading one does it alone. */
    threads: 12,
    /** States of a block. */
    blockStates: 13,
    /** 1 once no more blocks are to be taken in this round. */
    isEnough: 14,
    /** 1 where the seen set is in the shards, 0 where it is in the memory of the tapes. */
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
    desk: 0,
    transitions: 1,
    /** New states, and the number of the first one. */
    found: 2,
    base: 3,
    /** Addresses of its events, in the memory of the tapes. */
    firstEvent: 4,
    endEvent: 5,
    /** Addresses, on the desk, of what has no successor. */
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

/** Shared where threads are to see it. */
export function createControl(partCount: number, isShared: boolean): Int32Array {
    const bytes = 4 * blockAt(MOST_BLOCKS, partCount);
    return new Int32Array(isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
}

/** To sleep and to be woken takes longer than most waits between two tasks, above all on a virtual machine. */
const SPINS = 1 << 14;

/** Waits for a tenth of a millisecond or so, or until a number is another one; where it takes longer the caller should sleep. */
export function spinWhile(control: Int32Array, number: number, seen: number): void {
    for (let spin = 0; spin < SPINS && Atomics.load(control, number) === seen; spin++);
}

/** Lets the leading thread know that a task could not be done, and why. */
export function fail(control: Int32Array, reason: string): void {
    const text = [...reason].slice(0, MOST_TEXT).map(character => character.codePointAt(0) ?? 0);
    control.set(text, CONTROL.text);
    Atomics.store(control, CONTROL.textLength, text.length);
    Atomics.store(control, CONTROL.failed, 1);
    Atomics.notify(control, CONTROL.done);
}

/** Why a thread has failed; undefined while none has. */
export function failureOf(control: Int32Array): string | undefined {
    if (Atomics.load(control, CONTROL.failed) === 0) {
        return undefined;
    }
    const length = Atomics.load(control, CONTROL.textLength);
    return String.fromCodePoint(...control.subarray(CONTROL.text, CONTROL.text + length));
}
