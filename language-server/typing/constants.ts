/**
 * What is known before a run: the values of parameters and constants, and the domains that types stand for.
 *
 * Everything is computed on demand and once, so declarations may stand in any order; a declaration that needs itself is
 * an error. Undefined means that a problem has been reported, here or by the type check of the same expression.
 */
import { unreachable } from '../../engine/common/assert.js';
import { BOOLEAN, domainSize, NONE, valueOfCode, type Domain, type Value } from '../../engine/model/domain.js';
import type {
    BinderVariable,
    Constant,
    ElementType,
    Enumeration,
    EnumerationValue,
    EventDeclaration,
    Expression,
    IndexType,
    Named,
    Parameter,
    ProcessIndex,
    Quantifier,
    RangeType,
    Reference,
    Type,
    TypeDeclaration,
} from '../generated/ast.js';
import * as ast from '../generated/ast.js';
import { nameRangeOf, rangeOf } from '../source-range.js';
import type { ProblemCode } from '../validation/codes.js';
import type { ProblemCollector, Replacement } from '../validation/problem-collector.js';
import { euclideanQuotient, euclideanRemainder, LARGEST_INTEGER } from './interval.js';

/** What a type stands for: a scalar has no indices. */
export interface Shape {
    readonly element: Domain;
    readonly indices: readonly Domain[];
}

/** The largest number of values of one type: codes of values are 32-bit integers. */
export const DOMAIN_LIMIT = 2 ** 30;

/** The most assignments that one quantifier, family or array runs through. */
export const EXPANSION_LIMIT = 1_000_000;

/** How many operations the evaluation of one constant may take. */
const EVALUATION_LIMIT = 2_000_000;

type Binding = ReadonlyMap<BinderVariable, Value>;
const NO_BINDING: Binding = new Map();

export class Constants {
    private readonly values = new Map<Parameter | Constant, Value | undefined>();
    private readonly shapes = new Map<Type | TypeDeclaration, Shape | undefined>();
    private readonly enumerations = new Map<Enumeration, Domain>();
    private readonly inProgress = new Set<Parameter | Constant | TypeDeclaration>();
    private readonly problems: ProblemCollector;
    private readonly overrides: ReadonlyMap<string, Expression>;
    private operationsLeft = EVALUATION_LIMIT;

    /** `overrides` holds the values of parameters that were given from outside (parsing/parameter-values.ts). */
    constructor(overrides: ReadonlyMap<string, Expression>, problems: ProblemCollector) {
        this.problems = problems;
        this.overrides = overrides;
    }

    /** The value of a parameter or constant; of a process's constant only where it does not depend on the instance. */
    valueOf(declaration: Parameter | Constant): Value | undefined {
        if (this.values.has(declaration)) {
            return this.values.get(declaration);
        }
        if (this.inProgress.has(declaration)) {
            this.reportCycle(declaration);
            return undefined;
        }
        this.inProgress.add(declaration);
        const override = ast.isParameter(declaration) ? this.overrides.get(declaration.name) : undefined;
        const value =
            override !== undefined
                ? this.problems.elsewhere(problemOfGiven(declaration), () => this.evaluate(override))
                : declaration.value !== undefined
                  ? this.evaluate(declaration.value)
                  : undefined;
        this.inProgress.delete(declaration);
        // A cycle found on the way has already entered it.
        if (!this.values.has(declaration)) {
            this.values.set(declaration, value);
        }
        return this.values.get(declaration);
    }

    /** The value of an expression that must be known before a run. */
    evaluate(expression: Expression): Value | undefined {
        this.operationsLeft = EVALUATION_LIMIT;
        return this.evaluateUnder(expression, NO_BINDING);
    }

    /** What `type` stands for. */
    shapeOf(type: Type): Shape | undefined {
        if (!this.shapes.has(type)) {
            this.shapes.set(type, this.computeShape(type));
        }
        return this.shapes.get(type);
    }

    /** The domain of a type that may not be an array. */
    scalarOf(type: Type): Domain | undefined {
        const shape = this.shapeOf(type);
        if (shape !== undefined && shape.indices.length > 0) {
            this.problems.error('type/array-not-allowed', 'an array type cannot stand here', rangeOf(type));
            return undefined;
        }
        return shape?.element;
    }

    /** The domain of an array index or an event argument. `3` is `0 .. 2`. */
    indexDomainOf(index: IndexType): Domain | undefined {
        const element = index.element;
        if (ast.isRangeType(element) && element.high === undefined && ast.isNumberLiteral(element.low)) {
            const size = element.low.value;
            return this.checkSize({ kind: 'range', low: 0, high: size - 1 }, element);
        }
        const shape = this.shapeOfElement(element);
        if (shape !== undefined && shape.indices.length > 0) {
            this.problems.error('type/array-not-allowed', 'an array cannot be an index', rangeOf(index));
            return undefined;
        }
        return shape?.element;
    }

    domainOfEnumeration(enumeration: Enumeration): Domain {
        let domain = this.enumerations.get(enumeration);
        if (domain === undefined) {
            const values = enumeration.values.map(value => value.name);
            domain = { kind: 'enumeration', name: enumeration.name, values };
            this.enumerations.set(enumeration, domain);
        }
        return domain;
    }

    /** The domain that a family's index or a quantifier's variable runs through. */
    domainOfBinder(binder: ProcessIndex | BinderVariable): Domain | undefined {
        return this.scalarOf(ast.isProcessIndex(binder) ? binder.type : binder.$container.type);
    }

    argumentsOf(event: EventDeclaration): (Domain | undefined)[] {
        return event.arguments.map(argument => this.indexDomainOf(argument));
    }

    private reportCycle(declaration: Parameter | Constant | TypeDeclaration): void {
        this.problems.error(
            'name/cyclic',
            `\`${declaration.name}\` is defined in terms of itself`,
            nameRangeOf(declaration),
        );
        if (!ast.isTypeDeclaration(declaration)) {
            this.values.set(declaration, undefined);
        }
    }

    private computeShape(type: Type): Shape | undefined {
        const shape = this.shapeOfElement(type.element);
        const indices = type.indices.map(index => this.indexDomainOf(index));
        if (shape === undefined || indices.some(index => index === undefined)) {
            return undefined;
        }
        const all = [...shape.indices, ...indices.filter(index => index !== undefined)];
        const cells = all.reduce((product, index) => product * domainSize(index), 1);
        if (cells > EXPANSION_LIMIT) {
            this.problems.error(
                'type/too-large',
                `an array of ${formatCount(cells)} cells is too large; at most ${formatCount(EXPANSION_LIMIT)} are possible`,
                rangeOf(type),
            );
            return undefined;
        }
        return { element: shape.element, indices: all };
    }

    private shapeOfElement(element: ElementType): Shape | undefined {
        if (ast.isBooleanType(element)) {
            return this.withOptional({ element: BOOLEAN, indices: [] }, element);
        }
        if (element.high === undefined) {
            return this.withOptional(this.shapeOfName(element), element);
        }
        const low = this.boundOf(element.low);
        const high = this.boundOf(element.high);
        if (low === undefined || high === undefined) {
            return undefined;
        }
        const domain = this.checkSize({ kind: 'range', low, high: Math.max(high, low - 1) }, element);
        return domain === undefined ? undefined : this.withOptional({ element: domain, indices: [] }, element);
    }

    private boundOf(bound: Expression): number | undefined {
        const value = this.evaluate(bound);
        return value !== undefined && Number.isInteger(value) ? value : undefined;
    }

    private checkSize(domain: Domain, element: ElementType): Domain | undefined {
        const size = domainSize(domain);
        if (size <= DOMAIN_LIMIT) {
            return domain;
        }
        this.problems.error(
            'type/too-large',
            `a type of ${formatCount(size)} values is too large; at most ${formatCount(DOMAIN_LIMIT)} are possible`,
            rangeOf(element),
        );
        return undefined;
    }

    private withOptional(shape: Shape | undefined, element: ElementType): Shape | undefined {
        if (!element.optional || shape === undefined) {
            return shape;
        }
        if (shape.indices.length > 0) {
            this.problems.error('type/array-not-allowed', 'an array cannot be optional', rangeOf(element));
            return undefined;
        }
        if (shape.element.kind === 'optional') {
            this.problems.error('type/optional-twice', 'the type is optional already', rangeOf(element));
            return undefined;
        }
        return { element: { kind: 'optional', base: shape.element }, indices: [] };
    }

    private shapeOfName(element: RangeType): Shape | undefined {
        const name = element.low;
        if (!ast.isReference(name)) {
            this.problems.error(
                'type/not-a-type',
                'a type is expected here: a name, `bool`, or a range `low .. high`',
                rangeOf(element),
            );
            return undefined;
        }
        const target = name.target.ref;
        if (target === undefined) {
            return undefined;
        }
        if (ast.isEnumeration(target)) {
            return { element: this.domainOfEnumeration(target), indices: [] };
        }
        if (ast.isTypeDeclaration(target)) {
            return this.shapeOfDeclaration(target);
        }
        const hint = ast.isParameter(target) || ast.isConstant(target) ? `; write \`0 .. ${target.name} - 1\`` : '';
        this.problems.error('type/not-a-type', `\`${target.name}\` is not a type${hint}`, rangeOf(element));
        return undefined;
    }

    private shapeOfDeclaration(declaration: TypeDeclaration): Shape | undefined {
        if (this.shapes.has(declaration)) {
            return this.shapes.get(declaration);
        }
        if (this.inProgress.has(declaration)) {
            this.reportCycle(declaration);
            return undefined;
        }
        this.inProgress.add(declaration);
        const shape = this.shapeOf(declaration.type);
        this.inProgress.delete(declaration);
        const named = shape && { ...shape, element: withName(shape.element, declaration.name) };
        this.shapes.set(declaration, named);
        return named;
    }

    private evaluateUnder(expression: Expression, binding: Binding): Value | undefined {
        if (--this.operationsLeft < 0) {
            this.problems.error('type/too-large', 'the constant takes too long to compute', rangeOf(expression));
            return undefined;
        }
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
                const operand = this.evaluateUnder(expression.operand, binding);
                if (operand === undefined) {
                    return undefined;
                }
                return expression.operator === '!' ? 1 - operand : 0 - operand;
            }
            case 'BinaryExpression':
                return this.evaluateBinary(expression, binding);
            case 'Conditional': {
                const condition = this.evaluateUnder(expression.condition, binding);
                if (condition === undefined) {
                    return undefined;
                }
                return this.evaluateUnder(condition !== 0 ? expression.then : expression.otherwise, binding);
            }
            case 'Quantifier':
                return this.evaluateQuantifier(expression, binding);
            default:
                return unreachable(expression);
        }
    }

    private evaluateReference(reference: Reference, binding: Binding): Value | undefined {
        const target = reference.target.ref;
        if (target === undefined) {
            return undefined;
        }
        if (ast.isParameter(target) || ast.isConstant(target)) {
            return this.valueOf(target);
        }
        if (ast.isEnumerationValue(target)) {
            return positionOf(target);
        }
        if (ast.isBinderVariable(target) && binding.has(target)) {
            return binding.get(target);
        }
        this.problems.error(
            'type/not-constant',
            `this must be known before a run, but \`${target.name}\` is ${describeNamed(target)}`,
            rangeOf(reference),
        );
        return undefined;
    }

    private evaluateBinary(expression: ast.BinaryExpression, binding: Binding): Value | undefined {
        const left = this.evaluateUnder(expression.left, binding);
        if (left === undefined) {
            return undefined;
        }
        const { operator } = expression;
        // The right side of a decided operator is not evaluated, as at run time.
        if ((operator === '&&' && left === 0) || (operator === '||' && left !== 0)) {
            return left;
        }
        if (operator === 'implies' && left === 0) {
            return 1;
        }
        const right = this.evaluateUnder(expression.right, binding);
        if (right === undefined) {
            return undefined;
        }
        switch (operator) {
            case '&&':
            case '||':
            case 'implies':
                return right;
            case '==':
                return left === right ? 1 : 0;
            case '!=':
                return left !== right ? 1 : 0;
            case '<':
                return left < right ? 1 : 0;
            case '<=':
                return left <= right ? 1 : 0;
            case '>':
                return left > right ? 1 : 0;
            case '>=':
                return left >= right ? 1 : 0;
            case '+':
                return exact(left + right);
            case '-':
                return exact(left - right);
            case '*':
                return exact(left * right);
            case 'div':
                return right === 0 ? undefined : euclideanQuotient(left, right);
            case 'mod':
                return right === 0 ? undefined : euclideanRemainder(left, right);
            default:
                return unreachable(operator);
        }
    }

    private evaluateQuantifier(quantifier: Quantifier, binding: Binding): Value | undefined {
        const variables = quantifier.groups.flatMap(group => group.variables);
        const domains = variables.map(variable => this.domainOfBinder(variable));
        let total = quantifier.quantifier === 'forall' ? 1 : 0;
        const extended = new Map(binding);
        // Returns false when a problem was found or the outcome is decided.
        const visit = (depth: number): boolean => {
            const variable = variables[depth];
            const domain = domains[depth];
            if (variable === undefined || domain === undefined) {
                return this.addToQuantifier(quantifier, extended, value => (total = value), total);
            }
            for (let code = 0; code < domainSize(domain); code++) {
                extended.set(variable, valueOfCode(domain, code));
                if (!visit(depth + 1)) {
                    return false;
                }
            }
            return true;
        };
        const assignments = domains.reduce((product, domain) => product * (domain ? domainSize(domain) : 1), 1);
        // What is too large is reported where the type of the quantifier is checked.
        if (domains.some(domain => domain === undefined) || assignments > EXPANSION_LIMIT) {
            return undefined;
        }
        return visit(0) || Number.isInteger(total) ? total : undefined;
    }

    /** One assignment of a quantifier. False when nothing after it matters; the total is NaN after a problem. */
    private addToQuantifier(
        quantifier: Quantifier,
        binding: Binding,
        setTotal: (total: number) => void,
        total: number,
    ): boolean {
        const condition = quantifier.where === undefined ? 1 : this.evaluateUnder(quantifier.where, binding);
        if (condition === 0) {
            return true;
        }
        const value = condition === undefined ? undefined : this.evaluateUnder(quantifier.body, binding);
        if (value === undefined) {
            setTotal(Number.NaN);
            return false;
        }
        switch (quantifier.quantifier) {
            case 'forall':
                setTotal(value);
                return value !== 0;
            case 'exists':
                setTotal(value);
                return value === 0;
            case 'count':
            case 'sum': {
                const next = exact(total + value);
                if (next === undefined) {
                    this.problems.error(
                        'type/overflow',
                        `the sum is too large; integers are exact up to ${LARGEST_INTEGER}`,
                        rangeOf(quantifier),
                    );
                }
                setTotal(next ?? Number.NaN);
                return next !== undefined;
            }
            default:
                return unreachable(quantifier.quantifier);
        }
    }
}

/** A problem in the value that a parameter is given from outside is shown at the parameter's name. */
export function problemOfGiven(parameter: Parameter | Constant): (code: ProblemCode, message: string) => Replacement {
    const range = nameRangeOf(parameter);
    return (code, message) =>
        code === 'type/out-of-range'
            ? { code: 'parameter/out-of-range', message, range }
            : { code: 'parameter/invalid', message: `the value given to \`${parameter.name}\`: ${message}`, range };
}

/** The position of an enumeration's name, which is its value. */
export function positionOf(value: EnumerationValue): Value {
    return value.$container.values.indexOf(value);
}

/** `1,048,576`, or a power of ten where nobody counts digits. */
export function formatCount(count: number): string {
    return count <= Number.MAX_SAFE_INTEGER ? count.toLocaleString('en-US') : count.toExponential(1);
}

/** What kind of thing a name stands for, with its article. */
export function describeNamed(named: Named): string {
    switch (named.$type) {
        case 'Parameter':
            return 'a parameter';
        case 'Constant':
            return 'a constant';
        case 'TypeDeclaration':
        case 'Enumeration':
            return 'a type';
        case 'EnumerationValue':
            return `a value of \`${named.$container.name}\``;
        case 'Variable':
            return 'a variable';
        case 'EventDeclaration':
            return 'an event';
        case 'Process':
            return 'a process';
        case 'ProcessIndex':
            return `an index of process \`${named.$container.name}\``;
        case 'BinderVariable':
            return 'the variable of a quantifier';
        case 'Invariant':
            return 'an invariant';
        default:
            return unreachable(named);
    }
}

function withName(domain: Domain, name: string): Domain {
    return domain.kind === 'enumeration' ? domain : { ...domain, name };
}

function exact(value: number): number | undefined {
    // Adding zero turns the negative zero of 0 * -1 into zero.
    return Math.abs(value) <= LARGEST_INTEGER ? value + 0 : undefined;
}
