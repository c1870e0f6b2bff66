/**
 * What a tester and the adapter of a system say to each other: one message and one answer at a time, as plain data.
 * A message asks for a start, for a step, or what the system does on its own.
 */
import { isRecord } from '../common/record.js';
import type { TraceValue } from '../explore/verdict.js';

type Entry = Readonly<Record<string, unknown>>;

export type Message =
    /** The values of parameters, and the state to begin in. */
    | { readonly reset: Entry; readonly initial: Readonly<Record<string, TraceValue>> }
    /** A step of the tester's, as a line of a log. */
    | { readonly do: Entry }
    | { readonly wait: true };

export interface Answer {
    readonly kind: 'done' | 'refused' | 'quiet';
    /** Why. */
    readonly refused?: string;
    /** Of a step that was done, or a start: what places hold after it. */
    readonly values: Entry;
    /** What the system had done on its own before it was asked, and had not yet said. */
    readonly first: readonly Entry[];
    /** What the system did on its own after that. */
    readonly lines: readonly Entry[];
}

/** The answer, or what is wrong with it. */
export function answerOf(message: Message, given: unknown): Answer | string {
    if (!isRecord(given)) {
        return `the answer to ${nameOf(message)} is one object`;
    }
    if (isDeep(given)) {
        return `the answer to ${nameOf(message)} is nested more than ${DEEPEST} times`;
    }
    const { ok, refused, lines, quiet, first = [], values = {}, ...others } = given;
    const [unknown] = Object.keys(others);
    const kinds = [ok, refused, quiet].filter(each => each !== undefined).length;
    if (
        unknown !== undefined ||
        kinds > 1 ||
        (kinds === 0 && lines === undefined) ||
        ![undefined, true].includes(ok as undefined) ||
        ![undefined, true].includes(quiet as undefined) ||
        ![undefined, 'string'].includes(refused === undefined ? undefined : typeof refused)
    ) {
        return `${JSON.stringify(given)} is no answer: \`{"ok": true}\`, \`{"refused": "why"}\`, \`{"lines": […]}\` or \`{"quiet": true}\``;
    }
    if (!isRecord(values) || (lines !== undefined && !isListOfRecords(lines))) {
        return '`values` is an object, and `lines` a list of objects';
    }
    if (!isListOfRecords(first)) {
        return '`first` is a list of objects';
    }
    if (first.length > 0 && !('do' in message)) {
        return `the answer to ${nameOf(message)} has no \`first\`: what the system has done is in its \`lines\``;
    }
    const written: readonly Entry[] = lines ?? [];
    if ('wait' in message && quiet === undefined && written.length === 0) {
        return 'the answer to `wait` is what the system has done, `{"lines": […]}`, or `{"quiet": true}`';
    }
    if (!('wait' in message) && quiet !== undefined) {
        return `the answer to ${nameOf(message)} is not \`quiet\`: only \`wait\` asks for that`;
    }
    if (!('do' in message) && refused !== undefined) {
        return `the adapter has refused ${nameOf(message)}: ${JSON.stringify(refused)}`;
    }
    const hasValues = Object.keys(values).length > 0;
    if (kinds > 0 && ok === undefined && (written.length > 0 || hasValues)) {
        return '`refused` and `quiet` have no lines and no values';
    }
    if ('wait' in message && hasValues) {
        return 'the answer to `wait` has no values: its lines say what they change';
    }
    if (typeof refused === 'string') {
        return { kind: 'refused', refused, first, values: {}, lines: [] };
    }
    return { kind: quiet === undefined ? 'done' : 'quiet', first, values, lines: written };
}

const DEEPEST = 1_000;

/** Whether what walks through it would not come back. */
function isDeep(value: unknown): boolean {
    const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const { value: part, depth } = next;
        if (depth > DEEPEST) {
            return true;
        }
        if (typeof part === 'object' && part !== null) {
            Object.values(part).forEach(inner => open.push({ value: inner, depth: depth + 1 }));
        }
    }
    return false;
}

function isListOfRecords(value: unknown): value is readonly Entry[] {
    return Array.isArray(value) && value.every(isRecord);
}

function nameOf(message: Message): string {
    return `\`${Object.keys(message)[0]}\``;
}
