/**
 * What a state says of each element of a product of symmetric groups by itself: `pc[2] = 1`, `turn[1] = 2`.
 *
 * A *column* asks one question of every element of a family: what is in its own cell, or by what is it named in a cell that
 * all share. The answers are small numbers, column by column the *key* of an element. A permutation of the elements
 * permutes their keys, so elements can be ordered by them, and the order does not depend on their numbers.
 */
import type { LiteralAction } from '../group/literal-action.js';
import type { KeyColumn } from './representative-plan.js';
import { MAXIMAL_ARITY, type SymmetricAction } from '../group/symmetric-action.js';

/** The columns of each family. A field's contents are ascending, with those of the other fields in the same order. */
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
        const elements = Array.from(
            { length: firstElement[family + 1] - firstElement[family] },
            (_, i) => firstElement[family] + i,
        );
        const columns = new Map<string, number[]>();
        for (const kind of own) {
            const cells = elements.map(element => cellOfPoint[pointOf(kind, element)]).join();
            columns.set(cells, [...(columns.get(cells) ?? []), kind]);
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
