/**
 * Range narrowing: a cell gets as many bits as it has codes that occur, and none where it holds something within a step
 * only.
 *
 * Cells of one declaration are narrowed alike, in all instances of a process: generated code finds the elements of an
 * array by an index only where they are stored alike, and permutes cells that are. States and steps stay the same, and
 * every state that can be reached fits; so does its image under a symmetry, which can be reached as well.
 */
import type { Domains } from '../constraints/formula.js';
import { NO_VALUE } from '../model/domain.js';
import { bitsOfCell, codeRangeOf } from '../sequential/expression/code-range.js';
import type { Cell, CodeRange, SequentialModel } from '../sequential/sequential-model.js';
import { occurringCodes } from './occurring-codes.js';

export interface Narrowing {
    readonly model: SequentialModel;
    /** How many bits fewer a state has. */
    readonly bitsSaved: number;
}

/** `domains`: what the cells can hold between steps, in this model or in one with more states. */
export function narrow(model: SequentialModel, domains: Domains): Narrowing {
    const occurring = occurringCodes(model, domains);
    const ofDeclaration = new Map<string, CodeRange>();
    const keys = model.cells.map(cell => keyOf(cell, model));
    const isWithinStep = model.cells.map(({ kind }, cell) => kind === 'local' && holdsNothing(domains[cell]));
    keys.forEach((key, cell) => {
        const known = ofDeclaration.get(key);
        const { least, most } = occurring[cell];
        if (!isWithinStep[cell]) {
            ofDeclaration.set(key, {
                least: Math.min(known?.least ?? Infinity, least),
                most: Math.max(known?.most ?? -Infinity, most),
            });
        }
    });
    const cells = model.cells.map((cell, index): Cell => {
        const codes = ofDeclaration.get(keys[index]);
        return isWithinStep[index] || codes === undefined ? { ...cell, kind: 'temporary' } : narrowed(cell, codes);
    });
    const bitsOf = (all: readonly Cell[]): number => all.reduce((sum, cell) => sum + bitsOfCell(cell), 0);
    return { model: { ...model, cells }, bitsSaved: bitsOf(model.cells) - bitsOf(cells) };
}

function narrowed(cell: Cell, { least, most }: CodeRange): Cell {
    // Generated code branches on what is stored of a program counter.
    const codes = { least: cell.kind === 'counter' ? 0 : least, most };
    const all = codeRangeOf(cell);
    return cell.kind === 'temporary' || (codes.least <= all.least && codes.most >= all.most)
        ? cell
        : { ...cell, codes };
}

function holdsNothing(codes: readonly number[]): boolean {
    return codes.length === 1 && codes[0] === NO_VALUE;
}

/** Of a channel, the lengths and each scalar of the messages are apart; of a record, each scalar is a declaration. */
function keyOf({ kind, variable, instance, indices, mayBeAbsent }: Cell, { instances }: SequentialModel): string {
    const process = instance < 0 ? -1 : instances[instance].process;
    const scalar = kind !== 'channel' ? 'all' : mayBeAbsent ? indices.at(-1) : 'length';
    return `${kind} ${String(process)} ${String(variable)} ${String(scalar)}`;
}
