/**
 * Ctrl+C, and a request to end, before the program is loaded and wherever it does not listen: the process ends with the
 * exit code for it. Imported first, because loading takes a tenth of a second.
 */
import { EXIT } from '../exit-code.js';

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
        // A command that has something to show for it listens, too.
        if (process.listenerCount(signal) === 1) {
            process.exit(EXIT.interrupted);
        }
    });
}
