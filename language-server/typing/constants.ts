/**
 * What is known before a run: the values of parameters and constants, and the domains that types stand for.
 *
 * Everything is computed on demand and once, so declarations may stand in any order; a declaration that needs itself is
 * an error. Undefined means that a problem has been reported, here or by the type check of the same expression.
 */
import { BOOLEAN, domainSize, type Domain, type Value } from '../../engine/model/domain.js';
import type {
    BinderVariable,
    Constant,
    ElementType,
    Enumeration,
    EventDeclaration,
    Expression,
    IndexType,
    Parameter,
    ProcessIndex,
    RangeType,
    Type,
    TypeDeclaration,
} from '../generated/ast.js';
import * as ast from '../generated/ast.js';
import { nameRangeOf, rangeOf } from '../source-range.js';
import type { ProblemCode } from '../validation/codes.js';
import type { ProblemCollector, Replacement } from '../validation/problem-collector.js';
import { ConstantEvaluator, EXPANSION_LIMIT } from './constant-evaluation.js';
import { formatCount } from './describe.js';

/** What a type stands for: a scalar has no indices. */
export interface Shape {
    readonly element: Domain;
    readonly indices: readonly Domain[];
}

/** The largest number of values of one type: codes of values are 32-bit integers. */
export const DOMAIN_LIMIT = 2 ** 30;

export class Constants {
    private readonly values = new Map<Parameter | Constant, Value | undefined>();
    private readonly shapes = new Map<Type | TypeDeclaration, Shape | undefined>();
    private readonly enumerations = new Map<Enumeration, Domain>();
    private readonly inProgress = new Set<Parameter | Constant | TypeDeclaration>();
    private readonly problems: ProblemCollector;
    private readonly overrides: ReadonlyMap<string, Expression>;
    private readonly evaluator: ConstantEvaluator;

    /** `overrides` holds the values of parameters that were given from outside (parsing/parameter-values.ts). */
    constructor(overrides: ReadonlyMap<string, Expression>, problems: ProblemCollector) {
        this.problems = problems;
        this.overrides = overrides;
        this.evaluator = new ConstantEvaluator(this, problems);
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
                ? this.problems.elsewhere(problemOfGiven(declaration), () => this.evaluator.evaluate(override))
                : declaration.value !== undefined
                  ? this.evaluator.evaluate(declaration.value)
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
        return this.evaluator.evaluate(expression);
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
        const value = this.evaluator.evaluate(bound);
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
}

/** A problem in the value that a parameter is given from outside is shown at the parameter's name. */
export function problemOfGiven(parameter: Parameter | Constant): (code: ProblemCode, message: string) => Replacement {
    const range = nameRangeOf(parameter);
    return (code, message) =>
        code === 'type/out-of-range'
            ? { code: 'parameter/out-of-range', message, range }
            : { code: 'parameter/invalid', message: `the value given to \`${parameter.name}\`: ${message}`, range };
}

function withName(domain: Domain, name: string): Domain {
    return domain.kind === 'enumeration' ? domain : { ...domain, name };
}
