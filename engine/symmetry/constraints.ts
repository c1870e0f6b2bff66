/** From the sequential model to its straight-line form and its constraint problem, within a budget. */
import type { WorkLimit } from '../common/work-limit.js';
import { encodeModel, withoutConstraints, type Encoding } from '../csp/encode.js';
import { FragmentCache, type PlacedFragment } from '../csp/fragment.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { definitionCountOf } from '../ssa/definition-count.js';
import { toStaticSingleAssignment, type SsaModel } from '../ssa/static-single-assignment.js';

export interface Constraints extends Encoding {
    /** The fragments of the summands; none where the model is too large. */
    readonly placed: readonly PlacedFragment[];
}

/** More definitions than this are not worth their memory. */
const MOST_DEFINITIONS = 1_000_000;

/** The constraints of a model; an incomplete problem where it is too large or the limit is reached. */
export function constraintsOf(
    sequential: SequentialModel,
    limit: WorkLimit,
    cache: FragmentCache = new FragmentCache(),
): Constraints {
    if (definitionCountOf(sequential) > MOST_DEFINITIONS) {
        return { problem: withoutConstraints(sequential), counts: { reused: 0, encoded: 0 }, placed: [] };
    }
    const placed = cache.place(sequential);
    return { ...encodeModel(sequential, placed, limit, cache), placed };
}

/** The straight-line form, for printing: constraints are made from that of each fragment. Empty where it is too large. */
export function straightLinesOf(sequential: SequentialModel): SsaModel {
    return definitionCountOf(sequential) > MOST_DEFINITIONS
        ? { sequential, summands: [] }
        : toStaticSingleAssignment(sequential);
}
