/**
 * Symmetries that two models both have, and that do the same to the steps of both: then what a representative does says
 * what its whole orbit does. Steps with equal constraints fire together, and go together.
 */
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { sameDomains } from '../constraints/same-behavior.js';
import { imageOf, type SparsePermutation } from '../group/sparse-permutation.js';
import { createCanonicalizer } from '../representative/representative.js';
import type { StateCanonicalizer } from '../explore/state-canonicalizer.js';
import { GraphExtension } from '../symmetry/graph-extension.js';
import type { GraphEncoding } from '../symmetry/graph-encoding.js';
import { literalGroup, type ModelGroup } from '../symmetry/model-symmetry.js';
import { nameOfStep } from './behavior.js';

/** The symmetries of a model that keep its start, and its graph without properties. */
export interface KnownSymmetries {
    readonly group: ModelGroup;
    readonly encoding: GraphEncoding;
}

/** Representatives under the common symmetries; undefined if there are none, or none for sure. */
export function commonSymmetries(one: KnownSymmetries, other: KnownSymmetries): StateCanonicalizer | undefined {
    const problems = [one, other].map(({ encoding }) => encoding.problem);
    const isEncoded = problems.every(({ complete, sequential }) => complete && sequential.templates === undefined);
    if (!isEncoded || !sameDomains(one.group.codes, other.group.codes)) {
        return undefined;
    }
    const [action, otherAction] = [actionOn(one), actionOn(other)];
    const generators = one.group.generators.filter(generator => {
        const [images, others] = [action(generator), otherAction(generator)];
        // A step that one of them does not have fires in none, or is a difference.
        return (
            images && others && [...images].every(([name, image]) => !others.has(name) || others.get(name) === image)
        );
    });
    const { order: _, ...group } = literalGroup(one.group);
    const canonicalizer = createCanonicalizer({ ...group, generators });
    return generators.length > 0 && canonicalizer.strategy.unique ? canonicalizer : undefined;
}

/** By name of the steps that fire together those that a permutation maps them to; undefined if it is no symmetry. */
function actionOn({
    group,
    encoding,
}: KnownSymmetries): (permutation: SparsePermutation) => ReadonlyMap<string, string | undefined> | undefined {
    const { problem, summandVertex } = encoding;
    const extension = new GraphExtension(encoding, group);
    const names = new Map(
        problem.summands.map(({ sources }, index) => [summandVertex[index], namesOf(problem, sources)]),
    );
    return permutation => {
        const automorphism = extension.extend(permutation);
        return (
            automorphism &&
            new Map([...names].map(([vertex, name]) => [name, names.get(imageOf(automorphism, vertex))]))
        );
    };
}

function namesOf({ sequential }: ConstraintProblem, sources: readonly number[]): string {
    return JSON.stringify(sources.map(source => nameOfStep(sequential, sequential.summands[source])).sort());
}
