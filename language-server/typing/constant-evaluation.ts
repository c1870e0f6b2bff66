/**
 * The value of an expression that must be known before a run. In: an expression over parameters, constants, names of
 * enumerations, channels, functions and the variables of its own quantifiers. Out: its value, as the run would compute
 * it, or undefined.
 *
 * Undefined means that a problem has been or will be reported: here for what is not constant, too long or a fault, by
 * the type check of the same expression for everything else. What goes wrong inside a function is shown at the call.
 */
import { unreachable } from '../../engine/common/assert.js';
import { domainSize, NONE, valueOfCode, type Domain, type Value } from '../../engine/model/domain.js';
import { applyBinary, extremumOf } from '../../engine/sequential/expression/evaluate.js';
import type { FaultKind } from '../../engine/sequential/sequential-model.js';
import * as ast from '../generated/ast.js';
import type {
    BinderGroup,
    BinderVariable,
    Call,
    ChannelDeclaration,
    Constant,
    EnumerationValue,
    Expression,
    FunctionDeclaration,
    IndexType,
    Parameter,
    ProcessIndex,
    Quantifier,
    RecordDeclaration,
    Reference,
    Statement,
    Type,
} from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import type { ProblemCode } from '../problems/codes.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import {
    areEqualValues,
    arrayOf,
    filledWith,
    firstValueOf,
    formatConstant,
    isArrayValue,
    isRecordValue,
    misfitOf,
    positionIn,
    valueAs,
    valueOfCell,
    type ConstantValue,
} from './constant-value.js';
import { describeNamed } from './describe.js';
import { cellCount, formatShape, type RecordShape, type Shape } from './shape.js';
import { OVERFLOW } from './type.js';

/** The most assignments that one quantifier, family or array runs through. */
export const EXPANSION_LIMIT = 1_000_000;

/** How many operations the evaluation of one constant may take, and how many that of all of them. */
const OPERATION_LIMIT = 1_000_000;
const TOTAL_LIMIT = 2_000_000;

/** How deep expressions and statements may be nested, those of called functions included: the evaluation is recursive. */
const DEPTH_LIMIT = 1200;

/** How many calls may be open at a time. */
const CALL_LIMIT = 200;

/** What the names in an expression mean. */
export interface ConstantNames {
    valueOf(declaration: Parameter | Constant): ConstantValue | undefined;
    shapeOf(type: Type): Shape | undefined;
    shapeOfRecord(declaration: RecordDeclaration): RecordShape | undefined;
    shapeOfBinder(binder: ProcessIndex | BinderVariable): Shape | undefined;
    domainOfBinder(binder: ProcessIndex | BinderVariable): Domain | undefined;
    indexDomainOf(index: IndexType): Domain | undefined;
    channelValueOf(declaration: ChannelDeclaration, position: number): Value | undefined;
}

/** The values of names that live inside an expression or a function. */
type Binding = Map<ast.Named, ConstantValue>;

/** How a statement ends: what `return` gives, or the next statement. */
type Outcome = { readonly returned: ConstantValue } | 'next';

export class ConstantEvaluator {
    private readonly names: ConstantNames;
    private readonly problems: ProblemCollector;
    private operationsLeft = OPERATION_LIMIT;
    private totalLeft = TOTAL_LIMIT;
    private isOver = false;
    private depth = 0;
    /** From the outside in. */
    private readonly calls: { readonly call: Call; readonly target: FunctionDeclaration }[] = [];

    constructor(names: ConstantNames, problems: ProblemCollector) {
        this.names = names;
        this.problems = problems;
    }

    evaluate(expression: Expression): ConstantValue | undefined {
        return this.evaluateForAll(expression, [new Map()])?.[0];
    }

    /** One value for each binding: what names stand for beside the constants. Together they count as one constant. */
    evaluateForAll(
        expression: Expression,
        bindings: readonly ReadonlyMap<ast.Named, ConstantValue>[],
    ): ConstantValue[] | undefined {
        // A declaration that another one needs counts as part of that one.
        const isOutermost = this.depth === 0;
        if (isOutermost) {
            this.operationsLeft = Math.min(OPERATION_LIMIT, this.totalLeft);
        }
        const before = this.operationsLeft;
        const values: ConstantValue[] = [];
        for (const binding of bindings) {
            const value = this.inside(expression, new Map(binding));
            if (value === undefined) {
                break;
            }
            values.push(value);
        }
        if (isOutermost) {
            this.totalLeft -= before - Math.max(0, this.operationsLeft);
        }
        return values.length < bindings.length ? undefined : values;
    }

    /** One level deeper. */
    private inside(expression: Expression, binding: Binding): ConstantValue | undefined {
        if (--this.operationsLeft < 0) {
            this.reportTooLong(expression);
            return undefined;
        }
        if (this.depth >= DEPTH_LIMIT || this.calls.length > CALL_LIMIT) {
            this.report('type/too-large', 'the calls of functions in this constant are nested too deeply', expression);
            return undefined;
        }
        this.depth++;
        try {
            return this.compute(expression, binding);
        } finally {
            this.depth--;
        }
    }

    private compute(expression: Expression, binding: Binding): ConstantValue | undefined {
        switch (expression.$type) {
            case 'NumberLiteral':
                return expression.value;
            case 'BooleanLiteral':
                return expression.value === 'true' ? 1 : 0;
            case 'NoneLiteral':
                return NONE;
            case 'Reference':
                return this.evaluateReference(expression, binding);
            case 'UnaryExpression': {
                const operand = this.number(expression.operand, binding);
                if (operand === undefined) {
                    return undefined;
                }
                return expression.operator === '!' ? 1 - operand : 0 - operand;
            }
            case 'BinaryExpression':
                return this.evaluateBinary(expression, binding);
            case 'Conditional': {
                const condition = this.number(expression.condition, binding);
                if (condition === undefined) {
                    return undefined;
                }
                return this.inside(condition !== 0 ? expression.then : expression.otherwise, binding);
            }
            case 'Quantifier':
                return this.evaluateQuantifier(expression, binding);
            case 'ArrayLiteral':
                return expression.comprehension === undefined
                    ? this.evaluateLiteral(expression, binding)
                    : this.evaluateComprehension(expression.comprehension, binding);
            case 'FieldAccess':
                return this.evaluateField(expression, binding);
            case 'Call':
                return this.evaluateCall(expression, binding);
            case 'SetLiteral':
                // A set stands only right of `in`, where it is looked into; the type check says so.
                return undefined;
            default:
                return unreachable(expression);
        }
    }

    private number(expression: Expression, binding: Binding): Value | undefined {
        const value = this.inside(expression, binding);
        return typeof value === 'number' ? value : undefined;
    }

    private all(expressions: readonly Expression[], binding: Binding): ConstantValue[] | undefined {
        const values: ConstantValue[] = [];
        for (const expression of expressions) {
            const value = this.inside(expression, binding);
            if (value === undefined) {
                return undefined;
            }
            values.push(value);
        }
        return values;
    }

    private evaluateReference(reference: Reference, binding: Binding): ConstantValue | undefined {
        const target = reference.target.ref;
        if (target === undefined) {
            return undefined;
        }
        if (reference.label !== undefined) {
            this.report('type/not-constant', 'this must be known before a run, not where a process is', reference);
            return undefined;
        }
        if (ast.isChannelDeclaration(target)) {
            return this.evaluateChannel(reference, target, binding);
        }
        const value = this.valueOfName(reference, target, binding);
        return value === undefined ? undefined : this.elementOf(value, reference, binding);
    }

    private valueOfName(reference: Reference, target: ast.Named, binding: Binding): ConstantValue | undefined {
        const bound = binding.get(target);
        if (bound !== undefined) {
            return bound;
        }
        if (ast.isParameter(target)) {
            return this.names.valueOf(target);
        }
        if (ast.isConstant(target)) {
            // Of a process: what it names may depend on the binding.
            return ast.isModel(target.$container) || binding.size === 0
                ? this.names.valueOf(target)
                : this.inside(target.value, binding);
        }
        if (ast.isLet(target)) {
            return this.inside(target.value, binding);
        }
        if (ast.isEnumerationValue(target)) {
            return positionOf(target);
        }
        const what = `\`${target.name}\` is ${describeNamed(target)}`;
        const inCall = this.calls.at(-1);
        this.report(
            'type/not-constant',
            inCall === undefined
                ? `this must be known before a run, but ${what}`
                : `this must be known before a run, but \`${inCall.target.name}\` reads \`${target.name}\`, ` +
                      `which is ${describeNamed(target)}`,
            reference,
        );
        return undefined;
    }

    private evaluateChannel(
        reference: Reference,
        channel: ChannelDeclaration,
        binding: Binding,
    ): ConstantValue | undefined {
        const domains = channel.indices.map(index => this.names.indexDomainOf(index)).filter(isKnown);
        const indices = this.all(reference.indices, binding);
        if (indices === undefined || domains.length < channel.indices.length || indices.length !== domains.length) {
            return undefined;
        }
        const place = positionIn(domains, indices);
        if ('outside' in place) {
            this.reportOutside(reference.indices[place.outside] ?? reference, domains[place.outside]);
            return undefined;
        }
        return this.names.channelValueOf(channel, place.position);
    }

    /** `value` with the indices that follow it in the text. */
    private elementOf(
        value: ConstantValue,
        node: Reference | Call | ast.FieldAccess,
        binding: Binding,
    ): ConstantValue | undefined {
        if (node.indices.length === 0) {
            return value;
        }
        const indices = this.all(node.indices, binding);
        if (indices === undefined || !isArrayValue(value) || value.indices.length !== indices.length) {
            return undefined;
        }
        const place = positionIn(value.indices, indices);
        if ('outside' in place) {
            this.reportOutside(node.indices[place.outside] ?? node, value.indices[place.outside]);
            return undefined;
        }
        return value.elements[place.position];
    }

    private evaluateField(access: ast.FieldAccess, binding: Binding): ConstantValue | undefined {
        const record = this.inside(access.record, binding);
        const field = access.field.ref;
        if (record === undefined || !ast.isRecordField(field) || !isRecordValue(record)) {
            return undefined;
        }
        const value = record.fields[record.shape.declaration.fields.indexOf(field)];
        return value === undefined ? undefined : this.elementOf(value, access, binding);
    }

    private evaluateLiteral(literal: ast.ArrayLiteral, binding: Binding): ConstantValue | undefined {
        const elements = this.all(literal.elements, binding);
        return elements && arrayOf([{ kind: 'range', low: 0, high: elements.length - 1 }], elements);
    }

    private evaluateComprehension(comprehension: ast.Comprehension, binding: Binding): ConstantValue | undefined {
        const domains = this.domainsOf(comprehension.groups);
        if (domains === undefined) {
            return undefined;
        }
        const elements: ConstantValue[] = [];
        for (const inner of this.assignments(comprehension.groups, domains, binding)) {
            const element = this.inside(comprehension.body, inner);
            if (element === undefined) {
                return undefined;
            }
            elements.push(element);
        }
        return arrayOf(domains, elements);
    }

    private evaluateBinary(expression: ast.BinaryExpression, binding: Binding): ConstantValue | undefined {
        const { operator } = expression;
        if (operator === 'in') {
            return this.evaluateMembership(expression, binding);
        }
        const left = this.inside(expression.left, binding);
        if (left === undefined) {
            return undefined;
        }
        // The right side of a decided operator is not evaluated, as at run time.
        if ((operator === '&&' && left === 0) || (operator === '||' && left !== 0)) {
            return left;
        }
        if (operator === 'implies' && left === 0) {
            return 1;
        }
        const right = this.inside(expression.right, binding);
        if (right === undefined) {
            return undefined;
        }
        switch (operator) {
            case '&&':
            case '||':
            case 'implies':
                return right;
            case '==':
            case '!=':
                return areEqualValues(left, right) === (operator === '==') ? 1 : 0;
            case '<':
            case '<=':
            case '>':
            case '>=':
            case '+':
            case '-':
            case '*':
            case 'div':
            case 'mod':
                return typeof left === 'number' && typeof right === 'number'
                    ? this.checked(applyBinary(operator, left, right), expression)
                    : undefined;
            default:
                return unreachable(operator);
        }
    }

    private evaluateMembership(expression: ast.BinaryExpression, binding: Binding): ConstantValue | undefined {
        const value = this.inside(expression.left, binding);
        if (value === undefined) {
            return undefined;
        }
        const { right } = expression;
        if (!ast.isSetLiteral(right)) {
            const shape = this.shapeOfTypeName(right);
            const typed = shape && valueAs(shape, value);
            return shape === undefined
                ? undefined
                : typed !== undefined && misfitOf(shape, typed) === undefined
                  ? 1
                  : 0;
        }
        for (const element of right.elements) {
            const low = this.inside(element.low, binding);
            const high = element.high === undefined ? low : this.inside(element.high, binding);
            if (low === undefined || high === undefined) {
                return undefined;
            }
            const isBetween =
                typeof low === 'number' && typeof high === 'number' && typeof value === 'number'
                    ? low <= value && value <= high
                    : areEqualValues(low, value);
            if (isBetween) {
                return 1;
            }
        }
        return 0;
    }

    /** The type whose name stands right of `in`. */
    private shapeOfTypeName(expression: Expression): Shape | undefined {
        const target = ast.isReference(expression) ? expression.target.ref : undefined;
        if (ast.isRecordDeclaration(target)) {
            return this.names.shapeOfRecord(target);
        }
        if (ast.isTypeDeclaration(target)) {
            return this.names.shapeOf(target.type);
        }
        if (ast.isEnumeration(target)) {
            const domain: Domain = {
                kind: 'enumeration',
                name: target.name,
                values: target.values.map(({ name }) => name),
            };
            return { kind: 'scalar', domain };
        }
        return undefined;
    }

    private evaluateQuantifier(quantifier: Quantifier, outer: Binding): ConstantValue | undefined {
        const domains = this.domainsOf(quantifier.groups);
        if (domains === undefined) {
            return undefined;
        }
        let total = 0;
        let extremum = NONE;
        for (const binding of this.assignments(quantifier.groups, domains, outer)) {
            const condition = quantifier.where === undefined ? 1 : this.number(quantifier.where, binding);
            if (condition === 0) {
                continue;
            }
            const value = condition === undefined ? undefined : this.number(quantifier.body, binding);
            if (value === undefined) {
                return undefined;
            }
            switch (quantifier.quantifier) {
                case 'forall':
                case 'exists': {
                    const deciding = quantifier.quantifier === 'exists';
                    if ((value !== 0) === deciding) {
                        return deciding ? 1 : 0;
                    }
                    break;
                }
                case 'count':
                case 'sum': {
                    const sum = this.checked(applyBinary('+', total, value), quantifier);
                    if (sum === undefined) {
                        return undefined;
                    }
                    total = sum;
                    break;
                }
                case 'min':
                case 'max':
                    extremum = extremumOf(quantifier.quantifier, [extremum, value]);
                    break;
                default:
                    unreachable(quantifier.quantifier);
            }
        }
        switch (quantifier.quantifier) {
            case 'forall':
                return 1;
            case 'exists':
            case 'count':
            case 'sum':
                return total;
            case 'min':
            case 'max':
                return extremum === NONE ? this.checked('undefined', quantifier) : extremum;
            default:
                return unreachable(quantifier.quantifier);
        }
    }

    /** The domains that the variables of a quantifier run through. Too many values are reported by the type check. */
    private domainsOf(groups: readonly BinderGroup[]): Domain[] | undefined {
        const variables = groups.flatMap(group => group.variables);
        const domains = variables.map(variable => this.names.domainOfBinder(variable)).filter(isKnown);
        return domains.length < variables.length || cellCount(domains) > EXPANSION_LIMIT ? undefined : domains;
    }

    /** All assignments of values on top of `outer`, the last variable fastest. The map is the same each time. */
    private *assignments(
        groups: readonly BinderGroup[],
        domains: readonly Domain[],
        outer: Binding,
    ): Generator<Binding> {
        const variables = groups.flatMap(group =>
            group.variables.map(variable => ({ variable, shape: this.names.shapeOfBinder(variable) })),
        );
        const binding: Binding = new Map(outer);
        const total = cellCount(domains);
        for (let position = 0; position < total; position++) {
            let rest = position;
            for (let index = variables.length - 1; index >= 0; index--) {
                const [entry, domain] = [variables[index], domains[index]];
                if (entry?.shape !== undefined && domain !== undefined) {
                    const value = valueOfCode(domain, rest % domainSize(domain));
                    binding.set(entry.variable, valueOfCell(entry.shape, value));
                    rest = Math.floor(rest / domainSize(domain));
                }
            }
            yield binding;
        }
    }

    private evaluateCall(call: Call, binding: Binding): ConstantValue | undefined {
        const target = call.function.ref;
        if (target === undefined) {
            return undefined;
        }
        const value = ast.isBuiltinFunction(target)
            ? this.evaluateBuiltin(call, target.name, binding)
            : ast.isRecordDeclaration(target)
              ? this.construct(call, target, binding)
              : ast.isFunctionDeclaration(target)
                ? this.apply(call, target, binding)
                : undefined;
        return value === undefined ? undefined : this.elementOf(value, call, binding);
    }

    private construct(call: Call, declaration: RecordDeclaration, binding: Binding): ConstantValue | undefined {
        const shape = this.names.shapeOfRecord(declaration);
        const values = this.all(call.arguments, binding);
        if (shape === undefined || values === undefined || values.length !== shape.fields.length) {
            return undefined;
        }
        const fields = shape.fields.map((field, position) => {
            const value = values[position];
            return value === undefined ? undefined : valueAs(field.shape, value);
        });
        return fields.every(isKnown)
            ? this.inRange(shape, { kind: 'record', shape, fields }, `\`${declaration.name}\``, call)
            : undefined;
    }

    private evaluateBuiltin(call: Call, name: string, binding: Binding): ConstantValue | undefined {
        if (name === 'len') {
            return this.evaluateLength(call, binding);
        }
        const values = this.all(call.arguments, binding)?.filter(value => typeof value === 'number');
        const [left, right] = values ?? [];
        if (values === undefined || left === undefined || right === undefined) {
            return undefined;
        }
        switch (name) {
            case 'min':
            case 'max':
                return extremumOf(name, values);
            case 'pow':
            case 'xor':
            case 'bitand':
            case 'bitor':
            case 'shl':
            case 'shr':
                return this.checked(applyBinary(name, left, right), call);
            default:
                return undefined;
        }
    }

    /** The length of an array is known from its type alone; that of a channel changes. */
    private evaluateLength(call: Call, binding: Binding): ConstantValue | undefined {
        const [argument] = call.arguments;
        const target = ast.isReference(argument) ? argument.target.ref : undefined;
        if (argument === undefined) {
            return undefined;
        }
        if (ast.isChannelDeclaration(target)) {
            this.report('type/not-constant', 'this must be known before a run, but messages come and go', call);
            return undefined;
        }
        if (ast.isVariable(target) && ast.isReference(argument) && argument.indices.length === 0) {
            const shape = this.names.shapeOf(target.type);
            return shape?.kind === 'array' ? sizeOfFirst(shape.indices) : undefined;
        }
        const value = this.inside(argument, binding);
        return value !== undefined && isArrayValue(value) ? sizeOfFirst(value.indices) : undefined;
    }

    /** Calls a function: its parameters and its own variables are the only names that it brings. */
    private apply(call: Call, target: FunctionDeclaration, binding: Binding): ConstantValue | undefined {
        const values = this.all(call.arguments, binding);
        const result = this.names.shapeOf(target.result);
        if (values === undefined || result === undefined || values.length !== target.parameters.length) {
            return undefined;
        }
        this.calls.push({ call, target });
        try {
            const frame: Binding = new Map();
            for (const [position, parameter] of target.parameters.entries()) {
                const value = this.store(parameter.type, values[position], `\`${parameter.name}\``, call);
                if (value === undefined) {
                    return undefined;
                }
                frame.set(parameter, value);
            }
            const value = this.resultOf(target, frame);
            const typed = value === undefined ? undefined : valueAs(result, value);
            const what = `the result of \`${target.name}\``;
            return typed === undefined ? undefined : this.inRange(result, typed, what, call);
        } finally {
            this.calls.pop();
        }
    }

    private resultOf(target: FunctionDeclaration, frame: Binding): ConstantValue | undefined {
        if (target.value !== undefined) {
            return this.inside(target.value, frame);
        }
        const outcome = target.body === undefined ? undefined : this.run(target.body.statements, frame);
        return outcome === undefined || outcome === 'next' ? undefined : outcome.returned;
    }

    private run(statements: readonly Statement[], frame: Binding): Outcome | undefined {
        this.depth++;
        try {
            for (const statement of statements) {
                const outcome = this.execute(statement, frame);
                if (outcome !== 'next') {
                    return outcome;
                }
            }
            return 'next';
        } finally {
            this.depth--;
        }
    }

    private execute(statement: Statement, frame: Binding): Outcome | undefined {
        switch (statement.$type) {
            case 'Skip':
                return 'next';
            case 'Return': {
                const returned = this.inside(statement.value, frame);
                return returned === undefined ? undefined : { returned };
            }
            case 'Let': {
                const value = this.inside(statement.value, frame);
                return value === undefined ? undefined : this.set(statement, value, frame);
            }
            case 'Variable': {
                const value = this.initialValueOf(statement, frame);
                return value === undefined ? undefined : this.set(statement, value, frame);
            }
            case 'Assertion': {
                const holds = this.number(statement.condition, frame);
                if (holds === 0) {
                    this.report('type/undefined', 'an `assert` of the function fails here', statement);
                }
                return holds === undefined || holds === 0 ? undefined : 'next';
            }
            case 'Assignment':
                return this.assign(statement, frame);
            case 'IfStatement':
                return this.branch(statement, frame);
            case 'WhileStatement':
                for (;;) {
                    const condition = this.number(statement.condition, frame);
                    if (condition === undefined) {
                        return undefined;
                    }
                    const outcome = condition === 0 ? 'leave' : this.run(statement.body.statements, frame);
                    if (outcome !== 'next') {
                        return outcome === 'leave' ? 'next' : outcome;
                    }
                }
            case 'ForStatement': {
                const domains = this.domainsOf(statement.groups);
                if (domains === undefined) {
                    return undefined;
                }
                for (const assignment of this.assignments(statement.groups, domains, new Map())) {
                    assignment.forEach((value, variable) => frame.set(variable, value));
                    const outcome = this.run(statement.body.statements, frame);
                    if (outcome !== 'next') {
                        return outcome;
                    }
                }
                return 'next';
            }
            default:
                return unreachable(statement);
        }
    }

    private branch(statement: ast.IfStatement, frame: Binding): Outcome | undefined {
        const condition = this.number(statement.condition, frame);
        if (condition === undefined) {
            return undefined;
        }
        if (condition !== 0) {
            return this.run(statement.then.statements, frame);
        }
        if (statement.elseIf !== undefined) {
            return this.branch(statement.elseIf, frame);
        }
        return statement.otherwise === undefined ? 'next' : this.run(statement.otherwise.statements, frame);
    }

    private set(name: ast.Named, value: ConstantValue, frame: Binding): Outcome {
        frame.set(name, value);
        return 'next';
    }

    private initialValueOf(variable: ast.Variable, frame: Binding): ConstantValue | undefined {
        const shape = this.names.shapeOf(variable.type);
        if (shape === undefined) {
            return undefined;
        }
        if (variable.initializer === undefined) {
            return firstValueOf(shape);
        }
        const value = this.inside(variable.initializer, frame);
        if (value === undefined) {
            return undefined;
        }
        const filled = shape.kind === 'array' && !isArrayValue(value) ? filledWith(shape, value) : value;
        return this.store(variable.type, filled, `\`${variable.name}\``, variable.initializer);
    }

    private assign(statement: ast.Assignment, frame: Binding): Outcome | undefined {
        const value = this.inside(statement.value, frame);
        const steps: (Reference | ast.FieldAccess)[] = [];
        let target: Expression = statement.target;
        while (ast.isFieldAccess(target)) {
            steps.unshift(target);
            target = target.record;
        }
        const variable = ast.isReference(target) ? target.target.ref : undefined;
        if (value === undefined || !ast.isVariable(variable) || !ast.isReference(target)) {
            return undefined;
        }
        const current = frame.get(variable);
        const changed = current === undefined ? undefined : this.changed(current, [target, ...steps], value, frame);
        const stored = this.store(variable.type, changed, `\`${variable.name}\``, statement);
        return stored === undefined ? undefined : this.set(variable, stored, frame);
    }

    /** `current` with `value` in the place that the steps lead to: indices of a name, then fields with their indices. */
    private changed(
        current: ConstantValue,
        steps: readonly (Reference | ast.FieldAccess)[],
        value: ConstantValue,
        frame: Binding,
    ): ConstantValue | undefined {
        const [step, ...rest] = steps;
        if (step === undefined) {
            return value;
        }
        if (ast.isFieldAccess(step)) {
            const field = step.field.ref;
            if (!isRecordValue(current) || !ast.isRecordField(field)) {
                return undefined;
            }
            const position = current.shape.declaration.fields.indexOf(field);
            const part = current.fields[position];
            const changed = part === undefined ? undefined : this.changedElement(part, step, rest, value, frame);
            return changed === undefined
                ? undefined
                : { ...current, fields: replaced(current.fields, position, changed) };
        }
        return this.changedElement(current, step, rest, value, frame);
    }

    private changedElement(
        current: ConstantValue,
        step: Reference | ast.FieldAccess,
        rest: readonly (Reference | ast.FieldAccess)[],
        value: ConstantValue,
        frame: Binding,
    ): ConstantValue | undefined {
        if (step.indices.length === 0) {
            return this.changed(current, rest, value, frame);
        }
        const indices = this.all(step.indices, frame);
        if (indices === undefined || !isArrayValue(current) || indices.length !== current.indices.length) {
            return undefined;
        }
        const place = positionIn(current.indices, indices);
        if ('outside' in place) {
            this.reportOutside(step.indices[place.outside] ?? step, current.indices[place.outside]);
            return undefined;
        }
        // Copying is work, too.
        this.operationsLeft -= Math.floor(current.elements.length / 16);
        const element = current.elements[place.position];
        const changed = element === undefined ? undefined : this.changed(element, rest, value, frame);
        return changed === undefined
            ? undefined
            : { ...current, elements: replaced(current.elements, place.position, changed) };
    }

    /** The value as one that a variable of this type holds. */
    private store(
        type: Type,
        value: ConstantValue | undefined,
        what: string,
        node: ast.Expression | ast.Statement,
    ): ConstantValue | undefined {
        const shape = this.names.shapeOf(type);
        const typed = shape === undefined || value === undefined ? undefined : valueAs(shape, value);
        return shape === undefined || typed === undefined ? undefined : this.inRange(shape, typed, what, node);
    }

    private inRange(
        shape: Shape,
        value: ConstantValue,
        what: string,
        node: ast.Expression | ast.Statement,
    ): ConstantValue | undefined {
        const misfit = misfitOf(shape, value);
        if (misfit === undefined) {
            return value;
        }
        const text = formatConstant(misfit.shape, misfit.value);
        if (misfit.shape.kind === 'record') {
            this.report(
                'type/out-of-range',
                `there is no ${text}: the \`where\` of \`${misfit.shape.name}\` excludes it`,
                node,
            );
            return undefined;
        }
        this.report(
            'type/out-of-range',
            `${what} has the type \`${formatShape(misfit.shape)}\`, but gets ${text}`,
            node,
        );
        return undefined;
    }

    /** The outcome of an operator; a fault of it is an error of the text. */
    private checked(outcome: Value | FaultKind, expression: Expression): Value | undefined {
        if (typeof outcome === 'number') {
            return outcome;
        }
        switch (outcome) {
            case 'division':
                this.report('type/division-by-zero', 'the divisor is zero', expression);
                return undefined;
            case 'undefined':
                this.report('type/undefined', whyUndefined(expression), expression);
                return undefined;
            default:
                this.report('type/overflow', OVERFLOW, expression);
                return undefined;
        }
    }

    private reportOutside(node: Expression, domain: Domain | undefined): void {
        const bounds = domain === undefined ? '' : `: it must be one of \`${formatShape({ kind: 'scalar', domain })}\``;
        this.report('type/out-of-range', `the index lies outside of the array${bounds}`, node);
    }

    /** When the time for all constants is over, no other one can be computed: that is said once. */
    private reportTooLong(expression: Expression): void {
        const isOver = this.totalLeft < OPERATION_LIMIT;
        if (!isOver || !this.isOver) {
            const what = isOver ? 'the constants of the model take' : 'the constant takes';
            this.report('type/too-large', `${what} too long to compute`, expression);
        }
        this.isOver ||= isOver;
    }

    /** Inside a function the call in the text is what is wrong, and the place in the function is named beside it. */
    private report(code: ProblemCode, message: string, node: ast.Expression | ast.Statement): void {
        const [outermost] = this.calls;
        if (outermost === undefined) {
            this.problems.error(code, message, rangeOf(node));
            return;
        }
        const innermost = this.calls.at(-1)?.target.name ?? outermost.target.name;
        const text = code === 'type/not-constant' ? message : `in \`${innermost}\`: ${message}`;
        const related = node === outermost.call ? [] : [{ message: 'it happens here', range: rangeOf(node) }];
        this.problems.error(code, text, rangeOf(outermost.call), related);
    }
}

/** Why an operation has no value for what it is given. */
function whyUndefined(expression: Expression): string {
    if (ast.isQuantifier(expression)) {
        return `\`${expression.quantifier}\` of no value at all has no value; here nothing satisfies the \`where\``;
    }
    const name = ast.isCall(expression) ? expression.function.$refText : '';
    return name === 'pow'
        ? 'the exponent of `pow` must not be negative'
        : `\`${name}\` works on the bits of integers from 0 on, but here one is negative`;
}

function replaced(values: readonly ConstantValue[], position: number, value: ConstantValue): ConstantValue[] {
    const copy = [...values];
    copy[position] = value;
    return copy;
}

function sizeOfFirst(indices: readonly Domain[]): number | undefined {
    const [first] = indices;
    return first && domainSize(first);
}

function isKnown<Item>(item: Item | undefined): item is Item {
    return item !== undefined;
}

/** The position of an enumeration's name, which is its value. */
export function positionOf(value: EnumerationValue): Value {
    return value.$container.values.indexOf(value);
}
