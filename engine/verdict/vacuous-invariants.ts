/**
 * The phase behind a search that has seen all states and no violation: whether some state has what an invariant asks
 * about, the left side of its `implies`. That is a search for runs, and mostly ends in the first states. It has a limit,
 * behind which nothing is said.
 */
import { SlicedWork } from '../common/sliced-work.js';
import type { Problem } from '../common/problem.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { RunOutcome } from '../explore/verdict.js';
import type { Binder, Expression } from '../model/expression.js';
import type { Invariant, Model } from '../model/model.js';
import { withStatedInvariants } from '../sequential/runs/stated-invariants.js';
import type { ReducedExploration } from './reduced-exploration.js';

/** Without symmetries: with them the set of conditions has to be closed first. */
const FIRST_STATES = 2_000;
const MOST_STATES = 200_000;

/** Begins a search for runs of a model, by name, that ends with so many states; with the symmetries that are known or without. */
export type SearchRuns = (
    model: Model,
    names: readonly string[],
    isReduced: boolean,
    maxStates: number,
) => ReducedExploration;

export class VacuousInvariants {
    readonly #work: SlicedWork;
    readonly #problems: Problem[] = [];
    #latest: ReducedExploration | undefined;

    /** `names` are those of the invariants and properties that were checked; all if absent. */
    constructor(model: Model, names: readonly string[] | undefined, search: SearchRuns) {
        this.#work = new SlicedWork(this.#search(model, names, search));
    }

    get problems(): readonly Problem[] {
        return this.#problems;
    }

    /** True at the end. */
    advance(limit: WorkLimit): boolean {
        return this.#work.advance(limit);
    }

    /** What is not known yet is not said. */
    stop(): void {
        this.#work.end();
        this.close();
    }

    close(): void {
        this.#latest?.exploration.close();
    }

    *#search(model: Model, names: readonly string[] | undefined, search: SearchRuns): Generator<undefined> {
        let open = withStatedInvariants(model).invariants.flatMap(invariant => {
            const asked = askedBy(invariant.expression);
            const isChecked = names === undefined || names.includes(invariant.name);
            return asked === undefined || !isChecked ? [] : [{ invariant, asked }];
        });
        for (const [isReduced, maxStates] of [[false, FIRST_STATES] as const, [true, MOST_STATES] as const]) {
            if (open.length === 0) {
                return;
            }
            const runs = new Map(open.map(({ invariant, asked }) => [nameOf(invariant), asked]));
            this.#latest = search(withRuns(model, runs), [...runs.keys()], isReduced, maxStates);
            const { exploration } = this.#latest;
            while (!exploration.advance(this.#work.limit)) {
                yield;
            }
            const { report } = exploration.result();
            exploration.close();
            const verdicts = new Map((report?.runs ?? []).map(({ name, verdict }) => [name, verdict]));
            const withVerdict = (wanted: RunOutcome['verdict']): typeof open =>
                open.filter(({ invariant }) => verdicts.get(nameOf(invariant)) === wanted);
            this.#problems.push(...withVerdict('none').map(({ invariant }) => vacuous(invariant)));
            open = withVerdict('undecided');
        }
    }
}

/** No name of a text has a space. */
function nameOf({ name }: Invariant): string {
    return `what ${name} asks about`;
}

function vacuous({ name, nameRange: range }: Invariant): Problem {
    const message = `\`${name}\` holds for nothing: no run comes to a state in which it asks for something`;
    return { severity: 'information', code: 'property/vacuous', message, range };
}

/** The model with runs to these conditions, which read nothing that its invariants do not read. */
function withRuns(model: Model, conditions: ReadonlyMap<string, Expression>): Model {
    const asked = [...conditions].map(([name, condition]) => {
        const { range } = condition;
        const parts = [{ kind: 'state', condition, range } as const];
        return { name, documentation: '', parts, range, nameRange: range };
    });
    return { ...model, runs: [...model.runs, ...asked] };
}

/** When a condition asks for something: the left sides of its `implies`. Undefined if it always does. */
function askedBy(condition: Expression): Expression | undefined {
    if (condition.kind === 'quantifier' && condition.quantifier === 'forall') {
        const body = askedBy(condition.body);
        return body === undefined ? undefined : someOf(condition.binders, condition.where, body);
    }
    if (condition.kind !== 'binary') {
        return undefined;
    }
    const { operator, left, right, range } = condition;
    const asked = askedBy(right);
    if (operator === 'implies') {
        return asked === undefined ? left : { kind: 'binary', operator: 'and', left, right: asked, range };
    }
    const other = operator === 'and' ? askedBy(left) : undefined;
    return asked === undefined || other === undefined
        ? undefined
        : { kind: 'binary', operator: 'or', left: other, right: asked, range };
}

function someOf(binders: readonly Binder[], where: Expression | undefined, body: Expression): Expression {
    const { range } = body;
    return { kind: 'quantifier', quantifier: 'exists', binders, ...(where !== undefined && { where }), body, range };
}
