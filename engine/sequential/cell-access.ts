/** Which cells expressions read and steps write. */
import { sortAscending } from '../common/ascending.js';
import { cellsWritten, forEachCellRead } from './liveness.js';
import type { Participant, SequentialExpression, SequentialPlace, Summand } from './sequential-model.js';

/** Whether evaluating the expression may read one of the cells. */
export function readsAnyOf(expression: SequentialExpression, cells: ReadonlySet<number>): boolean {
    let reads = false;
    if (cells.size > 0) {
        forEachCellRead(expression, cell => {
            reads ||= cells.has(cell);
        });
    }
    return reads;
}

/** The cells that an assignment to the place may write. */
export function cellsOfPlace(place: SequentialPlace): readonly number[] {
    return place.kind === 'cell' ? [place.cell] : place.cells;
}

/** The cells that a summand may write, on the way of one of its participants or in a body; ascending. */
export function cellsWrittenBySummand(summand: Summand): readonly number[] {
    let written = knownWritten.get(summand);
    if (written === undefined) {
        const cells = summand.participants.flatMap(cellsWrittenBy);
        written = summand.participants.length === 1 ? cells : sortAscending([...new Set(cells)]);
        knownWritten.set(summand, written);
    }
    return written;
}

/** A model is run for one purpose after the other, and most summands are those of the model before an edit. */
const knownWritten = new WeakMap<Summand, readonly number[]>();

/** The cells that a participant may write, on its way or in its body; ascending. */
export function cellsWrittenBy({ path, body }: Participant): readonly number[] {
    const written = cellsWritten(body);
    const initialized = path.flatMap(element => (element.kind === 'assign' ? [element.cell] : []));
    return initialized.length === 0 ? written : sortAscending([...new Set([...written, ...initialized])]);
}
