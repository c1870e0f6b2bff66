/** Values that are known before a run: as expressions, and as the parameters of the model. */
import { unreachable } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { NONE } from '../../engine/model/domain.js';
import { cellValueOf, type ConstantValue } from '../typing/constant-value.js';
import type { Shape } from '../typing/shape.js';
import { cellShapeOf, isUnknown, scalarValue, selectElement, type LoweredValue } from './lowered-value.js';

/** `shape` is that of the value. */
export function lowerConstantValue(value: ConstantValue, shape: Shape, range: SourceRange): LoweredValue {
    switch (shape.kind) {
        case 'array': {
            const elements = typeof value !== 'number' && value.kind === 'array' ? value.elements : [];
            return {
                kind: 'array',
                indices: shape.indices,
                element: indices =>
                    selectElement(
                        shape.indices,
                        indices,
                        row => lowerConstantValue(elements[row] ?? NONE, shape.element, range),
                        range,
                    ),
            };
        }
        case 'record': {
            if (shape.atomic === undefined && typeof value !== 'number' && value.kind === 'record') {
                const fields = shape.fields.map((field, position) =>
                    lowerConstantValue(value.fields[position] ?? NONE, field.shape, range),
                );
                return { kind: 'record', shape, fields, range };
            }
            const cell = cellShapeOf(shape);
            return scalarValue(
                { kind: 'constant', value: cellValueOf(value) ?? NONE, domain: cell.domain, range },
                cell,
            );
        }
        case 'scalar':
        case 'channel': {
            const scalar = cellValueOf(value) ?? NONE;
            return scalarValue(
                {
                    kind: 'constant',
                    value: scalar,
                    ...(isUnknown(shape.domain) ? {} : { domain: shape.domain }),
                    range,
                },
                shape,
            );
        }
        default:
            return unreachable(shape);
    }
}
