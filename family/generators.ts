/**
 * The generators of proved groups for the values of the parameters at hand: how each permutes the values of the places
 * that the engine's model has. Only numbers are computed here; the engine makes permutations of literals from them.
 */
import { appendTo } from '../engine/common/list-map.js';
import {
    codeOfValue,
    domainSize,
    isReference,
    NONE,
    valueOfCode,
    valuesOfDomain,
    type Domain,
    type Value,
} from '../engine/model/domain.js';
import type { MessageScalar, Model, ParameterValue, Variable } from '../engine/model/model.js';
import { channelIndices } from '../engine/symmetry/declared-action.js';
import type { PlaceImages, ValueImage, VariableImages } from '../engine/symmetry/proved-generators.js';
import * as ast from '../language/generated/nodes.js';
import { numberOfField } from '../language/references/constructors.js';
import { declarationsOf } from '../language/references/imports.js';
import { localsOf } from '../language/references/locals.js';
import { ConstantArray } from '../language/representation/array.js';
import type { Constants } from '../language/typing/constants.js';
import type { PlaceClasses, SortClass, UniformSorts } from './infer-sorts.js';
import { valueOf, type Polynomial } from '../language/typing/polynomial.js';
import type { LocalNumber } from './facts.js';

/** One generator of the group of one class. */
export interface ProvedGenerator {
    readonly sort: SortClass;
    readonly images: PlaceImages;
}

/** A permutation of the values of one class; the numbers of one owner only, if they are local to it. */
interface Move {
    readonly sort: SortClass;
    readonly images: ReadonlyMap<Value, Value>;
    readonly within?: { readonly local: LocalNumber; readonly owner: Value };
}

/** `model` is lowered from the same text with the values of `constants`. One generator for each step of each group. */
export function generatorsOf(sorts: UniformSorts, constants: Constants, model: Model): ProvedGenerator[] {
    const values = parameterValues(sorts.parameters, constants);
    const tables: Tables = parameter => entriesOf(parameter, constants);
    const leaves = leavesOfModel(sorts);
    return sorts.classes
        .flatMap(sort => movesOf(sort, values, tables))
        .map(move => ({ sort: move.sort, images: placeImages(sorts, leaves, move, model) }));
}

/** The values of the unknowns of polynomials: parameters that are numbers, and lengths of those that are arrays. */
function parameterValues(parameters: readonly ast.Parameter[], constants: Constants): ReadonlyMap<string, number> {
    const values = new Map<string, number>();
    for (const parameter of parameters) {
        const value = constants.valueOf(parameter);
        if (typeof value === 'number') {
            values.set(parameter.name, value);
        } else if (value instanceof ConstantArray && value.indices[0] !== undefined) {
            values.set(`len(${parameter.name})`, domainSize(value.indices[0]));
        }
    }
    return values;
}

/** The entries of a parameter over one index, each with its index. */
type Tables = (parameter: ast.Parameter) => readonly (readonly [Value, ParameterValue])[];

function entriesOf(parameter: ast.Parameter, constants: Constants): ReturnType<Tables> {
    const value = constants.valueOf(parameter);
    const shape = constants.shapeOfParameter(parameter)?.element;
    const [index] = value instanceof ConstantArray ? value.indices : [];
    return index === undefined || shape === undefined || !(value instanceof ConstantArray)
        ? []
        : value.parts.map((element, position) => [valueOfCode(index, position), shape.plainValue(element)]);
}

function movesOf(sort: SortClass, values: ReadonlyMap<string, number>, tables: Tables): Move[] {
    const { group } = sort;
    const numbers = (low: Polynomial, high: Polynomial): Value[] => {
        const [first, last] = [valueOf(low, values) ?? 0, valueOf(high, values) ?? -1];
        return Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
    };
    switch (group.kind) {
        case 'trivial':
            return [];
        case 'alike': {
            const labels = group.tables.map(table => new Map(tables(table)));
            return group.sets.flatMap(({ intervals }) => {
                const all = intervals.flatMap(({ low, high }) => numbers(low, high));
                const classes = new Map<string, Value[]>();
                for (const value of all) {
                    const label = JSON.stringify(labels.map(table => table.get(value) ?? null));
                    appendTo(classes, label, value);
                }
                return [...classes.values()].flatMap(alike => exchanges(alike).map(images => ({ sort, images })));
            });
        }
        case 'ring': {
            const all = numbers(group.interval.low, group.interval.high);
            const at = (position: number): Value => all[(position + all.length) % all.length] ?? 0;
            const rotation = new Map(all.map((value, position) => [value, at(position + 1)]));
            const reflection = new Map(all.map((value, position) => [value, at(-position)]));
            return (all.length < 2 ? [] : group.isReflected ? [rotation, reflection] : [rotation]).map(images => ({
                sort,
                images,
            }));
        }
        case 'reversal': {
            const sum = valueOf(group.sum, values) ?? 0;
            const all = numbers(group.interval.low, group.interval.high);
            return all.length < 2 ? [] : [{ sort, images: new Map(all.map(value => [value, sum - value])) }];
        }
        case 'local': {
            const { local, interval } = group;
            const all = numbers(interval.low, interval.high);
            return tables(local.table).flatMap(([owner, count]) => {
                const own = all.filter(number => typeof count === 'number' && number < count);
                return exchanges(own).map(images => ({ sort, images, within: { local, owner } }));
            });
        }
    }
}

/** The exchanges of neighbors, which generate all permutations. */
function exchanges(values: readonly Value[]): ReadonlyMap<Value, Value>[] {
    return values.slice(1).map((second, position) => {
        const first = values[position] ?? second;
        return new Map([
            [first, second],
            [second, first],
        ]);
    });
}

/** The places of a model, in the order in which lowering makes its variables, channels and processes. */
interface ModelLeaves {
    readonly variables: readonly Leaf[];
    readonly channels: readonly { readonly indices: readonly PlaceClasses[]; readonly message: readonly Leaf[] }[];
    readonly processes: readonly {
        readonly indices: readonly (PlaceClasses | undefined)[];
        readonly locals: readonly Leaf[];
    }[];
}

function leavesOfModel({ model, places }: UniformSorts): ModelLeaves {
    const declarations = declarationsOf(model);
    const leavesOf = (declaration: ast.Named): Leaf[] => {
        const own = places.get(declaration);
        // What a choice takes is one value.
        const isOne = ast.isBinderVariable(declaration);
        return own === undefined ? [] : isOne ? [{ path: '', indices: [], element: own }] : leavesOfPlaces(own);
    };
    return {
        variables: declarations.filter(ast.isVariable).flatMap(leavesOf),
        channels: declarations.filter(ast.isChannelDeclaration).map(declaration => {
            const own = places.get(declaration);
            const element = own?.kind === 'array' ? own.element : own;
            const message = element?.kind === 'channel' ? element.message : undefined;
            return {
                indices: own?.kind === 'array' ? own.indices : [],
                message: message === undefined ? [] : leavesOfPlaces(message),
            };
        }),
        processes: declarations.filter(ast.isProcess).map(declaration => ({
            indices: declaration.indices.map(index => places.get(index)),
            locals: localsOf(declaration).flatMap(leavesOf),
        })),
    };
}

function placeImages(sorts: UniformSorts, leaves: ModelLeaves, move: Move, model: Model): PlaceImages {
    const imageIn = (places: PlaceClasses | undefined, domain: Domain): ValueImage =>
        places === undefined ? value => value : imageOf(places, domain, move, { sorts, model, imageIn });
    const images = (leaf: Leaf | undefined, { indices, element }: Variable): VariableImages => ({
        indices: indices.map((domain, position) => imageIn(leaf?.indices[position], domain)),
        element: imageIn(leaf?.element, element),
    });
    const messageImage = (all: readonly Leaf[], { suffix, domain }: MessageScalar): ValueImage => {
        const path = suffix.replace(/\[[^\]]*\]/g, '');
        const leaf = all.find(each => each.path === path);
        // The elements of an array in a message stay in order: what moves them has no image.
        return leaf && isMovedBy(leaf.indices, move) ? () => NaN : imageIn(leaf?.element, domain);
    };
    return {
        variables: model.variables.map((variable, index) => images(leaves.variables[index], variable)),
        channels: model.channels.map(({ indices, message }, index) => ({
            indices: indices.map((domain, position) => imageIn(leaves.channels[index]?.indices[position], domain)),
            message: message.map(scalar => messageImage(leaves.channels[index]?.message ?? [], scalar)),
        })),
        processes: model.processes.map(({ indices, locals }, index) => ({
            indices: indices.map(({ domain }, position) => imageIn(leaves.processes[index]?.indices[position], domain)),
            locals: locals.map((local, position) => images(leaves.processes[index]?.locals[position], local)),
        })),
    };
}

/** One scalar, or array of scalars, of a place, as lowering splits it. */
interface Leaf {
    /** The fields on the way to it: `.data.kind`. */
    readonly path: string;
    readonly indices: readonly PlaceClasses[];
    /** Undefined for the truth values of a set, for whether there is a record, and for a case: no permutation moves those. */
    readonly element: PlaceClasses | undefined;
}

function leavesOfPlaces(places: PlaceClasses): Leaf[] {
    switch (places.kind) {
        case 'scalar':
        case 'channel':
            return [{ path: '', indices: [], element: places }];
        case 'record':
            return places.isOneValue
                ? [{ path: '', indices: [], element: places }]
                : [
                      ...(places.isOptional || ast.isEnumeration(places.record)
                          ? [{ path: '', indices: [], element: undefined }]
                          : []),
                      ...fieldsIn(places).flatMap(({ cell, places: field }) =>
                          leavesOfPlaces(field).map(leaf => ({ ...leaf, path: `.${cell}${leaf.path}` })),
                      ),
                  ];
        case 'set':
            return [{ path: '', indices: [places.member], element: undefined }];
        case 'array':
            return leavesOfPlaces(places.element).map(leaf => ({
                ...leaf,
                indices: [...places.indices, ...leaf.indices],
            }));
    }
}

/** A field of a record, or of a case. */
interface PlacedField {
    readonly field: ast.RecordField;
    readonly places: PlaceClasses;
    /** Its name in values of one cell, and that of its own cells. */
    readonly name: string;
    readonly cell: string;
}

/** The fields of a record, or of one case after the other. */
function fieldsIn({ record, fields }: PlaceClasses & { readonly kind: 'record' }): PlacedField[] {
    const owners: readonly (ast.RecordDeclaration | ast.EnumerationValue)[] = ast.isEnumeration(record)
        ? record.values
        : [record];
    return owners.flatMap(owner =>
        owner.fields.map(field => {
            const isAlone = owners.filter(other => other.fields.some(({ name }) => name === field.name)).length === 1;
            const ofCase = `${owner.name}.${field.name}`;
            const name = owner === record ? field.name : ofCase;
            return { field, places: fields[numberOfField(field)], name, cell: isAlone ? field.name : ofCase };
        }),
    );
}

interface Context {
    readonly sorts: UniformSorts;
    readonly model: Model;
    readonly imageIn: (places: PlaceClasses | undefined, domain: Domain) => ValueImage;
}

/** The image of a value of a domain; a value without an image becomes NaN, which has no code. */
function imageOf(places: PlaceClasses, domain: Domain, move: Move, context: Context): ValueImage {
    if (domain.kind === 'optional') {
        const inner = imageOf(places, domain.base, move, context);
        return value => (value === NONE ? NONE : inner(value));
    }
    switch (places.kind) {
        case 'scalar':
            return places.sort === move.sort && move.within === undefined && !isReference(domain)
                ? value => move.images.get(value) ?? value
                : value => value;
        case 'record':
            return recordImage(places, domain, move, context);
        case 'set':
            return setImage(places.member, domain, context);
        case 'channel':
            return channelImage(domain, context);
        case 'array':
            return value => value;
    }
}

function recordImage(
    places: PlaceClasses & { readonly kind: 'record' },
    domain: Domain,
    move: Move,
    context: Context,
): ValueImage {
    if (domain.kind !== 'record') {
        return value => value;
    }
    const { record } = places;
    // A field that is an array has a field for each of its elements.
    const ofFields = fieldsIn(places).flatMap(placed => {
        const isOf = (name: string): boolean => name === placed.name || name.startsWith(`${placed.name}[`);
        return domain.fields.filter(({ name }) => isOf(name)).map(() => placed);
    });
    // The case comes first.
    const parts = [...(ast.isEnumeration(record) ? [undefined] : []), ...ofFields];
    const movesPositions = places.fields.some(field => field.kind === 'array' && isMovedBy(field.indices, move));
    const positionOf = (field: ast.RecordField | undefined): number =>
        parts.findIndex(part => part !== undefined && part.field === field);
    const [owner, number] = [positionOf(move.within?.local.ownerField), positionOf(move.within?.local.field)];
    const isOwn = record === move.within?.local.record;
    const codeOfTuple = new Map(domain.tuples.map((tuple, code) => [tuple.join(), code]));
    const images = domain.fields.map((field, position) => {
        const own = parts[position]?.places;
        return context.imageIn(own?.kind === 'array' ? own.element : own, field.domain);
    });
    return value => {
        const tuple = domain.tuples[value];
        if (tuple === undefined || movesPositions) {
            return NaN;
        }
        const image = tuple.map((part, position) =>
            isOwn && position === number && tuple[owner] === move.within?.owner
                ? (move.images.get(part) ?? part)
                : (images[position]?.(part) ?? part),
        );
        return codeOfTuple.get(image.join()) ?? NaN;
    };
}

/** A set in one cell: the elements move. */
function setImage(member: PlaceClasses, domain: Domain, { imageIn }: Context): ValueImage {
    const { elements, tuples } = domain.kind === 'record' ? domain : { elements: undefined, tuples: [] };
    if (elements === undefined) {
        return value => value;
    }
    const image = imageIn(member, elements);
    const places = valuesOfDomain(elements).map(value => codeOfValue(elements, image(value)));
    const codeOfTuple = new Map(tuples.map((tuple, code) => [tuple.join(), code]));
    return value => {
        const tuple = tuples[value] ?? [];
        const moved = places.map((_, code) => tuple[places.indexOf(code)]);
        return codeOfTuple.get(moved.join()) ?? NaN;
    };
}

function isMovedBy(indices: readonly PlaceClasses[], { sort }: Move): boolean {
    return indices.some(index => index.kind !== 'scalar' || index.sort === sort);
}

/** A channel that is a value moves with the indices of its declaration. */
function channelImage(domain: Domain, { sorts, model, imageIn }: Context): ValueImage {
    const type = model.channelTypes.find(each => each.domain.name === domain.name);
    if (type === undefined) {
        return value => value;
    }
    const declared = declarationsOf(sorts.model).filter(ast.isChannelDeclaration);
    const codeOfMember = new Map(type.members.map(({ channel, position }, code) => [`${channel}.${position}`, code]));
    return value => {
        const member = type.members[value];
        const declaration = member && declared[member.channel];
        const places = declaration && sorts.places.get(declaration);
        if (member === undefined || places?.kind !== 'array') {
            return value;
        }
        const image = channelIndices(member, model.channels).reduce((row, index, position) => {
            const code = codeOfValue(index.domain, imageIn(places.indices[position], index.domain)(index.value));
            return code < 0 ? NaN : row * domainSize(index.domain) + code;
        }, 0);
        return codeOfMember.get(`${member.channel}.${image}`) ?? NaN;
    };
}
