/**
 * A log against a model, line by line: follows the candidates, gives the model more slots where instances need them, and
 * says at the end, or at the first line that fits nothing, what came of it.
 */
import type { Problem } from '../common/problem.js';
import type { TextOfRange } from '../common/source-text.js';
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Candidate } from './candidates.js';
import { folded, NO_FOLDING, type Folding } from './folding.js';
import { Ground } from './ground.js';
import { LogNames, type NameSettings } from './log-names.js';
import { Matcher, type Taken } from './matcher.js';
import type { LogProblem, Observation, Vocabulary } from './observation.js';
import { ObservationReader } from './observation-reader.js';
import { Refusals, type Refusal } from './refusals.js';
import { repairsOf, type Kept, type Repairs } from './repairs.js';
import { replay, type Replayed } from './replay.js';
import { withMoreSlots } from './more-slots.js';

/** How a log is read: its words and names, and what it never shows. */
export interface LogSettings {
    readonly vocabulary: Vocabulary;
    readonly names: NameSettings;
    /** Labels and events that a log need not show. */
    readonly hides: ReadonlySet<string>;
    readonly maxCandidates: number;
}

/** The symmetries of a model that keep all that a log can say, over names. */
export type FoldingOf = (model: Model, sequential: SequentialModel) => (names: LogNames) => Folding;

interface Misfit {
    readonly line: number;
    readonly candidates: number;
    readonly nearest: readonly Refusal[];
    readonly instead: readonly string[];
}

/** How far a log has come; the reason why no more lines are read, if there is one. */
export type LogState =
    | { readonly kind: 'fits' }
    | { readonly kind: 'misfit'; readonly misfit: Misfit }
    | { readonly kind: 'limit'; readonly line: number; readonly label?: string; readonly template?: string }
    | { readonly kind: 'wrong'; readonly problem: LogProblem }
    | { readonly kind: 'problem'; readonly problem: Problem };

/** Lines that are kept for repairs. */
const WINDOW = 20;

/** Longer logs are not judged again, to see whether a step that they never show mends them. */
const MOST_JUDGED_AGAIN = 2_000;

export class LogCheck {
    readonly #foldingOf: FoldingOf;
    readonly #settings: LogSettings;
    readonly #textOf: TextOfRange;
    readonly names: LogNames;
    readonly #reader: ObservationReader;
    readonly #observations: Observation[] = [];
    #model: Model;
    #folding: ReturnType<FoldingOf>;
    #matcher: Matcher;
    #state: LogState = { kind: 'fits' };
    /** Before each of the last lines. */
    #kept: Kept[] = [];
    /** The candidates of the first lines have fewer slots than the last ones. */
    #hasGrown = false;

    constructor(
        model: Model,
        sequential: SequentialModel,
        settings: LogSettings,
        foldingOf: FoldingOf,
        textOf: TextOfRange,
    ) {
        this.#model = model;
        this.#settings = settings;
        this.#foldingOf = foldingOf;
        this.#textOf = textOf;
        this.names = new LogNames(model, settings.names);
        this.#folding = foldingOf(model, sequential);
        const ground = new Ground(model, sequential, this.names, settings.hides, this.#folding(this.names));
        this.#reader = new ObservationReader(model, sequential, ground.shapes, this.names, settings.vocabulary);
        this.#matcher = new Matcher(ground, settings.maxCandidates);
        const begun = this.#matcher.begin();
        if (begun.kind === 'problem') {
            this.#state = begun;
        } else if (begun.kind === 'limit') {
            this.#state = { kind: 'limit', line: 0 };
        }
    }

    get state(): LogState {
        return this.#state;
    }

    get reader(): ObservationReader {
        return this.#reader;
    }

    get matcher(): Matcher {
        return this.#matcher;
    }

    get observations(): readonly Observation[] {
        return this.#observations;
    }

    get order(): bigint {
        return this.#matcher.ground.folding.order;
    }

    /** Reads a line; whether more may be read. */
    take(line: number, entry: Readonly<Record<string, unknown>>): boolean {
        const read = this.#state.kind === 'fits' ? this.#reader.read(line, entry) : undefined;
        if (read === undefined) {
            return this.#state.kind === 'fits';
        }
        if ('code' in read) {
            this.#state = { kind: 'wrong', problem: read };
            return false;
        }
        return this.takeRead(read);
    }

    /** Takes a line that has been read. */
    takeRead(read: Observation): boolean {
        this.#observations.push(read);
        this.#kept = [...this.#kept.slice(-WINDOW), { candidates: this.#matcher.candidates, mark: this.names.mark }];
        this.#state = this.#stateAfter(read, this.#matcher.take(read));
        return this.#state.kind === 'fits';
    }

    #stateAfter(observation: Observation, taken: Taken): LogState {
        const { line } = observation;
        switch (taken.kind) {
            case 'fits':
                return taken;
            case 'limit':
                return { ...taken, line };
            case 'misfit': {
                const refusals = new Refusals(this.#matcher.ground, this.#textOf);
                const misfit = {
                    line,
                    candidates: taken.reached.length,
                    nearest: refusals.of(observation, taken.reached),
                    instead: refusals.instead(taken.reached),
                };
                return { kind: 'misfit', misfit };
            }
            case 'slots': {
                const grown = withMoreSlots(this.#model, this.#matcher.ground.sequential, taken.summand);
                if ('template' in grown) {
                    return { kind: 'limit', line, template: grown.template };
                }
                this.#grow(grown);
                return this.#stateAfter(observation, this.#matcher.take(observation));
            }
        }
    }

    #grow({
        model,
        sequential,
        extend,
    }: Exclude<ReturnType<typeof withMoreSlots>, { readonly template: string }>): void {
        this.#model = model;
        this.names.use(model);
        this.#folding = this.#foldingOf(model, sequential);
        const ground = new Ground(model, sequential, this.names, this.#settings.hides, this.#folding(this.names));
        const extended = (each: readonly Candidate[]): Candidate[] =>
            each.map(candidate => folded({ ...candidate, state: extend(candidate.state) }, ground.folding));
        const earlier = this.#matcher;
        this.#matcher = new Matcher(ground, this.#settings.maxCandidates, earlier.passed);
        this.#matcher.goOnFrom(earlier, extended(earlier.candidates));
        const { mark: now } = this.names;
        this.#kept = this.#kept.map(({ candidates: kept, mark }) => {
            this.names.returnTo(mark);
            return { candidates: extended(kept), mark };
        });
        this.names.returnTo(now);
        this.#hasGrown = true;
    }

    /** What would mend the log at the line that fits nothing, as far as the lines behind it show. */
    repairs(following: readonly Observation[], limit: WorkLimit): Repairs {
        const lines = [...this.#observations.slice(-this.#kept.length), ...following];
        const { hides, maxCandidates } = this.#settings;
        const labels = [...this.#reader.steps].filter(label => !hides.has(label));
        return repairsOf(this.#matcher, { kept: this.#kept, observations: lines }, labels, maxCandidates, limit);
    }

    /** The steps that the log never shows of which each, if hidden, lets the line fit that fits nothing. */
    mendingHidden(following: readonly Observation[], limit: WorkLimit): readonly string[] {
        const all = [...this.#observations, ...following];
        const { hides } = this.#settings;
        const unseen = [...this.#reader.steps].filter(
            label => !hides.has(label) && !all.some(({ step }) => step === label),
        );
        const { ground } = this.#matcher;
        if (this.#observations.length > MOST_JUDGED_AGAIN) {
            return [];
        }
        return unseen.filter(label => {
            if (limit.isExhausted()) {
                return false;
            }
            const settings = { ...this.#settings, hides: new Set([...hides, label]) };
            const again = new LogCheck(this.#model, ground.sequential, settings, this.#foldingOf, this.#textOf);
            return this.#observations.every(observation => !limit.isExhausted() && again.takeRead(observation));
        });
    }

    /** The invariants that explanations of the lines so far have passed a violation of. */
    invariants(): readonly { readonly name: string; readonly verdict: 'violated' | 'possible' }[] {
        const { passed, candidates, ground } = this.#matcher;
        const sets = candidates.map(candidate => passed.get(candidate.passed));
        return ground.sequential.invariants.flatMap(({ name }, index) => {
            const bit = 1n << BigInt(index);
            const isPossible = sets.some(({ violations }) => (violations & bit) !== 0n);
            const isClean = sets.some(({ clean }) => (clean & bit) !== 0n);
            return isPossible ? [{ name, verdict: isClean ? 'possible' : 'violated' } as const] : [];
        });
    }

    /** A run along the lines that fit; undefined at the limit. */
    run(most: number, limit: WorkLimit = UNLIMITED): Replayed | undefined {
        const fitting = this.#observations.slice(0, this.#matcher.trails.length - 1);
        const { sequential } = this.#matcher.ground;
        let { trails } = this.#matcher;
        if (this.#hasGrown) {
            // The same lines once more, with as many slots from the beginning.
            const names = new LogNames(this.#model, this.#settings.names);
            const ground = new Ground(this.#model, sequential, names, this.#settings.hides, this.#folding(names));
            const again = new Matcher(ground, this.#settings.maxCandidates);
            again.begin();
            if (!fitting.every(observation => !limit.isExhausted() && again.take(observation).kind === 'fits')) {
                return undefined;
            }
            ({ trails } = again);
        }
        const names = new LogNames(this.#model, this.#settings.names);
        const folding = this.#folding(names);
        const asItStands: Folding = { ...NO_FOLDING, literals: folding.literals };
        const ground = new Ground(this.#model, sequential, names, this.#settings.hides, asItStands);
        return replay(ground, folding, trails, fitting, most, limit);
    }
}
