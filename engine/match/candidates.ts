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

/** No state with the same bindings twice. */
export class CandidateSet {
    readonly #list: Candidate[] = [];
    readonly #chains: HashChains;

    /** The chains are those of an earlier set that gets no more candidates: sets are made twice for each line. */
    constructor(chains = new HashChains()) {
        chains.clear();
        this.#chains = chains;
    }

    get list(): readonly Candidate[] {
        return this.#list;
    }

    /** The index of the candidate, which is new if it is the last one: then `kept` is what is added. */
    add(candidate: Candidate, kept: () => Candidate = () => candidate): number {
        const hash = hashOf(candidate);
        for (let index = this.#chains.first(hash); index >= 0; index = this.#chains.next(index)) {
            if (areSame(this.#list[index], candidate)) {
                return index;
            }
        }
        this.#chains.add(this.#list.length, hash);
        return this.#list.push(kept()) - 1;
    }

    /** Gives a candidate other explanations. */
    replace(index: number, passed: number): void {
        this.#list[index] = { ...this.#list[index], passed };
    }
}

function hashOf({ state, bindings }: Pick<Candidate, 'state' | 'bindings'>): number {
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

function areSame(first: Pick<Candidate, 'state' | 'bindings'>, second: Pick<Candidate, 'state' | 'bindings'>): boolean {
    const length = Math.max(first.bindings.length, second.bindings.length);
    for (let place = 0; place < length; place++) {
        if ((first.bindings[place] ?? UNBOUND) !== (second.bindings[place] ?? UNBOUND)) {
            return false;
        }
    }
    for (let cell = 0; cell < first.state.length && first.state !== second.state; cell++) {
        if (first.state[cell] !== second.state[cell]) {
            return false;
        }
    }
    return true;
}
