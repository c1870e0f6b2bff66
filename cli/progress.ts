/** One line on stderr that is overwritten while a person waits, and removed when the result is printed. */
import type { CommandIo } from './io.js';
import { ERASE_LINE } from './terminal-text.js';

export interface ProgressLine {
    /** Shows what `text` returns, unless the line was renewed a moment ago. */
    show(text: () => string): void;
    clear(): void;
}

const MILLISECONDS_BETWEEN = 150;
/** A run shorter than this needs no progress. */
const MILLISECONDS_BEFORE_THE_FIRST = 400;

/** Nothing is written unless stderr is a terminal and `isWanted`. */
export function createProgressLine(io: CommandIo, isWanted: boolean): ProgressLine {
    const { stderr } = io;
    let next = io.now() + MILLISECONDS_BEFORE_THE_FIRST;
    let isShown = false;
    return {
        show(text): void {
            if (!isWanted || !stderr.isTerminal || io.now() < next) {
                return;
            }
            next = io.now() + MILLISECONDS_BETWEEN;
            isShown = true;
            stderr.write(`${ERASE_LINE}${text().slice(0, (stderr.columns ?? 80) - 1)}`);
        },
        clear(): void {
            if (isShown) {
                stderr.write(ERASE_LINE);
                isShown = false;
            }
        },
    };
}
