/** The automorphisms of a small colored graph, by trying every permutation of its vertices. */
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';

/** All automorphisms as image arrays. For at most 8 vertices: there are 40,320 permutations to try. */
export function allAutomorphisms(graph: ColoredGraph): number[][] {
    const isJoined = adjacencyMatrix(graph);
    const vertices = [...isJoined.keys()];
    return allPermutations(vertices.length).filter(images =>
        vertices.every(
            v =>
                graph.colors[v] === graph.colors[images[v] ?? -1] &&
                vertices.every(w => isJoined[v]?.[w] === isJoined[images[v] ?? -1]?.[images[w] ?? -1]),
        ),
    );
}

/** The orbits of a set of permutations that is a group, each ascending, in the order of their least points. */
export function orbitsOfGroup(group: readonly (readonly number[])[], degree: number): number[][] {
    const orbits = new Map<string, number[]>();
    for (let point = 0; point < degree; point++) {
        const orbit = [...new Set(group.map(images => images[point] ?? -1))].sort((a, b) => a - b);
        orbits.set(orbit.join(), orbit);
    }
    return [...orbits.values()];
}

function adjacencyMatrix(graph: ColoredGraph): boolean[][] {
    const matrix = Array.from({ length: graph.vertexCount }, () => new Array<boolean>(graph.vertexCount).fill(false));
    matrix.forEach((row, vertex) => {
        for (let i = graph.firstNeighbor[vertex] ?? 0; i < (graph.firstNeighbor[vertex + 1] ?? 0); i++) {
            row[graph.neighbors[i] ?? -1] = true;
        }
    });
    return matrix;
}

function allPermutations(size: number): number[][] {
    if (size === 0) {
        return [[]];
    }
    return allPermutations(size - 1).flatMap(shorter =>
        Array.from({ length: size }, (_, place) => [...shorter.slice(0, place), size - 1, ...shorter.slice(place)]),
    );
}
