/**
 * What a call of the command line asks for, as plain data: what arguments.ts makes of the words after `orbit`, and what the
 * commands read.
 */
import type { EXPORT_FORMS, STATE_GRAPH_FORMS } from '../../engine/options.js';
import type { PassName } from '../../engine/passes/pass-names.js';

export type ColorChoice = 'auto' | 'always' | 'never';

export interface CommonOptions {
    /** Values of parameters as typed: constant expressions of the language. */
    readonly parameters: ReadonlyMap<string, string>;
    readonly json: boolean;
    readonly quiet: boolean;
    readonly color: ColorChoice;
}

export type CheckFormat = 'text' | 'json' | 'sarif';

export interface CheckInvocation extends CommonOptions {
    readonly command: 'check';
    readonly files: readonly string[];
    readonly format: CheckFormat;
}

export interface SymmetryInvocation extends CommonOptions {
    readonly command: 'symmetry';
    readonly file: string;
    readonly property?: string;
    /** Whether to say of each declaration why it has not more symmetry. */
    readonly why: boolean;
    readonly timeoutSeconds?: number;
}

export type ReductionChoice = 'auto' | 'unique' | 'local' | 'none';

export interface ExploreInvocation extends CommonOptions {
    readonly command: 'explore';
    readonly file: string;
    readonly reduction: ReductionChoice;
    /** What is done to the model before it is searched; the default when absent. */
    readonly passes?: readonly PassName[];
    readonly property?: string;
    readonly continueAfterViolation: boolean;
    readonly maxViolations?: number;
    readonly maxStates?: number;
    readonly maxMemoryBytes?: number;
    readonly timeoutSeconds?: number;
    /** How many threads may search. */
    readonly workers?: number;
    readonly traceFile?: string;
    /** `fingerprint`: long states are told apart by fingerprints alone. */
    readonly states: 'exact' | 'fingerprint';
    /** Where to write what there is when a limit ends the search, and how often before, in seconds. */
    readonly checkpointFile?: string;
    readonly checkpointInterval?: number;
    /** A checkpoint to go on from. */
    readonly resumeFile?: string;
    /** Whether each property is explored by itself, under the symmetries that it keeps. */
    readonly isEach: boolean;
    /** Whether to count how often each step is taken. */
    readonly countsCoverage: boolean;
}

export interface SimulateInvocation extends CommonOptions {
    readonly command: 'simulate';
    readonly file: string;
    /** Absent where a script says where to go. */
    readonly seed?: number;
    readonly steps: number;
    readonly scriptFile?: string;
    readonly timeoutSeconds?: number;
}

export interface VerifyInvocation extends CommonOptions {
    readonly command: 'verify';
    readonly file: string;
    /** Check this certificate instead of what is detected. */
    readonly certificateFile?: string;
    /** Write a certificate there. */
    readonly outputFile?: string;
    readonly timeoutSeconds?: number;
}

export type StateGraphForm = (typeof STATE_GRAPH_FORMS)[number];
export type ExportForm = (typeof EXPORT_FORMS)[number];

export interface ExportInvocation extends CommonOptions {
    readonly command: 'export';
    readonly file: string;
    readonly form: ExportForm;
    /** `unique`: a state graph has a state for each orbit. */
    readonly reduction: 'none' | 'unique';
    readonly outputFile?: string;
}

export interface FormatInvocation extends CommonOptions {
    readonly command: 'format';
    readonly files: readonly string[];
    /** Change nothing, and say what is not laid out well. */
    readonly isCheck: boolean;
}

export type Invocation =
    /** Help or the version: text for stdout, and nothing else to do. */
    | { readonly command: 'print'; readonly text: string }
    | CheckInvocation
    | SymmetryInvocation
    | ExploreInvocation
    | SimulateInvocation
    | VerifyInvocation
    | ExportInvocation
    | FormatInvocation
    /** The language server on standard input and output. */
    | { readonly command: 'lsp' };
