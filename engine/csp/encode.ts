/**
 * From static single assignment to the constraint problem.
 *
 * For each summand: its path and checks become the guard (guard.ts), its body one effect for each value that a written
 * cell may get (effects.ts), and what may go wrong its faults (faults.ts). The initial condition and the properties are
 * formulas over all codes that can occur. What exceeds a budget is left out, and then nothing that it touches may move.
 */
import { NOWHERE } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import { codeOfValue } from '../model/domain.js';
import { Compiler } from '../sequential/evaluate.js';
import { expressionsOfInitial } from '../sequential/initial-cells.js';
import { binary, conjunction, disjunction } from '../sequential/simplify.js';
import type { Cell, InitialValue, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import type { SsaModel } from '../ssa/static-single-assignment.js';
import type {
    ConstraintEffect,
    ConstraintProblem,
    ConstraintProperty,
    ConstraintSummand,
} from './constraint-problem.js';
import { Decomposer } from './decompose.js';
import { effectsOf } from './effects.js';
import { ConstraintTooLarge, EncodingStopped } from './encoding-limits.js';
import { faultsOf } from './faults.js';
import { FALSE, FormulaTable, TRUE, type Domains, type FormulaId } from './formula.js';
import { Guard } from './guard.js';
import { conjunctsOf, presentDomains, reachableDomains, type SummandDomains } from './reachable-domains.js';
import { supportOf } from './resolve.js';
import { toTransition, type Transition } from './transition.js';

/**
 * The constraint problem of a model. Its size is about linear in the size of the model. When the limit is reached the
 * result is incomplete, and says nothing.
 */
export function encode(ssa: SsaModel, limit: WorkLimit): ConstraintProblem {
    try {
        return encodeWithin(ssa, limit);
    } catch (error) {
        if (error instanceof EncodingStopped) {
            return withoutConstraints(ssa.sequential);
        }
        throw error;
    }
}

/** What is known of a model that is too large: nothing. */
export function withoutConstraints(sequential: SequentialModel): ConstraintProblem {
    return {
        sequential,
        formulas: new FormulaTable(),
        domains: sequential.cells.map(cell => (cell.kind === 'temporary' ? [-1] : [])),
        summands: [],
        initial: [],
        properties: declaredProperties(sequential).map(nothingOf),
        termination: nothingOf(terminationOf(sequential)),
        pinned: [],
        complete: false,
    };
}

function nothingOf({ expression: _, ...declared }: DeclaredProperty): ConstraintProperty {
    return { ...declared, holds: TRUE, faults: [] };
}

function encodeWithin(ssa: SsaModel, limit: WorkLimit): ConstraintProblem {
    const { sequential } = ssa;
    const compiler = new Compiler(sequential.cells);
    const transitions = ssa.summands.map(summand => toTransition(summand, sequential));
    const reachable = reachableDomains(sequential, transitions, compiler, limit);
    const { domains } = reachable;
    const encoder = new Encoder(sequential, compiler, domains, limit);
    const summands = transitions.map((transition, index) => encoder.summand(transition, reachable.at(index), index));
    const initial = encoder.initial();
    const properties = declaredProperties(sequential).map(declared => encoder.property(declared));
    const termination = encoder.property(terminationOf(sequential));
    return {
        sequential,
        formulas: encoder.table,
        domains,
        summands: mergeEqual(summands.filter(summand => summand !== undefined)),
        initial,
        properties,
        termination,
        pinned: [...encoder.pinned].sort((a, b) => a - b),
        complete: true,
    };
}

/**
 * The properties of `sequential` as constraints over the codes of `problem`, and nothing else: for a model that differs
 * from that of `problem` in its invariants only. Undefined when the limit is reached.
 */
export function encodeProperties(
    sequential: SequentialModel,
    problem: ConstraintProblem,
    limit: WorkLimit,
): ConstraintProblem | undefined {
    try {
        const encoder = new Encoder(sequential, new Compiler(sequential.cells), problem.domains, limit);
        return {
            ...problem,
            sequential,
            formulas: encoder.table,
            summands: [],
            initial: [],
            properties: declaredProperties(sequential).map(declared => encoder.property(declared)),
            termination: encoder.property(terminationOf(sequential)),
            pinned: [...new Set([...problem.pinned, ...encoder.pinned])].sort((a, b) => a - b),
        };
    } catch (error) {
        if (error instanceof EncodingStopped) {
            return undefined;
        }
        throw error;
    }
}

interface DeclaredProperty extends Omit<ConstraintProperty, 'holds' | 'faults'> {
    readonly expression: SequentialExpression;
}

/** What the model states: that it does not stop where it must not, and its invariants. */
function declaredProperties(sequential: SequentialModel): DeclaredProperty[] {
    const invariants = sequential.invariants.map(({ name, expression }, index): DeclaredProperty => ({
        name,
        kind: 'invariant',
        invariant: index,
        expression,
    }));
    return [...(sequential.allowsDeadlock ? [] : [terminationOf(sequential)]), ...invariants];
}

/** Every instance may stop. */
function terminationOf({ instances }: SequentialModel): DeclaredProperty {
    const expression = conjunction(
        instances.map(instance => instance.mayStop),
        NOWHERE,
    );
    return { name: 'deadlock', kind: 'deadlock', invariant: -1, expression };
}

/** More cells whose initial values depend on each other are not looked at together. */
const MOST_RELATED_CELLS = 2_000;

class Encoder {
    readonly table = new FormulaTable();
    readonly pinned = new Set<number>();
    private readonly sequential: SequentialModel;
    private readonly cells: readonly Cell[];
    private readonly compiler: Compiler;
    private readonly domains: Domains;
    private readonly limit: WorkLimit;

    constructor(sequential: SequentialModel, compiler: Compiler, domains: Domains, limit: WorkLimit) {
        this.limit = limit;
        this.sequential = sequential;
        this.cells = sequential.cells;
        this.compiler = compiler;
        this.domains = domains;
    }

    /** The constraints of one summand; undefined where it can never fire. */
    summand(transition: Transition, start: SummandDomains | undefined, source: number): ConstraintSummand | undefined {
        if (start === undefined) {
            return undefined;
        }
        try {
            if (transition.isTooLarge) {
                throw new ConstraintTooLarge('what the summand does is too long');
            }
            return this.encodeSummand(transition, start, source);
        } catch (error) {
            if (!(error instanceof ConstraintTooLarge)) {
                throw error;
            }
            // Nothing that the summand touches may move. What it does is then the same before and after a symmetry,
            // and the summand itself needs no constraints.
            [...transition.reads, ...transition.effects.keys()].forEach(cell => this.pinned.add(cell));
            return undefined;
        }
    }

    private encodeSummand(
        transition: Transition,
        start: SummandDomains,
        source: number,
    ): ConstraintSummand | undefined {
        const base = this.decomposer(start.domains);
        const faults = transition.mayFault ? faultsOf(base, transition.participants) : [];
        const firing = start.canFire ? this.encodeFiring(base, transition) : undefined;
        if (firing === undefined) {
            return faults.length === 0 ? undefined : { guard: [FALSE], effects: [], faults, sources: [source] };
        }
        return { ...firing, faults, sources: [source] };
    }

    private encodeFiring(
        base: Decomposer,
        transition: Transition,
    ): Pick<ConstraintSummand, 'guard' | 'effects'> | undefined {
        const tests = transition.participants.flat();
        const guard = new Guard(base, tests.flatMap(conjunctsOf));
        if (guard.isFalse) {
            return undefined;
        }
        const effects: ConstraintEffect[] = [];
        for (const [cell, value] of transition.effects) {
            if (this.domains[cell].length === 0) {
                throw new ConstraintTooLarge('a variable has too many values');
            }
            if (this.domains[cell].length === 1) {
                // It always holds the same, a temporary no value: whatever is written, it was there before.
                continue;
            }
            // A code that cannot occur is written only where the guard cannot hold.
            const possible = new Set(this.domains[cell]);
            effects.push(
                ...effectsOf(guard, cell, this.cells[cell].domain, value).filter(effect => possible.has(effect.code)),
            );
        }
        effects.sort(
            (a, b) =>
                a.cell - b.cell || a.code - b.code || a.conditions.join().localeCompare(b.conditions.join(), 'en'),
        );
        return { guard: guard.formulas(), effects };
    }

    initial(): FormulaId[] {
        const decomposer = this.decomposer(this.domains);
        const related = this.relatedInitial(decomposer);
        const formulas: FormulaId[] = [...(related?.formulas ?? [])];
        for (const { cell, value } of this.sequential.initial) {
            if (this.domains[cell].length === 0) {
                this.pinReads(value);
            } else if (related?.cells.has(cell) === true) {
                continue;
            } else if (value.kind === 'any') {
                formulas.push(
                    this.table.set(
                        cell,
                        this.domains[cell].filter(code => code >= 0),
                        this.domains[cell],
                    ),
                );
            } else if (value.kind === 'none') {
                formulas.push(this.table.set(cell, [-1], this.domains[cell]));
            } else {
                formulas.push(this.initialValue(decomposer, cell, expressionsOfInitial(value)));
            }
        }
        for (const condition of related === undefined ? this.sequential.initialConditions : []) {
            const { holds } = this.truth(condition);
            const node = this.table.nodes[holds];
            formulas.push(...(node.kind === 'and' ? node.children : [holds]));
        }
        return [...new Set(formulas.filter(formula => formula !== TRUE))].sort((a, b) => a - b);
    }

    /**
     * What relates initial values to each other, put down like the guard of a summand: so that it does not matter how it
     * is written. Undefined where nothing does, or where that is too much to look at together.
     */
    private relatedInitial(
        decomposer: Decomposer,
    ): { readonly cells: ReadonlySet<number>; readonly formulas: readonly FormulaId[] } | undefined {
        const { initial, initialConditions } = this.sequential;
        const tests = initialConditions.flatMap(conjunctsOf);
        const startsAs = (cell: number, expressions: readonly SequentialExpression[]): SequentialExpression =>
            disjunction(
                expressions.map(value => binary('==', { kind: 'cell', cell, range: NOWHERE }, value, NOWHERE)),
                NOWHERE,
            );
        for (const { cell, value } of initial) {
            const expressions = expressionsOfInitial(value);
            if (expressions.some(expression => supportOf(expression).length > 0)) {
                tests.push(startsAs(cell, expressions));
            }
        }
        const cells = new Set(tests.flatMap(supportOf));
        if (tests.length === 0 || cells.size > MOST_RELATED_CELLS) {
            return undefined;
        }
        for (const { cell, value } of initial) {
            const expressions = expressionsOfInitial(value);
            if (cells.has(cell) && expressions.every(expression => supportOf(expression).length === 0)) {
                // Any value is one, where the cell may have none later.
                tests.push(
                    startsAs(cell, value.kind === 'any' ? [{ kind: 'cell', cell, range: NOWHERE }] : expressions),
                );
            }
        }
        try {
            const guard = new Guard(decomposer, tests);
            return { cells, formulas: guard.isFalse ? [FALSE] : guard.formulas() };
        } catch (error) {
            if (error instanceof ConstraintTooLarge) {
                return undefined;
            }
            throw error;
        }
    }

    /** A cell that nobody moves starts as it does whatever is moved, if what its initializer reads is not moved either. */
    private pinReads(value: InitialValue): void {
        for (const expression of expressionsOfInitial(value)) {
            supportOf(expression).forEach(cell => this.pinned.add(cell));
        }
    }

    /** The cell is equal to one of the expressions. An initializer that is a fault gives no initial state. */
    private initialValue(
        decomposer: Decomposer,
        cell: number,
        expressions: readonly SequentialExpression[],
    ): FormulaId {
        try {
            const { domain } = this.cells[cell];
            const cases: FormulaId[] = [];
            for (const expression of expressions) {
                for (const [value, formula] of decomposer.outcomes(expression).values) {
                    const code = codeOfValue(domain, value);
                    if (code >= 0) {
                        cases.push(decomposer.and([formula, this.table.set(cell, [code], this.domains[cell])]));
                    }
                }
            }
            return decomposer.or(cases);
        } catch (error) {
            if (!(error instanceof ConstraintTooLarge)) {
                throw error;
            }
            [...expressions.flatMap(supportOf), cell].forEach(other => this.pinned.add(other));
            return TRUE;
        }
    }

    /** The truth of a property. */
    property({ expression, ...declared }: DeclaredProperty): ConstraintProperty {
        return { ...declared, ...this.truth(expression) };
    }

    /** When a condition holds and when it is a fault; where that is too large, nothing that it reads may move. */
    private truth(condition: SequentialExpression): Pick<ConstraintProperty, 'holds' | 'faults'> {
        try {
            const decomposer = this.decomposer(presentDomains(this.cells, this.domains, supportOf(condition)));
            const { values, faults } = decomposer.outcomes(condition);
            return {
                holds: values.get(1) ?? FALSE,
                faults: [...faults].map(([kind, formula]) => ({ kind, condition: formula })),
            };
        } catch (error) {
            if (!(error instanceof ConstraintTooLarge)) {
                throw error;
            }
            supportOf(condition).forEach(cell => this.pinned.add(cell));
            return { holds: TRUE, faults: [] };
        }
    }

    private decomposer(domains: Domains): Decomposer {
        return new Decomposer(this.table, this.cells, this.compiler, domains, this.limit);
    }
}

/** Joins summands with the same constraints; the order is that of their first source. */
function mergeEqual(summands: readonly ConstraintSummand[]): ConstraintSummand[] {
    const known = new Map<string, number>();
    const merged: ConstraintSummand[] = [];
    for (const summand of summands) {
        const key = JSON.stringify([summand.guard, summand.effects, summand.faults]);
        const index = known.get(key);
        if (index === undefined) {
            known.set(key, merged.length);
            merged.push(summand);
        } else {
            merged[index] = { ...merged[index], sources: [...merged[index].sources, ...summand.sources] };
        }
    }
    return merged;
}
