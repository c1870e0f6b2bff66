/**
 * Fewer states for a tableau: states with equal branches become one, which can make branches of others equal. What
 * comes out is the coarsest partition in which the states of a class agree on their least branches to classes.
 */
import { remembered } from '../common/list-map.js';
import { leastOf } from './formula-sets.js';
import type { FormulaBranch, FormulaSet } from './formula-sets.js';
import type { Tableau } from './tableau.js';

/** By state: a set of one bit that stands for its class. */
type Classes = ReadonlyMap<FormulaSet, FormulaSet>;

/**
 * The states of the result are classes instead of sets of formulas, again the initial one first. Some may no longer be
 * reached. O(rounds · states · branches²), where rounds ≤ states.
 */
export function mergeStates(tableau: Tableau): Tableau {
    let classes: Classes = new Map([...tableau.keys()].map(state => [state, 1n]));
    let count = Math.min(tableau.size, 1);
    for (;;) {
        const finer = refine(tableau, classes);
        const finerCount = new Set(finer.values()).size;
        if (finerCount === count) {
            return quotientOf(tableau, finer);
        }
        classes = finer;
        count = finerCount;
    }
}

/** Classes whose states agree on their branches to the old classes. Each is a part of an old one. */
function refine(tableau: Tableau, classes: Classes): Classes {
    const known = new Map<string, FormulaSet>();
    const classOf = (branches: readonly FormulaBranch[]): FormulaSet => {
        const texts = branchesInto(classes, branches).map(({ now, next, promised }) => `${now} ${next} ${promised}`);
        return remembered(known, texts.sort().join(), () => 1n << BigInt(known.size));
    };
    return new Map([...tableau].map(([state, branches]) => [state, classOf(branches)]));
}

function quotientOf(tableau: Tableau, classes: Classes): Tableau {
    const quotient = new Map<FormulaSet, readonly FormulaBranch[]>();
    for (const [state, branches] of tableau) {
        remembered(quotient, classes.get(state)!, () => branchesInto(classes, branches));
    }
    return quotient;
}

/** Two sets of one bit are equal if one is within the other: only branches to the same class are compared. */
function branchesInto(classes: Classes, branches: readonly FormulaBranch[]): readonly FormulaBranch[] {
    return leastOf(branches.map(branch => ({ ...branch, next: classes.get(branch.next)! })));
}
