/** Channels as values: a cell holds the position of a channel among those with such messages. */
import type { Domain } from '../../engine/model/domain.js';
import { OneCell } from './cell.js';
import type { NamedShape, Shape, Type } from './shape.js';

export class ChannelShape extends OneCell implements NamedShape {
    readonly #message: () => Shape;
    readonly #channels: () => Domain;
    readonly #isOptional: boolean;

    /** Both functions are called on demand: the messages of channels may be channels. `channels`: without `none`. */
    constructor(message: () => Shape, channels: () => Domain, isOptional: boolean) {
        super();
        this.#message = message;
        this.#channels = channels;
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

    #with(isOptional: boolean): ChannelShape {
        return new ChannelShape(this.#message, this.#channels, isOptional);
    }
}

/** The shape of the channels that values of a type are; undefined if they are no channels, or may be `none`. */
export function channelOf(type: Type): ChannelShape | undefined {
    return type.kind === 'named' && type.shape instanceof ChannelShape ? type.shape : undefined;
}
