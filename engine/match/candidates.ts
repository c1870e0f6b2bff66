/** The candidates after a line: states of the model, each with what the names of the log stand for in it. */
import { HashChains } from '../common/hash-chains.js';
import { UNBOUND, type Bindings, type LogName } from './log-names.js';

export interface Candidate {
    readonly state: Readonly<Int32Array>;
    readonly bindings: Bindings;
    /** What its explanations have passed, a number of PassedSets. */
    readonly passed: number;
    /** The candidate before the line that it comes from first, by its index. */
    readonly origin: number;
}

/** States that are copied into one array: each array of its own costs more than what is done with it. */
const STATES_TOGETHER = 16;

/** No state with the same bindings twice. */
export class CandidateSet {
    #list: Candidate[] = [];
    readonly #chains = new HashChains();
    #copies = new Int32Array(0);
    #copied = 0;

    /** In the order in which they were added. */
    get list(): readonly Candidate[] {
        return this.#list;
    }

    /** Begins again, with a list that is another one. */
    clear(): void {
        this.#list = [];
        this.#chains.clear();
    }

    /** The index of the candidate, which is new if it is the last one: then a copy of the state is kept. */
    add(state: Readonly<Int32Array>, bindings: Bindings, passed: number, origin: number): number {
        const hash = hashOf(state, bindings);
        for (let index = this.#chains.first(hash); index >= 0; index = this.#chains.next(index)) {
            const known = this.#list[index];
            if (haveSameCodes(known.state, state) && areSame(known.bindings, bindings)) {
                return index;
            }
        }
        this.#chains.add(this.#list.length, hash);
        return this.#list.push({ state: this.#copyOf(state), bindings, passed, origin }) - 1;
    }

    /** Gives a candidate other explanations. */
    replace(index: number, passed: number): void {
        this.#list[index] = { ...this.#list[index], passed };
    }

    #copyOf(state: Readonly<Int32Array>): Readonly<Int32Array> {
        const { length } = state;
        if (this.#copied + length > this.#copies.length) {
            this.#copies = new Int32Array(STATES_TOGETHER * length);
            this.#copied = 0;
        }
        const copy = this.#copies.subarray(this.#copied, this.#copied + length);
        copy.set(state);
        this.#copied += length;
        return copy;
    }
}

function hashOf(state: Readonly<Int32Array>, bindings: Bindings): number {
    let hash = hashOfState(state, 0);
    for (let place = 0; place < bindings.length; place++) {
        if (bindings[place] !== UNBOUND) {
            hash = mixed(hash, bindings[place] + 3 + (place << 8));
        }
    }
    return hash;
}

/** A number that depends on the state and on what is bound, whatever the places of the names are. */
export function trailHash(
    { state, bindings }: Pick<Candidate, 'state' | 'bindings'>,
    bound: readonly LogName[],
    seed: number,
): number {
    let sum = hashOfState(state, seed);
    bindings.forEach((code, place) => {
        if (code >= 0) {
            sum = (sum + mixed(mixed(seed, code), bound[place].hash)) | 0;
        }
    });
    return sum;
}

function hashOfState(state: Readonly<Int32Array>, seed: number): number {
    let hash = seed | 0;
    for (let cell = 0; cell < state.length; cell++) {
        hash = mixed(hash, state[cell] + 2);
    }
    return hash;
}

function mixed(hash: number, value: number): number {
    const product = Math.imul(hash ^ value, 0x9e3779b1);
    return product ^ (product >>> 15);
}

/** For states alone: with arrays of other kinds in the same loop it takes twice as long. */
function haveSameCodes(first: Readonly<Int32Array>, second: Readonly<Int32Array>): boolean {
    for (let cell = 0; cell < first.length; cell++) {
        if (first[cell] !== second[cell]) {
            return false;
        }
    }
    return true;
}

function areSame(first: Bindings, second: Bindings): boolean {
    if (first === second) {
        return true;
    }
    for (let place = 0; place < first.length || place < second.length; place++) {
        if ((first[place] ?? UNBOUND) !== (second[place] ?? UNBOUND)) {
            return false;
        }
    }
    return true;
}
