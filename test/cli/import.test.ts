/** `orbit import`: what it writes, what it says, and its exit codes. */
import { expect, test } from 'vitest';
import { orbit } from './in-process.js';

const WHOLE = 'var x: boolean; startstate begin x := true; end; rule "flip" begin put x; x := !x; end;';
const LOSSY = `${WHOLE} cover "false" !x;`;
const ORBIT = [
    '// From m.m, a Murphi model, by `orbit import`, without `put`.',
    '// A rule that changes nothing is a step: where there is no other one, CMurphi would tell a deadlock.',
    'model M',
    '',
    'var x: bool = true',
    '',
    'process Flip {',
    '    loop {',
    '        flip: { x := !x }',
    '    }',
    '}',
    '',
].join('\n');

test('a model goes to standard output, what is said of it to standard error', async () => {
    const outcome = await orbit(['import', 'm.m'], { files: { 'm.m': WHOLE } });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: ORBIT });
    expect(outcome.stderr).toContain('m.m:1:68: information: `put` is left out [murphi/dropped]');
    expect((await orbit(['import', 'm.m', '--quiet'], { files: { 'm.m': WHOLE } })).stderr).toBe('');
});

test('a model goes to the file that the call names, and not to its own', async () => {
    const outcome = await orbit(['import', 'm.m', '--output', 'm.orbit'], { files: { 'm.m': WHOLE } });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '' });
    expect(outcome.written.get('m.orbit')).toBe(ORBIT);
    expect((await orbit(['import', 'm.m', '--output', 'm.m'], { files: { 'm.m': WHOLE } })).exitCode).toBe(2);
});

test('what has no counterpart ends with 2 and no text; with --lossy it is a comment and a warning', async () => {
    const files = { 'm.m': LOSSY };
    const refused = await orbit(['import', 'm.m', '--output', 'm.orbit'], { files });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('error: `cover` is not carried over [murphi/not-carried-over]');
    expect(refused.written.size).toBe(0);
    const lossy = await orbit(['import', 'm.m', '--lossy'], { files });
    expect(lossy.exitCode).toBe(0);
    expect(lossy.stderr).toContain('warning: `cover` is not carried over');
    expect(lossy.stdout).toContain('// Not carried over:\n// cover "false" !x\n');
});

test('a wrong source ends with 2, with --lossy as well', async () => {
    const outcome = await orbit(['import', 'm.m', '--lossy'], { files: { 'm.m': `${WHOLE} rule begin y := x; end;` } });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('there is no variable or constant `y` before [murphi/unresolved]');
});

test('with --json there is one document', async () => {
    const { stdout } = await orbit(['import', 'm.m', '--json'], { files: { 'm.m': WHOLE } });
    expect(JSON.parse(stdout)).toMatchObject({
        text: ORBIT,
        problems: [{ code: 'murphi/dropped', file: 'm.m', line: 1 }],
    });
    const wrong = await orbit(['import', '-', '--json'], { standardInput: 'rule' });
    expect(wrong.exitCode).toBe(2);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ problems: [{ code: 'murphi/syntax', file: '-' }] });
});
