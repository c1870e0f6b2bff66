/**
 * `s := s union { e, … }` and `s := s minus { e, … }`: only the cells of these elements are written, and no cell of the set is
 * read. So the insertion of one element does not depend on that of another one. Other values write all cells.
 */
import * as ast from '../generated/nodes.js';
import { BOOLEAN } from '../../engine/model/domain.js';
import { isListedSet } from '../references/binders.js';
import { constantOf } from '../representation/build-expression.js';
import { LoweredScalar, ScalarShape, scalarValue } from '../representation/cell.js';
import { isPartOf } from '../representation/domains.js';
import { insideDomain, isInside } from '../representation/inside-domain.js';
import { LoweredSet } from '../representation/set.js';
import type { CellShape, LoweredValue } from '../representation/shape.js';
import { isSame } from '../typing/narrowing.js';
import { rangeOf } from '../tree/source-text.js';
import { lowerValue, type LoweringContext } from './context.js';
import type { ScalarAssignment } from './lower-assignment.js';

interface Change {
    readonly element: ast.Expression;
    readonly isIn: boolean;
}

/** The writes for a set `target` that is changed element by element; undefined if the value is another one. */
export function lowerSetChange(
    place: ast.Expression,
    value: ast.Expression,
    target: LoweredValue,
    context: LoweringContext,
): ScalarAssignment[] | undefined {
    const changes = changesOf(value, place);
    if (changes === undefined || !(target instanceof LoweredSet)) {
        return undefined;
    }
    const writes = changes.map(change => writeOf(change, target, context));
    return writes.every(write => write !== undefined) ? writes : undefined;
}

/** The elements that come and go, in the order of the text. */
function changesOf(value: ast.Expression, place: ast.Expression): Change[] | undefined {
    if (!ast.isBinaryExpression(value) || (value.operator !== 'union' && value.operator !== 'minus')) {
        return undefined;
    }
    const { left, right, operator } = value;
    const before = isSame(left, place) ? [] : changesOf(left, place);
    const isListed = isListedSet(right) && right.elements.every(({ high }) => high === undefined);
    return before === undefined || !isListed
        ? undefined
        : [...before, ...right.elements.map(({ low }) => ({ element: low, isIn: operator === 'union' }))];
}

function writeOf(
    { element, isIn }: Change,
    target: LoweredSet,
    context: LoweringContext,
): ScalarAssignment | undefined {
    const { member } = target.shape();
    const { value, isSure } = elementIn(element, member, context);
    // What is not in the type is not in the set; to add it is the fault `range`.
    if (!isSure && !isIn) {
        return undefined;
    }
    // A value of the type: no test stands before its cell.
    const place = target.has(value);
    return place.kind === 'read'
        ? { target: place.place, value: constantOf(isIn ? 1 : 0, BOOLEAN, rangeOf(element)) }
        : undefined;
}

/** A value as one of a type, with the fault `range` where it may be none. */
export function elementIn(
    element: ast.Expression,
    member: CellShape,
    context: LoweringContext,
): { readonly value: LoweredValue; readonly isSure: boolean } {
    const value = lowerValue(element, context);
    const own = member.valueAs(value);
    const isUnchecked = value instanceof LoweredScalar && value.isUnchecked;
    // Whether it is one of the type is asked once, below.
    const expression = own instanceof LoweredScalar && !isUnchecked ? own.expression : own.toScalar();
    const source = value.cellShape()?.domain;
    const bounds = context.constants.types?.shapeOf(element);
    const isSure =
        isInside(expression, source, member.domain) ||
        (bounds instanceof ScalarShape && isPartOf(bounds.domain, member.domain));
    return {
        value: scalarValue(isSure ? expression : insideDomain(expression, source, member.domain), member),
        isSure,
    };
}
