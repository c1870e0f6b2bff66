/**
 * The answers of an exploration: plain data. The verdict, the counts, and for each violation a run of the model as
 * written. A limit that ended the search leaves the question undecided, unless a violation was found before.
 */
import type { SourceRange } from '../common/source-range.js';
import type { FaultKind } from '../sequential/sequential-model.js';
import type { ReductionOverhead } from './reduction-overhead.js';

/** `undecided` where a limit was reached before a violation was found and before all was explored. */
export type Verdict = 'holds' | 'violated' | 'undecided';

/**
 * What ended an exploration early: stored states, bytes, milliseconds, the work on the representative of one state,
 * threads that have ended before their work, the states of the automaton of a property, instances of a template, values of a
 * type without end, codes for numbers without end, cases of their distances in one step. After `notReal` no real run is known
 * for what was found, after `distances` it is not known what is possible.
 */
export interface ExplorationLimit {
    readonly kind:
        | 'states'
        | 'memory'
        | 'time'
        | 'work'
        | 'thread'
        | 'automaton'
        | 'instances'
        | 'names'
        | 'numbers'
        | 'openings'
        | 'notReal'
        | 'distances';
    readonly value: number;
    /** The template or the type of which there are too many instances or values, with a run whose last step needs one more. */
    readonly template?: string;
    /** Of `notReal` the real run that goes farthest; `value` is its length. */
    readonly trace?: readonly TraceEntry[];
    /** Of `openings`, `distances` and `notReal` the step that depends on distances; of the latter absent after the last step. */
    readonly step?: TraceStep;
    /** Of `notReal` what was found. */
    readonly found?: string;
}

/** A value as the model writes it; truth values and integers as such. */
export type TraceValue = boolean | number | string;

/** A step of a run, as the text calls it. */
export interface TraceStep {
    /** The instances that moved: `Phil[0]`, or `Phil[0] & Fork[1]` where they met in an event. */
    readonly process: string;
    /** The label, else the event, else the line. */
    readonly label: string;
    /** The choices of the instances: `k = 2`. Absent without a choice. */
    readonly choice?: string;
    readonly range: SourceRange;
}

/** A state of a run, with the step that leads to it. */
export interface TraceEntry {
    /** The step that led here; `null` for the initial state. */
    readonly step: TraceStep | null;
    /** The value of each cell by its name, that of a program counter too. A cell that holds no value is left out. */
    readonly state: Readonly<Record<string, TraceValue>>;
    /** The names in `state` here or before whose value differs, appears or disappears. Empty for the initial state. */
    readonly changed: readonly string[];
    /** The step is a fault: it has no successor, and `state` is the one before it. Only in the last entry. */
    readonly fault?: FaultKind;
    /** The values that a reader has asked of the state, by what was asked. */
    readonly asked?: Readonly<Record<string, string>>;
    /** The line of a log that the step is. */
    readonly logLine?: number;
}

/** A run by its states. `firings[i]` is the summand that leads from `states[i]` to the next one, or is a fault there. */
export interface Run {
    readonly states: readonly Readonly<Int32Array>[];
    readonly firings: readonly number[];
}

/** What happens in the last state of the run: nothing (it is a deadlock or violates an invariant), or a firing faults. */
export interface FinalFault {
    readonly kind: FaultKind;
    readonly range: SourceRange;
}

/** A violation with a run that leads to it. */
export interface Violation {
    readonly kind: 'deadlock' | 'invariant' | 'fault' | 'property';
    /** The invariant, the kind of fault, or `deadlock`. */
    readonly name: string;
    /** The declaration of the invariant, the place of the fault; absent for a deadlock, which is nowhere in the text. */
    readonly range?: SourceRange;
    /** Of a fault: the invariant or the temporal property that it is in, if it is in one. */
    readonly invariant?: string;
    /** Of a fault: other places of it by symmetries that do not keep the start, so that runs may or may not show it there. */
    readonly possiblyAt?: readonly SourceRange[];
    /** For readers, and for what else is computed from the run. */
    readonly trace: readonly TraceEntry[];
    readonly run: Run;
    /**
     * How many states are this violation by symmetry, with the last one of the trace: those of its orbit, of an invariant
     * with alike ones those that violate it. Absent without reduction, and where the group is too large to say.
     */
    readonly copies?: bigint;
    /** Of a temporal property. */
    readonly loop?: Loop;
    /** The text says that it is meant. */
    readonly expected?: true;
}

/** Of a violated temporal property: the run comes back to a state, and the steps between are repeated for ever. */
export interface Loop {
    /** The number of the trace entry that the last one equals; the last one itself if nothing happens any more. */
    readonly start: number;
    /** The values of the outer `forall` for which it is violated, by name. */
    readonly member: Readonly<Record<string, TraceValue>>;
    /** How many valuations there are, and how many of them are violated by symmetry. */
    readonly members: number;
    readonly copies: number;
    /** Where the run was not checked once more to the end, because what is `possible` takes too many states. */
    readonly rechecked?: false;
    /** Whom the loop treats unfairly, whether that is asked for or not. */
    readonly unfair: readonly UnfairStep[];
}

/** A process, or one of its steps, that is never taken although it is always possible (`weak`), or again and again. */
export interface UnfairStep {
    readonly process: string;
    readonly label?: string;
    /** The step. */
    readonly range?: SourceRange;
    readonly kind: 'weak' | 'strong';
}

/** The outcome of one temporal property. The counts are sums over its searches, the bytes the most of one. */
export interface TemporalOutcome {
    readonly name: string;
    readonly verdict: Verdict;
    /** Valuations of its outer `forall`, and how many were checked: the others are images of these by symmetry. */
    readonly members: number;
    readonly membersChecked: number;
    readonly states: number;
    readonly transitions: number;
    /** Of the automaton of what would violate it, and of its product with the states. */
    readonly automatonStates: number;
    readonly productStates: number;
    readonly components: number;
    readonly bytesPerState: number;
    readonly peakBytes: number;
    readonly limit?: ExplorationLimit;
    /** The symmetries that keep the first member with its fairness. */
    readonly reduction: {
        readonly group: string;
        readonly order: string;
        /** `moved` if some of them map initial states to other states. */
        readonly start: 'kept' | 'moved';
        /** The order of those that keep the start. */
        readonly startOrder: string;
        readonly strategy: string;
        readonly unique: boolean;
    };
}

/** A violation, or a run that is to exist. */
export type Traced = Omit<Violation, 'kind'> & { readonly kind: Violation['kind'] | 'run' };

/** A run as a trace, and by its states. */
export type FoundRun = Pick<Violation, 'name' | 'trace' | 'run'>;

/** A run that is to exist. */
export interface RunOutcome {
    readonly name: string;
    /** The name in the declaration. */
    readonly range: SourceRange;
    readonly verdict: 'reached' | 'none' | 'undecided';
    /** A shortest one. */
    readonly found?: FoundRun;
    /** By part the entry of the trace in which it is met, or which its step leaves. */
    readonly parts?: readonly number[];
    readonly limit?: ExplorationLimit;
}

/** What the text says and is not so. */
export interface UnexpectedOutcome {
    /** `missing`: a violation that is meant is not found. `none`: a run does not exist. `dead`: a step is never taken. */
    readonly kind: 'missing' | 'none' | 'dead';
    /** What is meant to be violated, the run, or the step. */
    readonly name: string;
    /** The statement. */
    readonly range: SourceRange;
    /** The step that is never taken. */
    readonly step?: SourceRange;
}

/** How many instances of a template there were at once. */
export interface TemplateOutcome {
    readonly name: string;
    /** Those that live, and those that live or are named by a variable or a message. */
    readonly mostLive: number;
    readonly mostNamed: number;
    /** The room that the search had. */
    readonly slots: number;
}

/** How many values of a type without end were named by the text, by variables or by messages at once. */
export type NamesOutcome = Omit<TemplateOutcome, 'mostLive'>;

/** What a search has kept of numbers without end that meet. */
export interface NumbersOutcome {
    readonly places: readonly string[];
    /** Whether 0 counts as one of them. */
    readonly told: boolean;
    /** The most different ones in one state. */
    readonly mostDifferent: number;
    readonly codes: number;
    /** From here on distances are one. */
    readonly kept: number;
    /** Whether no step depends on how long such a distance is; absent if a limit ended the search. */
    readonly exact?: boolean;
    /** The steps that do. */
    readonly depends: readonly { readonly label: string; readonly range: SourceRange }[];
}

/** A search that takes some of the possible steps. */
export interface PartialOrderOutcome {
    /** What was done; `off` where `auto` gave up, or where it is not possible. */
    readonly mode: 'off' | 'shortest' | 'fewest';
    /** The steps that were taken in the stored states, and those that were possible there, while a choice was made. */
    readonly fired: number;
    readonly enabled: number;
    /** What the search looked for. */
    readonly goals: readonly string[];
    /** With `fewest`: how many steps must not be put off for ever. */
    readonly sticky?: number;
    /** Why all steps were taken. */
    readonly because?: string;
}

/** The verdict of an exploration, and its counts. */
export interface ExplorationReport {
    readonly verdict: Verdict;
    /** States stored: with unique representatives the number of orbits reached. */
    readonly states: number;
    /**
     * The reachable states: the sizes of the stored orbits together. Absent without reduction, and if it is not known exactly
     * or would take long to find out.
     */
    readonly allStates?: bigint;
    /** Firings of the stored states, faults included. */
    readonly transitions: number;
    /** Steps from an initial state to the farthest state stored. */
    readonly depth: number;
    /**
     * An upper bound of the probability that a state was taken for another one, and what comes after it was not seen; absent
     * where states are compared as a whole.
     */
    readonly omissionProbability?: number;
    /**
     * Firings of stored states that the constraint cut off, which are no transitions. Present if the model has a constraint
     * and all states were expanded.
     */
    readonly outside?: number;
    /** Stored states without a firing in which some instance may not stop, also under `allow deadlock`. */
    readonly deadlocks: number;
    readonly bytesPerState: number;
    readonly peakBytes: number;
    /** Shortest trace first; one for each kind, name and place, unless more were asked for. */
    readonly violations: readonly Violation[];
    readonly limit?: ExplorationLimit;
    /** The instances that are created; absent if there are no templates. */
    readonly templates?: readonly TemplateOutcome[];
    /** The types whose values have no end and are only compared; absent if there are none. */
    readonly names?: readonly NamesOutcome[];
    /** How many searches it took until there was room for all instances and numbers, or distances enough. */
    readonly growthRounds?: number;
    /** By those that meet, the numbers without end; absent if there are none. */
    readonly numbers?: readonly NumbersOutcome[];
    /** Of the temporal properties, in the order of the text, as far as they were checked; absent without any. */
    readonly properties?: readonly TemporalOutcome[];
    /** Of those that are to exist the ones that states have shown; absent without any. */
    readonly reached?: readonly FoundRun[];
    /** Those that are to exist, in the order of the text; absent without any. */
    readonly runs?: readonly RunOutcome[];
    /** In the order of the text; absent if all is as it is stated. */
    readonly unexpected?: readonly UnexpectedOutcome[];
    /** Present if only some of the possible steps were looked for. */
    readonly por?: PartialOrderOutcome;
    readonly reduction?: {
        readonly strategy: string;
        /** Whether every orbit was stored exactly once. */
        readonly unique: boolean;
        /** What representatives have cost; absent without a clock, in a small search, and where states are interpreted. */
        readonly overhead?: ReductionOverhead;
    };
}

/** A violation is an answer, whatever limit ended the search. */
export function verdictOf(violationCount: number, limit: ExplorationLimit | undefined): Verdict {
    if (violationCount > 0) {
        return 'violated';
    }
    return limit === undefined ? 'holds' : 'undecided';
}
