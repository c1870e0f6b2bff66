/** Exploration under the symmetries of the steps, where the start has fewer: orbits, depths, verdicts, runs, and traps. */
// @module-tag long
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { findSymmetries, startExploration, type ReducedExplorationOptions } from '../engine/pipeline.js';
import { compareCoverage, compareUneven, UNEVEN_WAYS } from './agreement/uneven.js';
import { unevenModels } from './arbitrary/uneven-models.js';
import { modelOf, symmetryOf } from './model-of-text.js';

async function explore(text: string, options: ReducedExplorationOptions, parameters: [string, string][] = []) {
    const analysis = findSymmetries(await modelOf(text, parameters), { now: () => 0, workLimit: UNLIMITED });
    const started = startExploration(analysis, { continueAfterViolation: true, ...options }, UNLIMITED);
    started.exploration.advance(UNLIMITED);
    const { report } = started.exploration.result();
    return { analysis, started, report: report! };
}

const modelText = (name: string): string => readFileSync(`models/${name}.orbit`, 'utf8');

/** How many states are stored was counted with a prototype that runs the models through the interpreter. */
const TABLE: readonly {
    readonly name: string;
    readonly text: string;
    readonly parameters: [string, string][];
    readonly states: number;
    readonly startOrder: bigint;
    readonly order: bigint;
    readonly orbits: number;
}[] = [
    // (3^5 + 3) / 6 by Burnside's lemma.
    {
        ...{ name: 'hanoi', text: modelText('hanoi'), parameters: [['N', '5']] },
        ...{ states: 243, startOrder: 2n, order: 6n, orbits: 41 },
    },
    {
        ...{ name: 'bounded-buffer', text: modelText('bounded-buffer'), parameters: [] },
        ...{ states: 240, startOrder: 4n, order: 8n, orbits: 48 },
    },
    {
        ...{ name: 'peterson with a turn that begins with 1', parameters: [['N', '4']] },
        text: modelText('peterson').replace('[1 .. N - 1] = none', '[1 .. N - 1] = 1'),
        ...{ states: 9820, startOrder: 6n, order: 24n, orbits: 498 },
    },
    // 3N·2^(N-1) states, up to rotations 3·2^(N-1).
    {
        ...{ name: 'token-mutex with a token that begins at 0', parameters: [['N', '8']] },
        text: modelText('token-mutex').replace('= any ', '= 0 '),
        ...{ states: 3072, startOrder: 1n, order: 8n, orbits: 384 },
    },
];

describe.each(TABLE)('$name', ({ text, parameters, states, startOrder, order, orbits }) => {
    test('is explored under the symmetries of the steps', async () => {
        const properties = ['deadlock'];
        const none = await explore(text, { reduction: 'none', properties: [] }, parameters);
        expect(none.report.states).toBe(states);
        for (const isInterpreted of [false, true]) {
            const { report, started } = await explore(
                text,
                { reduction: 'unique', properties, isInterpreted },
                parameters,
            );
            expect(report).toMatchObject({ states: orbits, verdict: 'holds' });
            expect([started.group?.order, started.startGroup?.order]).toEqual([order, startOrder]);
        }
    });

    test('has its own symmetries still, and a line for those of the steps', async () => {
        const { symmetry } = findSymmetries(await modelOf(text, parameters), { now: () => 0, workLimit: UNLIMITED });
        expect(symmetry?.group.order).toBe(startOrder);
        expect(symmetry?.stepsGroup?.order).toBe(order);
    });
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])('random models agree with their state spaces (way %i)', async number => {
    const texts = fc.sample(unevenModels(), { seed: 100 + number, numRuns: 18 });
    let moved = 0;
    for (const text of texts) {
        const compared = await compareUneven(text, 300, UNEVEN_WAYS[number]!);
        moved += compared.kind === 'agreed' && compared.isMoved ? 1 : 0;
    }
    expect(moved).toBeGreaterThanOrEqual(2);
});

test('the coverage of random models is that of all states', async () => {
    for (const text of fc.sample(unevenModels(), { seed: 9, numRuns: 12 })) {
        await compareCoverage(text, 300);
    }
});

/** A process that would give the turn away where `p` and `q` hold, which never happens: no analysis of values sees that. */
const NEVER = `
var p: bool = false var q: bool = false
process Z { loop { choose { when p && q { turn := LAST - turn } } or { q := p; p := !p } } }`;

/** Two processes that are alike but for who has the token at first; each names the other when it gives it away. */
const TWINS = `
model Twins
var turn: 0 .. 1 = 0
process A { loop { choose { playA: when turn == 0 { turn := 1 } } or { restA: when turn == 0; } } }
process B { loop { choose { playB: when turn == 1 { turn := 0 } } or { restB: when turn == 1; } } }
`;

describe('what relies on the start', () => {
    test('an invariant is violated if it is, not if its image under a symmetry of the steps is', async () => {
        // Only A begins, and stops before B ever has a turn.
        const text = `
model Once
var turn: 0 .. 1 = 0 var a: bool = false var b: bool = false
process A { goA: when turn == 0 { a := true } }
process B { goB: when turn == 1 { b := true } }
${NEVER.replace('LAST', '1')}
invariant notA = !a
invariant notB = !b
allow deadlock`;
        const { started, report, analysis } = await explore(text, { reduction: 'unique', passes: [] });
        expect(analysis.symmetry?.stepsGroup?.order).toBe(2n);
        expect(report.violations.map(({ name }) => name)).toEqual(['notA']);
        expect(started.alike?.()).toEqual([]);
        // Together they are kept by the exchange.
        const both = await explore(text.replace(/invariant[^]*(?=allow)/, 'invariant nobody = !a && !b\n'), {
            reduction: 'unique',
        });
        expect(both.started.startGroup?.order).toBe(1n);
        expect(both.report.violations.map(({ name, trace }) => [name, trace.at(-1)?.step?.process])).toEqual([
            ['nobody', 'A'],
        ]);
    });

    test('a run begins in an initial state, and a fault is shown where it happens', async () => {
        const text = `
model Late
var turn: 0 .. 1 = 1 var n: 0 .. 2 = 0
process A { stepA: when turn == 0 && n < 2 { n := n + 1 }; failA: when n == 2 { assert turn == 1 } }
process B { stepB: when turn == 1 && n < 2 { n := n + 1 }; failB: when n == 2 { assert turn == 0 } }
process C { loop { more: when n == 1 { n := 2 } } }
${NEVER.replace('LAST', '1')}`;
        const { started, report } = await explore(text, { reduction: 'unique' });
        expect(started.startGroup?.order).toBe(1n);
        const fault = report.violations.find(({ kind }) => kind === 'fault');
        expect(fault?.trace[0]?.state).toMatchObject({ turn: 1, n: 0 });
        expect(fault?.trace.at(-1)?.step).toMatchObject({ process: 'B', label: 'failB' });
        expect(fault?.range?.start.line).toBe(fault?.trace.at(-1)?.step?.range.start.line);
    });

    test('a step that is said to be never taken is never taken', async () => {
        const { started, report } = await explore(`${TWINS}invariant alone = turn <= 1`, { reduction: 'unique' });
        expect(report.states).toBe(1);
        expect(started.startGroup?.order).toBe(1n);
        expect(started.unreached()).toEqual([]);
    });

    test('sizes of orbits count states that can be reached', async () => {
        // The turn stays with 0, since p and q are never both true, and the others rest or work.
        const text = `
model Stay
type Id = 0 .. 2
var turn: Id = 0 var busy: bool[Id] = false
process P[i: Id] {
    loop {
        choose { work: when turn != i { busy[i] := true } }
        or { rest: { busy[i] := false } }
        or { give: when p && q { turn := i } }
    }
}
var p: bool = false var q: bool = false
process Z { loop { q := p; p := !p } }
invariant idle = count(i in Id: busy[i]) < 1`;
        const { started, report } = await explore(text, { reduction: 'unique' });
        expect([started.group?.order, started.startGroup?.order]).toEqual([6n, 2n]);
        // Under S3 the first violation would stand for six states: the turn of each of three, and one of the two others busy.
        expect(report.violations.map(({ copies }) => copies)).toEqual([2n]);
        expect(started.exploration.statesPerOrbit()).toBeUndefined();
    });

    test('of many initial states those are left out that the start makes alike, and no others', async () => {
        // Init wants no last element: S7 of the steps, S6 with the start. States are sets.
        const text = `
model Marks
var m: bool[0 .. 6] = any
init !m[6]
process M { loop { choose j in 0 .. 6 where exists k in 0 .. 6: m[k] { m[j] := !m[j] } } }
allow deadlock`;
        const { started, report } = await explore(text, { reduction: 'unique', passes: [] });
        expect([started.group?.order, started.startGroup?.order]).toEqual([5040n, 720n]);
        // How many elements there are, 0 to 7; a set of all is one step away. Under S7 only that of none
        // would be a start, and lead nowhere.
        expect(report).toMatchObject({ states: 8, depth: 1 });
    });

    test('locals that have only some of their values at a location keep symmetries from being invented', async () => {
        // At \`first\` k is 0 in P[0] and 5 in P[1], so the step there is a constant in each; an exchange of processes and
        // of 1 and 2 would keep these constants, and not the steps.
        const text = `
model Constant
var x: 0 .. 2 = 0 var z: 0 .. 2 = 0
process P[i: 0 .. 1] {
    var k: 0 .. 5 = 5 * i
    loop {
        first: { x := if k < 3 then 1 else 2 };
        choose v in 0 .. 1 { second: { k := 5 * v } };
        third: when k == 0 { z := if i == 0 then 1 else 2 };
        fourth: { k := 5 * i }
    }
}`;
        const { constraints } = await symmetryOf(text);
        expect(constraints.occurring.formulas.length).toBeGreaterThan(0);
        await compareUneven(text, 5000, UNEVEN_WAYS[0]!);
    });

    test('a checkpoint of one start is none of another', async () => {
        const identity = async (start: number): Promise<string> =>
            (await explore(TWINS.replace('= 0\n', `= ${start}\n`), { reduction: 'unique' })).started.identity();
        expect(await identity(0)).not.toBe(await identity(1));
    });

    test('members of a property of runs are images of each other only if the start is kept', async () => {
        // TEMPORAL trap: the first process can go, the second never can.
        const text = `
model First
type I = 0 .. 1
var turn: I = 0
fair process P[i: I] { go: when turn == i; done: skip }
property some = forall i in I: eventually P[i] at done
allow deadlock`;
        const { report } = await explore(text, { reduction: 'unique' });
        expect(report.violations.map(({ name, loop }) => [name, loop?.member])).toEqual([['some', { i: 1 }]]);
        const ring = modelText('token-mutex').replace('= any ', '= 0 ');
        const { report: served } = await explore(ring, { reduction: 'unique' }, [['N', '5']]);
        expect(
            served.properties?.map(({ name, verdict, members, membersChecked, reduction }) => [
                name,
                verdict,
                members,
                membersChecked,
                [reduction.start, reduction.order, reduction.startOrder],
            ]),
        ).toEqual([
            ['circulates', 'holds', 5, 5, ['moved', '5', '1']],
            ['served', 'holds', 5, 5, ['moved', '5', '1']],
        ]);
        // 3N·2^(N-1) states up to rotations.
        expect(served.properties?.map(({ states }) => states)).toEqual([48, 48]);
    });
});
