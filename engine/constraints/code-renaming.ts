/** A renaming of codes: a permutation of the codes of a cell, given by the codes that it moves. NO_VALUE stays. */
import { sortAscending } from '../common/ascending.js';

export interface CodeRenaming {
    /** `to[i]` is the new name of `from[i]`; both lists hold the same codes. Any other code keeps its name. */
    readonly from: readonly number[];
    readonly to: readonly number[];
    /** The number of codes of the cell, without NO_VALUE. */
    readonly size: number;
}

/** Renamings that bring codes to the front. Equal requests share one object. */
export class FrontRenamings {
    private readonly known = new Map<string, CodeRenaming | undefined>();

    /** Brings `codes[i]` to i, for distinct codes below `size`; undefined if they are there already. */
    of(codes: readonly number[], size: number): CodeRenaming | undefined {
        return this.find(`${size}:${codes.join()}`, () => toFront(codes, size));
    }

    /** The same for an optional, whose code 0 is `none`: every code is one higher. */
    ofOptional(codes: readonly number[], size: number): CodeRenaming | undefined {
        return this.find(`${size}?${codes.join()}`, () => {
            const renaming = this.of(codes, size);
            return renaming && shifted(renaming);
        });
    }

    private find(key: string, make: () => CodeRenaming | undefined): CodeRenaming | undefined {
        let renaming = this.known.get(key);
        if (renaming === undefined && !this.known.has(key)) {
            renaming = make();
            this.known.set(key, renaming);
        }
        return renaming;
    }
}

function toFront(codes: readonly number[], size: number): CodeRenaming | undefined {
    if (codes.length === 1) {
        const [code] = codes;
        return code === 0 ? undefined : { from: [code, 0], to: [0, code], size };
    }
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
    return from.every((code, index) => code === to[index]) ? undefined : { from, to, size };
}

function shifted({ from, to, size }: CodeRenaming): CodeRenaming {
    return { from: from.map(code => code + 1), to: to.map(code => code + 1), size: size + 1 };
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
