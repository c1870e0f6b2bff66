/** What the file `MODEL.log.json` says of logs: their keys and words, what they never show, and how lines of a text are read. */
import type { LogSettings } from '../engine/match/log-check.js';

/** How the lines of a log become objects. */
export type LogForm = { readonly kind: 'json' } | { readonly kind: 'text'; readonly patterns: readonly RegExp[] };

export interface LogMapping {
    readonly settings: Omit<LogSettings, 'maxCandidates'>;
    readonly form: LogForm;
    /** The logs of the model: paths from the folder of the mapping, in which `*` and `**` stand for any name and any folders. */
    readonly logs: readonly string[];
    /** The labels and events of the steps that a tester asks for; all that a log shows if absent. */
    readonly inputs?: ReadonlySet<string>;
}

export const NO_MAPPING: LogMapping = {
    settings: {
        vocabulary: { step: 'step', steps: new Map(), keys: new Map(), values: new Map(), ignored: new Set() },
        names: { known: new Map(), opaque: new Set(), joined: [] },
        hides: new Set(),
    },
    form: { kind: 'json' },
    logs: [],
};

const KEYS = ['step', 'steps', 'hide', 'ignore', 'keys', 'values', 'names', 'opaque', 'text', 'logs', 'inputs'];

/** The mapping of a text, or what is wrong with it. */
export function parseMapping(text: string): LogMapping | string {
    const given = parseObject(text);
    if (given === undefined) {
        return 'a mapping is one JSON object';
    }
    const unknown = Object.keys(given).find(key => !KEYS.includes(key));
    if (unknown !== undefined) {
        return `\`${unknown}\` is no key of a mapping; there are ${KEYS.join(', ')}`;
    }
    const { step = 'step', steps, keys, values, names } = given;
    const lists = ['hide', 'ignore', 'opaque', 'text', 'logs', 'inputs'].map(key => textsOf(given[key]));
    const maps = [steps, keys, values].map(textMapOf);
    const byType = objectOf(names);
    const [hide, ignore, opaque, patterns, logs, inputs] = lists;
    const [stepMap, keyMap, valueMap] = maps;
    if (
        typeof step !== 'string' ||
        byType === undefined ||
        hide === undefined ||
        ignore === undefined ||
        opaque === undefined ||
        patterns === undefined ||
        inputs === undefined ||
        logs === undefined ||
        stepMap === undefined ||
        keyMap === undefined ||
        valueMap === undefined
    ) {
        return '`step` is a text; `hide`, `ignore`, `opaque`, `text`, `logs`, `inputs` are texts or lists of them; `steps`, `keys`, `values` map texts to texts; `names` has an object for each type';
    }
    const known = new Map<string, ReadonlyMap<string, string>>();
    for (const [types, own] of Object.entries(byType)) {
        const meanings = textMapOf(own);
        if (meanings === undefined) {
            return `\`names\` says for \`${types}\` what texts of the log are: \`{ "10.0.0.1": 1 }\``;
        }
        typesIn(types).forEach(type => known.set(type, meanings));
    }
    const compiled: RegExp[] = [];
    for (const pattern of patterns) {
        try {
            compiled.push(new RegExp(pattern, 'u'));
        } catch (error) {
            return `\`${pattern}\` is no regular expression: ${String(error)}`;
        }
    }
    return {
        settings: {
            vocabulary: { step, steps: stepMap, keys: keyMap, values: valueMap, ignored: new Set(ignore) },
            names: {
                known,
                opaque: new Set(opaque),
                joined: Object.keys(byType)
                    .map(typesIn)
                    .filter(types => types.length > 1),
            },
            hides: new Set(hide),
        },
        form: compiled.length === 0 ? { kind: 'json' } : { kind: 'text', patterns: compiled },
        logs,
        ...(given['inputs'] !== undefined && { inputs: new Set(inputs) }),
    };
}

/** An object of JSON; undefined for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
    try {
        const value: unknown = JSON.parse(text);
        return typeof value === 'object' && value !== null && !Array.isArray(value)
            ? (value as Readonly<Record<string, unknown>>)
            : undefined;
    } catch {
        return undefined;
    }
}

function typesIn(text: string): readonly string[] {
    return text.split(',').map(type => type.trim());
}

/** No texts if there is no value; undefined for what is neither a text nor a list of texts. */
function textsOf(value: unknown = []): readonly string[] | undefined {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.every(item => typeof item === 'string') ? list : undefined;
}

/** No fields if there is no value; undefined for what is no object. */
export function objectOf(value: unknown = {}): Readonly<Record<string, unknown>> | undefined {
    return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Readonly<Record<string, unknown>>)
        : undefined;
}

/** Scalars as their texts. */
function textMapOf(value: unknown): ReadonlyMap<string, string> | undefined {
    const entries = Object.entries(objectOf(value) ?? {});
    const isMap =
        objectOf(value) !== undefined &&
        entries.every(([, item]) => ['string', 'number', 'boolean'].includes(typeof item));
    return isMap ? new Map(entries.map(([key, item]) => [key, String(item)])) : undefined;
}
