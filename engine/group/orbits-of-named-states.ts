/**
 * The number of orbits of states under the symmetric group of one family of n elements. [Neumann1979]
 *
 * The cells of each element have w contents together; values of other cells may name elements. A permutation fixes
 * w^(number of cycles) contents of the elements' cells, and f(x) contents of the others, where x is the number of fixed
 * elements. With f written by falling factorials of x, the average has a closed form, where Δ takes differences:
 *
 *     orbits = sum over j of  Δ^j f(0) / j! · w^j · (w + n - j - 1 over n - j)
 */
import type { LiteralAction } from './literal-action.js';
import { factorial } from './permutation.js';
import type { SymmetricAction } from './symmetric-action.js';

/** The largest degree of f: the named elements in all cells together. */
const LARGEST_DEGREE = 1_000;

/** Undefined if cells of an element name other elements, or the labels of a value are not ordered. */
export function countNamedStates(
    action: LiteralAction,
    symmetric: SymmetricAction,
    isAllowed: Uint8Array,
): bigint | undefined {
    if (symmetric.firstElement.length !== 2) {
        return undefined;
    }
    const count = symmetric.elementCount;
    let contentsOfElement = 1n;
    /** For each cell that belongs to no element: the number of contents by the number of elements they name. */
    const shared: (readonly number[])[] = [];
    const seen = new Set<number>();
    for (let cell = 0; cell < action.cells.length; cell++) {
        const kind = symmetric.kindOfPoint[action.firstPoint[cell]];
        if (kind >= 0 && seen.has(kind)) {
            continue;
        }
        seen.add(kind);
        const contents = contentsByNames(action, symmetric, isAllowed, cell);
        if (contents === undefined) {
            return undefined;
        }
        if (kind < 0) {
            shared.push(contents);
        } else if (symmetric.kinds[kind].arity === 1 && contents.length <= 2) {
            // Each content has one label, the element of the cell.
            contentsOfElement *= BigInt(contents[1] ?? 0);
        } else {
            return undefined;
        }
    }
    const degree = shared.reduce((sum, contents) => sum + contents.length - 1, 0);
    return degree > LARGEST_DEGREE ? undefined : sumOfFixed(shared, degree, contentsOfElement, count);
}

/** `result[k]` counts the allowed contents of a cell with k labels; in a shared cell, the kinds of such contents. */
function contentsByNames(
    action: LiteralAction,
    symmetric: SymmetricAction,
    isAllowed: Uint8Array,
    cell: number,
): number[] | undefined {
    const counts: number[] = [0];
    const isShared = symmetric.kindOfPoint[action.firstPoint[cell]] < 0;
    for (let point = action.firstPoint[cell]; point < action.firstPoint[cell + 1]; point++) {
        const kind = symmetric.kindOfPoint[point];
        if (isAllowed[point] === 0) {
            continue;
        }
        if (kind < 0) {
            counts[0]++;
            continue;
        }
        const { arity, labeling } = symmetric.kinds[kind];
        if (labeling !== 'ordered') {
            return undefined;
        }
        while (counts.length <= arity) {
            counts.push(0);
        }
        counts[arity]++;
    }
    if (!isShared) {
        return counts;
    }
    return counts.map((number, arity) => {
        let tuples = 1;
        for (let i = 0; i < arity; i++) {
            tuples *= symmetric.elementCount - i;
        }
        return number / tuples;
    });
}

function sumOfFixed(shared: readonly (readonly number[])[], degree: number, w: bigint, n: number): bigint {
    let differences = Array.from({ length: degree + 1 }, (_, x) =>
        shared.reduce((product, contents) => product * fixedContents(contents, x), 1n),
    );
    let total = 0n;
    let factor = 1n;
    for (let j = 0; j <= Math.min(degree, n); j++) {
        // factor = w^j; the j-th difference of a polynomial with whole coefficients is a multiple of j!
        total += (differences[0] / factorial(j)) * factor * multisets(w, n - j);
        differences = differences.slice(1).map((value, i) => value - differences[i]);
        factor *= w;
    }
    return total;
}

/** The contents of one cell that a permutation with x fixed elements fixes: tuples of different fixed elements. */
function fixedContents(contents: readonly number[], x: number): bigint {
    let total = 0n;
    let tuples = 1n;
    contents.forEach((kinds, arity) => {
        total += BigInt(kinds) * tuples;
        tuples *= BigInt(x - arity);
    });
    return total;
}

/** The number of multisets of `count` members of `kinds` kinds: kinds + count - 1 over count. */
export function multisets(kinds: bigint, count: number): bigint {
    let result = 1n;
    for (let i = 1n; i <= BigInt(count); i++) {
        result = (result * (kinds + i - 1n)) / i;
    }
    return result;
}
