/**
 * The direct factors of a group in the reader's words: what each one permutes, and how.
 *
 * A factor is described by the subject that a reader thinks of first on which no element of the factor but the identity
 * does nothing: the instances of a family, processes with names of their own, the values of a type or of a variable, cells. Where no single subject shows
 * all of it, several do together, and what even these leave to be said is described by what it does to values.
 */
import { orbits } from '../group/orbits.js';
import { factorial, toDense } from '../group/permutation.js';
import { imageOf, type SparsePermutation } from '../group/sparse-permutation.js';
import { tryStabilizerChain, type StabilizerChain } from '../group/stabilizer-chain.js';
import { describeQuotient, directFactors, type DirectFactor, type GroupStructure } from '../group/structure.js';
import { CHAIN_ENTRY_LIMIT } from '../group/permutation-group.js';
import { findSymmetricAction } from '../group/symmetric-action.js';
import type { DescribedGroup } from './describe.js';
import { factorsOf } from './factors.js';
import { cellsOfPoints } from './model-symmetry.js';
import type { FactorReport } from './report.js';
import { declaredVariables, subjectsOf, type Subject } from './subjects.js';

/** Members named one by one. */
const MOST_NAMED = 6;
/** Exchanges named one by one. */
const MOST_PAIRS = 3;
/** Orbits of one subject. */
const MOST_ORBITS = 3;
/** Subjects that one factor is described by. */
const MOST_SUBJECTS = 3;

/** What a factor does to the members of a subject. */
interface Action {
    readonly subject: Subject;
    readonly permutations: readonly SparsePermutation[];
    readonly structure: GroupStructure;
    /** What it does, as a sentence, and whether this says more than the name of a group. */
    readonly text: string;
    readonly isNatural: boolean;
}

/** The factors of a group that is complete, largest first. */
export function describeFactors(
    described: DescribedGroup,
    /** What a symmetry does to the instances; undefined where it does not act on them. */
    instancesOf: (symmetry: SparsePermutation) => SparsePermutation | undefined,
): readonly FactorReport[] {
    const { model, sequential, group } = described;
    const factors = factorsOf(group);
    if (factors.length === 0) {
        return [];
    }
    const subjects = subjectsOf(model, sequential, group);
    return [...factors]
        .sort((a, b) => (a.structure.order < b.structure.order ? 1 : a.structure.order > b.structure.order ? -1 : 0))
        .map(factor => {
            // A group that does not fall apart is best described by its own generators, which are known already.
            const { generators } = factors.length === 1 ? group : factor;
            const instances = generators.map(instancesOf);
            const actions = subjects.flatMap(subject => actionOn(subject, factor, generators, instances));
            const chosen = chooseActions(actions, factor);
            const pointCount = group.firstPoint[group.cellCount];
            const rest = chosen.length === 0 ? factor : kernel(chosen, factor, generators, pointCount);
            const clauses = [
                ...chosen.map(({ text }) => text),
                ...(rest === undefined ? [] : describeValues(described, rest)),
            ];
            return {
                structure: factor.structure.name,
                order: factor.structure.order,
                permutes: clauses.join('; '),
                moves: movedBy(described, generators, instances),
            };
        });
}

function actionOn(
    subject: Subject,
    factor: DirectFactor,
    generators: readonly SparsePermutation[],
    instances: readonly (SparsePermutation | undefined)[],
): Action[] {
    const permutations: SparsePermutation[] = [];
    for (const [index, generator] of generators.entries()) {
        const permutation = subject.permute(generator, instances[index]);
        if (permutation === undefined) {
            return [];
        }
        permutations.push(permutation);
    }
    if (permutations.every(({ points }) => points.length === 0)) {
        return [];
    }
    const structure = describeQuotient(permutations, subject.members.length, factor.structure);
    return [{ subject, permutations, structure, ...describeAction(subject, permutations, structure) }];
}

/** One faithful action if there is one that can be told, else several that are faithful together, or as many as help. */
function chooseActions(actions: readonly Action[], { structure }: DirectFactor): readonly Action[] {
    const natural = actions.filter(action => action.isNatural);
    const faithful = natural.find(action => action.structure.order === structure.order);
    if (faithful !== undefined) {
        return [faithful];
    }
    const chosen: Action[] = [];
    let order = 1n;
    for (const action of [...natural].sort((a, b) => Number(b.structure.order - a.structure.order))) {
        const together = chosen.length === 0 ? action.structure.order : orderTogether([...chosen, action], structure);
        if (chosen.length < MOST_SUBJECTS && together !== undefined && together > order) {
            chosen.push(action);
            order = together;
        }
    }
    return chosen;
}

function orderTogether(actions: readonly Action[], { order }: GroupStructure): bigint | undefined {
    return chainOfActions(actions, [], 0, order)?.order;
}

/** A chain for several actions side by side and more points behind them; its base begins with the members. */
function chainOfActions(
    actions: readonly Action[],
    more: readonly SparsePermutation[],
    moreCount: number,
    bound: bigint,
): StabilizerChain | undefined {
    const memberCount = actions.reduce((sum, { subject }) => sum + subject.members.length, 0);
    const degree = memberCount + moreCount;
    const generators = actions[0].permutations.map((_, index) => {
        const pairs: { points: number[]; images: number[] } = { points: [], images: [] };
        let first = 0;
        const append = ({ points, images }: SparsePermutation): void => {
            points.forEach(point => pairs.points.push(first + point));
            images.forEach(point => pairs.images.push(first + point));
        };
        for (const { permutations, subject } of actions) {
            append(permutations[index]);
            first += subject.members.length;
        }
        if (more.length > 0) {
            append(more[index]);
        }
        const sparse = { points: Int32Array.from(pairs.points), images: Int32Array.from(pairs.images) };
        return toDense(sparse, degree);
    });
    return tryStabilizerChain(generators, degree, {
        base: Array.from({ length: memberCount }, (_, point) => point),
        bound,
        entryLimit: CHAIN_ENTRY_LIMIT,
    });
}

/** The part of a factor that does nothing in these actions, if there is one that can be had. */
function kernel(
    actions: readonly Action[],
    factor: DirectFactor,
    generators: readonly SparsePermutation[],
    pointCount: number,
): Pick<DirectFactor, 'generators'> | undefined {
    if (actions.some(action => action.structure.order === factor.structure.order)) {
        return undefined;
    }
    const memberCount = actions.reduce((sum, { subject }) => sum + subject.members.length, 0);
    const chain = chainOfActions(actions, generators, pointCount, factor.structure.order);
    const rest = chain?.stabilizerGenerators(memberCount).map(generator => {
        const points = Array.from({ length: pointCount }, (_, point) => point).filter(
            point => generator[memberCount + point] !== memberCount + point,
        );
        return {
            points: Int32Array.from(points),
            images: Int32Array.from(points, point => generator[memberCount + point] - memberCount),
        };
    });
    return rest === undefined || rest.length === 0 ? undefined : { generators: rest };
}

/** ``the 9 instances of `P` are interchangeable`` */
function describeAction(
    subject: Subject,
    permutations: readonly SparsePermutation[],
    structure: GroupStructure,
): Pick<Action, 'text' | 'isNatural'> {
    const all = orbits(permutations, subject.members.length).filter(orbit => orbit.length > 1);
    const moving = permutations.filter(({ points }) => points.length > 0);
    if (structure.order === 2n) {
        return { text: describeExchange(subject, moving[0], all), isNatural: true };
    }
    const described = all.map(orbit => {
        const number = new Map(orbit.map((member, i) => [member, i]));
        const onOrbit = moving.map(permutation => onMembers(permutation, orbit, number));
        return { orbit, ...describeOrbit(onOrbit, orbit, subject, structure) };
    });
    // An orbit that shows all of the group says what happens on the others.
    const [telling] = described
        .filter(each => each.structure.order === structure.order)
        .sort((a, b) => Number(b.isNatural) - Number(a.isNatural) || a.orbit.length - b.orbit.length);
    const shown = telling === undefined ? described.slice(0, MOST_ORBITS) : [telling];
    const more = subject.kind === 'processes' ? 'other processes' : `others of \`${subject.name}\``;
    const others = shown.length < described.length ? `, and ${more} with them` : '';
    return {
        text: shown.map(({ orbit, manner }) => `${nameMembers(subject, orbit)}${manner}`).join('; ') + others,
        isNatural: shown.every(each => each.isNatural),
    };
}

function onMembers(
    permutation: SparsePermutation,
    orbit: readonly number[],
    number: ReadonlyMap<number, number>,
): SparsePermutation {
    const points: number[] = [];
    const images: number[] = [];
    orbit.forEach((member, i) => {
        const image = number.get(imageOf(permutation, member))!;
        if (image !== i) {
            points.push(i);
            images.push(image);
        }
    });
    return { points: Int32Array.from(points), images: Int32Array.from(images) };
}

/** A group of two elements. */
function describeExchange(subject: Subject, exchange: SparsePermutation, all: readonly (readonly number[])[]): string {
    if (all.length === 1) {
        return `${nameMembers(subject, all[0])} are interchangeable`;
    }
    const size = subject.members.length;
    // Of processes the order is that of the text.
    const isReflection =
        subject.kind !== 'processes' && exchange.points.every((point, i) => exchange.images[i] === size - 1 - point);
    if (isReflection && exchange.points.length >= size - 1) {
        return `${nameAll(subject)} are reflected`;
    }
    for (const [i, first] of subject.parts.entries()) {
        for (const second of subject.parts.slice(i + 1)) {
            const isTransposed = subject.members.every((_, member) => {
                const image = imageOf(exchange, member);
                return first.values[image] === second.values[member] && second.values[image] === first.values[member];
            });
            if (isTransposed) {
                return `\`${first.name}\` and \`${second.name}\` are exchanged in ${nameAll(subject)}`;
            }
        }
    }
    const pairs = all.map(orbit => orbit.map(member => subject.members[member]).join(' with '));
    const left = pairs.length - MOST_PAIRS;
    const of = isOfValues(subject) ? `the values of \`${subject.name}\` are exchanged, ` : '';
    const shown = pairs.slice(0, MOST_PAIRS).join(', ') + (left > 0 ? ` and ${left} more pairs` : '');
    return `${of}${shown}${of === '' ? ' are exchanged' : ''} at once`;
}

function isOfValues({ kind }: Subject): boolean {
    return kind === 'type-values' || kind === 'variable-values';
}

function nounOf({ kind }: Subject): string {
    return kind === 'instances' ? 'instances' : kind === 'cells' ? 'cells' : 'values';
}

function nameAll(subject: Subject): string {
    const { kind, name, members } = subject;
    if (kind === 'processes') {
        return members.length <= MOST_NAMED ? listed(members) : `the ${members.length} processes`;
    }
    return kind === 'variable-values' && members.length <= MOST_NAMED
        ? `the values ${listed(members)} of \`${name}\``
        : `the ${members.length} ${nounOf(subject)} of \`${name}\``;
}

function nameMembers(subject: Subject, orbit: readonly number[]): string {
    if (orbit.length === subject.members.length) {
        return nameAll(subject);
    }
    const names = orbit.map(member => subject.members[member]);
    if (names.length === 2) {
        return isOfValues(subject) ? `the values ${listed(names)} of \`${subject.name}\`` : listed(names);
    }
    const among = new Set(orbit);
    for (const { name, values } of subject.parts) {
        const own = new Set(orbit.map(member => values[member]));
        if (own.size <= MOST_NAMED && values.every((value, member) => own.has(value) === among.has(member))) {
            return `the ${orbit.length} ${nounOf(subject)} of \`${subject.name}\` with \`${name}\` ${listed([...own], 'or')}`;
        }
    }
    if (subject.kind === 'processes' && names.length > MOST_NAMED) {
        return `${names.length} processes (${names.slice(0, 3).join(', ')}, …)`;
    }
    return names.length <= MOST_NAMED
        ? `${isOfValues(subject) ? 'the values ' : ''}${listed(names)}${isOfValues(subject) ? ` of \`${subject.name}\`` : ''}`
        : `${names.length} ${nounOf(subject)} of \`${subject.name}\` (${names.slice(0, 3).join(', ')}, …)`;
}

function listed(names: readonly string[], word = 'and'): string {
    return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/** What happens on one orbit. */
interface Manner {
    /** What follows the members in a sentence, from the blank or the punctuation on. */
    readonly manner: string;
    readonly isNatural: boolean;
    readonly structure: GroupStructure;
}

function describeOrbit(
    generators: readonly SparsePermutation[],
    orbit: readonly number[],
    subject: Subject,
    whole: GroupStructure,
): Manner {
    const size = orbit.length;
    const moving = generators.filter(({ points }) => points.length > 0);
    const structure = describeQuotient(moving, size, whole);
    const manner = mannerOf(moving, structure, orbit, subject);
    return { manner: manner ?? ` are permuted as ${structure.name}`, isNatural: manner !== undefined, structure };
}

function mannerOf(
    generators: readonly SparsePermutation[],
    structure: GroupStructure,
    orbit: readonly number[],
    subject: Subject,
): string | undefined {
    const size = orbit.length;
    const all = factorial(size);
    if (structure.order === all) {
        return ' are interchangeable';
    }
    const tiers = tiersOf(generators, size, structure, subject, orbit);
    if (tiers !== undefined) {
        return tiers;
    }
    if (structure.kind === 'cyclic' && structure.degree === size) {
        return ' can be rotated';
    }
    if (structure.order * 2n === all) {
        return ' can be permuted evenly';
    }
    if (structure.order === 2n * BigInt(size) && isPolygon(generators, size)) {
        return ' can be rotated and reflected';
    }
    const dimension = Math.log2(size);
    return Number.isInteger(dimension) &&
        dimension > 2 &&
        structure.order === BigInt(size) * factorial(dimension) &&
        isCube(generators, size, dimension)
        ? ` are permuted like the corners of a cube of ${dimension} dimensions`
        : undefined;
}

/**
 * Tiers of groups: members that are exchanged alone show the innermost groups, and where the action on these is a tower
 * again it has further tiers.
 */
function tiersOf(
    generators: readonly SparsePermutation[],
    size: number,
    structure: GroupStructure,
    subject: Subject,
    orbit: readonly number[],
): string | undefined {
    const groups: { readonly count: number; readonly size: number; readonly part: string | undefined }[] = [];
    let current = generators;
    let degree = size;
    /** The group of each member, on the tier that was reached. */
    let groupOf = Int32Array.from(orbit.keys());
    for (;;) {
        const action = findSymmetricAction(current, degree);
        const count = (action?.firstElement.length ?? 1) - 1;
        if (action?.elementCount !== degree || count < 2) {
            break;
        }
        const familyOf = new Int32Array(degree);
        action.basePoint.forEach((point, element) => (familyOf[point] = action.familyOfElement[element]));
        current = current
            .map(generator => sparseOf(imagesOfFamilies(generator, familyOf, count)))
            .filter(({ points }) => points.length > 0);
        groupOf = groupOf.map(group => familyOf[group]);
        groups.push({ count, size: degree / count, part: partOf(subject, orbit, groupOf, count) });
        degree = count;
    }
    if (groups.length === 0) {
        return undefined;
    }
    const outer = describeQuotient(current, degree, structure);
    const [first, ...more] = groups;
    const within =
        first.part === undefined
            ? `, in ${first.count} groups of ${first.size}: those of a group are interchangeable`
            : `: the ${first.size} with the same \`${first.part}\` are interchangeable`;
    const tiers = more.map(tier => `the groups, in ${tier.count} groups of ${tier.size}, are so too`);
    const last = groups[groups.length - 1];
    const name =
        last.part === undefined
            ? `the ${last.count} ${more.length === 0 ? '' : 'largest '}groups`
            : `the ${last.count} values of \`${last.part}\``;
    const outermost = outer.order === factorial(degree) ? `so are ${name}` : `${name} are permuted as ${outer.name}`;
    return [within, ...tiers, outermost].join('; ');
}

function imagesOfFamilies(generator: SparsePermutation, familyOf: Int32Array, count: number): Int32Array {
    const images = Int32Array.from({ length: count }, (_, family) => family);
    generator.points.forEach((point, i) => (images[familyOf[point]] = familyOf[generator.images[i]]));
    return images;
}

function sparseOf(images: Int32Array): SparsePermutation {
    const points = Int32Array.from(images.keys()).filter(point => images[point] !== point);
    return { points, images: points.map(point => images[point]) };
}

/** The images of a pair of neighbors are the edges of one cycle through all points. */
function isPolygon(generators: readonly SparsePermutation[], size: number): boolean {
    for (let other = 1; other < size; other++) {
        const edges = imagesOfPair(generators, 0, other, size);
        const neighbors = new Map<number, number[]>();
        edges.forEach(([a, b]) => {
            neighbors.set(a, [...(neighbors.get(a) ?? []), b]);
            neighbors.set(b, [...(neighbors.get(b) ?? []), a]);
        });
        if (edges.length === size && [...neighbors.values()].every(list => list.length === 2)) {
            const ring = orbits(
                edges.map(([a, b]) => ({ points: Int32Array.of(a, b), images: Int32Array.of(b, a) })),
                size,
            );
            if (ring.length === 1) {
                return true;
            }
        }
    }
    return false;
}

/** The images of a pair, each once; none where they are more than the points. */
function imagesOfPair(
    generators: readonly SparsePermutation[],
    first: number,
    second: number,
    most: number,
): readonly (readonly [number, number])[] {
    const key = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;
    const seen = new Map<string, readonly [number, number]>([[key(first, second), [first, second]]]);
    for (const [, [a, b]] of seen) {
        for (const generator of generators) {
            const image = [imageOf(generator, a), imageOf(generator, b)] as const;
            if (!seen.has(key(...image))) {
                seen.set(key(...image), image);
            }
        }
        if (seen.size > most) {
            return [];
        }
    }
    return [...seen.values()];
}

/** The images of a pair of neighbors are the edges of a cube: `dimension` at each point, two points apart binomially. */
function isCube(generators: readonly SparsePermutation[], size: number, dimension: number): boolean {
    const edgeCount = (size * dimension) / 2;
    for (let other = 1; other < size; other++) {
        const edges = imagesOfPair(generators, 0, other, edgeCount);
        if (edges.length === edgeCount && areEdgesOfCube(edges, size, dimension)) {
            return true;
        }
    }
    return false;
}

/**
 * A cube is the graph in which each point can be given a subset of the coordinates: a neighbor of 0 one coordinate, and
 * every other point those of its neighbors that are nearer to 0; different points have different ones, and neighbors
 * differ in one.
 */
function areEdgesOfCube(edges: readonly (readonly [number, number])[], size: number, dimension: number): boolean {
    const neighbors: number[][] = Array.from({ length: size }, () => []);
    edges.forEach(([a, b]) => {
        neighbors[a].push(b);
        neighbors[b].push(a);
    });
    if (neighbors.some(list => list.length !== dimension)) {
        return false;
    }
    const coordinates = new Int32Array(size).fill(-1);
    coordinates[0] = 0;
    neighbors[0].forEach((neighbor, axis) => (coordinates[neighbor] = 1 << axis));
    const queue = [...neighbors[0]];
    for (const point of queue) {
        for (const next of neighbors[point]) {
            if (coordinates[next] < 0) {
                const nearer = neighbors[next].filter(each => coordinates[each] >= 0);
                coordinates[next] = nearer.reduce((set, each) => set | coordinates[each], 0);
                queue.push(next);
            }
        }
    }
    const areDistinct = new Set(coordinates).size === size && coordinates.every(set => set >= 0);
    return (
        areDistinct &&
        edges.every(([a, b]) => {
            const difference = coordinates[a] ^ coordinates[b];
            return (difference & (difference - 1)) === 0;
        })
    );
}

/** The index or the field that is the same exactly within the blocks, if there is one. */
function partOf(
    subject: Subject,
    orbit: readonly number[],
    blockOfPoint: Int32Array,
    blockCount: number,
): string | undefined {
    return subject.parts.find(({ values }) => {
        const own = orbit.map((member, i) => `${blockOfPoint[i]} ${values[member]}`);
        return new Set(own).size === blockCount && new Set(orbit.map(member => values[member])).size === blockCount;
    })?.name;
}

/** What a subgroup that moves no member of any subject as one does to the values of single cells. */
function describeValues(described: DescribedGroup, { generators }: Pick<DirectFactor, 'generators'>): string[] {
    const { model, sequential, group } = described;
    const cellOf = cellsOfPoints(group);
    const points = group.firstPoint[group.cellCount];
    return directFactors(generators, points).map(factor => {
        let best: { readonly text: string; readonly length: number } | undefined;
        for (const { name, cells } of declaredVariables(model, sequential)) {
            const own = new Set(cells);
            const classes = orbits(factor.generators, points).filter(
                orbit => orbit.length > 1 && orbit.every(point => own.has(cellOf[point])),
            );
            const isSteady = classes.every(orbit => orbit.every(point => cellOf[point] === cellOf[orbit[0]]));
            if (classes.length === 0 || !isSteady) {
                continue;
            }
            const moved = [...new Set(classes.flatMap(orbit => orbit.map(point => cellOf[point])))];
            const names = moved.map(cell => sequential.cells[cell].name);
            const text =
                `the values of ${names.length <= 4 ? listed(names) : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`}` +
                ` are permuted together as ${factor.structure.name}`;
            if (best === undefined || text.length < best.length) {
                best = { text, length: text.length };
            }
            if (best.text === text && moved.length === cells.length) {
                best = { text: `the values of \`${name}\` are permuted as ${factor.structure.name}`, length: 0 };
            }
        }
        return best?.text ?? `values are permuted as ${factor.structure.name}`;
    });
}

/** The families and variables of which something moves, as the text declares them. */
function movedBy(
    { model, sequential, group }: DescribedGroup,
    generators: readonly SparsePermutation[],
    instances: readonly (SparsePermutation | undefined)[],
): readonly string[] {
    const cellOf = cellsOfPoints(group);
    const cells = new Set<number>();
    generators.forEach(({ points }) => points.forEach(point => cells.add(cellOf[point])));
    const processes = new Set<number>();
    instances.forEach(permutation =>
        permutation?.points.forEach(instance => processes.add(sequential.instances[instance].process)),
    );
    const names = [
        ...model.processes.filter((_, index) => processes.has(index)).map(({ name }) => name),
        ...declaredVariables(model, sequential)
            .filter(variable => variable.cells.some(cell => cells.has(cell)))
            .map(({ name }) => name),
    ];
    // Locals of different blocks may have one name.
    return [...new Set(names)];
}
