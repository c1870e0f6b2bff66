/**
 * `orbit explore` on the models of the repository: counts, verdicts, exit codes, limits.
 * Where the counts come from: dining philosophers, Zhang et al., ASE 2013, Tables II and III; readers-writers, survey of
 * Wahl and Donaldson, 2010, Figure 10 (22 states, 15 orbits); semaphore, by hand: 2^N + N 2^(N-1) states and 2N + 1
 * orbits; token ring, 8^N states, and by Burnside's lemma (4096 + 8 + 64 + 8 + 0 + 8 + 64 + 8) / 8 = 532 orbits for N = 4;
 * Peterson, a separate program in another language that applies all N! permutations.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { type Outcome, type World, orbit } from './in-process.js';

/** `model` is the name of one in models/, or a text of several lines, which is then called `m`. */
async function explore(model: string, ...words: string[]): Promise<Outcome & { document: ExploreDocument }> {
    const file = model.includes('\n') ? 'm' : model;
    const files = { [file]: file === 'm' ? model : readFileSync(`models/${model}.orbit`) };
    const outcome = await orbit(['explore', file, '--json', ...words], { files });
    expect(outcome.stderr).toBe('');
    return { ...outcome, document: JSON.parse(outcome.stdout) as ExploreDocument };
}

describe('counts', () => {
    test.each([
        ['token-ring', 'N=4', 532, 4096],
        ['semaphore-mutex', 'N=10', 21, 6144],
        ['readers-writers', 'R=2', 15, 22],
        ['hanoi', 'N=3', 5, 27],
        ['peterson', 'N=4', 624, 11864],
    ])('%s with %s has %i orbits and %i states', async (model, parameter, orbits, states) => {
        const reduced = await explore(model, '--param', parameter, '--reduction', 'unique');
        expect(reduced.document).toMatchObject({ states: orbits, verdict: 'holds', reduction: { unique: true } });
        const full = await explore(model, '--param', parameter, '--reduction', 'none');
        expect(full.document).toMatchObject({ states, reduction: { group: '1', order: '1', unique: false } });
        const local = await explore(model, '--param', parameter, '--reduction', 'local');
        expect(local.document.states).toBeGreaterThanOrEqual(orbits);
        expect(local.document.states).toBeLessThanOrEqual(states);
        expect([reduced.exitCode, full.exitCode, local.exitCode]).toEqual([0, 0, 0]);
    });

    test('dining philosophers have one deadlock among 15489 orbits of 154450 states', async () => {
        const words = ['--param', 'N=10', '--continue'];
        for (const [reduction, states] of [
            ['unique', 15489],
            ['none', 154450],
        ] as const) {
            const { document, exitCode } = await explore('dining-philosophers', ...words, '--reduction', reduction);
            expect(exitCode).toBe(1);
            expect(document).toMatchObject({ verdict: 'violated', states, deadlocks: 1, workers: 1 });
            expect(document).not.toHaveProperty('limit');
            // Each philosopher has taken one fork: ten steps, none of them avoidable.
            expect(document.violations).toMatchObject([{ kind: 'deadlock', name: 'deadlock' }]);
            expect(document.violations[0]?.trace).toHaveLength(11);
        }
    });
});

test('the document has the fields that are promised', async () => {
    const { document } = await explore('dining-philosophers', '--param', 'N=3');
    expect(Object.keys(document)).toEqual([
        'schemaVersion',
        'model',
        'params',
        'verdict',
        'reduction',
        'passes',
        'checked',
        'states',
        'transitions',
        'depth',
        'deadlocks',
        'seconds',
        'statesPerSecond',
        'bytesPerState',
        'peakBytes',
        'workers',
        'violations',
    ]);
    const [violation] = document.violations;
    expect(violation).toMatchObject({
        location: { file: 'dining-philosophers', line: 9, column: 7, endLine: 9, endColumn: 25 },
    });
    expect(violation?.trace[0]).toMatchObject({ step: null, changed: [] });
    const second = violation?.trace[1];
    expect(second?.step).toMatchObject({
        process: expect.stringMatching(/^Phil\[\d\] & Fork\[\d\]$/) as string,
        label: expect.stringMatching(/^get\[\d, \d\]$/) as string,
        location: { file: 'dining-philosophers' },
    });
    expect(second?.changed).toHaveLength(2);
    expect(Object.keys(second?.state ?? {})).toEqual(expect.arrayContaining(second?.changed as string[]));
});

describe('what holds', () => {
    const TOKEN_RING = readFileSync('models/token-ring.orbit', 'utf8');

    test('is named, with all states and those explored', async () => {
        // 8^5 states; 3280 orbits by Burnside's lemma, see the test of the language server.
        const { document } = await explore('token-ring');
        expect(document).toMatchObject({ states: 3280, allStates: '32768', checked: [] });
        const { stdout } = await orbit(['explore', 'm'], { files: { m: TOKEN_RING } });
        expect(stdout).toContain('holds: no fault in all 32,768 states; 3,280 explored (10x)\n');
        // 3968 of them have no step: without symmetry that many are stored, and none is a violation.
        const all = await orbit(['explore', 'm', '--reduction', 'none'], { files: { m: TOKEN_RING } });
        expect(all.stdout).toMatch(/^ {2}states +32,768$/m);
        expect(all.stdout).toMatch(/^ {2}end states +3,968 \(deadlock is not checked\)$/m);
    });

    test.each(['peterson', 'leader-election-ring', 'three-tier', 'paxos-single', 'dekker'])(
        'of %s has as many states as are stored without symmetry',
        async name => {
            const [{ document: reduced }, { document: all }] = await Promise.all([
                explore(name, '--reduction', 'unique'),
                explore(name, '--reduction', 'none'),
            ]);
            expect(reduced.allStates).toBe(String(all.states));
            expect(all.allStates).toBeUndefined();
        },
    );

    test('has no sum where parts of orbits may not be reached, and where instances are created', async () => {
        expect((await explore('bounded-buffer')).document).toMatchObject({ reduction: { start: 'moved' } });
        expect((await explore('bounded-buffer')).document.allStates).toBeUndefined();
        expect((await explore('sessions')).document.allStates).toBeUndefined();
    });

    test('a limit says how far nothing was found', async () => {
        const counter =
            'model M var x: 0 .. 99 = 0 process P { loop { up: when x < 99 { x := x + 1 } } } allow deadlock';
        const { stdout } = await orbit(['explore', 'm', '--max-states', '20'], { files: { m: counter } });
        // States 0 to 19 are stored, 0 to 18 expanded at most.
        expect(stdout).toContain('undecided: the limit of 20 states was reached; nothing down to depth 17');
        // Each exploration has come to a depth of its own.
        const each = await orbit(['explore', 'm', '--each', '--max-states', '20'], { files: { m: counter } });
        expect(each.stdout).not.toContain('nothing down to');
    });
});

describe('violations', () => {
    const COUNTER = `model M
var x: 0 .. 3 = 0
process P { loop { up: { x := x + 1 } } }
invariant small = x < 2
`;

    test('a violated invariant names itself and its place, and ends with 1', async () => {
        const { document, exitCode } = await explore(COUNTER);
        expect(exitCode).toBe(1);
        expect(document.violations).toMatchObject([
            { kind: 'invariant', name: 'small', location: { line: 4, column: 11 } },
        ]);
        expect(document.violations[0]?.trace.map(entry => entry.state['x'])).toEqual([0, 1, 2]);
    });

    test('a value outside its type is a fault with the step that does it', async () => {
        const { document, exitCode } = await explore(COUNTER, '--continue');
        expect(exitCode).toBe(1);
        expect(document.violations.map(({ kind, name }) => [kind, name])).toEqual([
            ['invariant', 'small'],
            ['fault', 'range'],
        ]);
        expect(document.violations[1]).toMatchObject({ location: { line: 3 } });
        expect(document.violations[1]?.trace.at(-1)).toMatchObject({ fault: 'range', state: { x: 3 }, changed: [] });
    });

    test('an index that leaves its type while the model runs is a fault', async () => {
        const text = `model M
type T = 0 .. 2
var a: bool[T]
var i: 0 .. 5 = 0
process P { loop { step: { a[i] := true; i := i + 1 } } }
`;
        const { document, exitCode } = await explore(text);
        expect(exitCode).toBe(1);
        expect(document.violations).toMatchObject([{ kind: 'fault', name: 'index', location: { line: 5 } }]);
    });

    test('only the property that is asked for is checked', async () => {
        const model = `${COUNTER}invariant tiny = x < 1\n`;
        const { document } = await explore(model, '--property', 'tiny');
        expect(document.violations.map(({ name }) => name)).toEqual(['tiny']);
        expect((await orbit(['explore', 'm', '--property', 'huge'], { files: { m: model } })).exitCode).toBe(2);
    });

    test('the group is the one for what is checked', async () => {
        const first = 'invariant first = !(P[1] at leave)';
        const text = `${readFileSync('models/semaphore-mutex.orbit', 'utf8')}\n${first}\n`;
        const orderFor = async (...words: string[]) =>
            (await explore(text, '--param', 'N=4', '--continue', ...words)).document.reduction;
        // Who checks `mutex` may exchange all four processes, who checks `first` not the one that it names.
        expect(await orderFor('--property', 'mutex')).toMatchObject({ group: 'S4', order: '24' });
        expect(await orderFor('--property', 'first')).toMatchObject({ group: 'S3', order: '6' });
        expect(await orderFor()).toMatchObject({ group: 'S3', order: '6' });
    });

    test('so many violations are enough', async () => {
        const { document } = await explore(COUNTER, '--continue', '--max-violations', '1');
        expect(document.violations).toHaveLength(1);
    });

    test('the terminal shows the fault at its step', async () => {
        const { stdout } = await orbit(['explore', 'm', '--continue'], { files: { m: COUNTER } });
        expect(stdout).toContain('fault: a value is outside its type\n');
    });

    test('a trace can be written to a file, for people or for programs', async () => {
        const files = { m: COUNTER };
        const text = await orbit(['explore', 'm', '--trace', 'run.txt'], { files });
        expect(text.exitCode).toBe(1);
        expect(text.written.get('run.txt')).toMatch(/^invariant small after 2 steps/);
        const json = await orbit(['explore', 'm', '--trace', 'run.json'], { files });
        expect(JSON.parse(json.written.get('run.json') ?? '')).toMatchObject({ violations: [{ name: 'small' }] });
        expect((await orbit(['explore', 'm', '--trace', '/read-only/run'], { files })).exitCode).toBe(2);
    });

    test('the file for a trace is left alone where there is nothing to write', async () => {
        const { exitCode, written } = await orbit(['explore', 'm', '--trace', 'run'], { files: { m: 'process P {' } });
        expect([exitCode, written.size]).toEqual([2, 0]);
    });

    test.each([
        [['explore', '--trace', './m'], 'the call names it for something else, too'],
        [['explore', '--checkpoint', 'm'], 'the call names it for something else, too'],
        [['explore', '--checkpoint', 'c', '--trace', 'c'], 'the call names it for something else, too'],
        [['explore', '--trace', 'imported.orbit'], 'that is the name of a model'],
        [['export', '--to', 'dot', '--output', 'm'], 'the call names it for something else, too'],
        [['verify', '--output', 'm'], 'the call names it for something else, too'],
    ])('%j would cost a file that is needed', async ([command = '', ...options], why) => {
        const { exitCode, stderr, written, saved } = await orbit([command, 'm', ...options], { files: { m: COUNTER } });
        expect([exitCode, written.size, saved.size]).toEqual([2, 0, 0]);
        expect(stderr).toBe(`orbit: cannot write '${options.at(-1)}': ${why}\n`);
    });
});

describe('what ends an exploration early leaves it undecided', () => {
    test('a number of states', async () => {
        const { document, exitCode } = await explore('token-ring', '--max-states', '100');
        expect(exitCode).toBe(3);
        expect(document).toMatchObject({ verdict: 'undecided', states: 100, limit: { kind: 'states', value: 100 } });
    });

    test('memory', async () => {
        const { document, exitCode } = await explore(
            'token-ring',
            '--param',
            'N=8',
            '--reduction',
            'none',
            '--max-memory',
            '1M',
        );
        expect(exitCode).toBe(3);
        expect(document).toMatchObject({ verdict: 'undecided', limit: { kind: 'memory', value: 2 ** 20 } });
        expect(document.peakBytes).toBeLessThanOrEqual(2 ** 20);
    });

    test('half of the memory there is, where no limit is given', async () => {
        const files = { m: readFileSync('models/token-ring.orbit') };
        const words = ['explore', 'm', '--param', 'N=8', '--reduction', 'none'];
        const outcome = await orbit(words, { files, memoryBytes: 2 ** 21 });
        expect(outcome.exitCode).toBe(3);
        expect(outcome.stdout).toContain('undecided: the limit of 1.0 MB of memory was reached');
    });

    test('time, in seconds', async () => {
        // It has 8^20 states; nothing else ends its exploration.
        const words = ['--param', 'N=20', '--reduction', 'none', '--timeout', '0.5'];
        const { document, exitCode } = await explore('token-ring', ...words);
        expect(exitCode).toBe(3);
        expect(document).toMatchObject({ verdict: 'undecided', limit: { kind: 'time', value: 0.5 } });
    });

    test('but a violation found before is an answer', async () => {
        const { document, exitCode } = await explore(
            'dining-philosophers',
            ...['--param', 'N=6', '--reduction', 'none', '--continue', '--max-states', '800'],
        );
        expect(exitCode).toBe(1);
        expect(document).toMatchObject({ verdict: 'violated', limit: { kind: 'states' } });
    });

    test('Ctrl+C, which shows what was reached', async () => {
        const files = { m: readFileSync('models/token-ring.orbit') };
        const words = ['explore', 'm', '--param', 'N=20', '--reduction', 'none'];
        const world: World = { files, interruptAfterTurns: 3 };
        const outcome = await orbit([...words, '--json'], world);
        expect(outcome.exitCode).toBe(130);
        const document = JSON.parse(outcome.stdout) as ExploreDocument;
        expect(document).toMatchObject({ verdict: 'undecided', limit: { kind: 'interrupted' } });
        expect(document.states).toBeGreaterThan(0);
        expect((await orbit(words, world)).stdout).toContain('undecided: interrupted');
    });
});

describe('errors of the model are no exploration', () => {
    test('as one document', async () => {
        const outcome = await orbit(['explore', 'm', '--json'], { files: { m: 'model M\nvar x: 0 .. 1 = 2\n' } });
        expect(outcome.exitCode).toBe(2);
        expect(Object.keys(JSON.parse(outcome.stdout) as object)).toEqual(['schemaVersion', 'problems']);
    });

    test('a model without an initial state', async () => {
        const text = 'model M\nvar a: 0 .. 3 = any\nvar b: 0 .. 2 = a + 2\nprocess P { loop { b := 1 } }\n';
        const outcome = await orbit(['explore', 'm'], { files: { m: text } });
        expect(outcome.exitCode).toBe(2);
        expect(outcome.stderr).toMatch(/^m:3:\d+: error: /m);
        expect(outcome.stdout).toBe('');
    });
});

describe('progress', () => {
    const words = ['explore', 'm', '--param', 'N=20', '--reduction', 'none'];
    const files = { m: readFileSync('models/token-ring.orbit') };

    test('is shown on a terminal and taken away again', async () => {
        const { stderr } = await orbit(words, { files, isTerminal: true, interruptAfterTurns: 30 });
        expect(stderr).toContain('states/s');
        expect(stderr.endsWith('\u001b[1G\u001b[K')).toBe(true);
    });

    test('is not shown elsewhere, nor where it is not wanted', async () => {
        expect((await orbit(words, { files, interruptAfterTurns: 30 })).stderr).toBe('');
        const quiet = await orbit([...words, '--quiet'], { files, isTerminal: true, interruptAfterTurns: 30 });
        expect(quiet.stderr).toBe('');
    });
});

test('there are as many threads as processors, but no more than eight that nobody has asked for', async () => {
    const files = { m: 'model M\nvar x: bool = any\nallow deadlock' };
    const threadsOn = async (processorCount: number, ...words: string[]): Promise<number | undefined> =>
        (await orbit(['explore', 'm', ...words], { files, processorCount })).threadCount;
    expect(await threadsOn(4)).toBe(4);
    expect(await threadsOn(96)).toBe(8);
    expect(await threadsOn(2, '--workers', '20')).toBe(20);
});

test('a short answer is one line', async () => {
    const { stdout } = await orbit(['explore', 'm', '--quiet'], { files: { m: readFileSync('models/hanoi.orbit') } });
    // All discs on one peg, with 2 moves; and four ways to share three discs between pegs, up to names, with 3 each.
    expect(stdout).toMatch(/^holds · 5 states · 14 transitions · [\d.]+ m?s\n$/);
    const one = await orbit(['explore', 'm', '--quiet'], {
        files: { m: 'model One\nvar on: bool = false\nprocess P { when on { on := true } }\n' },
    });
    expect(one.stdout).toMatch(/^violated: deadlock · 1 state · 0 transitions · /);
});
