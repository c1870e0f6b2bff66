/**
 * Ctrl+C while a command has a result to show. Before `take`, Ctrl+C ends the process (launch/end-by-signal.ts) or the
 * work of `CommandIo.finish`: a listener of Node would only be called between pieces of work.
 */
import type { CommandIo } from './io.js';

export class Interruption {
    readonly #io: CommandIo;
    #release: (() => void) | undefined;
    #isRequested = false;

    constructor(io: CommandIo) {
        this.#io = io;
    }

    /** From now on Ctrl+C does not end the process; the result tells whether it was pressed. */
    take(): () => boolean {
        this.#release ??= this.#io.onInterrupt(() => (this.#isRequested = true));
        return () => this.#isRequested;
    }

    /** Gives the signal back. */
    release(): void {
        this.#release?.();
        this.#release = undefined;
    }
}
