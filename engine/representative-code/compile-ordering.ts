/**
 * Representatives by ordering elements that the state refers to, such as the processes in `turn[1] = 2`: the keys of the
 * elements are sorted, and the image of the state under the permutation to their positions is put together.
 * A key ends with the number of its element. If elements with equal keys may differ in their relations, neighbors among
 * them are exchanged for a trial. If that changes the image, the order is refined by the relations; of elements that are
 * still alike any may come first if exchanges of them and of what is related to them do not change the image. Else the
 * state is left to the canonicalizer.
 */
import { appendTo } from '../common/list-map.js';
import type { Placement, StateLayout } from '../explore/state-layout.js';
import type { KeyColumn, KeyField, OrderPlan, OwnedCell } from '../representative/representative-plan.js';
import { cellOfOwners } from '../representative/order-plan.js';
import { collectFacts, factsOf, refineFunction, type ClassArrays } from './compile-refinement.js';
import { placesInKey, type KeyPlace } from './compile-sorting.js';
import { SETTLED, settleFunction } from './compile-ties.js';
import {
    allOf,
    call,
    elementAt,
    FunctionBody,
    i32,
    i64,
    type Int,
    type Label,
    load32,
    load64,
    type Long,
    select,
} from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { keyAddress, sortByInsertion, type KeyArray } from './sort-keys.js';
import { maskOf } from '../codegen/state-copy.js';
import { field, loadWords, shiftedUp, storedIn, storeWords, type Translation } from './state-words.js';
import type { StaticData } from '../codegen/static-data.js';

/** Fields and cells together: more take longer to compile than they gain. */
const MOST_FIELDS = 6000;
/** Words of an entry with the place of a cell and how codes are stored there. */
const SOURCE_WORDS = 3;

type PlannedColumn =
    /** A field of the element's own cell: as it is stored, or translated. */
    | {
          readonly kind: 'own';
          readonly placements: readonly Placement[];
          readonly translations: readonly (Translation | undefined)[];
          /** The cells, if the key is the stored number. */
          readonly cells: readonly number[] | undefined;
          readonly place: KeyPlace;
      }
    /** A bit for the element that a shared cell names. */
    | { readonly kind: 'shared'; readonly placement: Placement; readonly names: Naming; readonly place: KeyPlace };

/** The codes that name elements in a column of cells: code `first + i` names element `element + i`. */
interface Naming {
    readonly first: number;
    readonly element: number;
    readonly count: number;
}

/** The cells that have an image of each other. */
interface CellColumn {
    readonly cells: readonly OwnedCell[];
    /** Absent if its cells name no elements. */
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
 * A function of the address of a state that replaces it by its representative and returns 0, or leaves it and returns 1;
 * `undefined` if the plan cannot be compiled.
 */
export function compileOrdering(
    plan: OrderPlan,
    layout: StateLayout,
    data: StaticData,
    module: ModuleWriter,
): FunctionBody | undefined {
    const { firstElement } = plan;
    const elementCount = firstElement[firstElement.length - 1];
    const fieldCount = plan.columns.flat().reduce((sum, { fields }) => sum + fields.length, plan.cells.length);
    const columnOfCell = fieldCount > MOST_FIELDS ? undefined : columnsOfCells(plan.cells, layout);
    if (columnOfCell === undefined) {
        return undefined;
    }
    const numberBits = 32 - Math.clz32(elementCount - 1);
    const families: FamilyKeys[] = [];
    for (const [family, columns] of plan.columns.entries()) {
        const keys = planKeys(columns, columnOfCell, layout, numberBits);
        if (keys === undefined) {
            return undefined;
        }
        families.push({ ...keys, from: firstElement[family], to: firstElement[family + 1] });
    }
    const cells = planCells(plan, columnOfCell, layout, families);
    const words = Math.max(...families.map(keys => keys.words));
    const keys: KeyArray = { address: data.space(8 * words * elementCount), words };
    const numbers = (): number => data.space(4 * elementCount);
    const arrays = { order: numbers(), position: numbers(), classStart: numbers(), classEnd: numbers() };
    const state = data.space(8 * layout.longCount);
    const image = module.add(imageFunction(cells, layout, data, { keys, arrays, state, elementCount }));

    const f = new FunctionBody(['i32']);
    const address = f.parameter(0);
    const stateWords = loadWords(f, layout.longCount, address);
    const moved = f.variable(0);
    for (const family of families) {
        writeKeys(f, stateWords, family, keys, data);
        sortByInsertion(f, keys, family.from, family.to, moved);
    }
    f.block(unmoved => {
        if (plan.isComplete) {
            f.branchUnless(moved, unmoved);
        }
        for (const family of families) {
            writeOrder(f, family, keys, arrays);
        }
        stateWords.forEach((word, i) => {
            f.store64(0, state + 8 * i, word);
        });
        if (plan.isComplete) {
            f.run(image, address);
            return;
        }
        const leave = (): void => {
            storeWords(f, stateWords, address);
            f.return(1);
        };
        families.forEach(family => {
            writeClasses(f, family, keys, arrays);
        });
        const facts = factsOf(plan.relations, elementCount, layout, data);
        if (facts === undefined) {
            f.run(image, address);
            const trial = data.space(8 * layout.longCount);
            f.block(tied => {
                tryTwins(f, elementCount, { arrays, trial, image, address, longCount: layout.longCount, tied });
                f.branch(unmoved);
            });
            leave();
            return;
        }
        // The image is made with an order of its own, so that this one can be refined meanwhile.
        const classes = { ...arrays, order: numbers() };
        const refine = module.add(refineFunction(facts, classes));
        const forImage = { ...arrays, image, longCount: layout.longCount };
        const settle = module.add(settleFunction(facts, refine, classes, forImage, data, module), 'i32');
        const takeOrder = (): void => {
            eachPlace(f, elementCount, place => {
                const element = f.variable(elementAt(classes.order, place));
                f.setElement(arrays.order, place, element);
                f.setElement(arrays.position, element, place);
            });
            f.run(image, address);
        };
        collectFacts(f, facts, state);
        // Elements that no fact relates are told apart by their keys, or not at all.
        f.if(
            load32(0, facts.list),
            () => {
                eachPlace(f, elementCount, place => {
                    f.setElement(classes.order, place, elementAt(arrays.order, place));
                });
                f.run(refine);
                takeOrder();
                const settled = f.variable(call(settle, address));
                f.if(settled.is(SETTLED.not), leave);
                f.if(settled.is(SETTLED.byRefinement), takeOrder);
            },
            () => {
                f.run(image, address);
            },
        );
    });
    f.result(0);
    return f;
}

/** The keys of one family: the elements `from` to `to - 1`. */
interface FamilyKeys {
    readonly from: number;
    readonly to: number;
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
): Omit<FamilyKeys, 'from' | 'to'> | undefined {
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

    /** Finds out whether stored numbers order elements as the keys do, with as many bits in all cells. */
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

/** By cell; `undefined` if the codes of some column do not say which elements they name. */
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
 * The codes that name elements in a column; `undefined` if they are not consecutive and the same in all cells, or if other
 * codes lie among them. A code that names no other element is the same in all cells, or it names one of their owners.
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
    families: readonly FamilyKeys[],
): readonly PlannedCell[] {
    const placeOfCell = new Map<number, KeyPlace>();
    for (const column of families.flatMap(({ columns }) => columns)) {
        if (column.kind === 'own') {
            column.cells?.forEach(cell => placeOfCell.set(cell, column.place));
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
    f: FunctionBody,
    state: readonly Long[],
    { columns, number, from, to }: FamilyKeys,
    keys: KeyArray,
    data: StaticData,
): void {
    for (let element = from; element < to; element++) {
        for (let word = 0; word < keys.words; word++) {
            let key = i64(word === number.word ? BigInt(element) << BigInt(number.shift) : 0n);
            for (const column of columns) {
                if (column.kind === 'own' && column.place.word === word) {
                    const { placements, translations, place } = column;
                    const at = element - from;
                    key = key.or(shiftedUp(field(state, placements[at], translations[at], data), place.shift));
                }
            }
            f.store64(0, keyAddress(keys, element, word), key);
        }
    }
    const unused = data.space(8 * keys.words);
    for (const column of columns) {
        if (column.kind === 'shared') {
            const { placement, names, place } = column;
            const stored = field(state, placement, undefined, data).toInt();
            const named = f.variable(stored.minus(names.first + placement.bias));
            const key = named.times(8 * keys.words).plus(keyAddress(keys, names.element, place.word));
            // If the cell names no element the bit goes to a key that is not used.
            const at = f.variable(select(named.isLessUnsigned(names.count), key, unused));
            f.store64(at, 0, load64(at).or(1n << BigInt(place.shift)));
        }
    }
}

/** Writes the order of the sorted keys of a family, and the positions of its elements. */
function writeOrder(f: FunctionBody, { number, from, to }: FamilyKeys, keys: KeyArray, arrays: OrderArrays): void {
    for (let position = from; position < to; position++) {
        const key = load64(0, keyAddress(keys, position, number.word));
        const element = f.variable(key.shiftedRight(BigInt(number.shift)).and(maskOf(number.bits)).toInt());
        f.setElement(arrays.order, position, element);
        f.setElement(arrays.position, element, position);
    }
}

interface ImageSource {
    readonly keys: KeyArray;
    readonly arrays: OrderArrays;
    readonly state: number;
    readonly elementCount: number;
}

/** A function that writes the image of the state, under the order in the arrays, to an address. */
function imageFunction(
    cells: readonly PlannedCell[],
    layout: StateLayout,
    data: StaticData,
    from: ImageSource,
): FunctionBody {
    const f = new FunctionBody(['i32']);
    const words = Array.from({ length: layout.longCount }, (_, word) => f.loadedAtStart(from.state + 8 * word));
    const cellOf = cellOfOwners(cells.map(({ owned }) => owned));
    const tables = new Map<CellColumn, number>();
    for (const { column } of cells) {
        if (column.cells[0].owners.length > 0 && !tables.has(column)) {
            tables.set(column, data.table(sourceTable(column, layout, cellOf, from.elementCount)));
        }
    }
    const written = words.map(() => 0n);
    for (const { placement } of cells) {
        written[placement.word] |= maskOf(placement.bits) << BigInt(placement.shift);
    }
    const image = words.map((word, i) => f.variable(word.and(~written[i])));
    for (const cell of cells) {
        const { placement, column, owned, place } = cell;
        if (placement.bits > 0) {
            const table = place === undefined && owned.owners.length > 0 ? tables.get(column) : undefined;
            const stored =
                table === undefined
                    ? f.compute('i64', () => placedField(f, cell, words, from, data))
                    : f.compute('i64', () => fieldFromTable(f, cell, table, from));
            const target = image[placement.word];
            target.set(shiftedUp(stored, placement.shift).or(target));
        }
    }
    storeWords(f, image, f.parameter(0));
    return f;
}

/** The number to store in a cell of the image that is in the key of its owner, or that no element owns. */
function placedField(
    f: FunctionBody,
    { placement, column: { names }, owned, place }: PlannedCell,
    words: readonly Long[],
    { keys, arrays }: ImageSource,
    data: StaticData,
): Long {
    // Exchanging equal keys changes nothing in them, so a key is right for every trial.
    const stored =
        place === undefined
            ? field(words, placement, undefined, data)
            : load64(0, keyAddress(keys, owned.owners[0], place.word))
                  .shiftedRight(BigInt(place.shift))
                  .and(maskOf(place.bits));
    return names === undefined
        ? stored
        : renamed(f, stored.toInt().minus(names.first + placement.bias), names, arrays)
              .plus(names.first + placement.bias)
              .toLong();
}

/** The number to store in a cell of the image whose source a table says by the elements that now own it. */
function fieldFromTable(
    f: FunctionBody,
    { placement, column: { names, isAlike }, owned }: PlannedCell,
    table: number,
    { arrays, state, elementCount }: ImageSource,
): Long {
    const [owner, second] = owned.owners;
    const first = load32(0, arrays.order + 4 * owner);
    const index = second === undefined ? first : first.times(elementCount).plus(load32(0, arrays.order + 4 * second));
    const entry = f.variable(index.times(isAlike ? 4 : 4 * SOURCE_WORDS));
    const source = f.variable(load32(entry, table));
    const shifted = load64(source.shiftedRight(6).shiftedLeft(3), state).shiftedRight(source.and(63).toLong());
    if (isAlike && names === undefined) {
        return shifted.and(maskOf(placement.bits));
    }
    // What the stored number is more than the code in the source, and in the target.
    const [code, bias] = isAlike
        ? [shifted.and(maskOf(placement.bits)).toInt(), placement.bias]
        : [
              shifted
                  .toInt()
                  .and(load32(entry, table + 4))
                  .minus(load32(entry, table + 8)),
              0,
          ];
    return names === undefined
        ? code.plus(placement.bias).toLong()
        : renamed(f, code.minus(names.first + bias), names, arrays)
              .plus(names.first + placement.bias)
              .toLong();
}

/** The code that names the position of the element that a code names, both counted from the first code that names one. */
function renamed(f: FunctionBody, code: Int, { element, count }: Naming, { position }: OrderArrays): Int {
    return f.compute('i32', () => {
        const renamed = f.variable(code);
        f.if(renamed.isLessUnsigned(count), () => {
            renamed.set(elementAt(position + 4 * element, renamed).minus(element));
        });
        return renamed;
    });
}

/**
 * By the owners of a cell of a column: its word times 64 plus its lowest bit; and if the cells are not alike the mask of
 * its bits and the difference between stored numbers and codes.
 */
function sourceTable(
    { cells, isAlike }: CellColumn,
    layout: StateLayout,
    cellOf: (column: number, owners: readonly number[]) => number,
    elementCount: number,
): readonly number[] {
    const [{ column, owners }] = cells;
    const words = isAlike ? 1 : SOURCE_WORDS;
    const entries = new Array<number>(words * elementCount ** owners.length).fill(0);
    for (const owned of cells) {
        for (const each of [owned.owners, [...owned.owners].reverse()]) {
            const cell = each.length === 1 ? owned.cell : cellOf(column, each);
            const { word, shift, bits, bias } = layout.placements[cell];
            const index = each.length === 1 ? each[0] : each[0] * elementCount + each[1];
            entries[words * index] = word * 64 + shift;
            if (!isAlike) {
                entries[words * index + 1] = 2 ** bits - 1;
                entries[words * index + 2] = bias;
            }
        }
    }
    return entries;
}

/** Writes the classes of elements of a family with equal keys. */
function writeClasses(f: FunctionBody, { number, from, to }: FamilyKeys, keys: KeyArray, arrays: OrderArrays): void {
    const place = f.variable(from);
    const start = f.local('i32');
    // The key before the first one of a family is that of another family, or the first key itself.
    const before = place.minus(place.isNot(0));
    const words = Array.from({ length: number.word + 1 }, (_, word) => {
        const wordOf = (key: Int): Long => load64(key.times(8 * keys.words), keys.address + 8 * word);
        const numberMask = word === number.word ? maskOf(number.bits) << BigInt(number.shift) : 0n;
        return wordOf(before).xor(wordOf(place)).and(~numberMask).isZero();
    });
    f.doWhile(() => {
        const isTied = to - from < 2 ? i32(0) : allOf(words).and(place.isNot(from));
        start.set(select(isTied.isZero(), place, start));
        f.setElement(arrays.classStart, elementAt(arrays.order, place), start);
        place.add(1);
        f.setElement(arrays.classEnd, start, place);
    }, place.isLessUnsigned(to));
}

/** Branches to `tied` if the image changes when two neighbors of a class are exchanged. */
function tryTwins(
    f: FunctionBody,
    elementCount: number,
    where: {
        arrays: OrderArrays;
        trial: number;
        image: number;
        address: Int;
        longCount: number;
        tied: Label;
    },
): void {
    const { arrays, trial, image, address, longCount, tied } = where;
    const { order, position } = arrays;
    eachPlace(f, elementCount - 1, place => {
        const classAt = (offset: number): Int => elementAt(arrays.classStart, elementAt(order + 4 * offset, place));
        f.if(classAt(0).is(classAt(1)), () => {
            exchange(place);
            f.run(image, trial);
            exchange(place);
            for (let word = 0; word < longCount; word++) {
                f.branchIf(load64(0, trial + 8 * word).isNot(load64(address, 8 * word)), tied);
            }
        });
    });

    function exchange(place: Int): void {
        const first = f.variable(elementAt(order, place));
        const second = f.variable(elementAt(order + 4, place));
        f.setElement(order + 4, place, first);
        f.setElement(position, first, place.plus(1));
        f.setElement(order, place, second);
        f.setElement(position, second, place);
    }
}

function eachPlace(f: FunctionBody, count: number, work: (place: Int) => void): void {
    const place = f.variable(0);
    f.doWhile(() => {
        work(place);
        place.add(1);
    }, place.isLessUnsigned(count));
}
