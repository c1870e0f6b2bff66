/** The limit that missing slots set to a search. */
import { invariant } from '../common/assert.js';
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import { looksOnPath } from '../sequential/templates/looks-on-path.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { ExplorationLimit } from './verdict.js';

/** What ends a search at the fault `slots`: a step at this place looks for a free slot, and there is none. */
export function limitOfSlots({ summands }: SequentialModel, range: SourceRange): ExplorationLimit {
    const place = keyOfRange(range);
    const paths = summands.flatMap(({ participants }) => participants.map(({ path }) => path));
    const look = paths.flatMap(looksOnPath).find(({ range: where }) => keyOfRange(where) === place);
    invariant(look !== undefined, 'a slot is missing where one is looked for');
    const { name, slots, named } = look.template;
    return { kind: named === undefined ? 'instances' : 'names', value: slots.length, template: name };
}
