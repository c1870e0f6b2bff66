/** Changes of a model at one place of its text, and what came of them. */
import type { SourceRange } from '../common/source-range.js';
import type { Model } from '../model/model.js';

/**
 * `guard` makes a guard true, `conjunct` drops a part of it; `negation` exchanges `==` and `!=`, `bound` a comparison by
 * order and the one with equality, `connective` `&&` and `||`, `step` `+ 1` and `- 1`, `quantifier` `forall` and
 * `exists`, `truth` `true` and `false` in an assignment, `element` the insertion into a set and the removal from it;
 * `assignment`, `alternative` and `fairness` drop what they name.
 */
export type Change =
    | 'guard'
    | 'conjunct'
    | 'negation'
    | 'bound'
    | 'connective'
    | 'step'
    | 'quantifier'
    | 'truth'
    | 'element'
    | 'assignment'
    | 'alternative'
    | 'fairness';

export interface Mutation {
    readonly change: Change;
    readonly range: SourceRange;
    /** The process or function, and the label: `Read enter`. */
    readonly within: string;
    /** The text there, and what stands in its place; empty if it is dropped. */
    readonly from: string;
    readonly to: string;
    /** Equal for changes of one guard, and for those of one body: a list for people names one of them. */
    readonly part: string;
    /** The changed model. Parts that are not changed keep their identity. */
    readonly changed: () => Model;
}

/** How a changed model differs: it does more, less, or something else. */
export interface Effect {
    readonly kind: 'same' | 'more' | 'less' | 'other';
    readonly states: number;
    readonly firings: number;
    /** The numbers are of one for each orbit under symmetries that both have. */
    readonly upToSymmetry?: boolean;
}

/**
 * `killed`: the answer to a name differs. `equivalent`: it has the same graph, by 53 bits; `mirrored` is a survivor with
 * an isomorphism to the model. `unneeded`: nothing needs this `fair`. `undecided`: a limit came first. `invalid`: it is
 * no model.
 */
type MutantOutcome = 'killed' | 'survived' | 'equivalent' | 'mirrored' | 'unneeded' | 'undecided' | 'invalid';

export interface Mutant extends Omit<Mutation, 'changed'> {
    readonly outcome: MutantOutcome;
    /** The name whose answer differs. */
    readonly by?: string;
    /** Of a survivor, if it is known. */
    readonly effect?: Effect;
    /** The first survivor that is the same but for names, by its number among the mutants. */
    readonly alikeTo?: number;
}
