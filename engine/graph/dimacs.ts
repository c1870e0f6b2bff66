/**
 * Colored graphs as text in the DIMACS format that bliss reads, to compare with other programs.
 *
 *     p edge 3 2        three vertices, two edges; vertices count from 1
 *     n 1 5             vertex 1 has color 5; color 0 where no line says otherwise
 *     e 1 2
 *     e 2 3
 */
import { invariant } from '../common/assert.js';
import type { ColoredGraph } from './colored-graph.js';
import { GraphBuilder } from './graph-builder.js';

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

/** The graph that `text` describes. For trusted texts: a malformed one violates an invariant. */
export function parseDimacs(text: string): ColoredGraph {
    const colors: number[] = [];
    const edges: [number, number][] = [];
    let hasHeader = false;
    for (const line of text.split('\n')) {
        const [kind, ...fields] = line.trim().split(/\s+/);
        if (kind === 'p') {
            invariant(fields[0] === 'edge' && !hasHeader, `one line 'p edge', not '${line}'`);
            hasHeader = true;
            colors.push(...new Array<number>(naturalNumber(fields[1])).fill(0));
        } else if (kind === 'n') {
            const vertex = naturalNumber(fields[0]) - 1;
            invariant(vertex in colors, `a vertex in '${line}'`);
            colors[vertex] = naturalNumber(fields[1]);
        } else if (kind === 'e') {
            edges.push([naturalNumber(fields[0]) - 1, naturalNumber(fields[1]) - 1]);
        } else {
            invariant(kind === 'c' || kind === '', `a line of DIMACS, not '${line}'`);
        }
    }
    invariant(hasHeader, `a line 'p edge'`);
    // The builder sorts the texts of colors: equally many digits keep the order of the numbers.
    const builder = new GraphBuilder();
    for (const color of colors) {
        builder.addVertex(String(color).padStart(10, '0'));
    }
    for (const [first, second] of edges) {
        builder.addEdge(first, second);
    }
    return builder.build();
}

function naturalNumber(field: string | undefined): number {
    invariant(field !== undefined && /^\d{1,9}$/.test(field), `a natural number, not '${field}'`);
    return Number(field);
}
