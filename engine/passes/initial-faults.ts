/** Whether what a cell starts with may be no value of its type, or there may be nothing to start with. */
import { domainSize } from '../model/domain.js';
import { expressionsOfInitial } from '../sequential/initial-cells.js';
import type { Cell, InitialCell } from '../sequential/sequential-model.js';
import { mayFault, mayLeave } from '../sequential/expression/simplify.js';

export function mayInitialValueFail({ cell, value }: InitialCell, cells: readonly Cell[]): boolean {
    const { domain } = cells[cell];
    const isEmpty =
        (value.kind === 'any' && domainSize(domain) === 0) ||
        (value.kind === 'oneOf' && value.expressions.length === 0);
    return (
        isEmpty ||
        expressionsOfInitial(value).some(
            expression => mayFault(expression, cells) || mayLeave(domain, expression, cells),
        )
    );
}
