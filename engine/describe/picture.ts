/** What a picture shows of a group that acts on the members of a subject: rows, rings, groups and pairs. */
import type { WorkLimit } from '../common/work-limit.js';
import { nontrivialOrbits } from '../group/orbits.js';
import { factorial } from '../group/permutation.js';
import { actionOnOrbit, type PermutationGroup } from '../group/permutation-group.js';
import { composeSparse, cyclesOfSparse } from '../group/sparse-permutation.js';
import { describeQuotient, type GroupStructure } from '../group/structure.js';
import { dihedral } from '../group/structure-name.js';
import { findSymmetricAction } from '../group/symmetric-action.js';
import { isOfValues } from './describe-action.js';
import type { FactorPicture } from './report.js';
import type { Subject } from './subjects.js';

/** Points instead of their names. */
interface Shape {
    readonly kind: FactorPicture['kind'];
    readonly members: readonly (readonly number[])[];
}

/** The picture of the first orbit on which the group acts faithfully and in a simple way; undefined without one. */
export function pictureOf(
    subject: Subject,
    group: PermutationGroup,
    structure: GroupStructure,
    limit: WorkLimit,
): FactorPicture | undefined {
    const shape = shapeOf(group, structure, limit);
    return (
        shape && {
            kind: shape.kind,
            members: shape.members.map(part => part.map(member => subject.members[member])),
            ...(isOfValues(subject) && { valuesOf: subject.name }),
        }
    );
}

function shapeOf(group: PermutationGroup, structure: GroupStructure, limit: WorkLimit): Shape | undefined {
    const orbits = nontrivialOrbits(group.generators);
    if (structure.order === 2n) {
        return { kind: orbits.length === 1 ? 'interchangeable' : 'pairs', members: orbits };
    }
    for (const orbit of orbits) {
        const action = actionOnOrbit(group, orbit);
        const { order } = describeQuotient(action.generators, action.degree, structure, limit);
        const shape = order === structure.order ? transitiveShapeOf(action, structure) : undefined;
        if (shape !== undefined) {
            return { ...shape, members: shape.members.map(part => part.map(point => orbit[point])) };
        }
    }
    return undefined;
}

/** Of a transitive and faithful action. */
function transitiveShapeOf(action: PermutationGroup, structure: GroupStructure): Shape | undefined {
    const { generators, degree } = action;
    if (structure.order === factorial(degree)) {
        return { kind: 'interchangeable', members: [Array.from({ length: degree }, (_, point) => point)] };
    }
    const isRing = structure.kind === 'cyclic' && structure.degree === degree;
    if (isRing || structure.name === dihedral(degree).name) {
        const ring = ringOf(action);
        return ring && { kind: isRing ? 'ring' : 'mirrored-ring', members: [ring] };
    }
    const symmetric = findSymmetricAction(generators, degree);
    const count = (symmetric?.firstElement.length ?? 1) - 1;
    if (symmetric === undefined || symmetric.elementCount !== degree || count < 2) {
        return undefined;
    }
    const groups = Array.from({ length: count }, (): number[] => []);
    symmetric.basePoint.forEach((point, element) => groups[symmetric.familyOfElement[element]].push(point));
    // With further tiers the groups are not interchangeable.
    const isFlat = structure.order === factorial(degree / count) ** BigInt(count) * factorial(count);
    return isFlat ? { kind: 'groups', members: groups.map(each => each.sort((a, b) => a - b)) } : undefined;
}

/** The points in the order in which a rotation of all of them leads through: a generator, or a product of two. */
function ringOf({ generators, degree }: PermutationGroup): readonly number[] | undefined {
    const products = generators.flatMap(first => generators.map(second => composeSparse(first, second)));
    const cycles = [...generators, ...products].map(cyclesOfSparse);
    return cycles.find(([cycle]) => cycle?.length === degree)?.[0];
}
