/**
 * Sequences of points up to a permutation group, along a chain of stabilizers: the first point becomes the least of its
 * orbit, the next one the least under what fixes the first, and so on. Each node of the tree is one such sequence; it has
 * the stabilizer of its points, which makes the rest canonical. Made where a sequence first comes.
 */
import { remembered } from '../common/list-map.js';
import { isIdentity, type Permutation } from '../group/permutation.js';
import { tryStabilizerChain } from '../group/stabilizer-chain.js';

/** Entries of all transversal elements of one chain. */
const MOST_ENTRIES = 40_000_000;

export interface PointGroup {
    readonly generators: readonly Permutation[];
    readonly order: bigint;
}

/** The way from a point to the least of its orbit. */
interface ToLeast {
    readonly least: number;
    /** Absent if the point is the least. */
    readonly element?: Permutation;
}

export class PointNode {
    readonly group: PointGroup;
    readonly #degree: number;
    readonly #ways = new Map<number, ToLeast>();
    readonly #children = new Map<number, PointNode>();

    constructor(group: PointGroup, degree: number) {
        this.group = group;
        this.#degree = degree;
    }

    /** The least point of the orbit, and an element that leads there. */
    toLeast(point: number): ToLeast {
        return remembered(this.#ways, point, () => {
            const orbit = this.#orbitOf(point);
            const least = Math.min(...orbit.keys());
            const toPoint = orbit.get(least);
            return least === point || toPoint === undefined ? { least } : { least, element: toPoint };
        });
    }

    /** What fixes `least`, too. Undefined at a limit. */
    fixing(least: number): PointNode | undefined {
        const known = this.#children.get(least);
        if (known !== undefined) {
            return known;
        }
        const child = this.#stabilizer(least);
        if (child !== undefined) {
            this.#children.set(least, child);
        }
        return child;
    }

    #stabilizer(least: number): PointNode | undefined {
        const { generators, order } = this.group;
        if (generators.every(generator => generator[least] === least)) {
            return this;
        }
        const options = { base: [least], order, entryLimit: MOST_ENTRIES };
        const chain = tryStabilizerChain(generators, this.#degree, options);
        if (chain === undefined) {
            return undefined;
        }
        const fixing = chain.stabilizerGenerators(1).filter(generator => !isIdentity(generator));
        const size = order / BigInt(chain.orbit(0).length);
        return new PointNode({ generators: fixing, order: size }, this.#degree);
    }

    /** The points of the orbit, each with an element that maps `point` to it. */
    #orbitOf(point: number): ReadonlyMap<number, Permutation | undefined> {
        const { generators } = this.group;
        const orbit = new Map<number, Permutation | undefined>([[point, undefined]]);
        // The map grows during the loop.
        for (const [reached, element] of orbit) {
            for (const generator of generators) {
                const image = generator[reached];
                if (!orbit.has(image)) {
                    orbit.set(image, element === undefined ? generator : product(element, generator));
                }
            }
        }
        return orbit;
    }
}

/** `first`, then `second`. */
export function product(first: Permutation, second: Permutation): Permutation {
    return first.map(image => second[image]) as unknown as Permutation;
}

/** The least sequence of the orbit, with an element that leads there; undefined at a limit. */
export function leastSequence(
    root: PointNode,
    points: readonly number[],
): { readonly least: readonly number[]; readonly element?: Permutation } | undefined {
    let node: PointNode | undefined = root;
    let rest = [...points];
    let all: Permutation | undefined;
    const least: number[] = [];
    for (let index = 0; index < points.length; index++) {
        const way: ToLeast = node.toLeast(rest[index]);
        const { element } = way;
        least.push(way.least);
        if (element !== undefined) {
            rest = rest.map(point => element[point]);
            all = all === undefined ? element : product(all, element);
        }
        node = node.fixing(way.least);
        if (node === undefined) {
            return undefined;
        }
    }
    return { least, ...(all !== undefined && { element: all }) };
}
