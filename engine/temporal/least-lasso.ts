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
import type { Marker, SequentialModel, TemporalFormula } from '../sequential/sequential-model.js';
import { AtomTests, cubeOf, type PositionTest } from './atom-tests.js';
import type { Automaton } from './automaton.js';
import { Components } from './components.js';
import { REST } from './marked-firings.js';
import type { Product } from './product.js';
import type { StepClasses } from './step-classes.js';
import { OUTSIDE } from './stored-graph.js';

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
    const starts = yield* nodesOnLoops(context.product);
    const concrete = new ConcreteGraph(context);
    let best = length;
    let found: LeastLoop | undefined;
    // Short loops first, from everywhere: they bound the search for long ones.
    for (let mostSteps = 1, before = 0; before < best - 1; before = mostSteps, mostSteps *= 2) {
        for (const { node, stem } of starts) {
            const stepsLeft = Math.min(mostSteps, best - 1 - stem);
            if (stepsLeft <= before || concrete.isExhausted) {
                break;
            }
            const steps = yield* concrete.loopFrom(node, stepsLeft);
            if (steps !== undefined) {
                found = { node, steps };
                best = stem + steps.length;
            }
        }
    }
    return found;
}

/** The nodes that lie on a loop of the product, with their distance, nearest first. */
function* nodesOnLoops(
    product: Product,
): Generator<undefined, readonly { readonly node: number; readonly stem: number }[]> {
    const isOnLoop = new Set<number>();
    for (const component of new Components(product).all()) {
        component?.nodes.forEach(node => isOnLoop.add(node));
        yield;
    }
    const distance = new Uint32Array(product.nodeCount);
    const queue = [...product.initial];
    queue.forEach(node => (distance[node] = 1));
    for (let index = 0; index < queue.length; index++) {
        const node = queue[index];
        product.forEachEdge(node, next => {
            if (distance[next] === 0) {
                distance[next] = distance[node] + 1;
                queue.push(next);
            }
        });
        if (index % WORK_BETWEEN_YIELDS === 0) {
            yield;
        }
    }
    return queue.filter(node => isOnLoop.has(node)).map(node => ({ node, stem: distance[node] - 1 }));
}

interface ConcreteTransition {
    readonly target: number;
    /** As bits. */
    readonly promised: number;
    readonly applies: PositionTest;
}

interface ConcreteEdge {
    /** The number of the state that it leads to. */
    readonly target: number;
    readonly summand: number;
    readonly stepClass: number;
}

/** The states of the model as written, expanded when they are come to. */
class ConcreteGraph {
    readonly #context: LeastLassoContext;
    readonly #layout: StateLayout;
    readonly #states: SeenSet;
    readonly #words: Uint32Array;
    readonly #edges: (readonly ConcreteEdge[])[] = [];
    readonly #bits: (readonly boolean[])[] = [];
    readonly #constraints: readonly { readonly asked: PositionTest; readonly met: PositionTest }[];
    /** By the marker of a member, then by state of the automaton. */
    readonly #transitions = new Map<number, readonly (readonly ConcreteTransition[])[]>();
    readonly #tests: AtomTests;
    /** By state, then by the class of a step: what is asked and met there, as bits of a progress. */
    readonly #seenAt: Map<number, bigint>[] = [];
    /** What a way has asked for, then met, then kept of its promises, as bits; and a number for each. */
    readonly #progresses = new Map<bigint, number>();
    readonly #constraintCount: bigint;
    #work = 0;

    constructor(context: LeastLassoContext) {
        const { model, markers, classes } = context;
        this.#context = context;
        this.#constraintCount = BigInt(model.fairness.length);
        this.#layout = new StateLayout(model.cells);
        this.#states = new SeenSet(this.#layout.wordCount);
        this.#words = new Uint32Array(this.#layout.wordCount);
        this.#tests = new AtomTests(model, classes, markers, (state, column) => this.#bitsOf(state)[column]);
        const test = (formula: TemporalFormula, marker: number): PositionTest => this.#tests.test(formula, marker);
        this.#constraints = model.fairness.map(({ asked, met }, marker) => ({
            asked: test(asked, marker),
            met: test(met, marker),
        }));
    }

    get isExhausted(): boolean {
        return this.#work >= this.#context.mostWork;
    }

    /** The shortest loop of at most so many steps; undefined if there is none or the work is used up. */
    *loopFrom(node: number, mostSteps: number): Generator<undefined, LeastLoop['steps'] | undefined> {
        const { product, automaton } = this.#context;
        const width = automaton.transitions.length;
        const state = product.graph.emptyState();
        product.graph.stateInto(state, Math.floor(node / product.width));
        const begin = this.#numberOf(state) * width + product.automatonStateAt(node);
        const transitions = this.#transitionsOf(product.memberAt(node));
        /** By place and progress, the way there. */
        const ways = new Map<number, Way | undefined>();
        let level: Reached[] = [{ place: begin, progress: 0n, key: this.#keyOf(begin, 0n) }];
        ways.set(level[0].key, undefined);
        for (let depth = 1; depth <= mostSteps && level.length > 0; depth++) {
            const next: Reached[] = [];
            for (const reached of level) {
                const from = Math.floor(reached.place / width);
                for (const edge of this.#edgesOf(from)) {
                    if (++this.#work % WORK_BETWEEN_YIELDS === 0) {
                        yield;
                    }
                    for (const { target, promised, applies } of transitions[reached.place % width]) {
                        if (edge.target === OUTSIDE || !applies(from, edge.stepClass)) {
                            continue;
                        }
                        const place = edge.target * width + target;
                        const progress = reached.progress | this.#seen(from, edge.stepClass) | this.#kept(promised);
                        if (place === begin && this.#isEnough(progress)) {
                            return this.#stepsTo({ from: reached.key, edge }, ways);
                        }
                        const key = this.#keyOf(place, progress);
                        if (!ways.has(key)) {
                            ways.set(key, { from: reached.key, edge });
                            next.push({ place, progress, key });
                        }
                    }
                }
                if (this.isExhausted) {
                    return undefined;
                }
            }
            level = next;
        }
        return undefined;
    }

    #transitionsOf(member: number): readonly (readonly ConcreteTransition[])[] {
        return remembered(this.#transitions, member, () =>
            this.#context.automaton.transitions.map(transitions =>
                transitions.map(transition => ({
                    target: transition.target,
                    promised: transition.promised.reduce((mask, until) => mask | (1 << until), 0),
                    applies: this.#tests.test(cubeOf(transition), member),
                })),
            ),
        );
    }

    #stepsTo(last: Way, ways: ReadonlyMap<number, Way | undefined>): LeastLoop['steps'] {
        const steps: { summand: number; successor: Int32Array }[] = [];
        for (let way: Way | undefined = last; way !== undefined; way = ways.get(way.from)) {
            steps.unshift({ summand: way.edge.summand, successor: this.#stateOf(way.edge.target) });
        }
        return steps;
    }

    /** The requests that are asked and met at a position, as bits. */
    #seen(state: number, stepClass: number): bigint {
        return remembered((this.#seenAt[state] ??= new Map<number, bigint>()), stepClass, () => {
            let seen = 0n;
            this.#constraints.forEach(({ asked, met }, constraint) => {
                seen |= asked(state, stepClass) ? 1n << BigInt(constraint) : 0n;
                seen |= met(state, stepClass) ? 1n << (BigInt(constraint) + this.#constraintCount) : 0n;
            });
            return seen;
        });
    }

    #kept(promised: number): bigint {
        return BigInt(this.#context.product.promises & ~promised) << (2n * this.#constraintCount);
    }

    #isEnough(progress: bigint): boolean {
        const count = this.#constraintCount;
        const all = (1n << count) - 1n;
        const unmet = progress & all & ~(progress >> count);
        return unmet === 0n && progress >> (2n * count) === BigInt(this.#context.product.promises);
    }

    #keyOf(place: number, progress: bigint): number {
        return remembered(this.#progresses, progress, () => this.#progresses.size + 1) * 2 ** 32 + place;
    }

    #numberOf(state: Readonly<Int32Array>): number {
        this.#layout.pack(state, this.#words, 0);
        const known = this.#states.find(this.#words);
        return known >= 0 ? known : this.#states.insert(this.#words, 0);
    }

    #stateOf(number: number): Int32Array {
        const state = this.#context.product.graph.emptyState();
        this.#states.readInto(this.#words, number);
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
            faulted: (summand, { kind }) => {
                if (kind === 'outside') {
                    edges.push({ target: OUTSIDE, summand, stepClass: classes.classOf[summand] });
                }
                return true;
            },
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
    readonly progress: bigint;
    readonly key: number;
}

interface Way {
    readonly from: number;
    readonly edge: ConcreteEdge;
}
