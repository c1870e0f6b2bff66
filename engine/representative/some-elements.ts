/**
 * Elements of a group that show of many states that they are not the least of their orbits: all of a small group, of a
 * large one the generators and elements conjugate to them. For a symmetric group these are all its transpositions, if
 * some of them generate it.
 */
import { HashChains } from '../common/hash-chains.js';
import { KeyText } from '../common/key-text.js';
import { chainOfListedGroup } from '../group/elements.js';
import type { LiteralAction } from '../group/literal-action.js';
import type { Permutation } from '../group/permutation.js';
import {
    conjugateSparse,
    imageOf,
    inverseSparse,
    SPARSE_IDENTITY,
    type SparsePermutation,
    toDense,
} from '../group/sparse-permutation.js';

const MOST_ELEMENTS = 1024;
/** Points that all conjugates together may move. */
const MOST_POINTS = 500_000;

/** There may be more of them than are used. */
export interface SomeElements {
    /** The first so many are generators of the group, each once. */
    readonly generatorCount: number;
    /** How many there are to choose `most` from: all of a small group, of a large one so many, but all generators. */
    readonly count: (most: number) => number;
    /** One of those counted. */
    readonly element: (index: number) => SparsePermutation | Permutation;
}

/** Without the identity. */
export function someElements(action: LiteralAction): SomeElements {
    const generators = distinct(action.generators);
    const chain = chainOfListedGroup(action, MOST_ELEMENTS);
    if (chain === undefined) {
        const found: SparsePermutation[] = [];
        const conjugates = withConjugates(generators, action.pointCount);
        return {
            generatorCount: generators.length,
            count(most): number {
                const wanted = Math.max(generators.length, Math.min(most, MOST_ELEMENTS));
                while (found.length < wanted) {
                    const next = conjugates.next();
                    if (next.done === true) {
                        break;
                    }
                    found.push(next.value);
                }
                return Math.min(found.length, wanted);
            },
            element: index => found[index],
        };
    }
    // The first of all elements is the identity.
    const first = new Set([0, ...generators.map(generator => chain.indexOf(toDense(generator, action.pointCount)))]);
    const others = Array.from({ length: Number(chain.order) }, (_, index) => index).filter(index => !first.has(index));
    return {
        generatorCount: generators.length,
        count: () => generators.length + others.length,
        element: index => generators.at(index) ?? chain.element(others[index - generators.length]),
    };
}

function distinct(generators: readonly SparsePermutation[]): readonly SparsePermutation[] {
    const moving = generators.filter(({ points }) => points.length > 0);
    return [...new Map(moving.map(generator => [keyOf(generator), generator])).values()];
}

const keyText = new KeyText();

function keyOf({ points, images }: SparsePermutation): string {
    keyText.begin();
    keyText.number(points.length);
    for (let i = 0; i < points.length; i++) {
        keyText.number(points[i]);
        keyText.number(images[i]);
    }
    return keyText.finish();
}

/** The generators, then their inverses, then what is conjugate to these; each once. */
function* withConjugates(generators: readonly SparsePermutation[], degree: number): Generator<SparsePermutation, void> {
    const found: SparsePermutation[] = [];
    const known = new HashChains();
    let points = 0;
    const renamed = Int32Array.from({ length: degree }, (_, point) => point);
    /** Adds what is conjugate to `element`, unless it is known. Most are: so they are made only then. */
    const addConjugate = (element: SparsePermutation, renaming: SparsePermutation): SparsePermutation | undefined => {
        for (let i = 0; i < renaming.points.length; i++) {
            renamed[renaming.points[i]] = renaming.images[i];
        }
        const hash = hashOfRenamed(element, renamed);
        let index = known.first(hash);
        while (index >= 0 && !isRenamed(found[index], element, renamed)) {
            index = known.next(index);
        }
        for (const point of renaming.points) {
            renamed[point] = point;
        }
        if (index >= 0) {
            return undefined;
        }
        const conjugate = conjugateSparse(element, renaming);
        known.add(found.length, hash);
        found.push(conjugate);
        points += conjugate.points.length;
        return conjugate;
    };
    const isNew = (element: SparsePermutation): boolean => addConjugate(element, SPARSE_IDENTITY) !== undefined;
    yield* generators.filter(isNew);
    yield* generators.map(inverseSparse).filter(isNew);
    const movers = moversOfPoints(generators, degree);
    const isMoving = new Uint8Array(generators.length);
    // What is added on the way is gone through as well.
    for (const element of found) {
        // By a generator that moves none of its points it is conjugate to itself.
        markMovers(isMoving, movers, element);
        for (let index = isMoving.indexOf(1); index >= 0; index = isMoving.indexOf(1, index + 1)) {
            if (points >= MOST_POINTS) {
                return;
            }
            const conjugate = addConjugate(element, generators[index]);
            if (conjugate !== undefined) {
                yield conjugate;
            }
        }
    }
}

/** By point the generators that move it, absent where none does. */
type MoversOfPoints = readonly (readonly number[] | undefined)[];

function moversOfPoints(generators: readonly SparsePermutation[], degree: number): MoversOfPoints {
    const movers = Array.from({ length: degree }, (): number[] | undefined => undefined);
    generators.forEach((generator, index) => {
        for (const point of generator.points) {
            (movers[point] ??= []).push(index);
        }
    });
    return movers;
}

/** Sets `isMoving[generator]` to 1 for those that move a point of the element, to 0 for the others. */
function markMovers(isMoving: Uint8Array, movers: MoversOfPoints, { points }: SparsePermutation): void {
    isMoving.fill(0);
    let count = 0;
    for (let i = 0; i < points.length && count < isMoving.length; i++) {
        const ofPoint = movers[points[i]] ?? [];
        for (let j = 0; j < ofPoint.length; j++) {
            count += 1 - isMoving[ofPoint[j]];
            isMoving[ofPoint[j]] = 1;
        }
    }
}

/** Odd, without a pattern: the fractional part of the golden ratio. */
const MIXING_FACTOR = 0x9e3779b1;

/** Of the points that are moved and their images, all under their new names, in whatever order. */
function hashOfRenamed({ points, images }: SparsePermutation, renamed: Readonly<Int32Array>): number {
    let hash = 0;
    for (let i = 0; i < points.length; i++) {
        const mixed = Math.imul(renamed[points[i]], MIXING_FACTOR) ^ renamed[images[i]];
        hash = (hash + Math.imul(mixed ^ (mixed >>> 15), MIXING_FACTOR)) | 0;
    }
    return hash;
}

/** Whether `other` is `element` under the new names. */
function isRenamed(other: SparsePermutation, element: SparsePermutation, renamed: Readonly<Int32Array>): boolean {
    const { points, images } = element;
    if (other.points.length !== points.length) {
        return false;
    }
    for (let i = 0; i < points.length; i++) {
        if (imageOf(other, renamed[points[i]]) !== renamed[images[i]]) {
            return false;
        }
    }
    return true;
}
