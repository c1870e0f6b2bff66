/**
 * `orbit mcp`: models for programs that speak the Model Context Protocol. Each call of a tool runs the command line in a
 * process of its own, so it can be ended at any time, and its answer is that of `--json`.
 */
import { isRecord } from '../../engine/common/record.js';
import type { DocumentProblem } from '../../language-server/document-schema.js';
import { EXIT } from '../exit-code.js';
import type { EndedProgram } from '../io.js';
import { VERSION } from '../version.js';
import { type RpcAnswer, INVALID_PARAMS, METHOD_NOT_FOUND, RequestError, parsed } from './json-rpc.js';
import { shortened } from './shorten.js';
import { TOOLS, type Tool, type ToolCall, describeTool, toCall } from './tools.js';

/** Newest first. They do not differ in what is used here. */
const PROTOCOL_VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'];

const INSTRUCTIONS =
    'Orbit checks models of concurrent systems and finds their symmetries. Call `check` after each edit of a model, then ' +
    '`explore` for its verdict; `symmetries` and `explain` say how many states symmetry saves, and what stands against more.';

/** A command that is told to end in time gets this much longer to say what it has. */
const GRACE_SECONDS = 5;

export type RunProgram = (words: readonly string[], input: string, signal: AbortSignal) => Promise<EndedProgram>;

/** `mostAtOnce`: further calls wait. */
export function createAnswer(run: RunProgram, mostAtOnce: number): RpcAnswer {
    const inTurn = createQueue(mostAtOnce);
    return (method, params, signal) => {
        switch (method) {
            case 'initialize': {
                const wanted = isRecord(params) ? params['protocolVersion'] : undefined;
                return {
                    protocolVersion: PROTOCOL_VERSIONS.find(version => version === wanted) ?? PROTOCOL_VERSIONS[0],
                    capabilities: { tools: {} },
                    serverInfo: { name: 'orbit', title: 'Orbit', version: VERSION },
                    instructions: INSTRUCTIONS,
                };
            }
            case 'ping':
                return {};
            case 'tools/list':
                return { tools: TOOLS.map(describeTool) };
            case 'tools/call': {
                const { name, arguments: given = {} } = isRecord(params) ? params : {};
                const tool = TOOLS.find(each => each.name === name);
                if (tool === undefined) {
                    const known = TOOLS.map(each => each.name).join(', ');
                    throw new RequestError(
                        INVALID_PARAMS,
                        `there is no tool ${JSON.stringify(name)}; there are ${known}`,
                    );
                }
                const call = toCall(tool, given);
                return typeof call === 'string'
                    ? failed(call)
                    : inTurn(signal, () => callTool(tool, call, run, signal));
            }
            default:
                throw new RequestError(METHOD_NOT_FOUND, `there is no method '${method}'`);
        }
    };
}

async function callTool(tool: Tool, call: ToolCall, run: RunProgram, signal: AbortSignal): Promise<object> {
    const late = AbortSignal.timeout((call.seconds + (tool.hasTimeout ? GRACE_SECONDS : 0)) * 1000);
    const { exitCode, stdout, stderr } = await run(call.words, call.input, AbortSignal.any([signal, late]));
    if (late.aborted) {
        return failed(`there is no answer after ${call.seconds} seconds`);
    }
    const document = parsed(stdout);
    if (!isRecord(document)) {
        const why = stderr.trim().slice(-2000);
        return failed(`the command has ended with ${exitCode}${why === '' ? '' : `: ${why}`}`);
    }
    const isProblems = 'problems' in document;
    if (isProblems && (tool.name !== 'check' || isWrongCall(document['problems']))) {
        return failed(describeProblems(document['problems'], call));
    }
    const { fields } = tool;
    const answer =
        fields === undefined
            ? document
            : Object.fromEntries(Object.entries(document).filter(([name]) => fields.includes(name)));
    return { content: [{ type: 'text', text: shortened(answer) }], isError: exitCode === EXIT.defect };
}

/** Whether there is nothing to check: no such file, or one that is no text of a model. */
function isWrongCall(problems: unknown): boolean {
    return Array.isArray(problems) && problems.some(each => isRecord(each) && String(each['code']).startsWith('call/'));
}

/** One line for each, as a compiler prints them. */
function describeProblems(problems: unknown, { hasText }: ToolCall): string {
    const list: readonly unknown[] = Array.isArray(problems) ? problems : [];
    const lines = (list.filter(isRecord) as unknown as DocumentProblem[]).map(problem => {
        const { file, line, column, severity, message, code } = problem;
        const place = file === '' ? '' : `${hasText && file === '-' ? 'text' : file}:${line}:${column}: `;
        return `${place}${severity}: ${message} [${code}]`;
    });
    const most = 20;
    return [...lines.slice(0, most), ...(lines.length > most ? [`… and ${lines.length - most} more`] : [])].join('\n');
}

function failed(message: string): object {
    return { content: [{ type: 'text', text: message }], isError: true };
}

/** Runs work as soon as less than `most` is going on, in the order of the calls; nothing once it was cancelled. */
function createQueue(most: number): <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result> {
    let running = 0;
    const waiting: (() => void)[] = [];
    return async (signal, work) => {
        if (running >= most) {
            await new Promise<void>(resume => waiting.push(resume));
        } else {
            running++;
        }
        try {
            signal.throwIfAborted();
            return await work();
        } finally {
            // The place is passed on, or free.
            const next = waiting.shift();
            if (next === undefined) {
                running--;
            } else {
                next();
            }
        }
    };
}
