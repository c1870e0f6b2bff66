/** Counts the slots that states use. */
import type { SequentialModel } from '../sequential/sequential-model.js';
import { noteUsage } from '../sequential/templates/slot-usage.js';
import type { Successors } from './successors.js';

/** Of a model with templates each expanded state is counted. */
export function countingUsage({ templates, cells }: SequentialModel, successors: Successors): Successors {
    return templates === undefined
        ? successors
        : {
              forEachFiring: (state, visitor) => {
                  for (const template of templates) {
                      noteUsage(template, cells, state);
                  }
                  successors.forEachFiring(state, visitor);
              },
          };
}
