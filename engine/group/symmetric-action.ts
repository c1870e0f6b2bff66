/**
 * Symmetric groups inside a permutation group, recognized from sparse generators without a stabilizer chain.
 *
 * They permute one or several families of elements (processes, for example). Each point is labeled with the elements
 * that it refers to: `pc[2] = 1` with (2), `met[1][2] = 0` with (1, 2). A permutation of the elements moves a point by
 * moving its labels; this is checked for each point.
 */
import { UnionFind } from '../common/union-find.js';
import { orbits } from './orbits.js';
import { factorial } from './permutation.js';
import {
    composeSparse,
    conjugateSparse,
    cyclesOfSparse,
    imageOf,
    orderOfSparse,
    powerOfSparse,
    sparsePermutation,
    SPARSE_IDENTITY,
    type SparsePermutation,
} from './sparse-permutation.js';

/** The most labels of a point. */
export const MAXIMAL_ARITY = 4;
/** The most entries of all tables together. */
const TABLE_LIMIT = 8_000_000;

/** A product of symmetric groups, one for each family of elements, and its action on points. */
export interface SymmetricAction {
    /** Elements are numbered family by family: family f has `firstElement[f]` … `firstElement[f + 1] - 1`. */
    readonly firstElement: readonly number[];
    readonly elementCount: number;
    /** Length elementCount. */
    readonly familyOfElement: Int32Array;
    /** `basePoint[element]`: a point with this element as its only label. Length elementCount. */
    readonly basePoint: Int32Array;
    /** `swap[element]` exchanges the element with the first of its family; the identity for the first. */
    readonly swap: readonly SparsePermutation[];
    /** `kindOfPoint[point]`: the orbit of the point under this group; -1 if it has no label. Length degree. */
    readonly kindOfPoint: Int32Array;
    /** `labels[point * MAXIMAL_ARITY + role]` for each role below the arity of the point's kind. */
    readonly labels: Int32Array;
    readonly kinds: readonly PointKind[];
    /** The product of the factorials of the family sizes. */
    readonly order: bigint;
}

/** The points of one orbit, found by their labels. */
interface PointKind {
    readonly arity: number;
    /**
     * `pointOfLabels[shift + stride[0] · label0 + stride[1] · label1 + …]`; -1 if the labels do not occur together. All
     * labels of one role are of one family; there is an entry for each tuple of elements of these families.
     */
    readonly pointOfLabels: Int32Array;
    readonly shift: number;
    /** Length arity. */
    readonly stride: readonly number[];
    readonly labeling: Labeling;
}

/**
 * `ordered`: the labels of a point are unique. `unordered`: they are unique up to order. `ambiguous`: other elements
 * label the same point, as the pairs {0, 1} and {2, 3} of four elements may do.
 */
type Labeling = 'ordered' | 'unordered' | 'ambiguous';

/** The largest such product found in the group, if any. Computed once for each list of generators. */
export function findSymmetricAction(
    generators: readonly SparsePermutation[],
    degree: number,
): SymmetricAction | undefined {
    let known = knownActions.get(generators);
    if (known?.degree !== degree) {
        known = { degree, action: symmetricActionOf(generators, degree) };
        knownActions.set(generators, known);
    }
    return known.action;
}

const knownActions = new WeakMap<
    readonly SparsePermutation[],
    { readonly degree: number; readonly action: SymmetricAction | undefined }
>();

function symmetricActionOf(generators: readonly SparsePermutation[], degree: number): SymmetricAction | undefined {
    const families = findFamilies(generators, degree);
    // If the labels of all families are inconsistent, those of the families found first may be consistent.
    for (let count = families.length; count > 0;) {
        const labeled = new PointLabeler(families.slice(0, count), degree).label();
        if (typeof labeled !== 'number') {
            return labeled;
        }
        count = labeled;
    }
    return undefined;
}

/** The permutation of points by a permutation of the elements that maps each family onto itself. */
export function pointPermutation(
    action: SymmetricAction,
    images: Readonly<Int32Array>,
    degree: number,
): SparsePermutation {
    const pairs: [number, number][] = [];
    for (let point = 0; point < degree; point++) {
        pairs.push([point, imageOfPoint(action, images, point)]);
    }
    return sparsePermutation(pairs);
}

/** The image of one point under a permutation of the elements. */
export function imageOfPoint(action: SymmetricAction, images: Readonly<Int32Array>, point: number): number {
    const kind = action.kindOfPoint[point];
    if (kind < 0) {
        return point;
    }
    const { arity, pointOfLabels, shift, stride } = action.kinds[kind];
    let index = shift;
    for (let role = 0; role < arity; role++) {
        index += stride[role] * images[action.labels[point * MAXIMAL_ARITY + role]];
    }
    return pointOfLabels[index];
}

/** Points of one orbit that stand for the elements of a family. */
interface Family {
    readonly points: readonly number[];
    /** `swap[i]` exchanges points[i] with points[0]. */
    readonly swap: readonly SparsePermutation[];
}

/** A group element that exchanges two points of an orbit and fixes the others. */
interface Edge {
    readonly swap: SparsePermutation;
    readonly first: number;
    readonly second: number;
}

function findFamilies(generators: readonly SparsePermutation[], degree: number): readonly Family[] {
    const families: Family[] = [];
    const pool = withUsefulPowers(generators);
    const candidates = orbits(generators, degree)
        .filter(orbit => orbit.length > 1)
        .sort((a, b) => b.length - a.length || a[0] - b[0]);
    const orbitOfPoint = new Int32Array(degree).fill(-1);
    candidates.forEach((orbit, index) => orbit.forEach(point => (orbitOfPoint[point] = index)));

    // By orbit: the elements of the pool that exchange two of its points.
    const edgesOfOrbit: Edge[][] = candidates.map(() => []);
    const movedInOrbit = new Int32Array(candidates.length);
    for (const element of pool) {
        for (const point of element.points) {
            movedInOrbit[orbitOfPoint[point]]++;
        }
        for (let i = 0; i < element.points.length; i++) {
            const point = element.points[i];
            const image = element.images[i];
            if (movedInOrbit[orbitOfPoint[point]] === 2 && point < image) {
                edgesOfOrbit[orbitOfPoint[point]].push({ swap: element, first: point, second: image });
            }
        }
        for (const point of element.points) {
            movedInOrbit[orbitOfPoint[point]] = 0;
        }
    }
    // The swaps of a family fix the elements of earlier families. `taken[point]` is 1 + the number of the family with
    // the element, or 0, and `place[point]` its index in the family.
    const taken = new Int32Array(degree);
    const place = new Int32Array(degree);
    const undone = new Map<SparsePermutation, Undone>();
    candidates.forEach((orbit, index) => {
        const edges = edgesOfOrbit[index].flatMap(edge => independentOf(families, edge, taken, place, undone) ?? []);
        if (edges.length > 0) {
            edges.sort((a, b) => a.swap.points.length - b.swap.points.length);
            for (const family of familiesOfEdges(orbit, edges, generators, taken)) {
                const number = families.push(family);
                family.points.forEach((point, i) => {
                    taken[point] = number;
                    place[point] = i;
                });
            }
        }
    });
    return families;
}

/** A group element, followed by swaps that undo its action on families. */
interface Undone {
    /** The number of families when it was computed. It stays valid if no element of a later family is moved. */
    readonly familyCount: number;
    /** The number of the last family with a moved element, or 0. */
    readonly latest: number;
    /** Undefined if the group element does not keep the families. */
    readonly factors: readonly SparsePermutation[] | undefined;
}

/**
 * The edge after undoing its action on the elements of families: a generator may exchange processes together with
 * voters. `undefined` if this fails. `undone` keeps the results, because an element may be an edge in many orbits.
 */
function independentOf(
    families: readonly Family[],
    edge: Edge,
    taken: Int32Array,
    place: Int32Array,
    undone: Map<SparsePermutation, Undone>,
): Edge | undefined {
    let known = undone.get(edge.swap);
    if (known?.familyCount !== families.length) {
        let latest = 0;
        for (const point of edge.swap.points) {
            latest = Math.max(latest, taken[point]);
        }
        const factors = known?.latest === latest ? known.factors : factorsUndoing(families, edge.swap, taken, place);
        known = { familyCount: families.length, latest, factors };
        undone.set(edge.swap, known);
    }
    if (known.latest === 0) {
        return edge;
    }
    const { factors } = known;
    if (factors === undefined) {
        return undefined;
    }
    const image = (point: number): number => factors.reduce((at, factor) => imageOf(factor, at), point);
    if (image(edge.first) !== edge.second || image(edge.second) !== edge.first) {
        return undefined;
    }
    const swap = factors.reduce(composeSparse);
    return swap.points.every(point => taken[point] === 0) ? { ...edge, swap } : undefined;
}

/** The swap and the swaps of families that undo its action on them; `undefined` if it does not keep the families. */
function factorsUndoing(
    families: readonly Family[],
    swap: SparsePermutation,
    taken: Int32Array,
    place: Int32Array,
): readonly SparsePermutation[] | undefined {
    const factors = [swap];
    for (const cycle of cyclesOfSparse(swap)) {
        const number = taken[cycle[0]];
        if (cycle.some(point => taken[point] !== number)) {
            return undefined;
        }
        if (number > 0) {
            // A cycle is undone by exchanging its points one after the other; swaps of other families fix them.
            const { swap: swaps } = families[number - 1];
            for (let i = 1; i < cycle.length; i++) {
                const [from, to] = [place[cycle[i - 1]], place[cycle[i]]];
                factors.push(...(from === 0 || to === 0 ? [swaps[from + to]] : [swaps[from], swaps[to], swaps[from]]));
            }
        }
    }
    return factors;
}

/** The connected components of the edges and their conjugates, as families. */
function familiesOfEdges(
    orbit: readonly number[],
    edges: readonly Edge[],
    generators: readonly SparsePermutation[],
    taken: Int32Array,
): readonly Family[] {
    const position = new Map(orbit.map((point, i) => [point, i]));
    // Only a generator that moves an end of an edge connects more points.
    const movers = new Map<number, SparsePermutation[]>(orbit.map(point => [point, []]));
    for (const generator of generators) {
        generator.points.forEach(point => movers.get(point)?.push(generator));
    }
    const sets = new UnionFind(orbit.length);
    const tree: Edge[] = [];
    const add = (edge: Edge): void => {
        if (sets.union(position.get(edge.first)!, position.get(edge.second)!)) {
            tree.push(edge);
        }
    };
    // Swaps with the smallest support come first, with their conjugates: a larger one may be a product.
    let closed = 0;
    for (let next = 0; next < edges.length && sets.setCount > 1;) {
        const size = edges[next].swap.points.length;
        while (next < edges.length && edges[next].swap.points.length === size) {
            add(edges[next++]);
        }
        for (; closed < tree.length && sets.setCount > 1; closed++) {
            const edge = tree[closed];
            for (const generator of [...movers.get(edge.first)!, ...movers.get(edge.second)!]) {
                const first = imageOf(generator, edge.first);
                const second = imageOf(generator, edge.second);
                if (sets.find(position.get(first)!) !== sets.find(position.get(second)!)) {
                    const swap = conjugateSparse(edge.swap, generator);
                    if (swap.points.every(point => taken[point] === 0)) {
                        add({ swap, first, second });
                    }
                }
            }
        }
    }
    const neighbors = new Map<number, Edge[]>(orbit.map(point => [point, []]));
    for (const edge of tree) {
        neighbors.get(edge.first)!.push(edge);
        neighbors.get(edge.second)!.push(edge);
    }
    return sets
        .sets()
        .filter(set => set.length > 1)
        .map(set =>
            star(
                set.map(i => orbit[i]),
                neighbors,
            ),
        );
}

/** Swaps with the first point, from swaps along a spanning tree: (0 b) is the conjugate of (a b) by (0 a). */
function star(points: readonly number[], neighbors: ReadonlyMap<number, readonly Edge[]>): Family {
    const center = points[0];
    const swapWithCenter = new Map<number, SparsePermutation>([[center, SPARSE_IDENTITY]]);
    for (const [point, swap] of swapWithCenter) {
        for (const edge of neighbors.get(point) ?? []) {
            const other = edge.first === point ? edge.second : edge.first;
            if (!swapWithCenter.has(other)) {
                swapWithCenter.set(other, point === center ? edge.swap : conjugateSparse(edge.swap, swap));
            }
        }
    }
    return { points, swap: points.map(point => swapWithCenter.get(point)!) };
}

/** The powers of the generators that have order two. */
function withUsefulPowers(generators: readonly SparsePermutation[]): readonly SparsePermutation[] {
    const pool: SparsePermutation[] = [];
    for (const generator of generators) {
        const order = orderOfSparse(generator);
        if (order === 2n) {
            pool.push(generator);
        } else if (order % 2n === 0n && order <= BigInt(Number.MAX_SAFE_INTEGER)) {
            pool.push(powerOfSparse(generator, Number(order / 2n)));
        }
    }
    return pool;
}

class PointLabeler {
    readonly #families: readonly Family[];
    readonly #degree: number;
    readonly #firstElement: number[] = [0];
    readonly #familyOfElement: Int32Array;
    readonly #basePoint: Int32Array;
    readonly #swap: readonly SparsePermutation[];
    readonly #kindOfPoint: Int32Array;
    readonly #labels: Int32Array;
    readonly #kinds: PointKind[] = [];
    /** The swaps that move each point, ascending: `movers[firstMover[point]]` … `movers[firstMover[point + 1] - 1]`. */
    readonly #firstMover: Int32Array;
    readonly #movers: Int32Array;
    #tableEntries = 0;

    constructor(families: readonly Family[], degree: number) {
        this.#families = families;
        this.#degree = degree;
        for (const family of families) {
            this.#firstElement.push(this.#firstElement[this.#firstElement.length - 1] + family.points.length);
        }
        this.#familyOfElement = new Int32Array(this.#firstElement[families.length]);
        families.forEach((_, f) => this.#familyOfElement.fill(f, this.#firstElement[f], this.#firstElement[f + 1]));
        this.#basePoint = Int32Array.from(families.flatMap(family => family.points));
        this.#swap = families.flatMap(family => family.swap);
        this.#kindOfPoint = new Int32Array(degree).fill(-1);
        this.#labels = new Int32Array(degree * MAXIMAL_ARITY).fill(-1);
        this.#firstMover = new Int32Array(degree + 1);
        for (const { points } of this.#swap) {
            for (const point of points) {
                this.#firstMover[point + 1]++;
            }
        }
        for (let point = 0; point < degree; point++) {
            this.#firstMover[point + 1] += this.#firstMover[point];
        }
        this.#movers = new Int32Array(this.#firstMover[degree]);
        const filled = this.#firstMover.slice(0, degree);
        this.#swap.forEach(({ points }, element) => {
            for (const point of points) {
                this.#movers[filled[point]++] = element;
            }
        });
    }

    /**
     * Labels all points. If labels are inconsistent, the result is the number of first families that may still be
     * consistent: an orbit stays inconsistent as long as it has all families that move its points.
     */
    label(): SymmetricAction | number {
        let fitting = this.#families.length;
        const isBasePoint = new Uint8Array(this.#degree);
        this.#basePoint.forEach(point => (isBasePoint[point] = 1));
        for (const orbit of orbits(this.#swap, this.#degree)) {
            if (orbit.length === 1) {
                continue;
            }
            // The labels of the point that the fewest swaps move are the elements of these swaps, without the centers.
            const start = orbit.reduce((least, point) =>
                this.#moverCount(point) < this.#moverCount(least) ? point : least,
            );
            // Of a family of two either fits; the first for the first point of each orbit, so that all of a cell have the same.
            const movers = this.#movers.subarray(this.#firstMover[start], this.#firstMover[start + 1]);
            const startLabels = Array.from(movers, mover => (this.#isOfTwo(mover) ? this.#centerOf(mover) : mover));
            // A base point has one label, and all base points of a family are of one kind.
            const mayFit = startLabels.length <= (orbit.some(point => isBasePoint[point] === 1) ? 1 : MAXIMAL_ARITY);
            const kind = mayFit ? this.#labelOrbit(start, startLabels) : undefined;
            if (kind === undefined) {
                fitting = Math.min(fitting, this.#lastFamilyOf(orbit));
            } else {
                this.#kinds.push(kind);
            }
        }
        if (fitting < this.#families.length) {
            return fitting;
        }
        this.#renumberToBasePoints();
        return {
            firstElement: this.#firstElement,
            elementCount: this.#basePoint.length,
            familyOfElement: this.#familyOfElement,
            basePoint: this.#basePoint,
            swap: this.#swap,
            kindOfPoint: this.#kindOfPoint,
            labels: this.#labels,
            kinds: this.#kinds,
            order: this.#families.reduce((order, { points }) => order * factorial(points.length), 1n),
        };
    }

    #moverCount(point: number): number {
        return this.#firstMover[point + 1] - this.#firstMover[point];
    }

    /** The last family that moves points of the orbit. */
    #lastFamilyOf(orbit: readonly number[]): number {
        // The movers ascend, and so do the families of elements.
        return orbit.reduce(
            (last, point) => Math.max(last, this.#familyOfElement[this.#movers[this.#firstMover[point + 1] - 1]]),
            0,
        );
    }

    /** An empty table for the points of an orbit; `undefined` if the tables become too large. */
    #tableFor(startLabels: readonly number[]): Omit<PointKind, 'labeling'> | undefined {
        const stride: number[] = [];
        let shift = 0;
        let entries = 1;
        for (const label of startLabels) {
            const family = this.#familyOfElement[label];
            stride.push(entries);
            shift -= entries * this.#firstElement[family];
            entries *= this.#families[family].points.length;
        }
        this.#tableEntries += entries;
        return this.#tableEntries > TABLE_LIMIT
            ? undefined
            : { arity: startLabels.length, pointOfLabels: new Int32Array(entries).fill(-1), shift, stride };
    }

    #labelOrbit(start: number, startLabels: readonly number[]): PointKind | undefined {
        const table = this.#tableFor(startLabels);
        if (table === undefined) {
            return undefined;
        }
        const { arity, pointOfLabels, shift, stride } = table;
        let labeling: Labeling = 'ordered';
        const indexOf = (tuple: readonly number[]): number =>
            tuple.reduce((index, label, role) => index + stride[role] * label, shift);
        const queue: number[][] = [];
        const visit = (tuple: readonly number[], point: number): boolean => {
            const index = indexOf(tuple);
            if (pointOfLabels[index] >= 0) {
                return pointOfLabels[index] === point;
            }
            pointOfLabels[index] = point;
            queue.push([...tuple]);
            if (this.#kindOfPoint[point] < 0) {
                this.#kindOfPoint[point] = this.#kinds.length;
                this.#labels.set(tuple, point * MAXIMAL_ARITY);
            } else {
                const own = this.#labels.subarray(point * MAXIMAL_ARITY, point * MAXIMAL_ARITY + arity);
                const isReordered = labeling !== 'ambiguous' && tuple.every(label => own.includes(label));
                labeling = isReordered ? 'unordered' : 'ambiguous';
            }
            return true;
        };
        visit(startLabels, start);
        for (let tuple = queue.pop(); tuple !== undefined; tuple = queue.pop()) {
            const point = pointOfLabels[indexOf(tuple)];
            if (!this.#isMovedByLabels(point, tuple) || !this.#visitImages(tuple, point, visit)) {
                return undefined;
            }
        }
        return { ...table, labeling };
    }

    /** Whether every swap that moves the point moves one of its labels. */
    #isMovedByLabels(point: number, labels: readonly number[]): boolean {
        for (let i = this.#firstMover[point]; i < this.#firstMover[point + 1]; i++) {
            const mover = this.#movers[i];
            if (!labels.includes(mover) && !labels.includes(this.#centerOf(mover))) {
                return false;
            }
        }
        return true;
    }

    /** Visits the images of a labeled point under the swaps that move its labels, until `visit` returns false. */
    #visitImages(
        labels: readonly number[],
        point: number,
        visit: (labels: readonly number[], point: number) => boolean,
    ): boolean {
        for (const label of labels) {
            const center = this.#centerOf(label);
            const from = label === center ? center + 1 : label;
            const to = label === center ? this.#firstElement[this.#familyOfElement[label] + 1] : label + 1;
            for (let element = from; element < to; element++) {
                const image = labels.map(l => (l === element ? center : l === center ? element : l));
                if (!visit(image, imageOf(this.#swap[element], point))) {
                    return false;
                }
            }
        }
        return true;
    }

    #isOfTwo(element: number): boolean {
        return this.#families[this.#familyOfElement[element]].points.length === 2;
    }

    /** The first element of the family, which is exchanged by all its swaps. */
    #centerOf(element: number): number {
        return this.#firstElement[this.#familyOfElement[element]];
    }

    /** Labels base points with their own elements; in a family of two, #labelOrbit may have exchanged them. */
    #renumberToBasePoints(): void {
        this.#basePoint.forEach((point, element) => {
            const { pointOfLabels, shift } = this.#kinds[this.#kindOfPoint[point]];
            this.#labels[point * MAXIMAL_ARITY] = element;
            pointOfLabels[shift + element] = point;
        });
    }
}
