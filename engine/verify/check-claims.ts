/**
 * Checks claims about symmetries, without a search.
 *
 * - A generator maps the literals of each cell to those of one cell, and is an automorphism of the graph.
 * - It agrees with runs of the model, on all states if they are few, else on states along random walks. Images of
 *   initial states are initial, unless the start may move; steps map to steps, faults keep their kinds. A property, or
 *   another one of its set, has the same truth in the image. On all reachable states, and their images if the start
 *   moves, this is a proof without constraints and graph.
 * - A group has the claimed order, computed from its generators unless the group is large.
 */
import type { Random } from '../common/random.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { Certifier } from '../graph/certify.js';
import { imageOf, type SparsePermutation } from '../group/sparse-permutation.js';
import { describeGroup } from '../group/structure.js';
import { encodeGraph } from '../symmetry/graph-encoding.js';
import { GraphExtension } from '../symmetry/graph-extension.js';
import { literalPoints, type LiteralPoints } from '../symmetry/model-symmetry.js';
import type { Claims, GroupClaim } from './claims.js';
import { createObservedModel, type ObservedFiring, type Observation, type ObservedModel } from './observed-model.js';

export interface CheckOptions {
    readonly workLimit: WorkLimit;
    readonly random: Random;
    /** If at most so many states are reachable, all of them are tried. */
    readonly mostStates: number;
    /** Else so many states along random walks are tried. */
    readonly sampledStates: number;
}

export interface Verification {
    /** `undecided`: the limit was reached before every generator had been tried on every state. */
    readonly verdict: 'verified' | 'refuted' | 'undecided';
    /** The number of states on which each generator was tried, and whether these are all reachable states. */
    readonly states: number;
    readonly exhaustive: boolean;
    readonly ordersChecked: boolean;
    /** At most one for each generator and each group. */
    readonly refutations: readonly Refutation[];
}

/** Why a claim is wrong. States are vectors of codes; `image` is the image of `state` under the generator. */
export type Refutation =
    /** It maps the values of this cell to values of several cells. */
    | { readonly kind: 'cell'; readonly generator: number; readonly cell: number }
    | { readonly kind: 'initial'; readonly generator: number; readonly state: Int32Array; readonly image: Int32Array }
    | {
          readonly kind: 'step';
          readonly generator: number;
          readonly state: Int32Array;
          readonly image: Int32Array;
          /** The state with a step that the other does not have. */
          readonly from: 'state' | 'image';
          readonly firing: ObservedFiring;
      }
    | {
          readonly kind: 'property';
          readonly generator: number;
          readonly state: Int32Array;
          readonly image: Int32Array;
          /** An index into the properties of the constraint problem, and the truth in the state and in the image. */
          readonly property: number;
          readonly truth: readonly [string, string];
      }
    /** No property of the set is in the image of each state tried what this one is in the state; not in this one. */
    | {
          readonly kind: 'alike';
          readonly generator: number;
          readonly state: Int32Array;
          readonly image: Int32Array;
          readonly property: number;
          readonly alike: readonly number[];
      }
    /** It is no automorphism of the graph, but agrees with the tried states. */
    | { readonly kind: 'graph'; readonly generator: number }
    | { readonly kind: 'order'; readonly group: number; readonly order: bigint };

/** The most generators times moved points of a group whose order is computed. */
const LARGEST_GROUP = 20_000;

/** Checks all claims. The same claims give the same answer, unless the limit is reached. */
export function checkClaims(problem: ConstraintProblem, claims: Claims, options: CheckOptions): Verification {
    const points = literalPoints(problem);
    const actions = claims.generators.map(generator => createStateAction(points, generator));
    const refutations = new Map<number, Refutation>();
    const refutedOnGraph = checkOnGraph(problem, claims, actions, options.workLimit);
    actions.forEach((action, generator) => {
        if (action.kind === 'split') {
            refutations.set(generator, { kind: 'cell', generator, cell: action.cell });
        }
    });
    const run = checkOnModel(problem, claims, actions, refutations, options);
    for (const generator of refutedOnGraph) {
        if (!refutations.has(generator)) {
            refutations.set(generator, { kind: 'graph', generator });
        }
    }
    const found = [...refutations].sort(([first], [second]) => first - second).map(([, refutation]) => refutation);
    const ordersChecked = found.length === 0 && run.finished && claims.groups.every(group => isModest(group, claims));
    if (ordersChecked) {
        found.push(...checkOrders(points, claims));
    }
    return {
        verdict: found.length > 0 ? 'refuted' : run.finished ? 'verified' : 'undecided',
        states: run.states,
        exhaustive: run.exhaustive,
        ordersChecked,
        refutations: found,
    };
}

/**
 * Whether all generators are automorphisms of the graphs of their groups: that the claims are right as far as constraints
 * and graph are. It tries no state.
 */
export function areOnGraph(problem: ConstraintProblem, claims: Claims, workLimit: WorkLimit): boolean {
    const points = literalPoints(problem);
    const actions = claims.generators.map(generator => createStateAction(points, generator));
    return checkOnGraph(problem, claims, actions, workLimit).size === 0;
}

/** The generators that are no automorphisms of the graph of one of their groups. */
function checkOnGraph(
    problem: ConstraintProblem,
    { generators, groups }: Claims,
    actions: readonly StateAction[],
    workLimit: WorkLimit,
): ReadonlySet<number> {
    const refuted = new Set<number>();
    for (const { properties, alike, generators: members, start } of groups) {
        const sets = [...properties.map(property => [property]), ...alike];
        const startMoved = { classes: problem.properties.map(() => 0) };
        const encoding = encodeGraph(start === undefined ? problem : { ...problem, startMoved }, sets.flat());
        const vertexOf = new Map(encoding.properties.map((property, i) => [property, encoding.propertyVertex[i]]));
        const vertexSets = sets.map(set => new Set(set.map(property => vertexOf.get(property))));
        const extension = new GraphExtension(encoding, literalPoints(problem));
        const certifier = new Certifier(encoding.graph);
        for (const member of members) {
            if (workLimit.isExhausted()) {
                return refuted;
            }
            const extended = actions[member].kind === 'action' ? extension.extend(generators[member]) : undefined;
            const keeps = (set: ReadonlySet<number | undefined>, by: SparsePermutation): boolean =>
                [...set].every(vertex => vertex === undefined || set.has(imageOf(by, vertex)));
            if (
                extended === undefined ||
                !certifier.isAutomorphism(extended) ||
                !vertexSets.every(set => keeps(set, extended))
            ) {
                refuted.add(member);
            }
        }
    }
    return refuted;
}

/** Tries every generator on each state until it is refuted; adds to `refutations`. */
function checkOnModel(
    problem: ConstraintProblem,
    { generators, groups }: Claims,
    actions: readonly StateAction[],
    refutations: Map<number, Refutation>,
    { workLimit, random, mostStates, sampledStates }: CheckOptions,
): { readonly states: number; readonly exhaustive: boolean; readonly finished: boolean } {
    const model = createObservedModel(problem.sequential, problem.properties);
    const kept = generators.map((_, generator) => {
        const claiming = groups.filter(group => group.generators.includes(generator));
        return {
            keepsStart: claiming.some(({ start }) => start === undefined),
            properties: [...new Set(claiming.flatMap(group => group.properties))],
            matchings: claiming.flatMap(group => group.alike).map(set => new Matching(set)),
        };
    });
    const all = model.reachableStates(mostStates, workLimit);
    const states = all ?? model.statesOnWalks(sampledStates, random, workLimit);
    if (workLimit.isExhausted()) {
        return { states: 0, exhaustive: false, finished: false };
    }
    /** False at the limit. */
    const tryOn = (state: Int32Array, isTried: (generator: number) => boolean): boolean => {
        const here = model.observe(state);
        for (const [generator, action] of actions.entries()) {
            if (workLimit.isExhausted()) {
                return false;
            }
            if (action.kind === 'split' || refutations.has(generator) || !isTried(generator)) {
                continue;
            }
            const refutation = compare(model, generator, here, action.imageOf, kept[generator]);
            if (refutation !== undefined) {
                refutations.set(generator, refutation);
            }
        }
        return true;
    };
    let tried = 0;
    for (const state of states) {
        if (!tryOn(state, () => true)) {
            return { states: tried, exhaustive: false, finished: false };
        }
        tried++;
    }
    // Where the start moves, products of generators lead beyond the states that can be reached.
    const movingStart = actions.filter((action, generator) => action.kind === 'action' && !kept[generator].keepsStart);
    const images = imagesOf(
        states,
        movingStart.filter(action => action.kind === 'action'),
        mostStates,
    );
    for (const state of images) {
        if (!tryOn(state, generator => !kept[generator].keepsStart)) {
            return { states: tried, exhaustive: false, finished: false };
        }
    }
    const exhaustive = all !== undefined && (movingStart.length === 0 || images.length < mostStates);
    return { states: tried, exhaustive, finished: true };
}

/** The images that are none of the states, products included; no more than `most`. */
function imagesOf(
    states: readonly Int32Array[],
    actions: readonly Extract<StateAction, { kind: 'action' }>[],
    most: number,
): readonly Int32Array[] {
    const known = new Set(actions.length === 0 ? [] : states.map(state => state.join()));
    const found: Int32Array[] = [];
    const open = actions.length === 0 ? [] : [...states];
    for (const state of open) {
        for (const { imageOf } of actions) {
            const image = imageOf(state);
            if (found.length < most && !known.has(image.join())) {
                known.add(image.join());
                found.push(image);
                open.push(image);
            }
        }
    }
    return found;
}

/** The first difference between the behavior of a state and that of its image, if any. */
function compare(
    model: ObservedModel,
    generator: number,
    here: Observation,
    imageOf: (state: Int32Array) => Int32Array,
    { keepsStart, properties, matchings }: Kept,
): Refutation | undefined {
    const { state } = here;
    const image = imageOf(state);
    if (keepsStart && here.isInitial && !model.isInitial(image)) {
        return { kind: 'initial', generator, state, image };
    }
    const there = model.observe(image);
    const expected = new Map(here.firings.map(firing => [keyOf(firing, imageOf), firing]));
    const found = new Map(there.firings.map(firing => [keyOf(firing), firing]));
    for (const [key, firing] of expected) {
        if (!found.has(key)) {
            return { kind: 'step', generator, state, image, from: 'state', firing };
        }
    }
    for (const [key, firing] of found) {
        if (!expected.has(key)) {
            return { kind: 'step', generator, state, image, from: 'image', firing };
        }
    }
    for (const property of properties) {
        const truth = [here.truths[property], there.truths[property]] as const;
        if (truth[0] !== truth[1]) {
            return { kind: 'property', generator, state, image, property, truth };
        }
    }
    for (const matching of matchings) {
        const property = matching.unmatched(here.truths, there.truths);
        if (property !== undefined) {
            return { kind: 'alike', generator, state, image, property, alike: matching.set };
        }
    }
    return undefined;
}

/** The properties that a generator is claimed to keep: each by itself, and those of each set as a set. */
interface Kept {
    readonly keepsStart: boolean;
    readonly properties: readonly number[];
    readonly matchings: readonly Matching[];
}

/** For each property of a set those of the set that may be its image, by the states that were tried. */
class Matching {
    readonly set: readonly number[];
    readonly #candidates: Map<number, readonly number[]>;

    constructor(set: readonly number[]) {
        this.set = set;
        this.#candidates = new Map(set.map(property => [property, set]));
    }

    /** Learns from a state and its image; returns a property for which no image is left. */
    unmatched(here: readonly string[], there: readonly string[]): number | undefined {
        for (const [property, candidates] of this.#candidates) {
            const left = candidates.filter(candidate => there[candidate] === here[property]);
            if (left.length === 0) {
                return property;
            }
            this.#candidates.set(property, left);
        }
        return undefined;
    }
}

function keyOf({ outcome }: ObservedFiring, imageOf?: (state: Int32Array) => Int32Array): string {
    if (typeof outcome === 'string') {
        return outcome;
    }
    return (imageOf === undefined ? outcome : imageOf(outcome)).join();
}

function isModest({ generators: members }: GroupClaim, { generators }: Claims): boolean {
    const moved = new Set(members.flatMap(member => [...generators[member].points]));
    return members.length * moved.size <= LARGEST_GROUP;
}

/** The refuted orders. */
function checkOrders(points: LiteralPoints, { generators, groups }: Claims): Refutation[] {
    const degree = points.firstPoint[points.cellCount];
    return groups.flatMap((claim, group): Refutation[] => {
        const members = claim.generators.map(member => generators[member]);
        const { order } = describeGroup(members, degree);
        return order === claim.order ? [] : [{ kind: 'order', group, order }];
    });
}

export type StateAction =
    | { readonly kind: 'action'; readonly imageOf: (state: Int32Array) => Int32Array }
    /** It maps the literals of this cell to literals of several cells. */
    | { readonly kind: 'split'; readonly cell: number };

/** The action of `permutation`. "No value" and values that have no literal move with their cell. */
export function createStateAction(points: LiteralPoints, permutation: SparsePermutation): StateAction {
    const imageOfPoint = new Map(Array.from(permutation.points, (point, i) => [point, permutation.images[i]]));
    /** By literal: the cell it belongs to, and its code there. */
    const cellOf: number[] = [];
    const codeOf: number[] = [];
    points.codes.forEach((codes, cell) => {
        codes.forEach(code => {
            cellOf.push(cell);
            codeOf.push(code);
        });
    });
    const targetCell = points.codes.map((_, cell) => cell);
    /** For each cell, the code in the target of each of its codes. */
    const targetCodes: ReadonlyMap<number, number>[] = [];
    for (let cell = 0; cell < points.codes.length; cell++) {
        const images = points.codes[cell].map((_, i) => {
            const point = points.firstPoint[cell] + i;
            return imageOfPoint.get(point) ?? point;
        });
        const targets = new Set(images.map(image => cellOf[image]));
        if (targets.size > 1) {
            return { kind: 'split', cell };
        }
        for (const target of targets) {
            targetCell[cell] = target;
        }
        targetCodes.push(new Map(points.codes[cell].map((code, i) => [code, codeOf[images[i]]])));
    }
    // No two cells have one target: by induction, the largest cells fill the largest.
    return {
        kind: 'action',
        imageOf: state => {
            const image = new Int32Array(state.length);
            for (let cell = 0; cell < state.length; cell++) {
                image[targetCell[cell]] = targetCodes[cell].get(state[cell]) ?? state[cell];
            }
            return image;
        },
    };
}
