/**
 * The product of a stored graph and an automaton. Its edges are never stored: they are made again from the graph, for
 * states that have been expanded. A node is a number, `state * width + place`; a place is a member and a state of the
 * automaton. With several members the one that a run is about moves along the edges, as the symmetries move it.
 */
import type { TemporalFormula } from '../sequential/temporal.js';
import type { Automaton, AutomatonTransition } from './automaton.js';
import type { PositionTest } from './atom-tests.js';
import type { AtomTruth } from './atom-truth.js';
import type { MarkerImages } from './marked-canonicalizer.js';
import type { StoredGraph } from './stored-graph.js';

interface ProductTransition {
    /** The state of the automaton. */
    readonly target: number;
    /** The place that it leads to, if no symmetry moves the member. */
    readonly place: number;
    readonly applies: PositionTest;
    /** Bit u: until u is put off. */
    readonly promised: number;
}

/** Promises are bits of a number. */
export const MOST_PROMISES = 31;

export class Product {
    readonly graph: StoredGraph;
    /** The number of places beside each state: members times states of the automaton. */
    readonly width: number;
    /** The nodes that runs begin in. */
    readonly initial: readonly number[];
    /** All promises, as bits. */
    readonly promises: number;
    /** By place. */
    readonly transitions: readonly (readonly ProductTransition[])[];
    /** The markers of the members. */
    readonly members: readonly number[];
    readonly #automatonStates: number;
    /** By marker the number of the member; -1 for others. */
    readonly #memberOf: Int32Array;

    /**
     * The atoms of the automaton are those of each member. Several members are images of each other: a symmetry along an
     * edge takes one to another. It has at most MOST_PROMISES promises.
     */
    constructor(graph: StoredGraph, automaton: Automaton, truth: AtomTruth, members: readonly number[]) {
        const count = automaton.transitions.length;
        this.graph = graph;
        this.members = members;
        this.#automatonStates = count;
        this.width = count * members.length;
        this.promises = 2 ** automaton.promiseCount - 1;
        this.#memberOf = new Int32Array(Math.max(...members) + 1).fill(-1);
        members.forEach((marker, member) => (this.#memberOf[marker] = member));
        this.transitions = members.flatMap((marker, member) =>
            automaton.transitions.map(transitions =>
                transitions.map(({ target, positive, negative, promised }) => ({
                    target,
                    place: member * count + target,
                    applies: truth.test(cubeOf({ positive, negative }), marker),
                    promised: promised.reduce((mask, until) => mask | (1 << until), 0),
                })),
            ),
        );
        const states = Array.from({ length: graph.initialCount }, (_, state) => state);
        const starts = members.flatMap((_, member) => automaton.initial.map(start => member * count + start));
        this.initial = states.flatMap(state => starts.map(start => state * this.width + start));
    }

    /** The marker of the member that a node is about. */
    memberAt(node: number): number {
        return this.members[Math.floor((node % this.width) / this.#automatonStates)];
    }

    /** The state of the automaton at a node. */
    automatonStateAt(node: number): number {
        return node % this.#automatonStates;
    }

    /** The place behind a transition from a place, along an edge whose symmetry moves markers like this. */
    placeAfter(place: number, transition: ProductTransition, images: MarkerImages | undefined): number {
        if (images === undefined || this.members.length === 1) {
            return transition.place;
        }
        const member = Math.floor(place / this.#automatonStates);
        return this.#memberOf[images[this.members[member]]] * this.#automatonStates + transition.target;
    }

    /** Of the states that are stored now. */
    get nodeCount(): number {
        return this.graph.stateCount * this.width;
    }

    /** Calls `visit` for each edge of a node whose target has been expanded. */
    forEachEdge(node: number, visit: (target: number, promised: number, edge: number) => void): void {
        const { graph, width } = this;
        const { firstEdge, target, expandedCount } = graph;
        const state = Math.floor(node / width);
        const place = node - state * width;
        const transitions = this.transitions[place];
        for (let edge = firstEdge[state]; edge < firstEdge[state + 1]; edge++) {
            if (target[edge] < expandedCount) {
                const stepClass = graph.stepClassOf(edge);
                for (let index = 0; index < transitions.length; index++) {
                    const transition = transitions[index];
                    if (transition.applies(state, stepClass)) {
                        const next = this.placeAfter(place, transition, graph.imagesOf(edge));
                        visit(target[edge] * width + next, transition.promised, edge);
                    }
                }
            }
        }
    }
}

/** What the atoms must be for a transition. */
export function cubeOf({ positive, negative }: Pick<AutomatonTransition, 'positive' | 'negative'>): TemporalFormula {
    const literal = (isNegated: boolean) => (atom: number) => ({ kind: 'atom', atom, isNegated }) as const;
    return { kind: 'and', operands: [...positive.map(literal(false)), ...negative.map(literal(true))] };
}
