/**
 * The inner loops of a breadth-first search as WebAssembly. For `expandBlock` and `scatter` see compile-shards.ts.
 *     expand(from, to, mayStore) → next    expands stored states into the batch, and reduces and stores full batches
 *     reduce()                             replaces the states of the batch by their representatives
 *     store()                              looks up and stores the batch
 *     move(directory, from, to)            moves slots of an old seen set into the present one
 *     holds(address) → 0 or 1              whether all invariants hold in a state; absent if there are none
 */
import type { SequentialExpression } from '../sequential/sequential-model.js';
import type { CodeContext } from '../codegen/compile-expression.js';
import { compileConditions } from '../codegen/compile-conditions.js';
import type { RepresentativeFunction } from '../representative-code/compile-cosets.js';
import { mergeFunction } from './threads/compile-merge.js';
import { compileShards } from './threads/compile-shards.js';
import { CURRENT } from '../codegen/current-state.js';
import type { FiringSink } from '../codegen/compile-summands.js';
import { SITE_BITS } from '../codegen/faults.js';
import {
    call,
    FunctionBody,
    type Int,
    load32,
    load64,
    load8,
    select,
    type WasmVariable,
} from '../webassembly/function-body.js';
import { appendSpecial, defineSink } from './firing-sinks.js';
import { ENTRY, EVENT, FAULT_ENTRY, LEFT, type MemoryMap, STUCK_ENTRY } from './memory-map.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import type { NumberCode } from './number-code.js';
import { defineNumberSinks } from './number-sinks.js';
import {
    bitInByte,
    branchIfReplaced,
    byteAddress,
    copyWords,
    countOutside,
    dropStored,
    findEntry,
    firstPlace,
    forEachEntry,
    forEachItem,
    hashOf,
    header,
    isLater,
    isRecent,
    isSpecial,
    SLOT_KEPT,
    markEntry,
    mixEntry,
    mixKey,
    probe,
    setHeader,
    slotAddress,
    slotIn,
    stateAddress,
    storeSummand,
    writeEvent,
} from './slot-code.js';

/*
 * The seen set is a hash table with linear probing, the states themselves in the slots. The hash, as a fraction, says where
 * probing starts, so a longer table keeps the order: moving goes from front to back in both tables, a page at a time, and
 * the pages of the old one are freed meanwhile. Some pages follow the last slot, so that probing never wraps around.
 *
 * Probing starts at the first slot of a bucket; a bucket is a cache line, and its states are in its first slots.
 *
 * Most of the time of a look-up is waiting for memory. A batch is therefore passed over several times: first the buckets are
 * computed, then all buckets are touched, then entries whose states are there are dropped, and the rest is compared and
 * stored. The loads of one pass do not depend on each other, so the processor waits for many at once. States are stored in
 * the order in which expansion meets them.
 */

/** The parts of a search that depend on the model. */
interface StateWork {
    /** Checked in every state. */
    readonly invariants: readonly SequentialExpression[];
    /** Checked in every state without a firing. */
    readonly mayStop: readonly SequentialExpression[];
    /** Notes which firings of a state need no look-up, and takes some of them. */
    readonly mark?: number | undefined;
    readonly numbers?: NumberCode | undefined;
    readonly select?: number | undefined;
    /** Whether states are replaced by their representatives before they are stored. */
    readonly isReduced: boolean;
    /** Whether those are, too, whose representatives are known to be stored. */
    readonly replacesAll: boolean;
    /** Generated code for that; absent if the engine does it. */
    readonly representative?: RepresentativeFunction | undefined;
}

/** Functions (address of a state) → 1 if all conditions hold; undefined if there are none. */
type StateChecks = Readonly<Record<'invariants' | 'mayStop', number | undefined>>;

/** Defines the sink and the loops; `expanders` together visit the firings of the state at CURRENT. */
export function compileSearch(
    map: MemoryMap,
    sink: FiringSink,
    expanders: readonly number[],
    work: StateWork,
    context: CodeContext,
    module: ModuleWriter,
): void {
    defineSink(map, sink, work.numbers !== undefined, module);
    if (work.numbers !== undefined) {
        defineNumberSinks(map, work.numbers, sink, module);
    }
    const check = (checked: readonly SequentialExpression[]): number | undefined =>
        checked.length === 0 ? undefined : module.add(compileConditions(checked, context), 'i32');
    const checks = { invariants: check(work.invariants), mayStop: check(work.mayStop) };
    if (checks.invariants !== undefined) {
        module.export('holds', checks.invariants);
    }
    const { isReduced, replacesAll, representative, mark, select } = work;
    const taking = [...expanders, mark, select].filter(target => target !== undefined);
    const marks = mark !== undefined;
    const replaced = representative?.isSelfContained === true ? representative.target : undefined;
    const add = (name: string, body: FunctionBody, result?: 'i32'): number => {
        const target = module.add(body, result);
        module.export(name, target);
        return target;
    };
    const store = add('store', storeFunction(map, isReduced, checks));
    const settling = isReduced
        ? [add('reduce', reduceFunction(map, { replacesAll, representative, marks })), store]
        : [store];
    add('expand', expandFunction(map, taking, settling), 'i32');
    const scatter = compileShards(map, { representative: replaced, marks }, checks.mayStop, module);
    add('merge', mergeFunction(map, checks.invariants), 'i32');
    add('expandBlock', expandFunction(map, taking, [scatter]), 'i32');
    add('move', moveFunction(map));
    add('visit', visitFunction(expanders));
    if (select !== undefined) {
        add('visitSome', visitFunction([...expanders, select]));
    }
}

/** Appends the firings of the state at CURRENT to the batch. */
function visitFunction(targets: readonly number[]): FunctionBody {
    const f = new FunctionBody();
    setHeader(f, 'firstEntry', header('batchEnd'));
    for (const target of targets) {
        f.run(target);
    }
    return f;
}

/** Full batches are passed to the functions `settling` if the caller allows it. */
function expandFunction(map: MemoryMap, expanders: readonly number[], settling: readonly number[]): FunctionBody {
    const f = new FunctionBody(['i32', 'i32', 'i32']);
    const next = f.parameter(0);
    const end = f.parameter(1);
    const mayStore = f.parameter(2);
    setHeader(f, 'told', 0);
    const settle = (): void => {
        settling.forEach(target => {
            f.run(target);
        });
    };
    f.block(done => {
        f.loop(again => {
            f.branchIf(next.is(end), done);
            f.branchIf(header('count').isGreaterUnsigned(header('room')), done);
            f.branchIf(header('eventEnd').isAtLeastUnsigned(map.fullEvents), done);
            const address = f.variable(stateAddress(map, next));
            for (let word = 0; word < map.longCount; word++) {
                f.store64(0, CURRENT + 8 * word, load64(address, 8 * word));
            }
            setHeader(f, 'parent', next);
            const before = f.variable(header('batchEnd'));
            setHeader(f, 'firstEntry', before);
            for (const expander of expanders) {
                f.run(expander);
            }
            f.if(header('batchEnd').is(before), () => {
                appendSpecial(f, map, before, STUCK_ENTRY);
            });
            next.add(1);
            f.branchIf(header('batchEnd').isLessUnsigned(map.fullBatch), again);
            f.branchUnless(mayStore, done);
            settle();
            f.branchUnless(header('isStopped'), again);
        });
    });
    f.if(mayStore, settle);
    f.result(next);
    return f;
}

/**
 * Replaces the states of the batch, except if their representatives are known to be stored or in the batch; the hash of
 * states left is LEFT. A separate pass, since representatives take too long for waiting for two slots at once.
 */
function reduceFunction(
    map: MemoryMap,
    {
        replacesAll,
        representative,
        marks,
    }: Pick<StateWork, 'replacesAll' | 'representative'> & { readonly marks: boolean },
): FunctionBody {
    const f = new FunctionBody();
    const tail = 8 * map.longCount;
    forEachEntry(f, map, (entry, next) => {
        f.branchIf(isSpecial(map, entry), next);
        markEntry(f, map, entry);
        f.store32(entry, tail + ENTRY.slot, 0);
        f.store32(entry, tail + ENTRY.hash, 0);
        if (marks) {
            f.branchIf(isLater(map, entry), next);
        }
        if (!replacesAll) {
            branchIfReplaced(f, map, entry, next);
        }
        f.store32(entry, tail + ENTRY.slot, 1);
        f.store32(entry, tail + ENTRY.hash, representative === undefined ? LEFT : call(representative.target, entry));
    });
    return f;
}

/** Looks up and stores the batch, after the replacement by representatives. */
function storeFunction(map: MemoryMap, isReduced: boolean, checks: StateChecks): FunctionBody {
    const f = new FunctionBody();
    const list = { start: map.list, end: f.variable(map.list) };
    listEntries(f, map, isReduced, list.end);
    dropStored(f, map, list, ENTRY.slot);
    const uncounted = f.variable(0);
    const counted = f.local('i32');
    /** Counts the firings before an address; initial states, in batches of their own, do not count. */
    const countBefore = (address: Int): void => {
        const entries = address.minus(map.batch).dividedBy(map.entryBytes);
        const areFirings = load32(map.batch, 8 * map.longCount + ENTRY.parent).isNot(-1);
        counted.set(header('transitions').plus(entries.minus(uncounted).times(areFirings)));
    };
    const tell = (kind: number, subject: Int, state: Int, entry: Int): void => {
        f.scope(() => {
            countBefore(entry.plus(map.entryBytes));
            const end = f.variable(header('eventEnd'));
            writeEvent(f, kind, { subject, state, stored: header('count'), transitions: counted }, end);
            setHeader(f, 'eventEnd', end);
        });
    };
    f.block(stopped => {
        forEachItem(f, list, (entry, next, item) => {
            const parent = load32(entry, 8 * map.longCount + ENTRY.parent);
            f.if(load32(item).and(SLOT_KEPT), () => {
                const state = f.variable(load32(entry));
                f.if(parent.is(FAULT_ENTRY), () => {
                    const hash = load32(entry, 8 * map.longCount + ENTRY.hash);
                    countOutside(f, map, hash, () => {
                        uncounted.add(1);
                        f.branch(next);
                    });
                    const site = f.variable(hash.and(2 ** SITE_BITS - 1));
                    // Only the first fault of a site is an event.
                    f.branchIf(load8(site, map.flags), next);
                    f.store8(site, map.flags, 1);
                    tell(EVENT.fault, site, state, entry);
                    f.branch(next);
                });
                uncounted.add(1);
                if (checks.mayStop !== undefined) {
                    f.branchIf(call(checks.mayStop, stateAddress(map, state)), next);
                    tell(EVENT.stuck, state, state, entry);
                }
                f.branch(next);
            });
            const place = f.variable(load32(entry, 8 * map.longCount + ENTRY.slot));
            const slot = f.variable(slotAddress(map, place));
            findEntry(f, map, entry, place, slot, next);
            const index = f.variable(header('count'));
            f.if(index.isAtLeastUnsigned(header('maxStates')), () => {
                tell(EVENT.limit, index, index, entry);
                setHeader(f, 'isStopped', 1);
                f.branch(stopped);
            });
            const address = storeNew(f, map, entry, slot, index);
            if (checks.invariants !== undefined) {
                f.branchIf(call(checks.invariants, address), next);
                tell(EVENT.violated, index, index, entry);
            }
        });
        countBefore(header('batchEnd'));
    });
    setHeader(f, 'transitions', counted);
    setHeader(f, 'batchEnd', map.batch);
    return f;
}

/** Marks and hashes the entries of the batch, and lists those not looked up recently. */
function listEntries(f: FunctionBody, map: MemoryMap, isReduced: boolean, end: WasmVariable<'i32'>): void {
    const tail = 8 * map.longCount;
    forEachEntry(f, map, (entry, next) => {
        f.if(isSpecial(map, entry), () => {
            f.store32(entry, tail + ENTRY.slot, 0);
            f.store32(end, 0, entry.or(SLOT_KEPT));
            end.add(4);
            f.branch(next);
        });
        if (isReduced) {
            f.branchUnless(load32(entry, tail + ENTRY.slot), next);
        }
        // States from the canonicalizer have no mark.
        markEntry(f, map, entry);
        const mixed = f.local('i64');
        mixEntry(f, map, entry, mixed);
        const hash = f.variable(hashOf(mixed));
        f.store32(entry, tail + ENTRY.hash, hash);
        const place = f.variable(firstPlace(map, hash));
        f.store32(entry, tail + ENTRY.slot, slotAddress(map, place));
        f.store32(end, 0, entry);
        end.add(isRecent(f, map, entry, hash).isZero().shiftedLeft(2));
    });
}

/** Stores the state of an entry in a slot and, as number `index`, in the queue; returns its address there. */
function storeNew(f: FunctionBody, map: MemoryMap, entry: Int, slot: Int, index: Int): Int {
    const tail = 8 * map.longCount;
    const address = f.variable(stateAddress(map, index));
    copyWords(f, map.keyLongs, entry, slot, map.key);
    copyWords(f, map.longCount, entry, address);
    storeSummand(f, map, index, load32(entry, tail + ENTRY.summand));
    // An initial state has parent 0 here.
    const parent = f.variable(load32(entry, tail + ENTRY.parent));
    const bit = f.variable(index.plus(select(parent.isNot(-1), parent, 0)));
    const byte = f.variable(byteAddress(map.parents, bit));
    f.store8(byte, 0, load8(byte).or(bitInByte(bit)));
    setHeader(f, 'count', index.plus(1));
    return address;
}

/** Moves the slots between two numbers into the present table, which lacks them. */
function moveFunction(map: MemoryMap): FunctionBody {
    const lastWord = 8 * map.keyLongs - 8;
    const f = new FunctionBody(['i32', 'i32', 'i32']);
    const directory = f.parameter(0);
    const from = f.parameter(1);
    const end = f.parameter(2);
    f.while(from.isNot(end), () => {
        f.block(free => {
            const old = f.variable(slotIn(map, directory, from));
            f.branchIf(load64(old, lastWord).isZero(), free);
            const mixed = f.local('i64');
            mixKey(f, map, old, mixed);
            const hash = f.variable(hashOf(mixed));
            const place = f.variable(firstPlace(map, hash));
            const slot = f.variable(slotAddress(map, place));
            probe(f, map, place, slot, found => {
                f.branchIf(load64(slot, lastWord).isZero(), found);
            });
            copyWords(f, map.keyLongs, old, slot);
        });
        from.add(1);
    });
    return f;
}
