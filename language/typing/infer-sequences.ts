/** Sequences: their functions, and what stands where one is expected. A list of elements is one, too. */
import * as ast from '../generated/nodes.js';
import type { SequenceFunction } from '../references/builtin-functions.js';
import { channelOf } from '../representation/channel.js';
import { SequenceShape } from '../representation/sequence.js';
import { isDomain, type Type } from '../representation/shape.js';
import { shapeOfType } from '../representation/place-of-type.js';
import {
    asSequence,
    describeType,
    integer,
    join,
    sequenceType,
    setType,
    UNKNOWN,
    type SequenceType,
} from '../representation/type.js';
import { rangeOf, textOf } from '../tree/source-text.js';
import type { ExpressionChecks } from './expression-checks.js';

/** The type of an expression as that of a sequence: also of a list, or of the messages in a channel; undefined for others. */
export function sequenceTypeOf(expression: ast.Expression, checks: ExpressionChecks): SequenceType | undefined {
    const type = checks.testedType(expression);
    return asSequence(type) ?? messagesOf(expression, type, checks);
}

/** The messages in the channel that an expression of this type is. */
function messagesOf(expression: ast.Expression, type: Type, checks: ExpressionChecks): SequenceType | undefined {
    const channel = channelOf(type);
    if (channel === undefined) {
        return undefined;
    }
    const declared = ast.isReference(expression) ? expression.target.ref : undefined;
    const capacity = ast.isChannelDeclaration(declared) ? checks.constants.capacityOf(declared) : channel.capacity;
    if (capacity === 0) {
        const message = `\`${textOf(expression) ?? ''}\` may have capacity 0: messages pass from hand to hand, so there is nothing to read`;
        checks.problems.error('channel/no-buffer', message, rangeOf(expression));
    }
    return sequenceType(channel.message.type, capacity ?? 0, new SequenceShape(capacity ?? 0, channel.message));
}

/** The type of an expression as that of a sequence; undefined, with a message, if it is none. */
function checkSequence(expression: ast.Expression, name: string, checks: ExpressionChecks): SequenceType | undefined {
    const type = checks.testedType(expression);
    const sequence = sequenceTypeOf(expression, checks);
    if (sequence === undefined && type.kind !== 'unknown') {
        const message = `\`${name}\` is about a sequence, but this is ${describeType(type)}`;
        checks.problems.error('type/not-a-sequence', message, rangeOf(expression));
    }
    return sequence;
}

/** The call has its arguments. */
export function inferSequenceFunction(call: ast.Call, name: SequenceFunction, checks: ExpressionChecks): Type {
    const [argument, second] = call.arguments;
    const sequence = argument && checkSequence(argument, name, checks);
    const type = sequence ?? sequenceType(UNKNOWN, 0);
    switch (name) {
        case 'head':
        case 'last':
            return sequence === undefined ? UNKNOWN : type.member;
        case 'places':
            return setType(integer(0, Math.max(0, type.most - 1)));
        case 'elements':
            return inferElements(call, type, checks);
        case 'append': {
            const added = second === undefined ? UNKNOWN : checks.typeOf(second);
            return joined(call, type, sequenceType(added, 1), checks);
        }
        case 'concat': {
            const other = second && checkSequence(second, name, checks);
            return other === undefined ? UNKNOWN : joined(call, type, other, checks);
        }
        case 'without':
        case 'slice':
            call.arguments.slice(1).forEach(place => checks.checkInteger(place, `a place of \`${name}\``));
            return sequence ?? UNKNOWN;
        case 'tail':
            return sequence ?? UNKNOWN;
    }
}

function inferElements(call: ast.Call, { member }: SequenceType, checks: ExpressionChecks): Type {
    const shape = shapeOfType(member);
    if (member.kind === 'array' || (shape !== undefined && !isDomain(shape.oneCell()))) {
        const message = `an element of a set is one value, but this is ${describeType(member)}`;
        checks.problems.error('type/array-not-allowed', message, rangeOf(call));
        return UNKNOWN;
    }
    return setType(member);
}

/** The type of two sequences one behind the other. */
function joined(call: ast.Call, first: SequenceType, second: SequenceType, checks: ExpressionChecks): Type {
    const type = join(first, second);
    if (type?.kind === 'sequence') {
        return sequenceType(type.member, first.most + second.most);
    }
    const message = `the elements of a sequence have one type, but these are ${describeType(first)} and ${describeType(second)}`;
    checks.problems.error('type/mismatch', message, rangeOf(call));
    return UNKNOWN;
}
