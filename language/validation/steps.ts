/** Steps: guard, communication, body. */
import * as ast from '../generated/nodes.js';
import { formatNumberOf } from '../../engine/describe/words.js';
import { describeNamed } from '../problems/describe.js';
import { isConstructor } from '../references/constructors.js';
import { bagChannelOf, isPlace, rootOf } from '../references/places.js';
import { rangeOf, textOf } from '../tree/source-text.js';
import { ARGUMENT } from '../typing/expression-checks.js';
import { fixOf } from '../problems/remedy.js';
import { BagShape } from '../representation/bag.js';
import { shapeWithFields } from '../representation/enumeration.js';
import { recordShapeOf, type RecordShape } from '../representation/record.js';
import type { Shape } from '../representation/shape.js';
import { describeType, areComparable, fitOf } from '../representation/type.js';
import type { CheckContext } from './check-context.js';
import {
    checkAssignment,
    checkBody,
    checkOneCase,
    checkPlace,
    checkProcedureCall,
    describePlace,
} from './statements.js';

export function checkStep(step: ast.Step, context: CheckContext): void {
    const { inference, problems } = context;
    const known = step.guard === undefined ? undefined : inference.checkCondition(step.guard, 'the guard after `when`');
    if (step.assertion !== undefined) {
        inference.checkCondition(step.assertion, 'the condition after `assert`');
    }
    problems.whileUnreachable(known === false, () => {
        if (step.spawn !== undefined) {
            inference.typeOf(step.spawn);
        }
        if (step.call !== undefined) {
            checkProcedureCall(step.call, context);
        }
        const message = step.pattern && step.place && messageOf(step, step.place, 'what stands before `?`', context);
        // Of an empty type nothing is ever received.
        problems.whileUnreachable(message !== undefined && message.hasNoValue(), () => {
            if (step.place !== undefined) {
                checkAction(step, step.place, message, context);
            }
            if (step.body !== undefined) {
                checkBody(step.body, context);
            }
        });
    });
}

/** The shape of the messages of the channel that a step names; undefined if it names none. */
function messageOf(
    step: ast.Step,
    place: ast.Expression,
    what: string,
    { inference }: CheckContext,
): Shape | undefined {
    if (bagChannelOf(step) === undefined) {
        return inference.checkChannel(place, what)?.message;
    }
    const bag = inference.typeOf(place).kind === 'unknown' ? undefined : inference.shapeOf(place);
    return bag instanceof BagShape ? bag.member : inference.checkChannel(place, what)?.message;
}

/** The action of a step before its body: an assignment, a send, a receive of this message, an event. */
function checkAction(step: ast.Step, place: ast.Expression, received: Shape | undefined, context: CheckContext): void {
    const { inference } = context;
    if (step.value !== undefined) {
        checkAssignment(place, step.value, context);
    } else if (step.message !== undefined) {
        const message = messageOf(step, place, 'what stands before `!`', context);
        inference.checkFit(step.message, message, `a message of ${describePlace(place)}`);
    } else if (step.pattern !== undefined) {
        checkPattern(step.pattern, received, new Set(), context);
    } else {
        checkEvent(place, context);
    }
}

function checkEvent(place: ast.Expression, context: CheckContext): void {
    const { constants, inference, problems } = context;
    const event = rootOf(place);
    if (ast.isReference(place) && ast.isEventDeclaration(event)) {
        inference.checkIndices(place, constants.argumentsOf(event), `event \`${event.name}\``, ARGUMENT);
        return;
    }
    if (event === undefined) {
        return;
    }
    const name = describePlace(place);
    const hint =
        ast.isChannelDeclaration(event) || (ast.isVariable(event) && event.type.isOfChannel)
            ? `; send with \`${event.name} ! …\`, receive with \`${event.name} ? …\``
            : ast.isVariable(event)
              ? `; assign to it with ${name.slice(0, -1)} := …\``
              : '';
    const message = `a step is expected here, but \`${event.name}\` is ${describeNamed(event)}${hint}`;
    problems.error('type/not-an-event', message, rangeOf(place));
}

/** Checks the pattern of a receive. `bound` has the texts of the places that the pattern has bound so far. */
function checkPattern(
    pattern: ast.Pattern,
    message: Shape | undefined,
    bound: Set<string>,
    context: CheckContext,
): void {
    switch (pattern.$type) {
        case 'WildcardPattern':
            return;
        case 'RecordPattern':
            checkParts(pattern.parts, pattern, recordShapeOf(message), message, bound, context);
            return;
        case 'CasePattern':
            checkConstructed(pattern.case.ref, pattern.parts, pattern, message, bound, context);
            return;
        case 'ExpressionPattern':
            if (pattern.equal) {
                checkMatch(pattern.value, message, context);
            } else {
                checkExpressionPattern(pattern.value, message, bound, context);
            }
    }
}

function checkExpressionPattern(
    expression: ast.Expression,
    message: Shape | undefined,
    bound: Set<string>,
    context: CheckContext,
): void {
    const constructed = ast.isCall(expression) ? expression.function.ref : undefined;
    if (isPlace(expression)) {
        checkBinding(expression, message, bound, context);
    } else if (ast.isCall(expression) && isConstructor(constructed)) {
        checkConstructed(constructed, expression.arguments, expression, message, bound, context);
    } else {
        checkMatch(expression, message, context);
    }
}

/** Checks the patterns for the fields of a record or a case that is named. */
function checkConstructed(
    named: ast.Named | undefined,
    parts: readonly (ast.Pattern | ast.Expression)[],
    node: ast.Pattern | ast.Expression,
    message: Shape | undefined,
    bound: Set<string>,
    context: CheckContext,
): void {
    const cases = message && casesOf(message);
    const own = cases?.find(({ declaration }) => declaration === named);
    const isNone = message !== undefined && own === undefined && named !== undefined;
    if (isNone) {
        const text = `the messages here are ${message.describe()}, so none is a \`${named.name}\``;
        context.problems.error('channel/pattern', text, rangeOf(node));
    }
    checkParts(parts, node, own, isNone ? undefined : message, bound, context);
}

/** The records or cases that a message may be. */
function casesOf({ type }: Shape): readonly RecordShape[] {
    return shapeWithFields(type.kind === 'optional' ? type.base : type)?.cases ?? [];
}

/** Checks the patterns for the fields of a record or a case. */
function checkParts(
    parts: readonly (ast.Pattern | ast.Expression)[],
    node: ast.Pattern | ast.Expression,
    fields: RecordShape | undefined,
    message: Shape | undefined,
    bound: Set<string>,
    context: CheckContext,
): void {
    const record = message === undefined ? undefined : checkCount(fields, message, parts, node, context);
    parts.forEach((part, position) => {
        const shape = record?.fields[position]?.shape;
        if (ast.isPattern(part)) {
            checkPattern(part, shape, bound, context);
        } else {
            checkExpressionPattern(part, shape, bound, context);
        }
    });
}

function checkCount(
    record: RecordShape | undefined,
    message: Shape,
    parts: readonly unknown[],
    node: ast.Pattern | ast.Expression,
    { problems }: CheckContext,
): RecordShape | undefined {
    if (record === undefined) {
        const hint =
            casesOf(message).length > 1
                ? 'which have several cases; name one'
                : 'which has no parts; write one pattern';
        const text = `the messages here are ${message.describe()}, ${hint}`;
        problems.error('channel/pattern', text, rangeOf(node));
        return undefined;
    }
    if (record.fields.length !== parts.length) {
        const fields = record.fields.map(field => field.name).join(', ');
        problems.error(
            'channel/pattern',
            `a \`${record.name}\` has ${formatNumberOf(record.fields.length, 'field')} (${fields}), but here are ${parts.length} parts; ` +
                '`_` stands for what does not matter',
            rangeOf(node),
        );
        return undefined;
    }
    return record;
}

function checkBinding(
    place: ast.Expression,
    message: Shape | undefined,
    bound: Set<string>,
    context: CheckContext,
): void {
    const shape = checkPlace(place, context);
    checkOneCase(place, context.problems);
    const text = textOf(place) ?? '';
    if (bound.has(text)) {
        const message = `${describePlace(place)} is bound twice and keeps what comes last; to compare with its value write \`== ${text}\``;
        const range = rangeOf(place);
        context.problems.warning(
            'channel/pattern',
            message,
            range,
            [],
            fixOf({ kind: 'replace', text: `== ${text}` }, range),
        );
    }
    bound.add(text);
    if (shape === undefined || message === undefined) {
        return;
    }
    const type = message.type;
    const fit = fitOf(type, shape);
    const expected = `${describePlace(place)} has the type ${shape.describe()}, but what is received is`;
    if (fit === 'mismatch') {
        context.problems.error('type/mismatch', `${expected} ${describeType(type)}`, rangeOf(place));
    } else if (fit === 'outside') {
        const received = `${expected} ${message.describe()}`;
        context.problems.faultWhenReached('type/out-of-range', received, rangeOf(place));
    }
}

/** Checks a value that must be equal to the message. */
function checkMatch(
    expression: ast.Expression,
    message: Shape | undefined,
    { inference, problems }: CheckContext,
): void {
    const type = inference.typeOf(expression);
    if (message === undefined || type.kind === 'unknown') {
        return;
    }
    const messages = `the messages here are ${message.describe()}`;
    if (!areComparable(type, message.type)) {
        const text = `${messages}, so none is equal to ${describeType(type)}`;
        problems.error('channel/pattern', text, rangeOf(expression));
    } else if (fitOf(type, message) === 'outside') {
        problems.faultWhenReached('channel/pattern', `${messages}, so this value never comes`, rangeOf(expression));
    }
}
