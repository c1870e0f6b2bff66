/**
 * A shorter lasso, where that is little work: from each node of the product that lies on a loop, in the order of its
 * distance, breadth-first in the model as written, over the state, the automaton, and what has been kept, asked and met
 * so far, back to where it began. It is enough to begin in stored states: loops of the others are images of theirs. If
 * the work is not used up, it is the least lasso of what has been expanded.
 */
import { remembered } from '../common/list-map.js';
import { SeenSet } from '../explore/seen-set.js';
import { StateLayout } from '../explore/state-layout.js';
import type { Successors } from '../explore/successors.js';
import { type Condition, Fault } from '../sequential/expression/evaluate.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Marker, TemporalFormula } from '../sequential/temporal.js';
import { AtomTests, type PositionTest } from './atom-tests.js';
import type { Automaton } from './automaton.js';
import { Components } from './components.js';
import { REST } from './marked-firings.js';
import { cubeOf, type Product } from './product.js';
import type { StepClasses } from './step-classes.js';

export interface LeastLassoContext {
    readonly model: SequentialModel;
    /** The constraints of the model, then the members of the check. */
    readonly markers: readonly Marker[];
    readonly classes: StepClasses;
    readonly successors: Successors;
    readonly product: Product;
    readonly automaton: Automaton;
    /** Firings that are looked at. */
    readonly mostWork: number;
    /** The marker of the violated member. */
    readonly member: number;
    /** Whether what `possible` asks for is so in a state of the model. */
    readonly isPossible: (state: Readonly<Int32Array>, column: number) => boolean;
}

/** A loop of the model as written that begins in the stored state of a node. */
export interface LeastLoop {
    readonly node: number;
    /** By step its summand, or REST, and the state it leads to. */
    readonly steps: readonly { readonly summand: number; readonly successor: Readonly<Int32Array> }[];
}

const WORK_BETWEEN_YIELDS = 1 << 10;

/** A loop whose stem and steps are together fewer than `length`; undefined if none was found. Yields now and then. */
export function* leastLoop(context: LeastLassoContext, length: number): Generator<undefined, LeastLoop | undefined> {
    const { product, mostWork } = context;
    const isOnLoop = yield* nodesOnLoops(product);
    const concrete = new ConcreteGraph(context);
    const distance = new Uint32Array(product.nodeCount);
    const queue = [...product.initial];
    queue.forEach(node => (distance[node] = 1));
    let best = length;
    let found: LeastLoop | undefined;
    for (let index = 0; index < queue.length; index++) {
        const node = queue[index];
        const stem = distance[node] - 1;
        if (stem + 1 >= best || concrete.work >= mostWork) {
            break;
        }
        if (isOnLoop.has(node)) {
            const steps = yield* concrete.loopFrom(node, best - 1 - stem);
            if (steps !== undefined) {
                found = { node, steps };
                best = stem + steps.length;
            }
        }
        product.forEachEdge(node, next => {
            if (distance[next] === 0) {
                distance[next] = distance[node] + 1;
                queue.push(next);
            }
        });
    }
    return found;
}

function* nodesOnLoops(product: Product): Generator<undefined, ReadonlySet<number>> {
    const nodes = new Set<number>();
    for (const component of new Components(product).all()) {
        component?.nodes.forEach(node => nodes.add(node));
        yield;
    }
    return nodes;
}

interface ConcreteEdge {
    /** The number of the state that it leads to. */
    readonly target: number;
    readonly summand: number;
    readonly stepClass: number;
}

/** What a way has kept of its promises, and which constraints it has asked for and met. */
interface Progress {
    readonly number: number;
    readonly kept: number;
    readonly asked: readonly boolean[];
    readonly met: readonly boolean[];
    readonly isEnough: boolean;
}

/** The states of the model as written, expanded when they are come to. */
class ConcreteGraph {
    readonly #context: LeastLassoContext;
    readonly #layout: StateLayout;
    readonly #seen: SeenSet;
    readonly #words: Uint32Array;
    readonly #edges: (readonly ConcreteEdge[])[] = [];
    readonly #bits: (readonly boolean[])[] = [];
    readonly #constraints: readonly { readonly asked: PositionTest; readonly met: PositionTest }[];
    /** By state of the automaton. */
    readonly #transitions: readonly (readonly {
        readonly target: number;
        readonly promised: number;
        readonly applies: PositionTest;
    }[])[];
    readonly #tests: AtomTests;
    readonly #progresses = new Map<string, Progress>();
    work = 0;

    constructor(context: LeastLassoContext) {
        const { model, markers, classes, automaton, member, product } = context;
        this.#context = context;
        this.#layout = new StateLayout(model.cells);
        this.#seen = new SeenSet(this.#layout.wordCount);
        this.#words = new Uint32Array(this.#layout.wordCount);
        this.#tests = new AtomTests(model, classes, markers, (state, column) => this.#bitsOf(state)[column]);
        const test = (formula: TemporalFormula, marker: number): PositionTest => this.#tests.test(formula, marker);
        this.#constraints = model.fairness.map(({ asked, met }, marker) => ({
            asked: test(asked, marker),
            met: test(met, marker),
        }));
        this.#transitions = automaton.transitions.map((transitions, state) =>
            transitions.map((transition, index) => ({
                target: transition.target,
                promised: product.transitions[state][index].promised,
                applies: test(cubeOf(transition), member),
            })),
        );
    }

    /** The shortest loop of at most so many steps; undefined if there is none or the work is used up. */
    *loopFrom(node: number, mostSteps: number): Generator<undefined, LeastLoop['steps'] | undefined> {
        const { product } = this.#context;
        const { width } = product;
        const state = product.graph.emptyState();
        product.graph.stateInto(state, Math.floor(node / width));
        const begin = this.#numberOf(state) * width + (node % width);
        const none = this.#constraints.map(() => false);
        const start = this.#progress(0, none, none);
        /** By place and progress, the way there. */
        const ways = new Map<number, Way | undefined>();
        let level: Reached[] = [{ place: begin, progress: start }];
        ways.set(keyOf(level[0]), undefined);
        for (let depth = 1; depth <= mostSteps && level.length > 0; depth++) {
            const next: Reached[] = [];
            for (const reached of level) {
                const from = Math.floor(reached.place / width);
                for (const edge of this.#edgesOf(from)) {
                    if (++this.work % WORK_BETWEEN_YIELDS === 0) {
                        yield;
                    }
                    for (const { target, promised, applies } of this.#transitions[reached.place % width]) {
                        if (!applies(from, edge.stepClass)) {
                            continue;
                        }
                        const place = edge.target * width + target;
                        const further = {
                            place,
                            progress: this.#after(reached.progress, from, edge.stepClass, promised),
                        };
                        if (place === begin && further.progress.isEnough) {
                            return this.#stepsTo({ from: keyOf(reached), edge }, ways);
                        }
                        const key = keyOf(further);
                        if (!ways.has(key)) {
                            ways.set(key, { from: keyOf(reached), edge });
                            next.push(further);
                        }
                    }
                }
                if (this.work >= this.#context.mostWork) {
                    return undefined;
                }
            }
            level = next;
        }
        return undefined;
    }

    #stepsTo(last: Way, ways: ReadonlyMap<number, Way | undefined>): LeastLoop['steps'] {
        const steps: { summand: number; successor: Int32Array }[] = [];
        for (let way: Way | undefined = last; way !== undefined; way = ways.get(way.from)) {
            steps.unshift({ summand: way.edge.summand, successor: this.#stateOf(way.edge.target) });
        }
        return steps;
    }

    #after(before: Progress, state: number, stepClass: number, promised: number): Progress {
        const asked = before.asked.map((known, index) => known || this.#constraints[index].asked(state, stepClass));
        const met = before.met.map((known, index) => known || this.#constraints[index].met(state, stepClass));
        return this.#progress(before.kept | ~promised, asked, met);
    }

    #progress(kept: number, asked: readonly boolean[], met: readonly boolean[]): Progress {
        const ofPromises = kept & this.#context.product.promises;
        const key = `${ofPromises} ${asked.map(Number).join('')} ${met.map(Number).join('')}`;
        return remembered(this.#progresses, key, () => ({
            number: this.#progresses.size,
            kept: ofPromises,
            asked,
            met,
            isEnough:
                ofPromises === this.#context.product.promises &&
                asked.every((isAsked, index) => !isAsked || met[index]),
        }));
    }

    #numberOf(state: Readonly<Int32Array>): number {
        this.#layout.pack(state, this.#words, 0);
        const known = this.#seen.find(this.#words);
        return known >= 0 ? known : this.#seen.insert(this.#words, 0);
    }

    #stateOf(number: number): Int32Array {
        const state = this.#context.product.graph.emptyState();
        this.#seen.readInto(this.#words, number);
        this.#layout.unpack(this.#words, 0, state);
        return state;
    }

    #edgesOf(number: number): readonly ConcreteEdge[] {
        return (this.#edges[number] ??= this.#expanded(number));
    }

    #expanded(number: number): readonly ConcreteEdge[] {
        const { classes, successors } = this.#context;
        const edges: ConcreteEdge[] = [];
        successors.forEachFiring(this.#stateOf(number), {
            fired: (summand, successor) => {
                edges.push({ target: this.#numberOf(successor), summand, stepClass: classes.classOf[summand] });
                return true;
            },
            faulted: () => true,
        });
        return edges.length > 0 ? edges : [{ target: number, summand: REST, stepClass: 0 }];
    }

    #bitsOf(number: number): readonly boolean[] {
        return (this.#bits[number] ??= this.#evaluated(number));
    }

    #evaluated(number: number): readonly boolean[] {
        const { classes, isPossible } = this.#context;
        const state = this.#stateOf(number);
        return this.#tests.columns.map((column, index) => {
            switch (column.kind) {
                case 'state':
                    return holdsIn(state, column.holds);
                case 'enabled':
                    return this.#edgesOf(number).some(
                        ({ stepClass }) => classes.contains[stepClass * classes.setCount + column.set] === 1,
                    );
                case 'possible':
                    return isPossible(state, index);
            }
        });
    }
}

/** A fault in a state that the search has not come to is no part of this run. */
function holdsIn(state: Int32Array, holds: Condition): boolean {
    try {
        return holds(state);
    } catch (error) {
        if (error instanceof Fault) {
            return false;
        }
        throw error;
    }
}

interface Reached {
    /** The number of a state and the state of the automaton. */
    readonly place: number;
    readonly progress: Progress;
}

interface Way {
    readonly from: number;
    readonly edge: ConcreteEdge;
}

function keyOf({ place, progress }: Reached): number {
    return progress.number * 2 ** 32 + place;
}
