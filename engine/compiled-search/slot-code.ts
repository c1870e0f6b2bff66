/**
 * Pieces that the loops of a search are written from: reading the header, hashing a state, finding its slot, pages of tapes,
 * entries of the batch, events.
 */
import type { FunctionWriter, Label, Local } from '../webassembly/function-writer.js';
import { ENTRY, EVENT_BYTES, HEADER, MARK, recentBits, STUCK_ENTRY, type MemoryMap, type Tape } from './memory-map.js';

/** Odd, without a pattern: the fractional part of the golden ratio, and a constant of the finalizer of MurmurHash3. */
const FIRST_FACTOR = 0x9e3779b97f4a7c15n;
const SECOND_FACTOR = 0xff51afd7ed558ccdn;
/**
 * A permutation of 64 bits in which each bit depends on all: shifts and factors in turns. D. Stafford's variant 13 of the
 * finalizer of MurmurHash3 (public domain), as in [SteeleLeaFlood2014].
 */
const SCATTERING: readonly (readonly [shift: bigint, factor: bigint])[] = [
    [30n, 0xbf58476d1ce4e5b9n],
    [27n, 0x94d049bb133111ebn],
    [31n, 1n],
];

export function load(f: FunctionWriter, address: number): FunctionWriter {
    return f.i32(0).memory('i32_load', address);
}

/** Pushes the hash of the state of an entry: the upper half of what is in `mixed` afterwards. Its key is then complete. */
export function pushHash(f: FunctionWriter, map: MemoryMap, entry: Local, mixed: Local): void {
    if (map.key === 0) {
        mixWords(f, map.longCount, entry, mixed);
    } else {
        takeFingerprint(f, map.longCount, entry, mixed);
        f.get(entry).get(mixed).i64(BigInt.asIntN(64, MARK)).op('i64_or').memory('i64_store', map.key);
    }
    pushUpperHalf(f, mixed);
}

/** Pushes a hash of so many long words at an address: the upper half of what is in `mixed` afterwards. */
function pushHashOfWords(f: FunctionWriter, longCount: number, address: Local, mixed: Local): void {
    mixWords(f, longCount, address, mixed);
    pushUpperHalf(f, mixed);
}

/** Pushes the hash of a state that has this key, as `pushHash` does, but for the lowest bit of `mixed`. */
export function pushHashOfKey(f: FunctionWriter, map: MemoryMap, address: Local, mixed: Local, offset = 0): void {
    if (map.key > 0) {
        f.get(address).memory('i64_load', offset).set(mixed);
    } else {
        mixWords(f, map.longCount, address, mixed);
    }
    pushUpperHalf(f, mixed);
}

function pushUpperHalf(f: FunctionWriter, mixed: Local): void {
    f.get(mixed).i64(32n).op('i64_shr_u', 'i32_wrap_i64');
}

/**
 * Mixes the long words at an address so that two states come to one result about as often as two random numbers do. For a
 * table it is enough that states which resemble each other are scattered (`mixWords`); there whole families of states that
 * differ in the same two bits would have one fingerprint.
 */
function takeFingerprint(f: FunctionWriter, longCount: number, address: Local, mixed: Local): void {
    f.i64(0n).set(mixed);
    for (let word = 0; word < longCount; word++) {
        f.get(mixed)
            .get(address)
            .memory('i64_load', 8 * word)
            .op('i64_xor')
            .set(mixed);
        for (const [shift, factor] of SCATTERING) {
            f.get(mixed).get(mixed).i64(shift).op('i64_shr_u', 'i64_xor');
            f.i64(BigInt.asIntN(64, factor)).op('i64_mul').set(mixed);
        }
    }
}

/** Mixes the long words at an address for a place in the table. */
function mixWords(f: FunctionWriter, longCount: number, address: Local, mixed: Local): void {
    for (let word = 0; word < longCount; word++) {
        f.get(address).memory('i64_load', 8 * word);
        if (word > 0) {
            f.get(mixed).i64(29n).op('i64_rotl', 'i64_xor');
        }
        f.i64(FIRST_FACTOR).op('i64_mul').set(mixed);
    }
    f.get(mixed).get(mixed).i64(32n).op('i64_shr_u', 'i64_xor').i64(SECOND_FACTOR).op('i64_mul').set(mixed);
}

/** Pushes the number of the first slot of the bucket where a state with that hash is, or would be if it were alone. */
export function pushFirstPlace(f: FunctionWriter, { bucketSlots }: MemoryMap, hash: Local): void {
    f.get(hash).op('i64_extend_i32_u');
    load(f, HEADER.slots).op('i64_extend_i32_u', 'i64_mul').i64(32n).op('i64_shr_u', 'i32_wrap_i64');
    if (bucketSlots > 1) {
        f.i32(-bucketSlots).op('i32_and');
    }
}

export function pushSlotAddress(f: FunctionWriter, map: MemoryMap, place: Local): void {
    const directory = f.acquire('i32');
    load(f, HEADER.directory).set(directory);
    pushInPage(f, map, directory, place);
    f.release(directory);
}

/** Pushes the address of a slot that a directory lists. */
export function pushInPage(
    f: FunctionWriter,
    { slots: [{ shift }], keyLongs }: MemoryMap,
    directory: Local,
    place: Local,
): void {
    f.get(directory).get(place).i32(shift).op('i32_shr_u').i32(2).op('i32_shl', 'i32_add').memory('i32_load');
    f.get(place)
        .i32((1 << shift) - 1)
        .op('i32_and')
        .i32(8 * keyLongs)
        .op('i32_mul', 'i32_add');
}

/** Passes over the slots from one on, until `look` leaves for the label it is given. */
export function probe(
    f: FunctionWriter,
    map: MemoryMap,
    place: Local,
    slot: Local,
    look: (leave: Label) => void,
): void {
    const leave = f.block();
    const again = f.loop();
    look(leave);
    toNextSlot(f, map, place, slot);
    f.br(again).end().end();
}

export function toNextSlot(f: FunctionWriter, map: MemoryMap, place: Local, slot: Local): void {
    const { keyLongs, slots } = map;
    f.get(slot)
        .i32(8 * keyLongs)
        .op('i32_add')
        .set(slot);
    f.get(place).i32(1).op('i32_add').tee(place);
    f.i32((1 << slots[0].shift) - 1)
        .op('i32_and', 'i32_eqz')
        .if();
    pushSlotAddress(f, map, place);
    f.set(slot).end();
}

/** Pushes the address of the page of a tape in which a number is. */
function pushPage(f: FunctionWriter, { shift, directory }: Tape, number: Local): void {
    f.get(number).i32(shift).op('i32_shr_u').i32(2).op('i32_shl').memory('i32_load', directory);
}

/** What an event says, each a local. */
export interface EventParts {
    readonly subject: Local;
    readonly state: Local;
    readonly stored: Local;
    readonly transitions: Local;
}

/** Appends an event behind the address in `end`, which then is that behind it. */
export function writeEvent(
    f: FunctionWriter,
    kind: number,
    { subject, state, stored, transitions }: EventParts,
    end: Local,
): void {
    f.get(end).i32(kind).memory('i32_store', 0);
    [subject, state, stored, transitions].forEach((part, index) => {
        f.get(end)
            .get(part)
            .memory('i32_store', 4 * index + 4);
    });
    f.get(end).i32(EVENT_BYTES).op('i32_add').set(end);
}

/** Appends an event, with the counts as they are. */
export function pushEvent(f: FunctionWriter, kind: number, subject: Local, state: Local, transitions: Local): void {
    const end = f.acquire('i32');
    const stored = f.acquire('i32');
    load(f, HEADER.count).set(stored);
    load(f, HEADER.eventEnd).set(end);
    writeEvent(f, kind, { subject, state, stored, transitions }, end);
    f.i32(0).get(end).memory('i32_store', HEADER.eventEnd);
    f.release(end);
    f.release(stored);
}

/** Pushes the address of a stored state that has not been given up. */
export function pushStateAddress(f: FunctionWriter, { states, longCount }: MemoryMap, index: Local): void {
    pushPage(f, states, index);
    f.get(index)
        .i32((1 << states.shift) - 1)
        .op('i32_and')
        .i32(8 * longCount)
        .op('i32_mul', 'i32_add');
}

/** Pushes the address of the byte of a tape that has bit `number`. */
export function pushBitAddress(f: FunctionWriter, tape: Tape, number: Local): void {
    pushPage(f, tape, number);
    f.get(number)
        .i32((1 << tape.shift) - 1)
        .op('i32_and')
        .i32(3)
        .op('i32_shr_u', 'i32_add');
}

/** Pushes a byte with the bit that bit `number` of a tape is in its byte. */
export function pushBit(f: FunctionWriter, number: Local): void {
    f.i32(1).get(number).i32(7).op('i32_and', 'i32_shl');
}

/** Writes down by which summand a state was found; `pushSummand` pushes that. */
export function storeSummand(
    f: FunctionWriter,
    { summands, summandBytes }: MemoryMap,
    index: Local,
    pushSummand: () => void,
): void {
    pushPage(f, summands, index);
    f.get(index)
        .i32((1 << summands.shift) - 1)
        .op('i32_and')
        .i32(summandBytes)
        .op('i32_mul', 'i32_add');
    pushSummand();
    f.memory(summandBytes === 1 ? 'i32_store8' : summandBytes === 2 ? 'i32_store16' : 'i32_store');
}

/** Runs `work` for the entries of the batch. */
export function forEachEntry(f: FunctionWriter, map: MemoryMap, entry: Local, work: () => void): void {
    const end = f.acquire('i32');
    load(f, HEADER.batchEnd).set(end);
    f.i32(map.batch).set(entry);
    forEachEntryBefore(f, map, entry, end, work);
    f.release(end);
}

/** Runs `work` for the entries from one on. */
export function forEachEntryBefore(
    f: FunctionWriter,
    { entryBytes }: MemoryMap,
    entry: Local,
    end: Local,
    work: () => void,
): void {
    const done = f.block();
    const again = f.loop();
    f.get(entry).get(end).op('i32_eq').brIf(done);
    work();
    f.get(entry).i32(entryBytes).op('i32_add').set(entry).br(again).end().end();
}

/** The lowest bit of an item of the list: the entry is kept whatever its slot says. */
export const KEPT = 1;

/**
 * Drops the entries of a list, from its first item to `end`, whose states are in their bucket; the others begin to look
 * where that has no states any more, only claims or nothing. `field` of an entry has the address of the bucket, then the
 * number of that slot.
 *
 * First all buckets are touched, and nothing else is done: a processor then finds the loads of many of them among the
 * instructions that it looks at, and waits for all of them at once. No branch depends on what is in a bucket, for half of
 * them would be guessed wrong.
 */
export function dropStored(
    f: FunctionWriter,
    map: MemoryMap,
    { list, end }: Readonly<Record<'list' | 'end', Local>>,
    field: number,
): void {
    const { longCount, keyLongs, key, bucketSlots } = map;
    const tail = 8 * longCount;
    const entry = f.acquire('i32');
    const slot = f.acquire('i32');
    const rest = f.acquire('i32');
    const item = f.acquire('i32');
    const touched = f.acquire('i64');
    const pushAddress = (): void => {
        f.get(entry).memory('i32_load', tail + field);
    };
    /** Loads of what nobody asks for are left out. The end of the list is this thread's own: others would have to give it up. */
    const keepLoads = (): void => {
        f.get(end).get(touched).memory('i64_store');
    };
    const lastWord = 8 * keyLongs - 8;
    const touchedWords = keyLongs > 4 ? [0, lastWord] : [lastWord];
    forEachItem(f, { entry, item, list, end }, () => {
        for (const word of touchedWords) {
            pushAddress();
            f.memory('i64_load', word).get(touched).op('i64_xor').set(touched);
        }
    });
    keepLoads();
    const hash = f.acquire('i32');
    f.get(list).set(rest);
    forEachItem(f, { entry, item, list, end }, () => {
        pushAddress();
        f.set(slot);
        f.get(entry)
            .memory('i32_load', tail + ENTRY.hash)
            .set(hash);
        f.get(entry);
        pushFirstPlace(f, map, hash);
        for (let index = 0; index < bucketSlots; index++) {
            f.get(slot)
                .memory('i32_load', 8 * keyLongs * index + lastWord)
                .i32(Number(MARK))
                .op('i32_and', 'i32_add');
        }
        f.memory('i32_store', tail + field);
        f.get(rest).get(item).memory('i32_load').memory('i32_store');
        f.get(rest).i32(1);
        for (let index = 0; index < bucketSlots; index++) {
            pushAreEqual(f, keyLongs, { first: entry, at: key, second: slot, and: 8 * keyLongs * index });
            if (index > 0) {
                f.op('i32_or');
            }
        }
        f.op('i32_sub')
            .get(item)
            .memory('i32_load')
            .i32(KEPT)
            .op('i32_and', 'i32_or')
            .i32(2)
            .op('i32_shl', 'i32_add')
            .set(rest);
    });
    f.get(rest).set(end);
    forEachItem(f, { entry, item, list, end }, () => {
        pushAddress();
        f.set(hash);
        pushSlotAddress(f, map, hash);
        f.memory('i64_load', lastWord).get(touched).op('i64_xor').set(touched);
    });
    keepLoads();
    for (const local of [entry, slot, rest, item, touched, hash]) {
        f.release(local);
    }
}

/** Runs `work` for the entries of a list, from its first item to `end`. */
export function forEachItem(
    f: FunctionWriter,
    { entry, item, list, end }: Readonly<Record<'entry' | 'item' | 'list' | 'end', Local>>,
    work: () => void,
): void {
    f.get(list).set(item);
    const done = f.block();
    const again = f.loop();
    f.get(item).get(end).op('i32_eq').brIf(done);
    f.get(item).memory('i32_load').i32(~KEPT).op('i32_and').set(entry);
    work();
    f.get(item).i32(4).op('i32_add').set(item).br(again).end().end();
}

/** Pushes whether an entry is a fault or a state in which nothing happens. */
export function pushIsSpecial(f: FunctionWriter, { longCount }: MemoryMap, entry: Local): void {
    f.get(entry)
        .memory('i32_load', 8 * longCount + ENTRY.parent)
        .i32(STUCK_ENTRY)
        .op('i32_sub')
        .i32(2)
        .op('i32_lt_u');
}

/**
 * Replaces the state of an entry by its representative, unless it leaves for `known`: where that was done lately for the same
 * state, so that the representative is stored already. Many states are met several times before anybody can see that their
 * representatives are the same, and this is less work than any representative.
 */
export function leaveIfReplaced(
    f: FunctionWriter,
    { longCount, recentReplaced }: MemoryMap,
    { entry, hash, mixed }: Readonly<Record<'entry' | 'hash' | 'mixed', Local>>,
    known: Label,
): void {
    pushHashOfWords(f, longCount, entry, mixed);
    f.set(hash);
    pushIsRecent(f, { keyLongs: longCount, key: 0, recent: recentReplaced }, { entry, hash });
    f.brIf(known);
}

/** Sets the mark of the state of an entry. */
export function markEntry(f: FunctionWriter, { longCount }: MemoryMap, entry: Local): void {
    const lastWord = 8 * longCount - 8;
    f.get(entry).get(entry).memory('i64_load', lastWord).i64(BigInt.asIntN(64, MARK)).op('i64_or');
    f.memory('i64_store', lastWord);
}

/** Copies long words from one address, and an offset, to another. */
export function copyWords(f: FunctionWriter, longCount: number, source: Local, target: Local, offset = 0): void {
    for (let word = 0; word < longCount; word++) {
        f.get(target)
            .get(source)
            .memory('i64_load', offset + 8 * word)
            .memory('i64_store', 8 * word);
    }
}

/** Leaves for `known` where the state of an entry is in the seen set, else goes on with `slot` where it belongs. */
export function findEntry(
    f: FunctionWriter,
    map: MemoryMap,
    { entry, place, slot, found }: Readonly<Record<'entry' | 'place' | 'slot' | 'found', Local>>,
    known: Label,
): void {
    const lastWord = 8 * map.keyLongs - 8;
    probe(f, map, place, slot, empty => {
        const different = f.block();
        f.get(slot).memory('i64_load', lastWord).tee(found).op('i64_eqz').brIf(empty);
        f.get(found)
            .get(entry)
            .memory('i64_load', map.key + lastWord)
            .op('i64_ne')
            .brIf(different);
        leaveIfDifferent(f, map.keyLongs - 1, { first: entry, at: map.key, second: slot, and: 0 }, different);
        f.br(known).end();
    });
}

/**
 * Pushes whether the key of an entry is one of the recent ones that are kept at an address; from here on it is. Half of the
 * answers are yes, in no order, so nobody should branch who can do without.
 */
export function pushIsRecent(
    f: FunctionWriter,
    { keyLongs, key, recent }: Pick<MemoryMap, 'keyLongs' | 'key' | 'recent'>,
    { entry, hash }: Readonly<Record<'entry' | 'hash', Local>>,
): void {
    const place = f.acquire('i32');
    f.get(hash)
        .i32(32 - recentBits(keyLongs))
        .op('i32_shr_u');
    f.i32(8 * keyLongs)
        .op('i32_mul')
        .i32(recent)
        .op('i32_add')
        .set(place);
    pushAreEqual(f, keyLongs, { first: place, at: 0, second: entry, and: key });
    copyWords(f, keyLongs, entry, place, key);
    f.release(place);
}

/** Long words `at` bytes behind one address, and `and` bytes behind another. */
interface TwoPlaces {
    readonly first: Local;
    readonly at: number;
    readonly second: Local;
    readonly and: number;
}

/** Leaves for a label where long words are not the same. */
export function leaveIfDifferent(
    f: FunctionWriter,
    longCount: number,
    { first, at, second, and }: TwoPlaces,
    different: Label,
): void {
    for (let word = 0; word < longCount; word++) {
        f.get(first)
            .memory('i64_load', at + 8 * word)
            .get(second)
            .memory('i64_load', and + 8 * word)
            .op('i64_ne')
            .brIf(different);
    }
}

/** Pushes whether long words are the same. */
function pushAreEqual(f: FunctionWriter, longCount: number, { first, at, second, and }: TwoPlaces): void {
    for (let word = 0; word < longCount; word++) {
        f.get(first)
            .memory('i64_load', at + 8 * word)
            .get(second)
            .memory('i64_load', and + 8 * word)
            .op('i64_xor');
        if (word > 0) {
            f.op('i64_or');
        }
    }
    f.op('i64_eqz');
}
