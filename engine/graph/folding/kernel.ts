/**
 * The symmetries of folded parts: automorphisms that map every bundle onto itself, and the levels of a base for them.
 *
 * A level is a base point with the length of its orbit under the automorphisms that fix every vertex of the folded
 * graph and the earlier base points. The levels of a later folding come first. Levels and generators are listed on
 * request, because there may be one for each vertex.
 */
import { invariant } from '../../common/assert.js';
import type { WorkLimit } from '../../common/work-limit.js';
import type { SparsePermutation } from '../../group/sparse-permutation.js';
import type { BasePoints } from './base-points.js';
import type { Certifier } from '../certify.js';
import type { Exchanges } from './exchanges.js';
import { PermutationList } from '../permutation-list.js';

/** A base point and the length of its orbit. */
export interface Level {
    readonly point: number;
    readonly orbitLength: number;
}

export class Kernel {
    readonly workLimit: WorkLimit;
    readonly basePoints: BasePoints;
    readonly #certifier: Certifier;
    readonly #foldings: Exchanges[] = [];

    /** `certifier` checks on the original graph. */
    constructor(certifier: Certifier, workLimit: WorkLimit, basePoints: BasePoints) {
        this.#certifier = certifier;
        this.workLimit = workLimit;
        this.basePoints = basePoints;
    }

    add(folding: Exchanges): void {
        this.#foldings.push(folding);
    }

    forEachLevel(visit: (point: number, orbitLength: number) => void): void {
        for (let folding = this.#foldings.length - 1; folding >= 0; folding--) {
            this.#foldings[folding].forEachLevel(this.basePoints, visit);
        }
    }

    /** Generators of all foldings, each checked on the original graph. Passes OperationCancelled through. */
    generators(): SparsePermutation[] {
        const list = new PermutationList();
        const generators: SparsePermutation[] = [];
        for (const folding of this.#foldings) {
            folding.writeGenerators(list, () => {
                // Only a cancellation ends the listing: the group is known, so the limit does not matter.
                this.workLimit.isExhausted();
                invariant(
                    this.#certifier.holds(list.points, list.images, list.start, list.end),
                    'folded parts are symmetric',
                );
                generators.push(list.take());
            });
        }
        return generators;
    }
}
