/** Calls that ended as a defect of Orbit, and models that are large in one direction. */
// @module-tag long
import { expect, test } from 'vitest';
import { orbit, type Outcome } from './in-process.js';

const call = (text: string, ...words: string[]): Promise<Outcome> =>
    orbit([...words, 'm.orbit'], { files: { 'm.orbit': text } });

/** No value of `Id` for N = 0: nothing can be taken out of the queue. */
const QUEUE = `
param N: 0 .. 3 = 0
type Id = 1 .. N
var length: 0 .. N = 0
var flags: bool[Id]
var queue: Id?[0 .. N - 1] = none
process P { loop { a: when length > 0 { flags[queue[0]] := true } } }
process Q { loop { skip } }
`;

// It was "Cannot read properties of undefined (reading 'domain')", exit code 70.
test.each([['check'], ['symmetry', '--why'], ['explore'], ['explore', '--sweep', 'N=0..2'], ['verify']])(
    '%s knows an array over an empty type that is an index',
    async (...words) => {
        expect(await call(QUEUE, ...words)).toMatchObject({ exitCode: 0 });
    },
);

/** Functions, choices and counts over a type without a value for N = 0. */
const NOBODY = `
param N: 0 .. 9 = 3
type Proc = 0 .. N - 1
record Who = { proc: Proc, isNew: bool }
var on: bool[Proc] = false
var n: 0 .. 5[Proc] = 0
function isOn(x: Proc): bool = on[x] && on[0]
function next(who: Who): 0 .. 5 { if on[who.proc] { return n[0] } return n[who.proc] }
process P[i: Proc] { loop { go: when isOn(i) && next(Who(i, true)) > 0 { on[i] := false } } }
process Q { loop { choose { skip } or { choose j in Proc where isOn(j) && on[0] { n[j] := 1 } } } }
invariant few = count(i in Proc where on[i] && on[0]: isOn(i)) <= N
`;

// It was "the index of `on` has the type `Proc` (0 .. -1), but this is between 0 and -1".
test('a function over an empty type is no error, and is checked where the type has values', async () => {
    expect(await call(NOBODY, 'explore', '--param', 'N=0')).toMatchObject({ exitCode: 0 });
    expect(await call(NOBODY, 'explore', '--sweep', 'N=0..2', '--quiet')).toMatchObject({ exitCode: 0 });
    const wrong = NOBODY.replace('= on[x] &&', '= on[N] &&');
    expect(await call(wrong, 'check', '--param', 'N=0')).toMatchObject({ exitCode: 0 });
    expect(await call(wrong, 'check')).toMatchObject({ exitCode: 2 });
});

/** Messages, elements and greatest values of a type without a value for N = 0, where nothing of it is reached. */
const NOTHING = `
param N: 0 .. 3 = 0
type Proc = 1 .. N
var who: Proc? = none
var next: Proc[Proc] = [i in Proc: i]
var level: 0 .. 9[Proc] = 0
channel line: 1 of Proc
process P[i: Proc] { line ! i }
process Q {
    choose { line ? who }
    or { line ? == 1 { who := next[1] } }
    or { when who != none { who := next[who] } }
    or { when N > 0 && max(i in Proc: level[i]) > 3 }
    or { when (if N == 0 then 1 else min(i in Proc: level[i])) == 1 }
}
allow deadlock
`;

// It was "`who` has the type `Proc?`, but what is received is `Proc` (1 .. 0)", and "`max` of no value at all".
test('what is received or is greatest of an empty type is no error where no run gets to it', async () => {
    expect(await call(NOTHING, 'explore', '--sweep', 'N=0..2', '--quiet')).toMatchObject({ exitCode: 0 });
    expect(await call(NOTHING.replace('N > 0', 'N >= 0'), 'check')).toMatchObject({ exitCode: 2 });
});

const terms = (count: number, invariant: string, guard = 'true'): string => `
type I = 1 .. ${count}
var t: bool[I] = false
process W { a: when ${guard} { t[1] := true } }
allow deadlock
invariant m = ${invariant}
`;

// A stack overflow from about 6,000 terms on, in the writer of WebAssembly and in the cells that matter to a guard.
test.each([
    ['count', terms(10_000, 'count(i in I: t[i]) <= 3')],
    ['sum', terms(10_000, 'sum(i in I: if t[i] then 1 else 0) <= 3')],
    ['forall', terms(10_000, 'forall i in I: !t[i] || i == 1')],
    ['max', terms(10_000, 'max(i in I: if t[i] then 1 else 0) <= 1')],
    ['a guard', terms(10_000, 'true', 'count(i in I: t[i]) < 3')],
    // More cells than have their values listed: those of the process had lost the first one.
    ['a count of 100,000', terms(100_000, 'count(i in I: t[i]) <= 3')],
])('%s with many terms holds', { timeout: 60_000 }, async (_, text) => {
    const { exitCode, stdout } = await call(text, 'explore');
    expect(stdout).toMatch(/^holds: m holds in all 2 states\n\n {2}states {7}2$/m);
    expect(exitCode).toBe(0);
});

// They colored, and could do anything else to, the terminal.
test.each([
    [['check', 'l\u001b[31mib.orbit']],
    [['explore', 'a.orbit', '--property', '\u001b[31mx']],
    [['explore', 'a.orbit', '--trace', 'no/\u009b31m\u001b]0;title\u0007.orbit']],
    [['check', 'imports.orbit']],
    [['check', '--json', 'l\u001b[31m\u009bib.orbit']],
    [['\u001b[31mx']],
])('no sequence of the call or of a file reaches the terminal: %j', async words => {
    const files = {
        'a.orbit': 'var x: 0 .. 1 = 0\nprocess P { x := 1 }\n',
        'l\u001b[31mib.orbit': 'type T = 0 .. zz\n',
        'imports.orbit': 'import "l\u001b[31mib.orbit"\nvar x: 0 .. 1 = 0\nprocess P { x := 1 }\n',
    };
    const { exitCode, stdout, stderr } = await orbit(words, { files });
    expect(exitCode).toBe(2);
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    const colored = await orbit([...words, '--color', 'always'], { files, isTerminal: true });
    // oxlint-disable-next-line no-control-regex
    expect(colored.stdout + colored.stderr).not.toMatch(/\u001b\[31m(x|ib)|\u009b|\u001b\]/);
});
