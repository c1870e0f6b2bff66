/**
 * How representatives are found, as data, for generated code. A plan has the same result as its canonicalizer, state for
 * state. It numbers cells and what they hold, inside as contents (literal-action.ts), outside as codes; `renamePlan`
 * translates. Codes grow with contents, so comparing the ones compares the others.
 */
import { remembered } from '../common/list-map.js';
import type { LiteralAction } from '../group/literal-action.js';
import type { Permutation } from '../group/permutation.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';

/** Parts that are done one after the other, each on the state that the one before has left. */
export type RepresentativePlan = readonly PlanPart[];

export type PlanPart = SortPlan | ListPlan | OrderPlan | CosetPlan;

/** A cell in its column: where the first cell of the column would hold `first[i]`, this one holds `own[i]`. */
export interface ColumnCell {
    readonly cell: number;
    readonly first: Int32Array;
    readonly own: Int32Array;
}

/** Blocks of cells to be sorted, `columns[i][block]`: by what the first block would hold, the first column first. */
export interface SortPlan {
    readonly kind: 'sort';
    readonly blockCount: number;
    readonly columns: readonly (readonly ColumnCell[])[];
}

/** What one element does to one cell: the target holds `becomes[i]` where the source has held `held[i]`. */
export interface CellImage {
    readonly source: number;
    readonly target: number;
    readonly held: Int32Array;
    readonly becomes: Int32Array;
}

/**
 * What one element does to some cells; the others stay as they are. In a plan these are the same cells for all elements,
 * and what several elements do alike to a cell is one object, also after a renaming.
 */
export type StateImage = readonly CellImage[];

/** The least of the images: by the contents of the `leading` cells in their order, then of all cells, ascending. */
export interface ListPlan {
    readonly kind: 'list';
    readonly leading: readonly number[];
    readonly images: readonly StateImage[];
}

/** The least of the images after the plan of the subgroup; cells are compared ascending, and the first of equals is taken. */
export interface CosetPlan {
    readonly kind: 'cosets';
    readonly images: readonly StateImage[];
    readonly subgroup: RepresentativePlan;
}

/** A part of the keys of a family's elements, the greater part first: a field for each of them. */
export interface KeyColumn {
    readonly fields: readonly KeyField[];
    /** Greater than every key in it. */
    readonly size: number;
}

/** The key of an element there is `keys[i]` where the cell holds `held[i]`, and 0 where it holds something else. */
export interface KeyField {
    readonly cell: number;
    readonly held: Int32Array;
    readonly keys: Int32Array;
}

/** A cell that moves with the elements that own it, or stays if there are none. */
export interface OwnedCell {
    readonly cell: number;
    /** At most two. */
    readonly owners: readonly number[];
    /** Cells of one column are images of each other under permutations of the owners. */
    readonly column: number;
    /** What it can hold that names at most its owners; in a cell of the column that it moves to, `plain[i]` is `plain[i]`. */
    readonly plain: Int32Array;
    /** What it can hold that names another element, ascending, with that element. */
    readonly naming: Int32Array;
    readonly named: Int32Array;
}

/** What a cell says of several elements: `said[i]` where it holds `held[i]`, and nothing where it holds something else. */
export interface RelationCell {
    readonly cell: number;
    readonly held: Int32Array;
    readonly said: readonly {
        /** A number of 32 bits for what is said, the same for all elements. */
        readonly meaning: number;
        /** At most MAXIMAL_ARITY (symmetric-action.ts); whether their order says nothing. */
        readonly elements: readonly number[];
        readonly isUnordered: boolean;
    }[];
}

/**
 * Elements, numbered family by family, to be ordered within their families by their keys. Those with equal keys are a
 * class. The image under the permutation that maps each element onto its position is the representative if each class has
 * one element, or if exchanges within classes do not change the image. Else the classes are split by the relations of their
 * elements, with the hashes of order-plan.ts, until no class splits. The first class that still has several elements gets
 * one of them as its first, and classes are split again, if any may be the first, because an exchange of two leaves the
 * state as it is, alone or with exchanges in other classes. Else the plan gives up.
 */
export interface OrderPlan {
    readonly kind: 'order';
    /** Family f has the elements from `firstElement[f]` up to, not including, `firstElement[f + 1]`. */
    readonly firstElement: readonly number[];
    /** By family. */
    readonly columns: readonly (readonly KeyColumn[])[];
    readonly cells: readonly OwnedCell[];
    readonly relations: readonly RelationCell[];
    /** Whether elements with equal keys can always be exchanged, because there are no relations. */
    readonly isComplete: boolean;
}

/** New names for cells and for what they hold; `cell` is the old name. */
export interface Renaming {
    readonly cell: (cell: number) => number;
    /** Grows with `held`. */
    readonly held: (cell: number, held: number) => number;
}

/** The effect of each element on each cell of the action. O(elements · points), and little that is allocated. */
export function stateImages(action: LiteralAction, elements: readonly Permutation[]): readonly StateImage[] {
    const imageOfCell = cellImages(action);
    return elements.map(element => Array.from(action.cells, (_, source) => imageOfCell(source, element)));
}

/** What each element does to the cells that it touches and that become a wanted cell. O(points) for each element. */
export function touchedImages(
    action: LiteralAction,
    elements: readonly (SparsePermutation | Permutation)[],
    isWanted: Uint8Array,
): readonly StateImage[] {
    const { cells, firstPoint, cellOfPoint, pointCount } = action;
    const imageOfCell = cellImages(action);
    const scratch = Int32Array.from({ length: pointCount }, (_, point) => point);
    const imagesUnder = (element: Permutation): StateImage => {
        const image: CellImage[] = [];
        for (let cell = 0; cell < cells.length; cell++) {
            if (isWanted[cellOfPoint[element[firstPoint[cell]]]] === 1 && isTouched(cell, element)) {
                image.push(imageOfCell(cell, element));
            }
        }
        return image;
    };
    return elements.map(element => {
        if (!('points' in element)) {
            return imagesUnder(element);
        }
        const { points, images } = element;
        const image: CellImage[] = [];
        for (let i = 0; i < points.length; i++) {
            scratch[points[i]] = images[i];
        }
        for (let i = 0; i < points.length; i++) {
            // Points are ascending, and so are their cells.
            const cell = cellOfPoint[points[i]];
            if ((i === 0 || cell !== cellOfPoint[points[i - 1]]) && isWanted[cellOfPoint[images[i]]] === 1) {
                image.push(imageOfCell(cell, scratch));
            }
        }
        for (const point of points) {
            scratch[point] = point;
        }
        return image;
    });

    function isTouched(cell: number, element: Permutation): boolean {
        for (let point = firstPoint[cell]; point < firstPoint[cell + 1]; point++) {
            if (element[point] !== point) {
                return true;
            }
        }
        return false;
    }
}

/** Odd, without a pattern: the fractional part of the golden ratio. */
const MIXING_FACTOR = 0x9e3779b1;
const MIXED_BITS = 16;

/** A function of a cell and an element; its result is the same object if elements do the same to the cell. */
function cellImages({
    cells,
    firstPoint,
    cellOfPoint,
}: LiteralAction): (source: number, element: Readonly<Int32Array>) => CellImage {
    /** By source, target and a few bits of a hash of the images. */
    const known = new Map<number, CellImage[]>();
    return (source, element) => {
        const first = firstPoint[source];
        const target = cellOfPoint[element[first]];
        const shift = firstPoint[target];
        let mixed = 0;
        for (let point = first; point < firstPoint[source + 1]; point++) {
            mixed = Math.imul(mixed ^ element[point], MIXING_FACTOR);
        }
        const key = (source * cells.length + target) * 2 ** MIXED_BITS + (mixed >>> (32 - MIXED_BITS));
        const alike = remembered(known, key, () => []);
        for (const image of alike) {
            const { becomes } = image;
            let content = 0;
            while (content < becomes.length && element[first + content] - shift === becomes[content]) {
                content++;
            }
            if (content === becomes.length) {
                return image;
            }
        }
        const held = Int32Array.from({ length: firstPoint[source + 1] - first }, (_, content) => content);
        const image = { source, target, held, becomes: held.map(content => element[first + content] - shift) };
        alike.push(image);
        return image;
    };
}

/** The plans one after the other; `undefined` if one is missing. */
export function joinPlans(plans: readonly (RepresentativePlan | undefined)[]): RepresentativePlan | undefined {
    return plans.every(plan => plan !== undefined) ? plans.flat() : undefined;
}

/** Whether it never gives up. */
export function needsNoSearch(part: PlanPart): boolean {
    return part.kind === 'order' ? part.isComplete : part.kind !== 'cosets' || part.subgroup.every(needsNoSearch);
}

/** About how many instructions generated code takes for a state if it does not give up. */
export function instructionsOf(plan: RepresentativePlan): number {
    return plan.reduce((sum, part) => {
        switch (part.kind) {
            case 'sort':
                return sum + part.blockCount * (7 * part.columns.length + 14);
            case 'list': {
                const cells = Math.max(...part.images.map(image => image.length));
                const sources = new Set(
                    part.images.map(image => image.find(({ target }) => target === part.leading[0])?.source),
                );
                // Mostly two or three elements make the leading cells least.
                return (
                    sum + sources.size * (10 + 5 * part.leading.length) + Math.min(3, part.images.length) * 5 * cells
                );
            }
            case 'order': {
                const fields = part.columns.flat().reduce((all, { fields: own }) => all + own.length, 0);
                const elements = part.firstElement[part.firstElement.length - 1];
                return sum + 8 * fields + 20 * elements + 10 * part.cells.length * (part.isComplete ? 1 : 2);
            }
            case 'cosets': {
                const cells = Math.max(...part.images.map(image => image.length));
                return sum + part.images.length * (5 * cells + instructionsOf(part.subgroup));
            }
        }
    }, 0);
}

export function renamePlan(plan: RepresentativePlan, renaming: Renaming): RepresentativePlan {
    return plan.map(part => renamePart(part, renaming));
}

export function renameImages(images: readonly StateImage[], renaming: Renaming): readonly StateImage[] {
    const renamed = new Map<CellImage, CellImage>();
    const rename = ({ source, target, held, becomes }: CellImage): CellImage => ({
        source: renaming.cell(source),
        target: renaming.cell(target),
        held: renameHeld(source, held, renaming),
        becomes: renameHeld(target, becomes, renaming),
    });
    return images.map(image => image.map(each => remembered(renamed, each, () => rename(each))));
}

function renameHeld(cell: number, held: Int32Array, renaming: Renaming): Int32Array {
    return held.map(each => renaming.held(cell, each));
}

function renamePart(part: PlanPart, renaming: Renaming): PlanPart {
    const all = (cell: number, held: Int32Array): Int32Array => renameHeld(cell, held, renaming);
    switch (part.kind) {
        case 'sort':
            return {
                ...part,
                columns: part.columns.map(column =>
                    column.map(({ cell, first, own }) => ({
                        cell: renaming.cell(cell),
                        first: all(column[0].cell, first),
                        own: all(cell, own),
                    })),
                ),
            };
        case 'list':
            return { ...part, leading: part.leading.map(renaming.cell), images: renameImages(part.images, renaming) };
        case 'cosets':
            return {
                ...part,
                images: renameImages(part.images, renaming),
                subgroup: renamePlan(part.subgroup, renaming),
            };
        case 'order':
            return {
                ...part,
                columns: part.columns.map(columns =>
                    columns.map(({ fields, size }) => ({
                        size,
                        fields: fields.map(({ cell, held, keys }) => ({
                            cell: renaming.cell(cell),
                            held: all(cell, held),
                            keys,
                        })),
                    })),
                ),
                cells: part.cells.map(owned => ({
                    ...owned,
                    cell: renaming.cell(owned.cell),
                    plain: all(owned.cell, owned.plain),
                    naming: all(owned.cell, owned.naming),
                })),
                relations: part.relations.map(({ cell, held, said }) => ({
                    cell: renaming.cell(cell),
                    held: all(cell, held),
                    said,
                })),
            };
    }
}
