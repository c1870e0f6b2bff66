/**
 * How many different images a state has under some elements of a group, the state included: at most the orbit's size.
 *
 * No image is made: each point has two numbers, and images are compared by the sums over the points that they hold. Two
 * different images may count as one, but rarely do.
 */
import type { LiteralAction } from '../group/literal-action.js';
import type { Permutation } from '../group/permutation.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { scramble } from './order-plan.js';

/** Odd, without a pattern: the fractional part of the golden ratio. */
const GOLDEN_RATIO = 0x9e3779b1;

/** The elements of one direct factor, and the numbers by which images under them are compared. */
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
        const numberOf = (value: number): number => scramble(Math.imul(value, GOLDEN_RATIO));
        this.#low = Int32Array.from({ length: action.pointCount }, (_, point) => numberOf(2 * (firstNumber + point)));
        this.#high = this.#low.map((_, point) => numberOf(2 * (firstNumber + point) + 1));
        this.#held = new Int32Array(action.cells.length);
    }

    /** Adds a number for each image: 0 for the state itself. O(cells) for each element; sparse: O(points moved). */
    addTo(found: Set<number>, contents: Readonly<Int32Array>): void {
        for (let cell = 0; cell < contents.length; cell++) {
            this.#held[cell] = this.#action.firstPoint[cell] + contents[cell];
        }
        for (const element of this.#elements) {
            found.add('points' in element ? this.#sparseChange(element) : this.#denseChange(element));
        }
    }

    /** The differences between the sums of the image and those of the state, in one number. */
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
