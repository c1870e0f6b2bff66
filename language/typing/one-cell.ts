/**
 * What must fit into one cell: an index, a binder, an optional value. Arrays and large records do not; values with
 * references to instances are not known before a run, so an index or a binder cannot run through them.
 */
import { isReference, type Domain } from '../../engine/model/domain.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type * as ast from '../generated/nodes.js';
import { formatCount } from '../problems/describe.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { rangeOf } from '../tree/source-text.js';
import { ChannelShape } from '../representation/channel.js';
import { RecordShape } from '../representation/record.js';
import { isDomain, TUPLE_LIMIT, type Shape } from '../representation/shape.js';

/** The domain of an index or a binder, which run through values: a template, or a type without references. */
export function withoutReferences(
    shape: Shape | undefined,
    node: ast.Type | ast.IndexType,
    reason: string,
    problems: ProblemCollector,
): Domain | undefined {
    if (shape !== undefined && shape.indices.length === 0 && shape.holdsReference() && !isTemplateItself(shape)) {
        const message =
            'the values of this type are not known before a run, since they hold references to instances; ' +
            'only the template itself may stand here';
        problems.error('reference/constant', message, rangeOf(node));
        return undefined;
    }
    return atomicOf(shape, node, reason, problems);
}

/** The shape with `none`, if the element type has a `?`. All optional values but channels are in one cell. */
export function withOptional(
    shape: Shape | undefined,
    element: ast.RangeType | ast.BooleanType,
    problems: ProblemCollector,
): Shape | undefined {
    if (!element.optional || shape === undefined) {
        return shape;
    }
    if (shape.isOptional) {
        problems.error('type/optional-twice', 'the type is optional already', rangeOf(element));
        return undefined;
    }
    // The domain of a channel is not computed here: its messages may not be known yet.
    const isPossible =
        shape instanceof ChannelShape ||
        atomicOf(shape, element, 'an array cannot be optional', problems) !== undefined;
    return isPossible ? shape.withNone() : undefined;
}

/** The values of a record with a reference in it are not known before a run. */
export function reportReferenceIn(
    { name }: RecordShape,
    consequence: string,
    range: SourceRange,
    problems: ProblemCollector,
): void {
    const message =
        `\`${name}\` holds a reference to an instance, so its values are not known before a run and it ` +
        `${consequence}; a field may be optional`;
    problems.error('reference/record', message, range);
}

/** The domain of a shape that must fit into one cell. `reason` is the message for an array. */
function atomicOf(
    shape: Shape | undefined,
    node: ast.Type | ast.IndexType | ast.ElementType,
    reason: string,
    problems: ProblemCollector,
): Domain | undefined {
    if (shape instanceof RecordShape && shape.holdsReference()) {
        reportReferenceIn(shape, 'cannot be optional', rangeOf(node), problems);
        return undefined;
    }
    const domain = shape && shape.oneCell();
    if (domain === undefined || isDomain(domain)) {
        return domain;
    }
    if (domain.problem === 'array') {
        problems.error('type/array-not-allowed', reason, rangeOf(node));
    } else {
        const count = Number.isFinite(domain.count) ? formatCount(domain.count) : 'too many';
        problems.tooLarge(`a record of ${count} values is too large here`, TUPLE_LIMIT, rangeOf(node));
    }
    return undefined;
}

/** Whether a type is that of the references to the instances of a template, without `none`. */
function isTemplateItself({ type }: Shape): boolean {
    return type.kind === 'enumeration' && isReference(type.domain);
}
