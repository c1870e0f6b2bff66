/**
 * A property as a conjunction of members: its `forall` moves out through `always`, `eventually always`, `and`, the right
 * of `implies`, the sides of `or`, the left of `until`; an `exists` out of what is negated. Each member is then checked
 * alone, and symmetric ones once.
 */
import { NONE, plainValue } from '../../model/domain.js';
import type { TemporalExpression } from '../../model/temporal.js';
import type { Scope } from '../expression/scope.js';
import { isFalse } from '../expression/simplify.js';
import type { Specializer } from '../expression/specialize.js';
import { stop } from '../linearization-limits.js';
import { ALWAYS_TRUE, junction, NEVER_TRUE, type Tree, type TreeBuilder } from './temporal-trees.js';

/** A conjunct with the values of the binders around it. */
export interface Conjunct {
    readonly values: Readonly<Record<string, boolean | number | string>>;
    readonly tree: Tree;
}

/** More than this is no property that a reader can follow. */
const MOST_MEMBERS = 10_000;

export class MemberSplitter {
    readonly #builder: TreeBuilder;
    readonly #specializer: Specializer;

    constructor(builder: TreeBuilder, specializer: Specializer) {
        this.#builder = builder;
        this.#specializer = specializer;
    }

    /** Conjuncts that together say what the expression, or its negation, says. */
    split(expression: TemporalExpression, scope: Scope, isNegated = false): readonly Conjunct[] {
        const found = this.#conjuncts(expression, scope, isNegated);
        return found.length <= MOST_MEMBERS
            ? found
            : stop(
                  'limit/members',
                  `the property is about more than ${MOST_MEMBERS.toLocaleString('en-US')} combinations of values`,
                  expression.range,
              );
    }

    #conjuncts(expression: TemporalExpression, scope: Scope, isNegated: boolean): readonly Conjunct[] {
        const split = (part: TemporalExpression, negated = isNegated): readonly Conjunct[] =>
            this.split(part, scope, negated);
        const whole = (part: TemporalExpression, negated = isNegated): Tree => this.#builder.tree(part, scope, negated);
        const always = ({ values, tree }: Conjunct): Conjunct => ({
            values,
            tree: { kind: 'release', left: NEVER_TRUE, right: tree },
        });
        switch (expression.kind) {
            case 'not':
                return split(expression.operand, !isNegated);
            case 'and':
                return isNegated
                    ? eitherOf(split(expression.left), split(expression.right))
                    : [...split(expression.left), ...split(expression.right)];
            case 'or':
                return isNegated
                    ? [...split(expression.left), ...split(expression.right)]
                    : eitherOf(split(expression.left), split(expression.right));
            case 'implies':
                return isNegated
                    ? [...split(expression.left, false), ...split(expression.right)]
                    : eitherOf(split(expression.left, true), split(expression.right));
            case 'forall':
            case 'exists':
                return (expression.kind === 'forall') !== isNegated
                    ? this.#members(expression, scope, isNegated)
                    : [{ values: {}, tree: whole(expression) }];
            case 'always':
                return isNegated ? [{ values: {}, tree: whole(expression) }] : split(expression.operand).map(always);
            case 'eventually': {
                const { operand } = expression;
                if (isNegated) {
                    return split(operand).map(always);
                }
                return operand.kind === 'always'
                    ? split(operand).map(({ values, tree }) => ({
                          values,
                          tree: { kind: 'until', left: ALWAYS_TRUE, right: tree },
                      }))
                    : [{ values: {}, tree: whole(expression) }];
            }
            case 'leads-to':
                if (!isNegated) {
                    const answer: Tree = { kind: 'until', left: ALWAYS_TRUE, right: whole(expression.right) };
                    return eitherOf(split(expression.left, true), [{ values: {}, tree: answer }]).map(always);
                }
                return [{ values: {}, tree: whole(expression) }];
            case 'until':
                if (!isNegated) {
                    const right = whole(expression.right);
                    return split(expression.left).map(({ values, tree }) => ({
                        values,
                        tree: { kind: 'until', left: tree, right },
                    }));
                }
                return [{ values: {}, tree: whole(expression) }];
            default:
                return [{ values: {}, tree: whole(expression) }];
        }
    }

    #members(
        { binders, where, body, range }: Extract<TemporalExpression, { kind: 'forall' | 'exists' }>,
        scope: Scope,
        isNegated: boolean,
    ): readonly Conjunct[] {
        const found: Conjunct[] = [];
        this.#specializer.forEachValuation(binders, scope, range, () => {
            const values = Object.fromEntries(
                binders.map(({ id, name, domain }) => [name, plainValue(domain, scope.binders.get(id) ?? NONE)]),
            );
            const filter: TemporalExpression | undefined = where && { kind: 'state', condition: where, range };
            if (where !== undefined && isFalse(this.#specializer.expression(where, scope))) {
                return true;
            }
            const outside = filter === undefined ? [] : [this.#builder.tree(filter, scope, true)];
            for (const inner of this.split(body, scope, isNegated)) {
                found.push({
                    values: unitedValues(values, inner.values),
                    tree: junction(false, [...outside, inner.tree]),
                });
            }
            return true;
        });
        return found;
    }
}

/** The disjunction of two conjunctions, as a conjunction. */
function eitherOf(left: readonly Conjunct[], right: readonly Conjunct[]): readonly Conjunct[] {
    return left.flatMap(one =>
        right.map(other => ({
            values: unitedValues(one.values, other.values),
            tree: junction(false, [one.tree, other.tree]),
        })),
    );
}

/** A name that both sides have is the second time followed by a number. */
function unitedValues(first: Conjunct['values'], second: Conjunct['values']): Conjunct['values'] {
    const united = { ...first };
    for (const [name, value] of Object.entries(second)) {
        let free = name;
        for (let number = 2; free in united; number++) {
            free = `${name} ${number}`;
        }
        united[free] = value;
    }
    return united;
}
