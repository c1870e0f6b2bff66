/** The npm package for programs: the engine, and what reads a model from a text. Nothing here needs Node. */
export * from '../engine/index.js';
export { check } from './check.js';
export { explore, type ExploreOptions, type ExploreResult } from './explore.js';
export { loadModel, type ImportedText, type LoadOptions, type LoadedModel } from './load-model.js';
export {
    createTests,
    runTests,
    type TestAdapter,
    type TestOptions,
    type TestReport,
    type TestSuite,
} from './run-tests.js';
