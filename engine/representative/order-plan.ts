/**
 * The action of a product of symmetric groups as data for ordering elements, here and in generated code: what a state says
 * of each element by itself, the owners of each cell, and what the cells say of several elements together.
 */
import { invariant } from '../common/assert.js';
import { appendTo } from '../common/list-map.js';
import type { LiteralAction } from '../group/literal-action.js';
import { imageOf } from '../group/sparse-permutation.js';
import { MAXIMAL_ARITY, type SymmetricAction } from '../group/symmetric-action.js';
import type { KeyColumn, OwnedCell, RelationCell, RepresentativePlan } from './representative-plan.js';

/** Owners that a cell may have. */
const MOST_OWNERS = 2;

export function orderPlan(action: LiteralAction, symmetric: SymmetricAction): RepresentativePlan | undefined {
    const { firstElement } = symmetric;
    const cells = ownedCells(action, symmetric);
    const columns = keyColumns(action, symmetric);
    const relations = relationCells(action, symmetric);
    const isComplete = !hasRelations(action, symmetric);
    return cells && [{ kind: 'order', firstElement, columns, cells, relations, isComplete }];
}

/** Whether something can be said of several elements together: only then is their order more than one by their keys. */
export function hasRelations({ pointCount }: LiteralAction, { kindOfPoint, kinds }: SymmetricAction): boolean {
    return kindOfPoint
        .subarray(0, pointCount)
        .some(kind => kind >= 0 && (kinds[kind].arity > 1 || kinds[kind].labeling === 'ambiguous'));
}

/** The relations that cells state between several elements. */
function relationCells(action: LiteralAction, symmetric: SymmetricAction): readonly RelationCell[] {
    const { firstPoint } = action;
    const { kinds, kindOfPoint, labels } = symmetric;
    return Array.from(action.cells, (_, cell): RelationCell => {
        const held: number[] = [];
        const said: RelationCell['said'][number][] = [];
        for (let point = firstPoint[cell]; point < firstPoint[cell + 1]; point++) {
            const kind = kindOfPoint[point];
            if (kind >= 0 && kinds[kind].arity > 1 && kinds[kind].labeling !== 'ambiguous') {
                const { arity, labeling } = kinds[kind];
                const first = point * MAXIMAL_ARITY;
                held.push(point - firstPoint[cell]);
                said.push({
                    meaning: meaningOf(kind),
                    elements: Array.from(labels.subarray(first, first + arity)),
                    isUnordered: labeling === 'unordered',
                });
            }
        }
        return { cell, held: Int32Array.from(held), said };
    }).filter(({ held }) => held.length > 0);
}

/** A number for what points of a kind say of their elements. */
export function meaningOf(kind: number): number {
    return scramble(kind + 1);
}

/** Classes are put in the order of their hashes, so generated code has to use the same numbers. */
const FIRST_FACTOR = 0x85ebca6b | 0;
const SECOND_FACTOR = 0xc2b2ae35 | 0;

/** The steps of `scramble`: the number is combined with itself, moved to the right, and multiplied. */
export const SCRAMBLE: readonly { readonly shift: number; readonly factor?: number }[] = [
    { shift: 16, factor: FIRST_FACTOR },
    { shift: 13, factor: SECOND_FACTOR },
    { shift: 16 },
];

/** What is added to a class that comes next in a relation, and to one of those that come in no order. */
export const MEANING_STEP = 1;
export const UNORDERED_STEP = 7;

/** A bijection of 32-bit numbers that scatters its argument. The finalizer of MurmurHash3. */
export function scramble(value: number): number {
    let mixed = value ^ (value >>> 16);
    mixed = Math.imul(mixed, FIRST_FACTOR);
    mixed ^= mixed >>> 13;
    mixed = Math.imul(mixed, SECOND_FACTOR);
    return mixed ^ (mixed >>> 16);
}

/**
 * The columns of each family. A column asks one question of every element of a family: what is in its own cell, as in
 * `pc[2] = 1`, or by what is it named in a cell that all share, as in `turn[1] = 2`. The answers are small numbers, column
 * by column the key of an element. A permutation of the elements permutes their keys, so an order by keys does not depend
 * on the numbers of the elements. A field's contents are ascending, with those of the other fields in the same order.
 */
export function keyColumns(action: LiteralAction, symmetric: SymmetricAction): readonly (readonly KeyColumn[])[] {
    const { firstPoint, cellOfPoint } = action;
    const { kinds, kindOfPoint, labels, firstElement } = symmetric;
    const kindsOfFamily: number[][] = firstElement.slice(1).map(() => []);
    const isKnown = new Uint8Array(kinds.length);
    kindOfPoint.forEach((kind, point) => {
        if (kind >= 0 && isKnown[kind] === 0 && point < action.pointCount) {
            isKnown[kind] = 1;
            if (kinds[kind].arity === 1 && kinds[kind].labeling === 'ordered') {
                kindsOfFamily[symmetric.familyOfElement[labels[point * MAXIMAL_ARITY]]].push(kind);
            }
        }
    });
    return kindsOfFamily.map((own, family) => {
        const count = firstElement[family + 1] - firstElement[family];
        const elements = Array.from({ length: count }, (_, i) => firstElement[family] + i);
        const columns = new Map<string, number[]>();
        for (const kind of own) {
            appendTo(columns, elements.map(element => cellOfPoint[pointOf(kind, element)]).join(), kind);
        }
        return [...columns.values()].map(inColumn => {
            const firstCell = cellOfPoint[pointOf(inColumn[0], elements[0])];
            const contentOf = (kind: number, element: number): number => {
                const point = pointOf(kind, element);
                return point - firstPoint[cellOfPoint[point]];
            };
            return {
                size: firstPoint[firstCell + 1] - firstPoint[firstCell] + 1,
                fields: elements.map(element => ({
                    cell: cellOfPoint[pointOf(inColumn[0], element)],
                    held: Int32Array.from(inColumn, kind => contentOf(kind, element)),
                    keys: Int32Array.from(inColumn, kind => contentOf(kind, elements[0]) + 1),
                })),
            };
        });
    });

    function pointOf(kind: number, element: number): number {
        return kinds[kind].pointOfLabels[kinds[kind].shift + element];
    }
}

/**
 * The action cell by cell: which elements own a cell, and what of its contents names an element. `next[2] = 1` is in a
 * cell that 2 owns and names 1; `turn = 1` is in a cell without an owner. The image of a state under a permutation of the
 * elements is this: each cell holds what the cell of the owners' preimages has held, with the named elements replaced by
 * their images. This is checked for generators on all points. `undefined` if the action is another.
 *
 * A value that cannot occur is no content of a cell, so the contents of two cells of a column may be numbered in different
 * ways: if no process waits for itself, the first content of `next[1]` that names an element names 2.
 */
function ownedCells(action: LiteralAction, symmetric: SymmetricAction): readonly OwnedCell[] | undefined {
    const { firstPoint, cells } = action;
    const { kinds, kindOfPoint, labels } = symmetric;
    const labelsOf = (point: number): number[] => {
        const arity = kindOfPoint[point] < 0 ? 0 : kinds[kindOfPoint[point]].arity;
        return Array.from(labels.subarray(point * MAXIMAL_ARITY, point * MAXIMAL_ARITY + arity));
    };
    const columnOfKind = new Map<number, number>();
    let columns = 0;
    const result: OwnedCell[] = [];
    for (let cell = 0; cell < cells.length; cell++) {
        const owners = labelsOf(firstPoint[cell]);
        const kind = kindOfPoint[firstPoint[cell]];
        if (owners.length > MOST_OWNERS || (kind >= 0 && kinds[kind].labeling === 'ambiguous')) {
            return undefined;
        }
        const column = columnOfKind.get(kind) ?? columns++;
        if (kind >= 0) {
            columnOfKind.set(kind, column);
        }
        const plain: number[] = [];
        const naming: number[] = [];
        const named: number[] = [];
        for (let content = 0; content < firstPoint[cell + 1] - firstPoint[cell]; content++) {
            const others = labelsOf(firstPoint[cell] + content).filter(label => !owners.includes(label));
            if (others.length > 1) {
                return undefined;
            }
            if (others.length === 0) {
                plain.push(content);
            } else {
                naming.push(content);
                named.push(others[0]);
            }
        }
        // Contents that are images of each other have the same kind; those that stay, in a cell without an owner, have none.
        const kindOf = (content: number): number => kindOfPoint[firstPoint[cell] + content];
        plain.sort((a, b) => kindOf(a) - kindOf(b) || a - b);
        result.push({
            cell,
            owners,
            column,
            plain: Int32Array.from(plain),
            naming: Int32Array.from(naming),
            named: Int32Array.from(named),
        });
    }
    return isAction(action, symmetric, result) ? result : undefined;
}

/** The cell of a column with these owners, in either order. */
export function cellOfOwners(cells: readonly OwnedCell[]): (column: number, owners: readonly number[]) => number {
    const key = (column: number, owners: readonly number[]): string => `${String(column)}:${owners.join()}`;
    const found = new Map<string, number>();
    for (const { cell, column, owners } of cells) {
        found.set(key(column, owners), cell);
    }
    return (column, owners) => {
        const cell = found.get(key(column, owners)) ?? found.get(key(column, [...owners].reverse()));
        invariant(cell !== undefined, 'a column has a cell for all owners that its cells are moved to');
        return cell;
    };
}

/** Whether every swap does to every point what is said of it. `cells` has all of the action, in their order. */
function isAction(action: LiteralAction, symmetric: SymmetricAction, cells: readonly OwnedCell[]): boolean {
    const { firstPoint } = action;
    const has = new Set(cells.map(({ column, owners }) => `${String(column)}:${owners.join()}`));
    const isThere = (column: number, owners: readonly number[]): boolean =>
        has.has(`${String(column)}:${owners.join()}`) || has.has(`${String(column)}:${[...owners].reverse().join()}`);
    const cellOf = cellOfOwners(cells);
    return symmetric.swap.every((swap, element) => {
        const center = symmetric.firstElement[symmetric.familyOfElement[element]];
        const swapped = (label: number): number => (label === element ? center : label === center ? element : label);
        return cells.every(({ cell, owners, column, plain, naming, named }) => {
            const images = owners.map(swapped);
            if (!isThere(column, images)) {
                return false;
            }
            const target = cells[cellOf(column, images)];
            const goesTo = (content: number, image: number): boolean =>
                imageOf(swap, firstPoint[cell] + content) === firstPoint[target.cell] + image;
            return (
                plain.every((content, i) => goesTo(content, target.plain[i])) &&
                naming.every((content, i) => {
                    const position = target.named.indexOf(swapped(named[i]));
                    return position >= 0 && goesTo(content, target.naming[position]);
                })
            );
        });
    });
}
