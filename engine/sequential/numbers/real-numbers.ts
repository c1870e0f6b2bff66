/** The same steps over the numbers themselves: cells that hold them have no largest code. */
import { remembered } from '../../common/list-map.js';
import { isNumber } from '../../model/domain.js';
import { NUMBERS } from '../../model/with-numbers.js';
import type { Cell, SequentialModel } from '../sequential-model.js';

const known = new WeakMap<SequentialModel, SequentialModel>();

/** The same object for a model without such numbers, and each time it is asked for. */
export function withRealNumbers(model: SequentialModel): SequentialModel {
    return model.numbers === undefined
        ? model
        : remembered(known, model, () => ({ ...model, cells: model.cells.map(withoutEnd) }));
}

function withoutEnd(cell: Cell): Cell {
    const { domain } = cell;
    return isNumber(domain)
        ? { ...cell, domain: domain.kind === 'optional' ? { ...domain, base: NUMBERS } : NUMBERS }
        : cell;
}
