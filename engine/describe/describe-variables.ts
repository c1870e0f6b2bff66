/** The role of each declared variable: which of its values and elements symmetries permute, and along with what. */
import { appendTo } from '../common/list-map.js';
import { listed } from '../common/listed.js';
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import { orbits } from '../group/orbits.js';
import { factorial } from '../group/permutation.js';
import { imageOf, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import { describeGroup } from '../group/structure.js';
import { moversAmong } from '../group/support-index.js';
import { formatValue, valueOfCode } from '../model/domain.js';
import type { ChannelDeclaration, Model, Variable } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { scalarOf } from './describe-channels.js';
import {
    cellOrbits,
    moversOfCells,
    permutationOfCells,
    restrictTo,
    type CellMove,
    type DescribedGroup,
} from './describe.js';
import type { GeneratorReport, VariableReport } from './report.js';

/** For hovers. `generators` are those of the group. */
export function describeVariables(
    described: DescribedGroup,
    generators: readonly GeneratorReport[],
    limit: WorkLimit,
): VariableReport[] {
    const { model, sequential } = described;
    const instanceAt = instancesByIndex(sequential);
    const orbitOfCell: (readonly number[])[] = [];
    for (const orbit of cellOrbits(described)) {
        orbit.forEach(cell => (orbitOfCell[cell] = orbit));
    }
    return declaredPlaces(model, sequential).map(({ name, range, process, parts }) => {
        const cells = parts.flatMap(part => part.cells);
        const own = new Set(cells);
        const [mover] = movesOf(described, own);
        const report = {
            name,
            range,
            roles: limit.isExhausted() ? [] : rolesOf(described, parts, process, instanceAt, limit),
            orbit: cells.length === 0 ? [] : orbitOfCell[cells[0]].map(cell => sequential.cells[cell].name),
        };
        return mover === undefined ? report : { ...report, generator: generators[mover.generator].cycles };
    });
}

/** A declaration: a variable with all fields of its records, or a channel. */
export interface DeclaredPlace {
    readonly name: string;
    readonly range: SourceRange;
    /** Index into `Model.processes`; -1 for what they share. */
    readonly process: number;
    readonly parts: readonly Part[];
}

/** The cells that hold the same kind of value, and the subject of a sentence about it. */
interface Part {
    readonly subject: string;
    readonly cells: readonly number[];
}

/** Shared variables, then channels with buffers, then locals, in the order of the text. */
export function declaredPlaces(
    { variables, channels, processes }: Model,
    { cells, instances }: SequentialModel,
): DeclaredPlace[] {
    const cellsOf = new Map<string, number[]>();
    cells.forEach(({ kind, variable, instance }, index) => {
        appendTo(cellsOf, `${kind} ${instances[instance]?.process ?? -1} ${variable}`, index);
    });
    /** The fields of a record have one name in the text and are consecutive. */
    const joined = (list: readonly Variable[], kind: 'shared' | 'local', process: number): DeclaredPlace[] => {
        const places: (DeclaredPlace & { readonly parts: Part[] })[] = [];
        list.forEach((variable, index) => {
            const [name, ...fields] = variable.name.split('.');
            const part = {
                subject: fields.length === 0 ? 'It' : `Field \`${fields.join('.')}\``,
                cells: cellsOf.get(`${kind} ${process} ${index}`) ?? [],
            };
            const last = places.at(-1);
            if (index > 0 && isSameDeclaration(list[index - 1], variable) && last !== undefined) {
                last.parts.push(part);
            } else {
                const prefix = process < 0 ? '' : `${processes[process].name}.`;
                places.push({ name: prefix + name, range: variable.nameRange, process, parts: [part] });
            }
        });
        return places;
    };
    const buffers = channels.flatMap((channel, index): DeclaredPlace[] => {
        const own = cellsOf.get(`channel -1 ${index}`) ?? [];
        const parts = [-1, ...channel.message.keys()].map(scalar => ({
            subject: subjectOfScalar(channel, scalar),
            cells: own.filter(cell => scalarOf(cells[cell], channel) === scalar),
        }));
        return channel.capacity === 0 ? [] : [{ name: channel.name, range: channel.nameRange, process: -1, parts }];
    });
    return [
        ...joined(variables, 'shared', -1),
        ...buffers,
        ...processes.flatMap(({ locals }, process) => joined(locals, 'local', process)),
    ];
}

/** Whether two variables are fields of one record: they have the same name at the same place. */
function isSameDeclaration(first: Variable, second: Variable): boolean {
    const [from, to] = [first.nameRange, second.nameRange];
    return (
        from.start.line === to.start.line &&
        from.start.character === to.start.character &&
        from.uri === to.uri &&
        first.name.split('.')[0] === second.name.split('.')[0]
    );
}

function subjectOfScalar({ message }: ChannelDeclaration, scalar: number): string {
    const suffix = message[scalar]?.suffix ?? '';
    return scalar < 0
        ? 'Its length'
        : suffix === ''
          ? 'Each message'
          : `Field \`${suffix.replace(/^\./, '')}\` of each message`;
}

function rolesOf(
    described: DescribedGroup,
    parts: readonly Part[],
    process: number,
    instanceAt: InstanceAt,
    limit: WorkLimit,
): string[] {
    const { sequential, group } = described;
    const own = new Set(parts.flatMap(part => part.cells));
    const ownMoves = movesOf(described, own);
    if (ownMoves.length === 0) {
        return [];
    }
    const roles: string[] = [];
    for (const part of parts) {
        const values = valueRole(described, part, instanceAt, limit);
        if (values !== undefined) {
            roles.push(values);
        }
    }
    if (ownMoves.some(({ list }) => list.some(move => move.target !== move.cell))) {
        const { family, isAll } = familyMovedAlong(described, ownMoves, process, instanceAt);
        if (family !== undefined) {
            roles.push(`It moves with its process ${family}.`);
        }
        if (!isAll) {
            const permutations = ownMoves.map(({ generator }) => permutationOfCells(described.moves[generator]));
            const isFree = family === undefined && parts.every(part => generateAll(permutations, part.cells, limit));
            roles.push(isFree ? 'Its elements are interchangeable.' : 'Symmetries permute its elements.');
        }
        const elsewhere = ownMoves.flatMap(({ list }) => list).find(move => !own.has(move.target));
        if (elsewhere !== undefined) {
            roles.push(`It is interchangeable with ${sequential.cells[elsewhere.target].name}.`);
        }
    }
    return roles.length === 0 && group.generators.length > 0
        ? ['Its values are exchanged together with others.']
        : roles;
}

/** For more points this is not decided. */
const MOST_ORDERED = 1000;

/** Whether permutations that each keep the set of these points bring them into any order. */
function generateAll(permutations: readonly SparsePermutation[], points: readonly number[], limit: WorkLimit): boolean {
    if (points.length < 2 || points.length > MOST_ORDERED) {
        return points.length < 2;
    }
    const own = restrictTo(permutations, new Map(points.map((point, i) => [point, i])));
    return describeGroup(own, points.length, undefined, limit).order === factorial(points.length);
}

/** The moves of some cells by a generator, given by its index. */
interface MovesOfGenerator {
    readonly generator: number;
    readonly list: readonly CellMove[];
}

/** The generators that move some of these cells, and how. */
function movesOf(described: DescribedGroup, cells: ReadonlySet<number>): readonly MovesOfGenerator[] {
    return moversAmong(moversOfCells(described), cells).map(generator => ({
        generator,
        list: described.moves[generator].filter(move => cells.has(move.cell)),
    }));
}

/** The values of these cells that are interchangeable, or that they are indices of processes. */
function valueRole(
    described: DescribedGroup,
    { subject, cells }: Part,
    instanceAt: InstanceAt,
    limit: WorkLimit,
): string | undefined {
    const { model, sequential, group, instances } = described;
    const { cellOfPoint: cellOf } = group;
    const own = new Set(cells);
    const [first] = cells;
    if (first === undefined) {
        return undefined;
    }
    const { domain } = sequential.cells[first];
    const codePairs: [number, number][] = [];
    /** The permutations of values, by generators that permute them alike in all cells. */
    const maps: SparsePermutation[] = [];
    let namesProcesses: string | undefined;
    let onlyNames = true;
    movesOf(described, own).forEach(({ generator: index }) => {
        const generator = group.generators[index];
        const pairs: [number, number][] = [];
        generator.points.forEach((point, i) => {
            const cell = cellOf[point];
            const target = cellOf[generator.images[i]];
            if (own.has(cell) && own.has(target)) {
                const code = group.codes[cell][point - group.firstPoint[cell]];
                const image = group.codes[target][generator.images[i] - group.firstPoint[target]];
                if (code !== image) {
                    pairs.push([code, image]);
                }
            }
        });
        if (pairs.length === 0) {
            return;
        }
        codePairs.push(...pairs);
        const map = new Map(pairs);
        const images = new Set(map.values());
        if (pairs.every(([code, image]) => map.get(code) === image && map.has(image)) && images.size === map.size) {
            maps.push(sparsePermutation(map));
        }
        const family = model.processes.find(
            (process, p) =>
                process.indices.length === 1 &&
                pairs.every(([code, image]) => {
                    const from = instanceAt(p, valueOfCode(domain, code));
                    return from >= 0 && imageOf(instances[index], from) === instanceAt(p, valueOfCode(domain, image));
                }),
        );
        if (family === undefined) {
            onlyNames = false;
        } else {
            namesProcesses = family.name;
        }
    });
    if (codePairs.length === 0) {
        return undefined;
    }
    const size = Math.max(...cells.flatMap(cell => group.codes[cell])) + 1;
    const exchanges = codePairs.map(([a, b]) => ({ points: Int32Array.of(a), images: Int32Array.of(b) }));
    const classes = orbits(exchanges, size).filter(orbit => orbit.length > 1);
    if (namesProcesses !== undefined && onlyNames) {
        return `${subject} holds indices of ${namesProcesses}: its values move with the instances.`;
    }
    return classes
        .map(orbit => {
            const names = orbit.map(code => formatValue(domain, valueOfCode(domain, code)));
            const of = subject === 'It' ? '' : ` of ${subject[0].toLowerCase()}${subject.slice(1)}`;
            return generateAll(maps, orbit, limit)
                ? `Values ${listed(names)}${of} are interchangeable.`
                : `Symmetries permute the values ${listed(names)}${of}.`;
        })
        .join(' ');
}

/** The family whose instances move along with their cells; `isAll` if no cell stays with its instance. */
function familyMovedAlong(
    { model, sequential, instances }: DescribedGroup,
    moves: readonly MovesOfGenerator[],
    ofProcess: number,
    instanceAt: InstanceAt,
): { readonly family?: string; readonly isAll: boolean } {
    const moved = moves.flatMap(({ generator, list }) =>
        list.filter(({ cell, target }) => cell !== target).map(move => ({ ...move, instance: instances[generator] })),
    );
    for (const [p, process] of model.processes.entries()) {
        const at = (cell: number): number =>
            ofProcess >= 0 ? sequential.cells[cell].instance : instanceAt(p, sequential.cells[cell].indices[0]);
        const isAsked = ofProcess >= 0 ? p === ofProcess : process.indices.length === 1;
        const follows = moved.every(
            ({ cell, target, instance }) => at(cell) >= 0 && imageOf(instance, at(cell)) === at(target),
        );
        if (isAsked && follows && moved.some(({ cell, target }) => at(cell) !== at(target))) {
            return { family: process.name, isAll: moved.every(({ cell, target }) => at(cell) !== at(target)) };
        }
    }
    return { isAll: false };
}

/** The instance of a process with one index that has this value of it; -1 if there is none. */
type InstanceAt = (process: number, value: number | undefined) => number;

function instancesByIndex({ instances }: SequentialModel): InstanceAt {
    const instanceOf = new Map<string, number>();
    for (const [instance, { process, indices }] of instances.entries()) {
        const key = `${process} ${indices[0]}`;
        instanceOf.set(key, instanceOf.get(key) ?? instance);
    }
    return (process, value) => instanceOf.get(`${process} ${value}`) ?? -1;
}
