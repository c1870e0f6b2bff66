/**
 * Properties of runs that are about single states, as invariants: `always c`, `!eventually c`, and what `forall` and `&&` make
 * of these. Under an assumption there are none, since it may exclude runs.
 */
import type { SourceRange } from '../../common/source-range.js';
import { templateOf } from '../../model/domain.js';
import type { Expression } from '../../model/expression.js';
import type { Model } from '../../model/model.js';
import type { TemporalExpression } from '../../model/temporal.js';
import { readsState } from '../expression/function-facts.js';

/** The model with those properties among its invariants. */
export function withStatedInvariants(model: Model): Model {
    if (model.assumptions.length > 0) {
        return model;
    }
    const stated = model.properties.flatMap(property => {
        const expression = invariantOf(property.expression, model);
        return expression === undefined ? [] : [{ ...property, expression }];
    });
    const names = new Set(stated.map(({ name }) => name));
    return {
        ...model,
        invariants: [...model.invariants, ...stated],
        properties: model.properties.filter(({ name }) => !names.has(name)),
    };
}

/**
 * The condition that holds in all states if and only if the formula, or its negation, holds of all runs; undefined if it is
 * about more than one state.
 */
function invariantOf(formula: TemporalExpression, model: Model, isNegated = false): Expression | undefined {
    const { kind, range } = formula;
    const part = (inner: TemporalExpression, negated = isNegated): Expression | undefined =>
        invariantOf(inner, model, negated);
    switch (kind) {
        case 'not':
            return part(formula.operand, !isNegated);
        case 'always':
        case 'eventually': {
            const { operand } = formula;
            if ((kind === 'always') === isNegated) {
                return undefined;
            }
            return operand.kind === 'state' ? conditionOf(operand, isNegated) : part(operand);
        }
        case 'and':
        case 'or':
            return (kind === 'and') === isNegated ? undefined : both(part(formula.left), part(formula.right), range);
        case 'implies':
            return isNegated ? both(part(formula.left, false), part(formula.right), range) : undefined;
        case 'forall':
        case 'exists': {
            const { binders, where } = formula;
            // It is asked once, at the start of a run.
            const isOfState =
                binders.some(({ domain }) => templateOf(domain) !== undefined) ||
                (where !== undefined && readsState(where, model.functions));
            const body = (kind === 'forall') === isNegated || isOfState ? undefined : part(formula.body);
            return body && { kind: 'quantifier', quantifier: 'forall', binders, ...(where && { where }), body, range };
        }
        default:
            return undefined;
    }
}

function conditionOf(
    { condition, range }: Extract<TemporalExpression, { kind: 'state' }>,
    isNegated: boolean,
): Expression {
    return isNegated ? { kind: 'unary', operator: 'not', operand: condition, range } : condition;
}

function both(left: Expression | undefined, right: Expression | undefined, range: SourceRange): Expression | undefined {
    return left && right && { kind: 'binary', operator: 'and', left, right, range };
}
