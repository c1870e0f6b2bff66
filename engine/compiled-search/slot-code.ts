/** Parts of the generated loops of a search: header, hashing, slots, paged arrays, entries of the batch, events. */
import {
    elementAt,
    type FunctionBody,
    i32,
    type Int,
    type Label,
    load32,
    load64,
    type Operand,
    type WasmVariable,
    union,
} from '../webassembly/function-body.js';
import {
    ENTRY,
    EVENT_BYTES,
    HEADER,
    MARK,
    type MemoryMap,
    type PagedArray,
    recentBits,
    STUCK_ENTRY,
} from './memory-map.js';

/** Odd numbers without a pattern: the fraction of the golden ratio, and a constant of MurmurHash3. */
const FIRST_FACTOR = 0x9e3779b97f4a7c15n;
const SECOND_FACTOR = 0xff51afd7ed558ccdn;
/**
 * A permutation of 64 bits in which each bit depends on all, by shifts and factors. D. Stafford's variant 13 of the
 * finalizer of MurmurHash3 (public domain), as in [SteeleLeaFlood2014].
 */
const SCATTERING: readonly (readonly [shift: bigint, factor: bigint])[] = [
    [30n, 0xbf58476d1ce4e5b9n],
    [27n, 0x94d049bb133111ebn],
    [31n, 1n],
];

export function header(name: keyof typeof HEADER): Int {
    return load32(0, HEADER[name]);
}

export function setHeader(f: FunctionBody, name: keyof typeof HEADER, value: Operand<'i32'>): void {
    f.store32(0, HEADER[name], value);
}

/** Sets `mixed` to the mixed bits of the state of an entry, and completes its key. */
export function mixEntry(f: FunctionBody, map: MemoryMap, entry: Int, mixed: WasmVariable<'i64'>): void {
    if (map.key === 0) {
        mixWords(f, map.longCount, entry, mixed);
    } else {
        takeFingerprint(f, map.longCount, entry, mixed);
        f.store64(entry, map.key, mixed.or(MARK));
    }
}

/** As `mixEntry` from the key at an address, but for the lowest bit. */
export function mixKey(f: FunctionBody, map: MemoryMap, address: Int, mixed: WasmVariable<'i64'>, offset = 0): void {
    if (map.key > 0) {
        mixed.set(load64(address, offset));
    } else {
        mixWords(f, map.longCount, address, mixed);
    }
}

export function hashOf(mixed: WasmVariable<'i64'>): Int {
    return mixed.shiftedRight(32n).toInt();
}

/**
 * Mixes long words into a fingerprint: two states are equal about as often as two random numbers. `mixWords` is enough
 * for a table, but maps whole families of states that differ in two bits to one number.
 */
function takeFingerprint(f: FunctionBody, longCount: number, address: Int, mixed: WasmVariable<'i64'>): void {
    mixed.set(0n);
    for (let word = 0; word < longCount; word++) {
        mixed.set(mixed.xor(load64(address, 8 * word)));
        for (const [shift, factor] of SCATTERING) {
            mixed.set(mixed.xor(mixed.shiftedRight(shift)).times(factor));
        }
    }
}

/** Mixes long words for a place in the table. */
function mixWords(f: FunctionBody, longCount: number, address: Int, mixed: WasmVariable<'i64'>): void {
    for (let word = 0; word < longCount; word++) {
        const own = load64(address, 8 * word);
        mixed.set((word === 0 ? own : own.xor(mixed.rotatedLeft(29n))).times(FIRST_FACTOR));
    }
    mixed.set(mixed.xor(mixed.shiftedRight(32n)).times(SECOND_FACTOR));
}

/** The first slot of the bucket of a hash. */
export function firstPlace({ bucketSlots }: MemoryMap, hash: Int): Int {
    const place = hash.toLong().times(header('slots').toLong()).shiftedRight(32n).toInt();
    return place.and(-bucketSlots);
}

export function slotAddress(map: MemoryMap, place: Int): Int {
    return slotIn(map, header('directory'), place);
}

/** The address of a slot of the table with a directory. */
export function slotIn({ slots: [{ shift }], keyLongs }: MemoryMap, directory: Int, place: Int): Int {
    const page = load32(directory.plus(place.shiftedRight(shift).shiftedLeft(2)));
    return page.plus(place.and(2 ** shift - 1).times(8 * keyLongs));
}

/** Visits slots from one on, until `look` branches to its label. */
export function probe(
    f: FunctionBody,
    map: MemoryMap,
    place: WasmVariable<'i32'>,
    slot: WasmVariable<'i32'>,
    look: (done: Label) => void,
): void {
    f.forever(done => {
        look(done);
        toNextSlot(f, map, place, slot);
    });
}

export function toNextSlot(
    f: FunctionBody,
    map: MemoryMap,
    place: WasmVariable<'i32'>,
    slot: WasmVariable<'i32'>,
): void {
    slot.add(8 * map.keyLongs);
    place.add(1);
    f.if(place.and(2 ** map.slots[0].shift - 1).isZero(), () => {
        slot.set(slotAddress(map, place));
    });
}

function elementAddress({ shift, directory }: PagedArray, index: Int, bytes: number): Int {
    return elementAt(directory, index.shiftedRight(shift)).plus(index.and(2 ** shift - 1).times(bytes));
}

export function stateAddress({ states, longCount }: MemoryMap, index: Int): Int {
    return elementAddress(states, index, 8 * longCount);
}

/** The address of the byte with a bit of a paged array of bits. */
export function byteAddress({ shift, directory }: PagedArray, bit: Int): Int {
    return elementAt(directory, bit.shiftedRight(shift)).plus(bit.and(2 ** shift - 1).shiftedRight(3));
}

/** The byte with only that bit set. */
export function bitInByte(bit: Int): Int {
    return i32(1).shiftedLeft(bit.and(7));
}

export function storeSummand(f: FunctionBody, { summands, summandBytes }: MemoryMap, index: Int, summand: Int): void {
    const address = elementAddress(summands, index, summandBytes);
    switch (summandBytes) {
        case 1:
            f.store8(address, 0, summand);
            break;
        case 2:
            f.store16(address, 0, summand);
            break;
        default:
            f.store32(address, 0, summand);
    }
}

/** Appends an event at `end`, and moves `end`. */
export function writeEvent(
    f: FunctionBody,
    kind: number,
    { subject, state, stored, transitions }: Readonly<Record<'subject' | 'state' | 'stored' | 'transitions', Int>>,
    end: WasmVariable<'i32'>,
): void {
    f.store32(end, 0, kind);
    [subject, state, stored, transitions].forEach((part, index) => {
        f.store32(end, 4 * index + 4, part);
    });
    end.add(EVENT_BYTES);
}

/** Runs `work` for each entry of the batch; a branch to `next` continues with the next one. */
export function forEachEntry(f: FunctionBody, map: MemoryMap, work: (entry: Int, next: Label) => void): void {
    const end = f.variable(header('batchEnd'));
    forEachEntryBetween(f, map, f.variable(map.batch), end, work);
}

export function forEachEntryBetween(
    f: FunctionBody,
    { entryBytes }: MemoryMap,
    from: Int,
    end: Int,
    work: (entry: Int, next: Label) => void,
): void {
    const entry = f.variable(from);
    f.while(entry.isNot(end), () => {
        f.block(next => {
            work(entry, next);
        });
        entry.add(entryBytes);
    });
}

/** The lowest bit of an item of a list: the entry stays in the list in any case. */
export const SLOT_KEPT = 1;

/** Addresses of entries, 4 bytes each, with KEPT. */
interface EntryList {
    readonly start: Operand<'i32'>;
    readonly end: WasmVariable<'i32'>;
}

/** Runs `work` for each entry of a list; a branch to `next` continues with the next one. */
export function forEachItem(
    f: FunctionBody,
    { start, end }: EntryList,
    work: (entry: Int, next: Label, item: Int) => void,
): void {
    const item = f.local('i32');
    item.set(start);
    f.while(item.isNot(end), () => {
        const entry = f.variable(load32(item).and(~SLOT_KEPT));
        f.block(next => {
            work(entry, next, item);
        });
        item.add(4);
    });
}

/**
 * Drops the entries of a list whose states are in their buckets. The others start probing at the first free slot of the
 * bucket. `field` of an entry is the address of the bucket, then the number of that slot.
 *
 * The first loop only touches the buckets, so that the processor loads many at once. No branch depends on the contents
 * of a bucket, since half of them would be predicted wrong.
 */
export function dropStored(f: FunctionBody, map: MemoryMap, list: EntryList, field: number): void {
    const { longCount, keyLongs, key, bucketSlots } = map;
    const tail = 8 * longCount;
    const lastWord = 8 * keyLongs - 8;
    const touched = f.local('i64');
    /** Without a use, compilers would omit the loads. No other thread touches the end of the list. */
    const keepLoads = (): void => {
        f.store64(list.end, 0, touched);
    };
    forEachItem(f, list, entry => {
        for (const word of keyLongs > 4 ? [0, lastWord] : [lastWord]) {
            touched.set(load64(load32(entry, tail + field), word).xor(touched));
        }
    });
    keepLoads();
    const rest = f.local('i32');
    rest.set(list.start);
    forEachItem(f, list, (entry, _next, item) => {
        const bucket = f.variable(load32(entry, tail + field));
        const hash = f.variable(load32(entry, tail + ENTRY.hash));
        const slots = Array.from({ length: bucketSlots }, (_, slot) => 8 * keyLongs * slot);
        const marks = slots.map(slot => load32(bucket, slot + lastWord).and(Number(MARK)));
        f.store32(
            entry,
            tail + field,
            marks.reduce((place, mark) => place.plus(mark), firstPlace(map, hash)),
        );
        f.store32(rest, 0, load32(item));
        const isStored = slots
            .map(slot => areEqual(keyLongs, [entry, key], [bucket, slot]))
            .reduce((any, each) => any.or(each));
        rest.add(i32(1).minus(isStored).or(load32(item).and(SLOT_KEPT)).shiftedLeft(2));
    });
    list.end.set(rest);
    forEachItem(f, list, entry => {
        const place = f.variable(load32(entry, tail + field));
        touched.set(load64(slotAddress(map, place), lastWord).xor(touched));
    });
    keepLoads();
}

/** Counts the entry of a fault with this site if it is a firing that the constraint cuts off, and then does `rest`. */
export function countOutside(f: FunctionBody, { outside }: MemoryMap, site: Int, rest: () => void): void {
    if (outside !== undefined) {
        f.if(site.is(outside), () => {
            setHeader(f, 'outside', header('outside').plus(1));
            rest();
        });
    }
}

export function isSpecial({ longCount }: MemoryMap, entry: Int): Int {
    return load32(entry, 8 * longCount + ENTRY.parent)
        .minus(STUCK_ENTRY)
        .isLessUnsigned(2);
}

/** Branches to `known` if the same state was replaced recently, so that its representative is stored. */
export function branchIfReplaced(
    f: FunctionBody,
    { longCount, recentReplaced }: MemoryMap,
    entry: Int,
    known: Label,
): void {
    f.scope(() => {
        const mixed = f.local('i64');
        mixWords(f, longCount, entry, mixed);
        const hash = f.variable(hashOf(mixed));
        f.branchIf(isRecent(f, { keyLongs: longCount, key: 0, recent: recentReplaced }, entry, hash), known);
    });
}

/** Whether the entry leads to the orbit of an earlier one (select-code.ts). */
export function isLater({ longCount }: MemoryMap, entry: Int): Int {
    return load32(entry, 8 * longCount + ENTRY.summand).isLess(0);
}

export function markEntry(f: FunctionBody, { longCount }: MemoryMap, entry: Int): void {
    const lastWord = 8 * longCount - 8;
    f.store64(entry, lastWord, load64(entry, lastWord).or(MARK));
}

/** Copies long words from an address and an offset to another address. */
export function copyWords(f: FunctionBody, longCount: number, source: Int, target: Int, offset = 0): void {
    for (let word = 0; word < longCount; word++) {
        f.store64(target, 8 * word, load64(source, offset + 8 * word));
    }
}

/** Branches to `known` if the seen set has the state, else leaves its free slot in `slot`. */
export function findEntry(
    f: FunctionBody,
    map: MemoryMap,
    entry: Int,
    place: WasmVariable<'i32'>,
    slot: WasmVariable<'i32'>,
    known: Label,
): void {
    const lastWord = 8 * map.keyLongs - 8;
    probe(f, map, place, slot, free => {
        f.block(different => {
            const found = f.variable(load64(slot, lastWord));
            f.branchIf(found.isZero(), free);
            f.branchIf(found.isNot(load64(entry, map.key + lastWord)), different);
            branchIfDifferent(f, map.keyLongs - 1, [entry, map.key], [slot, 0], different);
            f.branch(known);
        });
    });
}

/** Whether the key of an entry is a recent one; it is afterwards. A branch on it would be predicted badly. */
export function isRecent(
    f: FunctionBody,
    { keyLongs, key, recent }: Pick<MemoryMap, 'keyLongs' | 'key' | 'recent'>,
    entry: Int,
    hash: Int,
): Int {
    return f.compute('i32', () => {
        const index = hash.shiftedRight(32 - recentBits(keyLongs));
        const place = f.variable(index.times(8 * keyLongs).plus(recent));
        const isEqual = f.variable(areEqual(keyLongs, [place, 0], [entry, key]));
        copyWords(f, keyLongs, entry, place, key);
        return isEqual;
    });
}

/** An address and an offset. */
type Position = readonly [address: Int, offset: number];

export function branchIfDifferent(
    f: FunctionBody,
    longCount: number,
    [first, at]: Position,
    [second, and]: Position,
    different: Label,
): void {
    for (let word = 0; word < longCount; word++) {
        f.branchIf(load64(first, at + 8 * word).isNot(load64(second, and + 8 * word)), different);
    }
}

function areEqual(longCount: number, [first, at]: Position, [second, and]: Position): Int {
    const differences = Array.from({ length: longCount }, (_, word) =>
        load64(first, at + 8 * word).xor(load64(second, and + 8 * word)),
    );
    return union(differences).isZero();
}
