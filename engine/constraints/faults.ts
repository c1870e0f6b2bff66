/** When firing a summand is a fault instead of a step. */
import { NOWHERE } from '../common/source-range.js';
import { FAULT_KINDS } from '../sequential/expression/evaluate.js';
import type { FaultKind } from '../sequential/sequential-model.js';
import { conjunction } from '../sequential/expression/simplify.js';
import type { ConstraintFault } from './constraint-problem.js';
import type { Decomposer, Outcomes } from './decompose.js';
import { FALSE, type FormulaId } from './formula.js';
import type { Transition } from './transition.js';
import { conjunctsOf } from '../sequential/expression/operands.js';

/**
 * When firing is a fault, by kind: every participant is ready or a fault, and one is a fault. Of several kinds at once
 * the first in the order of the kinds counts.
 */
export function faultsOf(decomposer: Decomposer, participants: Transition['participants']): ConstraintFault[] {
    if (participants.every(tests => tests.every(test => conjunctsOf(test).every(each => !decomposer.faults(each))))) {
        return [];
    }
    const outcomes = participants.map(tests => decomposer.outcomes(conjunction(tests, NOWHERE)));
    const notFalse = outcomes.map(({ values, faults }) => decomposer.or([values.get(1) ?? FALSE, ...faults.values()]));
    const result: ConstraintFault[] = [];
    for (const kind of FAULT_KINDS) {
        const condition = decomposer.and([...notFalse, firstFault(decomposer, outcomes, kind)]);
        if (condition !== FALSE) {
            result.push({ condition, kind });
        }
    }
    return result;
}

/** Some outcome is a fault of this kind and none of a kind before it. */
function firstFault(decomposer: Decomposer, outcomes: readonly Outcomes[], kind: FaultKind): FormulaId {
    const some = decomposer.or(outcomes.map(({ faults }) => faults.get(kind) ?? FALSE));
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
