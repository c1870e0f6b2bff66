/** Steps: guard, communication, body. */
import * as ast from '../generated/ast.js';
import type { Expression, Pattern, Step } from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import { describeNamed } from '../typing/describe.js';
import type { RecordShape, Shape } from '../typing/shape.js';
import { ARGUMENT } from '../typing/type-inference.js';
import { areComparable, describeShape, describeType, fitOf, typeOfShape } from '../typing/type.js';
import type { CheckContext } from './check-context.js';
import { checkAssignment, checkBody, checkPlace, describePlace, isPlace, rootOf } from './statements.js';

export function checkStep(step: Step, context: CheckContext): void {
    const { inference, problems } = context;
    const known = step.guard === undefined ? undefined : inference.checkCondition(step.guard, 'the guard after `when`');
    if (step.assertion !== undefined) {
        inference.checkCondition(step.assertion, 'the condition after `assert`');
    }
    problems.whileUnreachable(known === false, () => {
        if (step.place !== undefined) {
            checkAction(step, step.place, context);
        }
        if (step.body !== undefined) {
            checkBody(step.body, context);
        }
    });
}

/** What a step does beside its body: an assignment, a send, a receive, an event. */
function checkAction(step: Step, place: Expression, context: CheckContext): void {
    const { inference } = context;
    if (step.value !== undefined) {
        checkAssignment(place, step.value, context);
    } else if (step.message !== undefined) {
        const channel = inference.checkChannel(place, 'what stands before `!`');
        if (channel === undefined) {
            inference.typeOf(step.message);
        } else {
            inference.checkFit(step.message, channel.message, `a message of ${describePlace(place)}`);
        }
    } else if (step.pattern !== undefined) {
        const channel = inference.checkChannel(place, 'what stands before `?`');
        checkPattern(step.pattern, channel?.message, new Set(), context);
    } else {
        checkEvent(place, context);
    }
}

function checkEvent(place: Expression, context: CheckContext): void {
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
    const hint = ast.isVariable(event)
        ? `; assign to it with ${name.slice(0, -1)} := …\``
        : ast.isChannelDeclaration(event)
          ? `; send with \`${event.name} ! …\`, receive with \`${event.name} ? …\``
          : '';
    problems.error(
        'type/not-an-event',
        `a step is expected here, but \`${event.name}\` is ${describeNamed(event)}${hint}`,
        rangeOf(place),
    );
}

/** What a receive expects. `bound` holds the texts of the places that the pattern has bound already. */
function checkPattern(pattern: Pattern, message: Shape | undefined, bound: Set<string>, context: CheckContext): void {
    switch (pattern.$type) {
        case 'WildcardPattern':
            return;
        case 'RecordPattern':
            checkParts(pattern.parts, pattern, message, bound, context);
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
    expression: Expression,
    message: Shape | undefined,
    bound: Set<string>,
    context: CheckContext,
): void {
    const constructed = ast.isCall(expression) ? expression.function.ref : undefined;
    if (isPlace(expression)) {
        checkBinding(expression, message, bound, context);
    } else if (ast.isCall(expression) && ast.isRecordDeclaration(constructed)) {
        if (message !== undefined && !(message.kind === 'record' && message.declaration === constructed)) {
            context.problems.error(
                'channel/pattern',
                `the messages here are ${describeShape(message)}, so none is a \`${constructed.name}\``,
                rangeOf(expression),
            );
            expression.arguments.forEach(part => checkExpressionPattern(part, undefined, bound, context));
            return;
        }
        checkParts(expression.arguments, expression, message, bound, context);
    } else {
        checkMatch(expression, message, context);
    }
}

/** The parts of a record. */
function checkParts(
    parts: readonly (Pattern | Expression)[],
    node: Pattern | Expression,
    message: Shape | undefined,
    bound: Set<string>,
    context: CheckContext,
): void {
    const record = message === undefined ? undefined : recordOf(message, parts, node, context);
    parts.forEach((part, position) => {
        const shape = record?.fields[position]?.shape;
        if (ast.isPattern(part)) {
            checkPattern(part, shape, bound, context);
        } else {
            checkExpressionPattern(part, shape, bound, context);
        }
    });
}

function recordOf(
    message: Shape,
    parts: readonly unknown[],
    node: Pattern | Expression,
    { problems }: CheckContext,
): RecordShape | undefined {
    if (message.kind !== 'record') {
        problems.error(
            'channel/pattern',
            `the messages here are ${describeShape(message)}, which has no parts; write one pattern`,
            rangeOf(node),
        );
        return undefined;
    }
    if (message.fields.length !== parts.length) {
        const fields = message.fields.map(field => field.name).join(', ');
        problems.error(
            'channel/pattern',
            `a \`${message.name}\` has ${message.fields.length} fields (${fields}), but here are ${parts.length} parts; ` +
                '`_` stands for what does not matter',
            rangeOf(node),
        );
        return undefined;
    }
    return message;
}

function checkBinding(place: Expression, message: Shape | undefined, bound: Set<string>, context: CheckContext): void {
    const shape = checkPlace(place, context);
    const text = place.$cstNode?.text ?? '';
    if (bound.has(text)) {
        context.problems.warning(
            'channel/pattern',
            `${describePlace(place)} is bound twice and keeps what comes last; to compare with its value write \`== ${text}\``,
            rangeOf(place),
        );
    }
    bound.add(text);
    if (shape === undefined || message === undefined) {
        return;
    }
    const type = typeOfShape(message);
    const fit = fitOf(type, shape);
    if (fit === 'mismatch') {
        context.problems.error(
            'type/mismatch',
            `${describePlace(place)} has the type ${describeShape(shape)}, but what is received is ${describeType(type)}`,
            rangeOf(place),
        );
    } else if (fit === 'outside') {
        context.problems.faultWhenReached(
            'type/out-of-range',
            `${describePlace(place)} has the type ${describeShape(shape)}, but what is received is ${describeShape(message)}`,
            rangeOf(place),
        );
    }
}

/** A value that the message must be equal to. */
function checkMatch(expression: Expression, message: Shape | undefined, { inference, problems }: CheckContext): void {
    const type = inference.typeOf(expression);
    if (message === undefined || type.kind === 'unknown') {
        return;
    }
    if (!areComparable(type, typeOfShape(message))) {
        problems.error(
            'channel/pattern',
            `the messages here are ${describeShape(message)}, so none is equal to ${describeType(type)}`,
            rangeOf(expression),
        );
    } else if (fitOf(type, message) === 'outside') {
        problems.faultWhenReached(
            'channel/pattern',
            `the messages here are ${describeShape(message)}, so this value never comes`,
            rangeOf(expression),
        );
    }
}
