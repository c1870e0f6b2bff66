/**
 * Requests about a position without one, or with one that is none: answered with the protocol's error for parameters,
 * before any provider sees them.
 */
import type { Message, MessageStrategy, RequestMessage } from 'vscode-languageserver';

/** The method under which a wrong request goes on; its handler answers with the error. */
export const INVALID_PARAMS_METHOD = 'orbit/invalidParams';

const POSITIONAL: ReadonlySet<string> = new Set(
    [
        'hover',
        'completion',
        'signatureHelp',
        'definition',
        'typeDefinition',
        'implementation',
        'declaration',
        'references',
        'documentHighlight',
        'rename',
        'prepareRename',
        'prepareCallHierarchy',
        'onTypeFormatting',
    ].map(name => `textDocument/${name}`),
);

/** Passes messages on; a request with wrong parameters under another name. */
export const CHECKED_REQUESTS: MessageStrategy = {
    handleMessage(message, next) {
        next(
            isRequest(message) && POSITIONAL.has(message.method) && !hasPosition(message.params)
                ? wrong(message)
                : message,
        );
    },
};

/** What is wrong, for the client's author. */
export function describeWrong(params: unknown): string {
    const method = typeof params === 'object' && params !== null && 'method' in params ? String(params.method) : '';
    return `${method} needs a textDocument with a uri and a position with a line and a character, whole numbers from 0`;
}

function isRequest(message: Message): message is RequestMessage {
    return 'method' in message && 'id' in message;
}

function hasPosition(params: unknown): boolean {
    const { textDocument, position } = (params ?? {}) as { textDocument?: unknown; position?: unknown };
    const { uri } = (textDocument ?? {}) as { uri?: unknown };
    const { line, character } = (position ?? {}) as { line?: unknown; character?: unknown };
    return typeof uri === 'string' && isIndex(line) && isIndex(character);
}

function isIndex(value: unknown): boolean {
    return Number.isInteger(value) && Number(value) >= 0;
}

function wrong({ id, jsonrpc, method }: RequestMessage): RequestMessage {
    return { id, jsonrpc, method: INVALID_PARAMS_METHOD, params: { method } };
}
