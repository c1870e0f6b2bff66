/**
 * The part of one thread in the rounds of a search; rounds.ts says what a round is.
 *
 * Blocks of states are taken by whoever is free. What comes out does not depend on it: blocks are numbered in the order of
 * their states, each new state belongs to the first entry that has it, and the new states of a block are put together in the
 * order of its entries. So all is as if there were one thread.
 */
import { invariant } from '../../common/assert.js';
import { type AreaMap, areaMap, areaOf } from './area.js';
import { HEAD } from './compile-merge.js';
import { type CompiledInstance, instantiateIn } from '../compiled-instance.js';
import {
    clearDesk,
    clearOutbox,
    deskMap,
    type DeskMap,
    furnish,
    outboxEnd,
    outboxStart,
    ROUND_CLAIMS,
} from './thread-memory.js';
import { HEADER, type MemoryMap, SEQUENCE } from '../memory-map.js';
import { MemoryView } from './memory-view.js';
import { BLOCK, blockAt, CONTROL, MOST_BLOCKS, type Task } from './round-control.js';
import { SlotTable } from '../slot-table.js';
import type { WasmMemory } from '../../webassembly/host.js';

/** A thread takes no more blocks in a round once it has made so many entries, new or not. */
const ROUND_ENTRIES = 1 << 17;

/** What the threads of a search have in common. Passes by structured clone where the memories are shared. */
export interface SharedSearch {
    /** The compiled module. */
    readonly module: object;
    readonly map: MemoryMap;
    readonly control: Int32Array;
    /** Has what is kept of each state by its number, and the seen set before it is split. */
    readonly tapes: WasmMemory;
    /** One for each thread. */
    readonly desks: readonly WasmMemory[];
    /** Empty where the seen set is never split. */
    readonly shards: readonly WasmMemory[];
    /** States more than this are an event. */
    readonly maxStates: number;
}

/** Into how many parts the seen set of a search is split at most. */
export function mostParts({ shards }: SharedSearch): number {
    return Math.max(1, shards.length);
}

export class SearchThread {
    readonly #shared: SharedSearch;
    readonly #number: number;
    readonly #map: MemoryMap;
    readonly #deskMap: DeskMap;
    readonly #area: AreaMap;
    readonly #control: Int32Array;
    readonly #desk: CompiledInstance;
    readonly #tapes: CompiledInstance;
    readonly #states: MemoryView;
    readonly #shards: (CompiledInstance | undefined)[];
    /** For each shard, where the claims of this round end. */
    readonly #claimsEnd: number[] = [];
    /** Moves this thread's part of tables that grow, a page with each step. */
    #growth: Iterator<void, void> | undefined;

    /** Makes the desk with this number ready, whose memory is new. */
    constructor(shared: SharedSearch, number: number, tapes?: CompiledInstance) {
        const { module, map, control, desks, shards } = shared;
        const desk = deskMap(map, mostParts(shared));
        invariant(desk !== undefined, 'a search is shared where desks are not too large');
        this.#shared = shared;
        this.#number = number;
        this.#map = map;
        this.#deskMap = desk;
        this.#area = areaMap(map, desk, mostParts(shared));
        this.#control = control;
        this.#tapes = tapes ?? instantiateIn(shared.tapes, module, map);
        this.#states = new MemoryView(shared.tapes);
        this.#shards = shards.map(() => undefined);
        this.#desk = instantiateIn(desks[number], module, map);
        furnish(this.#desk.heap.words, map, desk);
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
            case 'grow':
                this.#growTables(isOver);
                break;
            case 'expand':
                this.#expandBlocks(isOver);
                break;
            case 'publish':
                this.#publishBlocks();
                break;
            case 'merge':
                this.#mergeBlocks();
                break;
        }
    }

    /** Stores states of a table that is given up, in so many slots at an address of the memory of the tapes, in the shards. */
    adopt(address: number, slots: number): void {
        const { keyLongs, key, batch, fullBatch, entryBytes } = this.#map;
        const source = this.#states.words;
        const { words } = this.#desk.heap;
        const shardCount = this.#shards.length;
        clearDesk(words, this.#deskMap, shardCount);
        let entry = batch / 4;
        // All of them may be sent to one shard.
        const end = Math.min(fullBatch, batch + this.#deskMap.outboxBytes) / 4;
        // Besides its key nothing of an entry is asked for, but that it is a state.
        words.fill(0, entry, end);
        const store = (): void => {
            words[HEADER.batchEnd / 4] = 4 * entry;
            this.#desk.scatter(0);
            for (let shard = 0; shard < shardCount; shard++) {
                const { publish, heap } = this.#seenSet(shard);
                const claims = areaOf(heap.words, this.#number, this.#area) + this.#area.claims;
                const claimsEnd = this.#send(shard, claims);
                const stored = (publish(claims, claimsEnd) >>> 0) - claims;
                heap.words[HEADER.count / 4] += stored / entryBytes;
            }
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

    /** Whether it has left a table that is to grow. */
    get isGrowing(): boolean {
        return this.#growth !== undefined;
    }

    get #isSplit(): boolean {
        return this.#control[CONTROL.isSplit] === 1;
    }

    /** Into how many parts the seen set is split at present. */
    get #partCount(): number {
        return this.#isSplit ? this.#shards.length : 1;
    }

    /** The code of a part of the seen set. */
    #seenSet(part: number): CompiledInstance {
        return this.#isSplit ? this.shard(part) : this.#tapes;
    }

    /** Moves this thread's part of each table that grows. The leading thread comes back to what it has left. */
    #growTables(isOver: () => boolean): void {
        this.#growth ??= this.#moveParts();
        while (this.#growth.next().done !== true) {
            Atomics.add(this.#control, CONTROL.pulse, 1);
            if (isOver()) {
                return;
            }
        }
        this.#growth = undefined;
    }

    *#moveParts(): Generator<void, void> {
        for (let part = 0; part < this.#partCount; part++) {
            const table = new SlotTable(this.#seenSet(part), this.#map);
            if (table.isGrowing) {
                yield* table.movePart(this.#number, this.#control[CONTROL.threads]);
            }
        }
    }

    #expandBlocks(isOver: () => boolean): void {
        const { states: tape, longCount } = this.#map;
        const { states } = this.#deskMap;
        const { expandBlock, heap } = this.#desk;
        const control = this.#control;
        const partCount = this.#partCount;
        const first = control[CONTROL.first] >>> 0;
        const available = control[CONTROL.available] >>> 0;
        const blockStates = control[CONTROL.blockStates];
        const { words } = heap;
        clearDesk(words, this.#deskMap, partCount);
        for (let part = 0; part < partCount; part++) {
            this.#claimsEnd[part] = this.#claimsStart(part);
        }
        let entries = 0;
        do {
            const block = Atomics.add(control, CONTROL.next, 1);
            if (block >= MOST_BLOCKS || block * blockStates >= available) {
                return;
            }
            const record = blockAt(block, mostParts(this.#shared));
            const count = Math.min(blockStates, available - block * blockStates);
            const from = first + block * blockStates;
            this.#states.copyFrom(tape, 2 * longCount, from, words, states / 4, count);
            words[HEADER.sequence / 4] = block << SEQUENCE.blockShift;
            words[HEADER.transitions / 4] = 0;
            words[HEADER.count / 4] = 0;
            control[record + BLOCK.desk] = this.#number;
            control[record + BLOCK.firstSpecial] = outboxEnd(words, this.#deskMap, partCount);
            const expanded = expandBlock(0, count, 1);
            invariant(expanded === count, 'a desk has room for a block');
            control[record + BLOCK.endSpecial] = outboxEnd(words, this.#deskMap, partCount);
            control[record + BLOCK.transitions] = words[HEADER.transitions / 4];
            for (let part = 0; part < partCount; part++) {
                control[record + BLOCK.claims + 2 * part] = this.#claimsEnd[part];
                this.#claimsEnd[part] = this.#send(part, this.#claimsEnd[part]);
                control[record + BLOCK.claims + 2 * part + 1] = this.#claimsEnd[part];
            }
            entries += words[HEADER.transitions / 4];
            Atomics.add(control, CONTROL.pulse, 1);
            if (entries >= ROUND_ENTRIES || !this.#hasRoom() || isOver()) {
                // The others would have to be waited for.
                Atomics.store(control, CONTROL.isEnough, 1);
            }
        } while (Atomics.load(control, CONTROL.isEnough) === 0);
    }

    /** Whether one more block can be expanded in this round. */
    #hasRoom(): boolean {
        const partCount = this.#partCount;
        const most = ROUND_CLAIMS * this.#map.entryBytes;
        let claimed = 0;
        for (let part = 0; part < partCount; part++) {
            claimed += this.#claimsEnd[part] - this.#claimsStart(part);
        }
        const { words } = this.#desk.heap;
        const special = outboxEnd(words, this.#deskMap, partCount) - outboxStart(this.#deskMap, partCount);
        return claimed < most && special < most;
    }

    #claimsStart(part: number): number {
        return areaOf(this.#seenSet(part).heap.words, this.#number, this.#area) + this.#area.claims;
    }

    /** Empties the outbox for a part of the seen set; slots are claimed by what is put at `end`, the result is where that ends. */
    #send(part: number, end: number): number {
        const { claim, heap } = this.#seenSet(part);
        const { words } = heap;
        const desk = this.#desk.heap.words;
        const area = areaOf(words, this.#number, this.#area);
        const inbox = area + this.#area.inbox;
        const inboxBytes = this.#area.inboxEnd - this.#area.inbox;
        const outboxesEnd = outboxEnd(desk, this.#deskMap, part);
        let claimsEnd = end;
        for (let from = outboxStart(this.#deskMap, part); from < outboxesEnd; from += inboxBytes) {
            const length = Math.min(inboxBytes, outboxesEnd - from);
            words.set(desk.subarray(from / 4, (from + length) / 4), inbox / 4);
            claimsEnd = claim(inbox, inbox + length, area + this.#area.list, claimsEnd) >>> 0;
        }
        clearOutbox(desk, this.#deskMap, part);
        return claimsEnd;
    }

    /** Calls `work` with the number and the record of each block that this thread has expanded in this round. */
    #forEachOwnBlock(work: (block: number, record: number) => void): void {
        const control = this.#control;
        for (let block = 0; block < control[CONTROL.blocks]; block++) {
            const record = blockAt(block, mostParts(this.#shared));
            if (control[record + BLOCK.desk] === this.#number) {
                work(block, record);
                Atomics.add(control, CONTROL.pulse, 1);
            }
        }
    }

    #publishBlocks(): void {
        const control = this.#control;
        const { entryBytes } = this.#map;
        this.#forEachOwnBlock((_block, record) => {
            let found = 0;
            for (let part = 0; part < this.#partCount; part++) {
                const { publish, heap } = this.#seenSet(part);
                const claims = record + BLOCK.claims + 2 * part;
                const first = control[claims] >>> 0;
                const end = publish(first, control[claims + 1]) >>> 0;
                control[claims + 1] = end;
                const stored = (end - first) / entryBytes;
                found += stored;
                if (this.#isSplit) {
                    Atomics.add(heap.words, HEADER.count / 4, stored);
                }
            }
            control[record + BLOCK.found] = found;
        });
    }

    #mergeBlocks(): void {
        const control = this.#control;
        const { merge, heap } = this.#tapes;
        const { words } = heap;
        const { maxStates } = this.#shared;
        const area = areaOf(words, this.#number, this.#area);
        const heads = area + this.#area.heads;
        let events = area + this.#area.events;
        this.#forEachOwnBlock((block, record) => {
            const base = control[record + BLOCK.base] >>> 0;
            const first = (control[CONTROL.first] >>> 0) + block * control[CONTROL.blockStates];
            const most = Math.min(control[record + BLOCK.found], Math.max(0, maxStates - base));
            control[record + BLOCK.firstEvent] = events;
            const lists = this.#prepareLists(record, words, area);
            events = merge(heads, lists, first, base, most, events) >>> 0;
            control[record + BLOCK.endEvent] = events;
        });
    }

    /** Writes the heads of the lists of a block, which are copied where they are in another memory; how many there are. */
    #prepareLists(record: number, words: Uint32Array, area: number): number {
        const control = this.#control;
        const partCount = this.#partCount;
        let head = (area + this.#area.heads) / 4;
        let target = area + this.#area.lists;
        const put = (first: number, end: number): void => {
            words[head + HEAD.next / 4] = first;
            words[head + HEAD.end / 4] = end;
            head += HEAD.bytes / 4;
        };
        const copy = (source: Uint32Array, first: number, end: number): void => {
            words.set(source.subarray(first / 4, end / 4), target / 4);
            put(target, target + end - first);
            target += end - first;
        };
        for (let part = 0; part < partCount; part++) {
            const first = control[record + BLOCK.claims + 2 * part] >>> 0;
            const end = control[record + BLOCK.claims + 2 * part + 1] >>> 0;
            if (this.#isSplit) {
                copy(this.shard(part).heap.words, first, end);
            } else {
                put(first, end);
            }
        }
        copy(this.#desk.heap.words, control[record + BLOCK.firstSpecial], control[record + BLOCK.endSpecial]);
        return partCount + 1;
    }
}
