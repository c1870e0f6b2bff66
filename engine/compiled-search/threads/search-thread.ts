/**
 * The part of one thread in the rounds of a search (rounds.ts).
 *
 * A free thread takes the next block of states. The result does not depend on which thread that is: blocks are in the
 * order of their states, a new state belongs to its first entry, and new states of a block are in the order of its
 * entries.
 */
import { invariant } from '../../common/assert.js';
import { HEAD } from './compile-merge.js';
import { type CompiledInstance, instantiateIn } from '../compiled-instance.js';
import {
    clearOutbox,
    clearOutboxes,
    initializeThreadMemory,
    outboxEnd,
    outboxStart,
    ROUND_CLAIMS,
    sectionMap,
    type SectionMap,
    sectionOf,
    threadMemoryMap,
    type ThreadMemoryMap,
} from './thread-memory.js';
import { HEADER, type MemoryMap, SEQUENCE } from '../memory-map.js';
import { BLOCK, blockAt, CONTROL, MOST_BLOCKS, type Task } from './round-control.js';
import { SlotTable } from '../slot-table.js';
import type { WasmMemory } from '../../webassembly/host.js';

/** A thread takes no more blocks in a round after so many entries, new or not. */
const ROUND_ENTRIES = 1 << 17;

/** The data shared by the threads of a search; passed by structured clone. */
export interface SharedSearch {
    /** The compiled module. */
    readonly module: object;
    readonly map: MemoryMap;
    readonly control: Int32Array;
    /** Has the queue, and the seen set unless it is split. */
    readonly main: WasmMemory;
    /** One for each thread. */
    readonly threadMemories: readonly WasmMemory[];
    /** Empty if the seen set is never split. */
    readonly shards: readonly WasmMemory[];
    /** One more state than this is an event. */
    readonly maxStates: number;
}

/** The most parts of the seen set of a search. */
export function mostParts({ shards }: SharedSearch): number {
    return Math.max(1, shards.length);
}

export class SearchThread {
    readonly #shared: SharedSearch;
    readonly #number: number;
    readonly #map: MemoryMap;
    readonly #ownMap: ThreadMemoryMap;
    readonly #section: SectionMap;
    readonly #control: Int32Array;
    readonly #own: CompiledInstance;
    readonly #main: CompiledInstance;
    readonly #shards: (CompiledInstance | undefined)[];
    /** By shard: the end of its claims in this round. */
    readonly #claimsEnd: number[] = [];
    /** Moves the part of this thread of growing tables, a page in each step. */
    #growth: Iterator<void, void> | undefined;

    /** Initializes the thread memory of this number. */
    constructor(shared: SharedSearch, number: number, main?: CompiledInstance) {
        const { module, map, control, threadMemories, shards } = shared;
        const own = threadMemoryMap(map, mostParts(shared));
        invariant(own !== undefined, 'a search has threads only if their memories are not too large');
        this.#shared = shared;
        this.#number = number;
        this.#map = map;
        this.#ownMap = own;
        this.#section = sectionMap(map, own, mostParts(shared));
        this.#control = control;
        this.#main = main ?? instantiateIn(shared.main, module, map);
        this.#shards = shards.map(() => undefined);
        this.#own = instantiateIn(threadMemories[number], module, map);
        initializeThreadMemory(this.#own.heap.words, map, own);
    }

    /** The code of a shard, for this thread. */
    shard(index: number): CompiledInstance {
        return (this.#shards[index] ??= instantiateIn(this.#shared.shards[index], this.#shared.module, this.#map));
    }

    /** Does the rest of a task, or less if `isOver` holds: fewer blocks, and tables still have to grow. */
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

    /** Stores the states of the slots at an address of the main memory in the shards. */
    adopt(address: number, slots: number): void {
        const { keyLongs, key, batch, fullBatch, entryBytes } = this.#map;
        const source = this.#main.heap.words;
        const { words } = this.#own.heap;
        const shardCount = this.#shards.length;
        clearOutboxes(words, this.#ownMap, shardCount);
        let entry = batch / 4;
        // All entries may go to one shard.
        const end = Math.min(fullBatch, batch + this.#ownMap.outboxBytes) / 4;
        // Only the key of an entry matters, and that it is a state.
        words.fill(0, entry, end);
        const store = (): void => {
            words[HEADER.batchEnd / 4] = 4 * entry;
            this.#own.scatter(0);
            for (let shard = 0; shard < shardCount; shard++) {
                const { publish, heap } = this.#seenSet(shard);
                const claims = sectionOf(heap.words, this.#number, this.#section) + this.#section.claims;
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

    /** Whether it has to continue growing a table. */
    get isGrowing(): boolean {
        return this.#growth !== undefined;
    }

    get #isSplit(): boolean {
        return this.#control[CONTROL.isSplit] === 1;
    }

    /** The present number of parts of the seen set. */
    get #partCount(): number {
        return this.#isSplit ? this.#shards.length : 1;
    }

    /** The code of a part of the seen set. */
    #seenSet(part: number): CompiledInstance {
        return this.#isSplit ? this.shard(part) : this.#main;
    }

    /** Moves the part of this thread of each growing table; the leading thread may continue later. */
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
        const { expandBlock, heap } = this.#own;
        const control = this.#control;
        const partCount = this.#partCount;
        const first = control[CONTROL.first] >>> 0;
        const available = control[CONTROL.available] >>> 0;
        const blockStates = control[CONTROL.blockStates];
        const { words } = heap;
        clearOutboxes(words, this.#ownMap, partCount);
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
            this.#copyStates(from, count);
            words[HEADER.sequence / 4] = block << SEQUENCE.blockShift;
            words[HEADER.transitions / 4] = 0;
            words[HEADER.outside / 4] = 0;
            words[HEADER.enabled / 4] = 0;
            words[HEADER.takesAll / 4] = control[CONTROL.takesAll];
            words[HEADER.count / 4] = 0;
            control[record + BLOCK.thread] = this.#number;
            control[record + BLOCK.firstSpecial] = outboxEnd(words, this.#ownMap, partCount);
            const expanded = expandBlock(0, count, 1);
            invariant(expanded === count, 'a thread memory has room for a block');
            control[record + BLOCK.endSpecial] = outboxEnd(words, this.#ownMap, partCount);
            control[record + BLOCK.transitions] = words[HEADER.transitions / 4];
            control[record + BLOCK.outside] = words[HEADER.outside / 4];
            control[record + BLOCK.enabled] = words[HEADER.enabled / 4];
            for (let part = 0; part < partCount; part++) {
                control[record + BLOCK.claims + 2 * part] = this.#claimsEnd[part];
                this.#claimsEnd[part] = this.#send(part, this.#claimsEnd[part]);
                control[record + BLOCK.claims + 2 * part + 1] = this.#claimsEnd[part];
            }
            entries += words[HEADER.transitions / 4];
            Atomics.add(control, CONTROL.pulse, 1);
            if (entries >= ROUND_ENTRIES || !this.#hasRoom() || isOver()) {
                // Other threads would have to wait.
                Atomics.store(control, CONTROL.isEnough, 1);
            }
        } while (Atomics.load(control, CONTROL.isEnough) === 0);
    }

    /** Copies so many states from number `from` on to the thread memory. */
    #copyStates(from: number, count: number): void {
        const { states, longCount } = this.#map;
        const source = this.#main.heap.words;
        const stateWords = 2 * longCount;
        let target = this.#ownMap.states / 4;
        for (let next = from; next < from + count;) {
            const inPage = next % (1 << states.shift);
            const copied = Math.min(from + count - next, (1 << states.shift) - inPage);
            const start = source[states.directory / 4 + (next >>> states.shift)] / 4 + inPage * stateWords;
            this.#own.heap.words.set(source.subarray(start, start + copied * stateWords), target);
            target += copied * stateWords;
            next += copied;
        }
    }

    /** Whether this round has room for one more block. */
    #hasRoom(): boolean {
        const partCount = this.#partCount;
        const most = ROUND_CLAIMS * this.#map.entryBytes;
        let claimed = 0;
        for (let part = 0; part < partCount; part++) {
            claimed += this.#claimsEnd[part] - this.#claimsStart(part);
        }
        const { words } = this.#own.heap;
        const special = outboxEnd(words, this.#ownMap, partCount) - outboxStart(this.#ownMap, partCount);
        return claimed < most && special < most;
    }

    #claimsStart(part: number): number {
        return sectionOf(this.#seenSet(part).heap.words, this.#number, this.#section) + this.#section.claims;
    }

    /** Empties the outbox for a part; writes its claims from `end` on and returns their end. */
    #send(part: number, end: number): number {
        const { claim, heap } = this.#seenSet(part);
        const { words } = heap;
        const own = this.#own.heap.words;
        const section = sectionOf(words, this.#number, this.#section);
        const inbox = section + this.#section.inbox;
        const inboxBytes = this.#section.inboxEnd - this.#section.inbox;
        const outboxesEnd = outboxEnd(own, this.#ownMap, part);
        let claimsEnd = end;
        for (let from = outboxStart(this.#ownMap, part); from < outboxesEnd; from += inboxBytes) {
            const length = Math.min(inboxBytes, outboxesEnd - from);
            words.set(own.subarray(from / 4, (from + length) / 4), inbox / 4);
            claimsEnd = claim(inbox, inbox + length, section + this.#section.list, claimsEnd) >>> 0;
        }
        clearOutbox(own, this.#ownMap, part);
        return claimsEnd;
    }

    /** Calls `work` with each block of this thread in this round, and its record. */
    #forEachOwnBlock(work: (block: number, record: number) => void): void {
        const control = this.#control;
        for (let block = 0; block < control[CONTROL.blocks]; block++) {
            const record = blockAt(block, mostParts(this.#shared));
            if (control[record + BLOCK.thread] === this.#number) {
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
        const { merge, heap } = this.#main;
        const { words } = heap;
        const { maxStates } = this.#shared;
        const section = sectionOf(words, this.#number, this.#section);
        const heads = section + this.#section.heads;
        let events = section + this.#section.events;
        this.#forEachOwnBlock((block, record) => {
            const base = control[record + BLOCK.base] >>> 0;
            const first = (control[CONTROL.first] >>> 0) + block * control[CONTROL.blockStates];
            const most = Math.min(control[record + BLOCK.found], Math.max(0, maxStates - base));
            control[record + BLOCK.firstEvent] = events;
            const lists = this.#prepareLists(record, words, section);
            events = merge(heads, lists, first, base, most, events) >>> 0;
            control[record + BLOCK.endEvent] = events;
        });
    }

    /** Writes the heads of the lists of a block, and copies lists of other memories; returns their number. */
    #prepareLists(record: number, words: Uint32Array, section: number): number {
        const control = this.#control;
        const partCount = this.#partCount;
        let head = (section + this.#section.heads) / 4;
        let target = section + this.#section.lists;
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
        copy(this.#own.heap.words, control[record + BLOCK.firstSpecial], control[record + BLOCK.endSpecial]);
        return partCount + 1;
    }
}
