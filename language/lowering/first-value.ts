/** The first value of a type: of a variable without an initial value, and of `first(T)`. */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { firstConstant } from '../representation/build-expression.js';
import type { LoweredValue, Shape } from '../representation/shape.js';

export function firstValueOf(shape: Shape, range: SourceRange): LoweredValue {
    const elements = shape.leaves().map(leaf => leaf.element);
    return shape.read(leaf => {
        const element = elements[leaf];
        invariant(element !== undefined, 'a shape has its leaves');
        return firstConstant(element, range);
    }, range);
}
