/** `orbit tests --with`: a command as the system under test, also one that misbehaves; nothing of it is left. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { ProblemsDocument, TestsDocument } from '../../language-server/document-schema.js';
import { startAdapter } from '../../cli/adapter-process.js';
import { orbit, type Outcome } from './in-process.js';

const LOCK = `model Lock
type Id = 1 .. 2
var holder: Id? = none
process P[i: Id] {
    loop { take: when holder == none { holder := i } give: when holder == i { holder := none } }
}
`;

const folder = mkdtempSync(join(tmpdir(), 'orbit-tests-'));
afterAll(() => {
    rmSync(folder, { recursive: true });
});

/** A command in which \`answer(message)\` is this code. */
function command(name: string, answer: string, before = ''): string {
    const file = join(folder, `${name}.cjs`);
    writeFileSync(
        file,
        `${before}
        const lines = require('node:readline').createInterface({ input: process.stdin });
        let holder;
        const answer = message => { ${answer} };
        lines.on('line', line => {
            const said = answer(JSON.parse(line));
            if (said !== undefined) console.log(typeof said === 'string' ? said : JSON.stringify(said));
        });`,
    );
    return `"${process.execPath}" "${file}"`;
}

function run(adapter: string, words: readonly string[] = [], mapping?: object): Promise<Outcome> {
    const files = { 'm.orbit': LOCK, ...(mapping !== undefined && { 'm.log.json': JSON.stringify(mapping) }) };
    return orbit(['tests', 'm.orbit', '--with', adapter, '--members', '2', ...words], { files });
}

const GOOD = `if (message.reset) { holder = null; return { ok: true }; }
    if (message.end) return undefined;
    const i = Number(/\\d/.exec(message.do.process)[0]);
    holder = message.do.step === 'take' ? i : null;
    return { ok: true, values: { holder } };`;

describe('a command as the system', () => {
    test('passes, and says how much was taken', async () => {
        const { exitCode, stdout, stderr } = await run(command('good', GOOD));
        expect([exitCode, stderr]).toEqual([0, '']);
        expect(stdout).toBe('Lock\n\n2 tests, all passed; 2 of 2 orbits of transitions were taken\n');
    });

    test('is undecided if the time is over before the last test', async () => {
        const slow = GOOD.replace(
            'const i =',
            "if (message.do.step === 'give') { const end = Date.now() + 2500; while (Date.now() < end); }\n    const i =",
        );
        // The first call loads the program, which takes time of its own.
        await run(command('good', GOOD));
        const { exitCode, stdout } = await run(command('slow', slow), ['--timeout', '2']);
        expect(exitCode).toBe(3);
        expect(stdout).toContain('undecided: the time was over, and other tests are missing');
    });

    test('is undecided if the time is over before an answer', async () => {
        const hangs = command('hangs', 'return message.do ? undefined : { ok: true };');
        const { exitCode, stdout } = await run(hangs, ['--timeout', '3', '--answer-timeout', '60']);
        expect(exitCode).toBe(3);
        expect(stdout).toContain('0 tests, none was finished; 0 of 2 orbits');
        expect(stdout).toContain('undecided: the time was over, and other tests are missing');
    }, 20_000);

    test('is told which keys of its answers say nothing', async () => {
        const typing = command('typing', GOOD.replace('values: { holder }', 'values: { holders: holder }'));
        const { exitCode, stdout } = await run(typing);
        expect(exitCode).toBe(0);
        expect(stdout).toContain('keys of answers that say nothing of the model: holders\n');
    });

    test('may answer much, of which the ends are shown', async () => {
        const long = command('long', GOOD.replace('values: { holder }', "lines: Array(5000).fill({ step: 'take' })"));
        const { exitCode, stdout } = await run(long);
        expect(exitCode).toBe(1);
        expect(stdout.length).toBeLessThan(10_000);
        expect(stdout).toContain(' … ');
    });

    test('fails at what no run does, which is explained', async () => {
        const bad = command('bad', GOOD.replace(': null;', ': i;'));
        const { exitCode, stdout } = await run(bad);
        expect(exitCode).toBe(1);
        expect(stdout).toContain(
            '   1  P[1] take  {"ok":true,"values":{"holder":1}}\n' +
                '   2  P[1] give  {"ok":true,"values":{"holder":1}}  fits nothing\n',
        );
        expect(stdout).toContain('P give: the log says `holder` is `1`, here it is `none`');
        expect(stdout).toContain('2 tests, 2 failed; 1 of 2 orbits of transitions were taken\n');
        const { stdout: json } = await run(bad, ['--json']);
        const document = JSON.parse(json) as TestsDocument;
        expect(document).toMatchObject({ covered: 1, transitionOrbits: 2, executed: { tests: 2, failed: 2 } });
    });

    test('takes its own steps, as the mapping says which are the inputs', async () => {
        const own = GOOD.replace(
            'const i =',
            `if (message.wait) { const last = holder; holder = null; return { lines: [{ step: 'give', process: 'P[' + last + ']' }] }; }
            const i =`,
        );
        expect((await run(command('own', own), [], { inputs: ['take'] })).exitCode).toBe(0);
        const unknown = await run(command('own', own), [], { inputs: ['takes'] });
        expect([unknown.exitCode, unknown.stderr]).toEqual([
            2,
            "orbit: 'm.log.json': no step or event is called 'takes'\n",
        ]);
        const hidden = await run(command('own', own), ['--hide', 'take'], { inputs: ['take'] });
        expect(hidden.stderr).toContain("'take' is hidden and an input");
    });
});

describe('steps that the model forbids', () => {
    test('are asked for with --forbidden, and a system that takes one fails', async () => {
        // It refuses to give what it has not, and lets anybody take.
        const careless = GOOD.replace(
            'holder = message',
            "if (message.do.step === 'give' && holder !== i) return { refused: 'not its own' };\n    holder = message",
        );
        expect((await run(command('careless', careless))).exitCode).toBe(0);
        const { exitCode, stdout } = await run(command('careless', careless), ['--forbidden']);
        expect(exitCode).toBe(1);
        expect(stdout).toContain('   1  P[1] take  {"ok":true,"values":{"holder":1}}\n');
        expect(stdout).toMatch(/ {3}2 {2}P\[.\] take .* is forbidden\n/);
        expect(stdout).toMatch(/the system took `P\[.\] take` where the model forbids it, in the state before it:/);
        expect(stdout).toContain('P take: stands at `give`');
        const right = careless.replace(
            'holder = message',
            "if (message.do.step === 'take' && holder !== null) return { refused: 'taken' };\n    holder = message",
        );
        const passes = await run(command('right', right), ['--forbidden']);
        expect([passes.exitCode, passes.stderr]).toEqual([0, '']);
        expect(passes.stdout).toMatch(
            /2 tests, all passed; 2 of 2 orbits of transitions were taken; \d+ forbidden steps asked for\n/,
        );
        const { stdout: json } = await run(command('right', right), ['--forbidden', '--json']);
        expect((JSON.parse(json) as TestsDocument).executed?.forbidden).toBeGreaterThan(0);
    });

    test('need a system', async () => {
        const { exitCode, stderr } = await orbit(['tests', 'm.orbit', '--forbidden'], { files: { 'm.orbit': LOCK } });
        expect([exitCode, stderr]).toEqual([
            2,
            expect.stringContaining("option '--forbidden' needs '--with <command>'"),
        ]);
    });
});

describe('a command that speaks no answers', () => {
    test.each([
        ['that is not there', 'no-such-command-here', 'it has ended with 127'],
        [
            'that ends',
            command('dies', 'console.error("out of order"); process.exit(3);'),
            'it has ended with 3\nout of order',
        ],
        [
            'that writes no JSON',
            command('garbage', "return 'hello';"),
            'an answer is one JSON object in a line, not `hello`',
        ],
        [
            'that answers twice',
            command('twice', 'return \'{"ok":true}\\n{"ok":true}\';'),
            'it has written a line that answers nothing',
        ],
        [
            'that nests without end',
            command('nests', "return '{\"values\":' + '['.repeat(100000) + ']'.repeat(100000) + ',\"ok\":true}';"),
            'is nested more than 1000 times',
        ],
        ['that answers something else', command('other', 'return { fine: 1 };'), 'is no answer'],
        ['that is silent', command('silent', 'return undefined;'), 'it has not answered within 0.5 s'],
    ])('%s is an error of the call', async (_, adapter, reason) => {
        // Others answer, or end, as soon as the machine lets them.
        const words = reason.includes('within') ? ['--answer-timeout', '0.5'] : [];
        const { exitCode, stderr } = await run(adapter, words);
        expect(exitCode).toBe(2);
        expect(stderr).toContain(reason);
        const { stdout } = await run(adapter, [...words, '--json']);
        expect((JSON.parse(stdout) as ProblemsDocument).problems).toMatchObject([{ code: 'tests/adapter' }]);
    });

    test('is not empty', async () => {
        const { exitCode, stderr } = await run(' ');
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining("option '--with <command>' needs a command")]);
    });

    test('is ended with all that it has started', async () => {
        const file = join(folder, 'beats');
        const child = `const c = require('node:child_process').spawn(process.execPath, ['-e', \`setInterval(() => require('node:fs').appendFileSync(\${JSON.stringify(${JSON.stringify(file)})}, 'x'), 20)\`], { stdio: 'ignore' });`;
        writeFileSync(file, '');
        const hangs = command('hangs', 'return undefined;', `${child} process.on('SIGTERM', () => undefined);`);
        const { exitCode } = await run(hangs, ['--answer-timeout', '1']);
        expect(exitCode).toBe(2);
        expect(readFileSync(file, 'utf8').length).toBeGreaterThan(0);
        await setTimeout(100);
        const { length } = readFileSync(file, 'utf8');
        await setTimeout(300);
        expect(readFileSync(file, 'utf8').length).toBe(length);
    });

    test('is heard to the end, also if it ends before its last answer is read', async () => {
        const adapter = startAdapter('(sleep 0.2; echo last) & exit 0');
        expect(await adapter.ask('{}', 60_000)).toBe('last');
        await expect(adapter.ask('{}', 60_000)).rejects.toThrow('it has ended with 0');
        await adapter.end('{"end":true}');
    }, 20_000);

    test('is ended at once by an interrupt, also while an answer is awaited', async () => {
        const adapter = startAdapter(command('waits', 'return undefined;'));
        const begin = performance.now();
        const asked = adapter.ask('{}', 60_000).catch((error: unknown) => String(error));
        await adapter.end('{"end":true}');
        expect(await asked).toContain('it has ended with 0');
        expect(performance.now() - begin).toBeLessThan(10_000);
    }, 20_000);
});
