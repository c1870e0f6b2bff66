/** The codes that a cell may hold, and the bits that tell them apart. */
import { domainSize, NO_VALUE } from '../../model/domain.js';
import type { Cell, CodeRange } from '../sequential-model.js';

type HoldingCell = Pick<Cell, 'domain' | 'mayBeAbsent' | 'kind' | 'codes'>;

/** All codes of the domain, with NO_VALUE if the cell may hold no value; fewer if a pass has narrowed them. */
export function codeRangeOf({ domain, mayBeAbsent, codes }: Omit<HoldingCell, 'kind'>): CodeRange {
    return codes ?? { least: mayBeAbsent ? NO_VALUE : 0, most: domainSize(domain) - 1 };
}

/** The bits of a cell in a state: 0 if it has only one code, and for a temporary. */
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
