/** A renaming of codes: a permutation of the codes of a cell, given by the codes that it moves. NO_VALUE stays. */
import { sortAscending } from '../common/ascending.js';

export interface CodeRenaming {
    /** `to[i]` is the new name of `from[i]`; both lists hold the same codes. Any other code keeps its name. */
    readonly from: readonly number[];
    readonly to: readonly number[];
    /** The number of codes of the cell, without NO_VALUE. */
    readonly size: number;
}

/** Brings distinct `codes[i]` to i; undefined if nothing moves. `first`, 1 for an optional, is added to all codes. */
export function toFront(codes: readonly number[], size: number, first: 0 | 1): CodeRenaming | undefined {
    const from: number[] = [];
    const to: number[] = [];
    const positionIn = (list: number[], code: number): number => {
        if (!from.includes(code)) {
            from.push(code);
            to.push(code);
        }
        return list.indexOf(code);
    };
    codes.forEach((code, target) => {
        // Exchanges the present name of the code with its target.
        const here = positionIn(from, code);
        positionIn(from, target);
        const there = to.indexOf(target);
        to[there] = to[here];
        to[here] = target;
    });
    const shifted = (code: number): number => code + first;
    return from.every((code, index) => code === to[index])
        ? undefined
        : { from: from.map(shifted), to: to.map(shifted), size: size + first };
}

export function renamed(code: number, { from, to }: CodeRenaming): number {
    const index = from.indexOf(code);
    return index < 0 ? code : to[index];
}

/** The old name of what is now called `code`. */
export function nameBefore(code: number, { from, to }: CodeRenaming): number {
    const index = to.indexOf(code);
    return index < 0 ? code : from[index];
}

/** Ascending; the same array if no code changes. `rename` is `renamed` or `nameBefore`. */
export function renamedAll(
    codes: readonly number[],
    renaming: CodeRenaming,
    rename: (code: number, renaming: CodeRenaming) => number,
): readonly number[] {
    const isEverything = codes.length - (codes[0] === -1 ? 1 : 0) === renaming.size;
    if (isEverything || codes.length === 0) {
        return codes;
    }
    if (codes.length === 1) {
        const code = rename(codes[0], renaming);
        return code === codes[0] ? codes : [code];
    }
    return sortAscending(codes.map(code => rename(code, renaming)));
}
