/**
 * The value of an expression that must be known before a run: over parameters, constants, names of enumerations,
 * channels, functions and the variables of its own quantifiers. The value is that which a run would compute.
 *
 * The result is undefined if the expression has a problem. This file reports expressions that are not constant, take
 * too long or fault; the type check of the same expression reports everything else.
 */
import { isFunctionOperator } from '../../engine/common/interval.js';
import { unreachable } from '../../engine/common/assert.js';
import { domainSize, isReference, NONE, type Domain, type Value } from '../../engine/model/domain.js';
import type { FaultKind } from '../../engine/sequential/sequential-model.js';
import * as ast from '../generated/nodes.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { textOf } from '../tree/source-text.js';
import { collectionOf, isListedSet } from '../references/binders.js';
import { hasCases } from '../references/constructors.js';
import { variablesOf } from '../references/locals.js';
import { runStatements, type ConstantBinding, type ExpressionEvaluator } from './constant-statements.js';
import { describeNamed } from '../problems/describe.js';
import { ConstantArray, constantArrayOf, positionIn } from '../representation/array.js';
import { ScalarShape } from '../representation/cell.js';
import { ConstantCase, partOfField } from '../representation/enumeration.js';
import { ConstantRecord, RecordShape } from '../representation/record.js';
import {
    areEqualConstants,
    ConstantSequence,
    constantSequenceOf,
    indicesOfConstant,
    rowOfConstant,
} from '../representation/sequence.js';
import { ConstantSet, distinct } from '../representation/set.js';
import { applyToSequence } from './constant-sequences.js';
import { isSequenceFunction, type SequenceFunction } from '../references/builtin-functions.js';
import { EXPANSION_LIMIT, areEqualValues, type ConstantValue } from '../representation/shape.js';
import { OVERFLOW, whyUndefined } from '../representation/type.js';
import { EvaluationContext, known, noValue, type ConstantNames } from './evaluation-context.js';
import { caseNamedBy } from './possible-cases.js';
import { applyBinary, extremumOf } from '../../engine/sequential/expression/arithmetic.js';
import { sizeOfArray, valuation } from '../../engine/sequential/cell-layout.js';

const PLACE = 'this must be known before a run, not where a process is';
const COMES_AND_GOES = 'this must be known before a run, but instances come and go';

export class ConstantEvaluator implements ExpressionEvaluator {
    readonly context: EvaluationContext;
    private readonly names: ConstantNames;

    constructor(names: ConstantNames, problems: ProblemCollector) {
        this.names = names;
        this.context = new EvaluationContext(names, problems);
    }

    evaluate(expression: ast.Expression): ConstantValue | undefined {
        return this.context.run(() => this.valueOf(expression, new Map()));
    }

    /** One value for each binding of names. Together they count as one constant. */
    evaluateForAll(
        expression: ast.Expression,
        bindings: readonly ReadonlyMap<ast.Named, ConstantValue>[],
    ): ConstantValue[] | undefined {
        return this.context.run(() => bindings.map(binding => this.valueOf(expression, new Map(binding))));
    }

    valueOf(expression: ast.Expression, binding: ConstantBinding): ConstantValue {
        this.context.enter(expression);
        const value = this.compute(expression, binding);
        this.context.leave();
        return value;
    }

    numberOf(expression: ast.Expression, binding: ConstantBinding): Value {
        const value = this.valueOf(expression, binding);
        return typeof value === 'number' ? value : noValue();
    }

    positionOf(
        indices: readonly ast.Expression[],
        domains: readonly Domain[],
        node: ast.Expression,
        binding: ConstantBinding,
    ): number {
        const values = this.valuesOf(indices, binding);
        const place = values.length === domains.length ? positionIn(domains, values) : noValue();
        if ('position' in place) {
            return place.position;
        }
        const domain = domains[place.outside];
        const bounds = domain === undefined ? '' : `: it must be one of \`${new ScalarShape(domain).format()}\``;
        const message = `the index lies outside of the array${bounds}`;
        return this.context.fail('type/out-of-range', message, indices[place.outside] ?? node);
    }

    /** All assignments of values on top of `outer`, the last variable fastest. The map is the same each time. */
    *assignmentsOf(groups: readonly ast.BinderGroup[], outer: ConstantBinding): Generator<ConstantBinding> {
        if (groups.some(group => collectionOf(group) !== undefined)) {
            yield* this.assignmentsOfSets(groups, new Map(outer));
            return;
        }
        const domains = this.domainsOf(groups);
        const variables = variablesOf(groups).map(variable => ({
            variable,
            shape: known(this.names.shapeOfBinder(variable)),
        }));
        const binding: ConstantBinding = new Map(outer);
        const total = sizeOfArray(domains);
        for (let position = 0; position < total; position++) {
            const values = valuation(domains, position);
            for (const [index, { variable, shape }] of variables.entries()) {
                binding.set(variable, shape.constantOfCell(values[index] ?? NONE));
            }
            yield binding;
        }
    }

    /** The same where some variables run through sets, which may depend on the variables before them. */
    private *assignmentsOfSets(
        [group, ...others]: readonly ast.BinderGroup[],
        binding: ConstantBinding,
    ): Generator<ConstantBinding> {
        if (group === undefined) {
            yield binding;
            return;
        }
        const set = collectionOf(group);
        const choices =
            set === undefined
                ? this.assignmentsOf([group], new Map())
                : this.assignmentsIn(this.collectionOf(set, binding).parts, group.variables);
        for (const choice of choices) {
            choice.forEach((value, variable) => binding.set(variable, value));
            yield* this.assignmentsOfSets(others, binding);
        }
    }

    private *assignmentsIn(
        parts: readonly ConstantValue[],
        [variable, ...others]: readonly ast.BinderVariable[],
    ): Generator<ConstantBinding> {
        if (variable === undefined) {
            yield new Map();
            return;
        }
        for (const part of parts) {
            for (const rest of this.assignmentsIn(parts, others)) {
                yield rest.set(variable, part);
            }
        }
    }

    /** What a variable runs through: of a sequence its places in order, of a bag its different values. */
    private collectionOf(expression: ast.Expression, binding: ConstantBinding): ConstantSet | ConstantSequence {
        const value = this.valueOf(expression, binding);
        return value instanceof ConstantSet
            ? new ConstantSet(distinct(value.parts))
            : (constantSequenceOf(value) ?? noValue());
    }

    private evaluateSequence(call: ast.Call, name: SequenceFunction, binding: ConstantBinding): ConstantValue {
        const [first, ...given] = this.valuesOf(call.arguments, binding);
        const sequence = known(constantSequenceOf(known(first)));
        const others = name === 'concat' ? given.map(value => known(constantSequenceOf(value))) : given;
        this.context.spend(sequence.parts.length, call);
        const value = applyToSequence(name, sequence, others);
        if (typeof value === 'number' || !('fault' in value)) {
            return value;
        }
        return value.fault === 'index'
            ? this.context.fail('type/out-of-range', `\`${name}\` names a place that is not there`, call)
            : this.context.fail('type/undefined', `\`${name}\` of an empty sequence has no value`, call);
    }

    /** The domains of the variables of a quantifier. The type check reports too many values. */
    private domainsOf(groups: readonly ast.BinderGroup[]): Domain[] {
        const domains = variablesOf(groups).map(variable => known(this.names.domainOfBinder(variable)));
        const binding = groups[0]?.$container;
        if (binding !== undefined && domains.some(isReference)) {
            const node = ast.isComprehension(binding) ? binding.$container : binding;
            return ast.isExpression(node) ? this.context.fail('reference/constant', COMES_AND_GOES, node) : noValue();
        }
        return sizeOfArray(domains) > EXPANSION_LIMIT ? noValue() : domains;
    }

    private valuesOf(expressions: readonly ast.Expression[], binding: ConstantBinding): ConstantValue[] {
        return expressions.map(expression => this.valueOf(expression, binding));
    }

    private compute(expression: ast.Expression, binding: ConstantBinding): ConstantValue {
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
                const operand = this.numberOf(expression.operand, binding);
                return expression.operator === '!' ? 1 - operand : 0 - operand;
            }
            case 'BinaryExpression':
                return this.evaluateBinary(expression, binding);
            case 'Conditional': {
                const condition = this.numberOf(expression.condition, binding);
                return this.valueOf(condition !== 0 ? expression.then : expression.otherwise, binding);
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
                return this.elementOf(this.evaluateCall(expression, binding), expression, binding);
            case 'AnyLiteral':
                // The type check reports an `any` that is no part of an initial value.
                return noValue();
            case 'TemporalPrefix':
                // A constant holds no word about runs.
                return noValue();
            case 'SetLiteral':
                return this.evaluateSet(expression, binding);
            case 'Spawn':
                // It is a statement; the type check reports any other place.
                return noValue();
            case 'InstanceAt':
                return this.context.fail('type/not-constant', PLACE, expression);
            default:
                return unreachable(expression);
        }
    }

    private evaluateReference(reference: ast.Reference, binding: ConstantBinding): ConstantValue {
        const target = known(reference.target.ref);
        if (reference.label !== undefined) {
            return this.context.fail('type/not-constant', PLACE, reference);
        }
        if (ast.isChannelDeclaration(target)) {
            const domains = this.names.indicesOf(target).map(known);
            const position = this.positionOf(reference.indices, domains, reference, binding);
            return known(this.names.channels.valueOf(target, position));
        }
        return this.elementOf(this.valueOfName(reference, target, binding), reference, binding);
    }

    private valueOfName(reference: ast.Reference, target: ast.Named, binding: ConstantBinding): ConstantValue {
        const bound = binding.get(target);
        if (bound !== undefined) {
            return bound;
        }
        if (ast.isParameter(target)) {
            return known(this.names.valueOf(target));
        }
        if (ast.isConstant(target)) {
            // The value of a process's constant may depend on the binding.
            return ast.isModel(target.$container) || binding.size === 0
                ? known(this.names.valueOf(target))
                : this.valueOf(target.value, binding);
        }
        if (ast.isLet(target)) {
            return this.valueOf(target.value, binding);
        }
        if (ast.isEnumerationValue(target)) {
            return this.valueOfCase(target);
        }
        const { currentFunction } = this.context;
        const what =
            currentFunction === undefined
                ? `\`${target.name}\` is ${describeNamed(target)}`
                : `\`${currentFunction.name}\` reads \`${target.name}\`, which is ${describeNamed(target)}`;
        return this.context.fail('type/not-constant', `this must be known before a run, but ${what}`, reference);
    }

    /** The type check reports the name of a case whose fields are missing. */
    private valueOfCase(named: ast.EnumerationValue): ConstantValue {
        const { $container: declaration, fields } = named;
        const position = declaration.values.indexOf(named);
        return !hasCases(declaration)
            ? position
            : fields.length > 0
              ? noValue()
              : new ConstantCase(known(this.names.shapeOfCases(declaration)), position, []);
    }

    /** The element of `value` at the indices of the node, or the row; `value` itself if there are none. */
    private elementOf(
        value: ConstantValue,
        node: ast.Reference | ast.Call | ast.FieldAccess,
        binding: ConstantBinding,
    ): ConstantValue {
        return this.partOf(value, node.indices, node, binding);
    }

    private partOf(
        value: ConstantValue,
        indices: readonly ast.Expression[],
        node: ast.Expression,
        binding: ConstantBinding,
    ): ConstantValue {
        const [first] = indices;
        if (first === undefined) {
            return value;
        }
        if (value instanceof ConstantSet) {
            return value.copiesOf(this.valueOf(first, binding));
        }
        const own = indicesOfConstant(value).slice(0, indices.length);
        const position =
            own.length === 0 ? noValue() : this.positionOf(indices.slice(0, own.length), own, node, binding);
        const part = known(rowOfConstant(value, own.length, position));
        // Copying is work, too.
        this.context.spend(part instanceof ConstantArray ? Math.floor(part.parts.length / 16) : 0);
        return this.partOf(part, indices.slice(own.length), node, binding);
    }

    private evaluateField(access: ast.FieldAccess, binding: ConstantBinding): ConstantValue {
        const record = this.valueOf(access.record, binding);
        const field = access.field.ref;
        if (record === NONE) {
            const message = `\`${textOf(access.record) ?? ''}\` is \`none\`, which has no \`${access.field.$refText}\``;
            return this.context.fail('type/undefined', message, access);
        }
        if (!ast.isRecordField(field) || !(record instanceof ConstantRecord || record instanceof ConstantCase)) {
            return noValue();
        }
        const part = partOfField(record, field);
        if (part === undefined) {
            const message = `\`${textOf(access.record) ?? ''}\` is \`${record.shape.formatValue(record)}\`, which has no \`${field.name}\``;
            return this.context.fail('type/undefined', message, access);
        }
        return this.elementOf(known(record.parts[part]), access, binding);
    }

    private evaluateLiteral(literal: ast.ArrayLiteral, binding: ConstantBinding): ConstantValue {
        const own = this.valuesOf(literal.elements, binding);
        if (own.length === 0) {
            return new ConstantSequence([]);
        }
        // Lists of different lengths are sequences.
        const lengths = new Set(own.map(element => (element instanceof ConstantArray ? element.parts.length : 0)));
        const areSequences = lengths.size > 1 || own.some(element => element instanceof ConstantSequence);
        const elements = areSequences ? own.map(element => known(constantSequenceOf(element))) : own;
        return known(constantArrayOf([{ kind: 'range', low: 0, high: elements.length - 1 }], elements));
    }

    private evaluateSet({ elements, comprehension }: ast.SetLiteral, binding: ConstantBinding): ConstantValue {
        const parts: ConstantValue[] = [];
        if (comprehension !== undefined) {
            const { groups, where, body } = comprehension;
            const [variable] = variablesOf(groups);
            for (const inner of this.assignmentsOf(groups, binding)) {
                if (where === undefined || this.numberOf(where, inner) !== 0) {
                    parts.push(body === undefined ? known(variable && inner.get(variable)) : this.valueOf(body, inner));
                }
            }
        }
        for (const { low, high, copies } of elements) {
            const count = copies === undefined ? 1 : this.numberOf(copies, binding);
            const [from, to] =
                high === undefined ? [0, 0] : [this.numberOf(low, binding), this.numberOf(high, binding)];
            this.context.spend(Math.max(0, (to - from + 1) * count - 1), copies ?? high);
            const listed = high === undefined ? this.valueOf(low, binding) : undefined;
            for (let value = from; value <= to; value++) {
                parts.push(...Array.from({ length: count }, () => listed ?? value));
            }
        }
        const isBag = elements.some(({ copies }) => copies !== undefined);
        return new ConstantSet(isBag ? parts : distinct(parts));
    }

    private evaluateSetOperator(
        operator: 'union' | 'minus' | 'intersect' | 'subset',
        left: ConstantValue,
        right: ConstantValue,
    ): ConstantValue {
        if (!(left instanceof ConstantSet && right instanceof ConstantSet)) {
            return noValue();
        }
        const isIn = (part: ConstantValue): boolean => right.has(part);
        this.context.spend(left.parts.length + right.parts.length);
        switch (operator) {
            case 'union':
                return new ConstantSet(distinct([...left.parts, ...right.parts]));
            case 'minus':
                return new ConstantSet(left.parts.filter(part => !isIn(part)));
            case 'intersect':
                return new ConstantSet(left.parts.filter(isIn));
            case 'subset':
                return left.parts.every(isIn) ? 1 : 0;
        }
    }

    private evaluateComprehension({ groups, body }: ast.Comprehension, binding: ConstantBinding): ConstantValue {
        const elements: ConstantValue[] = [];
        for (const inner of this.assignmentsOf(groups, binding)) {
            elements.push(this.valueOf(body, inner));
        }
        return known(constantArrayOf(this.domainsOf(groups), elements));
    }

    private evaluateBinary(expression: ast.BinaryExpression, binding: ConstantBinding): ConstantValue {
        const { operator } = expression;
        if (operator === 'in') {
            return this.evaluateMembership(expression, binding);
        }
        if (operator === 'is') {
            return this.evaluateIsCase(expression, binding);
        }
        const left = this.valueOf(expression.left, binding);
        // The right side of a decided operator is not evaluated, as at run time.
        if ((operator === '&&' && left === 0) || (operator === '||' && left !== 0)) {
            return left;
        }
        if (operator === 'implies' && left === 0) {
            return 1;
        }
        const right = this.valueOf(expression.right, binding);
        switch (operator) {
            case '&&':
            case '||':
            case 'implies':
                return right;
            case '==':
            case '!=':
                return areEqualConstants(left, right) === (operator === '==') ? 1 : 0;
            case 'until':
            case 'weak until':
            case 'leads to':
                return noValue();
            case 'union':
            case 'minus':
            case 'intersect':
            case 'subset':
                return this.evaluateSetOperator(operator, left, right);
            default:
                return typeof left === 'number' && typeof right === 'number'
                    ? this.checked(applyBinary(operator, left, right), expression)
                    : noValue();
        }
    }

    private evaluateIsCase({ left, right }: ast.BinaryExpression, binding: ConstantBinding): Value {
        const value = this.valueOf(left, binding);
        const named = known(caseNamedBy(right));
        const position = named.$container.values.indexOf(named);
        return (value instanceof ConstantCase ? value.position : value) === position ? 1 : 0;
    }

    private evaluateMembership({ left, right }: ast.BinaryExpression, binding: ConstantBinding): Value {
        const value = this.valueOf(left, binding);
        if (!isListedSet(right)) {
            const shape = this.names.shapeOfTypeName(right);
            if (shape === undefined) {
                const { parts } = this.collectionOf(right, binding);
                return parts.some(part => areEqualConstants(part, value)) ? 1 : 0;
            }
            if (shape.holdsReference()) {
                return this.context.fail('reference/constant', COMES_AND_GOES, right);
            }
            const typed = shape.constantAs(value);
            return typed !== undefined && shape.misfit(typed) === undefined ? 1 : 0;
        }
        for (const element of right.elements) {
            const low = this.valueOf(element.low, binding);
            const high = element.high === undefined ? low : this.valueOf(element.high, binding);
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

    private evaluateQuantifier(quantifier: ast.Quantifier, outer: ConstantBinding): ConstantValue {
        const { quantifier: kind, where, body } = quantifier;
        let only: ConstantValue | undefined;
        let total = 0;
        let extremum = NONE;
        for (const binding of this.assignmentsOf(quantifier.groups, outer)) {
            if (where !== undefined && this.numberOf(where, binding) === 0) {
                continue;
            }
            if (kind === 'the') {
                const next = this.valueOf(body, binding);
                only = only === undefined || areEqualValues(only, next) ? next : this.checked('undefined', quantifier);
                continue;
            }
            const value = this.numberOf(body, binding);
            switch (kind) {
                case 'forall':
                case 'exists':
                    if ((value !== 0) === (kind === 'exists')) {
                        return kind === 'exists' ? 1 : 0;
                    }
                    break;
                case 'count':
                case 'sum':
                    total = this.checked(applyBinary('+', total, value), quantifier);
                    break;
                default:
                    extremum = extremumOf(kind, [extremum, value]);
            }
        }
        if (kind === 'the') {
            return only ?? this.checked('undefined', quantifier);
        }
        if (kind === 'min' || kind === 'max') {
            return extremum === NONE ? this.checked('undefined', quantifier) : extremum;
        }
        return kind === 'forall' ? 1 : total;
    }

    private evaluateCall(call: ast.Call, binding: ConstantBinding): ConstantValue {
        const target = call.function.ref;
        switch (target?.$type) {
            case 'BuiltinFunction':
                switch (target.name) {
                    case 'len':
                        return this.evaluateLength(call, binding);
                    case 'first':
                        return this.firstOf(call);
                    case 'empty':
                        return this.collectionOf(known(call.arguments[0]), binding).parts.length === 0 ? 1 : 0;
                    default:
                        if (isSequenceFunction(target.name)) {
                            return this.evaluateSequence(call, target.name, binding);
                        }
                        return this.evaluateBuiltin(call, target.name, binding);
                }
            case 'RecordDeclaration':
            case 'EnumerationValue': {
                const { whole, fields } = known(this.names.shapesOfConstructor(target));
                const values = this.valuesOf(call.arguments, binding);
                const parts = fields.fields.map(({ shape }, position) =>
                    known(shape.constantAs(known(values[position]))),
                );
                const built =
                    whole instanceof RecordShape
                        ? new ConstantRecord(whole, parts)
                        : new ConstantCase(whole, whole.cases.indexOf(fields), parts);
                return values.length === parts.length
                    ? this.context.stored(whole, built, `\`${target.name}\``, call)
                    : noValue();
            }
            case 'FunctionDeclaration':
                return this.apply(call, target, this.valuesOf(call.arguments, binding));
            default:
                return noValue();
        }
    }

    /** The type check reports references, which have no first value. */
    private firstOf({ arguments: [type] }: ast.Call): ConstantValue {
        const shape = known(type && this.names.shapeOfTypeName(type));
        return shape.leaves().some(({ element }) => isReference(element)) ? noValue() : known(shape.firstValue());
    }

    private evaluateBuiltin(call: ast.Call, name: string, binding: ConstantBinding): Value {
        if (name === 'alive') {
            return this.context.fail('reference/constant', COMES_AND_GOES, call);
        }
        const values = this.valuesOf(call.arguments, binding).filter(value => typeof value === 'number');
        const [left, right] = [known(values[0]), known(values[1])];
        if (name === 'min' || name === 'max') {
            return extremumOf(name, values);
        }
        return isFunctionOperator(name) ? this.checked(applyBinary(name, left, right), call) : noValue();
    }

    /** The length of an array is known from its type alone; the number of messages in a channel changes. */
    private evaluateLength(call: ast.Call, binding: ConstantBinding): Value {
        const argument = known(call.arguments[0]);
        const target = ast.isReference(argument) ? argument.target.ref : undefined;
        if (ast.isChannelDeclaration(target)) {
            const message = 'this must be known before a run, but messages come and go';
            return this.context.fail('type/not-constant', message, call);
        }
        const length =
            ast.isVariable(target) && ast.isReference(argument)
                ? this.names.shapeOf(target.type)?.indices[argument.indices.length]
                : undefined;
        if (length !== undefined) {
            return domainSize(length);
        }
        const array = this.valueOf(argument, binding);
        if (array instanceof ConstantSet || array instanceof ConstantSequence) {
            return array.parts.length;
        }
        return array instanceof ConstantArray ? domainSize(known(array.indices[0])) : noValue();
    }

    /** Calls a function. Its body sees only its parameters and its own variables. */
    private apply(call: ast.Call, target: ast.FunctionDeclaration, values: readonly ConstantValue[]): ConstantValue {
        const result = known(this.names.shapeOf(target.result));
        if (values.length !== target.parameters.length) {
            return noValue();
        }
        return this.context.inCall(call, target, () => {
            const frame: ConstantBinding = new Map();
            for (const [position, parameter] of target.parameters.entries()) {
                const shape = known(this.names.shapeOf(parameter.type));
                const value = known(values[position]);
                frame.set(parameter, this.context.stored(shape, value, `\`${parameter.name}\``, call));
            }
            const value =
                target.value === undefined
                    ? runStatements(target.body?.statements ?? [], frame, this)
                    : this.valueOf(target.value, frame);
            return this.context.stored(result, known(value), `the result of \`${target.name}\``, call);
        });
    }

    /** The outcome of an operator; a fault is an error of the text. */
    private checked(outcome: Value | FaultKind, expression: ast.Expression): Value {
        if (typeof outcome === 'number') {
            return outcome;
        }
        switch (outcome) {
            case 'division':
                return this.context.fail('type/division-by-zero', 'the divisor is zero', expression);
            case 'undefined': {
                const message = ast.isQuantifier(expression)
                    ? expression.quantifier === 'the'
                        ? '`the` has no value here: nothing satisfies the `where`, or two values differ'
                        : `\`${expression.quantifier}\` of no value at all has no value; here nothing satisfies the \`where\``
                    : whyUndefined(ast.isCall(expression) ? expression.function.$refText : '');
                return this.context.fail('type/undefined', message, expression);
            }
            default:
                return this.context.fail('type/overflow', OVERFLOW, expression);
        }
    }
}
