/** Instances of templates in expressions: which of them live, and conditions on all of them, which have no order. */
import { NOWHERE, type SourceRange } from '../../common/source-range.js';
import { supportOf } from '../cell-access.js';
import type { Cell, SequentialExpression, SequentialModel, TemplateSlots } from '../sequential-model.js';
import { mayFault } from './bounds.js';
import { binary, conjunction, constant, disjunction, unordered } from './simplify.js';

/** Whether the instance in a slot lives. */
export function isAlive({ slots }: TemplateSlots, slot: number, range: SourceRange): SequentialExpression {
    const { counter, ended } = slots[slot];
    return binary('!=', { kind: 'cell', cell: counter, range }, constant(ended), range);
}

/**
 * Whether all conditions on instances hold, or some, whatever their order is: a fault of one is a fault, and where one would
 * read a cell that holds no value, none of them counts.
 */
export function evenly(
    kind: 'all' | 'some',
    conditions: readonly SequentialExpression[],
    cells: readonly Cell[],
    range: SourceRange,
): SequentialExpression {
    const isOrdered = conditions.some(
        condition => mayFault(condition, cells) || supportOf(condition).some(cell => cells[cell].mayBeAbsent),
    );
    const join = kind === 'all' ? conjunction : disjunction;
    return isOrdered ? unordered(kind, conditions, range) : join(conditions, range);
}

/** Where nothing can happen, the state is no deadlock. */
export function allMayStop({ instances, cells, templates }: SequentialModel): SequentialExpression {
    const conditions = instances.map(({ mayStop }) => mayStop);
    return templates === undefined ? conjunction(conditions, NOWHERE) : evenly('all', conditions, cells, NOWHERE);
}
