/**
 * The interface between the language server and the editor beyond the Language Server Protocol: requests and
 * notifications, and their plain data. Positions in these messages count from 0.
 */
import type { ExplorationProgress } from '../engine/explore/search.js';
import type {
    DocumentLocation,
    DocumentProblem,
    TraceEntryDocument,
    TraceStepDocument,
    ReasonLineDocument,
    ViolationDocument,
    UnfairStepDocument,
    DocumentTitle,
    LimitDocument,
    ExploreDocument,
    EverySizeDocument,
    LogDocument,
    MutantDocument,
    SymmetryDocument,
    ProblemsDocument,
} from './document-schema.js';
import type { Question } from './question/question.js';

/**
 * Request: explore the state space of a document in a worker of the server. A cancelled request (`$/cancelRequest`) is
 * answered with the error RequestCancelled within 200 milliseconds, a model with errors with a ProblemsDocument.
 */
export const EXPLORE_REQUEST = 'orbit/explore';

export type AskedReduction = 'unique' | 'none';

export interface ExploreParams {
    readonly uri: string;
    readonly reduction: AskedReduction;
    /** Chosen by the caller for each run; progress notifications carry it. */
    readonly runId: string;
    /** Check only this: the name of an invariant or a property, or `deadlock`. Everything the model states when absent. */
    readonly property?: string;
    /** The parts of a run, `c then d`: look for it, and for nothing else. The result is not kept. */
    readonly find?: string;
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
    /** What to keep of it; absent if the text has errors, or a run was asked for. */
    readonly kept?: KeptRun;
}

/**
 * Request: a log against the model of a document, in a worker of the server. The editor reads log and mapping. Errors and
 * cancellation are those of `orbit/explore`.
 */
export const MATCH_REQUEST = 'orbit/match';

export interface MatchParams {
    readonly uri: string;
    /** Chosen by the caller; progress notifications carry it. */
    readonly runId: string;
    readonly log: string;
    /** The text of the mapping beside the model, if there is one. */
    readonly mapping?: string;
}

export interface MatchResult {
    readonly answer: MatchAnswer;
    /** Of the model that was asked, as in `KeptRun`; absent while the text has errors. */
    readonly modelKey?: string;
    readonly sourceKey?: string;
    readonly title?: DocumentTitle;
}

export type MatchAnswer =
    | {
          readonly kind: 'judged';
          readonly document: LogDocument;
          /** The log is one document of spans: its lines are numbers of spans. */
          readonly isOfSpans: boolean;
          /** The line before which the time was over. */
          readonly ended?: number;
      }
    /** What is wrong with the model. */
    | ({ readonly kind: 'model' } & Pick<ProblemsDocument, 'problems'>)
    | { readonly kind: 'mapping'; readonly message: string }
    | { readonly kind: 'log'; readonly code: string; readonly line: number; readonly message: string };

/** Request: what nothing in a document notices. Errors and cancellation are those of `orbit/explore`. */
export const MUTATE_REQUEST = 'orbit/mutate';

export interface MutateParams {
    readonly uri: string;
    /** Chosen by the caller; progress notifications carry it. */
    readonly runId: string;
}

export interface MutateResult {
    /** Of the text that was changed. */
    readonly version: number;
    /** Absent while the text has errors. */
    readonly modelKey?: string;
    readonly params?: DocumentTitle['params'];
    /** Absent if the model has errors, then `problems` say which. In the order of the text. */
    readonly mutants?: readonly MutantDocument[];
    /** By mutant: equal for changes of one guard, and for those of one body. */
    readonly parts?: readonly string[];
    readonly problems?: ProblemsDocument['problems'];
}

/** Notification: how many lines of a log, or mutants of so many, are judged. */
export const COUNT_NOTIFICATION = 'orbit/count';

export interface CountProgress {
    readonly runId: string;
    readonly count: number;
    readonly all?: number;
}

/** Request: what is wrong with a question that is being written, and how its last word may go on. */
export const QUESTION_REQUEST = 'orbit/question';

export interface QuestionParams {
    readonly uri: string;
    readonly question: Question;
}

export interface QuestionResult {
    /** Absent if it can be asked. */
    readonly problem?: string;
    readonly completions: readonly QuestionCompletion[];
}

/** A word that may stand where `question` ends, in the place of what is written from `from` on. */
export interface QuestionCompletion {
    readonly label: string;
    readonly detail?: string;
    readonly from: number;
    readonly text: string;
}

/** An exploration as it is kept from session to session. Of traces the lengths suffice: the first entry is no step. */
export interface KeptRun {
    readonly runId: string;
    readonly reduction: AskedReduction;
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

/** By what ended a search early, the setting that lets it go on. */
export const SETTINGS_OF_LIMITS: ReadonlyMap<string, string> = new Map([
    ['states', 'orbit.explore.maximumStates'],
    ['memory', 'orbit.explore.maximumMemory'],
    ['time', 'orbit.explore.timeLimit'],
    ['thread', 'orbit.explore.maximumThreads'],
]);

export type KeptDocument = Omit<ExploreDocument, 'violations' | 'coverage' | 'limit'> & {
    readonly violations: readonly KeptViolation[];
    readonly limit?: Omit<LimitDocument, 'trace'>;
};

export type KeptViolation = Omit<ViolationDocument, 'trace'> & { readonly trace: { readonly length: number } };

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
    /**
     * `model`: that there is no deadlock and no fault. `property`: a temporal one. `run`: one that is to exist. `steps`:
     * that each is taken. `every`: that an invariant holds for all values of the parameters in `forAll`.
     */
    readonly kind: 'model' | 'invariant' | 'every' | 'property' | 'run' | 'steps' | 'symmetry';
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
    readonly verdict: ExploreDocument['verdict'];
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

export interface ExploreProgress extends Pick<
    ExplorationProgress,
    'states' | 'transitions' | 'depth' | 'frontier' | 'memoryBytes'
> {
    readonly runId: string;
    /** The document version whose text is explored. */
    readonly version: number;
    /** As in `DocumentResults`: a run about another model than that of the text is older than the text. */
    readonly modelKey: string;
    /** `analyze` until the symmetry group is known, then `explore`. */
    readonly phase: 'analyze' | 'explore';
    readonly statesPerSecond: number;
    readonly elapsedMilliseconds: number;
    /** About how many states one stored state stands for; absent without reduction. */
    readonly statesPerOrbit?: number;
}

/**
 * Notification, server to editor: the state of the symmetry analysis of a document. `stale`: the last result does not
 * belong to the text; it stays on screen until the next `done`.
 */
export const ANALYSIS_NOTIFICATION = 'orbit/analysis';

/** With the group of the last finished analysis, if there is one, and whether its search was complete. */
export interface AnalysisStatus extends Partial<Pick<SymmetryDocument, 'order' | 'structure' | 'complete'>> {
    readonly uri: string;
    /** The document version that was or is analyzed. */
    readonly version: number;
    readonly state: 'running' | 'done' | 'failed' | 'stale';
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
    readonly reduction: AskedReduction;
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
    readonly edges: readonly { readonly from: number; readonly to: number; readonly step: TraceStepDocument }[];
    /** Whether all that can be reached is there. */
    readonly isWhole: boolean;
}

/** An orbit by the state in which the search came to it. */
export interface OrbitDocument {
    readonly state: TraceEntryDocument['state'];
    readonly path: StatePath;
    /** How many states it has, in decimal digits; absent if that takes too long to say. */
    readonly size?: string;
    readonly depth: number;
    /** The index of the orbit before it on a shortest way, and the step from there. Absent for a start. */
    readonly from?: number;
    readonly step?: TraceStepDocument;
    /** The violations in it, or by a step from it. */
    readonly violates: readonly Pick<ViolationDocument, 'kind' | 'name' | 'location'>[];
    /** Whether its steps are among the edges. */
    readonly isExpanded: boolean;
}

/** Request: the states of an orbit. Errors and cancellation are those of `orbit/explore`. */
export const UNFOLD_REQUEST = 'orbit/unfold';

export interface UnfoldParams {
    readonly uri: string;
    readonly reduction: AskedReduction;
    readonly path: StatePath;
}

export interface UnfoldResult {
    readonly states: readonly TraceEntryDocument['state'][];
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
    readonly state?: TraceEntryDocument['state'];
    /** By template the greatest number of an instance in the run so far: whoever is created next has a greater one. */
    readonly created?: Readonly<Record<string, number>>;
    /** A label, a process, or both as in a trace: the way to the nearest such step is asked for. */
    readonly towards?: string;
    /** A run of an earlier text, which is tried on the present one; then `modelKey` is left out. */
    readonly along?: readonly RetracedEntry[];
    /** Expressions whose values in `state` are asked for. */
    readonly asked?: readonly string[];
}

export interface RetracedEntry {
    readonly step: Pick<TraceStepDocument, 'process' | 'label'> | null;
    readonly state: TraceEntryDocument['state'];
}

/** How far a run of an earlier text goes along. */
export interface Retraced {
    /** The steps that are possible. */
    readonly steps: number;
    /** What the last one violates, or the state without a step behind it. */
    readonly violation?: Pick<ViolationDocument, 'kind' | 'name' | 'location'>;
    /** Why the next step is not possible; absent if all are. */
    readonly stop?: string;
}

export interface StepsResult {
    /** In the order of the text, at most 200; absent if the model has no such state. */
    readonly steps?: readonly PossibleStepDocument[];
    /** Who cannot take a step there, and for what: `` 4 wait at `look` for `!taken` ``. */
    readonly waits?: readonly ReasonLineDocument[];
    /** The entries of the way; absent if none was found. */
    readonly way?: readonly TraceEntryDocument[];
    readonly retraced?: Retraced;
    /** For each expression its value as the text would write it, or what is wrong with it. */
    readonly values?: readonly string[];
    /** Why there is no answer: the text has errors, or says another model by now. */
    readonly problem?: string;
}

/** A step from a state, or an initial state. */
export interface PossibleStepDocument {
    readonly entry: TraceEntryDocument;
    /** The violations in the state after it. */
    readonly violates: readonly Pick<ViolationDocument, 'kind' | 'name' | 'location'>[];
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

/** Request: a model of Murphi as a text of this language. */
export const IMPORT_MURPHI_REQUEST = 'orbit/importMurphi';

export interface ImportMurphiParams {
    readonly source: string;
    /** The file of the source. */
    readonly uri: string;
}

export interface ImportMurphiResult {
    /** Absent if the source is wrong. Parts that are not carried over are comments in it. */
    readonly text?: string;
    /** What is wrong, or not carried over, or changes no run. */
    readonly problems: readonly DocumentProblem[];
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
/** Asks for the parts of a run, and looks for it. */
export const FIND_RUN_COMMAND = 'orbit.findRun';
/** Judges a log by a model. Takes the URI of either, and asks for the other. */
export const MATCH_LOG_COMMAND = 'orbit.matchLog';
/** Looks for changes of the model that nothing in it notices. */
export const FIND_SURVIVORS_COMMAND = 'orbit.findSurvivors';
/** Goes through the model step by step. */
export const STEP_COMMAND = 'orbit.step';
export const SHOW_GRAPH_COMMAND = 'orbit.showStateGraph';
/** Opens the last run of a document again. */
export const OPEN_RUN_COMMAND = 'orbit.openRun';
/** Takes a second argument: the only property to check, named as in ExploreParams. */
export const CHECK_PROPERTY_COMMAND = 'orbit.checkProperty';
