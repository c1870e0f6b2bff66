/**
 * What a symmetry does to process instances.
 *
 * An instance is not a literal; it moves with its cells and its summands. Where an instance has neither a local nor a
 * program counter (a loop around one choice), its summands alone say where it goes.
 */
import type { ConstraintProblem } from '../csp/constraint-problem.js';
import { imageOf, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import type { GraphEncoding } from './graph-encoding.js';

/** For each automorphism of the graph the permutation of `SequentialModel.instances` that goes with it. */
export function instanceAction(
    encoding: GraphEncoding,
    automorphisms: readonly SparsePermutation[],
): SparsePermutation[] {
    const verticesOf = instanceVertices(encoding.problem, encoding);
    const instancesOfKey = new Map<string, number[]>();
    verticesOf.forEach((vertices, instance) => {
        const key = vertices.join();
        const known = instancesOfKey.get(key);
        if (known === undefined) {
            instancesOfKey.set(key, [instance]);
        } else {
            known.push(instance);
        }
    });
    return automorphisms.map(automorphism => {
        const taken = new Set<number>();
        const images = verticesOf.map((vertices, instance) => {
            const imageVertices = vertices.map(vertex => imageOf(automorphism, vertex)).sort((a, b) => a - b);
            // Instances with the same constraints cannot be told apart: one that can stay stays.
            const candidates = instancesOfKey.get(imageVertices.join()) ?? [];
            const image = candidates.includes(instance)
                ? instance
                : candidates.find(candidate => !taken.has(candidate));
            if (image !== undefined) {
                taken.add(image);
            }
            return image;
        });
        const isBijection = images.every(image => image !== undefined) && taken.size === images.length;
        return sparsePermutation(isBijection ? images.map((image, instance) => [instance, image ?? instance]) : []);
    });
}

/** The vertices of the cells and summands of each instance, ascending. */
function instanceVertices(problem: ConstraintProblem, encoding: GraphEncoding): number[][] {
    const { cells, instances, summands } = problem.sequential;
    const vertices = instances.map(() => new Set<number>());
    cells.forEach((cell, index) => {
        if (cell.instance >= 0 && encoding.cellVertex[index] >= 0) {
            vertices[cell.instance].add(encoding.cellVertex[index]);
        }
    });
    problem.summands.forEach((summand, index) => {
        for (const source of summand.sources) {
            for (const { instance } of summands[source].participants) {
                vertices[instance].add(encoding.summandVertex[index]);
            }
        }
    });
    return vertices.map(set => [...set].sort((a, b) => a - b));
}
