/**
 * Channels as values: a cell holds the position of a channel among those with such messages. A channel with a buffer is a
 * shared sequence, whose places are those of the channel.
 */
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Domain } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import { indicesOfRow, knownValueOf, numberOf } from './build-expression.js';
import { LoweredScalar, OneCell } from './cell.js';
import { LoweredSequence, SequenceShape } from './sequence.js';
import type { LoweredValue, NamedShape, Shape, Type } from './shape.js';

/** A channel of the model, one of an array or the only one. */
export interface ChannelOfModel {
    /** Index into `Model.channels`. */
    readonly channel: number;
    readonly capacity: number;
    readonly indices: readonly Domain[];
    /** The row of the channel among those of its declaration. */
    readonly position: number;
}

export class ChannelShape extends OneCell implements NamedShape {
    readonly #message: () => Shape;
    readonly #channels: () => Domain;
    readonly #members: () => readonly ChannelOfModel[];
    readonly #isOptional: boolean;

    /**
     * The functions are called on demand: the messages of channels may be channels. `channels`: without `none`; `members`
     * are its values.
     */
    constructor(
        message: () => Shape,
        channels: () => Domain,
        members: () => readonly ChannelOfModel[],
        isOptional: boolean,
    ) {
        super();
        this.#message = message;
        this.#channels = channels;
        this.#members = members;
        this.#isOptional = isOptional;
    }

    override get isOptional(): boolean {
        return this.#isOptional;
    }

    get message(): Shape {
        return this.#message();
    }

    /** An enumeration of the channels with such messages, possibly optional. */
    get domain(): Domain {
        const base = this.#channels();
        return this.isOptional ? { kind: 'optional', base } : base;
    }

    override get type(): Type {
        return this.isOptional
            ? { kind: 'optional', base: { kind: 'named', shape: this.#with(false) } }
            : { kind: 'named', shape: this };
    }

    override withNone(): ChannelShape {
        return this.#with(true);
    }

    /** The domain is the same but for `none`. */
    withDomain({ kind }: Domain): ChannelShape {
        return this.#with(kind === 'optional');
    }

    override holdsReference(): boolean {
        return false;
    }

    isSame(other: Shape): boolean {
        return (
            other instanceof ChannelShape && other.isOptional === this.isOptional && this.message.isSame(other.message)
        );
    }

    override format(): string {
        return `channel of ${this.message.format()}${this.isOptional ? '?' : ''}`;
    }

    describeOne(): string {
        return `a ${this.describe()}`;
    }

    describeSome(): string {
        return 'channels';
    }

    /** The most messages in one of the channels; 0 if one of them has no buffer. */
    get capacity(): number {
        const capacities = this.#members().map(({ capacity }) => capacity);
        return capacities.includes(0) ? 0 : Math.max(0, ...capacities);
    }

    /** How many messages the channel that an expression names can hold. */
    capacityOf(channel: Expression, range: SourceRange): Expression {
        const options = this.#members().map(({ capacity }) => numberOf(capacity, range));
        return new Set(this.#members().map(({ capacity }) => capacity)).size === 1
            ? (options[0] ?? numberOf(0, range))
            : { kind: 'select', index: channel, domain: this.domain, options, range };
    }

    override contents(value: Expression): LoweredValue {
        const { range } = value;
        const members = this.#members();
        const all = members.map(member =>
            messagesOf(this.message, member, indicesOfRow(member.indices, member.position), range),
        );
        const known = all[knownValueOf(value) ?? -1];
        const shape = new SequenceShape(this.capacity, this.message);
        const [first] = all;
        return first === undefined
            ? new LoweredSequence(shape, value, () => new LoweredScalar(value, this, false), range)
            : (known ??
                  first.combine(all, options => ({
                      kind: 'select',
                      index: value,
                      domain: this.domain,
                      options,
                      range,
                  })));
    }

    #with(isOptional: boolean): ChannelShape {
        return new ChannelShape(this.#message, this.#channels, this.#members, isOptional);
    }
}

/** The messages in the channel of a declaration at these indices. */
function messagesOf(
    message: Shape,
    { channel, capacity }: ChannelOfModel,
    indices: readonly Expression[],
    range: SourceRange,
): LoweredSequence {
    return new SequenceShape(capacity, message).read(
        (leaf, inner) => ({
            kind: 'read',
            place: { kind: 'channel', channel, leaf, indices: [...indices, ...inner], range },
            range,
        }),
        range,
    );
}

/** A channel by its name and indices, whose messages can be assigned. */
export class NamedChannel extends LoweredScalar {
    readonly #messages: () => LoweredSequence;

    constructor(
        expression: Expression,
        shape: ChannelShape,
        declared: ChannelOfModel,
        indices: readonly Expression[],
        range: SourceRange,
    ) {
        super(expression, shape, false);
        this.#messages = () => messagesOf(shape.message, declared, indices, range);
    }

    override contents(): LoweredSequence {
        return this.#messages();
    }
}

/** The shape of the channels that values of a type are; undefined if they are no channels, or may be `none`. */
export function channelOf(type: Type): ChannelShape | undefined {
    return type.kind === 'named' && type.shape instanceof ChannelShape ? type.shape : undefined;
}
