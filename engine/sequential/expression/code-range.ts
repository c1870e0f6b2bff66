/** Which codes a cell may hold, and how many bits tell them apart. */
import { domainSize, NO_VALUE } from '../../model/domain.js';
import type { Cell, CodeRange } from '../sequential-model.js';

type HoldingCell = Pick<Cell, 'domain' | 'mayBeAbsent' | 'kind' | 'codes'>;

/** All of its domain and, where it may hold no value, NO_VALUE; less where a pass has found less. */
export function codeRangeOf({ domain, mayBeAbsent, codes }: Omit<HoldingCell, 'kind'>): CodeRange {
    return codes ?? { least: mayBeAbsent ? NO_VALUE : 0, most: domainSize(domain) - 1 };
}

/** What a state needs for the cell: 0 where there is only one thing it can hold, and for a temporary. */
export function bitsOfCell(cell: HoldingCell): number {
    if (cell.kind === 'temporary') {
        return 0;
    }
    const { least, most } = codeRangeOf(cell);
    let bits = 0;
    while (2 ** bits < most - least + 1) {
        bits++;
    }
    return bits;
}
