/** The channel that a step uses or an expression names, and channels as values. */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { ChannelPlace, Expression } from '../../engine/model/expression.js';
import * as ast from '../generated/nodes.js';
import { rangeOf } from '../tree/source-text.js';
import type { LoweredValue, Shape } from '../representation/shape.js';
import { constantOf } from '../representation/build-expression.js';
import { lowerIndices, lowerValue, shapeOf, type LoweringContext } from './context.js';
import { LoweredArray, selectElement } from '../representation/array.js';
import { LoweredScalar, scalarValue } from '../representation/cell.js';
import { ChannelShape, NamedChannel } from '../representation/channel.js';

export interface LoweredChannel {
    readonly place: ChannelPlace;
    /** The shape of its messages. */
    readonly message: Shape;
}

/** The channel that an expression denotes, directly or by a name for it; undefined if it denotes no channel. */
function findChannel(expression: ast.Expression, context: LoweringContext): LoweredChannel | undefined {
    const range = rangeOf(expression);
    const target = ast.isReference(expression) ? expression.target.ref : undefined;
    if (ast.isReference(expression) && ast.isChannelDeclaration(target)) {
        if (expression.indices.length < target.indices.length) {
            return undefined;
        }
        const channel = context.table.positionOf(target);
        const indices = lowerIndices(expression.indices, context.constants.indicesOf(target), context);
        return { place: { kind: 'declared', channel, indices, range }, message: shapeOf(target.message, context) };
    }
    const isName = ast.isReference(expression) && expression.indices.length === 0;
    if (isName && (ast.isLet(target) || ast.isConstant(target)) && ast.isBlock(target.$container)) {
        return findChannel(target.value, context);
    }
    const value = lowerValue(expression, context);
    if (!(value instanceof LoweredScalar && value.cell instanceof ChannelShape)) {
        return undefined;
    }
    const { message } = value.cell;
    const { index } = context.table.channelTypeOf(message);
    return { place: { kind: 'value', type: index, expression: value.expression, range }, message };
}

export function lowerChannel(expression: ast.Expression, context: LoweringContext): LoweredChannel {
    const channel = findChannel(expression, context);
    invariant(channel !== undefined, 'a checked channel is one');
    return channel;
}

/** A declared channel, or an array of channels, as a value. */
export function lowerChannelName(
    channel: ast.ChannelDeclaration,
    context: LoweringContext,
    range: SourceRange,
): LoweredValue {
    const { constants, table } = context;
    const shape = constants.shapeOfDeclaredChannel(channel);
    const capacity = constants.capacityOf(channel);
    invariant(shape !== undefined && capacity !== undefined, 'a checked channel has messages and a capacity');
    const { type } = table.channelTypeOf(shape.message);
    const position = table.positionOf(channel);
    const first = type.members.findIndex(member => member.channel === position);
    const indices = constants.indicesOf(channel).filter(domain => domain !== undefined);
    const declared = { channel: position, capacity, indices, position: 0 };
    const rowAt = (row: number): LoweredScalar => scalarValue(constantOf(first + row, type.domain, range), shape);
    const channelAt = (given: readonly Expression[]): NamedChannel => {
        const value = selectElement(indices, given, rowAt, range).toScalar();
        return new NamedChannel(value, shape, declared, given, range);
    };
    return indices.length === 0 ? channelAt([]) : new LoweredArray(indices, channelAt);
}
