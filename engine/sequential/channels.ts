/**
 * The buffers of channels as cells: for each channel its length, then slot by slot the scalars of a message. The first
 * message stands in the first slot; slots beyond the length hold no value. A rendezvous channel has no cells.
 */
import { domainSize } from '../model/domain.js';
import type { Domain } from '../model/domain.js';
import type { ChannelDeclaration } from '../model/model.js';

/** The cells of a declared channel or array of channels. Positions are those of its indices, row by row. */
export class ChannelCells {
    readonly indices: readonly Domain[];
    readonly capacity: number;
    /** The number of channels. */
    readonly count: number;
    /** The number of scalars in a message. */
    readonly scalars: number;
    readonly #first: number;

    constructor(declaration: ChannelDeclaration, first: number) {
        this.indices = declaration.indices;
        this.capacity = declaration.capacity;
        this.count = declaration.indices.reduce((product, domain) => product * domainSize(domain), 1);
        this.scalars = declaration.message.length;
        this.#first = first;
    }

    /** The number of cells of each channel. */
    get stride(): number {
        return this.capacity === 0 ? 0 : 1 + this.capacity * this.scalars;
    }

    /** Holds the number of messages. */
    lengthCell(position: number): number {
        return this.#first + position * this.stride;
    }

    slotCell(position: number, slot: number, scalar: number): number {
        return this.lengthCell(position) + 1 + slot * this.scalars + scalar;
    }
}
