/**
 * The interface between the language server and the editor beyond the Language Server Protocol: requests and
 * notifications, and their plain data. The documents are those that the command line prints with `--json`. Their
 * fields are stable: fields are added, never renamed. Lines and columns in documents count from 1; positions in LSP
 * messages count from 0.
 */
import type { ReductionChoice } from '../engine/verdict/choose-reduction.js';
import type {
    AlikeReport,
    AssertionReport,
    BrokenSymmetry as BrokenReport,
    FairnessReport,
    HeldFixedReport,
    MembersReport,
    PropertyCost,
    SuggestionReport,
    SymmetryReport,
} from '../engine/describe/report.js';
import type { ReachableEstimate } from '../engine/explore/reachable-estimate.js';
import type { ReductionOverhead } from '../engine/explore/reduction-overhead.js';
import type { ExplorationReport, TemplateOutcome, TemporalOutcome } from '../engine/explore/verdict.js';
import type { PassReport } from '../engine/passes/pass-names.js';

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

/** One state of a run. The first has `step: null`; each later one names the step that led to it. */
export interface TraceEntry {
    readonly step: TraceStep | null;
    /** The values by name as in the model: `token[0]`, `P[1].k`. */
    readonly state: Readonly<Record<string, DocumentValue>>;
    /** The names in `state` whose value differs from the state before. Empty for the first. */
    readonly changed: readonly string[];
    /** The step is a fault of this kind: it has no successor, and `state` is the one before it. Only in the last entry. */
    readonly fault?: string;
}

export interface TraceStep {
    /** The instance that moved, as in the model: `Link[2]`. Several, joined by ` & `, when they met in an event. */
    readonly process: string;
    readonly label: string;
    /** What the instances chose: `k = 2`. Absent without a choice. */
    readonly choice?: string;
    readonly location: DocumentLocation;
}

/** A line of a reason; what stands in the text of the model is in backticks. */
export interface ReasonLine {
    readonly text: string;
    /** The place that it speaks of. */
    readonly location?: DocumentLocation;
    /** Lines that say the same of others, and how they are alike: `and 4 more, the same by rotation`. */
    readonly alike?: { readonly text: string; readonly lines: readonly ReasonLine[] };
}

export interface Violation {
    readonly kind: 'deadlock' | 'invariant' | 'property' | 'fault';
    readonly name: string;
    /** Of a fault: the invariant or the temporal property that it is in, if it is in one. */
    readonly invariant?: string;
    /** The first invariant of those that symmetries exchange with this one. */
    readonly alikeTo?: string;
    readonly location: DocumentLocation;
    /** Of a fault: other places of it by symmetries that do not keep the start, so that runs may or may not show it there. */
    readonly possiblyAt?: readonly DocumentLocation[];
    /** Why it is violated, the most telling line first. Absent if there is nothing to say. */
    readonly reason?: readonly ReasonLine[];
    /** A run of the model as written, from an initial state, whatever the reduction. */
    readonly trace: readonly TraceEntry[];
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

/** `weak`: it is always possible in the loop; `strong`: again and again. */
export interface UnfairStepDocument {
    readonly process: string;
    readonly label?: string;
    readonly location?: DocumentLocation;
    readonly kind: 'weak' | 'strong';
}

/** A step of the text that no run takes. */
export interface UnreachedStep {
    /** The name of the process in the text. */
    readonly process: string;
    /** The label in front of the step, else its event, else the line. */
    readonly label: string;
    readonly location: DocumentLocation;
}

/** Counts of firings in all states, also with symmetry reduction. */
export interface CoverageDocument {
    /** The expanded states, each counted with the states that it stands for. */
    readonly states: number;
    /** Whether every orbit was counted with its size. */
    readonly exact: boolean;
    /** `blocked`: how often control stood before the step and it could not fire; absent for steps made by several processes. */
    readonly steps: readonly (UnreachedStep & { readonly fired: number; readonly blocked?: number })[];
    /** Whether tests inside of braces are counted; if not, there were too many states. */
    readonly bodies: boolean;
    /** Tests before steps and inside of their braces: firings with a true and with a false test. */
    readonly branches: readonly {
        readonly process: string;
        readonly location: DocumentLocation;
        readonly whenTrue: number;
        readonly whenFalse: number;
    }[];
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
    /** A property of which this one is an image by symmetry: both have one exploration, and the figures are its. */
    readonly alikeTo?: string;
}

interface ReductionFactor {
    /** The factor's structure (`S4 wr C2`). */
    readonly structure: string;
    readonly strategy: string;
    /** Whether two states that differ by a symmetry of the factor have one representative. */
    readonly unique: boolean;
    /** How many cells the factor moves. */
    readonly cells: number;
}

/** What a document is about. */
export interface DocumentTitle {
    readonly schemaVersion: 1;
    readonly model: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
}

/** `value` counts states, bytes, seconds, steps of work or instances. */
export interface LimitDocument {
    readonly kind: string;
    readonly value: number;
    /** Of `instances`: the template, and a run whose last step creates one more. */
    readonly template?: string;
    readonly trace?: readonly TraceEntry[];
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
            | 'depth'
            | 'deadlocks'
            | 'omissionProbability'
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
    readonly violations: readonly Violation[];
    /** What ended the exploration before it was complete. */
    readonly limit?: LimitDocument;
    /** How many instances of each template there were at once; absent if the model has no templates. */
    readonly templates?: readonly TemplateOutcome[];
    /** How many searches it took until there was room for all instances; absent without templates. */
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
    /** The steps that no run takes; absent if that is not known. If the start has moved, there may be others. */
    readonly unreached?: readonly UnreachedStep[];
    /** With `--coverage`. */
    readonly coverage?: CoverageDocument;
    /**
     * The temporal properties, each with searches of its own; with `--each` all properties, and the counts above are sums,
     * the depth and the bytes the greatest.
     */
    readonly properties?: readonly PropertyOutcome[];
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
    readonly violations: readonly Violation[];
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
    readonly end: 'steps' | 'terminated' | 'deadlock' | 'violated';
    /** What the last state, or the last step, violates. */
    readonly violation?: Pick<Violation, 'kind' | 'name' | 'location'>;
    /** Properties of runs, which a walk that has an end says nothing about. Absent without any. */
    readonly notChecked?: readonly string[];
    readonly trace: readonly TraceEntry[];
}

/** A place and the text of the model there. */
export type DocumentPlace = DocumentLocation & { readonly text: string };

/** A symmetry that the declarations suggest and the model does not have. */
export type BrokenSymmetry = Located<Pick<BrokenReport, 'expected' | 'found' | 'index' | 'message' | 'locations'>> & {
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

/** A part of the engine's report, with places in files instead of ranges of texts. */
type Located<Part> = Omit<Part, 'range' | 'locations'> &
    ('range' extends keyof Part ? { readonly location: DocumentLocation } : unknown) &
    ('locations' extends keyof Part ? { readonly locations: readonly DocumentPlace[] } : unknown);

/** What the command line prints for `symmetry --json`: the engine's report, with places in files. */
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
    readonly broken: readonly BrokenSymmetry[];
    /** What is held fixed because it is too large to be compared; then `complete` is false. */
    readonly heldFixed?: readonly Located<HeldFixedReport>[];
    readonly assertions: readonly AssertionDocument[];
    /** With `--why`: what each declaration suggests, and what was found of it. */
    readonly why?: readonly Located<Omit<SuggestionReport, 'isAll'>>[];
}

/** A process whose instances are created, with as many as were considered, and where that is. */
export interface TemplateDocument {
    readonly name: string;
    readonly slots: number;
    readonly interchangeable: boolean;
    readonly createdAt: readonly DocumentLocation[];
}

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
    readonly state?: TraceEntry['state'];
    readonly image?: TraceEntry['state'];
    /** The step that is possible in one of the two and has no counterpart in the other. */
    readonly step?: TraceStep;
}

/** The document in place of a result if the model has errors. */
export interface ProblemsDocument {
    readonly schemaVersion: 1;
    readonly problems: readonly DocumentProblem[];
}

/**
 * Request: explore the state space of a document in a worker of the server. A cancelled request (`$/cancelRequest`) is
 * answered with the error RequestCancelled within 200 milliseconds, a model with errors with a ProblemsDocument.
 */
export const EXPLORE_REQUEST = 'orbit/explore';

export type Reduction = 'unique' | 'none';

export interface ExploreParams {
    readonly uri: string;
    readonly reduction: Reduction;
    /** Chosen by the caller for each run; progress notifications carry it. */
    readonly runId: string;
    /** Check only this: the name of an invariant or a property, or `deadlock`. Everything the model states when absent. */
    readonly property?: string;
    /** The caller's time, in milliseconds since 1970, from which the result gets the time of its end. */
    readonly startedAt?: number;
}

/** The whole numbers from `first` to `last` as values of a parameter. */
export interface ParameterRange {
    readonly name: string;
    readonly first: number;
    readonly last: number;
}

/**
 * Request: an exploration for each value of a parameter, one after the other within one time limit. Each finished one is
 * sent at once as a notification. Errors and cancellation are those of `orbit/explore`; an edit of the model ends it with
 * the protocol's error for modified content.
 */
export const SWEEP_REQUEST = 'orbit/sweep';

export interface SweepParams extends Pick<ExploreParams, 'uri' | 'reduction' | 'runId'> {
    readonly range: ParameterRange;
    /** Whether larger values are explored after a violation. */
    readonly continueAfterViolation: boolean;
}

export interface SweepResult {
    /** What is wrong with the text, or with the value that was next. */
    readonly problems?: ProblemsDocument;
}

/** Notification: a value of a sweep was explored. */
export const SWEEP_ROW_NOTIFICATION = 'orbit/sweepRow';

export interface SweepRow {
    readonly runId: string;
    /** Of the text that was explored, as in `KeptRun`. */
    readonly sourceKey: string;
    readonly document: KeptDocument;
}

export interface ExploreResult {
    readonly uri: string;
    /** The document version whose text was explored. */
    readonly version: number;
    readonly document: ExploreDocument | ProblemsDocument;
    /** What to keep of it; absent if the text has errors. */
    readonly kept?: KeptRun;
}

/** An exploration as it is kept from session to session. Of traces the lengths suffice: the first entry is no step. */
export interface KeptRun {
    readonly runId: string;
    readonly reduction: Reduction;
    /** The only property that was checked, if not all. */
    readonly property?: string;
    /** The values of the parameters: `N = 5`; empty if there are none. */
    readonly parameters: string;
    readonly modelKey: string;
    /** Like `modelKey`, of the text alone: with other values of its parameters it is the same. */
    readonly sourceKey: string;
    /** In milliseconds since 1970, by `ExploreParams.startedAt`. */
    readonly finishedAt: number;
    readonly document: KeptDocument;
}

export type KeptDocument = Omit<ExploreDocument, 'violations' | 'coverage' | 'limit'> & {
    readonly violations: readonly KeptViolation[];
    readonly limit?: Omit<LimitDocument, 'trace'>;
};

export type KeptViolation = Omit<Violation, 'trace'> & { readonly trace: { readonly length: number } };

/** Checks the model for all values of a parameter. The answer is shown above invariants until the text is edited. */
export const EVERY_SIZE_REQUEST = 'orbit/everySize';

export interface EverySizeParams {
    readonly uri: string;
    /** The names of the parameters. */
    readonly names: readonly string[];
    /** The only invariant that is checked; all if absent. */
    readonly property?: string;
}

export interface EverySizeResult {
    /** Why nothing is said for all values, or what is wrong with the model. */
    readonly document: EverySizeDocument | ProblemsDocument;
}

/** Notification, editor to server, before a document is opened: what is known of it from earlier sessions. */
export const KEPT_RUNS_NOTIFICATION = 'orbit/keptRuns';

export interface KeptRuns {
    readonly uri: string;
    readonly runs: readonly KeptRun[];
    /** The chosen values of parameters, as in ChooseParametersParams. */
    readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Request: from now on these values count for a document, in place of those in its text; for parameters that are not
 * named, those of the text. If the model has errors with them, nothing changes.
 */
export const CHOOSE_PARAMETERS_REQUEST = 'orbit/chooseParameters';

export interface ChooseParametersParams {
    readonly uri: string;
    /** By name, as the text would write them. */
    readonly parameters: Readonly<Record<string, string>>;
}

export interface ChooseParametersResult {
    /** What is wrong with the values; empty if they count now. */
    readonly problems: readonly string[];
}

/**
 * Notification, server to editor, after each change: the answers about an open document, at its present text. Lenses and
 * diagnostics come from the same answers.
 */
export const RESULTS_NOTIFICATION = 'orbit/results';

export interface DocumentResults {
    readonly uri: string;
    readonly version: number;
    /** Names the model with the values of its parameters, alike in all sessions. Absent while the text has errors. */
    readonly modelKey?: string;
    /** Names the text whatever the values of parameters, as in `KeptRun`. */
    readonly sourceKey?: string;
    /** In the order of the text. */
    readonly items: readonly ResultItem[];
    readonly parameters: readonly DocumentParameter[];
}

/** A parameter of a document with the value that counts. */
export interface DocumentParameter {
    readonly name: string;
    /** As the text would write it. */
    readonly value: string;
    /** Whether it is another one than that of the text. */
    readonly isChosen: boolean;
    /** The value of the text, as it is written there; absent if it has none. */
    readonly written?: string;
    /** The type as it is written: `2 .. 64`. */
    readonly type: string;
    /** All values of a small type. */
    readonly values?: readonly string[];
    /** Of a type of whole numbers: the least and the greatest. */
    readonly bounds?: readonly [number, number];
}

/** Something that the model states, explicitly or not. */
export interface ResultItem {
    /** `model`: that there is no deadlock and no fault. `property`: a temporal one. */
    /** `every`: that an invariant holds for all values of the parameters in `forAll`. */
    readonly kind: 'model' | 'invariant' | 'every' | 'property' | 'symmetry';
    /** As in `ExploreParams.property`; of a stated symmetry its text. */
    readonly name: string;
    /** Whether it can be explored on its own. */
    readonly isProperty: boolean;
    readonly location: DocumentLocation;
    readonly answer?: ResultAnswer;
    /** Answers about other values of the parameters: `N = 6, 7`. */
    readonly also?: string;
    readonly forAll?: readonly string[];
}

export interface ResultAnswer {
    readonly verdict: 'holds' | 'violated' | 'undecided';
    /** Whether the model, or the value of a parameter, has changed since. */
    readonly isStale: boolean;
    /** `holds in 3,280 orbits`, `violated after 4 steps`; a limit that was reached is named too. */
    readonly summary: string;
    /** The lines of the reason in plain text. */
    readonly reason: readonly string[];
    /** Where the reason stands, if not at the item. */
    readonly place?: DocumentLocation;
    /** The values of the parameters: `N = 5`; empty if there are none. */
    readonly parameters: string;
    /** Of the exploration; absent for symmetries. */
    readonly runId?: string;
    readonly seconds?: number;
    readonly finishedAt?: number;
}

/** Notification, server to editor, a few times a second while an exploration runs. */
export const EXPLORE_PROGRESS_NOTIFICATION = 'orbit/exploreProgress';

export interface ExploreProgress {
    readonly runId: string;
    /** The document version whose text is explored. */
    readonly version: number;
    /** As in `DocumentResults`: a run about another model than that of the text is older than the text. */
    readonly modelKey: string;
    /** `analyze` until the symmetry group is known, then `explore`. */
    readonly phase: 'analyze' | 'explore';
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    /** States found but not yet expanded. */
    readonly frontier: number;
    readonly statesPerSecond: number;
    readonly memoryBytes: number;
    readonly elapsedMilliseconds: number;
    /** About how many states one stored state stands for; absent without reduction. */
    readonly statesPerOrbit?: number;
}

/**
 * Notification, server to editor: the state of the symmetry analysis of a document. `stale`: the last result does not
 * belong to the text; it stays on screen until the next `done`.
 */
export const ANALYSIS_NOTIFICATION = 'orbit/analysis';

export interface AnalysisStatus {
    readonly uri: string;
    /** The document version that was or is analyzed. */
    readonly version: number;
    readonly state: 'running' | 'done' | 'failed' | 'stale';
    /** Of the last finished analysis, if there is one. */
    readonly order?: string;
    readonly structure?: string;
    /** Whether the search was complete. */
    readonly complete?: boolean;
    /** What the group does, in words: `5 Phil in a ring`. */
    readonly words?: string;
    /** What an exploration will take, by the last one with these values of parameters, or by the number of states. */
    readonly expectedSeconds?: number;
    /** One line for people: `C10 · 10 symmetries`, or why the analysis failed. */
    readonly summary: string;
}

/** Request: the symmetries of a document, from the last finished analysis or else from a new one. */
export const SYMMETRIES_REQUEST = 'orbit/symmetries';

export interface SymmetriesParams {
    readonly uri: string;
}

export interface SymmetriesResult {
    readonly uri: string;
    /** The document version that was analyzed. */
    readonly version: number;
    readonly document: SymmetryDocument | ProblemsDocument;
}

/**
 * Request: the state graph of a document, or the part of it nearest to a state, from a worker of the server. Errors and
 * cancellation are those of `orbit/explore`.
 */
export const GRAPH_REQUEST = 'orbit/graph';

/** How to come to a state: the index of an initial state, then the numbers of steps. Empty for all initial states. */
export type StatePath = readonly number[];

export interface GraphParams {
    readonly uri: string;
    readonly reduction: Reduction;
    /** The state in the middle; the initial states when empty. */
    readonly around: StatePath;
}

export interface GraphResult {
    readonly uri: string;
    readonly version: number;
    readonly document: GraphDocument | ProblemsDocument;
}

export interface GraphDocument extends DocumentTitle {
    /** The group that identifies states, by structure and order; `1` without reduction. */
    readonly group: { readonly structure: string; readonly order: string };
    readonly around: StatePath;
    /** The fields of states that say where a process is, each with the name of the process. */
    readonly places: Readonly<Record<string, string>>;
    /** Breadth first. */
    readonly orbits: readonly OrbitDocument[];
    /** By the indices of the orbits, at most one from one to another. */
    readonly edges: readonly { readonly from: number; readonly to: number; readonly step: TraceStep }[];
    /** Whether all that can be reached is there. */
    readonly isWhole: boolean;
}

/** An orbit by the state in which the search came to it. */
export interface OrbitDocument {
    readonly state: TraceEntry['state'];
    readonly path: StatePath;
    /** How many states it has, in decimal digits; absent if that takes too long to say. */
    readonly size?: string;
    readonly depth: number;
    /** The index of the orbit before it on a shortest way, and the step from there. Absent for a start. */
    readonly from?: number;
    readonly step?: TraceStep;
    /** What is violated in it, or by a step from it. */
    readonly violates: readonly Pick<Violation, 'kind' | 'name' | 'location'>[];
    /** Whether its steps are among the edges. */
    readonly isExpanded: boolean;
}

/** Request: the states of an orbit. Errors and cancellation are those of `orbit/explore`. */
export const UNFOLD_REQUEST = 'orbit/unfold';

export interface UnfoldParams {
    readonly uri: string;
    readonly reduction: Reduction;
    readonly path: StatePath;
}

export interface UnfoldResult {
    readonly states: readonly TraceEntry['state'][];
    /** False if there are more. */
    readonly isAll: boolean;
}

/**
 * Request: the steps that are possible in a state, or the initial states; or a shortest way to a step. From a worker of
 * the server; errors and cancellation are those of `orbit/explore`.
 */
export const STEPS_REQUEST = 'orbit/steps';

export interface StepsParams {
    readonly uri: string;
    /** The model that the state is of, if known: there is no answer about another one. */
    readonly modelKey?: string;
    /** The values as in a trace; absent for the initial states. */
    readonly state?: TraceEntry['state'];
    /** By template the greatest number of an instance in the run so far: whoever is created next has a greater one. */
    readonly created?: Readonly<Record<string, number>>;
    /** A label, a process, or both as in a trace: the way to the nearest such step is asked for. */
    readonly towards?: string;
    /** A run of an earlier text, which is tried on the present one; then `modelKey` is left out. */
    readonly along?: readonly RetracedEntry[];
}

export interface RetracedEntry {
    readonly step: Pick<TraceStep, 'process' | 'label'> | null;
    readonly state: TraceEntry['state'];
}

/** How far a run of an earlier text goes along. */
export interface Retraced {
    /** The steps that are possible. */
    readonly steps: number;
    /** What the last one violates, or the state without a step behind it. */
    readonly violation?: Pick<Violation, 'kind' | 'name' | 'location'>;
    /** Why the next step is not possible; absent if all are. */
    readonly stop?: string;
}

export interface StepsResult {
    /** In the order of the text, at most 200; absent if the model has no such state. */
    readonly steps?: readonly PossibleStepDocument[];
    /** Who cannot take a step there, and for what: `` 4 wait at `look` for `!taken` ``. */
    readonly waits?: readonly ReasonLine[];
    /** The entries of the way; absent if none was found. */
    readonly way?: readonly TraceEntry[];
    readonly retraced?: Retraced;
    /** Why there is no answer: the text has errors, or says another model by now. */
    readonly problem?: string;
}

/** A step from a state, or an initial state. */
export interface PossibleStepDocument {
    readonly entry: TraceEntry;
    /** What is violated after it. */
    readonly violates: readonly Pick<Violation, 'kind' | 'name' | 'location'>[];
}

/** Request: the edits by which a run that is unfair to a process or a step no longer counts, at the present text. */
export const MAKE_FAIR_REQUEST = 'orbit/makeFair';

export interface MakeFairParams {
    readonly uri: string;
    readonly step: UnfairStepDocument;
}

/** Empty if the text has no such step, or is fair to it already. */
export interface MakeFairResult {
    readonly edits: readonly (DocumentLocation & { readonly newText: string })[];
}

/** Request to the editor: the text of an imported file that only the editor can read; an error if there is none. */
export const READ_FILE_REQUEST = 'orbit/readFile';

export interface ReadFileParams {
    readonly uri: string;
}

export interface ReadFileResult {
    readonly text: string;
}

/** Request to the editor, with the parameters of the one before: what is in a folder that only the editor can read. */
export const READ_FOLDER_REQUEST = 'orbit/readFolder';

export interface ReadFolderResult {
    readonly entries: readonly { readonly name: string; readonly isFile: boolean }[];
}

/** Whether a document lists errors of the model instead of results. */
export function isProblemsDocument(document: object): document is ProblemsDocument {
    return 'problems' in document;
}

/**
 * Commands of code lenses. The extension registers them; each takes the URI of a document, and without one means the
 * document of the active editor.
 */
export const EXPLORE_REDUCED_COMMAND = 'orbit.exploreReduced';
export const EXPLORE_ALL_COMMAND = 'orbit.exploreAll';
export const SHOW_SYMMETRIES_COMMAND = 'orbit.showSymmetries';
/** Takes a line and a column, from 0 on, and shows what can be done there. */
export const SHOW_FIXES_COMMAND = 'orbit.showFixes';
/** Takes the name of a parameter. */
export const CHANGE_PARAMETER_COMMAND = 'orbit.changeParameter';
/** Takes the name of a parameter: the value in the text counts again. */
export const RESET_PARAMETER_COMMAND = 'orbit.resetParameter';
/** Writes a small model into an empty document; without a URI into a new one. */
export const NEW_MODEL_COMMAND = 'orbit.newModel';
/** Explores for several values of a parameter, whose name it takes. */
export const SWEEP_COMMAND = 'orbit.sweep';
/** With names of parameters; without them for those that are sizes, else for the first one whose values are numbers. */
export const CHECK_EVERY_SIZE_COMMAND = 'orbit.checkEverySize';
/** Goes through the model step by step. */
export const STEP_COMMAND = 'orbit.step';
export const SHOW_GRAPH_COMMAND = 'orbit.showStateGraph';
/** Opens the last run of a document again. */
export const OPEN_RUN_COMMAND = 'orbit.openRun';
/** Takes a second argument: the only property to check, named as in ExploreParams. */
export const CHECK_PROPERTY_COMMAND = 'orbit.checkProperty';
