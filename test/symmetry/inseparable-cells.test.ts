/** What only exchanges locals that are always alike is no part of the group; all that it is for stays. */
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ConstraintProperty } from '../../engine/constraints/constraint-problem.js';
import { encode } from '../../engine/constraints/encode.js';
import { TRUE_FORMULA } from '../../engine/constraints/formula.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import type { SparsePermutation } from '../../engine/group/sparse-permutation.js';
import { detectSymmetries } from '../../engine/symmetry/detect.js';
import { literalPoints, literalProjection } from '../../engine/symmetry/model-symmetry.js';
import { createObservedModel } from '../../engine/verify/observed-model.js';
import { createStateAction } from '../../engine/verify/check-claims.js';
import { toyModel, type InitialContent, type Rule } from '../arbitrary/toys.js';
import { symmetryOf } from '../model-of-text.js';

/** Each process asks its two neighbors of five in any order; the two others it never asks. */
const NEIGHBORS = `
    model Neighbors
    type Id = 0 .. 4
    process P[i: Id] {
        loop {
            var asked: bool[Id] = [j in Id: j != (i + 1) mod 5 && j != (i + 4) mod 5];
            while exists j in Id: !asked[j] {
                choose j in Id where !asked[j] { ask: asked[j] := true }
            }
            rest: skip;
        }
    }
`;

test('elements of a local that are true wherever they are anything do not hide what permutes the instances', async () => {
    const { report } = await symmetryOf(NEIGHBORS);
    // Each instance can exchange its neighbors, and all instances are alike, for none refers to another one.
    expect(BigInt(report.order)).toBe(2n ** 5n * 120n);
});

test('where a property looks at such a cell, nothing is left out', () => {
    const problem = encode(
        toyModel({
            cells: { clock: 2, first: 1, second: 1, third: 1 },
            mayBeAbsent: ['first', 'second', 'third'],
            initial: { clock: 0, first: 'none', second: 'none', third: 'none' },
            rules: ({ is, set, clear }) => [
                { when: [is('clock', 0)], then: [set('clock', 1), set('first', 0), set('second', 0), set('third', 0)] },
                { when: [is('clock', 1)], then: [set('clock', 0), clear('first'), clear('second'), clear('third')] },
            ],
        }),
        UNLIMITED,
    );
    const isThere = problem.formulas.set(3, [0], problem.domains[3]!);
    const orderWith = (property: Partial<ConstraintProperty>): bigint => {
        const truth = {
            name: 'deadlock',
            kind: 'deadlock',
            invariant: -1,
            holds: TRUE_FORMULA,
            faults: [],
            pinned: [],
        } as const;
        const properties = [{ ...truth, ...property }];
        return detectSymmetries({ ...problem, properties }, [], [], UNLIMITED).group.order;
    };
    expect(orderWith({})).toBe(1n);
    expect(orderWith({ holds: isThere })).toBe(6n);
    expect(orderWith({ faults: [{ condition: isThere, kind: 'index' }] })).toBe(6n);
    expect(orderWith({ pinned: [3] })).toBe(6n);
});

/** For each state the least number of one in its orbit. */
function orbitsOf(
    states: readonly Int32Array[],
    actions: readonly ((state: Int32Array) => Int32Array)[],
): readonly number[] {
    const numberOf = new Map(states.map((state, index) => [state.join(), index]));
    const orbit = states.map((_, index) => index);
    const rootOf = (index: number): number => (orbit[index] === index ? index : rootOf(orbit[index]!));
    states.forEach((state, index) => {
        for (const imageOf of actions) {
            const image = numberOf.get(imageOf(state).join());
            expect(image).toBeDefined();
            const [first, second] = [rootOf(index), rootOf(image!)];
            orbit[Math.max(first, second)] = Math.min(first, second);
        }
    });
    return orbit.map((_, index) => rootOf(index));
}

test('the orbits of states are those under all symmetries of the graph', () => {
    const random = createRandom(11);
    let smaller = 0;
    for (let round = 0; round < 100; round++) {
        // Two to four clocks with three values; some cells that come and go with one of their values each, in random company.
        const clocks = Array.from({ length: 2 + random.below(2) }, (_, index) => `clock${index}`);
        const locals = Array.from({ length: 6 }, (_, index) => ({
            name: `local${index}`,
            clock: clocks[random.below(clocks.length)]!,
            comes: random.below(2),
            isRead: random.below(6) === 0,
        }));
        const model = toyModel({
            cells: Object.fromEntries([
                ...clocks.map(name => [name, 3] as const),
                ...locals.map(({ name }) => [name, 1] as const),
            ]),
            mayBeAbsent: locals.map(({ name }) => name),
            initial: Object.fromEntries<InitialContent>([
                ...clocks.map(name => [name, 0] as const),
                ...locals.map(({ name }) => [name, 'none'] as const),
            ]),
            rules: ({ is, set, clear }) =>
                clocks.flatMap(clock =>
                    [0, 1, 2].map((now): Rule => {
                        const own = locals.filter(local => local.clock === clock);
                        return {
                            when: [
                                is(clock, now),
                                ...own.filter(local => local.isRead && now === 2).map(({ name }) => is(name, 0)),
                            ],
                            then: [
                                set(clock, (now + 1) % 3),
                                ...own.filter(({ comes }) => comes === now).map(({ name }) => set(name, 0)),
                                ...(now === 2 ? own.map(({ name }) => clear(name)) : []),
                            ],
                        };
                    }),
                ),
        });
        const problem = encode(model, UNLIMITED);
        const points = literalPoints(problem);
        const { group, encoding, automorphisms } = detectSymmetries(problem, [], [], UNLIMITED);
        const all = findAutomorphisms(encoding.graph, { workLimit: UNLIMITED });
        expect(all.order % group.order).toBe(0n);
        smaller += all.order === group.order ? 0 : 1;
        const states = createObservedModel(model, []).reachableStates(10_000, UNLIMITED);
        const orbitsUnder = (generators: readonly SparsePermutation[]): readonly number[] =>
            orbitsOf(
                states!,
                generators.map(generator => {
                    const action = createStateAction(points, generator);
                    expect(action.kind).toBe('action');
                    return action.kind === 'action' ? action.imageOf : state => state;
                }),
            );
        const project = literalProjection(encoding, points);
        const raw = all.generators.map(project);
        expect(orbitsUnder(group.generators)).toEqual(orbitsUnder(raw));
        group.generators.forEach((generator, index) => {
            expect(project(automorphisms[index]!)).toEqual(generator);
        });
    }
    expect(smaller).toBeGreaterThan(20);
});
