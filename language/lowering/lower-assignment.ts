/** Assignments to places of any type, scalar by scalar; a record in one cell is written as a whole. */
import { invariant } from '../../engine/common/assert.js';
import type { Expression, Place } from '../../engine/model/expression.js';
import { all, evaluated } from '../representation/build-expression.js';
import type { LoweredValue } from '../representation/shape.js';

export interface ScalarAssignment {
    readonly target: Place;
    readonly value: Expression;
}

/** `target` is the present value of the place, `value` the new one. */
export function lowerAssignment(target: LoweredValue, value: LoweredValue): ScalarAssignment[] {
    const shape = target.shape();
    const [values, targets] = [shape.scalarsOf(value), shape.scalarsOf(target)];
    const written = new Map<Expression, Expression>();
    const places = shape.leaves().map(({ segments }, leaf) => ({ leaf, isLength: segments.at(-1)?.isLength === true }));
    // Values of places read the length before, which therefore changes last.
    for (const { leaf } of [...places.filter(each => !each.isLength), ...places.filter(each => each.isLength)]) {
        targets[leaf]?.forEach((place, row) => {
            const scalar = values[leaf]?.[row];
            invariant(scalar !== undefined, 'both sides of a checked assignment have the same scalars');
            write(place, scalar, written);
        });
    }
    return [...written].flatMap(([place, scalar]) =>
        place.kind === 'read' ? [{ target: place.place, value: scalar }] : [],
    );
}

/** Notes the new value of a place, and those of the records that contain it. */
function write(place: Expression, value: Expression, written: Map<Expression, Expression>): void {
    written.set(place, value);
    switch (place.kind) {
        case 'read':
            return;
        case 'conditional': {
            // A field of a case, which a place holds in this case only; a place of a sequence, which must be there. The value comes first.
            const isPlace = place.otherwise.kind === 'fault' && place.otherwise.fault === 'index';
            const condition = all([evaluated([value]), place.condition]) ?? place.condition;
            write(place.then, isPlace ? { ...place, condition, then: value } : value, written);
            return;
        }
        case 'field': {
            const { record, domain } = place;
            const before = written.get(record) ?? record;
            const fields = domain.fields.map((_, field): Expression => {
                if (field === place.field) {
                    return value;
                }
                return before.kind === 'record'
                    ? (before.fields[field] ?? before)
                    : { ...place, record: before, field };
            });
            write(record, { kind: 'record', domain, fields, range: place.range }, written);
            return;
        }
        case 'select':
            // An element of an array in such a record, with an unknown index: each element may be the one to change.
            place.options.forEach((option, code) => {
                const chosen: Expression = {
                    ...place,
                    options: place.options.map((_, other) => (other === code ? value : option)),
                };
                write(option, chosen, written);
            });
            return;
        default:
            invariant(false, 'a checked place can be written');
    }
}
