/** What a property asks for only under a condition: if the condition never comes, it holds for nothing. */
import { unreachable } from '../common/assert.js';
import type { TemporalFormula } from '../sequential/sequential-model.js';
import { negationOf } from './automaton.js';

/**
 * Of `always (c implies f)`, where `f` is about runs, the condition `c`; undefined for other formulas. `p leads to q` is
 * one of these.
 */
export function conditionOf(formula: TemporalFormula): TemporalFormula | undefined {
    if (formula.kind !== 'release' || formula.left.kind !== 'false') {
        return undefined;
    }
    const alternatives = disjunctsOf(formula.right);
    const conditions = alternatives.filter(isAboutStates);
    return conditions.length === 0 || conditions.length === alternatives.length
        ? undefined
        : negationOf({ kind: 'or', operands: conditions });
}

function disjunctsOf(formula: TemporalFormula): readonly TemporalFormula[] {
    return formula.kind === 'or' ? formula.operands.flatMap(disjunctsOf) : [formula];
}

function isAboutStates(formula: TemporalFormula): boolean {
    switch (formula.kind) {
        case 'true':
        case 'false':
        case 'atom':
            return true;
        case 'and':
        case 'or':
            return formula.operands.every(isAboutStates);
        case 'until':
        case 'release':
            return false;
        default:
            return unreachable(formula);
    }
}
