/** Representatives of states, and where the symmetry that leads there takes the markers. */
import { invariant } from '../common/assert.js';
import type { LiteralGroup } from '../group/literal-action.js';
import { imageOf } from '../group/sparse-permutation.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { StateImage } from '../representative/representative-plan.js';
import type { Canonicalizer } from '../representative/representative.js';

/** Where each marker goes. Length markerCount. */
export type MarkerImages = Readonly<Uint32Array>;

export class MarkedCanonicalizer {
    readonly group: LiteralGroup;
    readonly strategy: Canonicalizer['strategy'];
    readonly #canonicalizer: Canonicalizer;
    readonly #cellCount: number;
    /** The point of the first marker; the others follow. */
    readonly #firstMarker: number;
    readonly #markerCount: number;
    /** With the markers behind the cells, each with its one code. */
    readonly #marked: Int32Array;
    readonly #image: Int32Array;
    readonly #identity: Uint32Array;

    /** The canonicalizer is of a group whose last cells are the markers. */
    constructor(canonicalizer: Canonicalizer, cellCount: number) {
        const { group, strategy } = canonicalizer;
        this.group = group;
        this.strategy = strategy;
        this.#canonicalizer = canonicalizer;
        this.#cellCount = cellCount;
        this.#firstMarker = literalsOf(group, cellCount);
        this.#markerCount = group.cellCount - cellCount;
        this.#marked = new Int32Array(group.cellCount);
        this.#image = new Int32Array(group.cellCount);
        this.#identity = Uint32Array.from({ length: this.#markerCount }, (_, marker) => marker);
    }

    /** Writes the representative; false if the work budget ended the search: then `target` is not to be used. */
    canonicalizeInto(target: Int32Array, state: Readonly<Int32Array>): boolean {
        this.#marked.set(state);
        const isDecided = this.#canonicalizer.canonicalizeInto(this.#image, this.#marked);
        for (let cell = 0; cell < this.#cellCount; cell++) {
            target[cell] = this.#image[cell];
        }
        return isDecided;
    }

    /** The symmetry that takes a state to its representative, on literals and markers; undefined if there is none. */
    transformation(state: Readonly<Int32Array>): SparsePermutation | undefined {
        this.#marked.set(state);
        return this.#canonicalizer.transformation(this.#marked);
    }

    imageInto(target: Int32Array, state: Readonly<Int32Array>, permutation: SparsePermutation): void {
        this.#marked.set(state);
        this.#canonicalizer.imageInto(this.#image, this.#marked, permutation);
        target.set(this.#image.subarray(0, this.#cellCount));
    }

    /** As `elements` of a canonicalizer; markers are no cells of a state. */
    elements(most: number, targets: readonly number[]): readonly StateImage[] {
        return this.#canonicalizer
            .elements(most, targets)
            .map(image => image.filter(({ target }) => target < this.#cellCount));
    }

    markerImages(permutation: SparsePermutation): MarkerImages {
        if (permutation.points.length === 0) {
            return this.#identity;
        }
        return this.#identity.map(marker => {
            const image = imageOf(permutation, this.#firstMarker + marker) - this.#firstMarker;
            invariant(image >= 0 && image < this.#markerCount, 'a symmetry maps markers onto markers');
            return image;
        });
    }
}

/** The number of literals of the first cells. */
function literalsOf({ domainSizes }: LiteralGroup, cellCount: number): number {
    let count = 0;
    for (let cell = 0; cell < cellCount; cell++) {
        count += domainSizes[cell];
    }
    return count;
}
