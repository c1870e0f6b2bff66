/**
 * Messages whose parameters have not the shape of the protocol: a request is answered with the protocol's error for
 * parameters, a notification is a line in the log, and no provider sees them. What is no message at all goes on to the
 * connection, which says so.
 */
import type { Message, MessageStrategy, NotificationMessage, RequestMessage } from 'vscode-languageserver';
import {
    CHOOSE_PARAMETERS_REQUEST,
    EVERY_SIZE_REQUEST,
    EXPLORE_REQUEST,
    GRAPH_REQUEST,
    KEPT_RUNS_NOTIFICATION,
    MAKE_FAIR_REQUEST,
    MATCH_REQUEST,
    MUTATE_REQUEST,
    QUESTION_REQUEST,
    STEPS_REQUEST,
    SWEEP_REQUEST,
    SYMMETRIES_REQUEST,
    UNFOLD_REQUEST,
} from '../protocol.js';

/** The method under which a wrong message goes on; its handler answers with the error. */
export const INVALID_PARAMS_METHOD = 'orbit/invalidParams';

/** Whether a value is as the protocol says. */
type Shape = (value: unknown) => boolean;

const text: Shape = value => typeof value === 'string';
const flag: Shape = value => typeof value === 'boolean';
const number: Shape = value => Number.isFinite(value);
const index: Shape = value => Number.isInteger(value) && Number(value) >= 0;
const list =
    (entry: Shape): Shape =>
    value =>
        Array.isArray(value) && value.every(entry);
const optional =
    (shape: Shape): Shape =>
    value =>
        value === undefined || shape(value);
const values =
    (entry: Shape): Shape =>
    value =>
        typeof value === 'object' && value !== null && Object.values(value).every(entry);
const record =
    (fields: Readonly<Record<string, Shape>>): Shape =>
    value =>
        typeof value === 'object' &&
        value !== null &&
        Object.entries(fields).every(([name, shape]) => shape((value as Record<string, unknown>)[name]));

const anything: Shape = () => true;
const position = record({ line: index, character: index });
const range = record({ start: position, end: position });
const textDocument = record({ uri: text });
const positional = record({ textDocument, position });
const ranged = record({ textDocument, range });
const item = record({ item: record({ uri: text, range, selectionRange: range }) });
const path = list(index);

/** In lines and columns from 1 on. */
const location = record({ file: text, line: index, column: index });
const reduction = record({ unique: flag, strategy: text });
const limit = optional(record({ kind: text }));
const keptRun = record({
    runId: text,
    reduction: text,
    property: optional(text),
    parameters: text,
    modelKey: text,
    sourceKey: text,
    finishedAt: number,
    document: record({
        params: values(anything),
        verdict: text,
        states: number,
        seconds: number,
        reduction,
        limit,
        violations: list(
            record({
                kind: text,
                name: text,
                location,
                trace: record({ length: index }),
                reason: optional(list(record({ text }))),
            }),
        ),
        properties: optional(list(record({ name: text, verdict: text, states: number, reduction, limit }))),
        templates: optional(list(record({ name: text }))),
    }),
});

/** By method; requests about a document that are not listed need only that. */
const PARAMETERS: Readonly<Record<string, Shape>> = {
    ...Object.fromEntries(
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
            'prepareRename',
            'prepareCallHierarchy',
            'onTypeFormatting',
        ].map(name => [`textDocument/${name}`, positional]),
    ),
    'textDocument/rename': record({ textDocument, position, newName: text }),
    'textDocument/rangeFormatting': ranged,
    'textDocument/semanticTokens/range': ranged,
    'textDocument/inlayHint': ranged,
    'textDocument/codeAction': record({
        textDocument,
        range,
        context: record({ diagnostics: list(record({ range })) }),
    }),
    'textDocument/selectionRange': record({ textDocument, positions: list(position) }),
    'textDocument/didOpen': record({ textDocument: record({ uri: text, languageId: text, version: number, text }) }),
    'textDocument/didChange': record({
        textDocument: record({ uri: text, version: number }),
        contentChanges: list(record({ text, range: optional(range) })),
    }),
    'callHierarchy/incomingCalls': item,
    'callHierarchy/outgoingCalls': item,
    'workspace/symbol': record({ query: text }),
    'workspace/didChangeWatchedFiles': record({ changes: list(record({ uri: text, type: index })) }),
    'workspace/didChangeConfiguration': values(anything),
    [EXPLORE_REQUEST]: record({
        uri: text,
        reduction: text,
        runId: text,
        property: optional(text),
        find: optional(text),
    }),
    [QUESTION_REQUEST]: record({ uri: text, question: record({ kind: text, text }) }),
    [SWEEP_REQUEST]: record({
        uri: text,
        reduction: text,
        runId: text,
        range: record({ name: text, first: number, last: number }),
    }),
    [EVERY_SIZE_REQUEST]: record({ uri: text, names: list(text), property: optional(text) }),
    [MATCH_REQUEST]: record({ uri: text, runId: text, log: text, mapping: optional(text) }),
    [MUTATE_REQUEST]: record({ uri: text, runId: text }),
    [SYMMETRIES_REQUEST]: textDocument,
    [GRAPH_REQUEST]: record({ uri: text, reduction: text, around: path }),
    [UNFOLD_REQUEST]: record({ uri: text, reduction: text, path }),
    [STEPS_REQUEST]: record({
        uri: text,
        modelKey: optional(text),
        state: optional(values(anything)),
        created: optional(values(index)),
        towards: optional(text),
        along: optional(list(record({ state: values(anything), step: anything }))),
        asked: optional(list(text)),
    }),
    [MAKE_FAIR_REQUEST]: record({ uri: text, step: record({ process: text, label: optional(text), kind: text }) }),
    [CHOOSE_PARAMETERS_REQUEST]: record({ uri: text, parameters: values(text) }),
    [KEPT_RUNS_NOTIFICATION]: record({ uri: text, runs: list(keptRun), parameters: values(text) }),
};

/** Passes messages on; one with wrong parameters under another name. */
export const CHECKED_MESSAGES: MessageStrategy = {
    handleMessage(message, next) {
        next(hasMethod(message) && !isRight(message) ? wrong(message) : message);
    },
};

/** Says what is wrong, for the client's author. */
export function describeWrong(params: unknown): string {
    const method = typeof params === 'object' && params !== null && 'method' in params ? String(params.method) : '';
    return PARAMETERS[method] === positional
        ? `${method} needs a textDocument with a uri and a position with a line and a character, whole numbers from 0`
        : `the parameters of ${method} have not the shape of the protocol`;
}

function hasMethod(message: Message): message is RequestMessage | NotificationMessage {
    return typeof message === 'object' && (message as Message | null) !== null && 'method' in message;
}

function isRight({ method, params }: RequestMessage | NotificationMessage): boolean {
    const shape =
        typeof method !== 'string'
            ? undefined
            : Object.hasOwn(PARAMETERS, method)
              ? PARAMETERS[method]
              : method.startsWith('textDocument/')
                ? record({ textDocument })
                : undefined;
    return shape === undefined || shape(params);
}

function wrong(message: RequestMessage | NotificationMessage): RequestMessage | NotificationMessage {
    return { ...message, method: INVALID_PARAMS_METHOD, params: { method: message.method } };
}
