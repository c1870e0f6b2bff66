/**
 * What a line of a log says of a value: a scalar, or parts in the order of an array or by the names of fields. JSON values
 * and texts of the language, `{1, 3}`, `ask(1)`, mean the same.
 */
import { splitAtCommas } from '../sequential/split-values.js';

/** What a log, or a mapping, writes without parts. */
export interface WantedScalar {
    readonly kind: 'scalar';
    readonly value: string | number | boolean | null;
    /** Written in a mapping, where a value of the type is meant as it is. */
    readonly isOfMapping?: true;
}

export type Wanted =
    | WantedScalar
    /** An array, a sequence, or a set in any order. */
    | { readonly kind: 'list'; readonly items: readonly Wanted[] }
    /** A record, or a case by its name; fields without a name are in their order, and those not mentioned are free. */
    | { readonly kind: 'record'; readonly name?: string; readonly fields: readonly WantedField[] };

export interface WantedField {
    readonly name?: string;
    readonly value: Wanted;
}

/** No value of a model has parts inside of parts so deep, or so many copies of one element. */
const DEEPEST = 32;
const MOST_COPIES = 65_536;

/** `wordOf` says what a text of the log is in words of the model. What is too deep is a text that is no value. */
export function wantedOf(value: unknown, wordOf: (text: string) => string, depth = 0): Wanted {
    if (depth > DEEPEST && typeof value === 'object') {
        return { kind: 'scalar', value: '…' };
    }
    if (Array.isArray(value)) {
        return { kind: 'list', items: value.map(item => wantedOf(item, wordOf, depth + 1)) };
    }
    if (typeof value === 'object' && value !== null) {
        const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
        const named = entries.find(([name]) => name === 'case')?.[1];
        return {
            kind: 'record',
            ...(typeof named === 'string' && { name: wordOf(named) }),
            fields: entries
                .filter(([name]) => typeof named !== 'string' || name !== 'case')
                .map(([name, field]) => ({ name, value: wantedOf(field, wordOf, depth + 1) })),
        };
    }
    return typeof value === 'string'
        ? wantedOfText(value, wordOf, depth)
        : { kind: 'scalar', value: typeof value === 'number' || typeof value === 'boolean' ? value : null };
}

/** `{ "case": "ask" }` is a record if its type has a field of this name. */
export function asRecord(
    wanted: Extract<Wanted, { kind: 'record' }>,
    { name, fields }: { readonly name?: string; readonly fields: readonly { readonly name: string }[] },
): Extract<Wanted, { kind: 'record' }> {
    return wanted.name === undefined || wanted.name === name || fields.every(field => field.name !== 'case')
        ? wanted
        : {
              kind: 'record',
              fields: [{ name: 'case', value: { kind: 'scalar', value: wanted.name } }, ...wanted.fields],
          };
}

function wantedOfText(text: string, wordOf: (text: string) => string, depth: number): Wanted {
    const [, opening = '', inner = ''] = /^([^()[\]{},]*\(|\[|\{)(.*)[)\]}]$/su.exec(text) ?? [];
    if (opening === '' || depth > DEEPEST) {
        return { kind: 'scalar', value: wordOf(text) };
    }
    const parts = splitAtCommas(inner)
        .map(part => part.trim())
        .filter(part => part !== '');
    if (opening.endsWith('(')) {
        const fields = parts.map(part => ({ value: wantedOfText(part, wordOf, depth + 1) }));
        return { kind: 'record', name: wordOf(opening.slice(0, -1).trim()), fields };
    }
    const items = parts.flatMap((part): Wanted[] => {
        // So many copies in a bag.
        const [, element, copies] = opening === '{' ? (/^(.*): (\d+)$/.exec(part) ?? []) : [];
        const count = Number(copies ?? 1);
        const wanted = wantedOfText(count > MOST_COPIES ? part : (element ?? part), wordOf, depth + 1);
        return new Array<Wanted>(count > MOST_COPIES ? 1 : count).fill(wanted);
    });
    return { kind: 'list', items };
}

/** As the log has it, for a message. */
export function formatWanted(wanted: Wanted): string {
    switch (wanted.kind) {
        case 'scalar':
            return wanted.value === null ? 'none' : String(wanted.value);
        case 'list':
            return `[${wanted.items.map(formatWanted).join(', ')}]`;
        case 'record': {
            const fields = wanted.fields.map(({ name, value }) =>
                name === undefined ? formatWanted(value) : `${name}: ${formatWanted(value)}`,
            );
            return `${wanted.name ?? ''}(${fields.join(', ')})`;
        }
    }
}
