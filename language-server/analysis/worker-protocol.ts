/**
 * What the server and its workers say to each other: plain data that survives a structured clone. A worker runs one job
 * at a time and answers each with exactly one of `analyzed`, `explored`, `graphed`, `unfolded`, `stepped`, `everySize`, `matched`,
 * `mutated`, `cancelled` and `failed`; before that long jobs report progress, and an analysis what it has found.
 */
import type { Problem } from '../../engine/common/problem.js';
import type { PartialOrder } from '../../engine/explore/stubborn.js';
import type { Model } from '../../engine/model/model.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import type { PostedFamily } from '../../language/posting/posted-family.js';
import type {
    EverySizeDocument,
    ExploreDocument,
    LogDocument,
    MutantDocument,
    TraceEntryDocument,
} from '../document-schema.js';
import type {
    GraphDocument,
    AskedReduction,
    RetracedEntry,
    StatePath,
    StepsResult,
    UnfoldResult,
} from '../protocol.js';

/** A worker remembers this many documents from job to job, those that it worked on last. */
export const REMEMBERED_DOCUMENTS = 3;

interface JobRequest {
    /** New for each job; replies carry it. */
    readonly job: number;
    /** Of which document the model is: what is known of it from earlier jobs saves work. */
    readonly document: string;
    /** The model to work on; absent where the worker still holds its analysis from the job before. */
    readonly model?: Model;
    /** One Int32 in shared memory; anything but 0 asks the worker to stop. Absent where no memory can be shared. */
    readonly cancellation?: SharedArrayBuffer;
    /** The document, for messages that quote it; what stands in other ones is quoted as the model has it. */
    readonly text?: { readonly uri: string; readonly content: string };
}

export interface AnalyzeRequest extends JobRequest {
    readonly kind: 'analyze';
    /** What the symmetry search may spend; then it reports the subgroup it has. */
    readonly budgetMilliseconds: number;
}

export interface ExploreRequest extends JobRequest {
    readonly kind: 'explore';
    readonly budgetMilliseconds: number;
    readonly reduction: AskedReduction;
    /** Check only these; all when absent. */
    readonly properties?: readonly string[];
    /** Whether a fault ends the runs to it and nothing else. */
    readonly ignoresFaults?: boolean;
    readonly limits: ExploreLimits;
    readonly continueAfterViolation: boolean;
    /** All steps are taken if absent. */
    readonly partialOrder?: PartialOrder;
}

/** Absent means none, of threads one. */
export interface ExploreLimits {
    readonly threads?: number;
    readonly states?: number;
    readonly memoryBytes?: number;
    readonly milliseconds?: number;
}

/** A part of the state graph. */
export interface GraphRequest extends JobRequest {
    readonly kind: 'graph';
    readonly budgetMilliseconds: number;
    readonly reduction: AskedReduction;
    readonly around: StatePath;
}

/** The states of an orbit. */
export interface UnfoldRequest extends JobRequest {
    readonly kind: 'unfold';
    readonly budgetMilliseconds: number;
    readonly reduction: AskedReduction;
    readonly path: StatePath;
}

/** The verdict for all values of parameters. */
export interface EverySizeRequest extends JobRequest {
    readonly kind: 'everySize';
    /** Whether views may answer at all, or what they answer. */
    readonly ask: 'narrow' | 'verdict';
    readonly family: PostedFamily;
    /** The only invariant that is checked. */
    readonly property: string | undefined;
    readonly limits: ExploreLimits;
}

/** The steps of a state, or a way from it. */
export interface StepsRequest extends JobRequest {
    readonly kind: 'steps';
    readonly state?: TraceEntryDocument['state'];
    readonly towards?: string;
    readonly created?: Readonly<Record<string, number>>;
    readonly along?: readonly RetracedEntry[];
    /** Whether the values that the model asks of `state` are wanted, and nothing else. */
    readonly isAsked?: boolean;
}

/** A log against the model. */
export interface MatchRequest extends JobRequest {
    readonly kind: 'match';
    readonly log: string;
    /** The text of the mapping, if there is one. */
    readonly mapping?: string;
    readonly maxCandidates: number;
    readonly milliseconds?: number;
}

/** Whether anything notices changes of the model. */
export interface MutateRequest extends JobRequest {
    readonly kind: 'mutate';
    readonly milliseconds: number;
}

export type WorkerRequest =
    | AnalyzeRequest
    | ExploreRequest
    | GraphRequest
    | UnfoldRequest
    | StepsRequest
    | EverySizeRequest
    | MatchRequest
    | MutateRequest;

/** The last answer to `analyze`. */
export interface AnalysisOutcome {
    /** Faults that only show when the model is instantiated; with errors there is no report. */
    readonly problems: readonly Problem[];
    /** Steps that the model has in vain or that are a fault whenever they are taken; the model can be explored. */
    readonly advice?: readonly Problem[];
    readonly report?: SymmetryReport;
}

/** The answer to `explore`. */
export interface JobOutcome {
    readonly problems: readonly Problem[];
    /** Absent where `problems` has errors. */
    readonly document?: ExploreDocument;
}

/** The answer to `graph`. */
export interface GraphOutcome {
    readonly problems: readonly Problem[];
    /** Absent where `problems` has errors. */
    readonly document?: GraphDocument;
}

/** The answer to `everySize`. */
export interface EverySizeOutcome {
    readonly problems: readonly Problem[];
    /** Absent if nothing is said for all values, then `problems` say why; and if only that was asked. */
    readonly document?: EverySizeDocument;
}

/** The answer to `match`. */
export type MatchOutcome =
    | {
          readonly kind: 'judged';
          readonly document: LogDocument;
          /** The log is one document of spans: its lines are numbers of spans. */
          readonly isOfSpans: boolean;
          /** The line before which the time was over. */
          readonly ended?: number;
      }
    | { readonly kind: 'model'; readonly problems: readonly Problem[] }
    | { readonly kind: 'mapping'; readonly message: string }
    | { readonly kind: 'log'; readonly code: string; readonly line: number; readonly message: string };

/** The answer to `mutate`. */
export interface MutateOutcome {
    /** Errors of the model itself; then there are no mutants. */
    readonly problems: readonly Problem[];
    /** In the order of the text. */
    readonly mutants?: readonly MutantDocument[];
    /** By mutant: equal for changes of one guard, and for those of one body. */
    readonly parts?: readonly string[];
}

/** How far an exploration is. */
export interface JobProgress {
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    /** States found but not yet expanded. */
    readonly frontier: number;
    readonly memoryBytes: number;
    readonly elapsedMilliseconds: number;
    /** How many states one stored state stands for, about; absent without reduction. */
    readonly statesPerOrbit?: number;
}

export type WorkerReply =
    /** What an analysis has found and not explained yet; comes at most once, before the answer. */
    | { readonly kind: 'found'; readonly job: number; readonly report: SymmetryReport }
    | { readonly kind: 'analyzed'; readonly job: number; readonly outcome: AnalysisOutcome }
    | { readonly kind: 'progress'; readonly job: number; readonly progress: JobProgress }
    /** How many lines of a log, or mutants of so many, are judged. */
    | { readonly kind: 'counted'; readonly job: number; readonly count: number; readonly all?: number }
    | { readonly kind: 'explored'; readonly job: number; readonly outcome: JobOutcome }
    | { readonly kind: 'graphed'; readonly job: number; readonly outcome: GraphOutcome }
    | { readonly kind: 'unfolded'; readonly job: number; readonly outcome: UnfoldResult }
    | { readonly kind: 'stepped'; readonly job: number; readonly outcome: StepsResult }
    | { readonly kind: 'everySize'; readonly job: number; readonly outcome: EverySizeOutcome }
    | { readonly kind: 'matched'; readonly job: number; readonly outcome: MatchOutcome }
    | { readonly kind: 'mutated'; readonly job: number; readonly outcome: MutateOutcome }
    | { readonly kind: 'cancelled'; readonly job: number }
    /** A defect of ours, or `isTooDeep` for the stack of a browser; the worker goes on. */
    | {
          readonly kind: 'failed';
          readonly job: number;
          readonly message: string;
          readonly stack: string;
          readonly isTooDeep?: boolean;
      };
