/** `orbit simulate --script`: the walk is what the script says, or the script is told at which line it is wrong. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ExploreDocument, ProblemsDocument, SimulateDocument } from '../../language-server/document-schema.js';
import { orbit, type Outcome } from './in-process.js';

async function run(model: string, script: string, ...words: string[]): Promise<Outcome> {
    return orbit(['simulate', 'm', '--script', 's', ...words], { files: { m: model, s: script } });
}

async function walk(model: string, script: string): Promise<SimulateDocument> {
    const { stdout, stderr } = await run(model, script, '--json');
    expect(stderr).toBe('');
    return JSON.parse(stdout) as SimulateDocument;
}

async function problemOf(model: string, script: string): Promise<ProblemsDocument['problems'][number]> {
    const { stdout, stderr, exitCode } = await run(model, script, '--json');
    expect([exitCode, stderr]).toEqual([2, '']);
    const { problems } = JSON.parse(stdout) as ProblemsDocument;
    expect(problems).toHaveLength(1);
    return problems[0]!;
}

const dining = readFileSync('models/dining-philosophers.orbit', 'utf8');

const DRAWS = `
model Draws
type Id = 1 .. 2
var x: 0 .. 3 in { 1, 2 }
var held: 0 .. 9[Id] = 0
process P[i: Id] {
    loop {
        choose v in 0 .. 3 { draw: { x := v; held[i] := v } }
        check: when x != 3
    }
}
invariant small = held[1] + held[2] < 6
`;

describe('a script', () => {
    test('takes the steps in the words of a trace', async () => {
        const script = [
            '// Everybody takes a fork.',
            'Phil[0] & Fork[1] get[0, 1]',
            '',
            '  Phil[1]   get[1,2]  // the name of one is enough',
            'get[2, 3]',
            'Fork[4] line 22',
            'Phil[4] get[4, 0]',
        ].join('\n');
        const { trace, end, violation, seed } = await walk(dining, script);
        expect(trace.map(({ step }) => step && `${step.process} ${step.label}`)).toEqual([
            null,
            'Phil[0] & Fork[1] get[0, 1]',
            'Phil[1] & Fork[2] get[1, 2]',
            'Phil[2] & Fork[3] get[2, 3]',
            'Phil[3] & Fork[4] get[3, 4]',
            'Phil[4] & Fork[0] get[4, 0]',
        ]);
        expect([end, violation?.kind, seed]).toEqual(['violated', 'deadlock', undefined]);
    });

    test('of its own trace is the same walk', async () => {
        const { stdout } = await orbit(['simulate', 'm', '--json', '--seed', '7', '--steps', '30'], {
            files: { m: dining },
        });
        const { trace } = JSON.parse(stdout) as SimulateDocument;
        const script = trace.flatMap(({ step }) => (step === null ? [] : [`${step.process} ${step.label}`]));
        expect((await walk(dining, script.join('\n'))).trace).toEqual(trace);
    });

    // Two ways lead to one label, one of them changes nothing, and both alternatives of the second process have one name.
    const TWO_WAYS = `
        type Id = 0 .. 1
        var x: 0 .. 9 = 0
        var set: bool[2] = any
        process P[i: Id] { loop { choose k in 0 .. 2 { add: when x < 4 { x := x + k } } } }
        process Q { loop { choose { flip: set[0] := !set[0] } or { flip: set[1] := !set[1] } or { wrong: assert x < 3 } } }
        invariant small = x < 4
    `;

    test.each(['t.txt', 't.json'])('may be a written trace: %s', async file => {
        for (const property of ['small', 'faults']) {
            const files = { m: TWO_WAYS };
            const written = await orbit(['explore', 'm', '--trace', file, '--json', '--property', property], { files });
            expect(written.exitCode).toBe(1);
            const { violations } = JSON.parse(written.stdout) as ExploreDocument;
            const outcome = await orbit(['simulate', 'm', '--script', 's', '--json'], {
                files: { m: TWO_WAYS, s: written.written.get(file)! },
            });
            expect([outcome.exitCode, outcome.stderr]).toEqual([1, '']);
            const { trace } = JSON.parse(outcome.stdout) as SimulateDocument;
            expect(trace).toEqual(violations[0]!.trace);
        }
    });

    test('names what is chosen', async () => {
        const { trace } = await walk(TWO_WAYS, 'P[0] add (k = 0)\nP[0] add(k=1) -> x = 1\nP[1] add (k = 2)');
        expect(trace.map(({ step, state }) => [step?.choice, state['x']])).toEqual([
            [undefined, 0],
            ['k = 0', 0],
            ['k = 1', 1],
            ['k = 2', 3],
        ]);
    });

    test('chooses initial states and choices by what they lead to', async () => {
        const { trace, end } = await walk(DRAWS, 'initial x = 2\nP[2] draw (v = 1) -> x = 1, held[2] = 1\nP[2] check');
        expect(trace.map(({ state }) => state['x'])).toEqual([2, 1, 1]);
        expect(end).toBe('steps');
    });

    test('names cells by records in brackets, and values that are gone as a trace does', async () => {
        const model = `
            type Bit = 0 .. 1
            record Pair = { low: Bit, high: Bit where low <= high }
            var linked: bool[Pair, Pair] = false
            process P {
                loop {
                    var from: Pair
                    choose f, t in Pair { link: { from := f; linked[f, t] := true } }
                    undo: linked[from, Pair(1, 1)] := false
                }
            }
        `;
        const script = [
            'P link -> linked[Pair(0, 1), Pair(1, 1)] = true, P.from = Pair(0, 1)',
            'P undo -> P.from = -, linked[Pair(0, 1), Pair(1, 1)] = false',
        ];
        const { trace } = await walk(model, script.join('\n'));
        expect(trace.map(({ changed }) => changed)).toEqual([
            [],
            ['linked[Pair(0, 1), Pair(1, 1)]', 'P.from', 'P.at'],
            ['linked[Pair(0, 1), Pair(1, 1)]', 'P.from', 'P.at'],
        ]);
        expect((await problemOf(model, 'P link -> nobody = -')).code).toBe('script/not-enabled');
    });

    test('says what comes into a set and what goes, as a trace does', async () => {
        const text = `model Sets
type T = 1 .. 3
var s: set of T[2] = {}
process P[i: T] { loop { choose { add: s[0] := s[0] union { i } } or { swap: { s[1] := s[0]; s[0] := { i } } } } }
invariant few = len(s[0] union s[1]) < 3
`;
        const found = await orbit(['explore', 'm', '--reduction', 'none'], { files: { m: text } });
        expect(found.stdout).toContain('s[0] + 2');
        const { trace } = await walk(text, found.stdout);
        expect(trace.at(-1)).toMatchObject({ state: { 's[0]': '{1, 2, 3}' } });
        expect((await walk(text, 'P[1] add\nP[2] swap -> s[0] = {2}, s[1] = {1}')).trace).toHaveLength(3);
        expect(await problemOf(text, 'P[1] add\nP[2] swap -> s[0] = {1}')).toMatchObject({ line: 2 });
    });

    test('ends at a violation, and with 1', async () => {
        const { stdout, exitCode } = await run(DRAWS, 'P[1] draw -> x = 3\nP[2] draw -> x = 3\nP[1] check');
        expect(exitCode).toBe(1);
        expect(stdout).toContain('violated: invariant small after 2 steps');
    });
});

describe('a script that is wrong says so at the line, and what there is', () => {
    test('a step that is not enabled', async () => {
        expect(await problemOf(DRAWS, 'P[1] draw -> x = 1\n  P[1] draw')).toMatchObject({
            code: 'script/not-enabled',
            file: 's',
            line: 2,
            column: 3,
            endColumn: 12,
            message:
                '`P[1] draw` is not enabled here; enabled are: P[1] check -> P[1].at = draw; ' +
                'P[2] draw (v = 0) -> x = 0, P[2].at = check; P[2] draw (v = 1) -> held[2] = 1, P[2].at = check; ' +
                'P[2] draw (v = 2) -> x = 2, held[2] = 2, P[2].at = check; P[2] draw (v = 3) -> x = 3, held[2] = 3, P[2].at = check',
        });
    });

    test('a step that could be several', async () => {
        const { code, line, message } = await problemOf(DRAWS, 'P[1] draw');
        expect([code, line]).toEqual(['script/ambiguous', 1]);
        expect(message).toContain('several steps are `P[1] draw` here; say who, or add `->` and what it leads to: ');
    });

    test('a value that no step leads to', async () => {
        const { code, message } = await problemOf(DRAWS, 'P[1] draw -> x = 9');
        expect([code, message.split(';')[0]]).toEqual([
            'script/not-enabled',
            'no step `P[1] draw` leads to these values',
        ]);
    });

    test('an initial state that there is not', async () => {
        expect(await problemOf(DRAWS, '\ninitial x = 0\n')).toMatchObject({ code: 'script/no-initial-state', line: 2 });
    });

    test('steps after the last one that there is', async () => {
        const text = 'model M\nvar x: 0 .. 1 = 0\nprocess P { up: x := 1 }';
        expect(await problemOf(text, 'up\nup')).toMatchObject({
            line: 2,
            message: '`up` is not enabled here; nothing is',
        });
    });

    test.each(['P[1] draw ->', '-> x = 1', 'draw -> x', 'draw -> x = 1 -> x = 2', 'draw\ninitial x = 1'])(
        'what is no step: %j',
        async script => {
            expect((await problemOf(DRAWS, script)).code).toBe('script/syntax');
        },
    );

    test('on a terminal with the line', async () => {
        const { stderr, stdout } = await run(DRAWS, 'P[3] draw');
        expect(stdout).toBe('');
        expect(stderr).toContain('s:1:1: error: `P[3] draw` is not enabled here; enabled are: P[1] draw');
        expect(stderr).toContain('  1 | P[3] draw\n    | ^^^^^^^^^\n');
    });

    test('and a file that is not there is an error of the call', async () => {
        const { stderr, exitCode } = await orbit(['simulate', 'm', '--script', 'none'], { files: { m: DRAWS } });
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining("cannot read 'none'")]);
    });

    test('and a script has no seed', async () => {
        const { stderr, exitCode } = await run(DRAWS, '', '--seed', '3');
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot be used with')]);
    });
});
