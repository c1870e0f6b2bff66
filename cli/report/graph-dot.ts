/** The colored graph for Graphviz, with the names of its vertices. Returns the whole text. */
import { formatValue, NO_VALUE, valueOfCode } from '../../engine/model/domain.js';
import type { GraphEncoding } from '../../engine/symmetry/graph-encoding.js';

/** Vertices of one color have the same fill; literals, next literals, cells and summands have their names. */
export function toGraphDot(encoding: GraphEncoding): string {
    const { graph, problem, kinds } = encoding;
    const { sequential } = problem;
    const names = namesOfVertices(encoding);
    const lines = [`graph "${escape(sequential.name)}" {`, '    node [style=filled];'];
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
        // The golden ratio keeps the hues of neighboring colors apart.
        const hue = ((graph.colors[vertex] ?? 0) * 0.618) % 1;
        const name = names.get(vertex);
        const shape = name === undefined ? 'ellipse' : 'box';
        const label = escape(name ?? kinds[vertex] ?? '');
        lines.push(`    ${vertex} [label="${label}", shape=${shape}, fillcolor="${hue.toFixed(3)} 0.25 0.95"];`);
    }
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
        for (let i = graph.firstNeighbor[vertex] ?? 0; i < (graph.firstNeighbor[vertex + 1] ?? 0); i++) {
            const neighbor = graph.neighbors[i] ?? 0;
            if (vertex < neighbor) {
                lines.push(`    ${vertex} -- ${neighbor};`);
            }
        }
    }
    lines.push('}');
    return lines.join('\n') + '\n';
}

/** `token[0]`, `token[0] = 1`, `token[0]' = 1` for the next state, the label of a summand. */
function namesOfVertices(encoding: GraphEncoding): Map<number, string> {
    const { problem, firstLiteral, cellVertex, nextVertex, summandVertex } = encoding;
    const { cells, summands } = problem.sequential;
    const names = new Map<number, string>();
    cells.forEach(({ name, domain }, cell) => {
        names.set(cellVertex[cell] ?? -1, name);
        const first = firstLiteral[cell] ?? 0;
        const count = (firstLiteral[cell + 1] ?? 0) - first;
        for (let position = 0; position < count; position++) {
            const code = problem.domains[cell]?.[position] ?? NO_VALUE;
            const value = code === NO_VALUE ? 'no value' : formatValue(domain, valueOfCode(domain, code));
            names.set(nextVertex[first + position] ?? -1, `${name}' = ${value}`);
            names.set(first + position, `${name} = ${value}`);
        }
    });
    problem.summands.forEach(({ sources }, index) => {
        names.set(summandVertex[index] ?? -1, summands[sources[0] ?? -1]?.label ?? 'summand');
    });
    names.delete(-1);
    return names;
}

function escape(text: string): string {
    return text.replace(/[\\"]/g, character => `\\${character}`);
}
