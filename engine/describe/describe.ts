/** Groups of literals in the reader's terms: names, cycle notation, orbits, and the action on families and types. */
import type { WorkLimit } from '../common/work-limit.js';
import { orbits } from '../group/orbits.js';
import { factorial } from '../group/permutation.js';
import { setStabilizer } from '../group/set-stabilizer.js';
import { cyclesOfSparse, imageOf, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import { describeGroup, describeQuotient, type GroupStructure } from '../group/structure.js';
import { moversAmong, moversOf, type Movers } from '../group/support-index.js';
import { domainSize, formatValue, valueOfCode } from '../model/domain.js';
import { isTypeOfNames, type Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { identityOf } from '../symmetry/declared-action.js';
import type { LiteralPoints, ModelGroup } from '../symmetry/model-symmetry.js';
import { createChannelDescription, type ChannelMoves } from './describe-channels.js';
import type { FamilyReport, GeneratorReport, TypeReport } from './report.js';
import { cellsByType, MemberImages, type TypedCell } from './subjects.js';

export interface DescribedGroup {
    readonly model: Model;
    readonly sequential: SequentialModel;
    readonly group: ModelGroup;
    /** Of the group, if its symmetries determine the images of all instances. */
    readonly structure: GroupStructure | undefined;
    /** The cells that each generator moves, and how. */
    readonly moves: readonly (readonly CellMove[])[];
    /** The action of each generator on instances; the identity if it does not map instances onto instances. */
    readonly instances: readonly SparsePermutation[];
    /** Generators of all permutations of instances by symmetries, as far as they are known. */
    readonly instanceGenerators: readonly SparsePermutation[];
}

/** `flag[1]=0` */
export function literalName(sequential: SequentialModel, points: LiteralPoints, point: number): string {
    const cell = points.cellOfPoint[point];
    const { name, domain } = sequential.cells[cell];
    return `${name}=${formatValue(domain, valueOfCode(domain, points.codes[cell][point - points.firstPoint[cell]]))}`;
}

/** The image of a cell under a symmetry. */
export interface CellMove {
    readonly cell: number;
    readonly target: number;
    /** Whether each value becomes the same value of the target. */
    readonly keepsValues: boolean;
}

/** The cells with a literal that moves, ascending. */
export function cellMoves(points: LiteralPoints, generator: SparsePermutation): CellMove[] {
    const { cellOfPoint: cellOf } = points;
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
    const nameOfPoint = (point: number): string => literalName(sequential, group, point);
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
    const moves = new Map(allMoves[index].map(move => [move.cell, move]));
    const cellPermutation = sparsePermutation([...moves.values()].map(move => [move.cell, move.target]));
    /** The cells that the parts so far describe. */
    const asCells = new Set<number>(channelMoves.cells);
    parts.push(...channelMoves.cycles.map(cycle => [...cycle]));
    for (const cycle of cyclesOfSparse(cellPermutation)) {
        if (asCells.has(cycle[0]) || !cycle.every(cell => moves.get(cell)?.keepsValues === true)) {
            continue;
        }
        cycle.forEach(cell => asCells.add(cell));
        // A local that moves with its instance is not listed.
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
        if (!asCells.has(group.cellOfPoint[cycle[0]])) {
            parts.push(cycle.map(point => literalName(sequential, group, point)));
        }
    }
    // Locals with the same name in different blocks may give equal parts.
    return [...new Set(parts.map(cycle => `(${cycle.join(' ')})`))].join('');
}

/** The classes of cells that symmetries map onto each other. */
export function cellOrbits({ group, moves }: DescribedGroup): readonly (readonly number[])[] {
    return orbits(moves.map(permutationOfCells), group.cellCount);
}

export function permutationOfCells(moves: readonly CellMove[]): SparsePermutation {
    return sparsePermutation(moves.map(({ cell, target }) => [cell, target]));
}

/** The action of the group on the instances of each family; families that it exchanges are looked at once. */
export function describeFamilies(described: DescribedGroup, limit: WorkLimit): FamilyReport[] {
    const { model, sequential } = described;
    const known = new Map<string, FamilyAction>();
    return model.processes.flatMap((process, index) => {
        const members = sequential.instances.flatMap((instance, i) => (instance.process === index ? [i] : []));
        if (process.indices.length === 0 || isTypeOfNames(process)) {
            return [];
        }
        const { group, orbits } = known.get(members.join()) ?? familyActionOf(members, described, known, limit);
        return {
            name: process.name,
            range: process.nameRange,
            instances: members.length,
            orbits: orbits.map(orbit => orbit.map(instance => sequential.instances[instance].name)),
            structure: group.name,
            order: group.order.toString(),
        };
    });
}

interface FamilyAction {
    readonly group: GroupStructure;
    /** Of instances, each ascending, in the order of their first ones. */
    readonly orbits: readonly (readonly number[])[];
}

/** The action on a family. `known` gets that on each of its images, by their instances: the groups are conjugate. */
function familyActionOf(
    members: readonly number[],
    { instanceGenerators, structure: whole }: DescribedGroup,
    known: Map<string, FamilyAction>,
    limit: WorkLimit,
): FamilyAction {
    const position = new Map(members.map((member, i) => [member, i]));
    const orbitsUnder = (permutations: readonly SparsePermutation[]): readonly (readonly number[])[] =>
        orbits(permutations, members.length).map(orbit => orbit.map(i => members[i]));
    const restricted = restrictTo(instanceGenerators, position);
    const isKept = isKeptByAll(instanceGenerators, position);
    if (whole !== undefined && isKept) {
        return { group: describeQuotient(restricted, members.length, whole, limit), orbits: orbitsUnder(restricted) };
    }
    const group = describeGroup(restricted, members.length, undefined, limit);
    // Products of permutations that move the family elsewhere may permute its instances, if they are not alike anyway.
    const isOpen = !isKept && group.order < factorial(members.length);
    const keeping = isOpen ? setStabilizer(instanceGenerators, members) : undefined;
    if (keeping === undefined) {
        return { group, orbits: orbitsUnder(restricted) };
    }
    const products = restrictTo(keeping.generators, position);
    const action = {
        group: describeGroup(products, members.length, undefined, limit),
        orbits: orbitsUnder(products),
    };
    for (const { points, leadingTo } of keeping.images) {
        const moved = action.orbits
            .map(orbit => orbit.map(instance => imageOf(leadingTo, instance)).sort((a, b) => a - b))
            .sort(([a], [b]) => a - b);
        known.set(points.join(), { ...action, orbits: moved });
    }
    return action;
}

/** The permutations as they act on numbered members, without those that fix all of them. */
export function restrictTo(
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

/** A permutation as it acts on numbered members; the identity if it does not map them onto each other. */
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

/** The declared types, with the action on their values if it is the same wherever they occur. */
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
        const structure = describeGroup(uniform, size, undefined, limit);
        return {
            ...report,
            action: {
                structure: structure.name,
                order: structure.order.toString(),
                orbitSizes: orbits(uniform, size)
                    .map(orbit => orbit.length)
                    .sort((a, b) => b - a),
            },
        };
    });
}

/** Maps generators to what they do to the codes of a type, if it is the same in all its cells. O(points moved) for each. */
function uniformValueMaps(
    points: LiteralPoints,
    cells: readonly TypedCell[],
): (generator: SparsePermutation) => SparsePermutation | undefined {
    const { cellOfPoint: cellOf } = points;
    const shiftOfCell = new Map(cells.map(({ cell, shift }) => [cell, shift]));
    const codeOf = (point: number): number => {
        const shift = shiftOfCell.get(cellOf[point]);
        return shift === undefined
            ? -1
            : Math.max(-1, points.codes[cellOf[point]][point - points.firstPoint[cellOf[point]]] - shift);
    };
    const occurrences = new Map<number, number>();
    for (const { cell, shift } of cells) {
        for (const code of points.codes[cell]) {
            occurrences.set(code - shift, (occurrences.get(code - shift) ?? 0) + 1);
        }
    }
    return generator => {
        const images = new MemberImages();
        const isUniform = generator.points.every((point, i) => images.note(codeOf(point), codeOf(generator.images[i])));
        return isUniform ? images.permutation(code => occurrences.get(code) ?? 0) : undefined;
    };
}

/** The generators that move each cell. */
export function moversOfCells({ moves }: DescribedGroup): Movers {
    return moversOf(moves, list => list.map(({ cell }) => cell));
}
