/**
 * Sorting of blocks of cells: the contents of each block are collected in a key, the keys are sorted, and written back.
 *
 * A key reads as if its block were the first one. Blocks therefore compare as their keys do, and a key says what any block
 * has to hold in its place.
 */
import { appendTo } from '../common/list-map.js';
import type { Placement, StateLayout } from '../explore/state-layout.js';
import type { ColumnCell, SortPlan } from '../representative/representative-plan.js';
import { CURRENT } from '../codegen/current-state.js';
import { allOf, FunctionBody, i32, load64, type Long, union, type WasmVariable } from '../webassembly/function-body.js';
import { keyAddress, sortByInsertion, sortByNetwork, type KeyArray } from './sort-keys.js';
import { maskOf } from '../codegen/state-copy.js';
import {
    field,
    joinedMoves,
    loadWords,
    shiftedUp,
    storedIn,
    storeWords,
    translationOf,
    type Translation,
} from './state-words.js';
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

interface BlockField {
    readonly placement: Placement;
    readonly place: KeyPlace;
    readonly toKey: Translation | undefined;
    readonly fromKey: Translation | undefined;
}

/** A function of the address of a state that sorts its blocks and returns 0; `undefined` if it would be too large. */
export function compileSorting(plan: SortPlan, layout: StateLayout, data: StaticData): FunctionBody | undefined {
    const { blockCount } = plan;
    const keysOfBlocks = keysOf(plan, layout);
    if (keysOfBlocks === undefined) {
        return undefined;
    }
    const { blocks, keyWords } = keysOfBlocks;
    const f = new FunctionBody(['i32']);
    const address = f.parameter(0);
    const state = loadWords(f, layout.longCount, address);
    if (blockCount <= MOST_IN_NETWORK && keyWords === 1) {
        const keys = blocks.map(fields => f.variable(keyWord(state, fields, 0, data)));
        sortByNetwork(f, keys);
        writeBlocks(f, state, blocks, data, block => keys[block]);
    } else {
        const keys: KeyArray = { address: data.space(8 * keyWords * blockCount), words: keyWords };
        blocks.forEach((fields, block) => {
            for (let word = 0; word < keyWords; word++) {
                f.store64(0, keyAddress(keys, block, word), keyWord(state, fields, word, data));
            }
        });
        const moved = f.variable(0);
        sortByInsertion(f, keys, 0, blockCount, moved);
        f.if(moved.isZero(), () => {
            f.return(0);
        });
        writeBlocks(f, state, blocks, data, (block, word) => load64(0, keyAddress(keys, block, word)));
    }
    storeWords(f, state, address);
    f.result(0);
    return f;
}

/** A function that writes to `flags + block` whether a block of the state at CURRENT reads as the one before: 1 or 0. */
export function compileComparing(
    plan: SortPlan,
    layout: StateLayout,
    data: StaticData,
    flags: number,
): FunctionBody | undefined {
    const { blocks, keyWords } = keysOf(plan, layout) ?? { blocks: [], keyWords: 0 };
    const f = new FunctionBody();
    const state = loadWords(f, layout.longCount, i32(CURRENT));
    const keyOf = (block: number): readonly Long[] =>
        Array.from({ length: keyWords }, (_, word) => f.variable(keyWord(state, blocks[block], word, data)));
    let before = blocks.length === 0 ? [] : keyOf(0);
    for (let block = 1; block < blocks.length; block++) {
        const key = keyOf(block);
        f.store8(0, flags + block, allOf(key.map((word, index) => word.is(before[index]))));
        before = key;
    }
    return blocks.length === 0 ? undefined : f;
}

interface Keys {
    readonly blocks: readonly (readonly BlockField[])[];
    readonly keyWords: number;
}

/** Undefined if there are too many fields. */
function keysOf({ blockCount, columns: all }: SortPlan, layout: StateLayout): Keys | undefined {
    const columns = all.filter(column => column.some(({ cell }) => layout.placements[cell].bits > 0));
    if (columns.length * blockCount > MOST_FIELDS) {
        return undefined;
    }
    const { places, words: keyWords } = placesInKey(columns.map(([{ cell }]) => layout.placements[cell].bits));
    const blocks = Array.from({ length: blockCount }, (_, block) =>
        columns.map((column, i) => fieldOf(layout, column, block, places[i])),
    );
    return { blocks, keyWords };
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

function keyWord(state: readonly Long[], fields: readonly BlockField[], word: number, data: StaticData): Long {
    const own = fields.filter(({ place }) => place.word === word);
    const moves = own.map(({ placement, place, toKey }) => ({ from: placement, to: place, translation: toKey }));
    return wordOf(moves, state, data);
}

function writeBlocks(
    f: FunctionBody,
    state: readonly WasmVariable<'i64'>[],
    blocks: readonly (readonly BlockField[])[],
    data: StaticData,
    keyOf: (block: number, word: number) => Long,
): void {
    state.forEach((variable, word) => {
        const inWord = blocks.map(fields => fields.filter(({ placement }) => placement.word === word));
        const written = inWord
            .flat()
            .reduce((mask, { placement }) => mask | (maskOf(placement.bits) << BigInt(placement.shift)), 0n);
        if (written === 0n) {
            return;
        }
        const parts = [variable.and(~written)];
        inWord.forEach((fields, block) => {
            const byKeyWord = new Map<number, BlockField[]>();
            fields.forEach(each => {
                appendTo(byKeyWord, each.place.word, each);
            });
            for (const [keyWord, own] of byKeyWord) {
                parts.push(f.compute('i64', () => fromKey(own, f.variable(keyOf(block, keyWord)), data)));
            }
        });
        variable.set(union(parts));
    });
}

/** Fields as a word of their key says them. */
function fromKey(fields: readonly BlockField[], key: Long, data: StaticData): Long {
    const moves = fields.map(({ placement, place, fromKey }) => ({
        from: { ...place, word: 0 },
        to: placement,
        translation: fromKey,
    }));
    return wordOf(moves, [key], data);
}

interface FieldMove {
    readonly from: KeyPlace;
    readonly to: KeyPlace;
    readonly translation: Translation | undefined;
}

/** Fields in their new places; those that move by the same number of bits from one word move together. */
function wordOf(moves: readonly FieldMove[], words: readonly Long[], data: StaticData): Long {
    const moved = moves.filter(({ translation }) => translation === undefined);
    const translated = moves.filter(({ translation }) => translation !== undefined);
    const joined = joinedMoves(
        moved.map(({ from, to }) => {
            const mask = maskOf(Math.min(from.bits, to.bits)) << BigInt(from.shift);
            return { from: from.word, to: 0, by: to.shift - from.shift, mask };
        }),
    );
    return union([
        ...joined.map(({ from, by, mask }) => shiftedUp(words[from].and(mask), by)),
        ...translated.map(({ from, to, translation }) => shiftedUp(field(words, from, translation, data), to.shift)),
    ]);
}
