/**
 * What becomes of a block of states that a thread has expanded, once all threads agree on what is new:
 *
 *     merge(heads, lists, first, base, most, events) → end of the events
 *
 * It runs in the memory of the tapes, where each list has a head: the address of its next claim, and its end. Lists are
 * sorted by sequence; the last one has what is no state. So new states and events are met in the order in which one
 * thread would have met them. The states are written to the tapes from number `base` on, but for more than `most` of them.
 * They come from the states from number `first` on; events count from both, and from the firings before the block.
 */
import { FunctionWriter } from '../../webassembly/function-writer.js';
import { EVENT, ORIGIN, SENT, SEQUENCE, type MemoryMap } from '../memory-map.js';
import { copyWords, pushBit, pushBitAddress, pushStateAddress, storeSummand, writeEvent } from '../slot-code.js';

/** What a head has, and its length. */
export const HEAD = { next: 0, end: 4, bytes: 8 } as const;

/** `invariants` is a function (address of a state) → 1 where all hold; absent where nothing is checked. */
export function mergeFunction(map: MemoryMap, invariants: number | undefined): FunctionWriter {
    const { longCount, entryBytes, parents } = map;
    const f = new FunctionWriter(['i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
    const tail = 8 * longCount;
    const heads = f.parameter(0);
    const lists = f.parameter(1);
    const first = f.parameter(2);
    const base = f.parameter(3);
    const most = f.parameter(4);
    const events = f.parameter(5);
    const head = f.acquire('i32');
    const headsEnd = f.acquire('i32');
    const nextHead = f.acquire('i32');
    const claim = f.acquire('i32');
    const candidate = f.acquire('i32');
    const sequence = f.acquire('i32');
    const state = f.acquire('i32');
    const subject = f.acquire('i32');
    const count = f.acquire('i32');
    const counted = f.acquire('i32');
    const index = f.acquire('i32');
    const address = f.acquire('i32');
    const parts = { subject, state, stored: count, transitions: counted };
    const loadOf = (field: number): FunctionWriter => f.get(claim).memory('i32_load', tail + field);
    f.get(heads).get(lists).i32(HEAD.bytes).op('i32_mul', 'i32_add').set(headsEnd);
    const done = f.block();
    const again = f.loop();

    // The claim that comes next has the least sequence of all heads.
    f.i32(0).set(nextHead);
    f.i32(-1).set(sequence);
    f.get(heads).set(head);
    const nextList = f.loop();
    const later = f.block();
    f.get(head).memory('i32_load', HEAD.next).tee(candidate);
    f.get(head).memory('i32_load', HEAD.end).op('i32_eq').brIf(later);
    f.get(candidate)
        .memory('i32_load', tail + SENT.sequence)
        .get(sequence)
        .op('i32_ge_u')
        .brIf(later);
    f.get(candidate)
        .tee(claim)
        .memory('i32_load', tail + SENT.sequence)
        .set(sequence);
    f.get(head).set(nextHead).end();
    f.get(head).i32(HEAD.bytes).op('i32_add').tee(head);
    f.get(headsEnd).op('i32_ne').brIf(nextList).end();
    f.get(nextHead).op('i32_eqz').brIf(done);
    f.get(nextHead).get(claim).i32(entryBytes).op('i32_add').memory('i32_store', HEAD.next);
    f.get(sequence)
        .i32((1 << SEQUENCE.blockShift) - 1)
        .op('i32_and')
        .i32(SEQUENCE.countShift)
        .op('i32_shr_u')
        .set(counted);

    f.get(nextHead).i32(HEAD.bytes).op('i32_add').get(headsEnd).op('i32_eq').if();
    loadOf(SENT.origin).set(state);
    f.get(sequence).i32(SEQUENCE.stuck).op('i32_and').if();
    f.get(state).set(subject);
    writeEvent(f, EVENT.stuck, parts, events);
    f.else();
    loadOf(SENT.hash).set(subject);
    writeEvent(f, EVENT.fault, parts, events);
    f.end();
    f.br(again).end();

    f.get(count).tee(state).set(subject);
    f.get(count).get(most).op('i32_eq').if();
    writeEvent(f, EVENT.limit, parts, events);
    f.br(done).end();
    f.get(base).get(count).op('i32_add').set(index);
    pushStateAddress(f, map, index);
    f.set(address);
    copyWords(f, longCount, claim, address);
    storeSummand(f, map, index, () => loadOf(SENT.origin).i32(ORIGIN.summandShift).op('i32_shr_u'));
    // Bit number index + parent. Other threads set bits of the same byte.
    loadOf(SENT.origin)
        .i32((1 << ORIGIN.summandShift) - 1)
        .op('i32_and')
        .get(first)
        .op('i32_add')
        .get(index)
        .op('i32_add')
        .set(index);
    pushBitAddress(f, parents, index);
    pushBit(f, index);
    f.atomic('i32_atomic_rmw8_or_u').op('drop');
    f.get(count).i32(1).op('i32_add').set(count);
    if (invariants !== undefined) {
        f.get(address).call(invariants).brIf(again);
        writeEvent(f, EVENT.violated, parts, events);
    }
    f.br(again).end().end();
    f.get(events);
    return f;
}
