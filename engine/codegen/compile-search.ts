/**
 * The inner loops of a breadth-first search as WebAssembly, around the functions that expand one state.
 *
 *     expand(from, to, mayStore) → next    expands stored states into the batch, and stores full batches
 *     store()                              looks up and stores the batch
 *     move(table, from, to)                moves slots of an old table into the present one
 *
 * The seen set is a hash table with linear probing over an arena. A slot of 64 bits has the hash of a state above and its
 * number plus one below, 0 for an empty slot. The upper bits of the hash say where to look, so a larger table keeps the
 * order and moving reads and writes memory from front to back.
 *
 * Looking up is mostly waiting for memory. A batch therefore is passed over three times: first all slots are touched, then
 * all states in the arena that look alike, then the states are compared and stored. The loads of one pass do not depend
 * on each other, so the processor waits for many at once. States are stored in the order in which expansion meets them.
 */
import type { SequentialExpression } from '../sequential/sequential-model.js';
import type { CodeContext } from './compile-expression.js';
import { compileConditions } from './compile-conditions.js';
import { CURRENT, MOST_WORDS_PASSED, type FiringSink } from './compile-summands.js';
import { SITE_BITS } from './faults.js';
import { FunctionWriter, type Local } from './function-writer.js';
import { EVENT, EVENT_BYTES, FAULT_ENTRY, HEADER, STUCK_ENTRY, type MemoryMap } from './memory-map.js';
import type { ModuleWriter } from './module-writer.js';

/** Odd, without a pattern: the fractional part of the golden ratio, and a constant of the finalizer of MurmurHash3. */
const FIRST_FACTOR = 0x9e3779b97f4a7c15n;
const SECOND_FACTOR = 0xff51afd7ed558ccdn;

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

export interface CheckedConditions {
    /** Of every state. */
    readonly invariants: readonly SequentialExpression[];
    /** Of every state without a firing. */
    readonly mayStop: readonly SequentialExpression[];
}

/** Defines the sink and the loops. `expanders` together visit the firings of the state at CURRENT. */
export function compileSearch(
    map: MemoryMap,
    sink: FiringSink,
    expanders: readonly number[],
    conditions: CheckedConditions,
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
    const store = module.announce({ parameters: [], results: [] });
    module.define(store, storeFunction(map, check(conditions.invariants), check(conditions.mayStop)));
    module.export('store', store);
    const expand = module.announce({ parameters: ['i32', 'i32', 'i32'], results: ['i32'] });
    module.define(expand, expandFunction(map, expanders, store));
    module.export('expand', expand);
    const move = module.announce({ parameters: ['i32', 'i32', 'i32'], results: [] });
    module.define(move, moveFunction());
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
function emitFunction({ longCount, entryBytes }: MemoryMap): FunctionWriter {
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
        .memory('i32_store', 8 * longCount);
    f.get(entry);
    load(f, HEADER.parent).memory('i32_store', 8 * longCount + 4);
    f.i32(0).get(entry).i32(entryBytes).op('i32_add').memory('i32_store', HEADER.batchEnd);
    return f;
}

/** Appends an entry for a fault: the state and the summand in place of the first word, the site in place of the hash. */
function faultFunction(map: MemoryMap): FunctionWriter {
    const f = new FunctionWriter(['i32', 'i32']);
    const entry = f.acquire('i32');
    load(f, HEADER.batchEnd).set(entry);
    f.get(entry).get(f.parameter(0)).memory('i32_store', 4);
    f.get(entry)
        .get(f.parameter(1))
        .memory('i32_store', 8 * map.longCount);
    appendSpecial(f, map, entry, FAULT_ENTRY);
    return f;
}

function appendSpecial(f: FunctionWriter, { longCount, entryBytes }: MemoryMap, entry: Local, kind: number): void {
    f.get(entry);
    load(f, HEADER.parent).memory('i32_store', 0);
    f.get(entry)
        .i32(kind)
        .memory('i32_store', 8 * longCount + 4);
    f.i32(0).get(entry).i32(entryBytes).op('i32_add').memory('i32_store', HEADER.batchEnd);
}

function expandFunction(map: MemoryMap, expanders: readonly number[], store: number): FunctionWriter {
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
    f.call(store);
    load(f, HEADER.isStopped).op('i32_eqz').brIf(again);
    f.end().end();
    f.get(mayStore).if();
    f.call(store).end();
    f.get(next);
    return f;
}

function storeFunction(map: MemoryMap, invariants: number | undefined, mayStop: number | undefined): FunctionWriter {
    const { longCount, entryBytes, batch } = map;
    const f = new FunctionWriter();
    const hashOffset = 8 * longCount;
    const parentOffset = hashOffset + 4;
    const entry = f.acquire('i32');
    const end = f.acquire('i32');
    const table = f.acquire('i32');
    const shift = f.acquire('i32');
    const mask = f.acquire('i32');
    const hash = f.acquire('i32');
    const place = f.acquire('i32');
    const address = f.acquire('i32');
    const slot = f.acquire('i64');
    const touched = f.acquire('i64');
    const mixed = f.acquire('i64');
    load(f, HEADER.batchEnd).set(end);
    load(f, HEADER.table).set(table);
    load(f, HEADER.tableShift).set(shift);
    load(f, HEADER.tableMask).set(mask);

    const forEachEntry = (work: () => void): void => {
        f.i32(batch).set(entry);
        const done = f.block();
        const again = f.loop();
        f.get(entry).get(end).op('i32_eq').brIf(done);
        work();
        f.get(entry).i32(entryBytes).op('i32_add').set(entry).br(again).end().end();
    };
    const pushIsSpecial = (): void => {
        f.get(entry).memory('i32_load', parentOffset).i32(STUCK_ENTRY).op('i32_sub').i32(2).op('i32_lt_u');
    };
    const pushSlotAddress = (): void => {
        f.get(table).get(place).i32(3).op('i32_shl', 'i32_add');
    };

    // First pass: hash all, touch their slots.
    forEachEntry(() => {
        const special = f.block();
        pushIsSpecial();
        f.brIf(special);
        for (let word = 0; word < longCount; word++) {
            f.get(entry).memory('i64_load', 8 * word);
            if (word > 0) {
                f.get(mixed).i64(29n).op('i64_rotl', 'i64_xor');
            }
            f.i64(FIRST_FACTOR).op('i64_mul').set(mixed);
        }
        f.get(mixed).get(mixed).i64(32n).op('i64_shr_u', 'i64_xor').i64(SECOND_FACTOR).op('i64_mul').i64(32n);
        f.op('i64_shr_u', 'i32_wrap_i64').set(hash);
        f.get(entry).get(hash).memory('i32_store', hashOffset);
        f.get(hash).get(shift).op('i32_shr_u').set(place);
        pushSlotAddress();
        f.memory('i64_load').get(touched).op('i64_xor').set(touched);
        f.end();
    });

    // Second pass: touch the states that have the same hash.
    forEachEntry(() => {
        const different = f.block();
        pushIsSpecial();
        f.brIf(different);
        f.get(entry).memory('i32_load', hashOffset).tee(hash).get(shift).op('i32_shr_u').set(place);
        pushSlotAddress();
        f.memory('i64_load').tee(slot).i64(32n).op('i64_shr_u', 'i32_wrap_i64').get(hash).op('i32_ne').brIf(different);
        f.get(slot).op('i64_eqz').brIf(different);
        f.get(slot).op('i32_wrap_i64').i32(1).op('i32_sub').set(address);
        pushStateAddress(f, map, address);
        f.memory('i64_load').get(touched).op('i64_xor').set(touched);
        f.end();
    });
    f.i32(0).get(touched).op('i32_wrap_i64').memory('i32_store', HEADER.sink);

    // Third pass: compare and store.
    const index = f.acquire('i32');
    const counted = f.acquire('i32');
    const stopped = f.block();
    load(f, HEADER.transitions).set(counted);
    forEachEntry(() => {
        const settled = f.block();
        pushIsSpecial();
        f.if();
        const isFault = f.block();
        f.get(entry).memory('i32_load', parentOffset).i32(FAULT_ENTRY).op('i32_eq').brIf(isFault);
        f.get(entry).memory('i32_load', 0).set(index);
        if (mayStop !== undefined) {
            pushStateAddress(f, map, index);
            f.call(mayStop).brIf(settled);
            pushEvent(f, EVENT.stuck, index, index, counted);
        }
        f.br(settled).end();
        f.get(counted).i32(1).op('i32_add').set(counted);
        // The fault: an event the first time.
        f.get(entry)
            .memory('i32_load', hashOffset)
            .i32((1 << SITE_BITS) - 1)
            .op('i32_and')
            .set(place);
        f.get(place).memory('i32_load8_u', map.flags).brIf(settled);
        f.get(place).i32(1).memory('i32_store8', map.flags);
        f.get(entry).memory('i32_load', 0).set(index);
        pushEvent(f, EVENT.fault, place, index, counted);
        f.br(settled).end();

        // An initial state comes from no firing.
        f.get(counted).get(entry).memory('i32_load', parentOffset).i32(-1).op('i32_ne', 'i32_add').set(counted);
        f.get(entry).memory('i32_load', hashOffset).tee(hash).get(shift).op('i32_shr_u').set(place);
        const empty = f.block();
        const probe = f.loop();
        pushSlotAddress();
        f.memory('i64_load').tee(slot).op('i64_eqz').brIf(empty);
        const different = f.block();
        f.get(slot).i64(32n).op('i64_shr_u', 'i32_wrap_i64').get(hash).op('i32_ne').brIf(different);
        f.get(slot).op('i32_wrap_i64').i32(1).op('i32_sub').set(index);
        pushStateAddress(f, map, index);
        f.set(address);
        for (let word = 0; word < longCount; word++) {
            f.get(address)
                .memory('i64_load', 8 * word)
                .get(entry)
                .memory('i64_load', 8 * word)
                .op('i64_ne');
            f.brIf(different);
        }
        f.br(settled).end();
        f.get(place).i32(1).op('i32_add').get(mask).op('i32_and').set(place).br(probe).end().end();

        // It is new.
        load(f, HEADER.count).tee(index);
        load(f, HEADER.maxStates).op('i32_ge_u').if();
        pushEvent(f, EVENT.limit, index, index, counted);
        f.i32(0).i32(1).memory('i32_store', HEADER.isStopped).br(stopped).end();
        pushSlotAddress();
        f.get(hash).op('i64_extend_i32_u').i64(32n).op('i64_shl');
        f.get(index).i32(1).op('i32_add', 'i64_extend_i32_u', 'i64_or').memory('i64_store');
        pushStateAddress(f, map, index);
        f.set(address);
        for (let word = 0; word < longCount; word++) {
            f.get(address)
                .get(entry)
                .memory('i64_load', 8 * word)
                .memory('i64_store', 8 * word);
        }
        pushParentAddress(f, map, index);
        f.get(entry).memory('i32_load', parentOffset).memory('i32_store');
        f.i32(0).get(index).i32(1).op('i32_add').memory('i32_store', HEADER.count);
        if (invariants !== undefined) {
            f.get(address).call(invariants).brIf(settled);
            pushEvent(f, EVENT.violated, index, index, counted);
        }
        f.end();
    });
    f.end();
    f.i32(0).get(counted).memory('i32_store', HEADER.transitions);
    f.i32(0).i32(batch).memory('i32_store', HEADER.batchEnd);
    return f;
}

/** Moves the slots `from` … `to` - 1 of a table into the present one, where nothing equals them. */
function moveFunction(): FunctionWriter {
    const f = new FunctionWriter(['i32', 'i32', 'i32']);
    const old = f.parameter(0);
    const from = f.parameter(1);
    const to = f.parameter(2);
    const slot = f.acquire('i64');
    const place = f.acquire('i32');
    const table = f.acquire('i32');
    const shift = f.acquire('i32');
    const mask = f.acquire('i32');
    load(f, HEADER.table).set(table);
    load(f, HEADER.tableShift).set(shift);
    load(f, HEADER.tableMask).set(mask);
    const pushSlotAddress = (): void => {
        f.get(table).get(place).i32(3).op('i32_shl', 'i32_add');
    };
    const done = f.block();
    const again = f.loop();
    f.get(from).get(to).op('i32_eq').brIf(done);
    const empty = f.block();
    f.get(old).get(from).i32(3).op('i32_shl', 'i32_add').memory('i64_load').tee(slot).op('i64_eqz').brIf(empty);
    f.get(slot).i64(32n).op('i64_shr_u', 'i32_wrap_i64').get(shift).op('i32_shr_u').set(place);
    const found = f.block();
    const probe = f.loop();
    pushSlotAddress();
    f.memory('i64_load').op('i64_eqz').brIf(found);
    f.get(place).i32(1).op('i32_add').get(mask).op('i32_and').set(place).br(probe).end().end();
    pushSlotAddress();
    f.get(slot).memory('i64_store');
    f.end();
    f.get(from).i32(1).op('i32_add').set(from).br(again).end().end();
    return f;
}

/** Appends an event, with the counts as they are. */
function pushEvent(f: FunctionWriter, kind: number, subject: Local, state: Local, transitions: Local): void {
    const event = f.acquire('i32');
    load(f, HEADER.eventEnd).set(event);
    f.get(event).i32(kind).memory('i32_store', 0);
    f.get(event).get(subject).memory('i32_store', 4);
    f.get(event).get(state).memory('i32_store', 8);
    f.get(event);
    load(f, HEADER.count).memory('i32_store', 12);
    f.get(event).get(transitions).memory('i32_store', 16);
    f.i32(0).get(event).i32(EVENT_BYTES).op('i32_add').memory('i32_store', HEADER.eventEnd);
    f.release(event);
}

/** Pushes the address of a stored state. */
function pushStateAddress(f: FunctionWriter, map: MemoryMap, index: Local): void {
    pushChunk(f, map, index);
    f.get(index)
        .i32((1 << map.chunkShift) - 1)
        .op('i32_and')
        .i32(8 * map.longCount)
        .op('i32_mul', 'i32_add');
}

/** Pushes the address of the number of the state that it was found from. */
function pushParentAddress(f: FunctionWriter, map: MemoryMap, index: Local): void {
    pushChunk(f, map, index);
    f.get(index)
        .i32((1 << map.chunkShift) - 1)
        .op('i32_and')
        .i32(2)
        .op('i32_shl', 'i32_add');
    f.i32((8 * map.longCount) << map.chunkShift).op('i32_add');
}

function pushChunk(f: FunctionWriter, { directory, chunkShift }: MemoryMap, index: Local): void {
    f.get(index).i32(chunkShift).op('i32_shr_u').i32(2).op('i32_shl').memory('i32_load', directory);
}

function load(f: FunctionWriter, address: number): FunctionWriter {
    return f.i32(0).memory('i32_load', address);
}
