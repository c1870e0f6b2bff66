/**
 * From static single assignment to the constraint problem.
 *
 * For each summand: its path becomes guard formulas, its body one formula for each value that a written cell may get.
 * The guard is used first, so that what it already decides is not written twice: tests of one cell restrict the cell,
 * tests that share cells are joined into one relation while that stays small, and arc consistency carries the
 * restrictions on. All that follows is over the restricted cells; the restrictions are part of the guard. Then an
 * effect is joined with the guard's relations that share its cells, and written down only where it changes the cell.
 */
import { invariant } from '../common/assert.js';
import { NOWHERE } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import { codeOfValue } from '../model/domain.js';
import { Compiler, FAULT_KINDS } from '../sequential/evaluate.js';
import type {
    Cell,
    FaultKind,
    InitialValue,
    SequentialExpression,
    SequentialModel,
} from '../sequential/sequential-model.js';
import { conjunction } from '../ssa/static-single-assignment.js';
import type { SsaModel } from '../ssa/static-single-assignment.js';
import type {
    ConstraintEffect,
    ConstraintFault,
    ConstraintProblem,
    ConstraintProperty,
    ConstraintSummand,
} from './constraint-problem.js';
import { Decomposer, type Outcomes } from './decompose.js';
import { ConstraintTooLarge, EncodingStopped } from './encoding-limits.js';
import { FALSE, FormulaTable, TRUE, type Domains, type FormulaId } from './formula.js';
import { presentDomains, reachableDomains, type SummandDomains } from './reachable-domains.js';
import { forEachTuple, relationToFormula, tupleCount, type Relation } from './relation.js';
import { supportOf } from './resolve.js';
import { toTransition, type NextValue, type Transition } from './transition.js';

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
        domains: sequential.cells.map(() => []),
        summands: [],
        initial: [],
        properties: declaredProperties(sequential).map(({ expression: _, ...declared }) => ({
            ...declared,
            holds: TRUE,
            faults: [],
        })),
        pinned: [],
        complete: false,
    };
}

function encodeWithin(ssa: SsaModel, limit: WorkLimit): ConstraintProblem {
    const { sequential } = ssa;
    const compiler = new Compiler(sequential.cells);
    const transitions = ssa.summands.map(summand => toTransition(summand, sequential.cells));
    const reachable = reachableDomains(sequential, transitions, compiler, limit);
    const { domains } = reachable;
    const encoder = new Encoder(sequential, compiler, domains, limit);
    const summands = transitions.map((transition, index) => encoder.summand(transition, reachable.at(index), index));
    const initial = encoder.initial();
    const properties = encoder.properties();
    return {
        sequential,
        formulas: encoder.table,
        domains,
        summands: mergeEqual(summands.filter(summand => summand !== undefined)),
        initial,
        properties,
        pinned: [...encoder.pinned].sort((a, b) => a - b),
        complete: true,
    };
}

interface DeclaredProperty extends Omit<ConstraintProperty, 'holds' | 'faults'> {
    readonly expression: SequentialExpression;
}

/** What the model states: that it does not stop where it must not, and its invariants. */
function declaredProperties(sequential: SequentialModel): DeclaredProperty[] {
    const deadlock: DeclaredProperty = {
        name: 'deadlock',
        kind: 'deadlock',
        invariant: -1,
        expression: mayStop(sequential),
    };
    const invariants = sequential.invariants.map(({ name, expression }, index): DeclaredProperty => ({
        name,
        kind: 'invariant',
        invariant: index,
        expression,
    }));
    return [...(sequential.allowsDeadlock ? [] : [deadlock]), ...invariants];
}

/** Every instance has terminated. */
function mayStop({ instances }: SequentialModel): SequentialExpression {
    return conjunction(
        instances.map(instance => instance.terminated),
        NOWHERE,
    );
}

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
            // A code that cannot occur is written only where the guard cannot hold.
            const possible = new Set(this.domains[cell]);
            effects.push(...this.effectsOf(guard, cell, value).filter(effect => possible.has(effect.code)));
        }
        effects.sort(
            (a, b) =>
                a.cell - b.cell || a.code - b.code || a.conditions.join().localeCompare(b.conditions.join(), 'en'),
        );
        return { guard: guard.formulas(), effects };
    }

    /** One effect for each code that the cell may get and does not have already. */
    private effectsOf(guard: Guard, cell: number, value: NextValue): ConstraintEffect[] {
        const current = guard.decomposer.domains[cell];
        if (value === 'absent') {
            return current.length === 1 && current[0] === -1 ? [] : [{ conditions: [], cell, code: -1 }];
        }
        invariant(value !== 'unknown', 'a summand that is too large has no effects to write down');
        const { domain } = this.cells[cell];
        const effects: ConstraintEffect[] = [];
        const support = [...new Set([...supportOf(value), cell])].sort((a, b) => a - b);
        const joined = guard.joinedSupport(support);
        const kept = keepsElsewhere(cell, value);
        if (joined !== undefined && (kept === undefined || guard.decomposer.isSmall(joined))) {
            return this.tabledEffects(guard, joined, cell, value);
        }
        // Where the cell is written under a condition, the value it keeps elsewhere needs no cases.
        const condition = kept === undefined ? TRUE : guard.decomposer.truth(kept.condition);
        const outcomes = guard.decomposer.outcomes(kept?.then ?? value);
        for (const [result, outcome] of outcomes.values) {
            const formula = guard.decomposer.and([condition, outcome]);
            const code = codeOfValue(domain, result);
            // A value outside the domain is a fault, which the faults of the summand say.
            if (code < 0 || formula === FALSE || (current.length === 1 && current[0] === code)) {
                continue;
            }
            effects.push({ conditions: this.conjuncts(formula), cell, code });
        }
        return effects;
    }

    /** The effects of an assignment whose value, cell and guard are few enough to be seen together. */
    private tabledEffects(
        guard: Guard,
        support: readonly number[],
        cell: number,
        value: SequentialExpression,
    ): ConstraintEffect[] {
        const { decomposer } = guard;
        const { domain } = this.cells[cell];
        const domains = support.map(other => decomposer.domains[other]);
        const permitted = guard.permittedTuples(support);
        const position = support.indexOf(cell);
        const results = [...decomposer.tables(value, support)].flatMap(([outcome, tuples]) => {
            const code = typeof outcome === 'string' ? -1 : codeOfValue(domain, outcome);
            return code < 0 ? [] : [{ code, tuples }];
        });
        const sizes = domains.map(codes => codes.length);
        // Whether the new code depends on the old one, on the permitted tuples.
        const dependsOnItself = dependsOn(position, sizes, results, permitted);
        const effects: ConstraintEffect[] = [];
        for (const { code, tuples } of results) {
            // Where the cell has the new code already, writing it or not makes no difference: these tuples are left open.
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
                const condition = everywhere ? TRUE : relationToFormula(this.table, relation);
                effects.push({ conditions: this.conjuncts(condition), cell, code });
            }
        }
        return effects;
    }

    /** A conjunction as the list of its children. */
    private conjuncts(formula: FormulaId): readonly FormulaId[] {
        if (formula === TRUE) {
            return [];
        }
        const node = this.table.nodes[formula];
        return node.kind === 'and' ? node.children : [formula];
    }

    initial(): FormulaId[] {
        const formulas: FormulaId[] = [];
        const decomposer = this.decomposer(this.domains);
        for (const { cell, value } of this.sequential.initial) {
            if (this.domains[cell].length === 0) {
                this.pinReads(value);
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
                formulas.push(this.initialValue(decomposer, cell, value.expression));
            }
        }
        return [...new Set(formulas.filter(formula => formula !== TRUE))].sort((a, b) => a - b);
    }

    /** A cell that nobody moves starts as it does whatever is moved, if what its initializer reads is not moved either. */
    private pinReads(value: InitialValue): void {
        if (value.kind === 'value') {
            supportOf(value.expression).forEach(cell => this.pinned.add(cell));
        }
    }

    /** `cell = expression`. An initializer that is a fault gives no initial state. */
    private initialValue(decomposer: Decomposer, cell: number, expression: SequentialExpression): FormulaId {
        try {
            const { domain } = this.cells[cell];
            const cases: FormulaId[] = [];
            for (const [value, formula] of decomposer.outcomes(expression).values) {
                const code = codeOfValue(domain, value);
                if (code >= 0) {
                    cases.push(decomposer.and([formula, this.table.set(cell, [code], this.domains[cell])]));
                }
            }
            return decomposer.or(cases);
        } catch (error) {
            if (!(error instanceof ConstraintTooLarge)) {
                throw error;
            }
            [...supportOf(expression), cell].forEach(other => this.pinned.add(other));
            return TRUE;
        }
    }

    properties(): ConstraintProperty[] {
        return declaredProperties(this.sequential).map(declared => this.property(declared));
    }

    private property({ expression, ...declared }: DeclaredProperty): ConstraintProperty {
        return { ...declared, ...this.truth(expression) };
    }

    /** When a condition holds and when it is a fault; where that is too large, nothing that it reads may move. */
    private truth(condition: SequentialExpression): Pick<ConstraintProperty, 'holds' | 'faults'> {
        try {
            const decomposer = this.decomposer(presentDomains(this.domains, supportOf(condition)));
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

/** `if condition then value else cell`: an assignment that leaves the cell as it is unless a condition holds. */
function keepsElsewhere(
    cell: number,
    value: SequentialExpression,
): Extract<SequentialExpression, { kind: 'conditional' }> | undefined {
    return value.kind === 'conditional' && value.otherwise.kind === 'cell' && value.otherwise.cell === cell
        ? value
        : undefined;
}

/** A guard after its tests have restricted the cells. */
class Guard {
    readonly decomposer: Decomposer;
    readonly isFalse: boolean;
    /** The tests with few enough values to be relations, over the restricted cells. */
    private readonly relations: readonly Relation[];
    private readonly wide: readonly SequentialExpression[];
    private readonly base: Decomposer;

    constructor(base: Decomposer, tests: readonly SequentialExpression[]) {
        this.base = base;
        // Tests of one cell first: what they leave decides how much of the others can be seen together.
        const unary = tests.filter(test => supportOf(test).length <= 1 && base.isTabled(supportOf(test)));
        const restricted = arcConsistent(
            unary.map(test => relationOf([test], base)),
            base.domains,
        );
        const unaryBase = restricted === undefined ? base : base.restrictedToAll(restricted.domains);
        const others = tests.filter(test => !unary.includes(test));
        const tabled = others.filter(test => unaryBase.isTabled(supportOf(test)));
        const narrowed =
            restricted === undefined
                ? undefined
                : arcConsistent(
                      joinable(tabled, unaryBase).map(group => relationOf(group, unaryBase)),
                      restricted.domains,
                  );
        this.isFalse = narrowed === undefined;
        this.decomposer = narrowed === undefined ? base : base.restrictedToAll(narrowed.domains);
        this.relations = narrowed?.relations ?? [];
        this.wide = others.filter(test => !tabled.includes(test));
    }

    /** The conjuncts: the restrictions of the cells, then the relations, then the tests that are too wide for one. */
    formulas(): FormulaId[] {
        const { table } = this.base;
        const formulas: FormulaId[] = [];
        this.decomposer.domains.forEach((codes, cell) => {
            if (codes !== this.base.domains[cell]) {
                formulas.push(table.set(cell, codes, this.base.domains[cell]));
            }
        });
        for (const relation of this.relations) {
            formulas.push(relationToFormula(table, relation));
        }
        for (const test of this.wide) {
            formulas.push(this.decomposer.truth(test));
        }
        const flat = formulas.flatMap(formula => {
            const node = table.nodes[formula];
            return node.kind === 'and' ? node.children : [formula];
        });
        if (flat.includes(FALSE)) {
            return [FALSE];
        }
        return [...new Set(flat.filter(formula => formula !== TRUE))].sort((a, b) => a - b);
    }

    /** `support` with the cells of the relations that share one of its cells, while that stays small. */
    joinedSupport(support: readonly number[]): readonly number[] | undefined {
        if (!this.decomposer.isTabled(support)) {
            return undefined;
        }
        const cells = new Set(support);
        for (const relation of this.relations) {
            if (relation.cells.some(cell => support.includes(cell))) {
                relation.cells.forEach(cell => cells.add(cell));
            }
        }
        const joined = [...cells].sort((a, b) => a - b);
        return this.decomposer.isTabled(joined) ? joined : support;
    }

    /** The tuples over `support` that the relations within it allow. */
    permittedTuples(support: readonly number[]): Uint8Array {
        const domains = support.map(cell => this.decomposer.domains[cell]);
        const sizes = domains.map(domain => domain.length);
        const permitted = new Uint8Array(sizes.reduce((product, size) => product * size, 1)).fill(1);
        for (const relation of this.relations) {
            if (!relation.cells.every(cell => support.includes(cell))) {
                continue;
            }
            const positions = relation.cells.map(cell => support.indexOf(cell));
            forEachTuple(sizes, (tuple, index) => {
                let target = 0;
                for (const position of positions) {
                    target = target * sizes[position] + tuple[position];
                }
                permitted[index] &= relation.allowed[target];
            });
        }
        return permitted;
    }
}

/** Where all tests of a group hold. */
function relationOf(group: readonly SequentialExpression[], base: Decomposer): Relation {
    const cells = [...new Set(group.flatMap(supportOf))].sort((a, b) => a - b);
    const test = group.length === 1 ? group[0] : conjunction(group, NOWHERE);
    const domains = cells.map(cell => base.domains[cell]);
    return { cells, domains, allowed: base.tables(test, cells).get(1) ?? new Uint8Array(tupleCount(domains)) };
}

/**
 * Tests that are written down as one relation. Tests connected by shared cells are joined when all of them together stay
 * small; else only those whose cells all belong to another test's are, to each of these: no order decides.
 */
function joinable(tests: readonly SequentialExpression[], base: Decomposer): SequentialExpression[][] {
    const groups: SequentialExpression[][] = [];
    for (const component of components(tests)) {
        const cells = [...new Set(component.flatMap(supportOf))].sort((a, b) => a - b);
        if (base.isTabled(cells)) {
            groups.push(component);
            continue;
        }
        const supports = component.map(test => new Set(supportOf(test)));
        const within = (inner: number, outer: number): boolean =>
            [...supports[inner]].every(c => supports[outer].has(c));
        const seen = new Set<string>();
        component.forEach((_, outer) => {
            const isMaximal = component.every((__, other) => !within(outer, other) || within(other, outer));
            const key = [...supports[outer]].sort((a, b) => a - b).join();
            if (isMaximal && !seen.has(key)) {
                seen.add(key);
                groups.push(component.filter((__, inner) => within(inner, outer)));
            }
        });
    }
    return groups;
}

/** Tests that are connected by cells they share. */
function components(tests: readonly SequentialExpression[]): SequentialExpression[][] {
    const groups: { cells: Set<number>; tests: SequentialExpression[] }[] = [];
    for (const test of tests) {
        const support = supportOf(test);
        const merged = { cells: new Set(support), tests: [test] };
        for (let i = groups.length - 1; i >= 0; i--) {
            if (support.some(cell => groups[i].cells.has(cell))) {
                const [group] = groups.splice(i, 1);
                group.cells.forEach(cell => merged.cells.add(cell));
                merged.tests.unshift(...group.tests);
            }
        }
        groups.push(merged);
    }
    return groups.map(group => group.tests);
}

interface Narrowed {
    readonly domains: Domains;
    readonly relations: Relation[];
}

/** Removes values without support until nothing changes; undefined where a cell is left without a value. */
function arcConsistent(relations: readonly Relation[], domains: Domains): Narrowed | undefined {
    let current = domains;
    let restricted: readonly Relation[] = relations;
    for (let changed = true; changed;) {
        changed = false;
        for (const relation of restricted) {
            const sizes = relation.domains.map(domain => domain.length);
            const supported = sizes.map(size => new Uint8Array(size));
            forEachTuple(sizes, (tuple, index) => {
                if (relation.allowed[index] === 1) {
                    tuple.forEach((value, position) => (supported[position][value] = 1));
                }
            });
            for (let position = 0; position < relation.cells.length; position++) {
                const cell = relation.cells[position];
                const kept = relation.domains[position].filter((_, value) => supported[position][value] === 1);
                const both = current[cell].filter(code => kept.includes(code));
                if (both.length === 0) {
                    return undefined;
                }
                if (both.length < current[cell].length) {
                    const next = current.slice();
                    next[cell] = both;
                    current = next;
                    changed = true;
                }
            }
            // A relation over constants only has no cell to leave without a value.
            if (relation.cells.length === 0 && relation.allowed[0] === 0) {
                return undefined;
            }
        }
        restricted = restricted.map(relation => restrict(relation, current));
    }
    return { domains: current, relations: [...restricted] };
}

function restrict(relation: Relation, domains: Domains): Relation {
    if (relation.cells.every((cell, position) => domains[cell].length === relation.domains[position].length)) {
        return relation;
    }
    const kept = relation.cells.map(cell => domains[cell]);
    const oldSizes = relation.domains.map(domain => domain.length);
    const allowed = new Uint8Array(kept.reduce((product, codes) => product * codes.length, 1));
    forEachTuple(
        kept.map(codes => codes.length),
        (tuple, index) => {
            let source = 0;
            for (let position = 0; position < tuple.length; position++) {
                const value = relation.domains[position].indexOf(kept[position][tuple[position]]);
                source = source * oldSizes[position] + value;
            }
            allowed[index] = relation.allowed[source];
        },
    );
    return { cells: relation.cells, domains: kept, allowed };
}

/** Whether two permitted tuples that differ at `position` only have different results. */
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

/**
 * When firing is a fault, by kind: every participant is ready or a fault, and one is a fault. Of several kinds at once
 * the first in the order of the kinds counts.
 */
function faultsOf(decomposer: Decomposer, participants: Transition['participants']): ConstraintFault[] {
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

/** The operands of a conjunction, which are tests of their own. */
function conjunctsOf(test: SequentialExpression): readonly SequentialExpression[] {
    return test.kind === 'and' ? test.operands : [test];
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
