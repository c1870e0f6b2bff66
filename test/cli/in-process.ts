/** Runs the command line in this process: files are strings, streams are collected, no process state is touched. */
import { posix } from 'node:path';
import type { CommandIo } from '../../cli/io.js';
import { startAdapter } from '../../cli/adapter-process.js';
import { run } from '../../cli/run.js';
import { writersTo } from '../../cli/terminal-text.js';
import { finishWithin } from '../../cli/uninterrupted.js';

export interface Outcome {
    readonly exitCode: number;
    readonly stdout: string;
    readonly stderr: string;
    /** What was written to files, by path. */
    readonly written: ReadonlyMap<string, string>;
    /** The same of files that are no text. */
    readonly saved: ReadonlyMap<string, Uint8Array>;
    /** What was opened for a moment, to see whether it can be written. */
    readonly tried: ReadonlySet<string>;
    /** How many threads a search may have; absent where none was begun. */
    readonly threadCount: number | undefined;
}

export interface World {
    /** The files there are, by path. Others are read as node reads files that do not exist. */
    readonly files?: Readonly<Record<string, string | Uint8Array>>;
    readonly standardInput?: string;
    /** The lines of standard input have no end. */
    readonly keepsInputOpen?: true;
    /** Standard input comes in parts of so many bytes; all at once if absent. */
    readonly partBytes?: number;
    /** The code of the error that reading standard input in parts ends with. */
    readonly inputError?: string;
    /** Nobody reads the bytes that are written. */
    readonly isReaderGone?: boolean;
    readonly environment?: Readonly<Record<string, string>>;
    /** What the machine has. */
    readonly memoryBytes?: number;
    readonly processorCount?: number;
    /** Both streams are terminals. */
    readonly isTerminal?: boolean;
    /** Ctrl+C comes after this many turns of the event loop. */
    readonly interruptAfterTurns?: number;
    /** What ends work that cannot pause, by its number from 1 on. */
    readonly endOfWork?: (work: number) => Error | undefined;
    /** Work that cannot pause is ended when its time is over; else it has all the time it takes. */
    readonly endsWorkInTime?: boolean;
}

/** `words` are the arguments after `orbit`. */
export async function orbit(words: readonly string[], world: World = {}): Promise<Outcome> {
    const written = new Map<string, string>();
    const saved = new Map<string, Uint8Array>();
    const text = { stdout: '', stderr: '' };
    let turns = 0;
    let works = 0;
    let interrupt: (() => void) | undefined;
    let threadCount: number | undefined;
    const tried = new Set<string>();
    const checkReplaceable = (path: string): Promise<void> =>
        path.startsWith('/read-only/') ? Promise.reject(systemError('EROFS')) : Promise.resolve();
    const sink = (name: 'stdout' | 'stderr') => ({
        ...writersTo(part => void (text[name] += part)),
        isTerminal: world.isTerminal ?? false,
        columns: world.isTerminal === true ? 80 : undefined,
    });
    const io: CommandIo = {
        stdout: sink('stdout'),
        stderr: sink('stderr'),
        environment: world.environment ?? {},
        readFile(path) {
            const content = world.files?.[path];
            if (content === undefined) {
                return Promise.reject(systemError('ENOENT'));
            }
            return Promise.resolve(typeof content === 'string' ? new TextEncoder().encode(content) : content);
        },
        modelsIn(path) {
            const below = Object.keys(world.files ?? {}).filter(file => file.startsWith(`${path}/`));
            return Promise.resolve(below.length === 0 ? undefined : below.filter(file => file.endsWith('.orbit')));
        },
        entriesOf(path) {
            const prefix = posix.join(path, '/').replace(/^\.\//, '');
            const parts = Object.keys(world.files ?? {})
                .filter(file => file.startsWith(prefix))
                .map(file => file.slice(prefix.length).split('/'));
            const isFile = new Map(parts.map(([name = '', ...below]) => [name, below.length === 0]));
            return isFile.size === 0
                ? Promise.reject(systemError('ENOENT'))
                : Promise.resolve([...isFile].map(([name, is]) => ({ name, isFile: is, isLink: false })));
        },
        startAdapter,
        readStandardInput: () => Promise.resolve(new TextEncoder().encode(world.standardInput ?? '')),
        async *standardInputLines(signal) {
            await Promise.resolve();
            yield* (world.standardInput ?? '').split('\n');
            while (world.keepsInputOpen === true && !signal.aborted) {
                await new Promise(resume => setTimeout(resume, 1));
            }
        },
        async *standardInputParts() {
            await Promise.resolve();
            if (world.inputError !== undefined) {
                throw systemError(world.inputError);
            }
            const bytes = Buffer.from(world.standardInput ?? '', 'latin1');
            for (let start = 0; start < bytes.length; start += world.partBytes ?? bytes.length) {
                yield bytes.subarray(start, start + (world.partBytes ?? bytes.length));
            }
        },
        writeOutput(bytes) {
            if (world.isReaderGone === true) {
                return Promise.reject(systemError('EPIPE'));
            }
            text.stdout += Buffer.from(bytes).toString('latin1');
            return Promise.resolve();
        },
        runProgram: (called, input) => orbit(called, { ...world, standardInput: input }),
        writeFile(path, content) {
            if (path.startsWith('/read-only/')) {
                return Promise.reject(systemError('EROFS'));
            }
            written.set(path, content);
            return Promise.resolve();
        },
        writeParts(path, parts) {
            if (path.startsWith('/read-only/')) {
                return Promise.reject(systemError('EROFS'));
            }
            if (path.startsWith('/full/')) {
                return Promise.reject(systemError('ENOSPC'));
            }
            saved.set(path, Buffer.concat([...parts]));
            return Promise.resolve();
        },
        checkWritable(path) {
            tried.add(path);
            return checkReplaceable(path);
        },
        checkReplaceable,
        openFile(path) {
            const content = world.files?.[path];
            if (content === undefined) {
                throw systemError('ENOENT');
            }
            const bytes = Buffer.from(content);
            let next = 0;
            return {
                byteLength: bytes.length,
                readInto(target) {
                    if (path.startsWith('/folder/')) {
                        throw systemError('EISDIR');
                    }
                    next += bytes.copy(target, 0, next, next + target.length);
                },
                close() {
                    next = bytes.length;
                },
            };
        },
        absolutePath: path => posix.resolve('/work folder', path),
        readManual: () => Promise.resolve('{}'),
        now: () => performance.now(),
        memoryBytes: world.memoryBytes ?? 8 * 2 ** 30,
        processorCount: world.processorCount ?? 1,
        searchThreads(count) {
            threadCount = count;
            return undefined;
        },
        finish(work, milliseconds) {
            const end = world.endOfWork?.(++works);
            if (end !== undefined) {
                throw end;
            }
            return world.endsWorkInTime === true ? finishWithin(work, milliseconds) : work();
        },
        nextTurn() {
            if (++turns === world.interruptAfterTurns) {
                interrupt?.();
            }
            return Promise.resolve();
        },
        startLanguageServer() {
            text.stdout += 'language server';
        },
        onInterrupt(listener) {
            interrupt = listener;
            return () => (interrupt = undefined);
        },
    };
    const exitCode = await run(words, io);
    return { exitCode, ...text, written, saved, tried, threadCount };
}

function systemError(code: string): Error {
    return Object.assign(new Error(`${code}: as node would say it`), { code });
}
