/** What a formula says of a state, by its definition. */
import type { FormulaId, FormulaTable } from '../../engine/constraints/formula.js';

export function formulaHolds(table: FormulaTable, id: FormulaId, state: ArrayLike<number>): boolean {
    const node = table.nodes[id];
    switch (node?.kind) {
        case 'true':
            return true;
        case 'false':
            return false;
        case 'set':
            return node.codes.includes(state[node.cell] ?? NaN);
        case 'and':
            return node.children.every(child => formulaHolds(table, child, state));
        case 'or':
            return node.children.some(child => formulaHolds(table, child, state));
        case 'sum': {
            const holding = node.terms.filter(term => formulaHolds(table, term.formula, state));
            return node.allowed.includes(holding.reduce((sum, term) => sum + term.weight, 0));
        }
        case undefined:
            throw new Error(`no formula ${id}`);
    }
}
