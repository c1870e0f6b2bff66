/**
 * The effects of a summand: for each written cell one effect for each code that it may get and does not have already.
 * An assignment is joined with the relations of the guard that share its cells, and encoded only where it changes the
 * cell, so `x := x` and no assignment are the same. In the ring, `token[u] := 0` becomes `token[u]' = 0`.
 */
import { sortAscending } from '../common/ascending.js';
import { invariant } from '../common/assert.js';
import { appendTo } from '../common/list-map.js';
import type { Domain } from '../model/domain.js';
import type { SequentialExpression } from '../sequential/sequential-model.js';
import type { ConstraintEffect } from './constraint-problem.js';
import { FALSE_FORMULA, TRUE_FORMULA, type FormulaId } from './formula.js';
import type { Guard } from './guard.js';
import { forEachTuple, relationToFormula } from './relation.js';
import { codeOfNext } from './possible-values.js';
import type { NextValue } from './transition.js';
import { supportOf } from '../sequential/cell-access.js';

/** One effect for each code that the cell may get and does not have already. */
export function effectsOf(guard: Guard, cell: number, domain: Domain, value: NextValue): ConstraintEffect[] {
    if (value === 'absent') {
        const current = guard.decomposer.domains[cell];
        return current.length === 1 && current[0] === -1 ? [] : [{ conditions: [], cell, code: -1 }];
    }
    invariant(value !== 'unknown', 'a summand that is too large has no effects to write down');
    const effects = value.map(written => effectsOfValue(guard, cell, domain, written));
    return effects.length === 1 ? effects[0] : merged(guard, cell, effects.flat());
}

/** One effect for each code, from all writers. */
function merged({ decomposer }: Guard, cell: number, effects: readonly ConstraintEffect[]): ConstraintEffect[] {
    const formulas = new Map<number, FormulaId[]>();
    for (const { code, conditions } of effects) {
        appendTo(formulas, code, decomposer.and(conditions));
    }
    return [...formulas].map(([code, ways]) => ({
        conditions: decomposer.table.conjuncts(decomposer.or(ways)),
        cell,
        code,
    }));
}

function effectsOfValue(guard: Guard, cell: number, domain: Domain, value: SequentialExpression): ConstraintEffect[] {
    const current = guard.decomposer.domains[cell];
    const effects: ConstraintEffect[] = [];
    const support = sortAscending([...new Set([...supportOf(value), cell])]);
    const joined = guard.joinedSupport(support);
    const kept = keepsElsewhere(cell, value);
    // A value that depends neither on the cell nor on a relation of the guard gains nothing by being joined with them.
    const isOnItsOwn = !supportOf(value).includes(cell) && !guard.relates(support);
    if (joined !== undefined && !isOnItsOwn && (kept === undefined || guard.decomposer.isSmall(joined))) {
        return tabledEffects(guard, joined, cell, domain, value);
    }
    // A cell that is written under a condition keeps its value elsewhere, which needs no cases.
    const condition = kept === undefined ? TRUE_FORMULA : guard.decomposer.truth(kept.condition);
    const outcomes =
        kept === undefined
            ? guard.decomposer.outcomes(value)
            : guard.decomposer.where(kept.condition, kept.then).outcomes(kept.then);
    for (const [result, outcome] of outcomes.values) {
        const formula = guard.decomposer.and([condition, outcome]);
        const code = codeOfNext(domain, result);
        // A value outside the domain is a fault, which is encoded with the faults.
        if (code === undefined || formula === FALSE_FORMULA || (current.length === 1 && current[0] === code)) {
            continue;
        }
        effects.push({ conditions: guard.decomposer.table.conjuncts(formula), cell, code });
    }
    return effects;
}

/** `if condition then value else cell`: an assignment under a condition. */
function keepsElsewhere(
    cell: number,
    value: SequentialExpression,
): Extract<SequentialExpression, { kind: 'conditional' }> | undefined {
    return value.kind === 'conditional' && value.otherwise.kind === 'cell' && value.otherwise.cell === cell
        ? value
        : undefined;
}

/** The effects of an assignment that is tabulated together with its cell and the guard. */
function tabledEffects(
    guard: Guard,
    support: readonly number[],
    cell: number,
    domain: Domain,
    value: SequentialExpression,
): ConstraintEffect[] {
    const { decomposer } = guard;
    const domains = support.map(other => decomposer.domains[other]);
    const permitted = guard.permittedTuples(support);
    const position = support.indexOf(cell);
    const results = [...decomposer.tables(value, support)].flatMap(([outcome, tuples]) => {
        const code = typeof outcome === 'string' ? undefined : codeOfNext(domain, outcome);
        return code === undefined ? [] : [{ code, tuples }];
    });
    const sizes = domains.map(codes => codes.length);
    // Whether the new code depends on the old one, over the permitted tuples.
    const dependsOnItself = dependsOn(position, sizes, results, permitted);
    const effects: ConstraintEffect[] = [];
    for (const { code, tuples } of results) {
        // If the cell has the new code already, writing makes no difference: these tuples are left open.
        const open = dependsOnItself ? domains[position].filter(old => old !== code) : domains[position];
        const openDomains = domains.map((codes, other) => (other === position ? open : codes));
        const allowed: number[] = [];
        let changes = false;
        let everywhere = true;
        forEachTuple(sizes, (tuple, index) => {
            const old = domains[position][tuple[position]];
            const writes = tuples[index] === 1 && permitted[index] === 1;
            changes ||= writes && old !== code;
            everywhere &&= writes || permitted[index] === 0;
            if (!dependsOnItself || old !== code) {
                allowed.push(writes ? 1 : 0);
            }
        });
        if (changes) {
            const relation = { cells: support, domains: openDomains, allowed: Uint8Array.from(allowed) };
            const condition = everywhere ? TRUE_FORMULA : relationToFormula(decomposer.table, relation);
            effects.push({ conditions: decomposer.table.conjuncts(condition), cell, code });
        }
    }
    return effects;
}

/** Whether two permitted tuples that differ only at `position` have different results. */
function dependsOn(
    position: number,
    sizes: readonly number[],
    results: readonly { readonly tuples: Uint8Array }[],
    permitted: Uint8Array,
): boolean {
    const resultOf = new Int32Array(permitted.length).fill(-1);
    results.forEach(({ tuples }, result) => {
        tuples.forEach((bit, index) => {
            if (bit === 1) {
                resultOf[index] = result;
            }
        });
    });
    let stride = 1;
    for (let later = position + 1; later < sizes.length; later++) {
        stride *= sizes[later];
    }
    const seen = new Map<number, number>();
    for (let index = 0; index < permitted.length; index++) {
        if (permitted[index] === 1) {
            const rest = index - (Math.floor(index / stride) % sizes[position]) * stride;
            const known = seen.get(rest);
            if (known !== undefined && known !== resultOf[index]) {
                return true;
            }
            seen.set(rest, resultOf[index]);
        }
    }
    return false;
}
