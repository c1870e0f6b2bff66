/**
 * The subjects whose members a symmetry may permute: instances of a family, processes without indices, values of a type
 * or a variable, cells. A symmetry acts on a subject if it maps each member to one member wherever it occurs.
 */
import { sparsePermutation, SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';
import { codeOfValue, domainSize, formatValue, valueOfCode, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { identityOf, indexDomainsOf } from '../symmetry/declared-action.js';
import type { InstanceMoves } from '../symmetry/instance-action.js';
import type { LiteralPoints } from '../symmetry/model-symmetry.js';
import { appendTo, remembered } from '../common/list-map.js';

/** A set of members that has a name for a reader. */
export interface Subject {
    readonly kind: 'instances' | 'processes' | 'type-values' | 'variable-values' | 'cells';
    /** The name of the declaration; empty for `processes`, which have one each. */
    readonly name: string;
    /** The members as the model writes them. */
    readonly members: readonly string[];
    /** For several indices, or a single one that is a record: the parts of each member, by their names. */
    readonly parts: readonly { readonly name: string; readonly values: readonly string[] }[];
    /** A symmetry that moves neither one of these cells nor one of these instances fixes all members. */
    readonly cells: readonly number[];
    readonly instances: readonly number[];
    /** Less for subjects that a reader thinks of first. */
    readonly rank: number;
    /** The action on the members, if there is one. `instances` is the action on instances, undefined if it is not known. */
    permute(symmetry: SparsePermutation, instances: InstanceMoves | undefined): SparsePermutation | undefined;
}

/** All subjects of a model, most natural first. */
export function subjectsOf(model: Model, sequential: SequentialModel, points: LiteralPoints): readonly Subject[] {
    return [
        ...familySubjects(model, sequential),
        singleProcesses(model, sequential),
        ...typeSubjects(model, sequential, points),
        ...valueSubjects(model, sequential, points),
        ...cellSubjects(model, sequential, points),
    ]
        .filter(({ members }) => members.length > 1)
        .sort((a, b) => a.rank - b.rank);
}

function familySubjects(model: Model, { instances }: SequentialModel): Subject[] {
    return model.processes.map((process, index): Subject => {
        const members = instances.flatMap((instance, i) => (instance.process === index ? [i] : []));
        const position = new Map(members.map((member, i) => [member, i]));
        return {
            kind: 'instances',
            name: process.name,
            members: members.map(member => instances[member].name),
            parts: partsOf(
                process.indices,
                members.map(member => instances[member].indices),
            ),
            cells: [],
            instances: members,
            rank: process.indices.length === 1 ? 0 : 3,
            permute: (_, moves) => membersMoved(moves, members, position),
        };
    });
}

function singleProcesses(model: Model, { instances }: SequentialModel): Subject {
    const members = instances.flatMap(({ process }, i) => (model.processes[process].indices.length === 0 ? [i] : []));
    const position = new Map(members.map((member, i) => [member, i]));
    return {
        kind: 'processes',
        name: '',
        members: members.map(member => `\`${instances[member].name}\``),
        parts: [],
        cells: [],
        instances: members,
        rank: 0,
        permute: (_, moves) => membersMoved(moves, members, position),
    };
}

/** The values of each index, or of each field of the only index, for each member. */
function partsOf(
    indices: readonly { readonly name: string; readonly domain: Domain }[],
    values: readonly (readonly number[])[],
): Subject['parts'] {
    const [first, ...more] = indices;
    if (first === undefined) {
        return [];
    }
    if (more.length > 0) {
        return indices.map(({ name, domain }, i) => ({ name, values: values.map(row => formatValue(domain, row[i])) }));
    }
    const { domain } = first;
    if (domain.kind !== 'record') {
        return [];
    }
    return domain.fields.map((field, i) => ({
        name: field.name,
        values: values.map(([value]) => formatValue(field.domain, domain.tuples[codeOfValue(domain, value)][i])),
    }));
}

/** The action on the instances that are members; undefined if it is not known for all of them. */
function membersMoved(
    moves: InstanceMoves | undefined,
    members: readonly number[],
    position: ReadonlyMap<number, number>,
): SparsePermutation | undefined {
    return moves === undefined || (moves.unknown.size > 0 && members.some(member => moves.unknown.has(member)))
        ? undefined
        : renumbered(moves.permutation, position);
}

function renumbered(
    permutation: SparsePermutation,
    position: ReadonlyMap<number, number>,
): SparsePermutation | undefined {
    const pairs: [number, number][] = [];
    for (let i = 0; i < permutation.points.length; i++) {
        const from = position.get(permutation.points[i]);
        const to = position.get(permutation.images[i]);
        if ((from === undefined) !== (to === undefined)) {
            return undefined;
        }
        if (from !== undefined && to !== undefined) {
            pairs.push([from, to]);
        }
    }
    return sparsePermutation(pairs);
}

/** Declared types whose values occur: as indices of families and arrays, and in variables. */
function typeSubjects(model: Model, sequential: SequentialModel, points: LiteralPoints): Subject[] {
    const { cellOfPoint: cellOf } = points;
    const heldBy = cellsByType(sequential);
    // The indices of each cell and each instance. No symmetry moves a cell that never changes.
    const cellIndices = occurrencesInIndices(
        sequential.cells.map((cell, index) => ({
            domains:
                points.codes[index].length < 2
                    ? []
                    : indexDomainsOf(cell, model, sequential.instances[cell.instance]?.process),
            values: cell.indices,
        })),
    );
    const instanceIndices = occurrencesInIndices(
        sequential.instances.map(({ process, indices }) => ({
            domains: model.processes[process].indices.map(({ domain }) => domain),
            values: indices,
        })),
    );
    return model.types.map((type): Subject => {
        const identity = identityOf(type.domain);
        const size = domainSize(type.domain);
        // The occurrences of each member: in the indices of cells and instances, and in literals.
        const inCells = cellIndices(identity);
        const inInstances = instanceIndices(identity);
        const shiftOfCell = new Map(
            (heldBy.get(identity) ?? [])
                .filter(({ cell }) => points.codes[cell].length > 1)
                .map(({ cell, shift }) => [cell, shift]),
        );
        const literalCode = (point: number): number => {
            const cell = cellOf[point];
            const shift = shiftOfCell.get(cell);
            return shift === undefined ? -1 : Math.max(-1, points.codes[cell][point - points.firstPoint[cell]] - shift);
        };
        const occurrences = new Int32Array(size);
        const count = (code: number): void => {
            if (code >= 0) {
                occurrences[code]++;
            }
        };
        inCells.codes.forEach(codes => codes.forEach(count));
        inInstances.codes.forEach(codes => codes.forEach(count));
        shiftOfCell.forEach((shift, cell) => {
            points.codes[cell].forEach(code => {
                count(code - shift);
            });
        });
        return {
            kind: 'type-values',
            name: type.name,
            members: Array.from({ length: size }, (_, code) =>
                formatValue(type.domain, valueOfCode(type.domain, code)),
            ),
            parts: partsOf(
                [{ name: type.name, domain: type.domain }],
                Array.from({ length: size }, (_, code) => [valueOfCode(type.domain, code)]),
            ),
            cells: [...new Set([...inCells.codes.keys(), ...shiftOfCell.keys()])],
            instances: [...inInstances.codes.keys()],
            rank: 1,
            permute(symmetry, instances): SparsePermutation | undefined {
                const members = new MemberImages();
                const noteAll = (from: readonly number[], to: readonly number[]): boolean =>
                    from.length === to.length && from.every((code, i) => members.note(code, to[i]));
                const seenCells = new Set<number>();
                for (let i = 0; i < symmetry.points.length; i++) {
                    const [point, target] = [symmetry.points[i], symmetry.images[i]];
                    const [cell, targetCell] = [cellOf[point], cellOf[target]];
                    if (!seenCells.has(cell)) {
                        seenCells.add(cell);
                        if (!noteAll(inCells.of(cell), inCells.of(targetCell))) {
                            return undefined;
                        }
                    }
                    if (!members.note(literalCode(point), literalCode(target))) {
                        return undefined;
                    }
                }
                // A permutation lists only instances, literals and cells that move.
                const { points: moved, images } = instances?.permutation ?? SPARSE_IDENTITY;
                for (let i = 0; i < moved.length; i++) {
                    if (!noteAll(inInstances.of(moved[i]), inInstances.of(images[i]))) {
                        return undefined;
                    }
                }
                return members.permutation(code => occurrences[code]);
            },
        };
    });
}

/** The images of members under a symmetry, as seen at their occurrences. */
export class MemberImages {
    private readonly image = new Map<number, number>();
    private readonly seenCount = new Map<number, number>();

    /** An occurrence of a member, or of none if it is negative. False if the member has another image elsewhere. */
    note(from: number, to: number): boolean {
        if (from < 0 !== to < 0 || (this.image.get(from) ?? to) !== to) {
            return false;
        }
        if (from >= 0) {
            this.image.set(from, to);
            this.seenCount.set(from, (this.seenCount.get(from) ?? 0) + 1);
        }
        return true;
    }

    /** Undefined if a member moves at some of its occurrences only. Occurrences that stay are not noted. */
    permutation(occurrences: (member: number) => number): SparsePermutation | undefined {
        const moved = [...this.image].filter(([from, to]) => from !== to);
        const targets = new Set(moved.map(([, to]) => to));
        const isEverywhere = moved.every(([from]) => this.seenCount.get(from) === occurrences(from));
        const isBijection = targets.size === moved.length && moved.every(([from]) => targets.has(from));
        return isEverywhere && isBijection ? sparsePermutation(moved) : undefined;
    }
}

/** The values of one type among the indices of numbered things. */
interface InIndices {
    /** The codes of those that have such an index, -1 for an index of another type. */
    readonly codes: ReadonlyMap<number, readonly number[]>;
    /** The same for all of them. */
    readonly of: (thing: number) => readonly number[];
}

/** Maps the identity of a type to its occurrences in indices. One pass over all of them. */
function occurrencesInIndices(
    things: readonly { readonly domains: readonly Domain[]; readonly values: readonly number[] }[],
): (identity: string) => InIndices {
    const codesOfType = new Map<string, Map<number, number[]>>();
    for (const [thing, { domains, values }] of things.entries()) {
        for (const [dimension, domain] of domains.entries()) {
            const identity = identityOf(domain);
            const codes = remembered(codesOfType, identity, () => new Map<number, number[]>());
            const own = remembered(codes, thing, () => domains.map(() => -1));
            own[dimension] = codeOfValue(domain, values[dimension]);
        }
    }
    const others = new Map<number, readonly number[]>();
    const withoutType = (count: number): readonly number[] =>
        remembered(others, count, () => Array.from({ length: count }, () => -1));
    return identity => {
        const codes = codesOfType.get(identity) ?? new Map<number, number[]>();
        return { codes, of: thing => codes.get(thing) ?? withoutType(things[thing].domains.length) };
    };
}

/** The values of each variable, the same in all its cells. */
function valueSubjects(model: Model, sequential: SequentialModel, points: LiteralPoints): Subject[] {
    const { cellOfPoint: cellOf } = points;
    return declaredVariables(model, sequential).flatMap(({ name, cells }): Subject[] => {
        const own = cells.filter(cell => points.codes[cell].length > 1);
        const [first] = own;
        if (first === undefined) {
            return [];
        }
        const { domain } = sequential.cells[first];
        const codes = [...new Set(own.flatMap(cell => points.codes[cell]))].sort((a, b) => a - b);
        const member = new Map(codes.map((code, i) => [code, i]));
        const isOwn = new Set(own);
        const literalsOfMember = new Int32Array(codes.length);
        own.forEach(cell => points.codes[cell].forEach(code => literalsOfMember[member.get(code)!]++));
        const memberOf = (point: number): number => {
            const cell = cellOf[point];
            return isOwn.has(cell) ? member.get(points.codes[cell][point - points.firstPoint[cell]])! : -1;
        };
        return [
            {
                kind: 'variable-values',
                name,
                members: codes.map(code => formatValue(domain, valueOfCode(domain, code))),
                parts: [],
                cells: own,
                instances: [],
                rank: 2,
                permute(symmetry): SparsePermutation | undefined {
                    const images = new MemberImages();
                    const isUniform = symmetry.points.every((point, i) =>
                        images.note(memberOf(point), memberOf(symmetry.images[i])),
                    );
                    return isUniform ? images.permutation(code => literalsOfMember[code]) : undefined;
                },
            },
        ];
    });
}

function cellSubjects(model: Model, sequential: SequentialModel, points: LiteralPoints): Subject[] {
    const { cellOfPoint: cellOf } = points;
    return declaredVariables(model, sequential).map(({ name, cells }): Subject => {
        const position = new Map(cells.map((cell, i) => [cell, i]));
        return {
            kind: 'cells',
            name,
            members: cells.map(cell => sequential.cells[cell].name),
            parts: [],
            cells,
            instances: [],
            rank: 4,
            permute(symmetry): SparsePermutation | undefined {
                const targets = new Map<number, number>();
                symmetry.points.forEach((point, i) => targets.set(cellOf[point], cellOf[symmetry.images[i]]));
                return renumbered(sparsePermutation(targets), position);
            },
        };
    });
}

export interface DeclaredVariable {
    readonly name: string;
    /** Ascending. */
    readonly cells: readonly number[];
}

/** Each variable, channel and local that has cells; fields of records apart. */
export function declaredVariables(model: Model, { cells, instances }: SequentialModel): readonly DeclaredVariable[] {
    const found = new Map<string, { readonly name: string; readonly cells: number[] }>();
    cells.forEach(({ kind, variable, instance }, index) => {
        if (kind === 'counter' || kind === 'temporary') {
            return;
        }
        const process = kind === 'local' ? instances[instance].process : -1;
        const name =
            kind === 'shared'
                ? model.variables[variable].name
                : kind === 'channel'
                  ? model.channels[variable].name
                  : `${model.processes[process].name}.${model.processes[process].locals[variable].name}`;
        remembered(found, `${kind} ${process} ${variable}`, () => ({ name, cells: [] })).cells.push(index);
    });
    return [...found.values()];
}

/** A cell that holds values of a type, and how much greater its codes are than those of the type for the same values. */
export interface TypedCell {
    readonly cell: number;
    readonly shift: number;
}

/** The cells with values of each type, by its identity. One pass over the cells. */
export function cellsByType(sequential: SequentialModel): ReadonlyMap<string, readonly TypedCell[]> {
    const cellsOf = new Map<string, TypedCell[]>();
    for (const [cell, { kind, domain }] of sequential.cells.entries()) {
        if (kind === 'counter' || kind === 'temporary') {
            continue;
        }
        appendTo(cellsOf, identityOf(domain), { cell, shift: 0 });
        if (domain.kind === 'optional' && identityOf(domain.base) !== identityOf(domain)) {
            appendTo(cellsOf, identityOf(domain.base), { cell, shift: 1 });
        }
    }
    return cellsOf;
}
