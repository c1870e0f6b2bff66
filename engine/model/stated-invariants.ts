/**
 * Properties of runs that are about single states: `always c`, also under `forall` and `&&`, as invariants. Under an
 * assumption they are none, since it may exclude runs. Linearization finds more of them, with the values of one size
 * (sequential/linearize-temporal.ts); this is for a text of any size.
 */
import type { Expression } from './expression.js';
import type { Model } from './model.js';
import type { TemporalExpression } from './temporal.js';

/** The model with those properties among its invariants. */
export function withStatedInvariants(model: Model): Model {
    if (model.assumptions.length > 0) {
        return model;
    }
    const stated = model.properties.flatMap(property => {
        const expression = invariantOf(property.expression);
        return expression === undefined ? [] : [{ ...property, expression }];
    });
    const names = new Set(stated.map(({ name }) => name));
    return {
        ...model,
        invariants: [...model.invariants, ...stated],
        properties: model.properties.filter(({ name }) => !names.has(name)),
    };
}

/** What holds in all states if and only if the formula holds of all runs; undefined if it is about more than one state. */
function invariantOf(formula: TemporalExpression): Expression | undefined {
    const { range } = formula;
    switch (formula.kind) {
        case 'always':
            return formula.operand.kind === 'state' ? formula.operand.condition : invariantOf(formula.operand);
        case 'not': {
            const { operand } = formula;
            return operand.kind === 'eventually' && operand.operand.kind === 'state'
                ? { kind: 'unary', operator: 'not', operand: operand.operand.condition, range }
                : undefined;
        }
        case 'and': {
            const [left, right] = [invariantOf(formula.left), invariantOf(formula.right)];
            return left && right && { kind: 'binary', operator: 'and', left, right, range };
        }
        case 'forall': {
            const { binders, where } = formula;
            const body = invariantOf(formula.body);
            return body && { kind: 'quantifier', quantifier: 'forall', binders, ...(where && { where }), body, range };
        }
        default:
            return undefined;
    }
}
