/**
 * Temporal expressions as trees in negation normal form, with quantifiers expanded and expressions over cells at the
 * leaves; then as formulas over numbered atoms. Neighbors without temporal words become one leaf, so that an `exists`
 * over steps is one set of summands.
 */
import { remembered } from '../../common/list-map.js';
import type { SourceRange } from '../../common/source-range.js';
import { unreachable } from '../../common/assert.js';
import type { TemporalExpression } from '../../model/temporal.js';
import type { Scope } from '../expression/scope.js';
import { conjunction, disjunction, isFalse, isTrue, negation, TRUE } from '../expression/simplify.js';
import type { Specializer } from '../expression/specialize.js';
import type { Marker, SequentialExpression, TemporalAtom, TemporalFormula } from '../sequential-model.js';

export type Tree =
    | StateLeaf
    | TakenLeaf
    | { readonly kind: 'enabled'; readonly summands: readonly number[]; readonly isNegated: boolean }
    | { readonly kind: 'possible'; readonly condition: Tree; readonly isNegated: boolean }
    | { readonly kind: 'and' | 'or'; readonly operands: readonly Tree[] }
    | { readonly kind: 'until' | 'release'; readonly left: Tree; readonly right: Tree };

interface StateLeaf {
    readonly kind: 'state';
    readonly expression: SequentialExpression;
    readonly isNegated: boolean;
    readonly range: SourceRange;
}

interface TakenLeaf {
    readonly kind: 'taken';
    /** Ascending. */
    readonly summands: readonly number[];
    readonly isNegated: boolean;
}

/** `P[i] takes l` in a scope, not negated. */
export type ResolveTaken = (expression: Extract<TemporalExpression, { kind: 'takes' }>, scope: Scope) => Tree;

export const ALWAYS_TRUE: Tree = { kind: 'and', operands: [] };
export const NEVER_TRUE: Tree = { kind: 'or', operands: [] };

/** Makes trees of the parts of one model. Each node spends from the budget of the specializer. */
export class TreeBuilder {
    readonly #specializer: Specializer;
    readonly #taken: ResolveTaken;

    constructor(specializer: Specializer, taken: ResolveTaken) {
        this.#specializer = specializer;
        this.#taken = taken;
    }

    tree(expression: TemporalExpression, scope: Scope, isNegated = false): Tree {
        const { range } = expression;
        const build = (part: TemporalExpression, negated = isNegated): Tree => this.tree(part, scope, negated);
        this.#specializer.budget.spend(1, range);
        switch (expression.kind) {
            case 'state':
                return stateLeaf(this.#specializer.expression(expression.condition, scope), isNegated, range);
            case 'takes': {
                const taken = this.#taken(expression, scope);
                return isNegated ? negated(taken) : taken;
            }
            case 'not':
                return build(expression.operand, !isNegated);
            case 'and':
            case 'or':
                return junction((expression.kind === 'and') !== isNegated, [
                    build(expression.left),
                    build(expression.right),
                ]);
            case 'implies':
                return junction(isNegated, [build(expression.left, !isNegated), build(expression.right)]);
            case 'until': {
                const kind = isNegated ? 'release' : 'until';
                return { kind, left: build(expression.left), right: build(expression.right) };
            }
            case 'weak-until': {
                const [left, right] = [build(expression.left), build(expression.right)];
                // As two leaves, so that the automaton sees that one of them is the right side.
                const kind = isNegated ? 'and' : 'or';
                return { kind: isNegated ? 'until' : 'release', left: right, right: { kind, operands: [left, right] } };
            }
            case 'leads-to': {
                const answer = promised(isNegated, build(expression.right));
                return forEver(isNegated, junction(isNegated, [build(expression.left, !isNegated), answer]));
            }
            case 'always':
                return forEver(isNegated, build(expression.operand));
            case 'eventually':
                return promised(isNegated, build(expression.operand));
            case 'infinitely-often':
                return forEver(isNegated, promised(isNegated, build(expression.operand)));
            case 'possible':
                return { kind: 'possible', condition: build(expression.operand, false), isNegated };
            case 'forall':
            case 'exists':
                return junction(
                    (expression.kind === 'forall') !== isNegated,
                    this.#valuations(expression, scope, isNegated),
                );
            default:
                return unreachable(expression);
        }
    }

    /** The body for each valuation of the binders, each with its `where`. */
    #valuations(
        { kind, binders, where, body, range }: Extract<TemporalExpression, { kind: 'forall' | 'exists' }>,
        scope: Scope,
        isNegated: boolean,
    ): Tree[] {
        const trees: Tree[] = [];
        this.#specializer.forEachValuation(binders, scope, range, () => {
            const filter = where === undefined ? TRUE : this.#specializer.expression(where, scope);
            if (!isFalse(filter)) {
                const isAll = (kind === 'forall') !== isNegated;
                const inner = this.tree(body, scope, isNegated);
                trees.push(junction(!isAll, [stateLeaf(filter, isAll, range), inner]));
            }
            return true;
        });
        return trees;
    }
}

/** A condition on states; a constant is an empty junction. */
export function stateLeaf(expression: SequentialExpression, isNegated: boolean, range: SourceRange): Tree {
    if (isTrue(expression) || isFalse(expression)) {
        return isTrue(expression) !== isNegated ? ALWAYS_TRUE : NEVER_TRUE;
    }
    return { kind: 'state', expression, isNegated, range };
}

/** `always`, or what it is under a negation. */
function forEver(isNegated: boolean, operand: Tree): Tree {
    return isNegated
        ? { kind: 'until', left: ALWAYS_TRUE, right: operand }
        : { kind: 'release', left: NEVER_TRUE, right: operand };
}

/** `eventually`, or what it is under a negation. */
function promised(isNegated: boolean, operand: Tree): Tree {
    return forEver(!isNegated, operand);
}

export function negated(tree: Tree): Tree {
    switch (tree.kind) {
        case 'and':
        case 'or':
            return { kind: tree.kind === 'and' ? 'or' : 'and', operands: tree.operands.map(negated) };
        case 'until':
        case 'release':
            return {
                kind: tree.kind === 'until' ? 'release' : 'until',
                left: negated(tree.left),
                right: negated(tree.right),
            };
        default:
            return { ...tree, isNegated: !tree.isNegated };
    }
}

/** The conjunction or disjunction, flat, with its leaves of one kind as one leaf where the first of them stands. */
export function junction(isAnd: boolean, parts: readonly Tree[]): Tree {
    const kind = isAnd ? 'and' : 'or';
    const operands = parts.flatMap(part => (part.kind === kind ? part.operands : [part]));
    if (operands.some(isConstant)) {
        return isAnd ? NEVER_TRUE : ALWAYS_TRUE;
    }
    const states = operands.filter(part => part.kind === 'state');
    // A union of steps is taken if one of them is; an intersection of refusals is the refusal of the union.
    const taken = operands.filter(part => part.kind === 'taken' && part.isNegated === isAnd) as readonly TakenLeaf[];
    const merged = operands.flatMap(part => {
        if (part.kind === 'state') {
            return part === states[0] ? [mergedStates(isAnd, states)] : [];
        }
        if (part.kind === 'taken' && part.isNegated === isAnd) {
            const summands = [...new Set(taken.flatMap(leaf => leaf.summands))].sort((a, b) => a - b);
            return part === taken[0] ? [{ ...part, summands }] : [];
        }
        return [part];
    });
    return merged.length === 1 ? merged[0] : { kind, operands: merged };
}

function mergedStates(isAnd: boolean, leaves: readonly StateLeaf[]): Tree {
    const [first, ...others] = leaves;
    if (others.length === 0) {
        return first;
    }
    const expression = (isAnd ? conjunction : disjunction)(leaves.map(expressionOf), first.range);
    return { kind: 'state', expression, isNegated: false, range: first.range };
}

/** With its negation. */
function expressionOf({ expression, isNegated, range }: StateLeaf): SequentialExpression {
    return isNegated ? negation(expression, range) : expression;
}

/** The constant false in `and`, true in `or`; the other constant has vanished as an empty junction of the kind. */
function isConstant(part: Tree): boolean {
    return (part.kind === 'and' || part.kind === 'or') && part.operands.length === 0;
}

/** Formulas over the atoms of one marker, which are numbered as they come; equal ones are one. */
export class AtomNumbering {
    readonly atoms: TemporalAtom[] = [];
    readonly #numbers = new Map<string, number>();

    formula(tree: Tree): TemporalFormula {
        switch (tree.kind) {
            case 'state':
                return this.#literal({ kind: 'state', expression: tree.expression }, tree.isNegated);
            case 'taken':
            case 'enabled':
                return this.#literal({ kind: tree.kind, summands: tree.summands }, tree.isNegated);
            case 'possible':
                return this.#literal({ kind: 'possible', condition: this.formula(tree.condition) }, tree.isNegated);
            case 'and':
            case 'or':
                return tree.operands.length === 0
                    ? { kind: tree.kind === 'and' ? 'true' : 'false' }
                    : { kind: tree.kind, operands: tree.operands.map(operand => this.formula(operand)) };
            case 'until':
            case 'release':
                return { kind: tree.kind, left: this.formula(tree.left), right: this.formula(tree.right) };
            default:
                return unreachable(tree);
        }
    }

    #literal(atom: TemporalAtom, isNegated: boolean): TemporalFormula {
        const key = JSON.stringify(atom, (name, value: unknown) => (name === 'range' ? undefined : value));
        const number = remembered(this.#numbers, key, () => this.atoms.push(atom) - 1);
        return { kind: 'atom', atom: number, isNegated };
    }
}

/** A marker that says these formulas of these atoms; `kind` tells apart what formulas do not. */
export function markerOf(kind: string, formulas: readonly TemporalFormula[], atoms: readonly TemporalAtom[]): Marker {
    const kinds = atoms.map(atom => (atom.kind === 'possible' ? atom : atom.kind));
    return { skeleton: JSON.stringify([kind, formulas, kinds]), atoms };
}
