/** How values of several parts are written: `Request(3, [1, 2])`, `{ask(1), done}`, `none`. */
import { unreachable } from '../common/assert.js';

export type ValueFormat<Place> =
    | { readonly kind: 'scalar'; readonly place: Place }
    | { readonly kind: 'list'; readonly elements: readonly ValueFormat<Place>[] }
    | { readonly kind: 'record'; readonly name: string; readonly fields: readonly ValueFormat<Place>[] }
    /** So many of the elements as the code at `length` says. */
    | { readonly kind: 'sequence'; readonly length: Place; readonly elements: readonly ValueFormat<Place>[] }
    /** The elements whose truth value holds, of these texts. */
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
            return `{${format.elements.flatMap(({ text, place }) => (codeAt(place) === 1 ? [text] : [])).join(', ')}}`;
        case 'cases': {
            const fields = format.cases[codeAt(format.place)] ?? [];
            return fields.length === 0 ? textAt(format.place) : `${textAt(format.place)}(${list(fields)})`;
        }
        default:
            return unreachable(format);
    }
}
