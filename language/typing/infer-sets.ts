/** Sets: as values, right of `in`, behind `in` in the declaration of a variable, and what variables run through. */
import * as ast from '../generated/nodes.js';
import { formatCount } from '../problems/describe.js';
import { instead } from '../problems/remedy.js';
import { collectionOf, isListedSet } from '../references/binders.js';
import { variablesOf } from '../references/locals.js';
import { isTypeName } from '../references/templates.js';
import { rangeOf, textOf } from '../tree/source-text.js';
import type { ExpressionChecks } from './expression-checks.js';
import { RecordShape } from '../representation/record.js';
import { ConstantSet } from '../representation/set.js';
import { sequenceTypeOf } from './infer-sequences.js';
import { NO_NAMES, NO_REFERENCES } from './one-cell.js';
import { isDomain, TUPLE_LIMIT, type Shape, type Type } from '../representation/shape.js';
import {
    areComparable,
    describeType,
    fitOf,
    integer,
    isNameType,
    isReferenceType,
    join,
    setType,
    UNKNOWN,
} from '../representation/type.js';

/** Checks a set whose elements must be comparable with values of `type`, or the name of such a type. */
export function checkElements(set: ast.Expression, type: Type, whole: ast.Expression, checks: ExpressionChecks): void {
    const { problems } = checks;
    const given = isSetOfValues(set) ? collectionTypeOf(set, checks) : UNKNOWN;
    if (given.kind === 'set' || given.kind === 'sequence') {
        checkComparable(type, given.member, whole, checks);
        return;
    }
    if (!ast.isSetLiteral(set)) {
        const shape = checkTypeName(set, checks);
        const text = textOf(set) ?? '';
        if (shape instanceof RecordShape && !isDomain(shape.oneCell())) {
            const message = `\`${shape.name}\` has too many values to ask whether a value is one of them`;
            problems.error('type/too-large', message, rangeOf(set));
        } else if (shape !== undefined && !areComparable(type, shape.type)) {
            const message = `${describeType(type)} is never a value of \`${text}\``;
            problems.error('type/not-comparable', message, rangeOf(whole));
        }
        return;
    }
    for (const element of set.elements) {
        const low = checks.typeOf(element.low);
        if (element.high !== undefined) {
            checks.checkInteger(element.high, 'the high end of a range');
            if (checks.checkInteger(element.low, 'the low end of a range') === undefined) {
                continue;
            }
        }
        checkComparable(type, low, element.low, checks);
    }
}

/** The type of what a variable runs through: of a channel that of its messages. */
function collectionTypeOf(collection: ast.Expression, checks: ExpressionChecks): Type {
    const type = checks.testedType(collection);
    return type.kind === 'named' ? (sequenceTypeOf(collection, checks) ?? type) : type;
}

function checkComparable(type: Type, element: Type, node: ast.Expression, { problems }: ExpressionChecks): void {
    if (!areComparable(type, element) && !(element.kind === 'none' && type.kind === 'optional')) {
        const message = `${describeType(type)} cannot be compared with ${describeType(element)}`;
        problems.error('type/not-comparable', message, rangeOf(node));
    }
}

/** Whether an expression is a set by its value, neither listed in place nor the name of a type. */
export function isSetOfValues(set: ast.Expression): boolean {
    return !isListedSet(set) && !(ast.isReference(set) && (set.target.ref === undefined || isTypeName(set.target.ref)));
}

/** The type of a set by its elements. */
export function inferSet(set: ast.SetLiteral, checks: ExpressionChecks): Type {
    const member = set.comprehension === undefined ? inferListed(set, checks) : inferEach(set.comprehension, checks);
    const copies = copiesOf(set, checks);
    if (member.kind === 'array') {
        const message = `an element of a set is one value, but this is ${describeType(member)}`;
        checks.problems.error('type/array-not-allowed', message, rangeOf(set));
        return UNKNOWN;
    }
    if (isReferenceType(member) || isNameType(member)) {
        const [code, message] = isNameType(member)
            ? (['name/place', NO_NAMES] as const)
            : (['reference/set', NO_REFERENCES] as const);
        checks.problems.error(code, message, rangeOf(set));
        return UNKNOWN;
    }
    return withoutTooMany(setType(member, undefined, copies), set, checks);
}

/** The most copies of one value that a bag lists; undefined for a set. */
function copiesOf({ elements }: ast.SetLiteral, checks: ExpressionChecks): number | undefined {
    if (elements.every(({ copies }) => copies === undefined)) {
        return undefined;
    }
    const counts = elements.map(({ copies }) => {
        if (copies === undefined) {
            return 1;
        }
        const count = checks.checkInteger(copies, 'a number of copies');
        if (count !== undefined && count.high < 0) {
            const message = `there cannot be ${count.high} copies of a value`;
            checks.problems.faultWhenReached('type/out-of-range', message, rangeOf(copies));
        }
        return Math.max(0, count?.high ?? 0);
    });
    return counts.reduce((sum, count) => sum + count, 0);
}

function inferListed({ elements }: ast.SetLiteral, checks: ExpressionChecks): Type {
    let joined: Type = UNKNOWN;
    for (const [position, { low, high }] of elements.entries()) {
        const ends =
            high === undefined ? undefined : [low, high].map(end => checks.checkInteger(end, 'an end of a range'));
        const [from, to] = ends ?? [];
        const type = ends === undefined ? checks.typeOf(low) : from && to ? integer(from.low, to.high) : UNKNOWN;
        const next: Type | undefined = position === 0 ? type : join(joined, type);
        if (next === undefined) {
            const message = `this set has elements of two types: ${describeType(joined)} and ${describeType(type)}`;
            checks.problems.error('type/mismatch', message, rangeOf(low));
            return UNKNOWN;
        }
        joined = next;
    }
    return joined;
}

function inferEach(comprehension: ast.SetComprehension, checks: ExpressionChecks): Type {
    const { groups, where, body } = comprehension;
    const count = checks.checkBinders(groups, 'the set', comprehension);
    const known = checks.problems.whileUnreachable(count === 0, () => checks.checkWhere(where));
    const variables = variablesOf(groups);
    const [variable] = variables;
    if (body !== undefined) {
        return checks.problems.whileUnreachable(count === 0 || known === false, () => checks.typeOf(body));
    }
    if (variables.length > 1) {
        const names = variables.map(({ name }) => name).join(', ');
        const message = `with the variables ${names} a set needs an element for them: \`{ … : e }\``;
        checks.problems.error('type/set-element', message, rangeOf(comprehension));
        return UNKNOWN;
    }
    const shape = variable && checks.constants.shapeOfBinder(variable);
    return shape === undefined ? UNKNOWN : shape.type;
}

/** A set with a place for each value that its elements may have. */
function withoutTooMany(type: Type, node: ast.Expression, { problems }: ExpressionChecks): Type {
    const member = type.kind === 'set' ? type.member : UNKNOWN;
    const values = member.kind === 'optional' ? member.base : member;
    const count = values.kind === 'integer' ? values.high - values.low + 1 : 0;
    if (count <= TUPLE_LIMIT) {
        return type;
    }
    problems.tooLarge(
        `the elements of this set may be ${formatCount(count)} different numbers`,
        TUPLE_LIMIT,
        rangeOf(node),
    );
    return UNKNOWN;
}

/** The type of the elements of two sets together, between which an operator stands. */
export function joinedSets(expression: ast.BinaryExpression, operator: string, checks: ExpressionChecks): Type {
    const left = checks.checkSet(expression.left, `the left side of \`${operator}\``);
    const right = checks.checkSet(expression.right, `the right side of \`${operator}\``);
    if (left === undefined || right === undefined) {
        return UNKNOWN;
    }
    const joined = join(left, right);
    if (joined === undefined) {
        const message = `${describeType(left)} and ${describeType(right)} have no element in common`;
        checks.problems.error('type/mismatch', message, rangeOf(expression));
        return UNKNOWN;
    }
    return operator === 'union' ? withoutTooMany(joined, expression, checks) : joined;
}

const SET_OPERATORS: ReadonlyMap<string, readonly [operator: string, words: string]> = new Map([
    ['+', ['union', '`+` adds integers; the union of two sets']],
    ['-', ['minus', '`-` subtracts integers; a set without elements of another one']],
    ['*', ['intersect', '`*` multiplies integers; what two sets have in common']],
]);

/** Reports the sign of an operator of integers between sets. */
export function reportSign(expression: ast.BinaryExpression, checks: ExpressionChecks): boolean {
    const [operator, words] = SET_OPERATORS.get(expression.operator) ?? [];
    const operands = [expression.left, expression.right];
    const sets = operands.filter(operand => checks.typeOf(operand).kind === 'set');
    if (operator === undefined || sets.length === 0) {
        return false;
    }
    if (sets.some(set => checks.checkSet(set, `an operand of \`${operator}\``) === undefined)) {
        return true;
    }
    const [left, right] = operands.map(operand => {
        const text = textOf(operand) ?? '';
        return sets.includes(operand) ? text : `{ ${text} }`;
    });
    const by = `${left ?? ''} ${operator} ${right ?? ''}`;
    checks.problems.advise('type/mismatch', instead(`${words ?? ''} is \`${by}\``, by), rangeOf(expression));
    return true;
}

/** Reports a set where only a type can be run through. */
export function checkOverTypes(groups: readonly ast.BinderGroup[], what: string, checks: ExpressionChecks): void {
    for (const collection of groups.map(collectionOf)) {
        const kind = collection && collectionTypeOf(collection, checks).kind;
        if (collection !== undefined && (kind === 'set' || kind === 'sequence')) {
            const message = `${what} runs through the values of a type, not through a ${kind}`;
            checks.problems.error('type/not-a-type', message, rangeOf(collection));
        }
    }
}

/** Checks what the variables of a group run through, if it is no type. */
export function checkCollection(group: ast.BinderGroup, checks: ExpressionChecks): void {
    const collection = collectionOf(group);
    const type = collection === undefined ? UNKNOWN : collectionTypeOf(collection, checks);
    if (collection === undefined || type.kind === 'unknown') {
        return;
    }
    if (type.kind === 'set' || type.kind === 'sequence') {
        if (type.member.kind === 'unknown' && type.shape === undefined) {
            checks.problems.error('type/empty', `this ${type.kind} has no element to run through`, rangeOf(collection));
        }
    } else if (group.type === undefined) {
        const message = `a variable runs through a type, or the elements of a set or a sequence, but this is ${describeType(type)}`;
        checks.problems.error('type/not-a-set', message, rangeOf(collection));
    }
}

/** Checks the initial values of a variable: a set, or all values of a type. Each cell gets one of them. */
export function checkChoices(choices: ast.Expression, shape: Shape, what: string, checks: ExpressionChecks): void {
    const { element } = shape;
    if (isSetOfValues(choices)) {
        const type = checks.typeOf(choices);
        const value = checks.constants.evaluate(choices);
        if (type.kind === 'set') {
            checks.reportFit(fitOf(type.member, element), choices, type.member, what, element);
        }
        if (value instanceof ConstantSet && value.parts.length === 0) {
            checks.problems.error('type/empty', 'a set without elements leaves no initial value', rangeOf(choices));
        }
        return;
    }
    if (!ast.isSetLiteral(choices)) {
        const named = checkTypeName(choices, checks);
        if (named !== undefined) {
            const type = named.type;
            checks.reportFit(fitOf(type, element), choices, type, what, element);
        }
        return;
    }
    if (choices.elements.length === 0) {
        const message = 'a set without elements leaves no initial value';
        checks.problems.error('type/empty', message, rangeOf(choices));
    }
    for (const { low, high } of choices.elements) {
        if (high !== undefined) {
            checks.checkInteger(low, 'the low end of a range');
            checks.checkFit(high, element, what);
        }
        checks.checkFit(low, element, what);
    }
}

/** Checks that an expression names a type. */
function checkTypeName(expression: ast.Expression, checks: ExpressionChecks): Shape | undefined {
    const target = ast.isReference(expression) ? expression.target.ref : undefined;
    if (isTypeName(target)) {
        return checks.constants.shapeOfTypeName(expression);
    }
    if (target !== undefined || !ast.isReference(expression)) {
        const type = checks.typeOf(expression);
        if (type.kind !== 'unknown') {
            const message = `right of \`in\` stands a set, a sequence or the name of a type, but this is ${describeType(type)}`;
            checks.problems.error('type/not-a-set', message, rangeOf(expression));
        }
    }
    return undefined;
}
