/**
 * What must fit into one cell: an index, a binder, an event argument. Arrays and large records do not; values with
 * references to instances are not known before a run, so an index or a binder cannot run through them.
 */
import { baseOf, domainSize, isNames, isNumber, isReference, type Domain } from '../../engine/model/domain.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import type * as ast from '../generated/nodes.js';
import { formatCount } from '../problems/describe.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { rangeOf } from '../tree/source-text.js';
import { ChannelShape } from '../representation/channel.js';
import { EnumerationShape } from '../representation/enumeration.js';
import { RecordShape } from '../representation/record.js';
import { SequenceShape } from '../representation/sequence.js';
import { SET_LIMIT } from '../representation/set.js';
import { isDomain, TUPLE_LIMIT, type CellShape, type Shape } from '../representation/shape.js';

/** The domain of an index or a binder, which run through values: a template, or a type without references. */
export function withoutReferences(
    shape: Shape | undefined,
    node: ast.Type | ast.IndexType | ast.Expression,
    reason: string,
    problems: ProblemCollector,
    isChoice = false,
): Domain | undefined {
    if (shape !== undefined && shape.indices.length === 0 && holdsNames(shape)) {
        if (isChoice && isTemplateItself(shape)) {
            return shape.asCell().domain;
        }
        problems.error('name/place', notListed(shape), rangeOf(node));
        return undefined;
    }
    if (shape !== undefined && shape.indices.length === 0 && shape.holdsReference() && !isTemplateItself(shape)) {
        const message =
            'the values of this type are not known before a run, since they hold references to instances; ' +
            'only the template itself may stand here';
        problems.error('reference/constant', message, rangeOf(node));
        return undefined;
    }
    if (shape !== undefined && shape.indices.length === 0 && holdsNumber(shape)) {
        const message =
            'numbers without end are not listed: an index, a variable that runs through values, and an argument of an ' +
            'event need a bound, `0 .. 9`';
        problems.error('number/place', message, rangeOf(node));
        return undefined;
    }
    return atomicOf(shape, node, reason, problems);
}

/** Whether a place holds a value without end that is only compared. */
export function holdsNames(shape: Shape): boolean {
    return shape.leaves().some(({ element }) => isNames(element));
}

function notListed(shape: Shape): string {
    const [names] = shape.leaves().flatMap(({ element }) => (isNames(element) ? [baseOf(element)] : []));
    const type = names?.kind === 'enumeration' ? names.name : 'T';
    return (
        'values without end are not listed, so they are no index, no argument of an event and run through by no variable ' +
        `but that of a choice, \`choose v in ${type}\``
    );
}

/** Whether a place holds a number without end. */
export function holdsNumber(shape: Shape): boolean {
    return shape.leaves().some(({ element }) => isNumber(element));
}

export const NO_REFERENCES =
    'a set holds no references to instances yet; hold a truth value for each instance, `bool[W]`';
export const NO_NAMES =
    'a set or a bag has a cell for each value of its type, so it holds no values without end yet; hold them in a sequence';
const NO_COUNTED_REFERENCES = 'a bag holds no references to instances yet; hold a count for each instance, `0 .. 2[W]`';

/** The shape of an element of a set or a bag, which has a cell for each value of the type. */
export function memberShapeOf(
    shape: Shape | undefined,
    set: ast.SetType | ast.BagType,
    problems: ProblemCollector,
): CellShape | undefined {
    if (shape !== undefined && holdsNames(shape)) {
        problems.error('name/place', NO_NAMES, rangeOf(set));
        return undefined;
    }
    if (shape?.holdsReference() === true) {
        const message = set.$type === 'SetType' ? NO_REFERENCES : NO_COUNTED_REFERENCES;
        problems.error('reference/set', message, rangeOf(set));
        return undefined;
    }
    if (shape !== undefined && holdsNumber(shape)) {
        const message = `the elements of a ${nameOf(set)} need an end; numbers without end are not elements yet`;
        problems.error('number/place', message, rangeOf(set));
        return undefined;
    }
    const domain = shape && shape.oneCell();
    const isTooLarge = domain !== undefined && !isDomain(domain) && domain.problem === 'too-large';
    if (shape !== undefined && isTooLarge && domain.elements === undefined) {
        reportTooManyElements(shape, domain.count, set, problems);
        return undefined;
    }
    const found = atomicOf(shape, set, `an array cannot be an element of a ${nameOf(set)}`, problems);
    if (shape === undefined || found === undefined) {
        return undefined;
    }
    if (domainSize(found) > TUPLE_LIMIT) {
        reportTooManyElements(shape, domainSize(found), set, problems);
        return undefined;
    }
    return shape.asCell();
}

function nameOf(set: ast.SetType | ast.BagType): string {
    return set.$type === 'SetType' ? 'set' : 'bag';
}

function reportTooManyElements(
    shape: Shape,
    count: number,
    set: ast.SetType | ast.BagType,
    problems: ProblemCollector,
): void {
    const isNamed = shape instanceof RecordShape || shape instanceof EnumerationShape;
    const fields = isNamed ? shape.cases.flatMap(each => each.fields) : [];
    const sizes = fields.map(field => {
        const domain = field.shape.element.oneCell();
        return isDomain(domain) ? domainSize(domain) ** sizeOfArray(field.shape.indices) : Number.POSITIVE_INFINITY;
    });
    const widest = fields[sizes.indexOf(Math.max(...sizes))];
    const hint = widest === undefined ? '' : `; the widest part is \`${widest.name}: ${widest.shape.format()}\``;
    const message = `a ${nameOf(set)} of ${shape.describe()} would have ${formatCount(count)} elements, at most ${formatCount(TUPLE_LIMIT)} are allowed${hint}`;
    problems.error('type/too-large', message, rangeOf(set));
}

/** The shape with `none`, if the element type has a `?`. */
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
    if (shape instanceof SequenceShape) {
        const message = 'a sequence cannot be optional; one without elements is `[]`';
        problems.error('type/array-not-allowed', message, rangeOf(element));
        return undefined;
    }
    // The domain of a channel is not computed here: its messages may not be known yet. Records and cases are split into their fields.
    const isPossible =
        shape instanceof ChannelShape ||
        shape instanceof RecordShape ||
        shape instanceof EnumerationShape ||
        atomicOf(shape, element, 'an array cannot be optional', problems) !== undefined;
    return isPossible ? shape.withNone() : undefined;
}

/** The values of a record with a reference in it are not known before a run. */
export function reportReferenceIn(
    shape: RecordShape,
    consequence: string,
    range: SourceRange,
    problems: ProblemCollector,
): void {
    const isOfNames = holdsNames(shape);
    const message =
        `\`${shape.name}\` holds a ${isOfNames ? 'value without end' : 'reference to an instance'}, so its values are not known before a run and it ` +
        `${consequence}; a field may be optional`;
    problems.error(isOfNames ? 'name/place' : 'reference/record', message, range);
}

/** The domain of a shape that must fit into one cell. `reason` is the message for an array. */
function atomicOf(
    shape: Shape | undefined,
    node: ast.Type | ast.IndexType | ast.ElementType | ast.Expression,
    reason: string,
    problems: ProblemCollector,
): Domain | undefined {
    const domain = shape && shape.oneCell();
    if (domain === undefined || isDomain(domain)) {
        return domain;
    }
    if (domain.problem === 'array') {
        problems.error('type/array-not-allowed', reason, rangeOf(node));
    } else if (domain.problem === 'bag') {
        const message =
            'a bag has a count for each value, so it is not one value; it stands in variables, fields and arrays';
        problems.error('type/array-not-allowed', message, rangeOf(node));
    } else if (domain.elements !== undefined) {
        const message =
            `a set is one value here, and then it has at most ${SET_LIMIT} elements to choose from, ` +
            `not ${formatCount(domain.elements)}`;
        problems.error('type/too-large', message, rangeOf(node));
    } else {
        const count = Number.isFinite(domain.count) ? formatCount(domain.count) : 'too many';
        const what = shape instanceof EnumerationShape ? 'an enumeration' : 'a record';
        problems.tooLarge(`${what} of ${count} values is too large here`, TUPLE_LIMIT, rangeOf(node));
    }
    return undefined;
}

/** Whether a type is that of the references to the instances of a template, without `none`. */
function isTemplateItself({ type }: Shape): boolean {
    return type.kind === 'enumeration' && isReference(type.domain);
}
