/**
 * The action of a symmetry on channels in words: `(queue[0] queue[1])(queue.from=0 queue.from=1)`. A channel has a cell
 * for its length and cells for the scalars of its slots. If all move to one channel slot by slot, and every slot
 * exchanges the same values, the channel is described as a whole, else cell by cell.
 */
import { appendTo, remembered } from '../common/list-map.js';
import { cyclesOfSparse, imageOf, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import { formatValue, valueOfCode } from '../model/domain.js';
import type { ChannelDeclaration, Model } from '../model/model.js';
import { nameOfElement } from '../sequential/cell-layout.js';
import type { Cell, SequentialModel } from '../sequential/sequential-model.js';
import type { LiteralPoints } from '../symmetry/model-symmetry.js';

export interface ChannelMoves {
    /** Names of channels, and of values in their messages. */
    readonly cycles: readonly (readonly string[])[];
    /** The cells that the cycles describe completely. */
    readonly cells: ReadonlySet<number>;
}

/** One channel: an element of a declared array of them. */
interface Channel {
    readonly declared: ChannelDeclaration;
    /** Index into `Model.channels`. */
    readonly variable: number;
    readonly name: string;
    readonly cells: readonly number[];
}

/** The channels with buffers, in the order of their cells. */
function channelsOf(model: Model, sequential: SequentialModel): Channel[] {
    const cellsOfChannel = new Map<string, number[]>();
    sequential.cells.forEach((cell, index) => {
        if (cell.kind === 'channel') {
            const key = `${cell.variable}[${cell.indices.slice(0, model.channels[cell.variable].indices.length).join()}]`;
            appendTo(cellsOfChannel, key, index);
        }
    });
    const counts = new Map<number, number>();
    return [...cellsOfChannel.values()].map(cells => {
        const { variable } = sequential.cells[cells[0]];
        const declared = model.channels[variable];
        const position = counts.get(variable) ?? 0;
        counts.set(variable, position + 1);
        return { declared, variable, name: nameOfElement(declared, position), cells };
    });
}

/** Describes what generators do to the channels that they move as wholes. */
export function createChannelDescription(
    model: Model,
    sequential: SequentialModel,
    points: LiteralPoints,
): (generator: SparsePermutation) => ChannelMoves {
    const channels = channelsOf(model, sequential);
    return generator => describeMoves(sequential, channels, points, generator);
}

function describeMoves(
    sequential: SequentialModel,
    channels: readonly Channel[],
    points: LiteralPoints,
    generator: SparsePermutation,
): ChannelMoves {
    const channelOfCell = new Map(
        channels.flatMap(({ cells }, channel) => cells.map(cell => [cell, channel] as const)),
    );
    const targets = onCycles(channels.map(channel => targetOf(channel, channels, channelOfCell, points, generator)));
    const moved = sparsePermutation(
        targets.flatMap((target, channel): [number, number][] => (target === undefined ? [] : [[channel, target]])),
    );
    const whole = channels.filter((_, channel) => targets[channel] !== undefined);
    const contents = new Map<string, Map<number, number>>();
    const names = new Map<string, (code: number) => string>();
    const mixed = new Set<string>();
    for (const { declared, variable, cells } of whole) {
        for (const cell of cells) {
            const scalar = scalarOf(sequential.cells[cell], declared);
            const key = `${variable} ${scalar}`;
            const known = remembered(contents, key, () => new Map<number, number>());
            names.set(key, code => literalIn(sequential.cells[cell], declared, scalar, code));
            for (const [position, code] of points.codes[cell].entries()) {
                const point = imageOf(generator, points.firstPoint[cell] + position);
                const target = points.cellOfPoint[point];
                const image = points.codes[target][point - points.firstPoint[target]];
                if ((known.get(code) ?? image) !== image) {
                    mixed.add(key);
                }
                known.set(code, image);
            }
        }
    }
    for (const [key, map] of contents) {
        // If the image can hold other values this is no exchange of contents.
        const images = new Set(map.values());
        if (images.size < map.size || [...map.keys()].some(code => !images.has(code))) {
            mixed.add(key);
        }
    }
    const cells = new Set(
        whole.flatMap(({ declared, variable, cells: own }) =>
            own.filter(cell => !mixed.has(`${variable} ${scalarOf(sequential.cells[cell], declared)}`)),
        ),
    );
    const values = [...contents].flatMap(([key, map]) => {
        const images = mixed.has(key) ? [] : [...map];
        return cyclesOfSparse(sparsePermutation(images)).map(cycle => cycle.map(code => names.get(key)!(code)));
    });
    return {
        cycles: [...cyclesOfSparse(moved).map(cycle => cycle.map(channel => channels[channel].name)), ...values],
        cells,
    };
}

/** The channel to which all cells of a channel go, in their order; undefined if there is none. */
function targetOf(
    { cells }: Channel,
    channels: readonly Channel[],
    channelOfCell: ReadonlyMap<number, number>,
    points: LiteralPoints,
    generator: SparsePermutation,
): number | undefined {
    let target: number | undefined;
    for (const [position, cell] of cells.entries()) {
        for (let point = points.firstPoint[cell]; point < points.firstPoint[cell + 1]; point++) {
            const image = points.cellOfPoint[imageOf(generator, point)];
            // A cell that never changes stays.
            if (image === cell && points.firstPoint[cell + 1] - points.firstPoint[cell] === 1) {
                continue;
            }
            const channel = channelOfCell.get(image);
            target ??= channel;
            if (channel === undefined || channel !== target || channels[channel].cells[position] !== image) {
                return undefined;
            }
        }
    }
    return target;
}

/** The scalar of the message that a cell holds; -1 for the length. */
export function scalarOf({ indices }: Cell, declared: ChannelDeclaration): number {
    return indices.length === declared.indices.length ? -1 : indices[indices.length - 1];
}

/** `queue.from=2`, `len(queue)=1` */
function literalIn({ domain }: Cell, { name, message }: ChannelDeclaration, scalar: number, code: number): string {
    const place = scalar < 0 ? `len(${name})` : `${name}${message[scalar].suffix}`;
    return `${place}=${formatValue(domain, valueOfCode(domain, code))}`;
}

/** The targets of channels that are on a cycle; undefined for a channel that leads to one that does not move as a whole. */
function onCycles(targets: readonly (number | undefined)[]): (number | undefined)[] {
    return targets.map((target, start) => {
        let current = target;
        for (let steps = 0; steps < targets.length && current !== undefined && current !== start; steps++) {
            current = targets[current];
        }
        return current === start ? target : undefined;
    });
}
