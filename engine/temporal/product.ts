/**
 * The product of a stored graph and an automaton. Its edges are never stored: they are made again from the graph, for
 * states that have been expanded. A node is a number, `state * width + place`; a place is a member and a state of the
 * automaton. With several members the one that a run is about moves along the edges, as the symmetries move it.
 */
import type { Automaton } from './automaton.js';
import type { PositionTest } from './atom-tests.js';
import type { AtomTruth } from './atom-truth.js';
import type { MarkerImages } from './marked-canonicalizer.js';
import type { StoredGraph } from './stored-graph.js';

interface ProductTransition {
    /** The state of the automaton. */
    readonly target: number;
    /** Bit u: until u is put off. */
    readonly promised: number;
    /** Whether the state is as the transition wants it. */
    readonly isOpen: PositionTest;
    /** By class of steps: 1 if the step is as the transition wants it. */
    readonly takes: Uint8Array;
}

/** Edges of a node that there is room for at first. */
const FIRST_FOUND = 64;

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
    /** By kind of an edge: the class of the step. */
    readonly #classOfKind: Uint32Array;
    /** By kind of an edge, then by member: where it goes. */
    readonly #movedMember: Uint32Array;
    /** The result of the last `edgesOf`. */
    #found = {
        target: new Float64Array(FIRST_FOUND),
        promised: new Int32Array(FIRST_FOUND),
        edge: new Uint32Array(FIRST_FOUND),
    };

    /**
     * The atoms of the automaton are those of each member. Several members are images of each other: a symmetry along an
     * edge takes one to another. Runs are about those of `asked`, or about images of these where the start has moved. The
     * automaton has at most MOST_PROMISES promises.
     */
    constructor(
        graph: StoredGraph,
        automaton: Automaton,
        truth: AtomTruth,
        members: readonly number[],
        asked: readonly number[] = members,
    ) {
        const count = automaton.transitions.length;
        this.graph = graph;
        this.members = members;
        this.#automatonStates = count;
        this.width = count * members.length;
        this.promises = 2 ** automaton.promiseCount - 1;
        this.#memberOf = new Int32Array(Math.max(...members) + 1).fill(-1);
        members.forEach((marker, member) => (this.#memberOf[marker] = member));
        this.transitions = members.flatMap(marker =>
            automaton.transitions.map(transitions =>
                transitions.map(transition => ({
                    target: transition.target,
                    promised: transition.promised.reduce((mask, until) => mask | (1 << until), 0),
                    ...truth.testOfCube(transition, marker),
                })),
            ),
        );
        const { kinds } = graph;
        this.#classOfKind = Uint32Array.from(
            kinds?.classOf ?? Array.from({ length: truth.classCount }, (_, kind) => kind),
        );
        this.#movedMember = new Uint32Array(this.#classOfKind.length * members.length);
        for (let kind = 0; kind < this.#classOfKind.length; kind++) {
            members.forEach((marker, member) => {
                const moved =
                    kinds === undefined || members.length === 1 ? member : this.#memberOf[kinds.imagesOf[kind][marker]];
                this.#movedMember[kind * members.length + member] = moved;
            });
        }
        this.initial = Array.from({ length: graph.initialCount }, (_, state) =>
            this.#membersAtStart(state, asked).flatMap(member =>
                automaton.initial.map(start => state * this.width + member * count + start),
            ),
        ).flat();
    }

    /** The numbers of the members that runs from the stored form of initial states may be about. */
    #membersAtStart(state: number, asked: readonly number[]): readonly number[] {
        const moved = this.members.length === 1 ? undefined : this.graph.markersAtStart(state);
        const markers = moved === undefined ? asked : Array.from(moved, images => asked.map(marker => images[marker]));
        return [...new Set(markers.flat())].map(marker => this.#memberOf[marker]);
    }

    /** The marker of the member that a node is about. */
    memberAt(node: number): number {
        return this.members[Math.floor((node % this.width) / this.#automatonStates)];
    }

    /** The state of the automaton at a node. */
    automatonStateAt(node: number): number {
        return node % this.#automatonStates;
    }

    /** The place behind a transition from a place, for a step whose symmetry moves markers like this. */
    placeAfter(place: number, transition: ProductTransition, images: MarkerImages): number {
        const member = Math.floor(place / this.#automatonStates);
        const moved = this.members.length === 1 ? 0 : this.#memberOf[images[this.members[member]]];
        return moved * this.#automatonStates + transition.target;
    }

    /** Whether a transition goes along with a step from a state. */
    applies({ isOpen, takes }: ProductTransition, state: number, stepClass: number): boolean {
        return takes[stepClass] === 1 && isOpen(state, 0);
    }

    /** Of the states that are stored now. */
    get nodeCount(): number {
        return this.graph.stateCount * this.width;
    }

    /** Calls `visit` for each edge of a node whose target has been expanded. It must not ask for edges itself. */
    forEachEdge(node: number, visit: (target: number, promised: number, edge: number) => void): void {
        const count = this.#edgesOf(node);
        const { target, promised, edge } = this.#found;
        for (let index = 0; index < count; index++) {
            visit(target[index], promised[index], edge[index]);
        }
    }

    /** Finds the edges of a node whose target has been expanded; returns their number. */
    #edgesOf(node: number): number {
        const { graph, width } = this;
        const { firstEdge, target, edgeKind, expandedCount } = graph;
        const state = Math.floor(node / width);
        const place = node - state * width;
        const member = Math.floor(place / this.#automatonStates);
        const memberCount = this.members.length;
        const transitions = this.transitions[place];
        const begin = firstEdge[state];
        const end = firstEdge[state + 1];
        let count = 0;
        for (let index = 0; index < transitions.length; index++) {
            const transition = transitions[index];
            if (!transition.isOpen(state, 0)) {
                continue;
            }
            const { takes, promised } = transition;
            if (count + end - begin > this.#found.edge.length) {
                this.#growFound(count + end - begin);
            }
            const found = this.#found;
            for (let edge = begin; edge < end; edge++) {
                const kind = edgeKind[edge];
                if (target[edge] < expandedCount && takes[this.#classOfKind[kind]] === 1) {
                    const moved = this.#movedMember[kind * memberCount + member];
                    found.target[count] = target[edge] * width + moved * this.#automatonStates + transition.target;
                    found.promised[count] = promised;
                    found.edge[count++] = edge;
                }
            }
        }
        return count;
    }

    #growFound(length: number): void {
        const { target, promised, edge } = this.#found;
        this.#found = {
            target: new Float64Array(2 * length),
            promised: new Int32Array(2 * length),
            edge: new Uint32Array(2 * length),
        };
        this.#found.target.set(target);
        this.#found.promised.set(promised);
        this.#found.edge.set(edge);
    }
}
