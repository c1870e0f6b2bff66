/**
 * The documents that the command line prints with `--json` and the editor shows in its panels. Their fields are stable:
 * fields are added, never renamed. Lines and columns count from 1.
 */
import type { SourceRange } from '../engine/common/source-range.js';
import type {
    AlikeReport,
    AssertionReport,
    BrokenSymmetry,
    FairnessReport,
    HeldFixedReport,
    MembersReport,
    PropertyCost,
    SuggestionReport,
    SymmetryReport,
    TemplateReport,
} from '../engine/describe/report.js';
import type { BranchCoverage, StepCoverage } from '../engine/explore/coverage.js';
import type { ReachableEstimate } from '../engine/explore/reachable-estimate.js';
import type { ReductionOverhead } from '../engine/explore/reduction-overhead.js';
import type { UnreachedStep } from '../engine/explore/text-steps.js';
import type {
    ExplorationLimit,
    ExplorationReport,
    RunOutcome,
    NumbersOutcome,
    NamesOutcome,
    TemplateOutcome,
    TemporalOutcome,
    TraceEntry,
    TraceStep,
    UnexpectedOutcome,
    UnfairStep,
    Violation,
} from '../engine/explore/verdict.js';
import type { Effect, Mutant } from '../engine/mutate/mutation.js';
import type { PassReport } from '../engine/passes/pass-names.js';
import type { ReasonLine } from '../engine/reasons/reason.js';
import type { Cover } from '../engine/tests/cover-names.js';
import type { Test } from '../engine/tests/suite.js';
import type { SuiteReport } from '../engine/tests/run-suite.js';
import type { ReductionChoice } from '../engine/verdict/choose-reduction.js';
import type { Walks } from '../engine/verdict/walks.js';

/** A place in a document. `file` is a path on the command line and a URI in the editor; 1-based, the end is exclusive. */
export interface DocumentLocation {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly endLine: number;
    readonly endColumn: number;
}

/** A fault in the model. A document that has any carries no results. */
export interface DocumentProblem extends DocumentLocation {
    readonly severity: 'error' | 'warning' | 'information';
    readonly code: string;
    readonly message: string;
    /** Other places of the problem, each with its relation to it. */
    readonly related?: readonly (DocumentLocation & { readonly message: string })[];
}

/**
 * A value as it is written in the model: numbers and truth values as such, everything else as text (`none`, `red`).
 * Parameters may be arrays and records, too.
 */
export type DocumentValue =
    number | boolean | string | null | readonly DocumentValue[] | { readonly [field: string]: DocumentValue };

/**
 * A part of the engine's results, with places in files instead of ranges of texts: what its fields mean stands there. Places
 * of the text that explain something come with their text.
 */
export type Located<Part> = Part extends SourceRange
    ? DocumentLocation
    : Part extends readonly (infer Each)[]
      ? readonly Located<Each>[]
      : Part extends object
        ? {
              readonly [Name in keyof Part as Name extends 'range' ? 'location' : Name]: Name extends 'locations'
                  ? readonly DocumentPlace[]
                  : Located<Part[Name]>;
          }
        : Part;

/** A place and the text of the model there. */
export type DocumentPlace = DocumentLocation & { readonly text: string };

/** One state of a run. The first has `step: null`; each later one names the step that led to it. */
export type TraceEntryDocument = Located<TraceEntry>;
export type TraceStepDocument = Located<TraceStep>;
export type ReasonLineDocument = Located<ReasonLine>;
export type UnfairStepDocument = Located<UnfairStep>;
export type UnreachedStepDocument = Located<UnreachedStep>;

export interface ViolationDocument extends Located<
    Pick<Violation, 'kind' | 'name' | 'invariant' | 'possiblyAt' | 'expected'>
> {
    /** The first invariant of those that symmetries exchange with this one. */
    readonly alikeTo?: string;
    readonly location: DocumentLocation;
    /** Why it is violated, the most telling line first. Absent if there is nothing to say. */
    readonly reason?: readonly ReasonLineDocument[];
    /** A run of the model as written, from an initial state, whatever the reduction. */
    readonly trace: readonly TraceEntryDocument[];
    /** Of a temporal property: the index of the entry in `trace` that the last one equals; its own if the run ends there. */
    readonly loopStart?: number;
    /** Of a temporal property: the values of its outer `forall` for which the run violates it. */
    readonly member?: Readonly<Record<string, DocumentValue>>;
    /** How many values there are, and for how many of them it is violated by symmetry. */
    readonly members?: number;
    readonly membersAlike?: number;
    /** Of a temporal property: false where its run was not checked once more to the end. */
    readonly rechecked?: false;
    /** Processes and labeled steps that the loop never takes although they are possible. */
    readonly unfair?: readonly UnfairStepDocument[];
    /**
     * How many reachable states are symmetric to the last one and violate the same property, itself included, in decimal
     * digits: by symmetries that keep the start. Absent without reduction.
     */
    readonly copies?: string;
}

/** Counts of firings in all states, also with symmetry reduction. */
export interface CoverageDocument {
    /** The expanded states, each counted with the states that it stands for. */
    readonly states: number;
    /** Whether every orbit was counted with its size. */
    readonly exact: boolean;
    readonly steps: readonly Located<StepCoverage>[];
    /** Whether tests inside of braces are counted; if not, there were too many states. */
    readonly bodies: boolean;
    /** Tests before steps and inside of their braces. */
    readonly branches: readonly Located<BranchCoverage>[];
}

/** One of several properties, each, or each set of alike ones, with an exploration under the symmetries that it keeps. */
export interface PropertyOutcome
    extends
        Pick<ExploreDocument, 'verdict' | 'reduction' | 'states' | 'transitions' | 'limit'>,
        Partial<Pick<ExploreDocument, 'depth' | 'seconds'>>,
        Partial<
            Pick<
                TemporalOutcome,
                'members' | 'membersChecked' | 'automatonStates' | 'productStates' | 'components' | 'peakBytes'
            >
        > {
    /** An invariant, `deadlock`, `faults` for failing steps, or a temporal property. */
    readonly name: string;
    /** Of a temporal property. */
    readonly kind?: 'property';
    /** It is violated, and the text says that this is meant. */
    readonly expected?: true;
    /** A property of which this one is an image by symmetry: both have one exploration, and the figures are its. */
    readonly alikeTo?: string;
}

/** A run that is to exist. */
export interface RunOutcomeDocument {
    readonly name: string;
    readonly kind: 'run';
    readonly verdict: RunOutcome['verdict'];
    readonly location: DocumentLocation;
    /** Of a shortest one: its steps, the entries of the trace at which its parts are met, and the run as written. */
    readonly steps?: number;
    readonly parts?: readonly number[];
    readonly trace?: readonly TraceEntryDocument[];
    readonly limit?: LimitDocument;
}

export type UnexpectedDocument = Located<UnexpectedOutcome>;

interface ReductionFactor {
    /** The factor's structure (`S4 wr C2`). */
    readonly structure: string;
    readonly strategy: string;
    /** Whether two states that differ by a symmetry of the factor have one representative. */
    readonly unique: boolean;
    /** How many cells the factor moves. */
    readonly cells: number;
}

/** The model that a document is about. */
export interface DocumentTitle {
    readonly schemaVersion: 1;
    readonly model: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
}

/** `value` counts states, bytes, seconds, steps of work or instances; a user may have interrupted the exploration, too. */
export interface LimitDocument extends Located<Omit<ExplorationLimit, 'kind'>> {
    readonly kind: string;
}

/** What the command line prints for `explore --json`. */
export interface ExploreDocument
    extends
        DocumentTitle,
        Pick<
            ExplorationReport,
            | 'verdict'
            | 'states'
            | 'transitions'
            | 'depth' // of the quotient: if `reduction.start` is `moved`, a run to a certain state may need more steps
            | 'outside'
            | 'deadlocks'
            | 'omissionProbability'
            | 'por'
            | 'bytesPerState'
            | 'peakBytes'
        > {
    readonly reduction: {
        /** The group's structure (`C10`), or `1` without reduction. */
        readonly group: string;
        /** The group's order in decimal digits: it may exceed 2^53. */
        readonly order: string;
        /** `moved` if some of these symmetries map initial states to other states: then parts of orbits may not be reached. */
        readonly start: 'kept' | 'moved';
        /** The order of the symmetries that keep the start: sizes of orbits are under these. */
        readonly startOrder: string;
        readonly strategy: string;
        /** The strategy of each direct factor on cells of its own; absent without reduction. */
        readonly factors?: readonly ReductionFactor[];
        /** Whether every orbit is stored exactly once. */
        readonly unique: boolean;
        /** The sets of invariants that the group keeps as a set, and exchanges; absent if there are none. */
        readonly alike?: readonly (readonly string[])[];
        /** What `auto` has chosen, and the estimate behind it; absent if there was no choice. */
        readonly choice?: ReductionChoice;
        /** The measured cost of representatives; absent without reduction and in short explorations. */
        readonly overhead?: ReductionOverhead;
    };
    /** The passes over the model before the search, with what they have done. */
    readonly passes: readonly PassReport[];
    /** What was checked beside faults: `deadlock`, then the properties, in the order of the text. */
    readonly checked?: readonly string[];
    /** The states without reduction, in decimal digits; absent if they are not known exactly. */
    readonly allStates?: string;
    readonly seconds: number;
    readonly statesPerSecond: number;
    /** Threads that have searched. */
    readonly workers: number;
    readonly violations: readonly ViolationDocument[];
    /** What ended the exploration before it was complete. */
    readonly limit?: LimitDocument;
    /** How many instances of each template there were at once; absent if the model has no templates. */
    readonly templates?: readonly TemplateOutcome[];
    readonly names?: readonly NamesOutcome[];
    /** By those that meet, what was kept of numbers without end; absent if the model has none. */
    readonly numbers?: readonly (Omit<NumbersOutcome, 'depends'> & {
        /** The steps that depend on how long long distances are. */
        readonly depends: readonly { readonly label: string; readonly location: DocumentLocation }[];
    })[];
    /** Whether the stored states are exactly those that are reached; absent without numbers without end, and with a limit. */
    readonly stepsExact?: boolean;
    /** How many searches it took until there was room for all instances and numbers, or distances enough; absent without both. */
    readonly growthRounds?: number;
    /** Why states were interpreted; absent if generated code has expanded them. */
    readonly interpretedBecause?: string;
    /** A file from which the exploration can be continued. */
    readonly checkpoint?: {
        readonly file: string;
        readonly bytes: number;
        /** Why it could not be written; an older file of this name is still there. */
        readonly problem?: string;
    };
    /** The first constraint: what is said of states is said of those within. Absent if the model has none. */
    readonly constraint?: DocumentLocation;
    /** The steps that no run takes; absent if that is not known. If the start has moved, there may be others. */
    readonly unreached?: readonly UnreachedStepDocument[];
    /** With `--coverage`. */
    readonly coverage?: CoverageDocument;
    /**
     * The temporal properties, each with searches of its own; with `--each` all properties, and the counts above are sums,
     * the depth and the bytes the greatest. Last the runs that are to exist.
     */
    readonly properties?: readonly (PropertyOutcome | RunOutcomeDocument)[];
    /** What the text says and is not so: violations that are missing, runs that do not exist, steps that are never taken. */
    readonly unexpected?: readonly UnexpectedDocument[];
    /** What is odd about the model, as far as only an exploration can tell; absent if nothing is. */
    readonly warnings?: readonly DocumentProblem[];
}

/** What the command line prints for `explore --sweep --json`: explorations for one value of a parameter after the other. */
export interface SweepDocument extends DocumentTitle {
    /** `holds` if every value was explored and holds. */
    readonly verdict: ExploreDocument['verdict'];
    readonly sweep: readonly ExploreDocument[];
    /** The time was over before the next exploration began. */
    readonly limit?: ExploreDocument['limit'];
}

/** What the command line prints for `explore --param N=all --json`: the verdict for all values of some parameters. */
export interface EverySizeDocument extends DocumentTitle {
    readonly verdict: ExploreDocument['verdict'];
    /** The parameters with all their values. */
    readonly forAll: readonly string[];
    /** The invariants that were checked; faults of steps always are. */
    readonly invariants: readonly string[];
    /** What was not asked for all values: `deadlock`, properties of runs; empty if the call says what to check. */
    readonly notForAll: readonly string[];
    /** Views that prove that invariants hold and steps have no fault; absent if there is no proof. */
    readonly views?: number;
    /** The members in a view beside those that the shared part names. */
    readonly viewSize?: number;
    /** The most members that take part in a step. */
    readonly extra: number;
    /** States of instances that were run for the proof, and their steps. */
    readonly configurations?: number;
    readonly steps?: number;
    /** Whether the proof was checked again, to the end; absent without one. */
    readonly rechecked?: boolean;
    /** Instances that were explored as they are. */
    readonly exact: readonly ExactSizeDocument[];
    /** What the last views do not exclude; absent if there is a proof, or a violation. */
    readonly suspicion?: { readonly viewSize: number; readonly kind: string; readonly name: string };
    /** The parameters of the smallest instance with a violation, and its violations. */
    readonly violatedFor?: Readonly<Record<string, number>>;
    /** As of an exploration. */
    readonly constraint?: DocumentLocation;
    readonly violations: readonly ViolationDocument[];
    readonly limit?: LimitDocument;
    readonly seconds: number;
}

/** One instance: its parameters, and what its exploration has found. */
export interface ExactSizeDocument {
    readonly params: Readonly<Record<string, number>>;
    readonly verdict: ExploreDocument['verdict'];
    readonly states: number;
    readonly deadlocks: number;
}

/** What the command line prints for `simulate --json`. */
export interface SimulateDocument extends DocumentTitle {
    /** The same seed gives the same walk. Absent for a script. */
    readonly seed?: number;
    /** Why the walk ended. `deadlock` is one that the model allows; others are violations. */
    readonly end: 'steps' | 'terminated' | 'deadlock' | 'outside' | 'violated';
    /** What the last state, or the last step, violates. */
    readonly violation?: Pick<ViolationDocument, 'kind' | 'name' | 'location' | 'expected'>;
    /** Properties of runs, which a walk that has an end says nothing about. Absent without any. */
    readonly notChecked?: readonly string[];
    readonly trace: readonly TraceEntryDocument[];
}

/** What the command line prints for `mutate --json`. */
export interface MutateDocument {
    readonly schemaVersion: 1;
    readonly models: readonly {
        readonly file: string;
        readonly model: string;
        readonly params: DocumentTitle['params'];
        /** In the order of the text. */
        readonly mutants: readonly MutantDocument[];
        /** How many entries of the baseline are of no mutant that survives any more. Absent if each is. */
        readonly unmatched?: number;
    }[];
    /** Of files without a model that can be changed. Absent if there are none. */
    readonly problems?: readonly DocumentProblem[];
}

/** A change of a model at one place of its text, and whether anything in the model notices it. */
export interface MutantDocument extends Omit<Mutant, 'range' | 'part' | 'effect'> {
    readonly location: DocumentLocation;
    /** Of a survivor, if it is known: how its behavior differs, and by how many states and steps. */
    readonly effect?: Effect['kind'];
    readonly states?: number;
    readonly steps?: number;
    /** The numbers are of one for each orbit under symmetries that both have. */
    readonly upToSymmetry?: boolean;
    /** The word why, of a survivor that the baseline has. */
    readonly because?: string;
}

/** What the command line prints for `match --json`. */
export interface MatchDocument extends DocumentTitle {
    readonly logs: readonly LogDocument[];
    /** Logs that are wrong or cannot be read, and the one at which the time was over or Ctrl+C came. */
    readonly problems?: readonly DocumentProblem[];
    /** Steps that no log has shown; with `--coverage`. */
    readonly unshown?: readonly string[];
}

/** A log against a model. */
export interface LogDocument {
    readonly file: string;
    readonly verdict: 'fits' | 'misfit' | 'violated' | 'undecided';
    /** Whether each line is a step of one run. */
    readonly fits: boolean;
    /** How many lines are. */
    readonly lines: number;
    /** The number of symmetries that fold candidates, and the most candidates before a line. */
    readonly symmetries: string;
    readonly mostCandidates: number;
    readonly misfit?: MisfitDocument;
    /** Why there is no verdict. */
    readonly limit?: { readonly line: number; readonly hidden?: string; readonly template?: string };
    /** With `--complete`: the log ends where more must happen. */
    readonly incomplete?: true;
    readonly names: readonly { readonly name: string; readonly type: string; readonly value: string }[];
    readonly trace: readonly TraceEntryDocument[];
    /** `possible`: some explanations of the log have passed a violation; others none, or a constraint has cut some off. */
    readonly invariants: readonly { readonly name: string; readonly verdict: 'violated' | 'possible' }[];
    /** Keys of lines that say nothing of the model. */
    readonly ignoredKeys: readonly string[];
}

/** The line that no run explains. */
export interface MisfitDocument {
    readonly line: number;
    /** Of states before it, up to symmetry. */
    readonly candidates: number;
    readonly nearest: readonly { readonly step: string; readonly refusedBy: string; readonly candidates: number }[];
    readonly instead: readonly string[];
    /** Single changes of the log that let most lines fit. */
    readonly repairs: readonly LogRepairDocument[];
    /** Steps that the log never shows; if one of them is hidden, the line fits. */
    readonly hide: readonly string[];
    /** The last line that was looked at for repairs. */
    readonly lastLine?: number;
    /** The time was over before all changes of the last lines were tried. */
    readonly areOthersLeft?: true;
}

export interface LogRepairDocument {
    /** `missing`: a step before the line; `exchange`: the line and the next; `other`: the line is some other step. */
    readonly kind: 'remove' | 'missing' | 'exchange' | 'other';
    readonly line: number;
    readonly step?: string;
    /** The last line that then fits. */
    readonly reaches: number;
}

/** What the command line prints for `tests --json`. */
export interface TestsDocument extends DocumentTitle {
    readonly cover: Cover;
    /** The number of symmetries under which orbits are meant. */
    readonly symmetries: string;
    readonly tests: readonly Test[];
    /** How many orbits of transitions the tests take, and how many there are. */
    readonly covered: number;
    readonly transitionOrbits: number;
    /** Other tests are missing: not all states were looked at, or the tests would have too many steps. */
    readonly limit?: 'states' | 'time' | 'instances' | 'steps';
    /** With an adapter: what came of the tests. Then `covered` is what the system has taken. */
    readonly executed?: SuiteReport;
}

/** What the command line prints for `simulate --runs --json`: many random walks. */
export interface WalksDocument extends DocumentTitle {
    readonly seed: number;
    readonly walks: Omit<Walks, 'violations' | 'limit'>;
    /** Each with a shortest walk to it, and how many walks met it. */
    readonly violations: readonly (Pick<ViolationDocument, 'kind' | 'name' | 'location' | 'expected' | 'trace'> & {
        readonly runs: number;
    })[];
    /** The reason why there are fewer walks. */
    readonly limit?: LimitDocument;
}

/** A symmetry that the declarations suggest and the model does not have. */
export type BrokenSymmetryDocument = Located<
    Pick<BrokenSymmetry, 'expected' | 'found' | 'index' | 'message' | 'locations'>
> & {
    readonly fixes: readonly DocumentFix[];
    /** The places order the values of a type, compute with them, or look them up in a table: it is no damage. */
    readonly intended?: true;
};

/** Edits that bring a symmetry back, as was tried: new text for places. */
export interface DocumentFix {
    readonly title: string;
    readonly edits: readonly (DocumentLocation & { readonly newText: string })[];
}

/** An `assert symmetric` of the model. If it fails, it would hold without the text at `locations`. */
export type AssertionDocument = Located<
    Pick<AssertionReport, 'text' | 'verdict' | 'message' | 'range' | 'locations'>
> & { readonly fixes: readonly DocumentFix[] };

/** A group that a model has for all values of these parameters. */
interface UniformDocument {
    readonly forAll: readonly string[];
    /** `S_N` */
    readonly group: string;
    /** Where the values stand that it permutes: `turn`, `flag[Proc]`. */
    readonly places: readonly string[];
    readonly proved: true;
}

/** The groups that were found for some values of one parameter. */
export interface SeenDocument {
    readonly parameter: string;
    /** Ascending. A size whose search did not end in time is left out with all after it. */
    readonly sizes: readonly { readonly value: number; readonly structure: string; readonly order: string }[];
    /** One name for all these groups, if there is one: `D_N`. */
    readonly pattern?: string;
}

/** The JSON of `orbit symmetry`: the engine's report, with places in files. */
export interface SymmetryDocument
    extends
        DocumentTitle,
        Pick<
            SymmetryReport,
            | 'order'
            | 'structure'
            | 'steps'
            | 'factors'
            | 'generators'
            | 'variableOrbits'
            | 'literalOrbits'
            | 'potentialStates'
            | 'potentialOrbits'
            | 'potentialOrbitsMissing'
            | 'numbersUpTo'
            | 'graph'
            | 'work'
            | 'complete'
            | 'verified'
            | 'undescribed'
            | 'unexplained'
            | 'staticOrder'
        > {
    /** The processes whose instances are created; absent if there are none. */
    readonly templates?: readonly TemplateDocument[];
    /** Reachable states for each orbit, estimated on random walks; absent if the estimate would take too long. */
    readonly reachableEstimate?: ReachableEstimate;
    readonly properties: readonly (Partial<Omit<MembersReport, 'areProcesses'>> & {
        readonly name: string;
        /** Of a temporal property, which has members. */
        readonly kind?: 'property';
        readonly order: string;
        readonly structure: string;
        /** The invariants that symmetries exchange with this one, the first of them, and the group that keeps their set. */
        readonly alike?: AlikeReport;
        /** The first invariant of those that symmetries exchange with this one. */
        readonly alikeTo?: string;
        /** What costs symmetries, if the property keeps fewer than the model has and the reason was found. */
        readonly cost?: Located<PropertyCost>;
    })[];
    /** Absent for a model in which nothing is fair and nothing assumed. */
    readonly fairness?: Pick<FairnessReport, 'constraints' | 'orbits' | 'keeps'> & {
        /** The constraints that cost symmetries, if fairness keeps fewer than the model has and they were found. */
        readonly cost?: Located<PropertyCost>;
    };
    /** Groups that are proved for all values of the parameters; absent where nothing asked for them. */
    readonly uniform?: readonly UniformDocument[];
    /** What a search found at the smallest sizes, if less than that is proved. It says nothing of other sizes. */
    readonly seen?: SeenDocument;
    /** The search found something that is no symmetry of the model, a defect of Orbit: all symmetries were given up. */
    readonly refuted?: true;
    readonly timings: Readonly<Record<string, number>>;
    readonly broken: readonly BrokenSymmetryDocument[];
    /** What is held fixed because it is too large to be compared; then `complete` is false. */
    readonly heldFixed?: readonly Located<HeldFixedReport>[];
    readonly assertions: readonly AssertionDocument[];
    /** With `--why`: what each declaration suggests, and what was found of it. */
    readonly why?: readonly Located<Omit<SuggestionReport, 'isAll'>>[];
}

/** A process whose instances are created, with as many as were considered, and where that is. */
export type TemplateDocument = Located<Omit<TemplateReport, 'range'>>;

/** What the command line prints for `verify --json`. */
export interface VerifyDocument extends DocumentTitle {
    /** As in `SymmetryDocument`, by the permutations that were verified. */
    readonly templates?: readonly TemplateDocument[];
    readonly verdict: 'verified' | 'refuted' | 'undecided';
    /** How many generators were checked, those of all groups together. */
    readonly generators: number;
    readonly groups: readonly {
        /** The properties whose truth the group keeps. */
        readonly properties: readonly string[];
        /** The sets of properties that it keeps as a set, and exchanges; absent if there are none. */
        readonly alike?: readonly (readonly string[])[];
        readonly order: string;
        readonly generators: number;
        /** It need not map initial states to initial states; absent if it does. */
        readonly start?: 'moved';
    }[];
    /** How many states each generator was tried on, and whether these are all that can be reached. */
    readonly states: number;
    readonly exhaustive: boolean;
    /** Of numbers without end, up to which one states are tried: with more of them no step is different. */
    readonly numbersUpTo?: number;
    /** Whether the orders were computed from the generators and compared. */
    readonly ordersChecked: boolean;
    /** Whether the groups have all symmetries; absent for those of a certificate. */
    readonly complete?: boolean;
    readonly refutations: readonly RefutationDocument[];
    /** What is claimed for all values of the parameters; absent if nothing is. */
    readonly uniform?: UniformVerification;
}

/** The check of the groups that a text has for all values of its parameters. */
export interface UniformVerification {
    readonly forAll: readonly string[];
    /** How many classes of places have such a group. */
    readonly classes: number;
    /** Places of the text that stand against it; empty if the claim is right. */
    readonly objections: readonly { readonly message: string; readonly location: DocumentLocation }[];
}

/** What the command line prints for `verify --param N=all --json`. */
export interface VerifyViewsDocument extends DocumentTitle {
    readonly verdict: 'verified' | 'refuted' | 'undecided';
    readonly forAll: readonly string[];
    readonly invariants: readonly string[];
    readonly views: number;
    readonly viewSize: number;
    readonly extra: number;
    /** States of instances that were run, and their steps; absent unless verified. */
    readonly configurations?: number;
    readonly steps?: number;
    /** Why the views prove nothing. */
    readonly reason?: string;
}

/** Why a generator is no symmetry, or a group has not the claimed order. */
export interface RefutationDocument {
    readonly kind: string;
    readonly message: string;
    /** The generator, as its index in a certificate and in cycle notation on literals. */
    readonly generator?: number;
    readonly cycles?: string;
    /** A state and its image that show it. */
    readonly state?: TraceEntryDocument['state'];
    readonly image?: TraceEntryDocument['state'];
    /** The step that is possible in one of the two and has no counterpart in the other. */
    readonly step?: TraceStepDocument;
}

/** The document in place of a result if the model has errors. */
export interface ProblemsDocument {
    readonly schemaVersion: 1;
    readonly problems: readonly DocumentProblem[];
}

/** Whether a document lists errors of the model instead of results. */
export function isProblemsDocument(document: object): document is ProblemsDocument {
    return 'problems' in document;
}
