/** Work that may pause: a generator which yields wherever it could stop for a while. */
import { UNLIMITED, type WorkLimit } from './work-limit.js';

export class SlicedWork {
    readonly #work: Generator<undefined>;
    #limit: WorkLimit = UNLIMITED;
    #isFinished = false;

    /** The work begins at the first `advance`. */
    constructor(work: Generator<undefined>) {
        this.#work = work;
    }

    /** The limit of the present slice, for the work itself to ask. */
    get limit(): WorkLimit {
        return this.#limit;
    }

    get isFinished(): boolean {
        return this.#isFinished;
    }

    /** Works until the limit is exhausted; true once the work is finished. */
    advance(limit: WorkLimit): boolean {
        this.#limit = limit;
        while (!this.#isFinished) {
            this.#isFinished = this.#work.next().done === true;
            if (limit.isExhausted()) {
                break;
            }
        }
        return this.#isFinished;
    }

    /** Ends the work where it is. */
    end(): void {
        this.#isFinished = true;
    }
}
