/**
 * Conditions inside a condition, and the condition without some of them. If an operand of `a && b` or `a || b` is left
 * out, the other one stays; so is a quantifier over nothing. Unchanged expressions keep their identity.
 */
import { BOOLEAN } from '../model/domain.js';
import type { Expression } from '../model/expression.js';

export function always({ range }: Pick<Expression, 'range'>): Expression {
    return { kind: 'constant', value: 1, domain: BOOLEAN, range };
}

/** A condition without those inside it that `decide` picks, from the outside in; undefined if nothing is left. */
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

/** The operands of a comparison contain conditions only in quantifiers that count or sum. */
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
