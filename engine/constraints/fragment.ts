/**
 * Fragments: what is known of a summand or condition, for all places with the same local form (local-form.ts): the
 * resolved summand, the results of its tests and values over given codes, its constraints. In the ring, three agents
 * share one fragment for each rule. All of it is a function of the form; a `FragmentCache` keeps it between analyses.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { Compiler } from '../sequential/expression/evaluate.js';
import type { Cell, SequentialExpression, SequentialModel, Summand } from '../sequential/sequential-model.js';
import { convertSummand, LoopBudget, type SsaSummand } from './static-single-assignment.js';
import { PossibleValues, type Written } from './possible-values.js';
import { nameBefore, renamed, renamedAll, type CodeRenaming } from './code-renaming.js';
import { CodeLists, ResultsByCodes } from './code-lists.js';
import { Firings, type Remembering } from './firing.js';
import type { Domains, FormulaNode } from './formula.js';
import type { ConstraintProperty, ConstraintSummand } from './constraint-problem.js';
import { goOnWithin } from './encoding-limits.js';
import { Localizer, type LocalForm } from './local-form.js';
import { toTransition, unresolved, type Transition } from './transition.js';
import { supportOf } from '../sequential/cell-access.js';

/** Constraints over local cells; formulas are numbered as in `nodes`, which has those that they need. */
export interface LocalConstraints<Constraints> {
    readonly nodes: readonly (FormulaNode | undefined)[];
    readonly constraints: Constraints;
}

/** The constraints of a summand over given codes; `never` if it never fires. */
export type SummandConstraints = LocalConstraints<Omit<ConstraintSummand, 'sources'>> | 'never' | 'too-large';

/** The formulas that a condition holds, and that it is a fault. */
export type ConditionConstraints = LocalConstraints<Pick<ConstraintProperty, 'holds' | 'faults'>> | 'too-large';

/** A fragment and its cells in the model: `cells[i]` is the local cell i. */
export interface PlacedFragment {
    readonly fragment: SummandFragment;
    readonly cells: readonly number[];
    /** From the codes of `cells[i]` to those of the local cell i; a hole if they are the same. */
    readonly renamings: readonly (CodeRenaming | undefined)[];
    readonly transition: PreparedTransition;
}

/** The codes of `cells[local]`, numbered as in the fragment. */
export function toLocalCodes(
    { renamings }: PlacedFragment,
    local: number,
    codes: readonly number[],
): readonly number[] {
    const renaming = renamings[local];
    return renaming === undefined ? codes : renamedAll(codes, renaming, renamed);
}

/** Codes of a local cell, numbered as in the model. */
export function toModelCodes(
    { renamings }: PlacedFragment,
    local: number,
    codes: readonly number[],
): readonly number[] {
    const renaming = renamings[local];
    return renaming === undefined ? codes : renamedAll(codes, renaming, nameBefore);
}

/** The most fragments in a cache. Larger models are not encoded. */
const MOST_FRAGMENTS = 100_000;

/** An expression and its results by codes. */
export class SharedExpression<Result extends NonNullable<unknown>> implements Remembering<Result> {
    readonly expression: SequentialExpression;
    /** Local cells. */
    readonly support: readonly number[];
    private readonly compute: (expression: SequentialExpression, over: Domains) => Result;
    private readonly results = new ResultsByCodes<Result>();

    constructor(
        expression: SequentialExpression,
        compute: (expression: SequentialExpression, over: Domains) => Result,
        readWithIt: readonly SequentialExpression[] = [],
    ) {
        this.expression = expression;
        this.support = [...new Set([expression, ...readWithIt].flatMap(supportOf))];
        this.compute = compute;
    }

    over(codes: Domains, lists: CodeLists): Result {
        const key = lists.keyOf(this.support.map(cell => codes[cell]));
        return this.results.get(key, () => this.compute(this.expression, codes));
    }
}

/** A transition with remembered results, over local cells. */
export interface PreparedTransition {
    readonly transition: Transition;
    readonly firings: Firings;
    /** `isRead[i]` is 1 for the local cells that are read. */
    readonly isRead: Uint8Array;
    /** The local cells that are written, in the order of the effects. */
    readonly written: readonly number[];
    /** `effectOf[i]` is the effect on the local cell i; -1 where it is not written. */
    readonly effectOf: Int32Array;
}

export class SummandFragment {
    readonly cells: readonly Cell[];
    readonly ssa: SsaSummand;
    private readonly summand: Summand;
    private ownCompiler: Compiler | undefined;
    private ownPossible: PossibleValues | undefined;
    private whole: PreparedTransition | undefined;
    private shortened: PreparedTransition | undefined;
    readonly constraints = new ResultsByCodes<SummandConstraints>();

    constructor(cells: readonly Cell[], summand: Summand) {
        this.cells = cells;
        this.summand = summand;
        this.ssa = convertSummand(cells, summand, 0);
    }

    /** Made when first needed: many summands are never evaluated. */
    get compiler(): Compiler {
        return (this.ownCompiler ??= new Compiler(this.cells));
    }

    private get possible(): PossibleValues {
        return (this.ownPossible ??= new PossibleValues(this.cells, this.compiler));
    }

    /** The transition; `isAdmitted`: its loops fit into the budget of the model. */
    transition(isAdmitted: boolean): PreparedTransition {
        return isAdmitted
            ? (this.whole ??= this.prepare(toTransition(this.ssa, { cells: this.cells, summands: [this.summand] })))
            : (this.shortened ??= this.prepare(unresolved(this.summand)));
    }

    private prepare(transition: Transition): PreparedTransition {
        const tests = transition.participants.flat();
        const firings = new Firings({
            cells: this.cells,
            reads: transition.reads,
            tests: tests.map(
                test => new SharedExpression(test, (expression, over) => this.possible.supported(expression, over)),
            ),
            effects: [...transition.effects].map(([cell, value]) => [
                cell,
                typeof value === 'string'
                    ? value
                    : value.map(written => {
                          const related = testsThatRelate(supportOf(written), tests);
                          const compute = (expression: SequentialExpression, over: Domains): Written =>
                              this.possible.of(expression, cell, over, related);
                          return new SharedExpression(written, compute, related);
                      }),
            ]),
        });
        const isRead = new Uint8Array(this.cells.length);
        transition.reads.forEach(cell => (isRead[cell] = 1));
        const written = [...transition.effects.keys()];
        const effectOf = new Int32Array(this.cells.length).fill(-1);
        written.forEach((cell, effect) => (effectOf[cell] = effect));
        return { transition, firings, isRead, written, effectOf };
    }
}

/** More cells have too many assignments to be looked at together, mostly. */
const MOST_RELATED = 8;

/** The tests that connect some of these cells with each other; of one cell the codes are narrowed already. */
function testsThatRelate(
    cells: readonly number[],
    tests: readonly SequentialExpression[],
): readonly SequentialExpression[] {
    const connected = new Set(cells);
    const related = new Set<SequentialExpression>();
    for (let before = -1; cells.length > 1 && cells.length <= MOST_RELATED && before < related.size;) {
        before = related.size;
        for (const test of tests) {
            const support = supportOf(test);
            const all = new Set([...connected, ...support]);
            const isConnected = support.length > 1 && all.size < connected.size + support.length;
            if (isConnected && all.size <= MOST_RELATED) {
                all.forEach(cell => connected.add(cell));
                related.add(test);
            }
        }
    }
    return [...related];
}

export interface ConditionFragment {
    readonly cells: readonly Cell[];
    readonly compiler: Compiler;
    readonly condition: SequentialExpression;
    readonly constraints: ResultsByCodes<ConditionConstraints>;
}

/** Fragments by the key of their form, for successive models. */
export class FragmentCache {
    readonly lists = new CodeLists();
    private readonly summands = new Generations<SummandFragment>();
    private readonly conditions = new Generations<ConditionFragment>();

    /** To be called after each model: forgets the fragments that the last three models did not use. */
    forgetUnused(): void {
        this.summands.next();
        this.conditions.next();
    }

    /** The fragments of all summands, in their order. Throws EncodingStopped. */
    place({ cells, summands }: SequentialModel, limit: WorkLimit): PlacedFragment[] {
        const localizer = new Localizer(cells);
        const budget = new LoopBudget();
        return summands.map(summand => {
            goOnWithin(limit, 'not every summand has been looked at');
            const form = localizer.summand(summand);
            const fragment = this.summandFragment(form);
            const transition = fragment.transition(budget.admits(fragment.ssa));
            return { fragment, cells: form.cells, renamings: form.renamings, transition };
        });
    }

    summandFragment(form: LocalForm<Summand>): SummandFragment {
        return this.summands.get(form.key, () => new SummandFragment(form.localCells(), form.local));
    }

    conditionFragment(form: LocalForm<SequentialExpression>): ConditionFragment {
        return this.conditions.get(form.key, () => {
            const cells = form.localCells();
            return { cells, compiler: new Compiler(cells), condition: form.local, constraints: new ResultsByCodes() };
        });
    }
}

/** Entries that were used since the last but two calls of `next`. */
class Generations<Entry> {
    private young = new Map<string, Entry>();
    private old: readonly Map<string, Entry>[] = [new Map(), new Map()];

    get(key: string, make: () => Entry): Entry {
        const known = this.young.get(key);
        if (known !== undefined) {
            return known;
        }
        const entry = this.old[0].get(key) ?? this.old[1].get(key) ?? make();
        if (this.young.size < MOST_FRAGMENTS) {
            this.young.set(key, entry);
        }
        return entry;
    }

    next(): void {
        this.old = [this.young, this.old[0]];
        this.young = new Map();
    }
}
