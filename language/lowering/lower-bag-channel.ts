/**
 * Channels that deliver in any order. Such a channel is a shared bag: a send waits while its message is there as often as
 * possible, and a receive chooses among the different messages that are there and match. Both change one count.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Expression } from '../../engine/model/expression.js';
import type { Control, MessageOfBag, Statement, Step } from '../../engine/model/model.js';
import type * as ast from '../generated/nodes.js';
import { bagChannelOf } from '../references/places.js';
import { BagShape, LoweredBag } from '../representation/bag.js';
import { binary, numberOf } from '../representation/build-expression.js';
import { rangeOf } from '../tree/source-text.js';
import { lowerScalar, lowerValue, type LoweringContext } from './context.js';
import { matched } from './lower-communication.js';
import { readVariable } from './lower-reference.js';
import { elementIn } from './lower-set-change.js';

/** A step that sends to such a channel or receives from one; undefined for other steps. `body`: of the step. */
export function lowerBagStep(
    step: ast.Step,
    body: readonly Statement[],
    context: LoweringContext,
): Control | undefined {
    const { place, message, pattern } = step;
    if (place === undefined || bagChannelOf(step) === undefined) {
        return undefined;
    }
    const bag = lowerValue(place, context);
    const shape = bag.shape();
    invariant(bag instanceof LoweredBag && shape instanceof BagShape, 'a checked channel is a bag');
    if (message !== undefined) {
        const sent = elementIn(message, shape.member, context).value;
        const count = bag.at([sent.toScalar()]).toScalar();
        const isRoom = binary('<', count, numberOf(shape.copies, count.range), count.range);
        const own = { domain: shape.member.domain, value: sent.toScalar() };
        return stepOf(step, own, [isRoom], [changed(count, '+', rangeOf(message)), ...body], context);
    }
    invariant(pattern !== undefined, 'what is no send is a receive');
    const range = rangeOf(pattern);
    const slot = context.table.slotOf(step);
    const received = readVariable(slot, range);
    const count = bag.at([received.toScalar()]).toScalar();
    const { tests, bindings } = matched(pattern, received, context);
    const bound = bindings.map((assignment): Statement => ({ kind: 'assign', assignments: [assignment], range }));
    const isThere = binary('<', numberOf(0, range), count, range);
    const taken = stepOf(
        step,
        { domain: shape.member.domain, value: received.toScalar() },
        [isThere, ...tests],
        [changed(count, '-', range), ...bound, ...body],
        context,
    );
    const chosen = slot.shape
        .leaves()
        .map((_, leaf): Control => ({ kind: 'declare', local: slot.first + leaf, range }));
    return { kind: 'choose', alternatives: [[...chosen, taken]], range: taken.range };
}

function stepOf(
    step: ast.Step,
    message: MessageOfBag,
    conditions: readonly Expression[],
    body: readonly Statement[],
    context: LoweringContext,
): Step {
    const range = rangeOf(step);
    const guards = step.guard === undefined ? conditions : [lowerScalar(step.guard, context), ...conditions];
    return {
        kind: 'step',
        guard: guards.reduce((all, guard) => binary('and', all, guard, range)),
        message,
        body,
        range,
    };
}

/** One copy more, or one less. */
function changed(count: Expression, operator: '+' | '-', range: SourceRange): Statement {
    invariant(count.kind === 'read', 'a count of a channel is a place');
    const value = binary(operator, count, numberOf(1, range), range);
    return { kind: 'assign', assignments: [{ target: count.place, value }], range };
}
