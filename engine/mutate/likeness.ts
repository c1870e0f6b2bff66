/**
 * Whether two models are the same but for names that nothing in them tells apart: an automorphism of both their graphs
 * side by side that exchanges the two. Each property has a color of its own, by its name; so have markers of fairness
 * and of properties of runs. Nothing is said of a model that a limit has cut.
 */
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { encodeMarkers } from '../constraints/encode-markers.js';
import { findAutomorphisms } from '../graph/automorphisms.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { imageOf } from '../group/sparse-permutation.js';
import type { Marker } from '../sequential/sequential-model.js';
import { encodeGraph, type GraphEncoding } from '../symmetry/graph-encoding.js';
import { agreesOnStates } from './check-likeness.js';

/** A model as a graph in which all that it says has a name. */
export interface NamedGraph {
    readonly encoding: GraphEncoding;
    /** The colors of both models count as one if they are equal. */
    readonly colors: readonly string[];
    /** Equal for models that are alike; the other way round it says little. */
    readonly digest: string;
}

/** Undefined if some part of the model is too large, or if it says something that the graph does not have. */
export function namedGraphOf(problem: ConstraintProblem, limit: WorkLimit): NamedGraph | undefined {
    const { sequential, tooLarge, pinned, properties } = problem;
    const { fairness, runs } = sequential;
    const members = sequential.properties.flatMap(property =>
        property.members.map((member): Marker => ({ ...member, skeleton: `${property.name} ${member.skeleton}` })),
    );
    const markers = [
        ...fairness.map((marker): Marker => ({ ...marker, skeleton: `fairness ${marker.skeleton}` })),
        ...members,
        ...runs.map(({ name, expression }): Marker => ({
            skeleton: `run ${name}`,
            atoms: [{ kind: 'state', expression }],
        })),
    ];
    const isWhole = tooLarge.length === 0 && pinned.length === 0 && properties.every(each => each.pinned.length === 0);
    const marked = isWhole ? encodeMarkers(problem, markers, limit) : undefined;
    if (marked === undefined) {
        return undefined;
    }
    const encoding = encodeGraph(marked, [...properties.keys()]);
    const colors = [...encoding.kinds];
    encoding.propertyVertex.forEach((vertex, index) => {
        colors[vertex] += ` ${properties[index].name}`;
    });
    const counts = new Map<string, number>();
    const { firstNeighbor } = encoding.graph;
    colors.forEach((color, vertex) => {
        const key = `${color} ${firstNeighbor[vertex + 1] - firstNeighbor[vertex]}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
    });
    return { encoding, colors, digest: JSON.stringify([...counts].sort(([one], [other]) => (one < other ? -1 : 1))) };
}

/** Whether a model is a mirror image of the other one, which is checked on all their states, at most so many. */
export function isMirror(one: NamedGraph, other: NamedGraph, most: number, limit: WorkLimit): boolean {
    const images = isomorphismBetween(one, other, limit);
    return images !== undefined && agreesOnStates(one.encoding, other.encoding, images, most, limit);
}

/** By vertex of the first graph its image in the second one; undefined if there is none, or the limit is reached. */
export function isomorphismBetween(one: NamedGraph, other: NamedGraph, limit: WorkLimit): Int32Array | undefined {
    if (one.digest !== other.digest) {
        return undefined;
    }
    const builder = new GraphBuilder();
    const count = one.colors.length;
    const tops = [one, other].map(({ encoding, colors }) => {
        const first = builder.vertexCount;
        colors.forEach(color => builder.addVertex(color));
        encoding.children.forEach((children, vertex) => {
            children.forEach(child => {
                builder.addEdge(first + vertex, first + child);
            });
        });
        const top = builder.addVertex('top');
        colors.forEach((_, vertex) => {
            builder.addEdge(top, first + vertex);
        });
        return top;
    });
    const [top, otherTop] = tops;
    invariant(top !== undefined && otherTop !== undefined, 'both graphs have a top');
    const { generators, complete } = findAutomorphisms(builder.build(), { workLimit: limit });
    // Each element keeps the two tops or exchanges them; if some does, a generator does.
    const exchange = complete ? generators.find(generator => imageOf(generator, top) === otherTop) : undefined;
    return exchange && Int32Array.from({ length: count }, (_, vertex) => imageOf(exchange, vertex) - count - 1);
}
