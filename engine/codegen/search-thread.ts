/**
 * The part of one thread in the rounds of a search whose seen set is in shards; rounds.ts says what a round is.
 *
 * Blocks of states and shards are taken by whoever is free. What comes out does not depend on it: blocks are numbered in
 * the order of their states, each shard stores what comes from them in that order, and the new states of a block are put
 * together by the order of its entries. So the first of several entries of one state is stored, as if there were one thread.
 */
import { invariant } from '../common/assert.js';
import { type CompiledInstance, instantiateIn } from './compiled-instance.js';
import { clearDesk, deskMap, type DeskMap, furnish } from './desk.js';
import { Inbox } from './inbox.js';
import { HEADER, type MemoryMap } from './memory-map.js';
import { BLOCK, blockAt, CONTROL, MOST_BLOCKS, type Task } from './round-control.js';
import { MemoryView } from './memory-view.js';
import { SlotTable } from './slot-table.js';
import type { WasmMemory } from './webassembly.js';

/** What the threads of a search have in common. Passes by structured clone where the memories are shared. */
export interface SharedSearch {
    /** The compiled module. */
    readonly module: object;
    readonly map: MemoryMap;
    readonly control: Int32Array;
    /** Has what is kept of each state by its number. */
    readonly tapes: WasmMemory;
    /** One for each thread. */
    readonly desks: readonly WasmMemory[];
    readonly shards: readonly WasmMemory[];
    /** States more than this are an event. */
    readonly maxStates: number;
}

export class SearchThread {
    readonly #shared: SharedSearch;
    readonly #number: number;
    readonly #map: MemoryMap;
    readonly #deskMap: DeskMap;
    readonly #control: Int32Array;
    readonly #desk: CompiledInstance;
    readonly #shards: (CompiledInstance | undefined)[];
    readonly #tapes: MemoryView;
    readonly #desks: readonly Uint32Array[];

    /** Makes the desk with this number ready, whose memory is new. */
    constructor(shared: SharedSearch, number: number) {
        const { module, map, control, tapes, desks, shards } = shared;
        const desk = deskMap(map, shards.length);
        invariant(desk !== undefined, 'a search is shared where desks are not too large');
        this.#shared = shared;
        this.#number = number;
        this.#map = map;
        this.#deskMap = desk;
        this.#control = control;
        this.#tapes = new MemoryView(tapes);
        this.#desks = desks.map(({ buffer }) => new Uint32Array(buffer));
        this.#shards = shards.map(() => undefined);
        this.#desk = instantiateIn(desks[number], module, map);
        furnish(this.#desk.heap.words, map, desk, shards.length);
    }

    /** The code of a shard, for this thread. */
    shard(index: number): CompiledInstance {
        return (this.#shards[index] ??= instantiateIn(this.#shared.shards[index], this.#shared.module, this.#map));
    }

    /**
     * Does what is left to do of a task. `isOver` is asked now and then, and ends the work early: fewer blocks are then
     * expanded in the round, and tables of this thread may still have to grow.
     */
    work(task: Task, isOver: () => boolean): void {
        switch (task) {
            case 'expand':
                this.#expandBlocks(isOver);
                break;
            case 'grow':
                this.#growShards(isOver);
                break;
            case 'lookUp':
                this.#lookUpShards();
                break;
            case 'merge':
                this.#mergeBlocks();
                break;
        }
    }

    /** Stores states of a table that is given up, `count` slots at an address of the memory of the tapes. */
    adopt(address: number, slots: number): void {
        const { keyLongs, key, batch, entryBytes } = this.#map;
        const source = this.#tapes.words;
        const { words } = this.#desk.heap;
        const inboxes = this.#shards.map((_, shard) => this.#inboxOf(shard));
        clearDesk(words, this.#deskMap);
        let entry = batch / 4;
        const end = this.#map.fullBatch / 4;
        // Besides its key nothing of an entry is asked for, but that it is a state.
        words.fill(0, entry, end);
        const store = (): void => {
            words[HEADER.batchEnd / 4] = 4 * entry;
            this.#desk.scatter(0);
            inboxes.forEach((inbox, shard) => {
                inbox.add(words, ...this.#outbox(shard), () => undefined);
                inbox.settle();
            });
            clearDesk(words, this.#deskMap);
            entry = batch / 4;
        };
        for (let slot = address / 4; slot < address / 4 + 2 * keyLongs * slots; slot += 2 * keyLongs) {
            if (source[slot + 2 * keyLongs - 2] !== 0 || source[slot + 2 * keyLongs - 1] !== 0) {
                for (let word = 0; word < 2 * keyLongs; word++) {
                    words[entry + key / 4 + word] = source[slot + word];
                }
                entry += entryBytes / 4;
                if (entry === end) {
                    store();
                }
            }
        }
        store();
    }

    #expandBlocks(isOver: () => boolean): void {
        const { states: tape, longCount } = this.#map;
        const { blockStates, states, roundEntries } = this.#deskMap;
        const { expandBlock, heap } = this.#desk;
        const control = this.#control;
        const shardCount = this.#shards.length;
        const first = control[CONTROL.first] >>> 0;
        const available = control[CONTROL.available] >>> 0;
        const { words } = heap;
        clearDesk(words, this.#deskMap);
        do {
            const block = Atomics.add(control, CONTROL.next, 1);
            if (block >= MOST_BLOCKS || block * blockStates >= available) {
                return;
            }
            const record = blockAt(block, shardCount);
            const count = Math.min(blockStates, available - block * blockStates);
            const from = first + block * blockStates;
            this.#tapes.copyFrom(tape, 2 * longCount, from, words, states / 4, count);
            control[record + BLOCK.desk] = this.#number;
            control[record + BLOCK.firstEntry] = words[HEADER.sequence / 4];
            control[record + BLOCK.found] = 0;
            for (let shard = 0; shard < shardCount; shard++) {
                control[record + BLOCK.outboxes + 2 * shard] = this.#outboxEnd(shard);
            }
            words[HEADER.count / 4] = 0;
            const expanded = expandBlock(0, count, 1);
            invariant(expanded === count, 'a desk has room for a block');
            control[record + BLOCK.endEntry] = words[HEADER.sequence / 4];
            control[record + BLOCK.transitions] = words[HEADER.transitions / 4];
            words[HEADER.transitions / 4] = 0;
            for (let shard = 0; shard < shardCount; shard++) {
                control[record + BLOCK.outboxes + 2 * shard + 1] = this.#outboxEnd(shard);
            }
            Atomics.add(control, CONTROL.pulse, 1);
        } while (words[HEADER.sequence / 4] < roundEntries && this.#hasRoom() && !isOver());
    }

    #growShards(isOver: () => boolean): void {
        for (let shard = 0; shard < this.#shards.length; shard++) {
            // The leading thread comes back to a table that it has left.
            const table = this.#tableToGrow(shard);
            while (table !== undefined && !table.grow()) {
                Atomics.add(this.#control, CONTROL.pulse, 1);
                if (isOver()) {
                    return;
                }
            }
        }
    }

    /** The table of a shard that is this thread's to grow. */
    #tableToGrow(shard: number): SlotTable | undefined {
        const threads = this.#control[CONTROL.threads];
        return shard % threads === this.#number ? new SlotTable(this.shard(shard), this.#map) : undefined;
    }

    #lookUpShards(): void {
        const control = this.#control;
        const shardCount = this.#shards.length;
        for (;;) {
            const shard = Atomics.add(control, CONTROL.next, 1);
            if (shard >= shardCount) {
                return;
            }
            const inbox = this.#inboxOf(shard);
            for (let block = 0; block < control[CONTROL.blocks]; block++) {
                const record = blockAt(block, shardCount);
                const outbox = record + BLOCK.outboxes + 2 * shard;
                const desk = this.#desks[control[record + BLOCK.desk]];
                inbox.add(desk, control[outbox], control[outbox + 1], found => {
                    Atomics.add(control, record + BLOCK.found, found);
                });
                Atomics.add(control, CONTROL.pulse, 1);
            }
            inbox.settle();
        }
    }

    #inboxOf(shard: number): Inbox {
        return new Inbox(this.shard(shard), this.#map, this.#deskMap.outcomes);
    }

    #mergeBlocks(): void {
        const control = this.#control;
        const { maxStates } = this.#shared;
        const { heap, merge } = this.#desk;
        const { words } = heap;
        const bytes = new Uint8Array(words.buffer);
        const { blockStates, newStates, newSummands, newParents, events } = this.#deskMap;
        const { longCount, states, summands, summandBytes } = this.#map;
        const shardCount = this.#shards.length;
        words[HEADER.eventEnd / 4] = events;
        for (let block = 0; block < control[CONTROL.blocks]; block++) {
            const record = blockAt(block, shardCount);
            if (control[record + BLOCK.desk] !== this.#number) {
                continue;
            }
            const base = control[record + BLOCK.base] >>> 0;
            const found = control[record + BLOCK.found];
            const parentWords = Math.ceil((found + blockStates) / 32);
            words.fill(0, newParents / 4, newParents / 4 + parentWords);
            control[record + BLOCK.firstEvent] = words[HEADER.eventEnd / 4];
            const most = Math.min(found, Math.max(0, maxStates - base));
            const merged = merge(control[record + BLOCK.firstEntry], control[record + BLOCK.endEntry], most);
            invariant(merged === most, 'each state that a shard has found is new in its block');
            control[record + BLOCK.endEvent] = words[HEADER.eventEnd / 4];
            this.#tapes.copyTo(states, 2 * longCount, base, words, newStates / 4, merged);
            this.#tapes.copyBytesTo(summands, summandBytes, base, bytes, newSummands, merged);
            const first = (control[CONTROL.first] >>> 0) + block * blockStates;
            this.#tapes.setBits(this.#map.parents, base + first, words, newParents / 4, parentWords);
            Atomics.add(control, CONTROL.pulse, 1);
        }
        words[HEADER.eventEnd / 4] = this.#map.events;
    }

    #hasRoom(): boolean {
        const { outboxBytes, fullOutboxBytes, outboxes } = this.#deskMap;
        for (let shard = 0; shard < this.#shards.length; shard++) {
            if (this.#outboxEnd(shard) - outboxes - shard * outboxBytes >= fullOutboxBytes) {
                return false;
            }
        }
        return true;
    }

    #outboxEnd(shard: number): number {
        return this.#desk.heap.words[this.#deskMap.outboxEnds / 4 + shard];
    }

    /** The addresses of all entries for a shard. */
    #outbox(shard: number): [number, number] {
        return [this.#deskMap.outboxes + shard * this.#deskMap.outboxBytes, this.#outboxEnd(shard)];
    }
}
