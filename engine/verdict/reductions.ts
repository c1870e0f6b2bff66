/**
 * The reductions of a search, in the order in which they are prepared. One more has a file of its own beside
 * `symmetry-reduction.ts`, its place in a list here, and in `SearchParts` (explore/search-parts.ts) what the search does with it.
 */
import type { Explorable } from '../analysis.js';
import { invariant } from '../common/assert.js';
import type { CertainOrder, PartialOrder } from '../explore/stubborn.js';
import type { PassName } from '../passes/pass-names.js';
import { partialOrderReduction } from './partial-order-reduction.js';
import { numbersReduction } from './numbers-reduction.js';
import { passesReduction } from './passes-reduction.js';
import type { SearchReduction } from './reduction.js';
import { symmetryReduction, wholeSymmetry, type CertainSymmetry, type Reduction } from './symmetry-reduction.js';

/** The reductions of an exploration, which may choose those that pay. */
export function reductionsOf(
    { symmetry, numbers }: Explorable,
    reduction: Reduction,
    passes: readonly PassName[] | undefined,
    partialOrder: PartialOrder | undefined,
): readonly SearchReduction[] {
    if (numbers !== undefined) {
        // Numbers get their form first. What else there is does not know of it yet.
        const ofNumbers = numbersReduction(numbers, partialOrder);
        // A real run is compared with stored states, so these must not depend on the way there.
        invariant(reduction !== 'local', 'several states of an orbit are refused with numbers without end');
        return reduction === 'none' || symmetry === undefined
            ? [ofNumbers]
            : [ofNumbers, symmetryReduction(symmetry, reduction)];
    }
    if (reduction === 'none') {
        return [passesReduction(passes), ...ofSteps(partialOrder)];
    }
    invariant(symmetry !== undefined, 'symmetries were looked for where they are used');
    return [passesReduction(passes), symmetryReduction(symmetry, reduction), ...ofSteps(partialOrder)];
}

/** The reductions of an expansion, which chooses nothing: all machines must agree on what a state is. */
export function certainReductions(
    symmetry: CertainSymmetry | undefined,
    passes: readonly PassName[] | undefined,
    partialOrder: CertainOrder | undefined,
): readonly SearchReduction[] {
    const ofStates = symmetry === undefined ? [] : [wholeSymmetry(symmetry)];
    return [passesReduction(passes), ...ofStates, ...ofSteps(partialOrder)];
}

function ofSteps(partialOrder: PartialOrder | undefined): readonly SearchReduction[] {
    return partialOrder === undefined ? [] : [partialOrderReduction(partialOrder)];
}
