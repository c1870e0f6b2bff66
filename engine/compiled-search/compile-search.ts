/**
 * The inner loops of a breadth-first search as WebAssembly, around the functions that expand one state.
 *
 *     expand(from, to, mayStore) → next    expands stored states into the batch, and reduces and stores full batches
 *     reduce()                             replaces the states of the batch by their representatives
 *     store()                              looks up and stores the batch
 *     move(directory, from, to)            moves slots of an old seen set into the present one
 *     expandBlock(from, to, mayScatter)    the same as `expand` on a desk: full batches are scattered (compile-shards.ts)
 *
 * The seen set is a hash table with linear probing, the states themselves in the slots. The hash, as a fraction, says where
 * to look, so a longer table keeps the order: moving goes from front to back in both, a page at a time, and the pages of
 * the old one are taken back meanwhile. Nothing comes after the last slot but a few pages for what has no place before.
 *
 * A state is looked for from the first slot of a bucket on, which is what the processor gets at once; the states of a bucket
 * are in its first slots.
 *
 * Looking up is mostly waiting for memory. A batch is therefore passed over several times: where states belong is written
 * down, then all buckets are touched, then what is there already is dropped, and the rest is compared and stored. The loads
 * of one pass do not depend on each other, so the processor waits for many at once. States are stored in the order in which
 * expansion meets them.
 */
import type { SequentialExpression } from '../sequential/sequential-model.js';
import type { CodeContext } from '../codegen/compile-expression.js';
import { compileConditions } from '../codegen/compile-conditions.js';
import type { RepresentativeFunction } from '../representative-code/compile-representative.js';
import { mergeFunction } from './threads/compile-merge.js';
import { compileShards } from './threads/compile-shards.js';
import { CURRENT, MOST_WORDS_PASSED, type FiringSink } from '../codegen/compile-summands.js';
import { SITE_BITS } from '../codegen/faults.js';
import { FunctionWriter, type Local } from '../webassembly/function-writer.js';
import { ENTRY, EVENT, FAULT_ENTRY, HEADER, STUCK_ENTRY, type MemoryMap } from './memory-map.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import {
    copyWords,
    dropStored,
    findEntry,
    forEachEntry,
    forEachItem,
    KEPT,
    leaveIfReplaced,
    load,
    markEntry,
    probe,
    pushBit,
    pushBitAddress,
    pushEvent,
    pushFirstPlace,
    pushHash,
    pushHashOfKey,
    pushInPage,
    pushIsRecent,
    pushIsSpecial,
    pushSlotAddress,
    pushStateAddress,
    storeSummand,
} from './slot-code.js';

/** Announces the functions that firings are given to. */
export function announceSink(longCount: number, module: ModuleWriter): FiringSink {
    const words = longCount <= MOST_WORDS_PASSED ? longCount : 0;
    return {
        emit: module.announce({
            parameters: [...Array.from({ length: words }, () => 'i64' as const), 'i32'],
            results: [],
        }),
        fault: module.announce({ parameters: ['i32', 'i32'], results: [] }),
    };
}

/** What a search does with states besides storing them. */
export interface StateWork {
    /** Of every state. */
    readonly invariants: readonly SequentialExpression[];
    /** Of every state without a firing. */
    readonly mayStop: readonly SequentialExpression[];
    /** Whether states are replaced by their representatives before they are stored. */
    readonly isReduced: boolean;
    /** What does that; absent where the engine does. */
    readonly representative?: RepresentativeFunction | undefined;
}

/** Functions (address of a state) → 1 where all that is checked holds; absent where nothing is. */
interface StateChecks {
    readonly invariants: number | undefined;
    readonly mayStop: number | undefined;
}

/** Defines the sink and the loops. `expanders` together visit the firings of the state at CURRENT. */
export function compileSearch(
    map: MemoryMap,
    sink: FiringSink,
    expanders: readonly number[],
    work: StateWork,
    context: CodeContext,
    module: ModuleWriter,
): void {
    module.define(sink.emit, emitFunction(map));
    module.define(sink.fault, faultFunction(map));
    const check = (checked: readonly SequentialExpression[]): number | undefined => {
        if (checked.length === 0) {
            return undefined;
        }
        const target = module.announce({ parameters: ['i32'], results: ['i32'] });
        module.define(target, compileConditions(checked, context));
        return target;
    };
    const checks = { invariants: check(work.invariants), mayStop: check(work.mayStop) };
    const { isReduced, representative } = work;
    const replaced = representative?.isSelfContained === true ? representative.target : undefined;
    const store = module.announce({ parameters: [], results: [] });
    module.define(store, storeFunction(map, isReduced, checks));
    module.export('store', store);
    const settling = [store];
    if (isReduced) {
        const reduce = module.announce({ parameters: [], results: [] });
        module.define(reduce, reduceFunction(map, representative));
        module.export('reduce', reduce);
        settling.unshift(reduce);
    }
    const expand = module.announce({ parameters: ['i32', 'i32', 'i32'], results: ['i32'] });
    module.define(expand, expandFunction(map, expanders, settling));
    module.export('expand', expand);
    const scatter = compileShards(map, replaced, checks.mayStop, module);
    const merge = module.announce({ parameters: Array.from({ length: 6 }, () => 'i32' as const), results: ['i32'] });
    module.define(merge, mergeFunction(map, checks.invariants));
    module.export('merge', merge);
    const expandBlock = module.announce({ parameters: ['i32', 'i32', 'i32'], results: ['i32'] });
    module.define(expandBlock, expandFunction(map, expanders, [scatter]));
    module.export('expandBlock', expandBlock);
    const move = module.announce({ parameters: ['i32', 'i32', 'i32'], results: [] });
    module.define(move, moveFunction(map));
    module.export('move', move);
    const visit = module.announce({ parameters: [], results: [] });
    const visitFunction = new FunctionWriter();
    for (const expander of expanders) {
        visitFunction.call(expander);
    }
    module.define(visit, visitFunction);
    module.export('visit', visit);
}

/** Appends an entry for a successor. */
function emitFunction({ longCount, entryBytes, fired }: MemoryMap): FunctionWriter {
    const passes = longCount <= MOST_WORDS_PASSED;
    const f = new FunctionWriter([...Array.from({ length: passes ? longCount : 0 }, () => 'i64' as const), 'i32']);
    const entry = f.acquire('i32');
    load(f, HEADER.batchEnd).set(entry);
    for (let word = 0; word < longCount; word++) {
        f.get(entry);
        if (passes) {
            f.get(f.parameter(word));
        } else {
            f.i32(0).memory('i64_load', CURRENT + 8 * word);
        }
        f.memory('i64_store', 8 * word);
    }
    f.get(entry)
        .get(f.parameter(passes ? longCount : 0))
        .memory('i32_store', 8 * longCount + ENTRY.summand);
    f.get(f.parameter(passes ? longCount : 0))
        .i32(1)
        .memory('i32_store8', fired);
    f.get(entry);
    load(f, HEADER.parent).memory('i32_store', 8 * longCount + ENTRY.parent);
    f.i32(0).get(entry).i32(entryBytes).op('i32_add').memory('i32_store', HEADER.batchEnd);
    return f;
}

/** Appends an entry for a fault: the state in place of the first word, the site in place of the hash. */
function faultFunction(map: MemoryMap): FunctionWriter {
    const f = new FunctionWriter(['i32', 'i32']);
    const entry = f.acquire('i32');
    load(f, HEADER.batchEnd).set(entry);
    const tail = 8 * map.longCount;
    f.get(entry)
        .get(f.parameter(0))
        .memory('i32_store', tail + ENTRY.summand);
    f.get(f.parameter(0)).i32(1).memory('i32_store8', map.fired);
    f.get(entry)
        .get(f.parameter(1))
        .memory('i32_store', tail + ENTRY.hash);
    appendSpecial(f, map, entry, FAULT_ENTRY);
    return f;
}

function appendSpecial(f: FunctionWriter, { longCount, entryBytes }: MemoryMap, entry: Local, kind: number): void {
    f.get(entry);
    load(f, HEADER.parent).memory('i32_store', 0);
    f.get(entry)
        .i32(kind)
        .memory('i32_store', 8 * longCount + ENTRY.parent);
    f.i32(0).get(entry).i32(entryBytes).op('i32_add').memory('i32_store', HEADER.batchEnd);
}

/** What settles full batches is called with them, where the caller lets it. */
function expandFunction(map: MemoryMap, expanders: readonly number[], settling: readonly number[]): FunctionWriter {
    const f = new FunctionWriter(['i32', 'i32', 'i32']);
    const next = f.parameter(0);
    const end = f.parameter(1);
    const mayStore = f.parameter(2);
    const address = f.acquire('i32');
    const before = f.acquire('i32');
    const done = f.block();
    const again = f.loop();
    f.get(next).get(end).op('i32_eq').brIf(done);
    load(f, HEADER.count);
    load(f, HEADER.room).op('i32_gt_u').brIf(done);
    load(f, HEADER.eventEnd).i32(map.fullEvents).op('i32_ge_u').brIf(done);
    pushStateAddress(f, map, next);
    f.set(address);
    for (let word = 0; word < map.longCount; word++) {
        f.i32(0)
            .get(address)
            .memory('i64_load', 8 * word)
            .memory('i64_store', CURRENT + 8 * word);
    }
    f.i32(0).get(next).memory('i32_store', HEADER.parent);
    load(f, HEADER.batchEnd).set(before);
    for (const expander of expanders) {
        f.call(expander);
    }
    load(f, HEADER.batchEnd).get(before).op('i32_eq').if();
    appendSpecial(f, map, before, STUCK_ENTRY);
    f.end();
    f.get(next).i32(1).op('i32_add').set(next);
    load(f, HEADER.batchEnd).i32(map.fullBatch).op('i32_lt_u').brIf(again);
    f.get(mayStore).op('i32_eqz').brIf(done);
    settling.forEach(target => f.call(target));
    load(f, HEADER.isStopped).op('i32_eqz').brIf(again);
    f.end().end();
    f.get(mayStore).if();
    settling.forEach(target => f.call(target));
    f.end();
    f.get(next);
    return f;
}

/**
 * Replaces the states of the batch, but for those whose representative is known to be stored; says in place of the hash which
 * ones it has left.
 *
 * This is not part of the pass that touches slots: representatives take so long that the processor would not wait for two
 * slots at once.
 */
function reduceFunction(map: MemoryMap, representative: RepresentativeFunction | undefined): FunctionWriter {
    const f = new FunctionWriter();
    const tail = 8 * map.longCount;
    const entry = f.acquire('i32');
    const hash = f.acquire('i32');
    const mixed = f.acquire('i64');
    forEachEntry(f, map, entry, () => {
        const settled = f.block();
        pushIsSpecial(f, map, entry);
        f.brIf(settled);
        markEntry(f, map, entry);
        f.get(entry)
            .i32(0)
            .memory('i32_store', tail + ENTRY.slot);
        f.get(entry)
            .i32(0)
            .memory('i32_store', tail + ENTRY.hash);
        leaveIfReplaced(f, map, { entry, hash, mixed }, settled);
        f.get(entry)
            .i32(1)
            .memory('i32_store', tail + ENTRY.slot);
        f.get(entry);
        if (representative === undefined) {
            f.i32(1);
        } else {
            f.get(entry).call(representative.target);
        }
        f.memory('i32_store', tail + ENTRY.hash).end();
    });
    return f;
}

/** Where states are replaced by their representatives, that has been done. */
function storeFunction(map: MemoryMap, isReduced: boolean, { invariants, mayStop }: StateChecks): FunctionWriter {
    const { longCount, batch, entryBytes } = map;
    const f = new FunctionWriter();
    const tail = 8 * longCount;
    const entry = f.acquire('i32');
    const hash = f.acquire('i32');
    const place = f.acquire('i32');
    const slot = f.acquire('i32');
    const list = f.acquire('i32');
    const end = f.acquire('i32');
    const mixed = f.acquire('i64');

    // First pass: mark and hash all, list those that were not looked up lately.
    f.i32(map.list).tee(list).set(end);
    forEachEntry(f, map, entry, () => {
        const settled = f.block();
        pushIsSpecial(f, map, entry);
        f.if();
        f.get(entry)
            .i32(0)
            .memory('i32_store', tail + ENTRY.slot);
        f.get(end).get(entry).i32(KEPT).op('i32_or').memory('i32_store');
        f.get(end).i32(4).op('i32_add').set(end).br(settled).end();
        if (isReduced) {
            f.get(entry)
                .memory('i32_load', tail + ENTRY.slot)
                .op('i32_eqz')
                .brIf(settled);
        }
        // What comes from the canonicalizer has no mark.
        markEntry(f, map, entry);
        pushHash(f, map, entry, mixed);
        f.set(hash);
        f.get(entry)
            .get(hash)
            .memory('i32_store', tail + ENTRY.hash);
        pushFirstPlace(f, map, hash);
        f.set(place);
        f.get(entry);
        pushSlotAddress(f, map, place);
        f.memory('i32_store', tail + ENTRY.slot);
        f.get(end).get(entry).memory('i32_store');
        f.get(end);
        pushIsRecent(f, map, { entry, hash });
        f.op('i32_eqz').i32(2).op('i32_shl', 'i32_add').set(end).end();
    });

    // Then what is in their buckets settles the matter for most.
    dropStored(f, map, { list, end }, ENTRY.slot);

    // Last pass: compare and store.
    const index = f.acquire('i32');
    const counted = f.acquire('i32');
    const uncounted = f.acquire('i32');
    const address = f.acquire('i32');
    const parent = f.acquire('i32');
    const position = f.acquire('i32');
    const item = f.acquire('i32');
    const found = f.acquire('i64');
    /** Sets `counted` to the firings before `offset` bytes after the entry; initial states, one beside the other, are none. */
    const countBefore = (offset: number): void => {
        load(f, HEADER.transitions);
        f.get(entry)
            .i32(batch - offset)
            .op('i32_sub')
            .i32(entryBytes)
            .op('i32_div_s')
            .get(uncounted)
            .op('i32_sub');
        f.i32(batch)
            .memory('i32_load', tail + ENTRY.parent)
            .i32(-1)
            .op('i32_ne', 'i32_mul', 'i32_add')
            .set(counted);
    };
    f.i32(0).set(uncounted);
    const stopped = f.block();
    forEachItem(f, { entry, item, list, end }, () => {
        const settled = f.block();
        f.get(item).memory('i32_load').i32(KEPT).op('i32_and').if();
        f.get(entry).memory('i32_load', 0).set(index);
        const isFault = f.block();
        f.get(entry)
            .memory('i32_load', tail + ENTRY.parent)
            .i32(FAULT_ENTRY)
            .op('i32_eq')
            .brIf(isFault);
        f.get(uncounted).i32(1).op('i32_add').set(uncounted);
        if (mayStop !== undefined) {
            pushStateAddress(f, map, index);
            f.call(mayStop).brIf(settled);
            countBefore(entryBytes);
            pushEvent(f, EVENT.stuck, index, index, counted);
        }
        f.br(settled).end();
        // A fault is an event the first time.
        f.get(entry)
            .memory('i32_load', tail + ENTRY.hash)
            .i32((1 << SITE_BITS) - 1)
            .op('i32_and')
            .set(position);
        f.get(position).memory('i32_load8_u', map.flags).brIf(settled);
        f.get(position).i32(1).memory('i32_store8', map.flags);
        countBefore(entryBytes);
        pushEvent(f, EVENT.fault, position, index, counted);
        f.br(settled).end();

        f.get(entry)
            .memory('i32_load', tail + ENTRY.slot)
            .set(place);
        pushSlotAddress(f, map, place);
        f.set(slot);
        findEntry(f, map, { entry, place, slot, found }, settled);

        // It is new.
        load(f, HEADER.count).tee(index);
        load(f, HEADER.maxStates).op('i32_ge_u').if();
        countBefore(entryBytes);
        pushEvent(f, EVENT.limit, index, index, counted);
        f.i32(0).i32(1).memory('i32_store', HEADER.isStopped).br(stopped).end();
        pushStateAddress(f, map, index);
        f.set(address);
        copyWords(f, map.keyLongs, entry, slot, map.key);
        copyWords(f, longCount, entry, address);
        storeSummand(f, map, index, () => f.get(entry).memory('i32_load', tail + ENTRY.summand));
        f.get(entry)
            .memory('i32_load', tail + ENTRY.parent)
            .set(parent);
        setParentBit(f, map, index, parent, position);
        f.i32(0).get(index).i32(1).op('i32_add').memory('i32_store', HEADER.count);
        if (invariants !== undefined) {
            f.get(address).call(invariants).brIf(settled);
            countBefore(entryBytes);
            pushEvent(f, EVENT.violated, index, index, counted);
        }
        f.end();
    });
    load(f, HEADER.batchEnd).set(entry);
    countBefore(0);
    f.end();
    f.i32(0).get(counted).memory('i32_store', HEADER.transitions);
    f.i32(0).i32(batch).memory('i32_store', HEADER.batchEnd);
    return f;
}

/** Moves the slots from one address to another into the present tables, where nothing equals them. */
function moveFunction(map: MemoryMap): FunctionWriter {
    const { keyLongs } = map;
    const f = new FunctionWriter(['i32', 'i32', 'i32']);
    const directory = f.parameter(0);
    const from = f.parameter(1);
    const end = f.parameter(2);
    const old = f.acquire('i32');
    const hash = f.acquire('i32');
    const place = f.acquire('i32');
    const slot = f.acquire('i32');
    const mixed = f.acquire('i64');
    const done = f.block();
    const again = f.loop();
    f.get(from).get(end).op('i32_eq').brIf(done);
    const free = f.block();
    pushInPage(f, map, directory, from);
    f.set(old);
    f.get(old)
        .memory('i64_load', 8 * keyLongs - 8)
        .op('i64_eqz')
        .brIf(free);
    pushHashOfKey(f, map, old, mixed);
    f.set(hash);
    pushFirstPlace(f, map, hash);
    f.set(place);
    pushSlotAddress(f, map, place);
    f.set(slot);
    probe(f, map, place, slot, empty => {
        f.get(slot)
            .memory('i64_load', 8 * keyLongs - 8)
            .op('i64_eqz')
            .brIf(empty);
    });
    copyWords(f, keyLongs, old, slot);
    f.end();
    f.get(from).i32(1).op('i32_add').set(from).br(again).end().end();
    return f;
}

/** Sets bit number `index + parent`; an initial state has parent 0 here. */
function setParentBit(f: FunctionWriter, { parents }: MemoryMap, index: Local, parent: Local, position: Local): void {
    const byte = f.acquire('i32');
    f.get(index).get(parent).i32(0).get(parent).i32(-1).op('i32_ne', 'select', 'i32_add').set(position);
    pushBitAddress(f, parents, position);
    f.tee(byte).get(byte).memory('i32_load8_u');
    pushBit(f, position);
    f.op('i32_or').memory('i32_store8');
    f.release(byte);
}
