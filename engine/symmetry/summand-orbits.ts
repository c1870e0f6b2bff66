/**
 * What a group does to summands: those of one orbit fire equally often, over all states that can be reached.
 *
 * A symmetry maps the constraints of a summand onto those of another one. Several summands of the model may have the same
 * constraints; they fire together.
 */
import { invariant } from '../common/assert.js';
import { UnionFind } from '../common/union-find.js';
import { imageOf } from '../group/sparse-permutation.js';
import type { GraphEncoding } from './graph-encoding.js';
import { GraphExtension } from './graph-extension.js';
import type { ModelGroup } from './model-symmetry.js';

/**
 * The same number for two summands of the sequential model exactly if a symmetry in `group` maps one to the other. Length
 * summandCount. `encoding` has all summands, `group` is one of its symmetries.
 */
export function summandOrbits(encoding: GraphEncoding, group: ModelGroup): Int32Array {
    const { problem, summandVertex } = encoding;
    const orbits = new UnionFind(problem.sequential.summands.length);
    const sourceOfVertex = new Map<number, number>();
    problem.summands.forEach(({ sources }, index) => {
        sourceOfVertex.set(summandVertex[index], sources[0]);
        for (const source of sources) {
            orbits.union(sources[0], source);
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
    return Int32Array.from({ length: problem.sequential.summands.length }, (_, summand) => orbits.find(summand));
}
