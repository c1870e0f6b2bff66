/**
 * Changes of a model that nothing in it notices. Each mutant is judged for itself:
 *
 *     names answered otherwise? ─► killed · same behavior? ─► equivalent · isomorphic? ─► mirrored ─► survived, and how
 */
import type { Analysis, Explorable } from './analysis.js';
import { AnalysisMemory } from './analysis-memory.js';
import { keyOfRange, type SourceRange } from './common/source-range.js';
import type { TextOfRange } from './common/source-text.js';
import type { Problem } from './common/problem.js';
import { withinMilliseconds, type WorkLimit } from './common/work-limit.js';
import { asksForEveryStep } from './expect/judge.js';
import type { AssertionReport } from './describe/report.js';
import { decideAssertions } from './explain/assertions.js';
import { statementOf } from './explore/properties.js';
import type { StateCanonicalizer } from './explore/state-canonicalizer.js';
import type { ExplorationReport } from './explore/verdict.js';
import { lostLabels } from './mutate/lost-labels.js';
import { behaviorOf, effectOf, type Behavior, type PlaceNumbers, type StoredForm } from './mutate/behavior.js';
import { commonNumbers, type CommonNumbers } from './mutate/common-numbers.js';
import { commonSymmetries, type KnownSymmetries } from './mutate/common-symmetries.js';
import { isomorphismBetween, isMirror, namedGraphOf, type NamedGraph } from './mutate/likeness.js';
import type { Effect, Mutant, Mutation } from './mutate/mutation.js';
import { mutationsOf } from './mutate/mutations.js';
import { readsTestedPlaces } from './mutate/tested-reads.js';
import type { Expectation } from './model/meant.js';
import type { Model } from './model/model.js';
import { withSlots } from './model/with-slots.js';
import { findSymmetries, startExploration } from './pipeline.js';
import { linearize } from './sequential/linearize.js';
import { isAboutOneState } from './sequential/runs/observed-run.js';
import { constraintsOf } from './symmetry/constraints.js';
import type { ReducedExplorationOptions } from './verdict/reduced-exploration.js';

export interface MutantOptions {
    readonly now: () => number;
    readonly textOf: TextOfRange;
    readonly workLimit: WorkLimit;
    /** The states of a search without symmetries, which is the first of each mutant; no answer depends on it. */
    readonly fewStates?: number;
}

/** More states of the model, and more of it without its symmetries, are not looked at. */
const MOST_STATES = 200_000;
const MOST_STATES_COMPARED = 60_000;

/** To find symmetries takes as long as to look at so many states. */
const FEW_STATES = 1_000;
/** How many times more of them generated code looks at meanwhile. */
const FEW_ALL_STATES = 8;

const EVERY_STEP = 'every step';
const SYMMETRIC = 'assert symmetric';
const OPPOSITE = { holds: 'fails', fails: 'holds', undecided: undefined } as const;

/** The mutants of one model, judged one after the other. */
export class Mutants {
    readonly mutations: readonly Mutation[];
    readonly #model: Model;
    readonly #options: MutantOptions;
    readonly #memory = new AnalysisMemory();
    /** The same with other slots for instances, and other codes for numbers. */
    readonly #grown = new AnalysisMemory();
    readonly #isInterpreted: boolean;
    readonly #original: Answers | Unanswered;
    readonly #places: PlaceNumbers = new Map();
    /** Of the model, with the slots for instances and the symmetries that were used last. */
    #behavior: { readonly key: string; readonly behavior: Behavior | undefined } | undefined;
    /** The model itself as a graph, by the slots for instances. */
    readonly #originals = new Map<string, NamedGraph | undefined>();
    /** Survivors so far, by number. */
    readonly #survivors = new Map<number, NamedGraph>();
    /** Of the mutant that is judged; what all share has the whole limit. */
    #limit: WorkLimit;

    constructor(model: Model, options: MutantOptions) {
        this.#model = model;
        this.#options = options;
        this.#limit = options.workLimit;
        this.mutations = mutationsOf(model, options.textOf);
        this.#isInterpreted = readsTestedPlaces(model);
        this.#original = this.#answersOf(model, { maxStates: MOST_STATES, continueAfterViolation: true });
    }

    /** Errors of the model itself. */
    get problems(): readonly Problem[] {
        return 'problems' in this.#original ? this.#original.problems : [];
    }

    /**
     * All mutants, each within an equal share of the milliseconds that are left. As long as some are undecided for lack of
     * time, they are judged again, if what others have left gives each of them more. Yields a number before its mutant.
     */
    *judgeAll(millisecondsLeft: () => number): Generator<number, readonly Mutant[], void> {
        const { now, workLimit } = this.#options;
        const judged: Mutant[] = [];
        let open: readonly number[] = [...this.mutations.keys()];
        let last = -Infinity;
        let share = millisecondsLeft() / open.length;
        while (open.length > 0 && share > last) {
            const late: number[] = [];
            for (const index of open) {
                yield index;
                const limit = withinMilliseconds(workLimit, now, share);
                judged[index] = this.judge(index, limit);
                if (judged[index].outcome === 'undecided' && limit.isExhausted()) {
                    late.push(index);
                }
            }
            last = share;
            open = workLimit.isExhausted() ? [] : late;
            share = millisecondsLeft() / open.length;
        }
        return withFirstOfAlike(judged);
    }

    /** A survivor is compared with those that were judged before it. */
    judge(index: number, limit = this.#options.workLimit): Mutant {
        const { changed: _, ...mutation } = this.mutations[index];
        this.#limit = limit;
        return { ...mutation, ...(limit.isExhausted() ? { outcome: 'undecided' } : this.#judge(index)) };
    }

    #judge(index: number): Judgment {
        const { change, changed } = this.mutations[index];
        const before = this.#original;
        if ('outcome' in before || before.report.limit !== undefined) {
            return { outcome: 'undecided' };
        }
        const mutant = changed();
        const lost = lostLabels(this.#model, mutant);
        if (lost !== undefined) {
            return lost.by === undefined ? { outcome: 'invalid' } : { outcome: 'killed', by: lost.by };
        }
        const meant = this.#memory.withKnownDeclarations(meaning(mutant, this.#model, before));
        const after =
            this.#shortAnswersOf(meant, before) ??
            this.#answersOf(meant, { ...limitsBy(before), isInterpreted: this.#isInterpreted });
        if ('outcome' in after) {
            return { outcome: after.outcome };
        }
        const by = differenceOf(before, after);
        if (by !== undefined) {
            return { outcome: 'killed', by };
        }
        const isLeftOpen = after.assertions.some(
            (verdict, index) => verdict === 'undecided' && before.assertions[index] !== 'undecided',
        );
        if (after.report.verdict === 'undecided' || isLeftOpen || this.#limit.isExhausted()) {
            return { outcome: 'undecided' };
        }
        if (change === 'fairness') {
            return { outcome: 'unneeded' };
        }
        const slots = slotsOf(before, after, this.#model);
        const effect = this.#effectOf(mutant, slots, before, after);
        return effect?.kind === 'same'
            ? { outcome: 'equivalent' }
            : { ...this.#likenessOf(index, mutant, slots), ...(effect !== undefined && { effect }) };
    }

    /** Undefined if there are too many states, or names of instances or classes of numbers stand in the way. */
    #effectOf(mutant: Model, slots: Slots, before: Answers, after: Answers): Effect | undefined {
        const numbers = this.#commonNumbersOf(mutant, slots, before, after);
        const isWhole = numbers !== undefined || statesAtMost(before, before.report.states) <= MOST_STATES_COMPARED;
        const canonicalizer = isWhole ? undefined : commonSymmetriesOf(before, after);
        if (canonicalizer === undefined && before.report.states > MOST_STATES_COMPARED) {
            return undefined;
        }
        const form = { canonicalizer, numbers };
        const most = canonicalizer === undefined ? MOST_STATES_COMPARED : MOST_STATES;
        const generators = canonicalizer?.group?.generators.map(each => each.images.join()).join(';') ?? '';
        const key = JSON.stringify([
            keyOfSlots(slots),
            generators,
            numbers && { ...numbers, sortOf: [...numbers.sortOf] },
        ]);
        if (this.#behavior?.key !== key) {
            const behavior = this.#behaviorOf(this.#model, slots, most, form, this.#options.workLimit);
            this.#behavior = { key, behavior };
        }
        const known = this.#behavior.behavior;
        const found = known && this.#behaviorOf(mutant, slots, most, form);
        const effect = known && found && effectOf(known, found);
        return effect && { ...effect, ...(canonicalizer !== undefined && { upToSymmetry: true }) };
    }

    #commonNumbersOf(mutant: Model, slots: Slots, before: Answers, after: Answers): CommonNumbers | undefined {
        const outcomes = [before, after].flatMap(({ report }) => report.numbers ?? []);
        return outcomes.length === 0
            ? undefined
            : commonNumbers(
                  [this.#model, mutant].flatMap(model => linearize(withSlots(model, slots)).sequential ?? []),
                  outcomes,
              );
    }

    #behaviorOf(model: Model, slots: Slots, most: number, form: StoredForm, limit = this.#limit): Behavior | undefined {
        const { sequential } = linearize(withSlots(model, slots));
        return sequential && behaviorOf(sequential, most, limit, this.#places, form);
    }

    #likenessOf(index: number, mutant: Model, slots: Slots): Judgment {
        const limit = this.#limit;
        const graph = this.#graphOf(mutant, slots, limit);
        const original = graph && this.#originalGraph(slots);
        if (graph === undefined || original === undefined) {
            return { outcome: limit.isExhausted() ? 'undecided' : 'survived' };
        }
        const isMirrored = isMirror(original, graph, MOST_STATES_COMPARED, limit);
        const alike = [...this.#survivors].find(([, known]) => isomorphismBetween(known, graph, limit) !== undefined);
        if (limit.isExhausted()) {
            return { outcome: 'undecided' };
        }
        if (alike === undefined) {
            this.#survivors.set(index, graph);
        }
        return {
            outcome: isMirrored ? 'mirrored' : 'survived',
            ...(alike !== undefined && { alikeTo: alike[0] }),
        };
    }

    #originalGraph(slots: Slots): NamedGraph | undefined {
        const key = keyOfSlots(slots);
        const known = this.#originals.get(key);
        if (known !== undefined || this.#originals.has(key)) {
            return known;
        }
        const graph = this.#graphOf(this.#model, slots, this.#options.workLimit);
        this.#originals.set(key, graph);
        return graph;
    }

    /** With all that the model says; undefined if a part of that is not in the graph. */
    #graphOf(model: Model, slots: Slots, limit: WorkLimit): NamedGraph | undefined {
        const { sequential } = model.runs.every(isAboutOneState) ? linearize(withSlots(model, slots)) : {};
        return sequential === undefined || sequential.numbers !== undefined
            ? undefined
            : namedGraphOf(constraintsOf(sequential, limit, this.#grown.fragments).problem, limit);
    }

    /**
     * What a search of few states without symmetries answers; undefined if it takes more. The name by which it kills is
     * the only one that so few steps violate, so that every other search finds the same one.
     */
    #shortAnswersOf(model: Model, before: Answers): Answers | undefined {
        const { sequential } = linearize(model, this.#memory.instances);
        if (sequential === undefined) {
            return undefined;
        }
        const { maxStates, ...limits } = limitsBy(before);
        const { fewStates = FEW_STATES } = this.#options;
        const allStates = Number(before.report.allStates ?? Infinity);
        // Of a larger model most mutants that few states kill are killed by fewer still.
        const few = { isInterpreted: true, maxStates: allStates <= fewStates ? fewStates : Math.ceil(fewStates / 3) };
        // Slots and the distances that are kept of numbers depend on symmetries: no more than a violation is found.
        const isWhole = sequential.templates === undefined && sequential.numbers === undefined;
        const isSmall = isWhole && allStates <= FEW_ALL_STATES * fewStates;
        for (const search of [few, ...(isSmall ? [{ isInterpreted: this.#isInterpreted, maxStates }] : [])]) {
            const report = this.#explored(
                { model, sequential },
                { ...limits, ...search, reduction: 'none', finishesDepth: true, endsAtLimit: true },
            );
            if ('outcome' in report) {
                return undefined;
            }
            if (report.limit === undefined) {
                return this.#shortAnswersBy(report, model, isWhole);
            }
        }
        return undefined;
    }

    #shortAnswersBy(report: ExplorationReport, model: Model, isWhole: boolean): Answers | undefined {
        const surprises = new Set(report.violations.filter(({ expected }) => expected !== true).map(statementOf));
        const symmetries = (): KnownSymmetries | undefined => this.#analyzed(model).symmetry;
        // Of classes with others than are reached fewer steps may lead to a violation.
        const isExact = (report.numbers ?? []).every(({ exact }) => exact === true);
        if (surprises.size === 1 && isExact) {
            return { report, assertions: [], symmetries };
        }
        return surprises.size > 0 || !isWhole || report.verdict === 'undecided'
            ? undefined
            : { report, assertions: this.#assertionsOf(model), symmetries };
    }

    #answersOf(model: Model, limits: Limits): Answers | Unanswered {
        const { problems, ...analysis } = this.#searchable(model);
        const { sequential, symmetry } = analysis;
        if (sequential === undefined) {
            const errors = problems.filter(({ severity }) => severity === 'error');
            const isLimit = errors.every(({ code }) => code.startsWith('limit/'));
            return { outcome: isLimit ? 'undecided' : 'invalid', problems };
        }
        const assertions = this.#assertionsOf(analysis.model, symmetry);
        const report = this.#explored({ ...analysis, sequential }, { reduction: 'auto', ...limits });
        return 'outcome' in report ? report : { report, assertions, symmetries: () => symmetry };
    }

    /** With symmetries, but for those of a model with templates: they are found for the slots of the search. */
    #searchable(model: Model): Analysis<undefined> {
        const linearization = linearize(model, this.#memory.instances);
        const { templates, numbers } = linearization.sequential ?? {};
        return templates !== undefined && numbers === undefined && model.symmetryAssertions.length === 0
            ? { model, ...linearization }
            : this.#analyzed(model);
    }

    #analyzed(model: Model): Analysis<undefined> {
        const { now } = this.#options;
        return findSymmetries(model, { now, workLimit: this.#limit, memory: this.#memory });
    }

    #assertionsOf(
        model: Model,
        symmetry = model.symmetryAssertions.length === 0 ? undefined : this.#analyzed(model).symmetry,
    ): readonly AssertionReport['verdict'][] {
        if (symmetry === undefined) {
            return [];
        }
        const { encoding, complete, verified } = symmetry;
        const limit = this.#limit;
        return decideAssertions(model, encoding, { isTrusted: complete && verified, limit }).map(
            ({ verdict }) => verdict,
        );
    }

    #explored(
        given: Explorable,
        options: Omit<ReducedExplorationOptions, 'mostLassoWork' | 'tellsVacuity' | 'findsLate'>,
    ): ExplorationReport | Unanswered {
        const workLimit = this.#limit;
        const { exploration } = startExploration(
            given,
            { ...options, memory: this.#grown, mostLassoWork: 0, tellsVacuity: false, findsLate: true },
            workLimit,
        );
        while (!exploration.advance(workLimit)) {
            if (workLimit.isExhausted()) {
                exploration.close();
                return { outcome: 'undecided', problems: [] };
            }
        }
        const { report, problems } = exploration.result();
        exploration.close();
        return report ?? { outcome: 'invalid', problems };
    }
}

interface Limits {
    readonly maxStates: number;
    readonly maxInstances?: number;
    readonly maxNames?: number;
    readonly isInterpreted?: boolean;
    readonly continueAfterViolation?: boolean;
}

type Slots = ReadonlyMap<number, number>;
type Judgment = Pick<Mutant, 'outcome' | 'by' | 'effect' | 'alikeTo'>;

/** What a model answers to its names. */
interface Answers {
    readonly report: ExplorationReport;
    /** By assertion about symmetries; none are decided if the report has a violation. */
    readonly assertions: readonly AssertionReport['verdict'][];
    /** Found when they are asked for. */
    readonly symmetries: () => KnownSymmetries | undefined;
}

/** No model, or none that is searched. */
interface Unanswered {
    readonly outcome: 'undecided' | 'invalid';
    readonly problems: readonly Problem[];
}

/** Twice the states of the model, as many as it may have without its symmetries, and twice its instances and names. */
function limitsBy(answers: Answers): Limits {
    const { templates, names, states, properties = [] } = answers.report;
    // The states of the largest search.
    const most = Math.max(states, ...properties.map(property => property.states));
    return {
        maxStates: Math.min(MOST_STATES, 2 * Math.max(most, statesAtMost(answers, most)) + 1000),
        ...(templates !== undefined && { maxInstances: 2 * Math.max(...templates.map(({ slots }) => slots)) }),
        ...(names !== undefined && { maxNames: 2 * Math.max(...names.map(({ slots }) => slots)) }),
    };
}

/** Those that so many stored ones stand for, without the orders of slots, which every mutant has. */
function statesAtMost({ report, symmetries }: Answers, stored: number): number {
    const { templates, names, allStates } = report;
    const isWhole = templates === undefined && names === undefined;
    return Number(allStates ?? BigInt(stored) * (isWhole ? (symmetries()?.group.order ?? 1n) : 1n));
}

/** The mutant, in which all is meant that the model answers. */
function meaning(mutant: Model, model: Model, { report }: Answers): Model {
    const range = model.nameRange;
    const violated = new Set(report.violations.map(statementOf));
    const everyStep: Expectation = { kind: 'every-step', applies: true, range };
    return {
        ...mutant,
        expectations: [
            ...[...violated].map((name): Expectation => ({ kind: 'violated', name, applies: true, range })),
            ...(asksForEveryStep(model, undefined) ? [everyStep] : []),
        ],
    };
}

/** The first name with another answer. What a limit has left open is no answer. */
function differenceOf(before: Answers, after: Answers): string | undefined {
    const surprise = after.report.violations.find(({ expected }) => expected !== true);
    if (surprise !== undefined) {
        return statementOf(surprise);
    }
    const known = new Set((before.report.unexpected ?? []).map(keyOfOutcome));
    const other = (after.report.unexpected ?? []).find(each => !known.has(keyOfOutcome(each)));
    if (other !== undefined) {
        return other.kind === 'dead' ? EVERY_STEP : other.name;
    }
    const reached = after.report.runs?.find(
        ({ name, verdict }) =>
            verdict === 'reached' && before.report.runs?.find(run => run.name === name)?.verdict === 'none',
    );
    const isOther = after.assertions.some((verdict, index) => verdict === OPPOSITE[before.assertions[index]]);
    return reached?.name ?? (isOther ? SYMMETRIC : undefined);
}

function keyOfOutcome({
    kind,
    name,
    step,
}: {
    readonly kind: string;
    readonly name: string;
    readonly step?: SourceRange;
}): string {
    return `${kind} ${name} ${step === undefined ? '' : keyOfRange(step)}`;
}

/** Of mutants that are alike the first one by number stands for all, in whichever order they were judged. */
function withFirstOfAlike(mutants: readonly Mutant[]): readonly Mutant[] {
    const firsts = new Map<number, number>();
    mutants.forEach(({ alikeTo }, index) => {
        const known = alikeTo ?? index;
        firsts.set(known, Math.min(firsts.get(known) ?? index, index));
    });
    return mutants.map(({ alikeTo, ...mutant }, index) => {
        const first = firsts.get(alikeTo ?? index) ?? index;
        return first === index ? mutant : { ...mutant, alikeTo: first };
    });
}

function commonSymmetriesOf(before: Answers, after: Answers): StateCanonicalizer | undefined {
    const [one, other] = [before.symmetries(), after.symmetries()];
    return one && other && commonSymmetries(one, other);
}

/** The slots that both searches needed. */
function slotsOf(before: Answers, after: Answers, { processes }: Model): Slots {
    const slots = new Map<number, number>();
    const counts = [before, after].flatMap(({ report: { templates = [], names = [] } }) => [...templates, ...names]);
    for (const { name, slots: count } of counts) {
        const process = processes.findIndex(each => each.name === name);
        slots.set(process, Math.max(count, slots.get(process) ?? 0));
    }
    return slots;
}

function keyOfSlots(slots: Slots): string {
    return [...slots].map(each => each.join('=')).join();
}
