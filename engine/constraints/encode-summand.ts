/**
 * The constraints of one summand over its own cells: its path becomes the guard (guard.ts), its body the effects
 * (effects.ts), its checks the faults. They depend only on the fragment and on the codes of its cells.
 */
import { NOWHERE } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import { FAULT_KINDS } from '../sequential/expression/evaluate.js';
import { conjunction } from '../sequential/expression/simplify.js';
import type { ConstraintEffect, ConstraintFault } from './constraint-problem.js';
import { Decomposer } from './decompose.js';
import { firstFault } from './decompose-sum.js';
import { effectsOf } from './effects.js';
import { ConstraintTooLarge, unless } from './encoding-limits.js';
import { childrenOf, FALSE_FORMULA, FormulaTable, type Domains, type FormulaId, type FormulaNode } from './formula.js';
import type { ConditionConstraints, ConditionFragment, SummandConstraints, SummandFragment } from './fragment.js';
import { Guard } from './guard.js';
import type { SummandDomains } from './summand-start.js';
import type { Transition } from './transition.js';
import { conjunctsOf } from '../sequential/expression/operands.js';

/** `domains[i]` are all codes that the local cell i can have; `start` holds the codes where the summand may fire. */
export function encodeSummand(
    fragment: SummandFragment,
    transition: Transition,
    start: SummandDomains,
    domains: Domains,
    limit: WorkLimit,
): SummandConstraints {
    if (transition.isTooLarge) {
        return 'too-large';
    }
    const table = new FormulaTable();
    const base = new Decomposer(table, fragment.cells, fragment.compiler, start.localCodes, limit);
    return unlessTooLarge(() => {
        const faults = transition.mayFault ? faultsOf(base, transition.participants) : [];
        const firing = start.canFire ? encodeFiring(base, fragment, transition, domains) : undefined;
        if (firing === undefined && faults.length === 0) {
            return 'never';
        }
        const { guard, effects } = firing ?? { guard: [FALSE_FORMULA], effects: [] };
        const roots = [
            ...guard,
            ...effects.flatMap(({ conditions }) => conditions),
            ...faults.map(({ condition }) => condition),
        ];
        return { nodes: needed(table, roots), constraints: { guard, effects, faults } };
    });
}

/** The formulas of a condition, over cells with the codes `domains`. */
export function encodeCondition(fragment: ConditionFragment, domains: Domains, limit: WorkLimit): ConditionConstraints {
    const table = new FormulaTable();
    const decomposer = new Decomposer(table, fragment.cells, fragment.compiler, domains, limit);
    return unlessTooLarge(() => {
        const { values, faults } = decomposer.outcomes(fragment.condition);
        const holds = values.get(1) ?? FALSE_FORMULA;
        return {
            nodes: needed(table, [holds, ...faults.values()]),
            constraints: { holds, faults: Array.from(faults, ([kind, condition]) => ({ kind, condition })) },
        };
    });
}

function unlessTooLarge<Constraints>(encode: () => Constraints): Constraints | 'too-large' {
    return unless(ConstraintTooLarge, encode, () => 'too-large' as const);
}

function encodeFiring(
    base: Decomposer,
    fragment: SummandFragment,
    transition: Transition,
    domains: Domains,
): { readonly guard: readonly FormulaId[]; readonly effects: readonly ConstraintEffect[] } | undefined {
    const tests = transition.participants.flat();
    const guard = new Guard(base, tests.flatMap(conjunctsOf));
    if (guard.isFalse) {
        return undefined;
    }
    const effects: ConstraintEffect[] = [];
    for (const [cell, value] of transition.effects) {
        if (domains[cell].length === 0) {
            throw new ConstraintTooLarge('a variable has too many values');
        }
        if (domains[cell].length === 1) {
            // The cell has one value, or none for a temporary, so no write changes it.
            continue;
        }
        // A code that cannot occur is written only if the guard cannot hold.
        const possible = new Set(domains[cell]);
        effects.push(
            ...effectsOf(guard, cell, fragment.cells[cell].domain, value).filter(effect => possible.has(effect.code)),
        );
    }
    return { guard: guard.formulas(), effects };
}

/** By kind: every participant is ready or a fault, one is this fault, and none is a fault of an earlier kind. */
function faultsOf(decomposer: Decomposer, participants: Transition['participants']): ConstraintFault[] {
    if (participants.every(tests => tests.every(test => conjunctsOf(test).every(each => !decomposer.faults(each))))) {
        return [];
    }
    const outcomes = participants.map(tests => decomposer.outcomes(conjunction(tests, NOWHERE)));
    const notFalse = outcomes.map(({ values, faults }) =>
        decomposer.or([values.get(1) ?? FALSE_FORMULA, ...faults.values()]),
    );
    const result: ConstraintFault[] = [];
    for (const kind of FAULT_KINDS) {
        const condition = decomposer.and([...notFalse, firstFault(decomposer, outcomes, kind)]);
        if (condition !== FALSE_FORMULA) {
            result.push({ condition, kind });
        }
    }
    return result;
}

/** The formulas of a table, without those that are not below the roots. */
function needed({ nodes }: FormulaTable, roots: readonly FormulaId[]): readonly (FormulaNode | undefined)[] {
    const kept: (FormulaNode | undefined)[] = nodes.map(() => undefined);
    roots.forEach(root => (kept[root] = nodes[root]));
    // Children have smaller numbers than their parents.
    for (let formula = nodes.length - 1; formula > FALSE_FORMULA; formula--) {
        const node = kept[formula];
        if (node !== undefined) {
            childrenOf(node).forEach(child => (kept[child] = nodes[child]));
        }
    }
    return kept;
}
