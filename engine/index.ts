/** The public interface of the engine: what the npm package exports, besides what reads texts (library/index.ts). */
export { AnalysisMemory } from './analysis-memory.js';
export { InvariantViolation } from './common/assert.js';
export type { Problem, RelatedLocation, Severity } from './common/problem.js';
export type { SourcePosition, SourceRange } from './common/source-range.js';
export {
    createWorkLimit,
    OperationCancelled,
    UNLIMITED,
    type WorkLimit,
    type WorkLimitOptions,
} from './common/work-limit.js';
export { isSearchWorkerData, runSearchWorker, type SearchWorkerData } from './compiled-search/threads/search-worker.js';
export type { WorkerHandle, WorkerHost } from './explore/worker-host.js';
export type { BranchCoverage, Coverage, StepCoverage } from './explore/coverage.js';
export type {
    ExplorationOptions,
    ExplorationProgress,
    ExplorationResult,
    RunningExploration,
} from './explore/search.js';
export type { UnreachedStep } from './explore/text-steps.js';
export type { ExplorationReport, TraceEntry, Verdict, Violation } from './explore/verdict.js';
export { toDimacs } from './graph/dimacs.js';
export type { ColoredGraph } from './graph/colored-graph.js';
export type { SparsePermutation } from './group/sparse-permutation.js';
export * from './model/domain.js';
export type * from './model/expression.js';
export type * from './model/model.js';
export { DEFAULT_PASSES, PASSES, type PassName, type PassReport } from './passes/pass-names.js';
export {
    analyze,
    findSymmetries,
    startExploration,
    type Analysis,
    type AnalysisOptions,
    type ReducedExploration,
    type ReducedExplorationOptions,
    type Reduction,
    type SearchOptions,
    type SymmetryAnalysis,
} from './pipeline.js';
export type { SequentialModel } from './sequential/sequential-model.js';
export type { ModelGroup } from './symmetry/model-symmetry.js';
export type * from './describe/report.js';
