/** Expressions that the text does not contain: constants, conditions, indices of the elements of an array. */
import { NOWHERE, type SourceRange } from '../../engine/common/source-range.js';
import { BOOLEAN, domainSize, NONE, valueOfCode, type Domain, type Value } from '../../engine/model/domain.js';
import { isMember, type BinaryOperator, type Binder, type Expression } from '../../engine/model/expression.js';
import { valuation } from '../../engine/sequential/cell-layout.js';
import { applyBinary } from '../../engine/sequential/expression/arithmetic.js';

export function constantOf(value: Value, domain: Domain, range: SourceRange = NOWHERE): Expression {
    return { kind: 'constant', value, domain, range };
}

export function numberOf(value: Value, range: SourceRange): Expression {
    return { kind: 'constant', value, range };
}

export function binary(operator: BinaryOperator, left: Expression, right: Expression, range: SourceRange): Expression {
    return { kind: 'binary', operator, left, right, range };
}

export function binderExpression(binder: Binder, range: SourceRange): Expression {
    return { kind: 'binder', binder, range };
}

export function isBetween(value: Expression, low: Expression, high: Expression, range: SourceRange): Expression {
    return binary('and', binary('<=', low, value, range), binary('<=', value, high, range), range);
}

/** A balanced tree of conditions: its depth is logarithmic in their number. */
export function joined(conditions: readonly Expression[], operator: 'and' | 'or', range: SourceRange): Expression {
    const [first] = conditions;
    if (first === undefined || conditions.length === 1) {
        return first ?? constantOf(operator === 'and' ? 1 : 0, BOOLEAN, range);
    }
    const middle = Math.ceil(conditions.length / 2);
    const left = joined(conditions.slice(0, middle), operator, range);
    return binary(operator, left, joined(conditions.slice(middle), operator, range), range);
}

/** The first value of a domain; `none` if the domain is empty. */
export function firstConstant(domain: Domain, range?: SourceRange): Expression {
    return constantOf(domainSize(domain) === 0 ? NONE : valueOfCode(domain, 0), domain, range);
}

/** The indices of the element in a row, as constants. */
export function indicesOfRow(domains: readonly Domain[], row: number): Expression[] {
    const values = valuation(domains, row);
    return domains.map((domain, position) => constantOf(values[position] ?? NONE, domain));
}

/** The value of an index of constants and arithmetic: `(i + 1) mod N` in an element of a comprehension. */
export function knownValueOf(index: Expression): Value | undefined {
    switch (index.kind) {
        case 'constant':
            return index.value;
        case 'unary': {
            const operand = index.operator === 'negate' ? knownNumberOf(index.operand) : undefined;
            return operand === undefined ? undefined : 0 - operand;
        }
        case 'binary': {
            const { operator } = index;
            if (operator === 'and' || operator === 'or' || operator === 'implies') {
                return undefined;
            }
            const left = knownNumberOf(index.left);
            const right = left === undefined ? undefined : knownNumberOf(index.right);
            const outcome = left === undefined || right === undefined ? undefined : applyBinary(operator, left, right);
            return typeof outcome === 'number' ? outcome : undefined;
        }
        default:
            return undefined;
    }
}

/** The members of a family stay in the text: what is computed with them is none of its members (family/member-uses.ts). */
function knownNumberOf(expression: Expression): Value | undefined {
    return isMember(expression) ? undefined : knownValueOf(expression);
}
