/** Ctrl+C during a command that takes long: it ends the command, or is left to whoever has something to show by then. */
import { OperationCancelled } from '../engine/common/work-limit.js';
import type { CommandIo } from './io.js';

export class Interruption {
    readonly #cancel: (error: OperationCancelled) => void;
    #isRequested = false;
    #isTaken = false;

    private constructor(cancel: (error: OperationCancelled) => void) {
        this.#cancel = cancel;
    }

    /**
     * The result of a command, which can take its interruption. Throws OperationCancelled where Ctrl+C comes before it does;
     * nothing the command does after that is of use.
     */
    static during<Result>(io: CommandIo, command: (interruption: Interruption) => Promise<Result>): Promise<Result> {
        return new Promise<Result>((resolve, reject) => {
            const interruption = new Interruption(reject);
            const release = io.onInterrupt(() => {
                interruption.#request();
            });
            command(interruption).then(resolve, reject).finally(release);
        });
    }

    /**
     * From here on Ctrl+C ends nothing by itself; what is returned says whether it was pressed, for who ends in time with what
     * there is.
     */
    take(): () => boolean {
        this.#isTaken = true;
        return () => this.#isRequested;
    }

    #request(): void {
        this.#isRequested = true;
        if (!this.#isTaken) {
            this.#cancel(new OperationCancelled());
        }
    }
}
