/**
 * Sorting of blocks of cells: what each block holds is collected in a key, the keys are sorted, and written back.
 *
 * A key reads as if its block were the first one, so blocks compare as their keys do, and a key says what any block has to
 * hold in its place.
 */
import type { Placement, StateLayout } from '../explore/state-layout.js';
import type { ColumnCell, SortPlan } from '../representative/representative-plan.js';
import { FunctionWriter, type Local } from '../webassembly/function-writer.js';
import { keyAddress, sortByInsertion, sortByNetwork, type KeyArray } from './sort-keys.js';
import { maskOf } from '../codegen/state-copy.js';
import { loadWords, pushField, storedIn, storeWords, translationOf, type Translation } from './state-words.js';
import type { StaticData } from '../codegen/static-data.js';

/** More blocks are not sorted by a network. */
const MOST_IN_NETWORK = 8;
/** Fields that all keys may have together: more take longer to compile than they gain. */
const MOST_FIELDS = 6000;

/** Where a column is in a key. */
export interface KeyPlace {
    readonly word: number;
    readonly shift: number;
    readonly bits: number;
}

/** A field of a block. */
interface BlockField {
    readonly placement: Placement;
    readonly place: KeyPlace;
    readonly toKey: Translation | undefined;
    readonly fromKey: Translation | undefined;
}

/** A function of the address of a state that sorts its blocks and returns 0; `undefined` where it would be too large. */
export function compileSorting(plan: SortPlan, layout: StateLayout, data: StaticData): FunctionWriter | undefined {
    const { blockCount } = plan;
    const columns = plan.columns.filter(column => column.some(({ cell }) => layout.placements[cell].bits > 0));
    if (columns.length * blockCount > MOST_FIELDS) {
        return undefined;
    }
    const { places, words: keyWords } = placesInKey(columns.map(([{ cell }]) => layout.placements[cell].bits));
    const blocks = Array.from({ length: blockCount }, (_, block) =>
        columns.map((column, i) => fieldOf(layout, column, block, places[i])),
    );
    const f = new FunctionWriter(['i32']);
    const address = f.parameter(0);
    const state = loadWords(f, layout.longCount, address);
    const isInLocals = blockCount <= MOST_IN_NETWORK && keyWords === 1;
    const keys: KeyArray = { address: isInLocals ? 0 : data.space(8 * keyWords * blockCount), words: keyWords };
    const locals = isInLocals ? blocks.map(() => f.acquire('i64')) : [];
    blocks.forEach((fields, block) => {
        for (let word = 0; word < keyWords; word++) {
            if (!isInLocals) {
                f.i32(0);
            }
            pushKeyWord(f, state, fields, word, data);
            if (isInLocals) {
                f.set(locals[block]);
            } else {
                f.memory('i64_store', keyAddress(keys, block, word));
            }
        }
    });
    if (isInLocals) {
        sortByNetwork(f, locals);
    } else {
        const moved = f.acquire('i32');
        f.i32(0).set(moved);
        sortByInsertion(f, keys, 0, blockCount, moved);
        f.get(moved).op('i32_eqz').if();
        f.i32(0).op('return').end();
    }
    writeBlocks(f, state, blocks, data, (block, word) => {
        if (isInLocals) {
            f.get(locals[block]);
        } else {
            f.i32(0).memory('i64_load', keyAddress(keys, block, word));
        }
    });
    storeWords(f, state, address);
    return f.i32(0);
}

/** Places for numbers of so many bits, from the highest bit of the first word down, none across two words. */
export function placesInKey(bits: readonly number[]): { readonly places: readonly KeyPlace[]; readonly words: number } {
    let word = 0;
    let free = 64;
    const places = bits.map((count): KeyPlace => {
        if (count > free) {
            word++;
            free = 64;
        }
        free -= count;
        return { word, shift: free, bits: count };
    });
    return { places, words: word + 1 };
}

function fieldOf(layout: StateLayout, column: readonly ColumnCell[], block: number, place: KeyPlace): BlockField {
    const { cell, first, own } = column[block];
    const inFirst = storedIn(layout, column[0].cell, first);
    const inOwn = storedIn(layout, cell, own);
    const placement = layout.placements[cell];
    return {
        placement,
        place,
        toKey: translationOf(inOwn, inFirst, placement.bits),
        fromKey: translationOf(inFirst, inOwn, place.bits),
    };
}

/** Pushes a word of the key of a block. */
function pushKeyWord(
    f: FunctionWriter,
    state: readonly Local[],
    fields: readonly BlockField[],
    word: number,
    data: StaticData,
): void {
    let isFirst = true;
    const combine = (): void => {
        if (!isFirst) {
            f.op('i64_or');
        }
        isFirst = false;
    };
    const own = fields.filter(({ place }) => place.word === word);
    for (const { from, by, mask } of movesTo(own)) {
        f.get(state[from]).i64(BigInt.asIntN(64, mask)).op('i64_and');
        shiftUp(f, by);
        combine();
    }
    for (const { placement, place, toKey } of own.filter(each => each.toKey !== undefined)) {
        pushField(f, state, placement, toKey, data);
        shiftUp(f, place.shift);
        combine();
    }
    if (isFirst) {
        f.i64(0n);
    }
}

/** Fields that are not translated, those together that move by the same number of bits. */
function movesTo(fields: readonly BlockField[]): readonly { from: number; by: number; mask: bigint }[] {
    const moves = new Map<string, { from: number; by: number; mask: bigint }>();
    for (const { placement, place, toKey } of fields) {
        const bits = Math.min(placement.bits, place.bits);
        if (toKey !== undefined || bits === 0) {
            continue;
        }
        const by = place.shift - placement.shift;
        const key = `${String(placement.word)} ${String(by)}`;
        const move = moves.get(key) ?? { from: placement.word, by, mask: 0n };
        move.mask |= maskOf(bits) << BigInt(placement.shift);
        moves.set(key, move);
    }
    return [...moves.values()];
}

function shiftUp(f: FunctionWriter, by: number): void {
    if (by !== 0) {
        f.i64(BigInt(Math.abs(by))).op(by > 0 ? 'i64_shl' : 'i64_shr_u');
    }
}

/** Writes the sorted keys into the blocks. */
function writeBlocks(
    f: FunctionWriter,
    state: readonly Local[],
    blocks: readonly (readonly BlockField[])[],
    data: StaticData,
    pushKey: (block: number, word: number) => void,
): void {
    state.forEach((local, word) => {
        const inWord = blocks.map(fields => fields.filter(({ placement }) => placement.word === word));
        const written = inWord
            .flat()
            .reduce((mask, { placement }) => mask | (maskOf(placement.bits) << BigInt(placement.shift)), 0n);
        if (written === 0n) {
            return;
        }
        f.get(local).i64(BigInt.asIntN(64, ~written)).op('i64_and');
        inWord.forEach((fields, block) => {
            for (const [keyWord, own] of byKeyWord(fields)) {
                const key = f.acquire('i64');
                pushKey(block, keyWord);
                f.set(key);
                for (const { by, mask } of movesFrom(own)) {
                    f.get(key).i64(BigInt.asIntN(64, mask)).op('i64_and');
                    shiftUp(f, by);
                    f.op('i64_or');
                }
                for (const { placement, place, fromKey } of own.filter(each => each.fromKey !== undefined)) {
                    pushField(f, [key], { ...place, word: 0 }, fromKey, data);
                    shiftUp(f, placement.shift);
                    f.op('i64_or');
                }
                f.release(key);
            }
        });
        f.set(local);
    });
}

function byKeyWord(fields: readonly BlockField[]): ReadonlyMap<number, BlockField[]> {
    const groups = new Map<number, BlockField[]>();
    for (const field of fields) {
        groups.set(field.place.word, [...(groups.get(field.place.word) ?? []), field]);
    }
    return groups;
}

/** As `movesTo`, back from one word of the key. */
function movesFrom(fields: readonly BlockField[]): readonly { by: number; mask: bigint }[] {
    const moves = new Map<number, { by: number; mask: bigint }>();
    for (const { placement, place, fromKey } of fields) {
        const bits = Math.min(placement.bits, place.bits);
        if (fromKey !== undefined || bits === 0) {
            continue;
        }
        const by = placement.shift - place.shift;
        const move = moves.get(by) ?? { by, mask: 0n };
        move.mask |= maskOf(bits) << BigInt(place.shift);
        moves.set(by, move);
    }
    return [...moves.values()];
}
