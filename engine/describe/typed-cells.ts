/** Which cells hold the values of a type, alone or as what an optional value may be. */
import { appendTo } from '../common/list-map.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { identityOf } from '../symmetry/declared-action.js';

/** A cell that holds values of a type, and how much greater its codes are than those of the type for the same values. */
export interface TypedCell {
    readonly cell: number;
    readonly shift: number;
}

/** The cells with values of each type, by its identity. One pass over the cells. */
export function cellsByType(sequential: SequentialModel): ReadonlyMap<string, readonly TypedCell[]> {
    const cellsOf = new Map<string, TypedCell[]>();
    for (const [cell, { kind, domain }] of sequential.cells.entries()) {
        if (kind === 'counter' || kind === 'temporary') {
            continue;
        }
        appendTo(cellsOf, identityOf(domain), { cell, shift: 0 });
        if (domain.kind === 'optional' && identityOf(domain.base) !== identityOf(domain)) {
            appendTo(cellsOf, identityOf(domain.base), { cell, shift: 1 });
        }
    }
    return cellsOf;
}
