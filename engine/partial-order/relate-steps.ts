/** The tables of a model for a choice among the steps of a state. */
import type { WorkLimit } from '../common/work-limit.js';
import { atomsOf } from '../sequential/expression/condition-parts.js';
import type { SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import {
    addAllTo,
    type BoundSteps,
    emptySet,
    sizeOf,
    type StepAtom,
    type StepRelations,
    type SummandSet,
} from '../sequential/step-relations.js';
import { notAccording } from './accord.js';
import { LiteralPairs, type StoredFrom } from './literal-pairs.js';
import { Enterers, enablingOf } from './enabling.js';
import { type StepEffects, stepEffects } from './step-effects.js';
import { stickySteps } from './sticky.js';
import { type OccurringValues, StepRuns } from './step-runs.js';

/** Of more summands the tables would be too large. */
export const MOST_SUMMANDS = 2_048;

/** The tables are not worth their work, or were not ready when the limit was reached; the message says so. */
export class RelatingStopped extends Error {}

/** More partial states for each step are too many for tables that are worth little; a tenth of them to follow it alone. */
const VISITS_PER_STEP = 500;

/**
 * `invariants` are those that are checked; with `stored`, states are told apart by pairs of literals; `withImages`, if steps
 * may be taken before all others, closes a set of summands under the symmetries in use; tables that are worth little must be
 * little work. Throws RelatingStopped. Time: pairs of summands that share a cell, times at most 1,000 branches for each.
 */
export function relateSteps(
    model: SequentialModel,
    invariants: readonly SequentialExpression[],
    values: OccurringValues,
    stored: StoredFrom | undefined,
    withImages: ((summands: SummandSet) => SummandSet) | undefined,
    { isWorthLittle, limit }: { readonly isWorthLittle: boolean; readonly limit: WorkLimit },
): StepRelations {
    const runs = new StepRuns(model, values);
    const within = (visitsPerStep: number) => (): void => {
        if (limit.isExhausted()) {
            throw new RelatingStopped('comparing the steps with each other takes too long');
        }
        if (isWorthLittle && runs.compiler.visits > visitsPerStep * model.summands.length) {
            throw new RelatingStopped('comparing the steps with each other takes more than it may gain');
        }
    };
    if (isWorthLittle) {
        stepEffects(runs, within(VISITS_PER_STEP / 10));
    }
    const goOn = within(VISITS_PER_STEP);
    if (stored !== undefined) {
        LiteralPairs.of(runs, values.domains, stored, goOn);
    }
    const effects = stepEffects(runs, goOn);
    const enterers = new Enterers(runs, effects);
    const atoms = new Map<SequentialExpression, StepAtom>();
    for (const atom of atomsOf(invariants)) {
        goOn();
        const relations = enterers.atom(atom, atoms);
        atoms.set(atom, relations);
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
        bound: withImages && boundSteps(model, effects, according, [...atoms.values()], withImages),
    };
}

function boundSteps(
    model: SequentialModel,
    effects: StepEffects,
    according: readonly SummandSet[],
    atoms: readonly StepAtom[],
    withImages: (summands: SummandSet) => SummandSet,
): BoundSteps {
    const visible = emptySet(model.summands.length);
    for (const { toTrue, toFalse } of atoms) {
        addAllTo(visible, toTrue);
        addAllTo(visible, toFalse);
    }
    const sticky = withImages(stickySteps(model, effects, according, visible));
    const summands = withImages(visible);
    addAllTo(summands, sticky);
    return { summands, stickyCount: sizeOf(sticky) };
}
