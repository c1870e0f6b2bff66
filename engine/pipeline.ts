/**
 * The whole flow, one line for each stage:
 *
 *     Model ─ linearize ─ SSA ─ constraint problem ─ colored graph ─ automorphisms ─ groups ─ report
 *                 └── passes ── successors ─ search ── representatives ──┘
 */
export {
    analyze,
    findSymmetries,
    nameSymmetries,
    reportKeeping,
    type Analysis,
    type AnalysisOptions,
    type FoundSymmetries,
    type NamedSymmetries,
    type Searched,
    type SearchOptions,
    type SymmetryAnalysis,
} from './analyze.js';
export {
    startExploration,
    type ReducedExploration,
    type ReducedExplorationOptions,
    type Reduction,
} from './start-exploration.js';
