/**
 * A run of the model as written from a fair component: a shortest stem in the product, then a way round through every
 * place that makes the loop fair. In a quotient the way round ends in an image of where it began, and is gone again, at
 * most as often as the order of that symmetry, until the run is back in the same state; what is gone twice is left out.
 */
import { invariant, InvariantViolation } from '../common/assert.js';
import { sameNumbers } from '../common/same-data.js';
import { composeSparse, inverseSparse, SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';
import type { Root } from '../explore/initial/roots.js';
import { leastLoop, type LeastLassoContext } from './least-lasso.js';
import type { Component, Components } from './components.js';
import type { ConstraintTests } from './fair-components.js';
import { type ConstraintSymmetry, framesOf } from './frames.js';
import type { MarkedCanonicalizer, MarkerImages } from './marked-canonicalizer.js';
import { type MarkedFiring, type MarkedFirings, REST } from './marked-firings.js';
import { shortLoop } from './short-loop.js';

/** A run that comes back to one of its states. */
export interface Lasso {
    /** The last state is `states[loopStart]`. */
    readonly states: readonly Readonly<Int32Array>[];
    /** `firings[i]` leads from `states[i]` to the next one: a summand, or REST. */
    readonly firings: readonly number[];
    readonly loopStart: number;
    /** The marker of the member that it violates. */
    readonly member: number;
}

export interface LassoContext extends LeastLassoContext {
    readonly components: Components;
    readonly constraints: readonly ConstraintTests[];
    readonly symmetry: ConstraintSymmetry | undefined;
    /** Whether the bits of a stored state say what is possible in all states of its orbit. */
    readonly knowsPossible: boolean;
    readonly firings: MarkedFirings;
    readonly canonicalizer: MarkedCanonicalizer | undefined;
    /** The initial state behind a node that runs begin in. Yields now and then. */
    readonly rootOf: (node: number) => Generator<undefined, Root>;
}

/** A step of the product. */
export interface ProductStep {
    readonly firing: MarkedFiring;
    readonly next: number;
    readonly promised: number;
    readonly images: MarkerImages;
}

type RunStep = Pick<ProductStep, 'firing'>;

/** The least one, if that is little work to find. Yields now and then. */
export function* lassoIn(component: Component, context: LassoContext): Generator<undefined, Lasso> {
    const { components } = context;
    const stem = yield* stemTo(node => components.isIn(node, component.id), context);
    const lasso = yield* lassoBehind(stem, component, context);
    const least = context.knowsPossible ? yield* leastLoop(context, lasso.firings.length) : undefined;
    if (least === undefined) {
        return lasso;
    }
    const toLeast = yield* stemTo(node => node === least.node, context);
    const steps = least.steps.map((firing): RunStep => ({
        firing: { ...firing, target: -1, symmetry: SPARSE_IDENTITY },
    }));
    const rootOfLeast = yield* context.rootOf(toLeast.start);
    return new Run(context, rootOfLeast).along(toLeast.start, toLeast.steps, steps);
}

/** With this stem, and a loop in the component. Yields now and then. */
export function* lassoBehind(
    { start, steps }: Stem,
    component: Component,
    context: LassoContext,
): Generator<undefined, Lasso> {
    const begin = steps.at(-1)?.next ?? start;
    const loop = yield* new Walker(component, context).loop(begin);
    const run = new Run(context, yield* context.rootOf(start));
    return run.shortened(run.along(start, steps, loop), begin, loop);
}

/** The run of a stem, as a lasso without a loop. Yields now and then. */
export function* runAlong({ start, steps }: Stem, context: LassoContext): Generator<undefined, Lasso> {
    return new Run(context, yield* context.rootOf(start)).along(start, steps, []);
}

/** A shortest run to a node, as a lasso without a loop: it begins in the last state. */
export function* runTo(isWanted: (node: number) => boolean, context: LassoContext): Generator<undefined, Lasso> {
    return yield* runAlong(yield* stemTo(isWanted, context), context);
}

export interface Stem {
    /** The node it begins in. */
    readonly start: number;
    readonly steps: readonly ProductStep[];
}

/** A shortest way from an initial node to a wanted one, which must exist. */
function* stemTo(isWanted: (node: number) => boolean, context: LassoContext): Generator<undefined, Stem> {
    const { product } = context;
    /** By node: the node before it plus one; 0 for a node that was not reached. */
    const before = new Uint32Array(product.nodeCount);
    const queue = [...product.initial];
    const starts = new Set(queue);
    let found = queue.find(isWanted);
    for (let index = 0; index < queue.length && found === undefined; index++) {
        const node = queue[index];
        product.forEachEdge(node, next => {
            if (before[next] === 0 && !starts.has(next)) {
                before[next] = node + 1;
                queue.push(next);
                found ??= isWanted(next) ? next : undefined;
            }
        });
        if (index % 1024 === 0) {
            yield;
        }
    }
    invariant(found !== undefined, 'what was found can be reached');
    const nodes = [found];
    while (!starts.has(nodes[0])) {
        nodes.unshift(before[nodes[0]] - 1);
    }
    const steps = nodes.slice(1).map((next, index): ProductStep => {
        const [step] = stepsFrom(nodes[index], context, target => target === next);
        invariant(step !== undefined, 'an edge of the product is a firing');
        return step;
    });
    return { start: nodes[0], steps };
}

/** The firings of the state of a node, with the transitions of the automaton that go along to a wanted node. */
export function stepsFrom(
    node: number,
    { product, firings, canonicalizer, classes, constraints }: LassoContext,
    isWanted: (next: number, target: number, stepClass: number) => boolean,
): readonly ProductStep[] {
    const { width, transitions } = product;
    const state = Math.floor(node / width);
    const place = node - state * width;
    return firings.of(state).flatMap(firing => {
        const stepClass = classes.classOfFiring(firing.summand);
        const images =
            canonicalizer?.markerImages(firing.symmetry) ??
            Uint32Array.from(constraints, (_, constraint) => constraint);
        return transitions[place].flatMap((way): ProductStep[] => {
            const next = firing.target * width + product.placeAfter(place, way, images);
            return isWanted(next, firing.target, stepClass) && product.applies(way, state, stepClass)
                ? [{ firing, next, promised: way.promised, images }]
                : [];
        });
    });
}

class Walker {
    readonly #component: Component;
    readonly #context: LassoContext;

    constructor(component: Component, context: LassoContext) {
        this.#component = component;
        this.#context = context;
    }

    /** A way from a node of the component back to it that keeps all promises and meets what is asked. */
    *loop(root: number): Generator<undefined, readonly ProductStep[]> {
        const { product, constraints } = this.#context;
        const steps: ProductStep[] = [];
        let unmet = yield* this.#asked(root);
        let promises = product.promises;
        let node = root;
        const walk = (way: readonly ProductStep[]): void => {
            for (const step of way) {
                const state = Math.floor(node / product.width);
                const stepClass = this.#context.classes.classOfFiring(step.firing.summand);
                promises &= step.promised;
                unmet = unmet
                    .filter(constraint => !constraints[constraint].met(state, stepClass))
                    .map(constraint => step.images[constraint]);
                node = step.next;
                steps.push(step);
            }
        };
        while (unmet.length > 0) {
            walk(yield* this.#wayToMeet(node, unmet[0]));
        }
        while (promises !== 0) {
            const promise = promises & -promises;
            walk(yield* this.#way(node, ({ promised }) => (promised & promise) === 0));
        }
        if (steps.length === 0 || node !== root) {
            walk(yield* this.#way(node, ({ next }) => next === root));
        }
        return steps;
    }

    /** The constraints that are asked for in the whole component that the node is in, as seen there. */
    *#asked(root: number): Generator<undefined, readonly number[]> {
        const { product, components, constraints, symmetry } = this.#context;
        const { id, nodes } = this.#component;
        const { graph, width } = product;
        const asksAt = (node: number, constraint: number): boolean => {
            const { asked, asksSteps } = constraints[constraint];
            const state = Math.floor(node / width);
            let asks = !asksSteps && asked(state, 0);
            if (asksSteps) {
                components.forEachEdgeIn(id, node, (_target, _promised, edge) => {
                    asks ||= asked(state, graph.stepClassOf(edge));
                });
            }
            return asks;
        };
        const all = constraints.map((_, constraint) => constraint);
        const orbitsAt = (node: number): readonly number[] => symmetry?.orbitsOf[product.memberAt(node)] ?? all;
        const askedOrbits = new Set(
            nodes.flatMap(node => all.filter(each => asksAt(node, each)).map(each => orbitsAt(node)[each])),
        );
        yield;
        const inAskedOrbits = all.filter(each => askedOrbits.has(orbitsAt(root)[each]));
        if (symmetry === undefined || inAskedOrbits.length === askedOrbits.size) {
            return inAskedOrbits;
        }
        const frames = yield* framesOf(this.#component, product, components, symmetry, [...askedOrbits], root);
        if (frames === 'whole orbits') {
            return inAskedOrbits;
        }
        const asked = new Set<number>();
        for (const node of nodes) {
            for (const constraint of all) {
                const key = frames.classOf(node, constraint);
                if (!asked.has(key) && asksAt(node, constraint)) {
                    asked.add(key);
                }
            }
        }
        return inAskedOrbits.filter(each => asked.has(frames.classOf(root, each)));
    }

    /** The shortest way, of at least one step, whose last step is wanted. */
    *#way(from: number, isWanted: (step: ProductStep) => boolean): Generator<undefined, readonly ProductStep[]> {
        return yield* this.#search(from, 0, (step, _) => isWanted(step), false);
    }

    /** The shortest way whose last step begins where a constraint, as seen from the first node, is met. */
    *#wayToMeet(from: number, constraint: number): Generator<undefined, readonly ProductStep[]> {
        const { product, constraints, classes } = this.#context;
        const meets = ({ firing }: ProductStep, node: number, seenAs: number): boolean =>
            constraints[seenAs].met(Math.floor(node / product.width), classes.classOfFiring(firing.summand));
        return yield* this.#search(from, constraint, meets, true);
    }

    /** Breadth-first over nodes, with `follows` over nodes and what a constraint is there. */
    *#search(
        from: number,
        constraint: number,
        isWanted: (step: ProductStep, node: number, constraint: number) => boolean,
        follows: boolean,
    ): Generator<undefined, readonly ProductStep[]> {
        const { components, constraints } = this.#context;
        const count = follows ? constraints.length : 1;
        const ways = new Map<number, { readonly before: number; readonly step: ProductStep } | undefined>();
        const begin = from * count + constraint;
        ways.set(begin, undefined);
        for (const [key] of ways) {
            const node = Math.floor(key / count);
            const seenAs = key % count;
            const steps = stepsFrom(
                node,
                this.#context,
                (next, target, stepClass) =>
                    components.isIn(next, this.#component.id) && components.hasEdge(node, target, stepClass),
            );
            for (const step of steps) {
                const next = step.next * count + (follows ? step.images[seenAs] : 0);
                if (isWanted(step, node, seenAs)) {
                    const found = [step];
                    let way = ways.get(key);
                    while (way !== undefined) {
                        found.unshift(way.step);
                        way = ways.get(way.before);
                    }
                    return found;
                }
                if (!ways.has(next)) {
                    ways.set(next, { before: key, step });
                }
            }
            yield;
        }
        throw new InvariantViolation('what a component has can be reached in it');
    }
}

/** More rounds are a defect: the order of a symmetry of a model is smaller. */
const MOST_ROUNDS = 100_000;

/** Goes a way of the quotient in the model as written. */
class Run {
    readonly #context: LassoContext;
    readonly #states: Int32Array[] = [];
    readonly #firings: number[] = [];
    /** By position: where the symmetry to the run takes markers; undefined without symmetries. */
    readonly #images: (MarkerImages | undefined)[] = [];
    /** Takes the stored state that the way has come to, to the state of the run. */
    #toRun: SparsePermutation;

    constructor(context: LassoContext, { toRun }: Root) {
        this.#context = context;
        this.#toRun = toRun;
    }

    along(start: number, stem: readonly RunStep[], loop: readonly RunStep[]): Lasso {
        const { canonicalizer, product } = this.#context;
        const { graph, width } = product;
        const first = graph.emptyState();
        graph.stateInto(first, Math.floor(start / width));
        this.#states.push(this.#image(first));
        const marker = product.memberAt(start);
        const member = canonicalizer?.markerImages(this.#toRun)[marker] ?? marker;
        stem.forEach(step => {
            this.#take(step);
        });
        const loopStart = this.#states.length - 1;
        let rounds = 0;
        while (loop.length > 0) {
            invariant(rounds++ < MOST_ROUNDS, 'a loop closes after as many rounds as a symmetry has powers');
            loop.forEach(step => {
                this.#take(step);
            });
            if (sameNumbers(this.#states[loopStart], this.#states[this.#states.length - 1])) {
                break;
            }
        }
        return { states: this.#states, firings: this.#firings, loopStart, member };
    }

    /** The same with a shorter loop, if its way round, from `begin`, was gone more than once or comes to a state again. */
    shortened(lasso: Lasso, begin: number, loop: readonly ProductStep[]): Lasso {
        const { product, constraints, classes } = this.#context;
        const { states, firings, loopStart } = lasso;
        const count = BigInt(constraints.length);
        const steps = shortLoop(
            firings.slice(loopStart).map((summand, index) => {
                const round = index % loop.length;
                const { firing, promised } = loop[round];
                const node = round === 0 ? begin : loop[round - 1].next;
                const position = [Math.floor(node / product.width), classes.classOfFiring(firing.summand)] as const;
                let asked = BigInt(product.promises) << count;
                let done = BigInt(product.promises & ~promised) << count;
                constraints.forEach((tests, constraint) => {
                    const bit = 1n << BigInt(this.#images[loopStart + index]?.[constraint] ?? constraint);
                    asked |= tests.asked(...position) ? bit : 0n;
                    done |= tests.met(...position) ? bit : 0n;
                });
                const place = product.automatonStateAt(node);
                return { state: states[loopStart + index], place, summand, asked, done };
            }),
        );
        return {
            ...lasso,
            states: [...states.slice(0, loopStart), ...steps.map(({ state }) => state), states[loopStart]],
            firings: [...firings.slice(0, loopStart), ...steps.map(({ summand }) => summand)],
        };
    }

    #take({ firing }: RunStep): void {
        this.#images.push(this.#context.canonicalizer?.markerImages(this.#toRun));
        const next = this.#image(firing.successor);
        this.#firings.push(this.#summandTo(next, firing));
        this.#states.push(next);
        this.#toRun = composeSparse(inverseSparse(firing.symmetry), this.#toRun);
    }

    #image(state: Readonly<Int32Array>): Int32Array {
        return imageOf(state, this.#toRun, this.#context);
    }

    /** The step of the model that is the image of a firing: it leads there, and the same is taken by its image. */
    #summandTo(next: Readonly<Int32Array>, { summand }: MarkedFiring): number {
        if (summand === REST) {
            return REST;
        }
        const isImage = imagesOfStep(summand, this.#toRun, this.#context);
        let found = -1;
        this.#context.successors.forEachFiring(this.#states[this.#states.length - 1], {
            fired: (other, successor) => {
                if (sameNumbers(successor, next) && isImage(other)) {
                    found = other;
                }
                return found < 0;
            },
            faulted: () => true,
        });
        invariant(found >= 0, 'the image of a step is a step');
        return found;
    }
}

/** The state of a run for a stored one, which `toRun` takes there. */
export function imageOf(
    state: Readonly<Int32Array>,
    toRun: SparsePermutation,
    { canonicalizer }: Pick<LassoContext, 'canonicalizer'>,
): Int32Array {
    if (toRun.points.length === 0) {
        return state.slice();
    }
    invariant(canonicalizer !== undefined, 'without symmetries nothing is moved');
    const image = new Int32Array(state.length);
    canonicalizer.imageInto(image, state, toRun);
    return image;
}

/** Whether properties and fairness say the same of a step of the run as of the stored one. */
export function imagesOfStep(
    summand: number,
    toRun: SparsePermutation,
    { canonicalizer, classes }: Pick<LassoContext, 'canonicalizer' | 'classes'>,
): (other: number) => boolean {
    const moved = canonicalizer?.markerImages(toRun);
    return other =>
        classes.setOf.every((sets, marker) =>
            sets.every(
                (set, atom) =>
                    set < 0 ||
                    classes.isIn(summand, set) === classes.isIn(other, classes.setOf[moved?.[marker] ?? marker][atom]),
            ),
        );
}
