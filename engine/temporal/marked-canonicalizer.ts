/** Representatives of states, and where the symmetry that leads there takes the markers. */
import { invariant } from '../common/assert.js';
import { listElements } from '../group/elements.js';
import { createLiteralAction, type LiteralAction, type LiteralGroup } from '../group/literal-action.js';
import type { Permutation } from '../group/permutation.js';
import { imageOf, sparsePermutation } from '../group/sparse-permutation.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { ContentNumbering } from '../representative/content-numbering.js';
import type { RepresentativePlan, StateImage } from '../representative/representative-plan.js';
import type { Canonicalizer } from '../representative/representative.js';

/** Where each marker goes. Length markerCount. */
export type MarkerImages = Readonly<Uint32Array>;

/** The firings of a stored state, each with what its symmetry does to markers. */
export type MarkedEdges = (state: number) => readonly MarkedEdge[];

export interface MarkedEdge {
    readonly target: number;
    readonly stepClass: number;
    readonly images: MarkerImages;
}

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
    /** All symmetries, if there are few; undefined before they are asked for. */
    #listed: ListedSymmetries | 'too many' | undefined;

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

    get markerCount(): number {
        return this.#markerCount;
    }

    /** On the cells and behind them the markers. */
    plan(): RepresentativePlan | undefined {
        return this.#canonicalizer.plan();
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

    /** Where the symmetry takes markers that takes `state` to its stored form; undefined if there is none. */
    markersAlong(state: Readonly<Int32Array>, stored: Readonly<Int32Array>): MarkerImages | undefined {
        this.#listed ??= listSymmetries(this.group, this.#cellCount) ?? 'too many';
        if (this.#listed !== 'too many') {
            return this.#listed.markersAlong(state, stored);
        }
        const symmetry = this.transformation(state);
        return symmetry && this.markerImages(symmetry);
    }

    /** The symmetry that takes `state` to its stored form: that of `markersAlong`, once it has been asked. */
    symmetryAlong(state: Readonly<Int32Array>, stored: Readonly<Int32Array>): SparsePermutation | undefined {
        return this.#listed === undefined || this.#listed === 'too many'
            ? this.transformation(state)
            : this.#listed.symmetryAlong(state, stored);
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

/** More elements are not tried one after the other. */
const MOST_LISTED = 1 << 10;

function listSymmetries(group: LiteralGroup, cellCount: number): ListedSymmetries | undefined {
    const action = createLiteralAction(group);
    const elements = listElements(action, MOST_LISTED);
    return elements && new ListedSymmetries(group, action, elements, cellCount);
}

/** The elements of a small group: the one that takes a state to another is found by trying. */
class ListedSymmetries {
    readonly #action: LiteralAction;
    readonly #elements: readonly Permutation[];
    readonly #markerImages: readonly MarkerImages[];
    readonly #cellCount: number;
    readonly #numbering: ContentNumbering;
    readonly #marked: Int32Array;
    readonly #contents: Int32Array;
    /** By point: 1 if the stored form has it. */
    readonly #isStored: Uint8Array;

    constructor(group: LiteralGroup, action: LiteralAction, elements: readonly Permutation[], cellCount: number) {
        const { firstPoint, cellOfPoint, pointCount } = action;
        this.#action = action;
        this.#elements = elements;
        this.#cellCount = cellCount;
        this.#numbering = new ContentNumbering(group);
        this.#marked = new Int32Array(group.cellCount);
        this.#contents = new Int32Array(group.cellCount);
        this.#isStored = new Uint8Array(pointCount);
        this.#markerImages = elements.map(element =>
            Uint32Array.from(
                { length: group.cellCount - cellCount },
                (_, marker) => cellOfPoint[element[firstPoint[cellCount + marker]]] - cellCount,
            ),
        );
    }

    markersAlong(state: Readonly<Int32Array>, stored: Readonly<Int32Array>): MarkerImages | undefined {
        const element = this.#elementAlong(state, stored);
        return element < 0 ? undefined : this.#markerImages[element];
    }

    symmetryAlong(state: Readonly<Int32Array>, stored: Readonly<Int32Array>): SparsePermutation | undefined {
        const index = this.#elementAlong(state, stored);
        if (index < 0) {
            return undefined;
        }
        const { cellOfPoint, firstPoint } = this.#action;
        const literals: [number, number][] = [];
        this.#elements[index].forEach((image, point) => {
            if (image !== point && point !== firstPoint[cellOfPoint[point]]) {
                // Each cell has one more point than literals, its first one.
                literals.push([point - cellOfPoint[point] - 1, image - cellOfPoint[image] - 1]);
            }
        });
        return sparsePermutation(literals);
    }

    /** The first one that takes a state to its stored form; -1 if there is none. */
    #elementAlong(state: Readonly<Int32Array>, stored: Readonly<Int32Array>): number {
        const { firstPoint } = this.#action;
        const contents = this.#contents;
        this.#isStored.fill(0);
        this.#contentsOf(stored);
        for (let cell = 0; cell < this.#cellCount; cell++) {
            this.#isStored[firstPoint[cell] + contents[cell]] = 1;
        }
        this.#contentsOf(state);
        for (let index = 0; index < this.#elements.length; index++) {
            const element = this.#elements[index];
            let cell = 0;
            while (cell < this.#cellCount && this.#isStored[element[firstPoint[cell] + contents[cell]]] === 1) {
                cell++;
            }
            if (cell === this.#cellCount) {
                return index;
            }
        }
        return -1;
    }

    #contentsOf(state: Readonly<Int32Array>): void {
        this.#marked.set(state);
        this.#numbering.contentsInto(this.#contents, this.#marked);
    }
}
