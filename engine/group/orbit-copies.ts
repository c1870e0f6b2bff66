/**
 * Orbits on which a group does the same. Where processes are permuted, each value of each of their variables makes an
 * orbit, and most of these move alike: a bijection between two of them commutes with every element. One of them is enough
 * to know the group by, and what an element does there tells what it does on the others.
 *
 * A point of the first orbit may go to any point of the other that is moved by the same generators; from there on the
 * generators leave no choice.
 */
import { nontrivialOrbits } from './orbits.js';
import type { Permutation } from './permutation.js';
import type { PermutationGroup } from './permutation-group.js';
import { sparsePermutation, type SparsePermutation } from './sparse-permutation.js';

export interface WithoutCopies {
    /** The same group on one orbit of each kind, renumbered. */
    readonly group: PermutationGroup;
    /** What an element does to all points, from what it does to those of `group`. */
    readonly lift: (element: SparsePermutation) => SparsePermutation;
    /** The same for images of all points of `group`; writes those of all points. Points that nothing moves are not written. */
    readonly liftInto: (target: Int32Array, element: Permutation) => void;
}

/** Orbits that one is compared with. */
const MOST_ALIKE = 16;
/** Images of points that are followed before two orbits are taken for different: so many times those of one orbit. */
const MOST_TRIALS = 32;

/** The group without copies of orbits. About linear in the points that the generators move. */
export function withoutCopies(group: PermutationGroup): WithoutCopies {
    const moves = movesOfPoints(group);
    const keptOf = new Map<string, (readonly number[])[]>();
    /** `copies[point]`: the points that move as the kept one does, itself first; empty for those that are left out. */
    const copies: number[][] = Array.from({ length: group.degree }, () => []);
    const target = new Int32Array(group.degree).fill(-1);
    let keptCount = 0;
    for (const orbit of nontrivialOrbits(group.generators)) {
        const kind = kindOf(orbit, moves);
        const alike = keptOf.get(kind) ?? [];
        const original = alike.slice(0, MOST_ALIKE).find(kept => followInto(target, kept, orbit, moves));
        if (original === undefined) {
            keptOf.set(kind, [...alike, orbit]);
            keptCount += orbit.length;
            orbit.forEach(point => copies[point].push(point));
        } else {
            original.forEach(point => copies[point].push(target[point]));
        }
    }
    if (keptCount === group.degree) {
        return { group, lift: element => element, liftInto: (target, element) => target.set(element) };
    }
    const kept = Int32Array.from(copies.keys()).filter(point => copies[point].length > 0);
    const number = new Int32Array(group.degree).fill(-1);
    kept.forEach((point, i) => (number[point] = i));
    return {
        group: {
            ...group,
            generators: group.generators.map(generator => renumbered(generator, number)),
            degree: kept.length,
        },
        lift({ points, images }): SparsePermutation {
            const pairs: [number, number][] = [];
            points.forEach((point, i) => {
                const imageCopies = copies[kept[images[i]]];
                copies[kept[point]].forEach((copy, c) => pairs.push([copy, imageCopies[c]]));
            });
            return sparsePermutation(pairs);
        },
        liftInto(target, element): void {
            for (let point = 0; point < kept.length; point++) {
                const own = copies[kept[point]];
                const imageCopies = copies[kept[element[point]]];
                for (let c = 0; c < own.length; c++) {
                    target[own[c]] = imageCopies[c];
                }
            }
        },
    };
}

/** What moves each point and where to: for point p the entries `first[p]` … `first[p + 1] - 1`, by generators. */
interface Moves {
    readonly first: Int32Array;
    readonly generator: Int32Array;
    readonly image: Int32Array;
}

function movesOfPoints({ generators, degree }: PermutationGroup): Moves {
    const first = new Int32Array(degree + 1);
    for (const { points } of generators) {
        for (let i = 0; i < points.length; i++) {
            first[points[i] + 1]++;
        }
    }
    for (let point = 0; point < degree; point++) {
        first[point + 1] += first[point];
    }
    const next = first.slice();
    const generator = new Int32Array(first[degree]);
    const image = new Int32Array(first[degree]);
    generators.forEach(({ points, images }, index) => {
        for (let i = 0; i < points.length; i++) {
            const entry = next[points[i]]++;
            generator[entry] = index;
            image[entry] = images[i];
        }
    });
    return { first, generator, image };
}

/** The same for orbits that are copies: how many points there are, and by how many of them each generator is needed. */
function kindOf(orbit: readonly number[], { first, generator }: Moves): string {
    let count = 0;
    let mixed = 0;
    for (const point of orbit) {
        count += first[point + 1] - first[point];
        for (let entry = first[point]; entry < first[point + 1]; entry++) {
            mixed = (mixed + Math.imul(generator[entry] + 1, 0x9e3779b1)) | 0;
        }
    }
    return `${orbit.length} ${count} ${mixed}`;
}

/** Writes into `target`, for each point of the one orbit, the point of the other that moves as it does; false if none does. */
function followInto(target: Int32Array, from: readonly number[], to: readonly number[], moves: Moves): boolean {
    const { first } = moves;
    const [start] = from;
    const entries = from.reduce((sum, point) => sum + first[point + 1] - first[point], 0);
    const meter = { left: MOST_TRIALS * (entries + from.length) };
    for (const candidate of to) {
        for (const point of from) {
            target[point] = -1;
        }
        if (followPair(target, start, candidate, moves, meter)) {
            return true;
        }
        if (meter.left <= 0) {
            return false;
        }
    }
    return false;
}

function followPair(
    target: Int32Array,
    start: number,
    candidate: number,
    { first, generator, image }: Moves,
    meter: { left: number },
): boolean {
    target[start] = candidate;
    const queue = [start];
    for (const point of queue) {
        const other = target[point];
        const count = first[point + 1] - first[point];
        meter.left -= count + 1;
        if (first[other + 1] - first[other] !== count) {
            return false;
        }
        for (let i = 0; i < count; i++) {
            const [entry, otherEntry] = [first[point] + i, first[other] + i];
            if (generator[entry] !== generator[otherEntry]) {
                return false;
            }
            const next = image[entry];
            if (target[next] < 0) {
                target[next] = image[otherEntry];
                queue.push(next);
            } else if (target[next] !== image[otherEntry]) {
                return false;
            }
        }
    }
    return true;
}

/** A permutation of the points that have a number, of which it maps none to one without. */
function renumbered({ points, images }: SparsePermutation, number: Int32Array): SparsePermutation {
    const own = points.map((point, i) => (number[point] < 0 ? -1 : i)).filter(i => i >= 0);
    return { points: own.map(i => number[points[i]]), images: own.map(i => number[images[i]]) };
}
