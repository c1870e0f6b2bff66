/**
 * The verdict of a model for all values of its parameters: views of growing size (view-search.ts) until they prove
 * that nothing is violated for any value, or the smallest values with a violation, or neither. Small instances are also
 * explored as they are: for violations, for what views do not cover, and for deadlocks, about which views say nothing. A
 * proof is checked again by its definition (check-views.ts) if that is little work.
 */
import type { Analysis } from '../engine/analysis.js';
import { compileModel } from '../engine/compiled-search/compiled-model.js';
import { compiledSuccessors } from '../engine/compiled-search/compiled-successors.js';
import type { Problem } from '../engine/common/problem.js';
import { invariant } from '../engine/common/assert.js';
import { UNLIMITED, withinQuestions, type WorkLimit } from '../engine/common/work-limit.js';
import { interpretedSuccessors, type Successors } from '../engine/explore/successors.js';
import { listed } from '../engine/common/listed.js';
import type { Finding } from '../engine/explore/properties.js';
import type { ExplorationLimit, ExplorationReport, Verdict } from '../engine/explore/verdict.js';
import { findSymmetries, startExploration, type ReducedExploration } from '../engine/pipeline.js';
import type { Model } from '../engine/model/model.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import type { Narrow } from './narrow.js';
import type { Refused } from './sized-instances.js';
import { valuesOfSizes } from './carrier.js';
import { checkViews } from './check-views.js';
import { eachOnce, refusal } from './refusal.js';
import { instantiate, type Family } from '../language/instantiate.js';
import { sizesFrom, sumOf } from './sizes.js';
import type { Views } from './view.js';
import { searchViews, type ViewSearchResult } from './view-search.js';

export interface EverySizeOptions {
    /** The only size of views that is tried; 1 to MOST_VIEW_SIZE in turn if absent. */
    readonly viewSize?: number | undefined;
    /** The invariants that are checked; if absent, all of them, and deadlock in the small instances. */
    readonly properties?: readonly string[] | undefined;
    /** A proof with more initial states, configurations and steps is not checked again; MOST_RECHECKED if absent. */
    readonly mostRechecked?: number | undefined;
    readonly workLimit: WorkLimit;
    readonly now: () => number;
    /** Milliseconds; what `workLimit` has left of them is less. */
    readonly timeLimit?: number | undefined;
    /** Of configurations, and of the states of each instance. */
    readonly maxStates?: number | undefined;
    readonly maxMemoryBytes?: number | undefined;
}

/** The views that prove a property for all sizes. */
interface ViewProof {
    readonly views: Views;
    readonly viewSize: number;
    readonly configurations: number;
    readonly steps: number;
    /** Whether it was checked again, to the end. */
    readonly rechecked: boolean;
}

/** What the exploration of one instance has found. */
interface ExactSize {
    /** In the order of the parameters. */
    readonly values: readonly number[];
    readonly verdict: Verdict;
    readonly states: number;
    readonly deadlocks: number;
}

/** An instance with a violation, with its exploration. */
interface SmallestViolation {
    readonly values: readonly number[];
    readonly analysis: Omit<Analysis<unknown>, 'problems'>;
    readonly started: ReducedExploration;
    readonly report: ExplorationReport;
}

export interface EverySizeVerdict {
    readonly verdict: Verdict;
    /** The invariants that were checked. */
    readonly invariants: readonly string[];
    /** What the model states besides, but was asked for no size or for small ones alone; nothing if the call says what to check. */
    readonly notForAll: readonly string[];
    /** Present if invariants and faults hold for all sizes; a small instance may have a deadlock all the same. */
    readonly proof?: ViewProof;
    readonly extra: number;
    readonly exact: readonly ExactSize[];
    readonly violation?: SmallestViolation;
    /** The violation that the last views could not exclude. */
    readonly suspicion?: { readonly viewSize: number; readonly finding: Finding };
    readonly limit?: ExplorationLimit;
}

/** Larger views take too long where smaller ones do not suffice. */
const MOST_VIEW_SIZE = 4;
/** For deadlocks: so many values of a parameter, as far as each instance is small. */
const EXACT_VALUES = 6;
/** An instance with more states is explored only if nothing else is left to do. */
const MOST_EXACT_STATES = 50_000;
/** Instances up to this one are explored, too, while they are small: a defect of the proof itself would show there. */
const CHEAP_VALUES = 10;
const MOST_CHEAP_STATES = 1_000;
/** To check a proof again, by the interpreter, takes at most a few seconds then. */
const MOST_RECHECKED = 50_000;

/** The verdict if a limit came before it is known whether views can answer. */
export function undecidedBy(limit: ExplorationLimit): EverySizeVerdict {
    return { verdict: 'undecided', invariants: [], notForAll: [], extra: 0, exact: [], limit };
}

/**
 * The verdict for all sizes: a violation of an instance, or a proof by closed views of up to four members, after which
 * the instances that views do not cover are explored one by one (docs/every-size.md). A refusal if what is asked cannot be
 * checked for all sizes. Throws OperationCancelled.
 */
export function checkEverySize(narrow: Narrow, family: Family, options: EverySizeOptions): EverySizeVerdict | Refused {
    const { model } = narrow.largest;
    const meant = meantSomewhere(model);
    const isMeant = ({ name }: { readonly name: string }): boolean => meant.some(each => each.name === name);
    const checked = narrow.invariants.filter(
        invariant => (options.properties?.includes(invariant.name) ?? true) && !isMeant(invariant),
    );
    const open = [...aboutWholeStates(model).filter(each => !isMeant(each)), ...meant];
    const asked = open.filter(({ name }) => name === FAULTS || (options.properties?.includes(name) ?? false));
    const problems = [...asked.map(({ reason }) => reason), ...checked.flatMap(each => each.reasons)];
    const notForAll = options.properties === undefined ? open.map(({ name }) => name) : [];
    const invariants = checked.map(({ name }) => name);
    return problems.length > 0
        ? { problems: eachOnce(problems) }
        : new EverySize(narrow, family, options, invariants, notForAll).run();
}

/** A proof with the number of states and steps that it took. */
type FoundProof = Omit<ViewProof, 'rechecked'> & { readonly work: number };

class EverySize {
    private readonly narrow: Narrow;
    private readonly family: Family;
    private readonly options: EverySizeOptions;
    private readonly invariants: readonly string[];
    private readonly notForAll: readonly string[];
    private readonly start: number;
    /** The members that instances need beside those of a view: for a step, or to decide a test as more do. */
    private readonly kept: number;
    /** By the values as text. */
    private readonly explored = new Map<string, ExactSize>();
    private violation: SmallestViolation | undefined;
    private suspicion: EverySizeVerdict['suspicion'];
    private limit: EverySizeVerdict['limit'];
    /** An instance that cannot be used. */
    private refused: Refused | undefined;

    constructor(
        narrow: Narrow,
        family: Family,
        options: EverySizeOptions,
        invariants: readonly string[],
        notForAll: readonly string[],
    ) {
        this.narrow = narrow;
        this.family = family;
        this.options = options;
        this.invariants = invariants;
        this.notForAll = notForAll;
        this.start = options.now();
        this.kept = Math.max(narrow.extra, narrow.decisive);
    }

    run(): EverySizeVerdict | Refused {
        const proof = this.prove();
        if (proof !== undefined && this.violation === undefined) {
            this.exploreSmall();
        }
        const isOpen = proof === undefined || this.limit !== undefined;
        const verdict = this.violation !== undefined ? 'violated' : isOpen ? 'undecided' : 'holds';
        const rechecked = proof !== undefined && verdict === 'holds' && this.isProvedAgain(proof);
        return (
            this.refused ?? {
                verdict,
                invariants: this.invariants,
                notForAll: this.notForAll,
                ...(proof !== undefined && { proof: { ...proof, rechecked } }),
                extra: this.narrow.extra,
                exact: [...this.explored.values()],
                ...(this.violation !== undefined && { violation: this.violation }),
                ...(this.suspicion !== undefined && proof === undefined && { suspicion: this.suspicion }),
                ...(this.limit !== undefined && { limit: this.limit }),
            }
        );
    }

    /** Whether the proof passes its check; false if that is too much work. */
    private isProvedAgain({ views, viewSize, work }: FoundProof): boolean {
        const { workLimit, mostRechecked = MOST_RECHECKED } = this.options;
        if (work > mostRechecked) {
            return false;
        }
        const { layout } = this.narrow.largest;
        const limit = withinQuestions(workLimit, mostRechecked);
        const checked = checkViews(this.narrow, viewSize, views.textsOf(layout), this.invariants, limit);
        if ('problems' in checked) {
            this.refused = checked;
            return false;
        }
        const { verdict } = checked;
        invariant(verdict !== 'refuted', 'a proof for all sizes passes the check of its definition');
        return verdict === 'verified';
    }

    private prove(): FoundProof | undefined {
        const { viewSize: only } = this.options;
        const [first, last] = only === undefined ? [1, MOST_VIEW_SIZE] : [only, only];
        for (let viewSize = first; viewSize <= last; viewSize++) {
            const { views, initialStates, configurations, steps, end } = this.search(viewSize);
            if (end === undefined) {
                return { views, viewSize, configurations, steps, work: initialStates + configurations + steps };
            }
            if (end.kind === 'refused') {
                this.refused = { problems: end.problems };
                return undefined;
            }
            if (end.kind === 'limit') {
                this.limit = this.limitOf(end.limit);
                return undefined;
            }
            this.suspicion = { viewSize, finding: end.finding };
            // A run to what the views allow may need so many members.
            this.exploreUpTo(viewSize + this.kept + 2, MOST_EXACT_STATES);
            if (this.isEnded()) {
                return undefined;
            }
        }
        this.exploreUpTo(last + this.kept + 2, Infinity);
        return undefined;
    }

    private isEnded(): boolean {
        return this.violation !== undefined || this.limit !== undefined || this.refused !== undefined;
    }

    private search(viewSize: number): ViewSearchResult {
        const { workLimit, maxStates, maxMemoryBytes } = this.options;
        return searchViews(this.narrow, {
            viewSize,
            invariants: this.invariants,
            successorsOf,
            workLimit,
            maxConfigurations: maxStates,
            maxBytes: maxMemoryBytes,
        });
    }

    /** What views do not cover, and the sizes for which a reader wants to know more. */
    private exploreSmall(): void {
        const { families } = this.narrow.carrier;
        const uncovered = families.some(({ least }, family) => least < this.narrow.least[family]);
        if (uncovered) {
            this.exploreUpTo(this.narrow.least[0] - 1, Infinity);
        }
        if (!this.isEnded()) {
            this.exploreUpTo(families[0].least + EXACT_VALUES - 1, MOST_EXACT_STATES);
        }
        if (families.length === 1 && !this.isEnded()) {
            this.exploreUpTo(families[0].least + CHEAP_VALUES - 1, MOST_CHEAP_STATES);
        }
    }

    /** Explores the instances with at most so many members, the smallest first; those with more states are given up. */
    private exploreUpTo(members: number, mostStates: number): void {
        const { carrier } = this.narrow;
        const least = carrier.families.map(family => family.least);
        const all = sizesFrom(least, carrier, members).sort((first, second) => sumOf(first) - sumOf(second));
        for (const sizes of all) {
            const values = valuesOfSizes(carrier, sizes);
            if (this.explored.has(values.join())) {
                continue;
            }
            if (!this.explore(values, mostStates) || this.violation !== undefined) {
                return;
            }
        }
    }

    /** False if a limit ended the exploration, or the instance cannot be used. */
    private explore(values: readonly number[], mostStates: number): boolean {
        const { workLimit, now, maxStates = Infinity, maxMemoryBytes } = this.options;
        const { model, problems } = instantiate(this.family, values);
        if (model === undefined) {
            this.refused = { problems };
            return false;
        }
        const { problems: found, ...analysis } = findSymmetries(model, { now, workLimit });
        if (analysis.sequential === undefined) {
            this.refused = { problems: found };
            return false;
        }
        const most = Math.min(maxStates, mostStates);
        const started = startExploration(
            analysis,
            {
                reduction: 'auto',
                now,
                properties: this.propertiesOf(analysis.sequential),
                ...(most < Infinity && { maxStates: most }),
                ...(maxMemoryBytes !== undefined && { maxMemoryBytes }),
            },
            workLimit,
        );
        const { exploration } = started;
        try {
            if (!exploration.advance(workLimit)) {
                exploration.stop(this.limitOf('time'));
                exploration.advance(UNLIMITED);
            }
            const { report, problems: ofStart } = exploration.result();
            if (report === undefined) {
                // Conditions that no state of this size satisfies leave nothing to violate.
                if (ofStart.every(({ code }) => code === 'model/no-initial-state')) {
                    return true;
                }
                this.refused = { problems: ofStart };
                return false;
            }
            const { verdict, states, deadlocks, limit } = report;
            const isGivenUp = limit?.kind === 'states' && mostStates <= maxStates;
            if (verdict === 'violated') {
                this.violation = { values, analysis, started, report };
            } else if (limit !== undefined) {
                this.limit = isGivenUp ? this.limit : limit;
                return false;
            }
            this.explored.set(values.join(), { values, verdict, states, deadlocks });
            return true;
        } finally {
            exploration.close();
        }
    }

    private limitOf(kind: 'time' | 'states' | 'memory'): ExplorationLimit {
        const { now, timeLimit = now() - this.start, maxStates = 0, maxMemoryBytes = 0 } = this.options;
        return { kind, value: { time: timeLimit, states: maxStates, memory: maxMemoryBytes }[kind] };
    }

    /** Invariants that were asked for, and `deadlock` unless it is allowed or the call says what to check. */
    private propertiesOf({ allowsDeadlock }: SequentialModel): string[] {
        const checksDeadlock =
            this.options.properties === undefined &&
            !allowsDeadlock &&
            !meantSomewhere(this.narrow.largest.model).some(({ name }) => name === 'deadlock');
        return [...this.invariants, ...(checksDeadlock ? ['deadlock'] : [])];
    }
}

/** What views, which are parts of states, say nothing about, each with why. */
function aboutWholeStates(model: Model): { name: string; reason: Problem }[] {
    const { allowsDeadlock, assumptions, properties, runs, nameRange } = model;
    const about = 'and views are about parts of single states';
    const deadlock = { name: 'deadlock', reason: refusal(`\`deadlock\` is about whole states, ${about}`, nameRange) };
    // Under an assumption even a condition on every state is about the runs that meet it.
    const assumed = listed(assumptions.map(({ name }) => `\`${name}\``));
    const those = assumptions.length === 0 ? '' : ` that meet ${assumed}`;
    const ofRuns = properties.map(({ name, nameRange: place }) => ({
        name,
        reason: refusal(`\`${name}\` is about runs${those}, ${about}`, place),
    }));
    const toExist = runs.map(({ name, nameRange: place }) => ({
        name,
        reason: refusal(`\`${name}\` is about a run that is to exist, ${about}`, place),
    }));
    return [...(allowsDeadlock ? [] : [deadlock]), ...ofRuns, ...toExist];
}

/** What is expected to be violated, for whatever values, each with why it is not asked for all. */
function meantSomewhere({ expectations }: Model): { name: string; reason: Problem }[] {
    const names = new Map(
        expectations.flatMap(each => (each.kind === 'violated' ? [[each.name, each.range] as const] : [])),
    );
    return [...names].map(([name, range]) => ({
        name,
        reason: refusal(`\`${name}\` is expected to be violated here, so it is not asked for all values`, range),
    }));
}

/** Steps are always looked at. */
const FAULTS = 'faults';

/** By generated code where that is possible. */
function successorsOf(model: SequentialModel): Successors {
    const compiled = compileModel(model, { properties: [] });
    const successors = compiled.kind === 'compiled' ? compiledSuccessors(compiled) : undefined;
    return successors ?? interpretedSuccessors(model);
}
