/**
 * The places that a log can name: variables, channels and locals as trees over cells, with the parts in the words of the
 * text. `node[n1].term` is the field `term` of an element of `node`.
 */
import { invariant, unreachable } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import { domainSize, valueOfCode, type Domain, type Value } from '../model/domain.js';
import type { MessageScalar, Model, Variable } from '../model/model.js';
import type { ValueFormat } from '../model/value-format.js';
import type { Cell, SequentialModel } from '../sequential/sequential-model.js';

export type Shape =
    | { readonly kind: 'cell'; readonly cell: number; readonly domain: Domain }
    /** The elements by the codes of an index. */
    | { readonly kind: 'array'; readonly domain: Domain; readonly elements: readonly Shape[] }
    | { readonly kind: 'record'; readonly name?: string; readonly fields: readonly ShapeField[] }
    /** So many of the elements as the cell says. */
    | { readonly kind: 'sequence'; readonly length: number; readonly elements: readonly Shape[] }
    /** A set or a bag: the cells with the numbers of copies. */
    | { readonly kind: 'set'; readonly elements: readonly SetElement[] }
    /** By the code at the cell the fields of a case, or none. */
    | {
          readonly kind: 'cases';
          readonly cell: number;
          readonly domain: Domain;
          readonly cases: readonly (readonly ShapeField[])[];
      };

interface ShapeField {
    readonly name: string;
    readonly shape: Shape;
}

interface SetElement {
    readonly cell: number;
    readonly element: IndexValue;
}

interface IndexValue {
    readonly domain: Domain;
    readonly value: Value;
}

export interface Shapes {
    /** Variables, and channels with a buffer, by name. */
    readonly shared: ReadonlyMap<string, Shape>;
    /** By instance its locals by name. */
    readonly locals: readonly ReadonlyMap<string, Shape>[];
}

export function shapesOf(model: Model, { cells, instances }: SequentialModel): Shapes {
    const variableOf = ({ kind, variable, instance }: Cell): Variable =>
        kind === 'local' ? model.processes[instances[instance].process].locals[variable] : model.variables[variable];
    /** Of the value in a set or a bag that a cell is about. */
    const elementOf: ElementOf = cell => {
        const { kind, variable, indices } = cells[cell];
        const [scalar] = indices.slice(-1);
        const named = kind === 'channel' ? model.channels[variable].message[Number(scalar)] : undefined;
        const [domain] = (named?.indices ?? variableOf(cells[cell]).indices).slice(-1);
        const [value] = (named?.values ?? indices).slice(-1);
        return { domain, value };
    };
    const shared = new Forest(cells, elementOf);
    const locals = instances.map(() => new Forest(cells, elementOf));
    const channels = new Map<string, Map<number, number[]>>();
    cells.forEach((cell, number) => {
        const { kind, variable, instance } = cell;
        switch (kind) {
            case 'shared':
                shared.add(number, variableOf(cell));
                break;
            case 'local':
                locals[instance].add(number, variableOf(cell));
                break;
            case 'channel': {
                const { name, indices } = model.channels[variable];
                const position = rowOf(cell.indices.slice(0, indices.length), indices);
                remembered(
                    remembered(channels, name, () => new Map<number, number[]>()),
                    position,
                    () => [],
                ).push(number);
                break;
            }
            case 'counter':
            case 'temporary':
                break;
            default:
                unreachable(kind);
        }
    });
    const all = new Map(shared.shapes());
    for (const { name, indices, message, capacity } of model.channels) {
        const rows = channels.get(name);
        if (rows !== undefined) {
            const elements = [...rows.values()].map(own => {
                const places = Array.from({ length: capacity }, (_, place) =>
                    messageShape(
                        own.slice(1 + place * message.length, 1 + (place + 1) * message.length),
                        message,
                        new Forest(cells, elementOf),
                    ),
                );
                return { kind: 'sequence', length: own[0], elements: places } as const;
            });
            all.set(name, inArrays(elements, indices));
        }
    }
    return { shared: all, locals: locals.map(forest => forest.shapes()) };
}

/** A message by the cells of its scalars. */
function messageShape(own: readonly number[], message: readonly MessageScalar[], forest: Forest): Shape {
    own.forEach((cell, scalar) => {
        forest.place(cell, [{ kind: 'field', name: '' }, ...tokensOf(message[scalar], message[scalar].values)]);
    });
    return forest.shapeOf('') ?? { kind: 'record', fields: [] };
}

function tokensOf(
    { segments, indices: domains }: Pick<Variable, 'segments' | 'indices'>,
    values: readonly Value[],
): readonly Token[] {
    let used = 0;
    return segments.flatMap(({ text, indices: count, member, isLength }): Token[] => {
        const own = Array.from({ length: count }, (_, index): Token => {
            const [domain, value] = [domains[used + index], values[used + index]];
            const isElement = member !== undefined && index === count - 1;
            return { kind: isElement ? 'element' : 'index', domain, value };
        });
        used += count;
        // The name of the case of a value, or of a length, is that of the value.
        return isLength === true || text === '' ? own : [{ kind: 'field', name: text.replace(/^\./, '') }, ...own];
    });
}

type Token = { readonly kind: 'field'; readonly name: string } | ({ readonly kind: 'index' | 'element' } & IndexValue);

type ElementOf = (cell: number) => IndexValue;

interface Node {
    cell?: number;
    readonly fields: Map<string, Node>;
    readonly elements: { readonly domain: Domain; readonly value: Value; readonly node: Node }[];
    readonly members: SetElement[];
}

/** Cells by the parts of their names. */
class Forest {
    readonly #cells: readonly Cell[];
    readonly #elementOf: ElementOf;
    readonly #root = newNode();

    constructor(cells: readonly Cell[], elementOf: ElementOf) {
        this.#cells = cells;
        this.#elementOf = elementOf;
    }

    add(cell: number, variable: Variable): void {
        const { indices, format } = this.#cells[cell];
        // The parts of such a value are in its format.
        const isPart = this.#cells[cell].within !== undefined && format === undefined && this.#isFormatted(cell);
        if (!isPart) {
            this.place(cell, tokensOf(variable, indices));
        }
    }

    #isFormatted(cell: number): boolean {
        for (let { within } = this.#cells[cell]; within !== undefined; { within } = this.#cells[within.of]) {
            if (this.#cells[within.of].format !== undefined) {
                return true;
            }
        }
        return false;
    }

    place(cell: number, tokens: readonly Token[]): void {
        let node = this.#root;
        for (const token of tokens) {
            if (token.kind === 'field') {
                node = remembered(node.fields, token.name, newNode);
            } else if (token.kind === 'index') {
                let next = node.elements.find(({ value }) => value === token.value);
                if (next === undefined) {
                    next = { domain: token.domain, value: token.value, node: newNode() };
                    node.elements.push(next);
                }
                ({ node } = next);
            } else {
                node.members.push({ cell, element: { domain: token.domain, value: token.value } });
                return;
            }
        }
        node.cell ??= cell;
    }

    shapes(): Map<string, Shape> {
        return new Map([...this.#root.fields].map(([name, node]) => [name, this.#shape(node)]));
    }

    shapeOf(name: string): Shape | undefined {
        const node = this.#root.fields.get(name);
        return node && this.#shape(node);
    }

    #shape({ cell, fields, elements, members }: Node): Shape {
        const [element] = elements;
        if (cell !== undefined) {
            const { domain, format } = this.#cells[cell];
            return format === undefined
                ? { kind: 'cell', cell, domain }
                : shapeOfFormat(format, this.#cells, this.#elementOf);
        }
        if (members.length > 0) {
            return { kind: 'set', elements: members };
        }
        return element === undefined
            ? {
                  kind: 'record',
                  fields: [...fields].map(([name, node]) => ({ name, shape: this.#shape(node) })),
              }
            : { kind: 'array', domain: element.domain, elements: elements.map(({ node }) => this.#shape(node)) };
    }
}

function newNode(): Node {
    return { fields: new Map(), elements: [], members: [] };
}

function shapeOfFormat(format: ValueFormat<number>, cells: readonly Cell[], elementOf: ElementOf): Shape {
    const each = (formats: readonly ValueFormat<number>[]): Shape[] =>
        formats.map(one => shapeOfFormat(one, cells, elementOf));
    const named = (formats: readonly ValueFormat<number>[]): ShapeField[] =>
        formats.map((one, index) => ({
            name: nameOfField(one, cells) ?? String(index),
            shape: shapeOfFormat(one, cells, elementOf),
        }));
    switch (format.kind) {
        case 'scalar':
            return { kind: 'cell', cell: format.place, domain: cells[format.place].domain };
        case 'list':
            return {
                kind: 'array',
                domain: { kind: 'range', low: 0, high: format.elements.length - 1 },
                elements: each(format.elements),
            };
        case 'record':
            return { kind: 'record', name: format.name, fields: named(format.fields) };
        case 'sequence':
            return { kind: 'sequence', length: format.length, elements: each(format.elements) };
        case 'set':
            return {
                kind: 'set',
                elements: format.elements.map(({ place }) => ({ cell: place, element: elementOf(place) })),
            };
        case 'cases':
            return {
                kind: 'cases',
                cell: format.place,
                domain: cells[format.place].domain,
                cases: format.cases.map(fields => named(fields ?? [])),
            };
        default:
            return unreachable(format);
    }
}

/** The last part of the name of its first cell. */
function nameOfField(format: ValueFormat<number>, cells: readonly Cell[]): string | undefined {
    switch (format.kind) {
        case 'scalar':
        case 'cases':
            return /\.([^.[\]]+)(\[[^\]]*\])?$/.exec(cells[format.place].name)?.[1];
        case 'sequence':
            return /\.([^.[\]()]+)\)?$/.exec(cells[format.length].name)?.[1];
        case 'set':
            return /\.([^.[\]]+)(\[[^\]]*\])?$/.exec(cells[format.elements[0]?.place ?? 0].name)?.[1];
        default: {
            const first = format.kind === 'list' ? format.elements[0] : format.fields[0];
            return first && nameOfField(first, cells);
        }
    }
}

/** The row of an element, by the values of its indices. */
function rowOf(values: readonly Value[], domains: readonly Domain[]): number {
    return domains.reduce((row, domain, dimension) => {
        const codes = Array.from({ length: domainSize(domain) }, (_, code) => valueOfCode(domain, code));
        return row * codes.length + codes.indexOf(values[dimension]);
    }, 0);
}

/** Elements row by row in arrays of arrays. */
function inArrays(elements: readonly Shape[], [domain, ...inner]: readonly Domain[]): Shape {
    if (domain === undefined) {
        invariant(elements.length === 1, 'without indices there is one');
        return elements[0];
    }
    const count = domainSize(domain);
    const size = elements.length / count;
    return {
        kind: 'array',
        domain,
        elements: Array.from({ length: count }, (_, row) =>
            inArrays(elements.slice(row * size, (row + 1) * size), inner),
        ),
    };
}

/** The domains of the indices of a place, from the outside. */
export function indicesOf(shape: Shape): readonly Domain[] {
    return shape.kind === 'array' ? [shape.domain, ...indicesOf(shape.elements[0])] : [];
}
