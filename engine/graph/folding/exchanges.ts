/**
 * Ranges of a bundle that can be permuted in any way: isomorphic subtrees, or twins. The ranges of a family are
 * adjacent and equally long. Exchanges of neighbors generate all permutations; each range but the last is a level of a
 * base.
 */
import type { BasePoints } from './base-points.js';
import type { PermutationList } from '../permutation-list.js';
import { enlarged } from '../scratch.js';

/** The entries of one family: the start of its first range, the length of the ranges, and their number. */
const WIDTH = 3;
/** The first capacity, in families. */
const LEAST = 4;
const NO_FAMILIES = new Int32Array(0);

export class Exchanges {
    readonly #bundle: Int32Array;
    /** The families one after the other. The first `#end` entries count. */
    #families: Int32Array = NO_FAMILIES;
    #end = 0;

    constructor(bundle: Int32Array) {
        this.#bundle = bundle;
    }

    /** Adds a family of `count` ranges of `length` vertices each, the first of which begins at `start`. */
    add(start: number, length: number, count: number): void {
        if (count === 1) {
            return;
        }
        if (this.#end === this.#families.length) {
            this.#families = enlarged(this.#families, LEAST * WIDTH);
        }
        this.#families[this.#end++] = start;
        this.#families[this.#end++] = length;
        this.#families[this.#end++] = count;
    }

    /** Calls `visit` for all levels in their order. */
    forEachLevel(basePoints: BasePoints, visit: (point: number, orbitLength: number) => void): void {
        for (let family = 0; family < this.#end; family += WIDTH) {
            const length = this.#families[family + 1];
            let here = this.#families[family];
            for (let left = this.#families[family + 2]; left > 1; left--) {
                visit(basePoints.among(this.#bundle, here, here + length), left);
                here += length;
            }
        }
    }

    /** Writes generators to `list`, and calls `keep` after each, which takes it from the list. */
    writeGenerators(list: PermutationList, keep: () => void): void {
        const bundle = this.#bundle;
        for (let family = 0; family < this.#end; family += WIDTH) {
            const length = this.#families[family + 1];
            let here = this.#families[family];
            for (let left = this.#families[family + 2]; left > 1; left--) {
                list.reserve(2 * length);
                list.map(bundle, here, bundle, here + length, length);
                list.map(bundle, here + length, bundle, here, length);
                keep();
                here += length;
            }
        }
    }
}
