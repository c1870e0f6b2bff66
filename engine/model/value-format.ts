/** How values of several parts are written: `Request(3, [1, 2])`, `{ask(1), done}`, `none`. */
import { unreachable } from '../common/assert.js';

export type ValueFormat<Place> =
    | { readonly kind: 'scalar'; readonly place: Place }
    | { readonly kind: 'list'; readonly elements: readonly ValueFormat<Place>[] }
    | { readonly kind: 'record'; readonly name: string; readonly fields: readonly ValueFormat<Place>[] }
    /** So many of the elements as the code at `length` says. */
    | { readonly kind: 'sequence'; readonly length: Place; readonly elements: readonly ValueFormat<Place>[] }
    /** The values of these texts that are there, of a bag with their counts. */
    | { readonly kind: 'set'; readonly elements: readonly { readonly text: string; readonly place: Place }[] }
    /** By the code at `place` the case; undefined for one without fields. */
    | {
          readonly kind: 'cases';
          readonly place: Place;
          readonly cases: readonly (readonly ValueFormat<Place>[] | undefined)[];
      };

/** The value as the text of a model writes it, by the texts and the codes of its parts. */
export function writeValue<Place>(
    format: ValueFormat<Place>,
    textAt: (place: Place) => string,
    codeAt: (place: Place) => number,
): string {
    const list = (formats: readonly ValueFormat<Place>[]): string =>
        formats.map(each => writeValue(each, textAt, codeAt)).join(', ');
    switch (format.kind) {
        case 'scalar':
            return textAt(format.place);
        case 'list':
            return `[${list(format.elements)}]`;
        case 'sequence':
            return `[${list(format.elements.slice(0, Math.max(0, codeAt(format.length))))}]`;
        case 'record':
            return `${format.name}(${list(format.fields)})`;
        case 'set':
            return writeSet(format.elements.map(({ text, place }) => [text, codeAt(place)]));
        case 'cases': {
            const fields = format.cases[codeAt(format.place)] ?? [];
            return fields.length === 0 ? textAt(format.place) : `${textAt(format.place)}(${list(fields)})`;
        }
        default:
            return unreachable(format);
    }
}

/** A set or a bag by the number of copies of each value, `{ack, fin: 2}`; values without one are left out. */
function writeSet(copies: readonly (readonly [text: string, copies: number])[]): string {
    const there = copies.filter(([, count]) => count > 0);
    return `{${there.map(([text, count]) => withCopies(text, count)).join(', ')}}`;
}

/** An element of a bag with the number of its copies, one of which is not told: `ack`, `ack: 2`. */
export function withCopies(element: string, copies: number): string {
    return copies === 1 ? element : `${element}: ${copies}`;
}
