/** `==` and `!=` compare all scalars of arrays and records; `in` is a disjunction over values and ranges of a set. */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { BOOLEAN, isNames, NONE, type Domain, templateOf } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type * as ast from '../generated/nodes.js';
import { isListedSet } from '../references/binders.js';
import { rangeOf } from '../tree/source-text.js';
import { caseNamedBy } from '../typing/possible-cases.js';
import {
    all,
    binary,
    binderExpression,
    constantOf,
    evaluated,
    isBetween,
    joined,
    numberOf,
} from '../representation/build-expression.js';
import { lowerScalar, lowerValue, type LoweringContext } from './context.js';
import { isCase } from '../representation/cases.js';
import { LoweredScalar, scalarValue } from '../representation/cell.js';
import { ChannelShape } from '../representation/channel.js';
import { comparison } from '../representation/combine.js';
import { isSequence, sequenceOf } from '../representation/sequence.js';
import { elementsOf } from './lower-sequence.js';
import { joinedSet, LoweredSet, setOf } from '../representation/set.js';
import type { CellShape, LoweredValue, Shape } from '../representation/shape.js';

export function lowerEquality(
    expression: ast.BinaryExpression,
    operator: '==' | '!=',
    context: LoweringContext,
): Expression {
    const [left, right] = [lowerValue(expression.left, context), lowerValue(expression.right, context)];
    // A channel beside a sequence is compared by its messages.
    if (isChannel(left) !== isChannel(right)) {
        return comparison(operator, sequenceOf(left), sequenceOf(right), rangeOf(expression));
    }
    return left instanceof LoweredSet || right instanceof LoweredSet
        ? lowerSetEquality(operator, [left, right], rangeOf(expression), context)
        : comparison(operator, left, right, rangeOf(expression));
}

function isChannel(value: LoweredValue): boolean {
    return value instanceof LoweredScalar && value.cell instanceof ChannelShape;
}

/** Asked of all elements alike: no element has a place of its own in the condition. */
function lowerSetEquality(
    operator: '==' | '!=',
    values: readonly [LoweredValue, LoweredValue],
    range: SourceRange,
    { table }: LoweringContext,
): Expression {
    if (values.some(value => value.cellShape()?.isOptional === true)) {
        return comparison(operator, ...values, range);
    }
    const [first, second] = [setOf(values[0]), setOf(values[1])];
    const shape = joinedSet([first, second]);
    if (shape === undefined) {
        const truth = constantOf(operator === '==' ? 1 : 0, BOOLEAN, range);
        return all([first.sure, second.sure, truth]) ?? truth;
    }
    const binder = table.newBinder('element', shape.member.domain);
    const element = scalarValue(binderExpression(binder, range), shape.member);
    return {
        kind: 'quantifier',
        quantifier: operator === '==' ? 'forall' : 'exists',
        binders: [binder],
        body: binary(operator, ...countsOrTruths(first, second, element), range),
        range,
    };
}

/** What must be equal for a value: the counts if one of the two is a bag, else whether it is an element. */
function countsOrTruths(first: LoweredSet, second: LoweredSet, element: LoweredValue): [Expression, Expression] {
    return first.hasCopies || second.hasCopies
        ? [first.countOf(element), second.countOf(element)]
        : [first.has(element), second.has(element)];
}

/** `value is case`; `none` has no case. */
export function lowerIsCase(expression: ast.BinaryExpression, context: LoweringContext): Expression {
    const { left, right } = expression;
    const named = caseNamedBy(right);
    invariant(named !== undefined, 'a checked test names a case');
    const { $container: declaration } = named;
    const value = lowerValue(left, context);
    const cases = value.cases();
    const domain = cases && context.constants.shapeOfCases(declaration)?.caseDomain;
    return isCase(
        cases?.tag ?? value.toScalar(),
        declaration.values.indexOf(named),
        domain ?? context.constants.domainOfEnumeration(declaration),
        '==',
        rangeOf(expression),
    );
}

export function lowerMembership(expression: ast.BinaryExpression, context: LoweringContext): Expression {
    const value = lowerValue(expression.left, context);
    const range = rangeOf(expression);
    const set = expression.right;
    if (!isListedSet(set)) {
        const type = context.constants.shapeOfTypeName(set);
        return type === undefined
            ? isElement(value, set, range, context)
            : value.hasCases
              ? isOfType(value, type, range)
              : isInDomain(value, type.asCell().domain, range);
    }
    const tests = set.elements.map(({ low, high }) =>
        high === undefined
            ? comparison('==', value, lowerValue(low, context), range)
            : isBetween(value.toScalar(), lowerScalar(low, context), lowerScalar(high, context), range),
    );
    return joined(tests, 'or', range);
}

function isElement(value: LoweredValue, set: ast.Expression, range: SourceRange, context: LoweringContext): Expression {
    const whole = lowerValue(set, context);
    const elements = isSequence(whole) ? elementsOf(sequenceOf(whole), range, context) : setOf(whole);
    const has = elements.has(value);
    return { ...(all([evaluated(value.parts), has]) ?? has), range };
}

/** The shape of the type whose name stands in the place of a set. */
export function shapeOfTypeName(type: ast.Expression, { constants }: LoweringContext): CellShape {
    const shape = constants.shapeOfTypeName(type);
    invariant(shape !== undefined, 'a checked set is a type of single values');
    return shape.asCell();
}

/** The fields of a value that is split are of their types, so only `none` may be missing. */
function isOfType(value: LoweredValue, type: Shape, range: SourceRange): Expression {
    const tag = value.cases()?.tag;
    return tag === undefined || type.isOptional
        ? constantOf(1, BOOLEAN, range)
        : binary('!=', tag, numberOf(NONE, range), range);
}

/**
 * Of the types with which a value can be compared, only ranges and optional types exclude a value, and templates the
 * instances that have ended.
 */
function isInDomain(value: LoweredValue, domain: Domain, range: SourceRange): Expression {
    const scalar = value.toScalar();
    const none = numberOf(NONE, range);
    const mayBeNone = value.cellShape()?.isOptional === true;
    const base = domain.kind === 'optional' ? domain.base : domain;
    const template = templateOf(base);
    const inBase: Expression =
        base.kind === 'range'
            ? isBetween(scalar, numberOf(base.low, range), numberOf(base.high, range), range)
            : template !== undefined && !isNames(base)
              ? { kind: 'alive' as const, process: template, reference: scalar, range }
              : constantOf(1, BOOLEAN, range);
    if (!mayBeNone) {
        return inBase;
    }
    return domain.kind === 'optional'
        ? binary('or', binary('==', scalar, none, range), inBase, range)
        : binary('and', binary('!=', scalar, none, range), inBase, range);
}
