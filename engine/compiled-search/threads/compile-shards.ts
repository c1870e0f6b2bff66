/**
 * The inner loops of a search by several threads, or with a seen set in several memories, the shards; rounds.ts says how they
 * are used.
 *
 *     scatter(replaces)                    on a desk: the batch goes to the outboxes of its shards, its states replaced by
 *                                          their representatives, but for what was sent lately; with 0 all of it goes there as
 *                                          it is: entries that have keys of stored states
 *     claim(from, to, list, end) → end     on a shard: drops the entries at these addresses whose states are stored, and
 *                                          claims a slot for each other one, or leaves it to an earlier claim of the same state
 *     publish(from, to) → end              on a shard: stores the states of the claims that still have their slots, moves these
 *                                          together, and forgets the others
 *
 * A shard is chosen by bits of the hash that do not say where in the table a state is.
 *
 * Several threads claim slots of one shard at a time. A slot that is claimed has the address of the claim in its last word,
 * whose lowest bit, the mark of a stored state, is 0. Who meets a claim of the same state with a later sequence takes the
 * slot over, so in the end each new state belongs to the first entry that has it, whoever was faster. Nothing but this word
 * is written before all threads are done, so they agree on it by one instruction that compares and exchanges it.
 */
import { SITE_BITS } from '../../codegen/faults.js';
import { FunctionWriter, type Label } from '../../webassembly/function-writer.js';
import { ENTRY, FAULT_ENTRY, HEADER, MARK, ORIGIN, SENT, SEQUENCE, type MemoryMap } from '../memory-map.js';
import type { ModuleWriter } from '../../webassembly/module-writer.js';
import {
    copyWords,
    dropStored,
    forEachEntry,
    forEachEntryBefore,
    forEachItem,
    leaveIfDifferent,
    leaveIfReplaced,
    load,
    markEntry,
    pushFirstPlace,
    pushHash,
    pushHashOfKey,
    pushIsRecent,
    pushIsSpecial,
    pushSlotAddress,
    pushStateAddress,
    toNextSlot,
} from '../slot-code.js';

/** Defines and exports the loops; the number of a function that scatters the batch after replacing its states. */
export function compileShards(
    map: MemoryMap,
    representative: number | undefined,
    mayStop: number | undefined,
    module: ModuleWriter,
): number {
    const scatter = module.announce({ parameters: ['i32'], results: [] });
    module.define(scatter, scatterFunction(map, representative, mayStop));
    module.export('scatter', scatter);
    const claim = module.announce({ parameters: ['i32', 'i32', 'i32', 'i32'], results: ['i32'] });
    module.define(claim, claimFunction(map));
    module.export('claim', claim);
    const publish = module.announce({ parameters: ['i32', 'i32'], results: ['i32'] });
    module.define(publish, publishFunction(map));
    module.export('publish', publish);
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
    const counted = f.acquire('i32');
    const site = f.acquire('i32');
    const mixed = f.acquire('i64');
    /** Writes the sequence of the entry to the target. */
    const storeSequence = (stuck: number): void => {
        f.get(target);
        load(f, HEADER.sequence).get(counted).i32(SEQUENCE.countShift).op('i32_shl', 'i32_or').i32(stuck).op('i32_or');
        f.memory('i32_store', tail + SENT.sequence);
    };
    load(f, HEADER.transitions).set(counted);
    forEachEntry(f, map, entry, () => {
        const settled = f.block();
        pushIsSpecial(f, map, entry);
        f.if();
        f.get(entry)
            .memory('i32_load', tail + ENTRY.hash)
            .i32((1 << SITE_BITS) - 1)
            .op('i32_and')
            .set(site);
        load(f, HEADER.outboxes);
        load(f, HEADER.shards).i32(2).op('i32_shl', 'i32_add').tee(outbox);
        f.memory('i32_load').set(target);
        f.get(entry)
            .memory('i32_load', tail + ENTRY.parent)
            .i32(FAULT_ENTRY)
            .op('i32_eq')
            .if();
        f.get(counted).i32(1).op('i32_add').set(counted);
        // A fault is an event the first time on this desk, which has its blocks in the order of their states.
        f.get(site).memory('i32_load8_u', map.flags).brIf(settled);
        f.get(site).i32(1).memory('i32_store8', map.flags);
        storeSequence(0);
        f.else();
        if (mayStop === undefined) {
            f.br(settled);
        } else {
            f.get(entry).memory('i32_load').set(hash);
            pushStateAddress(f, map, hash);
            f.call(mayStop).brIf(settled);
            storeSequence(SEQUENCE.stuck);
        }
        f.end();
        f.get(target)
            .get(site)
            .memory('i32_store', tail + SENT.hash);
        f.get(target)
            .get(entry)
            .memory('i32_load')
            .memory('i32_store', tail + SENT.origin);
        f.get(outbox).get(target).i32(entryBytes).op('i32_add').memory('i32_store');
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
        f.get(target)
            .get(entry)
            .memory('i32_load', tail + ENTRY.summand)
            .i32(ORIGIN.summandShift)
            .op('i32_shl');
        f.get(entry)
            .memory('i32_load', tail + ENTRY.parent)
            .op('i32_or')
            .memory('i32_store', tail + SENT.origin);
        storeSequence(0);
        // What this desk has sent lately is written over by what comes next; but not what it now sends elsewhere.
        f.get(outbox).get(target).i32(entryBytes).i32(0);
        pushIsRecent(f, map, { entry, hash });
        f.get(f.parameter(0)).op('i32_and', 'i32_eqz', 'select', 'i32_add').memory('i32_store').end();
    });
    f.i32(0).get(counted).memory('i32_store', HEADER.transitions);
    f.i32(0).i32(map.batch).memory('i32_store', HEADER.batchEnd);
    return f;
}

function claimFunction(map: MemoryMap): FunctionWriter {
    const { longCount, keyLongs, key, entryBytes, fullBatch, batch } = map;
    const f = new FunctionWriter(['i32', 'i32', 'i32', 'i32']);
    const tail = 8 * longCount;
    const lastWord = 8 * keyLongs - 8;
    const to = f.parameter(0);
    const inboxEnd = f.parameter(1);
    const list = f.parameter(2);
    const claim = f.parameter(3);
    const from = f.acquire('i32');
    const entry = f.acquire('i32');
    const hash = f.acquire('i32');
    const place = f.acquire('i32');
    const slot = f.acquire('i32');
    const end = f.acquire('i32');
    const item = f.acquire('i32');
    const other = f.acquire('i32');
    const found = f.acquire('i64');
    const expected = f.acquire('i64');
    /** Sets `found` to what the slot had; where that is what was expected, it is claimed and all is done. */
    const tryToClaim = (known: Label): void => {
        copyWords(f, longCount, entry, claim);
        if (key > 0) {
            f.get(claim).get(entry).memory('i64_load', key).memory('i64_store', key);
        }
        f.get(claim)
            .get(slot)
            .memory('i32_store', tail + SENT.slot);
        for (const field of [SENT.origin, SENT.sequence]) {
            f.get(claim)
                .get(entry)
                .memory('i32_load', tail + field)
                .memory('i32_store', tail + field);
        }
        f.get(slot).get(expected).get(claim).op('i64_extend_i32_u').atomic('i64_atomic_rmw_cmpxchg', lastWord);
        f.tee(found).get(expected).op('i64_eq').if();
        f.get(claim).i32(entryBytes).op('i32_add').set(claim);
        f.br(known).end();
    };
    const done = f.block();
    const again = f.loop();
    f.get(to).tee(from).get(inboxEnd).op('i32_eq').brIf(done);
    f.get(inboxEnd)
        .get(from)
        .i32(fullBatch - batch)
        .op('i32_add')
        .tee(to);
    f.get(inboxEnd).get(to).op('i32_lt_u', 'select').set(to);
    f.get(list).set(end);
    f.get(from).set(entry);
    forEachEntryBefore(f, map, entry, to, () => {
        f.get(entry)
            .memory('i32_load', tail + SENT.hash)
            .set(hash);
        pushFirstPlace(f, map, hash);
        f.set(place);
        f.get(entry);
        pushSlotAddress(f, map, place);
        f.memory('i32_store', tail + SENT.slot);
        f.get(end).get(entry).memory('i32_store');
        f.get(end).i32(4).op('i32_add').set(end);
    });
    dropStored(f, map, { list, end }, SENT.slot);
    forEachItem(f, { entry, item, list, end }, () => {
        const known = f.block();
        f.get(entry)
            .memory('i32_load', tail + SENT.slot)
            .set(place);
        pushSlotAddress(f, map, place);
        f.set(slot);
        const nextSlot = f.loop();
        f.get(slot).atomic('i64_atomic_load', lastWord).set(found);
        const lookAgain = f.loop();
        f.get(found).op('i64_eqz').if();
        f.i64(0n).set(expected);
        tryToClaim(known);
        f.end();
        const different = f.block();
        f.get(found).op('i32_wrap_i64').tee(other).i32(Number(MARK)).op('i32_and').if();
        leaveIfDifferent(f, keyLongs, { first: entry, at: key, second: slot, and: 0 }, different);
        f.br(known).end();
        leaveIfDifferent(f, keyLongs, { first: entry, at: key, second: other, and: key }, different);
        f.get(entry).memory('i32_load', tail + SENT.sequence);
        f.get(other)
            .memory('i32_load', tail + SENT.sequence)
            .op('i32_ge_u')
            .brIf(known);
        f.get(found).set(expected);
        tryToClaim(known);
        f.br(lookAgain).end();
        toNextSlot(f, map, place, slot);
        f.br(nextSlot).end().end();
        f.end();
    });
    f.br(again).end().end();
    f.get(claim);
    return f;
}

function publishFunction(map: MemoryMap): FunctionWriter {
    const { longCount, keyLongs, key, entryBytes } = map;
    const f = new FunctionWriter(['i32', 'i32']);
    const tail = 8 * longCount;
    const target = f.parameter(0);
    const end = f.parameter(1);
    const claim = f.acquire('i32');
    const slot = f.acquire('i32');
    f.get(target).set(claim);
    forEachEntryBefore(f, map, claim, end, () => {
        const lost = f.block();
        f.get(claim)
            .memory('i32_load', tail + SENT.slot)
            .tee(slot);
        f.memory('i64_load', 8 * keyLongs - 8)
            .get(claim)
            .op('i64_extend_i32_u', 'i64_ne')
            .brIf(lost);
        copyWords(f, keyLongs, claim, slot, key);
        copyWords(f, longCount, claim, target);
        for (const field of [SENT.origin, SENT.sequence]) {
            f.get(target)
                .get(claim)
                .memory('i32_load', tail + field)
                .memory('i32_store', tail + field);
        }
        f.get(target).i32(entryBytes).op('i32_add').set(target).end();
    });
    f.get(target);
    return f;
}
