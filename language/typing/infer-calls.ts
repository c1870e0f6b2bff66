/** The types of calls: of functions, of records and cases with the values of their fields, and of built-in functions. */
import { domainSize, formatDomain, isReference } from '../../engine/model/domain.js';
import * as ast from '../generated/nodes.js';
import { describeNamed } from '../problems/describe.js';
import { isConstructor } from '../references/constructors.js';
import { isSequenceFunction, SEQUENCE_FUNCTIONS } from '../references/builtin-functions.js';
import { isTemplate, isTypeName, isTypeOfNames } from '../references/templates.js';
import { rangeOf, rangeOfProperty } from '../tree/source-text.js';
import type { ExpressionChecks } from './expression-checks.js';
import { holdsNames } from './one-cell.js';
import { inferSequenceFunction } from './infer-sequences.js';
import {
    apply,
    isFunctionOperator,
    isIntegerFunction,
    type IntegerFunction,
    type Interval,
} from '../../engine/common/interval.js';
import { channelOf, type ChannelShape } from '../representation/channel.js';
import { shapeOfType } from '../representation/place-of-type.js';
import type { Type } from '../representation/shape.js';
import {
    BOOLEAN_TYPE,
    describeType,
    integer,
    isNumberType,
    noOperation,
    NUMBER_TYPE,
    OVERFLOW,
    UNKNOWN,
    whyUndefined,
} from '../representation/type.js';

export function inferCall(call: ast.Call, checks: ExpressionChecks): Type {
    const target = call.function.ref;
    switch (target?.$type) {
        case 'BuiltinFunction':
            return checks.elementType(inferBuiltin(call, target.name, checks), call, `\`${target.name}(…)\``);
        case 'FunctionDeclaration':
            checkArguments(call, target.parameters, `function \`${target.name}\``, checks);
            return checks.elementType(checks.typeOfPlace(target.result), call, `\`${target.name}(…)\``);
        default:
            if (isConstructor(target)) {
                const what = ast.isRecordDeclaration(target) ? 'record' : 'case';
                checkArguments(call, target.fields, `${what} \`${target.name}\``, checks);
                const shape = checks.constants.shapesOfConstructor(target)?.whole;
                return shape === undefined ? UNKNOWN : checks.elementType(shape.type, call, `a ${what}`);
            }
            checks.visit([...call.arguments, ...call.indices]);
            if (target !== undefined) {
                const message = `\`${target.name}\` is ${describeNamed(target)}; parentheses follow functions, records and cases with fields`;
                checks.problems.error('type/not-a-function', message, rangeOf(call));
            }
            return UNKNOWN;
    }
}

/** A reference to the new instance. Its place is checked in validation/spawn.ts. */
export function inferSpawn(spawn: ast.Spawn, checks: ExpressionChecks): Type {
    const target = spawn.template.ref;
    if (spawn.isNew) {
        return inferNew(spawn, checks);
    }
    if (target === undefined || !isTemplate(target)) {
        checks.visit(spawn.arguments);
        if (target !== undefined) {
            const message = whyNotATemplate(target);
            checks.problems.error('spawn/not-a-template', message, rangeOfProperty(spawn, 'template'));
        }
        return UNKNOWN;
    }
    checkArguments(spawn, target.parameters, `template \`${target.name}\``, checks);
    return { kind: 'enumeration', domain: checks.constants.domainOfTemplate(target) };
}

function inferNew(spawn: ast.Spawn, { constants, problems }: ExpressionChecks): Type {
    const target = spawn.template.ref;
    if (isTypeOfNames(target)) {
        return { kind: 'enumeration', domain: constants.domainOfEnumeration(target) };
    }
    if (target !== undefined) {
        const message =
            `\`${target.name}\` is ${describeNamed(target)}; \`new\` makes a value of a type without end, ` +
            '`enum Nonce = { .. }`';
        problems.error('name/new', message, rangeOfProperty(spawn, 'template'));
    }
    return UNKNOWN;
}

function whyNotATemplate(target: ast.Named): string {
    const name = `\`${target.name}\``;
    if (!ast.isProcess(target)) {
        return `${name} is ${describeNamed(target)}; \`spawn\` creates an instance of a template, \`process P(…)\``;
    }
    const [kind, are] =
        target.indices.length > 0 ? ['a family', 'its instances are'] : ['a single process', 'its instance is'];
    return `${name} is ${kind}, ${are} there from the start; a template has parentheses`;
}

function checkArguments(
    call: ast.Call | ast.Spawn,
    parameters: readonly (ast.FunctionParameter | ast.RecordField | ast.ProcessParameter)[],
    owner: string,
    checks: ExpressionChecks,
): void {
    const shapes = parameters.map(({ type }) => checks.constants.shapeOf(type));
    if (checkArgumentCount(call, owner, parameters.length, parameters.length, checks)) {
        call.arguments.forEach((argument, position) => {
            checks.checkFit(argument, shapes[position], `\`${parameters[position]?.name ?? ''}\` of ${owner}`);
        });
    }
}

export function checkArgumentCount(
    call: ast.Call | ast.Spawn | ast.ProcedureCall,
    owner: string,
    least: number,
    most: number,
    checks: ExpressionChecks,
): boolean {
    const found = call.arguments.length;
    if (least <= found && found <= most) {
        return true;
    }
    checks.visit(call.arguments);
    const expected =
        most > least ? `at least ${least} arguments` : least === 1 ? 'one argument' : `${least || 'no'} arguments`;
    const message = `${owner} takes ${expected}, but here ${found === 1 ? 'is one' : `are ${found || 'none'}`}`;
    checks.problems.error('type/argument-count', message, rangeOf(call));
    return false;
}

function inferBuiltin(call: ast.Call, name: string, checks: ExpressionChecks): Type {
    const owner = `function \`${name}\``;
    if (isIntegerFunction(name)) {
        return inferIntegerFunction(call, name, owner, checks);
    }
    if (isSequenceFunction(name)) {
        const count = SEQUENCE_FUNCTIONS[name];
        return checkArgumentCount(call, owner, count, count, checks)
            ? inferSequenceFunction(call, name, checks)
            : UNKNOWN;
    }
    const [argument] = call.arguments;
    const isOne = checkArgumentCount(call, owner, 1, 1, checks);
    if (!isOne || argument === undefined) {
        return UNKNOWN;
    }
    switch (name) {
        case 'alive':
            return inferAlive(argument, checks);
        case 'first':
            return inferFirst(argument, checks);
        default:
            return inferLength(call, argument, name, checks);
    }
}

function inferIntegerFunction(call: ast.Call, name: IntegerFunction, owner: string, checks: ExpressionChecks): Type {
    const most = isFunctionOperator(name) ? 2 : Number.POSITIVE_INFINITY;
    if (!checkArgumentCount(call, owner, 2, most, checks)) {
        return UNKNOWN;
    }
    if (call.arguments.some(argument => isNumberType(checks.testedType(argument)))) {
        return inferOfNumbers(call, name, checks);
    }
    let result: Interval | undefined;
    for (const [position, argument] of call.arguments.entries()) {
        const next = checks.checkInteger(argument, `argument ${position + 1} of \`${name}\``);
        if (next === undefined) {
            checks.visit(call.arguments);
            return UNKNOWN;
        }
        result = result === undefined ? next : apply(name, result, next);
        if (result === undefined) {
            const isTooLarge = next.high >= 0 && (name === 'pow' || name === 'shl');
            checks.problems.faultWhenReached(
                isTooLarge ? 'type/overflow' : 'type/undefined',
                isTooLarge ? OVERFLOW : whyUndefined(name),
                rangeOf(call),
            );
            return UNKNOWN;
        }
    }
    return result === undefined ? UNKNOWN : integer(result.low, result.high);
}

/** The least or the greatest of numbers without end and constants. */
function inferOfNumbers(call: ast.Call, name: IntegerFunction, checks: ExpressionChecks): Type {
    if (name !== 'min' && name !== 'max') {
        checks.problems.error('number/operation', noOperation(`${name}(…)`), rangeOf(call));
        return UNKNOWN;
    }
    const what = (position: number): string => `argument ${position + 1} of \`${name}\``;
    const known = call.arguments.map((argument, position) => checks.checkNumber(argument, what(position)));
    return known.every(Boolean) ? NUMBER_TYPE : UNKNOWN;
}

function inferAlive(argument: ast.Expression, checks: ExpressionChecks): Type {
    checks.checkReference(argument, '`alive` asks about an instance of a template');
    return BOOLEAN_TYPE;
}

/** The type whose first value is asked for. */
function inferFirst(argument: ast.Expression, checks: ExpressionChecks): Type {
    const { constants, problems } = checks;
    const named = ast.isReference(argument) ? argument.target.ref : undefined;
    if (!ast.isReference(argument) || argument.indices.length > 0 || !isTypeName(named)) {
        checks.visit(ast.isReference(argument) ? argument.indices : [argument]);
        if (named !== undefined || !ast.isReference(argument)) {
            const message = '`first` needs the name of a type; other types get one first: `type Row = bool[3]`';
            problems.error('type/not-a-type', message, rangeOf(argument));
        }
        return UNKNOWN;
    }
    if (ast.isBuiltinType(named)) {
        problems.error('number/place', 'the first number without end is `0`', rangeOf(argument));
        return UNKNOWN;
    }
    const shape = constants.shapeOfTypeName(argument);
    if (shape !== undefined && holdsNames(shape)) {
        const message = `of the values of \`${named.name}\`, which have no order, none is the first`;
        problems.error('name/first', message, rangeOf(argument));
    } else if (shape?.leaves().some(({ element }) => isReference(element))) {
        const message = `\`${named.name}\` has no first value: of the instances of a template none is the first`;
        problems.error('reference/no-first-value', message, rangeOf(argument));
    } else if (shape !== undefined && shape.firstValue() === undefined) {
        problems.error('type/empty', `\`${named.name}\` has no value, so it has no first one`, rangeOf(argument));
    }
    return shape === undefined ? UNKNOWN : shape.type;
}

/** `len` of an array, `len` and `empty` of a set, and these and `full` of a sequence or a channel. */
function inferLength(call: ast.Call, argument: ast.Expression, name: string, checks: ExpressionChecks): Type {
    const type = checks.typeOf(argument);
    if (name === 'len' && type.kind === 'array') {
        const [first] = type.indices;
        if (first !== undefined && isReference(first)) {
            const message = `how many instances live is \`count(w in ${formatDomain(first)}: true)\``;
            checks.problems.error('reference/array', message, rangeOf(call));
            return UNKNOWN;
        }
        const size = first === undefined ? 0 : domainSize(first);
        return integer(size, size);
    }
    const tested = checks.testedType(argument);
    if (tested.kind === 'sequence') {
        return name === 'len' ? integer(0, tested.most) : BOOLEAN_TYPE;
    }
    if (tested.kind === 'set' && name !== 'full') {
        const shape = shapeOfType(tested);
        const most = (shape?.scalarCount() ?? 0) * (tested.copies ?? 1);
        return name === 'empty' ? BOOLEAN_TYPE : integer(0, most);
    }
    const channel = channelOf(type);
    if (channel === undefined) {
        if (tested.kind === 'set' && tested.copies !== undefined) {
            const message = `a bag is never full as a whole: a send waits while its own message is there ${tested.copies} times`;
            checks.problems.error('type/bag-operator', message, rangeOf(call));
        } else if (type.kind !== 'unknown') {
            const wanted = `${name === 'len' ? 'an array, ' : ''}${name === 'full' ? '' : 'a set, '}a sequence or a channel`;
            const message = `\`${name}\` asks about ${wanted}, but this is ${describeType(type)}`;
            checks.problems.error('type/mismatch', message, rangeOf(argument));
        }
        return name === 'len' ? UNKNOWN : BOOLEAN_TYPE;
    }
    const channels = channelsOf(argument, channel, checks);
    const capacities = channels.map(channel => checks.constants.capacityOf(channel));
    const rendezvous = channels[capacities.indexOf(0)];
    if (rendezvous !== undefined) {
        const message = `\`${rendezvous.name}\` has capacity 0: messages pass from hand to hand, so there is nothing to count`;
        checks.problems.error('channel/no-buffer', message, rangeOf(call));
    }
    return name === 'len' ? integer(0, Math.max(0, ...capacities.map(capacity => capacity ?? 0))) : BOOLEAN_TYPE;
}

/** The channels that an expression of a channel type may denote. */
function channelsOf(
    expression: ast.Expression,
    shape: ChannelShape,
    { constants }: ExpressionChecks,
): ast.ChannelDeclaration[] {
    const target = ast.isReference(expression) ? expression.target.ref : undefined;
    return ast.isChannelDeclaration(target)
        ? [target]
        : [...new Set(constants.channels.membersOf(shape.message).map(member => member.declaration))];
}
