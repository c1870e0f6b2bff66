/**
 * The types of expressions, with the checks that belong to them: operands, indices, names that are no values.
 *
 * Each expression is visited once; its type is kept. Intervals make more faults provable before a run: an index whose
 * interval misses its domain is an error here, one that only may miss it is left to the run.
 */
import { unreachable } from '../../engine/common/assert.js';
import { domainSize, type Domain } from '../../engine/model/domain.js';
import * as ast from '../generated/ast.js';
import type { BinaryExpression, Conditional, Expression, Quantifier, Reference } from '../generated/ast.js';
import { isInsideChain, rangeOf, rangeOfProperty } from '../source-range.js';
import type { ProblemCollector } from '../validation/problem-collector.js';
import { EXPANSION_LIMIT } from './constant-evaluation.js';
import type { Constants } from './constants.js';
import { describeNamed, formatCount } from './describe.js';
import { apply, LARGEST_INTEGER } from './interval.js';
import {
    areComparable,
    BOOLEAN_TYPE,
    describeDomain,
    describeType,
    fitOf,
    integer,
    join,
    OVERFLOW,
    truth,
    typeOfDomain,
    typeOfValue,
    UNKNOWN,
    type Type,
} from './type.js';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** How messages speak of what stands in brackets. */
export const INDEX = { one: 'index', many: 'indices', code: 'type/index-count' } as const;
export const ARGUMENT = { one: 'argument', many: 'arguments', code: 'type/argument-count' } as const;

export class TypeInference {
    private readonly types = new Map<Expression, Type>();
    private readonly constantsInProgress = new Set<ast.Constant>();
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

    /** Checks that a value can be put where values of `domain` are kept. `what` begins the message. */
    checkFit(expression: Expression, domain: Domain, what: string): void {
        const type = this.typeOf(expression);
        switch (fitOf(type, domain)) {
            case 'fits':
                return;
            case 'mismatch':
                this.problems.error(
                    'type/mismatch',
                    `${what} has the type ${describeDomain(domain)}, but this is ${describeType(type)}`,
                    rangeOf(expression),
                );
                return;
            case 'outside':
                this.problems.faultWhenReached(
                    'type/out-of-range',
                    `${what} has the type ${describeDomain(domain)}, but this is ${describeInterval(type)}`,
                    rangeOf(expression),
                );
        }
    }

    /** Checks the indices of an array element, a process or an event against their types. */
    checkIndices(
        reference: Reference,
        domains: readonly (Domain | undefined)[],
        owner: string,
        words: typeof INDEX | typeof ARGUMENT = INDEX,
    ): void {
        const { indices } = reference;
        if (indices.length !== domains.length) {
            indices.forEach(index => this.typeOf(index));
            const expected = domains.length === 1 ? `one ${words.one}` : `${domains.length || 'no'} ${words.many}`;
            const found = indices.length === 1 ? 'is one' : `are ${indices.length || 'none'}`;
            this.problems.error(words.code, `${owner} takes ${expected}, but here ${found}`, rangeOf(reference));
            return;
        }
        indices.forEach((index, position) => {
            const domain = domains[position];
            if (domain === undefined) {
                this.typeOf(index);
                return;
            }
            const which = domains.length === 1 ? `the ${words.one}` : `${words.one} ${position + 1}`;
            this.checkFit(index, domain, `${which} of ${owner}`);
        });
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
        if (target.$type === 'Variable') {
            return this.inferVariable(reference, target);
        }
        if (reference.indices.length > 0) {
            reference.indices.forEach(index => this.typeOf(index));
            const what =
                target.$type === 'Process' ? 'a process; follow it by `at` and a label' : describeNamed(target);
            this.problems.error('type/not-an-array', `\`${target.name}\` is ${what}`, rangeOf(reference));
            return UNKNOWN;
        }
        switch (target.$type) {
            case 'Parameter':
                return this.inferParameter(target);
            case 'Constant':
                return this.inferConstant(target);
            case 'EnumerationValue':
                return { kind: 'enumeration', name: target.$container.name };
            case 'ProcessIndex':
            case 'BinderVariable': {
                const domain = this.constants.domainOfBinder(target);
                return domain === undefined ? UNKNOWN : typeOfDomain(domain);
            }
            case 'TypeDeclaration':
            case 'Enumeration':
            case 'EventDeclaration':
            case 'Process':
            case 'Invariant':
                this.problems.error(
                    'type/not-a-value',
                    `a value is expected here, but \`${target.name}\` is ${describeNamed(target)}`,
                    rangeOf(reference),
                );
                return UNKNOWN;
            default:
                return unreachable(target);
        }
    }

    private inferVariable(reference: Reference, variable: ast.Variable): Type {
        const shape = this.constants.shapeOf(variable.type);
        if (shape === undefined) {
            reference.indices.forEach(index => this.typeOf(index));
            return UNKNOWN;
        }
        this.checkIndices(reference, shape.indices, `\`${variable.name}\``);
        return typeOfDomain(shape.element);
    }

    private inferParameter(parameter: ast.Parameter): Type {
        const domain = this.constants.scalarOf(parameter.type);
        const value = this.constants.valueOf(parameter);
        if (domain === undefined) {
            return UNKNOWN;
        }
        return value === undefined ? typeOfDomain(domain) : typeOfValue(domain, value);
    }

    private inferConstant(constant: ast.Constant): Type {
        // A circle is reported where the value is computed or, in a process, as a use before the declaration.
        if (this.constantsInProgress.has(constant)) {
            return UNKNOWN;
        }
        this.constantsInProgress.add(constant);
        // The faults of a constant of the model show when it is evaluated; they are no faults of who names it.
        const isOfModel = ast.isModel(constant.$container);
        const type = this.problems.whileUnreachable(isOfModel, () => this.typeOf(constant.value));
        this.constantsInProgress.delete(constant);
        if (type.kind === 'integer' && type.low !== type.high && isOfModel) {
            // A quantifier, whose interval is wider than its value.
            const value = this.constants.valueOf(constant);
            return value === undefined ? type : integer(value, value);
        }
        return type;
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
            this.typeOf(expression.right);
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

    private inferQuantifier(quantifier: Quantifier): Type {
        let assignments = 1;
        for (const group of quantifier.groups) {
            const domain = this.constants.scalarOf(group.type);
            assignments *= domain === undefined ? 1 : domainSize(domain) ** group.variables.length;
        }
        if (assignments > EXPANSION_LIMIT) {
            this.problems.error(
                'type/too-large',
                `the quantifier runs through ${formatCount(assignments)} values; ` +
                    `at most ${formatCount(EXPANSION_LIMIT)} are possible`,
                rangeOf(quantifier),
            );
        }
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
            default:
                return unreachable(quantifier.quantifier);
        }
    }
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
    if (type.kind !== 'integer') {
        return describeType(type);
    }
    return type.low === type.high ? `${type.low}` : `between ${type.low} and ${type.high}`;
}
