/**
 * The least image of a state under any group, along a stabilizer chain, after Linton's smallest image of a set.
 *
 * The contents of the image's cells are determined one after the other. Write T for the image of the state S under the
 * element sought: T holds point p exactly if S holds p^x, where x is the element's inverse. So when T is to hold the
 * points p1, …, pk, the x that remain are full cosets H·x of the subgroup H that fixes p1, …, pk, and we keep one x of
 * each coset: the *candidates*. For the next cell we look, from the least content on, for a point of the cell that some
 * y·x, y in H, maps into S; the orbit of the point under H answers that, and its transversal gives the new candidates.
 *
 * Subgroups are made when a state first needs them and kept for the next state. Symmetries of the state itself, as far
 * as they are known, identify candidates that lead to the same images. [Linton2004], [JeffersonEtAl2019]
 */
import { createRandom } from '../common/random.js';
import type { LiteralAction } from '../group/literal-action.js';
import { createLocalSearch } from './local-search.js';
import { toDense, toSparse, type Permutation } from '../group/permutation.js';
import type { FactorCanonicalizer, SearchEffort } from './representative.js';
import { composeSparse, type SparsePermutation } from '../group/sparse-permutation.js';
import { tryStabilizerChain } from '../group/stabilizer-chain.js';

/** Entries of the permutations that one link may keep; beyond that the group is left to local search. */
const CHAIN_ENTRY_LIMIT = 20_000_000;
/** Subgroups that are kept from state to state. */
const KEPT_SUBGROUPS = 20_000;
/** Products of generators that are tried as symmetries of a state, in addition to the generators. */
const EXTRA_ELEMENTS = 64;

/** The elements that fix the points chosen so far. */
interface Subgroup {
    readonly order: bigint;
    readonly generators: readonly Permutation[];
    /** What choosing `point` next leads to, for points that were asked for. */
    readonly choices: Map<number, Choice>;
}

interface Choice {
    /** The point's orbit under the subgroup, itself first. */
    readonly orbit: readonly number[];
    /** `transversal[i]` maps the point to `orbit[i]`; empty when the orbit is the point alone. */
    readonly transversal: readonly Permutation[];
    readonly subgroup: Subgroup;
}

/** One coset: its element x, and the images of the chosen points, which tell it from the other cosets. */
interface Candidate {
    readonly element: Int32Array;
    readonly images: readonly number[];
}

/**
 * `undefined` when the group's order cannot be had within the memory allowed. `workPerState` bounds the points looked
 * at for one state.
 */
export function createLeastImageByDescent(
    action: LiteralAction,
    { workPerState, workLimit, meter }: SearchEffort,
): FactorCanonicalizer | undefined {
    const { firstPoint, cellOfPoint, pointCount } = action;
    const cellCount = action.cells.length;
    const generators = action.generators.map(generator => toDense(generator, pointCount));
    const chain = tryStabilizerChain(generators, pointCount, {
        entryLimit: CHAIN_ENTRY_LIMIT,
        ...(action.order === undefined ? {} : { order: action.order }),
    });
    if (chain === undefined) {
        return undefined;
    }
    const createRoot = (): Subgroup => ({ order: chain.order, generators, choices: new Map() });
    let root = createRoot();
    let kept = 0;
    const random = createRandom(pointCount);
    const knownElements = generators.slice();
    for (let i = 0; i < EXTRA_ELEMENTS; i++) {
        knownElements.push(chain.randomElement(random));
    }
    const localSearch = createLocalSearch(action, meter);
    const start = new Int32Array(cellCount);
    const identityElement = Int32Array.from({ length: pointCount }, (_, point) => point);

    return {
        strategy: 'descent',
        unique: true,
        canonicalizeInto(target, contents): boolean {
            localSearch.canonicalizeInto(start, contents);
            return descend(target, start) !== undefined;
        },
        transformation(contents): SparsePermutation | undefined {
            const toStart = localSearch.transformation(contents)!;
            localSearch.canonicalizeInto(start, contents);
            const fromImage = descend(new Int32Array(cellCount), start);
            if (fromImage === undefined) {
                return undefined;
            }
            const toImage = new Int32Array(pointCount);
            for (let point = 0; point < pointCount; point++) {
                toImage[fromImage[point]] = point;
            }
            return composeSparse(toStart, toSparse(toImage as unknown as Permutation));
        },
        plan: () => undefined,
    };

    /**
     * Writes the least image of `state` into `target`; returns an element that maps it back to `state`, or `undefined`
     * when the work exceeds the budget (`target` is then the state).
     */
    function descend(target: Int32Array, state: Int32Array): Int32Array | undefined {
        if (kept > KEPT_SUBGROUPS) {
            root = createRoot();
            kept = 0;
        }
        const holds = (point: number): boolean => state[cellOfPoint[point]] === point - firstPoint[cellOfPoint[point]];
        const symmetries = knownElements.filter(element => fixesState(element, state));
        let work = 0;
        let subgroup = root;
        let candidates: Candidate[] = [{ element: identityElement, images: [] }];
        for (let cell = 0; cell < cellCount; cell++) {
            const next: Candidate[] = [];
            for (let point = firstPoint[cell]; point < firstPoint[cell + 1] && next.length === 0; point++) {
                workLimit.isExhausted();
                const choice = choose(subgroup, point);
                for (const { element, images } of candidates) {
                    work += choice.orbit.length;
                    for (let i = 0; i < choice.orbit.length; i++) {
                        const image = element[choice.orbit[i]];
                        if (!holds(image)) {
                            continue;
                        }
                        const product = choice.orbit.length === 1 ? element : multiply(choice.transversal[i], element);
                        next.push({ element: product, images: [...images, image] });
                        work += 1 + (pointCount >> 4);
                    }
                    if (work > workPerState) {
                        meter.steps += work;
                        target.set(state);
                        return undefined;
                    }
                }
                if (next.length > 0) {
                    target[cell] = point - firstPoint[cell];
                    subgroup = choice.subgroup;
                }
            }
            candidates = next.length > 1 && symmetries.length > 0 ? withoutEquivalent(next, symmetries) : next;
            work += candidates.length * symmetries.length;
        }
        meter.steps += work;
        return candidates[0].element;
    }

    function choose(subgroup: Subgroup, point: number): Choice {
        let choice = subgroup.choices.get(point);
        if (choice === undefined) {
            choice = createChoice(subgroup, point);
            subgroup.choices.set(point, choice);
            kept++;
        }
        return choice;
    }

    function createChoice(subgroup: Subgroup, point: number): Choice {
        if (subgroup.generators.every(generator => generator[point] === point)) {
            return { orbit: [point], transversal: [], subgroup };
        }
        const own = tryStabilizerChain(subgroup.generators, pointCount, { base: [point], order: subgroup.order })!;
        const orbit = own.orbit(0);
        return {
            orbit,
            transversal: orbit.map(image => own.transversalElement(0, image)),
            subgroup: {
                order: subgroup.order / BigInt(orbit.length),
                generators: own.stabilizerGenerators(1),
                choices: new Map(),
            },
        };
    }

    function fixesState(element: Permutation, state: Int32Array): boolean {
        for (let cell = 0; cell < cellCount; cell++) {
            const image = element[firstPoint[cell] + state[cell]];
            if (state[cellOfPoint[image]] !== image - firstPoint[cellOfPoint[image]]) {
                return false;
            }
        }
        return true;
    }
}

/**
 * One candidate of each class under the symmetries of the state: if a fixes S then the cosets H·x and H·x·a lead to the
 * same images, and H·x·a maps the chosen points where a maps their images under x.
 */
function withoutEquivalent(candidates: readonly Candidate[], symmetries: readonly Permutation[]): Candidate[] {
    const indexOfImages = new Map<string, number>();
    candidates.forEach((candidate, i) => indexOfImages.set(candidate.images.join(), i));
    const seen = new Uint8Array(candidates.length);
    const result: Candidate[] = [];
    for (let i = 0; i < candidates.length; i++) {
        if (seen[i] === 1) {
            continue;
        }
        seen[i] = 1;
        result.push(candidates[i]);
        const queue = [i];
        for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
            for (const symmetry of symmetries) {
                const images = candidates[current].images.map(point => symmetry[point]);
                const other = indexOfImages.get(images.join());
                if (other !== undefined && seen[other] === 0) {
                    seen[other] = 1;
                    queue.push(other);
                }
            }
        }
    }
    return result;
}

/** `first` then `second`. */
function multiply(first: Readonly<Int32Array>, second: Readonly<Int32Array>): Int32Array {
    const product = new Int32Array(first.length);
    for (let point = 0; point < product.length; point++) {
        product[point] = second[first[point]];
    }
    return product;
}
