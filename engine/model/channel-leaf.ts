/** What a channel with a buffer holds: its length, and the scalars of the messages at its places, as in a sequence. */
import type { Domain } from './domain.js';
import type { ChannelDeclaration } from './model.js';

/** An array of scalars for each channel of a declaration, or its length. */
export interface ChannelLeaf {
    readonly element: Domain;
    /** The indices of the channel; of a scalar also the place, and its own. */
    readonly indices: readonly Domain[];
}

/** `leaf` is 0 for the length, then the parts of a message in their order. */
export function leafOfChannel({ indices, capacity, leaves }: ChannelDeclaration, leaf: number): ChannelLeaf {
    const part = leaf === 0 ? undefined : leaves[leaf - 1];
    return part === undefined
        ? { element: { kind: 'range', low: 0, high: capacity }, indices }
        : {
              element: part.element,
              indices: [...indices, { kind: 'range', low: 0, high: capacity - 1 }, ...part.indices],
          };
}
