/**
 * The types of expressions, with the checks that belong to them: operands, indices, names that are no values.
 *
 * Each expression is visited once; its type is kept. Intervals make more faults provable before a run: an index whose
 * interval misses its domain is an error here, one that only may miss it is left to the run.
 */
import { AstUtils, type AstNode } from 'langium';
import { unreachable } from '../../engine/common/assert.js';
import { domainSize, type Domain } from '../../engine/model/domain.js';
import * as ast from '../generated/ast.js';
import type {
    BinaryExpression,
    BinderGroup,
    Call,
    Conditional,
    Expression,
    FieldAccess,
    Quantifier,
    Reference,
} from '../generated/ast.js';
import { isInsideChain, rangeOf, rangeOfProperty } from '../source-range.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { EXPANSION_LIMIT } from './constant-evaluation.js';
import type { Constants } from './constants.js';
import { describeNamed, formatCount } from './describe.js';
import { apply, applyFunction, LARGEST_INTEGER, type IntegerFunction, type Interval } from './interval.js';
import { atomicDomainOf, isDomain, type ChannelShape, type Shape } from './shape.js';
import {
    areComparable,
    BOOLEAN_TYPE,
    describeDomain,
    describeShape,
    describeType,
    fitOf,
    fitOfIndex,
    integer,
    join,
    OVERFLOW,
    shapeOfType,
    truth,
    typeOfConstant,
    typeOfShape,
    UNKNOWN,
    type ArrayType,
    type Fit,
    type Type,
} from './type.js';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

/** The functions that every model has and that compute an integer from two integers, or `min` and `max` from more. */
const INTEGER_FUNCTIONS: ReadonlyMap<string, { readonly least: number; readonly most: number }> = new Map([
    ['min', { least: 2, most: Number.POSITIVE_INFINITY }],
    ['max', { least: 2, most: Number.POSITIVE_INFINITY }],
    ...['pow', 'xor', 'bitand', 'bitor', 'shl', 'shr'].map(name => [name, { least: 2, most: 2 }] as const),
]);

/** What has indices behind it. */
type Indexed = Reference | Call | FieldAccess;

/** How messages speak of what stands in brackets. */
const INDEX = { one: 'index', many: 'indices', code: 'type/index-count' } as const;
export const ARGUMENT = { one: 'argument', many: 'arguments', code: 'type/argument-count' } as const;

export class TypeInference {
    private readonly types = new Map<Expression, Type>();
    private readonly namesInProgress = new Set<ast.Constant | ast.Let>();
    private readonly constants: Constants;
    private readonly problems: ProblemCollector;

    constructor(constants: Constants, problems: ProblemCollector) {
        this.constants = constants;
        this.problems = problems;
    }

    /** The type of an expression; what is wrong inside it is reported at the first visit. */
    typeOf(expression: Expression): Type {
        let type = this.types.get(expression);
        if (type === undefined) {
            type = this.infer(expression);
            this.types.set(expression, type);
        }
        return type;
    }

    /** Checks that an expression is a truth value and returns what is known of it. */
    checkCondition(expression: Expression, what: string): boolean | undefined {
        const type = this.typeOf(expression);
        if (type.kind === 'boolean') {
            return type.known;
        }
        if (type.kind !== 'unknown') {
            this.problems.error(
                'type/mismatch',
                `${what} must be a truth value, but this is ${describeType(type)}`,
                rangeOf(expression),
            );
        }
        return undefined;
    }

    /** Checks that an expression is an integer and returns its interval. */
    checkInteger(expression: Expression, what: string): { low: number; high: number } | undefined {
        const type = this.typeOf(expression);
        if (type.kind === 'integer') {
            return type;
        }
        if (type.kind !== 'unknown') {
            const reason = type.kind === 'optional' ? `it may be \`none\`` : `this is ${describeType(type)}`;
            this.problems.error('type/mismatch', `${what} must be an integer, but ${reason}`, rangeOf(expression));
        }
        return undefined;
    }

    /**
     * Checks that a value can be put where values of `shape` are kept. `what` begins the message. With `fills`, a single
     * value stands for all cells of an array.
     */
    checkFit(expression: Expression, shape: Shape, what: string, fills = false): void {
        const type = this.typeOf(expression);
        const isFilling = fills && shape.kind === 'array' && type.kind !== 'array';
        const target = isFilling ? shape.element : shape;
        this.reportFit(fitOf(type, target), expression, type, what, describeShape(target));
    }

    /** Checks the indices of an array element, a process, a channel or an event against their types. */
    checkIndices(
        node: Indexed,
        domains: readonly (Domain | undefined)[],
        owner: string,
        words: typeof INDEX | typeof ARGUMENT = INDEX,
    ): void {
        const { indices } = node;
        if (indices.length !== domains.length) {
            indices.forEach(index => this.typeOf(index));
            const expected = domains.length === 1 ? `one ${words.one}` : `${domains.length || 'no'} ${words.many}`;
            const found = indices.length === 1 ? 'is one' : `are ${indices.length || 'none'}`;
            this.problems.error(words.code, `${owner} takes ${expected}, but here ${found}`, rangeOf(node));
            return;
        }
        indices.forEach((index, position) => {
            const domain = domains[position];
            const type = this.typeOf(index);
            if (domain === undefined || type.kind === 'unknown') {
                return;
            }
            const which = domains.length === 1 ? `the ${words.one}` : `${words.one} ${position + 1}`;
            this.reportFit(fitOfIndex(type, domain), index, type, `${which} of ${owner}`, describeDomain(domain));
        });
    }

    /** The shape of what an expression gives; undefined for `none` alone, and where there is an error. */
    shapeOf(expression: Expression): Shape | undefined {
        return shapeOfType(this.typeOf(expression));
    }

    /**
     * The channel that an expression names or has as its value. Reports what is none; `what` begins the message.
     */
    checkChannel(expression: Expression, what: string): ChannelShape | undefined {
        const type = this.typeOf(expression);
        if (type.kind === 'channel') {
            return type.shape;
        }
        if (type.kind !== 'unknown') {
            const reason = type.kind === 'optional' ? 'it may be `none`' : `this is ${describeType(type)}`;
            this.problems.error('type/not-a-channel', `${what} must be a channel, but ${reason}`, rangeOf(expression));
        }
        return undefined;
    }

    private reportFit(fit: Fit, expression: Expression, type: Type, what: string, expected: string): void {
        switch (fit) {
            case 'fits':
                return;
            case 'mismatch':
                this.problems.error(
                    'type/mismatch',
                    `${what} has the type ${expected}, but this is ${describeType(type)}`,
                    rangeOf(expression),
                );
                return;
            case 'outside':
                this.problems.faultWhenReached(
                    'type/out-of-range',
                    `${what} has the type ${expected}, but this is ${describeInterval(type)}`,
                    rangeOf(expression),
                );
        }
    }

    private infer(expression: Expression): Type {
        switch (expression.$type) {
            case 'NumberLiteral':
                if (expression.value > LARGEST_INTEGER) {
                    this.problems.error(
                        'type/overflow',
                        `the number is too large; integers are exact up to ${LARGEST_INTEGER}`,
                        rangeOf(expression),
                    );
                    return UNKNOWN;
                }
                return integer(expression.value, expression.value);
            case 'BooleanLiteral':
                return truth(expression.value === 'true');
            case 'NoneLiteral':
                return { kind: 'none' };
            case 'Reference':
                return expression.label === undefined ? this.inferReference(expression) : this.inferAt(expression);
            case 'UnaryExpression':
                return this.inferUnary(expression);
            case 'BinaryExpression':
                return this.inferBinary(expression);
            case 'Conditional':
                return this.inferConditional(expression);
            case 'Quantifier':
                return this.inferQuantifier(expression);
            case 'ArrayLiteral':
                return expression.comprehension === undefined
                    ? this.inferLiteral(expression)
                    : this.inferComprehension(expression.comprehension);
            case 'FieldAccess':
                return this.inferField(expression);
            case 'Call':
                return this.inferCall(expression);
            case 'SetLiteral':
                this.visitSet(expression);
                this.problems.error(
                    'type/set-not-allowed',
                    'a set stands only right of `in`: `x in {1, 2}`, `var x: T in {1, 2}`',
                    rangeOf(expression),
                );
                return UNKNOWN;
            default:
                return unreachable(expression);
        }
    }

    private inferReference(reference: Reference): Type {
        const target = reference.target.ref;
        if (target === undefined) {
            reference.indices.forEach(index => this.typeOf(index));
            return UNKNOWN;
        }
        if (target.$type === 'ChannelDeclaration') {
            return this.inferChannel(reference, target);
        }
        const type = this.typeOfName(reference, target);
        return type === undefined ? UNKNOWN : this.elementType(type, reference, `\`${target.name}\``);
    }

    /** The type of what a name stands for, without its indices; undefined where it is no value. */
    private typeOfName(reference: Reference, target: ast.Named): Type | undefined {
        switch (target.$type) {
            case 'Variable':
            case 'FunctionParameter':
            case 'RecordField':
                return this.typeOfPlace(target.type);
            case 'Parameter':
                return this.inferParameter(target);
            case 'Constant':
                return this.inferConstant(target);
            case 'Let':
                return this.inferLet(target);
            case 'EnumerationValue':
                return typeOfShape({ kind: 'scalar', domain: this.constants.domainOfEnumeration(target.$container) });
            case 'ProcessIndex':
            case 'BinderVariable': {
                const shape = this.constants.shapeOfBinder(target);
                return shape === undefined ? UNKNOWN : typeOfShape(shape);
            }
            case 'TypeDeclaration':
            case 'RecordDeclaration':
            case 'Enumeration':
            case 'EventDeclaration':
            case 'FunctionDeclaration':
            case 'BuiltinFunction':
            case 'Process':
            case 'Invariant':
            case 'ChannelDeclaration':
                reference.indices.forEach(index => this.typeOf(index));
                this.problems.error(
                    'type/not-a-value',
                    `a value is expected here, but \`${target.name}\` is ${describeNamed(target)}${hintFor(target)}`,
                    rangeOf(reference),
                );
                return undefined;
            default:
                return unreachable(target);
        }
    }

    private typeOfPlace(type: ast.Type): Type {
        const shape = this.constants.shapeOf(type);
        return shape === undefined ? UNKNOWN : typeOfShape(shape);
    }

    /** The type of `node`, whose indices pick a cell of an array of `type`. Without indices it is the whole. */
    private elementType(type: Type, node: Indexed, owner: string): Type {
        if (node.indices.length === 0) {
            return type;
        }
        if (type.kind === 'array') {
            this.checkIndices(node, type.indices, owner);
            return node.indices.length === type.indices.length ? type.element : UNKNOWN;
        }
        node.indices.forEach(index => this.typeOf(index));
        if (type.kind !== 'unknown') {
            this.problems.error(
                'type/not-an-array',
                `${owner} is no array, so it has no cells; it is ${describeType(type)}`,
                rangeOf(node),
            );
        }
        return UNKNOWN;
    }

    /** A channel is a value of the type of all channels with such messages. */
    private inferChannel(reference: Reference, channel: ast.ChannelDeclaration): Type {
        this.checkIndices(reference, this.constants.indicesOf(channel), `channel \`${channel.name}\``);
        const shape = this.constants.shapeOfDeclaredChannel(channel);
        return shape === undefined ? UNKNOWN : { kind: 'channel', shape };
    }

    private inferParameter(parameter: ast.Parameter): Type {
        const value = this.constants.valueOf(parameter);
        const shape = this.constants.shapeOfParameter(parameter);
        if (shape === undefined) {
            return UNKNOWN;
        }
        return value === undefined ? typeOfShape(shape) : typeOfConstant(shape, value);
    }

    private inferConstant(constant: ast.Constant): Type {
        // A circle is reported where the value is computed or, in a process, as a use before the declaration.
        if (this.namesInProgress.has(constant)) {
            return UNKNOWN;
        }
        this.namesInProgress.add(constant);
        // The faults of a constant of the model show when it is evaluated; they are no faults of who names it.
        const isOfModel = ast.isModel(constant.$container);
        const type = this.problems.whileUnreachable(isOfModel, () => this.typeOf(constant.value));
        this.namesInProgress.delete(constant);
        const shape = constant.type === undefined ? shapeOfType(type) : this.constants.shapeOf(constant.type);
        if (isOfModel && shape !== undefined) {
            // Its value is known exactly, and so is the index type that a declaration gives to an array.
            const value = this.constants.valueOf(constant);
            return value === undefined ? typeOfShape(shape) : typeOfConstant(shape, value);
        }
        return constant.type !== undefined && shape?.kind === 'array' ? typeOfShape(shape) : type;
    }

    private inferLet(declaration: ast.Let): Type {
        // What is used before its declaration has an error already.
        if (this.namesInProgress.has(declaration)) {
            return UNKNOWN;
        }
        this.namesInProgress.add(declaration);
        const type = this.typeOf(declaration.value);
        this.namesInProgress.delete(declaration);
        return type;
    }

    private inferLiteral(literal: ast.ArrayLiteral): Type {
        const [first, ...others] = literal.elements;
        if (first === undefined) {
            return UNKNOWN;
        }
        let joined = this.typeOf(first);
        for (const element of others) {
            const type = this.typeOf(element);
            const next = join(joined, type);
            if (next === undefined) {
                this.problems.error(
                    'type/mismatch',
                    `the elements of an array have one type, but this is ${describeType(type)} ` +
                        `and those before are ${describeType(joined)}`,
                    rangeOf(element),
                );
                return UNKNOWN;
            }
            joined = next;
        }
        const size = literal.elements.length;
        return arrayType([{ kind: 'range', low: 0, high: size - 1 }], 1, joined);
    }

    private inferComprehension(comprehension: ast.Comprehension): Type {
        const count = this.checkBinders(comprehension.groups, 'the array', comprehension);
        if (comprehension.where !== undefined) {
            this.checkCondition(comprehension.where, 'the condition after `where`');
            this.problems.error(
                'type/array-with-where',
                'an array has an element for each index, so nothing can be left out; write `if … then … else …`',
                rangeOf(comprehension.where),
            );
        }
        const body = this.problems.whileUnreachable(count === 0, () => this.typeOf(comprehension.body));
        const domains = comprehension.groups.flatMap(group =>
            group.variables.map(variable => this.constants.domainOfBinder(variable)),
        );
        return domains.every(domain => domain !== undefined) ? arrayType(domains, 0, body) : UNKNOWN;
    }

    private inferField(access: FieldAccess): Type {
        const field = access.field.ref;
        if (ast.isReference(access.record) && ast.isProcess(access.record.target.ref)) {
            return this.inferInstanceLocal(access, access.record, access.record.target.ref);
        }
        const record = this.typeOf(access.record);
        if (!ast.isRecordField(field) || record.kind !== 'record') {
            access.indices.forEach(index => this.typeOf(index));
            if (record.kind !== 'unknown' && record.kind !== 'record') {
                const isOptional = record.kind === 'optional' && record.base.kind === 'record';
                this.problems.error(
                    'type/not-a-record',
                    isOptional
                        ? `this is ${describeType(record)}; put it into a variable of type ` +
                              `\`${describePlain(record.base)}\` to read its fields`
                        : `only records have fields, but this is ${describeType(record)}`,
                    rangeOf(access.record),
                );
            }
            return UNKNOWN;
        }
        const shape = record.shape.fields[record.shape.declaration.fields.indexOf(field)]?.shape;
        if (shape === undefined) {
            access.indices.forEach(index => this.typeOf(index));
            this.problems.error(
                'name/unresolved',
                `\`${record.shape.name}\` has no field \`${field.name}\``,
                rangeOfProperty(access, 'field'),
            );
            return UNKNOWN;
        }
        return this.elementType(typeOfShape(shape), access, `the field \`${field.name}\``);
    }

    /** `P[i].k`, which only properties may look at. */
    private inferInstanceLocal(access: FieldAccess, owner: Reference, process: ast.Process): Type {
        const domains = process.indices.map(index => this.constants.domainOfBinder(index));
        this.checkIndices(owner, domains, `process \`${process.name}\``);
        const local = access.field.ref;
        if (!ast.isVariable(local)) {
            access.indices.forEach(index => this.typeOf(index));
            return UNKNOWN;
        }
        if (AstUtils.getContainerOfType(access, ast.isInvariant) === undefined) {
            this.problems.error(
                'type/local-outside-property',
                `the variable \`${local.name}\` belongs to \`${process.name}\`; only an invariant can look at it, ` +
                    'steps use shared variables',
                rangeOf(access),
            );
        }
        return this.elementType(this.typeOfPlace(local.type), access, `\`${process.name}.${local.name}\``);
    }

    private inferCall(call: Call): Type {
        const target = call.function.ref;
        if (target === undefined) {
            call.arguments.forEach(argument => this.typeOf(argument));
            call.indices.forEach(index => this.typeOf(index));
            return UNKNOWN;
        }
        switch (target.$type) {
            case 'BuiltinFunction':
                return this.elementType(this.inferBuiltin(call, target.name), call, `\`${target.name}(…)\``);
            case 'FunctionDeclaration': {
                const shapes = target.parameters.map(({ name, type }) => ({
                    name,
                    shape: this.constants.shapeOf(type),
                }));
                this.checkArguments(call, shapes, `function \`${target.name}\``);
                return this.elementType(this.typeOfPlace(target.result), call, `\`${target.name}(…)\``);
            }
            case 'RecordDeclaration': {
                const shapes = target.fields.map(({ name, type }) => ({ name, shape: this.constants.shapeOf(type) }));
                this.checkArguments(call, shapes, `record \`${target.name}\``);
                const shape = this.constants.shapeOfRecord(target);
                return shape === undefined ? UNKNOWN : this.elementType({ kind: 'record', shape }, call, 'a record');
            }
            default:
                call.arguments.forEach(argument => this.typeOf(argument));
                call.indices.forEach(index => this.typeOf(index));
                this.problems.error(
                    'type/not-a-function',
                    `\`${target.name}\` is ${describeNamed(target)}; parentheses follow functions and records`,
                    rangeOf(call),
                );
                return UNKNOWN;
        }
    }

    private checkArguments(
        call: Call,
        parameters: readonly { readonly name: string; readonly shape: Shape | undefined }[],
        owner: string,
    ): void {
        if (!this.checkArgumentCount(call, owner, parameters.length, parameters.length)) {
            return;
        }
        call.arguments.forEach((argument, position) => {
            const parameter = parameters[position];
            if (parameter?.shape === undefined) {
                this.typeOf(argument);
            } else {
                this.checkFit(argument, parameter.shape, `\`${parameter.name}\` of ${owner}`);
            }
        });
    }

    private checkArgumentCount(call: Call, owner: string, least: number, most: number): boolean {
        const found = call.arguments.length;
        if (least <= found && found <= most) {
            return true;
        }
        call.arguments.forEach(argument => this.typeOf(argument));
        const expected = most > least ? `at least ${least} arguments` : countOf(least, 'argument');
        this.problems.error(
            'type/argument-count',
            `${owner} takes ${expected}, but here ${found === 1 ? 'is one' : `are ${found || 'none'}`}`,
            rangeOf(call),
        );
        return false;
    }

    private inferBuiltin(call: Call, name: string): Type {
        const owner = `function \`${name}\``;
        const integers = INTEGER_FUNCTIONS.get(name);
        if (integers === undefined) {
            return this.checkArgumentCount(call, owner, 1, 1) ? this.inferLength(call, name) : UNKNOWN;
        }
        if (!this.checkArgumentCount(call, owner, integers.least, integers.most)) {
            return UNKNOWN;
        }
        let result: Interval | undefined;
        for (const [position, argument] of call.arguments.entries()) {
            const next = this.checkInteger(argument, `argument ${position + 1} of \`${name}\``);
            if (next === undefined) {
                call.arguments.forEach(other => this.typeOf(other));
                return UNKNOWN;
            }
            result =
                position === 0 || result === undefined ? next : applyFunction(name as IntegerFunction, result, next);
            if (result === undefined) {
                this.reportNoResult(call, name, next);
                return UNKNOWN;
            }
        }
        return result === undefined ? UNKNOWN : integer(result.low, result.high);
    }

    private reportNoResult(call: Call, name: string, last: Interval): void {
        const isTooLarge = last.high >= 0 && (name === 'pow' || name === 'shl');
        this.problems.faultWhenReached(
            isTooLarge ? 'type/overflow' : 'type/undefined',
            isTooLarge
                ? OVERFLOW
                : name === 'pow'
                  ? 'the exponent of `pow` must not be negative'
                  : `\`${name}\` works on the bits of integers from 0 on, but here one is negative`,
            rangeOf(call),
        );
    }

    /** `len` of an array or of a channel, `full` and `empty` of a channel. */
    private inferLength(call: Call, name: string): Type {
        const [argument] = call.arguments;
        if (argument === undefined) {
            return UNKNOWN;
        }
        const type = this.typeOf(argument);
        if (name === 'len' && type.kind === 'array') {
            const [first] = type.indices;
            const size = first === undefined ? 0 : domainSize(first);
            return integer(size, size);
        }
        const result = name === 'len' ? UNKNOWN : BOOLEAN_TYPE;
        if (type.kind !== 'channel') {
            if (type.kind !== 'unknown') {
                const wanted = name === 'len' ? 'an array or a channel' : 'a channel';
                this.problems.error(
                    'type/mismatch',
                    `\`${name}\` asks about ${wanted}, but this is ${describeType(type)}`,
                    rangeOf(argument),
                );
            }
            return result;
        }
        const members = this.channelsOf(argument, type.shape);
        const capacities = members.map(channel => this.constants.capacityOf(channel));
        const rendezvous = members.find(channel => this.constants.capacityOf(channel) === 0);
        if (rendezvous !== undefined) {
            this.problems.error(
                'channel/no-buffer',
                `\`${rendezvous.name}\` has capacity 0: messages pass from hand to hand, so there is nothing to count`,
                rangeOf(call),
            );
        }
        return name === 'len' ? integer(0, Math.max(0, ...capacities.map(capacity => capacity ?? 0))) : result;
    }

    /** The declarations that an expression of a channel type may mean. */
    channelsOf(expression: Expression, shape: ChannelShape): ast.ChannelDeclaration[] {
        const target = ast.isReference(expression) ? expression.target.ref : undefined;
        return ast.isChannelDeclaration(target)
            ? [target]
            : [...new Set(this.constants.channelsOf(shape.message).map(member => member.declaration))];
    }

    /** `P[i] at label`. */
    private inferAt(reference: Reference): Type {
        const process = reference.target.ref;
        if (process === undefined) {
            reference.indices.forEach(index => this.typeOf(index));
            return BOOLEAN_TYPE;
        }
        if (!ast.isProcess(process)) {
            reference.indices.forEach(index => this.typeOf(index));
            this.problems.error(
                'type/not-a-process',
                `a process is expected before \`at\`, but \`${process.name}\` is ${describeNamed(process)}`,
                rangeOfProperty(reference, 'target'),
            );
            return BOOLEAN_TYPE;
        }
        const domains = process.indices.map(index => this.constants.domainOfBinder(index));
        this.checkIndices(reference, domains, `process \`${process.name}\``);
        return BOOLEAN_TYPE;
    }

    private inferUnary(expression: ast.UnaryExpression): Type {
        if (expression.operator === '!') {
            const known = this.checkCondition(expression.operand, 'what `!` negates');
            return truth(known === undefined ? undefined : !known);
        }
        const operand = this.checkInteger(expression.operand, 'what `-` negates');
        return operand === undefined ? UNKNOWN : integer(0 - operand.high, 0 - operand.low);
    }

    private inferBinary(expression: BinaryExpression): Type {
        const { operator } = expression;
        switch (operator) {
            case '&&':
            case '||':
            case 'implies':
                return this.inferLogical(expression, operator);
            case '==':
            case '!=':
                return this.inferEquality(expression, operator);
            case '<':
            case '<=':
            case '>':
            case '>=':
                return this.inferOrder(expression, operator);
            case '+':
            case '-':
            case '*':
            case 'div':
            case 'mod':
                return this.inferArithmetic(expression, operator);
            case 'in':
                return this.inferMembership(expression);
            default:
                return unreachable(operator);
        }
    }

    private inferLogical(expression: BinaryExpression, operator: '&&' | '||' | 'implies'): Type {
        const left = this.checkCondition(expression.left, `the left side of \`${operator}\``);
        // The value of the left side that decides the whole.
        const deciding = operator === '||';
        const right = this.problems.whileUnreachable(left === deciding, () =>
            this.checkCondition(expression.right, `the right side of \`${operator}\``),
        );
        if (operator === 'implies') {
            return truth(left === false || right === true ? true : left === true ? right : undefined);
        }
        if (left === deciding || right === deciding) {
            return truth(deciding);
        }
        return truth(left === undefined ? undefined : right);
    }

    private inferEquality(expression: BinaryExpression, operator: '==' | '!='): Type {
        if (this.checkNotChained(expression)) {
            return BOOLEAN_TYPE;
        }
        const left = this.typeOf(expression.left);
        const right = this.typeOf(expression.right);
        if (!areComparable(left, right)) {
            const hint =
                left.kind === 'none' || right.kind === 'none' ? '; only an optional value (`T?`) can be `none`' : '';
            this.problems.error(
                'type/not-comparable',
                `${describeType(left)} cannot be compared with ${describeType(right)}${hint}`,
                rangeOf(expression),
            );
            return BOOLEAN_TYPE;
        }
        return truth(knownEquality(left, right, operator === '=='));
    }

    /** `x in {…}` or `x in T`. */
    private inferMembership(expression: BinaryExpression): Type {
        if (this.checkNotChained(expression)) {
            return BOOLEAN_TYPE;
        }
        this.checkElements(expression.right, this.typeOf(expression.left), expression);
        return BOOLEAN_TYPE;
    }

    /** Checks what stands right of `in`: a set whose elements can be compared with values of `type`, or a type. */
    private checkElements(set: Expression, type: Type, whole: Expression): void {
        if (!ast.isSetLiteral(set)) {
            const shape = this.checkTypeName(set);
            const element = shape === undefined ? UNKNOWN : typeOfShape(shape);
            if (shape?.kind === 'record' && !isDomain(atomicDomainOf(shape))) {
                this.problems.error(
                    'type/too-large',
                    `\`${shape.name}\` has too many values to ask whether a value is one of them`,
                    rangeOf(set),
                );
                return;
            }
            if (!areComparable(type, element)) {
                this.problems.error(
                    'type/not-comparable',
                    `${describeType(type)} is never a value of \`${rangeText(set)}\``,
                    rangeOf(whole),
                );
            }
            return;
        }
        for (const element of set.elements) {
            const low = this.typeOf(element.low);
            if (element.high !== undefined) {
                this.checkInteger(element.high, 'the high end of a range');
                if (this.checkInteger(element.low, 'the low end of a range') === undefined) {
                    continue;
                }
            }
            if (!areComparable(type, low) && !(low.kind === 'none' && type.kind === 'optional')) {
                this.problems.error(
                    'type/not-comparable',
                    `${describeType(type)} cannot be compared with ${describeType(low)}`,
                    rangeOf(element.low),
                );
            }
        }
    }

    /** The shape of a type whose name stands where otherwise an expression does. */
    private checkTypeName(expression: Expression): Shape | undefined {
        const target = ast.isReference(expression) ? expression.target.ref : undefined;
        if (ast.isRecordDeclaration(target)) {
            return this.constants.shapeOfRecord(target);
        }
        if (ast.isTypeDeclaration(target)) {
            return this.constants.shapeOf(target.type);
        }
        if (ast.isEnumeration(target)) {
            return { kind: 'scalar', domain: this.constants.domainOfEnumeration(target) };
        }
        const type = target === undefined && ast.isReference(expression) ? UNKNOWN : this.typeOf(expression);
        if (type.kind !== 'unknown') {
            this.problems.error(
                'type/not-a-set',
                `right of \`in\` stands a set \`{a, b}\` or the name of a type, but this is ${describeType(type)}`,
                rangeOf(expression),
            );
        }
        return undefined;
    }

    /** The initial values of a variable: a set, or all values of a type. Each cell takes one of them. */
    checkChoices(choices: Expression, shape: Shape, what: string): void {
        const element = shape.kind === 'array' ? shape.element : shape;
        if (!ast.isSetLiteral(choices)) {
            const named = this.checkTypeName(choices);
            if (named !== undefined) {
                this.reportFit(
                    fitOf(typeOfShape(named), element),
                    choices,
                    typeOfShape(named),
                    what,
                    describeShape(element),
                );
            }
            return;
        }
        if (choices.elements.length === 0) {
            this.problems.error('type/empty', 'a set without elements leaves no initial value', rangeOf(choices));
        }
        for (const { low, high } of choices.elements) {
            if (high !== undefined) {
                this.checkInteger(low, 'the low end of a range');
                this.checkFit(high, element, what);
            }
            this.checkFit(low, element, what);
        }
    }

    /** What an assignable place holds, whose names and indices have been checked; undefined where it is none. */
    shapeOfPlace(place: Expression): Shape | undefined {
        const owner =
            ast.isReference(place) && ast.isVariable(place.target.ref)
                ? this.constants.shapeOf(place.target.ref.type)
                : ast.isFieldAccess(place)
                  ? this.shapeOfField(place)
                  : undefined;
        const hasIndices = (ast.isReference(place) || ast.isFieldAccess(place)) && place.indices.length > 0;
        return hasIndices ? (owner?.kind === 'array' ? owner.element : undefined) : owner;
    }

    private shapeOfField({ record, field }: FieldAccess): Shape | undefined {
        const owner = this.shapeOfPlace(record);
        const { ref } = field;
        return owner?.kind !== 'record' || !ast.isRecordField(ref)
            ? undefined
            : owner.fields[owner.declaration.fields.indexOf(ref)]?.shape;
    }

    private visitSet(set: Expression): void {
        if (ast.isSetLiteral(set)) {
            for (const { low, high } of set.elements) {
                this.typeOf(low);
                if (high !== undefined) {
                    this.typeOf(high);
                }
            }
        }
    }

    private inferOrder(expression: BinaryExpression, operator: '<' | '<=' | '>' | '>='): Type {
        if (this.checkNotChained(expression)) {
            return BOOLEAN_TYPE;
        }
        const left = this.checkInteger(expression.left, `the left side of \`${operator}\``);
        const right = this.checkInteger(expression.right, `the right side of \`${operator}\``);
        if (left === undefined || right === undefined) {
            return BOOLEAN_TYPE;
        }
        switch (operator) {
            case '<':
                return truth(left.high < right.low ? true : left.low >= right.high ? false : undefined);
            case '<=':
                return truth(left.high <= right.low ? true : left.low > right.high ? false : undefined);
            case '>':
                return truth(left.low > right.high ? true : left.high <= right.low ? false : undefined);
            case '>=':
                return truth(left.low >= right.high ? true : left.high < right.low ? false : undefined);
            default:
                return unreachable(operator);
        }
    }

    /** Reports `a < b < c` and returns whether it is one. */
    private checkNotChained(expression: BinaryExpression): boolean {
        const { left } = expression;
        if (ast.isBinaryExpression(left) && COMPARISONS.has(left.operator) && isInsideChain(left)) {
            this.typeOf(left);
            if (!ast.isSetLiteral(expression.right)) {
                this.typeOf(expression.right);
            }
            this.problems.error(
                'syntax/chained-comparison',
                'comparisons do not chain; write `a < b && b < c`',
                rangeOf(expression),
            );
            return true;
        }
        return false;
    }

    private inferArithmetic(expression: BinaryExpression, operator: '+' | '-' | '*' | 'div' | 'mod'): Type {
        const left = this.checkInteger(expression.left, `the left side of \`${operator}\``);
        const right = this.checkInteger(expression.right, `the right side of \`${operator}\``);
        if (left === undefined || right === undefined) {
            return UNKNOWN;
        }
        const result = apply(operator, left, right);
        if (result === undefined) {
            const isDivision = operator === 'div' || operator === 'mod';
            this.problems.faultWhenReached(
                isDivision ? 'type/division-by-zero' : 'type/overflow',
                isDivision ? 'the divisor is zero' : OVERFLOW,
                rangeOf(expression),
            );
            return UNKNOWN;
        }
        return integer(result.low, result.high);
    }

    private inferConditional(expression: Conditional): Type {
        const known = this.checkCondition(expression.condition, 'the condition after `if`');
        const then = this.problems.whileUnreachable(known === false, () => this.typeOf(expression.then));
        const otherwise = this.problems.whileUnreachable(known === true, () => this.typeOf(expression.otherwise));
        const joined = join(then, otherwise);
        if (joined === undefined) {
            this.problems.error(
                'type/mismatch',
                `the two branches do not go together: ${describeType(then)} and ${describeType(otherwise)}`,
                rangeOf(expression),
            );
            return UNKNOWN;
        }
        return joined.kind !== 'optional' && known !== undefined ? (known ? then : otherwise) : joined;
    }

    /** Checks the types that variables run through and returns the number of combinations. */
    checkBinders(groups: readonly BinderGroup[], what: string, node: AstNode): number {
        let assignments = 1;
        for (const group of groups) {
            const domain = this.constants.scalarOf(group.type);
            assignments *= domain === undefined ? 1 : domainSize(domain) ** group.variables.length;
        }
        if (assignments > EXPANSION_LIMIT) {
            this.problems.error(
                'type/too-large',
                `${what} runs through ${formatCount(assignments)} values; ` +
                    `at most ${formatCount(EXPANSION_LIMIT)} are possible`,
                rangeOf(node),
            );
        }
        return assignments;
    }

    private inferQuantifier(quantifier: Quantifier): Type {
        const assignments = this.checkBinders(quantifier.groups, 'the quantifier', quantifier);
        const where =
            quantifier.where === undefined
                ? undefined
                : this.checkCondition(quantifier.where, 'the condition after `where`');
        const isEmpty = assignments === 0 || where === false;
        return this.problems.whileUnreachable(isEmpty, () =>
            this.inferQuantifierBody(quantifier, assignments, isEmpty),
        );
    }

    private inferQuantifierBody(quantifier: Quantifier, assignments: number, isEmpty: boolean): Type {
        switch (quantifier.quantifier) {
            case 'forall':
            case 'exists': {
                const isForall = quantifier.quantifier === 'forall';
                const known = this.checkCondition(quantifier.body, `what \`${quantifier.quantifier}\` states`);
                return truth(isEmpty || known === isForall ? isForall : undefined);
            }
            case 'count':
                this.checkCondition(quantifier.body, 'what `count` counts');
                return integer(0, isEmpty ? 0 : assignments);
            case 'sum': {
                const term = this.checkInteger(quantifier.body, 'what `sum` adds up');
                if (term === undefined) {
                    return UNKNOWN;
                }
                const largest = isEmpty ? 0 : assignments;
                return integer(
                    Math.max(-LARGEST_INTEGER, Math.min(0, term.low * largest)),
                    Math.min(LARGEST_INTEGER, Math.max(0, term.high * largest)),
                );
            }
            case 'min':
            case 'max': {
                const { quantifier: name } = quantifier;
                const term = this.checkInteger(quantifier.body, `what \`${name}\` compares`);
                if (assignments === 0) {
                    this.problems.error(
                        'type/undefined',
                        `\`${name}\` of no value at all has no value: the type that it runs through is empty`,
                        rangeOf(quantifier),
                    );
                }
                return term === undefined ? UNKNOWN : integer(term.low, term.high);
            }
            default:
                return unreachable(quantifier.quantifier);
        }
    }
}

/** An array whose elements may be arrays themselves: then it has their indices, too. */
function arrayType(indices: readonly Domain[], fromLiteral: number, element: Type): ArrayType {
    return element.kind === 'array'
        ? {
              kind: 'array',
              indices: [...indices, ...element.indices],
              fromLiteral: fromLiteral === 0 ? 0 : fromLiteral + element.fromLiteral,
              element: element.element,
          }
        : { kind: 'array', indices, fromLiteral, element };
}

function hintFor(target: ast.Named): string {
    switch (target.$type) {
        case 'FunctionDeclaration':
        case 'BuiltinFunction':
            return `; call it: \`${target.name}(…)\``;
        case 'RecordDeclaration':
            return `; its values are written \`${target.name}(…)\``;
        case 'Process':
            return '; follow it by `at` and a label';
        default:
            return '';
    }
}

function countOf(count: number, word: string): string {
    return count === 1 ? `one ${word}` : `${count || 'no'} ${word}s`;
}

function describePlain(type: Type): string {
    return type.kind === 'record' ? type.shape.name : describeType(type);
}

function rangeText(expression: Expression): string {
    return expression.$cstNode?.text ?? '';
}

/** What is known of a comparison with `==` (`isEqual`) or `!=`. */
function knownEquality(left: Type, right: Type, isEqual: boolean): boolean | undefined {
    if (left.kind === 'integer' && right.kind === 'integer') {
        if (left.high < right.low || right.high < left.low) {
            return !isEqual;
        }
        const isDecided = left.low === left.high && right.low === right.high && left.low === right.low;
        return isDecided ? isEqual : undefined;
    }
    if (left.kind === 'boolean' && right.kind === 'boolean' && left.known !== undefined && right.known !== undefined) {
        return (left.known === right.known) === isEqual;
    }
    return undefined;
}

function describeInterval(type: Type): string {
    if (type.kind === 'array') {
        return `an array with elements that are ${describeInterval(type.element)}`;
    }
    if (type.kind !== 'integer') {
        return describeType(type);
    }
    return type.low === type.high ? `${type.low}` : `between ${type.low} and ${type.high}`;
}
