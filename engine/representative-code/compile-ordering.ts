/**
 * Representatives by ordering elements that the state refers to, such as the processes in `turn[1] = 2`: the keys of the
 * elements are sorted, and the image of the state under the permutation to their positions is put together.
 *
 * A key ends with the number of its element, so sorting tells the permutation, and equal keys stay as they stand. Where
 * elements with equal keys may still differ in how they are related to others, each two neighbors of them are exchanged
 * for a trial. If that changes the image, the order is refined by these relations (compile-refinement.ts), and what comes
 * of it is tried in the same way. If one of its trials fails, too, the state is left as it is, for somebody who can do more.
 */
import { appendTo } from '../common/list-map.js';
import type { Placement, StateLayout } from '../explore/state-layout.js';
import type { KeyColumn, KeyField, OrderPlan, OwnedCell } from '../representative/representative-plan.js';
import { cellOfOwners } from '../representative/order-plan.js';
import { refineFunction, type ClassArrays } from './compile-refinement.js';
import { placesInKey, type KeyPlace } from './compile-sorting.js';
import { FunctionWriter, type Local } from '../webassembly/function-writer.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { keyAddress, sortByInsertion, type KeyArray } from './sort-keys.js';
import { maskOf } from '../codegen/state-copy.js';
import { loadWords, pushField, storedIn, storeWords, type Translation } from './state-words.js';
import type { StaticData } from '../codegen/static-data.js';

/** Fields and cells together: more take longer to compile than they gain. */
const MOST_FIELDS = 6000;
/** Words of an entry that says where a cell is and how codes are stored there. */
const SOURCE_WORDS = 3;

/** What a column of keys is made from. */
type PlannedColumn =
    /** A field of the element's own cell: as it is stored, or translated. */
    | {
          readonly kind: 'own';
          readonly placements: readonly Placement[];
          readonly translations: readonly (Translation | undefined)[];
          /** The cells, where the key is what is stored. */
          readonly cells: readonly number[] | undefined;
          readonly place: KeyPlace;
      }
    /** A bit for the element that a shared cell names. */
    | { readonly kind: 'shared'; readonly placement: Placement; readonly names: Naming; readonly place: KeyPlace };

/** What names elements in a column of cells: code `first + i` names element `element + i`, where a cell can hold it. */
interface Naming {
    readonly first: number;
    readonly element: number;
    readonly count: number;
}

/** The cells that have an image of each other. */
interface CellColumn {
    readonly cells: readonly OwnedCell[];
    /** Absent where its cells name nobody. */
    readonly names: Naming | undefined;
    /** Whether the same code is stored as the same number of as many bits in all of them. */
    readonly isAlike: boolean;
}

interface PlannedCell {
    readonly placement: Placement;
    readonly owned: OwnedCell;
    readonly column: CellColumn;
    /** Where its content is in the key of its owner. */
    readonly place: KeyPlace | undefined;
}

/** Addresses of numbers of 32 bits. */
interface OrderArrays extends ClassArrays {
    /** The position of an element. */
    readonly position: number;
}

/**
 * Defines a function of the address of a state that replaces it by its representative and returns 0, or leaves it and returns
 * 1; `undefined` where the plan cannot be compiled.
 */
export function compileOrdering(
    plan: OrderPlan,
    layout: StateLayout,
    data: StaticData,
    module: ModuleWriter,
): number | undefined {
    const { firstElement } = plan;
    const families = firstElement.length - 1;
    const elementCount = firstElement[families];
    const fieldCount = plan.columns.flat().reduce((sum, { fields }) => sum + fields.length, plan.cells.length);
    if (fieldCount > MOST_FIELDS) {
        return undefined;
    }
    const numberBits = 32 - Math.clz32(elementCount - 1);
    const columnOfCell = columnsOfCells(plan.cells, layout);
    if (columnOfCell === undefined) {
        return undefined;
    }
    const keysOfFamily = plan.columns.map(columns => planKeys(columns, columnOfCell, layout, numberBits));
    if (keysOfFamily.includes(undefined)) {
        return undefined;
    }
    const cells = planCells(plan, columnOfCell, layout, keysOfFamily);
    const keyWords = Math.max(...keysOfFamily.map(keys => keys!.words));
    const keys: KeyArray = { address: data.space(8 * keyWords * elementCount), words: keyWords };
    const numbers = (): number => data.space(4 * elementCount);
    const arrays: OrderArrays = {
        order: numbers(),
        position: numbers(),
        classStart: numbers(),
        classEnd: numbers(),
    };
    const state = data.space(8 * layout.longCount);
    const image = module.announce({ parameters: ['i32'], results: [] });
    module.define(image, imageFunction(cells, layout, data, { keys, arrays, state, elementCount }));

    const f = new FunctionWriter(['i32']);
    const address = f.parameter(0);
    const words = loadWords(f, layout.longCount, address);
    const moved = f.acquire('i32');
    f.i32(0).set(moved);
    for (let family = 0; family < families; family++) {
        const [from, to] = [firstElement[family], firstElement[family + 1]];
        const { columns, number } = keysOfFamily[family]!;
        writeKeys(f, words, columns, number, { keys, from, to, dummy: data.space(8 * keyWords) }, data);
        sortByInsertion(f, keys, from, to, moved);
    }
    const unmoved = f.block();
    if (plan.isComplete) {
        f.get(moved).op('i32_eqz').brIf(unmoved);
    }
    const element = f.acquire('i32');
    for (let family = 0; family < families; family++) {
        const { number } = keysOfFamily[family]!;
        for (let position = firstElement[family]; position < firstElement[family + 1]; position++) {
            f.i32(0)
                .i32(0)
                .memory('i64_load', keyAddress(keys, position, number.word))
                .i64(BigInt(number.shift))
                .op('i64_shr_u')
                .i64(maskOf(numberBits))
                .op('i64_and', 'i32_wrap_i64')
                .tee(element)
                .memory('i32_store', arrays.order + 4 * position);
            f.get(element).i32(2).op('i32_shl').i32(position).memory('i32_store', arrays.position);
        }
    }
    words.forEach((local, word) => {
        f.i32(0)
            .get(local)
            .memory('i64_store', state + 8 * word);
    });
    f.get(address).call(image);
    if (!plan.isComplete) {
        const trial = data.space(8 * layout.longCount);
        const numbers = keysOfFamily.map(family => family!.number);
        const body = refineFunction(plan.relations, elementCount, layout, data, arrays, state);
        const refine = body && module.announce({ parameters: [], results: ['i32'] });
        if (body !== undefined && refine !== undefined) {
            module.define(refine, body);
        }
        writeClasses(f, plan, numbers, { keys, arrays });
        tryTwins(f, plan, { arrays, trial, image, refine, address, words });
    }
    f.end();
    return defineOf(f, module);
}

function defineOf(f: FunctionWriter, module: ModuleWriter): number {
    const target = module.announce({ parameters: ['i32'], results: ['i32'] });
    module.define(target, f.i32(0));
    return target;
}

/** The keys of one family. */
interface FamilyKeys {
    readonly columns: readonly PlannedColumn[];
    /** Where the number of the element is: after all columns. */
    readonly number: KeyPlace;
    readonly words: number;
}

function planKeys(
    columns: readonly KeyColumn[],
    columnOfCell: ReadonlyMap<number, CellColumn>,
    layout: StateLayout,
    numberBits: number,
): FamilyKeys | undefined {
    const drafts = columns.map(column => {
        const isShared = column.fields.length > 1 && column.fields.every(({ cell }) => cell === column.fields[0].cell);
        return isShared ? { column, shared: true as const, bits: 1 } : draftOwn(column);
    });
    const { places, words } = placesInKey([...drafts.map(({ bits }) => bits), numberBits]);
    const planned: PlannedColumn[] = [];
    for (const [i, draft] of drafts.entries()) {
        const { fields } = draft.column;
        const placement = layout.placements[fields[0].cell];
        if (draft.shared) {
            const names = columnOfCell.get(fields[0].cell)?.names;
            if (names === undefined || fields.some(({ held }) => held.length !== 1)) {
                return undefined;
            }
            planned.push({ kind: 'shared', placement, names, place: places[i] });
        } else {
            planned.push({
                kind: 'own',
                placements: fields.map(({ cell }) => layout.placements[cell]),
                translations: draft.translations,
                cells: draft.isStored ? fields.map(({ cell }) => cell) : undefined,
                place: places[i],
            });
        }
    }
    return { columns: planned, number: places[places.length - 1], words };

    /** Whether what is stored orders elements as the keys do, and has as many bits in all cells. */
    function draftOwn(column: KeyColumn): {
        readonly column: KeyColumn;
        readonly shared: false;
        readonly bits: number;
        readonly isStored: boolean;
        readonly translations: readonly (Translation | undefined)[];
    } {
        const { fields } = column;
        const tables = fields.map(field => keyTable(layout, field));
        const [{ bits, bias }] = fields.map(({ cell }) => layout.placements[cell]);
        const isStored = fields.every(({ cell, held }, i) => {
            const column = columnOfCell.get(cell);
            const placement = layout.placements[cell];
            return (
                column !== undefined &&
                column.names === undefined &&
                column.cells[0].plain.every(code => held.includes(code)) &&
                placement.bits === bits &&
                placement.bias === bias &&
                tables[i].join() === tables[0].join() &&
                isAscending(tables[i])
            );
        });
        return {
            column,
            shared: false,
            bits: isStored ? bits : 32 - Math.clz32(column.size - 1),
            isStored,
            translations: tables.map(entries => (isStored ? undefined : { kind: 'table', entries })),
        };
    }
}

/** The key of a field by what is stored. */
function keyTable(layout: StateLayout, { cell, held, keys }: KeyField): number[] {
    const entries = new Array<number>(2 ** layout.placements[cell].bits).fill(0);
    storedIn(layout, cell, held).forEach((stored, i) => {
        if (stored >= 0) {
            entries[stored] = keys[i];
        }
    });
    return entries;
}

/** Whether numbers that occur, the others being 0, grow. */
function isAscending(entries: readonly number[]): boolean {
    const occurring = entries.filter(entry => entry > 0);
    return occurring.every((entry, i) => i === 0 || occurring[i - 1] < entry);
}

/** By cell; `undefined` where the codes of some column do not say whom they name. */
function columnsOfCells(cells: readonly OwnedCell[], layout: StateLayout): ReadonlyMap<number, CellColumn> | undefined {
    const columns = new Map<number, OwnedCell[]>();
    for (const owned of cells) {
        appendTo(columns, owned.column, owned);
    }
    const columnOfCell = new Map<number, CellColumn>();
    for (const inColumn of columns.values()) {
        const naming = namingOf(inColumn);
        if (naming === undefined) {
            return undefined;
        }
        const [{ bits, bias }] = inColumn.map(({ cell }) => layout.placements[cell]);
        const isAlike = inColumn.every(
            ({ cell }) => layout.placements[cell].bits === bits && layout.placements[cell].bias === bias,
        );
        const column = { cells: inColumn, names: naming.names, isAlike };
        inColumn.forEach(({ cell }) => columnOfCell.set(cell, column));
    }
    return columnOfCell;
}

/**
 * What names elements in a column; `undefined` where that is not by consecutive codes, the same in all cells, or where other
 * codes lie among them. A code that names nobody else is the same in all cells, or it names one of their owners.
 */
function namingOf(inColumn: readonly OwnedCell[]): { readonly names: Naming | undefined } | undefined {
    const codes: number[] = [];
    const elements: number[] = [];
    const plain: number[] = [];
    for (const { naming, named } of inColumn) {
        codes.push(...naming);
        elements.push(...named);
    }
    for (let i = 0; i < inColumn[0].plain.length; i++) {
        const alike = inColumn.map(owned => owned.plain[i]);
        if (alike.every(code => code === alike[0])) {
            plain.push(alike[0]);
            continue;
        }
        const offset = codes.length === 0 ? undefined : codes[0] - elements[0];
        const role = inColumn[0].owners.findIndex((owner, r) =>
            inColumn.every(({ owners }, j) => alike[j] - owners[r] === (offset ?? alike[0] - owner)),
        );
        if (role < 0) {
            return undefined;
        }
        codes.push(...alike);
        elements.push(...inColumn.map(({ owners }) => owners[role]));
    }
    if (codes.length === 0) {
        return { names: undefined };
    }
    const [first, last, element] = [least(codes), -least(codes.map(code => -code)), least(elements)];
    const isConsecutive = codes.every((code, i) => code - first === elements[i] - element);
    return isConsecutive && plain.every(code => code < first || code > last)
        ? { names: { first, element, count: last - first + 1 } }
        : undefined;
}

function least(numbers: readonly number[]): number {
    return numbers.reduce((a, b) => Math.min(a, b), Infinity);
}

function planCells(
    { cells }: OrderPlan,
    columnOfCell: ReadonlyMap<number, CellColumn>,
    layout: StateLayout,
    keysOfFamily: readonly (FamilyKeys | undefined)[],
): readonly PlannedCell[] {
    const placeOfCell = new Map<number, KeyPlace>();
    for (const keys of keysOfFamily) {
        for (const column of keys?.columns ?? []) {
            if (column.kind === 'own') {
                column.cells?.forEach(cell => placeOfCell.set(cell, column.place));
            }
        }
    }
    return cells.map(owned => ({
        placement: layout.placements[owned.cell],
        owned,
        column: columnOfCell.get(owned.cell)!,
        place: placeOfCell.get(owned.cell),
    }));
}

function writeKeys(
    f: FunctionWriter,
    state: readonly Local[],
    columns: readonly PlannedColumn[],
    number: KeyPlace,
    { keys, from, to, dummy }: { keys: KeyArray; from: number; to: number; dummy: number },
    data: StaticData,
): void {
    for (let element = from; element < to; element++) {
        for (let word = 0; word < keys.words; word++) {
            f.i32(0).i64(BigInt.asIntN(64, word === number.word ? BigInt(element) << BigInt(number.shift) : 0n));
            for (const column of columns) {
                if (column.kind === 'own' && column.place.word === word) {
                    const at = element - from;
                    pushField(f, state, column.placements[at], column.translations[at], data);
                    f.i64(BigInt(column.place.shift)).op('i64_shl', 'i64_or');
                }
            }
            f.memory('i64_store', keyAddress(keys, element, word));
        }
    }
    const stored = f.acquire('i32');
    const at = f.acquire('i32');
    for (const column of columns) {
        if (column.kind === 'shared') {
            const { placement, names, place } = column;
            pushField(f, state, placement, undefined, data);
            f.op('i32_wrap_i64')
                .i32(names.first + placement.bias)
                .op('i32_sub')
                .set(stored);
            // Where nobody is named the bit goes where nobody looks.
            f.get(stored)
                .i32(8 * keys.words)
                .op('i32_mul')
                .i32(keyAddress(keys, names.element, place.word))
                .op('i32_add')
                .i32(dummy)
                .get(stored)
                .i32(names.count)
                .op('i32_lt_u', 'select')
                .tee(at);
            f.get(at).memory('i64_load', 0);
            f.i64(BigInt.asIntN(64, 1n << BigInt(place.shift))).op('i64_or');
            f.memory('i64_store', 0);
        }
    }
    f.release(stored);
    f.release(at);
}

/** A function that writes the image of the state, under the order in the arrays, to an address. */
function imageFunction(
    cells: readonly PlannedCell[],
    layout: StateLayout,
    data: StaticData,
    where: { keys: KeyArray; arrays: OrderArrays; state: number; elementCount: number },
): FunctionWriter {
    const { keys, arrays, state, elementCount } = where;
    const f = new FunctionWriter(['i32']);
    const address = f.parameter(0);
    const words = Array.from({ length: layout.longCount }, (_, word) => f.loadedAtStart(state + 8 * word));
    const image = words.map(() => f.acquire('i64'));
    const source = f.acquire('i32');
    const at = f.acquire('i32');
    const stored = f.acquire('i32');
    const cellOf = cellOfOwners(cells.map(({ owned }) => owned));
    const tables = new Map<CellColumn, number>();
    for (const { column } of cells) {
        if (column.cells[0].owners.length > 0 && !tables.has(column)) {
            tables.set(column, sourceTable(column));
        }
    }
    const written = words.map(() => 0n);
    for (const { placement } of cells) {
        written[placement.word] |= maskOf(placement.bits) << BigInt(placement.shift);
    }
    image.forEach((local, word) => {
        f.get(words[word]).i64(BigInt.asIntN(64, ~written[word])).op('i64_and').set(local);
    });
    for (const { placement, owned, column, place } of cells) {
        if (placement.bits === 0) {
            continue;
        }
        const { names, isAlike } = column;
        const [owner, second] = owned.owners;
        /** Whether a code is on the stack, of 32 bits, or what is stored for it, of 64. */
        let isCode = false;
        if (place !== undefined) {
            // Exchanging equal keys changes nothing in them, so what they say is right for every trial.
            f.i32(0).memory('i64_load', keyAddress(keys, owner, place.word));
            f.i64(BigInt(place.shift)).op('i64_shr_u').i64(maskOf(place.bits)).op('i64_and');
        } else if (owner === undefined) {
            pushField(f, words, placement, undefined, data);
        } else {
            f.i32(0).memory('i32_load', arrays.order + 4 * owner);
            if (second !== undefined) {
                f.i32(elementCount)
                    .op('i32_mul')
                    .i32(0)
                    .memory('i32_load', arrays.order + 4 * second)
                    .op('i32_add');
            }
            const table = tables.get(column)!;
            f.i32(isAlike ? 4 : 4 * SOURCE_WORDS)
                .op('i32_mul')
                .tee(at);
            f.memory('i32_load', table).set(source);
            f.get(source).i32(6).op('i32_shr_u').i32(3).op('i32_shl').memory('i64_load', state);
            f.get(source).i32(63).op('i32_and').op('i64_extend_i32_u', 'i64_shr_u');
            if (isAlike) {
                f.i64(maskOf(placement.bits)).op('i64_and');
            } else {
                isCode = true;
                f.op('i32_wrap_i64')
                    .get(at)
                    .memory('i32_load', table + 4)
                    .op('i32_and');
                f.get(at)
                    .memory('i32_load', table + 8)
                    .op('i32_sub');
            }
        }
        if (names !== undefined) {
            if (!isCode) {
                f.op('i32_wrap_i64');
            }
            f.i32(names.first + (isCode ? 0 : placement.bias))
                .op('i32_sub')
                .set(stored);
            f.get(stored).i32(names.count).op('i32_lt_u').if();
            f.get(stored)
                .i32(2)
                .op('i32_shl')
                .memory('i32_load', arrays.position + 4 * names.element)
                .i32(names.element)
                .op('i32_sub')
                .set(stored)
                .end();
            f.get(stored)
                .i32(names.first + placement.bias)
                .op('i32_add', 'i64_extend_i32_u');
        } else if (isCode) {
            f.i32(placement.bias).op('i32_add', 'i64_extend_i32_u');
        }
        if (placement.shift > 0) {
            f.i64(BigInt(placement.shift)).op('i64_shl');
        }
        f.get(image[placement.word]).op('i64_or').set(image[placement.word]);
    }
    storeWords(f, image, address);
    return f;

    /**
     * Where the cell of a column is, by its owners: its word times 64 plus its lowest bit; and where they are not alike the
     * mask of its bits and what is added to a code to be stored there.
     */
    function sourceTable({ cells: inColumn, isAlike }: CellColumn): number {
        const [{ column, owners }] = inColumn;
        const words = isAlike ? 1 : SOURCE_WORDS;
        const entries = new Array<number>(words * elementCount ** owners.length).fill(0);
        for (const owned of inColumn) {
            const orders = [owned.owners, [...owned.owners].reverse()];
            for (const each of orders) {
                const { word, shift, bits, bias } = layout.placements[cellFor(column, each, owned.cell)];
                const index = each.length === 1 ? each[0] : each[0] * elementCount + each[1];
                entries[words * index] = word * 64 + shift;
                if (!isAlike) {
                    entries[words * index + 1] = 2 ** bits - 1;
                    entries[words * index + 2] = bias;
                }
            }
        }
        return data.table(entries);
    }

    function cellFor(column: number, owners: readonly number[], cell: number): number {
        return owners.length === 1 ? cell : cellOf(column, owners);
    }
}

/** The classes of elements with equal keys. */
function writeClasses(
    f: FunctionWriter,
    { firstElement }: OrderPlan,
    numbers: readonly KeyPlace[],
    { keys, arrays }: { keys: KeyArray; arrays: OrderArrays },
): void {
    const length = 8 * keys.words;
    const place = f.acquire('i32');
    const start = f.acquire('i32');
    numbers.forEach((number, family) => {
        const [from, to] = [firstElement[family], firstElement[family + 1]];
        f.i32(from).set(place);
        const each = f.loop();
        f.get(place).get(start);
        if (to - from < 2) {
            f.i32(0);
        } else {
            pushIsTied(number);
            f.get(place).i32(from).op('i32_ne', 'i32_and');
        }
        f.op('i32_eqz', 'select').set(start);
        f.get(place).i32(2).op('i32_shl').memory('i32_load', arrays.order).i32(2).op('i32_shl');
        f.get(start).memory('i32_store', arrays.classStart);
        f.get(place).i32(1).op('i32_add').set(place);
        f.get(start).i32(2).op('i32_shl').get(place).memory('i32_store', arrays.classEnd);
        f.get(place).i32(to).op('i32_lt_u').brIf(each).end();
    });
    f.release(place);
    f.release(start);

    /** Pushes whether the keys before `place` and at it differ in nothing but the number of the element. */
    function pushIsTied(number: KeyPlace): void {
        for (let word = 0; word <= number.word; word++) {
            // Before the first key of a family are that of another one, or the first key itself.
            for (const back of [1, 0]) {
                f.get(place);
                if (back === 1) {
                    f.get(place).i32(0).op('i32_ne', 'i32_sub');
                }
                f.i32(length)
                    .op('i32_mul')
                    .memory('i64_load', keys.address + 8 * word);
            }
            f.op('i64_xor');
            if (word === number.word) {
                const mask = maskOf(number.bits) << BigInt(number.shift);
                f.i64(BigInt.asIntN(64, ~mask)).op('i64_and');
            }
            f.op('i64_eqz');
            if (word > 0) {
                f.op('i32_and');
            }
        }
    }
}

/**
 * Where the image changes when two neighbors of a class are exchanged, refines the classes and begins anew; if that has
 * split no class puts the state back and returns 1.
 */
function tryTwins(
    f: FunctionWriter,
    { firstElement }: OrderPlan,
    where: {
        arrays: OrderArrays;
        trial: number;
        image: number;
        /** A function that splits classes and says whether it has. */
        refine: number | undefined;
        address: Local;
        words: readonly Local[];
    },
): void {
    const { arrays, trial, image, refine, address, words } = where;
    const elementCount = firstElement[firstElement.length - 1];
    const place = f.acquire('i32');
    const first = f.acquire('i32');
    const second = f.acquire('i32');
    const isRefined = f.acquire('i32');
    f.i32(0).set(isRefined);
    const anew = f.loop();
    f.i32(0).set(place);
    const each = f.loop();
    pushClassAt(0);
    pushClassAt(1);
    f.op('i32_eq').if();
    exchange();
    f.i32(trial).call(image);
    words.forEach((_, word) => {
        f.i32(0).memory('i64_load', trial + 8 * word);
        f.get(address)
            .memory('i64_load', 8 * word)
            .op('i64_ne');
        if (word > 0) {
            f.op('i32_or');
        }
    });
    f.if();
    if (refine !== undefined) {
        f.get(isRefined).op('i32_eqz').if();
        f.call(refine).if();
        f.i32(1).set(isRefined);
        writePositions();
        f.get(address).call(image).br(anew).end().end();
    }
    storeWords(f, words, address);
    f.i32(1).op('return').end();
    exchange();
    f.end();
    f.get(place).i32(1).op('i32_add').tee(place);
    f.i32(elementCount - 1)
        .op('i32_lt_u')
        .brIf(each)
        .end();
    f.end();
    [place, first, second, isRefined].forEach(local => {
        f.release(local);
    });

    function pushClassAt(offset: number): void {
        f.get(place)
            .i32(2)
            .op('i32_shl')
            .memory('i32_load', arrays.order + 4 * offset);
        f.i32(2).op('i32_shl').memory('i32_load', arrays.classStart);
    }

    function exchange(): void {
        f.get(place).i32(2).op('i32_shl').memory('i32_load', arrays.order).set(first);
        f.get(place)
            .i32(2)
            .op('i32_shl')
            .memory('i32_load', arrays.order + 4)
            .set(second);
        put(first, 1);
        put(second, 0);
    }

    /** The element now stands at `place` plus an offset. */
    function put(element: Local, offset: number): void {
        f.get(place)
            .i32(2)
            .op('i32_shl')
            .get(element)
            .memory('i32_store', arrays.order + 4 * offset);
        f.get(element).i32(2).op('i32_shl').get(place).i32(offset).op('i32_add').memory('i32_store', arrays.position);
    }

    function writePositions(): void {
        f.i32(0).set(place);
        const next = f.loop();
        f.get(place).i32(2).op('i32_shl').memory('i32_load', arrays.order).i32(2).op('i32_shl');
        f.get(place).memory('i32_store', arrays.position);
        f.get(place).i32(1).op('i32_add').tee(place).i32(elementCount).op('i32_lt_u').brIf(next).end();
    }
}
