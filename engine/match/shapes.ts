/**
 * The places that a log can name: variables, channels and locals as trees over cells, with the parts in the words of the
 * text. `node[n1].term` is the field `term` of an element of `node`.
 */
import { invariant, unreachable } from '../common/assert.js';
import { appendTo, remembered } from '../common/list-map.js';
import { domainKey, domainSize, valueOfCode, type Domain, type Value } from '../model/domain.js';
import type { ChannelDeclaration, MessageScalar, Model, Variable } from '../model/model.js';
import type { ValueFormat } from '../model/value-format.js';
import type { Cell, SequentialModel } from '../sequential/sequential-model.js';
import { declaredLocal, type DeclaredLocal } from './local-scopes.js';
import { codeAsIndex, type NamedValue } from './step-facts.js';

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
    /** By instance its locals by name; several parts of the text may each have one of the same name. */
    readonly locals: readonly ReadonlyMap<string, readonly LocalShape[]>[];
    /** By channel its messages, over their scalars in the place of cells. */
    readonly messages: readonly Shape[];
}

export interface LocalShape {
    readonly declared: DeclaredLocal;
    readonly shape: Shape;
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
    const locals = instances.map(() => new Map<DeclaredLocal, Forest>());
    const channels = new Map<string, Map<number, number[]>>();
    cells.forEach((cell, number) => {
        const { kind, variable, instance } = cell;
        switch (kind) {
            case 'shared':
                shared.add(number, variableOf(cell));
                break;
            case 'local':
                remembered(locals[instance], declaredLocal(variableOf(cell)), () => new Forest(cells, elementOf)).add(
                    number,
                    variableOf(cell),
                );
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
    return { shared: all, locals: locals.map(localsByName), messages: model.channels.map(shapeOfMessages) };
}

function localsByName(forests: ReadonlyMap<DeclaredLocal, Forest>): ReadonlyMap<string, readonly LocalShape[]> {
    const byName = new Map<string, LocalShape[]>();
    forests.forEach((forest, declared) => {
        forest.shapes().forEach((shape, name) => {
            appendTo(byName, name, { declared, shape });
        });
    });
    return byName;
}

/** Of a message that may be in no buffer: each scalar is a cell of its own. */
function shapeOfMessages({ message, nameRange }: ChannelDeclaration, variable: number): Shape {
    const scalars = message.map(({ suffix, member, domain, within, format, values }): Cell => {
        const name = member === undefined ? suffix : `${member.element} in ${suffix}`;
        const kept = { ...(within && { within }), ...(format && { format }) };
        const place = { kind: 'channel', variable, instance: -1, indices: values, declaration: nameRange } as const;
        return { ...place, ...kept, name, domain, mayBeAbsent: true };
    });
    const elementOf: ElementOf = scalar => {
        const { indices, values } = message[scalar];
        return { domain: indices[indices.length - 1], value: values[values.length - 1] };
    };
    return messageShape([...message.keys()], message, new Forest(scalars, elementOf));
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
                : shapeOfFormat(format, this.#cells, this.#elementOf, fieldsIn(this.#cells[cell].name).length);
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

/** `depth`: how many names a field of the value has in front of its own. */
export function shapeOfFormat(
    format: ValueFormat<number>,
    cells: readonly Pick<Cell, 'name' | 'domain'>[],
    elementOf: ElementOf,
    depth: number,
): Shape {
    const each = (formats: readonly ValueFormat<number>[]): Shape[] =>
        formats.map(one => shapeOfFormat(one, cells, elementOf, depth));
    const named = (formats: readonly ValueFormat<number>[]): ShapeField[] =>
        formats.map((one, index) => {
            const names = fieldsIn(cells[firstPlaceOf(one)].name);
            // A field that several cases have is named with its case: `mail.note.about`.
            const own = names.length > depth + depthOf(one) ? depth + 1 : depth;
            return { name: names[own] ?? String(index), shape: shapeOfFormat(one, cells, elementOf, own + 1) };
        });
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

function firstPlaceOf(format: ValueFormat<number>): number {
    switch (format.kind) {
        case 'scalar':
        case 'cases':
            return format.place;
        case 'sequence':
            return format.length;
        case 'list':
            return firstPlaceOf(format.elements[0]);
        case 'set':
            return format.elements[0].place;
        case 'record':
            return firstPlaceOf(format.fields[0]);
        default:
            return unreachable(format);
    }
}

/** How many names the first place of a value has, that of the value itself included. */
function depthOf(format: ValueFormat<number>): number {
    switch (format.kind) {
        case 'record':
            return 1 + depthOf(format.fields[0]);
        case 'list':
            return depthOf(format.elements[0]);
        default:
            return 1;
    }
}

/** The names of a place in their order, without indices: `node` and `term` of `node[1].term` and of `2 in node[1].term`. */
function fieldsIn(place: string): readonly string[] {
    let depth = 0;
    let text = '';
    for (const character of place.replace(/^len\((.*)\)$/, '$1').replace(/^.* in /, '')) {
        depth -= Number(character === ']');
        text += depth === 0 && !'[]'.includes(character) ? character : '';
        depth += Number(character === '[');
    }
    return text.split('.').filter(name => name !== '');
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

/** A value of a domain as a shape, in the place of the first cell. */
export function cellOf(domain: Domain): Shape {
    return { kind: 'cell', cell: 0, domain };
}

/** The domains of the indices of a place, from the outside. */
function indicesOf(shape: Shape): readonly Domain[] {
    return shape.kind === 'array' ? [shape.domain, ...indicesOf(shape.elements[0])] : [];
}

/** The element of a variable whose index types are those of the family; undefined if they are others. */
export function ownElement(shape: Shape, indices: readonly NamedValue[]): Shape | undefined {
    const domains = indicesOf(shape);
    if (
        indices.length === 0 ||
        domains.length !== indices.length ||
        !indices.every(({ domain }, at) => isSameType(domain, domains[at]))
    ) {
        return undefined;
    }
    return indices.reduce<Shape>(
        (outer, named) => (outer.kind === 'array' ? outer.elements[codeAsIndex(named, outer.domain)] : outer),
        shape,
    );
}

function isSameType(first: Domain, second: Domain): boolean {
    return first.name === second.name && domainKey(first) === domainKey(second);
}
