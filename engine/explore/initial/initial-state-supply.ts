/** Gives a search its initial states. Of many, a compiled search can take all ways to make the last choices at once. */
import type { Problem } from '../../common/problem.js';
import type { WorkLimit } from '../../common/work-limit.js';
import type { InitialRest } from './initial-rest.js';
import type { InitialStates } from './initial-states.js';
import type { StateSearch } from '../state-search.js';

/** Generated code for the last choices pays off from so many initial states on. */
const MANY_INITIAL_STATES = 1 << 9;
/** From so few on, the last choices are offered if there are at least MANY_WAYS to make them. */
const FEW_INITIAL_STATES = 1 << 5;
const MANY_WAYS = 1 << 16;

export class InitialStateSupply {
    readonly #initialStates: InitialStates;
    readonly #search: StateSearch;
    /** Scratch space. */
    readonly #state: Int32Array;
    /** The number of states given one by one. */
    #count = 0;
    /** The `#count` of the next offer of the last choices. */
    #nextOffer = FEW_INITIAL_STATES;
    /** The last choices that the search has taken. */
    #rest: InitialRest | undefined;

    constructor(initialStates: InitialStates, search: StateSearch, cellCount: number) {
        this.#initialStates = initialStates;
        this.#search = search;
        this.#state = new Int32Array(cellCount);
    }

    /** A problem with the initial states, which ends them. */
    get problem(): Problem | undefined {
        return this.#initialStates.problem;
    }

    /** Gives some initial states; false if none are left. */
    advance(limit: WorkLimit): boolean {
        if (this.#rest !== undefined) {
            this.#advanceRest(this.#rest, limit);
            return true;
        }
        if (this.#initialStates.nextInto(this.#state, limit)) {
            this.#search.addInitialState(this.#state, limit);
            this.#offerRest();
            return true;
        }
        return this.#initialStates.isPaused;
    }

    #advanceRest(rest: InitialRest, limit: WorkLimit): void {
        if (this.#search.advanceInitialStates?.(limit) === true) {
            return;
        }
        if (this.#initialStates.advanceFloor(rest, limit)) {
            this.#search.takeInitialStates?.(rest);
        } else if (!this.#initialStates.isPaused) {
            this.#rest = undefined;
        }
    }

    #offerRest(): void {
        if (++this.#count >= this.#nextOffer) {
            const rest = this.#initialStates.rest(this.#count < MANY_INITIAL_STATES ? MANY_WAYS : 0);
            this.#rest = rest !== undefined && this.#search.takeInitialStates?.(rest) === true ? rest : undefined;
            this.#nextOffer = this.#rest === undefined ? 2 * this.#count : 0;
        }
    }
}
