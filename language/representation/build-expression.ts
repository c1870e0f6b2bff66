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

/** True unless one of the values is a fault; undefined if no value may be one, as far as its form tells. */
export function evaluated(values: readonly Expression[]): Expression | undefined {
    const open = values.filter(value => !isPlain(value));
    return open.length === 0
        ? undefined
        : joined(
              open.map(value => binary('==', value, value, value.range)),
              'and',
              open[0]?.range ?? NOWHERE,
          );
}

/** Operators that are no fault if their operands are none. */
const WITHOUT_FAULTS: ReadonlySet<BinaryOperator> = new Set([
    '==',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    'and',
    'or',
    'implies',
    '+',
    '-',
] as const);

/** Whether the form of an expression tells that it is never a fault. */
function isPlain(value: Expression): boolean {
    switch (value.kind) {
        case 'constant':
        case 'binder':
        case 'message':
            return true;
        case 'read':
            return value.place.indices.every(index => index.kind === 'constant');
        case 'field':
            return isPlain(value.record);
        case 'unary':
            return isPlain(value.operand);
        case 'binary':
            return WITHOUT_FAULTS.has(value.operator) && isPlain(value.left) && isPlain(value.right);
        case 'conditional':
            return isPlain(value.condition) && isPlain(value.then) && isPlain(value.otherwise);
        default:
            return false;
    }
}

/** All of the conditions, in order; undefined if there is none. */
export function all(conditions: readonly (Expression | undefined)[]): Expression | undefined {
    const given = conditions.filter(condition => condition !== undefined);
    return given.length === 0 ? undefined : joined(given, 'and', given[0]?.range ?? NOWHERE);
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
