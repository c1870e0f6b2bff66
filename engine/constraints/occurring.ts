/**
 * What the constraints of summands rely on, as formulas that hold in every reachable state: at a location of an instance
 * its locals have only some of the codes that occur, and a field has a value exactly in its case. Symmetries that keep
 * the initial states map reachable states to reachable states. Others must keep these formulas, or the constraints may
 * differ from the model in the image of a reachable state.
 */
import { difference, intersection, sortAscending } from '../common/ascending.js';
import { NO_VALUE, valueOfCode } from '../model/domain.js';
import { hasPart } from '../sequential/absent-fields.js';
import { isLengthOfChannel } from '../sequential/split-values.js';
import type { Cell, SequentialModel } from '../sequential/sequential-model.js';
import type { Occurring } from './constraint-problem.js';
import { TRUE_FORMULA, type FormulaId, type FormulaTable } from './formula.js';
import type { PlacedFragment } from './fragment.js';
import { presentCodes } from './possible-values.js';
import type { ReachableValues } from './reachable-values.js';

/** Nothing is relied on. */
export const NOTHING_RELIED_ON: Occurring = { formulas: [], pinned: [] };

/** Adds the formulas to `table`. O(cells of all summands + codes of their locals at the locations). */
export function occurringIn(
    { cells, instances, summands }: SequentialModel,
    placed: readonly PlacedFragment[],
    reachable: ReachableValues,
    table: FormulaTable,
): Occurring {
    const { domains } = reachable;
    const formulas = new Set<FormulaId>();
    const pinned = new Set<number>();
    const said = new Set<string>();
    const sayAt = (instance: number, location: number, cell: number): void => {
        const here = reachable.localsAt(instance, location)?.get(cell) ?? domains[cell];
        if (here.length === domains[cell].length || said.has(`${cell} ${location}`)) {
            return;
        }
        said.add(`${cell} ${location}`);
        const { counter } = instances[instance];
        const locations = counter < 0 ? [location] : domains[counter];
        if (locations.length === 0) {
            pinned.add(cell);
            return;
        }
        const elsewhere = locations.filter(other => other !== location);
        const holds = table.set(cell, here, domains[cell]);
        formulas.add(
            elsewhere.length === 0 ? holds : table.or([table.set(counter, elsewhere, locations), holds], domains),
        );
    };
    summands.forEach(({ participants }, index) => {
        if (reachable.at(index) === undefined) {
            return;
        }
        for (const cell of placed[index].cells) {
            const owner = participants.find(({ instance }) => instance === cells[cell].instance);
            if (owner !== undefined && cells[cell].kind === 'local') {
                sayAt(owner.instance, owner.source, cell);
            } else if (owner === undefined && isReadAsPresent(cells[cell], domains[cell])) {
                pinned.add(cell);
            }
        }
    });
    cells.forEach(({ within }, cell) => {
        // The steps that send and receive say it of messages.
        if (within !== undefined && !isLengthOfChannel(cells[within.of])) {
            const [codes, cases] = [domains[cell], domains[within.of]];
            const { domain } = cells[within.of];
            const present = cases.filter(code => code !== NO_VALUE && hasPart(within, valueOfCode(domain, code)));
            const isIn = (own: readonly number[], either: readonly number[]): FormulaId =>
                table.or([table.set(within.of, own, cases), table.set(cell, either, codes)], domains);
            formulas.add(isIn(present, intersection(codes, [NO_VALUE])));
            formulas.add(isIn(difference(cases, present), difference(codes, [NO_VALUE])));
        }
    });
    formulas.delete(TRUE_FORMULA);
    return { formulas: sortAscending([...formulas]), pinned: sortAscending([...pinned]) };
}

/** Whether a summand is encoded as if the cell always had a value, though it may have none. */
function isReadAsPresent(cell: Cell, codes: readonly number[]): boolean {
    return codes.length > 1 && presentCodes(cell, codes) !== codes;
}
