import type { Scratch } from './scratch.js';

/** The cells that will split others in a refinement: first the singletons, as a stack, then the others, as a queue. */
export class WaitingCells {
    /** `#isWaiting[s]` is 1 while the cell that starts at s waits. */
    readonly #isWaiting: Uint8Array;
    /** Starts of waiting cells that were singletons when they were added. The first `#singletonCount` entries count. */
    readonly #singletons: Int32Array;
    #singletonCount = 0;
    /** Starts of the other waiting cells: a circular queue with one entry for each vertex. */
    readonly #queue: Int32Array;
    #head = 0;
    #length = 0;

    constructor(vertexCount: number, scratch: Scratch) {
        this.#isWaiting = scratch.bytes(vertexCount);
        this.#singletons = scratch.integers(vertexCount);
        this.#queue = scratch.integers(vertexCount);
    }

    isEmpty(): boolean {
        return this.#singletonCount + this.#length === 0;
    }

    has(start: number): boolean {
        return this.#isWaiting[start] === 1;
    }

    add(start: number, isSingleton: boolean): void {
        if (this.#isWaiting[start] === 1) {
            return;
        }
        this.#isWaiting[start] = 1;
        if (isSingleton) {
            this.#singletons[this.#singletonCount++] = start;
            return;
        }
        const queue = this.#queue;
        let end = this.#head + this.#length++;
        if (end >= queue.length) {
            end -= queue.length;
        }
        queue[end] = start;
    }

    /** Removes and returns the next cell. */
    remove(): number {
        let start: number;
        if (this.#singletonCount > 0) {
            start = this.#singletons[--this.#singletonCount];
        } else {
            start = this.#queue[this.#head];
            this.#length--;
            if (++this.#head === this.#queue.length) {
                this.#head = 0;
            }
        }
        this.#isWaiting[start] = 0;
        return start;
    }

    clear(): void {
        while (!this.isEmpty()) {
            this.remove();
        }
    }
}
