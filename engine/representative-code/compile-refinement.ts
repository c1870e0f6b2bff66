/**
 * Refinement of an order of elements in generated code: a class of elements that the state does not tell apart is split by
 * the classes of the elements that they are related to, with the hashes of representative/representative-by-refinement.ts.
 *
 * Tables say where each cell is and, by its stored number, which elements it relates. The code is the same for all models.
 */
import type { StateLayout } from '../explore/state-layout.js';
import { MEANING_STEP, SCRAMBLE, UNORDERED_STEP } from '../representative/order-plan.js';
import type { RelationCell } from '../representative/representative-plan.js';
import { elementAt, FunctionBody, type Int, load32, load64, type WasmVariable } from '../webassembly/function-body.js';
import { storedIn } from './state-words.js';
import type { StaticData } from '../codegen/static-data.js';

/** Bytes that records of all cells together may take. */
const MOST_RECORD_BYTES = 1 << 20;

/** Addresses of arrays of 32-bit numbers. */
export interface ClassArrays {
    /** By position: the element there. */
    readonly order: number;
    /** By element: the position at which its class starts. */
    readonly classStart: number;
    /** By the position at which a class starts: the position behind it. */
    readonly classEnd: number;
}

/** Where a cell is, and its records. */
const CELL = { word: 0, shift: 4, mask: 8, records: 12, bytes: 16 } as const;
/** What a cell says: `elements` are offsets in an array of numbers, four bytes apart, up to `end` bytes behind the record. */
export const RECORD = { meaning: 0, end: 4, isUnordered: 8, elements: 12, bytes: 28 } as const;

/** The facts that cells state about several elements. Addresses, and how many there are. */
export interface Facts {
    readonly cells: number;
    readonly cellCount: number;
    /** The records of the facts of the state, then 0. */
    readonly list: number;
    /** By element: a sum of hashes. */
    readonly keys: number;
    readonly elementCount: number;
    readonly hasUnordered: boolean;
}

/** `undefined` if the tables would be too large, or if no cell relates elements. */
export function factsOf(
    relations: readonly RelationCell[],
    elementCount: number,
    layout: StateLayout,
    data: StaticData,
): Facts | undefined {
    const recordBytes = relations.reduce((sum, { cell }) => sum + RECORD.bytes * 2 ** layout.placements[cell].bits, 0);
    if (relations.length === 0 || recordBytes > MOST_RECORD_BYTES) {
        return undefined;
    }
    return {
        keys: data.space(4 * elementCount),
        list: data.space(4 * (relations.length + 1)),
        cells: cellTable(relations, layout, data),
        cellCount: relations.length,
        elementCount,
        hasUnordered: relations.some(({ said }) => said.some(({ isUnordered }) => isUnordered)),
    };
}

/** A function that splits classes by the facts listed until no class splits, or none is left that could. */
export function refineFunction(facts: Facts, arrays: ClassArrays): FunctionBody {
    const f = new FunctionBody();
    const splits = f.local('i32');
    const mayGoOn = f.local('i32');
    f.doWhile(() => {
        f.clear(facts.keys, 4 * facts.elementCount);
        addFacts(f, facts, arrays);
        splits.set(0);
        mayGoOn.set(0);
        splitClasses(f, facts.keys, facts.elementCount, arrays, { splits, mayGoOn });
    }, splits.and(mayGoOn));
    return f;
}

/** Lists the records of the facts of the state at an address. */
export function collectFacts(f: FunctionBody, { list, cells, cellCount }: Facts, state: number): void {
    const cell = f.variable(cells);
    const end = f.variable(list);
    f.doWhile(
        () => {
            const word = load64(load32(cell, CELL.word), state);
            const stored = word.shiftedRight(load32(cell, CELL.shift).toLong()).toInt().and(load32(cell, CELL.mask));
            const record = f.variable(stored.times(RECORD.bytes).plus(load32(cell, CELL.records)));
            f.store32(end, 0, record);
            // A record without elements is overwritten by the next one.
            end.add(load32(record, RECORD.end).isNot(0).shiftedLeft(2));
            cell.add(CELL.bytes);
        },
        cell.isLessUnsigned(cells + CELL.bytes * cellCount),
    );
    f.store32(end, 0, 0);
}

/** Runs for each fact listed. */
export function eachFact(f: FunctionBody, { list }: Facts, work: (record: Int) => void): void {
    const fact = f.variable(list);
    const record = f.variable(load32(fact));
    f.while(record, () => {
        work(record);
        fact.add(4);
        record.set(load32(fact));
    });
}

/** Runs for each element of a fact; `at` is its role times four bytes behind the record. */
export function eachElement(f: FunctionBody, record: Int, work: (offset: Int, at: Int) => void): void {
    const at = f.variable(record);
    const end = f.variable(record.plus(load32(record, RECORD.end)));
    f.doWhile(() => {
        work(load32(at, RECORD.elements), at);
        at.add(4);
    }, at.isLessUnsigned(end));
}

/** Adds to the key of each element of each fact a hash of the classes of the fact's elements. */
function addFacts(f: FunctionBody, facts: Facts, { classStart }: ClassArrays): void {
    const { keys, hasUnordered } = facts;
    eachFact(f, facts, record => {
        const all = f.local('i32');
        const addToKey = (offset: Int, hash: Int): void => {
            const added = f.variable(hash);
            f.store32(offset, keys, load32(offset, keys).plus(added));
        };
        const addOrdered = (): void => {
            all.set(load32(record, RECORD.meaning));
            eachElement(f, record, offset => {
                all.set(scrambled(f, load32(offset, classStart).plus(all).plus(MEANING_STEP)));
            });
            eachElement(f, record, (offset, at) => {
                const role = at.minus(record).shiftedRight(2);
                addToKey(offset, scrambled(f, role.plus(all)));
            });
        };
        const addUnordered = (): void => {
            all.set(0);
            eachElement(f, record, offset => {
                all.set(scrambled(f, load32(offset, classStart).plus(UNORDERED_STEP)).plus(all));
            });
            all.set(scrambled(f, load32(record, RECORD.meaning).xor(all)));
            eachElement(f, record, offset => {
                addToKey(offset, all);
            });
        };
        if (hasUnordered) {
            f.if(load32(record, RECORD.isUnordered), addUnordered, addOrdered);
        } else {
            addOrdered();
        }
    });
}

/**
 * Sorts each class by the keys and splits it where they differ; sets `splits` to 1 if it splits one, and `mayGoOn` to 1 if
 * a class of several elements is left.
 */
function splitClasses(
    f: FunctionBody,
    keys: number,
    elementCount: number,
    { order, classStart, classEnd }: ClassArrays,
    { splits, mayGoOn }: Readonly<Record<'splits' | 'mayGoOn', WasmVariable<'i32'>>>,
): void {
    const keyOf = (element: Int): Int => elementAt(keys, element);
    const start = f.variable(0);
    const end = f.local('i32');
    f.doWhile(() => {
        end.set(elementAt(classEnd, start));
        f.if(end.minus(start).isGreaterUnsigned(1), () => {
            sortClass();
            splitClass();
        });
        start.set(end);
    }, start.isLessUnsigned(elementCount));

    /** By insertion: classes are short. */
    function sortClass(): void {
        const next = f.variable(start.plus(1));
        f.doWhile(() => {
            const element = f.variable(elementAt(order, next));
            const key = f.variable(keyOf(element));
            const place = f.variable<'i32'>(next);
            const before = elementAt(order - 4, place);
            f.while(place.isNot(start), sorted => {
                f.branchIf(keyOf(before).isAtMost(key), sorted);
                f.setElement(order, place, before);
                place.set(place.minus(1));
            });
            f.setElement(order, place, element);
            next.add(1);
        }, next.isLessUnsigned(end));
    }

    function splitClass(): void {
        const part = f.variable<'i32'>(start);
        const next = f.variable(start.plus(1));
        f.doWhile(() => {
            f.if(
                keyOf(elementAt(order, next)).is(keyOf(elementAt(order - 4, next))),
                () => {
                    mayGoOn.set(1);
                },
                () => {
                    f.setElement(classEnd, part, next);
                    part.set(next);
                    splits.set(1);
                },
            );
            f.setElement(classStart, elementAt(order, next), part);
            next.add(1);
        }, next.isLessUnsigned(end));
        f.setElement(classEnd, part, end);
        // The first of the class may be another element now.
        f.setElement(classStart, elementAt(order, start), start);
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

function scrambled(f: FunctionBody, number: Int): Int {
    return f.compute('i32', () => {
        const mixed = f.variable(number);
        for (const { shift, factor } of SCRAMBLE) {
            const folded = mixed.xor(mixed.shiftedRight(shift));
            if (factor === undefined) {
                return folded;
            }
            mixed.set(folded.times(factor));
        }
        return mixed;
    });
}
