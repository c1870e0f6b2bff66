/** Color refinement by its definition: recolor by color and neighbor colors, all at once, until nothing changes. */
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';

/** `result[v]` names the class of v in the coarsest equitable coloring. The names mean nothing. */
export function naiveRefinement(graph: ColoredGraph): string[] {
    let classes = Array.from(graph.colors, String);
    for (;;) {
        const signatures = classes.map(
            (own, vertex) =>
                `${own}(${neighborsOf(graph, vertex)
                    .map(w => classes[w])
                    .sort()
                    .join()})`,
        );
        const names = [...new Set(signatures)].sort();
        if (names.length === new Set(classes).size) {
            return classes;
        }
        classes = signatures.map(signature => String(names.indexOf(signature)));
    }
}

/** Whether any two vertices of a class have equally many neighbors in each class, and one color. */
export function isEquitable(graph: ColoredGraph, classes: ArrayLike<number | string>): boolean {
    const profileOfClass = new Map<number | string | undefined, string>();
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
        const profile = `${graph.colors[vertex]}: ${neighborsOf(graph, vertex)
            .map(w => classes[w])
            .sort()
            .join()}`;
        const known = profileOfClass.get(classes[vertex]) ?? profile;
        if (known !== profile) {
            return false;
        }
        profileOfClass.set(classes[vertex], profile);
    }
    return true;
}

function neighborsOf(graph: ColoredGraph, vertex: number): number[] {
    return [...graph.neighbors.subarray(graph.firstNeighbor[vertex], graph.firstNeighbor[vertex + 1])];
}
