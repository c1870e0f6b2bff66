/**
 * The reachable states and transitions of a model up to symmetry: one node for each orbit of states, one edge for each
 * orbit of transitions. Each node shows the state in which the search came to it, so the tree of the search is made of
 * runs of the model as written. Steps that fault, or that a constraint cuts off, are no transitions.
 */
import { invariant } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import type { Problem } from '../common/problem.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { Permutation } from '../group/permutation.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import { interpretedSuccessors, type Successors } from '../explore/successors.js';
import { placeOf } from '../explore/text-steps.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Passing, PathKeys } from './path-keys.js';

export interface StateOrbit {
    readonly state: Readonly<Int32Array>;
    /** Steps from the nearest start. */
    readonly depth: number;
    /** Indices of the orbits of transitions that begin here. */
    readonly leaving: number[];
}

export interface TransitionOrbit {
    readonly key: string;
    readonly from: number;
    readonly to: number;
    /** From the state of the node. */
    readonly passing: Passing;
    /** Keys of the places of the text whose steps are taken in it. */
    readonly places: Set<string>;
}

export type OrbitsFound =
    | { readonly kind: 'orbits'; readonly orbits: TransitionOrbits }
    | { readonly kind: 'slots'; readonly summand: number }
    | { readonly kind: 'problem'; readonly problem: Problem };

export interface OrbitLimits {
    /** The most orbits of states. */
    readonly maxStates: number;
    readonly workLimit: WorkLimit;
}

export class TransitionOrbits {
    readonly sequential: SequentialModel;
    readonly keys: PathKeys;
    readonly states: StateOrbit[] = [];
    readonly transitions: TransitionOrbit[] = [];
    /** How many of the states, the first ones, are initial. */
    initialCount = 0;
    /** False at a limit: then some states, and what is behind them, are missing. */
    isComplete = true;
    readonly #successors: Successors;
    /** By orbit of states the transition that has come to it first; -1 for an initial one. */
    readonly #parents: number[] = [];
    readonly #numberOfState = new Map<string, number>();
    readonly #numberOfTransition = new Map<string, number>();
    /** Runs that begin alike go through the same objects. */
    readonly #steps = new WeakMap<Readonly<Int32Array>, Map<number, readonly Passing[]>>();

    constructor(sequential: SequentialModel, keys: PathKeys) {
        this.sequential = sequential;
        this.keys = keys;
        this.#successors = interpretedSuccessors(withRealNumbers(sequential));
    }

    /** The orbit of a transition; undefined if it is not among those found. */
    numberOf(passing: Passing): number | undefined {
        return this.#numberOfTransition.get(this.keys.ofTransition(passing));
    }

    numberOfState(state: Readonly<Int32Array>): number | undefined {
        return this.#numberOfState.get(this.keys.ofState(state));
    }

    /** Of a state as written. */
    passingsFrom(state: Readonly<Int32Array>): readonly Passing[] {
        const before = state.slice();
        const passings: Passing[] = [];
        this.#successors.forEachFiring(before, {
            fired: (summand, after) => passings.push({ before, summand, after: after.slice() }) > 0,
            faulted: () => true,
        });
        return passings;
    }

    placesOf(summand: number): readonly string[] {
        return this.sequential.summands[summand].participants.map(({ range }) => placeOf(range));
    }

    /** Finds all, up to a limit. */
    explore({ maxStates, workLimit }: OrbitLimits): OrbitsFound {
        const initial = new InitialStates(this.sequential);
        const state = new Int32Array(this.sequential.cells.length);
        while (this.isComplete && initial.nextInto(state, workLimit)) {
            this.#add(state, 0, maxStates, -1);
            this.isComplete &&= !workLimit.isExhausted();
        }
        this.initialCount = this.states.length;
        if (this.initialCount === 0) {
            if (initial.problem === undefined) {
                this.isComplete = false;
            } else {
                return { kind: 'problem', problem: initial.problem };
            }
        }
        // The list grows during the loop.
        for (let from = 0; from < this.states.length; from++) {
            if (workLimit.isExhausted() || !this.keys.isExact) {
                this.isComplete = false;
                break;
            }
            const missed = this.#expand(from, maxStates);
            if (missed !== undefined) {
                return { kind: 'slots', summand: missed };
            }
        }
        return { kind: 'orbits', orbits: this };
    }

    /** A summand for whose instance there is no slot. */
    #expand(from: number, maxStates: number): number | undefined {
        const { state, depth, leaving } = this.states[from];
        let missed: number | undefined;
        this.#successors.forEachFiring(state, {
            fired: (summand, after) => {
                const key = this.keys.ofTransition({ before: state, summand, after });
                let number = this.#numberOfTransition.get(key);
                if (number === undefined) {
                    const to = this.#add(after, depth + 1, maxStates, this.transitions.length);
                    if (to === undefined) {
                        return true;
                    }
                    number = this.transitions.length;
                    this.#numberOfTransition.set(key, number);
                    const passing = { before: state, summand, after: after.slice() };
                    this.transitions.push({ key, from, to, passing, places: new Set() });
                    leaving.push(number);
                }
                this.placesOf(summand).forEach(place => this.transitions[number].places.add(place));
                return true;
            },
            faulted: (summand, { kind }) => {
                missed = kind === 'slots' ? summand : missed;
                return missed === undefined;
            },
        });
        return missed;
    }

    /** The node of a state; undefined if it would be one too many. */
    #add(state: Readonly<Int32Array>, depth: number, maxStates: number, parent: number): number | undefined {
        const key = this.keys.ofState(state);
        const known = this.#numberOfState.get(key);
        if (known !== undefined) {
            return known;
        }
        if (this.states.length >= maxStates) {
            this.isComplete = false;
            return undefined;
        }
        this.#numberOfState.set(key, this.states.length);
        this.#parents.push(parent);
        return this.states.push({ state: state.slice(), depth, leaving: [] }) - 1;
    }

    /** The transitions of an orbit from this state, which is in the orbit of the node that it begins at: at least one. */
    stepsOf(state: Readonly<Int32Array>, number: number): readonly Passing[] {
        const known = remembered(this.#steps, state, () => new Map<number, readonly Passing[]>());
        return remembered(known, number, () => {
            const { key, passing } = this.transitions[number];
            const kind = this.keys.kindOfTransition(passing);
            const found = this.passingsFrom(state).filter(
                other => this.keys.kindOfTransition(other) === kind && this.keys.ofTransition(other) === key,
            );
            invariant(found.length > 0, 'a symmetric state has a symmetric transition');
            return found;
        });
    }

    /** A shortest way to an orbit of states from that of an initial state, by orbits of transitions. */
    wayFromStart(node: number): { readonly start: number; readonly way: readonly number[] } {
        const way: number[] = [];
        let at = node;
        for (let parent = this.#parents[at]; parent >= 0; parent = this.#parents[at]) {
            way.push(parent);
            at = this.transitions[parent].from;
        }
        return { start: at, way: way.reverse() };
    }

    /** A shortest way from a state, by orbits, of which the last one is the first that is wanted; none within the orbits. */
    wayTo(state: Readonly<Int32Array>, isWanted: (orbit: number) => boolean): readonly number[] | undefined {
        const start = this.numberOfState(state);
        const parents = new Map<number, number>(start === undefined ? [] : [[start, -1]]);
        // The map grows during the loop.
        for (const node of parents.keys()) {
            for (const orbit of this.states[node].leaving) {
                if (isWanted(orbit)) {
                    const way = [orbit];
                    for (let at = node; at !== start;) {
                        const last = parents.get(at) ?? -1;
                        way.push(last);
                        at = this.transitions[last].from;
                    }
                    return way.reverse();
                }
                const { to } = this.transitions[orbit];
                if (!parents.has(to)) {
                    parents.set(to, orbit);
                }
            }
        }
        return undefined;
    }

    /** The steps of a run along orbits. */
    passingsAlong(start: Readonly<Int32Array>, orbits: readonly number[]): readonly Passing[] {
        const passings: Passing[] = [];
        for (const orbit of orbits) {
            passings.push(this.stepsOf(passings.at(-1)?.after ?? start, orbit)[0]);
        }
        return passings;
    }

    /** The step that a symmetry, on the points of its group, makes of a step, between the images of its states. */
    imageOfStep(
        { before: source, summand, after: target }: Passing,
        before: Readonly<Int32Array>,
        after: Readonly<Int32Array>,
        element: Permutation,
    ): Passing {
        const { summands } = this.sequential;
        const instances = summands[summand].participants.map(({ instance }) =>
            this.keys.imageOfInstance(instance, point => element[point]),
        );
        const key = this.keys.ofTransition({ before: source, summand, after: target });
        const found = this.passingsFrom(before).find(
            passing =>
                passing.after.join() === after.join() &&
                summands[passing.summand].participants.every(({ instance }) => instances.includes(instance)) &&
                this.keys.ofTransition(passing) === key,
        );
        invariant(found !== undefined, 'a symmetry maps steps to steps');
        return found;
    }
}
