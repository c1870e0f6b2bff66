/**
 * What the threads of a search tell each other: numbers of 32 bits in shared memory, read and written by `Atomics`. The
 * thread that everything began with leads: it says what to do, takes part in it, and goes on once all have done their part.
 */

export const CONTROL = {
    /** Rises by one with each task. */
    task: 0,
    /** What to do: a TASK. */
    kind: 1,
    /** Threads besides the leading one that are done with the task. */
    done: 2,
    /** The next block or shard that nobody works on. */
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
    text: 16,
    /** Where the blocks begin. */
    records: 16 + 256,
} as const;

export const TASK = { expand: 1, grow: 2, lookUp: 3, merge: 4, end: 5 } as const;
export type Task = Exclude<keyof typeof TASK, 'end'>;

/** More blocks are not taken in a round. */
export const MOST_BLOCKS = 1 << 12;

/** Of a block: after these numbers come the addresses of its entries for each shard, the first one and the end. */
export const BLOCK = {
    desk: 0,
    /** Its entries, by number on its desk. */
    firstEntry: 1,
    endEntry: 2,
    transitions: 3,
    /** New states, and the number of the first one. */
    found: 4,
    base: 5,
    /** Addresses of its events. */
    firstEvent: 6,
    endEvent: 7,
    outboxes: 8,
} as const;

const MOST_TEXT = CONTROL.records - CONTROL.text;

function blockLength(shardCount: number): number {
    return BLOCK.outboxes + 2 * shardCount;
}

/** Where the numbers of a block begin. */
export function blockAt(block: number, shardCount: number): number {
    return CONTROL.records + block * blockLength(shardCount);
}

/** Shared where threads are to see it. */
export function createControl(shardCount: number, isShared: boolean): Int32Array {
    const bytes = 4 * blockAt(MOST_BLOCKS, shardCount);
    return new Int32Array(isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
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
