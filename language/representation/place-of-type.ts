/** The shape of a place that can hold every value of a type. */
import { unreachable } from '../../engine/common/assert.js';
import { BOOLEAN } from '../../engine/model/domain.js';
import { NUMBERS } from '../../engine/model/with-numbers.js';
import { ArrayShape } from './array.js';
import { BagShape } from './bag.js';
import { ScalarShape } from './cell.js';
import { SequenceShape } from './sequence.js';
import { SetShape } from './set.js';
import type { Shape, Type } from './shape.js';

/** The shape of the part that so many indices name; undefined if there is no such part. */
export function partOfShape(shape: Shape, count: number): Shape | undefined {
    if (count === 0) {
        return shape;
    }
    if (shape instanceof SequenceShape) {
        return partOfShape(shape.member, count - 1);
    }
    if (shape instanceof BagShape) {
        return partOfShape(shape.inner().shape, count - 1);
    }
    const own = Math.min(count, shape.indices.length);
    return shape instanceof ArrayShape ? partOfShape(shape.row(own), count - own) : undefined;
}

/** Undefined for `none` alone, and if the type is not known. */
export function shapeOfType(type: Type): Shape | undefined {
    switch (type.kind) {
        case 'integer':
            return new ScalarShape({ kind: 'range', low: type.low, high: type.high });
        case 'number':
            return new ScalarShape(NUMBERS);
        case 'boolean':
            return new ScalarShape(BOOLEAN);
        case 'enumeration':
            return new ScalarShape(type.domain);
        case 'sequence': {
            const member = shapeOfType(type.member);
            return type.shape ?? (member && new SequenceShape(type.most, member));
        }
        case 'set': {
            const member = type.shape === undefined ? shapeOfType(type.member)?.asCell() : undefined;
            const { copies } = type;
            return (
                type.shape ?? (member && (copies === undefined ? new SetShape(member) : new BagShape(member, copies)))
            );
        }
        case 'named':
            return type.shape;
        case 'optional':
            return shapeOfType(type.base)?.withNone();
        case 'array': {
            const element = shapeOfType(type.element);
            return element && new ArrayShape(type.indices, element);
        }
        case 'none':
        case 'unknown':
            return undefined;
        default:
            return unreachable(type);
    }
}
