/**
 * The adapter of a system under test: a command of the shell that reads one line and writes one, again and again. It has
 * a process group of its own, which is ended as a whole: also what it has started.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { AdapterProcess } from './io.js';

/** Characters of one answer. */
const LONGEST_ANSWER = 16_000_000;
/** The last characters of what it writes for people. */
const KEPT_OF_ERRORS = 2_000;
/** Of what it has written without being asked. */
const LONGEST_SHOWN = 200;
/** After a message that it is to end. */
const GRACE_MILLISECONDS = 1_000;

export function startAdapter(command: string): AdapterProcess {
    const child = spawn(command, { shell: true, detached: true, stdio: 'pipe' });
    return new StartedAdapter(child);
}

type Ending = { readonly kind: 'line'; readonly line: string } | { readonly kind: 'end'; readonly reason: string };

class StartedAdapter implements AdapterProcess {
    readonly #child: ChildProcess;
    #text = '';
    #errors = '';
    #ended: string | undefined;
    /** Of all that wait: the end is awaited beside an answer if the call is interrupted. */
    readonly #waiting = new Set<() => void>();
    readonly #onExit = (): void => {
        this.#kill();
    };

    constructor(child: ChildProcess) {
        this.#child = child;
        child.stdout?.setEncoding('utf8').on('data', (part: string) => {
            this.#text += part;
            this.#wake();
        });
        child.stderr?.setEncoding('utf8').on('data', (part: string) => {
            this.#errors = (this.#errors + part).slice(-KEPT_OF_ERRORS);
        });
        // A command that has ended reads no more; how it ended says why.
        child.stdin?.on('error', () => undefined);
        child.on('error', ({ message }) => {
            this.#end(message);
        });
        child.on('exit', (code, signal) => {
            const reason = signal === null ? `it has ended with ${String(code)}` : `it was ended by ${signal}`;
            const end = (): void => {
                clearTimeout(timer);
                this.#end(reason);
            };
            // Its last words may still be on the way; what it has started may keep its output open for ever.
            const timer = setTimeout(end, GRACE_MILLISECONDS);
            child.once('close', end);
        });
        process.on('exit', this.#onExit);
    }

    get errors(): string {
        return this.#errors.trim();
    }

    async ask(line: string, milliseconds: number): Promise<string> {
        // Answers are told apart by their order only.
        const unasked = this.#text.trim();
        if (unasked !== '') {
            throw new Error(`it has written a line that answers nothing, \`${unasked.slice(0, LONGEST_SHOWN)}\``);
        }
        this.#child.stdin?.write(`${line}\n`);
        const answer = await this.#next(milliseconds);
        if (answer.kind === 'end') {
            throw new Error(answer.reason);
        }
        return answer.line;
    }

    async end(line: string): Promise<void> {
        if (this.#ended === undefined) {
            this.#child.stdin?.end(`${line}\n`);
            await this.#until(() => this.#ended !== undefined, GRACE_MILLISECONDS);
        }
        this.#kill();
        process.removeListener('exit', this.#onExit);
    }

    async #next(milliseconds: number): Promise<Ending> {
        const hasAnswer = (): boolean => this.#text.includes('\n') || this.#text.length > LONGEST_ANSWER;
        const isInTime = await this.#until(() => hasAnswer() || this.#ended !== undefined, milliseconds);
        if (hasAnswer()) {
            const end = this.#text.indexOf('\n');
            if (end < 0 || end > LONGEST_ANSWER) {
                return { kind: 'end', reason: 'its answer is too long' };
            }
            const line = this.#text.slice(0, end);
            this.#text = this.#text.slice(end + 1);
            return { kind: 'line', line };
        }
        const reason = isInTime ? (this.#ended ?? '') : `it has not answered within ${milliseconds / 1000} s`;
        return { kind: 'end', reason };
    }

    /** Whether the condition was true in time. */
    async #until(isTrue: () => boolean, milliseconds: number): Promise<boolean> {
        const deadline = performance.now() + milliseconds;
        while (!isTrue()) {
            const left = deadline - performance.now();
            if (left <= 0) {
                return false;
            }
            await new Promise<void>(resolve => {
                const wake = (): void => {
                    clearTimeout(timer);
                    this.#waiting.delete(wake);
                    resolve();
                };
                const timer = setTimeout(wake, Math.min(left, 2 ** 31 - 1));
                this.#waiting.add(wake);
            });
        }
        return true;
    }

    #wake(): void {
        [...this.#waiting].forEach(wake => {
            wake();
        });
    }

    #end(reason: string): void {
        this.#ended ??= reason;
        this.#wake();
    }

    /** The command, and all that it has started. */
    #kill(): void {
        const { pid } = this.#child;
        try {
            if (pid !== undefined) {
                process.kill(-pid, 'SIGKILL');
            }
        } catch {
            // There is none left, or the system has no process groups.
            this.#child.kill('SIGKILL');
        }
    }
}
