/**
 * Whether permutations of literals are symmetries, checked by running the model, without the code of the encoding or
 * the search. On all states of a small model, else on states of random walks, the outcomes of the image must be the
 * images of the outcomes; images of initial states must be initial, unless the start may move. Of many generators 32
 * random products are tried: if one is no symmetry, half of all products are none, so it is missed with a probability of
 * 2^-32.
 */
import { positionInAscending } from '../common/ascending.js';
import { invariant } from '../common/assert.js';
import type { Random } from '../common/random.js';
import type { WorkLimit } from '../common/work-limit.js';
import { permutation } from '../group/permutation.js';
import { type SparsePermutation, toSparse } from '../group/sparse-permutation.js';
import type { LiteralPoints } from './model-symmetry.js';

interface OutcomeVisitor {
    /** The successor, valid during the call only, differs from the state in cells of `written` only. */
    stepped(successor: Readonly<Int32Array>, written: readonly number[]): void;
    /** A firing without a successor, with the kind of its fault. */
    faulted(kind: string): void;
}

export interface RunnableModel {
    /** Visits the outcomes of a state in the order of the summands. */
    forEachOutcome(state: Int32Array, visitor: OutcomeVisitor): void;
    /** Up to `count` initial states, and whether these are all. */
    initialStates(count: number): { readonly states: readonly Int32Array[]; readonly complete: boolean };
}

/** More generators than this are checked by as many random products of them. */
export const MOST_CHECKED = 32;

export interface CertificateOptions {
    readonly workLimit: WorkLimit;
    /** The number of states that each permutation is tried on. */
    readonly states: number;
    /** Whether images of initial states need not be initial. */
    readonly movesStart?: boolean;
    readonly random: Random;
}

export type CertificateResult =
    /** Every permutation that was tried agrees with the model on every state that was tried. */
    | { readonly kind: 'agrees' }
    /** This permutation is in the group and no symmetry; the state shows it. */
    | { readonly kind: 'refuted'; readonly permutation: SparsePermutation; readonly state: Int32Array }
    /** The limit was reached before every permutation was tried on some state. */
    | { readonly kind: 'stopped' };

/** Tries the generators, or products of them, on states of the model. */
export function checkGenerators(
    model: RunnableModel,
    points: LiteralPoints,
    generators: readonly SparsePermutation[],
    options: CertificateOptions,
): CertificateResult {
    const { states: initial, complete } = model.initialStates(options.states);
    const states = sampleStates(model, initial, options);
    if (states.length === 0 && !complete && generators.length > 0) {
        return { kind: 'stopped' };
    }
    const initialKeys = new Set(initial.map(state => hashOf(state).key));
    const tried = states.map(state => observe(model, state));
    for (const permutation of selectPermutations(generators, points.firstPoint[points.cellCount], options.random)) {
        const action = new StateAction(points, permutation);
        for (const state of options.movesStart === true ? [] : initial) {
            if (complete && !initialKeys.has(hashOf(action.imageOf(state)).key)) {
                return { kind: 'refuted', permutation, state };
            }
        }
        for (const here of tried) {
            if (options.workLimit.isExhausted()) {
                return { kind: 'stopped' };
            }
            const there = observe(model, action.imageOf(here.state));
            const found = [...there.steps.map(step => there.hash.after(step).key), ...there.faults];
            if (!sameSet(expectedOutcomes(here, there.hash, action), found)) {
                return { kind: 'refuted', permutation, state: here.state };
            }
        }
    }
    return { kind: 'agrees' };
}

/** A state and its outcomes. Most steps change few cells, so only the changes are kept. */
interface Observation {
    readonly state: Int32Array;
    readonly hash: StateHash;
    readonly steps: readonly (readonly Change[])[];
    readonly faults: readonly string[];
}

interface Change {
    readonly cell: number;
    readonly before: number;
    readonly after: number;
}

function observe(model: RunnableModel, state: Int32Array): Observation {
    const steps: (readonly Change[])[] = [];
    const faults: string[] = [];
    model.forEachOutcome(state, {
        stepped: (successor, written) => steps.push(changesTo(state, successor, written)),
        faulted: kind => faults.push(kind),
    });
    return { state, hash: hashOf(state), steps, faults };
}

function changesTo(state: Int32Array, successor: Readonly<Int32Array>, written: readonly number[]): Change[] {
    const changes: Change[] = [];
    for (const cell of written) {
        if (state[cell] !== successor[cell]) {
            changes.push({ cell, before: state[cell], after: successor[cell] });
        }
    }
    return changes;
}

/** The images of the outcomes; `imageHash` is the hash of the image of the state. */
function expectedOutcomes(
    { steps, faults }: Observation,
    imageHash: StateHash,
    action: StateAction,
): readonly (number | string)[] {
    const images = steps.map(step =>
        step.map(({ cell, before, after }) => {
            const from = action.imageOfCode(cell, before);
            const to = action.imageOfCode(cell, after);
            invariant(from.cell === to.cell, 'a symmetry maps the literals of a cell onto those of one cell');
            return { cell: from.cell, before: from.code, after: to.code };
        }),
    );
    return [...images.map(step => imageHash.after(step).key), ...faults];
}

function selectPermutations(
    generators: readonly SparsePermutation[],
    pointCount: number,
    random: Random,
): readonly SparsePermutation[] {
    if (generators.length <= MOST_CHECKED) {
        return generators;
    }
    return Array.from({ length: MOST_CHECKED }, () =>
        productOf(
            generators.filter(() => random.below(2) === 1),
            pointCount,
        ),
    );
}

/** Near-linear in the points that all factors move, however many they are. */
function productOf(factors: readonly SparsePermutation[], pointCount: number): SparsePermutation {
    const images = Int32Array.from({ length: pointCount }, (_, point) => point);
    const preimages = images.slice();
    for (const factor of factors) {
        const sources = factor.points.map(point => preimages[point]);
        sources.forEach((source, index) => {
            images[source] = factor.images[index];
            preimages[factor.images[index]] = source;
        });
    }
    return toSparse(permutation(images));
}

/** Different states along walks from initial states; all states of a small model. */
function sampleStates(
    model: RunnableModel,
    initial: readonly Int32Array[],
    { states: count, random, workLimit }: CertificateOptions,
): Int32Array[] {
    const found = new Map<number, Int32Array>();
    const waiting = [...initial];
    for (const state of initial) {
        found.set(hashOf(state).key, state);
    }
    while (waiting.length > 0 && found.size < count && !workLimit.isExhausted()) {
        const [state] = waiting.splice(random.below(waiting.length), 1);
        const hash = hashOf(state);
        model.forEachOutcome(state, {
            stepped: (successor, written) => {
                const { key } = hash.after(changesTo(state, successor, written));
                if (!found.has(key)) {
                    const kept = successor.slice();
                    found.set(key, kept);
                    waiting.push(kept);
                }
            },
            faulted: () => undefined,
        });
    }
    return [...found.values()].slice(0, count);
}

/** The action of a permutation of literals on states. */
export function stateAction(points: LiteralPoints, generator: SparsePermutation): (state: Int32Array) => Int32Array {
    const action = new StateAction(points, generator);
    return state => action.imageOf(state);
}

class StateAction {
    private readonly points: LiteralPoints;
    private readonly cellOf: Int32Array;
    private readonly imageOfPoint: Int32Array;
    private readonly targetOfCell: Int32Array;

    constructor(points: LiteralPoints, generator: SparsePermutation) {
        this.points = points;
        this.cellOf = points.cellOfPoint;
        this.imageOfPoint = Int32Array.from(this.cellOf, (_, point) => point);
        this.targetOfCell = Int32Array.from({ length: points.cellCount }, (_, cell) => cell);
        generator.points.forEach((point, index) => {
            this.imageOfPoint[point] = generator.images[index];
            this.targetOfCell[this.cellOf[point]] = this.cellOf[generator.images[index]];
        });
    }

    /** The image of a literal; "no value" and values that are not listed move with their cell. */
    imageOfCode(cell: number, code: number): { readonly cell: number; readonly code: number } {
        const { codes, firstPoint } = this.points;
        if (code < 0 || codes[cell].length === 0) {
            return { cell: this.targetOfCell[cell], code };
        }
        const position = positionInAscending(codes[cell], code);
        invariant(position >= 0, 'reachable states hold values that can occur');
        const image = this.imageOfPoint[firstPoint[cell] + position];
        const target = this.cellOf[image];
        return { cell: target, code: codes[target][image - firstPoint[target]] };
    }

    imageOf(state: Int32Array): Int32Array {
        const image = new Int32Array(state.length);
        for (let cell = 0; cell < state.length; cell++) {
            const { cell: target, code } = this.imageOfCode(cell, state[cell]);
            image[target] = code;
        }
        return image;
    }
}

/** 53 bits, equal for two different states with a probability of 2^-53. A sum over the cells, so that changes are cheap. */
class StateHash {
    private readonly high: number;
    private readonly low: number;

    constructor(high: number, low: number) {
        this.high = high;
        this.low = low;
    }

    get key(): number {
        return (this.high & 0x1fffff) * 2 ** 32 + (this.low >>> 0);
    }

    after(changes: readonly Change[]): StateHash {
        let { high, low } = this;
        for (const { cell, before, after } of changes) {
            high = (high + mixed(cell, after, HIGH) - mixed(cell, before, HIGH)) | 0;
            low = (low + mixed(cell, after, LOW) - mixed(cell, before, LOW)) | 0;
        }
        return new StateHash(high, low);
    }
}

const HIGH = 0x9e3779b9;
const LOW = 0x7feb352d;

function hashOf(state: Int32Array): StateHash {
    let high = 0;
    let low = 0;
    for (let cell = 0; cell < state.length; cell++) {
        high = (high + mixed(cell, state[cell], HIGH)) | 0;
        low = (low + mixed(cell, state[cell], LOW)) | 0;
    }
    return new StateHash(high, low);
}

/** 32 bits that depend on all bits of a literal. */
function mixed(cell: number, code: number, seed: number): number {
    let bits = Math.imul(cell + 1, 0x85ebca6b) ^ seed;
    bits = Math.imul(bits ^ (bits >>> 16), 0xc2b2ae35) + Math.imul(code + 2, 0x27d4eb2f);
    bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
    bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
    return bits ^ (bits >>> 15);
}

function sameSet<T>(left: readonly T[], right: readonly T[]): boolean {
    const first = new Set(left);
    const second = new Set(right);
    return first.size === second.size && [...first].every(key => second.has(key));
}
