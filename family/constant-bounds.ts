/**
 * Constants of a text as polynomials over its parameters: `N - 1`, `len(clients) - 1`, `green`.
 *
 * Truth values and the names of an enumeration are numbered from 0 on. What is constant but no polynomial (`pow(2, D)`,
 * `N div 2`) is undefined here.
 */
import type { Node } from '../language/tree/node.js';
import * as ast from '../language/generated/nodes.js';
import { hasCases } from '../language/references/constructors.js';
import { namedBy } from '../language/references/declared-type.js';
import { isNumberOfValues } from '../language/typing/constants.js';
import {
    asNumber,
    combination,
    constantOf,
    product,
    rangeOf,
    unknownOf,
    type Polynomial,
} from '../language/typing/polynomial.js';

/** Types of the language have at most so many values. */
export const LARGEST_LENGTH = 2 ** 30;

export class ConstantBounds {
    readonly #known = new Map<Node, Polynomial | undefined>();
    readonly #valueOf: (declaration: ast.Parameter | ast.Constant) => number | undefined;
    /** Whether a record is a constant that satisfies its condition. */
    readonly isRecord: (call: ast.Call) => boolean;

    /** `valueOf` are the numbers that stand for some names. */
    constructor(
        valueOf: (declaration: ast.Parameter | ast.Constant) => number | undefined = () => undefined,
        isRecord: (call: ast.Call) => boolean = () => false,
    ) {
        this.#valueOf = valueOf;
        this.isRecord = isRecord;
    }

    /** The value of an expression; undefined if it is no polynomial of the parameters. */
    of(expression: ast.Expression): Polynomial | undefined {
        if (!this.#known.has(expression)) {
            // A name that is defined in terms of itself has no value.
            this.#known.set(expression, undefined);
            this.#known.set(expression, this.#compute(expression));
        }
        return this.#known.get(expression);
    }

    /** The length of a parameter whose value decides it: its first index type is `*`. */
    lengthOf(parameter: ast.Parameter): Polynomial {
        return unknownOf({ name: `len(${parameter.name})`, low: 0, high: LARGEST_LENGTH });
    }

    /** The bounds of a range, or of a type with a name; undefined for other types, and if one is no polynomial. */
    rangeOf(element: ast.ElementType): { readonly low: Polynomial; readonly high: Polynomial } | undefined {
        if (ast.isBooleanType(element)) {
            return { low: constantOf(0), high: constantOf(1) };
        }
        if (!ast.isRangeType(element)) {
            return undefined;
        }
        if (element.high !== undefined) {
            const [low, high] = [this.of(element.low), this.of(element.high)];
            return low && high && { low, high };
        }
        if (isNumberOfValues(element)) {
            const count = this.of(element.low);
            const high = count && combination([1, count], [-1, constantOf(1)]);
            return high && { low: constantOf(0), high };
        }
        const named = ast.isReference(element.low) ? element.low.target.ref : undefined;
        if (ast.isEnumeration(named)) {
            const { values } = named;
            return hasCases(named) ? undefined : { low: constantOf(0), high: constantOf(values.length - 1) };
        }
        return ast.isTypeDeclaration(named) && named.type.indices.length === 0
            ? this.rangeOf(named.type.element)
            : undefined;
    }

    #compute(expression: ast.Expression): Polynomial | undefined {
        switch (expression.$type) {
            case 'NumberLiteral':
                return constantOf(expression.value);
            case 'BooleanLiteral':
                return constantOf(expression.value === 'true' ? 1 : 0);
            case 'Reference':
                return expression.indices.length === 0 && expression.label === undefined && !expression.action
                    ? this.#ofName(expression.target.ref)
                    : undefined;
            case 'UnaryExpression': {
                const operand = expression.operator === '-' ? this.of(expression.operand) : undefined;
                return operand && combination([-1, operand]);
            }
            case 'BinaryExpression': {
                const [left, right] = [this.of(expression.left), this.of(expression.right)];
                if (left === undefined || right === undefined) {
                    return undefined;
                }
                switch (expression.operator) {
                    case '+':
                        return combination([1, left], [1, right]);
                    case '-':
                        return combination([1, left], [-1, right]);
                    case '*':
                        return product(left, right);
                    default:
                        return undefined;
                }
            }
            case 'Call': {
                const [argument, ...others] = expression.arguments;
                const isLength =
                    expression.function.ref?.$type === 'BuiltinFunction' && expression.function.ref.name === 'len';
                const table =
                    isLength && ast.isReference(argument) && argument.indices.length === 0 && argument.target.ref;
                return table && ast.isParameter(table) && others.length === 0 && table.type.indices[0]?.open
                    ? this.lengthOf(table)
                    : undefined;
            }
            default:
                return undefined;
        }
    }

    #ofName(named: ast.Named | undefined): Polynomial | undefined {
        const value = ast.isParameter(named) || ast.isConstant(named) ? this.#valueOf(named) : undefined;
        if (value !== undefined) {
            return constantOf(value);
        }
        switch (named?.$type) {
            case 'Parameter':
                return this.#ofParameter(named);
            case 'Constant':
            case 'Let':
                return this.of(named.value);
            case 'EnumerationValue': {
                const { values } = named.$container;
                return hasCases(named.$container) ? undefined : constantOf(values.indexOf(named));
            }
            default:
                return undefined;
        }
    }

    /** A parameter that is a number with constant bounds; bounds that depend on other parameters are those of all of these. */
    #ofParameter({ name, type }: ast.Parameter): Polynomial | undefined {
        const isNumber = type.indices.length === 0 && ast.isRangeType(type.element) && !type.element.optional;
        const bounds = isNumber && !isEnumerated(type.element) ? this.rangeOf(type.element) : undefined;
        return bounds && unknownOf({ name, low: rangeOf(bounds.low).low, high: rangeOf(bounds.high).high });
    }
}

/** Whether a type is an enumeration: the number of its value is no number that a model can compute with. */
function isEnumerated(element: ast.ElementType): boolean {
    const named = namedBy(element);
    return ast.isTypeDeclaration(named) ? isEnumerated(named.type.element) : ast.isEnumeration(named);
}

/** Whether all values of a polynomial are in the given interval of numbers. */
export function isWithin(polynomial: Polynomial, low: number, high: number): boolean {
    const value = asNumber(polynomial);
    const range = value === undefined ? rangeOf(polynomial) : { low: value, high: value };
    return low <= range.low && range.high <= high;
}
