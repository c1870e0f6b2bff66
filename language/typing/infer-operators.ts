/** The types of operators, with the checks of their operands. */
import { unreachable } from '../../engine/common/assert.js';
import * as ast from '../generated/nodes.js';
import { isInsideChain, rangeOf, textOf } from '../tree/source-text.js';
import { isComparedDistance } from '../references/distances.js';
import type { ExpressionChecks } from './expression-checks.js';
import { checkIsCase } from './infer-cases.js';
import { checkElements, joinedSets, reportSign } from './infer-sets.js';
import { apply, LARGEST_INTEGER, type Interval } from '../../engine/common/interval.js';
import { channelOf } from '../representation/channel.js';
import type { Type } from '../representation/shape.js';
import { sequenceTypeOf } from './infer-sequences.js';
import {
    asSequence,
    UNKNOWN,
    BOOLEAN_TYPE,
    NUMBER_TYPE,
    integer,
    isNumberType,
    noOperation,
    truth,
    OVERFLOW,
    describeType,
    isNameType,
    isReferenceType,
    areComparable,
} from '../representation/type.js';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', 'subset', 'is']);

export function inferUnary({ operator, operand }: ast.UnaryExpression, checks: ExpressionChecks): Type {
    if (operator === '!') {
        const known = checks.checkCondition(operand, 'what `!` negates');
        return truth(known === undefined ? undefined : !known);
    }
    const interval = checks.checkInteger(operand, 'what `-` negates');
    return interval === undefined ? UNKNOWN : integer(0 - interval.high, 0 - interval.low);
}

export function inferBinary(expression: ast.BinaryExpression, checks: ExpressionChecks): Type {
    const { operator } = expression;
    if (COMPARISONS.has(operator) && isChained(expression, checks)) {
        return BOOLEAN_TYPE;
    }
    switch (operator) {
        case '&&':
        case '||':
        case 'implies':
            return inferLogical(expression, operator, checks);
        case '==':
        case '!=':
            return inferEquality(expression, operator, checks);
        case '<':
        case '<=':
        case '>':
        case '>=': {
            if (areReferences(expression, checks)) {
                return BOOLEAN_TYPE;
            }
            if (haveNumbers(expression, checks)) {
                checkNumbers(expression, checks);
                return BOOLEAN_TYPE;
            }
            const [left, right] = checkOperands(expression, checks);
            return left === undefined || right === undefined ? BOOLEAN_TYPE : truth(order(operator, left, right));
        }
        case 'until':
        case 'weak until':
        case 'leads to':
            checks.checkCondition(expression.left, `the left side of \`${operator}\``);
            checks.checkCondition(expression.right, `the right side of \`${operator}\``);
            return BOOLEAN_TYPE;
        case 'is':
            checkIsCase(expression, checks);
            return BOOLEAN_TYPE;
        case 'in':
            checkElements(expression.right, checks.typeOf(expression.left), expression, checks);
            return BOOLEAN_TYPE;
        case 'subset':
            joinedSets(expression, operator, checks);
            return BOOLEAN_TYPE;
        case 'union':
            return joinedSets(expression, operator, checks);
        case 'minus':
        case 'intersect':
            // The elements are some of the left side.
            return joinedSets(expression, operator, checks).kind === 'unknown'
                ? UNKNOWN
                : checks.testedType(expression.left);
        default:
            return inferArithmetic(expression, operator, checks);
    }
}

/** Whether an expression is `a < b < c`, which is reported. */
function isChained(expression: ast.BinaryExpression, checks: ExpressionChecks): boolean {
    const { left, right } = expression;
    if (!ast.isBinaryExpression(left) || !COMPARISONS.has(left.operator) || !isInsideChain(left)) {
        return false;
    }
    checks.visit(ast.isSetLiteral(right) || expression.operator === 'is' ? [left] : [left, right]);
    const message = 'comparisons do not chain; write `a < b && b < c`';
    checks.problems.error('syntax/chained-comparison', message, rangeOf(expression));
    return true;
}

function inferLogical(
    { left, right }: ast.BinaryExpression,
    operator: '&&' | '||' | 'implies',
    checks: ExpressionChecks,
): Type {
    const first = checks.checkCondition(left, `the left side of \`${operator}\``);
    /** The value of the left side that decides the result. */
    const deciding = operator === '||';
    const second = checks.problems.whileUnreachable(first === deciding, () =>
        checks.checkCondition(right, `the right side of \`${operator}\``),
    );
    if (operator === 'implies') {
        return truth(first === false || second === true ? true : first === true ? second : undefined);
    }
    if (first === deciding || second === deciding) {
        return truth(deciding);
    }
    return truth(first === undefined ? undefined : second);
}

function inferEquality(expression: ast.BinaryExpression, operator: '==' | '!=', checks: ExpressionChecks): Type {
    const [left, right] = comparedTypes(expression, checks);
    if (!areComparable(left, right)) {
        const hint =
            left.kind === 'none' || right.kind === 'none' ? '; only an optional value (`T?`) can be `none`' : '';
        const message = `${describeType(left)} cannot be compared with ${describeType(right)}${hint}`;
        checks.problems.error('type/not-comparable', message, rangeOf(expression));
        return BOOLEAN_TYPE;
    }
    const equal = knownEquality(left, right);
    return truth(equal === undefined ? undefined : equal === (operator === '=='));
}

/** The types of the two sides. A channel beside a sequence is compared by its messages. */
function comparedTypes({ left, right }: ast.BinaryExpression, checks: ExpressionChecks): readonly [Type, Type] {
    const types = [checks.typeOf(left), checks.typeOf(right)] as const;
    const isMixed =
        types.some(type => asSequence(type) !== undefined) && types.some(type => channelOf(type) !== undefined);
    return isMixed ? [sequenceTypeOf(left, checks) ?? types[0], sequenceTypeOf(right, checks) ?? types[1]] : types;
}

/** Whether two values are equal, if their types decide it. */
function knownEquality(left: Type, right: Type): boolean | undefined {
    if (left.kind === 'integer' && right.kind === 'integer') {
        if (left.high < right.low || right.high < left.low) {
            return false;
        }
        return left.low === left.high && right.low === right.high ? true : undefined;
    }
    return left.kind === 'boolean' && right.kind === 'boolean' && left.known !== undefined && right.known !== undefined
        ? left.known === right.known
        : undefined;
}

/** Whether a comparison asks for an order of instances, or of values without end, which is reported. */
function areReferences(expression: ast.BinaryExpression, checks: ExpressionChecks): boolean {
    const { left, right, operator } = expression;
    if ([left, right].every(operand => isNameType(checks.typeOf(operand)))) {
        const message = `these values have no order, so \`${operator}\` does not compare them; \`==\` and \`!=\` do`;
        checks.problems.error('name/order', message, rangeOf(expression));
        return true;
    }
    if (![left, right].every(operand => isReferenceType(checks.typeOf(operand)))) {
        return false;
    }
    const message = `instances have no order, so \`${operator}\` does not compare them; \`==\` and \`!=\` do`;
    checks.problems.error('reference/order', message, rangeOf(expression));
    return true;
}

function checkOperands(
    { left, right, operator }: ast.BinaryExpression,
    checks: ExpressionChecks,
): readonly [Interval | undefined, Interval | undefined] {
    return [
        checks.checkInteger(left, `the left side of \`${operator}\``),
        checks.checkInteger(right, `the right side of \`${operator}\``),
    ];
}

/** Whether a number without end is an operand. */
function haveNumbers({ left, right }: ast.BinaryExpression, checks: ExpressionChecks): boolean {
    return [left, right].some(operand => isNumberType(checks.testedType(operand)));
}

function checkNumbers({ left, right, operator }: ast.BinaryExpression, checks: ExpressionChecks): boolean {
    const isLeft = checks.checkNumber(left, `the left side of \`${operator}\``);
    return checks.checkNumber(right, `the right side of \`${operator}\``) && isLeft;
}

/** A number with a constant added, its rest, or the distance of two that is compared. */
function inferOfNumbers(
    expression: ast.BinaryExpression,
    operator: '+' | '-' | '*' | 'div' | 'mod',
    checks: ExpressionChecks,
): Type {
    if (!checkNumbers(expression, checks)) {
        return UNKNOWN;
    }
    const { left, right } = expression;
    const [first, second] = [checks.testedType(left), checks.testedType(right)];
    const areBoth = first.kind === second.kind;
    const constant = first.kind === 'integer' ? first : second;
    if (operator === '+' && !areBoth && constant.kind === 'integer' && constant.high >= 0) {
        return NUMBER_TYPE;
    }
    if (operator === 'mod' && second.kind === 'integer') {
        return integer(0, Math.max(0, second.high - 1));
    }
    if (operator === '-' && areBoth && isComparedDistance(expression)) {
        return integer(-LARGEST_INTEGER, LARGEST_INTEGER);
    }
    const text = textOf(expression) ?? operator;
    const isLess = operator === '-' || (operator === '+' && !areBoth);
    const message = isLess
        ? `\`${text}\`: numbers without end only grow; compare instead, \`y + 1 == x\` or \`x - y < 3\`, or give them a bound, \`0 .. 9\``
        : noOperation(text);
    checks.problems.error('number/operation', message, rangeOf(expression));
    return UNKNOWN;
}

function order(operator: '<' | '<=' | '>' | '>=', left: Interval, right: Interval): boolean | undefined {
    switch (operator) {
        case '<':
            return left.high < right.low ? true : left.low >= right.high ? false : undefined;
        case '<=':
            return left.high <= right.low ? true : left.low > right.high ? false : undefined;
        case '>':
            return order('<', right, left);
        case '>=':
            return order('<=', right, left);
        default:
            return unreachable(operator);
    }
}

function inferArithmetic(
    expression: ast.BinaryExpression,
    operator: '+' | '-' | '*' | 'div' | 'mod',
    checks: ExpressionChecks,
): Type {
    if (reportSign(expression, checks)) {
        return UNKNOWN;
    }
    if (haveNumbers(expression, checks)) {
        return inferOfNumbers(expression, operator, checks);
    }
    const [left, right] = checkOperands(expression, checks);
    if (left === undefined || right === undefined) {
        return UNKNOWN;
    }
    const result = apply(operator, left, right);
    if (result !== undefined) {
        return integer(result.low, result.high);
    }
    const isDivision = operator === 'div' || operator === 'mod';
    checks.problems.faultWhenReached(
        isDivision ? 'type/division-by-zero' : 'type/overflow',
        isDivision ? 'the divisor is zero' : OVERFLOW,
        rangeOf(expression),
    );
    return UNKNOWN;
}
