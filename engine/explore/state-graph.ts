/**
 * The state graph of a small model, whole or as the quotient by a group.
 *
 * States are numbered in breadth-first order, initial states first. In a quotient each orbit is represented by its
 * first state. Orbits come from applying generators to all states, so quotients are independent of representatives.
 */
import { remembered } from '../common/list-map.js';
import type { Problem } from '../common/problem.js';
import { UnionFind } from '../common/union-find.js';
import { UNLIMITED } from '../common/work-limit.js';
import type { FaultKind, SequentialModel } from '../sequential/sequential-model.js';
import { InitialStates } from './initial/initial-states.js';
import { interpretedSuccessors } from './successors.js';

export interface StateGraph {
    readonly states: readonly Int32Array[];
    /** By state: the number of states that it represents, 1 without a quotient. */
    readonly orbitSizes: readonly number[];
    /** Numbers of states, ascending. */
    readonly initial: readonly number[];
    /** Ordered by their source, then by summand. */
    readonly edges: readonly StateEdge[];
}

/** A firing; a fault has no target. */
export interface StateEdge {
    readonly from: number;
    readonly summand: number;
    readonly to: number | FaultKind;
}

type StateGraphResult =
    | { readonly kind: 'graph'; readonly graph: StateGraph }
    | { readonly kind: 'too-many-states' }
    | { readonly kind: 'problem'; readonly problem: Problem };

/** The graph of all reachable states if there are at most `most`; a limit counts as too many of them. */
export function exploreStateGraph(model: SequentialModel, most: number, limit = UNLIMITED): StateGraphResult {
    const states: Int32Array[] = [];
    const numberOfKey = new Map<string, number>();
    const edges: StateEdge[] = [];
    const numberOf = (state: Readonly<Int32Array>): number =>
        remembered(numberOfKey, state.join(), () => states.push(state.slice()) - 1);
    const cursor = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    while (states.length <= most && cursor.nextInto(state, limit)) {
        numberOf(state);
    }
    if (cursor.problem !== undefined) {
        return { kind: 'problem', problem: cursor.problem };
    }
    const initial = [...states.keys()];
    const successors = interpretedSuccessors(model);
    for (let from = 0; from < states.length && states.length <= most && !limit.isExhausted(); from++) {
        successors.forEachFiring(states[from], {
            fired: (summand, successor) => edges.push({ from, summand, to: numberOf(successor) }) > 0,
            // A firing that the constraint cuts off leads to no state.
            faulted: (summand, { kind }) => kind === 'outside' || edges.push({ from, summand, to: kind }) > 0,
        });
    }
    return states.length > most || limit.isExhausted()
        ? { kind: 'too-many-states' }
        : { kind: 'graph', graph: { states, orbitSizes: states.map(() => 1), initial, edges } };
}

/** More states, with images that cannot be reached, are not gone through. */
const MOST_IMAGES = 1 << 20;

/**
 * The quotient by the group of these generators, which act on states and keep the steps: the orbits that meet the graph,
 * with how many of their states are in it. Images of these need not be. Undefined if there are too many images.
 */
export function quotientOf(
    graph: StateGraph,
    generators: readonly ((state: Int32Array) => Int32Array)[],
): StateGraph | undefined {
    const images = [...graph.states];
    const numberOfKey = new Map(images.map((state, number) => [state.join(), number]));
    const moves: (readonly [from: number, to: number])[] = [];
    for (let number = 0; number < images.length; number++) {
        for (const imageOf of generators) {
            const image = imageOf(images[number]);
            moves.push([number, remembered(numberOfKey, image.join(), () => images.push(image) - 1)]);
        }
        if (images.length > MOST_IMAGES) {
            return undefined;
        }
    }
    const orbits = new UnionFind(images.length);
    moves.forEach(([from, to]) => {
        orbits.union(from, to);
    });
    const numberOfRoot = new Map<number, number>();
    const firsts: number[] = [];
    const orbitSizes: number[] = [];
    const orbitOf = graph.states.map((_, number) => {
        const orbit = remembered(numberOfRoot, orbits.find(number), () => {
            firsts.push(number);
            return orbitSizes.push(0) - 1;
        });
        orbitSizes[orbit]++;
        return orbit;
    });
    const isFirst = new Set(firsts);
    return {
        states: firsts.map(number => graph.states[number]),
        orbitSizes,
        initial: [...new Set(graph.initial.map(number => orbitOf[number]))].sort((a, b) => a - b),
        edges: graph.edges
            .filter(({ from }) => isFirst.has(from))
            .map(({ from, summand, to }) => ({
                from: orbitOf[from],
                summand,
                to: typeof to === 'number' ? orbitOf[to] : to,
            })),
    };
}
