/** What is proved for all values of the parameters, in words: names of groups, places, and the part that refuses a sort. */
import { listed } from '../engine/common/listed.js';
import { formatForEvery } from '../engine/describe/for-every.js';
import type { SourceRange } from '../engine/common/source-range.js';
import * as ast from '../language/generated/nodes.js';
import { namedBy } from '../language/references/declared-type.js';
import { rangeOf, textOf } from '../language/tree/source-text.js';
import type { PlaceClasses, SortClass, UniformSorts } from './infer-sorts.js';
import {
    asNumber,
    combination,
    constantOf,
    formatPolynomial,
    isSame,
    type Polynomial,
} from '../language/typing/polynomial.js';
import type { AlikeValues, SortGroup } from './sort-groups.js';
import type { Refusal } from './facts.js';

/** A group that the model has for all values of its parameters. The product of all of them is a group of symmetries. */
interface UniformEntry {
    /** The parameters of the model: it holds for all values that their types allow. */
    readonly forAll: readonly string[];
    /** `S_N`, `C_N`, `S_R x S_W`. */
    readonly group: string;
    /** Where the values stand that it permutes, as in the text: `turn`, `flag[Proc]`, `P[i]`. */
    readonly places: readonly string[];
    readonly proved: true;
}

/** Why the values of an index, a choice or a family stay where they are. */
interface UniformRefusal {
    readonly places: readonly string[];
    /** `j < i` */
    readonly text: string;
    /** “compares the order of values” */
    readonly reason: string;
    readonly range: SourceRange;
}

export interface UniformReport {
    readonly proved: readonly UniformEntry[];
    readonly refused: readonly UniformRefusal[];
}

/** Nothing is said of the classes left out. */
export function reportUniform(sorts: UniformSorts, leftOut: ReadonlySet<SortClass> = new Set()): UniformReport {
    const forAll = sorts.parameters.map(({ name }) => name);
    const entries = sorts.classes.filter(isReported).map(sort => ({ sort, group: groupOf(sort, sorts) }));
    // Numbers that are local to an owner are part of the group of the owners.
    const owners = new Set(sorts.classes.flatMap(sort => ownersOf(sort, sorts)));
    return {
        proved: entries
            .filter(({ sort, group }) => group !== '' && !owners.has(sort) && !leftOut.has(sort))
            .map(({ sort, group }) => ({
                forAll,
                group,
                places: [...new Set([...ownersOf(sort, sorts), sort].flatMap(placesOf))],
                proved: true as const,
            })),
        refused: refusalsOf(sorts),
    };
}

/**
 * What is proved of a family or a declared type, as a lens says it: `interchangeable for every N (proved)`. Undefined if
 * nothing is, and without parameters, where the search says the same.
 */
export function describeUniform(
    declaration: ast.Process | ast.TypeDeclaration,
    sorts: UniformSorts,
): string | undefined {
    const forAll = sorts.parameters.map(({ name }) => name);
    const [sort] = classesOf(declaration, sorts);
    if (sort === undefined || uniformGroupOf(declaration, sorts) === undefined || forAll.length === 0) {
        return undefined;
    }
    const { group } = sort;
    const every = `${formatForEvery(forAll)} (proved)`;
    switch (group.kind) {
        case 'ring':
            return `${group.isReflected ? 'a mirrored ring' : 'a ring'} ${every}`;
        case 'reversal': {
            const distance = combination([1, group.interval.high], [-1, group.interval.low]);
            const isPair = distance !== undefined && asNumber(distance) === 1;
            return `${isPair ? 'interchangeable' : 'mirrored'} ${every}`;
        }
        case 'local':
            return `those of one owner are interchangeable (proved for all values)`;
        case 'alike': {
            if (group.tables.length > 0) {
                const tables = listed(group.tables.map(({ name }) => name));
                return `those with equal ${tables} are interchangeable (proved for all values)`;
            }
            const sets = movedSets(group);
            const [set] = sets;
            const own = rangeOfOwn(declaration, sort);
            if (
                set === undefined ||
                sets.some(({ intervals }) => intervals.length === 1 && isRange(own, intervals[0]))
            ) {
                return `interchangeable ${every}`;
            }
            const others = own && combination([1, own.high], [-1, own.low]);
            const isAllButOne = others !== undefined && isSame(others, set.count);
            const counts = sets.map(({ count }) => formatPolynomial(count));
            const which =
                sets.length > 1 ? `groups of ${listed(counts)}` : isAllButOne ? 'all but one' : `${counts[0]} of them`;
            return `${which} interchangeable, ${every}`;
        }
        case 'trivial':
            return undefined;
    }
}

/** The parameters that are the size of a set all of whose permutations are proved: `N` of `S_N`. */
export function sizesOf(sorts: UniformSorts): string[] {
    const sizes = new Set(
        sorts.classes.flatMap(({ group, ...sort }) =>
            group.kind === 'alike' && group.tables.length === 0 && isReported({ group, ...sort })
                ? movedSets(group).map(({ count }) => formatPolynomial(count))
                : [],
        ),
    );
    return sorts.parameters.map(({ name }) => name).filter(name => sizes.has(name));
}

/** The proved group of the values of a declaration: `S_N`. */
export function uniformGroupOf(
    declaration: ast.Process | ast.TypeDeclaration,
    sorts: UniformSorts,
): string | undefined {
    const [sort, ...others] = classesOf(declaration, sorts);
    // A type whose places are of several sorts has no group as a whole; neither has a family over several indices.
    return sort === undefined || others.length > 0 || !isReported(sort) ? undefined : groupOf(sort, sorts) || undefined;
}

function classesOf(declaration: ast.Process | ast.TypeDeclaration, { classes, places }: UniformSorts): SortClass[] {
    if (ast.isTypeDeclaration(declaration)) {
        return classes.filter(sort => sort.types.has(declaration) && sort.isMoved && placesOf(sort).length > 0);
    }
    const own = declaration.indices.flatMap(index => scalarsIn(places.get(index)));
    return [...new Set(own)];
}

function scalarsIn(places: PlaceClasses | undefined): SortClass[] {
    switch (places?.kind) {
        case 'scalar':
            return [places.sort];
        case 'record':
            return places.fields.flatMap(scalarsIn);
        default:
            return [];
    }
}

interface SymbolicRange {
    readonly low: Polynomial;
    readonly high: Polynomial;
}

/** The whole range of a declared type, or of the one index of a family. */
function rangeOfOwn(declaration: ast.Process | ast.TypeDeclaration, sort: SortClass): SymbolicRange | undefined {
    const element = ast.isTypeDeclaration(declaration)
        ? declaration.type.element
        : declaration.indices[0]?.type.element;
    const named = element && namedBy(element);
    const range = ast.isTypeDeclaration(named) ? named.type.element : element;
    const cut = sort.cuts.find(({ node, isType }) => isType && node === range);
    const { low, high } =
        cut ??
        (sort.cuts.filter(({ isType }) => isType).length === 1 ? sort.cuts.find(({ isType }) => isType) : undefined) ??
        {};
    return low === undefined || high === undefined ? undefined : { low, high };
}

function isRange(own: SymbolicRange | undefined, interval: SymbolicRange | undefined): boolean {
    return (
        own !== undefined && interval !== undefined && isSame(own.low, interval.low) && isSame(own.high, interval.high)
    );
}

/** The name of a group; empty if it is trivial for all values of the parameters. */
function groupOf(sort: SortClass, sorts: UniformSorts): string {
    const { group } = sort;
    switch (group.kind) {
        case 'trivial':
            return '';
        case 'alike': {
            const [table] = group.tables;
            const sets = movedSets(group);
            return table === undefined
                ? sets.map(({ count }) => `S_${sizeIn(count)}`).join(' x ')
                : sets.length === 0
                  ? ''
                  : `S_n for each n equal entries of ${listed(group.tables.map(({ name }) => name))}`;
        }
        case 'ring':
            return `${group.isReflected ? 'D' : 'C'}_${sizeIn(group.count)}`;
        case 'reversal':
            return 'C_2';
        case 'local': {
            const { name } = group.local.table;
            return ownersOf(sort, sorts).length > 0
                ? `S_k wr S_n for each n equal entries k of ${name}`
                : `S_k for each entry k of ${name}`;
        }
    }
}

/** The class of the owners of local numbers, if these are moved too. */
function ownersOf(sort: SortClass, { classes, places }: UniformSorts): SortClass[] {
    if (sort.group.kind !== 'local') {
        return [];
    }
    const { record, ownerField } = sort.group.local;
    const position = record.fields.indexOf(ownerField);
    const found = new Set<SortClass>();
    for (const structure of places.values()) {
        for (const { record: other, fields } of recordsIn(structure)) {
            const field = fields[position];
            if (
                other === record &&
                fields.some(each => each.kind === 'scalar' && each.sort === sort) &&
                field?.kind === 'scalar'
            ) {
                found.add(field.sort);
            }
        }
    }
    return classes.filter(other => found.has(other) && other.group.kind === 'alike');
}

function recordsIn(places: PlaceClasses): (PlaceClasses & { readonly kind: 'record' })[] {
    switch (places.kind) {
        case 'record':
            return [places, ...places.fields.flatMap(recordsIn)];
        case 'array':
            return [...places.indices, places.element].flatMap(recordsIn);
        case 'set':
            return recordsIn(places.member);
        case 'channel':
            return places.message === undefined ? [] : recordsIn(places.message);
        case 'scalar':
            return [];
    }
}

/** Sets of two and more values for some values of the parameters. */
function movedSets({ sets }: SortGroup & { readonly kind: 'alike' }): readonly AlikeValues[] {
    return sets.filter(({ count }) => !isSame(count, constantOf(0)) && !isSame(count, constantOf(1)));
}

function sizeIn(count: Polynomial): string {
    const text = formatPolynomial(count);
    return asNumber(count) !== undefined || /^\w+$/.test(text) ? text : `(${text})`;
}

/** Classes of declared places whose values occur: other ones move nothing that a state has. */
function isReported(sort: SortClass): boolean {
    return sort.isMoved && sort.group.kind !== 'trivial' && placesOf(sort).length > 0;
}

/** Names of expressions and entries of parameters are no places of a state. */
function placesOf({ places }: SortClass): string[] {
    const ofState = places.filter(
        ({ kind, node }) => (kind === 'element' || kind === 'index') && !ast.isParameter(node),
    );
    return [...new Set(ofState.map(({ name }) => name))];
}

function refusalsOf({ classes, refusal }: UniformSorts): UniformRefusal[] {
    if (refusal !== undefined) {
        return [toRefusal([], refusal)];
    }
    return classes.flatMap(sort => {
        const { group } = sort;
        const isIndex = sort.places.some(({ kind }) => kind === 'index');
        const isRange = sort.cuts.some(({ isType, node }) => isType && node.$type !== 'BooleanType');
        return group.kind === 'trivial' && group.refusal !== undefined && sort.isMoved && isIndex && isRange
            ? [toRefusal(placesOf(sort), group.refusal)]
            : [];
    });
}

function toRefusal(places: readonly string[], { node, words }: Refusal): UniformRefusal {
    const range = rangeOf(node);
    const text = (textOf(node) ?? '').replace(/\s+/g, ' ');
    return { places, text, reason: words, range };
}
