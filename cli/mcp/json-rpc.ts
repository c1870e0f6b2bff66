/**
 * JSON-RPC 2.0, a message a line, as the Model Context Protocol speaks it on standard input and output. Requests are
 * answered as they finish. A request that the client cancels gets no answer. The official package for servers would add a
 * quarter to the program for what is on this page. [https://modelcontextprotocol.io/specification]
 */
import { isRecord } from '../../engine/common/record.js';

/** A request that cannot be answered; `code` is one of JSON-RPC's. */
export class RequestError extends Error {
    override readonly name = 'RequestError';
    readonly code: number;
    readonly data: object | undefined;

    constructor(code: number, message: string, data?: object) {
        super(message);
        this.code = code;
        this.data = data;
    }
}

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

/**
 * Answers a request; a RequestError that it throws is its answer. `signal` is aborted if the client cancels it; `notify`
 * sends a notification in the meantime.
 */
export type RpcAnswer = (
    method: string,
    params: unknown,
    signal: AbortSignal,
    notify: (method: string, params: object) => void,
) => object | Promise<object>;

type Id = string | number;

/** Serves until the input ends; what is still going on then is cancelled. Requests in a list are answered in a list. */
export async function serveLines(
    lines: AsyncIterable<string>,
    write: (line: string) => void,
    answer: RpcAnswer,
): Promise<void> {
    const running = new Map<Id, AbortController>();
    const send = (message: object): void => {
        write(`${JSON.stringify(message)}\n`);
    };
    const respond = async (id: Id, method: string, params: unknown, reply: Reply): Promise<void> => {
        const controller = new AbortController();
        running.set(id, controller);
        try {
            const notify = (about: string, told: object): void => {
                if (!controller.signal.aborted) {
                    send({ jsonrpc: '2.0', method: about, params: told });
                }
            };
            const result = await answer(method, params, controller.signal, notify);
            if (!controller.signal.aborted) {
                reply({ jsonrpc: '2.0', id, result });
            }
        } catch (error) {
            if (!controller.signal.aborted) {
                const [code, message, data] =
                    error instanceof RequestError
                        ? ([error.code, error.message, error.data] as const)
                        : ([
                              INTERNAL_ERROR,
                              `a defect of Orbit: ${error instanceof Error ? error.message : String(error)}`,
                          ] as const);
                reply(errorOf(id, code, message, data));
            }
        } finally {
            running.delete(id);
        }
    };
    const receive = async (message: unknown, reply: Reply): Promise<void> => {
        if (!isRecord(message) || message['jsonrpc'] !== '2.0') {
            reply(errorOf(null, INVALID_REQUEST, 'a message is an object with "jsonrpc": "2.0"'));
            return;
        }
        const { id, method, params } = message;
        if (typeof method !== 'string') {
            // An answer: nothing was asked of the client.
            return;
        }
        if (id === undefined) {
            if (method === 'notifications/cancelled' && isRecord(params)) {
                running.get(params['requestId'] as Id)?.abort();
            }
        } else if (typeof id !== 'string' && typeof id !== 'number') {
            reply(errorOf(null, INVALID_REQUEST, 'the id of a request is a text or a number'));
        } else if (running.has(id)) {
            reply(errorOf(id, INVALID_REQUEST, `the request ${JSON.stringify(id)} has not been answered yet`));
        } else {
            await respond(id, method, params, reply);
        }
    };
    const receiveAll = async (messages: readonly unknown[]): Promise<void> => {
        const replies: object[] = [];
        await Promise.all(messages.map(message => receive(message, reply => replies.push(reply))));
        if (replies.length > 0) {
            send(replies);
        }
    };
    try {
        for await (const line of lines) {
            if (line.trim() === '') {
                continue;
            }
            const message = parsed(line);
            if (message === undefined) {
                send(errorOf(null, PARSE_ERROR, 'this line is no JSON'));
            } else {
                void (Array.isArray(message) && message.length > 0 ? receiveAll(message) : receive(message, send));
            }
        }
    } finally {
        running.forEach(controller => {
            controller.abort();
        });
    }
}

type Reply = (message: object) => void;

function errorOf(id: Id | null, code: number, message: string, data?: object): object {
    return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/** Undefined for a line that is no JSON. */
export function parsed(line: string): unknown {
    try {
        return JSON.parse(line);
    } catch {
        return undefined;
    }
}
