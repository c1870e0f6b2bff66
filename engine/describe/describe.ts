/**
 * From groups of literals to the reader's terms: names of literals and instances, cycle notation, orbits, what happens
 * to families, types and variables.
 */
import { appendTo } from '../common/list-map.js';
import { listed } from '../common/listed.js';
import type { WorkLimit } from '../common/work-limit.js';
import { domainSize, formatValue, valueOfCode } from '../model/domain.js';
import type { SourceRange } from '../common/source-range.js';
import type { ChannelDeclaration, Model, Variable } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { factorial } from '../group/permutation.js';
import { cyclesOfSparse, imageOf, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import { moversAmong, moversOf, type Movers } from '../group/support-index.js';
import { orbits } from '../group/orbits.js';
import { setStabilizer } from '../group/set-stabilizer.js';
import { describeGroup, type GroupStructure } from '../group/structure.js';
import { product } from '../group/structure-name.js';
import { identityOf } from '../symmetry/declared-action.js';
import { createChannelDescription, scalarOf, type ChannelMoves } from './describe-channels.js';
import { knownActionsOf, type KnownActions } from './group-actions.js';
import { cellsOfPoints, type LiteralPoints, type ModelGroup } from '../symmetry/model-symmetry.js';
import type { FamilyReport, GeneratorReport, TypeReport, VariableReport } from './report.js';
import { cellsByType, type TypedCell } from './typed-cells.js';

/** A group together with all that is needed to speak of it. */
export interface DescribedGroup {
    readonly model: Model;
    readonly sequential: SequentialModel;
    readonly group: ModelGroup;
    /** The direct factors, with what their generators do to instances; undefined where they need not act on these. */
    readonly factors: readonly ActingFactor[] | undefined;
    /** What each generator does to the cells. */
    readonly moves: readonly (readonly CellMove[])[];
    /** What each generator does to the instances; the identity where it does not map instances onto instances. */
    readonly instances: readonly SparsePermutation[];
    /** Permutations of instances that symmetries bring about, which generate all that are known. */
    readonly instanceGenerators: readonly SparsePermutation[];
}

/** A direct factor of the group, as it acts on instances. */
export interface ActingFactor {
    readonly structure: GroupStructure;
    readonly instances: readonly SparsePermutation[];
}

/** `flag[1]=0` */
export function literalName(
    sequential: SequentialModel,
    points: LiteralPoints,
    cell: number,
    position: number,
): string {
    const { name, domain } = sequential.cells[cell];
    return `${name}=${formatValue(domain, valueOfCode(domain, points.codes[cell][position]))}`;
}

/** Where a symmetry takes each cell, and what it does to its values on the way. */
export interface CellMove {
    readonly cell: number;
    readonly target: number;
    /** Whether each value becomes the same value of the target. */
    readonly keepsValues: boolean;
}

/** The cells of which some literal moves, ascending. */
export function cellMoves(points: LiteralPoints, generator: SparsePermutation): CellMove[] {
    const cellOf = cellsOfPoints(points);
    const moves = new Map<number, CellMove>();
    generator.points.forEach((point, index) => {
        const cell = cellOf[point];
        const image = generator.images[index];
        const target = cellOf[image];
        const code = points.codes[cell][point - points.firstPoint[cell]];
        const imageCode = points.codes[target][image - points.firstPoint[target]];
        const keepsValues = (moves.get(cell)?.keepsValues ?? true) && code === imageCode;
        moves.set(cell, { cell, target, keepsValues });
    });
    return [...moves.values()].sort((a, b) => a.cell - b.cell);
}

/** Instances first, then channels, then shared cells that move as they are, then literals. */
export function describeGenerators(described: DescribedGroup): GeneratorReport[] {
    const { sequential, group } = described;
    const cellOf = cellsOfPoints(group);
    const nameOfPoint = (point: number): string =>
        literalName(sequential, group, cellOf[point], point - group.firstPoint[cellOf[point]]);
    const describeChannels = createChannelDescription(described.model, sequential, group);
    return group.generators.map((generator, index) => ({
        cycles: describeCycles(described, index, describeChannels(generator)),
        moves: Array.from(
            generator.points,
            (point, i) => `${nameOfPoint(point)} -> ${nameOfPoint(generator.images[i])}`,
        ),
    }));
}

function describeCycles(
    { sequential, group, moves: allMoves, instances }: DescribedGroup,
    index: number,
    channelMoves: ChannelMoves,
): string {
    const generator = group.generators[index];
    const instancePermutation = instances[index];
    const parts = cyclesOfSparse(instancePermutation).map(cycle => cycle.map(i => sequential.instances[i].name));
    const cellOf = cellsOfPoints(group);
    const moves = new Map(allMoves[index].map(move => [move.cell, move]));
    const cellPermutation = sparsePermutation([...moves.values()].map(move => [move.cell, move.target]));
    /** What is said already. */
    const asCells = new Set<number>(channelMoves.cells);
    parts.push(...channelMoves.cycles.map(cycle => [...cycle]));
    for (const cycle of cyclesOfSparse(cellPermutation)) {
        if (asCells.has(cycle[0]) || !cycle.every(cell => moves.get(cell)?.keepsValues === true)) {
            continue;
        }
        cycle.forEach(cell => asCells.add(cell));
        // A local that goes where its instance goes needs no mention.
        const withInstance = cycle.every(cell => {
            const { instance } = sequential.cells[cell];
            const target = sequential.cells[imageOf(cellPermutation, cell)];
            return (
                instance >= 0 &&
                imageOf(instancePermutation, instance) === target.instance &&
                target.instance !== instance
            );
        });
        if (!withInstance) {
            parts.push(cycle.map(cell => sequential.cells[cell].name));
        }
    }
    for (const cycle of cyclesOfSparse(generator)) {
        if (!asCells.has(cellOf[cycle[0]])) {
            parts.push(
                cycle.map(point =>
                    literalName(sequential, group, cellOf[point], point - group.firstPoint[cellOf[point]]),
                ),
            );
        }
    }
    // Locals of one name in different blocks do the same.
    return [...new Set(parts.map(cycle => `(${cycle.join(' ')})`))].join('');
}

/** The permutation of cells behind a permutation of literals. */
export function cellPermutation(points: LiteralPoints, generator: SparsePermutation): SparsePermutation {
    return permutationOfCells(cellMoves(points, generator));
}

/** The classes of cells that symmetries map onto each other. */
export function cellOrbits({ group, moves }: DescribedGroup): readonly (readonly number[])[] {
    return orbits(moves.map(permutationOfCells), group.cellCount);
}

function permutationOfCells(moves: readonly CellMove[]): SparsePermutation {
    return sparsePermutation(moves.map(({ cell, target }) => [cell, target]));
}

/** What the group does to the instances of each family with more than one of them. */
export function describeFamilies(described: DescribedGroup, limit: WorkLimit): FamilyReport[] {
    const { model, sequential, instanceGenerators, factors } = described;
    return model.processes.flatMap((process, index) => {
        const members = sequential.instances.flatMap((instance, i) => (instance.process === index ? [i] : []));
        if (process.indices.length === 0) {
            return [];
        }
        const position = new Map(members.map((member, i) => [member, i]));
        const isKept = isKeptByAll(instanceGenerators, position);
        // What takes the family elsewhere may bring it back in another order, by another way.
        const keeping = isKept ? undefined : setStabilizer(instanceGenerators, members);
        const restricted = restrictTo(keeping ?? instanceGenerators, position);
        const classes = orbits(restricted, members.length);
        const { name: structure, order } =
            factors === undefined || !isKept
                ? describeGroup(restricted, members.length, undefined, limit)
                : describeProduct(factors, position, members.length, knownActionsOf(described.group), limit);
        return {
            name: process.name,
            range: process.nameRange,
            instances: members.length,
            orbits: classes.map(orbit => orbit.map(i => sequential.instances[members[i]].name)),
            structure,
            order: order.toString(),
        };
    });
}

/** What a direct product does to members. Factors that do nothing to them do not count. */
function describeProduct(
    factors: readonly ActingFactor[],
    position: ReadonlyMap<number, number>,
    memberCount: number,
    actions: KnownActions,
    limit: WorkLimit,
): GroupStructure {
    const acting = factors
        .map(({ structure, instances }) => ({
            structure,
            permutations: restrictTo(instances, position),
        }))
        .filter(({ permutations }) => permutations.length > 0);
    return actions
        .of(
            acting.flatMap(({ permutations }) => permutations),
            memberCount,
        )
        .structureWithin(product(acting.map(({ structure }) => structure)), limit);
}

/** Permutations as they act on numbered members, without those that do nothing to them. */
function restrictTo(
    permutations: readonly SparsePermutation[],
    position: ReadonlyMap<number, number>,
): readonly SparsePermutation[] {
    return moversAmong(
        moversOf(permutations, ({ points }) => points),
        position.keys(),
    )
        .map(index => restrictOne(permutations[index], position))
        .filter(({ points }) => points.length > 0);
}

/** Whether each permutation maps the members onto each other. */
function isKeptByAll(permutations: readonly SparsePermutation[], position: ReadonlyMap<number, number>): boolean {
    const movers = moversAmong(
        moversOf(permutations, ({ points }) => points),
        position.keys(),
    );
    return movers.every(index => {
        const { points, images } = permutations[index];
        return points.every((point, i) => position.has(point) === position.has(images[i]));
    });
}

/** A permutation as it acts on numbered members; the identity where it does not map them onto each other. */
function restrictOne(permutation: SparsePermutation, position: ReadonlyMap<number, number>): SparsePermutation {
    const pairs: [number, number][] = [];
    let closed = true;
    permutation.points.forEach((point, index) => {
        const from = position.get(point);
        const to = position.get(permutation.images[index]);
        if (from !== undefined && to !== undefined) {
            pairs.push([from, to]);
        } else if (from !== undefined || to !== undefined) {
            closed = false;
        }
    });
    return sparsePermutation(closed ? pairs : []);
}

/** Declared types whose values are permuted, in the same way wherever they stand. */
export function describeTypes(described: DescribedGroup, limit: WorkLimit): TypeReport[] {
    const { model, sequential, group } = described;
    const cellsOf = cellsByType(sequential);
    const movers = moversOfCells(described);
    return model.types.map(type => {
        const cells = cellsOf.get(identityOf(type.domain)) ?? [];
        const valueMapOf = uniformValueMaps(group, cells);
        const moving = moversAmong(
            movers,
            cells.map(({ cell }) => cell),
        );
        const maps = moving.map(index => valueMapOf(group.generators[index]));
        const uniform = maps.filter(map => map !== undefined);
        const report = { name: type.name, range: type.nameRange };
        if (uniform.length < maps.length || uniform.every(map => map.points.length === 0)) {
            return report;
        }
        const size = domainSize(type.domain);
        return {
            ...report,
            action: {
                structure: describeGroup(uniform, size, undefined, limit).name,
                orbitSizes: orbits(uniform, size)
                    .map(orbit => orbit.length)
                    .sort((a, b) => b - a),
            },
        };
    });
}

/** Says of generators what they do to the codes of a type, if it is the same in all its cells. O(points moved) for each. */
function uniformValueMaps(
    points: LiteralPoints,
    cells: readonly TypedCell[],
): (generator: SparsePermutation) => SparsePermutation | undefined {
    const cellOf = cellsOfPoints(points);
    const shiftOfCell = new Map(cells.map(({ cell, shift }) => [cell, shift]));
    const codeOf = (point: number): number | undefined => {
        const shift = shiftOfCell.get(cellOf[point]);
        return shift === undefined
            ? undefined
            : points.codes[cellOf[point]][point - points.firstPoint[cellOf[point]]] - shift;
    };
    /** How often each code occurs. */
    const occurrences = new Map<number, number>();
    for (const { cell, shift } of cells) {
        for (const code of points.codes[cell]) {
            occurrences.set(code - shift, (occurrences.get(code - shift) ?? 0) + 1);
        }
    }
    return generator => {
        const map = new Map<number, number>();
        const seen = new Map<number, number>();
        for (let i = 0; i < generator.points.length; i++) {
            const code = codeOf(generator.points[i]);
            const imageCode = codeOf(generator.images[i]);
            if (code === undefined && imageCode === undefined) {
                continue;
            }
            const isSteady = code !== undefined && imageCode !== undefined && code < 0 === imageCode < 0;
            if (!isSteady || (map.get(code) ?? imageCode) !== imageCode) {
                return undefined;
            }
            if (code >= 0) {
                map.set(code, imageCode);
                seen.set(code, (seen.get(code) ?? 0) + 1);
            }
        }
        const moved = [...map].filter(([code, imageCode]) => code !== imageCode);
        // Where a literal stays as it is, so does its code.
        const isEverywhere = moved.every(([code]) => seen.get(code) === occurrences.get(code));
        const targets = new Set(moved.map(([, imageCode]) => imageCode));
        const isBijection = targets.size === moved.length && moved.every(([code]) => targets.has(code));
        return isEverywhere && isBijection ? sparsePermutation(moved) : undefined;
    };
}

/** The role of each declared variable: what a hover says. `generators` are those of the group, described. */
export function describeVariables(
    described: DescribedGroup,
    generators: readonly GeneratorReport[],
    limit: WorkLimit,
): VariableReport[] {
    const { model, sequential } = described;
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
            roles: limit.isExhausted() ? [] : rolesOf(described, parts, process, limit),
            orbit: cells.length === 0 ? [] : orbitOfCell[cells[0]].map(cell => sequential.cells[cell].name),
        };
        return mover === undefined ? report : { ...report, generator: generators[mover.generator].cycles };
    });
}

/** What one declaration stands for: a variable with all fields of its records, or a channel. */
export interface DeclaredPlace {
    readonly name: string;
    readonly range: SourceRange;
    /** Index into `Model.processes`; -1 for what all of them share. */
    readonly process: number;
    readonly parts: readonly Part[];
}

/** The cells that hold the same kind of value, and what a sentence calls what is in them. */
export interface Part {
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
    /** The fields of a record have one name in the text, and follow each other. */
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

/** The fields of one record: what stands at one place of the text under one name. */
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

function rolesOf(described: DescribedGroup, parts: readonly Part[], process: number, limit: WorkLimit): string[] {
    const { sequential, group } = described;
    const own = new Set(parts.flatMap(part => part.cells));
    const ownMoves = movesOf(described, own);
    if (ownMoves.length === 0) {
        return ['Every symmetry leaves it as it is.'];
    }
    const roles: string[] = [];
    for (const part of parts) {
        const values = valueRole(described, part, limit);
        if (values !== undefined) {
            roles.push(values);
        }
    }
    if (ownMoves.some(({ list }) => list.some(move => move.target !== move.cell))) {
        const { family, isAll } = familyMovedAlong(described, ownMoves, process);
        if (family !== undefined) {
            roles.push(`It moves with its process ${family}.`);
        }
        if (!isAll) {
            const isFree =
                family === undefined &&
                parts.every(part => areInterchangeableCells(described, part.cells, ownMoves, limit));
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

/** Whether all cells are brought into any order, by generators of which each keeps them together. */
function areInterchangeableCells(
    described: DescribedGroup,
    cells: readonly number[],
    moves: readonly MovesOfGenerator[],
    limit: WorkLimit,
): boolean {
    const permutations = moves.map(({ generator }) => permutationOfCells(described.moves[generator]));
    return generateAll(permutations, cells, limit);
}

/** Of more points nobody asks whether they can be brought into any order. */
const MOST_ORDERED = 1000;

/** Whether the permutations bring these points into any order; one that takes them elsewhere does not count. */
function generateAll(permutations: readonly SparsePermutation[], points: readonly number[], limit: WorkLimit): boolean {
    if (points.length < 2 || points.length > MOST_ORDERED) {
        return points.length < 2;
    }
    const own = restrictTo(permutations, new Map(points.map((point, i) => [point, i])));
    return describeGroup(own, points.length, undefined, limit).order === factorial(points.length);
}

/** What a generator, given by its index, does to some cells. */
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

/** The generators that move each cell. */
function moversOfCells({ moves }: DescribedGroup): Movers {
    return moversOf(moves, list => list.map(({ cell }) => cell));
}

/** Which values of these cells are interchangeable, and whether that is because they name processes. */
function valueRole(described: DescribedGroup, { subject, cells }: Part, limit: WorkLimit): string | undefined {
    const { model, sequential, group, instances } = described;
    const cellOf = cellsOfPoints(group);
    const own = new Set(cells);
    const [first] = cells;
    if (first === undefined) {
        return undefined;
    }
    const { domain } = sequential.cells[first];
    const codePairs: [number, number][] = [];
    /** What symmetries do to the values that do the same in all cells. */
    const maps: SparsePermutation[] = [];
    let namesProcesses: string | undefined;
    let onlyNames = true;
    const instanceAt = instancesByIndex(sequential);
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

/**
 * The family whose instances go where the cells with their indices go, in every symmetry that moves the cells, and whether
 * that is all: cells of one instance may change places, too. The cells of a local belong to instances of its process.
 */
function familyMovedAlong(
    { model, sequential, instances }: DescribedGroup,
    moves: readonly MovesOfGenerator[],
    ofProcess: number,
): { readonly family?: string; readonly isAll: boolean } {
    const instanceAt = instancesByIndex(sequential);
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

/** Says which instance of a process with one index has which value of it; -1 where none has. */
function instancesByIndex(sequential: SequentialModel): (process: number, value: number | undefined) => number {
    let known = knownInstances.get(sequential);
    if (known === undefined) {
        known = new Map<string, number>();
        for (const [instance, { process, indices }] of sequential.instances.entries()) {
            const key = `${process} ${indices[0]}`;
            known.set(key, known.get(key) ?? instance);
        }
        knownInstances.set(sequential, known);
    }
    const instanceOf = known;
    return (process, value) => instanceOf.get(`${process} ${value}`) ?? -1;
}

const knownInstances = new WeakMap<SequentialModel, Map<string, number>>();
