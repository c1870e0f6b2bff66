/**
 * Fields of a case hold no value in all other cases, nor do places of a sequence beyond its length. A write of a value
 * gives each of them some value; what follows here takes those that are not there away, in the same step. So states that differ in nothing that can be read are one state.
 */
import { appendTo } from '../common/list-map.js';
import type { SourceRange } from '../common/source-range.js';
import { NO_VALUE, valueOfCode, type Value } from '../model/domain.js';
import type { PlacedWithin } from '../model/model.js';
import type { Cell, SequentialExpression, SequentialStatement } from './sequential-model.js';
import { binary, conjunction, constant, isFalse, isTrue } from './expression/simplify.js';

/** The values that the cells in question have just got, where they are known. */
export type KnownValues = ReadonlyMap<number, SequentialExpression | undefined>;

/**
 * Whether the field at a cell has a value. Every case around it is asked, from the outside in; `known` has the values of some.
 */
export function isPresentField(
    cell: number,
    cells: readonly Cell[],
    range: SourceRange,
    known?: KnownValues,
): SequentialExpression {
    const conditions: SequentialExpression[] = [];
    for (let { within } = cells[cell]; within !== undefined; { within } = cells[within.of]) {
        const { of, operator, value } = within;
        conditions.unshift(
            binary(operator, known?.get(of) ?? { kind: 'cell', cell: of, range }, constant(value), range),
        );
    }
    return conjunction(conditions, range);
}

/**
 * What takes away the fields of other cases, behind writes to the cells of `known`. A field that is written alone belongs to
 * the case at hand.
 */
export function withoutAbsentFields(
    known: KnownValues,
    cells: readonly Cell[],
    range: SourceRange,
): SequentialStatement[] {
    const fields = new Map<number, number[]>();
    for (const cell of known.keys()) {
        const { within } = cells[cell];
        if (within !== undefined && known.has(within.of)) {
            appendTo(fields, within.of, cell);
        }
    }
    const constants = new Map([...known].filter(([, value]) => value?.kind === 'constant'));
    return [...fields.values()].flat().flatMap((cell): SequentialStatement[] => {
        const condition = isPresentField(cell, cells, range, constants);
        const clear: SequentialStatement = { kind: 'clear', cell };
        return isTrue(condition)
            ? []
            : isFalse(condition)
              ? [clear]
              : [{ kind: 'if', condition, then: [], otherwise: [clear], range }];
    });
}

/** Whether the field at a cell is one of another case in a state, or in one of which not all is known. */
export function isAbsentField(cell: number, cells: readonly Cell[], state: Readonly<Int32Array>): boolean {
    const { within } = cells[cell];
    if (within === undefined) {
        return false;
    }
    return state[within.of] === NO_VALUE
        ? isAbsentField(within.of, cells, state)
        : !hasPart(within, valueOfCode(cells[within.of].domain, state[within.of]));
}

/** Whether a part is there where the cell that decides it has this value. */
export function hasPart({ operator, value }: PlacedWithin, decisive: Value): boolean {
    return operator === '==' ? decisive === value : decisive > value;
}
