/**
 * How many different images a state has under some elements of a group, the state included: no more than its orbit has.
 *
 * In go elements on the points of an action, and contents of its cells. No image is made: it is told from others by two
 * sums of numbers, one for each point, over the points that it holds. Two images that differ may, if rarely, count as one.
 */
import type { LiteralAction } from './literal-action.js';
import type { Permutation } from './permutation.js';
import type { SparsePermutation } from './sparse-permutation.js';

/** The elements of one direct factor, and what tells images under them apart. */
export class FactorImages {
    readonly #action: LiteralAction;
    readonly #elements: readonly (SparsePermutation | Permutation)[];
    /** `#low[point]` and `#high[point]`: numbers without a pattern. */
    readonly #low: Int32Array;
    readonly #high: Int32Array;
    /** `#held[cell]`: the point that a state holds there. */
    readonly #held: Int32Array;

    /** The points of different factors have different numbers, by `firstNumber`. */
    constructor(action: LiteralAction, elements: readonly (SparsePermutation | Permutation)[], firstNumber: number) {
        this.#action = action;
        this.#elements = elements;
        this.#low = Int32Array.from({ length: action.pointCount }, (_, point) => scramble(2 * (firstNumber + point)));
        this.#high = Int32Array.from({ length: action.pointCount }, (_, point) =>
            scramble(2 * (firstNumber + point) + 1),
        );
        this.#held = new Int32Array(action.cells.length);
    }

    /** Adds a number for each image: 0 for the state itself. O(cells · elements), for sparse elements their points. */
    addTo(found: Set<number>, contents: Readonly<Int32Array>): void {
        for (let cell = 0; cell < contents.length; cell++) {
            this.#held[cell] = this.#action.firstPoint[cell] + contents[cell];
        }
        for (const element of this.#elements) {
            found.add(this.#change(this.#low, element) * 2 ** 20 + (this.#change(this.#high, element) >>> 12));
        }
    }

    /** By how much the sum over the points of the image differs from that of the state. */
    #change(number: Int32Array, element: SparsePermutation | Permutation): number {
        const held = this.#held;
        let sum = 0;
        if ('points' in element) {
            const { points, images } = element;
            for (let i = 0; i < points.length; i++) {
                if (held[this.#action.cellOfPoint[points[i]]] === points[i]) {
                    sum = (sum + number[images[i]] - number[points[i]]) | 0;
                }
            }
        } else {
            for (let cell = 0; cell < held.length; cell++) {
                sum = (sum + number[element[held[cell]]] - number[held[cell]]) | 0;
            }
        }
        return sum;
    }
}

/** The finalizer of MurmurHash3 (Appleby, public domain) on a multiple of the golden ratio. */
function scramble(value: number): number {
    let mixed = Math.imul(value, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return mixed ^ (mixed >>> 16);
}
