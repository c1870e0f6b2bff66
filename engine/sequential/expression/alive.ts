/** Instances of templates in expressions: which of them live, and conditions on all of them, which have no order. */
import type { SourceRange } from '../../common/source-range.js';
import type { Cell, SequentialExpression, TemplateSlots } from '../sequential-model.js';
import { mayFault } from './bounds.js';
import { binary, conditional, type conjunction, constant, count, FALSE } from './simplify.js';

/** Whether the instance in a slot lives. */
export function isAlive({ slots }: TemplateSlots, slot: number, range: SourceRange): SequentialExpression {
    const { counter, ended } = slots[slot];
    return binary('!=', { kind: 'cell', cell: counter, range }, constant(ended), range);
}

/** `and` or `or` of conditions, a fault if one of them is, whatever the others are. */
export function evenly(
    conditions: readonly SequentialExpression[],
    join: typeof conjunction,
    cells: readonly Cell[],
    range: SourceRange,
): SequentialExpression {
    const joined = join(conditions, range);
    const faulty = conditions.filter(condition => mayFault(condition, cells));
    // A count evaluates all.
    const areCounted = binary('>=', count(faulty, range), constant(0), range);
    return faulty.length === 0 ? joined : conditional(areCounted, joined, FALSE, range);
}
