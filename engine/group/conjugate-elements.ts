/**
 * The elements of a group up to conjugacy, as far as that is easily seen, for sums over all elements of something that
 * is the same for conjugate ones, or for those that generate the same subgroup.
 *
 * Of the 46,080 symmetries of the cube of six dimensions some hundred are visited.
 */
import { invariant } from '../common/assert.js';
import { greatestCommonDivisor } from '../common/divisors.js';
import { compose, identity, type Permutation } from './permutation.js';
import { tryStabilizerChain, type StabilizerChain } from './stabilizer-chain.js';

/** Steps that a chain takes beside those for its orbits, each about one point of one element. */
const CHAIN_STEPS = 40;

/** Entries of products that are computed in the time of a step. */
const ENTRIES_OF_STEP = 8;
/** Elements that are rather listed than told apart any further. */
const FEW = 8n;

/** Steps are about one point of one element each. */
export interface ConjugacyLimits {
    readonly workLimit: number;
    /** What a call back costs. */
    readonly stepsOfVisit: number;
}

/**
 * Calls back with elements and with how many each of them stands for; all together are the elements of the group. False
 * if it takes more than `workLimit` steps; then not all of them were visited.
 */
export function forEachUpToConjugacy(
    generators: readonly Permutation[],
    degree: number,
    order: bigint,
    limits: ConjugacyLimits,
    visit: Visit,
): boolean {
    return new ConjugacyWalk(degree, limits, visit).visitGroup(generators, order);
}

type Visit = (element: Permutation, count: bigint) => void;

class ConjugacyWalk {
    readonly #degree: number;
    readonly #limits: ConjugacyLimits;
    readonly #visit: Visit;
    #work = 0;
    #visited = 0n;

    constructor(degree: number, limits: ConjugacyLimits, visit: Visit) {
        this.#degree = degree;
        this.#limits = limits;
        this.#visit = visit;
    }

    visitGroup(generators: readonly Permutation[], order: bigint): boolean {
        const isDone = this.#visitElements(generators, order);
        invariant(!isDone || this.#visited === order, 'every element is counted once');
        return isDone;
    }

    #visitElements(generators: readonly Permutation[], order: bigint): boolean {
        if (order === 1n) {
            return this.#found(identity(this.#degree), 1n);
        }
        const start = firstMoved(generators);
        const chain = this.#chainAt(generators, start, order);
        if (chain === undefined) {
            return false;
        }
        return BigInt(chain.orbit(0).length) === order
            ? this.#visitRegular(chain, start)
            : this.#visitImages(chain, start, start, order, identity(this.#degree), 1n);
    }

    /** Where the image of `start` says which element it is: one of those that generate the same subgroup. */
    #visitRegular(chain: StabilizerChain, start: number): boolean {
        const isKnown = new Uint8Array(this.#degree);
        return chain.orbit(0).every(image => {
            if (isKnown[image] === 1) {
                return true;
            }
            const element = chain.transversalElement(0, image);
            const cycle = [start];
            for (let point = element[start]; point !== start; point = element[point]) {
                cycle.push(point);
            }
            // The powers of the element, of which those that generate all of them have an exponent prime to its order.
            const length = BigInt(cycle.length);
            const alike = cycle.filter((_, exponent) => greatestCommonDivisor(length, BigInt(exponent)) === 1n);
            alike.forEach(point => (isKnown[point] = 1));
            this.#work += cycle.length;
            return this.#found(element, BigInt(alike.length));
        });
    }

    /** `element` maps the points so far onto each other, and `fixing` are generators of what leaves all of them alone. */
    #visitClosed(fixing: readonly Permutation[], fixingOrder: bigint, element: Permutation, count: bigint): boolean {
        if (fixingOrder === 1n) {
            return this.#found(element, count);
        }
        const start = firstMoved(fixing);
        const chain = this.#chainAt(fixing, start, fixingOrder);
        return chain !== undefined && this.#visitImages(chain, start, start, fixingOrder, element, count);
    }

    /**
     * Goes on with each image that `point` can have, and with what follows on its cycle, which began with `start`. Known of
     * the elements is that they are s·element for some s of the group of `chain`, whose first base point is `point`; its
     * stabilizer leaves all points alone that were asked for, with their images.
     */
    #visitImages(
        chain: StabilizerChain,
        point: number,
        start: number,
        chainOrder: bigint,
        element: Permutation,
        count: bigint,
    ): boolean {
        if (chainOrder <= FEW) {
            chain.forEachElement(rest => this.#found(compose(rest, element), count));
            return this.#work <= this.#limits.workLimit;
        }
        const orbit = chain.orbit(0);
        const stabilizer = chain.stabilizerGenerators(1);
        const stabilizerOrder = chainOrder / BigInt(orbit.length);
        for (const { member, size } of representatives(orbit, element, stabilizer)) {
            const next = compose(chain.transversalElement(0, member), element);
            const nextCount = count * BigInt(size);
            this.#work += this.#degree;
            // What follows is decided where nothing that is still possible moves it.
            let image = next[point];
            while (image !== start && stabilizer.every(generator => generator[image] === image)) {
                image = next[image];
            }
            if (image === start || stabilizerOrder === 1n) {
                if (!this.#visitClosed(stabilizer, stabilizerOrder, next, nextCount)) {
                    return false;
                }
                continue;
            }
            const further = this.#chainAt(stabilizer, image, stabilizerOrder);
            if (further === undefined || !this.#visitImages(further, image, start, stabilizerOrder, next, nextCount)) {
                return false;
            }
        }
        return this.#work <= this.#limits.workLimit;
    }

    #chainAt(group: readonly Permutation[], point: number, groupOrder: bigint): StabilizerChain | undefined {
        if (this.#work > this.#limits.workLimit) {
            return undefined;
        }
        const chain = tryStabilizerChain(group, this.#degree, {
            base: [point],
            order: groupOrder,
            entryLimit: this.#limits.workLimit - this.#work,
        });
        if (chain === undefined) {
            return undefined;
        }
        this.#work += this.#degree * chain.orbitLengths.reduce((sum, length) => sum + length, CHAIN_STEPS);
        this.#work += chain.siftedEntries / ENTRIES_OF_STEP;
        return chain;
    }

    #found(element: Permutation, count: bigint): boolean {
        this.#visited += count;
        this.#work += this.#degree + this.#limits.stepsOfVisit;
        this.#visit(element, count);
        return this.#work <= this.#limits.workLimit;
    }
}

/** One point of `orbit` for each class of their images under `element` that `stabilizer` does not tell apart. */
function representatives(
    orbit: readonly number[],
    element: Permutation,
    stabilizer: readonly Permutation[],
): readonly { readonly member: number; readonly size: number }[] {
    const isSeen = new Set<number>();
    return orbit.flatMap(member => {
        const first = element[member];
        if (isSeen.has(first)) {
            return [];
        }
        isSeen.add(first);
        const images = [first];
        for (const image of images) {
            for (const generator of stabilizer) {
                if (!isSeen.has(generator[image])) {
                    isSeen.add(generator[image]);
                    images.push(generator[image]);
                }
            }
        }
        return [{ member, size: images.length }];
    });
}

function firstMoved(generators: readonly Permutation[]): number {
    const generator = generators.find(candidate => candidate.some((image, point) => image !== point));
    invariant(generator !== undefined, 'a group of more than one element has a generator that moves something');
    return generator.findIndex((image, point) => image !== point);
}

/*
 * Elements are told apart by the images of points, chosen one after the other along the cycles of the element: after a
 * point its image is asked. Conjugation by an element that fixes all points so far changes nothing of what is known of
 * the element, and maps the next image within an orbit. So one image of each such orbit is enough, and counts as often
 * as the orbit has points. Each group that is needed is the stabilizer of a point in the one before, so its order is
 * known.
 *
 * If the image of one point determines the element, as for rotations of a ring or a torus, nothing is left that fixes
 * the point. Then one of the elements is visited that are powers of each other.
 */
