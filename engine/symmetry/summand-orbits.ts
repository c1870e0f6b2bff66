/**
 * The orbits of summands under a group: those of one orbit fire equally often over all reachable states. A symmetry may
 * map summands with equal constraints to fewer or more summands that are alike.
 */
import { invariant } from '../common/assert.js';
import { UnionFind } from '../common/union-find.js';
import { imageOf } from '../group/sparse-permutation.js';
import type { GraphEncoding } from './graph-encoding.js';
import { GraphExtension } from './graph-extension.js';
import type { ModelGroup } from './model-symmetry.js';

export interface SummandOrbits {
    /** Equal for two summands exactly if a symmetry maps the constraints of one to those of the other. */
    readonly orbit: Int32Array;
    /** The first summand with the same constraints. Both have length summandCount. */
    readonly firstAlike: Int32Array;
}

/** Of the summands of the sequential model. `encoding` has all of them, `group` is one of its symmetries. */
export function summandOrbits(encoding: GraphEncoding, group: ModelGroup): SummandOrbits {
    const { problem, summandVertex } = encoding;
    const summandCount = problem.sequential.summands.length;
    const orbits = new UnionFind(summandCount);
    const firstAlike = Int32Array.from({ length: summandCount }, (_, summand) => summand);
    const sourceOfVertex = new Map<number, number>();
    problem.summands.forEach(({ sources }, index) => {
        sourceOfVertex.set(summandVertex[index], sources[0]);
        for (const source of sources) {
            orbits.union(sources[0], source);
            firstAlike[source] = sources[0];
        }
    });
    const extension = new GraphExtension(encoding, group);
    for (const generator of group.generators) {
        const automorphism = extension.extend(generator);
        invariant(automorphism !== undefined, 'a symmetry is an automorphism of the graph');
        for (const [vertex, source] of sourceOfVertex) {
            const image = sourceOfVertex.get(imageOf(automorphism, vertex));
            invariant(image !== undefined, 'a symmetry maps summands onto summands');
            orbits.union(source, image);
        }
    }
    return { orbit: firstAlike.map(summand => orbits.find(summand)), firstAlike };
}

/** The same for the summands that those of the encoding are made of, one for several (sequential/templates/all-slots.ts). */
export function orbitsOfSources({ orbit }: SummandOrbits, sources: readonly number[], count: number): SummandOrbits {
    const orbits = new UnionFind(count);
    const firstOfOrbit = new Map<number, number>();
    orbit.forEach((number, summand) => {
        const first = firstOfOrbit.get(number) ?? sources[summand];
        firstOfOrbit.set(number, first);
        orbits.union(first, sources[summand]);
    });
    return {
        orbit: Int32Array.from({ length: count }, (_, source) => orbits.find(source)),
        firstAlike: Int32Array.from({ length: count }, (_, source) => source),
    };
}
