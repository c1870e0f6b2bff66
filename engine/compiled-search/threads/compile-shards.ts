/**
 * The inner loops of a search by several threads, or with a seen set in several memories, the shards (rounds.ts).
 *
 *     scatter(replaces)                    in a thread memory: sends the batch to the outboxes of its shards
 *     claim(from, to, list, end) → end     in a shard: claims slots for the states of entries
 *     publish(from, to) → end              in a shard: stores the states of claims
 */
import { SITE_BITS } from '../../codegen/faults.js';
import {
    atomicLoad64,
    call,
    compareExchange64,
    FunctionBody,
    i32,
    i64,
    type Int,
    type Label,
    load32,
    load64,
    load8,
    type Long,
    select,
    type WasmVariable,
} from '../../webassembly/function-body.js';
import { ENTRY, FAULT_ENTRY, MARK, ORIGIN, SENT, SEQUENCE, type MemoryMap } from '../memory-map.js';
import type { ModuleWriter } from '../../webassembly/module-writer.js';
import {
    branchIfDifferent,
    branchIfReplaced,
    copyWords,
    countOutside,
    dropStored,
    firstPlace,
    forEachEntry,
    forEachEntryBetween,
    forEachItem,
    hashOf,
    header,
    isLater,
    isRecent,
    isSpecial,
    markEntry,
    mixEntry,
    mixKey,
    setHeader,
    slotAddress,
    stateAddress,
    toNextSlot,
} from '../slot-code.js';

/*
 * Several threads claim slots of one shard at a time. A claimed slot has the address of the claim in its last word, whose
 * lowest bit, the mark of a stored state, is 0. A thread that meets a claim of the same state with a later sequence takes
 * the slot over, so in the end each new state belongs to the first entry that has it, whichever thread was faster. Only this
 * word is written before all threads are done; they agree on it by an atomic compare-exchange.
 */

/** The function for the representative of a state, if there is one; whether some entries are marked as needing no look-up. */
interface Replacing {
    readonly representative: number | undefined;
    readonly marks: boolean;
}

/** Defines and exports the loops; returns a function that replaces the states of the batch and scatters it. */
export function compileShards(
    map: MemoryMap,
    replacing: Replacing,
    mayStop: number | undefined,
    module: ModuleWriter,
): number {
    const scatter = module.add(scatterFunction(map, replacing, mayStop));
    module.export('scatter', scatter);
    module.export('claim', module.add(claimFunction(map), 'i32'));
    module.export('publish', module.add(publishFunction(map), 'i32'));
    const replaceAndScatter = new FunctionBody();
    replaceAndScatter.run(scatter, 1);
    return module.add(replaceAndScatter);
}

/**
 * Sends the entries of the batch to the outboxes of their shards: with parameter 1 their representatives, except recent
 * ones; with 0 all as they are, with keys of stored states. A shard depends on other bits of the hash than a slot.
 */
function scatterFunction(
    map: MemoryMap,
    { representative, marks }: Replacing,
    mayStop: number | undefined,
): FunctionBody {
    const { longCount, entryBytes } = map;
    const tail = 8 * longCount;
    const f = new FunctionBody(['i32']);
    const replaces = f.parameter(0);
    const counted = f.variable(header('transitions'));
    const storeSequence = (target: Int, stuck: number): void => {
        const sequence = header('sequence').or(counted.shiftedLeft(SEQUENCE.countShift)).or(stuck);
        f.store32(target, tail + SENT.sequence, sequence);
    };
    forEachEntry(f, map, (entry, next) => {
        f.if(isSpecial(map, entry), () => {
            scatterSpecial(f, map, mayStop, { entry, counted, next }, storeSequence);
            f.branch(next);
        });
        counted.add(1);
        const mixed = f.local('i64');
        const hash = f.local('i32');
        f.if(
            replaces,
            () => {
                if (marks) {
                    f.branchIf(isLater(map, entry), next);
                }
                markEntry(f, map, entry);
                if (representative !== undefined) {
                    branchIfReplaced(f, map, entry, next);
                    f.drop(call(representative, entry));
                }
                mixEntry(f, map, entry, mixed);
                hash.set(hashOf(mixed));
            },
            () => {
                mixKey(f, map, entry, mixed, map.key);
                hash.set(hashOf(mixed));
            },
        );
        const shard = mixed.toInt().shiftedRight(16).times(header('shards')).shiftedRight(16);
        const outbox = f.variable(header('outboxes').plus(shard.shiftedLeft(2)));
        const target = f.variable(load32(outbox));
        copyState(f, map, entry, target);
        f.store32(target, tail + ENTRY.hash, hash);
        const origin = load32(entry, tail + ENTRY.summand).shiftedLeft(ORIGIN.summandShift);
        f.store32(target, tail + SENT.origin, origin.or(load32(entry, tail + ENTRY.parent)));
        storeSequence(target, 0);
        // A recent entry is overwritten by the next one, unless all are sent.
        const isSkipped = isRecent(f, map, entry, hash).and(replaces);
        f.store32(outbox, 0, target.plus(select(isSkipped.isZero(), i32(entryBytes), 0)));
    });
    setHeader(f, 'transitions', counted);
    setHeader(f, 'batchEnd', map.batch);
    return f;
}

/** Sends a fault, or a state without firings that may not stop, to the outbox after those of the shards. */
function scatterSpecial(
    f: FunctionBody,
    map: MemoryMap,
    mayStop: number | undefined,
    { entry, counted, next }: { entry: Int; counted: WasmVariable<'i32'>; next: Label },
    storeSequence: (target: Int, stuck: number) => void,
): void {
    const tail = 8 * map.longCount;
    const site = f.variable(load32(entry, tail + ENTRY.hash).and(2 ** SITE_BITS - 1));
    const outbox = f.variable(header('outboxes').plus(header('shards').shiftedLeft(2)));
    const target = f.variable(load32(outbox));
    f.if(
        load32(entry, tail + ENTRY.parent).is(FAULT_ENTRY),
        () => {
            countOutside(f, map, load32(entry, tail + ENTRY.hash), () => {
                f.branch(next);
            });
            counted.add(1);
            // Only the first fault of a site in this memory is an event; blocks come in the order of their states.
            f.branchIf(load8(site, map.flags), next);
            f.store8(site, map.flags, 1);
            storeSequence(target, 0);
        },
        () => {
            if (mayStop === undefined) {
                f.branch(next);
            } else {
                const state = f.variable(load32(entry));
                f.branchIf(call(mayStop, stateAddress(map, state)), next);
                storeSequence(target, SEQUENCE.stuck);
            }
        },
    );
    f.store32(target, tail + SENT.hash, site);
    f.store32(target, tail + SENT.origin, load32(entry));
    f.store32(outbox, 0, target.plus(map.entryBytes));
}

/** Copies the words of an entry and its fingerprint. */
function copyState(f: FunctionBody, { longCount, key }: MemoryMap, entry: Int, target: Int): void {
    copyWords(f, longCount, entry, target);
    if (key > 0) {
        f.store64(target, key, load64(entry, key));
    }
}

/** Copies the origin and the sequence of an entry. */
function copyOrigin(f: FunctionBody, { longCount }: MemoryMap, entry: Int, target: Int): void {
    for (const field of [SENT.origin, SENT.sequence]) {
        f.store32(target, 8 * longCount + field, load32(entry, 8 * longCount + field));
    }
}

/**
 * Drops entries between two addresses whose states are stored. For each other one it claims a slot by a claim at `end`,
 * or leaves the slot to an earlier claim of the same state; returns the new end.
 */
function claimFunction(map: MemoryMap): FunctionBody {
    const tail = 8 * map.longCount;
    const f = new FunctionBody(['i32', 'i32', 'i32', 'i32']);
    const [to, inboxEnd, start, claim] = [0, 1, 2, 3].map(index => f.parameter(index));
    f.while(to.isNot(inboxEnd), () => {
        const from = f.variable<'i32'>(to);
        to.set(from.plus(map.fullBatch - map.batch));
        to.set(select(inboxEnd.isLessUnsigned(to), inboxEnd, to));
        const list = { start, end: f.variable<'i32'>(start) };
        forEachEntryBetween(f, map, from, to, entry => {
            const hash = f.variable(load32(entry, tail + SENT.hash));
            const place = f.variable(firstPlace(map, hash));
            f.store32(entry, tail + SENT.slot, slotAddress(map, place));
            f.store32(list.end, 0, entry);
            list.end.add(4);
        });
        dropStored(f, map, list, SENT.slot);
        forEachItem(f, list, (entry, next) => {
            claimSlot(f, map, entry, claim, next);
        });
    });
    f.result(claim);
    return f;
}

/** Claims a slot for an entry, unless its state is known; then branches to `next`. */
function claimSlot(f: FunctionBody, map: MemoryMap, entry: Int, claim: WasmVariable<'i32'>, next: Label): void {
    const { longCount, keyLongs, key, entryBytes } = map;
    const tail = 8 * longCount;
    const lastWord = 8 * keyLongs - 8;
    const place = f.variable(load32(entry, tail + SENT.slot));
    const slot = f.variable(slotAddress(map, place));
    const found = f.local('i64');
    /** Sets `found` to the contents of the slot; if they are as expected, claims the slot. */
    const tryToClaim = (expected: Long): void => {
        copyState(f, map, entry, claim);
        f.store32(claim, tail + SENT.slot, slot);
        copyOrigin(f, map, entry, claim);
        found.set(compareExchange64(slot, lastWord, expected, claim.toLong()));
        f.if(found.is(expected), () => {
            claim.add(entryBytes);
            f.branch(next);
        });
    };
    f.loop(nextSlot => {
        found.set(atomicLoad64(slot, lastWord));
        f.loop(lookAgain => {
            f.if(found.isZero(), () => {
                tryToClaim(i64(0n));
            });
            f.block(different => {
                const other = f.variable(found.toInt());
                f.if(other.and(Number(MARK)), () => {
                    branchIfDifferent(f, keyLongs, [entry, key], [slot, 0], different);
                    f.branch(next);
                });
                branchIfDifferent(f, keyLongs, [entry, key], [other, key], different);
                const sequence = load32(entry, tail + SENT.sequence);
                f.branchIf(sequence.isAtLeastUnsigned(load32(other, tail + SENT.sequence)), next);
                const expected = f.variable<'i64'>(found);
                tryToClaim(expected);
                f.branch(lookAgain);
            });
            toNextSlot(f, map, place, slot);
            f.branch(nextSlot);
        });
    });
}

/** Stores the states of the claims that still have their slots, and moves these claims together; returns their end. */
function publishFunction(map: MemoryMap): FunctionBody {
    const { longCount, keyLongs, key, entryBytes } = map;
    const f = new FunctionBody(['i32', 'i32']);
    const target = f.parameter(0);
    const end = f.parameter(1);
    forEachEntryBetween(f, map, target, end, (claim, next) => {
        const slot = f.variable(load32(claim, 8 * longCount + SENT.slot));
        f.branchIf(load64(slot, 8 * keyLongs - 8).isNot(claim.toLong()), next);
        copyWords(f, keyLongs, claim, slot, key);
        copyWords(f, longCount, claim, target);
        copyOrigin(f, map, claim, target);
        target.add(entryBytes);
    });
    f.result(target);
    return f;
}
