/**
 * Whether an expression can be a fault, decided by the types of its parts alone. The body of a quantifier over members
 * must be free of faults: else the order of the members decides whether a fault or the result comes first.
 */
import { unreachable } from '../engine/common/assert.js';
import { baseOf, memberBoundsOf, codeOfValue, domainSize, NONE, type Domain } from '../engine/model/domain.js';
import type { Expression, Place } from '../engine/model/expression.js';
import type { ChannelDeclaration, Model, Statement, Variable } from '../engine/model/model.js';
import { partsOf, statementsIn } from '../engine/model/walk-model.js';
import { isAtMost } from './carrier.js';
import type { SizeParameter } from '../language/instantiate.js';

/** What the names of an expression mean: the locals of its process, and the message that its step receives. */
export interface MemberSurroundings {
    readonly model: Model;
    readonly parameters: readonly SizeParameter[];
    readonly locals: readonly Variable[];
    readonly message: ChannelDeclaration['message'];
    /** The functions whose bodies are around: one that calls itself may never end. */
    readonly calls?: ReadonlySet<number>;
}

/** False only if no state makes the expression a fault. O(size of the expression and of the functions it calls). */
export function mayFault(expression: Expression, around: MemberSurroundings): boolean {
    if (partsOf(expression).some(part => mayFault(part, around))) {
        return true;
    }
    switch (expression.kind) {
        case 'constant':
        case 'binder':
        case 'message':
            return false;
        case 'read':
            return !areInside(expression.place.indices, indicesOf(expression.place, around), around);
        case 'unary':
            return isOptional(expression.operand, around) || !isSmall(expression, around);
        case 'binary':
            return binaryMayFault(expression, around);
        case 'conditional':
            return isOptional(expression.condition, around);
        case 'quantifier':
            return (
                !['forall', 'exists', 'count'].includes(expression.quantifier) || isOptional(expression.body, around)
            );
        case 'at':
        case 'instance-local': {
            const { indices, where, locals } = around.model.processes[expression.process];
            const family = indices.map(({ domain }) => domain);
            return (
                where !== undefined ||
                (expression.kind === 'at'
                    ? !areInside(expression.indices, family, around)
                    : !areInside(expression.instance, family, around) ||
                      !areInside(expression.indices, locals[expression.local].indices, around))
            );
        }
        case 'select':
            return !isInside(expression.index, expression.domain, around);
        case 'field':
            return isOptional(expression.record, around);
        case 'call':
            return callMayFault(expression, around);
        case 'length': {
            const { channel } = expression;
            return (
                channel.kind === 'value' ||
                !areInside(channel.indices, around.model.channels[channel.channel].indices, around)
            );
        }
        case 'record':
        case 'alive':
            return true;
        default:
            return unreachable(expression);
    }
}

/** Whether a statement, or one inside it, can be a fault. `results`: the types of what a function returns. */
export function statementMayFault(
    statement: Statement,
    around: MemberSurroundings,
    results: readonly Domain[] = [],
): boolean {
    const isFaulty = (value: Expression, element: Domain | undefined): boolean =>
        mayFault(value, around) || (element !== undefined && !isInside(value, element, around));
    if (statementsIn(statement).some(inside => statementMayFault(inside, around, results))) {
        return true;
    }
    switch (statement.kind) {
        case 'assign':
        case 'fill':
            return statement.assignments.some(
                ({ target, value }) =>
                    target.indices.some(index => mayFault(index, around)) ||
                    !areInside(target.indices, indicesOf(target, around), around) ||
                    isFaulty(value, elementOf(target, around)),
            );
        case 'declare':
            return statement.declarations.some(({ temporary, values }) =>
                values.some(value => isFaulty(value, temporary.element)),
            );
        case 'return':
            return statement.values.some((values, result) => values.some(value => isFaulty(value, results[result])));
        case 'if':
            return isFaulty(statement.condition, { kind: 'boolean' });
        case 'while':
        case 'assert':
        case 'spawn':
            return true;
        case 'for':
        case 'skip':
            return false;
        default:
            return unreachable(statement);
    }
}

function binaryMayFault(
    { operator, left, right, ...rest }: Extract<Expression, { kind: 'binary' }>,
    around: MemberSurroundings,
): boolean {
    switch (operator) {
        case '==':
        case '!=':
        case '<':
        case '<=':
        case '>':
        case '>=':
            // A text asks for the order of optional values only where a test excludes `none` (typing/narrowing.ts).
            return false;
        case 'div':
        case 'mod':
            return !(right.kind === 'constant' && right.value > 0) || isOptional(left, around);
        case '+':
        case '-':
        case '*':
            return (
                isOptional(left, around) ||
                isOptional(right, around) ||
                !isSmall({ operator, left, right, ...rest }, around)
            );
        case 'pow':
        case 'xor':
        case 'bitand':
        case 'bitor':
        case 'shl':
        case 'shr':
            return true;
        default:
            return isOptional(left, around) || isOptional(right, around);
    }
}

function callMayFault(call: Extract<Expression, { kind: 'call' }>, around: MemberSurroundings): boolean {
    const { parameters, results, body } = around.model.functions[call.function];
    const isOutside = call.arguments.some((values, position) => {
        const { element } = parameters[position];
        return element !== undefined && values.some(value => !isInside(value, element, around));
    });
    const { calls = new Set() } = around;
    const indices = results[call.result].indices;
    if (isOutside || calls.has(call.function) || !areInside(call.indices, indices, around)) {
        return true;
    }
    const inside = { ...around, locals: [], message: [], calls: new Set([...calls, call.function]) };
    const elements = results.map(({ element }) => element);
    return !alwaysReturns(body) || body.some(statement => statementMayFault(statement, inside, elements));
}

function alwaysReturns(body: readonly Statement[]): boolean {
    return body.some(
        statement =>
            statement.kind === 'return' ||
            (statement.kind === 'if' && alwaysReturns(statement.then) && alwaysReturns(statement.otherwise)),
    );
}

function areInside(indices: readonly Expression[], domains: readonly Domain[], around: MemberSurroundings): boolean {
    return indices.every((index, position) => isInside(index, domains[position], around));
}

/** Whether all values of an expression are in a domain, as far as its type says. */
function isInside(expression: Expression, domain: Domain, around: MemberSurroundings): boolean {
    if (isOptional(expression, around) && domain.kind !== 'optional') {
        return false;
    }
    const base = baseOf(domain);
    if (expression.kind === 'constant') {
        return expression.value === NONE || codeOfValue(base, expression.value) >= 0;
    }
    const own = domainOf(expression, around);
    if (own === undefined) {
        return base.kind === 'boolean' && isTruth(expression);
    }
    const [ownBounds, bounds] = [memberBoundsOf(own), memberBoundsOf(base)];
    const from = baseOf(own);
    if (ownBounds !== undefined || bounds !== undefined) {
        return (
            ownBounds !== undefined &&
            bounds !== undefined &&
            isAtMost(bounds.low, ownBounds.low, around.parameters) &&
            isAtMost(ownBounds.high, bounds.high, around.parameters)
        );
    }
    switch (base.kind) {
        case 'range':
            return from.kind === 'range' && base.low <= from.low && from.high <= base.high;
        case 'boolean':
            return from.kind === 'boolean';
        case 'enumeration':
        case 'record':
            return from.kind === base.kind && from.name === base.name;
        default:
            return false;
    }
}

/** Comparisons and connectives: their value is a truth value. */
function isTruth(expression: Expression): boolean {
    return (
        (expression.kind === 'binary' && !['+', '-', '*', 'div', 'mod', 'pow'].includes(expression.operator)) ||
        (expression.kind === 'unary' && expression.operator === 'not') ||
        (expression.kind === 'quantifier' && ['forall', 'exists'].includes(expression.quantifier)) ||
        expression.kind === 'at'
    );
}

/** The declared type of the values of an expression; undefined for the results of operators. */
function domainOf(expression: Expression, around: MemberSurroundings): Domain | undefined {
    switch (expression.kind) {
        case 'binder':
            return expression.binder.domain;
        case 'read':
            return elementOf(expression.place, around);
        case 'message':
            return around.message[expression.position]?.domain;
        case 'instance-local':
            return around.model.processes[expression.process].locals[expression.local].element;
        case 'field':
            return expression.domain.fields[expression.field].domain;
        case 'call':
            return around.model.functions[expression.function].results[expression.result].element;
        default:
            return undefined;
    }
}

/** Whether some value may be `none`. Of a name without a declared type that is not known. */
function isOptional(expression: Expression, around: MemberSurroundings): boolean {
    switch (expression.kind) {
        case 'constant':
            return expression.value === NONE;
        case 'conditional':
            return isOptional(expression.then, around) || isOptional(expression.otherwise, around);
        case 'select':
            return expression.options.some(option => isOptional(option, around));
        case 'read':
            return (
                expression.isPresent !== true &&
                (elementOf(expression.place, around)?.kind ?? 'optional') === 'optional'
            );
        default:
            return domainOf(expression, around)?.kind === 'optional';
    }
}

/** Whether the magnitude is below the limit of integers. */
function isSmall(expression: Expression, around: MemberSurroundings): boolean {
    return magnitudeOf(expression, around) <= Number.MAX_SAFE_INTEGER;
}

function magnitudeOf(expression: Expression, around: MemberSurroundings): number {
    switch (expression.kind) {
        case 'constant':
            return Math.abs(expression.value);
        case 'unary':
            return magnitudeOf(expression.operand, around);
        case 'binary': {
            const [left, right] = [magnitudeOf(expression.left, around), magnitudeOf(expression.right, around)];
            switch (expression.operator) {
                case '+':
                case '-':
                    return left + right;
                case '*':
                    return left * right;
                case 'div':
                    return left;
                case 'mod':
                    return right;
                default:
                    return isTruth(expression) ? 1 : Infinity;
            }
        }
        case 'conditional':
            return Math.max(magnitudeOf(expression.then, around), magnitudeOf(expression.otherwise, around));
        case 'quantifier':
            return isTruth(expression)
                ? 1
                : expression.quantifier === 'count'
                  ? expression.binders.reduce((product, { domain }) => product * domainSize(domain), 1)
                  : Infinity;
        case 'length':
            return expression.channel.kind === 'declared'
                ? around.model.channels[expression.channel.channel].capacity
                : Infinity;
        default: {
            const domain = domainOf(expression, around);
            const base = domain && baseOf(domain);
            if (base === undefined) {
                return isTruth(expression) ? 1 : Infinity;
            }
            return base.kind === 'range' ? Math.max(Math.abs(base.low), Math.abs(base.high)) : domainSize(base);
        }
    }
}

function elementOf(place: Place, { model, locals }: MemberSurroundings): Domain | undefined {
    switch (place.kind) {
        case 'shared':
            return model.variables[place.variable].element;
        case 'local':
            return locals[place.local].element;
        case 'temporary':
            return place.temporary.element;
        default:
            return unreachable(place);
    }
}

function indicesOf(place: Place, { model, locals }: MemberSurroundings): readonly Domain[] {
    switch (place.kind) {
        case 'shared':
            return model.variables[place.variable].indices;
        case 'local':
            return locals[place.local].indices;
        case 'temporary':
            return place.temporary.indices;
        default:
            return unreachable(place);
    }
}
