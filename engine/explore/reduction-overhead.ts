/**
 * What representatives cost in an exploration that runs: the part of its time that finding them takes, measured on samples
 * with the clock of the host. Whether reduction pays is decided before, without a clock (reduction-choice.ts).
 *
 * A processor that does something else in between makes a sample as long as it likes, so what counts is the median.
 */

export interface ReductionOverhead {
    /** From 0 to 1: the time for representatives, as a part of that for expanding, reducing and storing together. */
    readonly share: number;
    /** Successors that this was measured on. */
    readonly successors: number;
}

/** Fewer successors take no longer than it takes the code to become warm. */
const LEAST_SUCCESSORS = 10_000;
/** A slice of work with fewer takes no longer than asking the clock. */
const LEAST_IN_SLICE = 100;
/** One slice of work of so many is measured. */
const STRIDE = 8;
/** Of so many slices the last ones count. */
const MOST_SLICES = 4096;

export class OverheadMeter {
    readonly #now: () => number;
    readonly #shares: number[] = [];
    #slices = 0;
    #isMeasuring = false;
    #successors = 0;
    /** In the slice that is measured. */
    #own = 0;
    #representatives = 0;
    #rest = 0;

    /** `now` gives milliseconds on any monotonic clock. */
    constructor(now: () => number) {
        this.#now = now;
    }

    /** Whether the slice of work that begins now is one of those to be measured. */
    beginSlice(): boolean {
        this.#endSlice();
        this.#isMeasuring = this.#slices++ % STRIDE === 0;
        return this.#isMeasuring;
    }

    /** Does a part of the slice; what comes before the first one is not measured. */
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

    /** Counts successors of the slice. */
    count(successors: number): void {
        this.#own += successors;
    }

    /** `undefined` where too little was measured. Ends the slice. */
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
