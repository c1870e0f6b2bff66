/** Which slots of a template have an instance that lives. */
import type { SourceRange } from '../../common/source-range.js';
import type { SequentialExpression, TemplateSlots } from '../sequential-model.js';
import { binary, constant } from './simplify.js';

/** Whether the instance in a slot lives. */
export function isAlive({ slots }: TemplateSlots, slot: number, range: SourceRange): SequentialExpression {
    const { counter, ended } = slots[slot];
    return binary('!=', { kind: 'cell', cell: counter, range }, constant(ended), range);
}
