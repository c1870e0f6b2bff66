/** A call of the command line as plain data: the result of arguments.ts, and the input of the commands. */
import type { EXPORT_FORMS, REPORT_FORMATS, STATE_GRAPH_FORMS } from '../../engine/options.js';
import type { Shell } from './commands.js';
import type { CertainOrder, PartialOrder } from '../../engine/explore/stubborn.js';
import type { PassName } from '../../engine/passes/pass-names.js';
import type { Cover } from '../../engine/tests/cover-names.js';
import type { ParameterRange } from '../../language-server/protocol.js';

export type ColorChoice = 'auto' | 'always' | 'never';

export interface CommonOptions {
    /** Values of parameters as typed: constant expressions of the language. */
    readonly parameters: ReadonlyMap<string, string>;
    readonly json: boolean;
    readonly quiet: boolean;
    readonly color: ColorChoice;
    /** Of commands that write reports for other programs, too. */
    readonly format?: ReportFormat;
}

/** Of commands that consider so many instances of each template. */
export interface InstancesOption {
    /** By template; 3 when absent. */
    readonly instances?: ReadonlyMap<string, number>;
}

/** Of commands that may look for a run. */
export interface FindOption {
    /** The parts of the run as typed. */
    readonly find?: string;
}

export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface CheckInvocation extends CommonOptions {
    readonly command: 'check';
    readonly files: readonly string[];
    readonly format: ReportFormat;
    /** A file with the symmetries that the models had. */
    readonly baselineFile?: string;
    readonly updatesBaseline: boolean;
}

export interface SymmetryInvocation extends CommonOptions, InstancesOption {
    readonly command: 'symmetry';
    readonly file: string;
    readonly format: ReportFormat;
    readonly properties?: readonly string[];
    /** Whether to explain for each declaration why it has no more symmetry. */
    readonly why: boolean;
    readonly timeoutSeconds?: number;
}

type ReductionChoice = 'auto' | 'unique' | 'local' | 'none';

export interface ExploreInvocation extends CommonOptions, FindOption {
    readonly command: 'explore';
    readonly file: string;
    readonly format: ReportFormat;
    readonly reduction: ReductionChoice;
    readonly por: 'off' | PartialOrder;
    /** Passes over the model before the search; the default when absent. */
    readonly passes?: readonly PassName[];
    readonly properties?: readonly string[];
    readonly continueAfterViolation: boolean;
    readonly maxViolations?: number;
    readonly maxStates?: number;
    readonly maxMemoryBytes?: number;
    /** Of each template; 64 when absent. */
    readonly maxInstances?: number;
    readonly maxNames?: number;
    /** Of numbers without end; what the text asks for when absent. */
    readonly leastDistances?: number;
    readonly timeoutSeconds?: number;
    /** How many threads may search. */
    readonly workers?: number;
    readonly traceFile?: string;
    /** `fingerprint`: long states are told apart by fingerprints alone. */
    readonly states: 'exact' | 'fingerprint';
    /** A file for the state of the search when a limit ends it, and the seconds between earlier writes. */
    readonly checkpointFile?: string;
    readonly checkpointInterval?: number;
    /** A checkpoint to continue from. */
    readonly resumeFile?: string;
    /** An exploration for each of these values, one after the other. */
    readonly sweep?: ParameterRange;
    /** The only size of views that is tried, for all values of a parameter. */
    readonly viewSize?: number;
    /** Whether each property has an exploration of its own, with the symmetries that it keeps. */
    readonly isEach: boolean;
    /** Whether to count how often each step is taken. */
    readonly countsCoverage: boolean;
}

export interface SimulateInvocation extends CommonOptions {
    readonly command: 'simulate';
    readonly file: string;
    /** Absent if a script chooses the steps. */
    readonly seed?: number;
    readonly steps: number;
    readonly scriptFile?: string;
    /** So many walks, which are counted and not shown. */
    readonly runs?: number;
    /** Expressions of the language. */
    readonly ask?: readonly string[];
    readonly timeoutSeconds?: number;
}

export interface MutateInvocation extends CommonOptions {
    readonly command: 'mutate';
    readonly files: readonly string[];
    /** A file with survivors that are accepted. */
    readonly baselineFile?: string;
    readonly updatesBaseline: boolean;
    /** For all models together. */
    readonly timeoutSeconds: number;
}

export interface MatchInvocation extends CommonOptions {
    readonly command: 'match';
    /** The model, then the logs; the mapping names them if there are none. */
    readonly files: readonly string[];
    readonly mapFile?: string;
    /** Steps that a log need not show. */
    readonly hidden?: readonly string[];
    readonly isComplete: boolean;
    readonly countsCoverage: boolean;
    readonly maxCandidates: number;
    /** For all logs together. */
    readonly timeoutSeconds?: number;
}

export interface TestsInvocation extends CommonOptions {
    readonly command: 'tests';
    readonly file: string;
    readonly cover: Cover;
    readonly form?: 'json' | 'scripts';
    /** For scripts. */
    readonly outputFolder?: string;
    readonly members: number;
    readonly seed: number;
    readonly maxStates: number;
    /** A command that stands for the system: then the tests are executed. */
    readonly adapter?: string;
    readonly mapFile?: string;
    /** Steps that its lines need not show. */
    readonly hidden?: readonly string[];
    /** Also asks the system for steps that the model forbids. */
    readonly asksForbidden: boolean;
    readonly answerSeconds: number;
    readonly maxCandidates: number;
    readonly timeoutSeconds?: number;
}

export interface VerifyInvocation extends CommonOptions, InstancesOption {
    readonly command: 'verify';
    readonly file: string;
    /** A certificate to check, instead of detected symmetries. */
    readonly certificateFile?: string;
    /** A file for a certificate of the verified symmetries. */
    readonly outputFile?: string;
    /** The invariants that are proved for all values of a parameter; all when absent. */
    readonly properties?: readonly string[];
    readonly timeoutSeconds?: number;
}

export type StateGraphForm = (typeof STATE_GRAPH_FORMS)[number];
type ExportForm = (typeof EXPORT_FORMS)[number];

export interface ExportInvocation extends CommonOptions, InstancesOption {
    readonly command: 'export';
    readonly file: string;
    readonly form: ExportForm;
    /** `unique`: a state graph has a state for each orbit. */
    readonly reduction: 'none' | 'unique';
    readonly outputFile?: string;
}

export interface ExpandInvocation extends CommonOptions, InstancesOption {
    readonly command: 'expand';
    readonly file: string;
    /** At most one of these four; without one of them states are expanded. */
    readonly isInitial: boolean;
    readonly isIdentity: boolean;
    readonly isRun: boolean;
    /** A state as it is written. */
    readonly towards?: string;
    readonly expectedIdentity?: string;
    readonly isTagged: boolean;
    readonly isBinary: boolean;
    readonly verdictsFile?: string;
    readonly certificateFile?: string;
    readonly reduction: 'unique' | 'none';
    readonly por: 'off' | CertainOrder;
    /** Passes over the model before the search; the default when absent. */
    readonly passes?: readonly PassName[];
    readonly properties?: readonly string[];
}

export interface ImportInvocation extends CommonOptions {
    readonly command: 'import';
    /** A model of Murphi. */
    readonly file: string;
    /** Whether a text is written that lacks parts of the source. */
    readonly isLossy: boolean;
    readonly outputFile?: string;
}

export interface FormatInvocation extends CommonOptions {
    readonly command: 'format';
    readonly files: readonly string[];
    /** Change nothing, and name the files that are not formatted. */
    readonly isCheck: boolean;
}

export type Invocation =
    /** Help or the version: a text for stdout. */
    | { readonly command: 'print'; readonly text: string }
    | CheckInvocation
    | SymmetryInvocation
    | ExploreInvocation
    | SimulateInvocation
    | MutateInvocation
    | MatchInvocation
    | TestsInvocation
    | VerifyInvocation
    | ExportInvocation
    | ExpandInvocation
    | ImportInvocation
    | FormatInvocation
    /** The language server on standard input and output. */
    | { readonly command: 'lsp' }
    /** A server for other programs on standard input and output. */
    | { readonly command: 'mcp' }
    /** A script for a shell. */
    | { readonly command: 'completion'; readonly shell: Shell };
