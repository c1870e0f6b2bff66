/** Between the codes of states and contents, which number only the values that can occur; see group/literal-action.ts. */
import { invariant } from '../common/assert.js';
import type { LiteralGroup } from '../group/literal-action.js';

export class ContentNumbering {
    /** By cell: `codes[content]`, -1 for no value; `undefined` if every code is its content less 1. */
    readonly #codes: readonly (Int32Array | undefined)[];
    /** By cell, the inverse: `contents[code + 1]`, -1 for a code that cannot occur. */
    readonly #contents: readonly (Int32Array | undefined)[];

    constructor({ cellCount, codes = [] }: Pick<LiteralGroup, 'cellCount' | 'codes'>) {
        this.#codes = Array.from({ length: cellCount }, (_, cell) => {
            const listed = codes[cell] ?? [];
            return listed.some((code, i) => code !== i) ? Int32Array.of(-1, ...listed) : undefined;
        });
        this.#contents = this.#codes.map(listed => {
            const contents = listed && new Int32Array(listed[listed.length - 1] + 2).fill(-1);
            listed?.forEach((code, content) => (contents![code + 1] = content));
            return contents;
        });
    }

    codeOf(cell: number, content: number): number {
        return this.#codes[cell]?.[content] ?? content - 1;
    }

    contentOf(cell: number, code: number): number {
        const known = this.#contents[cell];
        const content = known === undefined ? code + 1 : known[code + 1];
        invariant(content >= 0, 'reachable states hold values that can occur');
        return content;
    }

    contentsInto(contents: Int32Array, state: Readonly<Int32Array>): void {
        for (let cell = 0; cell < contents.length; cell++) {
            contents[cell] = this.contentOf(cell, state[cell]);
        }
    }

    codesInto(target: Int32Array, contents: Readonly<Int32Array>): void {
        for (let cell = 0; cell < contents.length; cell++) {
            target[cell] = this.codeOf(cell, contents[cell]);
        }
    }
}
