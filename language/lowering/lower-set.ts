/**
 * Sets as values: of literals, comprehensions and operators. Each is a test for an element; what is asked of all elements
 * is asked of those that the text lists or makes, and else of all values of the type.
 */
import type { SourceRange } from '../../engine/common/source-range.js';
import { BOOLEAN } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type * as ast from '../generated/nodes.js';
import { collectionOf, isListedSet } from '../references/binders.js';
import { variablesOf } from '../references/locals.js';
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
import { invariant } from '../../engine/common/assert.js';
import { BagShape, LoweredBag } from '../representation/bag.js';
import { scalarValue } from '../representation/cell.js';
import { sequenceOf, type LoweredSequence } from '../representation/sequence.js';
import { elementsOf } from './lower-sequence.js';
import { isElementOf, joinedSet, LoweredSet, setOf, SetShape } from '../representation/set.js';
import type { LoweredValue } from '../representation/shape.js';
import { rangeOf } from '../tree/source-text.js';
import { lowerScalar, lowerValue, withElement, type LoweringContext } from './context.js';
import { comparison } from '../representation/combine.js';
import { lowerName } from './lower-reference.js';

/** Whether a value meets a condition. */
type Test = (value: LoweredValue) => Expression;

export function lowerSet(set: ast.SetLiteral, context: LoweringContext): LoweredSet {
    return set.comprehension !== undefined
        ? lowerEach(set.comprehension, set, context)
        : isListedSet(set)
          ? lowerListed(set, context)
          : lowerBag(set, context);
}

/** The copies of a value are those of all elements that are equal to it. */
function lowerBag(set: ast.SetLiteral, context: LoweringContext): LoweredSet {
    const range = rangeOf(set);
    const shape = shapeOfSet(set, context);
    invariant(shape instanceof BagShape, 'a checked set with numbers of copies is a bag');
    const elements = set.elements.map(({ copies, ...element }) => ({
        has: testOf(element, range, context),
        copies: copies === undefined ? numberOf(1, range) : lowerScalar(copies, context),
    }));
    const sure = evaluatedElements(set, context);
    const countOf = (value: LoweredValue): Expression =>
        elements
            .map(({ has, copies }): Expression => {
                const otherwise = numberOf(0, range);
                return { kind: 'conditional', condition: has(value), then: copies, otherwise, range };
            })
            .reduce((sum, count) => binary('+', sum, count, range));
    return new LoweredBag(shape, countOf, range, undefined, sure);
}

/** True unless a listed value, an end or a number of copies is a fault. */
function evaluatedElements(set: ast.SetLiteral, context: LoweringContext): Expression | undefined {
    const listed = set.elements.flatMap(({ low, high, copies }) => [low, high, copies]);
    return evaluated(listed.flatMap(value => (value === undefined ? [] : lowerValue(value, context).parts)));
}

function lowerListed(set: ast.SetLiteral, context: LoweringContext): LoweredSet {
    const range = rangeOf(set);
    const tests = set.elements.map(element => testOf(element, range, context));
    const has: Test = value =>
        joined(
            tests.map(test => test(value)),
            'or',
            range,
        );
    const every = (test: Test): Expression =>
        joined(
            set.elements.map(({ low }) => test(lowerValue(low, context))),
            'and',
            range,
        );
    const isListed = set.elements.every(({ high }) => high === undefined);
    const sure = evaluatedElements(set, context);
    return new LoweredSet(shapeOfSet(set, context), has, range, isListed ? every : undefined, sure);
}

/** Whether a value is a listed one, or lies between two. */
function testOf({ low, high }: ast.SetElement, range: SourceRange, context: LoweringContext): Test {
    const value = lowerValue(low, context);
    const last = high && lowerScalar(high, context);
    return element =>
        last === undefined
            ? comparison('==', element, value, range)
            : isBetween(element.toScalar(), value.toScalar(), last, range);
}

/** The shape of a set with elements of one type; undefined for `{}`. */
function shapeOfSet(set: ast.SetLiteral, { constants }: LoweringContext): SetShape | undefined {
    const shape = constants.types?.shapeOf(set);
    return shape instanceof SetShape ? shape : undefined;
}

function lowerEach(comprehension: ast.SetComprehension, set: ast.SetLiteral, context: LoweringContext): LoweredSet {
    const { groups, where, body } = comprehension;
    const range = rangeOf(set);
    const variables = variablesOf(groups);
    const binders = variables.map(variable => context.table.binderOf(variable));
    const condition = (inner: LoweringContext): Expression | undefined => conditionOfGroups(groups, where, inner);
    const quantified = (quantifier: 'forall' | 'exists', of: Expression): Expression => {
        const restriction = condition(context);
        return { kind: 'quantifier', quantifier, binders, ...(restriction && { where: restriction }), body: of, range };
    };
    const [variable] = variables;
    const shape = shapeOfSet(set, context);
    const values =
        body === undefined ? variables.map(each => lowerName(each, context, range)) : [lowerValue(body, context)];
    const [value] = values;
    if (variable === undefined || value === undefined) {
        return new LoweredSet(shape, () => constantOf(0, BOOLEAN, range), range);
    }
    const every = (test: Test): Expression => quantified('forall', test(value));
    const restriction = condition(context);
    const [ofCondition, ofValue] = [evaluated(restriction ? [restriction] : []), evaluated(value.parts)];
    const sure =
        ofValue !== undefined
            ? quantified('forall', ofValue)
            : ofCondition && ({ kind: 'quantifier', quantifier: 'forall', binders, body: ofCondition, range } as const);
    if (body !== undefined) {
        return new LoweredSet(
            shape,
            element => quantified('exists', comparison('==', element, value, range)),
            range,
            every,
            sure,
        );
    }
    const has: Test = element => {
        const own = shape === undefined ? undefined : isElementOf(element, shape.member);
        const inner = condition(withElement(context, [variable], [element.toScalar()]));
        const tests = [own, inner].filter(test => test !== undefined);
        return joined(
            tests.filter(test => !isTrue(test)),
            'and',
            range,
        );
    };
    return new LoweredSet(shape, has, range, every, sure);
}

function isTrue(test: Expression): boolean {
    return test.kind === 'constant' && test.value === 1;
}

/** That the variables are elements of the sets that they run through, and a condition; undefined if there is none. */
export function conditionOfGroups(
    groups: readonly ast.BinderGroup[],
    where: ast.Expression | undefined,
    context: LoweringContext,
): Expression | undefined {
    const tests = groups.flatMap(group => {
        const collection = collectionOf(group);
        if (collection === undefined) {
            return [];
        }
        const value = lowerValue(collection, context);
        const isSequence = context.constants.sequenceOfGroup(group) !== undefined;
        return isSequence
            ? group.variables.flatMap(variable => isAtPlace(variable, sequenceOf(value), context))
            : group.variables.map(variable => setOf(value).has(lowerName(variable, context, rangeOf(variable))));
    });
    const all = where === undefined ? tests : [...tests, lowerScalar(where, context)];
    const [first, last] = [all[0], all.at(-1)];
    return first && last && joined(all, 'and', { ...first.range, end: last.range.end });
}

/** That a variable stands for an element of a sequence. A choice has said so before (lower-control.ts). */
function isAtPlace(
    variable: ast.BinderVariable,
    sequence: LoweredSequence,
    context: LoweringContext,
): readonly Expression[] {
    const range = rangeOf(variable);
    return context.table.findSlot(variable) !== undefined
        ? []
        : context.elements.has(variable)
          ? [elementsOf(sequence, range, context).has(lowerName(variable, context, range))]
          : [sequence.hasPlace(binderExpression(context.table.binderOf(variable), range))];
}

export function lowerSetOperator(
    { left, right }: ast.BinaryExpression,
    operator: 'union' | 'minus' | 'intersect',
    range: SourceRange,
    context: LoweringContext,
): LoweredSet {
    const [first, second] = [setOf(lowerValue(left, context)), setOf(lowerValue(right, context))];
    const sure = all([first.sure, second.sure]);
    const not = (operand: Expression): Expression => ({ kind: 'unary', operator: 'not', operand, range });
    switch (operator) {
        case 'union':
            return new LoweredSet(
                joinedSet([first, second]),
                element => binary('or', first.has(element), second.has(element), range),
                range,
                test => binary('and', everyOf(first, test, context), everyOf(second, test, context), range),
                sure,
            );
        case 'minus':
            return new LoweredSet(
                first.setShape,
                element => binary('and', first.has(element), not(second.has(element)), range),
                range,
                test => everyOf(first, element => binary('or', second.has(element), test(element), range), context),
                sure,
            );
        case 'intersect':
            return new LoweredSet(
                first.setShape,
                element => binary('and', first.has(element), second.has(element), range),
                range,
                test =>
                    everyOf(first, element => binary('implies', second.has(element), test(element), range), context),
                sure,
            );
    }
}

/** Whether all elements of a set are in another one. */
export function lowerSubset({ left, right }: ast.BinaryExpression, context: LoweringContext): Expression {
    const [part, whole] = [setOf(lowerValue(left, context)), setOf(lowerValue(right, context))];
    const isPart = everyOf(part, element => whole.has(element), context);
    return all([part.sure, whole.sure, isPart]) ?? isPart;
}

/** The number of elements, of a bag with all copies. */
export function sizeOfSet(set: LoweredSet, { table }: LoweringContext): Expression {
    const { setShape, range, sure } = set;
    if (setShape === undefined) {
        const zero = numberOf(0, range);
        return sure === undefined ? zero : { kind: 'conditional', condition: sure, then: zero, otherwise: zero, range };
    }
    const { member } = setShape;
    const binder = table.newBinder('element', member.domain);
    const element = scalarValue(binderExpression(binder, range), member);
    return set.hasCopies
        ? { kind: 'quantifier', quantifier: 'sum', binders: [binder], body: set.countOf(element), range }
        : { kind: 'quantifier', quantifier: 'count', binders: [binder], body: set.has(element), range };
}

export function isEmptySet(set: LoweredSet, context: LoweringContext): Expression {
    return everyOf(set, () => constantOf(0, BOOLEAN, set.range), context);
}

/** Whether all elements meet a condition. */
function everyOf(set: LoweredSet, test: Test, { table }: LoweringContext): Expression {
    const { setShape, range, every, sure } = set;
    if (setShape === undefined) {
        return sure ?? constantOf(1, BOOLEAN, range);
    }
    if (every !== undefined) {
        return every(test);
    }
    const { member } = setShape;
    const binder = table.newBinder('element', member.domain);
    const element = scalarValue(binderExpression(binder, range), member);
    return {
        kind: 'quantifier',
        quantifier: 'forall',
        binders: [binder],
        where: set.has(element),
        body: test(element),
        range,
    };
}
