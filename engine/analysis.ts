/** The input of an analysis, and its result. */
import type { TextOfRange } from './common/source-text.js';
import type { AnalysisMemory } from './analysis-memory.js';
import type { Problem } from './common/problem.js';
import type { WorkLimit } from './common/work-limit.js';
import type { ConstraintProblem } from './constraints/constraint-problem.js';
import type { KnownValues } from './constraints/dead-steps.js';
import type { SymmetryReport } from './describe/report.js';
import type { Model } from './model/model.js';
import type { NumberSort, SequentialModel } from './sequential/sequential-model.js';
import type { GraphEncoding } from './symmetry/graph-encoding.js';
import type { AlikeSet, ExplorationGroups } from './symmetry/groups.js';
import type { ModelGroup } from './symmetry/model-symmetry.js';

/** Options of the search for symmetries. */
export interface SearchOptions {
    /** Milliseconds on any monotonic clock, for the timings. */
    readonly now: () => number;
    /** When it is exhausted the search stops with a subgroup, and what is not yet explained stays so. */
    readonly workLimit: WorkLimit;
}

/** Options of the search, and of the report. */
export interface AnalysisOptions extends SearchOptions {
    /** Whether to look for what breaks symmetries that declarations suggest. */
    readonly explain?: boolean;
    /** Whether to say of each declaration why there is not more than was found. */
    readonly why?: boolean;
    /** Names of invariants, or that of one property of runs; the report then describes the symmetries that keep their truth. */
    readonly properties?: readonly string[];
    /** For explanations that quote the text; without it they quote the model, with the values of constants. */
    readonly textOf?: TextOfRange;
    /** Results of earlier analyses of the same text, to save work; the analysis adds to it. */
    readonly memory?: AnalysisMemory;
    /** Receives the report before explanations: without broken symmetries, assertions, property costs, estimate. */
    readonly onFound?: (report: SymmetryReport) => void;
}

/** The result for a model; without errors it has a sequential model and symmetries. */
export interface Analysis<Report = SymmetryReport> {
    readonly model: Model;
    readonly problems: readonly Problem[];
    /** Absent if a problem is an error. */
    readonly sequential?: SequentialModel;
    readonly symmetry?: SymmetryAnalysis<Report>;
}

/** A model without errors, with its symmetries if some are used. */
export interface Explorable {
    readonly model: Model;
    readonly sequential: SequentialModel;
    readonly symmetry?: SymmetryAnalysis<unknown>;
    /** What a search keeps of numbers without end. */
    readonly numbers?: KeptNumbers;
}

export interface KeptNumbers {
    readonly sorts: readonly NumberSort[];
    /** For each sort the bound from which on distances are one. */
    readonly kept: readonly number[];
}

/** The symmetries of a model, and the report about them. */
export interface SymmetryAnalysis<Report = SymmetryReport> extends ExplorationGroups {
    /** As in the report. */
    readonly complete: boolean;
    readonly verified: boolean;
    readonly refuted: boolean;
    /** All symmetries of the model. */
    readonly group: ModelGroup;
    /** Those of the steps; absent if all of them keep the start. */
    readonly stepsGroup?: ModelGroup;
    /** The invariants that `startGroup` exchanges. */
    readonly alikeSets: readonly AlikeSet[];
    /** Those that keep the truth of one property; the same order as `report.properties`. */
    readonly propertyGroups: readonly ModelGroup[];
    /** The graph of the model without properties, and what its vertices stand for. */
    readonly encoding: GraphEncoding;
    readonly constraints: ConstraintProblem;
    /** The values that can occur in each place; absent if they are not known. */
    readonly values?: KnownValues;
    /** Undefined if it was not asked for. */
    readonly report: Report;
}

/** The part of a report that one line, or an exit code, depends on. */
export type SymmetryLine = Pick<
    SymmetryReport,
    'structure' | 'order' | 'complete' | 'heldFixed' | 'verified' | 'refuted' | 'assertions'
>;
