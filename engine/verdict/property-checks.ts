/** The phase of a search that checks temporal properties, one after the other, each by its searches (run-searches.ts). */
import type { Explorable } from '../analysis.js';
import type { Problem } from '../common/problem.js';
import { invariant } from '../common/assert.js';
import { SlicedWork } from '../common/sliced-work.js';
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import { compileModel } from '../compiled-search/compiled-model.js';
import { compiledSuccessors } from '../compiled-search/compiled-successors.js';
import { countingUsage } from '../explore/counting-usage.js';
import { successorsWithAllSlots } from '../explore/all-slots-successors.js';
import { statementOf } from '../explore/properties.js';
import { numberSuccessors, type NumberSteps } from '../explore/number-successors.js';
import { traceOf } from '../explore/run-trace.js';
import { describeStep } from '../explore/trace.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import { interpretedSuccessors, type Successors } from '../explore/successors.js';
import type { ExplorationLimit, TemporalOutcome, Violation } from '../explore/verdict.js';
import type { PropertyMember, SequentialModel, TemporalProperty } from '../sequential/sequential-model.js';
import type { MarkedCanonicalizer } from '../temporal/marked-canonicalizer.js';
import type { Lasso } from '../temporal/lasso.js';
import { TemporalCheck, type Outcome, type TemporalCounts } from '../temporal/temporal-check.js';
import { violationOf } from '../temporal/violation.js';
import { checkLasso, POSSIBLE_UNDECIDED } from '../verify/check-lasso.js';
import type { ReducedExplorationOptions } from './reduced-exploration.js';
import {
    NO_REDUCTION,
    searchPartsOf,
    reductionOf,
    searchesOf,
    type RunSearch,
    type RunSearchParts,
    type RunSymmetry,
} from './run-searches.js';
import { REPRESENTATIVES } from './symmetry-reduction.js';

export interface PropertyCheckOptions {
    /** The symmetries to use; absent if every state is stored. */
    readonly symmetry?: RunSymmetry;
    readonly isInterpreted?: boolean | undefined;
    readonly continueAfterViolation?: boolean | undefined;
    /** The names of those that are meant to be violated. */
    readonly meant: ReadonlySet<string>;
    /** Whether nothing else is asked for. */
    readonly isAlone?: boolean;
    readonly findsLate?: boolean | undefined;
    /** The limits of each search. */
    readonly maxStates?: number | undefined;
    readonly maxMemoryBytes?: number | undefined;
    readonly mostLassoWork?: number | undefined;
    /** Of a model with numbers without end. */
    readonly numbers?: NumberSteps | undefined;
}

export interface CheckedProperty extends TemporalOutcome {
    /** The name in the declaration. */
    readonly range: SourceRange;
    /** No run satisfies the assumptions. */
    readonly noRun?: 'with the assumptions' | 'within the constraint';
    /** It holds because on no run its condition, the left side of `leads to` or `implies`, comes true. */
    readonly holdsForNothing?: true;
}

/** Undefined if no such property is asked for. `workLimit` bounds the search for symmetries. */
export function checkRuns(
    { sequential, symmetry }: Explorable,
    properties: readonly TemporalProperty[],
    isAlone: boolean,
    options: ReducedExplorationOptions & Pick<PropertyCheckOptions, 'meant' | 'numbers'>,
    workLimit: WorkLimit,
): PropertyChecks | undefined {
    if (properties.length === 0) {
        return undefined;
    }
    const {
        reduction,
        isInterpreted,
        continueAfterViolation,
        meant,
        maxStates,
        maxMemoryBytes,
        mostLassoWork,
        findsLate,
        numbers,
    } = options;
    const used =
        reduction !== 'none' && symmetry !== undefined
            ? {
                  symmetry: {
                      ...REPRESENTATIVES[reduction],
                      constraints: symmetry.constraints,
                      movesStart: symmetry.stepsGroup !== undefined,
                  },
              }
            : {};
    const limits = { maxStates, maxMemoryBytes, mostLassoWork };
    const checked = { ...used, ...limits, isAlone, isInterpreted, continueAfterViolation, meant, findsLate, numbers };
    return new PropertyChecks(sequential, properties, checked, workLimit);
}

export class PropertyChecks {
    readonly #model: SequentialModel;
    readonly #options: PropertyCheckOptions;
    /** Those that a search takes, and those of the runs that are shown, with all choices of slots. */
    readonly #interpreted: Successors;
    readonly #ofRuns: Successors;
    readonly #propertyCount: number;
    readonly #reports: CheckedProperty[] = [];
    readonly #violations: Violation[] = [];
    readonly #work: SlicedWork;
    #check: TemporalCheck | undefined;
    #stopped: ExplorationLimit | undefined;
    #problem: Problem | undefined;

    /** `workLimit` bounds the search for symmetries. */
    constructor(
        model: SequentialModel,
        properties: readonly TemporalProperty[],
        options: PropertyCheckOptions,
        workLimit: WorkLimit,
    ) {
        this.#model = model;
        this.#propertyCount = properties.length;
        this.#options = options;
        const { numbers } = options;
        this.#interpreted = numbers === undefined ? interpretedSuccessors(model) : numberSuccessors(model, numbers);
        // What runs that are shown depend on has been noted before.
        const again = numbers && { order: numbers.order, inexact: new Map<number, Set<number>>() };
        this.#ofRuns = successorsWithAllSlots(model, all =>
            again === undefined ? interpretedSuccessors(all) : numberSuccessors(all, again),
        );
        const searchesFor = (property: TemporalProperty): readonly RunSearch[] =>
            searchesOf(model, property, options.symmetry, workLimit);
        // Found before the first search, while the budget for it lasts.
        const known = options.findsLate === true ? undefined : properties.map(searchesFor);
        this.#work = new SlicedWork(this.#run(properties, index => known?.[index] ?? searchesFor(properties[index])));
    }

    get isAlone(): boolean {
        return this.#options.isAlone === true;
    }

    /** Whether each property has a report. */
    get isDecided(): boolean {
        return this.#reports.length === this.#propertyCount;
    }

    get reports(): readonly CheckedProperty[] {
        return this.#reports;
    }

    get violations(): readonly Violation[] {
        return this.#violations;
    }

    /** A problem with the initial states. */
    get problem(): Problem | undefined {
        return this.#problem;
    }

    /** The size of the search that is going on. */
    get counts(): TemporalCounts | undefined {
        return this.#check?.counts;
    }

    /** Works until the limit is exhausted; true once all properties have a report. */
    advance(limit: WorkLimit): boolean {
        return this.#work.advance(limit);
    }

    /** Leaves what is not decided yet undecided; `advance` has then little left to do. */
    stop(limit: ExplorationLimit): void {
        this.#stopped ??= limit;
        this.#check?.stop(limit);
    }

    *#run(
        properties: readonly TemporalProperty[],
        searchesFor: (index: number) => readonly RunSearch[],
    ): Generator<undefined> {
        for (const [index, property] of properties.entries()) {
            yield* this.#checkProperty(property, searchesFor(index));
            const isViolated = this.#violations.some(each => !this.#options.meant.has(statementOf(each)));
            if (this.#problem !== undefined || (isViolated && this.#options.continueAfterViolation !== true)) {
                return;
            }
        }
    }

    *#checkProperty(property: TemporalProperty, searches: readonly RunSearch[]): Generator<undefined> {
        const { name, range, members } = property;
        const outcomes: Answer[] = [];
        const counts: TemporalCounts[] = [];
        let reduction = NO_REDUCTION;
        let hasNoRun = false;
        let holdsForNothing = searches.length > 0;
        for (const search of searches) {
            const parts = searchPartsOf(search, this.#options.symmetry);
            const check = this.#checkOf(search, parts);
            this.#check = check;
            if (this.#stopped !== undefined) {
                check.stop(this.#stopped);
            }
            while (!check.advance(this.#work.limit)) {
                yield;
            }
            this.#problem ??= check.problem;
            counts.push(check.counts);
            if (reduction === NO_REDUCTION) {
                reduction = reductionOf(search, parts);
            }
            hasNoRun ||= check.hasFairRun === false;
            // With obligations, that no run keeps them is the answer, and nothing to be told beside it.
            holdsForNothing &&= search.model === this.#model && check.holdsForNothing;
            const found = check.outcomes.map(outcome => this.#withLimit(outcome, name));
            outcomes.push(...found);
            const violated = found.findIndex(isViolation);
            const outcome = found[violated];
            if (violated >= 0 && isViolation(outcome)) {
                const [first] = search.questions[violated].members;
                const member = search.written[outcome.kind === 'violated' ? outcome.member : first];
                const isRechecked = outcome.kind === 'fault' || this.#isRechecked(outcome.lasso, member);
                const about = { property, member, copies: search.copies[violated], isRechecked };
                this.#violations.push(violationOf(withRealNumbers(this.#model), outcome, about));
                break;
            }
        }
        const undecided = outcomes.find(outcome => outcome.kind === 'undecided');
        const isViolated = outcomes.some(isViolation);
        const sum = (count: (each: TemporalCounts) => number): number =>
            counts.reduce((total, each) => total + count(each), 0);
        const most = (count: (each: TemporalCounts) => number): number => Math.max(0, ...counts.map(count));
        this.#reports.push({
            name,
            range,
            verdict: isViolated ? 'violated' : undecided === undefined ? 'holds' : 'undecided',
            members: members.length,
            membersChecked: outcomes.filter(({ kind }) => kind !== 'undecided').length,
            states: sum(({ states }) => states),
            transitions: sum(({ transitions }) => transitions),
            automatonStates: most(({ automatonStates }) => automatonStates),
            productStates: sum(({ productStates }) => productStates),
            components: sum(({ components }) => components),
            bytesPerState: most(({ bytesPerState }) => bytesPerState),
            peakBytes: most(({ bytes }) => bytes),
            ...(undecided !== undefined && !isViolated && { limit: undecided.limit }),
            reduction: { ...reduction, unique: counts.every(({ unique }) => unique) },
            ...(hasNoRun && {
                noRun: this.#model.constraint === undefined ? 'with the assumptions' : 'within the constraint',
            }),
            ...(holdsForNothing && { holdsForNothing }),
        });
    }

    /** That a run is not real is a limit. */
    #withLimit(outcome: Outcome, found: string): Answer {
        if (outcome.kind !== 'notReal') {
            return outcome;
        }
        const { run, stopsAt } = outcome;
        const model = withRealNumbers(this.#model);
        const step = stopsAt !== undefined && stopsAt >= 0 && { step: describeStep(model, stopsAt) };
        const trace = traceOf(model, run);
        return { kind: 'undecided', limit: { kind: 'notReal', value: trace.length - 1, trace, found, ...step } };
    }

    #checkOf({ model, members, questions }: RunSearch, parts: RunSearchParts): TemporalCheck {
        const { maxStates, maxMemoryBytes, mostLassoWork, numbers } = this.#options;
        const options = {
            ...parts,
            successors: countingUsage(this.#model, this.#successors(parts.canonicalizer)),
            interpreted: this.#ofRuns,
            ...(maxStates !== undefined && { maxStates }),
            ...(maxMemoryBytes !== undefined && { maxMemoryBytes }),
            ...(mostLassoWork !== undefined && { mostLassoWork }),
            ...(numbers !== undefined && { numbers }),
        };
        return new TemporalCheck(model, members, options, questions);
    }

    /** By generated code if there is any, with the representatives that it finds. */
    #successors(canonicalizer: MarkedCanonicalizer | undefined): Successors {
        const options = canonicalizer && {
            canonicalizer,
            markerCount: canonicalizer.markerCount,
            replacesAll: true,
        };
        if (this.#options.numbers !== undefined) {
            return this.#interpreted;
        }
        const code = this.#options.isInterpreted === true ? undefined : compileModel(this.#model, options);
        return (code?.kind === 'compiled' ? compiledSuccessors(code) : undefined) ?? this.#interpreted;
    }

    /** Checks a run by code that shares nothing with the search; false if its work is used up before the end. */
    #isRechecked(lasso: Lasso, member: PropertyMember): boolean {
        const { numbers } = this.#options;
        const problem =
            numbers === undefined
                ? checkLasso(this.#model, lasso, member)
                : checkLasso(withRealNumbers(this.#model), lasso, member, true);
        const isDecided = problem !== POSSIBLE_UNDECIDED;
        invariant(!isDecided || problem === undefined, `a run that is shown violates the property: ${problem ?? ''}`);
        return isDecided;
    }
}

/** An outcome in the terms of a report. */
type Answer = Exclude<Outcome, { kind: 'notReal' }>;

function isViolation(outcome: Outcome): outcome is Extract<Outcome, { kind: 'violated' | 'fault' }> {
    return outcome.kind === 'violated' || outcome.kind === 'fault';
}
