/**
 * Decomposition: an expression becomes formulas that say when it has which value. An expression over few values (the
 * budget) is evaluated for every assignment and becomes a canonical relation, so only its meaning counts. Otherwise it
 * is split: hubs, an array element by the values of its index, arithmetic and comparisons as in decompose-sum.ts. In
 * the ring, `label[0] != label[1]` becomes (label[0] = 0 ∧ label[1] = 1) ∨ (label[0] = 1 ∧ label[1] = 0). A split is
 * exact, but may miss equivalent expressions, and so lose a symmetry.
 */
import { invariant, unreachable } from '../common/assert.js';
import { appendTo } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { codeOfValue, domainSize, NONE, valueOfCode, type Value } from '../model/domain.js';
import { Fault, outcomeOf, type Compiler } from '../sequential/expression/evaluate.js';
import { conjunctsOf, operandsOf, withOperands } from '../sequential/expression/operands.js';
import type { Cell, ElementPlace, FaultKind, SequentialExpression } from '../sequential/sequential-model.js';
import { negation } from '../sequential/expression/simplify.js';
import { withPresence } from '../sequential/expression/substitute.js';
import { collectFaults, splitBinary, splitExtremum, splitOnly, splitSum } from './decompose-sum.js';
import { ConstraintTooLarge, EncodingStopped } from './encoding-limits.js';
import { NO_FAULTS, OutcomeCollector, type Outcomes } from './outcomes.js';
import { FALSE_FORMULA, TRUE_FORMULA, type Domains, type FormulaId, type FormulaTable } from './formula.js';
import { forEachTuple, relationToFormula, tupleCount } from './relation.js';
import { supportOf } from '../sequential/cell-access.js';
import { applyNegate } from '../sequential/expression/arithmetic.js';
import { mayFault } from '../sequential/expression/bounds.js';

/** The most formulas of a graph that can still be searched. */
export const MOST_FORMULAS = 2_000_000;

interface DecompositionBudgets {
    /** The most joint assignments that become a relation. */
    readonly relation: number;
    /** The same for a relation between two cells: its form by rows is as small as any split. */
    readonly pair: number;
}

/** Measured on the published systems: smaller budgets lose symmetries, larger ones find no more. */
const BUDGETS: DecompositionBudgets = { relation: 64, pair: 4096 };

/** The least number of formulas for a node of a long expression when it is split, for each value of its cells. */
const FORMULAS_OF_A_NODE = 4;

/** Whether the expression has more nodes, shared nodes counted at each occurrence. O(length). */
function isLongerThan(length: number, expression: SequentialExpression): boolean {
    let left = length;
    const count = (part: SequentialExpression): boolean => {
        left--;
        return left < 0 || operandsOf(part).some(count);
    };
    return count(expression);
}

type Hub = Extract<SequentialExpression, { kind: 'and' | 'or' | 'all' | 'some' }>;
type SelectExpression = Extract<SequentialExpression, { kind: 'select' }>;

/** Decomposes expressions over cells with codes in `domains[cell]`; an empty list means too many codes to list. */
export class Decomposer {
    readonly table: FormulaTable;
    readonly domains: Domains;
    private readonly cells: readonly Cell[];
    private readonly compiler: Compiler;
    private readonly limit: WorkLimit;
    readonly budgets: DecompositionBudgets;
    private readonly known = new Map<SequentialExpression, Outcomes>();

    constructor(
        table: FormulaTable,
        cells: readonly Cell[],
        compiler: Compiler,
        domains: Domains,
        limit: WorkLimit,
        budgets: DecompositionBudgets = BUDGETS,
    ) {
        this.table = table;
        this.cells = cells;
        this.compiler = compiler;
        this.domains = domains;
        this.limit = limit;
        this.budgets = budgets;
    }

    /** The formula that `expression` is true, and no fault. */
    truth(expression: SequentialExpression): FormulaId {
        return this.outcomes(expression).values.get(1) ?? FALSE_FORMULA;
    }

    /** Whether `expression` may be a fault for some values. */
    faults(expression: SequentialExpression): boolean {
        return mayFault(expression, this.cells) && this.outcomes(expression).faults.size > 0;
    }

    outcomes(expression: SequentialExpression): Outcomes {
        const known = this.known.get(expression);
        if (known !== undefined) {
            return known;
        }
        if (this.limit.isExhausted() || this.table.nodes.length > MOST_FORMULAS) {
            throw new EncodingStopped('the constraint problem is not finished');
        }
        if (supportOf(expression).some(cell => this.domains[cell].length === 0)) {
            throw new ConstraintTooLarge('a variable has too many values');
        }
        const isTabled = this.isTabled(supportOf(expression)) || this.isLongerThanTable(expression);
        const result = isTabled ? this.tabulate(expression) : this.split(expression);
        this.known.set(expression, result);
        return result;
    }

    /** Whether a relation over these cells is within the budget. False if a cell has too many values to list. */
    isTabled(support: readonly number[]): boolean {
        const { relation, pair } = this.budgets;
        return !this.isOver(
            support,
            support.length < 2 ? Infinity : support.length === 2 ? pair : Math.min(relation, pair),
        );
    }

    /** Whether the list of values is smaller than the split expression, as for the result of a loop. */
    private isLongerThanTable(expression: SequentialExpression): boolean {
        const support = supportOf(expression);
        return (
            !this.isOver(support, this.budgets.pair) &&
            isLongerThan(tupleCount(support.map(cell => this.domains[cell])) / FORMULAS_OF_A_NODE, expression)
        );
    }

    /** Whether these cells have more than `most` assignments, or one of them has too many values to list. */
    private isOver(support: readonly number[], most: number): boolean {
        let product = 1;
        return support.some(cell => {
            product *= this.domains[cell].length;
            return product === 0 || product > most;
        });
    }

    /** Whether a relation over these cells is so small that it is always built as a whole. */
    isSmall(support: readonly number[]): boolean {
        return this.isTabled(support) && !this.isOver(support, this.budgets.relation);
    }

    /** A decomposer with one cell restricted further. */
    restrictedTo(cell: number, codes: readonly number[]): Decomposer {
        const domains = this.domains.slice();
        domains[cell] = codes;
        return this.restrictedToAll(domains);
    }

    /** A decomposer for what is evaluated if the condition holds: it restricts cells, so `a[i]` is `a[0]` if i = 0. */
    where(condition: SequentialExpression, expression: SequentialExpression): Decomposer {
        const reads = new Set(supportOf(expression));
        const domains = this.domains.slice();
        let isRestricted = false;
        for (const test of conjunctsOf(condition)) {
            const support = supportOf(test);
            const [cell] = support;
            if (support.length === 1 && reads.has(cell) && domains[cell].length > 1) {
                const holds = this.tables(test, support).get(1);
                const kept = this.domains[cell].filter(
                    (code, index) => holds?.[index] === 1 && domains[cell].includes(code),
                );
                if (kept.length > 0 && kept.length < domains[cell].length) {
                    domains[cell] = kept;
                    isRestricted = true;
                }
            }
        }
        return isRestricted ? this.restrictedToAll(domains) : this;
    }

    /** A decomposer over other domains. */
    restrictedToAll(domains: Domains): Decomposer {
        return new Decomposer(this.table, this.cells, this.compiler, domains, this.limit, this.budgets);
    }

    /** By outcome its assignments of `support`, which has all cells that are read. Exponential in the support. */
    tables(expression: SequentialExpression, support: readonly number[]): Map<Value | FaultKind, Uint8Array> {
        const domains = support.map(cell => this.domains[cell]);
        const total = tupleCount(domains);
        const evaluate = this.compiler.expression(expression);
        const state = new Int32Array(this.cells.length);
        const tables = new Map<Value | FaultKind, Uint8Array>();
        forEachTuple(
            domains.map(domain => domain.length),
            (tuple, index) => {
                for (let position = 0; position < support.length; position++) {
                    state[support[position]] = domains[position][tuple[position]];
                }
                const found = outcomeOf(evaluate, state);
                if (found === undefined) {
                    return;
                }
                const outcome = found instanceof Fault ? found.kind : found;
                let table = tables.get(outcome);
                if (table === undefined) {
                    table = new Uint8Array(total);
                    tables.set(outcome, table);
                }
                table[index] = 1;
            },
        );
        return tables;
    }

    /** Whether `expression` is true for every assignment; false if there are too many to try. */
    isAlwaysTrue(expression: SequentialExpression): boolean {
        const support = supportOf(expression);
        return (
            !this.isOver(support, this.budgets.pair) &&
            [...this.tables(expression, support).keys()].every(outcome => outcome === 1)
        );
    }

    and(children: readonly FormulaId[]): FormulaId {
        return this.table.and(children, this.domains);
    }

    or(children: readonly FormulaId[]): FormulaId {
        return this.table.or(children, this.domains);
    }

    private tabulate(expression: SequentialExpression): Outcomes {
        const support = supportOf(expression);
        const domains = support.map(cell => this.domains[cell]);
        const values = new Map<Value, FormulaId>();
        const faults = new Map<FaultKind, FormulaId>();
        for (const [outcome, allowed] of this.tables(expression, support)) {
            const formula = relationToFormula(this.table, { cells: support, domains, allowed });
            if (typeof outcome === 'string') {
                faults.set(outcome, formula);
            } else {
                values.set(outcome, formula);
            }
        }
        return { values, faults };
    }

    private split(expression: SequentialExpression): Outcomes {
        switch (expression.kind) {
            case 'constant':
                return { values: new Map([[expression.value, TRUE_FORMULA]]), faults: NO_FAULTS };
            case 'holds': {
                const { cell } = expression;
                const code = codeOfValue(this.cells[cell].domain, expression.value);
                const codes = this.domains[cell];
                const others = codes.filter(other => other !== code);
                const values = new Map<Value, FormulaId>();
                if (others.length < codes.length) {
                    values.set(1, this.table.set(cell, [code], codes));
                }
                if (others.length > 0) {
                    values.set(0, this.table.set(cell, others, codes));
                }
                return { values, faults: NO_FAULTS };
            }
            case 'fresh':
            case 'choosable':
                return invariant(false, 'constraints are about all slots') as never;
            case 'fault':
                return { values: new Map(), faults: new Map([[expression.fault, TRUE_FORMULA]]) };
            case 'cell': {
                const domain = this.cells[expression.cell].domain;
                const codes = this.domains[expression.cell];
                return {
                    values: new Map(
                        codes
                            .filter(
                                code =>
                                    code >= 0 && !(expression.isPresent === true && valueOfCode(domain, code) === NONE),
                            )
                            .map(code => [valueOfCode(domain, code), this.table.set(expression.cell, [code], codes)]),
                    ),
                    faults: NO_FAULTS,
                };
            }
            case 'element':
                return this.splitElement(expression, expression);
            case 'and':
            case 'or':
            case 'all':
            case 'some':
                return this.splitHub(expression);
            case 'not':
            case 'negate':
                return this.splitUnary(expression);
            case 'conditional':
                return this.splitConditional(expression);
            case 'count':
            case 'sum':
                return splitSum(this, expression.kind, expression.operands);
            case 'min':
            case 'max':
                return splitExtremum(this, expression.kind, expression.operands);
            case 'the':
                return splitOnly(this, expression.operands);
            case 'select':
                return this.splitSelect(expression);
            case 'binary': {
                const element = this.findElement(expression);
                return element === undefined ? splitBinary(this, expression) : this.splitElement(expression, element);
            }
            default:
                return unreachable(expression);
        }
    }

    /** Splits by the values of the indices of `element`, and replaces the element by the chosen cell. */
    private splitElement(expression: SequentialExpression, element: ElementPlace): Outcomes {
        const collected = new OutcomeCollector(this);
        // All indices are evaluated before an index fault arises; `offset` is then -1.
        const visit = (position: number, condition: FormulaId, context: Decomposer, offset: number): void => {
            if (condition === FALSE_FORMULA) {
                return;
            }
            if (position === element.indices.length) {
                if (offset < 0) {
                    collected.addFault('index', condition);
                    return;
                }
                const { cells, range } = element;
                const cell = withPresence({ kind: 'cell', cell: cells[offset], range }, element);
                collected.addAll(condition, context.outcomes(replace(expression, element, cell)));
                return;
            }
            const index = element.indices[position];
            const domain = element.domains[position];
            const outcomes = context.outcomes(index);
            collected.addFaults(outcomes.faults, condition);
            for (const [value, formula] of outcomes.values) {
                const code = codeOfValue(domain, value);
                const next = offset < 0 || code < 0 ? -1 : offset * domainSize(domain) + code;
                visit(position + 1, this.and([condition, formula]), narrow(context, index, value), next);
            }
        };
        visit(0, TRUE_FORMULA, this, 0);
        return collected.outcomes();

        /** If the index is a cell, its value is known in the case. */
        function narrow(context: Decomposer, index: SequentialExpression, value: Value): Decomposer {
            if (index.kind !== 'cell') {
                return context;
            }
            const code = codeOfValue(context.cells[index.cell].domain, value);
            return context.restrictedTo(index.cell, [code]);
        }
    }

    /** The first innermost array element with a variable index, if no fault or skipped operand can come before. */
    private findElement(expression: SequentialExpression): ElementPlace | undefined {
        switch (expression.kind) {
            case 'element':
                return this.firstElement(expression.indices) ?? expression;
            case 'not':
            case 'negate':
                return this.findElement(expression.operand);
            case 'binary':
                return this.firstElement([expression.left, expression.right]);
            default:
                return undefined;
        }
    }

    private firstElement(operands: readonly SequentialExpression[]): ElementPlace | undefined {
        for (const operand of operands) {
            const element = this.findElement(operand);
            if (element !== undefined || this.outcomes(operand).faults.size > 0) {
                return element;
            }
        }
        return undefined;
    }

    private splitHub(expression: Hub): Outcomes {
        const isConjunction = expression.kind === 'and' || expression.kind === 'all';
        const stops = isConjunction ? 0 : 1;
        const shared = this.sharedCell(expression.operands);
        if (shared !== undefined) {
            const collected = new OutcomeCollector(this);
            for (const code of this.domains[shared]) {
                const condition = this.table.set(shared, [code], this.domains[shared]);
                collected.addAll(condition, this.restrictedTo(shared, [code]).outcomes(expression));
            }
            return collected.outcomes();
        }
        const operands = this.operandOutcomes(expression);
        if (expression.kind === 'all' || expression.kind === 'some') {
            const collected = new OutcomeCollector(this);
            const reached = collectFaults(this, operands, collected);
            for (const [value, formula] of this.hubOf(isConjunction ? 'and' : 'or', operands).values) {
                collected.addValue(value, this.and([reached, formula]));
            }
            return collected.outcomes();
        }
        const { kind } = expression;
        const parts = alikeInFaults(operands).map(alike => this.hubOf(kind, alike));
        if (parts.length === 1) {
            return parts[0];
        }
        // Evaluation stops at the first part that decides, and at the first fault.
        const collected = new OutcomeCollector(this);
        let reached: FormulaId = TRUE_FORMULA;
        for (const part of parts) {
            collected.addFaults(part.faults, reached);
            collected.addValue(stops, this.and([reached, part.values.get(stops) ?? FALSE_FORMULA]));
            reached = this.and([reached, part.values.get(1 - stops) ?? FALSE_FORMULA]);
        }
        collected.addValue(1 - stops, reached);
        return collected.outcomes();
    }

    /** Operands with the same faults: if the first is no fault, no other one is, so their order has no effect. */
    private hubOf(kind: 'and' | 'or', operands: readonly Outcomes[]): Outcomes {
        const [{ faults }] = operands;
        const truths = operands.map(operand => operand.values.get(1) ?? FALSE_FORMULA);
        const falsities = operands.map(operand => operand.values.get(0) ?? FALSE_FORMULA);
        // A disjunction is the complement of the conjunction of complements.
        const values =
            kind === 'and'
                ? booleanValues(this.and(truths), this.or(falsities))
                : booleanValues(this.or(truths), this.and(falsities));
        return { values, faults };
    }

    /** The outcomes of the operands; without faults, operands over the same cells become one relation. */
    private operandOutcomes(expression: Hub): Outcomes[] {
        const separate = expression.operands.map(operand => this.outcomes(operand));
        if (separate.some(operand => operand.faults.size > 0)) {
            return separate;
        }
        const groups = new Map<string, number[]>();
        expression.operands.forEach((operand, position) => {
            const support = supportOf(operand);
            const key = this.isTabled(support) ? support.join() : `#${position}`;
            appendTo(groups, key, position);
        });
        return [...groups.values()].map(group =>
            group.length === 1
                ? separate[group[0]]
                : this.tabulate({ ...expression, operands: group.map(position => expression.operands[position]) }),
        );
    }

    /** A cell that all of three or more operands read and that has at most as many values as there are operands. */
    private sharedCell(operands: readonly SequentialExpression[]): number | undefined {
        if (operands.length < 3) {
            return undefined;
        }
        let common = new Set(supportOf(operands[0]));
        for (const operand of operands) {
            const support = new Set(supportOf(operand));
            common = new Set([...common].filter(cell => support.has(cell)));
        }
        const candidates = [...common].filter(cell => {
            const size = this.domains[cell].length;
            return 1 < size && size <= operands.length;
        });
        // Only the order would tell two candidates of one size apart.
        candidates.sort((a, b) => this.domains[a].length - this.domains[b].length);
        const [first, second] = candidates;
        return second !== undefined && this.domains[first].length === this.domains[second].length ? undefined : first;
    }

    private splitUnary(expression: Extract<SequentialExpression, { kind: 'not' | 'negate' }>): Outcomes {
        const operand = this.outcomes(expression.operand);
        const collected = new OutcomeCollector(this);
        collected.addFaults(operand.faults);
        for (const [value, formula] of operand.values) {
            collected.add(expression.kind === 'not' ? 1 - value : applyNegate(value), formula);
        }
        return collected.outcomes();
    }

    private splitConditional(expression: Extract<SequentialExpression, { kind: 'conditional' }>): Outcomes {
        const condition = this.outcomes(expression.condition);
        const collected = new OutcomeCollector(this);
        collected.addFaults(condition.faults);
        const { then, otherwise, range } = expression;
        const isFalse = negation(expression.condition, range);
        collected.addAll(
            condition.values.get(1) ?? FALSE_FORMULA,
            this.where(expression.condition, then).outcomes(then),
        );
        collected.addAll(condition.values.get(0) ?? FALSE_FORMULA, this.where(isFalse, otherwise).outcomes(otherwise));
        return collected.outcomes();
    }

    private splitSelect(expression: SelectExpression): Outcomes {
        const { index, domain, options } = expression;
        const outcomes = this.outcomes(index);
        const collected = new OutcomeCollector(this);
        collected.addFaults(outcomes.faults);
        for (const [value, formula] of outcomes.values) {
            const code = codeOfValue(domain, value);
            if (code < 0) {
                collected.addFault('index', formula);
            } else {
                collected.addAll(formula, this.outcomes(options[code]));
            }
        }
        return collected.outcomes();
    }
}

/** Groups of neighbors with equal faults. */
function alikeInFaults(operands: readonly Outcomes[]): readonly (readonly Outcomes[])[] {
    const groups: Outcomes[][] = [];
    for (const operand of operands) {
        const last = groups.at(-1);
        if (last !== undefined && haveSameFaults(last[0], operand)) {
            last.push(operand);
        } else {
            groups.push([operand]);
        }
    }
    return groups;
}

function haveSameFaults({ faults: some }: Outcomes, { faults: others }: Outcomes): boolean {
    return some.size === others.size && [...some].every(([fault, formula]) => others.get(fault) === formula);
}

/** The expression with one node replaced at each occurrence. */
function replace(
    expression: SequentialExpression,
    old: SequentialExpression,
    by: SequentialExpression,
): SequentialExpression {
    if (expression === old) {
        return by;
    }
    switch (expression.kind) {
        case 'element':
        case 'not':
        case 'negate':
        case 'binary':
            return withOperands(expression, operand => replace(operand, old, by));
        default:
            return expression;
    }
}

function booleanValues(truth: FormulaId, falsity: FormulaId): Map<Value, FormulaId> {
    const values = new Map<Value, FormulaId>();
    if (falsity !== FALSE_FORMULA) {
        values.set(0, falsity);
    }
    if (truth !== FALSE_FORMULA) {
        values.set(1, truth);
    }
    return values;
}
