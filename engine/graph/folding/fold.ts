/**
 * Folds the parts of a graph that have obvious symmetries, so that less is left to the search [AndersEtAl2023].
 *
 * Trees and classes of twins become vertices; then the rest may have such parts again. Each round takes linear time and
 * removes a good part of the vertices, so all rounds together take linear time.
 */
import type { BundledGraph } from './bundled-graph.js';
import { numberedBreadthFirst, unbundled } from './bundled-graph.js';
import type { ColoredGraph } from '../colored-graph.js';
import { foldHangingTrees } from './hanging-trees.js';
import type { Kernel } from './kernel.js';
import type { Scratch } from '../scratch.js';
import { foldTwins } from './twins.js';

/** There is another round if the last one removed at least one vertex in this many. */
const WORTHWHILE = 8;

/** Smaller graphs fit into the cache and are not renumbered. */
const LARGE = 2 ** 15;

/** Returns the folded graph, and adds the symmetries of the folded parts to `kernel`. */
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
