/**
 * The value of an expression that must be known before a run. In: an expression over parameters, constants, names of
 * enumerations and the variables of its own quantifiers. Out: its value, as the run would compute it, or undefined.
 *
 * Undefined means that a problem has been or will be reported: here for what is not constant or too long, by the type
 * check of the same expression for everything else.
 */
import { unreachable } from '../../engine/common/assert.js';
import { domainSize, NONE, valueOfCode, type Domain, type Value } from '../../engine/model/domain.js';
import { applyBinary } from '../../engine/sequential/evaluate.js';
import type { FaultKind } from '../../engine/sequential/sequential-model.js';
import * as ast from '../generated/ast.js';
import type {
    BinderVariable,
    Constant,
    EnumerationValue,
    Expression,
    Parameter,
    Quantifier,
    Reference,
} from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import type { ProblemCollector } from '../validation/problem-collector.js';
import { describeNamed } from './describe.js';
import { LARGEST_INTEGER } from './interval.js';
import { OVERFLOW } from './type.js';

/** The most assignments that one quantifier, family or array runs through. */
export const EXPANSION_LIMIT = 1_000_000;

/** How many operations the evaluation of one constant may take. */
const OPERATION_LIMIT = 2_000_000;

/** What the names in an expression mean. */
export interface ConstantNames {
    valueOf(declaration: Parameter | Constant): Value | undefined;
    domainOfBinder(binder: BinderVariable): Domain | undefined;
}

type Binding = ReadonlyMap<BinderVariable, Value>;
const NO_BINDING: Binding = new Map();

export class ConstantEvaluator {
    private readonly names: ConstantNames;
    private readonly problems: ProblemCollector;
    private operationsLeft = OPERATION_LIMIT;

    constructor(names: ConstantNames, problems: ProblemCollector) {
        this.names = names;
        this.problems = problems;
    }

    evaluate(expression: Expression): Value | undefined {
        this.operationsLeft = OPERATION_LIMIT;
        return this.evaluateUnder(expression, NO_BINDING);
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
            return this.names.valueOf(target);
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
            case '!=':
            case '<':
            case '<=':
            case '>':
            case '>=':
            case '+':
            case '-':
            case '*':
            case 'div':
            case 'mod':
                return this.valueOf(applyBinary(operator, left, right), expression);
            default:
                return unreachable(operator);
        }
    }

    private evaluateQuantifier(quantifier: Quantifier, outer: Binding): Value | undefined {
        const variables = quantifier.groups.flatMap(group => group.variables);
        const domains = variables.map(variable => this.names.domainOfBinder(variable)).filter(isKnown);
        const count = domains.reduce((product, domain) => product * domainSize(domain), 1);
        // What is too large is reported where the type of the quantifier is checked.
        if (domains.length < variables.length || count > EXPANSION_LIMIT) {
            return undefined;
        }
        let total = 0;
        for (const binding of assignments(variables, domains, outer)) {
            const condition = quantifier.where === undefined ? 1 : this.evaluateUnder(quantifier.where, binding);
            if (condition === 0) {
                continue;
            }
            const value = condition === undefined ? undefined : this.evaluateUnder(quantifier.body, binding);
            if (value === undefined) {
                return undefined;
            }
            if (quantifier.quantifier === 'forall' || quantifier.quantifier === 'exists') {
                const deciding = quantifier.quantifier === 'exists';
                if ((value !== 0) === deciding) {
                    return deciding ? 1 : 0;
                }
                continue;
            }
            const sum = this.exact(total + value, quantifier);
            if (sum === undefined) {
                return undefined;
            }
            total = sum;
        }
        return quantifier.quantifier === 'forall' ? 1 : total;
    }

    /** The outcome of an operator; a fault of it is an error of the text. */
    private valueOf(outcome: Value | FaultKind, expression: Expression): Value | undefined {
        if (typeof outcome === 'number') {
            return outcome;
        }
        if (outcome === 'division') {
            this.problems.error('type/division-by-zero', 'the divisor is zero', rangeOf(expression));
        } else {
            this.problems.error('type/overflow', OVERFLOW, rangeOf(expression));
        }
        return undefined;
    }

    private exact(value: number, expression: Expression): number | undefined {
        if (Math.abs(value) > LARGEST_INTEGER) {
            this.problems.error('type/overflow', OVERFLOW, rangeOf(expression));
            return undefined;
        }
        // Adding zero turns the negative zero of 0 * -1 into zero.
        return value + 0;
    }
}

/** All assignments of values to variables on top of `outer`, the last variable fastest. The map is the same each time. */
function* assignments(
    variables: readonly BinderVariable[],
    domains: readonly Domain[],
    outer: Binding,
): Generator<Binding> {
    const binding = new Map(outer);
    const total = domains.reduce((product, domain) => product * domainSize(domain), 1);
    for (let position = 0; position < total; position++) {
        let rest = position;
        for (let index = variables.length - 1; index >= 0; index--) {
            const [variable, domain] = [variables[index], domains[index]];
            if (variable !== undefined && domain !== undefined) {
                binding.set(variable, valueOfCode(domain, rest % domainSize(domain)));
                rest = Math.floor(rest / domainSize(domain));
            }
        }
        yield binding;
    }
}

function isKnown(domain: Domain | undefined): domain is Domain {
    return domain !== undefined;
}

/** The position of an enumeration's name, which is its value. */
export function positionOf(value: EnumerationValue): Value {
    return value.$container.values.indexOf(value);
}
