/**
 * The types of expressions, with the checks of operands, indices and names. Each expression is visited once.
 *
 * Integers have intervals, so an index whose interval misses its domain is an error before the run. An index that may
 * or may not lie in its domain is checked by the run.
 */
import { enclosing, type Node } from '../tree/node.js';
import { unreachable } from '../../engine/common/assert.js';
import { domainSize, isReference } from '../../engine/model/domain.js';
import * as ast from '../generated/nodes.js';
import { describeNamed, formatCount } from '../problems/describe.js';
import { variablesOf } from '../references/locals.js';
import { isAssignable } from '../references/places.js';
import { isTemplate, templateReferredTo } from '../references/templates.js';
import { isInProperty } from '../references/temporal.js';
import { rangeOf, rangeOfProperty, textOf } from '../tree/source-text.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import type { Constants } from './constants.js';
import { ExpressionChecks } from './expression-checks.js';
import { checkAny } from './any-literal.js';
import { inferCall, inferSpawn } from './infer-calls.js';
import { checkFieldOfCases, inferCaseName } from './infer-cases.js';
import { inferBinary, inferUnary } from './infer-operators.js';
import { sequenceTypeOf } from './infer-sequences.js';
import { SequenceShape } from '../representation/sequence.js';
import { checkCollection, checkOverTypes, inferSet } from './infer-sets.js';
import { LARGEST_INTEGER } from '../../engine/common/interval.js';
import { ArrayShape } from '../representation/array.js';
import { isOverTemplate } from '../representation/domains.js';
import { partOfShape, shapeOfType } from '../representation/place-of-type.js';
import { fieldShapeOf, shapeWithFields } from '../representation/enumeration.js';
import { EXPANSION_LIMIT, isDomain, type Shape, type Type } from '../representation/shape.js';
import {
    UNKNOWN,
    BOOLEAN_TYPE,
    integer,
    truth,
    arrayType,
    describeType,
    isNumberType,
    isReferenceType,
    join,
    NUMBER_TYPE,
    sequenceType,
} from '../representation/type.js';

/** Begins messages about fairness in templates. */
export const NO_FAIRNESS = 'fairness of processes that are created is not checked yet';

export class TypeInference extends ExpressionChecks {
    constructor(constants: Constants, problems: ProblemCollector) {
        super(constants, problems);
        constants.types = this;
    }

    private readonly types = new Map<ast.Expression, Type>();
    private readonly namesInProgress = new Set<ast.Constant | ast.Let>();

    override typeOf(expression: ast.Expression): Type {
        let type = this.types.get(expression);
        if (type === undefined) {
            type = this.infer(expression);
            if (type.kind === 'array' && isOverTemplate(type.indices) && !isWholeArrayPlace(expression)) {
                const name = type.indices.find(isReference)?.name ?? '';
                const message =
                    `an array with a cell for each instance of \`${name}\` is assigned as a whole to a shared variable, ` +
                    'and nothing else; name a cell in brackets';
                this.problems.error('reference/array', message, rangeOf(expression));
                type = UNKNOWN;
            }
            this.types.set(expression, type);
        }
        return type;
    }

    /** The shape of the values of an expression; undefined for `none` alone, and if there is an error. */
    shapeOf(expression: ast.Expression): Shape | undefined {
        return shapeOfType(this.typeOf(expression));
    }

    /** The shape of an assignable place whose names and indices have been checked; undefined if it is none. */
    shapeOfPlace(place: ast.Expression): Shape | undefined {
        if (!ast.isReference(place) && !ast.isFieldAccess(place)) {
            return undefined;
        }
        const owner = ast.isFieldAccess(place)
            ? this.shapeOfField(place)
            : ast.isChannelDeclaration(place.target.ref)
              ? this.contentsOf(place.target.ref)
              : isAssignable(place.target.ref)
                ? this.constants.shapeOf(place.target.ref.type)
                : undefined;
        return owner && partOfShape(owner, place.indices.length);
    }

    /** The messages in a channel, or in each channel of an array, as a place; undefined if there is no buffer. */
    contentsOf(channel: ast.ChannelDeclaration): Shape | undefined {
        const indices = this.constants.indicesOf(channel).filter(domain => domain !== undefined);
        const message = this.constants.shapeOf(channel.message);
        const capacity = this.constants.capacityOf(channel) ?? 0;
        if (message === undefined || capacity === 0 || indices.length < channel.indices.length) {
            return undefined;
        }
        const contents = new SequenceShape(capacity, message);
        return indices.length === 0 ? contents : new ArrayShape(indices, contents);
    }

    protected override messagesFor(channel: ast.Expression, shape: Shape): Type | undefined {
        return shape instanceof SequenceShape ? sequenceTypeOf(channel, this) : undefined;
    }

    sequenceShapeOf(expression: ast.Expression): SequenceShape | undefined {
        const type = this.typeOf(expression);
        const isOne = type.kind === 'sequence' || type.kind === 'named';
        const shape = isOne ? shapeOfType(sequenceTypeOf(expression, this) ?? UNKNOWN) : undefined;
        return shape instanceof SequenceShape ? shape : undefined;
    }

    /** Checks the types of the variables of a quantifier, and returns the number of combinations of their values. */
    checkBinders(groups: readonly ast.BinderGroup[], what: string, node: Node): number {
        let assignments = 1;
        let isBounded = true;
        for (const group of groups) {
            checkCollection(group, this);
            const domain = this.constants.domainOfGroup(group);
            assignments *= domain === undefined ? 1 : domainSize(domain) ** group.variables.length;
            isBounded &&= domain === undefined || !isReference(domain);
        }
        if (assignments > EXPANSION_LIMIT) {
            const message = `${what} runs through ${formatCount(assignments)} values`;
            this.problems.tooLarge(message, EXPANSION_LIMIT, rangeOf(node));
        }
        // How many instances of a template live at once is known only after the search.
        return isBounded || assignments === 0 ? assignments : LARGEST_INTEGER;
    }

    private shapeOfField({ record, field }: ast.FieldAccess): Shape | undefined {
        const type = this.shapeOfPlace(record)?.type;
        const owner = type && shapeWithFields(type.kind === 'optional' ? type.base : type);
        return owner && ast.isRecordField(field.ref) ? fieldShapeOf(owner, field.ref) : undefined;
    }

    private infer(expression: ast.Expression): Type {
        switch (expression.$type) {
            case 'NumberLiteral':
                if (expression.value > LARGEST_INTEGER) {
                    const message = `the number is too large; integers are exact up to ${LARGEST_INTEGER}`;
                    this.problems.error('type/overflow', message, rangeOf(expression));
                    return UNKNOWN;
                }
                return integer(expression.value, expression.value);
            case 'BooleanLiteral':
                return truth(expression.value === 'true');
            case 'NoneLiteral':
                return { kind: 'none' };
            case 'AnyLiteral':
                checkAny(expression, this);
                return UNKNOWN;
            case 'Reference':
                return expression.label !== undefined
                    ? this.inferAt(expression, 'at')
                    : expression.action !== undefined
                      ? this.inferAt(expression, 'takes')
                      : this.inferReference(expression);
            case 'UnaryExpression':
                return inferUnary(expression, this);
            case 'TemporalPrefix':
                this.checkCondition(expression.operand, `what \`${expression.operator}\` states`);
                return BOOLEAN_TYPE;
            case 'BinaryExpression':
                return inferBinary(expression, this);
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
                return inferCall(expression, this);
            case 'SetLiteral':
                return inferSet(expression, this);
            case 'Spawn':
                return inferSpawn(expression, this);
            case 'InstanceAt':
                this.checkReference(expression.instance, 'an instance of a template stands before `at`');
                return BOOLEAN_TYPE;
            default:
                return unreachable(expression);
        }
    }

    private inferReference(reference: ast.Reference): Type {
        const target = reference.target.ref;
        if (target === undefined) {
            this.visit(reference.indices);
            return UNKNOWN;
        }
        if (target.$type === 'ChannelDeclaration') {
            const indices = this.constants.indicesOf(target);
            const shape = this.constants.shapeOfDeclaredChannel(target);
            const contents = this.contentsOf(target);
            if (reference.indices.length > indices.length && contents !== undefined) {
                return this.elementType(contents.type, reference, `\`${target.name}\``);
            }
            this.checkIndices(reference, indices, `channel \`${target.name}\``);
            if (isOverTemplate(indices) && !isChannelPlace(reference)) {
                const message = `\`${target.name}\` has a channel for each instance, and those are no values yet; hold the instance`;
                this.problems.error('reference/channel', message, rangeOf(reference));
                return UNKNOWN;
            }
            return shape === undefined ? UNKNOWN : shape.type;
        }
        const type = this.typeOfName(reference, target);
        return type === undefined ? UNKNOWN : this.elementType(type, reference, `\`${target.name}\``);
    }

    /** The type of a name without its indices; undefined if the name is no value. */
    private typeOfName(reference: ast.Reference, target: ast.Named): Type | undefined {
        switch (target.$type) {
            case 'Variable':
            case 'FunctionParameter':
            case 'ProcedureParameter':
            case 'ProcessParameter':
            case 'RecordField':
                return this.typeOfPlace(target.type);
            case 'Self': {
                const template = target.$container as ast.Process;
                return { kind: 'enumeration', domain: this.constants.domainOfTemplate(template) };
            }
            case 'Parameter': {
                const value = this.constants.valueOf(target);
                const shape = this.constants.shapeOfParameter(target);
                return shape === undefined ? UNKNOWN : value === undefined ? shape.type : shape.typeOf(value);
            }
            case 'Constant':
                return this.typeOfNamed(target, () => this.inferConstant(target));
            case 'Let':
                return this.typeOfNamed(target, () => this.typeOf(target.value));
            case 'EnumerationValue':
                return inferCaseName(reference, target, this);
            case 'ProcessIndex':
            case 'BinderVariable': {
                const shape = this.constants.shapeOfBinder(target);
                return shape === undefined ? UNKNOWN : shape.type;
            }
            default:
                this.visit(reference.indices);
                this.problems.error(
                    'type/not-a-value',
                    `a value is expected here, but \`${target.name}\` is ${describeNamed(target)}${hintFor(target)}`,
                    rangeOf(reference),
                );
                return undefined;
        }
    }

    /** A name that needs itself has the type UNKNOWN; other checks report it. */
    private typeOfNamed(declaration: ast.Constant | ast.Let, infer: () => Type): Type {
        if (this.namesInProgress.has(declaration)) {
            return UNKNOWN;
        }
        this.namesInProgress.add(declaration);
        const type = infer();
        this.namesInProgress.delete(declaration);
        return type;
    }

    private inferConstant(constant: ast.Constant): Type {
        // The evaluation of a constant of the model reports its faults.
        const isOfModel = ast.isModel(constant.$container);
        const type = this.problems.whileUnreachable(isOfModel, () => this.typeOf(constant.value));
        const shape = constant.type === undefined ? shapeOfType(type) : this.constants.shapeOf(constant.type);
        if (isOfModel && shape !== undefined) {
            const value = this.constants.valueOf(constant);
            return value === undefined ? shape.type : shape.typeOf(value);
        }
        return constant.type !== undefined && shape instanceof ArrayShape ? shape.type : type;
    }

    private inferLiteral(literal: ast.ArrayLiteral): Type {
        if (literal.elements.length === 0) {
            return sequenceType(UNKNOWN, 0);
        }
        this.visit(literal.elements);
        // An `any` says nothing about the type of the others.
        const [first, ...others] = literal.elements.filter(element => !ast.isAnyLiteral(element));
        let joined = first === undefined ? UNKNOWN : this.typeOf(first);
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
        return arrayType([{ kind: 'range', low: 0, high: literal.elements.length - 1 }], 1, joined);
    }

    private inferComprehension(comprehension: ast.Comprehension): Type {
        const count = this.checkBinders(comprehension.groups, 'the array', comprehension);
        checkOverTypes(comprehension.groups, 'an array', this);
        if (comprehension.where !== undefined) {
            this.checkWhere(comprehension.where);
            this.problems.error(
                'type/array-with-where',
                'an array has an element for each index, so nothing can be left out; write `if … then … else …`',
                rangeOf(comprehension.where),
            );
        }
        const body = this.problems.whileUnreachable(count === 0, () => this.typeOf(comprehension.body));
        const domains = variablesOf(comprehension.groups).map(variable => this.constants.domainOfBinder(variable));
        return domains.every(domain => domain !== undefined) ? arrayType(domains, 0, body) : UNKNOWN;
    }

    private inferField(access: ast.FieldAccess): Type {
        const field = access.field.ref;
        if (ast.isReference(access.record) && ast.isProcess(access.record.target.ref)) {
            return this.inferInstanceLocal(access, access.record, access.record.target.ref);
        }
        const record = this.typeOf(access.record);
        if (isReferenceType(record)) {
            return this.inferLocalOfReference(access);
        }
        const owner = shapeWithFields(record.kind === 'optional' ? record.base : record);
        if (!ast.isRecordField(field) || owner === undefined) {
            this.visit(access.indices);
            if (record.kind === 'none') {
                // The evaluation of a constant says the same.
                const message = `\`${textOf(access.record) ?? ''}\` is \`none\`, which has no \`${access.field.$refText}\``;
                this.problems.error('type/undefined', message, rangeOf(access));
            } else if (record.kind !== 'unknown' && owner === undefined) {
                const message = `only records and values with cases have fields, but this is ${describeType(record)}`;
                this.problems.error('type/not-a-record', message, rangeOf(access.record));
            }
            return UNKNOWN;
        }
        const shape = fieldShapeOf(owner, field);
        if (shape === undefined) {
            this.visit(access.indices);
            const message = `\`${owner.format()}\` has no field \`${field.name}\``;
            this.problems.error('name/unresolved', message, rangeOfProperty(access, 'field'));
            return UNKNOWN;
        }
        checkFieldOfCases(access, field, owner, this.problems);
        return this.elementType(shape.type, access, `the field \`${field.name}\``);
    }

    /** `w.x`: a parameter anywhere, a local of the head in a property. */
    private inferLocalOfReference(access: ast.FieldAccess): Type {
        const local = access.field.ref;
        const process = local && enclosing(local, ast.isProcess);
        if (process === undefined || !(ast.isProcessParameter(local) || ast.isVariable(local))) {
            this.visit(access.indices);
            return UNKNOWN;
        }
        if (ast.isVariable(local)) {
            this.checkInProperty(access, local, process);
        }
        return this.elementType(this.typeOfPlace(local.type), access, `\`${process.name}.${local.name}\``);
    }

    private checkInProperty(access: ast.FieldAccess, local: ast.Variable, process: ast.Process): void {
        if (!isInProperty(access)) {
            this.problems.error(
                'type/local-outside-property',
                `the variable \`${local.name}\` belongs to \`${process.name}\`; only an invariant or a property can look at it, ` +
                    'steps use shared variables',
                rangeOf(access),
            );
        }
    }

    /** `P[i].k`, which only properties may read. */
    private inferInstanceLocal(access: ast.FieldAccess, owner: ast.Reference, process: ast.Process): Type {
        if (process.isTemplate) {
            this.visit([...owner.indices, ...access.indices]);
            this.reportNoIndex(process, `w.${access.field.$refText}`, access);
            return UNKNOWN;
        }
        this.checkInstance(owner, process);
        const local = access.field.ref;
        if (!ast.isVariable(local)) {
            this.visit(access.indices);
            return UNKNOWN;
        }
        this.checkInProperty(access, local, process);
        return this.elementType(this.typeOfPlace(local.type), access, `\`${process.name}.${local.name}\``);
    }

    private reportNoIndex(template: ast.Process, example: string, node: Node): void {
        const message = `instances of \`${template.name}\` have no index; write \`${example}\` with a reference`;
        this.problems.error('process/no-index', message, rangeOf(node));
    }

    /** `P[i] at label` and `P[i] takes label`; for a template `w at label`. */
    private inferAt(reference: ast.Reference, word: 'at' | 'takes'): Type {
        const process = reference.target.ref;
        const template = isTemplate(process) ? process : templateReferredTo(reference);
        if (template !== undefined) {
            this.checkAtInstance(reference, template, word);
            return BOOLEAN_TYPE;
        }
        if (ast.isProcess(process)) {
            if (word === 'takes' && reference.indices.length === 0 && process.indices.length > 0) {
                const indices = process.indices.map(({ name }) => name).join(', ');
                const place = `${process.name}[${indices}] takes ${reference.action?.$refText ?? ''}`;
                this.problems.error('property/takes', `\`takes\` needs an instance: \`${place}\``, rangeOf(reference));
                return BOOLEAN_TYPE;
            }
            this.checkInstance(reference, process);
            return BOOLEAN_TYPE;
        }
        this.visit(reference.indices);
        if (process !== undefined) {
            const message = `a process is expected before \`${word}\`, but \`${process.name}\` is ${describeNamed(process)}`;
            this.problems.error('type/not-a-process', message, rangeOfProperty(reference, 'target'));
        }
        return BOOLEAN_TYPE;
    }

    private checkAtInstance(reference: ast.Reference, template: ast.Process, word: 'at' | 'takes'): void {
        if (word === 'takes') {
            this.visit(reference.indices);
            const message = `${NO_FAIRNESS}, so \`takes\` is about processes that are there from the start`;
            this.problems.error('fair/template', message, rangeOf(reference));
        } else if (reference.target.ref === template) {
            this.visit(reference.indices);
            this.reportNoIndex(template, `w at ${reference.label?.$refText ?? ''}`, reference);
        } else {
            const type = this.inferReference(reference);
            if (type.kind !== 'unknown' && !isReferenceType(type)) {
                const message = `an instance of a template stands before \`at\`, but this is ${describeType(type)}`;
                this.problems.error('type/mismatch', message, rangeOf(reference));
            }
        }
    }

    private checkInstance(reference: ast.Reference, process: ast.Process): void {
        const domains = process.indices.map(index => this.constants.domainOfBinder(index));
        this.checkIndices(reference, domains, `process \`${process.name}\``);
    }

    private inferConditional(expression: ast.Conditional): Type {
        const known = this.checkCondition(expression.condition, 'the condition after `if`');
        const then = this.problems.whileUnreachable(known === false, () => this.typeOf(expression.then));
        const otherwise = this.problems.whileUnreachable(known === true, () => this.typeOf(expression.otherwise));
        const joined = join(then, otherwise);
        if (joined === undefined) {
            const message = `the two branches do not go together: ${describeType(then)} and ${describeType(otherwise)}`;
            this.problems.error('type/mismatch', message, rangeOf(expression));
            return UNKNOWN;
        }
        return joined.kind !== 'optional' && known !== undefined ? (known ? then : otherwise) : joined;
    }

    private inferQuantifier(quantifier: ast.Quantifier): Type {
        const assignments = this.checkBinders(quantifier.groups, 'the quantifier', quantifier);
        const where = this.problems.whileUnreachable(assignments === 0, () => this.checkWhere(quantifier.where));
        const isEmpty = where === false || assignments === 0;
        const { quantifier: name } = quantifier;
        if (assignments === 0 && (name === 'min' || name === 'max' || name === 'the')) {
            const message = `\`${name}\` of no value at all has no value: the type that it runs through is empty`;
            this.problems.faultWhenReached('type/undefined', message, rangeOf(quantifier));
        }
        return this.problems.whileUnreachable(isEmpty, () =>
            this.inferQuantifierBody(quantifier, assignments, isEmpty),
        );
    }

    private inferQuantifierBody(quantifier: ast.Quantifier, assignments: number, isEmpty: boolean): Type {
        const { quantifier: name, body } = quantifier;
        const largest = isEmpty ? 0 : assignments;
        switch (name) {
            case 'forall':
            case 'exists': {
                const isForall = name === 'forall';
                const known = this.checkCondition(body, `what \`${name}\` states`);
                return truth(isEmpty || known === isForall ? isForall : undefined);
            }
            case 'count':
                this.checkCondition(body, 'what `count` counts');
                return integer(0, largest);
            case 'sum': {
                const term = this.checkInteger(body, 'what `sum` adds up');
                return term === undefined
                    ? UNKNOWN
                    : integer(
                          Math.max(-LARGEST_INTEGER, Math.min(0, term.low * largest)),
                          Math.min(LARGEST_INTEGER, Math.max(0, term.high * largest)),
                      );
            }
            case 'min':
            case 'max': {
                if (isNumberType(this.testedType(body))) {
                    return NUMBER_TYPE;
                }
                const term = this.checkInteger(body, `what \`${name}\` compares`);
                return term === undefined ? UNKNOWN : integer(term.low, term.high);
            }
            case 'the':
                return this.inferOnly(body);
            default:
                return unreachable(name);
        }
    }

    /** The type of the value that `the` takes, which is no `none`: that would be nothing to take. */
    private inferOnly(body: ast.Expression): Type {
        const type = this.testedType(body);
        const shape = shapeOfType(type);
        if (type.kind === 'optional' || type.kind === 'none') {
            this.reportMayBeNone('what `the` takes must be a value', body);
            return UNKNOWN;
        }
        const isOne = type.kind === 'unknown' || (shape !== undefined && isDomain(shape.oneCell()));
        if (!isOne) {
            const message = `what \`the\` takes is one value, but this is ${describeType(type)}`;
            this.problems.error('type/array-not-allowed', message, rangeOf(body));
            return UNKNOWN;
        }
        return type.kind === 'boolean' ? BOOLEAN_TYPE : type;
    }
}

/** Whether a step uses a channel directly, or a built-in function asks about it. */
function isChannelPlace(reference: ast.Reference): boolean {
    const { $container: container, $containerProperty: property } = reference;
    return (
        (ast.isStep(container) && property === 'place') ||
        (ast.isAssignment(container) && property === 'target') ||
        (ast.isCall(container) && ast.isBuiltinFunction(container.function.ref))
    );
}

/** Whether a whole array is read to be assigned, or written. */
function isWholeArrayPlace(expression: ast.Expression): boolean {
    const { $container: container, $containerProperty: property } = expression;
    switch (container.$type) {
        case 'Assignment':
        case 'Step':
            return property === 'value' || property === 'target' || property === 'place';
        case 'Conditional':
            return property !== 'condition' && isWholeArrayPlace(container);
        case 'Comprehension':
            return property === 'body' && isWholeArrayPlace(container.$container);
        case 'Variable':
            // The check of the variable has its own message.
            return property === 'initializer';
        case 'Call':
            // `len` has a message of its own.
            return ast.isBuiltinFunction(container.function.ref);
        default:
            return false;
    }
}

function hintFor(target: ast.Named): string {
    switch (target.$type) {
        case 'FunctionDeclaration':
        case 'BuiltinFunction':
            return `; call it: \`${target.name}(…)\``;
        case 'RecordDeclaration':
            return `; its values are written \`${target.name}(…)\``;
        case 'Process':
            return target.isTemplate ? '' : '; follow it by `at` and a label';
        default:
            return '';
    }
}
