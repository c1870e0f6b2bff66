/** A value that has several parts and one cell as a shape of its own, over its parts in the place of cells. */
import { remembered } from '../common/list-map.js';
import { codeOfValue, valueOfCode, type RecordDomain, type Value } from '../model/domain.js';
import type { ValueFormat } from '../model/value-format.js';
import { shapeOfFormat, type Shape } from './shapes.js';

export interface RecordShape {
    readonly shape: Shape;
    /** By value the codes of its parts. */
    readonly codesOf: (value: Value) => Int32Array;
}

const known = new WeakMap<RecordDomain, RecordShape>();

export function shapeOfRecord(domain: RecordDomain): RecordShape {
    return remembered(known, domain, () => shapeAnew(domain));
}

function shapeAnew({ name, fields, format, elements, tuples }: RecordDomain): RecordShape {
    const asWritten: ValueFormat<number> = format ?? {
        kind: 'record',
        name,
        fields: fields.map((_, place) => ({ kind: 'scalar', place })),
    };
    // The name of a field has that of its case in front.
    const names = fields.map(field =>
        asWritten.kind === 'cases' ? field.name.replace(/^[^.]*/, '') : `.${field.name}`,
    );
    const parts = fields.map((field, place) => ({ name: names[place], domain: field.domain }));
    const shape = shapeOfFormat(
        asWritten,
        parts,
        place =>
            elements === undefined
                ? { domain: fields[place].domain, value: place }
                : { domain: elements, value: valueOfCode(elements, place) },
        0,
    );
    const codes = new Map<Value, Int32Array>();
    return {
        shape,
        codesOf: value =>
            remembered(codes, value, () =>
                Int32Array.from(tuples[value], (part, place) => codeOfValue(fields[place].domain, part)),
            ),
    };
}
