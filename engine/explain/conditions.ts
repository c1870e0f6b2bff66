/**
 * Conditions inside a condition, and the condition without some of them.
 *
 * To leave a condition out is to say nothing there: of `a && b` and `a || b` the other operand stays, a quantifier over
 * nothing is gone, too. What is around it keeps its meaning, and what holds nothing of it its identity.
 */
import { BOOLEAN } from '../model/domain.js';
import type { Expression } from '../model/expression.js';

export function always({ range }: Pick<Expression, 'range'>): Expression {
    return { kind: 'constant', value: 1, domain: BOOLEAN, range };
}

/** A condition without those inside it that `decide` takes, asked from the outside in; undefined where nothing is left. */
export function withoutConditions(
    condition: Expression,
    decide: (condition: Expression) => boolean,
): Expression | undefined {
    if (decide(condition)) {
        return undefined;
    }
    switch (condition.kind) {
        case 'unary': {
            const operand = withoutConditions(condition.operand, decide);
            return operand === condition.operand ? condition : operand && { ...condition, operand };
        }
        case 'binary': {
            const { operator, range } = condition;
            if (operator !== 'and' && operator !== 'or' && operator !== 'implies') {
                return insideValue(condition, decide);
            }
            const left = withoutConditions(condition.left, decide);
            const right = withoutConditions(condition.right, decide);
            if (left === undefined || right === undefined) {
                const isNegated = operator === 'implies' && left !== undefined;
                return isNegated ? { kind: 'unary', operator: 'not', operand: left, range } : (left ?? right);
            }
            return left === condition.left && right === condition.right ? condition : { ...condition, left, right };
        }
        case 'quantifier': {
            const body = withoutConditions(condition.body, decide);
            return body && withoutInWhere(body === condition.body ? condition : { ...condition, body }, decide);
        }
        default:
            return condition;
    }
}

/** The operands of a comparison hold conditions only in what they count and sum up. */
function insideValue(value: Expression, decide: (condition: Expression) => boolean): Expression {
    switch (value.kind) {
        case 'binary': {
            const left = insideValue(value.left, decide);
            const right = insideValue(value.right, decide);
            return left === value.left && right === value.right ? value : { ...value, left, right };
        }
        case 'quantifier': {
            const body =
                value.quantifier === 'count'
                    ? (withoutConditions(value.body, decide) ?? always(value.body))
                    : insideValue(value.body, decide);
            return withoutInWhere(body === value.body ? value : { ...value, body }, decide);
        }
        default:
            return value;
    }
}

type Quantified = Extract<Expression, { kind: 'quantifier' }>;

function withoutInWhere(quantified: Quantified, decide: (condition: Expression) => boolean): Quantified {
    const { where, ...rest } = quantified;
    const left = where && withoutConditions(where, decide);
    if (left === where) {
        return quantified;
    }
    return left === undefined ? rest : { ...rest, where: left };
}
