/**
 * Colored graphs as text in the DIMACS format that bliss reads, to compare with other programs.
 *
 *     p edge 3 2        three vertices, two edges; vertices count from 1
 *     n 1 5             vertex 1 has color 5; the default is 0
 *     e 1 2
 *     e 2 3
 */
import type { ColoredGraph } from './colored-graph.js';

/** The text of `graph`. Colors are written for all vertices. */
export function toDimacs(graph: ColoredGraph): string {
    const { vertexCount, edgeCount, colors, firstNeighbor, neighbors } = graph;
    const lines = [`p edge ${vertexCount} ${edgeCount}`];
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        lines.push(`n ${vertex + 1} ${colors[vertex]}`);
    }
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        for (let i = firstNeighbor[vertex]; i < firstNeighbor[vertex + 1]; i++) {
            if (vertex < neighbors[i]) {
                lines.push(`e ${vertex + 1} ${neighbors[i] + 1}`);
            }
        }
    }
    return lines.join('\n') + '\n';
}
