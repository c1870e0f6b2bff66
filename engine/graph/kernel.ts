/**
 * Collects what is found out while a graph is folded up: automorphisms that move vertices inside of bundles only, and the
 * levels of a base that they account for.
 *
 * A level is a base point with the length of its orbit under all automorphisms that fix every vertex of the folded graph and
 * the base points of the levels before. The levels of a later folding come before those of an earlier one.
 */
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { Certifier } from './certify.js';
import type { PermutationList } from './permutation-list.js';

/** A base point and the length of its orbit. */
export interface Level {
    readonly point: number;
    readonly orbitLength: number;
}

/** Ranges of a bundle that can be permuted in any way: one level for each but the last. */
interface Interchangeable {
    readonly bundle: Int32Array;
    readonly start: number;
    readonly length: number;
    readonly count: number;
}

export class Kernel {
    readonly generators: PermutationList;
    readonly workLimit: WorkLimit;
    readonly #certifier: Certifier;
    readonly #isPreferred: Uint8Array | undefined;
    /** What accounts for levels, by folding. */
    readonly #foldings: (Interchangeable | Level)[][] = [[]];

    /** The certifier is one for the original graph. `isPreferred[v]` is 1 if v should be a base point rather than others. */
    constructor(
        certifier: Certifier,
        generators: PermutationList,
        workLimit: WorkLimit,
        isPreferred: Uint8Array | undefined,
    ) {
        this.#certifier = certifier;
        this.generators = generators;
        this.workLimit = workLimit;
        this.#isPreferred = isPreferred;
    }

    /** From here on, levels belong to another folding. */
    beginFolding(): void {
        this.#foldings.push([]);
    }

    addLevel(point: number, orbitLength: number): void {
        this.#foldings[this.#foldings.length - 1].push({ point, orbitLength });
    }

    /** Calls `visit` for all levels in their order. */
    forEachLevel(visit: (point: number, orbitLength: number) => void): void {
        for (let folding = this.#foldings.length - 1; folding >= 0; folding--) {
            for (const source of this.#foldings[folding]) {
                if ('point' in source) {
                    visit(source.point, source.orbitLength);
                    continue;
                }
                const { bundle, start, length, count } = source;
                for (let i = 0; i < count - 1; i++) {
                    const here = start + i * length;
                    visit(this.basePointIn(bundle, here, here + length), count - i);
                }
            }
        }
    }

    /**
     * Says that ranges of `bundle` can be permuted in any way: `count` ranges of the same length, one after the other, the
     * first from `start`. Writes down the exchange of each with the next. False when the work limit was reached.
     */
    addInterchangeable(bundle: Int32Array, start: number, length: number, count: number): boolean {
        if (count === 1) {
            return true;
        }
        const { generators } = this;
        generators.reserve(2 * length * (count - 1));
        let exchanged = 0;
        while (exchanged < count - 1 && !this.workLimit.isExhausted()) {
            const here = start + exchanged * length;
            generators.map(bundle, here, bundle, here + length, length);
            generators.map(bundle, here + length, bundle, here, length);
            this.keep();
            exchanged++;
        }
        this.#foldings[this.#foldings.length - 1].push({ bundle, start, length, count: exchanged + 1 });
        return exchanged === count - 1;
    }

    /** Ends the permutation being written, which is an automorphism. */
    keep(): void {
        const { points, images, start, end } = this.generators;
        invariant(this.#certifier.holds(points, images, start, end), 'what is folded up is symmetric');
        this.generators.keep();
    }

    get hasPreferences(): boolean {
        return this.#isPreferred !== undefined;
    }

    isPreferred(point: number): boolean {
        return this.#isPreferred?.[point] === 1;
    }

    /** The first preferred vertex of a range of `bundle`, or the first of all if none is preferred. */
    basePointIn(bundle: Int32Array, start: number, end: number): number {
        if (this.#isPreferred !== undefined) {
            for (let i = start; i < end; i++) {
                if (this.#isPreferred[bundle[i]] === 1) {
                    return bundle[i];
                }
            }
        }
        return bundle[start];
    }
}
