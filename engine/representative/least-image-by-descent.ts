/**
 * The least image of a state under any group, along a stabilizer chain, after Linton's smallest image of a set.
 *
 * The contents of the image's cells are determined one after the other. Subgroups are made on first use and kept for later
 * states. Known symmetries of the state show which candidates lead to the same images. [Linton2004], [JeffersonEtAl2019]
 */
import { remembered } from '../common/list-map.js';
import { createRandom } from '../common/random.js';
import type { LiteralAction } from '../group/literal-action.js';
import { createLocalSearch } from './local-search.js';
import { compose, identity, inverse, type Permutation } from '../group/permutation.js';
import type { FactorCanonicalizer, SearchEffort } from './strategy.js';
import { composeSparse, type SparsePermutation, toDense, toSparse } from '../group/sparse-permutation.js';
import { tryStabilizerChain, type StabilizerChain } from '../group/stabilizer-chain.js';

/**
 * Entries of permutations that one link of the chain, the subgroups kept from state to state, and the candidates for a
 * cell may each have. A group whose links need more is left to local search.
 */
const ENTRY_LIMIT = 20_000_000;
/** Steps that it takes to compare an entry as a part of a text. */
const TEXT_STEPS = 16;
/** Products of generators that are tried as symmetries of a state, besides the generators. */
const EXTRA_ELEMENTS = 64;

/** The elements that fix the points chosen so far. */
interface Subgroup {
    readonly order: bigint;
    readonly generators: readonly Permutation[];
    /** By point: the result of choosing it next, if it was needed so far. */
    readonly choices: Map<number, Choice>;
}

interface Choice {
    /** The point's orbit under the subgroup, itself first. */
    readonly orbit: readonly number[];
    /** `transversal[i]` maps the point to `orbit[i]`; empty if the orbit is the point alone. */
    readonly transversal: readonly Permutation[];
    readonly subgroup: Subgroup;
}

/**
 * Write T for the image of the state S under the element sought: T holds point p exactly if S holds p^x, where x is the
 * inverse of the element. If T is to hold the points p1, …, pk, the x that remain are full cosets H·x of the subgroup H
 * that fixes p1, …, pk. A candidate is one coset: its x, and the images of the chosen points, which tell it from others.
 * For the next cell the least content is chosen whose point some y·x, y in H, maps into S. The orbit of the point under H
 * answers that, and its transversal gives the new candidates.
 */
interface Candidate {
    readonly element: Permutation;
    readonly images: readonly number[];
}

/** `undefined` if finding the group's order takes more memory than is allowed. */
export function createLeastImageByDescent(
    action: LiteralAction,
    effort: SearchEffort,
): FactorCanonicalizer | undefined {
    const generators = action.generators.map(generator => toDense(generator, action.pointCount));
    const chain = tryStabilizerChain(generators, action.pointCount, {
        entryLimit: ENTRY_LIMIT,
        ...(action.order === undefined ? {} : { order: action.order }),
    });
    return chain && new LeastImageByDescent(action, effort, generators, chain);
}

class LeastImageByDescent implements FactorCanonicalizer {
    readonly strategy = 'descent';
    readonly unique = true;
    readonly #action: LiteralAction;
    readonly #effort: SearchEffort;
    readonly #generators: readonly Permutation[];
    readonly #order: bigint;
    /** Elements that are tried as symmetries of a state. */
    readonly #knownElements: readonly Permutation[];
    readonly #localSearch: FactorCanonicalizer;
    /** The state at which a descent begins. */
    readonly #start: Int32Array;
    readonly #identity: Permutation;
    #root: Subgroup;
    /** Entries of the permutations below the root. */
    #kept = 0;

    constructor(
        action: LiteralAction,
        effort: SearchEffort,
        generators: readonly Permutation[],
        chain: StabilizerChain,
    ) {
        const random = createRandom(action.pointCount);
        const others = Array.from({ length: EXTRA_ELEMENTS }, () => chain.randomElement(random));
        this.#action = action;
        this.#effort = effort;
        this.#generators = generators;
        this.#order = chain.order;
        this.#knownElements = [...generators, ...others];
        this.#localSearch = createLocalSearch(action, effort);
        this.#start = new Int32Array(action.cells.length);
        this.#identity = identity(action.pointCount);
        this.#root = this.#createRoot();
    }

    canonicalizeInto(target: Int32Array, contents: Readonly<Int32Array>): boolean {
        this.#localSearch.canonicalizeInto(this.#start, contents);
        return this.#descend(target, this.#start) !== undefined;
    }

    transformation(contents: Readonly<Int32Array>): SparsePermutation | undefined {
        const toStart = this.#localSearch.transformation(contents)!;
        this.#localSearch.canonicalizeInto(this.#start, contents);
        const fromImage = this.#descend(new Int32Array(contents.length), this.#start);
        return fromImage && composeSparse(toStart, toSparse(inverse(fromImage)));
    }

    plan(): undefined {
        return undefined;
    }

    #createRoot(): Subgroup {
        return { order: this.#order, generators: this.#generators, choices: new Map() };
    }

    /**
     * Writes the least image of `state` into `target`; returns an element that maps it back to `state`. `undefined` if the
     * work or the candidates exceed their budget; `target` is then the state. Work does not depend on what is kept.
     */
    #descend(target: Int32Array, state: Int32Array): Permutation | undefined {
        const { firstPoint, cellOfPoint, pointCount } = this.#action;
        const { workPerState, workLimit, meter } = this.#effort;
        if (this.#kept > ENTRY_LIMIT) {
            this.#root = this.#createRoot();
            this.#kept = 0;
        }
        const holds = (point: number): boolean => state[cellOfPoint[point]] === point - firstPoint[cellOfPoint[point]];
        const symmetries = this.#knownElements.filter(element => this.#fixesState(element, state));
        let work = 0;
        const giveUp = (): undefined => {
            meter.steps += work;
            target.set(state);
        };
        let subgroup = this.#root;
        let candidates: Candidate[] = [{ element: this.#identity, images: [] }];
        for (let cell = 0; cell < state.length; cell++) {
            const next: Candidate[] = [];
            let isChoice = false;
            for (let point = firstPoint[cell]; point < firstPoint[cell + 1] && next.length === 0; point++) {
                workLimit.isExhausted();
                const choice = remembered(subgroup.choices, point, () => this.#createChoice(subgroup, point));
                isChoice = choice.orbit.length > 1;
                for (const { element, images } of candidates) {
                    work += choice.orbit.length;
                    for (let i = 0; i < choice.orbit.length; i++) {
                        const image = element[choice.orbit[i]];
                        if (!holds(image)) {
                            continue;
                        }
                        if (isChoice) {
                            next.push({
                                element: compose(choice.transversal[i], element),
                                images: [...images, image],
                            });
                            work += 1 + (pointCount >> 2) + images.length;
                        } else {
                            // The image follows from those before.
                            next.push({ element, images });
                        }
                    }
                    if (work > workPerState || (isChoice && next.length * pointCount > ENTRY_LIMIT)) {
                        return giveUp();
                    }
                }
                if (next.length > 0) {
                    target[cell] = point - firstPoint[cell];
                    subgroup = choice.subgroup;
                }
            }
            candidates = next;
            if (isChoice && next.length > 1 && symmetries.length > 0) {
                work += next.length * symmetries.length * next[0].images.length * TEXT_STEPS;
                if (work > workPerState) {
                    return giveUp();
                }
                candidates = withoutEquivalent(next, symmetries);
            }
        }
        meter.steps += work;
        return candidates[0].element;
    }

    #createChoice(subgroup: Subgroup, point: number): Choice {
        if (subgroup.generators.every(generator => generator[point] === point)) {
            return { orbit: [point], transversal: [], subgroup };
        }
        const own = tryStabilizerChain(subgroup.generators, this.#action.pointCount, {
            base: [point],
            order: subgroup.order,
        })!;
        const orbit = own.orbit(0);
        const generators = own.stabilizerGenerators(1);
        this.#kept += (orbit.length + generators.length) * this.#action.pointCount;
        return {
            orbit,
            transversal: orbit.map(image => own.transversalElement(0, image)),
            subgroup: { order: subgroup.order / BigInt(orbit.length), generators, choices: new Map() },
        };
    }

    #fixesState(element: Permutation, state: Int32Array): boolean {
        const { firstPoint, cellOfPoint } = this.#action;
        for (let cell = 0; cell < state.length; cell++) {
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
