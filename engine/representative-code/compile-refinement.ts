/**
 * Refinement of an order of elements in generated code: classes of elements of which a state says the same are split by the
 * classes of those that it relates them to, as in representative/representative-by-refinement.ts, and with the same hashes.
 *
 * What cells say is in tables: for each cell where it is and, by what is stored there, a record of the elements that it
 * speaks of. The code is the same for all models.
 */
import type { StateLayout } from '../explore/state-layout.js';
import { MEANING_STEP, SCRAMBLE, UNORDERED_STEP } from '../representative/order-plan.js';
import type { RelationCell } from '../representative/representative-plan.js';
import { FunctionWriter, type Local } from '../webassembly/function-writer.js';
import { storedIn } from './state-words.js';
import type { StaticData } from '../codegen/static-data.js';

/** Bytes that records of all cells together may take. */
const MOST_RECORD_BYTES = 1 << 20;

/** Addresses of numbers of 32 bits. */
export interface ClassArrays {
    /** The element at a position. */
    readonly order: number;
    /** By element: the position at which its class starts. */
    readonly classStart: number;
    /** By the position at which a class starts: the position behind it. */
    readonly classEnd: number;
}

/** Where a cell is, and its records. */
const CELL = { word: 0, shift: 4, mask: 8, records: 12, bytes: 16 } as const;
/** What a cell says: `elements` addresses in an array of numbers, four bytes apart, up to `end` bytes behind the record. */
const RECORD = { meaning: 0, end: 4, isUnordered: 8, elements: 12, bytes: 28 } as const;

/**
 * A function that splits the classes of the state at an address until no class splits, and returns 1 if it has split one;
 * `undefined` where the tables would be too large, or where nothing relates elements.
 */
export function refineFunction(
    relations: readonly RelationCell[],
    elementCount: number,
    layout: StateLayout,
    data: StaticData,
    { order, classStart, classEnd }: ClassArrays,
    state: number,
): FunctionWriter | undefined {
    const recordBytes = relations.reduce((sum, { cell }) => sum + RECORD.bytes * 2 ** layout.placements[cell].bits, 0);
    if (relations.length === 0 || recordBytes > MOST_RECORD_BYTES) {
        return undefined;
    }
    const keys = data.space(4 * elementCount);
    const facts = data.space(4 * relations.length);
    const cells = cellTable(relations, layout, data);
    const hasUnordered = relations.some(({ said }) => said.some(({ isUnordered }) => isUnordered));
    const f = new FunctionWriter();
    const factEnd = f.acquire('i32');
    const hasSplit = f.acquire('i32');
    const splitsNow = f.acquire('i32');
    collectFacts();
    f.i32(0).set(hasSplit);
    const again = f.loop();
    f.i32(keys)
        .i32(0)
        .i32(4 * elementCount)
        .fillMemory();
    addFacts();
    splitClasses();
    f.get(hasSplit).get(splitsNow).op('i32_or').set(hasSplit);
    f.get(splitsNow).brIf(again).end();
    return f.get(hasSplit);

    /** Lists the records of what the state says. */
    function collectFacts(): void {
        const cell = f.acquire('i32');
        const record = f.acquire('i32');
        f.i32(facts).set(factEnd).i32(cells).set(cell);
        const each = f.loop();
        f.get(cell).memory('i32_load', CELL.word).memory('i64_load', state);
        f.get(cell).memory('i32_load', CELL.shift).op('i64_extend_i32_u', 'i64_shr_u', 'i32_wrap_i64');
        f.get(cell).memory('i32_load', CELL.mask).op('i32_and').i32(RECORD.bytes).op('i32_mul');
        f.get(cell).memory('i32_load', CELL.records).op('i32_add').set(record);
        f.get(factEnd).get(record).memory('i32_store');
        // A record of nothing is overwritten by the next one.
        f.get(factEnd).get(record).memory('i32_load', RECORD.end).i32(0).op('i32_ne').i32(2).op('i32_shl', 'i32_add');
        f.set(factEnd);
        f.get(cell).i32(CELL.bytes).op('i32_add').tee(cell);
        f.i32(cells + CELL.bytes * relations.length)
            .op('i32_lt_u')
            .brIf(each)
            .end();
        f.release(cell);
        f.release(record);
    }

    /** Tells each element of each fact the classes of the others. */
    function addFacts(): void {
        const fact = f.acquire('i32');
        const record = f.acquire('i32');
        const end = f.acquire('i32');
        const at = f.acquire('i32');
        const all = f.acquire('i32');
        const mixed = f.acquire('i32');
        const done = f.block();
        f.i32(facts).set(fact);
        const each = f.loop();
        f.get(fact).get(factEnd).op('i32_eq').brIf(done);
        f.get(fact).memory('i32_load').tee(record).get(record).memory('i32_load', RECORD.end).op('i32_add').set(end);
        const pushClass = (): void => {
            f.get(at).memory('i32_load', RECORD.elements).memory('i32_load', classStart);
        };
        const eachElement = (work: () => void): void => {
            f.get(record).set(at);
            const next = f.loop();
            work();
            f.get(at).i32(4).op('i32_add').tee(at).get(end).op('i32_lt_u').brIf(next).end();
        };
        /** Adds what is on the stack to the key of the element. */
        const addToKey = (): void => {
            f.set(mixed);
            f.get(at).memory('i32_load', RECORD.elements);
            f.get(at).memory('i32_load', RECORD.elements).memory('i32_load', keys);
            f.get(mixed).op('i32_add').memory('i32_store', keys);
        };
        if (hasUnordered) {
            f.get(record).memory('i32_load', RECORD.isUnordered).if();
            f.i32(0).set(all);
            eachElement(() => {
                pushClass();
                f.i32(UNORDERED_STEP).op('i32_add').set(mixed);
                pushScrambled(f, mixed);
                f.get(all).op('i32_add').set(all);
            });
            f.get(record).memory('i32_load', RECORD.meaning).get(all).op('i32_xor').set(mixed);
            pushScrambled(f, mixed);
            f.set(all);
            eachElement(() => {
                f.get(all);
                addToKey();
            });
            f.else();
        }
        f.get(record).memory('i32_load', RECORD.meaning).set(all);
        eachElement(() => {
            pushClass();
            f.get(all).op('i32_add').i32(MEANING_STEP).op('i32_add').set(mixed);
            pushScrambled(f, mixed);
            f.set(all);
        });
        eachElement(() => {
            // The role of the element: how many come before it.
            f.get(at).get(record).op('i32_sub').i32(2).op('i32_shr_u').get(all).op('i32_add').set(mixed);
            pushScrambled(f, mixed);
            addToKey();
        });
        if (hasUnordered) {
            f.end();
        }
        f.get(fact).i32(4).op('i32_add').set(fact).br(each).end().end();
        [fact, record, end, at, all, mixed].forEach(local => {
            f.release(local);
        });
    }

    /** Sorts each class by the keys and splits it where they differ. */
    function splitClasses(): void {
        const start = f.acquire('i32');
        const end = f.acquire('i32');
        const next = f.acquire('i32');
        const place = f.acquire('i32');
        const element = f.acquire('i32');
        const key = f.acquire('i32');
        const part = f.acquire('i32');
        const pushElementAt = (position: Local, offset: number): void => {
            f.get(position)
                .i32(2)
                .op('i32_shl')
                .i32(order + 4 * offset)
                .op('i32_add')
                .memory('i32_load');
        };
        const pushKeyAt = (position: Local, offset: number): void => {
            pushElementAt(position, offset);
            f.i32(2).op('i32_shl').memory('i32_load', keys);
        };
        f.i32(0).set(splitsNow).i32(0).set(start);
        const eachClass = f.loop();
        f.get(start).i32(2).op('i32_shl').memory('i32_load', classEnd).set(end);
        f.get(end).get(start).op('i32_sub').i32(1).op('i32_gt_u').if();
        // Insertion: classes are short.
        f.get(start).i32(1).op('i32_add').set(next);
        const eachNext = f.loop();
        pushElementAt(next, 0);
        f.tee(element).i32(2).op('i32_shl').memory('i32_load', keys).set(key).get(next).set(place);
        const found = f.block();
        const down = f.loop();
        f.get(place).get(start).op('i32_eq').brIf(found);
        pushKeyAt(place, -1);
        f.get(key).op('i32_le_s').brIf(found);
        f.get(place).i32(2).op('i32_shl');
        pushElementAt(place, -1);
        f.memory('i32_store', order);
        f.get(place).i32(1).op('i32_sub').set(place).br(down).end().end();
        f.get(place).i32(2).op('i32_shl').get(element).memory('i32_store', order);
        f.get(next).i32(1).op('i32_add').tee(next).get(end).op('i32_lt_u').brIf(eachNext).end();
        // The parts.
        f.get(start).set(part).get(start).i32(1).op('i32_add').set(next);
        const eachPlace = f.loop();
        pushKeyAt(next, 0);
        pushKeyAt(next, -1);
        f.op('i32_ne').if();
        f.get(part).i32(2).op('i32_shl').get(next).memory('i32_store', classEnd);
        f.get(next).set(part).i32(1).set(splitsNow).end();
        pushElementAt(next, 0);
        f.i32(2).op('i32_shl').get(part).memory('i32_store', classStart);
        f.get(next).i32(1).op('i32_add').tee(next).get(end).op('i32_lt_u').brIf(eachPlace).end();
        f.get(part).i32(2).op('i32_shl').get(end).memory('i32_store', classEnd);
        // The first of the class may be another element now.
        pushElementAt(start, 0);
        f.i32(2).op('i32_shl').get(start).memory('i32_store', classStart);
        f.end();
        f.get(end).tee(start).i32(elementCount).op('i32_lt_u').brIf(eachClass).end();
        [start, end, next, place, element, key, part].forEach(local => {
            f.release(local);
        });
    }
}

function cellTable(relations: readonly RelationCell[], layout: StateLayout, data: StaticData): number {
    const tables: number[] = [];
    for (const { cell, held, said } of relations) {
        const { word, shift, bits } = layout.placements[cell];
        const entries = new Array<number>((RECORD.bytes / 4) * 2 ** bits).fill(0);
        storedIn(layout, cell, held).forEach((stored, i) => {
            if (stored >= 0) {
                const { meaning, elements, isUnordered } = said[i];
                const record = (RECORD.bytes / 4) * stored;
                entries[record + RECORD.meaning / 4] = meaning;
                entries[record + RECORD.end / 4] = 4 * elements.length;
                entries[record + RECORD.isUnordered / 4] = isUnordered ? 1 : 0;
                elements.forEach((element, role) => (entries[record + RECORD.elements / 4 + role] = 4 * element));
            }
        });
        tables.push(8 * word, shift, 2 ** bits - 1, data.table(entries));
    }
    return data.table(tables);
}

/** Pushes what `scramble` makes of the number, which it changes. */
function pushScrambled(f: FunctionWriter, mixed: Local): void {
    for (const { shift, factor } of SCRAMBLE) {
        f.get(mixed).get(mixed).i32(shift).op('i32_shr_u', 'i32_xor');
        if (factor !== undefined) {
            f.i32(factor).op('i32_mul').set(mixed);
        }
    }
}
