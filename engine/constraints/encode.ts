/**
 * From the sequential model to the constraint problem: summands and properties are encoded as fragments over cells of
 * their own (fragment.ts, encode-summand.ts) and placed on the cells of the model. In the ring, rule 2 of all three
 * agents is one fragment, encoded once. Initial condition and properties are formulas over all codes that can occur. A
 * constraint over budget is left out and pins its cells.
 */
import { sortAscending, sortShort } from '../common/ascending.js';
import { NOWHERE } from '../common/source-range.js';
import { appendTo, remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { codeOfValue } from '../model/domain.js';
import { allMayStop } from '../sequential/expression/alive.js';
import { Compiler } from '../sequential/expression/evaluate.js';
import { expressionsOfInitial, valuesOfInitial } from '../sequential/initial-cells.js';
import { binary, disjunction, negation } from '../sequential/expression/simplify.js';
import type { Cell, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { presentCodes } from './possible-values.js';
import type {
    ConstraintFault,
    ConstraintProblem,
    ConstraintProperty,
    ConstraintSummand,
    ConstraintTruth,
    TooLarge,
} from './constraint-problem.js';
import { Decomposer, MOST_FORMULAS } from './decompose.js';
import { encodeCondition, encodeSummand } from './encode-summand.js';
import { ConstraintTooLarge, EncodingStopped, unless } from './encoding-limits.js';
import {
    compareNumbers,
    FALSE_FORMULA,
    FormulaTable,
    TRUE_FORMULA,
    type Domains,
    type FormulaId,
    type SetNode,
} from './formula.js';
import { FragmentCache, toLocalCodes, toModelCodes, type LocalConstraints, type PlacedFragment } from './fragment.js';
import type { ResultsByCodes } from './code-lists.js';
import { Guard } from './guard.js';
import { Localizer } from './local-form.js';
import { NOTHING_RELIED_ON, occurringIn } from './occurring.js';
import { mayStopWhereReached } from './may-stop.js';
import { reachableValues, type ReachableValues } from './reachable-values.js';
import type { SummandDomains } from './summand-start.js';
import { sameBehavior, type PlacedModel } from './same-behavior.js';
import { conjunctsOf } from '../sequential/expression/operands.js';
import { supportOf } from '../sequential/cell-access.js';

/** How many summands and conditions had known constraints, and how many were encoded. */
interface WorkCounts {
    reused: number;
    encoded: number;
}

export interface Encoding {
    readonly problem: ConstraintProblem;
    /** The fragments of the summands; empty if the problem is incomplete. */
    readonly placed: readonly PlacedFragment[];
    /** The values that can occur; absent if the problem is incomplete. */
    readonly reachable?: ReachableValues;
    readonly counts: WorkCounts;
}

/** The constraint problem of a model, about linear in its size; incomplete at the limit. The cache saves work only. */
export function encode(
    sequential: SequentialModel,
    limit: WorkLimit,
    cache: FragmentCache = new FragmentCache(),
): ConstraintProblem {
    return encodeModel(sequential, limit, cache).problem;
}

/** The same with intermediate results. If the model behaves as that of `before`, its constraints are only renamed. */
export function encodeModel(
    sequential: SequentialModel,
    limit: WorkLimit,
    cache: FragmentCache,
    before?: Encoding,
): Encoding {
    const counts = { reused: 0, encoded: 0 };
    const encoded = (): Encoding => {
        const placed = cache.place(sequential, limit);
        if (before?.problem.complete === true && sameBehavior(placedModelOf(before), { sequential, placed })) {
            const reused = before.counts.reused + before.counts.encoded;
            const problem = withNamesOf(before.problem, sequential);
            return { ...before, problem, placed, counts: { reused, encoded: 0 } };
        }
        const reachable = reachableValues(sequential, placed, cache.lists, limit);
        const encoder = new Encoder(sequential, reachable.domains, limit, cache, counts);
        const problem = encodeWithin(encoder, sequential, placed, reachable);
        return { problem, placed, reachable, counts };
    };
    return unless(EncodingStopped, encoded, () => nothingOf(sequential));
}

function placedModelOf({ problem, placed }: Encoding): PlacedModel {
    return { sequential: problem.sequential, placed };
}

/** The constraints with the names of a model that behaves the same. */
function withNamesOf(problem: ConstraintProblem, sequential: SequentialModel): ConstraintProblem {
    const declared = declaredProperties(sequential);
    return {
        ...problem,
        sequential,
        properties: problem.properties.map((property, index) => ({ ...property, name: declared[index].name })),
    };
}

/** The result for a model that is too large. */
export function nothingOf(sequential: SequentialModel): Encoding {
    const problem = {
        sequential,
        formulas: new FormulaTable(),
        domains: sequential.cells.map(cell => (cell.kind === 'temporary' ? [-1] : [])),
        summands: [],
        initial: [],
        occurring: NOTHING_RELIED_ON,
        properties: declaredProperties(sequential).map(withoutTruth),
        pinned: [],
        tooLarge: [],
        complete: false,
    };
    return { problem, placed: [], counts: { reused: 0, encoded: 0 } };
}

function withoutTruth({ expression: _, ...declared }: DeclaredProperty): ConstraintProperty {
    return { ...declared, ...ALWAYS };
}

function encodeWithin(
    encoder: Encoder,
    sequential: SequentialModel,
    placed: readonly PlacedFragment[],
    reachable: ReachableValues,
): ConstraintProblem {
    const { domains } = reachable;
    const { constraint } = sequential;
    const summands = placed.map((fragment, index) => encoder.summand(fragment, reachable.at(index), index));
    const initial = encoder.initial();
    const merged = mergeEqual(summands.filter(summand => summand !== undefined));
    const standing = standingDomains(domains, merged, encoder.table);
    const reached = sequential.allowsDeadlock ? undefined : mayStopWhereReached(sequential, reachable, encoder.limit);
    const properties = declaredProperties(sequential).map(declared => encoder.property(declared, standing, reached));
    const occurring = occurringIn(sequential, placed, reachable, encoder.table);
    return {
        sequential,
        formulas: encoder.table,
        domains,
        summands: merged,
        initial,
        occurring,
        ...(constraint !== undefined && { constraint: encoder.truth(constraint.expression, domains) }),
        properties,
        pinned: pinnedBy(encoder.tooLarge),
        tooLarge: encoder.tooLarge,
        complete: true,
    };
}

/** The properties of a model that differs from that of `problem` only in its invariants. Undefined at the limit. */
export function encodeProperties(
    sequential: SequentialModel,
    problem: ConstraintProblem,
    limit: WorkLimit,
): ConstraintProblem | undefined {
    const cache = new FragmentCache();
    const encoder = new Encoder(sequential, problem.domains, limit, cache, { reused: 0, encoded: 0 });
    const standing = standingDomains(problem.domains, problem.summands, problem.formulas);
    const { constraint: _, ...others } = problem;
    const encoded = (): ConstraintProblem => ({
        ...others,
        sequential,
        formulas: encoder.table,
        summands: [],
        initial: [],
        properties: declaredProperties(sequential).map(declared => encoder.property(declared, standing)),
    });
    return unless(EncodingStopped, encoded, () => undefined);
}

/** Encodes more conditions on the states of a problem, into its own table of formulas. Throws EncodingStopped. */
export function conditionsOn(
    { sequential, domains, formulas }: ConstraintProblem,
    limit: WorkLimit,
): (condition: SequentialExpression) => ConstraintTruth {
    const counts = { reused: 0, encoded: 0 };
    const encoder = new Encoder(sequential, domains, limit, new FragmentCache(), counts, formulas);
    return condition => encoder.truth(condition, domains);
}

/**
 * The codes of each cell in states where nothing can happen: a step that asks for nothing but codes of one cell can be
 * taken wherever the cell has one of them. Undefined if something can always happen. O(summands).
 */
function standingDomains(
    domains: Domains,
    summands: readonly ConstraintSummand[],
    { nodes }: FormulaTable,
): Domains | undefined {
    const moving = new Map<number, Set<number>>();
    for (const { guard } of summands) {
        if (guard.length === 0) {
            return undefined;
        }
        const node = nodes[guard[0]];
        if (guard.length === 1 && node.kind === 'set') {
            const codes = remembered(moving, node.cell, () => new Set<number>());
            node.codes.forEach(code => codes.add(code));
        }
    }
    const standing = [...domains];
    for (const [cell, codes] of moving) {
        standing[cell] = domains[cell].filter(code => !codes.has(code));
        if (standing[cell].length === 0) {
            return undefined;
        }
    }
    return standing;
}

function pinnedBy(constraints: readonly TooLarge[]): readonly number[] {
    return sortAscending([...new Set(constraints.flatMap(({ cells }) => cells))]);
}

const ALWAYS: ConstraintTruth = { holds: TRUE_FORMULA, faults: [], pinned: [] };

interface DeclaredProperty extends Omit<ConstraintProperty, keyof ConstraintTruth> {
    readonly expression: SequentialExpression;
}

/** The properties of the model: deadlock, if it is checked, and the invariants. */
function declaredProperties(sequential: SequentialModel): DeclaredProperty[] {
    const invariants = sequential.invariants.map(({ name, expression }, index): DeclaredProperty => ({
        name,
        kind: 'invariant',
        invariant: index,
        expression,
    }));
    const termination: DeclaredProperty = {
        name: 'deadlock',
        kind: 'deadlock',
        invariant: -1,
        expression: allMayStop(sequential),
    };
    return [...(sequential.allowsDeadlock ? [] : [termination]), ...invariants];
}

type LocalSummand = Omit<ConstraintSummand, 'sources'>;

/** The most cells whose initial values are encoded together. */
const MOST_RELATED_CELLS = 2_000;

class Encoder {
    readonly table: FormulaTable;
    readonly tooLarge: TooLarge[] = [];
    private readonly sequential: SequentialModel;
    private readonly cells: readonly Cell[];
    private readonly compiler: Compiler;
    private readonly localizer: Localizer;
    private readonly domains: Domains;
    readonly limit: WorkLimit;
    private readonly cache: FragmentCache;
    private readonly counts: WorkCounts;
    constructor(
        sequential: SequentialModel,
        domains: Domains,
        limit: WorkLimit,
        cache: FragmentCache,
        counts: WorkCounts,
        table = new FormulaTable(),
    ) {
        this.limit = limit;
        this.table = table;
        this.sequential = sequential;
        this.cells = sequential.cells;
        this.compiler = new Compiler(sequential.cells);
        this.localizer = new Localizer(sequential.cells);
        this.domains = domains;
        this.cache = cache;
        this.counts = counts;
    }

    /** The constraints of one summand; undefined if it can never fire. */
    summand(placed: PlacedFragment, start: SummandDomains | undefined, source: number): ConstraintSummand | undefined {
        if (start === undefined) {
            return undefined;
        }
        const {
            fragment,
            cells,
            transition: { transition },
        } = placed;
        const { lists } = this.cache;
        const domains = cells.map((cell, local) => toLocalCodes(placed, local, this.domains[cell]));
        const { localCodes, canFire } = start;
        const key = `${transition.isTooLarge} ${canFire} ${lists.keyOf(localCodes)} ${lists.keyOf(domains)}`;
        const local = this.constraintsOf(fragment.constraints, key, () =>
            encodeSummand(fragment, transition, start, domains, this.limit),
        );
        if (local === 'never') {
            return undefined;
        }
        if (local === 'too-large') {
            // No symmetry moves cells of the summand, so it behaves alike and needs no constraints.
            this.pin(
                'summand',
                source,
                [...transition.reads, ...transition.effects.keys()].map(cell => cells[cell]),
            );
            return undefined;
        }
        const adopted = this.adopt(local, set => ({
            kind: 'set',
            cell: cells[set.cell],
            codes: toModelCodes(placed, set.cell, set.codes),
        }));
        return placedSummand(placed, local.constraints, formula => adopted[formula], source);
    }

    private constraintsOf<Constraints extends NonNullable<unknown>>(
        known: ResultsByCodes<Constraints>,
        key: string,
        encode: () => Constraints,
    ): Constraints {
        this.counts[known.has(key) ? 'reused' : 'encoded']++;
        return known.get(key, encode);
    }

    private pin(kind: TooLarge['kind'], index: number, cells: readonly number[]): void {
        if (cells.length > 0) {
            this.tooLarge.push({ kind, index, cells: sortAscending([...new Set(cells)]) });
        }
    }

    private adopt({ nodes }: LocalConstraints<unknown>, setOf: (set: SetNode) => SetNode): readonly FormulaId[] {
        if (this.limit.isExhausted() || this.table.nodes.length > MOST_FORMULAS) {
            throw new EncodingStopped('the constraint problem is not finished');
        }
        return this.table.adopt(nodes, setOf);
    }

    /** Those of the initial states alone. */
    private get initialConditions(): readonly SequentialExpression[] {
        const { initialConditions, constraint } = this.sequential;
        return initialConditions.filter(condition => condition !== constraint?.expression);
    }

    initial(): FormulaId[] {
        const decomposer = this.decomposer(this.domains);
        const related = this.relatedInitial(decomposer);
        const formulas: FormulaId[] = [...(related?.formulas ?? [])];
        this.sequential.initial.forEach((entry, index) => {
            const { cell } = entry;
            if (this.domains[cell].length === 0) {
                // A cell that is not moved starts as before if no cell of its initializer is moved.
                this.pin('initial-value', index, expressionsOfInitial(entry).flatMap(supportOf));
            } else if (related?.cells.has(cell) !== true) {
                formulas.push(this.initialFormula(decomposer, index));
            }
        });
        const separate = related === undefined ? this.initialConditions : [];
        separate.forEach((condition, index) => {
            const { holds, pinned } = this.truth(condition, this.domains);
            this.pin('initial-condition', index, pinned);
            formulas.push(...this.table.conjuncts(holds));
        });
        return sortAscending([...new Set(formulas.filter(formula => formula !== TRUE_FORMULA))]);
    }

    /** The relations between initial values as a guard, so wording has no effect. Undefined if none or too large. */
    private relatedInitial(
        decomposer: Decomposer,
    ): { readonly cells: ReadonlySet<number>; readonly formulas: readonly FormulaId[] } | undefined {
        const { initial } = this.sequential;
        const tests = this.initialConditions.flatMap(conjunctsOf);
        const startsAs = (cell: number, expressions: readonly SequentialExpression[]): SequentialExpression =>
            disjunction(
                expressions.map(value => binary('==', { kind: 'cell', cell, range: NOWHERE }, value, NOWHERE)),
                NOWHERE,
            );
        for (const { cell, value } of initial) {
            const expressions = valuesOfInitial(value);
            if (expressions.some(expression => supportOf(expression).length > 0)) {
                tests.push(startsAs(cell, expressions));
            }
        }
        const cells = new Set(tests.flatMap(supportOf));
        const mayBeAbsent = initial.some(({ cell, isPresent }) => isPresent !== undefined && cells.has(cell));
        if (tests.length === 0 || mayBeAbsent || cells.size > MOST_RELATED_CELLS) {
            return undefined;
        }
        for (const { cell, value } of initial) {
            const expressions = valuesOfInitial(value);
            if (cells.has(cell) && expressions.every(expression => supportOf(expression).length === 0)) {
                // Any value is allowed, if the cell may hold no value later.
                tests.push(
                    startsAs(cell, value.kind === 'any' ? [{ kind: 'cell', cell, range: NOWHERE }] : expressions),
                );
            }
        }
        const encoded = (): readonly FormulaId[] => {
            const guard = new Guard(decomposer, tests);
            return guard.isFalse ? [FALSE_FORMULA] : guard.formulas();
        };
        const formulas = unless(ConstraintTooLarge, encoded, () => undefined);
        return formulas && { cells, formulas };
    }

    /** What the cell starts with; it may depend on cells before it whether it has a value. */
    private initialFormula(decomposer: Decomposer, index: number): FormulaId {
        const { cell, value, isPresent } = this.sequential.initial[index];
        const domain = this.domains[cell];
        const absent = this.table.set(cell, [-1], domain);
        const present = domain.filter(code => code >= 0);
        const starts =
            value.kind === 'none'
                ? absent
                : value.kind === 'any'
                  ? this.table.set(cell, present, domain)
                  : this.initialValue(decomposer, index);
        if (isPresent === undefined) {
            return starts;
        }
        const holds = decomposer.truth(isPresent);
        const otherwise = decomposer.truth(negation(isPresent, NOWHERE));
        return decomposer.or([decomposer.and([holds, starts]), decomposer.and([otherwise, absent])]);
    }

    /** The cell is equal to one of its initial values. An initializer that is a fault gives no initial state. */
    private initialValue(decomposer: Decomposer, index: number): FormulaId {
        const { cell, value } = this.sequential.initial[index];
        const expressions = valuesOfInitial(value);
        const { domain } = this.cells[cell];
        const encoded = (): FormulaId => {
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
        };
        return unless(ConstraintTooLarge, encoded, () => {
            this.pin('initial-value', index, [...expressions.flatMap(supportOf), cell]);
            return TRUE_FORMULA;
        });
    }

    /**
     * The truth of a property; that of deadlock over the codes of `standing`, which is undefined if it never matters, and
     * of `reached` if that is the same in reachable states.
     */
    property(
        { expression, ...declared }: DeclaredProperty,
        standing: Domains | undefined,
        reached?: SequentialExpression,
    ): ConstraintProperty {
        if (declared.kind === 'invariant') {
            return { ...declared, ...this.truth(expression, this.domains) };
        }
        if (standing === undefined) {
            return { ...declared, ...ALWAYS };
        }
        const everywhere = this.truth(expression, standing);
        return reached === undefined
            ? { ...declared, ...everywhere }
            : { ...declared, ...this.truth(reached, standing), everywhere };
    }

    /** The formulas of a condition; a condition over budget pins the cells that it reads. */
    truth(condition: SequentialExpression, domains: Domains): ConstraintTruth {
        const form = this.localizer.condition(condition);
        const fragment = this.cache.conditionFragment(form);
        const present = form.cells.map(cell => presentCodes(this.cells[cell], domains[cell]));
        const local = this.constraintsOf(fragment.constraints, this.cache.lists.keyOf(present), () =>
            encodeCondition(fragment, present, this.limit),
        );
        if (local === 'too-large') {
            return { holds: TRUE_FORMULA, faults: [], pinned: [...form.cells].sort((a, b) => a - b) };
        }
        const adopted = this.adopt(local, set => ({ ...set, cell: form.cells[set.cell] }));
        const place = (formula: FormulaId): FormulaId => adopted[formula];
        return {
            holds: place(local.constraints.holds),
            faults: placedFaults(local.constraints.faults, place),
            pinned: [],
        };
    }

    private decomposer(domains: Domains): Decomposer {
        return new Decomposer(this.table, this.cells, this.compiler, domains, this.limit);
    }
}

/** The constraints of a summand over the cells and formulas of the model. */
function placedSummand(
    placed: PlacedFragment,
    { guard, effects, faults }: LocalSummand,
    place: (formula: FormulaId) => FormulaId,
    source: number,
): ConstraintSummand {
    const { cells } = placed;
    const placedEffects = effects.map(({ conditions, cell, code }) => ({
        conditions: sortAscending(conditions.map(place)),
        cell: cells[cell],
        code: toModelCodes(placed, cell, [code])[0],
    }));
    return {
        guard: sortAscending(guard.map(place)),
        effects: sortShort(
            placedEffects,
            (a, b) => a.cell - b.cell || a.code - b.code || compareNumbers(a.conditions, b.conditions),
        ),
        faults: placedFaults(faults, place),
        sources: [source],
    };
}

function placedFaults(
    faults: readonly ConstraintFault[],
    place: (formula: FormulaId) => FormulaId,
): readonly ConstraintFault[] {
    return faults.map(({ condition, kind }) => ({ condition: place(condition), kind }));
}

function keyOf({ guard, effects, faults }: ConstraintSummand): string {
    let key = guard.join();
    for (const { cell, code, conditions } of effects) {
        key += `;${cell}=${code}:${conditions.join()}`;
    }
    for (const { kind, condition } of faults) {
        key += `;${kind}:${condition}`;
    }
    return key;
}

/** Joins summands with the same constraints, in the order of their first sources. */
function mergeEqual(summands: readonly ConstraintSummand[]): ConstraintSummand[] {
    const equal = new Map<string, ConstraintSummand[]>();
    for (const summand of summands) {
        appendTo(equal, keyOf(summand), summand);
    }
    return Array.from(equal.values(), same => ({ ...same[0], sources: same.flatMap(({ sources }) => sources) }));
}
