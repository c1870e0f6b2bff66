/** Values that have a cell for their case and one for each field, as one text: `Request(3, [1, 2])`, `none`; and back. */
import { unreachable } from '../common/assert.js';
import { baseOf, codeOfValue, domainSize, formatValue, NO_VALUE, valueOfCode, type Domain } from '../model/domain.js';
import { writeValue, type ValueFormat } from '../model/value-format.js';
import type { Cell } from './sequential-model.js';

/** The cell of the case in whose text a cell is written; undefined if the cell stands for itself. */
export function writtenWith(cell: number, cells: readonly Cell[], state: Readonly<Int32Array>): number | undefined {
    let outer = cell;
    for (
        let { within } = cells[cell];
        within !== undefined && !isMessage(cells[outer], cells);
        { within } = cells[outer]
    ) {
        outer = within.of;
    }
    // Where a pass has dropped the case, its fields stand for themselves.
    return outer === cell || state[outer] === NO_VALUE ? undefined : outer;
}

/** Whether a cell is a message of a channel, or the part of one that stands for itself. */
function isMessage({ kind, within }: Cell, cells: readonly Cell[]): boolean {
    return kind === 'channel' && within !== undefined && isLengthOfChannel(cells[within.of]);
}

/** Whether a cell is the length of a channel, which always has a value. */
export function isLengthOfChannel({ kind, mayBeAbsent }: Cell): boolean {
    return kind === 'channel' && !mayBeAbsent;
}

/** The name that a reader sees: of an element of a set, that of the set; of the length of a sequence, that of the sequence. */
export function shownName({ name, member, format }: Cell): string {
    return format?.kind === 'sequence' && name.startsWith('len(')
        ? name.slice('len('.length, -1)
        : (member?.set ?? name);
}

/** The value as the text of the model writes it. */
export function formatParts(format: ValueFormat<number>, cells: readonly Cell[], state: Readonly<Int32Array>): string {
    return writeValue(
        format,
        place => textOfCode(cells[place].domain, state[place]),
        place => state[place],
    );
}

function textOfCode(domain: Domain, code: number): string {
    return code === NO_VALUE ? '-' : formatValue(domain, valueOfCode(domain, code));
}

/** Writes the codes of a value that `formatParts` has written into `state`; false if the text is none. */
export function readPartsInto(
    state: Int32Array,
    format: ValueFormat<number>,
    text: string,
    cells: readonly Cell[],
): boolean {
    const readAll = (formats: readonly ValueFormat<number>[], texts: readonly string[] | undefined): boolean =>
        texts?.length === formats.length &&
        formats.every((each, index) => readPartsInto(state, each, texts[index], cells));
    switch (format.kind) {
        case 'scalar':
            return readCodeInto(state, format.place, text, cells);
        case 'list':
            return readAll(format.elements, argumentsOf(text, '[', ']'));
        case 'sequence': {
            const texts = elementsOfList(text) ?? [];
            state[format.length] = texts.length;
            return readAll(format.elements.slice(0, texts.length), texts) && text.startsWith('[');
        }
        case 'record':
            return readAll(format.fields, argumentsOf(text, `${format.name}(`, ')'));
        case 'set': {
            const copies = copiesOfElements(text);
            format.elements.forEach(({ text: element, place }) => {
                state[place] = copies?.get(element) ?? 0;
            });
            const places = new Map(format.elements.map(({ text: element, place }) => [element, place]));
            return (
                [...(copies ?? [])].every(([element, count]) => {
                    const place = places.get(element);
                    return place !== undefined && count < domainSize(cells[place].domain);
                }) && copies !== undefined
            );
        }
        case 'cases': {
            const name = text.split('(', 1)[0];
            if (!readCodeInto(state, format.place, name, cells)) {
                return false;
            }
            const fields = format.cases[state[format.place]] ?? [];
            return fields.length === 0 ? text === name : readAll(fields, argumentsOf(text, `${name}(`, ')'));
        }
        default:
            return unreachable(format);
    }
}

function readCodeInto(state: Int32Array, cell: number, text: string, cells: readonly Cell[]): boolean {
    const code = codeOfText(cells[cell].domain, text);
    state[cell] = code ?? NO_VALUE;
    return code !== undefined;
}

/** The code of the value that a text is; undefined if it is none. */
export function codeOfText(domain: Domain, text: string): number | undefined {
    const base = baseOf(domain);
    if (base.kind === 'range' && text !== 'none') {
        const code = text.trim() === '' ? -1 : codeOfValue(domain, Number(text));
        return code < 0 ? undefined : code;
    }
    for (let code = 0; code < domainSize(domain); code++) {
        if (formatValue(domain, valueOfCode(domain, code)) === text) {
            return code;
        }
    }
    return undefined;
}

/** The elements of a sequence, by their texts; undefined if a text is none. */
export function elementsOfList(text: string): readonly string[] | undefined {
    return argumentsOf(text, '[', ']')?.filter(element => element !== '');
}

/** The numbers of copies of the elements of a set or a bag, by their texts; undefined if a text is none. */
export function copiesOfElements(text: string): ReadonlyMap<string, number> | undefined {
    const elements = argumentsOf(text, '{', '}')?.filter(element => element !== '');
    return (
        elements &&
        new Map(
            elements.map(element => {
                const [, value, copies] = /^(.*): (\d+)$/.exec(element) ?? [];
                return value === undefined ? [element, 1] : [value, Number(copies)];
            }),
        )
    );
}

/** The texts between an opening and a closing text, separated by commas. */
function argumentsOf(text: string, opening: string, closing: string): readonly string[] | undefined {
    return text.startsWith(opening) && text.endsWith(closing)
        ? splitAtCommas(text.slice(opening.length, -closing.length)).map(part => part.trim())
        : undefined;
}

/** Splits at commas outside brackets. */
export function splitAtCommas(text: string): string[] {
    const parts = [''];
    let depth = 0;
    for (const character of text) {
        depth += Number('[({'.includes(character)) - Number('])}'.includes(character));
        if (character === ',' && depth === 0) {
            parts.push('');
        } else {
            parts[parts.length - 1] += character;
        }
    }
    return parts;
}
