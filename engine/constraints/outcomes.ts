/** The outcomes of an expression as formulas: when it has which value, and when it is which fault. */
import { appendTo } from '../common/list-map.js';
import type { Value } from '../model/domain.js';
import type { FaultKind } from '../sequential/sequential-model.js';
import { ConstraintTooLarge } from './encoding-limits.js';
import { FALSE_FORMULA, type FormulaId } from './formula.js';

/** The formulas exclude each other and cover all cases, except reads of a cell without a value, which never happen. */
export interface Outcomes {
    readonly values: ReadonlyMap<Value, FormulaId>;
    readonly faults: ReadonlyMap<FaultKind, FormulaId>;
}

export const NO_FAULTS: ReadonlyMap<FaultKind, FormulaId> = new Map();

/** The most values, or pairs of values, by which an expression is split. */
export const SPLIT_BUDGET = 16_384;

/** Builds formulas over certain domains. */
interface Builder {
    and(children: readonly FormulaId[]): FormulaId;
    or(children: readonly FormulaId[]): FormulaId;
}

/** Gathers the cases of a split; cases with one outcome are joined by a disjunction. */
export class OutcomeCollector {
    private readonly builder: Builder;
    private readonly values = new Map<Value, FormulaId[]>();
    private readonly faults = new Map<FaultKind, FormulaId[]>();

    constructor(builder: Builder) {
        this.builder = builder;
    }

    addValue(value: Value, formula: FormulaId): void {
        append(this.values, value, formula);
        if (this.values.size > SPLIT_BUDGET) {
            throw new ConstraintTooLarge(`more than ${SPLIT_BUDGET} values`);
        }
    }

    addFault(fault: FaultKind, formula: FormulaId): void {
        append(this.faults, fault, formula);
    }

    /** The faults as they are, or where `condition` holds. */
    addFaults(faults: Outcomes['faults'], condition?: FormulaId): void {
        for (const [fault, formula] of faults) {
            this.addFault(fault, condition === undefined ? formula : this.builder.and([condition, formula]));
        }
    }

    add(outcome: Value | FaultKind, formula: FormulaId): void {
        if (typeof outcome === 'string') {
            this.addFault(outcome, formula);
        } else {
            this.addValue(outcome, formula);
        }
    }

    addAll(condition: FormulaId, outcomes: Outcomes): void {
        for (const [value, formula] of outcomes.values) {
            this.addValue(value, this.builder.and([condition, formula]));
        }
        this.addFaults(outcomes.faults, condition);
    }

    outcomes(): Outcomes {
        return { values: this.joined(this.values), faults: this.joined(this.faults) };
    }

    private joined<K>(cases: ReadonlyMap<K, readonly FormulaId[]>): Map<K, FormulaId> {
        const result = new Map<K, FormulaId>();
        for (const [key, formulas] of cases) {
            const formula = this.builder.or(formulas);
            if (formula !== FALSE_FORMULA) {
                result.set(key, formula);
            }
        }
        return result;
    }
}

function append<K>(map: Map<K, FormulaId[]>, key: K, formula: FormulaId): void {
    if (formula !== FALSE_FORMULA) {
        appendTo(map, key, formula);
    }
}
