/**
 * Generalized Büchi automata of temporal formulas, with acceptance on transitions, by a tableau. [Couvreur1999]
 *
 * Atoms are taken to be independent; a transition that asks for two which never hold together is taken at no position
 * of the model. A property is checked by the automaton of its negation: that of `p leads to q` has two states.
 */
import { unreachable } from '../common/assert.js';
import type { TemporalFormula } from '../sequential/sequential-model.js';
import { FormulaSets, NOTHING } from './formula-sets.js';
import type { FormulaBranch, FormulaSet } from './formula-sets.js';
import { mergeStates } from './merge-states.js';
import { tableauOf, type Tableau } from './tableau.js';

/** Accepts a run if some path has, for each promise, infinitely many transitions that do not promise it. */
export interface Automaton {
    /** One state; none if no position satisfies the formula, whatever comes next. */
    readonly initial: readonly number[];
    /** By state. Each state can be reached, and has a transition. */
    readonly transitions: readonly (readonly AutomatonTransition[])[];
    /** The number of `until`s that some transition puts off; equal ones count once. */
    readonly promiseCount: number;
}

/** Taken at a position of a run where the atoms are as it says. */
export interface AutomatonTransition {
    readonly target: number;
    /** Atoms that must be true, ascending. */
    readonly positive: readonly number[];
    /** Atoms that must be false, ascending. */
    readonly negative: readonly number[];
    /** The untils that are put off, ascending. */
    readonly promised: readonly number[];
}

/** In negation normal form again. O(size of the formula). */
export function negationOf(formula: TemporalFormula): TemporalFormula {
    switch (formula.kind) {
        case 'true':
            return { kind: 'false' };
        case 'false':
            return { kind: 'true' };
        case 'atom':
            return { ...formula, isNegated: !formula.isNegated };
        case 'and':
        case 'or':
            return { kind: formula.kind === 'and' ? 'or' : 'and', operands: formula.operands.map(negationOf) };
        case 'until':
        case 'release':
            return {
                kind: formula.kind === 'until' ? 'release' : 'until',
                left: negationOf(formula.left),
                right: negationOf(formula.right),
            };
        default:
            return unreachable(formula);
    }
}

/**
 * Undefined if it would have more than `mostStates` states before equal ones are merged, or a state too many
 * transitions. Exponential in the size of the formula, up to these limits. States are numbered in breadth-first order.
 */
export function automatonOf(formula: TemporalFormula, mostStates: number): Automaton | undefined {
    const formulas = new FormulaSets();
    const tableau = tableauOf(formulas.setOf(formula), formulas, mostStates);
    return tableau && numbered(mergeStates(tableau), formulas);
}

/** Only the states that can be reached from the first one. */
function numbered(tableau: Tableau, formulas: FormulaSets): Automaton {
    const states = new Set([...tableau.keys()].slice(0, 1));
    const initial = states.size === 0 ? [] : [0];
    for (const state of states) {
        tableau.get(state)!.forEach(branch => states.add(branch.next));
    }
    const numbers = new Map([...states].map((state, number) => [state, number]));
    const branches = [...states].map(state => tableau.get(state)!);
    const promised = branches.flat().reduce((all, branch) => all | branch.promised, NOTHING);
    const promises = formulas.untils.filter(until => includes(promised, until));
    return {
        initial,
        transitions: branches.map(ofState => ofState.map(branch => transitionOf(branch, numbers, promises, formulas))),
        promiseCount: promises.length,
    };
}

function transitionOf(
    branch: FormulaBranch,
    numbers: ReadonlyMap<FormulaSet, number>,
    promises: readonly FormulaSet[],
    formulas: FormulaSets,
): AutomatonTransition {
    const literals = formulas.literals.filter(({ bit }) => includes(branch.now, bit)).sort((a, b) => a.atom - b.atom);
    return {
        target: numbers.get(branch.next)!,
        positive: literals.filter(({ isNegated }) => !isNegated).map(({ atom }) => atom),
        negative: literals.filter(({ isNegated }) => isNegated).map(({ atom }) => atom),
        promised: promises.flatMap((until, number) => (includes(branch.promised, until) ? [number] : [])),
    };
}

function includes(set: FormulaSet, bit: FormulaSet): boolean {
    return (set & bit) !== NOTHING;
}
