/**
 * The world outside of a command. `main.ts` provides the streams and files of the process, tests provide strings. No
 * other file of the command line uses `process`.
 */
import type { WorkerHost } from '../engine/explore/worker-host.js';
import type { FolderEntry } from '../logs/find-logs.js';

/** A time limit has ended work that has no partial result. */
export class TimeIsOver extends Error {
    override readonly name = 'TimeIsOver';

    constructor() {
        super('the time is over');
    }
}

/** A stream for text. */
export interface TextSink {
    /** For a reader: nothing in it controls a terminal but colors of this program. */
    write(text: string): void;
    /** As it is, for programs. */
    writeData(text: string): void;
    /** Whether a person reads it, so that colors and progress make sense. */
    readonly isTerminal: boolean;
    /** Its width, if it has one. */
    readonly columns?: number | undefined;
}

/** A file that is read from front to back. */
export interface OpenFile {
    readonly byteLength: number;
    /** Fills `target` with the next bytes. Throws if the file ends before. */
    readInto(target: Uint8Array): void;
    close(): void;
}

/** A call of this program in a process of its own. */
export interface EndedProgram {
    /** Null if it was killed. */
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
}

/** A command that answers a line with a line. */
export interface AdapterProcess {
    /** The next line that it writes. Throws an Error with the reason if there is none within this time. */
    ask(line: string, milliseconds: number): Promise<string>;
    /** Sends a last line, and ends the command and what it has started. */
    end(line: string): Promise<void>;
    /** The last of what it has written for people. */
    readonly errors: string;
}

/** The effects that a command may have outside of itself. */
export interface CommandIo {
    readonly stdout: TextSink;
    readonly stderr: TextSink;
    readonly environment: Readonly<Record<string, string | undefined>>;
    /** Throws as node's `readFile` does. */
    readFile(path: string): Promise<Uint8Array>;
    /** The paths of the models in a folder and below, sorted; undefined for what is no folder. */
    modelsIn(path: string): Promise<readonly string[] | undefined>;
    /** What is in a folder. Throws as node's `readdir` does. */
    entriesOf(path: string): Promise<readonly FolderEntry[]>;
    readStandardInput(): Promise<Uint8Array>;
    /** The lines of standard input as they come, until it ends or `signal` is aborted. */
    standardInputLines(signal: AbortSignal): AsyncIterable<string>;
    /** The bytes of standard input as they come. */
    standardInputParts(): AsyncIterable<Uint8Array>;
    /** Writes to standard output, and throws if nobody reads there any more. `write` of `stdout` does not. */
    writeOutput(bytes: Uint8Array): Promise<void>;
    /** The pages of the manual, as cli/build.js has written them. */
    readonly readManual: () => Promise<string>;
    /** Runs this program with `input` as its standard input. An aborted one is killed. */
    readonly runProgram: (words: readonly string[], input: string, signal: AbortSignal) => Promise<EndedProgram>;
    /** Starts a command of the shell. */
    readonly startAdapter: (command: string) => AdapterProcess;
    /** Replaces the file as a whole, or leaves the old one. Throws as node's `writeFile` does. */
    writeFile(path: string, text: string): Promise<void>;
    /** Replaces the file after all parts are written, or leaves the old one. Throws as node's `writeFile` does. */
    writeParts(path: string, parts: Iterable<Uint8Array>): Promise<void>;
    /** Throws as `writeFile` would, as far as that is known before. Changes nothing. */
    checkWritable(path: string): Promise<void>;
    /** The same of `writeParts`. */
    checkReplaceable(path: string): Promise<void>;
    /** A file to read from front to back. Throws as node's `open` does. */
    openFile(path: string): OpenFile;
    /** The absolute path, for the URI of a document. */
    absolutePath(path: string): string;
    /** Milliseconds on a monotonic clock. */
    readonly now: () => number;
    /** The part of the machine's memory that this process may use. */
    readonly memoryBytes: number;
    /** How many threads the machine runs at once. */
    readonly processorCount: number;
    /** Threads for a search, this one included; undefined for one thread. */
    searchThreads(threadCount: number): WorkerHost | undefined;
    /**
     * Does work that cannot pause. Throws OperationCancelled if the user presses Ctrl+C meanwhile, and TimeIsOver if
     * it takes more than `milliseconds`; then nothing that the work has changed may be used.
     */
    finish<Result>(work: () => Result, milliseconds: number): Result;
    /** Yields to signals and streams. */
    nextTurn(): Promise<void>;
    /** Runs the language server on the process's own streams until its client ends it. */
    startLanguageServer(): void;
    /** Calls `listener` on Ctrl+C or a request to end; a second one ends the process. The result undoes this. */
    onInterrupt(listener: () => void): () => void;
}

/** Standard input can be read once only, and each exploration of a sweep reads the model. */
export function withRepeatableInput(io: CommandIo): CommandIo {
    let input: Promise<Uint8Array> | undefined;
    return { ...io, readStandardInput: () => (input ??= io.readStandardInput()) };
}
