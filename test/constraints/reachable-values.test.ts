/** Which values can occur: none too few, and none that a guard rules out. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createRandom } from '../../engine/common/random.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { forEachAssignment } from '../../engine/constraints/possible-values.js';
import { encode } from '../../engine/constraints/encode.js';
import { FragmentCache } from '../../engine/constraints/fragment.js';
import { reachableValues, type ReachableValues } from '../../engine/constraints/reachable-values.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type {
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
} from '../../engine/sequential/sequential-model.js';
import { loadModel } from '../../language-server/load-model.js';
import { models } from '../arbitrary/models.js';
import { binary, constant, toyModel, type Toy } from '../arbitrary/toys.js';
import { cases } from '../cases.js';
import { printModel } from '../reference/print.js';

function domainsOf(toy: Toy): readonly (readonly number[])[] {
    return encode(toyModel(toy), UNLIMITED).domains;
}

test('a step whose guard never holds writes nothing', () => {
    const domains = domainsOf({
        cells: { x: 3, y: 3 },
        initial: { x: 0, y: 0 },
        rules: ({ is, set }) => [
            { when: [is('y', 1)], then: [set('x', 2)] },
            { when: [is('x', 0)], then: [set('y', 2)] },
        ],
    });
    expect(domains).toEqual([[0], [0, 2]]);
});

test('a choice over more assignments than are tried writes what its branches write', () => {
    const domains = domainsOf({
        cells: { a: 5, b: 5, c: 5, x: 4 },
        initial: { x: 0 },
        rules: ({ read, set }) => {
            const condition = binary(binary(binary(read('a'), '+', read('b')), '+', read('c')), '>', constant(6));
            const value = { kind: 'conditional', condition, then: constant(3), otherwise: read('x') } as const;
            return [{ when: [], then: [set('x', { ...value, range: NOWHERE })] }];
        },
    });
    expect(domains[3]).toEqual([0, 3]);
});

test('assignments of very many cells with one value each are gone through', () => {
    const cells = Array.from({ length: 100_000 }, (_, cell) => cell);
    const over = cells.map(cell => (cell % 50_000 === 7 ? [0, 1] : [3]));
    const state = new Int32Array(cells.length);
    const seen: string[] = [];
    forEachAssignment(cells, over, state, () => seen.push(`${state[7]}${state[50_007]}${state[99_999]}`));
    expect(seen).toEqual(['003', '013', '103', '113']);
});

test('an index that a step moves on through a long array has all of its values, though they are not followed one by one', async () => {
    const { model } = await loadModel(
        `type P = 0 .. 599
         var x: bool[P] = false
         var h: P = 0
         process Q { loop { a: when !x[h] { x[h] := true; h := (h + 1) mod 600 } } }`,
        'file:///m.orbit',
    );
    const { sequential } = linearize(model!);
    const { domains } = encode(sequential!, UNLIMITED);
    expect(domains[600]).toHaveLength(600);
    expect(domains.slice(0, 600).every(codes => codes.join() === '0,1')).toBe(true);
});

/** A buffer of two slots as linearization writes it: `c ! x` and `c ? y` for x of 0 .. 1, shifting on receive. */
const BUFFER: Toy = {
    cells: { length: 3, slot0: 3, slot1: 3, y: 3, z: 2 },
    kinds: { length: 'channel', slot0: 'channel', slot1: 'channel' },
    mayBeAbsent: ['slot0', 'slot1'],
    initial: { length: 0, slot0: 'none', slot1: 'none', y: 2, z: 0 },
    rules: ({ read, is, set, clear }) => {
        const branch = (
            condition: SequentialExpression,
            then: SequentialStatement[],
            otherwise: SequentialStatement[] = [],
        ): SequentialStatement => ({ kind: 'if', condition, then, otherwise, range: NOWHERE });
        const length = read('length');
        return [
            ...[0, 1].map(value => ({
                when: [binary(length, '<', constant(2))],
                then: [
                    branch(is('length', 0), [set('slot0', value)], [set('slot1', value)]),
                    set('length', binary(length, '+', constant(1))),
                ],
            })),
            {
                when: [binary(length, '>', constant(0))],
                then: [
                    set('y', read('slot0')),
                    branch(is('length', 2), [set('slot0', read('slot1'))], [branch(is('length', 1), [clear('slot0')])]),
                    branch(is('length', 2), [clear('slot1')]),
                    set('length', binary(length, '-', constant(1))),
                ],
            },
            // Takes 1 only, looking at the first message.
            { when: [binary(length, '>', constant(0)), is('slot0', 2)], then: [set('z', 1)] },
        ];
    },
};

test('of a long process each step is asked about when it is reached, and not each time another one is', async () => {
    const steps = Array.from({ length: 300 }, (_, step) => `x${step} := true`);
    const variables = steps.map((_, step) => `var x${step}: bool`);
    const sequential = await sequentialOf(`${variables.join('\n')} process P { ${steps.join('; ')} }`);
    const cache = new FragmentCache();
    let questions = 0;
    const limit = { isExhausted: () => questions++ < 0 };
    reachableValues(sequential!, cache.place(sequential!, UNLIMITED), cache.lists, limit);
    expect(questions).toBeLessThan(10 * steps.length);
});

test('a slot has what is sent, or nothing, and a receive is no fault', () => {
    const { domains, summands } = encode(toyModel(BUFFER), UNLIMITED);
    expect(domains).toEqual([[0, 1, 2], [-1, 0, 1], [-1, 0, 1], [0, 1, 2], [0]]);
    expect(summands.map(({ faults }) => faults)).toEqual(summands.map(() => []));
    // No step sends 2.
    expect(summands.flatMap(({ sources }) => sources).sort()).toEqual([0, 1, 2]);
});

test('a step that writes some cells where others keep no value is a step', () => {
    const domains = domainsOf({
        cells: { slot0: 2, slot1: 2, x: 2 },
        kinds: { slot0: 'channel', slot1: 'channel' },
        mayBeAbsent: ['slot0', 'slot1'],
        initial: { slot0: 'none', slot1: 'none', x: 0 },
        rules: ({ is, set }) => [
            {
                when: [],
                then: [
                    {
                        kind: 'if',
                        condition: is('x', 1),
                        then: [set('slot1', 1)],
                        otherwise: [set('slot0', 0)],
                        range: NOWHERE,
                    },
                    set('x', 1),
                ],
            },
        ],
    });
    expect(domains).toEqual([
        [-1, 0],
        [-1, 1],
        [0, 1],
    ]);
});

test('a temporary has nothing to list, however many values it may have in between, and is no constraint', () => {
    const huge = { kind: 'range', low: 0, high: 2 ** 31 - 3 } as const;
    const problem = encode(
        toyModel({
            cells: { x: 4, t: huge },
            kinds: { t: 'temporary' },
            rules: ({ read, set, clear }) => [
                {
                    when: [],
                    then: [
                        set('t', binary(read('x'), '*', constant(1_000))),
                        set('x', binary(read('t'), 'div', constant(2_000))),
                        clear('t'),
                    ],
                },
            ],
        }),
        UNLIMITED,
    );
    expect(problem.domains).toEqual([[0, 1, 2, 3], [-1]]);
    expect(problem.pinned).toEqual([]);
    expect(problem.summands.flatMap(({ effects }) => effects.map(({ cell }) => cell))).toEqual([0, 0]);
});

test('what no initial state has cannot occur before a step makes it', () => {
    const domains = domainsOf({
        cells: { x: 4, y: 4, z: 3 },
        initial: { z: [2, 1, 2] },
        conditions: ({ read }) => [
            binary(read('x'), '<', constant(2)),
            binary(binary(read('x'), '+', read('y')), '==', constant(3)),
        ],
        rules: ({ is, set }) => [{ when: [is('y', 2)], then: [set('x', 3)] }],
    });
    expect(domains).toEqual([
        [0, 1, 3],
        [2, 3],
        [1, 2],
    ]);
});

async function sequentialOf(text: string): Promise<SequentialModel | undefined> {
    const { model } = await loadModel(text, 'file:///model.orbit');
    return model && linearize(model).sequential;
}

function saidBy(reachable: ReachableValues, { instances, summands }: SequentialModel): unknown {
    return [
        reachable.domains,
        summands.map((_, summand) => reachable.at(summand)),
        instances.map(({ locations }, instance) =>
            locations.map((_location, location) => reachable.reaches(instance, location)),
        ),
    ];
}

test('after an edit of a random model the fragments of the first give the values that are found anew', async () => {
    await fc.assert(
        fc.asyncProperty(models(), fc.nat(), async (model, seed) => {
            const before = printModel(model);
            const random = createRandom(seed);
            const places = [...before.matchAll(/[0-9]+| (?:<=|<|==|!=|>|>=) |&&/g)];
            const place = places[random.below(Math.max(1, places.length))];
            if (place === undefined) {
                return;
            }
            const [text] = place;
            const choices = /[0-9]/.test(text) ? ['0', '1', '2'] : text === '&&' ? ['||'] : [' < ', ' == ', ' != '];
            const choice = choices[random.below(choices.length)];
            const after = before.slice(0, place.index) + choice + before.slice(place.index + text.length);
            const [first, second] = [await sequentialOf(before), await sequentialOf(after)];
            if (first === undefined || second === undefined) {
                return;
            }
            const valuesIn = (model: SequentialModel, cache: FragmentCache): unknown =>
                saidBy(reachableValues(model, cache.place(model, UNLIMITED), cache.lists, UNLIMITED), model);
            const cache = new FragmentCache();
            valuesIn(first, cache);
            expect(valuesIn(second, cache)).toEqual(valuesIn(second, new FragmentCache()));
        }),
        { numRuns: cases(80) },
    );
}, 240_000);

test('a counter of a wide type has the values up to its guard, and what a guard on one field keeps out does not occur', async () => {
    const domainsIn = async (text: string): Promise<readonly (readonly number[])[]> => {
        const sequential = await sequentialOf(text);
        invariant(sequential !== undefined, 'the model is right');
        return encode(sequential, UNLIMITED).domains;
    };
    for (const guard of ['c < 500', 'c != 500']) {
        const [counter] = await domainsIn(
            `var c: 0 .. 5000 = 0 process P { loop { when ${guard} { c := c + 1 } } } allow deadlock`,
        );
        expect(counter).toEqual(Array.from({ length: 501 }, (_, code) => code));
    }
    const [kept, to, body] = await domainsIn(`
        record M = { to: 0 .. 2, body: 0 .. 9 }
        var kept: M? = none
        var out: M = M(0, 0)
        process P {
            loop { choose { choose t in 0 .. 2, b in 0 .. 9 { out := M(t, b) } } or { if out.to == 1 { kept := out } } }
        }`);
    // None or a message; to no other than 1, with one of ten bodies, or no value.
    expect([kept, to, body].map(codes => codes?.length)).toEqual([2, 2, 11]);
});

/** Some of the many ways to bound and to relate values; the values are more than are looked at again in each round. */
const MOST_STATES = 1_000;

const WIDE_STEPS = [
    'when a < L { a := a + S }',
    'when a != L { a := a + S }',
    'when a > S { a := a - S }',
    'a := (a + S) mod (L + 1)',
    'a := min(a + S, L)',
    'a := max(b - S, 0)',
    'when a < b { a := a + S }',
    'when b < a && a < L { b := b + 1; a := a - 1 }',
    'when a + b == L { a := b; b := a }',
    'if a == L { b := a } else { a := L }',
    'a := if x[i] < a then x[i] else b',
    'when x[i] < x[j] { x[i] := x[i] + S }',
    'when x[i] < L && i != j { x[j] := x[i]; x[i] := a }',
    'when p.u < a { p := R(p.u + S, p.v) }',
    'if p.v == red { q := p } else { p := R(L, red) }',
    'when q.u > S { p.u := q.u - S }',
    'when q != p { e := q.v }',
    'c ! R(a, e)',
    'when p.u == L c ! p',
    'c ? q',
    'm := a; if m < L { b := m }',
    'when m < L { m := m + S }',
    'when m == a { x[i] := m }',
    'o := a',
    'when o != none { b := o; o := none }',
];

function wideModel(next: (below: number) => number): string {
    const top = 70 + next(60);
    const one = (): string =>
        (WIDE_STEPS[next(WIDE_STEPS.length)] ?? '')
            .replaceAll('L', String(next(4) === 0 ? next(top) : 1 + next(20)))
            .replaceAll('S', String(1 + next(2)));
    const swapped = (step: string): string =>
        next(2) === 0 ? step : step.replace(/\b[ab]\b/g, name => (name === 'a' ? 'b' : 'a'));
    const steps = Array.from({ length: 3 + next(4) }, () => `{ choose i in P, j in P { ${swapped(one())} } }`);
    return `
        type P = 0 .. 1
        type V = 0 .. ${top}
        enum E = { red, green, blue }
        record R = { u: V, v: E }
        var a: V = ${next(3)}
        var b: V = ${next(top)}
        var x: V[P] = 0
        var e: E = red
        var p: R = R(0, green)
        var q: R = R(1, green)
        var o: V? = none
        channel c: 2 of R
        process Q {
            var m: V = 0
            loop { choose ${steps.join(' or ')} }
        }
        allow deadlock`;
}

test('no value that a run reaches is left out, however guards bound and relate the values', async () => {
    let reached = 0;
    await fc.assert(
        fc.asyncProperty(fc.nat(), async seed => {
            const random = createRandom(seed);
            const sequential = await sequentialOf(wideModel(below => random.below(below)));
            invariant(sequential !== undefined, 'the steps are well-typed');
            const cache = new FragmentCache();
            const values = reachableValues(sequential, cache.place(sequential, UNLIMITED), cache.lists, UNLIMITED);
            const domains = values.domains.map(codes => new Set(codes));
            // A state graph that is too large would not be gone through; its first states are.
            const successors = interpretedSuccessors(sequential);
            const known = new Map<string, Int32Array>();
            const add = (state: Readonly<Int32Array>): boolean => {
                known.set(state.join(), known.get(state.join()) ?? state.slice());
                return true;
            };
            const initial = new InitialStates(sequential);
            const state = new Int32Array(sequential.cells.length);
            while (initial.nextInto(state)) {
                add(state);
            }
            for (const from of known.values()) {
                const missing = [...from.keys()].filter(cell => domains[cell]?.has(from[cell] ?? NaN) !== true);
                expect(missing, `cells of ${String(from)}`).toEqual([]);
                if (known.size < MOST_STATES) {
                    successors.forEachFiring(from, { fired: (_, to) => add(to), faulted: () => true });
                }
            }
            reached += known.size;
        }),
        { numRuns: cases(100) },
    );
    expect(reached).toBeGreaterThan(1_000);
}, 240_000);
