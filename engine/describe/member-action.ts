/**
 * The action of the symmetries on the members of a declaration: instances of a family, values of a type or variable.
 * Those that map members onto members are the automorphisms of the graph with one more vertex for each member, joined
 * with all that belongs to it: `value 2 ── label[0]=2, label[1]=2`, `P[1] ── cells and summands of P[1]`. Each way of
 * belonging (as an index, in a field of a record) has vertices of its own color in between. The result does not depend
 * on the generators that a search finds.
 */
import { remembered } from '../common/list-map.js';
import { invariant } from '../common/assert.js';
import { UnionFind } from '../common/union-find.js';
import type { WorkLimit } from '../common/work-limit.js';
import { findAutomorphisms } from '../graph/automorphisms.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { sparsePermutation, imageOf, type SparsePermutation } from '../group/sparse-permutation.js';
import { factorial, permutation } from '../group/permutation.js';
import { knownDivisorOf, orbitNumbers, orbits } from '../group/orbits.js';
import { chainOf } from '../group/permutation-group.js';
import { describeGroup } from '../group/structure.js';
import { writtenOrder } from '../group/structure-name.js';
import { domainSize, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { declaredActionOf, MOST_SUGGESTED_VALUES, neighborSwaps } from '../symmetry/declared-action.js';
import type { GraphEncoding } from '../symmetry/graph-encoding.js';
import { graphExtensionOf } from '../symmetry/graph-extension.js';
import { instanceActionOf } from '../symmetry/instance-action.js';
import {
    exchangedDomain,
    occurrencesOf,
    occurrencesOfInstances,
    type MemberSubject,
    type Occurrences,
} from './members.js';

/** The action of the symmetries that map members onto members. */
export interface MemberAction {
    /** Their names, as the model writes them. */
    readonly members: readonly string[];
    /** The group of the action: `S5`, `C5`, `trivial`; in words if the limit ended the search for its name. */
    readonly structure: string;
    /** A lower bound if the group has no name. */
    readonly order: bigint;
    /** Whether every permutation of the members is brought about by a symmetry. */
    readonly isFull: boolean;
    /** False if there may be more: the limit was reached, or the constraints are not complete. */
    readonly isComplete: boolean;
    /** Some members take part in joint steps only, where their parts may differ. */
    readonly isAmbiguous: boolean;
    /** Values that occur nowhere although others do: no symmetry exchanges them with the others. */
    readonly missing: readonly string[];
}

/** The action on the members of `subject`. A search is needed only if not all exchanges of neighbors are symmetries. */
export function memberActionOf(
    subject: MemberSubject,
    model: Model,
    encoding: GraphEncoding,
    limit: WorkLimit,
): MemberAction {
    const occurrences = occurrencesOf(subject, model, encoding);
    const { names } = occurrences;
    const { complete, pinned } = encoding.problem;
    const full = fullName(names.length);
    const order = factorial(names.length);
    if (complete && exchangesNeighbors(subject, model, encoding, limit)) {
        const certain = { isFull: true, isComplete: true, isAmbiguous: false, missing: [] };
        return { members: names, structure: full, order, ...certain };
    }
    const found = searchAction(occurrences, encoding, limit);
    const { name, order: namedOrder } = describeGroup(found.generators, names.length, undefined, limit);
    const isNamed = namedOrder > 0n;
    const looksFull = complete && namedOrder === order;
    // If the group does not act on all pairs alike, it is certainly not the group of all permutations.
    const isOpen = !isNamed && movesPairsAlike(found.generators, names.length);
    // Partners in one step may have different parts in it although they look alike.
    const isAmbiguous = looksFull && occurrences.isAmbiguous;
    const isFull = looksFull && !isAmbiguous;
    const isEverything =
        complete && found.complete && pinned.length === 0 && !occurrences.isUnlisted && !isAmbiguous && !isOpen;
    const foundOrder = isNamed ? namedOrder : knownDivisorOf(found.generators);
    const unnamed = `a group of order at least ${writtenOrder(foundOrder)}`;
    return {
        members: names,
        structure: looksFull ? full : isNamed ? name : unnamed,
        order: foundOrder,
        isFull,
        isComplete: isFull || isEverything,
        isAmbiguous,
        missing: occurrences.missing,
    };
}

/** Tests whether symmetries permute all instances of some families so; false if there are too many instances. */
export function instanceMovesOf(
    processes: readonly number[],
    encoding: GraphEncoding,
    limit: WorkLimit,
): (targets: ReadonlyMap<number, number>) => boolean {
    const { instances } = encoding.problem.sequential;
    const members = instances.flatMap(({ process }, index) => (processes.includes(process) ? [index] : []));
    const occurrences = occurrencesOfInstances(
        members.map(index => [index]),
        members.map(index => instances[index].name),
        encoding,
    );
    const isTooMuch = members.length === 0 || members.length > MOST_SUGGESTED_VALUES;
    if (!encoding.problem.complete || occurrences.isAmbiguous || isTooMuch) {
        return () => false;
    }
    const { generators } = searchAction(occurrences, encoding, limit);
    const orbitOf = orbitNumbers(generators, members.length);
    const group = { degree: members.length, generators };
    return targets => {
        const images = members.map(member => members.indexOf(targets.get(member) ?? -1));
        return (
            images.every((image, member) => image >= 0 && orbitOf[image] === orbitOf[member]) &&
            chainOf(group)?.contains(permutation(images)) === true
        );
    };
}

/** Whether any two members can be brought to the places of any two others. */
function movesPairsAlike(generators: readonly SparsePermutation[], size: number): boolean {
    if (orbits(generators, size).length > 1) {
        return false;
    }
    const pairOf = (first: number, second: number): number => first * size + second;
    const pairs = new UnionFind(size * size);
    for (const { points, images } of generators) {
        const imageOfMember = Int32Array.from({ length: size }, (_, member) => member);
        points.forEach((point, i) => (imageOfMember[point] = images[i]));
        // A pair of members that both stay needs no union.
        points.forEach((point, i) => {
            imageOfMember.forEach((image, member) => {
                pairs.union(pairOf(point, member), pairOf(images[i], image));
                pairs.union(pairOf(member, point), pairOf(image, images[i]));
            });
        });
    }
    // One class of pairs of a member with itself, one of all other pairs.
    return pairs.setCount === Math.min(size, 2);
}

/** The name of the group of all permutations. */
export function fullName(size: number): string {
    return size < 2 ? 'trivial' : size === 2 ? 'C2' : `S${size}`;
}

/** The automorphisms that map members onto members, as they act on the members. */
function searchAction(
    { names, found, constants, missing }: Occurrences,
    { graph }: GraphEncoding,
    workLimit: WorkLimit,
): { readonly generators: readonly SparsePermutation[]; readonly complete: boolean } {
    const builder = new GraphBuilder();
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
        builder.addVertex(`graph ${graph.colors[vertex]}`);
    }
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
        for (let index = graph.firstNeighbor[vertex]; index < graph.firstNeighbor[vertex + 1]; index++) {
            if (graph.neighbors[index] > vertex) {
                builder.addEdge(vertex, graph.neighbors[index]);
            }
        }
    }
    const first = builder.vertexCount;
    constants.forEach(ways => builder.addVertex(`member ${ways}`));
    /** The things that belong to one member in one way. */
    const connectors = new Map<string, number>();
    for (const { vertex, member, way } of found) {
        if (way === '') {
            builder.addEdge(vertex, first + member);
            continue;
        }
        const connector = remembered(connectors, `${member} ${way}`, () => {
            const added = builder.addVertex(`way ${way}`);
            builder.addEdge(added, first + member);
            return added;
        });
        builder.addEdge(connector, vertex);
    }
    const members = [...names.keys()].filter(member => !missing.includes(names[member]));
    const preferredVertices = Int32Array.from(names, (_, member) => first + member);
    const { generators, complete } = findAutomorphisms(builder.build(), { workLimit, preferredVertices });
    return {
        // An exchange of values that occur nowhere means nothing.
        generators: generators.map(generator =>
            sparsePermutation(
                members.map((member): [number, number] => {
                    const image = imageOf(generator, first + member) - first;
                    invariant(0 <= image && image < names.length, 'members have colors of their own');
                    return [member, image];
                }),
            ),
        ),
        complete,
    };
}

/** Whether the exchanges of neighbors, which generate all permutations, are symmetries; of a family, for its only index. */
function exchangesNeighbors(subject: MemberSubject, model: Model, encoding: GraphEncoding, limit: WorkLimit): boolean {
    const { sequential } = encoding.problem;
    const domain = exchangedDomain(subject, model);
    if (domain === undefined) {
        return false;
    }
    const swaps = neighborSwaps(domain);
    const instanceCount =
        subject.kind === 'instances'
            ? sequential.instances.filter(({ process }) => process === subject.process).length
            : 0;
    if (
        swaps.length !== domainSize(domain) - 1 ||
        (subject.kind === 'instances' && instanceCount !== domainSize(domain))
    ) {
        return false;
    }
    return swaps.every(images => {
        if (limit.isExhausted()) {
            return false;
        }
        if (subject.kind === 'variable-values') {
            const declared = declaredActionOf(model, encoding.problem);
            const permutation = declared.ofValues(-1, subject.variable, images);
            return permutation !== undefined && graphExtensionOf(encoding).extend(permutation) !== undefined;
        }
        return permutesType(domain, images, model, encoding);
    });
}

/** Whether the permutation of the codes of a type is a symmetry that also moves the instances accordingly. */
export function permutesType(
    domain: Domain,
    images: readonly number[],
    model: Model,
    encoding: GraphEncoding,
): boolean {
    const declared = declaredActionOf(model, encoding.problem);
    const permutation = declared.ofIndexType(domain, images);
    const extended = permutation === undefined ? undefined : graphExtensionOf(encoding).extend(permutation);
    if (extended === undefined) {
        return false;
    }
    const wanted = declared.ofInstances(domain, images);
    const moves = instanceActionOf(encoding).of(extended, wanted);
    return moves !== undefined && [...wanted].every(([from, to]) => imageOf(moves, from) === to);
}
