/**
 * Decomposition of arithmetic: sums, counts, extrema and comparisons over too many values for one relation. In the
 * ring, `count(i in Agent: token[i] == 1) == 1` bounds the sum of the literals `token[i] = 1`. A sum knows its terms
 * only, not their order, so agents that can be exchanged still can.
 */
import { appendTo } from '../common/list-map.js';
import { NONE, type Value } from '../model/domain.js';
import { negative } from '../sequential/expression/simplify.js';
import type { FaultKind, SequentialExpression } from '../sequential/sequential-model.js';
import type { Decomposer } from './decompose.js';
import { ConstraintTooLarge } from './encoding-limits.js';
import { FALSE_FORMULA, TRUE_FORMULA, type FormulaId, type WeightedTerm } from './formula.js';
import { NO_FAULTS, OutcomeCollector, SPLIT_BUDGET, type Outcomes } from './outcomes.js';
import { applyBinary, isArithmetic, type SequentialBinaryOperator } from '../sequential/expression/arithmetic.js';
import { FAULT_KINDS } from '../sequential/expression/evaluate.js';

type BinaryExpression = Extract<SequentialExpression, { kind: 'binary' }>;

/** The number 0. */
const NOTHING: Outcomes = { values: new Map([[0, TRUE_FORMULA]]), faults: NO_FAULTS };

/** The maximum is v if no operand is greater and one is v; the minimum likewise. All operands are treated alike. */
export function splitExtremum(
    decomposer: Decomposer,
    kind: 'min' | 'max',
    expressions: readonly SequentialExpression[],
): Outcomes {
    const operands = expressions.map(operand => decomposer.outcomes(operand));
    const collected = new OutcomeCollector(decomposer);
    const reached = collectFaults(decomposer, operands, collected);
    const values = new Set(operands.flatMap(operand => [...operand.values.keys()]));
    for (const value of values) {
        const isBeyond = (other: Value): boolean =>
            other !== NONE && (value === NONE || (kind === 'max' ? other > value : other < value));
        // An operand that cannot be greater adds nothing.
        const within = operands.map(({ values: own, faults }) =>
            faults.size === 0 && ![...own.keys()].some(isBeyond)
                ? TRUE_FORMULA
                : decomposer.or([...own].flatMap(([other, formula]) => (isBeyond(other) ? [] : formula))),
        );
        const reaches = decomposer.or(operands.map(operand => operand.values.get(value) ?? FALSE_FORMULA));
        collected.add(
            value === NONE ? 'undefined' : value,
            decomposer.and([reached, ...within, ...(value === NONE ? [] : [reaches])]),
        );
    }
    if (operands.length === 0) {
        collected.addFault('undefined', TRUE_FORMULA);
    }
    return collected.outcomes();
}

/** The value is v if some operand is v and no other value occurs. All operands and all values are treated alike. */
export function splitOnly(decomposer: Decomposer, expressions: readonly SequentialExpression[]): Outcomes {
    const operands = expressions.map(operand => decomposer.outcomes(operand));
    const collected = new OutcomeCollector(decomposer);
    const reached = collectFaults(decomposer, operands, collected);
    const values = [...new Set(operands.flatMap(operand => [...operand.values.keys()]))].filter(
        value => value !== NONE,
    );
    const occurs = values.map(value =>
        decomposer.or(operands.map(operand => operand.values.get(value) ?? FALSE_FORMULA)),
    );
    const different = decomposer.table.weightedSum(occurs.map(formula => ({ formula, weight: 1 })));
    const isOne = decomposer.table.sumIn(different, [1]);
    values.forEach((value, index) => {
        collected.add(value, decomposer.and([reached, occurs[index], isOne]));
    });
    const others = [0, ...values.map((_, index) => index + 2)].filter(count => count <= values.length);
    collected.addFault('undefined', decomposer.and([reached, decomposer.table.sumIn(different, others)]));
    return collected.outcomes();
}

/** Collects the faults of operands; returns the formula that all are values. */
type CollectFaults = (decomposer: Decomposer, operands: readonly Outcomes[], collected: OutcomeCollector) => FormulaId;

/** Of operands without an order: of several faults the first of FaultKind counts. */
export const collectFaults: CollectFaults = (decomposer, operands, collected) => {
    const faulty = operands.filter(({ faults }) => faults.size > 0);
    for (const kind of faulty.length === 0 ? [] : FAULT_KINDS) {
        collected.addFault(kind, firstFault(decomposer, faulty, kind));
    }
    return decomposer.and(faulty.map(({ values }) => decomposer.or([...values.values()])));
};

/** Of operands from left to right the first fault counts. */
const collectFirstFault: CollectFaults = (decomposer, operands, collected) => {
    if (new Set(operands.flatMap(({ faults }) => [...faults.keys()])).size < 2) {
        return collectFaults(decomposer, operands, collected);
    }
    let reached: FormulaId = TRUE_FORMULA;
    for (const operand of operands) {
        collected.addFaults(operand.faults, reached);
        reached = decomposer.and([reached, decomposer.or([...operand.values.values()])]);
    }
    return reached;
};

/** Some outcome is a fault of this kind, and none is a fault of an earlier kind. */
export function firstFault(decomposer: Decomposer, outcomes: readonly Outcomes[], kind: FaultKind): FormulaId {
    const some = decomposer.or(outcomes.map(({ faults }) => faults.get(kind) ?? FALSE_FORMULA));
    const before = FAULT_KINDS.slice(0, FAULT_KINDS.indexOf(kind));
    const clear = outcomes.flatMap(({ values, faults }) =>
        before.some(earlier => faults.has(earlier))
            ? decomposer.or([
                  ...values.values(),
                  ...[...faults].filter(([other]) => !before.includes(other)).map(([, formula]) => formula),
              ])
            : [],
    );
    return decomposer.and([some, ...clear]);
}

export function splitSum(
    decomposer: Decomposer,
    kind: 'count' | 'sum',
    expressions: readonly SequentialExpression[],
    collect: CollectFaults = collectFaults,
): Outcomes {
    const operands = expressions.map(operand => integers(decomposer, operand));
    const collected = new OutcomeCollector(decomposer);
    const reached = collect(decomposer, operands, collected);
    const { terms, offset, sums } = weightedTerms(operands);
    // The smaller count, of formulas or complements, is encoded; on a tie both are, to keep their exchange a symmetry.
    const complements =
        kind === 'count'
            ? decomposer.table.weightedSum(
                  operands.map(operand => ({ formula: operand.values.get(0) ?? FALSE_FORMULA, weight: 1 })),
              )
            : undefined;
    const weighted = decomposer.table.weightedSum(terms);
    for (const sum of sums) {
        const direct = decomposer.table.sumIn(weighted, [sum - offset]);
        let formula = direct;
        if (complements !== undefined) {
            const opposite = operands.length - sum;
            const mirrored = decomposer.table.sumIn(complements, [opposite]);
            formula = sum < opposite ? direct : sum > opposite ? mirrored : decomposer.and([direct, mirrored]);
        }
        collected.addValue(sum, decomposer.and([reached, formula]));
    }
    return collected.outcomes();
}

/** Whether the sum of these integers is the same, without overflow, in any order of addition. */
function isSmallSum(decomposer: Decomposer, addends: readonly SequentialExpression[]): boolean {
    const values = addends.map(addend => [...decomposer.outcomes(addend).values.keys()]);
    const largest = values.map(of => of.reduce((most, value) => Math.max(most, Math.abs(value)), 0));
    return (
        !values.some(of => of.includes(NONE)) &&
        largest.reduce((total, value) => total + value, 0) <= Number.MAX_SAFE_INTEGER
    );
}

/** The outcomes of an operand of a sum, in which `none` is the fault `undefined`. */
function integers(decomposer: Decomposer, operand: SequentialExpression): Outcomes {
    const outcomes = decomposer.outcomes(operand);
    if (!outcomes.values.has(NONE)) {
        return outcomes;
    }
    const collected = new OutcomeCollector(decomposer);
    collected.addFaults(outcomes.faults);
    for (const [value, formula] of outcomes.values) {
        collected.add(value === NONE ? 'undefined' : value, formula);
    }
    return collected.outcomes();
}

/** Equality over many values: one conjunction for each common value. `whenEqual` is the outcome for equal sides. */
function splitEquality(decomposer: Decomposer, left: Outcomes, right: Outcomes, whenEqual: 0 | 1): Outcomes {
    const collected = new OutcomeCollector(decomposer);
    const reached = collectFirstFault(decomposer, [left, right], collected);
    const equal = decomposer.table.weightedSum(
        [...left.values].flatMap(([value, formula]) => {
            const other = right.values.get(value);
            return other === undefined ? [] : [{ formula: decomposer.and([formula, other]), weight: 1 }];
        }),
    );
    collected.add(whenEqual, decomposer.and([reached, decomposer.table.sumIn(equal, [1])]));
    collected.add(1 - whenEqual, decomposer.and([reached, decomposer.table.sumIn(equal, [0])]));
    return collected.outcomes();
}

export function splitBinary(decomposer: Decomposer, expression: BinaryExpression): Outcomes {
    const { operator } = expression;
    const difference = differenceOf(expression);
    if (difference !== undefined && isLong(addendsOf(difference)) && addsSmall(decomposer, expression)) {
        return splitPairs(
            decomposer,
            operator,
            splitSum(decomposer, 'sum', addendsOf(difference), collectFirstFault),
            NOTHING,
        );
    }
    const left = decomposer.outcomes(expression.left);
    const right = decomposer.outcomes(expression.right);
    const addends = addendsOf(expression);
    const isMany = left.values.size * right.values.size > SPLIT_BUDGET;
    // A difference of many values stays too large: as a sum it could take all the time.
    const isSum = isMany ? operator === '+' : isLong(addends);
    return isSum && addsSmall(decomposer, expression)
        ? splitSum(decomposer, 'sum', addends, collectFirstFault)
        : splitPairs(decomposer, operator, left, right);
}

/** As isSmallSum, with the signs as they are: `none` can be compared, but not subtracted. */
function addsSmall(decomposer: Decomposer, { left, right }: BinaryExpression): boolean {
    return isSmallSum(decomposer, [left, right].flatMap(addendsOf));
}

function splitPairs(
    decomposer: Decomposer,
    operator: SequentialBinaryOperator,
    left: Outcomes,
    right: Outcomes,
): Outcomes {
    const pairs = left.values.size * right.values.size;
    if (pairs > decomposer.budgets.pair && (operator === '==' || operator === '!=')) {
        return splitEquality(decomposer, left, right, operator === '==' ? 1 : 0);
    }
    if (pairs > SPLIT_BUDGET) {
        throw new ConstraintTooLarge(`${left.values.size} times ${right.values.size} values`);
    }
    const collected = new OutcomeCollector(decomposer);
    collected.addFaults(left.faults);
    if (right.faults.size > 0) {
        collected.addFaults(right.faults, decomposer.or([...left.values.values()]));
    }
    // One disjunct for each value of the side with fewer values.
    const byLeft = left.values.size <= right.values.size;
    const [outer, inner] = byLeft ? [left, right] : [right, left];
    for (const [outerValue, outerFormula] of outer.values) {
        const rows = new Map<Value | FaultKind, FormulaId[]>();
        for (const [innerValue, innerFormula] of inner.values) {
            const [a, b] = byLeft ? [outerValue, innerValue] : [innerValue, outerValue];
            const outcome = applyBinary(operator, a, b);
            appendTo(rows, outcome, innerFormula);
        }
        for (const [outcome, row] of rows) {
            const formula = decomposer.and([
                outerFormula,
                row.length === inner.values.size && inner.faults.size === 0 ? TRUE_FORMULA : decomposer.or(row),
            ]);
            collected.add(outcome, formula);
        }
    }
    return collected.outcomes();
}

/** `left - right`, compared with 0, if both sides of a comparison are variable: each side may be a sum. */
function differenceOf(expression: BinaryExpression): BinaryExpression | undefined {
    const { left, right, operator } = expression;
    return !isArithmetic(operator) && left.kind !== 'constant' && right.kind !== 'constant'
        ? { ...expression, operator: '-' }
        : undefined;
}

/** Two addends have only one order; of three, two would be added first. */
function isLong(addends: readonly SequentialExpression[]): boolean {
    return addends.filter(({ kind }) => kind !== 'constant').length > 2;
}

/** The addends of nested sums and differences, from left to right. */
function addendsOf(expression: SequentialExpression): readonly SequentialExpression[] {
    switch (expression.kind) {
        case 'sum':
            return expression.operands.flatMap(addendsOf);
        case 'negate':
            return addendsOf(expression.operand).map(addend => negative(addend, expression.range));
        case 'binary':
            return expression.operator === '+'
                ? [expression.left, expression.right].flatMap(addendsOf)
                : expression.operator === '-'
                  ? [...addendsOf(expression.left), ...addendsOf(negative(expression.right, expression.range))]
                  : [expression];
        default:
            return [expression];
    }
}

/** A sum as weighted terms: the lowest value of each operand goes into `offset`. */
function weightedTerms(operands: readonly Outcomes[]): { terms: WeightedTerm[]; offset: number; sums: number[] } {
    const terms: WeightedTerm[] = [];
    let offset = 0;
    let highest = 0;
    let sums: ReadonlySet<number> = new Set([0]);
    /** By the step of a progression the number of its steps in all operands; so a count of thousands stays short. */
    const steps = new Map<number, number>();
    for (const operand of operands) {
        const values = [...operand.values.keys()].sort((a, b) => a - b);
        const [lowest = 0, second = lowest] = values;
        offset += lowest;
        highest += values.at(-1) ?? 0;
        if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(highest)) {
            throw new ConstraintTooLarge('a sum that may be an overflow');
        }
        for (const value of values) {
            if (value !== lowest) {
                terms.push({ formula: operand.values.get(value)!, weight: value - lowest });
            }
        }
        const step = second - lowest;
        if (values.length > 0 && values.every((value, index) => value === lowest + step * index)) {
            steps.set(step, (steps.get(step) ?? 0) + values.length - 1);
        } else {
            sums = sumsOf(
                sums,
                values.map(value => value - lowest),
            );
        }
    }
    for (const [step, count] of steps) {
        sums = sumsOf(
            sums,
            Array.from({ length: count + 1 }, (_, index) => index * step),
        );
    }
    return { terms, offset, sums: Array.from(sums, sum => offset + sum).sort((a, b) => a - b) };
}

/** The sums of one number of each. */
function sumsOf(first: ReadonlySet<number>, second: readonly number[]): ReadonlySet<number> {
    const sums = new Set<number>();
    for (const value of first) {
        for (const other of second) {
            sums.add(value + other);
            if (sums.size > SPLIT_BUDGET) {
                throw new ConstraintTooLarge(`a sum with more than ${SPLIT_BUDGET} values`);
            }
        }
    }
    return sums;
}
