/**
 * The product of a stored graph and an automaton. Its edges are never stored: they are made again from the graph, for
 * states that have been expanded. A node is a number, `state * automaton states + automaton state`.
 */
import type { TemporalFormula } from '../sequential/temporal.js';
import type { Automaton, AutomatonTransition } from './automaton.js';
import type { PositionTest } from './atom-tests.js';
import type { AtomTruth } from './atom-truth.js';
import type { StoredGraph } from './stored-graph.js';

interface ProductTransition {
    readonly target: number;
    readonly applies: PositionTest;
    /** Bit u: until u is put off. */
    readonly promised: number;
}

/** Promises are bits of a number. */
export const MOST_PROMISES = 31;

export class Product {
    readonly graph: StoredGraph;
    /** The number of states of the automaton. */
    readonly width: number;
    /** The nodes that runs begin in. */
    readonly initial: readonly number[];
    /** All promises, as bits. */
    readonly promises: number;
    /** By state of the automaton. */
    readonly transitions: readonly (readonly ProductTransition[])[];

    /** The atoms of the automaton are those of a marker. It has at most MOST_PROMISES promises. */
    constructor(graph: StoredGraph, automaton: Automaton, truth: AtomTruth, marker: number) {
        this.graph = graph;
        this.width = automaton.transitions.length;
        this.promises = 2 ** automaton.promiseCount - 1;
        this.transitions = automaton.transitions.map(transitions =>
            transitions.map(({ target, positive, negative, promised }) => ({
                target,
                applies: truth.test(cubeOf({ positive, negative }), marker),
                promised: promised.reduce((mask, until) => mask | (1 << until), 0),
            })),
        );
        const states = Array.from({ length: graph.initialCount }, (_, state) => state);
        this.initial = states.flatMap(state => automaton.initial.map(start => state * this.width + start));
    }

    /** Of the states that are stored now. */
    get nodeCount(): number {
        return this.graph.stateCount * this.width;
    }

    /** Calls `visit` for each edge of a node whose target has been expanded. */
    forEachEdge(node: number, visit: (target: number, promised: number, edge: number) => void): void {
        const { firstEdge, target, edgeClass, expandedCount } = this.graph;
        const state = Math.floor(node / this.width);
        const transitions = this.transitions[node - state * this.width];
        for (let edge = firstEdge[state]; edge < firstEdge[state + 1]; edge++) {
            if (target[edge] < expandedCount) {
                for (let index = 0; index < transitions.length; index++) {
                    const transition = transitions[index];
                    if (transition.applies(state, edgeClass[edge])) {
                        visit(target[edge] * this.width + transition.target, transition.promised, edge);
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
