/**
 * Ranges of a bundle that can be permuted in any way: subtrees that are alike, twins.
 *
 * Such ranges stand one after the other and are equally long. The exchange of each with the next generates all their
 * permutations, and each but the last is a level.
 */
import type { BasePoints } from './base-points.js';
import type { PlainSymmetries } from './kernel.js';
import type { PermutationList } from '../permutation-list.js';

/** Numbers for one family: where its first range starts, how long the ranges are, how many there are. */
const WIDTH = 3;
/** There is room for so many families once there is one. */
const LEAST = 4;
const NO_FAMILIES = new Int32Array(0);

export class Exchanges implements PlainSymmetries {
    readonly #bundle: Int32Array;
    /** The families one after the other. The first `#end` entries count. */
    #families: Int32Array = NO_FAMILIES;
    #end = 0;

    constructor(bundle: Int32Array) {
        this.#bundle = bundle;
    }

    /** Says that `count` ranges of `length` vertices each can be permuted, the first of which begins at `start`. */
    add(start: number, length: number, count: number): void {
        if (count === 1) {
            return;
        }
        if (this.#end === this.#families.length) {
            const larger = new Int32Array(Math.max(LEAST * WIDTH, 2 * this.#end));
            larger.set(this.#families);
            this.#families = larger;
        }
        this.#families[this.#end++] = start;
        this.#families[this.#end++] = length;
        this.#families[this.#end++] = count;
    }

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
