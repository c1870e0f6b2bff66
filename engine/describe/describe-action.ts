/** The action of a group on the members of a subject, as a sentence: they are interchangeable, can be rotated, … */
import { remembered } from '../common/list-map.js';
import { listed } from '../common/listed.js';
import type { WorkLimit } from '../common/work-limit.js';
import { factorial } from '../group/permutation.js';
import {
    composeSparse,
    conjugateSparse,
    imageOf,
    inverseSparse,
    restrictPermutation,
    sparseFromImages,
    sparsePermutation,
    type SparsePermutation,
} from '../group/sparse-permutation.js';
import { orbits } from '../group/orbits.js';
import { actionOnOrbit, type PermutationGroup } from '../group/permutation-group.js';
import { describeGroup, describeQuotient, type GroupStructure } from '../group/structure.js';
import { dihedral, isNamed } from '../group/structure-name.js';
import { findSymmetricAction } from '../group/symmetric-action.js';
import { isCube } from './known-shapes.js';
import type { Subject } from './subjects.js';

/** More members are not listed. */
const MOST_NAMED = 6;
/** More exchanges are not listed. */
const MOST_PAIRS = 3;
/** More orbits of one subject are not described. */
const MOST_ORBITS = 3;

export interface ActionText {
    readonly text: string;
    /** Whether the text says more than the name of a group. */
    readonly isNatural: boolean;
}

/** ``the 9 instances of `P` are interchangeable`` */
export function describeAction(
    subject: Subject,
    action: PermutationGroup,
    structure: GroupStructure,
    limit: WorkLimit,
): ActionText {
    const all = orbits(action.generators, action.degree).filter(orbit => orbit.length > 1);
    const moving = action.generators.filter(({ points }) => points.length > 0);
    if (structure.order === 2n) {
        return { text: describeExchange(subject, moving[0], all), isNatural: true };
    }
    const described = all.map(orbit => ({ orbit, ...describeOrbit(action, orbit, subject, structure, limit) }));
    // An orbit on which the group acts faithfully determines the action on the others.
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

/** A group of two elements. */
function describeExchange(subject: Subject, exchange: SparsePermutation, all: readonly (readonly number[])[]): string {
    if (all.length === 1) {
        return `${nameMembers(subject, all[0])} are interchangeable`;
    }
    const size = subject.members.length;
    // The order of processes means nothing.
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

export function isOfValues({ kind }: Subject): boolean {
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

/** How members are permuted if only the group is known. */
export function as(structure: GroupStructure): string {
    return isNamed(structure) ? ` as ${structure.name}` : `, as a group of ${structure.name}`;
}

interface Manner {
    /** The rest of a sentence that begins with the members, with the blank or the punctuation in between. */
    readonly manner: string;
    readonly isNatural: boolean;
    readonly structure: GroupStructure;
}

function describeOrbit(
    all: PermutationGroup,
    orbit: readonly number[],
    subject: Subject,
    whole: GroupStructure,
    limit: WorkLimit,
): Manner {
    const isAll = orbit.length === all.degree;
    const action = isAll ? all : actionOnOrbit(all, orbit);
    const structure = isAll ? whole : describeQuotient(action.generators, action.degree, whole, limit);
    const manner = mannerOf(action, structure, orbit, subject, limit);
    return { manner: manner ?? ` are permuted${as(structure)}`, isNatural: manner !== undefined, structure };
}

function mannerOf(
    action: PermutationGroup,
    structure: GroupStructure,
    orbit: readonly number[],
    subject: Subject,
    limit: WorkLimit,
): string | undefined {
    const size = orbit.length;
    const named =
        tiersOf(action, structure, subject, orbit, limit) ??
        gridOf(action, structure, orbit, subject, limit) ??
        plainMannerOf(size, structure);
    if (named !== undefined) {
        return named;
    }
    const dimension = Math.log2(size);
    return Number.isInteger(dimension) &&
        dimension > 2 &&
        structure.order === BigInt(size) * factorial(dimension) &&
        isCube(action.generators, size, dimension)
        ? ` are permuted like the corners of a cube of ${dimension} dimensions`
        : undefined;
}

/** The manner of a transitive action on `size` points, without names of the points. */
function plainMannerOf(size: number, structure: GroupStructure): string | undefined {
    const all = factorial(size);
    if (structure.order === all) {
        return ' are interchangeable';
    }
    if (structure.kind === 'cyclic' && structure.degree === size) {
        return ' can be rotated';
    }
    if (structure.order * 2n === all) {
        return ' can be permuted evenly';
    }
    // A faithful and transitive action of Dn on n points is that on the corners of a polygon.
    return structure.name === dihedral(size).name ? ' can be rotated and reflected' : undefined;
}

/** Tiers of groups: members that are exchanged alone form the innermost groups, on which the action may have tiers again. */
function tiersOf(
    action: PermutationGroup,
    structure: GroupStructure,
    subject: Subject,
    orbit: readonly number[],
    limit: WorkLimit,
): string | undefined {
    const groups: { readonly count: number; readonly size: number; readonly part: string | undefined }[] = [];
    let current = action;
    /** The group of each member, on the current tier. */
    let groupOf = Int32Array.from(orbit.keys());
    for (;;) {
        const { generators, degree } = current;
        const symmetric = findSymmetricAction(generators, degree);
        const count = (symmetric?.firstElement.length ?? 1) - 1;
        if (symmetric?.elementCount !== degree || count < 2) {
            break;
        }
        const familyOf = new Int32Array(degree);
        symmetric.basePoint.forEach((point, element) => (familyOf[point] = symmetric.familyOfElement[element]));
        groupOf = groupOf.map(group => familyOf[group]);
        groups.push({ count, size: degree / count, part: partOf(subject, orbit, groupOf, count) });
        current = { generators: onBlocks(generators, familyOf), degree: count };
    }
    if (groups.length === 0) {
        return undefined;
    }
    const outer = describeQuotient(current.generators, current.degree, structure, limit);
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
    const outermost = outer.order === factorial(current.degree) ? `so are ${name}` : `${name} are permuted${as(outer)}`;
    return [within, ...tiers, outermost].join('; ');
}

/** The action on blocks of points that the generators map onto each other. */
function onBlocks(generators: readonly SparsePermutation[], blockOfPoint: Int32Array): SparsePermutation[] {
    const onEach = generators.map(({ points, images }) =>
        sparsePermutation(new Map(Array.from(points, (point, i) => [blockOfPoint[point], blockOfPoint[images[i]]]))),
    );
    return onEach.filter(({ points }) => points.length > 0);
}

/** The members are all pairs of two indices, whose values are permuted independently; the indices can be exchanged. */
function gridOf(
    { generators }: PermutationGroup,
    structure: GroupStructure,
    orbit: readonly number[],
    subject: Subject,
    limit: WorkLimit,
): string | undefined {
    const [rows, columns, ...more] = subject.parts.map(({ values }) => numbered(orbit.map(member => values[member])));
    if (columns === undefined || more.length > 0 || rows.count !== columns.count || rows.count ** 2 !== orbit.length) {
        return undefined;
    }
    const size = rows.count;
    const memberAt = new Map(orbit.map((_, i) => [rows.numbers[i] * size + columns.numbers[i], i]));
    if (memberAt.size < orbit.length) {
        return undefined;
    }
    const lines = generators.map(generator => {
        const images = new Int32Array(2 * size).fill(-1);
        const isCrossed = rows.numbers[imageAt(generator, 0, 0)] !== rows.numbers[imageAt(generator, 0, 1)];
        for (let row = 0; row < size; row++) {
            for (let column = 0; column < size; column++) {
                const image = imageAt(generator, row, column);
                const [ofRow, ofColumn] = isCrossed
                    ? [size + columns.numbers[image], rows.numbers[image]]
                    : [rows.numbers[image], size + columns.numbers[image]];
                if ((images[row] >= 0 && images[row] !== ofRow) || (row > 0 && images[size + column] !== ofColumn)) {
                    return undefined;
                }
                images[row] = ofRow;
                images[size + column] = ofColumn;
            }
        }
        return sparseFromImages([...images.keys()], images);
    });
    const known = lines.filter(line => line !== undefined);
    const crossing = known.find(line => imageOf(line, 0) >= size);
    if (known.length < lines.length || crossing === undefined) {
        return undefined;
    }
    // These generate the subgroup that maps rows to rows, together with one that exchanges the indices.
    const isStraight = (line: SparsePermutation): boolean => imageOf(line, 0) < size;
    const back = inverseSparse(crossing);
    const straight = known.flatMap(line =>
        isStraight(line)
            ? [line, conjugateSparse(line, crossing)]
            : [composeSparse(line, back), composeSparse(crossing, line)],
    );
    const onRows = straight.map(line => restrictPermutation(line, size)).filter(({ points }) => points.length > 0);
    const inner = describeGroup(onRows, size, undefined, limit);
    const manner = plainMannerOf(size, inner);
    if (manner === undefined || inner.order ** 2n * 2n !== structure.order) {
        return undefined;
    }
    const [first, second] = subject.parts.map(({ name }) => `\`${name}\``);
    return `: the ${size} values of ${first}${manner}, those of ${second} too, and ${first} and ${second} can be exchanged`;

    function imageAt(generator: SparsePermutation, row: number, column: number): number {
        return imageOf(generator, memberAt.get(row * size + column)!);
    }
}

/** Texts as numbers, in the order of their first occurrences. */
function numbered(texts: readonly string[]): { readonly numbers: readonly number[]; readonly count: number } {
    const known = new Map<string, number>();
    const numbers = texts.map(text => remembered(known, text, () => known.size));
    return { numbers, count: known.size };
}

/** The index or the field that has one value in each block, another one in every block, if there is one. */
function partOf(
    subject: Subject,
    orbit: readonly number[],
    blockOfPoint: Int32Array,
    blockCount: number,
): string | undefined {
    return subject.parts.find(({ values }) => {
        const valueOfBlock = new Map<number, string>();
        const isSame = orbit.every((member, i) => {
            const value = valueOfBlock.get(blockOfPoint[i]) ?? values[member];
            valueOfBlock.set(blockOfPoint[i], value);
            return value === values[member];
        });
        return isSame && new Set(valueOfBlock.values()).size === blockCount;
    })?.name;
}
