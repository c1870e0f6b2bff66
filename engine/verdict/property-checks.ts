/**
 * Checks temporal properties, one after the other. Of the members of a property that symmetries exchange one is checked,
 * under the symmetries that keep it: a search of its own for each orbit of members.
 */
import type { Problem } from '../common/problem.js';
import { invariant } from '../common/assert.js';
import { appendTo } from '../common/list-map.js';
import { SlicedWork } from '../common/sliced-work.js';
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import { compileModel, type CompilationOptions } from '../compiled-search/compiled-model.js';
import { compiledSuccessors } from '../compiled-search/compiled-successors.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { structureOf } from '../describe/factors.js';
import type { SymmetriesOnCells } from '../explore/initial/initial-states.js';
import { interpretedSuccessors, type Successors } from '../explore/successors.js';
import type { ExplorationLimit, TemporalOutcome, Violation } from '../explore/verdict.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { createCanonicalizer } from '../representative/representative.js';
import type { CanonicalizerOptions } from '../representative/strategy.js';
import type { PropertyMember, SequentialModel, TemporalProperty } from '../sequential/sequential-model.js';
import {
    constraintOrbits,
    markerOrbits,
    symmetriesWithMarkers,
    type MarkedGroup,
} from '../symmetry/marked-symmetry.js';
import { literalGroup } from '../symmetry/model-symmetry.js';
import { MarkedCanonicalizer } from '../temporal/marked-canonicalizer.js';
import type { Lasso } from '../temporal/lasso.js';
import { withObligations } from '../temporal/obligations.js';
import { TemporalCheck, type Outcome, type Question, type TemporalCounts } from '../temporal/temporal-check.js';
import { violationOf } from '../temporal/violation.js';
import { checkLasso, POSSIBLE_UNDECIDED } from '../verify/check-lasso.js';

export interface PropertyCheckOptions {
    /** The symmetries to use; absent if every state is stored. */
    readonly symmetry?: {
        readonly constraints: ConstraintProblem;
        /** Whether the steps have symmetries that do not keep the start. */
        readonly movesStart: boolean;
        readonly canonicalizer: CanonicalizerOptions;
        /** A state without a unique representative ends a search. */
        readonly exactWithin?: number;
    };
    readonly isInterpreted?: boolean;
    readonly continueAfterViolation?: boolean;
    /** Of each search. */
    readonly maxStates?: number;
    readonly maxMemoryBytes?: number;
}

export interface CheckedProperty extends TemporalOutcome {
    /** The name in the declaration. */
    readonly range: SourceRange;
    /** No run satisfies the assumptions. */
    readonly hasNoRun?: true;
    /** It holds because on no run its condition, the left side of `leads to` or `implies`, comes true. */
    readonly holdsForNothing?: true;
}

/** A search for some members, with the symmetries that keep each of them, or exchange those of a question. */
interface Search {
    /** As written, or with obligations in place of a part of the only member (temporal/obligations.ts). */
    readonly model: SequentialModel;
    readonly members: readonly PropertyMember[];
    /** The same members as written. */
    readonly written: readonly PropertyMember[];
    readonly questions: readonly Question[];
    /** How many members of the property each question is about. */
    readonly copies: readonly number[];
    readonly group?: MarkedGroup;
    /** The part of the group that keeps the start; absent if all of it does. */
    readonly startGroup?: MarkedGroup | undefined;
    /** Whether the members move along the edges of the search. */
    readonly tracksMarkers?: true;
}

/**
 * A member is followed along the edges if that saves so many times more states than there are symmetries that keep it:
 * for those the search of a member by itself would be reduced, too, and each edge costs less there.
 */
const FEW_SYMMETRIES = 4n;

export class PropertyChecks {
    readonly #model: SequentialModel;
    readonly #options: PropertyCheckOptions;
    readonly #workLimit: WorkLimit;
    readonly #interpreted: Successors;
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
        this.#workLimit = workLimit;
        this.#interpreted = interpretedSuccessors(model);
        // Found before the first search, while the budget for it lasts.
        const searches = properties.map(property => this.#searchesOf(property));
        this.#work = new SlicedWork(this.#run(properties, searches));
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

    /** With the initial states. */
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

    *#run(properties: readonly TemporalProperty[], searches: readonly (readonly Search[])[]): Generator<undefined> {
        for (const [index, property] of properties.entries()) {
            yield* this.#checkProperty(property, searches[index]);
            const isViolated = this.#violations.length > 0;
            if (this.#problem !== undefined || (isViolated && this.#options.continueAfterViolation !== true)) {
                return;
            }
        }
    }

    *#checkProperty(property: TemporalProperty, searches: readonly Search[]): Generator<undefined> {
        const { name, range, members } = property;
        const outcomes: Outcome[] = [];
        const counts: TemporalCounts[] = [];
        let reduction = NO_REDUCTION;
        let hasNoRun = false;
        let holdsForNothing = searches.length > 0;
        for (const search of searches) {
            const options = this.#checkOptions(search);
            const check = new TemporalCheck(search.model, search.members, options, search.questions);
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
                reduction = reductionOf(search, options.canonicalizer);
            }
            hasNoRun ||= check.hasFairRun === false;
            // With obligations, that no run keeps them is the answer, and nothing to be told beside it.
            holdsForNothing &&= search.model === this.#model && check.holdsForNothing;
            outcomes.push(...check.outcomes);
            const violated = check.outcomes.findIndex(isViolation);
            const outcome = check.outcomes[violated];
            if (violated >= 0 && isViolation(outcome)) {
                const [first] = search.questions[violated].members;
                const member = search.written[outcome.kind === 'violated' ? outcome.member : first];
                const isRechecked = outcome.kind === 'fault' || this.#isRechecked(outcome.lasso, member);
                const about = { property, member, copies: search.copies[violated], isRechecked };
                this.#violations.push(violationOf(this.#model, outcome, about));
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
            ...(hasNoRun && { hasNoRun }),
            ...(holdsForNothing && { holdsForNothing }),
        });
    }

    /** By generated code if there is any, with the representatives that it finds. */
    #successors(options: CompilationOptions): Successors {
        const code = this.#options.isInterpreted === true ? undefined : compileModel(this.#model, options);
        return (code?.kind === 'compiled' ? compiledSuccessors(code) : undefined) ?? this.#interpreted;
    }

    /** Checks a run by code that shares nothing with the search; false if its work is used up before the end. */
    #isRechecked(lasso: Lasso, member: PropertyMember): boolean {
        const problem = checkLasso(this.#model, lasso, member);
        const isDecided = problem !== POSSIBLE_UNDECIDED;
        invariant(!isDecided || problem === undefined, `a run that is shown violates the property: ${problem ?? ''}`);
        return isDecided;
    }

    /** All members at once where every state is stored, else one of each orbit; each with obligations by itself. */
    #searchesOf({ members }: TemporalProperty): readonly Search[] {
        const { symmetry } = this.#options;
        if (members.length === 0) {
            return [];
        }
        const isObliged = members.some(member => withObligations(this.#model, member) !== undefined);
        if (members.length === 1 || (symmetry === undefined && isObliged)) {
            return members.map(member => this.#searchOf(member, 1));
        }
        if (symmetry === undefined) {
            const questions = members.map((_, member): Question => ({ members: [member], images: [member] }));
            return [{ model: this.#model, members, written: members, questions, copies: members.map(() => 1) }];
        }
        const model = this.#model;
        const { fairness } = model;
        const { group, startGroup } = this.#groupsOf(model, members, symmetry);
        const isTracked = (images: readonly number[]): boolean =>
            !isObliged &&
            group.complete &&
            (group.order / BigInt(images.length)) * FEW_SYMMETRIES <= BigInt(images.length);
        const orbitsOfImages = orbitsOf(markerOrbits(group, fairness.length));
        const questions = orbitsOf(markerOrbits(startGroup ?? group, fairness.length)).map((orbit): Question => ({
            members: orbit,
            images: orbitsOfImages.find(images => images.includes(orbit[0])) ?? orbit,
        }));
        const tracked = questions.filter(({ images }) => isTracked(images));
        const alone = questions.filter(({ images }) => !isTracked(images));
        const together: Search = {
            model,
            members,
            written: members,
            questions: tracked,
            copies: tracked.map(question => question.members.length),
            group,
            startGroup,
            tracksMarkers: true,
        };
        return [
            ...(tracked.length === 0 ? [] : [together]),
            ...alone.map(({ members: { 0: first, length } }) => this.#searchOf(members[first], length)),
        ];
    }

    /** For one member, which stands for so many. */
    #searchOf(written: PropertyMember, copies: number): Search {
        const asWritten = { model: this.#model, member: written };
        const { model, member } = withObligations(this.#model, written) ?? asWritten;
        const { symmetry } = this.#options;
        return {
            model,
            members: [member],
            written: [written],
            questions: [{ members: [0], images: [0] }],
            copies: [copies],
            ...(symmetry !== undefined && this.#groupsOf(model, [member], symmetry)),
        };
    }

    /** The symmetries of the steps that keep these members and the fairness of the model; and those that keep the start. */
    #groupsOf(
        { fairness }: SequentialModel,
        members: readonly PropertyMember[],
        { constraints, movesStart }: NonNullable<PropertyCheckOptions['symmetry']>,
    ): Required<Pick<Search, 'group' | 'startGroup'>> {
        const groupOf = (problem: ConstraintProblem, known: readonly SparsePermutation[]): MarkedGroup =>
            symmetriesWithMarkers(problem, [...fairness, ...members], known, this.#workLimit);
        const start = groupOf(constraints, []);
        if (!movesStart || !start.complete) {
            return { group: start, startGroup: undefined };
        }
        const group = groupOf({ ...constraints, startMoved: { classes: [] } }, start.generators);
        return group.complete && group.order > start.order
            ? { group, startGroup: start }
            : { group: start, startGroup: undefined };
    }

    #checkOptions({ model, group, startGroup, tracksMarkers }: Search): ConstructorParameters<typeof TemporalCheck>[2] {
        const { symmetry, maxStates, maxMemoryBytes } = this.#options;
        const { cells, fairness } = model;
        const limits = {
            ...(maxStates !== undefined && { maxStates }),
            ...(maxMemoryBytes !== undefined && { maxMemoryBytes }),
        };
        const common = { interpreted: this.#interpreted, ...limits };
        if (group === undefined || symmetry === undefined || group.generators.length === 0) {
            return { ...common, successors: this.#successors({}) };
        }
        const { exactWithin } = symmetry;
        const canonicalizer = new MarkedCanonicalizer(
            createCanonicalizer(literalGroup(group), symmetry.canonicalizer),
            cells.length,
        );
        const { markerCount } = canonicalizer;
        return {
            ...common,
            successors: this.#successors({ canonicalizer, markerCount, replacesAll: true }),
            canonicalizer,
            orbitsOf: constraintOrbits(group, fairness.length),
            ...(tracksMarkers !== undefined && { tracksMarkers }),
            ...(startGroup !== undefined && { startMoved: { elements: elementsOf(startGroup, cells.length) } }),
            ...(exactWithin !== undefined && { exactWithin }),
        };
    }
}

function isViolation(outcome: Outcome): outcome is Extract<Outcome, { kind: 'violated' | 'fault' }> {
    return outcome.kind === 'violated' || outcome.kind === 'fault';
}

/** Numbers with the same number of an orbit, each list ascending. */
function orbitsOf(numbers: readonly number[]): readonly (readonly number[])[] {
    const orbits = new Map<number, number[]>();
    numbers.forEach((orbit, member) => {
        appendTo(orbits, orbit, member);
    });
    return [...orbits.values()];
}

/** Symmetries that map initial states to initial states, made when they are asked for. */
function elementsOf(group: MarkedGroup, cellCount: number): SymmetriesOnCells {
    return (most, cells) =>
        new MarkedCanonicalizer(createCanonicalizer(literalGroup(group)), cellCount).elements(most, cells);
}

type UsedReduction = Omit<TemporalOutcome['reduction'], 'unique'>;

const NO_REDUCTION: UsedReduction = { group: '1', order: '1', start: 'kept', startOrder: '1', strategy: 'none' };

function reductionOf({ group, startGroup }: Search, canonicalizer: MarkedCanonicalizer | undefined): UsedReduction {
    return group === undefined || canonicalizer === undefined
        ? NO_REDUCTION
        : {
              group: structureOf(group),
              order: group.order.toString(),
              start: startGroup === undefined ? 'kept' : 'moved',
              startOrder: (startGroup ?? group).order.toString(),
              strategy: canonicalizer.strategy.name,
          };
}
