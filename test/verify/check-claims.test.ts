/**
 * The check of claims against all permutations of literals of small systems: it refutes on states exactly those that are no
 * symmetries, and what is detected it confirms.
 */
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/constraints/encode.js';
import { sparsePermutation, type SparsePermutation } from '../../engine/group/sparse-permutation.js';
import { detectSymmetries } from '../../engine/symmetry/detect.js';
import { literalPoints, type LiteralPoints } from '../../engine/symmetry/model-symmetry.js';
import { checkClaims, type Verification } from '../../engine/verify/check-claims.js';
import { smallSystem } from '../arbitrary/small-systems.js';
import { toyModel } from '../arbitrary/toys.js';
import { candidates, symmetriesByDefinition, type LiteralSymmetry } from '../reference/literal-symmetries.js';

function permutationOf({ target, codes }: LiteralSymmetry, { codes: values, firstPoint }: LiteralPoints) {
    const pairs = values.flatMap((ofCell, cell) =>
        ofCell.map((code, position): [number, number] => [
            firstPoint[cell]! + position,
            firstPoint[target[cell]!]! + codes[cell]![code]!,
        ]),
    );
    return sparsePermutation(pairs.filter(([point, image]) => point !== image));
}

test('what is detected is confirmed, and of any other permutation it is found out whether it is a symmetry', () => {
    const random = createRandom(9);
    const seen = { systems: 0, symmetries: 0, others: 0 };
    while (seen.systems < 60) {
        const model = toyModel(smallSystem(random, 'alike copies'));
        if (model.cells.length > 4) {
            continue;
        }
        seen.systems++;
        const problem = encode(model, UNLIMITED);
        const points = literalPoints(problem);
        const check = (order: bigint, generators: readonly SparsePermutation[]): Verification =>
            checkClaims(
                problem,
                {
                    generators,
                    groups: [{ properties: [], alike: [], order, generators: generators.map((_, index) => index) }],
                },
                { workLimit: UNLIMITED, random: createRandom(1), mostStates: 1000, sampledStates: 0 },
            );

        const { order, generators } = detectSymmetries(problem, [], [], UNLIMITED).group;
        expect(check(order, generators)).toMatchObject({ verdict: 'verified', exhaustive: true, ordersChecked: true });

        const symmetries = new Set(symmetriesByDefinition(model).map(symmetry => JSON.stringify(symmetry)));
        const all = candidates(model);
        for (let count = 0; count < 8; count++) {
            const candidate = all[random.below(all.length)]!;
            const isSymmetry = symmetries.has(JSON.stringify(candidate));
            seen[isSymmetry ? 'symmetries' : 'others']++;
            // The graph has the permutations that map summands to summands only; the states have the last word here.
            const { refutations } = check(1n, [permutationOf(candidate, points)]);
            const refuted = refutations.filter(({ kind }) => kind !== 'graph' && kind !== 'order');
            expect(refuted).toHaveLength(isSymmetry ? 0 : 1);
        }
    }
    expect(seen.symmetries).toBeGreaterThan(30);
    expect(seen.others).toBeGreaterThan(200);
});
