/**
 * Between which bounds the values of an expression lie, for any state and any values of the parameters, and whether they
 * are of a declared type. Bounds are polynomials (constant-bounds.ts); conditions before an expression narrow them, as far
 * as they stand inside a given node: `c == 0 || a[c]`, `x != none && a[x]`.
 */
import { LARGEST_INTEGER } from '../engine/common/interval.js';
import * as ast from '../language/generated/nodes.js';
import { collectionOf } from '../language/references/binders.js';
import { namedBy } from '../language/references/declared-type.js';
import type { Node } from '../language/tree/node.js';
import { comparisonsIn, conditionsAround, hasValue, isSame as isSamePlace } from '../language/typing/narrowing.js';
import {
    combination,
    constantOf,
    isAtLeast,
    isSame,
    product,
    rangeOf,
    type Polynomial,
} from '../language/typing/polynomial.js';
import { LARGEST_LENGTH, type ConstantBounds } from './constant-bounds.js';
import {
    resolvedElement,
    resolvedType,
    typeOfElements,
    typeOfName,
    typeOfPlace,
    type ResolvedType,
} from './resolved-type.js';

export interface Bounds {
    readonly low: Polynomial;
    readonly high: Polynomial;
}

/** A quantifier or an array runs through at most so many values. [language/representation/shape.ts] */
const MOST_VALUES = 1_000_000;

/** The node whose conditions count, with those inside it; all conditions of the step if it is undefined. */
export type Within = Node | undefined;

export class ValueBounds {
    readonly #constants: ConstantBounds;

    constructor(constants: ConstantBounds) {
        this.#constants = constants;
    }

    isConstant(expression: ast.Expression): boolean {
        return this.#constants.of(expression) !== undefined;
    }

    /** Whether a record may have these fields, all of them of their types. */
    isRecord(call: ast.Call, { where }: ast.RecordDeclaration): boolean {
        return where === undefined || this.#constants.isRecord(call);
    }

    /** Of integers, or of values of an enumeration, in an array, too; undefined for others, and if they are not known. */
    of(value: ast.Expression, within: Within): Bounds | undefined {
        const constant = this.#constants.of(value);
        if (constant !== undefined) {
            return { low: constant, high: constant };
        }
        switch (value.$type) {
            case 'Reference':
            case 'FieldAccess':
                return this.#ofPlace(value, within);
            case 'UnaryExpression': {
                const operand = value.operator === '-' ? this.of(value.operand, within) : undefined;
                return operand && boundsBetween(combination([-1, operand.high]), combination([-1, operand.low]));
            }
            case 'BinaryExpression':
                return this.#ofBinary(value, within);
            case 'Conditional': {
                const [then, otherwise] = [this.of(value.then, within), this.of(value.otherwise, within)];
                return then && otherwise && joined(then, otherwise);
            }
            case 'Quantifier': {
                const { quantifier, body } = value;
                if (quantifier === 'count') {
                    return { low: ZERO, high: constantOf(MOST_VALUES) };
                }
                return quantifier === 'min' || quantifier === 'max' ? this.of(body, within) : undefined;
            }
            case 'Call': {
                const named = value.function.ref;
                if (ast.isBuiltinFunction(named) && named.name === 'len') {
                    return { low: ZERO, high: constantOf(LARGEST_LENGTH) };
                }
                return ast.isFunctionDeclaration(named) ? this.ofType(resolvedType(named.result)) : undefined;
            }
            default:
                return undefined;
        }
    }

    /** Of the values of a type, or of the elements of an array. */
    ofType({ element }: ResolvedType): Bounds | undefined {
        return ast.isBooleanType(element) ? undefined : this.#constants.rangeOf(element);
    }

    /** Whether a sum over the values of a type is exact. */
    isSmallSum({ body }: ast.Quantifier, within: Within): boolean {
        const bounds = this.of(body, within);
        return bounds !== undefined && isWithin(bounds, LARGEST_INTEGER / MOST_VALUES);
    }

    /** Whether a sum, a difference or a product is exact. */
    isExact(expression: ast.BinaryExpression, within: Within): boolean {
        const bounds = this.of(expression, within);
        return bounds !== undefined && isWithin(bounds, LARGEST_INTEGER);
    }

    isPositive(value: ast.Expression, within: Within): boolean {
        const bounds = this.of(value, within);
        return bounds !== undefined && isAtLeast(bounds.low, ONE);
    }

    /** Whether some value satisfies the condition for certain: the type has one, or `x == c || …` names one. */
    hasValue(groups: readonly ast.BinderGroup[], where: ast.Expression | undefined): boolean {
        const [variable, ...others] = groups.flatMap(group => group.variables);
        const type = variable && typeOfName(variable);
        const bounds = type && this.ofType(type);
        const mayBeEmpty = bounds === undefined || !isAtLeast(bounds.high, bounds.low);
        if (mayBeEmpty || others.length > 0 || groups.some(group => collectionOf(group) !== undefined)) {
            return false;
        }
        return (
            where === undefined ||
            disjunctsOf(where).some(disjunct => {
                const { operator, left, right } = ast.isBinaryExpression(disjunct) ? disjunct : {};
                const constant = operator === '==' && right && this.#constants.of(right);
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

    /** Whether values are of the types of their places. */
    areOf(values: readonly ast.Expression[], places: readonly { readonly type: ast.Type }[], within: Within): boolean {
        return values.every((value, position) => {
            const place = places[position];
            return place !== undefined && this.isOf(value, resolvedType(place.type), within);
        });
    }

    isIndex(value: ast.Expression, { element }: ast.IndexType, within: Within): boolean {
        if (element === undefined) {
            return false;
        }
        if (ast.isRangeType(element) && element.high === undefined && ast.isNumberLiteral(element.low)) {
            const bounds = this.of(value, within);
            const high = constantOf(element.low.value - 1);
            return bounds !== undefined && isInside(bounds, { low: ZERO, high });
        }
        const resolved = resolvedElement(element);
        return resolved.indices.length === 0 && this.isOf(value, resolved, within);
    }

    /** Whether an index is one of an array literal: of the list, or of the values of a variable. */
    isElement(indices: readonly ast.Expression[], position: number, array: ast.Expression, within: Within): boolean {
        const index = indices[position];
        if (!ast.isArrayLiteral(array) || position > 0 || index === undefined) {
            return false;
        }
        const { elements, comprehension } = array;
        if (comprehension === undefined) {
            const bounds = this.of(index, within);
            return bounds !== undefined && isInside(bounds, { low: ZERO, high: constantOf(elements.length - 1) });
        }
        const [variable] = comprehension.groups.flatMap(({ variables }) => variables);
        const type = variable && typeOfName(variable);
        return type !== undefined && this.isOf(index, type, within);
    }

    /** Whether a value is of a type in each state. The check has seen that the indices of arrays are the same. */
    isOf(value: ast.Expression, type: ResolvedType, within: Within): boolean {
        const parts = partsOf(value);
        if (parts !== undefined) {
            return parts.every(part => this.isOf(part, type, within));
        }
        const { element, isOptional } = type;
        if (ast.isNoneLiteral(value)) {
            return isOptional;
        }
        if (!isOptional && this.mayBeNone(value, within)) {
            return false;
        }
        const range = this.#constants.rangeOf(element);
        if (range !== undefined) {
            const bounds = ast.isBooleanType(element) ? range : this.of(value, within);
            return bounds !== undefined && isInside(bounds, range);
        }
        if (ast.isSetType(element)) {
            return this.#hasElements(value, resolvedElement(element.member), within);
        }
        const named = namedBy(element);
        const built = ast.isCall(value) ? value.function.ref : ast.isReference(value) ? value.target.ref : undefined;
        const place = ast.isCall(value) ? undefined : typeOfPlace(value);
        const own = ast.isEnumerationValue(built) ? built.$container : place ? namedBy(place.element) : built;
        return (ast.isRecordDeclaration(named) || ast.isEnumeration(named)) && own === named;
    }

    /** Whether all elements of a set are of a type. */
    #hasElements(set: ast.Expression, type: ResolvedType, within: Within): boolean {
        if (ast.isBinaryExpression(set) && set.operator === 'union') {
            return [set.left, set.right].every(part => this.#hasElements(part, type, within));
        }
        const own = typeOfElements(set);
        const [bounds, range] = [own && this.ofType(own), this.ofType(type)];
        if (own !== undefined) {
            return bounds !== undefined && range !== undefined && isInside(bounds, range) && !own.isOptional;
        }
        if (!ast.isSetLiteral(set)) {
            return false;
        }
        const { elements, comprehension } = set;
        const values =
            comprehension === undefined
                ? elements.flatMap(({ low, high }) => [low, high ?? low])
                : [comprehension.body];
        return values.every(value => value !== undefined && this.isOf(value, type, within));
    }

    /** Whether a value may be `none`: what is no place with a type without `none` may be. */
    mayBeNone(value: ast.Expression, within: Within): boolean {
        if (hasValue(value, within)) {
            return false;
        }
        switch (value.$type) {
            case 'Reference':
            case 'FieldAccess': {
                const named = ast.isReference(value) ? value.target.ref : undefined;
                if ((ast.isLet(named) || ast.isConstant(named)) && value.indices.length === 0) {
                    return this.mayBeNone(named.value, named.value);
                }
                return !this.isConstant(value) && (typeOfPlace(value)?.isOptional ?? true);
            }
            case 'Call': {
                const named = value.function.ref;
                return ast.isFunctionDeclaration(named) && resolvedType(named.result).isOptional;
            }
            case 'NoneLiteral':
                return true;
            default:
                return partsOf(value)?.some(part => this.mayBeNone(part, within)) ?? false;
        }
    }

    #ofPlace(place: ast.Reference | ast.FieldAccess, within: Within): Bounds | undefined {
        const named = ast.isReference(place) && place.indices.length === 0 ? place.target.ref : undefined;
        if (ast.isLet(named) || ast.isConstant(named)) {
            return this.of(named.value, named.value);
        }
        const type = typeOfPlace(place);
        const bounds = type && this.ofType(type);
        // Other places may have been written since.
        const isFixed = ast.isBinderVariable(named) || ast.isFunctionParameter(named) || ast.isProcessIndex(named);
        return bounds && isFixed ? this.#narrowed(bounds, place, within) : bounds;
    }

    /** The bounds of a place that is, or is not, equal to constants. */
    #narrowed(bounds: Bounds, place: ast.Expression, within: Within): Bounds | undefined {
        return [...conditionsAround(place, within)]
            .reverse()
            .flatMap(({ condition, outcome }) => [...comparisonsIn(condition, outcome)])
            .reduce<Bounds | undefined>((narrowed, { left, right, isEqual }) => {
                const constant = isSamePlace(left, place) ? this.#constants.of(right) : undefined;
                if (constant === undefined || narrowed === undefined) {
                    return narrowed;
                }
                const { low, high } = narrowed;
                return isEqual
                    ? { low: constant, high: constant }
                    : boundsBetween(
                          isSame(low, constant) ? combination([1, low], [1, ONE]) : low,
                          isSame(high, constant) ? combination([1, high], [-1, ONE]) : high,
                      );
            }, bounds);
    }

    #ofBinary({ operator, left, right }: ast.BinaryExpression, within: Within): Bounds | undefined {
        const [first, second] = [this.of(left, within), this.of(right, within)];
        if (first === undefined || second === undefined) {
            // The remainder is small, whatever is divided.
            const modulus = operator === 'mod' ? this.#constants.of(right) : undefined;
            return modulus && remainders(modulus);
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
            case 'mod': {
                const modulus = this.#constants.of(right);
                return modulus && remainders(modulus);
            }
            case 'div':
                return isAtLeast(first.low, ZERO) && isAtLeast(second.low, ONE)
                    ? { low: ZERO, high: first.high }
                    : undefined;
            default:
                return undefined;
        }
    }
}

const ZERO = constantOf(0);
const ONE = constantOf(1);

/** The values of which an expression has one, or each in an array; undefined if it is no choice and no list. */
function partsOf(value: ast.Expression): readonly ast.Expression[] | undefined {
    return ast.isConditional(value)
        ? [value.then, value.otherwise]
        : ast.isArrayLiteral(value)
          ? value.comprehension === undefined
              ? value.elements
              : [value.comprehension.body]
          : undefined;
}

function disjunctsOf(expression: ast.Expression): ast.Expression[] {
    return ast.isBinaryExpression(expression) && expression.operator === '||'
        ? [...disjunctsOf(expression.left), ...disjunctsOf(expression.right)]
        : [expression];
}

function remainders(modulus: Polynomial): Bounds | undefined {
    return isAtLeast(modulus, ONE) ? boundsBetween(ZERO, combination([1, modulus], [-1, ONE])) : undefined;
}

function isInside(bounds: Bounds, range: Bounds): boolean {
    return isAtLeast(bounds.low, range.low) && isAtLeast(range.high, bounds.high);
}

/** Whether the magnitude of all values is at most `most`. */
function isWithin({ low, high }: Bounds, most: number): boolean {
    return rangeOf(low).low >= -most && rangeOf(high).high <= most;
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
