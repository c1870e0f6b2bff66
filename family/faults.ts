/**
 * Which kinds of faults an expression or a statement may have, for any state and any values of the parameters.
 *
 * A quantifier over values that are permuted meets them in another order. If its body cannot be at fault, that is no
 * difference (rules.ts); neither is it one which members are left out of a state (witnesses.ts). What is not understood may
 * have every fault.
 */
import { remembered } from '../engine/common/list-map.js';
import { enclosing, type Node } from '../language/tree/node.js';
import { nodesOf } from '../language/tree/descendants.js';
import * as ast from '../language/generated/nodes.js';
import { collectionOf } from '../language/references/binders.js';
import { isSetOfValues } from '../language/typing/infer-sets.js';
import { casesBefore } from '../language/typing/possible-cases.js';
import type { ConstantBounds } from './constant-bounds.js';
import { isSet } from './linear-bounds.js';
import { resolvedType, typeOfName, typeOfPlace } from './resolved-type.js';
import { ValueBounds, type Within } from './value-bounds.js';

/** A set of kinds of faults, one bit each. */
export type FaultKinds = number;

export const NO_FAULT: FaultKinds = 0;
const INDEX: FaultKinds = 1;
const RANGE: FaultKinds = 2;
const DIVISION: FaultKinds = 4;
const OVERFLOW: FaultKinds = 8;
const UNDEFINED: FaultKinds = 16;
/** Of any kind, in what stands before a label that `at` asks for. */
export const BEFORE_LABEL: FaultKinds = 96;
const CASE: FaultKinds = 128;
const ANY_FAULT: FaultKinds = 255;

function union(all: readonly FaultKinds[]): FaultKinds {
    return all.reduce((sum, kinds) => sum | kinds, NO_FAULT);
}

function isAtMostOne(kinds: FaultKinds): boolean {
    return (kinds & (kinds - 1)) === 0;
}

export class FaultAnalysis {
    readonly #values: ValueBounds;
    /** Functions whose bodies are being looked at. */
    readonly #inProgress = new Set<ast.FunctionDeclaration>();
    readonly #ofFunction = new Map<ast.FunctionDeclaration, FaultKinds>();

    constructor(constants: ConstantBounds) {
        this.#values = new ValueBounds(constants);
    }

    /** The faults that depend on the order in which the values of the variables of a node come. */
    dependingOnOrder(node: ast.Quantifier | ast.Comprehension | ast.SetComprehension | ast.Alternative): FaultKinds {
        const where = this.#ofAll(beforeBodyOf(node), node);
        if (ast.isAlternative(node)) {
            // `at` and "may stop" ask for what is on the ways of all values.
            return where | this.#ofWays(node.body);
        }
        const kinds = where | (node.body === undefined ? NO_FAULT : this.of(node.body, node));
        if (!ast.isQuantifier(node)) {
            return kinds;
        }
        switch (node.quantifier) {
            case 'forall':
            case 'exists':
                return kinds;
            case 'sum':
                return this.#values.isSmallSum(node, node) && isAtMostOne(kinds) ? NO_FAULT : ANY_FAULT;
            case 'count':
            case 'min':
            case 'max':
            case 'the':
                // All values are looked at, so that a fault of one kind is found in any order.
                return isAtMostOne(kinds) ? NO_FAULT : kinds;
            default:
                return ANY_FAULT;
        }
    }

    /** Where the conditions in `within` around it hold. */
    of(expression: ast.Expression, within: Within): FaultKinds {
        if (this.#values.isConstant(expression)) {
            return NO_FAULT;
        }
        switch (expression.$type) {
            case 'NumberLiteral':
            case 'BooleanLiteral':
            case 'NoneLiteral':
                return NO_FAULT;
            case 'Reference':
                return this.#ofReference(expression, within);
            case 'UnaryExpression':
            case 'TemporalPrefix':
                return this.of(expression.operand, within);
            case 'BinaryExpression':
                return this.#ofBinary(expression, within);
            case 'Conditional': {
                const { condition, then, otherwise } = expression;
                return this.#ofAll([condition, then, otherwise], within);
            }
            case 'Quantifier':
                return this.#ofQuantifier(expression, within);
            case 'ArrayLiteral': {
                const { elements, comprehension } = expression;
                return this.#ofAll(comprehension === undefined ? elements : [comprehension.body], within);
            }
            case 'SetLiteral': {
                const { elements, comprehension } = expression;
                const ends = elements.flatMap(({ low, high }) => (high === undefined ? [low] : [low, high]));
                const { body } = comprehension ?? {};
                const before = comprehension === undefined ? ends : beforeBodyOf(comprehension);
                return this.#ofAll(body === undefined ? before : [...before, body], within);
            }
            case 'FieldAccess':
                return this.#ofField(expression, within);
            case 'Call':
                return this.#ofCall(expression, within);
            default:
                return ANY_FAULT;
        }
    }

    /** With the statements inside it. A step counts for what it assigns. */
    ofStatement(statement: ast.Statement | ast.Step): FaultKinds {
        switch (statement.$type) {
            case 'Assignment':
                return this.#ofAssignment(statement.target, statement.value);
            case 'Step': {
                const { place, value } = statement;
                return place === undefined || value === undefined ? ANY_FAULT : this.#ofAssignment(place, value);
            }
            case 'Let':
                return this.of(statement.value, undefined);
            case 'Variable':
                return statement.initializer === undefined
                    ? NO_FAULT
                    : this.#ofStored([statement.initializer], [statement], undefined);
            case 'Return': {
                const result = enclosing(statement, ast.isFunctionDeclaration)?.result;
                return this.#ofStored([statement.value], result === undefined ? [] : [{ type: result }], undefined);
            }
            case 'IfStatement':
                return (
                    this.of(statement.condition, undefined) |
                    this.#ofBodies([statement.then, statement.elseIf, statement.otherwise])
                );
            case 'ForStatement':
                return (
                    (statement.where === undefined ? NO_FAULT : this.of(statement.where, undefined)) |
                    this.#ofBodies([statement.body])
                );
            case 'Skip':
                return NO_FAULT;
            default:
                return ANY_FAULT;
        }
    }

    #ofBodies(bodies: readonly (ast.Body | ast.IfStatement | undefined)[]): FaultKinds {
        const statements = bodies.flatMap(body => (ast.isBody(body) ? body.statements : (body ?? [])));
        return union(statements.map(statement => this.ofStatement(statement)));
    }

    #ofAssignment(place: ast.Expression, value: ast.Expression): FaultKinds {
        const type = typeOfPlace(place);
        const fits = type !== undefined && !isPartOfOneValue(place) && this.#values.isOf(value, type, undefined);
        return this.#ofAll([place, value], undefined) | (fits ? NO_FAULT : RANGE);
    }

    #ofAll(expressions: readonly ast.Expression[], within: Within): FaultKinds {
        return union(expressions.map(expression => this.of(expression, within)));
    }

    /** Of values, and of those that are not of the types of their places. */
    #ofStored(
        values: readonly ast.Expression[],
        places: readonly { readonly type: ast.Type }[],
        within: Within,
    ): FaultKinds {
        return this.#ofAll(values, within) | (this.#values.areOf(values, places, within) ? NO_FAULT : RANGE);
    }

    #ofReference(reference: ast.Reference, within: Within): FaultKinds {
        const target = reference.target.ref;
        if (reference.action !== undefined) {
            return ANY_FAULT;
        }
        if (reference.label !== undefined) {
            return ast.isProcess(target) ? this.#ofInstance(target, reference.indices, within) : ANY_FAULT;
        }
        switch (target?.$type) {
            case 'Let':
            case 'Constant':
                return this.#ofNamed(target, reference.indices, within);
            case 'ChannelDeclaration':
                return this.#ofIndices(reference.indices, target.indices, within);
            case 'Self':
            case 'EnumerationValue':
                return NO_FAULT;
            case 'BinderVariable':
                return reference.indices.length > 0 ? ANY_FAULT : NO_FAULT;
            default: {
                // The indices of a place that is given to a procedure stand elsewhere.
                const isGiven = ast.isProcedureParameter(target) && target.isPlace;
                const declared = isGiven ? undefined : target && typeOfName(target);
                return declared === undefined
                    ? ANY_FAULT
                    : this.#ofIndices(reference.indices, declared.indices, within);
            }
        }
    }

    /** A name for an expression, or a constant. */
    #ofNamed(named: ast.Let | ast.Constant, indices: readonly ast.Expression[], within: Within): FaultKinds {
        const { value } = named;
        if (!ast.isConstant(named) || named.type === undefined) {
            const isInside = indices.every((_, position) => this.#values.isElement(indices, position, value, within));
            return this.of(value, value) | this.#ofAll(indices, within) | (isInside ? NO_FAULT : INDEX);
        }
        const { type } = named;
        return (
            this.#ofStored([value], [{ type }], value) | this.#ofIndices(indices, resolvedType(type).indices, within)
        );
    }

    #ofIndices(values: readonly ast.Expression[], types: readonly ast.IndexType[], within: Within): FaultKinds {
        const areInside = values.every((value, position) => {
            const type = types[position];
            return type !== undefined && this.#values.isIndex(value, type, within);
        });
        return this.#ofAll(values, within) | (areInside ? NO_FAULT : INDEX);
    }

    /** `P[i] at l` asks for the tests before the label: one of the tests of the process. */
    #ofInstance(process: ast.Process, indices: readonly ast.Expression[], within: Within): FaultKinds {
        const tests = nodesOf(process.body).flatMap(testsOf);
        const isInside =
            process.where === undefined &&
            process.indices.length === indices.length &&
            this.#values.areOf(indices, process.indices, within);
        // A test that asks for a label again would be no end of questions.
        const asks = tests.some(test => nodesOf(test).some(node => ast.isReference(node) && node.label !== undefined));
        const ofWays = asks || this.#ofWays(process.body) !== NO_FAULT ? BEFORE_LABEL : NO_FAULT;
        return isInside ? ofWays | this.#ofAll(indices, within) : ANY_FAULT;
    }

    /** Of the tests in a block, and of the initial values, which need not be of the declared type. */
    #ofWays(block: ast.Block): FaultKinds {
        const nodes = nodesOf(block);
        const ofStarts = nodes
            .filter(ast.isVariable)
            .flatMap(({ type, initializer: value }) =>
                value === undefined ? [] : this.#ofStored([value], [{ type }], value),
            );
        return union([...nodes.flatMap(testsOf).map(test => this.of(test, test)), ...ofStarts]);
    }

    #ofBinary(expression: ast.BinaryExpression, within: Within): FaultKinds {
        const { operator, left, right } = expression;
        switch (operator) {
            case '&&':
            case '||':
            case 'implies':
            case '==':
            case '!=':
            case 'is':
            case '<':
            case '<=':
            case '>':
            case '>=':
            case 'union':
            case 'minus':
            case 'intersect':
            case 'subset':
                return this.#ofAll([left, right], within);
            case 'in':
                return this.#ofAll(ast.isSetLiteral(right) || isSetOfValues(right) ? [left, right] : [left], within);
            case '+':
            case '-':
            case '*':
                return (
                    this.#ofAll([left, right], within) |
                    (this.#values.isExact(expression, within) ? NO_FAULT : OVERFLOW)
                );
            case 'div':
            case 'mod':
                return (
                    this.#ofAll([left, right], within) | (this.#values.isPositive(right, within) ? NO_FAULT : DIVISION)
                );
            default:
                return ANY_FAULT;
        }
    }

    #ofQuantifier(expression: ast.Quantifier, within: Within): FaultKinds {
        const { quantifier, groups, where, body } = expression;
        const kinds = this.#ofAll([...beforeBodyOf(expression), body], within);
        switch (quantifier) {
            case 'forall':
            case 'exists':
            case 'count':
                return kinds;
            case 'sum':
                return kinds | (this.#values.isSmallSum(expression, within) ? NO_FAULT : OVERFLOW);
            case 'min':
            case 'max':
                return kinds | (this.#values.hasValue(groups, where) ? NO_FAULT : UNDEFINED);
            case 'the':
                return kinds | UNDEFINED;
            default:
                return ANY_FAULT;
        }
    }

    #ofField(access: ast.FieldAccess, within: Within): FaultKinds {
        const { record, indices } = access;
        const field = access.field.ref;
        const owner = ast.isReference(record) ? record.target.ref : undefined;
        if (field === undefined) {
            return ANY_FAULT;
        }
        const own = this.#ofIndices(indices, resolvedType(field.type).indices, within);
        if (ast.isReference(record) && ast.isProcess(owner)) {
            return own | this.#ofInstance(owner, record.indices, within);
        }
        const isThere =
            !this.#values.mayBeNone(record, within) &&
            [...casesBefore(access, within)].every(({ fields }) => fields.some(({ name }) => name === field.name));
        return ast.isRecordField(field) ? own | this.of(record, within) | (isThere ? NO_FAULT : CASE) : ANY_FAULT;
    }

    #ofCall(call: ast.Call, within: Within): FaultKinds {
        const named = call.function.ref;
        if (call.indices.length > 0) {
            return ANY_FAULT;
        }
        switch (named?.$type) {
            case 'RecordDeclaration':
                return (
                    this.#ofStored(call.arguments, named.fields, within) |
                    (this.#values.isRecord(call, named) ? NO_FAULT : RANGE)
                );
            case 'EnumerationValue':
                return this.#ofStored(call.arguments, named.fields, within);
            case 'FunctionDeclaration':
                return this.#ofStored(call.arguments, named.parameters, within) | this.#ofFunctionBody(named);
            case 'BuiltinFunction':
                return this.#ofAll(call.arguments, within) | ofBuiltin(named.name, call);
            default:
                return ANY_FAULT;
        }
    }

    /** The faults of a function whose arguments are of the types of its parameters. */
    #ofFunctionBody(declared: ast.FunctionDeclaration): FaultKinds {
        if (this.#inProgress.has(declared)) {
            return ANY_FAULT;
        }
        return remembered(this.#ofFunction, declared, () => {
            const { value, result, body } = declared;
            this.#inProgress.add(declared);
            const kinds =
                value !== undefined
                    ? this.#ofStored([value], [{ type: result }], value)
                    : body !== undefined && alwaysReturns(body)
                      ? this.#ofBodies([body])
                      : ANY_FAULT;
            this.#inProgress.delete(declared);
            return kinds;
        });
    }
}

/** The sets that variables run through, and the condition on these. */
function beforeBodyOf({
    groups,
    where,
}: ast.Quantifier | ast.Comprehension | ast.SetComprehension | ast.Alternative): readonly ast.Expression[] {
    return [...groups.map(collectionOf), where].filter(part => part !== undefined);
}

/** Whether a place is a part of a record that is one value: it must be there and satisfy its condition. */
function isPartOfOneValue(place: ast.Expression): boolean {
    if (!ast.isFieldAccess(place)) {
        return false;
    }
    const { record, field } = place;
    const owner = field.ref?.$container;
    const isOneValue = !ast.isRecordDeclaration(owner) || owner.where !== undefined;
    return isOneValue || typeOfPlace(record)?.isOptional !== false || isPartOfOneValue(record);
}

function ofBuiltin(name: string, { arguments: values }: ast.Call): FaultKinds {
    switch (name) {
        case 'min':
        case 'max':
        case 'len':
            return NO_FAULT;
        case 'full':
        case 'empty':
            return values.every(value => isSet(value) || isChannel(value)) ? NO_FAULT : ANY_FAULT;
        default:
            return ANY_FAULT;
    }
}

function isChannel(value: ast.Expression): boolean {
    return ast.isReference(value) && ast.isChannelDeclaration(value.target.ref);
}

function alwaysReturns(body: ast.Body | ast.IfStatement | undefined): boolean {
    return ast.isBody(body)
        ? body.statements.some(
              statement => ast.isReturn(statement) || (ast.isIfStatement(statement) && alwaysReturns(statement)),
          )
        : body !== undefined && alwaysReturns(body.then) && alwaysReturns(body.elseIf ?? body.otherwise);
}

/** What has to be evaluated where control passes. */
function testsOf(node: Node): readonly ast.Expression[] {
    if (ast.isWhile(node) || ast.isIfControl(node)) {
        return [node.condition];
    }
    if (ast.isAlternative(node)) {
        return node.where === undefined ? [] : [node.where];
    }
    return ast.isVariable(node) && node.initializer !== undefined ? [node.initializer] : [];
}
