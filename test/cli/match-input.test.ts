/** Logs that no system should write, and mappings that cannot be read: errors at their place, never a defect. */
import { expect, test } from 'vitest';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import { TimeIsOver } from '../../cli/io.js';
import type { MatchDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

const MODEL = 'var x: 0 .. 3 = 0\nprocess P { loop { up: x := (x + 1) mod 4 } }\n';

async function match(log: string, files: Readonly<Record<string, string>> = {}): ReturnType<typeof orbit> {
    return orbit(['match', 'm.orbit', 'l.jsonl'], { files: { 'm.orbit': MODEL, 'l.jsonl': log, ...files } });
}

test.each([
    ['what looks like a bag of many copies', '{"step":"up","note":"{retry: 99999999999}"}'],
    ['values deep inside of each other', `{"step":"up","note":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['texts with many brackets', `{"step":"up","note":"${'['.repeat(20_000)}${']'.repeat(20_000)}"}`],
])('%s, under a key that nothing is called', async (_, line) => {
    const { stdout, exitCode } = await match(`${line}\n`);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('fits')]);
});

test('the same for a variable is no value of it', async () => {
    const { stderr, exitCode } = await match('{"step":"up","x":"{1: 99999999999}"}\n');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('[log/value]')]);
});

test('an attribute of a span may be of any form', async () => {
    const span = (value: unknown): string =>
        JSON.stringify({
            resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'up', attributes: [{ key: 'k', value }] }] }] }],
        });
    for (const value of [{ arrayValue: null }, { kvlistValue: 3 }, 'text', null]) {
        expect((await match(span(value))).exitCode).toBe(0);
    }
});

test('a mapping that is there and cannot be read is told', async () => {
    const { stderr, exitCode } = await match('{"step":"up"}\n', { 'm.log.json': '{"hide":' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('m.log.json')]);
});

test('a process in a model that has none', async () => {
    const { stderr, exitCode } = await match('{"process":"P"}\n', { 'm.orbit': 'var x: 0 .. 3 = 0\n' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the model has none')]);
});

test('a long log that needs more slots at its end', async () => {
    const model =
        'process Main { loop { choose { up: skip } or { make: spawn W() } } }\nprocess W() { loop { work: skip } }\n';
    const make = (n: number): string => `{"step":"make","W":"w${n}"}\n`;
    const log = '{"step":"up"}\n'.repeat(130_000) + Array.from({ length: 9 }, (_, n) => make(n)).join('');
    const { stdout, exitCode } = await match(log, { 'm.orbit': `${model}allow deadlock\n` });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('fits, 130,009 lines')]);
});

test.each([
    ['hide', { hide: ['upp'] }, 'upp'],
    ['steps', { steps: { UP: 'upp' } }, 'upp'],
    ['opaque', { opaque: ['Nobody'] }, 'Nobody'],
    ['names', { names: { Nobody: { a: 1 } } }, 'Nobody'],
    ['text', { text: ['('] }, 'Unterminated group'],
])('what `%s` of a mapping says is in the model', async (_, mapping, told) => {
    const { stderr, exitCode } = await match('{"step":"up"}\n', { 'm.log.json': JSON.stringify(mapping) });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(told)]);
});

const LOGS = { 'm.orbit': MODEL, good: '{"step":"up"}\n', wrong: '{"step":"upp"}\n', bad: '{"x":3}\n' };

test('a log that is wrong, or is not there, hides no other', async () => {
    const words = ['match', 'm.orbit', 'wrong', 'missing', 'good', 'bad'];
    const { stdout, exitCode } = await orbit([...words, '--json'], { files: LOGS });
    const { logs, problems } = JSON.parse(stdout) as MatchDocument;
    expect([exitCode, logs.map(({ file, verdict }) => `${file} ${verdict}`)]).toEqual([2, ['good fits', 'bad misfit']]);
    expect(problems).toMatchObject([
        { code: 'log/step', file: 'wrong', line: 1 },
        { code: 'call/file', file: 'missing' },
    ]);
    const text = await orbit(words, { files: LOGS });
    expect([text.stdout, text.stderr]).toEqual([
        expect.stringMatching(/good: fits[^]*bad: line 1 fits nothing/),
        expect.stringMatching(/wrong:1[^]*missing/),
    ]);
});

test.each([
    [new TimeIsOver(), 3, 'limit/time'],
    [new OperationCancelled(), 130, 'call/interrupted'],
])('what was judged before the end is told: %s', async (end, code, problem) => {
    const words = ['match', 'm.orbit', 'good', 'good', 'good', '--json'];
    let works = 0;
    await orbit(words, { files: LOGS, endOfWork: count => void (works = count) });
    // The log has its start, its lines and its answer.
    const { stdout, exitCode } = await orbit(words, {
        files: LOGS,
        endOfWork: count => (count === works - 4 ? end : undefined),
    });
    const { logs, problems } = JSON.parse(stdout) as MatchDocument;
    expect([exitCode, logs.length]).toEqual([code, 1]);
    expect(problems).toMatchObject([{ code: problem, file: 'good' }]);
});

test('the lines of an input without end are told when the time is over', async () => {
    const { stdout, exitCode } = await orbit(['match', 'm.orbit', '-', '--json', '--timeout', '1'], {
        files: LOGS,
        standardInput: LOGS.good,
        keepsInputOpen: true,
    });
    const { logs, problems } = JSON.parse(stdout) as MatchDocument;
    expect([exitCode, logs]).toMatchObject([3, [{ file: '-', verdict: 'fits', lines: 1 }]]);
    expect(problems).toMatchObject([{ code: 'limit/time', file: '-' }]);
});
