/**
 * What a command may touch of the world around it. `main.ts` provides the process's own streams and files; tests
 * provide strings. No other file of the command line knows about `process`.
 */
import type { WorkerHost } from '../engine/explore/worker-host.js';

/** A time limit has ended work of which nothing is of use by half. */
export class TimeIsOver extends Error {
    override readonly name = 'TimeIsOver';

    constructor() {
        super('the time is over');
    }
}

/** A stream for text. */
export interface TextSink {
    write(text: string): void;
    /** A person is looking: colors and progress make sense. */
    readonly isTerminal: boolean;
    /** Its width, where it has one. */
    readonly columns?: number | undefined;
}

/** A file that is read from front to back. */
export interface OpenFile {
    readonly byteLength: number;
    /** Fills `target` with what comes next. Throws where the file ends before. */
    readInto(target: Uint8Array): void;
    close(): void;
}

/** What a command may do to the world outside. */
export interface CommandIo {
    readonly stdout: TextSink;
    readonly stderr: TextSink;
    readonly environment: Readonly<Record<string, string | undefined>>;
    /** Throws as node's `readFile` does. */
    readFile(path: string): Promise<Uint8Array>;
    readStandardInput(): Promise<Uint8Array>;
    /** Replaces the file. Throws as node's `writeFile` does. */
    writeFile(path: string, text: string): Promise<void>;
    /**
     * Replaces the file once all parts are written; until then, and where that fails, the old one stays. Throws as node's
     * `writeFile` does.
     */
    writeParts(path: string, parts: Iterable<Uint8Array>): Promise<void>;
    /** Whether `writeFile` can write there, as far as that can be told before: throws as it does. Changes nothing. */
    checkWritable(path: string): Promise<void>;
    /** The same of `writeParts`. */
    checkReplaceable(path: string): Promise<void>;
    /** A file to read from front to back. Throws as node's `open` does. */
    openFile(path: string): OpenFile;
    /** The absolute path, for the URI of a document. */
    absolutePath(path: string): string;
    /** Milliseconds on a monotonic clock. */
    readonly now: () => number;
    /** What this process may use of the machine's memory. */
    readonly memoryBytes: number;
    /** How many threads the machine runs at once. */
    readonly processorCount: number;
    /** So many threads for a search, this one included; none for one. */
    searchThreads(threadCount: number): WorkerHost | undefined;
    /**
     * Does work that cannot pause. Throws OperationCancelled where the user presses Ctrl+C meanwhile, and TimeIsOver where it
     * takes more than so many milliseconds; nothing that the work has touched is to be used then.
     */
    finish<Result>(work: () => Result, milliseconds: number): Result;
    /** Lets signals and streams have their turn. */
    nextTurn(): Promise<void>;
    /** Runs the language server on the process's own streams until its client ends it. */
    startLanguageServer(): void;
    /**
     * Calls `listener` when the user presses Ctrl+C or the system asks the process to end, instead of ending it at once; a
     * second time ends it. The function that is returned gives the signals back.
     */
    onInterrupt(listener: () => void): () => void;
}
