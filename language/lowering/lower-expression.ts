/** Expressions: names become values, binders and places; arrays and records become scalars. Nodes keep their ranges. */
import { invariant, unreachable } from '../../engine/common/assert.js';
import { BOOLEAN, NONE, type Domain } from '../../engine/model/domain.js';
import type { BinaryOperator, Expression } from '../../engine/model/expression.js';
import type * as ast from '../generated/nodes.js';
import { rangeOf } from '../tree/source-text.js';
import { variablesOf } from '../references/locals.js';
import type { TemporalInfix } from '../references/temporal.js';
import {
    binary,
    binderExpression,
    constantOf,
    firstConstant,
    indicesOfRow,
    numberOf,
} from '../representation/build-expression.js';
import { LoweredArray, selectElement } from '../representation/array.js';
import { scalarValue } from '../representation/cell.js';
import { combine } from '../representation/combine.js';
import { isOverTemplate } from '../representation/domains.js';
import { listed, sequenceOf } from '../representation/sequence.js';
import type { LoweredValue } from '../representation/shape.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import { lowerScalar, lowerValue, withElement, type LoweringContext } from './context.js';
import { lowerCall } from './lower-call.js';
import { lowerEquality, lowerIsCase, lowerMembership } from './lower-comparison.js';
import { lowerAccess } from './lower-reference.js';
import { conditionOfGroups, lowerSet, lowerSetOperator, lowerSubset } from './lower-set.js';

type SetOperator = 'union' | 'minus' | 'intersect' | 'subset';

/** Every subexpression comes here through the context. */
export function lowerExpression(expression: ast.Expression, context: LoweringContext): LoweredValue {
    const range = rangeOf(expression);
    switch (expression.$type) {
        case 'NumberLiteral':
            return scalarValue(numberOf(expression.value, range));
        case 'BooleanLiteral':
            return scalarValue(constantOf(expression.value === 'true' ? 1 : 0, BOOLEAN, range));
        case 'NoneLiteral':
            return scalarValue(numberOf(NONE, range));
        case 'Reference':
        case 'FieldAccess':
        case 'InstanceAt':
            return lowerAccess(expression, context, range);
        case 'UnaryExpression':
            return scalarValue({
                kind: 'unary',
                operator: expression.operator === '!' ? 'not' : 'negate',
                operand: lowerScalar(expression.operand, context),
                range,
            });
        case 'BinaryExpression':
            return lowerBinary(expression, context);
        case 'Conditional': {
            const condition = lowerScalar(expression.condition, context);
            const branches = [lowerValue(expression.then, context), lowerValue(expression.otherwise, context)];
            return combine(branches, ([then, otherwise]) => {
                invariant(then !== undefined && otherwise !== undefined, 'a conditional has two branches');
                return { kind: 'conditional', condition, then, otherwise, range };
            });
        }
        case 'Quantifier': {
            const body = lowerValue(expression.body, context);
            const { quantifier } = expression;
            const value: Expression = {
                kind: 'quantifier',
                quantifier,
                binders: variablesOf(expression.groups).map(variable => context.table.binderOf(variable)),
                ...withCondition(expression, context),
                body: body.toScalar(),
                range,
            };
            return scalarValue(value, quantifier === 'the' ? body.cellShape() : undefined);
        }
        case 'ArrayLiteral':
            return expression.comprehension === undefined
                ? lowerArrayLiteral(expression, context)
                : lowerComprehension(expression.comprehension, context);
        case 'Call':
            return lowerCall(expression, context);
        case 'TemporalPrefix':
            return invariant(false, 'lower-temporal.ts splits what is about runs') as never;
        case 'Spawn':
            return invariant(false, 'an instance is created by a statement') as never;
        case 'AnyLiteral':
            return invariant(false, '`any` is a part of an initial value') as never;
        case 'SetLiteral':
            return lowerSet(expression, context);
        default:
            return unreachable(expression);
    }
}

function withCondition({ groups, where }: ast.Quantifier, context: LoweringContext): { readonly where?: Expression } {
    const condition = conditionOfGroups(groups, where, context);
    return condition === undefined ? {} : { where: condition };
}

function lowerBinary(expression: ast.BinaryExpression, context: LoweringContext): LoweredValue {
    const { operator } = expression;
    switch (operator) {
        case '==':
        case '!=':
            return scalarValue(lowerEquality(expression, operator, context));
        case 'is':
            return scalarValue(lowerIsCase(expression, context));
        case 'in':
            return scalarValue(lowerMembership(expression, context));
        case 'subset':
            return scalarValue({ ...lowerSubset(expression, context), range: rangeOf(expression) });
        case 'union':
        case 'minus':
        case 'intersect':
            return lowerSetOperator(expression, operator, rangeOf(expression), context);
        case 'until':
        case 'weak until':
        case 'leads to':
            return invariant(false, 'lower-temporal.ts splits what is about runs') as never;
        default: {
            const left = lowerScalar(expression.left, context);
            const right = lowerScalar(expression.right, context);
            return scalarValue(binary(lowerOperator(operator), left, right, rangeOf(expression)));
        }
    }
}

function lowerOperator(
    operator: Exclude<ast.BinaryExpression['operator'], '==' | '!=' | 'in' | 'is' | SetOperator | TemporalInfix>,
): BinaryOperator {
    return operator === '&&' ? 'and' : operator === '||' ? 'or' : operator;
}

/** One value for each index from 0 on. The place that receives the array may have other index types. */
function lowerArrayLiteral(literal: ast.ArrayLiteral, context: LoweringContext): LoweredValue {
    const own = literal.elements.map(element => lowerValue(element, context));
    // Lists of different lengths are sequences.
    const lengths = new Set(own.map(({ indices }) => sizeOfArray(indices.slice(0, 1))));
    const elements = lengths.size > 1 || own.some(({ isSequence }) => isSequence) ? own.map(sequenceOf) : own;
    const [first] = elements;
    if (first === undefined) {
        return listed([], undefined, rangeOf(literal));
    }
    return arrayOf(
        [{ kind: 'range', low: 0, high: elements.length - 1 }],
        first,
        position => {
            const element = elements[position];
            invariant(element !== undefined, 'each index of a literal has its element');
            return element;
        },
        rangeOf(literal),
    );
}

/** In each element the variables are constants; over a template they are the indices at which the array is written. */
function lowerComprehension(comprehension: ast.Comprehension, context: LoweringContext): LoweredArray {
    const variables = variablesOf(comprehension.groups);
    const domains = variables.map(variable => context.table.binderOf(variable).domain);
    const elementFor = (values: readonly Expression[]): LoweredValue =>
        lowerValue(comprehension.body, withElement(context, variables, values));
    const range = rangeOf(comprehension);
    if (isOverTemplate(domains)) {
        const inner = elementFor(variables.map(variable => binderExpression(context.table.binderOf(variable), range)));
        return new LoweredArray([...domains, ...inner.indices], indices =>
            elementFor(indices.slice(0, domains.length)).at(indices.slice(domains.length)),
        );
    }
    const sample = elementFor(domains.map(domain => firstConstant(domain, range)));
    return arrayOf(domains, sample, row => elementFor(indicesOfRow(domains, row)), range);
}

/** An array whose elements may be arrays: their indices are appended. `sample` has the indices of an element. */
function arrayOf(
    outer: readonly Domain[],
    sample: LoweredValue,
    at: (row: number) => LoweredValue,
    range: Expression['range'],
): LoweredArray {
    return new LoweredArray([...outer, ...sample.indices], indices =>
        selectElement(outer, indices.slice(0, outer.length), at, range).at(indices.slice(outer.length)),
    );
}
