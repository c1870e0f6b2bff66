/**
 * The steps of the text that no run takes, after all states were explored: none of the instances, choices and ways that
 * lead to such a step fires in any state.
 */
import type { SourceRange } from '../common/source-range.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { placeOf, textSteps } from './text-steps.js';

/** A step of the text that no run takes. */
export interface UnreachedStep {
    /** The name of the process in the text. */
    readonly process: string;
    /** The label in front of the step, else its event, else the line. */
    readonly label: string;
    /** The label, else the step. */
    readonly range: SourceRange;
}

/** In the order of the text. `hasFired` is asked for summands of `sequential`, which come from `model`. */
export function unreachedSteps(
    model: Model,
    { summands }: SequentialModel,
    hasFired: (summand: number) => boolean,
): UnreachedStep[] {
    const reached = new Set(
        summands.flatMap(({ participants }, summand) =>
            hasFired(summand) ? participants.map(({ range }) => placeOf(range)) : [],
        ),
    );
    return textSteps(model)
        .filter(({ place }) => !reached.has(place))
        .map(({ process, label, range }) => ({ process, label, range }));
}
