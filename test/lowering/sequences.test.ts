/** Sequences mean what a length and an array mean, and a place beyond the length holds no value. */
import { describe, expect, test } from 'vitest';
import type { SourceRange } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { changeOfCollection } from '../../engine/describe/shown-state.js';
import { startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { analysisOf, sequentialOf } from '../model-of-text.js';

/** Each model with sequences, and with arrays whose places beyond the length are `none`. */
const TWINS: readonly (readonly [name: string, withSequences: string, withArrays: string])[] = [
    [
        'a queue that is filled at the end and taken apart anywhere',
        `type Id = 1 .. 3
        var q: seq 3 of Id = []
        var seen: set of Id = {}
        invariant known = forall x in q: x in Id
        process P {
            loop {
                choose x in Id where !(x in q) { put: q := append(q, x) }
                or i in places(q) { take: { seen := seen union { q[i] }; q := without(q, i) } }
                or { turn: when len(q) > 1 && head(q) != last(q) { q := append(tail(q), head(q)) } }
            }
        }`,
        `type Id = 1 .. 3
        type Place = 0 .. 2
        var n: 0 .. 3 = 0
        var q: Id?[Place] = none
        var seen: set of Id = {}
        invariant known = forall i in Place where i < n: q[i] != none
        process P {
            loop {
                choose x in Id where !(exists i in Place where i < n: q[i] == x) { put: { q[n] := x; n := n + 1 } }
                or i in Place where i < n {
                    take: {
                        seen := seen union { q[i] };
                        q := [k in Place: if k < i then q[k] else if k < 2 then q[k + 1] else none];
                        n := n - 1
                    }
                }
                or {
                    turn: when n > 1 && q[0] != q[n - 1] {
                        q := [k in Place: if k == n - 1 then q[0] else if k < n - 1 then q[k + 1] else none]
                    }
                }
            }
        }`,
    ],
];

async function explored(text: string, options: ReducedExplorationOptions) {
    const analysis = await analysisOf(text);
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    const { verdict, states, transitions } = report ?? {};
    return { verdict, states, transitions, group: analysis.symmetry?.report.structure };
}

describe.each(TWINS)('%s', (_name, withSequences, withArrays) => {
    test.each([{ reduction: 'none' }, { reduction: 'auto' }, { reduction: 'none', passes: [] }] as const)(
        'has the same states and steps with %o',
        async options => {
            const ofSequences = await explored(withSequences, options);
            expect(ofSequences.states).toBeGreaterThan(20);
            expect(ofSequences).toEqual(await explored(withArrays, options));
        },
    );
});

test('laws hold for all sequences of a type, as values of one cell, before and in a run', async () => {
    const laws = [
        'tail(append([], x)) == []',
        'len(concat(a, b)) == len(a) + len(b)',
        'last(append(a, x)) == x',
        'concat(a, []) == a && concat([], a) == a',
        'head(concat(append([], x), a)) == x',
        'without(append(a, x), len(a)) == a',
        'slice(concat(a, b), 0, len(a)) == a',
        'slice(concat(a, b), len(a), len(a) + len(b)) == b',
        '(x in a) == (exists y in a: x == y)',
        '(x in a) == (x in elements(a))',
        'elements(concat(a, b)) == elements(a) union elements(b)',
        'count(y in a: true) == len(a) && places(a) == { i in 0 .. 2 where i < len(a) }',
        'sum(y in concat(a, b): y) == sum(y in a: y) + sum(y in b: y)',
        'a == [] || concat(slice(a, 0, 1), tail(a)) == a',
        '(a == b) == (len(a) == len(b) && (forall i in places(a): a[i] == b[i]))',
    ];
    const binders = 'forall a in seq 2 of Id, b in seq 2 of Id, x in Id';
    const invariants = laws.map((law, index) => `invariant law${index} = ${binders}: ${law}`);
    const asConstants = laws.map((law, index) => `const known${index} = ${binders}: ${law}`);
    const known = laws.map((_, index) => `known${index}`).join(' && ');
    const text = `type Id = 1 .. 2\n${[...invariants, ...asConstants].join('\n')}
        invariant constants = ${known}
        process P { skip }`;
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds' });
});

test('a place is taken when it is chosen, and its element stays', async () => {
    const text = `type Id = 1 .. 3
        var q: seq 2 of Id = [2, 3]
        var got: Id? = none
        process P { choose x in q { first: q := []; then_: got := x } }
        invariant one = got == none || got != 1
        allow deadlock`;
    // The start, one state for each place behind the first step, and behind the second one.
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds', states: 5 });
});

test('a loop runs through the sequence as it was, in order', async () => {
    const text = `type Id = 1 .. 3
        var q: seq 3 of Id = [2, 3, 2]
        var out: seq 3 of Id = []
        process P { l: { for x in q where x == 2 { q := tail(q); out := append(out, x) } } }
        invariant ended = out == [] || (out == [2, 2] && q == [2])
        allow deadlock`;
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds', states: 2 });
});

test.each([
    ['q := append(append(q, 1), 1)', 'range'],
    ['q := tail(tail(tail(q)))', 'undefined'],
    ['x := q[1]', 'index'],
    ['q[1] := 1', 'index'],
    ['q := without(q, 1)', 'index'],
    ['q := slice(q, 1, 0)', 'index'],
    ['x := head(slice(q, 1, 1))', 'undefined'],
])('%s is the fault %s', async (statement, fault) => {
    const analysis = await analysisOf(
        `type Id = 1 .. 2\nvar q: seq 2 of Id = [1]\nvar x: Id\nprocess P { ${statement} }\nallow deadlock`,
    );
    const { exploration } = startExploration(analysis, { reduction: 'none' }, UNLIMITED);
    exploration.advance(UNLIMITED);
    const [violation] = exploration.result().report?.violations ?? [];
    expect(violation).toMatchObject({ kind: 'fault', name: fault });
});

test('more than a place holds may be made, and less of it stored', async () => {
    const text = `var q: seq 1 of bool = [true]
        process P { q := tail(append(q, false)); q := slice(concat(q, q), 1, 2) }
        invariant one = len(q) == 1`;
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds', states: 3 });
});

test('a part of a sequence that is compared in a function costs no symmetry', async () => {
    const text = `type Value = 1 .. 3
        var all: seq 3 of Value = []
        var known: seq 3 of Value = []
        function isPrefix(p: seq 3 of Value, q: seq 3 of Value): bool = len(p) <= len(q) && slice(q, 0, len(p)) == p
        process P {
            loop {
                choose v in Value { write: when len(all) < 3 { all := append(all, v) } }
                or { answer: when len(known) < len(all) { known := append(known, all[len(known)]) } }
            }
        }
        invariant inOrder = isPrefix(known, all)
        allow deadlock`;
    const { symmetry } = await analysisOf(text);
    expect([symmetry?.report.structure, symmetry?.report.properties.map(({ order }) => order)]).toEqual(['S3', ['6']]);
});

test('functions of functions add: a shift by ten reads one cell for each place', async () => {
    const text = (tails: number) => `type Id = 1 .. 4\nvar q: seq 12 of Id = []
        process P { loop { choose x in Id { q := append(q, x) } or { when len(q) > 10 { q := ${'tail('.repeat(tails)}q${')'.repeat(tails)} } } } }`;
    const sizes = await Promise.all(
        [1, 10].map(async tails => JSON.stringify((await sequentialOf(text(tails))).summands).length),
    );
    expect(sizes[1]).toBeLessThan(2 * sizes[0]!);
});

test.each([
    ['q := append(append(q, 1), 1)', '`q` would hold 3 elements, but at most 2 fit'],
    ['c := [true, true]; c := append(c, true)', '`c` would hold 3 messages, but at most 2 fit'],
    ['x := q[1]', '`q[1]`: there is 1 element'],
    ['q := without(q, 1)', '`without(q, 1)`: there is 1 element'],
])('the fault of %s is told as %s', async (statement, told) => {
    const text = `type Id = 1 .. 2\nvar q: seq 2 of Id = [1]\nvar x: Id\nchannel c: 2 of bool
process P { { ${statement} } }\nallow deadlock`;
    const started = startExploration(await analysisOf(text), { reduction: 'none' }, UNLIMITED);
    started.exploration.advance(UNLIMITED);
    const [violation] = started.exploration.result().report?.violations ?? [];
    const textOf = ({ start, end }: SourceRange) => text.split('\n')[start.line]?.slice(start.character, end.character);
    expect(violation && started.reasonOf(violation, textOf)[0]?.text).toBe(told);
});

test.each([
    ['[]', '[1]', '+ 1'],
    ['[1, 2]', '[2]', '- 1'],
    ['[1, 2]', '[2, ask(1, 2)]', '- 1 + ask(1, 2)'],
    ['[1, 2, 3]', '[1, 3]', '- 2'],
    ['[1, 2]', '[]', undefined],
    ['[1]', '[2, 3, 4]', undefined],
    ['{1}', '{2}', '+ 2 - 1'],
    [1, 2, undefined],
])('from %s to %s the change is %s', (before, after, change) => {
    expect(changeOfCollection(before, after)).toBe(change);
});
