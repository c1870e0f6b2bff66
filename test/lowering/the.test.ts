/** `the(x in T where c: e)`: one value, or a fault; and all members of equal standing. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { startExploration } from '../../engine/pipeline.js';
import { analysisOf, symmetryOf } from '../model-of-text.js';
import { loadModel } from '../../language-server/load-model.js';

/** Each process holds a number or none; what the holders have in common is copied. */
const COMMON = (where: string) => `type Proc = 0 .. 2
    enum Color = { red, blue }
    var held: Color?[Proc] = none
    var common: Color = any
    process P[i: Proc] {
        loop {
            choose c in Color { hold: held[i] := c } or { drop: held[i] := none }
            or { copy: when ${where} { common := the(p in Proc where held[p] != none: held[p]) } }
        }
    }`;

const SAME =
    '(exists p in Proc: held[p] != none) && (forall p, q in Proc: held[p] == none || held[q] == none || held[p] == held[q])';

test.each([
    ['interpreted', true],
    ['compiled', false],
])('it is the value that all have, %s', async (_, isInterpreted) => {
    const explored = async (where: string) => {
        const started = startExploration(
            await analysisOf(COMMON(where)),
            { reduction: 'none', isInterpreted },
            UNLIMITED,
        );
        started.exploration.advance(UNLIMITED);
        const { report } = started.exploration.result();
        const [violation] = report?.violations ?? [];
        const reason = violation && started.reasonOf(violation, () => undefined)[0]?.text.replace(/^.*: /, '');
        return { verdict: report?.verdict, states: report?.states, fault: violation?.name, reason };
    };
    // By hand: a color or none for each process, and two colors in common.
    expect(await explored(SAME)).toMatchObject({ verdict: 'holds', states: 27 * 2 });
    const some = await explored('exists p in Proc: held[p] != none');
    expect(some).toMatchObject({ fault: 'undefined', reason: 'both red and blue' });
    const none = await explored('forall p, q in Proc: held[p] == none || held[q] == none || held[p] == held[q]');
    expect(none).toMatchObject({ fault: 'undefined', reason: 'there is no such value' });
});

test('it keeps the exchange of members and of values', async () => {
    // Three processes, and two colors.
    expect((await symmetryOf(COMMON(SAME))).report.order).toBe('12');
});

test('the least of many cells keeps the exchange of their indices', async () => {
    const text = `type Node = 1 .. 3
        var counter: 0 .. 4[Node, Node] = 0
        process P[n: Node] {
            loop {
                choose { up: when counter[n, n] < min(4, min(i, j in Node: counter[i, j]) + 3) { counter[n, n] := counter[n, n] + 1 } }
                or o in Node { tell: { for i in Node { counter[o, i] := max(counter[o, i], counter[n, i]) } } }
            }
        }`;
    expect((await symmetryOf(text)).report.structure).toBe('S3');
});

test('of what is known before a run it is a constant or an error', async () => {
    const problemsOf = async (constant: string) => {
        const { problems } = await loadModel(`${constant}\nprocess P { skip }`, 'file:///model.orbit');
        return problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
    };
    expect(await problemsOf('const k: 3 .. 3 = the(i in 0 .. 9 where i * i == 9: i)')).toEqual([]);
    expect(await problemsOf('const k = the(i in 0 .. 9 where i > 9: i)')).toEqual(['type/undefined']);
    expect(await problemsOf('const k = the(i in 0 .. 9: i)')).toEqual(['type/undefined']);
    expect(await problemsOf('var o: 0 .. 1?\ninvariant i = the(x in 0 .. 1: o) == 0')).toEqual(['type/may-be-none']);
});
