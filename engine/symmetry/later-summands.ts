/** The exchanges of neighboring blocks of cells that map a summand to an earlier one (explore/equal-processes.ts). */
import { appendTo } from '../common/list-map.js';
import { SPARSE_IDENTITY, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import type { SortPlan } from '../representative/representative-plan.js';
import type { GraphEncoding } from './graph-encoding.js';
import { graphExtensionOf } from './graph-extension.js';
import type { LiteralPoints } from './model-symmetry.js';

/**
 * By summand the blocks, numbered through all families, whose exchange with the one before maps it to an earlier summand.
 * `originOf` are the summands that those of the encoding are made of, one for several, and `count` is their number. O(blocks
 * times what is above the literals of two of them in the graph).
 */
export function laterSummands(
    encoding: GraphEncoding,
    points: LiteralPoints,
    families: readonly SortPlan[],
    originOf: (summand: number) => number,
    count: number,
): readonly (readonly number[])[] {
    const { problem, summandVertex } = encoding;
    const sourcesAt = new Map<number, readonly number[]>();
    const madeOf = new Int32Array(count);
    problem.summands.forEach(({ sources }, index) => {
        sourcesAt.set(summandVertex[index], sources);
        sources.forEach(source => madeOf[originOf(source)]++);
    });
    const extension = graphExtensionOf(encoding);
    const later: number[][] = Array.from({ length: count }, () => []);
    let number = 0;
    for (const { blockCount, columns } of families) {
        for (let block = 1; block < blockCount; block++) {
            number++;
            const automorphism = extension.extend(exchangeOf(columns, block, points)) ?? SPARSE_IDENTITY;
            const images = new Map<number, number[]>();
            automorphism.points.forEach((vertex, index) => {
                const [image] = sourcesAt.get(automorphism.images[index]) ?? [];
                sourcesAt.get(vertex)?.forEach(source => {
                    appendTo(images, originOf(source), originOf(image));
                });
            });
            images.forEach(([image, ...others], summand) => {
                const isMapped = others.length + 1 === madeOf[summand] && others.every(other => other === image);
                if (isMapped && image >= 0 && image < summand) {
                    later[summand].push(number);
                }
            });
        }
        number++;
    }
    return later;
}

/** The exchange of a block with the one before, as a permutation of points. */
function exchangeOf(
    columns: SortPlan['columns'],
    block: number,
    { codes, firstPoint }: LiteralPoints,
): SparsePermutation {
    const pairs: [number, number][] = [];
    for (const column of columns) {
        const [before, after] = [column[block - 1], column[block]].map(({ cell, own }) =>
            Array.from(own, code => firstPoint[cell] + codes[cell].indexOf(code)),
        );
        column[block].own.forEach((code, index) => {
            // No value has no point.
            if (code >= 0) {
                pairs.push([before[index], after[index]], [after[index], before[index]]);
            }
        });
    }
    return sparsePermutation(pairs);
}
