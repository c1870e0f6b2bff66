/** What the compiled refinement (refinement-code.ts) has in its memory: single integers, and arrays as of Refiner. */
import { INTEGER_BYTES } from '../webassembly/function-body.js';
import type { Layout } from './compiled-code.js';

/** Single integers, by their addresses. */
export const GLOBAL = address({
    vertexCount: 0,
    // As in OrderedPartition.
    splitCount: 1,
    cellCount: 2,
    differentCells: 3,
    differentVertices: 4,
    watchedSplits: 5,
    // As in Refiner.
    traceLength: 6,
    traceCursor: 7,
    stepCount: 8,
    stepEdges: 9,
    isComparing: 10,
    isSigning: 11,
    isRepeating: 12,
    signature: 13,
    singletonCount: 14,
    queueHead: 15,
    queueLength: 16,
    countBase: 17,
    greatestCount: 18,
    areCountsOne: 19,
    touchedCount: 20,
    touchedCellCount: 21,
    stepHash: 22,
    /** How many edges were looked at since this was set to 0. */
    edgesSeen: 23,
    /** The next of the steps that are repeated. */
    nextStep: 24,
    // As in ForcedVertices.
    forcedCount: 25,
    nextForced: 26,
    /** How many fixed vertices are to be looked at again. */
    againCount: 27,
    forcedEdges: 28,
});

/** Those of the arrays that must be 0 at the beginning of a search. */
export const CLEARED_ARRAYS = [
    'cellLength',
    'strangers',
    'isQueued',
    'neighborCount',
    'touchedLength',
    'movedLength',
    'bucket',
] as const;

/** All arrays in the order in which they lie in the memory. */
export const REFINEMENT_ARRAYS = [
    ...CLEARED_ARRAYS,
    'elements',
    'position',
    'cellOf',
    'splitStart',
    'splitParent',
    'strangersBefore',
    'leafElements',
    'leafPosition',
    'singletons',
    'queue',
    'touched',
    'touchedCells',
    'copy',
    'stepSplitter',
    'stepTrace',
    'forcedPositions',
    'forcedSources',
    // An event for each step and one for each split, neither of which there can be more of than vertices: two arrays in a row.
    'trace',
    'traceRest',
] as const;

/** Where each of the arrays begins. */
export type RefinementLayout = Layout<(typeof REFINEMENT_ARRAYS)[number]>;

/** Where the first array may begin. */
export const FIRST_ARRAY = 32 * INTEGER_BYTES;

function address<Name extends string>(indices: Readonly<Record<Name, number>>): Readonly<Record<Name, number>> {
    return Object.fromEntries(
        Object.entries<number>(indices).map(([name, index]) => [name, index * INTEGER_BYTES]),
    ) as Readonly<Record<Name, number>>;
}
