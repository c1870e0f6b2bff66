/**
 * Entries on their way from the outboxes of desks into a shard: as many at once as it has room for, from whatever blocks
 * they come, so that what is done once for all of them costs little.
 */
import type { CompiledInstance } from './compiled-instance.js';
import type { MemoryMap } from './memory-map.js';

/** Entries of one outbox, which lie in the inbox from where the part before ends up to `end`. */
interface Part {
    readonly desk: Uint32Array;
    readonly end: number;
    /** What an address on the desk is more than in the inbox. */
    readonly shift: number;
    readonly tell: (found: number) => void;
}

export class Inbox {
    readonly #shard: CompiledInstance;
    readonly #map: MemoryMap;
    readonly #outcomes: number;
    #parts: Part[] = [];
    #end: number;

    /** `outcomes` is where they are on every desk. */
    constructor(shard: CompiledInstance, map: MemoryMap, outcomes: number) {
        this.#shard = shard;
        this.#map = map;
        this.#outcomes = outcomes / 4;
        this.#end = map.inbox;
    }

    /** Takes the entries at these addresses of a desk, and settles what it has whenever it is full. */
    add(desk: Uint32Array, from: number, end: number, tell: (found: number) => void): void {
        const { inboxEnd } = this.#map;
        const { words } = this.#shard.heap;
        for (let address = from; address < end;) {
            const length = Math.min(end - address, inboxEnd - this.#end);
            words.set(desk.subarray(address / 4, (address + length) / 4), this.#end / 4);
            const shift = address - this.#end;
            this.#end += length;
            address += length;
            this.#parts.push({ desk, end: this.#end, shift, tell });
            if (this.#end === inboxEnd) {
                this.settle();
            }
        }
    }

    /** Stores what is new, writes to each desk which of its entries were, and tells of each part how many. */
    settle(): void {
        const { words } = this.#shard.heap;
        let item = this.#map.inbox / 4;
        const itemsEnd = item + 2 * this.#shard.lookUp(this.#end);
        for (const { desk, end, shift, tell } of this.#parts) {
            const first = item;
            for (; item < itemsEnd && words[item + 1] < end; item += 2) {
                desk[this.#outcomes + words[item]] = words[item + 1] + shift;
            }
            tell((item - first) / 2);
        }
        this.#parts = [];
        this.#end = this.#map.inbox;
    }
}
