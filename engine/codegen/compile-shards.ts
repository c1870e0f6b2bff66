/**
 * The inner loops of a search whose seen set is in several memories, the shards; rounds.ts says how they are used.
 *
 *     scatter(replaces)                    on a desk: the batch goes to the outboxes of its shards, its states replaced by
 *                                          their representatives; entries that have keys of stored states need no such thing
 *     lookUp(end) → count                  on a shard: stores what is new in the inbox, and lists it
 *     merge(from, to, most) → count        on a desk: puts what is new in a block together, with its events
 *
 * A shard is chosen by bits of the hash that do not say where in the table a state is.
 */
import { SITE_BITS } from './faults.js';
import { FunctionWriter, type Local } from './function-writer.js';
import { ENTRY, EVENT, FAULT_ENTRY, HEADER, OUTCOME, type MemoryMap } from './memory-map.js';
import type { ModuleWriter } from './module-writer.js';
import {
    copyWords,
    dropStored,
    findEntry,
    forEachEntry,
    forEachEntryBefore,
    forEachItem,
    pushIsRecent,
    leaveIfReplaced,
    load,
    markEntry,
    pushEvent,
    pushFirstPlace,
    pushHash,
    pushHashOfKey,
    pushIsSpecial,
    pushSlotAddress,
    pushStateAddress,
} from './slot-code.js';

/** Functions (address of a state) → 1 where all that is checked holds; absent where nothing is. */
export interface StateChecks {
    readonly invariants: number | undefined;
    readonly mayStop: number | undefined;
}

/** Defines and exports the loops; the number of a function that scatters the batch after replacing its states. */
export function compileShards(
    map: MemoryMap,
    representative: number | undefined,
    { invariants, mayStop }: StateChecks,
    module: ModuleWriter,
): number {
    const scatter = module.announce({ parameters: ['i32'], results: [] });
    module.define(scatter, scatterFunction(map, representative, mayStop));
    module.export('scatter', scatter);
    const lookUp = module.announce({ parameters: ['i32'], results: ['i32'] });
    module.define(lookUp, lookUpFunction(map));
    module.export('lookUp', lookUp);
    const merge = module.announce({ parameters: ['i32', 'i32', 'i32'], results: ['i32'] });
    module.define(merge, mergeFunction(map, invariants));
    module.export('merge', merge);
    const replaceAndScatter = module.announce({ parameters: [], results: [] });
    module.define(replaceAndScatter, new FunctionWriter().i32(1).call(scatter));
    return replaceAndScatter;
}

function scatterFunction(
    map: MemoryMap,
    representative: number | undefined,
    mayStop: number | undefined,
): FunctionWriter {
    const { longCount, entryBytes } = map;
    const f = new FunctionWriter(['i32']);
    const tail = 8 * longCount;
    const entry = f.acquire('i32');
    const hash = f.acquire('i32');
    const outbox = f.acquire('i32');
    const target = f.acquire('i32');
    const outcome = f.acquire('i32');
    const sequence = f.acquire('i32');
    const counted = f.acquire('i32');
    const site = f.acquire('i32');
    const mixed = f.acquire('i64');
    load(f, HEADER.sequence).set(sequence);
    load(f, HEADER.transitions).set(counted);
    forEachEntry(f, map, entry, () => {
        f.i32(0).set(outcome);
        const settled = f.block();
        pushIsSpecial(f, map, entry);
        f.if();
        f.get(entry).memory('i32_load').i32(OUTCOME.stateShift).op('i32_shl').set(outcome);
        f.get(entry)
            .memory('i32_load', tail + ENTRY.parent)
            .i32(FAULT_ENTRY)
            .op('i32_eq')
            .if();
        f.get(counted).i32(1).op('i32_add').set(counted);
        f.get(entry)
            .memory('i32_load', tail + ENTRY.hash)
            .i32((1 << SITE_BITS) - 1)
            .op('i32_and')
            .set(site);
        // A fault is an event the first time on this desk, which has its blocks in the order of their states.
        f.get(outcome).get(site).i32(OUTCOME.siteShift).op('i32_shl', 'i32_or').i32(OUTCOME.fault).op('i32_or').i32(0);
        f.get(site).memory('i32_load8_u', map.flags).op('i32_eqz', 'select').set(outcome);
        f.get(site).i32(1).memory('i32_store8', map.flags);
        f.else();
        if (mayStop !== undefined) {
            f.get(entry).memory('i32_load').set(target);
            f.i32(OUTCOME.stopped).get(outcome).i32(OUTCOME.stuck).op('i32_or');
            pushStateAddress(f, map, target);
            f.call(mayStop).op('select').set(outcome);
        } else {
            f.i32(OUTCOME.stopped).set(outcome);
        }
        f.end();
        f.br(settled).end();

        f.get(counted).i32(1).op('i32_add').set(counted);
        f.get(f.parameter(0)).if();
        markEntry(f, map, entry);
        if (representative !== undefined) {
            leaveIfReplaced(f, map, { entry, hash, mixed }, settled);
            f.get(entry).call(representative).op('drop');
        }
        pushHash(f, map, entry, mixed);
        f.set(hash).else();
        pushHashOfKey(f, map, entry, mixed, map.key);
        f.set(hash).end();
        load(f, HEADER.outboxes);
        f.get(mixed).op('i32_wrap_i64').i32(16).op('i32_shr_u');
        load(f, HEADER.shards).op('i32_mul').i32(16).op('i32_shr_u').i32(2).op('i32_shl', 'i32_add').tee(outbox);
        f.memory('i32_load').set(target);
        copyWords(f, longCount, entry, target);
        if (map.key > 0) {
            f.get(target).get(entry).memory('i64_load', map.key).memory('i64_store', map.key);
        }
        f.get(target)
            .get(hash)
            .memory('i32_store', tail + ENTRY.hash);
        for (const field of [ENTRY.parent, ENTRY.summand]) {
            f.get(target)
                .get(entry)
                .memory('i32_load', tail + field)
                .memory('i32_store', tail + field);
        }
        f.get(target)
            .get(sequence)
            .memory('i32_store', tail + ENTRY.sequence);
        // What this desk has sent lately is written over by what comes next.
        f.get(outbox).get(target).i32(entryBytes).i32(0);
        pushIsRecent(f, map, { entry, hash });
        f.op('i32_eqz', 'select', 'i32_add').memory('i32_store').end();
        pushOutcomeAddress(f, sequence);
        f.get(outcome).memory('i32_store');
        f.get(sequence).i32(1).op('i32_add').set(sequence);
    });
    f.i32(0).get(sequence).memory('i32_store', HEADER.sequence);
    f.i32(0).get(counted).memory('i32_store', HEADER.transitions);
    f.i32(0).i32(map.batch).memory('i32_store', HEADER.batchEnd);
    return f;
}

function lookUpFunction(map: MemoryMap): FunctionWriter {
    const { longCount, fullBatch, batch } = map;
    const f = new FunctionWriter(['i32']);
    const tail = 8 * longCount;
    const inboxEnd = f.parameter(0);
    const from = f.acquire('i32');
    const to = f.acquire('i32');
    const entry = f.acquire('i32');
    const hash = f.acquire('i32');
    const place = f.acquire('i32');
    const slot = f.acquire('i32');
    const list = f.acquire('i32');
    const end = f.acquire('i32');
    const item = f.acquire('i32');
    const found = f.acquire('i64');
    f.i32(map.inbox).tee(list).set(to);
    const done = f.block();
    const again = f.loop();
    f.get(to).tee(from).get(inboxEnd).op('i32_eq').brIf(done);
    f.get(inboxEnd)
        .get(from)
        .i32(fullBatch - batch)
        .op('i32_add')
        .tee(to);
    f.get(inboxEnd).get(to).op('i32_lt_u', 'select').set(to);
    f.i32(map.list).set(end);
    f.get(from).set(entry);
    forEachEntryBefore(f, map, entry, to, () => {
        f.get(entry)
            .memory('i32_load', tail + ENTRY.hash)
            .set(hash);
        pushFirstPlace(f, map, hash);
        f.set(place);
        // The shard has no use for the state before.
        f.get(entry);
        pushSlotAddress(f, map, place);
        f.memory('i32_store', tail + ENTRY.parent);
        f.get(end).get(entry).memory('i32_store');
        f.get(end).i32(4).op('i32_add').set(end);
    });
    dropStored(f, map, end, ENTRY.parent);
    forEachItem(f, map, { entry, item, end }, () => {
        const known = f.block();
        f.get(entry)
            .memory('i32_load', tail + ENTRY.parent)
            .set(place);
        pushSlotAddress(f, map, place);
        f.set(slot);
        findEntry(f, map, { entry, place, slot, found }, known);
        copyWords(f, map.keyLongs, entry, slot, map.key);
        // The list stays behind what is still to be read, for an entry is longer than an item of it.
        f.get(list)
            .get(entry)
            .memory('i32_load', tail + ENTRY.sequence)
            .memory('i32_store');
        f.get(list).get(entry).memory('i32_store', 4);
        f.get(list).i32(8).op('i32_add').set(list);
        f.end();
    });
    f.br(again).end().end();
    f.get(list).i32(map.inbox).op('i32_sub').i32(3).op('i32_shr_u').tee(place);
    f.i32(0);
    load(f, HEADER.count).get(place).op('i32_add').memory('i32_store', HEADER.count);
    return f;
}

function mergeFunction(map: MemoryMap, invariants: number | undefined): FunctionWriter {
    const { longCount, summandBytes } = map;
    const f = new FunctionWriter(['i32', 'i32', 'i32']);
    const tail = 8 * longCount;
    const sequence = f.parameter(0);
    const end = f.parameter(1);
    const most = f.parameter(2);
    const outcome = f.acquire('i32');
    const count = f.acquire('i32');
    const counted = f.acquire('i32');
    const target = f.acquire('i32');
    const bit = f.acquire('i32');
    const kind = f.acquire('i32');
    f.i32(0).memory('i32_load', HEADER.newStates).set(target);
    const done = f.block();
    const again = f.loop();
    f.get(sequence).get(end).op('i32_eq').brIf(done);
    const settled = f.block();
    pushOutcomeAddress(f, sequence);
    f.memory('i32_load').set(outcome);
    f.get(outcome).i32(OUTCOME.mask).op('i32_and').set(kind);
    f.get(kind).i32(OUTCOME.stopped).op('i32_eq').brIf(settled);
    f.get(kind).i32(OUTCOME.stuck).op('i32_eq').if();
    setState(f, outcome, bit);
    pushMergeEvent(f, EVENT.stuck, bit, { state: bit, count, counted });
    f.br(settled).end();
    f.get(counted).i32(1).op('i32_add').set(counted);
    f.get(outcome).op('i32_eqz').brIf(settled);
    f.get(kind).i32(OUTCOME.fault).op('i32_eq').if();
    setState(f, outcome, bit);
    f.get(outcome).i32(OUTCOME.siteShift).op('i32_shr_u').set(kind);
    pushMergeEvent(f, EVENT.fault, kind, { state: bit, count, counted });
    f.br(settled).end();

    // It is new.
    f.get(count).get(most).op('i32_eq').if();
    pushMergeEvent(f, EVENT.limit, count, { state: count, count, counted });
    f.br(done).end();
    copyWords(f, longCount, outcome, target);
    f.get(target)
        .i32(8 * longCount)
        .op('i32_add')
        .set(target);
    load(f, HEADER.newSummands).get(count).i32(summandBytes).op('i32_mul', 'i32_add');
    f.get(outcome).memory('i32_load', tail + ENTRY.summand);
    f.memory(summandBytes === 1 ? 'i32_store8' : summandBytes === 2 ? 'i32_store16' : 'i32_store');
    f.get(outcome)
        .memory('i32_load', tail + ENTRY.parent)
        .get(count)
        .op('i32_add')
        .set(bit);
    load(f, HEADER.newParents).get(bit).i32(3).op('i32_shr_u', 'i32_add').tee(kind);
    f.get(kind).memory('i32_load8_u').i32(1).get(bit).i32(7).op('i32_and', 'i32_shl', 'i32_or').memory('i32_store8');
    f.get(count).i32(1).op('i32_add').set(count);
    if (invariants !== undefined) {
        f.get(outcome).call(invariants).brIf(settled);
        f.get(count).i32(1).op('i32_sub').set(bit);
        pushMergeEvent(f, EVENT.violated, bit, { state: bit, count, counted });
    }
    f.end();
    f.get(sequence).i32(1).op('i32_add').set(sequence).br(again).end().end();
    f.get(count);
    return f;
}

/** Pushes the address of what became of an entry. */
function pushOutcomeAddress(f: FunctionWriter, sequence: Local): void {
    load(f, HEADER.outcomes).get(sequence).i32(2).op('i32_shl', 'i32_add');
}

/** Sets `state` to the number in the block of the state that an outcome is about. */
function setState(f: FunctionWriter, outcome: Local, state: Local): void {
    f.get(outcome).i32(OUTCOME.stateShift).op('i32_shr_u');
    f.i32((1 << OUTCOME.stateBits) - 1)
        .op('i32_and')
        .set(state);
}

/** Appends an event with the counts of the block. */
function pushMergeEvent(
    f: FunctionWriter,
    kind: number,
    subject: Local,
    { state, count, counted }: Readonly<Record<'state' | 'count' | 'counted', Local>>,
): void {
    f.i32(0).get(count).memory('i32_store', HEADER.count);
    pushEvent(f, kind, subject, state, counted);
}
