/**
 * Follows a log: the candidates after each line are all states that the model may be in, with what the names of the log
 * then stand for. A line is one step after any number of hidden ones, or says something of a state behind them. If no
 * candidate is left, the line fits nothing.
 */
import { invariant } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import { remembered } from '../common/list-map.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import type { FiringVisitor } from '../explore/successors.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import { CandidateSet, trailHash, type Candidate } from './candidates.js';
import { folded } from './folding.js';
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
    readonly #behind = new CandidateSet();
    readonly #next = new CandidateSet();

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
        const state = new Int32Array(this.ground.sequential.cells.length);
        const bindings: Bindings = [];
        this.#next.clear();
        while (states.nextInto(state)) {
            this.#add(this.#next, state, bindings, { passed: this.passed.none, origin: -1 });
            if (this.#next.list.length > this.#most) {
                return { kind: 'limit' };
            }
        }
        if (this.#next.list.length === 0) {
            invariant(states.problem !== undefined, 'without an initial state there is a problem');
            return { kind: 'problem', problem: states.problem };
        }
        this.#follow(this.#next.list);
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
        this.#next.clear();
        this.#stepsOf(observation, reached, missed, noted);
        const { list } = this.#next;
        if (missed.summand !== undefined) {
            return { kind: 'slots', summand: missed.summand };
        }
        if (list.length > this.#most) {
            return { kind: 'limit' };
        }
        if (list.length === 0) {
            return { kind: 'misfit', reached };
        }
        this.#follow(list);
        return { kind: 'fits' };
    }

    /** The candidates after any step that a log shows. */
    takeAny(isMeant: (summand: number) => boolean): Taken {
        const missed: Missed = {};
        const reached = this.#behindHidden(missed);
        if ('kind' in reached) {
            return reached;
        }
        this.#next.clear();
        let from: Candidate | undefined;
        const visitor: FiringVisitor = {
            fired: (summand, after) => {
                if (from !== undefined && isMeant(summand)) {
                    this.#add(this.#next, after, from.bindings, from);
                }
                return true;
            },
            faulted: this.#noteMissed(missed),
        };
        for (from of reached) {
            this.ground.forEachSeen(from.state, visitor);
        }
        const { list } = this.#next;
        if (missed.summand !== undefined) {
            return { kind: 'slots', summand: missed.summand };
        }
        if (list.length === 0 || list.length > this.#most) {
            return list.length === 0 ? { kind: 'misfit', reached } : { kind: 'limit' };
        }
        this.#candidates = list;
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
                    return true;
                },
                faulted: (_summand: number, { kind }: Fault) => {
                    canGoOn = true;
                    this.#isCutOff ||= kind === 'outside';
                    return true;
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

    /** Adds the candidates behind the line. */
    #stepsOf(
        observation: Observation,
        reached: readonly Candidate[],
        missed: Missed,
        noted: NotedStep | undefined,
    ): void {
        const { steps } = this.ground;
        if (observation.step === undefined) {
            for (const candidate of reached) {
                const { state, bindings } = candidate;
                for (const known of steps.ofState(observation, state, bindings)) {
                    this.#add(this.#next, state, known, candidate);
                }
            }
            return;
        }
        // Many candidates share their bindings.
        const named = new Map<Bindings, readonly SomeSteps[]>();
        let [from] = reached;
        const visitor: FiringVisitor = {
            fired: (summand, after) => {
                const { state, bindings } = from;
                for (const known of steps.ofFiring(observation, summand, { before: state, after }, bindings)) {
                    noted?.(state, summand, after);
                    this.#add(this.#next, after, known, from);
                }
                return true;
            },
            faulted: this.#noteMissed(missed),
        };
        for (from of reached) {
            const { state, bindings } = from;
            for (const some of remembered(named, bindings, () => this.ground.namedSteps(observation, bindings))) {
                some.forEach(state, visitor);
            }
        }
    }

    /** The candidates, and those that hidden steps lead to. */
    #behindHidden(missed: Missed): readonly Candidate[] | Taken {
        const set = this.#behind;
        set.clear();
        const queue = this.#candidates.map(({ state, bindings, passed }, origin) => {
            // Some are the same once a name has ended in all of them.
            const at = set.add(state, bindings, passed, origin);
            const known = set.list[at].passed;
            if (known !== passed) {
                set.replace(at, this.passed.union(known, passed));
            }
            return at;
        });
        /** By summand. */
        const added: (number | undefined)[] = [];
        let [from] = set.list;
        const visitor: FiringVisitor = {
            fired: (summand, after) => {
                const before = set.list.length;
                const grown = this.#add(set, after, from.bindings, from);
                if (grown >= 0) {
                    queue.push(grown);
                }
                if (set.list.length > before) {
                    added[summand] = (added[summand] ?? 0) + 1;
                }
                return true;
            },
            faulted: this.#noteMissed(missed),
        };
        // A candidate comes again if it has more explanations. The list grows during the loop.
        for (const index of queue) {
            from = set.list[index];
            this.ground.forEachHidden(from.state, visitor);
            if (missed.summand !== undefined) {
                return { kind: 'slots', summand: missed.summand };
            }
            if (set.list.length > this.#most) {
                return this.#limit(added);
            }
        }
        return set.list;
    }

    #limit(added: readonly (number | undefined)[]): Taken {
        const counts = new Map<string, number>();
        added.forEach((count = 0, summand) => {
            const { label } = this.ground.sequential.summands[summand];
            counts.set(label, (counts.get(label) ?? 0) + count);
        });
        const [most] = [...counts].sort(([, one], [, other]) => other - one);
        return { kind: 'limit', ...(most !== undefined && { label: most[0] }) };
    }

    /** Adds the candidate after a step, as the one that stands for its orbit. -1 if it has no new explanations. */
    #add(
        set: CandidateSet,
        state: Readonly<Int32Array>,
        bindings: Bindings,
        { passed, origin }: Pick<Candidate, 'passed' | 'origin'>,
    ): number {
        const fold = this.ground.folding.foldOf(this.ground.withEnded(bindings, state));
        const count = set.list.length;
        const at = set.add(fold.stateOf(state), fold.bindings, passed, origin);
        const isNew = at === count;
        if (!isNew && this.passed.isClean) {
            return -1;
        }
        const known = set.list[at];
        const own = this.passed.after(passed, this.ground.violatedIn(known.state));
        const together = isNew ? own : this.passed.union(known.passed, own);
        if (together !== known.passed) {
            set.replace(at, together);
        }
        return isNew || together !== known.passed ? at : -1;
    }

    #noteMissed(missed: Missed): FiringVisitor['faulted'] {
        return (summand, { kind }) => {
            if (kind === 'slots') {
                missed.summand = summand;
            }
            this.#isCutOff ||= kind === 'outside';
            return true;
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
                : list.map(candidate => {
                      const { bindings } = candidate;
                      return folded(
                          { ...candidate, bindings: places.map(place => bindings[place] ?? UNBOUND) },
                          folding,
                      );
                  });
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
