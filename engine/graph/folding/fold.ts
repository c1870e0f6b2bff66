/**
 * Folds up the parts of a graph whose symmetries are plain, so that the search is left with the rest [AndersEtAl2023].
 *
 * Trees become vertices, twins become one vertex, and then what is left may have such parts again. Each step takes linear time;
 * they are repeated as long as they make the graph smaller by a good part, so that all of them together take linear time too.
 */
import type { BundledGraph } from './bundled-graph.js';
import { numberedBreadthFirst, unbundled } from './bundled-graph.js';
import type { ColoredGraph } from '../colored-graph.js';
import { foldHangingTrees } from './hanging-trees.js';
import type { Kernel } from './kernel.js';
import type { Scratch } from '../scratch.js';
import { foldTwins } from './twins.js';

/** Another round is made when the last one took away at least one vertex in so many. */
const WORTHWHILE = 8;

/** Smaller graphs fit into a cache as they are. */
const LARGE = 2 ** 15;

/** What is left of `graph`. What is known of the rest is in `kernel` afterwards. */
export function foldGraph(graph: ColoredGraph, kernel: Kernel, scratch: Scratch): BundledGraph | 'stopped' {
    let stage = unbundled(graph, scratch);
    for (;;) {
        const { vertexCount } = stage.graph;
        for (const fold of [foldHangingTrees, foldTwins]) {
            const { used } = scratch;
            const next = fold(stage, kernel, scratch);
            if (next === 'stopped') {
                return next;
            }
            if (next === stage) {
                scratch.releaseTo(used);
            }
            stage = next;
        }
        if ((vertexCount - stage.graph.vertexCount) * WORTHWHILE < vertexCount || stage.graph.vertexCount <= 1) {
            return stage.graph.vertexCount < LARGE ? stage : numberedBreadthFirst(stage, kernel.workLimit, scratch);
        }
    }
}
