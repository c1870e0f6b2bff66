/** `orbit format`: what it writes, what it says, and its exit codes. */
import { expect, test } from 'vitest';
import { orbit } from './in-process.js';

const UNTIDY = 'model   M\nvar x:bool\n';
const TIDY = 'model M\nvar x: bool\n';
const WRONG = 'model M\nvar x bool\n';

test('a file is laid out in place', async () => {
    const outcome = await orbit(['format', 'm.orbit'], { files: { 'm.orbit': UNTIDY } });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: 'm.orbit: formatted\n', stderr: '' });
    expect(outcome.written.get('m.orbit')).toBe(TIDY);
});

test('a file that is laid out already is not written', async () => {
    const outcome = await orbit(['format', 'm.orbit'], { files: { 'm.orbit': TIDY } });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.written.size).toBe(0);
});

test('with --check nothing is written, and the exit code says whether all is well', async () => {
    const files = { 'a.orbit': TIDY, 'b.orbit': UNTIDY };
    const outcome = await orbit(['format', 'a.orbit', 'b.orbit', '--check'], { files });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stdout).toContain('b.orbit: is not laid out');
    expect(outcome.stdout).not.toContain('a.orbit');
    expect(outcome.written.size).toBe(0);
    expect((await orbit(['format', 'a.orbit', '--check'], { files })).exitCode).toBe(0);
});

test('standard input goes to standard output', async () => {
    const outcome = await orbit(['format', '-'], { standardInput: UNTIDY });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: TIDY, stderr: '' });
});

test('standard input with errors leaves standard output empty', async () => {
    const outcome = await orbit(['format', '-'], { standardInput: WRONG });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('var x bool');
});

test('a file with errors is reported, and the others are laid out', async () => {
    const files = { 'wrong.orbit': WRONG, 'b.orbit': UNTIDY };
    const outcome = await orbit(['format', 'wrong.orbit', 'missing.orbit', 'b.orbit'], { files });
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stdout).toContain('wrong.orbit:2:7');
    expect(outcome.stdout).toContain("cannot read 'missing.orbit'");
    expect([...outcome.written.keys()]).toEqual(['b.orbit']);
});

test('with --json there is one document', async () => {
    const files = { 'a.orbit': UNTIDY, 'wrong.orbit': WRONG };
    const outcome = await orbit(['format', 'a.orbit', 'wrong.orbit', '--check', '--json'], { files });
    expect(JSON.parse(outcome.stdout)).toMatchObject({
        schemaVersion: 1,
        problems: [{ file: 'wrong.orbit', line: 2 }],
        files: [
            { file: 'a.orbit', changed: true },
            { file: 'wrong.orbit', changed: false },
        ],
    });
    expect(outcome.exitCode).toBe(2);
});
