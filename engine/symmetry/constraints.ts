/** From the sequential model to its straight-line form and its constraint problem, within a budget. */
import type { WorkLimit } from '../common/work-limit.js';
import { encodeModel, withNamesOf, withoutConstraints, type Encoding } from '../csp/encode.js';
import { FragmentCache, type PlacedFragment } from '../csp/fragment.js';
import { sameBehavior, type PlacedModel } from '../csp/same-behavior.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { definitionCountOf } from '../ssa/definition-count.js';
import { toStaticSingleAssignment, type SsaModel } from '../ssa/static-single-assignment.js';

export interface Constraints extends Encoding {
    /** The fragments of the summands; none where the model is too large. */
    readonly placed: readonly PlacedFragment[];
    /** They are those of a model before that does the same. */
    readonly isKnown: boolean;
}

/** More definitions than this are not worth their memory. */
const MOST_DEFINITIONS = 1_000_000;

/**
 * The constraints of a model; an incomplete problem where it is too large or the limit is reached. Where the model does
 * the same as the one that `before` was made of, they are the same but for names.
 */
export function constraintsOf(
    sequential: SequentialModel,
    limit: WorkLimit,
    cache: FragmentCache = new FragmentCache(),
    before?: Constraints,
): Constraints {
    if (definitionCountOf(sequential) > MOST_DEFINITIONS) {
        const counts = { reused: 0, encoded: 0 };
        return { problem: withoutConstraints(sequential), counts, placed: [], isKnown: false };
    }
    const placed = cache.place(sequential);
    if (before?.problem.complete === true && sameBehavior(placedModelOf(before), { sequential, placed })) {
        const { reused, encoded } = before.counts;
        const problem = withNamesOf(before.problem, sequential);
        return { ...before, problem, placed, counts: { reused: reused + encoded, encoded: 0 }, isKnown: true };
    }
    return { ...encodeModel(sequential, placed, limit, cache), placed, isKnown: false };
}

function placedModelOf({ problem, placed }: Constraints): PlacedModel {
    return { sequential: problem.sequential, placed };
}

/** The straight-line form, for printing: constraints are made from that of each fragment. Empty where it is too large. */
export function straightLinesOf(sequential: SequentialModel): SsaModel {
    return definitionCountOf(sequential) > MOST_DEFINITIONS
        ? { sequential, summands: [] }
        : toStaticSingleAssignment(sequential);
}
