/** The tables of a model for a choice among the steps of a state. */
import type { WorkLimit } from '../common/work-limit.js';
import { atomsOf } from '../sequential/expression/condition-parts.js';
import type { SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import {
    addAllTo,
    emptySet,
    type StepAtom,
    type StepRelations,
    type SummandSet,
} from '../sequential/step-relations.js';
import { notAccording } from './accord.js';
import { LiteralPairs, type StoredFrom } from './literal-pairs.js';
import { Enterers, enablingOf } from './enabling.js';
import { stepEffects } from './step-effects.js';
import { stickySteps } from './sticky.js';
import { type OccurringValues, StepRuns } from './step-runs.js';

/** Of more summands the tables would be too large. */
export const MOST_SUMMANDS = 2_048;

/** The tables were not ready when the limit was reached. */
export class RelatingStopped extends Error {}

/**
 * `invariants` are those that are checked; with `stored`, states are told apart by pairs of literals; `withImages` closes a
 * set of summands under the symmetries in use. Throws RelatingStopped at the limit. Time: pairs of summands that share a
 * cell, times at most 1,000 branches for each.
 */
export function relateSteps(
    model: SequentialModel,
    invariants: readonly SequentialExpression[],
    values: OccurringValues,
    stored: StoredFrom | undefined,
    withImages: (summands: SummandSet) => SummandSet,
    limit: WorkLimit,
): StepRelations {
    const goOn = (): void => {
        if (limit.isExhausted()) {
            throw new RelatingStopped();
        }
    };
    const runs = new StepRuns(model, values);
    if (stored !== undefined) {
        LiteralPairs.of(runs, values.domains, stored, goOn);
    }
    const effects = stepEffects(runs, goOn);
    const enterers = new Enterers(runs, effects);
    const atoms = new Map<SequentialExpression, StepAtom>();
    const visible = emptySet(model.summands.length);
    for (const atom of atomsOf(invariants)) {
        goOn();
        const relations = enterers.atom(atom, atoms);
        atoms.set(atom, relations);
        addAllTo(visible, relations.toTrue);
        addAllTo(visible, relations.toFalse);
    }
    const according = notAccording(runs, goOn);
    return {
        summandCount: model.summands.length,
        notAccording: according,
        ...enablingOf(model, enterers, goOn),
        leavers: effects.leavers,
        faultPlaces: effects.faultPlaces,
        reads: runs.reads,
        atoms,
        visible: withImages(visible),
        sticky: withImages(stickySteps(model, effects, according, visible)),
    };
}
