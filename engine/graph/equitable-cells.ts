/** The coarsest equitable partition of a colored graph: no automorphism takes a vertex out of its cell. */
import type { WorkLimit } from '../common/work-limit.js';
import type { ColoredGraph } from './colored-graph.js';
import { OrderedPartition } from './ordered-partition.js';
import { Refiner } from './refinement.js';
import { withScratch } from './scratch.js';

/** By vertex: equal for those of one cell. Undefined if the limit ended it. O(edgeCount · log vertexCount). */
export function equitableCells(graph: ColoredGraph, workLimit: WorkLimit): Int32Array | undefined {
    return withScratch(scratch => {
        const refiner = new Refiner(graph, new OrderedPartition(graph, scratch), scratch);
        refiner.enqueueAllCells();
        return refiner.refine(workLimit) === 'stopped' ? undefined : refiner.partition.cellOf.slice();
    });
}
