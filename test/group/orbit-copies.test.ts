import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutCopies } from '../../engine/group/orbit-copies.js';
import { orbits } from '../../engine/group/orbits.js';
import { toDense } from '../../engine/group/permutation.js';
import { permutationsOf, rotation, toSparseGenerators } from '../arbitrary/literal-groups.js';
import { closure } from '../reference/brute-force-group.js';

/** The generators on several copies of their points, each with names of its own. */
function onCopies(generators: readonly (readonly number[])[], names: readonly (readonly number[])[]): number[][] {
    const degree = generators[0]!.length;
    return generators.map(images => {
        const all: number[] = [];
        names.forEach((name, copy) => {
            for (let point = 0; point < degree; point++) {
                all[copy * degree + name[point]!] = copy * degree + name[images[point]!]!;
            }
        });
        return all;
    });
}

test('a group on copies of its orbits is known by one of them, from which each element can be had', () => {
    const degree = 6;
    fc.assert(
        fc.property(
            fc.array(permutationsOf(degree), { minLength: 1, maxLength: 3 }),
            fc.array(permutationsOf(degree), { minLength: 2, maxLength: 4 }),
            (generators, names) => {
                const all = onCopies(generators, names);
                const { group, lift, liftInto } = withoutCopies({
                    generators: toSparseGenerators(all),
                    degree: degree * names.length,
                });
                const moved = orbits(toSparseGenerators(generators), degree).filter(orbit => orbit.length > 1);
                expect(group.degree).toBeLessThanOrEqual(moved.reduce((sum, orbit) => sum + orbit.length, 0));
                expect(group.generators.map(lift)).toEqual(toSparseGenerators(all));
                group.generators.forEach((generator, g) => {
                    const target = Int32Array.from({ length: degree * names.length }, (_, point) => point);
                    liftInto(target, toDense(generator, group.degree));
                    expect([...target]).toEqual(all[g]);
                });
                const small = group.generators.map(({ points, images }) => {
                    const dense = Array.from({ length: group.degree }, (_, point) => point);
                    points.forEach((point, i) => (dense[point] = images[i]!));
                    return dense;
                });
                expect(closure(small, group.degree)).toHaveLength(closure(generators, degree).length);
            },
        ),
    );
});

test('orbits on which generators do different things are no copies, equally large as they may be', () => {
    // The square turns on four points, and at twice the speed on four more.
    const turn = rotation(4);
    const generators = [[...turn, ...turn.map(point => turn[point]! + 4)]];
    const { group } = withoutCopies({ generators: toSparseGenerators(generators), degree: 8 });
    expect(group.degree).toBe(4 + 2);
});
