/**
 * Images of tests under symmetries, since an implementation may be less symmetric than its model: together they bring each
 * member of an orbit to as many others as there are images. Instances that steps create keep their slots, since their
 * names come from the order of a run. All images are checked by taking their steps.
 */
import type { Random } from '../common/random.js';
import { identity, inverse, type Permutation } from '../group/permutation.js';
import { PointNode, product } from '../match/point-tree.js';
import type { LogSymmetries } from '../match/symmetries.js';
import type { Passing } from './path-keys.js';
import type { Selection, TestRun } from './select-tests.js';
import type { TransitionOrbits } from './transition-orbits.js';

/** Groups to this order are listed. */
const MOST_LISTED = 720n;
/** Elements among which the next one is chosen, if the group is not listed. */
const POOL = 64;
/** Generators in a random element. */
const WORD = 24;

export interface NamedRun {
    /** `12`, and `12.2` for its second image. */
    readonly name: string;
    readonly run: TestRun;
    /** 0 for the test itself. */
    readonly image: number;
}

/** The runs of a selection, each with its images behind it: at most `count` of each run, itself included. */
export function namedImagesOf(selection: Selection, count: number, random: Random): readonly NamedRun[] {
    return imagesOfRuns(selection, count, random).flatMap((images, index) =>
        images.map((run, image) => ({ run, image, name: image === 0 ? `${index + 1}` : `${index + 1}.${image + 1}` })),
    );
}

/** By run at most `count` images, itself first; fewer if there are no more. */
export function imagesOfRuns(
    { orbits, sequential, runs }: Pick<Selection, 'orbits' | 'sequential' | 'runs'>,
    count: number,
    random: Random,
): readonly (readonly TestRun[])[] {
    const { symmetries } = orbits.keys;
    if (symmetries === undefined) {
        return runs.map(run => [run]);
    }
    const slots = (sequential.templates ?? []).flatMap(({ name, slots: { length } }) =>
        Array.from({ length }, (_, slot) => symmetries.pointOf(name, slot)),
    );
    const members = new Members(symmetries, slots, orbits.keys.memberPoints);
    return runs.map(run => {
        const images = new Map([[keyOf(run), run]]);
        for (const element of members.choose(count, random)) {
            const image = imageOfRun(orbits, symmetries, run, element);
            images.set(keyOf(image), image);
        }
        return [...images.values()];
    });
}

function keyOf({ initial, passings }: TestRun): string {
    return [initial.join(), ...passings.map(({ summand, after }) => `${summand} ${after.join()}`)].join(';');
}

/** The run with each state, process and step in the place of its image. */
function imageOfRun(orbits: TransitionOrbits, symmetries: LogSymmetries, run: TestRun, element: Permutation): TestRun {
    const initial = symmetries.imageOf(run.initial, element);
    let before = initial;
    const passings = run.passings.map((passing): Passing => {
        const image = orbits.imageOfStep(passing, before, symmetries.imageOf(passing.after, element), element);
        before = Int32Array.from(image.after);
        return image;
    });
    return { ...run, initial, passings };
}

class Members {
    readonly #group: PointNode;
    /** The points of members that are moved. */
    readonly #points: readonly number[];
    readonly #degree: number;
    #listed: readonly Permutation[] | undefined;

    constructor({ root, group }: LogSymmetries, fixed: readonly number[], members: readonly number[]) {
        this.#degree = group.cellOfPoint.length;
        const trivial = new PointNode({ generators: [], order: 1n }, this.#degree);
        // At a limit there are no images.
        this.#group = fixed.reduce((node, point) => node.fixing(point) ?? trivial, root);
        this.#points = members.filter(point =>
            this.#group.group.generators.some(generator => generator[point] !== point),
        );
    }

    /**
     * So many different elements, the identity first; fewer if there are no more. Each brings as many members as possible
     * to where no earlier one has brought them. O(count · pool · members).
     */
    choose(count: number, random: Random): readonly Permutation[] {
        const chosen = [identity(this.#degree)];
        const isTaken = new Set([this.#key(chosen[0])]);
        const isBrought = new Set(this.#points.map(point => this.#pair(point, point)));
        while (chosen.length < count) {
            const pool = this.#pool(isBrought, random).filter(element => !isTaken.has(this.#key(element)));
            if (pool.length === 0) {
                break;
            }
            const gains = pool.map(
                element => this.#points.filter(point => !isBrought.has(this.#pair(point, element[point]))).length,
            );
            const most = Math.max(...gains);
            const best = pool.filter((_, index) => gains[index] === most);
            const element = best[random.below(best.length)];
            chosen.push(element);
            isTaken.add(this.#key(element));
            this.#points.forEach(point => isBrought.add(this.#pair(point, element[point])));
        }
        return chosen;
    }

    #pair(point: number, image: number): number {
        return point * this.#degree + image;
    }

    /** Elements that move members alike make the same images. */
    #key(element: Permutation): string {
        return this.#points.map(point => element[point]).join();
    }

    #pool(isBrought: ReadonlySet<number>, random: Random): readonly Permutation[] {
        if (this.#group.group.order <= MOST_LISTED) {
            return (this.#listed ??= this.#list());
        }
        const { generators } = this.#group.group;
        const some = (): Permutation =>
            Array.from({ length: WORD }, () => generators[random.below(generators.length)]).reduce(product);
        return Array.from({ length: POOL }, () => {
            const element = some();
            const point = this.#points[random.below(this.#points.length)];
            const target = this.#points[random.below(this.#points.length)];
            const ways = [element[point], target].map(each => this.#group.toLeast(each));
            const isWanted = ways[0].least === ways[1].least && !isBrought.has(this.#pair(point, target));
            const [there, back] = ways.map(way => way.element ?? identity(this.#degree));
            return isWanted ? product(product(element, there), inverse(back)) : element;
        });
    }

    #list(): readonly Permutation[] {
        const listed = new Map([[this.#key(identity(this.#degree)), identity(this.#degree)]]);
        // The map grows during the loop.
        for (const element of listed.values()) {
            for (const generator of this.#group.group.generators) {
                const next = product(element, generator);
                if (!listed.has(this.#key(next))) {
                    listed.set(this.#key(next), next);
                }
            }
        }
        return [...listed.values()];
    }
}
