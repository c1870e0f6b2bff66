/**
 * Expressions and statements of a process, specialized to one instance: binders become constants, quantifiers are
 * expanded, an index known before the run selects its cell, and what is static is evaluated (simplify.ts).
 *
 * `at` is left to a function: what it stands for is known only once the locations are.
 */
import { invariant, unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { codeOfValue, domainSize, valueOfCode } from '../model/domain.js';
import type { Domain, Value } from '../model/domain.js';
import type { Binder, Expression, Place } from '../model/expression.js';
import type { Statement } from '../model/model.js';
import type { NodeBudget } from './linearization-limits.js';
import type { SequentialExpression, SequentialPlace, SequentialStatement } from './sequential-model.js';
import {
    binary,
    conditional,
    conjunction,
    constant,
    count,
    disjunction,
    FALSE,
    isFalse,
    isTrue,
    negation,
    negative,
    sum,
    TRUE,
} from './simplify.js';

/** The cells of a variable, row by row. */
export interface VariableCells {
    readonly first: number;
    readonly indices: readonly Domain[];
}

/** What names mean at a place of the text. */
export interface Scope {
    /** By the index in `Process.locals`; empty outside a process. */
    readonly locals: readonly VariableCells[];
    /** The value of each binder in scope, by its id. */
    readonly binders: Map<number, Value>;
}

/** What `process[indices] at label` stands for. */
export type ResolveAt = (
    process: number,
    indices: readonly SequentialExpression[],
    label: string,
    range: SourceRange,
) => SequentialExpression;

/** A place whose index is known to be outside its type. */
type FaultyPlace = { readonly kind: 'fault'; readonly fault: 'index'; readonly range: SourceRange };

export interface SpecializerOptions {
    /** By the index in `Model.variables`. */
    readonly variables: readonly VariableCells[];
    readonly budget: NodeBudget;
    readonly resolveAt: ResolveAt;
}

export class Specializer {
    readonly #variables: readonly VariableCells[];
    readonly #budget: NodeBudget;
    readonly #resolveAt: ResolveAt;

    constructor(options: SpecializerOptions) {
        this.#variables = options.variables;
        this.#budget = options.budget;
        this.#resolveAt = options.resolveAt;
    }

    expression(expression: Expression, scope: Scope): SequentialExpression {
        const { range } = expression;
        this.#budget.spend(1, range);
        switch (expression.kind) {
            case 'constant':
                return constant(expression.value);
            case 'binder':
                return constant(binderValue(expression.binder, scope));
            case 'read': {
                const place = this.place(expression.place, scope);
                switch (place.kind) {
                    case 'cell':
                        return { kind: 'cell', cell: place.cell, range };
                    case 'element':
                    case 'fault':
                        return place;
                    default:
                        return unreachable(place);
                }
            }
            case 'unary': {
                const operand = this.expression(expression.operand, scope);
                return expression.operator === 'not' ? negation(operand, range) : negative(operand, range);
            }
            case 'binary':
                return this.#binary(expression, scope);
            case 'conditional': {
                const condition = this.expression(expression.condition, scope);
                if (condition.kind === 'constant') {
                    return this.expression(isTrue(condition) ? expression.then : expression.otherwise, scope);
                }
                const then = this.expression(expression.then, scope);
                return conditional(condition, then, this.expression(expression.otherwise, scope), range);
            }
            case 'quantifier':
                return this.#quantifier(expression, scope);
            case 'at': {
                const indices = expression.indices.map(index => this.expression(index, scope));
                return this.#resolveAt(expression.process, indices, expression.label, range);
            }
            default:
                return unreachable(expression);
        }
    }

    /** The body of a step. `if` with a static condition is the branch taken. */
    statements(statements: readonly Statement[], scope: Scope): SequentialStatement[] {
        const specialized: SequentialStatement[] = [];
        for (const statement of statements) {
            const { range } = statement;
            this.#budget.spend(1, range);
            switch (statement.kind) {
                case 'assign': {
                    const value = this.expression(statement.value, scope);
                    const target = this.place(statement.target, scope);
                    if (target.kind === 'fault') {
                        // The value is evaluated, then the index: the comparison never comes to a result.
                        const fault = binary('==', value, target, range);
                        specialized.push({ kind: 'if', condition: fault, then: [], otherwise: [], range });
                    } else {
                        specialized.push({ kind: 'assign', target, value, range });
                    }
                    break;
                }
                case 'if': {
                    const condition = this.expression(statement.condition, scope);
                    if (condition.kind === 'constant') {
                        const branch = isTrue(condition) ? statement.then : statement.otherwise;
                        specialized.push(...this.statements(branch, scope));
                        break;
                    }
                    const then = this.statements(statement.then, scope);
                    const otherwise = this.statements(statement.otherwise, scope);
                    specialized.push({ kind: 'if', condition, then, otherwise, range });
                    break;
                }
                case 'assert': {
                    const condition = this.expression(statement.condition, scope);
                    if (!isTrue(condition)) {
                        specialized.push({ kind: 'assert', condition, range });
                    }
                    break;
                }
                case 'skip':
                    break;
                default:
                    unreachable(statement);
            }
        }
        return specialized;
    }

    /** The cell a place names, or what is left of its array once the known indices are applied. */
    place(place: Place, scope: Scope): SequentialPlace | FaultyPlace {
        const variable = place.kind === 'shared' ? this.#variables[place.variable] : scope.locals[place.local];
        invariant(variable !== undefined, 'a place names a declared variable');
        invariant(variable.indices.length === place.indices.length, 'a place has an index for each dimension');
        const { range } = place;
        const indices: SequentialExpression[] = [];
        const domains: Domain[] = [];
        // The positions that the indices seen so far leave open, row by row.
        let positions = [0];
        let faulty = false;
        for (let dimension = 0; dimension < variable.indices.length; dimension++) {
            const domain = variable.indices[dimension];
            const size = domainSize(domain);
            const index = this.expression(place.indices[dimension], scope);
            if (index.kind === 'constant') {
                const code = codeOfValue(domain, index.value);
                faulty ||= code < 0;
                positions = positions.map(position => position * size + code);
            } else {
                this.#budget.spend(positions.length * size, range);
                indices.push(index);
                domains.push(domain);
                positions = positions.flatMap(position =>
                    Array.from({ length: size }, (_, code) => position * size + code),
                );
            }
        }
        if (faulty) {
            return { kind: 'fault', fault: 'index', range };
        }
        if (indices.length === 0) {
            return { kind: 'cell', cell: variable.first + positions[0] };
        }
        return {
            kind: 'element',
            cells: positions.map(position => variable.first + position),
            indices,
            domains,
            range,
        };
    }

    #binary(expression: Extract<Expression, { kind: 'binary' }>, scope: Scope): SequentialExpression {
        const { operator, range } = expression;
        const left = this.expression(expression.left, scope);
        // What is not evaluated is not expanded.
        if (operator === 'and' && isFalse(left)) {
            return FALSE;
        }
        if ((operator === 'or' && isTrue(left)) || (operator === 'implies' && isFalse(left))) {
            return TRUE;
        }
        const right = this.expression(expression.right, scope);
        if (operator === 'and') {
            return conjunction([left, right], range);
        }
        if (operator === 'or' || operator === 'implies') {
            const first = operator === 'or' ? left : negation(left, range);
            return disjunction([first, right], range);
        }
        return binary(operator, left, right, range);
    }

    #quantifier(expression: Extract<Expression, { kind: 'quantifier' }>, scope: Scope): SequentialExpression {
        const { quantifier, range } = expression;
        const operands: SequentialExpression[] = [];
        // The value that ends the evaluation of `forall` and `exists` early.
        const decisive = quantifier === 'forall' ? FALSE : quantifier === 'exists' ? TRUE : undefined;
        this.#forEachValuation(expression.binders, scope, range, () => {
            const filter = expression.where === undefined ? TRUE : this.expression(expression.where, scope);
            if (isFalse(filter)) {
                return true;
            }
            const body = this.expression(expression.body, scope);
            let operand: SequentialExpression;
            switch (quantifier) {
                case 'forall':
                    operand = disjunction([negation(filter, range), body], range);
                    break;
                case 'exists':
                case 'count':
                    operand = conjunction([filter, body], range);
                    break;
                case 'sum':
                    operand = conditional(filter, body, constant(0), range);
                    break;
                default:
                    return unreachable(quantifier);
            }
            operands.push(operand);
            return operand.kind !== 'constant' || decisive?.kind !== 'constant' || operand.value !== decisive.value;
        });
        switch (quantifier) {
            case 'forall':
                return conjunction(operands, range);
            case 'exists':
                return disjunction(operands, range);
            case 'count':
                return count(operands, range);
            case 'sum':
                return sum(operands, range);
            default:
                return unreachable(quantifier);
        }
    }

    /** Calls `visit` with each valuation of the binders in scope, row by row, until it returns false. */
    #forEachValuation(binders: readonly Binder[], scope: Scope, range: SourceRange, visit: () => boolean): void {
        const assign = (depth: number): boolean => {
            if (depth === binders.length) {
                return visit();
            }
            const { id, domain } = binders[depth];
            const size = domainSize(domain);
            for (let code = 0; code < size; code++) {
                this.#budget.spend(1, range);
                scope.binders.set(id, valueOfCode(domain, code));
                if (!assign(depth + 1)) {
                    scope.binders.delete(id);
                    return false;
                }
            }
            scope.binders.delete(id);
            return true;
        };
        assign(0);
    }
}

function binderValue(binder: Binder, scope: Scope): Value {
    const value = scope.binders.get(binder.id);
    invariant(value !== undefined, `the binder '${binder.name}' is in scope`);
    return value;
}
