/**
 * From the sequential model to its straight-line form and its constraint problem, within a budget. Of a model with
 * templates both are of the model with every choice of a free slot.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { encodeModel, nothingOf, type Encoding } from '../constraints/encode.js';
import { FragmentCache } from '../constraints/fragment.js';
import { withAllSlots } from '../sequential/templates/all-slots.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { definitionCountOf, type SsaModel, toStaticSingleAssignment } from '../constraints/static-single-assignment.js';

/** More definitions than this are not worth their memory. */
const MOST_DEFINITIONS = 1_000_000;

/** Incomplete if the model is too large or the limit is reached. Parts known to the cache or to `before` are reused. */
export function constraintsOf(
    sequential: SequentialModel,
    limit: WorkLimit,
    cache: FragmentCache = new FragmentCache(),
    before?: Encoding,
): Encoding {
    const all = withAllSlots(sequential)?.model;
    return all === undefined || definitionCountOf(all) > MOST_DEFINITIONS
        ? nothingOf(sequential)
        : encodeModel(all, limit, cache, before);
}

/** The straight-line form, for printing only; empty if it is too large. */
export function straightLinesOf(sequential: SequentialModel): SsaModel {
    const all = withAllSlots(sequential)?.model;
    return all === undefined || definitionCountOf(all) > MOST_DEFINITIONS
        ? { sequential, summands: [] }
        : toStaticSingleAssignment(all);
}
