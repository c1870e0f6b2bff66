/**
 * Follows a log: the candidates after each line are all states that the model may be in, with what the names of the log
 * then stand for. A line is one step after any number of hidden ones, or says something of a state behind them. If no
 * candidate is left, the line fits nothing.
 */
import { invariant } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import { HashChains } from '../common/hash-chains.js';
import { remembered } from '../common/list-map.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import { CandidateSet, trailHash, type Candidate } from './candidates.js';
import type { Ground, SomeSteps } from './ground.js';
import { ENDED, UNBOUND, type Bindings } from './log-names.js';
import type { Observation } from './observation.js';
import { PassedSets } from './passed.js';

/** The way back to the candidates of a line: by candidate the one that it comes from, and hashes that tell it again. */
export interface Trail {
    readonly origins: Int32Array;
    readonly hashes: Int32Array;
}

export type Taken =
    | { readonly kind: 'fits' }
    /** The candidates behind hidden steps. */
    | { readonly kind: 'misfit'; readonly reached: readonly Candidate[] }
    /** Too many candidates; the hidden step that adds most, if one does. */
    | { readonly kind: 'limit'; readonly label?: string }
    /** A summand creates an instance for which there is no slot. */
    | { readonly kind: 'slots'; readonly summand: number };

/** Seeds of the two hashes of a candidate. */
export const FIRST_HASH = 0x2545f491;
export const SECOND_HASH = 0x51ed270b;

export class Matcher {
    readonly ground: Ground;
    readonly passed: PassedSets;
    readonly #most: number;
    #candidates: readonly Candidate[] = [];
    #trails: Trail[] = [];
    #mostCandidates = 0;
    #isCutOff = false;
    /** Of the candidates behind hidden steps, and of those behind a line. */
    readonly #chains = [new HashChains(), new HashChains()] as const;

    constructor(ground: Ground, most: number, passed = new PassedSets(ground.sequential.invariants.length)) {
        this.ground = ground;
        this.#most = most;
        this.passed = passed;
    }

    get candidates(): readonly Candidate[] {
        return this.#candidates;
    }

    /** By line, the start first. */
    get trails(): readonly Trail[] {
        return this.#trails;
    }

    /** The most candidates before a line. */
    get mostCandidates(): number {
        return this.#mostCandidates;
    }

    /** Whether a constraint has cut off explanations of some line: that there is no other one is not known then. */
    get isCutOff(): boolean {
        return this.#isCutOff;
    }

    /** From all initial states; a problem if there is none. */
    begin(): Taken | { readonly kind: 'problem'; readonly problem: Problem } {
        const states = new InitialStates(this.ground.sequential);
        const set = new CandidateSet();
        const state = new Int32Array(this.ground.sequential.cells.length);
        while (states.nextInto(state)) {
            this.#add(set, { state, bindings: [], passed: this.passed.none, origin: -1 });
            if (set.list.length > this.#most) {
                return { kind: 'limit' };
            }
        }
        if (set.list.length === 0) {
            invariant(states.problem !== undefined, 'without an initial state there is a problem');
            return { kind: 'problem', problem: states.problem };
        }
        this.#follow(set.list);
        return { kind: 'fits' };
    }

    /** Goes on from candidates that were kept. */
    beginFrom(candidates: readonly Candidate[]): void {
        this.#candidates = candidates;
    }

    /** Goes on where one with fewer slots stands, from its candidates as they are here. */
    goOnFrom(earlier: Matcher, candidates: readonly Candidate[]): void {
        this.#candidates = candidates;
        this.#trails = earlier.#trails;
        this.#mostCandidates = earlier.#mostCandidates;
        this.#isCutOff = earlier.#isCutOff;
    }

    /** The candidates after a line; none are changed if it fits nothing. `noted` is told each step that it may be. */
    take(observation: Observation, noted?: NotedStep): Taken {
        this.ground.names.line = observation.line;
        const missed: Missed = {};
        const reached = this.#behindHidden(missed);
        if ('kind' in reached) {
            return reached;
        }
        const next = new CandidateSet(this.#chains[1]);
        // Many candidates share their bindings.
        const known = new Map<Bindings, readonly SomeSteps[]>();
        reached.forEach(candidate => {
            this.#stepsOf(observation, candidate, next, missed, known, noted);
        });
        if (missed.summand !== undefined) {
            return { kind: 'slots', summand: missed.summand };
        }
        if (next.list.length > this.#most) {
            return { kind: 'limit' };
        }
        if (next.list.length === 0) {
            return { kind: 'misfit', reached };
        }
        this.#follow(next.list);
        return { kind: 'fits' };
    }

    /** The candidates after any step that a log shows. */
    takeAny(isMeant: (summand: number) => boolean): Taken {
        const missed: Missed = {};
        const reached = this.#behindHidden(missed);
        if ('kind' in reached) {
            return reached;
        }
        const next = new CandidateSet(this.#chains[1]);
        for (const candidate of reached) {
            const { state, bindings, passed, origin } = candidate;
            this.ground.forEachSeen(state, {
                fired: (summand, after) => {
                    if (isMeant(summand)) {
                        this.#add(next, { state: after, bindings, passed, origin });
                    }
                },
                faulted: this.#noteMissed(missed),
            });
        }
        if (missed.summand !== undefined) {
            return { kind: 'slots', summand: missed.summand };
        }
        if (next.list.length === 0 || next.list.length > this.#most) {
            return next.list.length === 0 ? { kind: 'misfit', reached } : { kind: 'limit' };
        }
        this.#candidates = next.list;
        return { kind: 'fits' };
    }

    /** Whether in some candidate, behind hidden steps, no step is possible; undefined if that is not known. */
    mayBeComplete(): boolean | undefined {
        const reached = this.#behindHidden({});
        if ('kind' in reached) {
            return undefined;
        }
        const isDone = reached.some(({ state }) => {
            let canGoOn = false;
            const visitor = {
                fired: () => {
                    canGoOn = true;
                },
                faulted: (_summand: number, { kind }: Fault) => {
                    canGoOn = true;
                    this.#isCutOff ||= kind === 'outside';
                },
            };
            this.ground.forEachHidden(state, visitor);
            this.ground.forEachSeen(state, visitor);
            return !canGoOn;
        });
        return isDone || !this.#isCutOff ? isDone : undefined;
    }

    /** The candidates and those behind hidden steps; undefined at a limit. */
    behindHidden(): readonly Candidate[] | undefined {
        const reached = this.#behindHidden({});
        return 'kind' in reached ? undefined : reached;
    }

    /** The candidates, and those behind hidden steps, that are not left out; none are changed if none is left. */
    keep(chosen: (reached: readonly Candidate[]) => readonly Candidate[]): Taken {
        const reached = this.#behindHidden({});
        if ('kind' in reached) {
            return reached;
        }
        const kept = chosen(reached);
        if (kept.length === 0) {
            return { kind: 'misfit', reached };
        }
        this.#follow(kept);
        return { kind: 'fits' };
    }

    #stepsOf(
        observation: Observation,
        candidate: Candidate,
        next: CandidateSet,
        missed: Missed,
        steps: Map<Bindings, readonly SomeSteps[]>,
        noted: NotedStep | undefined,
    ): void {
        const { ground } = this;
        const { state, bindings, passed, origin } = candidate;
        if (observation.step === undefined) {
            for (const known of ground.steps.ofState(observation, state, bindings)) {
                this.#add(next, { state, bindings: known, passed, origin });
            }
            return;
        }
        const visitor = {
            fired: (summand: number, after: Readonly<Int32Array>) => {
                for (const known of ground.steps.ofFiring(observation, summand, { before: state, after }, bindings)) {
                    noted?.(state, summand, after);
                    this.#add(next, { state: after, bindings: known, passed, origin });
                }
            },
            faulted: this.#noteMissed(missed),
        };
        for (const some of remembered(steps, bindings, () => ground.namedSteps(observation, bindings))) {
            some.forEach(state, visitor);
        }
    }

    /** The candidates, and those that hidden steps lead to. */
    #behindHidden(missed: Missed): readonly Candidate[] | Taken {
        const set = new CandidateSet(this.#chains[0]);
        const queue: number[] = [];
        const added = new Map<number, number>();
        this.#candidates.forEach((candidate, origin) => {
            queue.push(set.add({ ...candidate, origin }));
        });
        // A candidate comes again if it has more explanations. The list grows during the loop.
        for (const index of queue) {
            const { state, bindings, passed, origin } = set.list[index];
            this.ground.forEachHidden(state, {
                fired: (summand, after) => {
                    const before = set.list.length;
                    const { at, hasGrown } = this.#add(set, { state: after, bindings, passed, origin });
                    if (hasGrown) {
                        queue.push(at);
                    }
                    if (set.list.length > before) {
                        added.set(summand, (added.get(summand) ?? 0) + 1);
                    }
                },
                faulted: this.#noteMissed(missed),
            });
            if (missed.summand !== undefined) {
                return { kind: 'slots', summand: missed.summand };
            }
            if (set.list.length > this.#most) {
                return this.#limit(added);
            }
        }
        return set.list;
    }

    #limit(added: ReadonlyMap<number, number>): Taken {
        const counts = new Map<string, number>();
        for (const [summand, count] of added) {
            const { label } = this.ground.sequential.summands[summand];
            counts.set(label, (counts.get(label) ?? 0) + count);
        }
        const [most] = [...counts].sort(([, one], [, other]) => other - one);
        return { kind: 'limit', ...(most !== undefined && { label: most[0] }) };
    }

    /** The candidate after a step, as the one that stands for its orbit. */
    #add(
        set: CandidateSet,
        { state, bindings, passed, origin }: Candidate,
    ): { readonly at: number; readonly hasGrown: boolean } {
        const { ground } = this;
        const known = ground.withEnded(bindings, state);
        const candidate = ground.folding.canonical({ state, bindings: known, passed, origin });
        const count = set.list.length;
        // The state is valid during the call only.
        const at = set.add(candidate, () =>
            candidate.state === state ? { ...candidate, state: state.slice() } : candidate,
        );
        const isNew = at === count;
        if (!isNew && this.passed.isClean) {
            return { at, hasGrown: false };
        }
        const { passed: before } = set.list[at];
        const own = this.passed.after(passed, ground.violatedIn(candidate.state));
        const together = isNew ? own : this.passed.union(before, own);
        if (together !== before) {
            set.replace(at, together);
        }
        return { at, hasGrown: isNew || together !== before };
    }

    #noteMissed(missed: Missed): (summand: number, fault: Fault) => void {
        return (summand, { kind }) => {
            if (kind === 'slots') {
                missed.summand = summand;
            }
            this.#isCutOff ||= kind === 'outside';
        };
    }

    /** Goes on with the candidates of a line. */
    #follow(list: readonly Candidate[]): void {
        this.#mostCandidates = Math.max(this.#mostCandidates, list.length);
        const { names, folding } = this.ground;
        const places = names.settle(place => {
            const codes = list.map(({ bindings }) => bindings[place] ?? UNBOUND);
            return codes.some(code => code >= 0) ? 'bound' : codes.includes(ENDED) ? 'ended' : 'unused';
        });
        this.#candidates =
            places === undefined
                ? list
                : list.map(candidate =>
                      folding.canonical({
                          ...candidate,
                          bindings: places.map(place => candidate.bindings[place] ?? UNBOUND),
                      }),
                  );
        const hashes = new Int32Array(2 * list.length);
        this.#candidates.forEach((candidate, index) => {
            hashes[2 * index] = trailHash(candidate, names.bound, FIRST_HASH);
            hashes[2 * index + 1] = trailHash(candidate, names.bound, SECOND_HASH);
        });
        this.#trails.push({ origins: Int32Array.from(list, ({ origin }) => origin), hashes });
    }
}

/** The states are valid during the call only. */
export type NotedStep = (before: Readonly<Int32Array>, summand: number, after: Readonly<Int32Array>) => void;

/** A step for which there is no slot. */
interface Missed {
    summand?: number;
}
