/** A time limit ends a call to one second of processor time, wherever it comes. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { patient } from '../patience.js';
import { orbit } from './in-process.js';

/** What a call took may be more by the time for loading and for compiling the program, on a quiet machine. */
const MILLISECONDS_BEYOND = 3000;

/** A process, and more cells than declarations should be tried for. */
const CELLS = 'var a: bool[1000][100]\nprocess P { a[999, 99] := true }\n';

/** Each state has 30 cells and more than 10^20 symmetries. */
const LARGE_ORBITS = `
type A = 0 .. 4
var s: bool[A] = any
var q: bool[A] = any
process P[u: A] {
    var t: bool[A] = any
    const v = (u + 1) mod 5
    loop { a: when s[u] && q[v] { t[u] := !t[u]; t[v] := false; s[u] := t[v] } }
}
`;

/** Tests inside braces are counted in all states of an orbit: here 2^64, by 124 generators. */
const TESTS_IN_BRACES = `
var b: bool[0 .. 63] = any
process P[i: 0 .. 1] { loop { { assert i != 0 || b[i]; if b[i] { b[i] := false } } } }
`;

/** A channel of references with 63 places: what it can hold is found place by place. */
const LONG_QUEUE = readFileSync('models/supervisor.orbit', 'utf8').replace(
    /channel mail\[Actor\]: \d+/,
    'channel mail[Actor]: 63',
);

test.each([
    // 8 seconds within one summand.
    ['values that can occur', LONG_QUEUE, ['verify', '--timeout', '1']],
    // 80 seconds: images were made of 200,000 states after it was clear that there are too many.
    ['coverage', TESTS_IN_BRACES, ['explore', '--coverage', '--reduction', 'local', '--timeout', '1']],
    // 20 seconds and a gigabyte for the first representative, before any limit was asked.
    ['one representative', LARGE_ORBITS, ['explore', '--reduction', 'unique', '--timeout', '1']],
    // 16 seconds: the declarations suggest exchanges of 1,000 and of 100 values, each with all cells.
    ['suggested symmetries', CELLS, ['symmetry', '--timeout', '1']],
    ['suggested symmetries', CELLS, ['verify', '--timeout', '1']],
])('%s', { timeout: 60_000 }, async (_, text, words) => {
    const before = process.cpuUsage();
    const { exitCode } = await orbit([...words, 'm.orbit'], { files: { 'm.orbit': text } });
    const { user } = process.cpuUsage(before);
    expect([0, 1, 3]).toContain(exitCode);
    expect(user / 1000).toBeLessThan(patient(1000 * Number(words.at(-1)) + MILLISECONDS_BEYOND));
});
