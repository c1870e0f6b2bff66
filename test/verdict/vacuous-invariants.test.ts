/** Invariants that ask for nothing, told behind a search that has seen all states; and the same as a search for a run says. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit } from '../cli/in-process.js';

async function explored(model: string, ...words: readonly string[]): Promise<ExploreDocument> {
    const { stdout } = await orbit(['explore', 'm.orbit', '--json', ...words], { files: { 'm.orbit': model } });
    return JSON.parse(stdout) as ExploreDocument;
}

/** The names of the invariants that ask for nothing, by the lines of the messages. */
async function vacuous(model: string, ...words: readonly string[]): Promise<readonly string[]> {
    const { warnings = [] } = await explored(model, ...words);
    return warnings
        .filter(({ code }) => code === 'property/vacuous')
        .map(({ message }) => /^`(.*)` holds for nothing/.exec(message)?.[1] ?? '');
}

/** What is tried is many states away: a clock for each process, and `late` only at the end of all. */
const CLOCKS = (end: number): string => `model Clocks
type Id = 1 .. 4
var clock: 0 .. ${end}[Id] = 0
var late: bool = false
var never: bool[Id] = false
process P[i: Id] { loop { tick: when clock[i] < ${end} { clock[i] := clock[i] + 1 } } }
process Last { when forall i in Id: clock[i] == ${end} { late := true } }
allow deadlock
invariant onlyLate = late implies (forall i in Id: clock[i] == ${end})
invariant ofOne = forall i in Id: clock[i] == ${end} && late implies late
invariant nothing = forall i in Id: never[i] implies late
invariant asks = forall i in Id: clock[i] >= 0
`;

test.each([
    ['a few states', 2, []],
    ['more than are searched without symmetries', 7, []],
    ['all of them stored', 7, ['--reduction', 'none']],
    ['what one invariant asks alone', 7, ['--property', 'nothing']],
])('an invariant whose left side no state makes true: %s', async (_, end, words) => {
    expect(await vacuous(CLOCKS(end), ...words)).toEqual(['nothing']);
});

test.each([
    ['a && b of lefts and rights', 'forall i in Id: x[i] implies (y implies x[i])', false],
    ['a right side that is never asked', 'forall i in Id: x[i] implies (z implies y)', true],
    ['each part of &&', '(z implies y) && (forall i in Id: z && x[i] implies y)', true],
    ['one part that asks', '(z implies y) && (y implies y)', false],
    ['a part that always asks', '(z implies y) && (y || !y)', false],
    ['a choice among them', '(z implies y) || (y implies z)', false],
    ['exists', 'exists i in Id: z implies x[i]', false],
    ['an empty range of values', 'forall i in Id where i > 9: x[i] implies y', true],
])('what is asked: %s', async (_, condition, isVacuous) => {
    const model = `model M
type Id = 1 .. 3
var x: bool[Id] = false
var y: bool = false
var z: bool = false
process P { loop {
    choose i in Id { a: when !y { x[i] := true; y := true } }
    b: when y { x := [i in Id: false]; y := false; z := false }
} }
invariant it = ${condition}
property always_it = always (${condition})
`;
    const found = await explored(model);
    if (found.verdict !== 'holds') {
        throw new Error(JSON.stringify(found));
    }
    const expected = isVacuous ? ['it', 'always_it'] : [];
    expect(await vacuous(model)).toEqual(expected);
    expect(await vacuous(model, '--reduction', 'none')).toEqual(expected);
});

test('where the start is not kept, an image of a state that comes is none that comes', async () => {
    const model = `model Uneven
var token: 1 .. 2 = 1
var mark: 1 .. 2 = 1
type Id = 1 .. 2
process P[i: Id] { enter: when token == i && mark == i { skip } cs: skip }
allow deadlock
invariant second = P[2] at cs implies token == 2
invariant first = P[1] at cs implies token == 1
`;
    expect(await vacuous(model)).toEqual(['second']);
});

test('nothing is said behind a violation, a limit, and for numbers that are not searched to the end', async () => {
    expect(await vacuous(CLOCKS(7), '--max-states', '100')).toEqual([]);
    const violated = `${CLOCKS(2)}invariant wrong = !late\n`;
    expect(await vacuous(violated)).toEqual([]);
    expect(await vacuous(violated, '--property', 'nothing')).toEqual(['nothing']);
});

test('instances that are created, numbers without end, and a constraint', async () => {
    const created = `model Created
type Id = 1 .. 2
var open: bool = false
process Main { loop { go: spawn Worker(any) } }
process Worker(id: Id) { work: skip }
invariant idle = forall w in Worker: w at work implies !open
invariant opened = forall w in Worker: open implies !(w at work)
constraint count(w in Worker: true) <= 2
`.replace('spawn Worker(any)', 'choose i in Id { spawn Worker(i) }');
    expect(await vacuous(created)).toEqual(['opened']);
    const numbers = `model Numbers
var n: nat = 0
var m: nat = 0
process Up { loop { up: when n == m { n := n + 1 } } }
process Follow { loop { follow: when m < n { m := n } } }
invariant ahead = n > m implies n != m
invariant behind = n < m implies n != m
`;
    expect(await vacuous(numbers)).toEqual(['behind']);
});

test('the shipped models ask for what they state', async () => {
    for (const name of ['peterson', 'readers-writers', 'raft-election', 'two-phase-commit', 'sessions']) {
        expect(await vacuous(readFileSync(`models/${name}.orbit`, 'utf8'))).toEqual([]);
    }
});
