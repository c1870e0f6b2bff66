/**
 * The long words of a state in locals, and fields of them that move: what all strategies for representatives are made of.
 *
 * A *field* is what is stored for a cell. Where it comes to another cell, and is the same there, it is moved by a number of
 * bits, together with all fields that move alike; else it is translated: by changing certain bits, or by a table, which is
 * a constant if it has at most 64 bits.
 */
import type { Placement, StateLayout } from '../explore/state-layout.js';
import type { CellImage, StateImage } from '../representative/representative-plan.js';
import type { FunctionWriter, Local } from '../webassembly/function-writer.js';
import { maskOf } from '../codegen/state-copy.js';
import type { StaticData } from '../codegen/static-data.js';

/** What becomes of a stored number: some bits of it change, or a table says it. Absent where it stays. */
export type Translation =
    | { readonly kind: 'bits'; readonly changed: number }
    /** By what is stored, 2^bits entries; 0 for what is never stored. */
    | { readonly kind: 'table'; readonly entries: readonly number[] };

/** What is stored in a cell for the codes; -1 for those that are never stored there. */
export function storedIn(layout: StateLayout, cell: number, codes: Int32Array): Int32Array {
    const { bias, bits } = layout.placements[cell];
    return codes.map(code => (code + bias >= 0 && code + bias < 2 ** bits ? code + bias : -1));
}

/** From what is stored in one cell to what is stored in another; pairs with a -1 never occur. */
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

/** Loads the words of a state at an address. */
export function loadWords(f: FunctionWriter, longCount: number, address: Local): readonly Local[] {
    return Array.from({ length: longCount }, (_, word) => {
        const local = f.acquire('i64');
        f.get(address)
            .memory('i64_load', 8 * word)
            .set(local);
        return local;
    });
}

/** Pushes what is stored for a cell, translated, as an i64. */
export function pushField(
    f: FunctionWriter,
    words: readonly Local[],
    { word, shift, bits }: Pick<Placement, 'word' | 'shift' | 'bits'>,
    translation: Translation | undefined,
    data: StaticData,
): void {
    const pushStored = (): void => {
        if (bits === 0) {
            f.i64(0n);
            return;
        }
        f.get(words[word]);
        if (shift > 0) {
            f.i64(BigInt(shift)).op('i64_shr_u');
        }
        if (shift + bits < 64) {
            f.i64(maskOf(bits)).op('i64_and');
        }
    };
    if (translation === undefined) {
        pushStored();
    } else if (translation.kind === 'bits') {
        pushStored();
        f.i64(BigInt(translation.changed)).op('i64_xor');
    } else {
        pushFromTable(f, translation.entries, pushStored, data);
    }
}

function pushFromTable(f: FunctionWriter, entries: readonly number[], pushStored: () => void, data: StaticData): void {
    const largest = entries.reduce((most, entry) => Math.max(most, entry), 1);
    const width = [1, 2, 4, 8, 16, 32].find(bits => 2 ** bits > largest)!;
    if (width * entries.length <= 64) {
        const packed = entries.reduce((all, entry, i) => all | (BigInt(entry) << BigInt(i * width)), 0n);
        f.i64(BigInt.asIntN(64, packed));
        pushStored();
        f.i64(BigInt(Math.log2(width)))
            .op('i64_shl', 'i64_shr_u')
            .i64(maskOf(width))
            .op('i64_and');
    } else {
        pushStored();
        f.op('i32_wrap_i64').i32(2).op('i32_shl').memory('i32_load', data.table(entries)).op('i64_extend_i32_u');
    }
}

/** Fields that move by the same number of bits, up where it is positive. */
interface Move {
    readonly from: number;
    readonly to: number;
    readonly by: number;
    mask: bigint;
}

interface Translated {
    readonly source: Placement;
    readonly target: Placement;
    readonly translation: Translation;
}

/** The image of a state under one element, in terms of its words. */
export interface WordImage {
    readonly moves: readonly Move[];
    /** By word: the bits that change once they are where they belong. */
    readonly changed: readonly bigint[];
    readonly translated: readonly Translated[];
    /** About how many instructions it takes. */
    readonly size: number;
}

/**
 * The images of states under elements that move the same cells; what they do not speak of stays as it is. What several do
 * alike to a cell is looked at once.
 */
export function wordImages(layout: StateLayout, images: readonly StateImage[]): readonly WordImage[] {
    const fields = new Map<CellImage, FieldImage>();
    const written = Array.from({ length: layout.longCount }, () => 0n);
    for (const { target } of images[0] ?? []) {
        const { word, shift, bits } = layout.placements[target];
        written[word] |= maskOf(bits) << BigInt(shift);
    }
    return images.map(image => {
        const moves = new Map<number, Move>();
        const changed = Array.from({ length: layout.longCount }, () => 0n);
        const translated: Translated[] = [];
        const move = (from: number, to: number, by: number, mask: bigint): void => {
            const key = (from * layout.longCount + to) * 128 + by + 64;
            const known = moves.get(key);
            if (known === undefined) {
                moves.set(key, { from, to, by, mask });
            } else {
                known.mask |= mask;
            }
        };
        for (const cell of image) {
            let field = fields.get(cell);
            if (field === undefined) {
                field = fieldImage(layout, cell);
                fields.set(cell, field);
            }
            if (field.kind === 'translated') {
                translated.push(field);
            } else {
                const { source, target, mask } = field;
                if (mask !== 0n) {
                    move(source.word, target.word, target.shift - source.shift, mask);
                }
                changed[target.word] |= field.changed;
            }
        }
        written.forEach((mask, word) => {
            const rest = maskOf(64) & ~mask;
            if (rest !== 0n) {
                move(word, word, 0, rest);
            }
        });
        return {
            moves: [...moves.values()],
            changed,
            translated,
            size: 4 * moves.size + 10 * translated.length + 2 * layout.longCount,
        };
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

/** Computes the image of the words in other locals. */
export function writeImage(
    f: FunctionWriter,
    { moves, changed, translated }: WordImage,
    words: readonly Local[],
    image: readonly Local[],
    data: StaticData,
): void {
    image.forEach((local, word) => {
        let isFirst = true;
        const combine = (): void => {
            if (!isFirst) {
                f.op('i64_or');
            }
            isFirst = false;
        };
        for (const { from, by, mask } of moves.filter(({ to }) => to === word)) {
            f.get(words[from]);
            if (mask !== maskOf(64)) {
                f.i64(BigInt.asIntN(64, mask)).op('i64_and');
            }
            if (by !== 0) {
                f.i64(BigInt(Math.abs(by))).op(by > 0 ? 'i64_shl' : 'i64_shr_u');
            }
            combine();
        }
        for (const { source, target, translation } of translated.filter(each => each.target.word === word)) {
            pushField(f, words, source, translation, data);
            if (target.shift > 0) {
                f.i64(BigInt(target.shift)).op('i64_shl');
            }
            combine();
        }
        if (isFirst) {
            f.i64(0n);
        }
        if (changed[word] !== 0n) {
            f.i64(BigInt.asIntN(64, changed[word])).op('i64_xor');
        }
        f.set(local);
    });
}

/** Pushes whether some words, the first one first, are less than others. */
export function pushIsLess(f: FunctionWriter, words: readonly Local[], others: readonly Local[]): void {
    f.get(words[words.length - 1])
        .get(others[words.length - 1])
        .op('i64_lt_u');
    for (let word = words.length - 2; word >= 0; word--) {
        // Less in a word, or the same there and less in what follows.
        f.get(words[word]).get(others[word]).op('i64_eq', 'i32_and');
        f.get(words[word]).get(others[word]).op('i64_lt_u', 'i32_or');
    }
}

/** Stores words at an address. */
export function storeWords(f: FunctionWriter, words: readonly Local[], address: Local): void {
    words.forEach((local, word) => {
        f.get(address)
            .get(local)
            .memory('i64_store', 8 * word);
    });
}
