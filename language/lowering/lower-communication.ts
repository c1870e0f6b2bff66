/** The communication of a step: an event, a message to send, or a pattern for a message to receive. */
import { invariant, unreachable } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { NONE } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { Communication } from '../../engine/model/model.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import * as ast from '../generated/nodes.js';
import { isConstructor } from '../references/constructors.js';
import { isPlace } from '../references/places.js';
import { rangeOf } from '../tree/source-text.js';
import { selectElement } from '../representation/array.js';
import { binary, numberOf } from '../representation/build-expression.js';
import { LoweredCases } from '../representation/cases.js';
import { scalarValue } from '../representation/cell.js';
import type { LoweredValue, Shape } from '../representation/shape.js';
import { lowerChannel } from './channel-place.js';
import { lowerIndices, lowerValue, type LoweringContext } from './context.js';
import { lowerAssignment, type ScalarAssignment } from './lower-assignment.js';
import { comparison } from '../representation/combine.js';
import { lowerAccess } from './lower-reference.js';

/** The communication of a step that names an event or a channel. */
export function lowerCommunication(step: ast.Step, place: ast.Expression, context: LoweringContext): Communication {
    const range = rangeOf(place);
    if (step.message !== undefined) {
        const { place: channel, message } = lowerChannel(place, context);
        return { kind: 'send', channel, values: message.scalarsOf(lowerValue(step.message, context)).flat(), range };
    }
    if (step.pattern !== undefined) {
        const { place: channel, message } = lowerChannel(place, context);
        const received = messageOf(message, rangeOf(step.pattern));
        return { kind: 'receive', channel, ...matched(step.pattern, received, context), range };
    }
    const event = ast.isReference(place) ? place.target.ref : undefined;
    invariant(ast.isReference(place) && ast.isEventDeclaration(event), 'the event of a checked step is declared');
    return {
        kind: 'event',
        event: context.table.positionOf(event),
        arguments: lowerIndices(place.indices, context.constants.argumentsOf(event), context),
        range,
    };
}

/** The message that a receive matches. */
function messageOf(shape: Shape, range: SourceRange): LoweredValue {
    let next = 0;
    const leaves = shape.leaves().map(({ indices }) => {
        const first = next;
        next += sizeOfArray(indices);
        return { first, indices };
    });
    return shape.read((position, indices) => {
        const leaf = leaves[position];
        invariant(leaf !== undefined, 'a message has the leaves of its shape');
        const element = selectElement(
            leaf.indices,
            indices,
            row => scalarValue({ kind: 'message', position: leaf.first + row, range }),
            range,
        );
        return element.toScalar();
    }, range);
}

interface Matching {
    readonly tests: Expression[];
    readonly bindings: ScalarAssignment[];
}

/** Whether a message matches a pattern, and what is written then, in the order of the text. */
export function matched(pattern: ast.Pattern, message: LoweredValue, context: LoweringContext): Matching {
    const matching: Matching = { tests: [], bindings: [] };
    matchPattern(pattern, message, matching, context);
    return matching;
}

function matchPattern(pattern: ast.Pattern, message: LoweredValue, matching: Matching, context: LoweringContext): void {
    switch (pattern.$type) {
        case 'WildcardPattern':
            return;
        case 'RecordPattern':
        case 'CasePattern': {
            const named = ast.isCasePattern(pattern) ? pattern.case.ref : undefined;
            const fieldAt = matchedFields(message, named, rangeOf(pattern), matching);
            pattern.parts.forEach((part, position) =>
                matchPattern(part, fieldAt(position, rangeOf(part)), matching, context),
            );
            return;
        }
        case 'ExpressionPattern':
            if (pattern.equal) {
                testEqual(pattern.value, message, matching, context);
            } else {
                matchExpression(pattern.value, message, matching, context);
            }
            return;
        default:
            return unreachable(pattern);
    }
}

/** A place is written, the parts of a record are matched one by one, any other expression must be equal. */
function matchExpression(
    expression: ast.Expression,
    message: LoweredValue,
    matching: Matching,
    context: LoweringContext,
): void {
    const constructed = ast.isCall(expression) ? expression.function.ref : undefined;
    if (ast.isCall(expression) && isConstructor(constructed)) {
        const fieldAt = matchedFields(message, constructed, rangeOf(expression), matching);
        expression.arguments.forEach((part, position) =>
            matchExpression(part, fieldAt(position, rangeOf(part)), matching, context),
        );
    } else if (isPlace(expression)) {
        const target = lowerAccess(expression, context, rangeOf(expression));
        matching.bindings.push(...lowerAssignment(target, message));
    } else {
        testEqual(expression, message, matching, context);
    }
}

/** The fields of a message that matches a record or a case; `none` and other cases do not match. */
function matchedFields(
    message: LoweredValue,
    named: ast.Named | undefined,
    range: SourceRange,
    { tests }: Matching,
): (position: number, range: SourceRange) => LoweredValue {
    if (ast.isEnumerationValue(named)) {
        const position = named.$container.values.indexOf(named);
        const cases = message.cases();
        const fields = cases?.fields[position];
        invariant(cases !== undefined && fields !== undefined, 'a checked message may have each case of its type');
        tests.push(binary('==', cases.tag, numberOf(position, range), range));
        return field => fields[field] ?? message;
    }
    if (!(message instanceof LoweredCases)) {
        return (field, part) => message.field(field, part);
    }
    tests.push(binary('!=', message.cases().tag, numberOf(NONE, range), range));
    const present = message.present();
    return (field, part) => present.field(field, part);
}

function testEqual(
    expression: ast.Expression,
    message: LoweredValue,
    { tests }: Matching,
    context: LoweringContext,
): void {
    tests.push(comparison('==', message, lowerValue(expression, context), rangeOf(expression)));
}
