/**
 * What crosses between the language server and the editor beyond the Language Server Protocol itself: names of requests
 * and notifications, and the plain data they carry. Nothing else is shared by the two sides.
 *
 * The documents (ExploreDocument, SymmetryDocument) are those that the command line prints with `--json`; their field
 * names are stable: fields are added, never renamed. Lines and columns in documents count from 1, as people and
 * compilers count; positions in LSP messages count from 0.
 */

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
    /** Other places that belong to the problem, with what they have to do with it. */
    readonly related?: readonly (DocumentLocation & { readonly message: string })[];
}

/**
 * A value as it is written in the model: numbers and truth values as such, everything else as text (`none`, `red`).
 * Parameters may be arrays and records, too.
 */
export type DocumentValue =
    number | boolean | string | null | readonly DocumentValue[] | { readonly [field: string]: DocumentValue };

export type Verdict = 'holds' | 'violated' | 'undecided';

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
    readonly location: DocumentLocation;
}

export interface Violation {
    readonly kind: 'deadlock' | 'invariant' | 'property' | 'fault';
    readonly name: string;
    readonly location: DocumentLocation;
    /** A run of the model as written, from an initial state, whatever the reduction. */
    readonly trace: readonly TraceEntry[];
    /** For a violation that is a loop: the index in `trace` where the loop begins. */
    readonly loopStart?: number;
    /** How many states are symmetric to the last one, itself included, in decimal digits. Absent without reduction. */
    readonly copies?: string;
}

/** A step of the text that no run takes. */
export interface UnreachedStep {
    /** The name of the process in the text. */
    readonly process: string;
    /** The label in front of the step, else its event, else the line. */
    readonly label: string;
    readonly location: DocumentLocation;
}

/** Counts of firings in all states, also where states were identified by symmetry. */
export interface CoverageDocument {
    /** The expanded states, with all that they stand for. */
    readonly states: number;
    /** Whether every orbit was counted with its size. */
    readonly exact: boolean;
    /** `blocked`: how often control stood before the step and it could not fire; absent for steps made by several processes. */
    readonly steps: readonly (UnreachedStep & { readonly fired: number; readonly blocked?: number })[];
    /** Whether tests inside of braces are among the branches; else there were too many states to look at. */
    readonly bodies: boolean;
    /** Tests on the way to steps and inside of their braces: firings on whose way the test was true, and false. */
    readonly branches: readonly {
        readonly process: string;
        readonly location: DocumentLocation;
        readonly whenTrue: number;
        readonly whenFalse: number;
    }[];
}

/** One of several properties, each explored by itself under the symmetries that it keeps. */
export interface PropertyOutcome extends Pick<
    ExploreDocument,
    'verdict' | 'reduction' | 'states' | 'transitions' | 'depth' | 'seconds' | 'limit'
> {
    /** An invariant, `deadlock`, or `faults`: steps that fail, whatever else is checked. */
    readonly name: string;
}

export interface ReductionFactor {
    /** The factor's structure (`S4 wr C2`). */
    readonly structure: string;
    readonly strategy: string;
    /** Whether two states that differ by a symmetry of the factor have one representative. */
    readonly unique: boolean;
    /** How many cells it touches. */
    readonly cells: number;
}

/** How much of the symmetries pays, as far as a sample of states tells; for all of them where nothing is used. */
export interface ReductionChoice {
    readonly uses: 'group' | 'subgroup' | 'nothing';
    /** About; in large orbits there may be more. */
    readonly statesPerOrbit: number;
    /** What a representative costs, in firings. */
    readonly cost: number;
}

export interface ReductionOverhead {
    /** From 0 to 1: the part of the time that finding representatives took. */
    readonly share: number;
    /** Successors that this was measured on. */
    readonly successors: number;
}

/** A pass over the model, with what it has done in counts. Steps are counted singly for each instance and choice. */
export interface PassDocument {
    readonly name: 'cone' | 'reset' | 'merge' | 'narrow';
    /** Steps that change nothing that matters. */
    readonly stepsDropped?: number;
    /** Variables that do not matter, array elements counted singly. */
    readonly variablesDropped?: number;
    /** Variables that hold no value where nobody reads it any more, array elements counted singly. */
    readonly variablesReset?: number;
    /** Steps that are taken together with what leads to them. */
    readonly stepsMerged?: number;
    /** Of each state. */
    readonly bitsSaved?: number;
}

/** What the command line prints for `explore --json`. */
export interface ExploreDocument {
    readonly schemaVersion: 1;
    readonly model: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
    readonly verdict: Verdict;
    readonly reduction: {
        /** The group's structure (`C10`), or `1` without reduction. */
        readonly group: string;
        /** The group's order in decimal digits: it may be beyond 2^53. */
        readonly order: string;
        readonly strategy: string;
        /** The strategy of each direct factor on cells of its own; absent without reduction. */
        readonly factors?: readonly ReductionFactor[];
        /** Whether every orbit is stored exactly once. */
        readonly unique: boolean;
        /** What `auto` has chosen and why; absent where there was nothing to choose. */
        readonly choice?: ReductionChoice;
        /** What representatives have cost, as measured; absent without reduction and in short explorations. */
        readonly overhead?: ReductionOverhead;
    };
    /** What was done to the model before it was searched. */
    readonly passes: readonly PassDocument[];
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    readonly deadlocks: number;
    /** That a state was missed, at most; absent where states are stored as they are. */
    readonly omissionProbability?: number;
    readonly seconds: number;
    readonly statesPerSecond: number;
    readonly bytesPerState: number;
    readonly peakBytes: number;
    /** Threads that have searched. */
    readonly workers: number;
    readonly violations: readonly Violation[];
    /** What ended the exploration before it was complete; `value` counts states, bytes, seconds or steps of work. */
    readonly limit?: { readonly kind: string; readonly value: number };
    /** Why states were not expanded by generated code; absent where they were. */
    readonly interpretedBecause?: string;
    /** Where the exploration can be continued from. */
    readonly checkpoint?: { readonly file: string; readonly bytes: number };
    /** The steps that no run takes; absent where that is not known. */
    readonly unreached?: readonly UnreachedStep[];
    /** Where it was asked for. */
    readonly coverage?: CoverageDocument;
    /** With one exploration for each property. The counts above are then sums, the depth and the bytes the greatest. */
    readonly properties?: readonly PropertyOutcome[];
}

/** What the command line prints for `simulate --json`. */
export interface SimulateDocument {
    readonly schemaVersion: 1;
    readonly model: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
    /** The same seed gives the same walk. Absent for a script. */
    readonly seed?: number;
    /** Why the walk ended. `deadlock` is one that the model allows; others are violations. */
    readonly end: 'steps' | 'terminated' | 'deadlock' | 'violated';
    /** What the last state, or the last step, violates. */
    readonly violation?: Pick<Violation, 'kind' | 'name' | 'location'>;
    readonly trace: readonly TraceEntry[];
}

/** One generator of the symmetry group, in cycle notation and move by move. */
export interface GeneratorDocument {
    readonly cycles: string;
    readonly moves: readonly string[];
}

/** A symmetry that the declarations suggest and the model does not have. */
export interface BrokenSymmetry {
    readonly expected: string;
    readonly found: string;
    readonly index: number;
    readonly message: string;
    readonly locations: readonly (DocumentLocation & { readonly text: string })[];
}

/** An `assert symmetric` of the model. Where it fails, without the text at `locations` it would hold. */
export interface AssertionDocument {
    readonly text: string;
    readonly verdict: 'holds' | 'fails' | 'undecided';
    readonly message: string;
    readonly location: DocumentLocation;
    readonly locations: readonly (DocumentLocation & { readonly text: string })[];
}

/** What a declaration suggests, what was found of it, and why not more: `all of it` where nothing is missing. */
export interface SuggestionDocument {
    readonly subject: string;
    readonly suggests: string;
    readonly found: string;
    readonly message: string;
    readonly locations: AssertionDocument['locations'];
}

/** Counts of work. */
export interface WorkDocument {
    readonly literals: number;
    readonly summands: number;
    /** Constraints of steps and conditions that were known, from others like them or, in the editor, from before the edit. */
    readonly fragmentsReused: number;
    /** Those that had to be worked out. */
    readonly fragmentsEncoded: number;
    /** Searches for automorphisms, and the nodes and refinements of all of them. */
    readonly searches: number;
    readonly treeNodes: number;
    readonly refinements: number;
    /** What declarations suggest, and how much of it holds. */
    readonly candidatesTried: number;
    readonly candidatesAccepted: number;
}

/** A part of the group that acts independently of the others. */
export interface FactorDocument {
    readonly structure: string;
    readonly order: string;
    /** ``the 9 instances of `P` are interchangeable`` */
    readonly permutes: string;
    /** The families and variables of which it moves something. */
    readonly moves: readonly string[];
}

/** What the command line prints for `symmetry --json`. */
export interface SymmetryDocument {
    readonly schemaVersion: 1;
    readonly model: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
    readonly order: string;
    readonly structure: string;
    /** The direct factors of the group, largest first, as far as it falls apart. */
    readonly factors: readonly FactorDocument[];
    readonly generators: readonly GeneratorDocument[];
    readonly variableOrbits: readonly (readonly string[])[];
    readonly literalOrbits: number;
    readonly potentialStates: string;
    /** Orbits of potential states, exact; absent where they were not counted. */
    readonly potentialOrbits?: string;
    /** Why not. */
    readonly potentialOrbitsMissing?: string;
    /** Reachable states for each orbit, estimated on random walks; absent where that would take too long. */
    readonly reachableEstimate?: {
        readonly statesPerOrbit: number;
        readonly standardError: number;
        readonly states: number;
        readonly walks: number;
    };
    readonly properties: readonly {
        readonly name: string;
        readonly order: string;
        readonly structure: string;
        /** What costs symmetries where fewer are kept than the model has, if that was found. */
        readonly cost?: { readonly message: string; readonly locations: AssertionDocument['locations'] };
    }[];
    readonly graph: { readonly vertices: number; readonly edges: number };
    /** What was done to find it, in counts that do not depend on the machine. */
    readonly work: WorkDocument;
    /** Whether the group has all symmetries that there are to find: no limit came first, and nothing is held fixed. */
    readonly complete: boolean;
    readonly verified: boolean;
    /** What the search found are no symmetries of the model, a defect of Orbit: all were given up. */
    readonly refuted?: true;
    readonly timings: Readonly<Record<string, number>>;
    readonly broken: readonly BrokenSymmetry[];
    /** The time limit came before everything was described: names may be orders only, and factors may be missing. */
    readonly undescribed?: true;
    /** What else is not alike, and why the places that make the difference are not named. */
    readonly unexplained?: readonly string[];
    /** What is held fixed because it is too large to be compared; then `complete` is false. */
    readonly heldFixed?: readonly {
        readonly message: string;
        readonly location: DocumentLocation;
        readonly cells: readonly string[];
    }[];
    readonly assertions: readonly AssertionDocument[];
    /** With `--why`. */
    readonly why?: readonly SuggestionDocument[];
}

/** What the command line prints for `verify --json`. */
export interface VerifyDocument {
    readonly schemaVersion: 1;
    readonly model: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
    readonly verdict: 'verified' | 'refuted' | 'undecided';
    /** How many generators were checked, those of all groups together. */
    readonly generators: number;
    readonly groups: readonly {
        /** The properties whose truth the group keeps. */
        readonly properties: readonly string[];
        readonly order: string;
        readonly generators: number;
    }[];
    /** How many states each generator was tried on, and whether these are all that can be reached. */
    readonly states: number;
    readonly exhaustive: boolean;
    /** Whether the orders were computed from the generators and compared. */
    readonly ordersChecked: boolean;
    /** Whether the groups hold all symmetries that there are to find; absent for those of a certificate. */
    readonly complete?: boolean;
    readonly refutations: readonly RefutationDocument[];
}

/** Why a generator is no symmetry, or a group not the one it is said to be. */
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

/** What stands in the place of a result when the model has errors. */
export interface ProblemsDocument {
    readonly schemaVersion: 1;
    readonly problems: readonly DocumentProblem[];
}

/**
 * Request: explore the state space of a document as the server knows it. Runs in a worker of the server. Cancelled by
 * cancelling the request (`$/cancelRequest`); the answer is then the error RequestCancelled, within 200 milliseconds.
 * A model with errors is answered by a ProblemsDocument.
 */
export const EXPLORE_REQUEST = 'orbit/explore';

export type Reduction = 'unique' | 'none';

export interface ExploreParams {
    readonly uri: string;
    readonly reduction: Reduction;
    /** Chosen by the caller, new for each run; progress notifications carry it. */
    readonly runId: string;
    /** Check only this: the name of an invariant, or `deadlock`. Everything the model states when absent. */
    readonly property?: string;
}

export interface ExploreResult {
    readonly uri: string;
    /** The document version whose text was explored. */
    readonly version: number;
    readonly document: ExploreDocument | ProblemsDocument;
}

/** Notification, server to editor, a few times a second while an exploration runs. */
export const EXPLORE_PROGRESS_NOTIFICATION = 'orbit/exploreProgress';

export interface ExploreProgress {
    readonly runId: string;
    /** The document version whose text is explored. */
    readonly version: number;
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
    /** How many states one stored state stands for, about; absent without reduction. */
    readonly statesPerOrbit?: number;
}

/**
 * Notification, server to editor: how far the symmetry analysis of a document is. `stale` says that the last result no
 * longer belongs to the text; it stays on screen until the next `done`.
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
    /** Whether these are all symmetries that there are to find. */
    readonly complete?: boolean;
    /** One line for people: `C10 · 10 symmetries`, or why the analysis failed. */
    readonly summary: string;
}

/** Request: the symmetries of a document, from the last finished analysis or, when there is none yet, from a new one. */
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

/** Request to the editor: the text of a file that is imported and that only the editor can reach. An error where there is none. */
export const READ_FILE_REQUEST = 'orbit/readFile';

export interface ReadFileParams {
    readonly uri: string;
}

export interface ReadFileResult {
    readonly text: string;
}

/** Whether a document lists faults of the model instead of results. */
export function isProblemsDocument(document: object): document is ProblemsDocument {
    return 'problems' in document;
}

/**
 * Commands that a code lens names. The extension registers them; each takes the document's URI as its first argument,
 * and without one means the document of the active editor.
 */
export const EXPLORE_REDUCED_COMMAND = 'orbit.exploreReduced';
export const EXPLORE_ALL_COMMAND = 'orbit.exploreAll';
export const SHOW_SYMMETRIES_COMMAND = 'orbit.showSymmetries';
/** Takes a second argument, the property's name as in ExploreParams: an exploration that checks this property only. */
export const CHECK_PROPERTY_COMMAND = 'orbit.checkProperty';
