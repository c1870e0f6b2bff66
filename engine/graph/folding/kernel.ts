/**
 * Collects what is found out while a graph is folded up: automorphisms that move vertices inside of bundles only, and the
 * levels of a base that they account for.
 *
 * A level is a base point with the length of its orbit under all automorphisms that fix every vertex of the folded graph and
 * the base points of the levels before. The levels of a later folding come before those of an earlier one.
 *
 * A folding says in a few numbers what may be exchanged or turned. Levels and generators are written out when they are asked
 * for: a star has as many of them as it has leaves.
 */
import { invariant } from '../../common/assert.js';
import type { WorkLimit } from '../../common/work-limit.js';
import type { SparsePermutation } from '../../group/sparse-permutation.js';
import type { BasePoints } from './base-points.js';
import type { Certifier } from '../certify.js';
import { PermutationList } from '../permutation-list.js';

/** A base point and the length of its orbit. */
export interface Level {
    readonly point: number;
    readonly orbitLength: number;
}

/** The automorphisms that one folding accounts for. */
export interface PlainSymmetries {
    /** Calls `visit` for all levels in their order. */
    forEachLevel(basePoints: BasePoints, visit: (point: number, orbitLength: number) => void): void;
    /** Writes generators to `list`, one after the other, and calls `keep` after each, which takes it from there. */
    writeGenerators(list: PermutationList, keep: () => void): void;
}

export class Kernel {
    readonly workLimit: WorkLimit;
    readonly basePoints: BasePoints;
    readonly #certifier: Certifier;
    readonly #foldings: PlainSymmetries[] = [];

    /** The certifier is one for the original graph. */
    constructor(certifier: Certifier, workLimit: WorkLimit, basePoints: BasePoints) {
        this.#certifier = certifier;
        this.workLimit = workLimit;
        this.basePoints = basePoints;
    }

    /** Takes in what a further folding accounts for. */
    add(folding: PlainSymmetries): void {
        this.#foldings.push(folding);
    }

    /** Calls `visit` for all levels in their order. */
    forEachLevel(visit: (point: number, orbitLength: number) => void): void {
        for (let folding = this.#foldings.length - 1; folding >= 0; folding--) {
            this.#foldings[folding].forEachLevel(this.basePoints, visit);
        }
    }

    /** Generators of what all foldings account for, each checked on the original graph. Passes OperationCancelled through. */
    generators(): SparsePermutation[] {
        const list = new PermutationList();
        const generators: SparsePermutation[] = [];
        for (const folding of this.#foldings) {
            folding.writeGenerators(list, () => {
                // The group is known by now, whatever time is left: a caller who has given up is all that ends this.
                this.workLimit.isExhausted();
                invariant(
                    this.#certifier.holds(list.points, list.images, list.start, list.end),
                    'what is folded up is symmetric',
                );
                generators.push(list.take());
            });
        }
        return generators;
    }
}
