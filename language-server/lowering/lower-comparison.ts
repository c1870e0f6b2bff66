/**
 * `==`, `!=` and `in`. Arrays and records are equal where all their scalars are; a set is a list of values and ranges,
 * so membership is a disjunction.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { BOOLEAN, NONE, type Domain } from '../../engine/model/domain.js';
import type { BinaryOperator, Expression } from '../../engine/model/expression.js';
import * as ast from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import type { LoweringContext } from './context.js';
import { lowerScalar, lowerValue } from './lower-expression.js';
import { cellShapeOf, elementPairsOf, fieldOf, toScalar, type CellShape, type LoweredValue } from './lowered-value.js';

export function lowerEquality(
    expression: ast.BinaryExpression,
    operator: '==' | '!=',
    context: LoweringContext,
): Expression {
    const range = rangeOf(expression);
    const left = lowerValue(expression.left, context);
    const right = lowerValue(expression.right, context);
    const pairs = scalarPairs(left, right);
    return joined(
        pairs.map(([first, second]) => binary(operator, first, second, range)),
        operator === '==' ? 'and' : 'or',
        range,
    );
}

/** Whether two values are equal, for tests that the text does not write as such. */
export function equality(left: LoweredValue, right: LoweredValue, range: SourceRange): Expression {
    return joined(
        scalarPairs(left, right).map(([first, second]) => binary('==', first, second, range)),
        'and',
        range,
    );
}

/** The scalars that must be equal, in the order of the text. */
function scalarPairs(left: LoweredValue, right: LoweredValue): [Expression, Expression][] {
    if (left.kind === 'array' || right.kind === 'array') {
        return elementPairsOf(left, right).flatMap(([first, second]) => scalarPairs(first, second));
    }
    if (left.kind === 'record' && right.kind === 'record') {
        return left.fields.flatMap((field, position) => scalarPairs(field, fieldOf(right, position, right.range)));
    }
    return [[toScalar(left), toScalar(right)]];
}

export function lowerMembership(expression: ast.BinaryExpression, context: LoweringContext): Expression {
    const value = lowerValue(expression.left, context);
    const range = rangeOf(expression);
    const set = expression.right;
    if (!ast.isSetLiteral(set)) {
        return isInDomain(value, shapeOfType(set, context).domain, range);
    }
    const tests = set.elements.map(element => {
        if (element.high === undefined) {
            return equality(value, lowerValue(element.low, context), range);
        }
        return isBetween(value, lowerScalar(element.low, context), lowerScalar(element.high, context), range);
    });
    return joined(tests, 'or', range);
}

/** What the type is whose name stands in the place of a set. */
export function shapeOfType(type: ast.Expression, context: LoweringContext): CellShape {
    const target = ast.isReference(type) ? type.target.ref : undefined;
    const { constants } = context;
    const shape = ast.isTypeDeclaration(target)
        ? constants.shapeOf(target.type)
        : ast.isRecordDeclaration(target)
          ? constants.shapeOfRecord(target)
          : undefined;
    if (ast.isEnumeration(target)) {
        return { kind: 'scalar', domain: constants.domainOfEnumeration(target) };
    }
    invariant(shape !== undefined && shape.kind !== 'array', 'a checked set is a type of single values');
    return cellShapeOf(shape);
}

/** Of the types that a value can be compared with, only ranges and optional types say anything. */
function isInDomain(value: LoweredValue, domain: Domain, range: SourceRange): Expression {
    const scalar = toScalar(value);
    const none: Expression = { kind: 'constant', value: NONE, range };
    const mayBeNone = value.kind === 'scalar' && value.shape?.domain.kind === 'optional';
    const base = domain.kind === 'optional' ? domain.base : domain;
    const inBase =
        base.kind === 'range'
            ? isBetween(
                  value,
                  { kind: 'constant', value: base.low, range },
                  { kind: 'constant', value: base.high, range },
                  range,
              )
            : truth(true, range);
    if (!mayBeNone) {
        return inBase;
    }
    return domain.kind === 'optional'
        ? binary('or', binary('==', scalar, none, range), inBase, range)
        : binary('and', binary('!=', scalar, none, range), inBase, range);
}

function isBetween(value: LoweredValue, low: Expression, high: Expression, range: SourceRange): Expression {
    const scalar = toScalar(value);
    return binary('and', binary('<=', low, scalar, range), binary('<=', scalar, high, range), range);
}

/** A balanced tree of conditions, so that one about a large array is not as deep as it is long. */
export function joined(conditions: readonly Expression[], operator: 'and' | 'or', range: SourceRange): Expression {
    const [first] = conditions;
    if (first === undefined || conditions.length === 1) {
        return first ?? truth(operator === 'and', range);
    }
    const middle = Math.ceil(conditions.length / 2);
    return binary(
        operator,
        joined(conditions.slice(0, middle), operator, range),
        joined(conditions.slice(middle), operator, range),
        range,
    );
}

function truth(value: boolean, range: SourceRange): Expression {
    return { kind: 'constant', value: value ? 1 : 0, domain: BOOLEAN, range };
}

function binary(operator: BinaryOperator, left: Expression, right: Expression, range: SourceRange): Expression {
    return { kind: 'binary', operator, left, right, range };
}
