/**
 * The value of an expression before the run: what it evaluates to if evaluation, from left to right and short-circuit,
 * never comes to a variable or to `at`. So `i == 0 && flag` is static for every i but 0. A fault is no value.
 *
 * The tests of `if` and `while` with such a value are decided for good, which also decides what an instance may ever
 * do, its alphabet; the `where` of a family must have one.
 */
import { unreachable } from '../common/assert.js';
import { domainSize, valueOfCode } from '../model/domain.js';
import type { Value } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import { applyBinary, applyNegate } from './evaluate.js';
import type { NodeBudget } from './linearization-limits.js';

/** `binders` has the value of each binder in scope, by its id. `undefined` where there is no value before the run. */
export function staticValue(
    expression: Expression,
    binders: Map<number, Value>,
    budget: NodeBudget,
): Value | undefined {
    const valueOf = (operand: Expression): Value | undefined => staticValue(operand, binders, budget);
    budget.spend(1, expression.range);
    switch (expression.kind) {
        case 'constant':
            return expression.value;
        case 'binder':
            return binders.get(expression.binder.id);
        case 'read':
        case 'at':
            return undefined;
        case 'unary': {
            const operand = valueOf(expression.operand);
            if (operand === undefined) {
                return undefined;
            }
            return expression.operator === 'not' ? 1 - operand : withoutFault(applyNegate(operand));
        }
        case 'binary':
            return staticBinary(expression, valueOf);
        case 'conditional': {
            const condition = valueOf(expression.condition);
            if (condition === undefined) {
                return undefined;
            }
            return valueOf(condition === 1 ? expression.then : expression.otherwise);
        }
        case 'quantifier':
            return staticQuantifier(expression, binders, budget);
        default:
            return unreachable(expression);
    }
}

function staticBinary(
    { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
    valueOf: (operand: Expression) => Value | undefined,
): Value | undefined {
    const first = valueOf(left);
    if (first === undefined) {
        return undefined;
    }
    if (operator === 'and') {
        return first === 1 ? valueOf(right) : 0;
    }
    if (operator === 'or') {
        return first === 1 ? 1 : valueOf(right);
    }
    if (operator === 'implies') {
        return first === 1 ? valueOf(right) : 1;
    }
    const second = valueOf(right);
    return second === undefined ? undefined : withoutFault(applyBinary(operator, first, second));
}

function staticQuantifier(
    expression: Extract<Expression, { kind: 'quantifier' }>,
    binders: Map<number, Value>,
    budget: NodeBudget,
): Value | undefined {
    const { quantifier, where, body } = expression;
    /** The result once it is known before the last valuation. */
    let decided = false;
    let result: Value | undefined = quantifier === 'forall' ? 1 : 0;
    const visit = (depth: number): void => {
        if (depth < expression.binders.length) {
            const { id, domain } = expression.binders[depth];
            const size = domainSize(domain);
            for (let code = 0; code < size && !decided; code++) {
                binders.set(id, valueOfCode(domain, code));
                visit(depth + 1);
            }
            binders.delete(id);
            return;
        }
        const filter = where === undefined ? 1 : staticValue(where, binders, budget);
        if (filter === 0) {
            return;
        }
        const value = filter === undefined ? undefined : staticValue(body, binders, budget);
        if (value === undefined || result === undefined) {
            result = undefined;
        } else if (quantifier === 'forall' || quantifier === 'exists') {
            result = value;
        } else {
            result = withoutFault(applyBinary('+', result, value));
        }
        decided =
            result === undefined ||
            (quantifier === 'forall' && result === 0) ||
            (quantifier === 'exists' && result === 1);
    };
    visit(0);
    return result;
}

function withoutFault(result: Value | string): Value | undefined {
    return typeof result === 'number' ? result : undefined;
}
