/**
 * The part of the time of an exploration that representatives take, measured on samples. The choice of reduction does
 * not use it (reduction-choice.ts).
 *
 * The median counts, since a processor that is interrupted makes a sample arbitrarily long.
 */

export interface ReductionOverhead {
    /** From 0 to 1: the time for representatives in that for expanding, reducing and storing together. */
    readonly share: number;
    /** The number of successors in the samples. */
    readonly successors: number;
}

/** With fewer successors the code is not yet optimized. */
const LEAST_SUCCESSORS = 10_000;
/** A shorter slice takes no longer than reading the clock. */
const LEAST_IN_SLICE = 100;
/** One of so many slices is measured. */
const STRIDE = 8;
/** The last measured slices, so many at most, count. */
const MOST_SLICES = 4096;

export class OverheadMeter {
    readonly #now: () => number;
    readonly #shares: number[] = [];
    #slices = 0;
    #isMeasuring = false;
    #successors = 0;
    /** Of the measured slice. */
    #own = 0;
    #representatives = 0;
    #rest = 0;

    /** `now` gives milliseconds on any monotonic clock. */
    constructor(now: () => number) {
        this.#now = now;
    }

    /** Begins a slice of work; true if it is measured. */
    beginSlice(): boolean {
        this.#endSlice();
        this.#isMeasuring = this.#slices++ % STRIDE === 0;
        return this.#isMeasuring;
    }

    /** Runs a part of the slice; the time before the first part does not count. */
    time<Result>(part: 'representatives' | 'rest', work: () => Result): Result {
        if (!this.#isMeasuring) {
            return work();
        }
        const start = this.#now();
        const result = work();
        const milliseconds = this.#now() - start;
        if (part === 'representatives') {
            this.#representatives += milliseconds;
        } else {
            this.#rest += milliseconds;
        }
        return result;
    }

    count(successors: number): void {
        this.#own += successors;
    }

    /** Ends the slice. Undefined if too little was measured. */
    get overhead(): ReductionOverhead | undefined {
        this.#endSlice();
        const { length } = this.#shares;
        return this.#successors < LEAST_SUCCESSORS
            ? undefined
            : { share: [...this.#shares].sort((a, b) => a - b)[length >>> 1], successors: this.#successors };
    }

    #endSlice(): void {
        const total = this.#representatives + this.#rest;
        if (this.#isMeasuring && this.#own >= LEAST_IN_SLICE && total > 0) {
            const place =
                this.#shares.length < MOST_SLICES
                    ? this.#shares.length
                    : Math.floor(this.#slices / STRIDE) % MOST_SLICES;
            this.#shares[place] = this.#representatives / total;
            this.#successors += this.#own;
        }
        this.#isMeasuring = false;
        this.#own = 0;
        this.#representatives = 0;
        this.#rest = 0;
    }
}
