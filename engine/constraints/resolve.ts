/**
 * From names back to cells: each defined name of a summand as an expression over the current state.
 *
 * The constraint problem relates current literals to next literals, so what a summand does to a cell has to be said in
 * terms of the state before it. Reading an array element of which some cells were redefined becomes a choice by index.
 */
import { NOWHERE } from '../common/source-range.js';
import { codeOfValue, domainSize, NO_VALUE, valueOfCode, type Domain, type Value } from '../model/domain.js';
import { operandsOf, withOperands } from '../sequential/expression/operands.js';
import type { SequentialExpression } from '../sequential/sequential-model.js';
import { ConstraintTooLarge } from './encoding-limits.js';
import { conjunction } from '../sequential/expression/simplify.js';
import { equals, type Held } from './static-single-assignment.js';

/** The most nodes of an expression without names. A body may define each name by reading the last one twice. */
const MOST_NODES = 20_000;

/**
 * The value of what holds no value. It is equal to nothing, in no domain, and stands in choices only: what holds no value
 * is not read.
 */
export const NOTHING: SequentialExpression = { kind: 'constant', value: NaN };

/** The code of what a cell holds next: NO_VALUE where that is nothing; undefined where its domain has no such value. */
export function codeOfNext(domain: Domain, value: Value): number | undefined {
    const code = Number.isNaN(value) ? NO_VALUE : codeOfValue(domain, value);
    return code < 0 && !Number.isNaN(value) ? undefined : code;
}

/**
 * Rewrites expressions over names into expressions over cells; the definitions are given as they are passed. Throws
 * ConstraintTooLarge where an expression gets too large.
 */
export class NameResolver {
    private readonly definitions = new Map<number, SequentialExpression>();
    /** The number of nodes of each definition. */
    private readonly sizes = new Map<number, number>();
    private readonly cellCount: number;

    constructor(cellCount: number) {
        this.cellCount = cellCount;
    }

    /** `value` is over names that are cells or were defined before. */
    define(name: number, value: SequentialExpression): void {
        this.definitions.set(name, this.resolve(value));
        this.sizes.set(name, this.sizeOf(value));
    }

    /** `name` is what one of two ways has left. */
    join(name: number, condition: SequentialExpression, then: Held, otherwise: Held): void {
        this.define(name, {
            kind: 'conditional',
            condition,
            then: then === 'nothing' ? NOTHING : then,
            otherwise: otherwise === 'nothing' ? NOTHING : otherwise,
            range: NOWHERE,
        });
    }

    /** What a cell or a defined name holds. */
    resolveCell(name: number): SequentialExpression {
        return this.definitions.get(name) ?? { kind: 'cell', cell: name, range: NOWHERE };
    }

    resolve(expression: SequentialExpression): SequentialExpression {
        if (this.definitions.size === 0) {
            return expression;
        }
        if (this.sizeOf(expression) > MOST_NODES) {
            throw new ConstraintTooLarge('an expression is too long without names');
        }
        return this.rewrite(expression);
    }

    /** The number of nodes after rewriting. */
    private sizeOf(expression: SequentialExpression): number {
        const add = (total: number, operand: SequentialExpression): number => total + this.sizeOf(operand);
        switch (expression.kind) {
            case 'cell':
                return this.sizes.get(expression.cell) ?? 1;
            case 'element': {
                const indices = expression.indices.reduce(add, 0);
                return expression.cells.every(cell => cell < this.cellCount)
                    ? 1 + indices
                    : expression.cells.reduce((total, name) => total + indices + (this.sizes.get(name) ?? 1), 1);
            }
            default:
                return operandsOf(expression).reduce(add, 1);
        }
    }

    private rewrite(expression: SequentialExpression): SequentialExpression {
        switch (expression.kind) {
            case 'cell':
                return this.definitions.get(expression.cell) ?? expression;
            case 'element':
                return this.rewriteElement(expression);
            default:
                return withOperands(expression, operand => this.rewrite(operand));
        }
    }

    private rewriteElement(expression: Extract<SequentialExpression, { kind: 'element' }>): SequentialExpression {
        const indices = expression.indices.map(index => this.rewrite(index));
        if (expression.cells.every(cell => cell < this.cellCount)) {
            return { ...expression, indices };
        }
        const redefined = expression.cells.map((name, position) => ({ name, position }));
        const sizes = expression.domains.map(domainSize);
        const { range } = expression;
        // All indices are evaluated before one of them is found to be outside.
        const outside: SequentialExpression = { kind: 'fault', fault: 'index', range };
        const evaluated = conjunction(
            indices.slice(1).map(index => ({ kind: 'binary', operator: '==', left: index, right: index, range })),
            range,
        );
        let result: SequentialExpression =
            indices.length === 1
                ? outside
                : { kind: 'conditional', condition: evaluated, then: outside, otherwise: outside, range };
        for (const { name, position } of redefined.reverse()) {
            let rest = position;
            const conditions: SequentialExpression[] = [];
            for (let i = sizes.length - 1; i >= 0; i--) {
                const value = valueOfCode(expression.domains[i], rest % sizes[i]);
                conditions.unshift(equals(indices[i], value, expression.range));
                rest = Math.floor(rest / sizes[i]);
            }
            result = {
                kind: 'conditional',
                condition: conjunction(conditions, expression.range),
                then: this.resolveCell(name),
                otherwise: result,
                range: expression.range,
            };
        }
        return result;
    }
}
