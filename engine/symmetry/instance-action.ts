/**
 * The action of symmetries on process instances. An instance moves with its cells and its summands; if it has neither a
 * local nor a program counter (a loop around one choice), its summands alone determine its image. A symmetry that moves
 * only some locals of an instance does not act on instances.
 */
import { appendTo, remembered } from '../common/list-map.js';
import { imageOf, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import type { Participant, Summand } from '../sequential/sequential-model.js';
import type { GraphEncoding } from './graph-encoding.js';

/** The action on the instances of one model, made once for each encoding. */
export function instanceActionOf(encoding: GraphEncoding): InstanceAction {
    return remembered(knownActions, encoding, () => new InstanceAction(encoding));
}

const knownActions = new WeakMap<GraphEncoding, InstanceAction>();

/** The action of a symmetry on the instances whose images are known. */
export interface InstanceMoves {
    readonly permutation: SparsePermutation;
    /** The other instances, which are mapped onto each other. */
    readonly unknown: ReadonlySet<number>;
}

export class InstanceAction {
    private readonly encoding: GraphEncoding;
    /** The vertices of the cells and summands of each instance, ascending. */
    private readonly verticesOf: readonly (readonly number[])[];
    private readonly instancesOfKey: ReadonlyMap<string, readonly number[]>;
    /** The key of each instance: its vertices, and its number if they are not all that there is to it. */
    private readonly keys: readonly string[];
    /** The instances with a step that is too large to be compared: it has no vertex, so they cannot move. */
    private readonly immovable: ReadonlySet<number>;
    /** `instancesAt[vertex]`: the instances that the vertex belongs to. */
    private readonly instancesAt = new Map<number, number[]>();
    /** The instances with the same vertices as another one but a part of their own in a joint step: their images matter. */
    private readonly alikePartners: ReadonlySet<number>;

    constructor(encoding: GraphEncoding) {
        this.encoding = encoding;
        this.verticesOf = instanceVertices(encoding);
        const { sequential, tooLarge } = encoding.problem;
        const steps = tooLarge.flatMap(({ kind, index }) => (kind === 'summand' ? [sequential.summands[index]] : []));
        this.immovable = new Set(steps.flatMap(({ participants }) => participants.map(({ instance }) => instance)));
        this.keys = this.verticesOf.map((vertices, instance) => this.keyOf(instance, vertices));
        const instancesOfKey = new Map<string, number[]>();
        this.verticesOf.forEach((vertices, instance) => {
            appendTo(instancesOfKey, this.keys[instance], instance);
            vertices.forEach(vertex => {
                appendTo(this.instancesAt, vertex, instance);
            });
        });
        this.instancesOfKey = instancesOfKey;
        this.alikePartners = this.findAlikePartners();
    }

    private keyOf(instance: number, vertices: readonly number[]): string {
        return vertices.join() + (this.immovable.has(instance) ? ` of ${instance}` : '');
    }

    private findAlikePartners(): ReadonlySet<number> {
        const joint = summandsThatCanFire(this.encoding).filter(({ participants }) => participants.length > 1);
        const partners = new Set<number>();
        for (const [key, alike] of this.instancesOfKey) {
            const own = alike.length > 1 ? joint.filter(summand => this.participantsOf(key, summand).length > 0) : [];
            if (!this.areExchangeable(key, alike.length, own)) {
                own.forEach(summand => {
                    this.participantsOf(key, summand).forEach(({ instance }) => partners.add(instance));
                });
            }
        }
        return partners;
    }

    private participantsOf(key: string, { participants }: Summand): readonly Participant[] {
        return participants.filter(({ instance }) => this.keys[instance] === key);
    }

    /** Whether alike instances can be exchanged: their parts in joint steps occur in all distributions. */
    private areExchangeable(key: string, count: number, joint: readonly Summand[]): boolean {
        const groups = new Map<string, { readonly parts: readonly string[]; readonly distributions: Set<string> }>();
        for (const summand of joint) {
            const own = this.participantsOf(key, summand);
            const parts = own.map(participant => partOf(participant, this.encoding));
            const others = summand.participants.filter(participant => !own.includes(participant));
            const group = JSON.stringify([
                others.map(participant => [participant.instance, partOf(participant, this.encoding)]),
                [...parts].sort(),
            ]);
            const distributions = groups.get(group)?.distributions ?? new Set();
            distributions.add(JSON.stringify(own.map(({ instance }, index) => [instance, parts[index]])));
            groups.set(group, { parts, distributions });
        }
        return [...groups.values()].every(
            ({ parts, distributions }) => distributions.size === distributionCount(count, parts),
        );
    }

    /**
     * The permutation of instances by an automorphism; undefined if it does not map instances onto instances. Among
     * those with equal constraints each goes to its image in `preferred` if possible, else it stays if possible.
     */
    of(automorphism: SparsePermutation, preferred?: ReadonlyMap<number, number>): SparsePermutation | undefined {
        const taken = new Set<number>();
        const pairs: [number, number][] = [];
        for (const instance of this.concernedBy(automorphism, preferred)) {
            const candidates = this.targetsOf(instance, automorphism);
            const wanted = preferred?.get(instance) ?? instance;
            const image = candidates.includes(wanted) ? wanted : candidates.find(candidate => !taken.has(candidate));
            // Among partners the choice matters.
            const isGuess = this.alikePartners.has(instance) && preferred?.get(instance) !== image;
            if (image === undefined || taken.has(image) || isGuess) {
                return undefined;
            }
            taken.add(image);
            pairs.push([instance, image]);
        }
        return sparsePermutation(pairs);
    }

    /** The instances whose vertices are the images of those of an instance. */
    private targetsOf(instance: number, automorphism: SparsePermutation): readonly number[] {
        const images = this.verticesOf[instance].map(vertex => imageOf(automorphism, vertex));
        const key = this.keyOf(
            instance,
            images.sort((a, b) => a - b),
        );
        return this.instancesOfKey.get(key) ?? [];
    }

    /** The action of an automorphism on instances, as far as it is known. */
    moves(automorphism: SparsePermutation): InstanceMoves {
        const permutation = this.of(automorphism);
        return permutation === undefined ? this.knownMoves(automorphism) : { permutation, unknown: new Set() };
    }

    /** The action on the instances that are determined if partners in a step are not. */
    private knownMoves(automorphism: SparsePermutation): InstanceMoves {
        const unknown = new Set<number>();
        const images = new Map<number, number>();
        for (const instance of this.concernedBy(automorphism)) {
            const candidates = this.targetsOf(instance, automorphism);
            if (candidates.length === 1 && !this.alikePartners.has(instance)) {
                images.set(instance, candidates[0]);
            } else {
                [instance, ...candidates].forEach(each => unknown.add(each));
            }
        }
        // The image or the preimage of an unknown instance is unknown, too.
        for (let count = -1; count < unknown.size;) {
            count = unknown.size;
            for (const [instance, image] of images) {
                if (unknown.has(instance) || unknown.has(image)) {
                    unknown.add(instance).add(image);
                }
            }
        }
        return { permutation: sparsePermutation([...images].filter(([instance]) => !unknown.has(instance))), unknown };
    }

    /** The instances that may move, ascending: a symmetry of a large model moves few of them. */
    private concernedBy(automorphism: SparsePermutation, preferred?: ReadonlyMap<number, number>): readonly number[] {
        const concerned = new Set(this.alikePartners);
        for (const vertex of automorphism.points) {
            this.instancesAt.get(vertex)?.forEach(instance => concerned.add(instance));
        }
        for (const [instance, image] of preferred ?? []) {
            if (instance !== image) {
                this.instancesOfKey.get(this.keys[instance])?.forEach(alike => concerned.add(alike));
            }
        }
        return [...concerned].sort((a, b) => a - b);
    }

    /** Whether a symmetry determines the image of each instance. */
    get tellsAllApart(): boolean {
        return this.instancesOfKey.size === this.verticesOf.length;
    }

    /** Whether the instance cannot move because a step of it is too large to be compared. */
    isImmovable(instance: number): boolean {
        return this.immovable.has(instance);
    }

    /** Whether two of these instances have the same vertices and different parts in joint steps. */
    hasAlikePartners(instances: readonly number[]): boolean {
        const among = new Set(instances);
        return [...this.instancesOfKey.values()].some(
            alike => alike.filter(instance => among.has(instance) && this.alikePartners.has(instance)).length > 1,
        );
    }

    /** Exchanges of instances of one process with the same constraints, except partners in one step. */
    exchanges(): SparsePermutation[] {
        const { instances } = this.encoding.problem.sequential;
        return [...this.instancesOfKey.values()].flatMap(alike =>
            alike.slice(1).flatMap((instance, position) => {
                const previous = alike[position];
                const areAlike = instances[instance].process === instances[previous].process;
                return areAlike && !this.alikePartners.has(instance) && !this.alikePartners.has(previous)
                    ? [sparsePermutation([[previous, instance] as const, [instance, previous] as const])]
                    : [];
            }),
        );
    }
}

/** The number of ways to give the parts to some of `count` instances, one to each; approximate above 2^53. */
function distributionCount(count: number, parts: readonly string[]): number {
    const occurrences = new Map<string, number>();
    let ways = 1;
    parts.forEach((part, index) => {
        const occurrence = (occurrences.get(part) ?? 0) + 1;
        occurrences.set(part, occurrence);
        ways = (ways * (count - index)) / occurrence;
    });
    return ways;
}

/** Equal for participants that do the same to the same cells; their own constant cells are compared by values. */
function partOf({ instance, source, target, path, body }: Participant, { problem }: GraphEncoding): string {
    const { domains, sequential } = problem;
    const nameOf = (cell: number): unknown => {
        const { instance: owner, kind, variable, indices, domain } = sequential.cells[cell];
        // During the step it may have other values, so it is not replaced by its value.
        return owner === instance && domains[cell].length === 1
            ? [kind, variable, indices, domain, domains[cell]]
            : cell;
    };
    return JSON.stringify([source, target, path, body], (key, value: unknown) => {
        switch (key) {
            case 'cell':
                return nameOf(value as number);
            case 'cells':
                return (value as readonly number[]).map(nameOf);
            // Names of types do not matter; the locations of each instance have names of their own.
            case 'name':
            case 'range':
                return undefined;
            default:
                return value;
        }
    });
}

/** All summands if the problem is not complete. */
function summandsThatCanFire({ problem }: GraphEncoding): readonly Summand[] {
    const { summands } = problem.sequential;
    return problem.complete
        ? problem.summands.flatMap(({ sources }) => sources.map(source => summands[source]))
        : summands;
}

/** The vertices of the cells and summands of each instance, ascending. */
export function instanceVertices(encoding: GraphEncoding): number[][] {
    const { cells, instances, summands } = encoding.problem.sequential;
    const vertices = instances.map(() => new Set<number>());
    cells.forEach((cell, index) => {
        if (cell.instance >= 0 && encoding.cellVertex[index] >= 0) {
            vertices[cell.instance].add(encoding.cellVertex[index]);
        }
    });
    encoding.problem.summands.forEach((summand, index) => {
        for (const source of summand.sources) {
            for (const { instance } of summands[source].participants) {
                vertices[instance].add(encoding.summandVertex[index]);
            }
        }
    });
    return vertices.map(set => [...set].sort((a, b) => a - b));
}
