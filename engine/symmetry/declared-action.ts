/**
 * Symmetries that the declarations suggest; each is checked. For an index type: exchanges of neighboring indices, the
 * rotation and the reflection, in all families, arrays, channels and values of the type at once. A record moves with
 * its fields, a value that is a channel with the channel. For another declared type: exchanges of neighboring values
 * everywhere; for a variable: in all its cells.
 */
import { unreachable } from '../common/assert.js';
import { appendTo, remembered } from '../common/list-map.js';
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import { codeOfValue, domainSize, formatDomain, valueOfCode, type Domain, type RecordDomain } from '../model/domain.js';
import type { ChannelType, Model } from '../model/model.js';
import type { Cell, Instance, SequentialModel } from '../sequential/sequential-model.js';
import { sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import type { SuggestedPermutation } from './detect.js';
import { literalPoints, type LiteralPoints } from './model-symmetry.js';

type SuggestionKind = 'swap' | 'rotation' | 'reflection';

/** A symmetry of an index type or of the values of a variable. */
interface Suggestion {
    readonly kind: SuggestionKind;
    readonly subject: SuggestionSubject;
    /** On literals; it may move none. */
    readonly permutation: SuggestedPermutation;
    /** The image of each instance; empty for the values of a variable. Most are never needed. */
    readonly instances: () => ReadonlyMap<number, number>;
}

type SuggestionSubject =
    /** All families, arrays, channels and values over this type. */
    | { readonly kind: 'index-type'; readonly domain: Domain }
    /** All values of a declared type that is no index. */
    | { readonly kind: 'value-type'; readonly domain: Domain }
    /** The values of one shared variable (`process` -1) or local. */
    | { readonly kind: 'variable-values'; readonly process: number; readonly variable: number };

/**
 * All suggestions, index types first, without those that move values to values that cannot occur, and without those for
 * which there is no work left.
 */
export function suggestSymmetries(
    model: Model,
    sequential: SequentialModel,
    points: LiteralPoints,
    workLimit: WorkLimit,
): Suggestion[] {
    const action = new DeclaredAction(model, sequential, points, workLimit);
    const suggestions: Suggestion[] = [];
    for (const domain of indexTypes(model)) {
        const subject: SuggestionSubject = { kind: 'index-type', domain };
        const swaps: SparsePermutation[] = [];
        for (const [kind, images] of suggestedPermutations(domain)) {
            const permuted = action.ofIndexType(domain, images);
            if (permuted === undefined) {
                continue;
            }
            if (kind === 'swap') {
                swaps.push(permuted);
            }
            // If all exchanges of neighbors are there, they generate all permutations.
            const isProduct = kind !== 'swap' && swaps.length === domainSize(domain) - 1;
            const permutation = isProduct ? { ...permuted, productOf: swaps } : permuted;
            suggestions.push({ kind, subject, permutation, instances: () => action.ofInstances(domain, images) });
        }
    }
    for (const domain of valueTypes(model)) {
        const subject: SuggestionSubject = { kind: 'value-type', domain };
        for (const images of neighborSwaps(domain)) {
            const permutation = action.ofIndexType(domain, images);
            if (permutation !== undefined && permutation.points.length > 0) {
                suggestions.push({ kind: 'swap', subject, permutation, instances: () => new Map() });
            }
        }
    }
    const variables = [
        ...model.variables.map((variable, index) => ({ process: -1, index, domain: variable.element })),
        ...model.processes.flatMap((process, p) =>
            process.locals.map((local, index) => ({ process: p, index, domain: local.element })),
        ),
    ];
    for (const { process, index, domain } of variables) {
        const subject: SuggestionSubject = { kind: 'variable-values', process, variable: index };
        for (const images of neighborSwaps(domain)) {
            const permutation = action.ofValues(process, index, images);
            if (permutation !== undefined && permutation.points.length > 0) {
                suggestions.push({ kind: 'swap', subject, permutation, instances: () => new Map() });
            }
        }
    }
    return suggestions;
}

/** Larger types suggest nothing: a search finds their symmetries as fast. */
export const MOST_SUGGESTED_VALUES = 256;

/** Neighbor exchanges, then the rotation and the reflection, unless they are exchanges. */
function suggestedPermutations(domain: Domain): [SuggestionKind, number[]][] {
    const size = domainSize(domain);
    const suggestions: [SuggestionKind, number[]][] = neighborSwaps(domain).map(images => ['swap', images]);
    // Records form no ring; their fields may.
    if (2 < size && size <= MOST_SUGGESTED_VALUES && domain.kind !== 'record') {
        const identity = Array.from({ length: size }, (_, code) => code);
        suggestions.push(['rotation', identity.map(code => (code + 1) % size)]);
        suggestions.push(['reflection', identity.map(code => size - 1 - code)]);
    }
    return suggestions;
}

/** Exchanges of neighbors; neighboring records differ in one field. None for a type that is too large. */
export function neighborSwaps(domain: Domain): number[][] {
    const size = domainSize(domain);
    if (size > MOST_SUGGESTED_VALUES) {
        return [];
    }
    const codes = Array.from({ length: size }, (_, code) => code);
    return codes
        .slice(1)
        .filter(
            second => domain.kind !== 'record' || differences(domain.tuples[second - 1], domain.tuples[second]) === 1,
        )
        .map(second => codes.map(code => (code === second ? second - 1 : code === second - 1 ? second : code)));
}

function differences(first: readonly number[], second: readonly number[]): number {
    return first.filter((value, index) => value !== second[index]).length;
}

/** The domains that index a family, an array or a channel, each once, and those of the fields of records that do. */
export function indexTypes(model: Model): Domain[] {
    const found = new Map<string, Domain>();
    const note = (domain: Domain): void => {
        if (domain.kind === 'record') {
            domain.fields.forEach(field => {
                note(field.domain);
            });
        }
        if (domainSize(domain) > 1 && !found.has(identityOf(domain))) {
            found.set(identityOf(domain), domain);
        }
    };
    model.processes.forEach(process => process.indices.forEach(index => note(index.domain)));
    model.variables.forEach(variable => variable.indices.forEach(note));
    model.channels.forEach(channel => channel.indices.forEach(note));
    model.processes.forEach(process => process.locals.forEach(local => local.indices.forEach(note)));
    return [...found.values()];
}

/** The declared types that are no index types. */
export function valueTypes(model: Model): Domain[] {
    const indices = new Set(indexTypes(model).map(identityOf));
    return model.types.map(type => type.domain).filter(domain => !indices.has(identityOf(domain)));
}

/** Equal for equal types: declared types are compared by name, others by their contents. */
export function identityOf(domain: Domain): string {
    return domain.name ?? formatDomain(domain);
}

/** The action of the declarations of a model, made once for each problem: explanations use it many times. */
export function declaredActionOf(model: Model, problem: ConstraintProblem): DeclaredAction {
    let known = knownActions.get(problem);
    if (known?.model !== model) {
        known = { model, action: new DeclaredAction(model, problem.sequential, literalPoints(problem)) };
        knownActions.set(problem, known);
    }
    return known.action;
}

const knownActions = new WeakMap<ConstraintProblem, { readonly model: Model; readonly action: DeclaredAction }>();

class DeclaredAction {
    private readonly model: Model;
    private readonly sequential: SequentialModel;
    private readonly points: LiteralPoints;
    private readonly workLimit: WorkLimit;
    private readonly cellOfKey = new Map<string, number>();
    /** By the process (-1 for shared variables) and the number of the variable. */
    private readonly cellsOfVariable = new Map<string, number[]>();
    private numberOfInstance: ReadonlyMap<string, number> | undefined;
    private knownCells: Map<string, number[]> | undefined;
    private knownInstances: Map<string, number[]> | undefined;
    /** By identity: the types that occur in a type, including itself. */
    private readonly knownParts = new Map<string, ReadonlySet<string>>();
    /** By the identity of their domains. */
    private readonly channelTypes: ReadonlyMap<string, ChannelType>;

    constructor(model: Model, sequential: SequentialModel, points: LiteralPoints, workLimit: WorkLimit = UNLIMITED) {
        this.model = model;
        this.sequential = sequential;
        this.points = points;
        this.workLimit = workLimit;
        this.channelTypes = new Map(model.channelTypes.map(type => [identityOf(type.domain), type]));
        sequential.cells.forEach((cell, index) => {
            if (cell.kind !== 'temporary') {
                const instance = sequential.instances[cell.instance];
                this.cellOfKey.set(keyOf(cell, instance, instance?.indices ?? [], cell.indices), index);
            }
            if (cell.kind === 'shared' || cell.kind === 'local') {
                const variable = `${sequential.instances[cell.instance]?.process ?? -1} ${cell.variable}`;
                appendTo(this.cellsOfVariable, variable, index);
            }
        });
    }

    /** By the identity of a type: the cells with it in their indices, those of their instances, or their values. */
    private get cellsOfType(): ReadonlyMap<string, readonly number[]> {
        if (this.knownCells === undefined) {
            this.knownCells = new Map<string, number[]>();
            const { cells, instances } = this.sequential;
            for (const [index, cell] of cells.entries()) {
                const process = instances[cell.instance]?.process;
                const domains = [...this.indicesOf(process), ...indexDomainsOf(cell, this.model, process)];
                for (const type of this.typesIn([cell.domain, ...domains])) {
                    appendTo(this.knownCells, type, index);
                }
            }
        }
        return this.knownCells;
    }

    /** By the identity of a type: the instances with indices in which it occurs. */
    private get instancesOfType(): ReadonlyMap<string, readonly number[]> {
        if (this.knownInstances === undefined) {
            this.knownInstances = new Map<string, number[]>();
            for (const [instance, { process }] of this.sequential.instances.entries()) {
                for (const type of this.typesIn(this.indicesOf(process))) {
                    appendTo(this.knownInstances, type, instance);
                }
            }
        }
        return this.knownInstances;
    }

    private indicesOf(process: number | undefined): readonly Domain[] {
        return process === undefined ? [] : this.model.processes[process].indices.map(({ domain }) => domain);
    }

    private typesIn(domains: readonly Domain[]): ReadonlySet<string> {
        return new Set(domains.flatMap(domain => [...this.partsOf(domain)]));
    }

    private partsOf(domain: Domain): ReadonlySet<string> {
        const identity = identityOf(domain);
        const withParts = (): Set<string> => new Set([identity, ...this.typesIn(this.directParts(domain))]);
        return remembered(this.knownParts, identity, withParts);
    }

    /** The types that the values of a domain consist of. */
    private directParts(domain: Domain): readonly Domain[] {
        switch (domain.kind) {
            case 'optional':
                return [domain.base];
            case 'record':
                return domain.fields.map(field => field.domain);
            case 'enumeration': {
                const members = this.channelTypes.get(identityOf(domain))?.members ?? [];
                const channels = new Set(members.map(({ channel }) => channel));
                return [...channels].flatMap(channel => this.model.channels[channel].indices);
            }
            case 'boolean':
            case 'range':
            case 'number':
                return [];
            default:
                return unreachable(domain);
        }
    }

    /** The images of all instances, without those that have none. */
    ofInstances(type: Domain, images: readonly number[]): Map<number, number> {
        const { instances } = this.sequential;
        const numberOf = (this.numberOfInstance ??= new Map(
            instances.map(({ process, indices }, i) => [`${process}[${indices.join()}]`, i]),
        ));
        const map = this.codeMap(type, images);
        const targets = new Map(instances.map((_, instance) => [instance, instance]));
        for (const instance of this.instancesOfType.get(identityOf(type)) ?? []) {
            const { process, indices } = instances[instance];
            const declared = this.model.processes[process].indices;
            const image = indices.map((value, i) => map.value(declared[i].domain, value));
            const target = numberOf.get(`${process}[${image.join()}]`);
            if (target === undefined) {
                targets.delete(instance);
            } else {
                targets.set(instance, target);
            }
        }
        return targets;
    }

    /**
     * By `images[code]` for each code of the type; undefined if a cell has no image or a value no point, or if the work
     * limit is exhausted.
     */
    ofIndexType(type: Domain, images: readonly number[]): SparsePermutation | undefined {
        return permuteLiterals(
            this.points,
            this.cellsOfType.get(identityOf(type)) ?? [],
            this.cellImages(type, images),
            this.workLimit,
        );
    }

    /** The cells that have other values than their images, each with its image if there is one. */
    unlikeCells(type: Domain, images: readonly number[]): { readonly cell: number; readonly target?: number }[] {
        const { codes } = this.points;
        const imageOf = this.cellImages(type, images);
        return codes.flatMap((own, cell) => {
            const image = imageOf(cell);
            if (image === undefined) {
                return [{ cell }];
            }
            const { target, mapCode } = image;
            const others = new Set(codes[target]);
            const isAlike = own.length === others.size && own.every(code => others.has(mapCode(code)));
            return isAlike ? [] : [{ cell, target }];
        });
    }

    private cellImages(type: Domain, images: readonly number[]): CellImages {
        const map = this.codeMap(type, images);
        return number => {
            const cell = this.sequential.cells[number];
            if (cell.kind === 'temporary') {
                return { target: number, mapCode: code => code };
            }
            const owner = this.sequential.instances[cell.instance];
            const process = owner === undefined ? undefined : this.model.processes[owner.process];
            const ownerIndices = (owner?.indices ?? []).map((value, i) => map.value(process!.indices[i].domain, value));
            const declared = indexDomainsOf(cell, this.model, owner?.process);
            // The slots of a channel and the fields of its messages stay in order.
            const indices = cell.indices.map((value, i) =>
                i < declared.length ? map.value(declared[i], value) : value,
            );
            const target = this.cellOfKey.get(keyOf(cell, owner, ownerIndices, indices));
            const isCount = cell.kind === 'counter' || (cell.kind === 'channel' && indices.length === declared.length);
            return target === undefined
                ? undefined
                : { target, mapCode: code => (isCount ? code : map.code(cell.domain, code)) };
        };
    }

    /** The same permutation of the codes of every cell of one variable. */
    ofValues(process: number, variable: number, images: readonly number[]): SparsePermutation | undefined {
        const cells = this.cellsOfVariable.get(`${process} ${variable}`) ?? [];
        return permuteLiterals(
            this.points,
            cells,
            cell => ({ target: cell, mapCode: code => images[code] }),
            this.workLimit,
        );
    }

    /** The action of a permutation of the codes of `type` on the codes of all domains. */
    private codeMap(type: Domain, images: readonly number[]): CodeMap {
        const known = new Map<string, readonly number[]>();
        const code = (domain: Domain, of: number): number => {
            const identity = identityOf(domain);
            if (identity === identityOf(type)) {
                return images[of];
            }
            switch (domain.kind) {
                case 'optional':
                    return of === 0 ? 0 : shifted(code(domain.base, of - 1), 1);
                case 'record':
                    return remembered(known, identity, () => recordImages(domain, value))[of];
                case 'enumeration': {
                    const channels = this.channelTypes.get(identity);
                    return channels === undefined
                        ? of
                        : remembered(known, identity, () => channelImages(channels, this.model.channels, value))[of];
                }
                case 'boolean':
                case 'range':
                case 'number':
                    return of;
                default:
                    return unreachable(domain);
            }
        };
        const value = (domain: Domain, of: number): number => {
            const image = code(domain, codeOfValue(domain, of));
            return image < 0 ? NaN : valueOfCode(domain, image);
        };
        return { code, value };
    }
}

/**
 * The action of `imageOf` on the literals of some cells; all others stay. Undefined if a literal has no image, or if the
 * work limit is exhausted.
 */
export function permuteLiterals(
    { codes, firstPoint }: LiteralPoints,
    cells: Iterable<number>,
    imageOf: CellImages,
    workLimit: WorkLimit = UNLIMITED,
): SparsePermutation | undefined {
    const moved: [number, number][] = [];
    for (const cell of cells) {
        const image = workLimit.isExhausted() ? undefined : imageOf(cell);
        if (image === undefined || codes[image.target].length !== codes[cell].length) {
            return undefined;
        }
        for (let i = 0; i < codes[cell].length; i++) {
            const position = codes[image.target].indexOf(image.mapCode(codes[cell][i]));
            if (position < 0) {
                return undefined;
            }
            if (image.target !== cell || position !== i) {
                moved.push([firstPoint[cell] + i, firstPoint[image.target] + position]);
            }
        }
    }
    return sparsePermutation(moved);
}

/** The image of a cell and of its codes; undefined for a cell without an image. */
export type CellImages = (
    cell: number,
) => { readonly target: number; readonly mapCode: (code: number) => number } | undefined;

/** The images of the codes and the values of a domain under a permutation of one type; -1 and NaN if there is none. */
interface CodeMap {
    readonly code: (domain: Domain, code: number) => number;
    readonly value: (domain: Domain, value: number) => number;
}

function shifted(code: number, by: number): number {
    return code < 0 ? -1 : code + by;
}

/** The image of a record has the images of its fields; -1 if there is no such record. */
function recordImages(domain: RecordDomain, value: CodeMap['value']): number[] {
    const codeOfTuple = new Map(domain.tuples.map((tuple, code) => [tuple.join(), code]));
    return domain.tuples.map(tuple => {
        const image = tuple.map((field, index) => value(domain.fields[index].domain, field));
        return codeOfTuple.get(image.join()) ?? -1;
    });
}

/** A channel of an array moves with its indices; -1 if there is no image. */
function channelImages({ members }: ChannelType, channels: Model['channels'], value: CodeMap['value']): number[] {
    const codeOfMember = new Map(members.map(({ channel, position }, code) => [`${channel}.${position}`, code]));
    return members.map(member => {
        const image = channelIndices(member, channels).reduce((row, { domain, value: index }) => {
            const target = codeOfValue(domain, value(domain, index));
            return target < 0 ? NaN : row * domainSize(domain) + target;
        }, 0);
        return codeOfMember.get(`${member.channel}.${image}`) ?? -1;
    });
}

/** The indices of a channel that is a value. */
export function channelIndices(
    { channel, position }: ChannelType['members'][number],
    channels: Model['channels'],
): { readonly domain: Domain; readonly value: number }[] {
    let rest = position;
    const found = [...channels[channel].indices].reverse().map(domain => {
        const value = valueOfCode(domain, rest % domainSize(domain));
        rest = Math.floor(rest / domainSize(domain));
        return { domain, value };
    });
    return found.reverse();
}

/** The domains of the indices that the declaration of a cell has; `process` is that of a local. */
export function indexDomainsOf({ kind, variable }: Cell, model: Model, process: number | undefined): readonly Domain[] {
    switch (kind) {
        case 'shared':
            return model.variables[variable].indices;
        case 'channel':
            return model.channels[variable].indices;
        case 'local':
            return process === undefined ? [] : model.processes[process].locals[variable].indices;
        case 'counter':
        case 'temporary':
            return [];
        default:
            return unreachable(kind);
    }
}

/** Equal for one cell of a declaration only: its indices and those of its instance are what tells cells apart. */
export function keyOf(
    { kind, variable }: Cell,
    owner: Instance | undefined,
    ownerIndices: readonly number[],
    indices: readonly number[],
): string {
    return `${kind} ${owner?.process ?? -1}[${ownerIndices.join()}] ${variable}[${indices.join()}]`;
}
