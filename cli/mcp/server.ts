/**
 * `orbit mcp`: models for programs that speak the Model Context Protocol. Each call of a tool runs the command line in a
 * process of its own, so it can be ended at any time, and its answer is that of `--json`.
 */
import { isRecord } from '../../engine/common/record.js';
import { formatCount } from '../../engine/describe/words.js';
import type { DocumentProblem } from '../../language-server/document-schema.js';
import { EXIT } from '../exit-code.js';
import type { EndedProgram } from '../io.js';
import { VERSION } from '../version.js';
import { type RpcAnswer, INVALID_PARAMS, METHOD_NOT_FOUND, RequestError, parsed } from './json-rpc.js';
import { listPages, readPage, RESOURCE_NOT_FOUND } from './manual.js';
import { MOST_CHARACTERS, shortened } from './shorten.js';
import { TOOLS, type Tool, type ToolCall, describeTool, toCall } from './tools.js';

/** With a first request that settles the version, newest first. */
const SETTLED_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** Each request says its version and needs no other one before it. */
const SELF_CONTAINED_VERSION = '2026-07-28';
const UNSUPPORTED_VERSION = -32022;

const SERVER_INFO = { name: 'orbit', title: 'Orbit', version: VERSION };
const CAPABILITIES = { tools: {}, resources: {} };
/** Tools and pages of the manual are those of the version, for everybody. */
const CACHEABLE = { ttlMs: 3_600_000, cacheScope: 'public' };

const INSTRUCTIONS =
    'Orbit checks models of concurrent systems and finds their symmetries. Call `check` after each edit of a model, then ' +
    '`explore` for its verdict; `find` looks for a run to a state, `mutate` for changes that nothing notices, `match` judges ' +
    'logs of a real system, `tests` chooses runs to test it with. The resources are the manual: begin with orbit://manual/language, and read ' +
    'orbit://manual/language/grammar and orbit://manual/language/idioms before you write a model.';

/** A command that is told to end in time gets this much longer to say what it has. */
const GRACE_SECONDS = 5;

export type RunProgram = (words: readonly string[], input: string, signal: AbortSignal) => Promise<EndedProgram>;

/** `mostAtOnce`: further calls wait. `readManual` gives the pages as cli/build.js has written them. */
export function createAnswer(run: RunProgram, mostAtOnce: number, readManual: () => Promise<string>): RpcAnswer {
    const answer = createSettledAnswer(run, mostAtOnce, readManual);
    return async (method, params, signal, notify) => {
        const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
        const version = meta['io.modelcontextprotocol/protocolVersion'];
        if (version === undefined) {
            return answer(method, params, signal, notify);
        }
        if (version !== SELF_CONTAINED_VERSION) {
            const supported = [SELF_CONTAINED_VERSION];
            throw new RequestError(
                UNSUPPORTED_VERSION,
                `requests of the version ${JSON.stringify(version)} are not known`,
                {
                    supported,
                    requested: version,
                },
            );
        }
        const result =
            method === 'server/discover'
                ? {
                      supportedVersions: [SELF_CONTAINED_VERSION],
                      capabilities: CAPABILITIES,
                      instructions: INSTRUCTIONS,
                  }
                : method === 'initialize' || method === 'ping'
                  ? unknownMethod(method)
                  : await asLater(() => answer(method, params, signal, notify));
        return {
            resultType: 'complete',
            ...result,
            ...(method !== 'tools/call' && CACHEABLE),
            _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
        };
    };
}

/** A resource that is not there has another code by now. */
async function asLater(answer: () => object | Promise<object>): Promise<object> {
    try {
        return await answer();
    } catch (error) {
        throw error instanceof RequestError && error.code === RESOURCE_NOT_FOUND
            ? new RequestError(INVALID_PARAMS, error.message)
            : error;
    }
}

function unknownMethod(method: string): never {
    throw new RequestError(METHOD_NOT_FOUND, `there is no method '${method}'`);
}

function createSettledAnswer(run: RunProgram, mostAtOnce: number, readManual: () => Promise<string>): RpcAnswer {
    const inTurn = createQueue(mostAtOnce);
    return async (method, params, signal, notify) => {
        switch (method) {
            case 'initialize': {
                const wanted = isRecord(params) ? params['protocolVersion'] : undefined;
                return {
                    protocolVersion: SETTLED_VERSIONS.find(version => version === wanted) ?? SETTLED_VERSIONS[0],
                    capabilities: CAPABILITIES,
                    serverInfo: SERVER_INFO,
                    instructions: INSTRUCTIONS,
                };
            }
            case 'ping':
                return {};
            case 'tools/list':
                return { tools: TOOLS.map(describeTool) };
            case 'resources/list':
                return listPages(await readManual());
            case 'resources/templates/list':
                return { resourceTemplates: [] };
            case 'resources/read':
                return readPage(await readManual(), isRecord(params) ? params['uri'] : undefined);
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
                    : inTurn(signal, () => withProgress(params, notify, () => callTool(tool, call, run, signal)));
            }
            default:
                return unknownMethod(method);
        }
    };
}

/** While a call goes on the client is told the seconds that it has taken, if it wants to know. */
async function withProgress<Result>(
    params: unknown,
    notify: Parameters<RpcAnswer>[3],
    work: () => Promise<Result>,
): Promise<Result> {
    const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
    const { progressToken } = meta;
    let seconds = 0;
    const timer =
        progressToken === undefined
            ? undefined
            : setInterval(() => {
                  seconds += PROGRESS_SECONDS;
                  notify('notifications/progress', { progressToken, progress: seconds, message: `${seconds} seconds` });
              }, PROGRESS_SECONDS * 1000);
    try {
        return await work();
    } finally {
        clearInterval(timer);
    }
}

/** Progress is told this often. */
const PROGRESS_SECONDS = 2;

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
    const isAnswer =
        !('problems' in document) ||
        (tool.answersWith === 'problems'
            ? !isWrongCall(document['problems'])
            : tool.answersWith === undefined
              ? isEmpty(document['problems'])
              : !isEmpty(document[tool.answersWith]));
    if (!isAnswer) {
        return failed(describeProblems(document['problems'], call));
    }
    const { fields } = tool;
    const answer =
        fields === undefined
            ? document
            : Object.fromEntries(Object.entries(document).filter(([name]) => fields.includes(name)));
    const text = shortened(answer);
    const structuredContent = parsed(text);
    if (tool.isWhole === true && isRecord(structuredContent) && 'leftOut' in structuredContent) {
        const most = formatCount(MOST_CHARACTERS);
        return failed(`the answer has more than ${most} characters; \`orbit ${tool.name}\` writes one of any length`);
    }
    return {
        content: [{ type: 'text', text }],
        structuredContent,
        isError: exitCode === EXIT.defect,
    };
}

function isEmpty(value: unknown): boolean {
    return value === undefined || (Array.isArray(value) && value.length === 0);
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
