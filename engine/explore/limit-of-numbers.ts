/** The limit that numbers without end set to a search. */
import type { SequentialModel } from '../sequential/sequential-model.js';
import { MOST_OPENINGS } from './number-order.js';
import type { NumberSteps } from './number-successors.js';
import { describeStep } from './trace.js';
import type { ExplorationLimit } from './verdict.js';

/** What ends a search at the fault `numbers`: there is no code for a number, or there are too many cases of distances. */
export function limitOfNumbers(model: SequentialModel, steps: NumberSteps | undefined): ExplorationLimit {
    return steps?.tooMany === undefined
        ? { kind: 'numbers', value: steps?.order.codeCount ?? 0 }
        : { kind: 'openings', value: MOST_OPENINGS, step: describeStep(model, steps.tooMany) };
}
