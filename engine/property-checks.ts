/**
 * Checks temporal properties, one after the other. Of the members of a property that symmetries exchange one is checked,
 * under the symmetries that keep it: a search of its own for each orbit of members.
 */
import type { Problem } from './common/problem.js';
import type { SourceRange } from './common/source-range.js';
import type { WorkLimit } from './common/work-limit.js';
import { compileModel } from './compiled-search/compiled-model.js';
import { compiledSuccessors } from './compiled-search/compiled-successors.js';
import type { ConstraintProblem } from './constraints/constraint-problem.js';
import { structureOf } from './describe/factors.js';
import { interpretedSuccessors, type Successors } from './explore/successors.js';
import type { ExplorationLimit, TemporalOutcome, Violation } from './explore/verdict.js';
import { createCanonicalizer } from './representative/representative.js';
import type { CanonicalizerOptions } from './representative/strategy.js';
import type { SequentialModel } from './sequential/sequential-model.js';
import type { PropertyMember, TemporalProperty } from './sequential/temporal.js';
import { markerOrbits, symmetriesWithMarkers, type MarkedGroup } from './symmetry/marked-symmetry.js';
import { literalGroup } from './symmetry/model-symmetry.js';
import { MarkedCanonicalizer } from './temporal/marked-canonicalizer.js';
import { TemporalCheck, type MemberOutcome, type TemporalCounts } from './temporal/temporal-check.js';
import { violationOf } from './temporal/violation.js';

export interface PropertyCheckOptions {
    /** The symmetries to use; absent if every state is stored. */
    readonly symmetry?: {
        readonly constraints: ConstraintProblem;
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

export interface PropertyReport extends TemporalOutcome {
    /** The name in the declaration. */
    readonly range: SourceRange;
    /** No run satisfies the assumptions. */
    readonly hasNoRun?: true;
}

/** A search for some members, with the symmetries that keep them. */
interface Search {
    readonly members: readonly PropertyMember[];
    /** How many members each of them stands for. */
    readonly copies: readonly number[];
    readonly group?: MarkedGroup;
}

export class PropertyChecks {
    readonly #model: SequentialModel;
    readonly #options: PropertyCheckOptions;
    readonly #workLimit: WorkLimit;
    readonly #interpreted: Successors;
    readonly #successors: Successors;
    readonly #reports: PropertyReport[] = [];
    readonly #violations: Violation[] = [];
    readonly #work: Generator<undefined>;
    #check: TemporalCheck | undefined;
    #limit: WorkLimit | undefined;
    #stopped: ExplorationLimit | undefined;
    #problem: Problem | undefined;
    #isFinished = false;

    /** `workLimit` bounds the search for symmetries. */
    constructor(
        model: SequentialModel,
        properties: readonly TemporalProperty[],
        options: PropertyCheckOptions,
        workLimit: WorkLimit,
    ) {
        this.#model = model;
        this.#options = options;
        this.#workLimit = workLimit;
        this.#interpreted = interpretedSuccessors(model);
        const code = options.isInterpreted === true ? undefined : compileModel(model);
        this.#successors = (code?.kind === 'compiled' ? compiledSuccessors(code) : undefined) ?? this.#interpreted;
        // Found before the first search, while the budget for it lasts.
        const searches = properties.map(property => this.#searchesOf(property));
        this.#work = this.#run(properties, searches);
    }

    get reports(): readonly PropertyReport[] {
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
        this.#limit = limit;
        while (!this.#isFinished) {
            this.#isFinished = this.#work.next().done === true;
            if (limit.isExhausted()) {
                break;
            }
        }
        return this.#isFinished;
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
        const outcomes: MemberOutcome[] = [];
        const counts: TemporalCounts[] = [];
        let reduction = NO_REDUCTION;
        let hasNoRun = false;
        for (const search of searches) {
            const options = this.#checkOptions(search);
            const check = new TemporalCheck(this.#model, search.members, options);
            this.#check = check;
            if (this.#stopped !== undefined) {
                check.stop(this.#stopped);
            }
            while (!check.advance(this.#limit ?? this.#workLimit)) {
                yield;
            }
            this.#problem ??= check.problem;
            counts.push(check.counts);
            if (reduction === NO_REDUCTION) {
                reduction = reductionOf(search, options.canonicalizer);
            }
            hasNoRun ||= check.hasFairRun === false;
            outcomes.push(...check.outcomes);
            const violated = check.outcomes.findIndex(isViolation);
            const outcome = check.outcomes[violated];
            if (violated >= 0 && isViolation(outcome)) {
                const about = { property, member: search.members[violated], copies: search.copies[violated] };
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
        });
    }

    /** All members at once where every state is stored, else one of each orbit. */
    #searchesOf({ members }: TemporalProperty): readonly Search[] {
        const { symmetry } = this.#options;
        if (symmetry === undefined) {
            return members.length === 0 ? [] : [{ members, copies: members.map(() => 1) }];
        }
        const { constraints } = symmetry;
        const { fairness } = this.#model;
        const groupOf = (kept: readonly PropertyMember[]): MarkedGroup =>
            symmetriesWithMarkers(constraints, [...fairness, ...kept], [], this.#workLimit);
        if (members.length === 1) {
            return [{ members, copies: [1], group: groupOf(members) }];
        }
        const orbits = markerOrbits(groupOf(members), fairness.length);
        return [...new Set(orbits)].map(first => ({
            members: [members[first]],
            copies: [orbits.filter(orbit => orbit === first).length],
            group: groupOf([members[first]]),
        }));
    }

    #checkOptions({ group }: Search): ConstructorParameters<typeof TemporalCheck>[2] {
        const { symmetry, maxStates, maxMemoryBytes } = this.#options;
        const { cells, fairness } = this.#model;
        const limits = {
            ...(maxStates !== undefined && { maxStates }),
            ...(maxMemoryBytes !== undefined && { maxMemoryBytes }),
        };
        const common = { successors: this.#successors, interpreted: this.#interpreted, ...limits };
        if (group === undefined || symmetry === undefined || group.generators.length === 0) {
            return common;
        }
        const { canonicalizer, exactWithin } = symmetry;
        return {
            ...common,
            canonicalizer: new MarkedCanonicalizer(
                createCanonicalizer(literalGroup(group), canonicalizer),
                cells.length,
            ),
            constraintOrbit: markerOrbits(group, 0).slice(0, fairness.length),
            ...(exactWithin !== undefined && { exactWithin }),
        };
    }
}

function isViolation(outcome: MemberOutcome): outcome is Extract<MemberOutcome, { kind: 'violated' | 'fault' }> {
    return outcome.kind === 'violated' || outcome.kind === 'fault';
}

const NO_REDUCTION = { group: '1', order: '1', strategy: 'none' };

function reductionOf({ group }: Search, canonicalizer: MarkedCanonicalizer | undefined): typeof NO_REDUCTION {
    return group === undefined || canonicalizer === undefined
        ? NO_REDUCTION
        : { group: structureOf(group), order: group.order.toString(), strategy: canonicalizer.strategy.name };
}
