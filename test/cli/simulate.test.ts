/** `orbit simulate`: walks that are runs of the model, end where they must, and are the same for the same seed. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SimulateDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

async function walk(text: string, ...words: string[]): Promise<SimulateDocument & { readonly exitCode: number }> {
    const { stdout, stderr, exitCode } = await orbit(['simulate', 'm', '--json', ...words], { files: { m: text } });
    expect(stderr).toBe('');
    return { ...(JSON.parse(stdout) as SimulateDocument), exitCode };
}

const peterson = readFileSync('models/peterson.orbit', 'utf8');
const tokenRing = readFileSync('models/token-ring.orbit', 'utf8');

test('the same seed gives the same walk, and seeds give different ones', async () => {
    const seeds = ['1', '1', '2', '3'];
    const walks = await Promise.all(seeds.map(seed => walk(peterson, '--seed', seed, '--steps', '40')));
    const [first, again, ...others] = walks.map(({ trace }) => JSON.stringify(trace));
    expect(first).toBe(again);
    expect(new Set([first, ...others]).size).toBe(3);
    expect(walks[0]).toMatchObject({ model: 'Peterson', seed: 1, end: 'steps', exitCode: 0 });
    expect(walks[0]?.trace).toHaveLength(41);
});

test('a walk that the time is too short for is undecided', async () => {
    // More birds than holes, so there is no initial state; to see that takes far longer than anybody waits.
    const text = `type Hole = 1 .. 13
type Bird = 0 .. 13
var hole: Hole[Bird] = any
init forall a in Bird, b in Bird: a == b || hole[a] != hole[b]
process P { hole[0] := 1 }`;
    const outcome = await orbit(['simulate', 'm', '--timeout', '0.5', '--json'], {
        files: { m: text },
        endsWorkInTime: true,
    });
    expect(outcome.exitCode).toBe(3);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ problems: [{ code: 'limit/time' }] });
});

const TWO_OF_ONE_NAME = `var x: 0 .. 1 = 0
process P {
    loop {
        choose {
            var seen: 0 .. 1 = x
            first: when seen == x { x := 1 - seen }
            x := seen
        } or {
            var seen: 0 .. 1 = 1 - x
            second: when seen != x { x := seen }
            x := seen
        }
    }
}`;

test.each([
    ['of Peterson', peterson, ['--param', 'N=3']],
    ['of two locals with one name', TWO_OF_ONE_NAME, []],
])('a step %s changes what the entry says, once, and nothing else', async (_, text, parameters) => {
    const { trace } = await walk(text, ...parameters, '--steps', '200');
    expect(trace[0]).toMatchObject({ step: null, changed: [] });
    trace.slice(1).forEach(({ state, changed }, index) => {
        const before = trace[index]?.state ?? {};
        const names = Object.keys({ ...before, ...state });
        expect(names.filter(name => before[name] !== state[name]).sort()).toEqual([...changed].sort());
    });
});

test('a variable may have any name', async () => {
    const { trace } = await walk('var __proto__: 0 .. 1 = 0\nprocess P { set: __proto__ := 1 }', '--steps', '1');
    expect(trace.map(({ state, changed }) => [Object.entries(state)[0], changed[0]])).toEqual([
        [['__proto__', 0], undefined],
        [['__proto__', 1], '__proto__'],
    ]);
});

test('where there are several initial states, walks begin in different ones', async () => {
    const walks = await Promise.all(
        Array.from({ length: 8 }, (_, seed) => walk(tokenRing, '--seed', String(seed), '--steps', '1')),
    );
    expect(new Set(walks.map(({ trace }) => JSON.stringify(trace[0]))).size).toBeGreaterThan(3);
});

const model = (body: string, ...more: string[]): string => ['model M', 'var x: 0 .. 3 = 0', body, ...more].join('\n');
const counter = 'process P { loop { up: when x < 3 { x := x + 1 } } }';

test('a walk ends at an invariant that does not hold', async () => {
    const text = model(counter, 'invariant low = x < 2');
    expect(await walk(text)).toMatchObject({
        end: 'violated',
        exitCode: 1,
        violation: { kind: 'invariant', name: 'low', location: { file: 'm', line: 4 } },
        trace: [{ state: { x: 0 } }, { state: { x: 1 } }, { state: { x: 2 } }],
    });
});

test('a walk ends at a deadlock, which is a violation unless the model allows it', async () => {
    const violated = await walk(model(counter));
    expect(violated).toMatchObject({ end: 'violated', exitCode: 1, violation: { kind: 'deadlock' } });
    expect(violated.trace).toHaveLength(4);
    const allowed = await walk(model(counter, 'allow deadlock'));
    expect(allowed).toMatchObject({ end: 'deadlock', exitCode: 0 });
    expect(allowed.violation).toBeUndefined();
});

test('a violation that the text expects ends a walk, and is no failure', async () => {
    const meant = model(counter, 'invariant low = x < 2', 'expect violated low');
    expect(await walk(meant)).toMatchObject({
        end: 'violated',
        exitCode: 0,
        violation: { name: 'low', expected: true },
        trace: [{}, {}, {}],
    });
    const faulty = 'process P { loop { up: { x := x + 1 } } }';
    expect((await walk(model(faulty, 'expect violated faults'))).exitCode).toBe(0);
    expect((await walk(model(counter, 'expect violated deadlock'))).exitCode).toBe(0);
    // Where the condition is false it is as any other.
    expect(await walk(model(counter, 'expect violated deadlock when false'))).toMatchObject({ exitCode: 1 });
    expect((await orbit(['simulate', 'm', '--quiet'], { files: { m: meant } })).stdout).toBe(
        'violated, as expected: invariant low after 2 steps (seed 1)\n',
    );
});

test('a walk ends when every process has terminated', async () => {
    const ended = await walk(model('process P { step: { x := 1 } }'));
    expect(ended).toMatchObject({ end: 'terminated', exitCode: 0, trace: [{}, { changed: ['x', 'P.at'] }] });
});

test('a walk ends with a step that is a fault', async () => {
    const faulty = await walk(model('process P { loop { up: { x := x + 1 } } }'));
    expect(faulty).toMatchObject({ end: 'violated', exitCode: 1, violation: { kind: 'fault', name: 'range' } });
    expect(faulty.trace).toHaveLength(5);
    expect(faulty.trace[4]).toMatchObject({ fault: 'range', state: { x: 3 }, changed: [] });
});

test('it prints like a trace', async () => {
    const files = { m: model(counter, 'invariant low = x < 2') };
    expect(await orbit(['simulate', 'm', '--seed', '7'], { files })).toMatchObject({
        exitCode: 1,
        stderr: '',
        stdout: [
            'M',
            'violated: invariant low after 2 steps m:4:11 (seed 7)',
            '',
            '  0  initial state',
            '     x = 0',
            '  1  P up  line 3',
            '     x: 0 → 1',
            '  2  P up  line 3',
            '     x: 1 → 2',
            '',
        ].join('\n'),
    });
    expect((await orbit(['simulate', 'm', '--quiet'], { files })).stdout).toBe(
        'violated: invariant low after 2 steps (seed 1)\n',
    );
});

test('a model without an initial state is a problem of the model', async () => {
    const text = 'model M\nvar x: 0 .. 3 = 3\nvar y: 0 .. 3 = x + 1\nprocess P { loop { s: { x := 0 } } }';
    const outcome = await orbit(['simulate', 'm'], { files: { m: text } });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('the initial value `4` of');
});

test('a walk says which properties it says nothing about, and a name that is violated twice stands once', async () => {
    const m =
        'var x: 0 .. 9 = 0\nprocess P { loop { choose k in 0 .. 2 { add: x := min(9, x + k) } } }\n' +
        'invariant few = x < 4\nproperty full = eventually x == 9';
    const walked = await orbit(['simulate', 'm'], { files: { m } });
    expect(walked.stdout).toContain('not checked on a walk: full;');
    const all = ['explore', 'm', '--property', 'few', '--max-violations', '5'];
    // 4 to 8 are reached, each by a violation of its own.
    expect((await orbit(all, { files: { m } })).stdout).toContain('violated: invariant few (5 times)\n');
});
