/** `explore --find`: a question for a run, read behind the text of the model. */
import { expect, test } from 'vitest';
import { orbit } from './in-process.js';

/** Three that pass a token: turn is 2 after two steps, 3 after four, 1 again after six. */
const RING =
    '// A ring.\n\nmodel Ring\nparam N: 1 .. 9 = 3\ntype Id = 1 .. N\nvar turn: Id = 1\n' +
    'process P[i: Id] { loop { go: when turn == i; choose { a: turn := 1 + turn mod N } or { b: skip } } }\n' +
    'invariant start = turn < 3\nrun find = turn == 3\n';

async function find(question: string, ...words: readonly string[]): ReturnType<typeof orbit> {
    return orbit(['explore', 'm', '--find', question, ...words], { files: { m: RING } });
}

test('a shortest run is shown, whatever the model states', async () => {
    const { stdout, exitCode } = await find('turn == 3 then turn == 1');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Ring {2}N = 3\nfound after 6 steps; its parts are met at 4, 6\n/);
    expect(stdout).toContain('  6  P[3] a  line 7\n     turn: 3 → 1\n');
    const { stdout: json } = await find('P[2] takes a then turn == 3', '--json');
    // The name `find` is one of the text.
    expect(JSON.parse(json)).toMatchObject({
        verdict: 'holds',
        properties: [{ name: 'find2', kind: 'run', verdict: 'reached', steps: 4, parts: [3, 4] }],
    });
});

test('without a run the states that were looked at are counted', async () => {
    const { stdout, exitCode } = await find('P[1] at a && P[2] at a');
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('no run comes there, in all 6 states')]);
    expect((await find('turn == 3', '--max-states', '2')).exitCode).toBe(3);
    expect((await find('turn == 3 then P[1] at a && P[2] at a', '--quiet')).stdout).toMatch(
        /^no run comes there · \d+ states · /,
    );
});

test('parameters and files that the model imports are known', async () => {
    const main = 'import "ring.orbit"\n';
    const files = { 'main.orbit': main, 'ring.orbit': RING };
    const { stdout } = await orbit(['explore', 'main.orbit', '--find', 'turn == N', '--param', 'N=5'], { files });
    expect(stdout).toMatch(/^main {2}N = 5\nfound after 8 steps\n/);
});

test.each([
    ['turn == x', '1:9', '`x` is not declared [name/unresolved]'],
    ['turn ==\n  "y"', '2:3', '[syntax/unexpected]'],
    ['', '1:1', 'an expression is expected here'],
    ['turn == 1 invariant x = true', '1:11', 'a question is `c`, or `c then d`, and nothing else'],
    ['turn', '1:1', '[type/mismatch]'],
    ['always turn == 1', '1:1', '[run/temporal]'],
])('%j is refused at its place', async (question, place, message) => {
    const { stderr, exitCode } = await find(question);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^--find:${place}: error: `))]);
    expect(stderr).toContain(message);
});

test('an error of the model is told as without a question', async () => {
    const { stderr, exitCode } = await orbit(['explore', 'm', '--find', 'x == 1'], { files: { m: 'var x: 0 .. 1 =' } });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^m:1:1\d: error: /)]);
});

test('a fault elsewhere hides no run, one in the question is told', async () => {
    const m = 'var x: 0 .. 3 = 0\nprocess A { loop { choose { up: x := x + 1 } or { two: x := 2 } } }\n';
    const asked = async (question: string): ReturnType<typeof orbit> =>
        orbit(['explore', 'm', '--find', question], { files: { m } });
    expect((await asked('x == 3 then x == 2')).stdout).toContain('found after 3 steps');
    expect((await asked('x == 3')).stdout).toContain('found after 2 steps');
    const { stdout, exitCode } = await asked('1 div (x - 1) == 5');
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('fault division in find after 1 step --find:1:1')]);
});

test.each([
    [['--each'], '--each'],
    [['--sweep', 'N=1..3'], '--sweep'],
    [['--property', 'start'], '--property'],
    [['--coverage'], '--coverage'],
])('%j asks something else', async (words, option) => {
    const { stderr, exitCode } = await find('turn == 3', ...words);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`cannot be used with option '${option}`)]);
});

test('it is about one value', async () => {
    const m = 'param N: 1 .. 3\ntype I = 1 .. N\nvar x: bool\nprocess P[i: I] { loop { a: x := !x } }\n';
    const words = ['explore', 'm', '--param', 'N=all', '--find', 'x'];
    const { stderr, exitCode } = await orbit(words, { files: { m } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('`--find` is about one value')]);
});
