/** An upper bound for the number of automorphisms of a colored graph, without a search for them. */
import type { WorkLimit } from '../common/work-limit.js';
import type { ColoredGraph } from './colored-graph.js';
import { OrderedPartition } from './ordered-partition.js';
import { Refiner } from './refinement.js';
import { withScratch } from './scratch.js';

/**
 * Whether refinement shows that all automorphisms together move the first `count` vertices in at most `most` ways:
 * where one is fixed after the other, each has the vertices of its cell to go to. False if the limit ended it.
 */
export function hasAtMost(graph: ColoredGraph, count: number, most: bigint, workLimit: WorkLimit): boolean {
    return withScratch(scratch => {
        const refiner = new Refiner(graph, new OrderedPartition(graph, scratch), scratch);
        const { cellOf, cellLength } = refiner.partition;
        refiner.enqueueAllCells();
        let ways = 1n;
        let isStopped = refiner.refine(workLimit) === 'stopped';
        for (let vertex = 0; vertex < count && !isStopped && ways <= most; vertex++) {
            const length = cellLength[cellOf[vertex]];
            if (length > 1) {
                ways *= BigInt(length);
                refiner.individualize(vertex);
                isStopped = refiner.refine(workLimit) === 'stopped';
            }
        }
        return !isStopped && ways <= most;
    });
}
