/**
 * Images of states in terms of their long words, in generated code; all strategies for representatives use it.
 *
 * A *field* is what is stored for a cell. A field that is the same in another cell is moved, together with all fields that
 * move alike; another is translated: certain bits change, or a table says the result.
 */
import { remembered } from '../common/list-map.js';
import type { Placement, StateLayout } from '../explore/state-layout.js';
import type { CellImage, StateImage } from '../representative/representative-plan.js';
import {
    type FunctionBody,
    i64,
    type Int,
    load32,
    load64,
    type Long,
    union,
    type WasmVariable,
} from '../webassembly/function-body.js';
import { maskOf } from '../codegen/state-copy.js';
import type { StaticData } from '../codegen/static-data.js';

/** What becomes of a stored number: some bits of it change, or a table says it. Absent if it stays. */
export type Translation =
    | { readonly kind: 'bits'; readonly changed: number }
    /** By the stored number, 2^bits entries; 0 for numbers that are never stored. */
    | { readonly kind: 'table'; readonly entries: readonly number[] };

/** The numbers stored in a cell for the codes; -1 for codes that are never stored there. */
export function storedIn(layout: StateLayout, cell: number, codes: Int32Array): Int32Array {
    const { bias, bits } = layout.placements[cell];
    return codes.map(code => (code + bias >= 0 && code + bias < 2 ** bits ? code + bias : -1));
}

/** From the numbers stored in one cell to those stored in another; pairs with a -1 never occur. */
export function translationOf(from: Int32Array, to: Int32Array, bits: number): Translation | undefined {
    const entries = new Array<number>(2 ** bits).fill(0);
    const changed = new Set<number>();
    from.forEach((stored, i) => {
        if (stored >= 0 && to[i] >= 0) {
            entries[stored] = to[i];
            changed.add(stored ^ to[i]);
        }
    });
    const [only, ...others] = changed;
    if (others.length > 0) {
        return { kind: 'table', entries };
    }
    return only === undefined || only === 0 ? undefined : { kind: 'bits', changed: only };
}

export function loadWords(f: FunctionBody, longCount: number, address: Int): readonly WasmVariable<'i64'>[] {
    return Array.from({ length: longCount }, (_, word) => f.variable(load64(address, 8 * word)));
}

export function storeWords(f: FunctionBody, words: readonly Long[], address: Int): void {
    words.forEach((word, i) => {
        f.store64(address, 8 * i, word);
    });
}

export function field(
    words: readonly Long[],
    { word, shift, bits }: Pick<Placement, 'word' | 'shift' | 'bits'>,
    translation: Translation | undefined,
    data: StaticData,
): Long {
    const shifted = bits === 0 ? i64(0n) : words[word].shiftedRight(BigInt(shift));
    const stored = bits === 0 || shift + bits === 64 ? shifted : shifted.and(maskOf(bits));
    switch (translation?.kind) {
        case undefined:
            return stored;
        case 'bits':
            return stored.xor(BigInt(translation.changed));
        case 'table':
            return fromTable(translation.entries, stored, data);
    }
}

function fromTable(entries: readonly number[], index: Long, data: StaticData): Long {
    const largest = entries.reduce((most, entry) => Math.max(most, entry), 1);
    const width = [1, 2, 4, 8, 16, 32].find(bits => 2 ** bits > largest)!;
    if (width * entries.length <= 64) {
        const packed = entries.reduce((all, entry, i) => all | (BigInt(entry) << BigInt(i * width)), 0n);
        return i64(packed)
            .shiftedRight(index.shiftedLeft(BigInt(Math.log2(width))))
            .and(maskOf(width));
    }
    return load32(index.toInt().shiftedLeft(2), data.table(entries)).toLong();
}

/** Moved up by a number of bits, or down if it is negative. */
export function shiftedUp(word: Long, by: number): Long {
    return by >= 0 ? word.shiftedLeft(BigInt(by)) : word.shiftedRight(BigInt(-by));
}

/** Bits that move by the same number of bits, up if it is positive, from one word to another. */
export interface Move {
    readonly from: number;
    readonly to: number;
    readonly by: number;
    /** The bits, in the word of their origin or of their target. */
    readonly mask: bigint;
}

/** Moves that differ only in their bits together, and none without bits. */
export function joinedMoves(moves: Iterable<Move>): readonly Move[] {
    const joined = new Map<number, { from: number; to: number; by: number; mask: bigint }>();
    for (const move of moves) {
        const key = (move.from * 2 ** 20 + move.to) * 128 + move.by + 64;
        const known = joined.get(key);
        if (known === undefined) {
            joined.set(key, { ...move });
        } else {
            known.mask |= move.mask;
        }
    }
    return [...joined.values()].filter(({ mask }) => mask !== 0n);
}

interface Translated {
    readonly source: Placement;
    readonly target: Placement;
    readonly translation: Translation;
}

/** The image of a state under one element, in terms of its words. */
export interface WordImage {
    readonly moves: readonly Move[];
    /** By word: the bits that change after the moves. */
    readonly changed: readonly bigint[];
    readonly translated: readonly Translated[];
    /** About how many instructions it takes. */
    readonly size: number;
}

/**
 * The images of states under elements that move the same cells; all other bits stay. An image of a cell that several
 * elements share is computed once.
 */
export function wordImages(layout: StateLayout, images: readonly StateImage[]): readonly WordImage[] {
    const fields = new Map<CellImage, FieldImage>();
    const written = Array.from({ length: layout.longCount }, () => 0n);
    for (const { target } of images[0] ?? []) {
        const { word, shift, bits } = layout.placements[target];
        written[word] |= maskOf(bits) << BigInt(shift);
    }
    return images.map(image => {
        const moves: Move[] = [];
        const changed = Array.from({ length: layout.longCount }, () => 0n);
        const translated: Translated[] = [];
        for (const cell of image) {
            const field = remembered(fields, cell, () => fieldImage(layout, cell));
            if (field.kind === 'translated') {
                translated.push(field);
            } else {
                const { source, target, mask } = field;
                moves.push({ from: source.word, to: target.word, by: target.shift - source.shift, mask });
                changed[target.word] |= field.changed;
            }
        }
        written.forEach((mask, word) => {
            moves.push({ from: word, to: word, by: 0, mask: maskOf(64) & ~mask });
        });
        const joined = joinedMoves(moves);
        const size = 4 * joined.length + 10 * translated.length + 2 * layout.longCount;
        return { moves: joined, changed, translated, size };
    });
}

/** A field that is moved, then certain bits of its word change; or one that is translated. */
type FieldImage =
    | {
          readonly kind: 'moved';
          readonly source: Placement;
          readonly target: Placement;
          /** Of the source's word. */
          readonly mask: bigint;
          /** Of the target's word. */
          readonly changed: bigint;
      }
    | ({ readonly kind: 'translated' } & Translated);

function fieldImage(layout: StateLayout, { source: from, target: to, held, becomes }: CellImage): FieldImage {
    const source = layout.placements[from];
    const target = layout.placements[to];
    const translation = translationOf(storedIn(layout, from, held), storedIn(layout, to, becomes), source.bits);
    if (translation?.kind === 'table') {
        return { kind: 'translated', source, target, translation };
    }
    return {
        kind: 'moved',
        source,
        target,
        // The higher bits of the longer one are 0 in what is stored, or become so.
        mask: maskOf(Math.min(source.bits, target.bits)) << BigInt(source.shift),
        changed: (BigInt(translation?.changed ?? 0) & maskOf(target.bits)) << BigInt(target.shift),
    };
}

export function writeImage(
    { moves, changed, translated }: WordImage,
    words: readonly Long[],
    image: readonly WasmVariable<'i64'>[],
    data: StaticData,
): void {
    image.forEach((variable, word) => {
        const moved = moves
            .filter(({ to }) => to === word)
            .map(({ from, by, mask }) => shiftedUp(words[from].and(mask), by));
        const others = translated
            .filter(({ target }) => target.word === word)
            .map(({ source, target, translation }) => shiftedUp(field(words, source, translation, data), target.shift));
        variable.set(union([...moved, ...others]).xor(changed[word]));
    });
}
