/** Colored graphs from texts in the DIMACS format, to read again what was written. */
import { invariant } from '../../engine/common/assert.js';
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { GraphBuilder } from '../../engine/graph/graph-builder.js';

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
