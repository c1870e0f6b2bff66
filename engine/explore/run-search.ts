/**
 * The search for a run with real numbers that shows what was found in a stored state, which stands for many.
 *
 * Real runs first follow the stored states that led there; a step may stay at one of them, since a search stores no state
 * twice. If none comes to the end, they follow all stored states from which one that shows the same can be reached. States
 * are tried in the order of the steps taken and those still needed [HartEtAl1968], up to a number of firings.
 */
import { appendTo, remembered } from '../common/list-map.js';
import { SlicedWork } from '../common/sliced-work.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { InitialStates } from './initial/initial-states.js';
import { numberSuccessors, type NumberSteps } from './number-successors.js';
import type { SearchParts } from './search-parts.js';
import { NO_PARENT } from './seen-set.js';
import type { Successors } from './successors.js';
import type { StoredStates } from './trace.js';

/** With more firings each of the two searches ends. */
const MOST_FIRINGS = 100_000;

/** So many steps more than the stored states take are tried: along those that led there, and along all. */
const MOST_STAYS = { along: 48, anywhere: 256 };

/** Of more stored states the steps are not made again. */
const MOST_STATES = 20_000;

export interface StoredClasses extends StoredStates {
    readonly stateCount: number;
}

export interface RealState {
    readonly state: Int32Array;
    /** The one before, and the summand that led here. */
    readonly before?: RealState;
    readonly summand: number;
    /** How many steps led here. */
    readonly steps: number;
    /** How many the stored states take from here. */
    readonly left: number;
}

export type FoundRunEnd =
    | { readonly isReal: true; readonly end: RealState }
    /** The real state from which the fewest steps are left, and the next one of the stored states. */
    | { readonly isReal: false; readonly end: RealState; readonly stopsAt: number | undefined };

interface Searched {
    /** Over real numbers, and so are the successors. */
    readonly model: SequentialModel;
    readonly successors: Successors;
    readonly parts: SearchParts & { readonly numbers: NumberSteps };
    readonly stored: StoredClasses;
}

/** By stored state, as a text, how many steps it takes from there to one that shows what was found. */
type Distances = ReadonlyMap<string, number>;

export class RealRunSearch {
    readonly #searched: Searched;
    readonly #stateIndex: number;
    readonly #shows: (state: Int32Array) => boolean;
    readonly #work: SlicedWork;
    readonly #image: Int32Array;
    #found: FoundRunEnd | undefined;

    constructor(searched: Searched, stateIndex: number, shows: (state: Int32Array) => boolean) {
        this.#searched = searched;
        this.#stateIndex = stateIndex;
        this.#shows = shows;
        this.#image = new Int32Array(searched.model.cells.length);
        this.#work = new SlicedWork(this.#search());
    }

    /** Undefined if the limit has ended the work before. */
    advance(limit: WorkLimit): FoundRunEnd | undefined {
        this.#work.advance(limit);
        return this.#found;
    }

    *#search(): Generator<undefined> {
        yield* this.#follow(this.#along(), MOST_STAYS.along);
        if (this.#found?.isReal === false && this.#searched.stored.stateCount <= MOST_STATES) {
            const along = this.#found;
            this.#found = undefined;
            yield* this.#follow(yield* this.#anywhere(), MOST_STAYS.anywhere);
            this.#found ??= along;
        }
    }

    /** The distances along the stored states that led to the one found. */
    #along(): Distances {
        const { model, stored } = this.#searched;
        const distances = new Map<string, number>();
        const state = new Int32Array(model.cells.length);
        for (let index = this.#stateIndex; index !== NO_PARENT; index = stored.parentOf(index)) {
            stored.stateInto(state, index);
            distances.set(state.join(), distances.size);
        }
        return distances;
    }

    /** Those from all stored states, whose steps are made again. */
    *#anywhere(): Generator<undefined, Distances> {
        const { model, parts, stored } = this.#searched;
        const successors = numberSuccessors(model, { order: parts.numbers.order, inexact: new Map() });
        const before = new Map<string, string[]>();
        const distances = new Map<string, number>();
        for (let index = 0; index < stored.stateCount; index++) {
            const state = new Int32Array(model.cells.length);
            stored.stateInto(state, index);
            const source = state.join();
            if (this.#shows(state)) {
                distances.set(source, 0);
            }
            successors.forEachFiring(state, {
                fired: (_, successor) => {
                    appendTo(before, this.#classOf(successor) ?? '', source);
                    return true;
                },
                faulted: () => true,
            });
            yield;
        }
        // A map is read in the order in which it was filled, entries added meanwhile included.
        for (const [target, distance] of distances) {
            before.get(target)?.forEach(source => remembered(distances, source, () => distance + 1));
        }
        return distances;
    }

    *#follow(distances: Distances, mostStays: number): Generator<undefined> {
        const { model, successors } = this.#searched;
        const waiting: RealState[][] = [];
        const seen = new Set<string>();
        let most = Infinity;
        const add = (state: Int32Array, summand: number, before?: RealState): void => {
            const left = distances.get(this.#classOf(state) ?? '');
            const steps = before === undefined ? 0 : before.steps + 1;
            const key = state.join();
            if (left !== undefined && steps + left <= most && !seen.has(key)) {
                seen.add(key);
                const ofSum = (waiting[steps + left] ??= []);
                ofSum.push({ state: state.slice(), summand, steps, left, ...(before !== undefined && { before }) });
            }
        };
        const initial = new InitialStates(model);
        const first = new Int32Array(model.cells.length);
        do {
            while (initial.nextInto(first, this.#work.limit)) {
                add(first, -1);
            }
            yield;
        } while (initial.isPaused);
        let farthest: RealState | undefined;
        let firings = 0;
        for (let sum = waiting.findIndex(each => each !== undefined); sum >= 0 && sum < waiting.length;) {
            const next = waiting[sum]?.pop();
            if (next === undefined) {
                sum++;
                continue;
            }
            if (next.left === 0 && this.#shows(next.state)) {
                this.#found = { isReal: true, end: next };
                return;
            }
            most = Math.min(most, sum + mostStays);
            farthest = farthest === undefined || next.left < farthest.left ? next : farthest;
            successors.forEachFiring(next.state, {
                fired: (summand, successor) => {
                    firings++;
                    add(successor, summand, next);
                    return true;
                },
                faulted: () => true,
            });
            if (firings > MOST_FIRINGS) {
                break;
            }
            yield;
        }
        if (farthest !== undefined) {
            this.#found = { isReal: false, end: farthest, stopsAt: this.#stepFrom(farthest, distances) };
        }
    }

    /** The summand by which a stored state leads on to the end; undefined if it is there. */
    #stepFrom({ state, left }: RealState, distances: Distances): number | undefined {
        const { model, parts } = this.#searched;
        this.#classOf(state);
        let found: number | undefined;
        numberSuccessors(model, parts.numbers).forEachFiring(this.#image.slice(), {
            fired: (summand, successor) => {
                found = distances.get(this.#classOf(successor) ?? '') === left - 1 ? summand : undefined;
                return found === undefined;
            },
            faulted: () => true,
        });
        return found;
    }

    /** The state, as a text, by which the search stores a real one; undefined if it has no codes for it. */
    #classOf(state: Readonly<Int32Array>): string | undefined {
        const { numbers, canonicalizer } = this.#searched.parts;
        const form = state.slice();
        if (!numbers.order.normalize(form)) {
            return undefined;
        }
        if (canonicalizer === undefined || !canonicalizer.canonicalizeInto(this.#image, form)) {
            this.#image.set(form);
        }
        return this.#image.join();
    }
}
