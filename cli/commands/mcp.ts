/** `orbit mcp`: a server of the Model Context Protocol on standard input and output. */
import { EXIT, type ExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import { serveLines } from '../mcp/json-rpc.js';
import { createAnswer } from '../mcp/server.js';

/** Calls of tools at once; each search may take two threads. */
const MOST_CALLS_AT_ONCE = 4;

/** Serves until the input ends, or with Ctrl+C; calls that are still going on end with it. */
export async function mcp(io: CommandIo): Promise<ExitCode> {
    const answer = createAnswer(io.runProgram, Math.min(MOST_CALLS_AT_ONCE, io.processorCount), io.readManual);
    const interruption = new AbortController();
    const release = io.onInterrupt(() => {
        interruption.abort();
    });
    try {
        await serveLines(io.standardInputLines(interruption.signal), line => io.stdout.writeData(line), answer);
    } finally {
        release();
    }
    return interruption.signal.aborted ? EXIT.interrupted : EXIT.holds;
}
