/** Replaces cells by expressions: a test on a path over the state before the path. */
import type { SourceRange } from '../../common/source-range.js';
import { codeOfValue, domainSize, NONE, valueOfCode } from '../../model/domain.js';
import type { Domain } from '../../model/domain.js';
import { valuation } from '../cell-layout.js';
import type { NodeBudget } from '../linearization-limits.js';
import type { Cell, ElementPlace, SequentialExpression } from '../sequential-model.js';
import {
    binary,
    conditional,
    conjunction,
    constant,
    disjunction,
    FALSE,
    isTrue,
    mapOperands,
    negation,
    select,
    TRUE,
} from './simplify.js';
import { operandsOf } from './operands.js';
import { mayFault, mayLeave } from './bounds.js';

/** By cell, the expression for the value that it would hold. */
export type Substitution = ReadonlyMap<number, SequentialExpression>;

export function substitute(
    expression: SequentialExpression,
    substitution: Substitution,
    budget: NodeBudget,
): SequentialExpression {
    if (substitution.size === 0) {
        return expression;
    }
    const apply = (operand: SequentialExpression): SequentialExpression => substitute(operand, substitution, budget);
    if (expression.kind !== 'constant') {
        budget.spend(1, expression.range);
    }
    switch (expression.kind) {
        case 'cell':
            return withPresence(substitution.get(expression.cell) ?? expression, expression);
        case 'element':
            return substituteElement(expression, apply, substitution, budget);
        default:
            return mapOperands(expression, apply);
    }
}

/** What stands for a read, as a read behind the same test: known to be no `none`, if the first read is. */
export function withPresence(
    expression: SequentialExpression,
    { isPresent }: Pick<ElementPlace, 'isPresent'>,
): SequentialExpression {
    return isPresent === true && (expression.kind === 'cell' || expression.kind === 'element')
        ? { ...expression, isPresent }
        : expression;
}

/** An element of an array with replaced cells: a choice by the indices. */
function substituteElement(
    expression: ElementPlace,
    apply: (operand: SequentialExpression) => SequentialExpression,
    substitution: Substitution,
    budget: NodeBudget,
): SequentialExpression {
    const indices = expression.indices.map(apply);
    const { domains, range } = expression;
    if (!expression.cells.some(cell => substitution.has(cell))) {
        return { ...expression, indices };
    }
    return choiceByIndices(indices, domains, budget, range, position => {
        const cell = expression.cells[position];
        return withPresence(substitution.get(cell) ?? { kind: 'cell', cell, range }, expression);
    });
}

/** The choice of `at(position)` by the indices, row by row; the fault `index` outside or if `at` is undefined. */
export function choiceByIndices(
    indices: readonly SequentialExpression[],
    domains: readonly Domain[],
    budget: NodeBudget,
    range: SourceRange,
    at: (position: number) => SequentialExpression | undefined,
): SequentialExpression {
    const outside: SequentialExpression = { kind: 'fault', fault: 'index', range };
    const choose = (dimension: number, position: number): SequentialExpression => {
        if (dimension === indices.length) {
            return at(position) ?? outside;
        }
        const domain = domains[dimension];
        const size = domainSize(domain);
        const index = indices[dimension];
        if (index.kind === 'constant') {
            const code = codeOfValue(domain, index.value);
            return code < 0 ? outside : choose(dimension + 1, position * size + code);
        }
        budget.spend(size, range);
        const options = Array.from({ length: size }, (_, code) => choose(dimension + 1, position * size + code));
        return select(index, domain, options, range);
    };
    return choose(0, 0);
}

/** Whether the indices are those of the element at `position`, row by row. */
export function isAtPosition(
    indices: readonly SequentialExpression[],
    domains: readonly Domain[],
    position: number,
    range: SourceRange,
): SequentialExpression {
    const values = valuation(domains, position);
    return conjunction(
        indices.map((index, dimension) => binary('==', index, constant(values[dimension]), range)),
        range,
    );
}

/** `value` if it lies in `domain`, else a fault: the content of a cell after an assignment, or an index. */
export function inDomain(
    value: SequentialExpression,
    domain: Domain,
    cells: readonly Cell[],
    range: SourceRange,
    fault: 'range' | 'index' = 'range',
): SequentialExpression {
    return mayLeave(domain, value, cells)
        ? conditional(liesIn(domain, value, range), value, { kind: 'fault', fault, range }, range)
        : value;
}

/** True if `value` can be assigned to a cell of `domain`, else the fault of the assignment. */
export function assignable(
    value: SequentialExpression,
    domain: Domain,
    cells: readonly Cell[],
    range: SourceRange,
): SequentialExpression {
    if (mayLeave(domain, value, cells)) {
        return conditional(liesIn(domain, value, range), TRUE, { kind: 'fault', fault: 'range', range }, range);
    }
    return mayFault(value, cells) ? binary('==', value, value, range) : TRUE;
}

/** Whether `value` lies in `domain`. */
export function liesIn(domain: Domain, value: SequentialExpression, range: SourceRange): SequentialExpression {
    const base = domain.kind === 'optional' ? domain.base : domain;
    const size = domainSize(base);
    const isNone = domain.kind === 'optional' ? [binary('==', value, constant(NONE), range)] : [];
    if (size === 0) {
        return disjunction(isNone, range);
    }
    const within = conjunction(
        [
            binary('>=', value, constant(valueOfCode(base, 0)), range),
            binary('<=', value, constant(valueOfCode(base, size - 1)), range),
        ],
        range,
    );
    return disjunction([...isNone, within], range);
}

/** Whether evaluating the expression is no fault; this is none itself, unless arithmetic leaves the integers. */
export function isDefined(expression: SequentialExpression, cells: readonly Cell[]): SequentialExpression {
    if (!mayFault(expression, cells) || expression.kind === 'constant' || expression.kind === 'cell') {
        return TRUE;
    }
    const { kind, range } = expression;
    const areDefined = (operands: readonly SequentialExpression[]): SequentialExpression[] =>
        operands.map(operand => isDefined(operand, cells));
    const isIndex = (index: SequentialExpression, domain: Domain): SequentialExpression[] =>
        mayLeave(domain, index, cells) ? [liesIn(domain, index, range)] : [];
    switch (kind) {
        case 'fault':
            return FALSE;
        case 'conditional': {
            const [condition, then, otherwise] = areDefined(operandsOf(expression));
            return conjunction([condition, conditional(expression.condition, then, otherwise, range)], range);
        }
        case 'select': {
            const { index, domain, options } = expression;
            const own = areDefined(options);
            const chosen = own.every(isTrue) ? TRUE : select(index, domain, own, range);
            return conjunction([isDefined(index, cells), ...isIndex(index, domain), chosen], range);
        }
        case 'element': {
            const { indices, domains } = expression;
            const within = indices.flatMap((index, dimension) => isIndex(index, domains[dimension]));
            return conjunction([...areDefined(indices), ...within], range);
        }
        case 'and':
        case 'or':
            // The rest is not evaluated where the result is known.
            return expression.operands.reduceRight((rest, operand) => {
                const known = kind === 'and' ? negation(operand, range) : operand;
                return conjunction([isDefined(operand, cells), disjunction([known, rest], range)], range);
            }, TRUE);
        case 'binary': {
            const { operator, left, right } = expression;
            const divides = operator === 'div' || operator === 'mod' ? [binary('!=', right, constant(0), range)] : [];
            return conjunction([...areDefined([left, right]), ...divides], range);
        }
        default:
            return conjunction(areDefined(operandsOf(expression)), range);
    }
}
