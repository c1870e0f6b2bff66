/**
 * Which kinds of faults an expression may have, for any state and any values of the parameters.
 *
 * A quantifier over values that are permuted meets them in another order. If its body cannot be at fault, that is no
 * difference. What is not understood may have every fault. Bounds are polynomials (constant-bounds.ts); conditions to the
 * left narrow them: `c == 0 || a[c]`, `x != none && a[x]`.
 */
import type { Node } from '../language/tree/node.js';
import { remembered } from '../engine/common/list-map.js';
import { LARGEST_INTEGER } from '../engine/common/interval.js';
import { nodesOf } from '../language/tree/descendants.js';
import * as ast from '../language/generated/nodes.js';
import { collectionOf } from '../language/references/binders.js';
import { namedBy } from '../language/references/declared-type.js';
import { isSetOfValues } from '../language/typing/infer-sets.js';
import type { ConstantBounds } from './constant-bounds.js';
import { resolvedElement, resolvedType, typeOfName, typeOfPlace, type ResolvedType } from './resolved-type.js';
import {
    combination,
    constantOf,
    isAtLeast,
    isSame,
    product,
    rangeOf,
    type Polynomial,
} from '../language/typing/polynomial.js';

/** A set of kinds of faults, one bit each. */
export type FaultKinds = number;

export const NO_FAULT: FaultKinds = 0;
const INDEX: FaultKinds = 1;
const RANGE: FaultKinds = 2;
const DIVISION: FaultKinds = 4;
const OVERFLOW: FaultKinds = 8;
const UNDEFINED: FaultKinds = 16;
const ANY_FAULT: FaultKinds = 63;

/** A quantifier or an array runs through at most so many values. [language/representation/shape.ts] */
const MOST_VALUES = 1_000_000;

/** The sets that variables run through. */
function collectionsOf(groups: readonly ast.BinderGroup[]): readonly ast.Expression[] {
    return groups.map(collectionOf).filter(set => set !== undefined);
}

function isAtMostOne(kinds: FaultKinds): boolean {
    return (kinds & (kinds - 1)) === 0;
}

/** What is known where an expression is evaluated. */
interface Facts {
    /** Bounds of names that are narrower than those of their types. */
    readonly bounds: ReadonlyMap<Node, Bounds>;
    /** Places that do not hold `none`, by their keys. */
    readonly present: ReadonlySet<string>;
}

interface Bounds {
    readonly low: Polynomial;
    readonly high: Polynomial;
}

const NO_FACTS: Facts = { bounds: new Map(), present: new Set() };

export class FaultAnalysis {
    readonly #bounds: ConstantBounds;
    readonly #numbers = new Map<Node, number>();
    /** Functions whose bodies are being looked at. */
    readonly #inProgress = new Set<ast.FunctionDeclaration>();
    readonly #ofFunction = new Map<ast.FunctionDeclaration, FaultKinds>();

    constructor(bounds: ConstantBounds) {
        this.#bounds = bounds;
    }

    /** The faults that depend on the order in which the values of the variables of a node come. */
    dependingOnOrder(node: ast.Quantifier | ast.Comprehension | ast.SetComprehension | ast.Alternative): FaultKinds {
        const sets = this.#ofAll(collectionsOf(node.groups), NO_FACTS);
        const where = sets | (node.where === undefined ? NO_FAULT : this.of(node.where));
        if (ast.isAlternative(node)) {
            // `at` and "may stop" ask for what is on the ways of all values.
            return where | this.#ofWays(node.body);
        }
        const inside = node.where === undefined ? NO_FACTS : this.#assuming(node.where, true, NO_FACTS);
        const kinds = where | (node.body === undefined ? NO_FAULT : this.of(node.body, inside));
        if (!ast.isQuantifier(node)) {
            return kinds;
        }
        switch (node.quantifier) {
            case 'forall':
            case 'exists':
                return kinds;
            case 'sum':
                return this.#isSmallSum(node, inside) && isAtMostOne(kinds) ? NO_FAULT : ANY_FAULT;
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

    of(expression: ast.Expression, facts: Facts = NO_FACTS): FaultKinds {
        if (this.#bounds.of(expression) !== undefined) {
            return NO_FAULT;
        }
        switch (expression.$type) {
            case 'NumberLiteral':
            case 'BooleanLiteral':
            case 'NoneLiteral':
                return NO_FAULT;
            case 'Reference':
                return this.#ofReference(expression, facts);
            case 'UnaryExpression':
                return this.of(expression.operand, facts);
            case 'BinaryExpression':
                return this.#ofBinary(expression, facts);
            case 'Conditional': {
                const { condition, then, otherwise } = expression;
                return (
                    this.of(condition, facts) |
                    this.of(then, this.#assuming(condition, true, facts)) |
                    this.of(otherwise, this.#assuming(condition, false, facts))
                );
            }
            case 'Quantifier':
                return this.#ofQuantifier(expression, facts);
            case 'ArrayLiteral': {
                const { elements, comprehension } = expression;
                return comprehension === undefined ? this.#ofAll(elements, facts) : this.of(comprehension.body, facts);
            }
            case 'SetLiteral':
                return this.#ofSet(expression, facts);
            case 'FieldAccess':
                return this.#ofField(expression, facts);
            case 'Call':
                return this.#ofCall(expression, facts);
            default:
                return ANY_FAULT;
        }
    }

    #ofSet({ elements, comprehension }: ast.SetLiteral, facts: Facts): FaultKinds {
        const ends = elements.flatMap(({ low, high }) => (high === undefined ? [low] : [low, high]));
        if (comprehension === undefined) {
            return this.#ofAll(ends, facts);
        }
        const { groups, where, body } = comprehension;
        const inside = where === undefined ? facts : this.#assuming(where, true, facts);
        const before = [...collectionsOf(groups), ...(where === undefined ? [] : [where])];
        return this.#ofAll(before, facts) | (body === undefined ? NO_FAULT : this.of(body, inside));
    }

    #ofAll(expressions: readonly ast.Expression[], facts: Facts): FaultKinds {
        return expressions.reduce((kinds, expression) => kinds | this.of(expression, facts), NO_FAULT);
    }

    #ofReference(reference: ast.Reference, facts: Facts): FaultKinds {
        const target = reference.target.ref;
        if (reference.action !== undefined) {
            return ANY_FAULT;
        }
        if (reference.label !== undefined) {
            return ast.isProcess(target) ? this.#ofInstance(target, reference.indices, facts) : ANY_FAULT;
        }
        switch (target?.$type) {
            case 'Let':
            case 'Constant': {
                const type = ast.isConstant(target) ? target.type : undefined;
                const outside = type !== undefined && !this.#fits(target.value, type, facts) ? RANGE : NO_FAULT;
                return reference.indices.length > 0 ? ANY_FAULT : outside | this.of(target.value, facts);
            }
            case 'ChannelDeclaration':
                return this.#ofIndices(reference.indices, target.indices, facts);
            case 'Self':
            case 'EnumerationValue':
                return NO_FAULT;
            case 'BinderVariable':
                return reference.indices.length > 0 ? ANY_FAULT : NO_FAULT;
            default: {
                const declared = target && typeOfName(target);
                return declared === undefined ? ANY_FAULT : this.#ofIndices(reference.indices, declared.indices, facts);
            }
        }
    }

    #ofIndices(values: readonly ast.Expression[], types: readonly ast.IndexType[], facts: Facts): FaultKinds {
        return values.reduce((kinds, value, position) => {
            const type = types[position];
            return kinds | this.of(value, facts) | (type && this.#fitsIndex(value, type, facts) ? NO_FAULT : INDEX);
        }, NO_FAULT);
    }

    /** `P[i] at l` asks for the tests before the label: one of the tests of the process. */
    #ofInstance(process: ast.Process, indices: readonly ast.Expression[], facts: Facts): FaultKinds {
        const tests = nodesOf(process.body).flatMap(testsOf);
        const isInside =
            process.where === undefined &&
            process.indices.length === indices.length &&
            process.indices.every(({ type }, position) => {
                const value = indices[position];
                return value !== undefined && this.#fits(value, type, facts);
            });
        // A test that asks for a label again would be no end of questions.
        const asks = tests.some(test => nodesOf(test).some(node => ast.isReference(node) && node.label !== undefined));
        return isInside && !asks && this.#ofWays(process.body) === NO_FAULT ? this.#ofAll(indices, facts) : ANY_FAULT;
    }

    /** Of the tests in a block, and of the initial values, which need not be of the declared type. */
    #ofWays(block: ast.Block): FaultKinds {
        return nodesOf(block).reduce(
            (kinds, node) => {
                if (!ast.isVariable(node) || node.initializer === undefined) {
                    return kinds;
                }
                const { element, isOptional } = resolvedType(node.type);
                return kinds | (this.#isOf(node.initializer, element, isOptional, NO_FACTS) ? NO_FAULT : RANGE);
            },
            this.#ofAll(nodesOf(block).flatMap(testsOf), NO_FACTS),
        );
    }

    #ofBinary({ operator, left, right }: ast.BinaryExpression, facts: Facts): FaultKinds {
        const kinds = this.of(left, facts);
        switch (operator) {
            case '&&':
            case 'implies':
                return kinds | this.of(right, this.#assuming(left, true, facts));
            case '||':
                return kinds | this.of(right, this.#assuming(left, false, facts));
            case '==':
            case '!=':
            case '<':
            case '<=':
            case '>':
            case '>=':
                return kinds | this.of(right, facts);
            case 'in':
                return ast.isSetLiteral(right) || isSetOfValues(right) ? kinds | this.of(right, facts) : kinds;
            case 'union':
            case 'minus':
            case 'intersect':
            case 'subset':
                return kinds | this.of(right, facts);
            case '+':
            case '-':
            case '*': {
                const bounds = this.#boundsOf(left, facts) && this.#boundsOf(right, facts) && true;
                const result = bounds && this.#arithmetic(operator, left, right, facts);
                return kinds | this.of(right, facts) | (result && isExact(result) ? NO_FAULT : OVERFLOW);
            }
            case 'div':
            case 'mod': {
                const divisor = this.#boundsOf(right, facts);
                const isSafe = divisor !== undefined && isAtLeast(divisor.low, constantOf(1));
                return kinds | this.of(right, facts) | (isSafe ? NO_FAULT : DIVISION);
            }
            default:
                return ANY_FAULT;
        }
    }

    #ofQuantifier(expression: ast.Quantifier, facts: Facts): FaultKinds {
        const { quantifier, groups, where, body } = expression;
        const inside = where === undefined ? facts : this.#assuming(where, true, facts);
        const before = [...collectionsOf(groups), ...(where === undefined ? [] : [where])];
        const kinds = this.#ofAll(before, facts) | this.of(body, inside);
        switch (quantifier) {
            case 'forall':
            case 'exists':
            case 'count':
                return kinds;
            case 'sum':
                return kinds | (this.#isSmallSum(expression, inside) ? NO_FAULT : OVERFLOW);
            case 'min':
            case 'max':
                return kinds | (this.#hasValue(groups, where) ? NO_FAULT : UNDEFINED);
            case 'the':
                return kinds | UNDEFINED;
            default:
                return ANY_FAULT;
        }
    }

    #isSmallSum({ body }: ast.Quantifier, facts: Facts): boolean {
        const bounds = this.#boundsOf(body, facts);
        const most = LARGEST_INTEGER / MOST_VALUES;
        return bounds !== undefined && rangeOf(bounds.low).low >= -most && rangeOf(bounds.high).high <= most;
    }

    /** Whether some value satisfies the condition for certain: the type has one, or `x == c || …` names one. */
    #hasValue(groups: readonly ast.BinderGroup[], where: ast.Expression | undefined): boolean {
        const [variable, ...others] = groups.flatMap(group => group.variables);
        const type = variable && typeOfName(variable);
        const bounds = type && this.#boundsOfType(type);
        if (bounds === undefined || others.length > 0 || !isAtLeast(bounds.high, bounds.low)) {
            return false;
        }
        return (
            where === undefined ||
            disjunctsOf(where).some(disjunct => {
                const { operator, left, right } = ast.isBinaryExpression(disjunct) ? disjunct : {};
                const constant = operator === '==' && right && this.#bounds.of(right);
                return (
                    constant &&
                    ast.isReference(left) &&
                    left.target.ref === variable &&
                    isAtLeast(constant, bounds.low) &&
                    isAtLeast(bounds.high, constant)
                );
            })
        );
    }

    #ofField(access: ast.FieldAccess, facts: Facts): FaultKinds {
        const { record, indices } = access;
        const field = access.field.ref;
        const owner = ast.isReference(record) ? record.target.ref : undefined;
        if (ast.isReference(record) && ast.isProcess(owner) && field !== undefined) {
            return (
                this.#ofInstance(owner, record.indices, facts) |
                this.#ofIndices(indices, resolvedType(field.type).indices, facts)
            );
        }
        return ast.isRecordField(field)
            ? this.of(record, facts) | this.#ofIndices(indices, resolvedType(field.type).indices, facts)
            : ANY_FAULT;
    }

    #ofCall(call: ast.Call, facts: Facts): FaultKinds {
        const named = call.function.ref;
        const kinds = this.#ofAll(call.arguments, facts);
        if (call.indices.length > 0) {
            return ANY_FAULT;
        }
        switch (named?.$type) {
            case 'RecordDeclaration':
                return (
                    kinds |
                    (named.where === undefined && this.#fitAll(call.arguments, named.fields, facts) ? NO_FAULT : RANGE)
                );
            case 'FunctionDeclaration':
                return (
                    kinds |
                    (this.#fitAll(call.arguments, named.parameters, facts) ? NO_FAULT : RANGE) |
                    this.#ofBody(named)
                );
            case 'BuiltinFunction':
                return kinds | this.#ofBuiltin(named.name, call);
            default:
                return ANY_FAULT;
        }
    }

    /** The faults of a function whose arguments are of the types of its parameters. */
    #ofBody(declared: ast.FunctionDeclaration): FaultKinds {
        if (declared.value === undefined || this.#inProgress.has(declared)) {
            return ANY_FAULT;
        }
        const { value, result } = declared;
        return remembered(this.#ofFunction, declared, () => {
            this.#inProgress.add(declared);
            const kinds = this.of(value) | (this.#fits(value, result, NO_FACTS) ? NO_FAULT : RANGE);
            this.#inProgress.delete(declared);
            return kinds;
        });
    }

    #ofBuiltin(name: string, { arguments: values }: ast.Call): FaultKinds {
        switch (name) {
            case 'min':
            case 'max':
            case 'len':
                return NO_FAULT;
            case 'full':
            case 'empty':
                return values.every(value => ast.isReference(value) && ast.isChannelDeclaration(value.target.ref))
                    ? NO_FAULT
                    : ANY_FAULT;
            default:
                return ANY_FAULT;
        }
    }

    #fitAll(values: readonly ast.Expression[], places: readonly { readonly type: ast.Type }[], facts: Facts): boolean {
        return values.every((value, position) => {
            const place = places[position];
            return place !== undefined && this.#fits(value, place.type, facts);
        });
    }

    /** Whether a value is of the declared type in each state. */
    #fits(value: ast.Expression, type: ast.Type, facts: Facts): boolean {
        const resolved = resolvedType(type);
        return resolved.indices.length === 0 && this.#isOf(value, resolved.element, resolved.isOptional, facts);
    }

    #fitsIndex(value: ast.Expression, { element }: ast.IndexType, facts: Facts): boolean {
        if (element === undefined) {
            return false;
        }
        if (ast.isRangeType(element) && element.high === undefined && ast.isNumberLiteral(element.low)) {
            const bounds = this.#boundsOf(value, facts);
            const high = constantOf(element.low.value - 1);
            return bounds !== undefined && isAtLeast(bounds.low, constantOf(0)) && isAtLeast(high, bounds.high);
        }
        const resolved = resolvedElement(element);
        return resolved.indices.length === 0 && this.#isOf(value, resolved.element, resolved.isOptional, facts);
    }

    #isOf(value: ast.Expression, element: ast.ElementType, mayBeNone: boolean, facts: Facts): boolean {
        if (ast.isNoneLiteral(value)) {
            return mayBeNone;
        }
        if (!mayBeNone && this.#mayBeNone(value, facts)) {
            return false;
        }
        const range = this.#bounds.rangeOf(element);
        if (range !== undefined) {
            if (ast.isBooleanType(element)) {
                return true;
            }
            const bounds = this.#boundsOf(value, facts);
            return bounds !== undefined && isAtLeast(bounds.low, range.low) && isAtLeast(range.high, bounds.high);
        }
        const named = namedBy(element);
        if (!ast.isRecordDeclaration(named)) {
            return false;
        }
        const place = typeOfPlace(value);
        return (ast.isCall(value) ? value.function.ref : place && namedBy(place.element)) === named;
    }

    /** Whether a value may be `none`: what is no place with a type without `none` may be. */
    #mayBeNone(value: ast.Expression, facts: Facts): boolean {
        const key = this.#keyOf(value);
        if (key !== undefined && facts.present.has(key)) {
            return false;
        }
        switch (value.$type) {
            case 'Reference':
            case 'FieldAccess': {
                const named = ast.isReference(value) ? value.target.ref : undefined;
                if ((ast.isLet(named) || ast.isConstant(named)) && value.indices.length === 0) {
                    return this.#mayBeNone(named.value, factsAbout(named, facts));
                }
                return ast.isEnumerationValue(named) || this.#bounds.of(value) !== undefined
                    ? false
                    : (typeOfPlace(value)?.isOptional ?? true);
            }
            case 'Call': {
                const named = value.function.ref;
                return ast.isFunctionDeclaration(named) ? resolvedType(named.result).isOptional : false;
            }
            case 'NoneLiteral':
                return true;
            case 'Conditional':
                return this.#mayBeNone(value.then, facts) || this.#mayBeNone(value.otherwise, facts);
            default:
                return false;
        }
    }

    /** The bounds of an integer or the value of an enumeration; undefined for others, and if they are not known. */
    #boundsOf(value: ast.Expression, facts: Facts): Bounds | undefined {
        const constant = this.#bounds.of(value);
        if (constant !== undefined) {
            return { low: constant, high: constant };
        }
        switch (value.$type) {
            case 'Reference':
            case 'FieldAccess': {
                const named = ast.isReference(value) && value.indices.length === 0 ? value.target.ref : undefined;
                const narrowed = named && facts.bounds.get(named);
                if (narrowed !== undefined) {
                    return narrowed;
                }
                if (ast.isLet(named) || ast.isConstant(named)) {
                    return this.#boundsOf(named.value, factsAbout(named, facts));
                }
                const element = typeOfPlace(value);
                return element?.indices.length === 0 ? this.#boundsOfType(element) : undefined;
            }
            case 'UnaryExpression': {
                const operand = value.operator === '-' ? this.#boundsOf(value.operand, facts) : undefined;
                return operand && boundsBetween(combination([-1, operand.high]), combination([-1, operand.low]));
            }
            case 'BinaryExpression': {
                const { operator, left, right } = value;
                switch (operator) {
                    case '+':
                    case '-':
                    case '*':
                        return this.#arithmetic(operator, left, right, facts);
                    case 'mod': {
                        const modulus = this.#bounds.of(right);
                        return modulus && isAtLeast(modulus, constantOf(1))
                            ? boundsBetween(constantOf(0), combination([1, modulus], [-1, constantOf(1)]))
                            : undefined;
                    }
                    default:
                        return undefined;
                }
            }
            case 'Conditional': {
                const { condition, then, otherwise } = value;
                const first = this.#boundsOf(then, this.#assuming(condition, true, facts));
                const second = this.#boundsOf(otherwise, this.#assuming(condition, false, facts));
                return first && second && joined(first, second);
            }
            case 'Quantifier': {
                const { quantifier, body, where } = value;
                const inside = where === undefined ? facts : this.#assuming(where, true, facts);
                if (quantifier === 'count') {
                    return { low: constantOf(0), high: constantOf(MOST_VALUES) };
                }
                return quantifier === 'min' || quantifier === 'max' ? this.#boundsOf(body, inside) : undefined;
            }
            case 'Call': {
                const named = value.function.ref;
                return ast.isFunctionDeclaration(named) ? this.#boundsOfType(resolvedType(named.result)) : undefined;
            }
            default:
                return undefined;
        }
    }

    #arithmetic(
        operator: '+' | '-' | '*',
        left: ast.Expression,
        right: ast.Expression,
        facts: Facts,
    ): Bounds | undefined {
        const [first, second] = [this.#boundsOf(left, facts), this.#boundsOf(right, facts)];
        if (first === undefined || second === undefined) {
            return undefined;
        }
        switch (operator) {
            case '+':
                return boundsBetween(
                    combination([1, first.low], [1, second.low]),
                    combination([1, first.high], [1, second.high]),
                );
            case '-':
                return boundsBetween(
                    combination([1, first.low], [-1, second.high]),
                    combination([1, first.high], [-1, second.low]),
                );
            case '*': {
                const corners = [first.low, first.high].flatMap(one =>
                    [second.low, second.high].map(other => product(one, other)),
                );
                const ranges = corners.map(corner =>
                    corner === undefined ? { low: -Infinity, high: Infinity } : rangeOf(corner),
                );
                const [low, high] = [
                    Math.min(...ranges.map(range => range.low)),
                    Math.max(...ranges.map(range => range.high)),
                ];
                return Number.isSafeInteger(low) && Number.isSafeInteger(high)
                    ? { low: constantOf(low), high: constantOf(high) }
                    : undefined;
            }
        }
    }

    #boundsOfType({ element, indices }: ResolvedType): Bounds | undefined {
        return indices.length === 0 && !ast.isBooleanType(element) ? this.#bounds.rangeOf(element) : undefined;
    }

    /** What holds in addition where a condition is true, or false. */
    #assuming(condition: ast.Expression, isTrue: boolean, facts: Facts): Facts {
        if (ast.isUnaryExpression(condition) && condition.operator === '!') {
            return this.#assuming(condition.operand, !isTrue, facts);
        }
        if (!ast.isBinaryExpression(condition)) {
            return facts;
        }
        const { operator, left, right } = condition;
        if ((operator === '&&' && isTrue) || (operator === '||' && !isTrue)) {
            return this.#assuming(right, isTrue, this.#assuming(left, isTrue, facts));
        }
        if (operator === '==' || operator === '!=') {
            const isEqual = (operator === '==') === isTrue;
            const key = this.#keyOf(left);
            if (ast.isNoneLiteral(right)) {
                return !isEqual && key !== undefined ? { ...facts, present: new Set([...facts.present, key]) } : facts;
            }
            return this.#narrowed(left, right, isEqual, facts);
        }
        return facts;
    }

    /** The bounds of a name that is, or is not, equal to a constant. */
    #narrowed(name: ast.Expression, other: ast.Expression, isEqual: boolean, facts: Facts): Facts {
        const constant = this.#bounds.of(other);
        const named = ast.isReference(name) && name.indices.length === 0 ? name.target.ref : undefined;
        const before = named && this.#boundsOf(name, facts);
        const isFixed = ast.isBinderVariable(named) || ast.isFunctionParameter(named) || ast.isProcessIndex(named);
        if (constant === undefined || before === undefined || !isFixed) {
            return facts;
        }
        const { low, high } = before;
        const narrower = isEqual
            ? { low: constant, high: constant }
            : boundsBetween(
                  isSame(low, constant) ? combination([1, low], [1, constantOf(1)]) : low,
                  isSame(high, constant) ? combination([1, high], [-1, constantOf(1)]) : high,
              );
        return narrower === undefined ? facts : { ...facts, bounds: new Map([...facts.bounds, [named, narrower]]) };
    }

    /** The same for the same place of the same names; undefined for what is no place. */
    #keyOf(expression: ast.Expression): string | undefined {
        if (!ast.isReference(expression) && !ast.isFieldAccess(expression)) {
            return undefined;
        }
        const base = ast.isFieldAccess(expression) ? this.#keyOf(expression.record) : '';
        const named = ast.isFieldAccess(expression) ? expression.field.ref : expression.target.ref;
        const isQuestion =
            ast.isReference(expression) && (expression.label !== undefined || expression.action !== undefined);
        const indices = expression.indices.map(index => this.#keyOf(index));
        if (base === undefined || named === undefined || isQuestion || indices.includes(undefined)) {
            return undefined;
        }
        const number = remembered(this.#numbers, named, () => this.#numbers.size + 1);
        return `${base}.${number}[${indices.join()}]`;
    }
}

/** A name in the body of a step has the value of an earlier moment, of which conditions here say nothing. */
function factsAbout(named: ast.Let | ast.Constant, facts: Facts): Facts {
    return ast.isBody(named.$container) ? NO_FACTS : facts;
}

function disjunctsOf(expression: ast.Expression): ast.Expression[] {
    return ast.isBinaryExpression(expression) && expression.operator === '||'
        ? [...disjunctsOf(expression.left), ...disjunctsOf(expression.right)]
        : [expression];
}

function boundsBetween(low: Polynomial | undefined, high: Polynomial | undefined): Bounds | undefined {
    return low && high && { low, high };
}

function joined(first: Bounds, second: Bounds): Bounds | undefined {
    const low = isAtLeast(first.low, second.low)
        ? second.low
        : isAtLeast(second.low, first.low)
          ? first.low
          : undefined;
    const high = isAtLeast(first.high, second.high)
        ? first.high
        : isAtLeast(second.high, first.high)
          ? second.high
          : undefined;
    return boundsBetween(low, high);
}

function isExact({ low, high }: Bounds): boolean {
    return rangeOf(low).low >= -LARGEST_INTEGER && rangeOf(high).high <= LARGEST_INTEGER;
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
