/**
 * Elements of a group that show of many states that they are not the least of their orbits: all of a small group, of a
 * large one the generators and elements conjugate to them. For a symmetric group these are all its transpositions, if
 * some of them generate it.
 */
import { KeyText } from '../common/key-text.js';
import { appendTo } from '../common/list-map.js';
import { chainOfListedGroup } from './elements.js';
import type { LiteralAction } from './literal-action.js';
import { toDense, type Permutation } from './permutation.js';
import { conjugateSparse, inverseSparse, type SparsePermutation } from './sparse-permutation.js';

const MOST_ELEMENTS = 1024;
/** Points that all conjugates together may move. */
const MOST_POINTS = 500_000;

/** There may be more of them than anybody asks for. */
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
        const conjugates = withConjugates(generators);
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
function* withConjugates(generators: readonly SparsePermutation[]): Generator<SparsePermutation, void> {
    const found = new Map<string, SparsePermutation>();
    let points = 0;
    const isNew = (element: SparsePermutation): boolean => {
        const key = keyOf(element);
        if (found.has(key)) {
            return false;
        }
        found.set(key, element);
        points += element.points.length;
        return true;
    };
    yield* generators.filter(isNew);
    yield* generators.map(inverseSparse).filter(isNew);
    const movers = new Map<number, number[]>();
    generators.forEach((generator, index) => {
        for (const point of generator.points) {
            appendTo(movers, point, index);
        }
    });
    const isMoving = new Uint8Array(generators.length);
    // A map is walked through in the order of insertion, what is added on the way included.
    for (const element of found.values()) {
        // By a generator that moves none of its points it is conjugate to itself.
        isMoving.fill(0);
        for (const point of element.points) {
            for (const index of movers.get(point) ?? []) {
                isMoving[index] = 1;
            }
        }
        for (let index = isMoving.indexOf(1); index >= 0; index = isMoving.indexOf(1, index + 1)) {
            if (points >= MOST_POINTS) {
                return;
            }
            const conjugate = conjugateSparse(element, generators[index]);
            if (isNew(conjugate)) {
                yield conjugate;
            }
        }
    }
}
