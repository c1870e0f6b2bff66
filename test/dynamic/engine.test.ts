/** The engine on models whose instances are created: the known numbers of classes and transitions, and the traps. */
// @module-tag long
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drawsAll } from '../cases.js';
import { explored, exploredWithSlots } from './explored.js';
import { forkJoin, requests, sessions, siblings, supervisor, tokenRing } from './texts.js';
import { TRAPS } from './traps.js';

/* From the page that the language was designed from; reference.test.ts finds most of them again. */
const NUMBERS: readonly (readonly [name: string, text: string, counts: string])[] = [
    ['sessions 1-1', sessions(1, 1), '5/5'],
    ['sessions 2-1', sessions(2, 1), '15/30'],
    ['sessions 3-1', sessions(3, 1), '35/105'],
    ['sessions 1-2', sessions(1, 2), '15/29'],
    ['sessions 2-2', sessions(2, 2), '120/464'],
    ['sessions 1-3', sessions(1, 3), '35/99'],
    ['sessions 3-2', sessions(3, 2), '680/3944'],
    ['siblings, after, 1-2', siblings(1, 2, ['after']), '41/81'],
    ['siblings, after, 1-3', siblings(1, 3, ['after']), '299/887'],
    ['siblings, after, 2-2', siblings(2, 2, ['after']), '861/3402'],
    ['siblings, elder, 1-2', siblings(1, 2, ['elder']), '21/41'],
    ['siblings, both, 1-3', siblings(1, 3, ['after', 'elder']), '329/977'],
    ['supervisor 1', supervisor(1), '72/205'],
    ['supervisor 2', supervisor(2), '227/900'],
    ['token ring 2', tokenRing(2), '7/14'],
    ['token ring 3', tokenRing(3), '15/34'],
    ['token ring 4', tokenRing(4), '31/74'],
    ['fork and join 1', forkJoin(1), '11/12'],
    ['fork and join 2', forkJoin(2), '95/204'],
    ['requests 1', requests(1), '35/64'],
    ['requests 2', requests(2), '98/261'],
    ['requests 3', requests(3), '210/719'],
    ['requests 4', requests(4), '385/1595'],
];

/** By system, the most instances of a template at once, and the most that are named at once: those of the reference. */
const MOST: Readonly<Record<string, readonly [template: string, mostLive: number, mostNamed: number]>> = {
    'supervisor 1': ['Actor', 1, 3],
    'supervisor 2': ['Actor', 2, 4],
    'fork and join 2': ['Task', 7, 7],
};

test.each(NUMBERS)('%s', async (name, text, counts) => {
    const report = await explored(text);
    expect(`${report.states}/${report.transitions} ${report.verdict}`).toBe(`${counts} holds`);
    expect(report.reduction?.unique).toBe(true);
    if (name in MOST) {
        const usage = report.templates?.map(template => [template.name, template.mostLive, template.mostNamed]);
        expect(usage).toEqual([MOST[name]]);
    }
});

/* The number of models/README.md. */
test('work that is stolen', async () => {
    const text = readFileSync('models/work-stealing.orbit', 'utf8');
    expect(await explored(text, {}, { N: 3, D: 2 })).toMatchObject({ states: 25, verdict: 'holds', deadlocks: 0 });
});

describe.each(TRAPS.map(trap => [trap.name, trap] as const))('%s', (_, { text, classes, deadlocks, mostLive }) => {
    test.each([true, false])('interpreted: %s', async isInterpreted => {
        const report = await explored(text, { isInterpreted });
        expect(report).toMatchObject({ states: classes, deadlocks });
        expect(report.limit).toBeUndefined();
        expect(report.violations.filter(({ kind }) => kind !== 'deadlock')).toEqual([]);
        if (mostLive !== undefined) {
            const found = report.templates?.map(template => [template.name, template.mostLive]) ?? [];
            expect(Object.fromEntries(found)).toEqual(mostLive);
        }
    });
});

test.each([
    ['sessions', sessions(1, 2)],
    ['supervisor', supervisor(1)],
    ['token ring', tokenRing(2)],
    ['requests', requests(2)],
])('%s has the same classes with more slots than it needs', async (_, text) => {
    const { states, transitions, templates = [] } = await explored(text);
    const enough = Math.max(...templates.map(({ slots }) => slots));
    for (const slots of drawsAll ? [enough, enough + 1, 2 * enough] : [enough + 1]) {
        const report = await exploredWithSlots(text, slots);
        expect(`${report.states}/${report.transitions} ${report.verdict}`).toBe(`${states}/${transitions} holds`);
    }
});

describe('an endless spawner', () => {
    const text = `
process Source { loop { create: spawn Worker() } }
process Worker() { loop { work: skip } }`;

    test.each([1, 2, 3, 5, 8])('is undecided with at most %i instances, with a run', async maxInstances => {
        const { verdict, limit, templates, growthRounds } = await explored(text, { maxInstances });
        expect(verdict).toBe('undecided');
        expect(limit).toMatchObject({ kind: 'instances', value: maxInstances, template: 'Worker' });
        // One creation more than there is room for.
        const created = limit?.trace?.filter(({ step }) => step?.label === 'create');
        expect(created).toHaveLength(maxInstances + 1);
        expect(limit?.trace?.at(-1)).toMatchObject({ fault: 'slots' });
        expect(templates).toMatchObject([{ slots: maxInstances }]);
        expect(growthRounds).toBeGreaterThanOrEqual(1);
    });

    test('is undecided under every other limit', async () => {
        for (const isInterpreted of [true, false]) {
            const report = await explored(text, { maxStates: 5, isInterpreted });
            expect(report).toMatchObject({ verdict: 'undecided', limit: { kind: 'states', value: 5 } });
        }
    });
});

// Each step creates three, and none of the 18 takes a step.
test.each(['none', 'auto'] as const)(
    'of as many instances as live, however many ways there are to choose them, reduction %s',
    { tags: 'thorough', timeout: 120_000 },
    async reduction => {
        const text = `process Main { for i in 1 .. 6 { make: { spawn W(); spawn W(); spawn W() } } }
            process W() { loop { end stay: when false } }`;
        const { verdict, states, transitions, templates } = await explored(text, { reduction });
        expect([verdict, states, transitions, templates?.[0]?.mostLive]).toEqual(['holds', 7, 6, 18]);
    },
);

// The steps of both, and the one that is the fault.
test.each([2, 3, 5])(
    'a fault at the channel of an instance that has ended is one firing, with %i slots',
    async slots => {
        const text = `var w: W? = none
        channel m[W]: 1 of bool
        process Main { make: w := spawn W(); use: when !alive(w) m[w] ! true }
        process W() { stop: skip }
        allow deadlock`;
        for (const reduction of ['none', 'auto'] as const) {
            const report = await exploredWithSlots(text, slots, { reduction, continueAfterViolation: true });
            expect([report.states, report.transitions]).toEqual([3, 3]);
        }
    },
);

test('a fault in the index of a channel is one firing, however many channels there are', async () => {
    const text = `var x: 0 .. 2 = 0
        channel c[0 .. 3, 0 .. 3]: 1 of bool
        process P { go: c[1 div x, if x > 0 && 2 mod x == 1 then 0 else 1] ! true; }`;
    const report = await explored(text, { continueAfterViolation: true });
    expect([report.states, report.transitions]).toEqual([1, 1]);
});
