/** Properties of runs of models with numbers without end: by hand, and random models beside the same ones with a bound. */
import { expect, test } from 'vitest';
import { formatMoved } from '../../engine/describe/number-words.js';
import { compareRuns, numberRunsModel } from './compare-runs.js';
import { explored, isExact } from './explored.js';
import { inStep, ROWS } from './texts.js';

const TICKET = `
    type Proc = 1 .. 3
    var next: nat = 0
    var serving: nat = 0
    process P[i: Proc] {
        var mine: nat
        loop {
            choose { rest: skip } or { draw: { mine := next; next := next + 1 }
            enter: when mine == serving;
            leave: serving := serving + 1 }
        }
    }
    property served = forall i in Proc: P[i] at enter leads to P[i] at leave`;

test.each(['none', 'unique', 'auto'] as const)('who has a ticket is served, if all go on: %s', async reduction => {
    const fair = await explored(TICKET.replace('process', 'fair process'), { reduction });
    expect([fair.verdict, isExact(fair)]).toEqual(['holds', true]);
    const { verdict, violations } = await explored(TICKET, { reduction });
    // One has a ticket and does no more, while others rest for ever.
    expect([verdict, violations[0]?.kind]).toEqual(['violated', 'property']);
});

test('a loop says how far numbers have moved, and need not move all of them', async () => {
    // What is compared is a distance of at most 5, which x leaves for ever while y rests.
    const { verdict, violations } = await explored(`
        var x: nat = 0
        var y: nat = 0
        process P { loop { up: x := x + 1 } }
        property near = eventually always x <= y + 5`);
    expect(verdict).toBe('violated');
    const { trace, loop } = violations[0]!;
    expect([trace.length - 1, loop?.start]).toEqual([7, 6]);
    expect(formatMoved({ trace, loopStart: loop!.start })).toBe('x + 1');
});

/** Two pairs of numbers move in step, so that z == a implies y == c; the classes do not know it. */
test.each([
    [
        'a loop behind steps that are not exact',
        'if y == c { loop { good: skip } } loop { bad: skip }',
        'eventually always !(P at bad)',
    ],
    ['what is possible', 'look: skip', 'always !(possible (P at look && y != c))'],
])('%s is not told as a violation if no real run has it', async (_, end, property) => {
    for (const reduction of ['none', 'unique'] as const) {
        const { verdict, limit, violations } = await explored(`${inStep(end)} property told = ${property}`, {
            reduction,
            properties: ['told'],
        });
        expect([verdict, violations.length]).toEqual(['undecided', 0]);
        expect(['notReal', 'distances']).toContain(limit?.kind);
    }
});

test.each([
    [100, 'undecided'],
    [3, 'holds'],
])('a loop that ends after %d rounds is not told', async (first, expected) => {
    const text = `
        var a: nat = ${first}
        var z: nat = 0
        fair process P { loop { up: when z < a { z := z + 1 } } }
        property ends = eventually z == a
        allow deadlock`;
    // In the stored states the first round ends where it begins: one step nearer is as far.
    const { verdict, violations } = await explored(text, { properties: ['ends'] });
    expect([verdict, violations.length]).toEqual([expected, 0]);
});

test('a loop whose steps are not exact is real where the numbers are the same again', async () => {
    const bakery = ROWS.find(({ name, parameters }) => name === 'bakery' && parameters?.['N'] === 2)!.text;
    const property = 'property served = forall i in Proc: P[i] at come leads to P[i] at leave';
    const alone = await explored(`${bakery}\n${property}`, { properties: ['served'] }, { N: 2 });
    // One stands at its first step while the other one goes round.
    expect(alone.verdict).toBe('violated');
    const fair = await explored(
        `${bakery.replace('process P', 'fair process P')}\n${property}`,
        { properties: ['served'] },
        { N: 2 },
    );
    expect(fair.verdict).toBe('holds');
});

test.each([
    ['a step of its own that adds', 'x := x + 2', 'infinitely often x == y'],
    ['a loop behind a loop', 'x := x + 1', 'eventually always x == y'],
])('where the first loop found is not real, another one is: %s', async (_, step, formula) => {
    const text = `
        var x: nat = 7
        var y: nat
        process P { loop { choose { up: when y < x { y := y + 1 } } or { on: ${step} } } }
        property p = ${formula}`;
    const { properties, violations } = await explored(text);
    expect(properties).toMatchObject([{ verdict: 'violated' }]);
    expect(violations[0]?.loop?.rechecked).toBeUndefined();
});

test('a run that is followed says how far its own search looks', async () => {
    const { numbers } = await explored(
        `var x: nat = 0 process P { loop { up: x := x + 1 } } run far = x == 7 then P takes up`,
        { properties: ['far'], ignoresFaults: true },
    );
    // The text without the run keeps distances up to 1 of no number.
    expect(numbers?.map(({ kept, told, mostDifferent }) => [kept, told, mostDifferent])).toEqual([[8, true, 2]]);
});

test('the same models with a bound and a constraint have no other verdict, and loops go on for ever', async () => {
    const results: string[] = [];
    for (let seed = 0; seed < 24; seed++) {
        results.push(...(await compareRuns(numberRunsModel(seed))));
    }
    expect(new Set(results)).toEqual(new Set(['violated, near violated', 'holds, near holds', 'violated, near holds']));
});
