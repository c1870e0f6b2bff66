/**
 * From the constraint problem to groups of model symmetries: the automorphisms of its graph, as they act on literals.
 * With the vertices of some properties in the graph, they also keep the truth of these properties.
 */
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { findAutomorphisms, type AutomorphismStatistics } from '../graph/automorphisms.js';
import { knownDivisorOf } from '../group/orbits.js';
import { compareSparse, type SparsePermutation } from '../group/sparse-permutation.js';
import {
    encodeGraph,
    encodePropertiesAlone,
    literalCountOf,
    withFixedLiterals,
    type GraphEncoding,
    type PropertySelection,
} from './graph-encoding.js';
import { GraphExtension } from './graph-extension.js';
import { inseparableCells } from './inseparable-cells.js';
import { literalPoints, literalProjection, type LiteralPoints, type ModelGroup } from './model-symmetry.js';

export interface Detection {
    readonly encoding: GraphEncoding;
    readonly group: ModelGroup;
    /** The graph automorphism behind each generator of the group, in the same order. */
    readonly automorphisms: readonly SparsePermutation[];
    readonly statistics: AutomorphismStatistics;
}

/** A permutation of literals to be tried. */
export interface SuggestedPermutation extends SparsePermutation {
    /** It is a product of these: if they hold, trying it gains nothing. */
    readonly productOf?: readonly SparsePermutation[];
}

/** The symmetries that keep the selected properties and map markers onto markers. `candidates` are tried first; they never change the result. */
export function detectSymmetries(
    problem: ConstraintProblem,
    properties: PropertySelection,
    candidates: readonly SuggestedPermutation[],
    workLimit: WorkLimit,
): Detection {
    return detectIn(encodeGraph(problem, properties), candidates, workLimit);
}

/** The same, of a problem that is encoded already. */
export function detectIn(
    encoding: GraphEncoding,
    candidates: readonly SuggestedPermutation[],
    workLimit: WorkLimit,
): Detection {
    const { problem } = encoding;
    const points = literalPoints(problem);
    const extension = new GraphExtension(encoding, points);
    /** The automorphism of each candidate that holds. */
    const accepted = new Map<SparsePermutation, SparsePermutation>();
    for (const candidate of candidates) {
        if (workLimit.isExhausted()) {
            break;
        }
        if (candidate.productOf?.every(factor => accepted.has(factor)) === true) {
            continue;
        }
        const extended = extension.extend(candidate);
        if (extended !== undefined) {
            accepted.set(candidate, extended);
        }
    }
    const literalCount = literalCountOf(encoding);
    const result = findAutomorphisms(encoding.graph, {
        workLimit,
        candidates: [...accepted.values()],
        preferredVertices: Int32Array.from({ length: literalCount }, (_, vertex) => vertex),
    });
    // If the group is not known as a whole, the number of these exchanges in it is not known.
    const inseparable = result.complete ? inseparableCells(encoding, points) : undefined;
    const found: { readonly generator: SparsePermutation; readonly automorphism: SparsePermutation }[] = [];
    const project = literalProjection(encoding, points);
    for (const automorphism of result.generators) {
        const projected = project(automorphism);
        const generator = inseparable?.inOrder(projected) ?? projected;
        if (generator.points.length > 0) {
            const behind = inseparable === undefined ? automorphism : extension.extend(generator);
            invariant(behind !== undefined, 'cells that come and go together may be exchanged');
            found.push({ generator, automorphism: behind });
        }
    }
    // In the order of the model, for readers.
    found.sort((one, other) => compareSparse(one.generator, other.generator));
    const kernel = kernelOrder(encoding, result.base, workLimit);
    const exchanges = inseparable?.exchanges ?? 1n;
    const generators = found.map(({ generator }) => generator);
    const complete = problem.complete && result.complete && kernel !== undefined;
    const counted = kernel === undefined ? 1n : result.order / (kernel * exchanges);
    const least = complete ? 1n : knownDivisorOf(generators);
    return {
        encoding,
        group: {
            ...points,
            generators,
            order: counted > least ? counted : least,
            complete,
        },
        automorphisms: found.map(({ automorphism }) => automorphism),
        statistics: result.statistics,
    };
}

/** Automorphisms that fix all literals and markers: one if the base has only literals, else counted unless the limit ends it. */
function kernelOrder(encoding: GraphEncoding, base: readonly number[], workLimit: WorkLimit): bigint | undefined {
    const literalCount = literalCountOf(encoding);
    if (base.every(vertex => vertex < literalCount)) {
        return 1n;
    }
    const result = findAutomorphisms(withFixedLiterals(encoding), { workLimit });
    return result.complete ? result.order : undefined;
}

/** Whether symmetries of the model keep the selected properties too. Only the properties are encoded. */
export function keepsProperties(
    problem: ConstraintProblem,
    points: LiteralPoints,
    properties: PropertySelection,
    generators: readonly SparsePermutation[],
): boolean {
    const extension = new GraphExtension(encodePropertiesAlone(problem, properties), points);
    return generators.every(generator => extension.extend(generator) !== undefined);
}
