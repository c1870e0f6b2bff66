/**
 * Conditions inside a condition, and the condition without some of them. If an operand of `a && b` or `a || b` is left
 * out, the other one stays; so is a quantifier over nothing. Unchanged expressions keep their identity.
 */
import { BOOLEAN } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import type { TemporalExpression } from '../model/temporal.js';

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

/** The same for the conditions on states in a formula about runs; what is said of steps stays. */
export function withoutConditionsIn(
    formula: TemporalExpression,
    decide: (condition: Expression) => boolean,
): TemporalExpression | undefined {
    switch (formula.kind) {
        case 'takes':
            return formula;
        case 'state': {
            const condition = withoutConditions(formula.condition, decide);
            return condition && { ...formula, condition };
        }
        case 'not':
        case 'always':
        case 'eventually':
        case 'infinitely-often':
        case 'possible': {
            const operand = withoutConditionsIn(formula.operand, decide);
            return operand && { ...formula, operand };
        }
        case 'forall':
        case 'exists': {
            const { where, ...rest } = formula;
            const body = withoutConditionsIn(formula.body, decide);
            const left = where && withoutConditions(where, decide);
            return body && { ...rest, ...(left && { where: left }), body };
        }
        default: {
            const { kind, range } = formula;
            const left = withoutConditionsIn(formula.left, decide);
            const right = withoutConditionsIn(formula.right, decide);
            if (left !== undefined && right !== undefined) {
                return { ...formula, left, right };
            }
            const isNegated = kind === 'implies' && left !== undefined;
            return isNegated ? { kind: 'not', operand: left, range } : (left ?? right);
        }
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
