/** All lassos of a graph up to some length, for a check by brute force. */
import type { FullGraph } from './full-graph.js';
import type { GraphLasso } from './lasso-evaluation.js';

/** Those that begin in an initial state, with at most `mostPositions` positions, each once. */
export function* lassosOf(graph: FullGraph, mostPositions: number): Generator<GraphLasso> {
    for (const initial of graph.initial) {
        yield* continuations(graph, [], initial, mostPositions);
    }
}

/** Those that begin with these positions, after which the run is in `state`. */
function* continuations(
    graph: FullGraph,
    positions: readonly number[],
    state: number,
    mostPositions: number,
): Generator<GraphLasso> {
    for (const [loopStart, position] of positions.entries()) {
        if (graph.firings[position]!.from === state) {
            yield { positions, loopStart };
        }
    }
    if (positions.length < mostPositions) {
        for (const position of graph.leaving[state]!) {
            yield* continuations(graph, [...positions, position], graph.firings[position]!.to, mostPositions);
        }
    }
}
