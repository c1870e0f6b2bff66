/**
 * The lines of a log as objects: JSON lines, lines of a text by regular expressions with named groups, or the spans of
 * OTLP in JSON, by the time of their end.
 */
import { objectOf, parseObject, type LogForm } from './log-mapping.js';

export type LogLine =
    | { readonly line: number; readonly entry: Readonly<Record<string, unknown>> }
    /** The line is none of the form. */
    | { readonly line: number; readonly reason: string }
    /** A last line without an end that cannot be read is left out: it may still be written. */
    | { readonly line: number; readonly isHalf: true };

/** The lines of a whole log, or its spans with their numbers. Empty lines say nothing. */
export function* linesOf(text: string, form: LogForm): Generator<LogLine> {
    const document = spansIn(text, form);
    if (document !== undefined) {
        yield* spansOf(document);
        return;
    }
    const lines = text.split('\n');
    for (const [index, written] of lines.entries()) {
        const read = readLine(written, index + 1, form);
        if (read !== undefined) {
            yield 'reason' in read && index === lines.length - 1 ? { line: index + 1, isHalf: true } : read;
        }
    }
}

/** The document that a log of spans is; undefined for a log of lines. */
export function spansIn(text: string, form: LogForm): Readonly<Record<string, unknown>> | undefined {
    const document = form.kind === 'json' && text.includes('"resourceSpans"') ? parseObject(text) : undefined;
    return document !== undefined && 'resourceSpans' in document ? document : undefined;
}

/** One line; undefined for an empty one, and for one of a text that no pattern matches. */
export function readLine(written: string, line: number, form: LogForm): LogLine | undefined {
    const text = written.replace(/\r$/, '').replace(/^\ufeff/, '');
    if (text.trim() === '') {
        return undefined;
    }
    if (form.kind === 'json') {
        const entry = parseObject(text);
        return entry === undefined ? { line, reason: 'a line is one JSON object' } : withSpans(entry, line);
    }
    for (const pattern of form.patterns) {
        const groups = pattern.exec(text)?.groups;
        if (groups !== undefined) {
            const said = Object.entries(groups).filter(([, value]) => (value as string | undefined) !== undefined);
            return { line, entry: Object.fromEntries(said) };
        }
    }
    return undefined;
}

/** A line with spans of its own is not one step. */
function withSpans(entry: Readonly<Record<string, unknown>>, line: number): LogLine {
    return 'resourceSpans' in entry
        ? { line, reason: 'spans are one document: a log is either lines or spans' }
        : { line, entry };
}

interface Span {
    readonly end: bigint;
    readonly entry: Readonly<Record<string, unknown>>;
}

function* spansOf(document: Readonly<Record<string, unknown>>): Generator<LogLine> {
    const spans = listOf(document['resourceSpans']).flatMap(resource =>
        listOf(resource['scopeSpans']).flatMap(scope => listOf(scope['spans']).map(spanOf)),
    );
    spans.sort((first, second) => (first.end < second.end ? -1 : first.end > second.end ? 1 : 0));
    for (const [index, { entry }] of spans.entries()) {
        yield { line: index + 1, entry };
    }
}

function spanOf(span: Readonly<Record<string, unknown>>): Span {
    const attributes = listOf(span['attributes']).map(({ key, value }): [string, unknown] => [
        String(key),
        valueOf(value),
    ]);
    const { endTimeUnixNano: time } = span;
    const end = typeof time === 'string' || typeof time === 'number' ? String(time) : '0';
    return {
        end: /^\d+$/.test(end) ? BigInt(end) : 0n,
        entry: { ...(typeof span['name'] === 'string' && { step: span['name'] }), ...Object.fromEntries(attributes) },
    };
}

/** An attribute: `{ "intValue": "3" }`, `{ "arrayValue": { "values": […] } }`. */
function valueOf(value: unknown): unknown {
    const [entry] = Object.entries(objectOf(value) ?? {});
    const [kind, held] = entry ?? ['', null];
    switch (kind) {
        case 'intValue':
        case 'doubleValue':
            return Number(held);
        case 'arrayValue':
            return listOf(objectOf(held)?.['values']).map(valueOf);
        case 'kvlistValue':
            return Object.fromEntries(
                listOf(objectOf(held)?.['values']).map(item => [String(item['key']), valueOf(item['value'])]),
            );
        default:
            return held;
    }
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
    return Array.isArray(value)
        ? value.filter((item): item is Readonly<Record<string, unknown>> => typeof item === 'object' && item !== null)
        : [];
}
