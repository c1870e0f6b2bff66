/**
 * How many different images a state has under some elements of a group, the state included: no more than its orbit has.
 *
 * In go elements on the points of an action, and contents of its cells. No image is made: it is told from others by two
 * sums of numbers, one for each point, over the points that it holds. Two images that differ may, if rarely, count as one.
 */
import type { LiteralAction } from '../group/literal-action.js';
import type { Permutation } from '../group/permutation.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';

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
            found.add('points' in element ? this.#sparseChange(element) : this.#denseChange(element));
        }
    }

    /** By how much the sums over the points of the image differ from those of the state, in one number. */
    #sparseChange({ points, images }: SparsePermutation): number {
        const held = this.#held;
        const low = this.#low;
        const high = this.#high;
        const { cellOfPoint } = this.#action;
        let lowSum = 0;
        let highSum = 0;
        for (let i = 0; i < points.length; i++) {
            const point = points[i];
            if (held[cellOfPoint[point]] === point) {
                lowSum = (lowSum + low[images[i]] - low[point]) | 0;
                highSum = (highSum + high[images[i]] - high[point]) | 0;
            }
        }
        return united(lowSum, highSum);
    }

    #denseChange(element: Permutation): number {
        const held = this.#held;
        const low = this.#low;
        const high = this.#high;
        let lowSum = 0;
        let highSum = 0;
        for (let cell = 0; cell < held.length; cell++) {
            const point = held[cell];
            lowSum = (lowSum + low[element[point]] - low[point]) | 0;
            highSum = (highSum + high[element[point]] - high[point]) | 0;
        }
        return united(lowSum, highSum);
    }
}

function united(low: number, high: number): number {
    return low * 2 ** 20 + (high >>> 12);
}

/** The finalizer of MurmurHash3 (Appleby, public domain) on a multiple of the golden ratio. */
function scramble(value: number): number {
    let mixed = Math.imul(value, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return mixed ^ (mixed >>> 16);
}
