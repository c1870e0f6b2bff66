/** Representatives of states under a group of model symmetries, between the group's numbering of values and codes. */
import { createCanonicalizer, type Canonicalizer } from '../representative/representative.js';
import type { CanonicalizerOptions } from '../representative/strategy.js';
import {
    renameImages,
    renamePlan,
    type Renaming,
    type RepresentativePlan,
} from '../representative/representative-plan.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { literalGroup, type ModelGroup } from './model-symmetry.js';
import { valueNumbering, type ValueNumbering } from './value-numbering.js';

/** The canonicalizer of the model's states under `group`. */
export function representativesOf(group: ModelGroup, options: CanonicalizerOptions = {}): Canonicalizer {
    const inner = createCanonicalizer(literalGroup(group), options);
    const numbering = valueNumbering(group);
    return numbering.isIdentity ? inner : onCodes(inner, group, numbering);
}

function onCodes(
    inner: Canonicalizer,
    group: ModelGroup,
    numbering: Pick<ValueNumbering, 'shrinkInto' | 'growInto'>,
): Canonicalizer {
    const { shrinkInto, growInto } = numbering;
    const compact = new Int32Array(group.cellCount);
    let plan: RepresentativePlan | undefined;
    // The numbering of values that can occur keeps their order.
    const toCodes: Renaming = {
        cell: cell => cell,
        held: (cell, position) => (position < 0 ? position : group.codes[cell][position]),
    };
    return {
        strategy: inner.strategy,
        group: inner.group,
        meter: inner.meter,
        cheaper(): Canonicalizer | undefined {
            const cheaper = inner.cheaper();
            return cheaper && onCodes(cheaper, group, numbering);
        },
        plan(): RepresentativePlan | undefined {
            const own = inner.plan();
            plan ??= own && renamePlan(own, toCodes);
            return plan;
        },
        elements: (most, targets) => renameImages(inner.elements(most, targets), toCodes),
        imageCounts(states, most): readonly number[] {
            const shrunk = states.map(state => {
                shrinkInto(compact, state);
                return compact.slice();
            });
            return inner.imageCounts(shrunk, most);
        },
        canonicalizeInto(target, state): boolean {
            shrinkInto(compact, state);
            const found = inner.canonicalizeInto(compact, compact);
            growInto(target, compact);
            return found;
        },
        transformation(state): SparsePermutation | undefined {
            shrinkInto(compact, state);
            return inner.transformation(compact);
        },
        imageInto(target, state, permutation): void {
            shrinkInto(compact, state);
            inner.imageInto(compact, compact.slice(), permutation);
            growInto(target, compact);
        },
    };
}
