/** Properties of runs over values without end, and such values beside numbers: as by definition, and by hand. */
// @module-tag long
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../cases.js';
import { WAYS } from '../dynamic/agreement.js';
import { explored } from '../dynamic/explored.js';
import { compareBesideNumbers, type BesideNumbers } from './beside-numbers.js';
import { compareRuns, type RunsComparison } from './runs.js';

const MODELS = cases(400, 10);
const CLASS_LIMIT = 150;

test('random properties of runs over values without end', { timeout: 600_000 }, async () => {
    const counts = new Map<RunsComparison, number>();
    for (let index = 0; index < MODELS; index++) {
        const seed = (fc.readConfigureGlobal().seed ?? 0) + index;
        const result = await compareRuns(seed, CLASS_LIMIT, WAYS[index % WAYS.length]!);
        counts.set(result, (counts.get(result) ?? 0) + 1);
    }
    for (const kind of ['holds', 'violated by a loop', 'violated by an end'] as const) {
        expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(MODELS / 50);
    }
    expect(counts.get('skipped') ?? 0).toBeLessThan(MODELS / 2);
});

test('random models with values and numbers without end', { timeout: 600_000 }, async () => {
    const counts = new Map<BesideNumbers, number>();
    for (let index = 0; index < MODELS / 2; index++) {
        const seed = (fc.readConfigureGlobal().seed ?? 0) + index;
        const result = await compareBesideNumbers(seed, 20 * CLASS_LIMIT, WAYS[index % WAYS.length]!);
        counts.set(result, (counts.get(result) ?? 0) + 1);
    }
    for (const kind of ['holds', 'violated'] as const) {
        expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(MODELS / 50);
    }
});

describe.each(['none', 'auto'] as const)('with reduction %s', reduction => {
    const verdicts = async (text: string, options = {}): Promise<Readonly<Record<string, string>>> => {
        const report = await explored(text, { reduction, ...options });
        return Object.fromEntries((report.properties ?? []).map(({ name, verdict }) => [name, verdict]));
    };

    test('a new value in each round', async () => {
        const text = `
            enum V = { .. }
            var x: V? = none
            var old: V? = none
            process P { loop { go: { old := x; x := new V } } }
            property same = infinitely often x == old
            property differ = eventually always (x != old && x != none)`;
        const { properties, violations } = await explored(text, { reduction });
        expect(properties?.map(({ verdict }) => verdict)).toEqual(['violated', 'holds']);
        // Values without end are numbered along the run: there is another one in each state of the loop.
        const [{ trace, loop }] = violations as [(typeof violations)[0]];
        expect(new Set(trace.slice(loop!.start).map(({ state }) => state['x'])).size).toBe(trace.length - loop!.start);
    });

    test('a loop that exchanges two values shows what is true of each', async () => {
        const text = `
            enum V = { .. }
            var a: V? = none
            var b: V? = none
            var c: V? = none
            process P {
                begin: { a := new V; b := new V; c := a }
                loop { swap: { let t = a; a := b; b := t } }
            }
            property first = eventually always c == a
            property both = infinitely often c == a
            property second = infinitely often c == b
            property one = always (a != none implies (c == a || c == b))`;
        expect(await verdicts(text)).toMatchObject({ first: 'violated', both: 'holds', second: 'holds' });
    });

    test('slots grow for a property that is asked alone', async () => {
        // No walk comes to the steps that need values.
        const text = `
            enum V = { .. }
            var q: seq 9 of V = []
            var n: 0 .. 30 = 0
            process P { loop { choose { tick: when n < 30 { n := n + 1 } }
                or { reset: when n > 0 && n < 30 && len(q) == 0 { n := 0 } }
                or { put: when n == 30 && len(q) < 9 { var x: V? = none x := new V; q := append(q, x) } }
                or { again: when len(q) == 9 { q := []; n := 0 } } } }
            property full = len(q) == 8 leads to len(q) == 9`;
        const report = await explored(text, { reduction, properties: ['full'] });
        expect(report).toMatchObject({ verdict: 'holds', names: [{ mostNamed: 9 }] });
        const few = await explored(text, { reduction, properties: ['full'], maxNames: 4 });
        expect(few).toMatchObject({ verdict: 'undecided', limit: { kind: 'names', value: 4, template: 'V' } });
    });

    test('fairness of a step is that of all of its choices', async () => {
        const text = (fair: string): string => `
            enum V = { .. }
            var x: V? = none
            var y: V? = none
            process P { loop { choose v in V { ${fair} take: when v != y { x := v } } or { rest: y := x } } }
            property changes = infinitely often x != y`;
        expect(await verdicts(text(''))).toEqual({ changes: 'violated' });
        expect(await verdicts(text('fair'))).toEqual({ changes: 'holds' });
    });

    test('control is at a label behind a choice', async () => {
        const text = `
            enum V = { .. }
            var a: V? = none
            process P { loop { go: skip;
                choose v in V, w in V { f: when v != a { a := w } } } }
            property comes = infinitely often P at f
            property stays = eventually always !(P at f)
            invariant never = !(P at f)`;
        expect(await verdicts(text)).toEqual({ comes: 'holds', stays: 'violated' });
        expect(await explored(text, { reduction, properties: ['never'] })).toMatchObject({ verdict: 'violated' });
        const end = text.replace('f: when v != a', 'end f: when v == a').replace(/property[^]*/, '');
        expect(await explored(end, { reduction })).toMatchObject({ verdict: 'holds' });
    });

    test('beside numbers that move, values are new for ever', async () => {
        const text = `
            enum V = { .. }
            var n: nat = 0
            var m: nat = 0
            var x: V? = none
            var y: V? = none
            process P { loop { a: { x := new V; n := n + 1 } b: { y := x; m := n } } }
            property value = eventually always x != y
            property number = eventually always n != m
            property both = infinitely often (x == y && n == m)`;
        expect(await verdicts(text)).toEqual({ value: 'violated', number: 'violated', both: 'holds' });
    });
});
