/**
 * Ctrl+C while a command has something to show. Before it takes the signal the system ends the process, or `CommandIo.finish`
 * the work: a listener of Node would hear of it only when no work is done, and not at all where work begins right after it.
 */
import type { CommandIo } from './io.js';

export class Interruption {
    readonly #io: CommandIo;
    #release: (() => void) | undefined;
    #isRequested = false;

    constructor(io: CommandIo) {
        this.#io = io;
    }

    /** From here on Ctrl+C ends nothing by itself; what is returned says whether it was pressed. */
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
