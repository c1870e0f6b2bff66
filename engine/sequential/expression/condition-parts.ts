/**
 * The parts of a condition that are looked at one by one to find what may make it true or false: of `a && count(…) >= 2`
 * these are `a` and what is counted. What has no such parts is an atom.
 */
import { sortAscending } from '../../common/ascending.js';
import type { SequentialExpression } from '../sequential-model.js';
import { isArithmetic } from './arithmetic.js';
import { operandsOf } from './operands.js';

/** Of a comparison with a number of true operands: it holds if at least, or at most, `bound` of them are true. */
export interface CountTest {
    readonly operands: readonly SequentialExpression[];
    readonly kind: 'least' | 'most';
    readonly bound: number;
}

/** `count(…) >= 2`, `2 > count(…)`; undefined for other conditions. */
export function countTestOf(condition: SequentialExpression): CountTest | undefined {
    if (condition.kind !== 'binary') {
        return undefined;
    }
    const { left, right, operator } = condition;
    if (left.kind === 'count' && right.kind === 'constant') {
        return testOf(left.operands, operator, right.value);
    }
    const turned = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;
    return right.kind === 'count' && left.kind === 'constant' && operator in turned
        ? testOf(right.operands, turned[operator as keyof typeof turned], left.value)
        : undefined;
}

function testOf(operands: readonly SequentialExpression[], operator: string, value: number): CountTest | undefined {
    switch (operator) {
        case '>=':
            return { operands, kind: 'least', bound: value };
        case '>':
            return { operands, kind: 'least', bound: value + 1 };
        case '<=':
            return { operands, kind: 'most', bound: value };
        case '<':
            return { operands, kind: 'most', bound: value - 1 };
        default:
            return undefined;
    }
}

/** The conditions directly inside; undefined for an atom. */
export function partsOf(condition: SequentialExpression): readonly SequentialExpression[] | undefined {
    switch (condition.kind) {
        case 'not':
            return [condition.operand];
        case 'and':
        case 'or':
        case 'all':
        case 'some':
            return condition.operands;
        default:
            return countTestOf(condition)?.operands;
    }
}

/** The conditions that decide an atom together with some cells. */
export interface InnerConditions {
    readonly conditions: readonly SequentialExpression[];
    /** Those that are read beside them, ascending. */
    readonly cells: readonly number[];
}

export function insideOf(atom: SequentialExpression): InnerConditions {
    const conditions = new Set<SequentialExpression>();
    const cells = new Set<number>();
    const visit = (expression: SequentialExpression): void => {
        if (expression !== atom && isCondition(expression)) {
            conditions.add(expression);
        } else {
            cellsReadAt(expression).forEach(cell => cells.add(cell));
            operandsOf(expression).forEach(visit);
        }
    };
    visit(atom);
    return { conditions: [...conditions], cells: sortAscending([...cells]) };
}

function isCondition(expression: SequentialExpression): boolean {
    return partsOf(expression) !== undefined || (expression.kind === 'binary' && !isArithmetic(expression.operator));
}

function cellsReadAt(expression: SequentialExpression): readonly number[] {
    switch (expression.kind) {
        case 'cell':
        case 'holds':
            return [expression.cell];
        case 'element':
            return expression.cells;
        default:
            return [];
    }
}

/** All atoms of conditions, each once, those inside of an atom before it. */
export function atomsOf(conditions: readonly SequentialExpression[]): readonly SequentialExpression[] {
    const atoms = new Set<SequentialExpression>();
    const visit = (condition: SequentialExpression): void => {
        const parts = partsOf(condition);
        (parts ?? insideOf(condition).conditions).forEach(visit);
        if (parts === undefined) {
            atoms.add(condition);
        }
    };
    conditions.forEach(visit);
    return [...atoms];
}
