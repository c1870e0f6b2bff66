/** The entry of the command line: gives `run` the process's streams, files and signals, and ends with its exit code. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { WriteStream } from 'node:tty';
import { searchThreads } from '../language-server/analysis/search-threads.js';
import { joinParts, readWhole } from '../language-server/disk-files.js';
import { EXIT } from './exit-code.js';
import { checkReplaceable, checkWritable, entriesOf, modelsIn, openFile, writeParts, writeWhole } from './files.js';
import type { CommandIo, EndedProgram, TextSink } from './io.js';
import { endWithParent } from './launch/end-with-parent.js';
import { describeWriteError } from './model-source.js';
import { startAdapter } from './adapter-process.js';
import { run } from './run.js';
import { writersTo } from './terminal-text.js';
import { finishWithin } from './uninterrupted.js';

/** Names the process without which a call of this program has nobody to answer. */
const PARENT = 'ORBIT_PARENT';

/** More than any result has. */
const LARGEST_RESULT_CHARACTERS = 64 * 2 ** 20;

/** Once bytes are written by `writeOutput`, which throws, and its caller tells. */
let isToldElsewhere = false;

/** If the reader goes away (`orbit … | head`), the other output is dropped; the exit code stays that of the result. */
function createSink(stream: WriteStream): TextSink {
    let isClosed = false;
    stream.on('error', (error: NodeJS.ErrnoException) => {
        isClosed = true;
        if (error.code !== 'EPIPE') {
            process.exitCode = EXIT.wrong;
            if (stream === process.stdout && !isToldElsewhere) {
                process.stderr.write(`orbit: cannot write the result: ${describeWriteError(error)}\n`);
            }
        }
    });
    return {
        ...writersTo(text => {
            if (!isClosed) {
                stream.write(text);
            }
        }),
        // Undefined for a stream that is not a terminal, contrary to its type.
        isTerminal: Boolean(stream.isTTY),
        columns: stream.columns,
    };
}

function writeOutput(bytes: Uint8Array): Promise<void> {
    isToldElsewhere = true;
    return new Promise((resume, fail) => {
        process.stdout.write(bytes, error => {
            if (error) {
                fail(error);
            } else {
                resume();
            }
        });
    });
}

function runProgram(words: readonly string[], input: string, signal: AbortSignal): Promise<EndedProgram> {
    const env = { ...process.env, [PARENT]: String(process.pid) };
    const child = spawn(process.execPath, [__filename, ...words], {
        stdio: 'pipe',
        env,
        signal,
        killSignal: 'SIGKILL',
    });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
        text.stdout += part;
        if (text.stdout.length > LARGEST_RESULT_CHARACTERS) {
            text.stderr += 'its result is too long';
            child.kill('SIGKILL');
        }
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => (text.stderr += part));
    // A program that ends early reads no more of it; how it ends says why.
    child.stdin.on('error', () => undefined).end(input);
    return new Promise(resolve => {
        child.on('error', ({ message }) => (text.stderr += message));
        child.on('close', exitCode => {
            resolve({ exitCode, ...text });
        });
    });
}

/** The signals of Ctrl+C, of `timeout` and of job schedulers. */
const INTERRUPTING = ['SIGINT', 'SIGTERM'] as const;

/** The memory of the machine or of the container. */
function availableMemoryBytes(): number {
    const constrained = process.constrainedMemory();
    return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

const io: CommandIo = {
    stdout: createSink(process.stdout),
    stderr: createSink(process.stderr),
    environment: process.env,
    readFile: readWhole,
    modelsIn,
    entriesOf,
    readStandardInput: () => joinParts(process.stdin),
    standardInputLines: signal => createInterface({ input: process.stdin, crlfDelay: Infinity, signal }),
    standardInputParts: () => process.stdin,
    writeOutput,
    runProgram,
    startAdapter,
    writeFile: writeWhole,
    writeParts,
    checkWritable,
    checkReplaceable,
    openFile,
    absolutePath: path => resolve(path),
    now: () => performance.now(),
    memoryBytes: availableMemoryBytes(),
    processorCount: availableParallelism(),
    readManual: async () => new TextDecoder().decode(await readWhole(resolve(__dirname, 'manual.json'))),
    searchThreads: threadCount => searchThreads(__dirname, threadCount),
    finish: finishWithin,
    nextTurn: () => new Promise(resume => setImmediate(resume)),
    // The server's bundle stands beside this one, and reads `--stdio` from the arguments of the process.
    startLanguageServer: () => void createRequire(__filename)('./server.cjs'),
    onInterrupt(listener) {
        const release = (): void => {
            INTERRUPTING.forEach(signal => process.removeListener(signal, onSignal));
        };
        const onSignal = (): void => {
            // A second signal ends the process, in case the listener cannot.
            release();
            listener();
        };
        INTERRUPTING.forEach(signal => process.on(signal, onSignal));
        return release;
    },
};

if (process.env[PARENT] !== undefined) {
    endWithParent(Number(process.env[PARENT]));
}
// If the result could not be written, the exit code is already set.
void run(process.argv.slice(2), io).then(code => (process.exitCode ??= code));
