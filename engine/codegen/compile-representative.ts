/**
 * The least image of a state under permutations of cells, on its packed words.
 *
 * States compare word by word as they compare cell by cell. For each permutation the image is put together from groups
 * of cells that move by the same number of bits from one word to another: a rotation of processes takes two groups for each
 * variable. The lesser of two images is kept without a branch.
 */
import type { StateLayout } from '../explore/state-layout.js';
import type { FunctionWriter, Local } from './function-writer.js';
import { MARK } from './memory-map.js';
import { maskOf } from './state-copy.js';

/** Cells that move by the same number of bits, up where it is positive. */
interface Move {
    readonly from: number;
    readonly to: number;
    readonly by: number;
    mask: bigint;
}

export type CellMoves = readonly (readonly Move[])[];

/** More than this is faster elsewhere, where what cannot be least is left early. */
const MOST_MOVES = 2000;

/** For each permutation its moves; undefined where it exchanges cells that are stored differently, or there are too many. */
export function movesOf(permutations: readonly Int32Array[], { placements }: StateLayout): CellMoves | undefined {
    let count = 0;
    const all: Move[][] = [];
    for (const sources of permutations) {
        const moves = new Map<string, Move>();
        for (let cell = 0; cell < sources.length; cell++) {
            const target = placements[cell];
            const source = placements[sources[cell]];
            if (target.bits !== source.bits || target.bias !== source.bias) {
                return undefined;
            }
            if (target.bits === 0) {
                continue;
            }
            const by = target.shift - source.shift;
            const key = `${String(source.word)} ${String(target.word)} ${String(by)}`;
            const move = moves.get(key) ?? { from: source.word, to: target.word, by, mask: 0n };
            move.mask |= maskOf(source.bits) << BigInt(source.shift);
            moves.set(key, move);
        }
        count += moves.size;
        all.push([...moves.values()]);
    }
    return count <= MOST_MOVES ? all : undefined;
}

/** Replaces the long words at an address by those of the least image. They have the mark. */
export function replaceByLeastImage(f: FunctionWriter, longCount: number, moves: CellMoves, address: Local): void {
    const words = Array.from({ length: longCount }, (_, word) => word);
    const state = words.map(() => f.acquire('i64'));
    const least = words.map(() => f.acquire('i64'));
    const image = words.map(() => f.acquire('i64'));
    const isLess = f.acquire('i32');
    for (const word of words) {
        f.get(address)
            .memory('i64_load', 8 * word)
            .tee(state[word])
            .set(least[word]);
    }
    for (const permutation of moves) {
        for (const word of words) {
            f.i64(word === longCount - 1 ? MARK : 0n);
            for (const { from, by, mask } of permutation.filter(({ to }) => to === word)) {
                f.get(state[from]).i64(BigInt.asIntN(64, mask)).op('i64_and');
                if (by !== 0) {
                    f.i64(BigInt(Math.abs(by))).op(by > 0 ? 'i64_shl' : 'i64_shr_u');
                }
                f.op('i64_or');
            }
            f.set(image[word]);
        }
        // Less in a word, or the same there and less in what follows.
        f.i32(0);
        for (const word of [...words].reverse()) {
            f.get(image[word]).get(least[word]).op('i64_eq', 'i32_and');
            f.get(image[word]).get(least[word]).op('i64_lt_u', 'i32_or');
        }
        f.set(isLess);
        for (const word of words) {
            f.get(image[word]).get(least[word]).get(isLess).op('select').set(least[word]);
        }
    }
    for (const word of words) {
        f.get(address)
            .get(least[word])
            .memory('i64_store', 8 * word);
    }
    for (const local of [...state, ...least, ...image, isLess]) {
        f.release(local);
    }
}
