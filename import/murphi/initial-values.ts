/** Values of whole types: the first one, as `clear` sets it, the undefined one, and those that a start state gives. */
import { atom, call, comprehension, FALSE, list, NONE, type Binder, type Expression } from './orbit-text.js';
import { valuesOf, type DataType, type SimpleType, type Variable } from './symbols.js';

/** The value of a simple cell; a record has fields of its own. */
type CellValue = (type: SimpleType, cell: Variable | undefined) => Expression;

/** What is known of a variable or of a part of it. */
export interface Shape {
    /** Of a simple cell. */
    value?: Expression;
    /** The name of the index in the values of all elements. */
    binder?: string;
    /** By the names of fields and the texts of indices; `*` for all elements. */
    readonly parts: Map<string, Shape>;
}

export function firstValue(type: SimpleType): Expression {
    switch (type.kind) {
        case 'boolean':
            return FALSE;
        case 'scalarset':
            return atom(type.place?.low ?? 1);
        case 'union':
            return type.members[0] === undefined ? NONE : firstValue(type.members[0]);
        case 'enumeration':
            return atom(type.members[0] ?? '');
        case 'number':
            return type.isOpen ? atom(type.bounds.slice(0, type.bounds.indexOf(' .. '))) : atom(type.low);
    }
}

export function undefinedValue(type: SimpleType, cell: Variable | undefined): Expression {
    return cell?.isOptional === false ? firstValue(type) : NONE;
}

/** What can be assigned to all cells of a place: an array whose elements are alike takes the value of one. */
export function filling(type: DataType, value: CellValue, cell?: Variable, shape?: Shape): Expression {
    return write(type, value, cell, shape, 'whole');
}

function write(
    type: DataType,
    value: CellValue,
    cell: Variable | undefined,
    shape: Shape | undefined,
    place: 'whole' | 'part',
): Expression {
    const indices: Binder[] = [];
    let [element, inside] = [type, shape];
    while (element.kind === 'array' && (inside === undefined || inside.parts.size === 0 || inside.parts.has('*'))) {
        const name: string = inside?.binder ?? `index${indices.length === 0 ? '' : indices.length + 1}`;
        indices.push({ name, type: element.index.text });
        [element, inside] = [element.element, inside?.parts.get('*')];
    }
    if (element.kind === 'bag' && element.places !== undefined) {
        indices.push({ name: 'place', type: element.places });
    }
    const body = writeElement(element, value, cell, inside);
    const isAlike = !indices.some(({ name }) => new RegExp(`\\b${name}\\b`).test(body.text));
    return indices.length === 0 || (place === 'whole' && isAlike) ? body : comprehension(indices, body);
}

function writeElement(
    type: DataType,
    value: CellValue,
    cell: Variable | undefined,
    shape: Shape | undefined,
): Expression {
    switch (type.kind) {
        case 'record':
            return call(
                type.text,
                ...type.fields.map(field => write(field.type, value, field, shape?.parts.get(field.name), 'part')),
            );
        case 'array':
            return list(
                valuesOf(type.index).map(text => write(type.element, value, cell, shape?.parts.get(text), 'part')),
            );
        case 'bag':
            return type.places === undefined ? atom('{}') : NONE;
        default:
            return shape?.value ?? value(type, cell);
    }
}
