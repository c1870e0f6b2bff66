/**
 * Tests of a model: runs as written that together take one of each orbit of transitions, or of pairs of transitions that
 * follow each other, or each step of the text. Chosen up to symmetry, then undone to runs, each step of which the
 * interpreter has taken.
 */
import { remembered } from '../common/list-map.js';
import type { Problem } from '../common/problem.js';
import type { WorkLimit } from '../common/work-limit.js';
import { withMoreSlots } from '../match/more-slots.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Cover } from './cover-names.js';
import { coveringWalks, type CoverGraph, type Move } from './cover.js';
import { PathKeys, type Passing } from './path-keys.js';
import { TransitionOrbits, type OrbitLimits } from './transition-orbits.js';

/** A run as written. */
export interface TestRun {
    readonly initial: Readonly<Int32Array>;
    readonly passings: readonly Passing[];
    /** The orbits of transitions that it takes, in their order. */
    readonly orbits: readonly number[];
}

export interface Selection {
    readonly kind: 'tests';
    /** With as many slots as the tests need. */
    readonly model: Model;
    readonly sequential: SequentialModel;
    readonly orbits: TransitionOrbits;
    readonly cover: Cover;
    readonly runs: readonly TestRun[];
    /** What there is to cover; all of it is covered if no limit was reached. */
    readonly itemCount: number;
    /** The first limit that was reached: then other tests are missing. */
    readonly limit?: 'states' | 'time' | 'instances' | 'steps';
}

export interface SelectionOptions extends Omit<OrbitLimits, 'workLimit'> {
    readonly cover: Cover;
    /** Of the search for states. */
    readonly workLimit: WorkLimit;
    /** Of the search for symmetries. */
    readonly symmetryLimit: WorkLimit;
    /** Of the choice of walks, which ends after the search, and of what makes runs of them, which ends after that. */
    readonly walkLimit: WorkLimit;
    readonly runLimit: WorkLimit;
}

/** Of the time that there is: when each limit ends. The rest is for images, and for what is done with the tests. */
export const PARTS_OF_TIME = { symmetries: 0.25, states: 0.5, walks: 0.6, runs: 0.8 };

const WALKS = { apart: 5, longest: 100, most: 1_000_000 };

export function selectTests(
    model: Model,
    sequential: SequentialModel,
    options: SelectionOptions,
): Selection | { readonly kind: 'problem'; readonly problem: Problem } {
    const { symmetryLimit, workLimit, maxStates } = options;
    if (sequential.numbers !== undefined) {
        const message =
            'the model has numbers without end, so its transitions have no end; with a bound, `0 .. 9`, they have';
        return {
            kind: 'problem',
            problem: { severity: 'error', code: 'tests/numbers', message, range: model.nameRange },
        };
    }
    let grown: Pick<Selection, 'model' | 'sequential'> = { model, sequential };
    let found = orbitsOf(grown, new PathKeys(model, sequential, symmetryLimit), { maxStates, workLimit });
    while (found.kind === 'slots') {
        const more = withMoreSlots(grown.model, grown.sequential, found.summand);
        if ('template' in more) {
            // What was found without the missing slots is reachable, too.
            return selectionOf(grown, found.orbits, options, 'instances');
        }
        grown = { model: more.model, sequential: more.sequential };
        found = orbitsOf(grown, new PathKeys(grown.model, grown.sequential, symmetryLimit), {
            maxStates,
            workLimit,
        });
    }
    if (found.kind === 'problem') {
        return found;
    }
    const { orbits } = found;
    const limit = orbits.isComplete ? undefined : orbits.states.length >= maxStates ? 'states' : 'time';
    return selectionOf(grown, orbits, options, limit);
}

type Explored =
    | { readonly kind: 'orbits'; readonly orbits: TransitionOrbits }
    | { readonly kind: 'slots'; readonly summand: number; readonly orbits: TransitionOrbits }
    | { readonly kind: 'problem'; readonly problem: Problem };

function orbitsOf(
    { model, sequential }: Pick<Selection, 'model' | 'sequential'>,
    keys: PathKeys,
    limits: OrbitLimits,
): Explored {
    const orbits = new TransitionOrbits(sequential, keys);
    const found = orbits.explore(limits);
    if (!keys.isExact) {
        // Symmetric states must have equal keys: without symmetries each state is its own.
        return orbitsOf({ model, sequential }, new PathKeys(model, sequential), limits);
    }
    return found.kind === 'slots' ? { ...found, orbits } : found;
}

function selectionOf(
    grown: Pick<Selection, 'model' | 'sequential'>,
    orbits: TransitionOrbits,
    { cover, walkLimit, runLimit }: Pick<SelectionOptions, 'cover' | 'walkLimit' | 'runLimit'>,
    limit: Selection['limit'] | undefined,
): Selection {
    const { graph, orbitOf, stepOf } = cover === 'pairs' ? graphOfPairs(orbits) : graphOfTransitions(orbits, cover);
    const { walks, cut } = coveringWalks(graph, { ...WALKS, isOver: () => walkLimit.isExhausted() });
    const runs: TestRun[] = [];
    for (const walk of walks) {
        if (runs.length > 0 && runLimit.isExhausted()) {
            break;
        }
        // Nodes of starts have the numbers of the initial states in both graphs.
        const initial = orbits.states[graph.moves[walk[0]].from].state;
        const passings: Passing[] = [];
        walk.forEach(move => {
            passings.push(stepOf(move, passings.at(-1)?.after ?? initial));
        });
        runs.push({ initial, passings, orbits: walk.map(orbitOf) });
    }
    const reached = limit ?? (runs.length < walks.length ? 'time' : cut);
    const { itemCount } = graph;
    return {
        kind: 'tests',
        ...grown,
        orbits,
        cover,
        runs,
        itemCount,
        ...(reached !== undefined && { limit: reached }),
    };
}

export function runOf(orbits: TransitionOrbits, initial: Readonly<Int32Array>, passings: readonly Passing[]): TestRun {
    return { initial, passings, orbits: passings.flatMap(passing => orbits.numberOf(passing) ?? []) };
}

interface Covered {
    readonly graph: CoverGraph;
    /** Of transitions. */
    readonly orbitOf: (move: number) => number;
    /** The step of a run along a move. */
    readonly stepOf: (move: number, state: Readonly<Int32Array>) => Passing;
}

/** Nodes are orbits of states, moves orbits of transitions; the items are these, or the steps of the text. */
function graphOfTransitions(orbits: TransitionOrbits, cover: 'steps' | 'transitions'): Covered {
    const numberOfPlace = new Map<string, number>();
    const placesOfItem: string[] = [];
    const moves = orbits.transitions.map(({ from, to, places }, number): Move => {
        const own = [...places].map(place => remembered(numberOfPlace, place, () => placesOfItem.push(place)) - 1);
        return { from, to, items: cover === 'steps' ? own : [number] };
    });
    const isLeft = new Set(placesOfItem);
    return {
        graph: {
            nodeCount: orbits.states.length,
            starts: [...Array(orbits.initialCount).keys()],
            moves,
            itemCount: cover === 'steps' ? placesOfItem.length : moves.length,
        },
        orbitOf: move => move,
        stepOf: (move, state) => {
            const options = orbits.stepsOf(state, move);
            // Of two steps with one name and one effect, that which no test has taken.
            const count = ({ summand }: Passing): number =>
                orbits.placesOf(summand).filter(place => isLeft.has(place)).length;
            const step = options.reduce((best, other) => (count(other) > count(best) ? other : best));
            if (cover === 'steps') {
                orbits.placesOf(step.summand).forEach(place => isLeft.delete(place));
            }
            return step;
        },
    };
}

/**
 * Nodes are the orbits of initial states, then those of transitions; moves are the first steps, then the pairs of
 * transitions that follow each other. A first step that no other one follows is an item, too: no pair has it.
 */
function graphOfPairs(orbits: TransitionOrbits): Covered {
    const { states, transitions, initialCount } = orbits;
    const moves: Move[] = [];
    const taken: number[] = [];
    let itemCount = 0;
    const add = (from: number, transition: number, isItem: boolean): void => {
        taken.push(transition);
        moves.push({ from, to: initialCount + transition, items: isItem ? [itemCount++] : [] });
    };
    transitions.forEach(({ to }, from) => {
        states[to].leaving.forEach(transition => {
            add(initialCount + from, transition, true);
        });
    });
    for (let from = 0; from < initialCount; from++) {
        states[from].leaving.forEach(transition => {
            add(from, transition, states[transitions[transition].to].leaving.length === 0);
        });
    }
    return {
        graph: {
            nodeCount: initialCount + transitions.length,
            starts: [...Array(initialCount).keys()],
            moves,
            itemCount,
        },
        orbitOf: move => taken[move],
        stepOf: (move, state) => orbits.stepsOf(state, taken[move])[0],
    };
}
