/**
 * The states of a formula and the least branches of each. For `p until q` these are q, after which nothing is asked
 * for, and p, after which `p until q` is asked for again and has been promised. [Couvreur1999]
 *
 * A run that takes a branch can take one that asks for less instead: only the least branches are kept.
 */
import { asksWithin, leastOf, NOTHING } from './formula-sets.js';
import type { FormulaBranch, FormulaSet, FormulaSets } from './formula-sets.js';

/** By state, in the order in which they were found, the initial one first. */
export type Tableau = ReadonlyMap<FormulaSet, readonly FormulaBranch[]>;

/** The branches of one state, with those that contradict themselves; the recurrence of ten conditions has as many. */
const MOST_BRANCHES = 1 << 10;

/**
 * In each branch `now` has literals only. Only the initial state can have no branch, and then the tableau is empty: any
 * other state asks for a part of what the branch before it has satisfied, so that the same choices satisfy it again.
 * Undefined if there are more than `mostStates` states, or more than MOST_BRANCHES branches in one.
 * O(states · MOST_BRANCHES²) at most; mostly a state has few branches.
 */
export function tableauOf(initial: FormulaSet, formulas: FormulaSets, mostStates: number): Tableau | undefined {
    const states = new Set([initial]);
    const tableau = new Map<FormulaSet, readonly FormulaBranch[]>();
    for (const state of states) {
        const branches = states.size > mostStates ? undefined : branchesOf(state, formulas);
        if (branches === undefined) {
            return undefined;
        }
        if (branches.length > 0) {
            tableau.set(state, branches);
        }
        branches.forEach(branch => states.add(branch.next));
    }
    return tableau;
}

/** A branch under construction. */
interface OpenBranch extends FormulaBranch {
    /** The formulas of `now` whose choice has not been made. */
    readonly open: FormulaSet;
}

function branchesOf(state: FormulaSet, formulas: FormulaSets): readonly FormulaBranch[] | undefined {
    const literals = formulas.literals.reduce((all, literal) => all | literal.bit, NOTHING);
    const complete: FormulaBranch[] = [];
    const waiting: OpenBranch[] = [{ now: state, next: NOTHING, promised: NOTHING, open: state & ~literals }];
    let ended = 0;
    for (let branch = waiting.pop(); branch !== undefined; branch = waiting.pop()) {
        const isContradictory = formulas.isContradictory(branch.now);
        if (!isContradictory && branch.open !== NOTHING) {
            waiting.push(...choicesOf(branch, literals, formulas).reverse());
            continue;
        }
        if (++ended > MOST_BRANCHES) {
            return undefined;
        }
        if (!isContradictory) {
            complete.push({ ...branch, now: branch.now & literals });
        }
    }
    return leastOf(complete);
}

/** The branches that make one open choice. If an alternative is met anyway, every other would ask for more. */
function choicesOf(branch: OpenBranch, literals: FormulaSet, formulas: FormulaSets): OpenBranch[] {
    const chosen = branch.open & -branch.open;
    const open = branch.open & ~chosen;
    const alternatives = formulas.alternatives.get(chosen)!;
    if (alternatives.some(alternative => asksWithin(alternative, branch))) {
        return [{ ...branch, open }];
    }
    return alternatives.map(({ now, next, promised }) => ({
        now: branch.now | now,
        next: branch.next | next,
        promised: branch.promised | promised,
        open: open | (now & ~branch.now & ~literals),
    }));
}
