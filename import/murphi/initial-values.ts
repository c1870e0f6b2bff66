/** Values of whole types: the first one, as `clear` sets it, and the undefined one. */
import { atom, call, FALSE, NONE, type Expression } from './orbit-syntax.js';
import type { DataType, SimpleType, Variable } from './symbols.js';

/** The value of a simple cell; a record has fields of its own. */
type CellValue = (type: SimpleType, cell: Variable | undefined) => Expression;

export function firstValue(type: SimpleType): Expression {
    switch (type.kind) {
        case 'boolean':
            return FALSE;
        case 'scalarset':
            return atom(1);
        case 'enumeration':
            return atom(type.members[0] ?? '');
        case 'number':
            return type.isOpen ? atom(type.bounds.slice(0, type.bounds.indexOf(' .. '))) : atom(type.low);
    }
}

export function undefinedValue(type: SimpleType, cell: Variable | undefined): Expression {
    return cell?.isOptional === false ? firstValue(type) : NONE;
}

/** What can be assigned to all cells of a place: an array takes the value of one element. */
export function filling(type: DataType, value: CellValue, cell?: Variable): Expression {
    return type.kind === 'array' ? filling(type.element, value, cell) : part(type, value, cell);
}

function part(type: DataType, value: CellValue, cell: Variable | undefined): Expression {
    switch (type.kind) {
        case 'record':
            return call(type.text, ...type.fields.map(field => part(field.type, value, field)));
        case 'array': {
            const binders = [];
            let element: DataType = type;
            while (element.kind === 'array') {
                binders.push({
                    name: `index${binders.length === 0 ? '' : binders.length + 1}`,
                    type: element.index.text,
                });
                element = element.element;
            }
            return { kind: 'comprehension', binders, body: part(element, value, cell) };
        }
        default:
            return value(type, cell);
    }
}
