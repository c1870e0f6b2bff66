/** The cells of the state: shared variables row by row, channels, then by instance its locals and program counter. */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { domainSize, formatValue, valueOfCode } from '../model/domain.js';
import type { Domain, Value } from '../model/domain.js';
import type { ChannelDeclaration, MessageScalar, Model, PlacedWithin, Variable, Within } from '../model/model.js';
import type { ValueFormat } from '../model/value-format.js';
import { leafOfChannel } from '../model/channel-leaf.js';
import { formatSegments } from '../model/print.js';
import { LIMITS, stop } from './linearization-limits.js';
import type { Cell } from './sequential-model.js';
import type { VariableCells } from './expression/scope.js';

/** The shared cells: variables first, then channels. */
export interface SharedLayout {
    readonly cells: readonly Cell[];
    /** By the index in `Model.variables`. */
    readonly variables: readonly VariableCells[];
    /** By the index in `Model.channels`. */
    readonly channels: readonly ChannelCells[];
}

/**
 * The cells of a channel or an array of channels. For each channel its length, then by slot the scalars of a message;
 * slots beyond the length hold no value. A rendezvous channel has no cells.
 */
export class ChannelCells {
    readonly indices: readonly Domain[];
    readonly capacity: number;
    /** The number of channels. */
    readonly count: number;
    /** The number of scalars in a message. */
    readonly scalars: number;
    readonly #first: number;
    readonly #declaration: ChannelDeclaration;

    constructor(declaration: ChannelDeclaration, first: number) {
        this.#declaration = declaration;
        this.indices = declaration.indices;
        this.capacity = declaration.capacity;
        this.count = sizeOfArray(declaration.indices);
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

    /** The dimensions of the length or of a part of the messages, and its cells row by row. */
    leaf(leaf: number): { readonly indices: readonly Domain[]; readonly cellAt: (position: number) => number } {
        const { indices } = leafOfChannel(this.#declaration, leaf);
        const part = leaf === 0 ? undefined : this.#declaration.leaves[leaf - 1];
        if (part === undefined) {
            return { indices, cellAt: position => this.lengthCell(position) };
        }
        const size = sizeOfArray(part.indices);
        const cellAt = (position: number): number => {
            const message = Math.floor(position / size);
            const channel = Math.floor(message / this.capacity);
            return this.slotCell(channel, message % this.capacity, part.first + (position % size));
        };
        return { indices, cellAt };
    }

    slotCell(position: number, slot: number, scalar: number): number {
        return this.lengthCell(position) + 1 + slot * this.scalars + scalar;
    }
}

export function layOutShared(model: Model): SharedLayout {
    const cells: Cell[] = [];
    const variables = layOutVariables(cells, model.variables, '', -1);
    const channels = model.channels.map((channel, index) => {
        const layout = new ChannelCells(channel, cells.length);
        addChannel(cells, channel, index, layout);
        return layout;
    });
    return { cells, variables, channels };
}

/** Appends the cells of variables, shared or of an instance; `prefix` is the instance and a dot for locals. */
export function layOutVariables(
    cells: Cell[],
    variables: readonly Variable[],
    prefix: string,
    instance: number,
): VariableCells[] {
    let next = cells.length;
    const placed = variables.map(({ indices }): VariableCells => {
        const first = next;
        next += sizeOfArray(indices);
        return { first, indices };
    });
    variables.forEach((variable, index) => {
        addVariable(cells, variable, index, prefix, instance, placed);
    });
    return placed;
}

function addVariable(
    cells: Cell[],
    variable: Variable,
    index: number,
    prefix: string,
    instance: number,
    placed: readonly VariableCells[],
): void {
    const { element, indices, segments, nameRange, within, format } = variable;
    checkDomain(element, variable.name, nameRange);
    const count = sizeOfArray(indices);
    checkCount(cells.length + count, nameRange);
    for (let position = 0; position < count; position++) {
        const values = valuation(indices, position);
        /** The first cell of another variable for the same value; their indices begin alike. */
        const cellOf = (other: VariableCells): number =>
            other.first + Math.floor((position * sizeOfArray(other.indices)) / count);
        cells.push({
            ...nameOfPart(segments, indices, values, prefix),
            domain: element,
            kind: instance < 0 ? 'shared' : 'local',
            variable: index,
            instance,
            indices: values,
            mayBeAbsent: within !== undefined,
            ...(within && { within: withinAt(within, cellOf(placed[within.of]), values, placed[within.of]) }),
            ...(format && { format: mapFormat(format, ({ behind, row }) => cellOf(placed[index + behind]) + row) }),
            declaration: nameRange,
        });
    }
}

/** What decides whether a part at these indices has a value; `of` is the cell, or the variable, with these outer indices. */
export function withinAt(
    { value }: Pick<Within, 'value'>,
    of: number,
    indices: readonly Value[],
    { indices: outer }: Pick<VariableCells, 'indices'>,
): PlacedWithin {
    return value === undefined ? { of, operator: '>', value: indices[outer.length] } : { of, operator: '==', value };
}

/** The format over other places. */
export function mapFormat<From, To>(format: ValueFormat<From>, map: (place: From) => To): ValueFormat<To> {
    const each = (formats: readonly ValueFormat<From>[]): ValueFormat<To>[] =>
        formats.map(inner => mapFormat(inner, map));
    switch (format.kind) {
        case 'scalar':
            return { kind: 'scalar', place: map(format.place) };
        case 'list':
            return { kind: 'list', elements: each(format.elements) };
        case 'record':
            return { ...format, fields: each(format.fields) };
        case 'sequence':
            return { kind: 'sequence', length: map(format.length), elements: each(format.elements) };
        case 'set':
            return {
                kind: 'set',
                elements: format.elements.map(({ text, place }) => ({ text, place: map(place) })),
            };
        case 'cases':
            return {
                kind: 'cases',
                place: map(format.place),
                cases: format.cases.map(fields => fields && each(fields)),
            };
        default:
            return unreachable(format);
    }
}

/** `node[2].next` */
export function nameOfCell(
    segments: Variable['segments'],
    domains: readonly Domain[],
    values: readonly Value[],
): string {
    return formatSegments(
        segments,
        values.map((value, dimension) => formatValue(domains[dimension], value)),
    );
}

/** The cell of a variable, local with the prefix of its instance. */
function nameOfPart(
    segments: Variable['segments'],
    domains: readonly Domain[],
    values: readonly Value[],
    prefix: string,
): Pick<Cell, 'name' | 'member'> {
    const [domain, value] = [domains.at(-1), values.at(-1)];
    if (segments.at(-1)?.isLength === true) {
        return { name: `len(${prefix}${nameOfCell(segments.slice(0, -1), domains, values)})` };
    }
    const of = segments.at(-1)?.member;
    return of === undefined || domain === undefined || value === undefined
        ? { name: prefix + nameOfCell(segments, domains, values) }
        : namedPart(prefix + nameOfCell(segments.slice(0, -1), domains.slice(0, -1), values.slice(0, -1)), {
              of,
              element: formatValue(domain, value),
          });
}

function addChannel(cells: Cell[], channel: ChannelDeclaration, index: number, layout: ChannelCells): void {
    const { name, capacity, message, indices, nameRange } = channel;
    if (capacity === 0) {
        return;
    }
    checkCount(cells.length + layout.count * layout.stride, nameRange);
    message.forEach(({ domain }) => {
        checkDomain(domain, name, nameRange);
    });
    const shared = { kind: 'channel', variable: index, instance: -1, declaration: nameRange } as const;
    for (let position = 0; position < layout.count; position++) {
        const values = valuation(indices, position);
        const one = nameOfElement(channel, position);
        const length = cells.length;
        cells.push({
            ...shared,
            name: `len(${one})`,
            domain: { kind: 'range', low: 0, high: capacity },
            indices: values,
            mayBeAbsent: false,
        });
        for (let slot = 0; slot < capacity; slot++) {
            const first = cells.length;
            message.forEach(({ suffix, member, domain, within, format }, scalar) => {
                cells.push({
                    ...shared,
                    ...namedPart(`${one}[${slot}]${suffix}`, member),
                    domain,
                    indices: [...values, slot, scalar],
                    mayBeAbsent: true,
                    within:
                        within === undefined
                            ? { of: length, operator: '>', value: slot }
                            : { ...within, of: first + within.of },
                    ...(format && { format: mapFormat(format, part => first + part) }),
                });
            });
        }
    }
}

/** The name of a cell, and of a value in a set or a bag what it is in: `2 in heard`, `net[2]`. */
function namedPart(place: string, member: MessageScalar['member']): Pick<Cell, 'name' | 'member'> {
    if (member === undefined) {
        return { name: place };
    }
    const { of, element } = member;
    return { name: of === 'set' ? `${element} in ${place}` : `${place}[${element}]`, member: { set: place, element } };
}

/** `request[0]`: an element of an array by its row, or the name itself without indices. */
export function nameOfElement(
    { name, indices }: Pick<ChannelDeclaration, 'name' | 'indices'>,
    position: number,
): string {
    return nameOfCell([{ text: name, indices: indices.length }], indices, valuation(indices, position));
}

function checkDomain(domain: Domain, name: string, range: SourceRange): void {
    if (domainSize(domain) > LIMITS.domainSize) {
        stop(
            'limit/domain-size',
            `the type of \`${name}\` has ${domainSize(domain).toLocaleString('en-US')} values; ` +
                `at most ${LIMITS.domainSize.toLocaleString('en-US')} can be explored`,
            range,
        );
    }
}

/** Ends linearization if there would be too many cells. */
export function checkCount(count: number, range: SourceRange): void {
    if (count > LIMITS.cells) {
        stop(
            'limit/cells',
            `the state would have more than ${LIMITS.cells.toLocaleString('en-US')} variables, array elements counted singly`,
            range,
        );
    }
}

/** The number of elements of an array; 1 without indices. */
export function sizeOfArray(indices: readonly Domain[]): number {
    return indices.reduce((product, domain) => product * domainSize(domain), 1);
}

/** The values at a position, row by row. */
export function valuation(domains: readonly Domain[], position: number): Value[] {
    const values: Value[] = [];
    let rest = position;
    for (let dimension = domains.length - 1; dimension >= 0; dimension--) {
        const size = domainSize(domains[dimension]);
        values.unshift(valueOfCode(domains[dimension], rest % size));
        rest = Math.floor(rest / size);
    }
    return values;
}

/** Values as an index list writes them: `0, red`. */
export function formatCellValues(domains: readonly Domain[], values: readonly Value[]): string {
    return values.map((value, dimension) => formatValue(domains[dimension], value)).join(', ');
}
