/**
 * Representatives under a group that has a large subgroup with a good strategy and few cosets: the least of the
 * subgroup's representatives of the images of the state under one element of each coset. Every element is h·n with h
 * one of these and n in the subgroup, so the images cover the orbit.
 */
import { imageOfContentsInto, type LiteralAction } from '../group/literal-action.js';
import { compareContents } from './local-search.js';
import type { FactorCanonicalizer, SearchEffort } from './strategy.js';
import { stateImages, type RepresentativePlan } from './representative-plan.js';
import { composeSparse, type SparsePermutation, toDense } from '../group/sparse-permutation.js';

/** Representatives under all of `action`, given those under the subgroup. */
export function createCosetCanonicalizer(
    action: LiteralAction,
    cosetElements: readonly SparsePermutation[],
    subgroup: FactorCanonicalizer,
    { meter, workPerState }: SearchEffort,
): FactorCanonicalizer {
    const image = new Int32Array(action.cells.length);
    const candidate = new Int32Array(action.cells.length);
    let bestCoset = 0;
    const canonicalizeInto = (target: Int32Array, contents: Readonly<Int32Array>): boolean => {
        const mostSteps = meter.steps + workPerState;
        meter.steps += cosetElements.length * contents.length;
        for (let coset = 0; coset < cosetElements.length; coset++) {
            imageOfContentsInto(image, action, contents, cosetElements[coset]);
            if (meter.steps > mostSteps || !subgroup.canonicalizeInto(candidate, image)) {
                target.set(contents);
                return false;
            }
            if (coset === 0 || compareContents(candidate, target) < 0) {
                target.set(candidate);
                bestCoset = coset;
            }
        }
        return true;
    };
    return {
        strategy: 'cosets',
        unique: subgroup.unique,
        canonicalizeInto,
        transformation(contents): SparsePermutation | undefined {
            if (!canonicalizeInto(new Int32Array(contents.length), contents)) {
                return undefined;
            }
            const toCoset = cosetElements[bestCoset];
            imageOfContentsInto(image, action, contents, toCoset);
            const rest = subgroup.transformation(image);
            return rest && composeSparse(toCoset, rest);
        },
        plan(): RepresentativePlan | undefined {
            const plan = subgroup.plan();
            const elements = cosetElements.map(element => toDense(element, action.pointCount));
            return plan && [{ kind: 'cosets', images: stateImages(action, elements), subgroup: plan }];
        },
    };
}
