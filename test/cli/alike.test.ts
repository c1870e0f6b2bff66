/** Invariants that symmetries exchange: an exploration keeps their set, and reports the one that is violated. */
import { expect, test } from 'vitest';
import type { ExploreDocument, SymmetryDocument, VerifyDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

/** Three groups of three clients; a client of a group waits for the others of its group, not for other groups. */
const MODEL = `model Groups
type Group = 1 .. 3
type Client = 1 .. 3
type Count = 0 .. 3
var inside: bool[Group, Client] = false
var asked: Count[Group] = 0

process User[g: Group, c: Client] {
    loop {
        ask: when asked[g] < 3 { asked[g] := asked[g] + 1 };
        enter: inside[g, c] := true;
        leave: { inside[g, c] := false; asked[g] := asked[g] - 1 }
    }
}
`;

const few = (group: number): string => `invariant few${group} = count(c in Client: inside[${group}, c]) <= 2\n`;
const THREE = MODEL + few(1) + few(2) + few(3);
/** With two clients in a group: 9^3 states, and 3! * (2!)^3 symmetries. */
const SMALL = THREE.replace('Client = 1 .. 3', 'Client = 1 .. 2').replaceAll('<= 2', '<= 1');

async function explore(text: string, ...words: string[]): Promise<ExploreDocument> {
    const { stdout, stderr } = await orbit(['explore', 'm', '--json', ...words], { files: { m: text } });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as ExploreDocument;
}

test('three alike invariants leave as many orbits as there are without any', async () => {
    const whole = await explore(MODEL, '--continue', '--reduction', 'unique');
    const alike = await explore(THREE, '--continue', '--reduction', 'unique');
    // Three groups that can be exchanged, of three clients each: 3! * (3!)^3.
    expect(whole.reduction.order).toBe('1296');
    expect(alike.reduction).toMatchObject({ order: '1296', alike: [['few1', 'few2', 'few3']] });
    // A group has 3^3 states, 10 of them up to exchange of its clients: 220 multisets of three of those.
    expect([whole.states, alike.states]).toEqual([220, 220]);
    const all = await explore(THREE, '--continue', '--reduction', 'none');
    expect(all.states).toBe(27 ** 3);
    // Two of them name a group, so only the clients of the third one and the two groups are exchanged.
    const two = await explore(MODEL + few(1) + few(2), '--continue', '--reduction', 'unique');
    expect(two.reduction.order).toBe('432');
});

test('each of them is reported with a run that violates it', async () => {
    const { violations } = await explore(THREE, '--continue', '--reduction', 'unique');
    expect(violations.map(({ name, alikeTo }) => [name, alikeTo])).toEqual([
        ['few1', undefined],
        ['few2', 'few1'],
        ['few3', 'few1'],
    ]);
    for (const [index, { trace }] of violations.entries()) {
        const last = trace.at(-1)?.state ?? {};
        expect([1, 2, 3].map(client => last[`inside[${index + 1}, ${client}]`])).toEqual([true, true, true]);
    }
});

test('the first of them ends the search, and it is the first of the text with a run that violates it', async () => {
    const { violations } = await explore(THREE, '--reduction', 'unique');
    expect(violations.map(({ name }) => name)).toEqual(['few1']);
    expect([1, 2, 3].map(client => violations[0]?.trace.at(-1)?.state[`inside[1, ${client}]`])).toEqual([
        true,
        true,
        true,
    ]);
});

test('with --property only the symmetries of the one are used, with --each the cheaper way is taken', async () => {
    const alone = await explore(THREE, '--property', 'few2', '--reduction', 'unique');
    expect([alone.reduction.order, alone.violations.map(({ name }) => name)]).toEqual(['432', ['few2']]);
    const each = await explore(THREE, '--each', '--continue', '--reduction', 'unique');
    expect(
        each.properties?.map(outcome => [
            outcome.name,
            'alikeTo' in outcome ? outcome.alikeTo : undefined,
            outcome.verdict,
        ]),
    ).toEqual([
        ['faults', undefined, 'holds'],
        ['deadlock', undefined, 'holds'],
        ['few1', undefined, 'violated'],
        ['few2', 'few1', 'violated'],
        ['few3', 'few1', 'violated'],
    ]);
    expect(each.violations.map(({ name }) => name)).toEqual(['few1', 'few2', 'few3']);
    // Without --continue, too, each has a run of its own.
    const first = await explore(THREE, '--each', '--reduction', 'unique');
    expect(first.violations.map(({ name }) => name)).toEqual(['few1', 'few2', 'few3']);
});

test('a violation of one that is no image stays its own', async () => {
    const uneven = `${MODEL}${few(1)}${few(2)}invariant few3 = count(c in Client: inside[3, c]) <= 1\n`;
    const { reduction, violations } = await explore(uneven, '--continue', '--reduction', 'unique');
    expect(reduction.alike).toEqual([['few1', 'few2']]);
    expect(violations.map(({ name }) => name).sort()).toEqual(['few1', 'few2', 'few3']);
});

test('the symmetries say which invariants are images of which', async () => {
    const { stdout } = await orbit(['symmetry', 'm', '--json'], { files: { m: THREE } });
    const { properties } = JSON.parse(stdout) as SymmetryDocument;
    expect(properties.map(({ name, alikeTo }) => [name, alikeTo])).toEqual([
        ['deadlock', undefined],
        ['few1', undefined],
        ['few2', 'few1'],
        ['few3', 'few1'],
    ]);
    expect((await orbit(['verify', 'm'], { files: { m: SMALL } })).exitCode).toBe(0);
});

test('a fault in a function is reported for each invariant that calls it', async () => {
    const text = `model Shares
type Group = 1 .. 3
type Count = 0 .. 3
var asked: Count[Group] = 0
function share(g: Group): bool = 6 div (3 - asked[g]) >= 2
process User[g: Group] { loop { ask: asked[g] := (asked[g] + 1) mod 4 } }
invariant fair1 = share(1)
invariant fair2 = share(2)
invariant fair3 = share(3)
`;
    for (const words of [['--each'], ['--continue'], ['--continue', '--reduction', 'none']]) {
        const { violations } = await explore(text, ...words);
        expect(violations.map(({ kind, name, invariant }) => [kind, name, invariant])).toEqual([
            ['fault', 'division', 'fair1'],
            ['fault', 'division', 'fair2'],
            ['fault', 'division', 'fair3'],
        ]);
        expect(violations.map(({ trace }) => trace.map(({ step }) => step?.process))).toEqual(
            [1, 2, 3].map(group => [undefined, `User[${group}]`, `User[${group}]`, `User[${group}]`]),
        );
    }
});

test('that symmetries exchange invariants is a claim of a certificate, refuted where it is wrong', async () => {
    const written = await orbit(['verify', 'm', '--output', 'c'], { files: { m: SMALL } });
    const certificate = written.written.get('c') ?? '';
    expect(certificate).toContain('"alike":[["few1","few2","few3"]],"order":"48"');
    const check = async (text: string): Promise<VerifyDocument> => {
        const files = { m: text, c: certificate };
        const { stdout } = await orbit(['verify', 'm', '--certificate', 'c', '--json'], { files });
        return JSON.parse(stdout) as VerifyDocument;
    };
    expect(await check(SMALL)).toMatchObject({ verdict: 'verified', exhaustive: true });
    const { verdict, refutations } = await check(SMALL.replace('[3, c]) <= 1', '[3, c]) <= 0'));
    expect(verdict).toBe('refuted');
    expect(refutations.map(({ kind }) => kind)).toContain('alike');
});

/** Two families of four processes together that differ only in the labels at which they may stop. */
function standing(first: readonly string[], second: readonly string[], allow = '', firstCount = 2): string {
    const family = (name: string, ids: string, ends: readonly string[]): string => {
        const label = (name: string): string => `${ends.includes(name) ? 'end ' : ''}${name}`;
        const [ask, wait, leave] = ['ask', 'wait', 'leave'].map(label);
        return `process ${name}[i: ${ids}] { loop {
            ${ask}: when free { free := false };
            ${wait}: when free { };
            ${leave}: free := true } }\n`;
    };
    return `model m\nvar free: bool = true\n${family('P', `0 .. ${firstCount - 1}`, first)}${family('Q', `${firstCount} .. 3`, second)}${allow}`;
}

test.each([
    ['at a step that waits', standing(['ask', 'wait'], ['wait']), '4'],
    ['at a step that can always be taken', standing(['wait', 'leave'], ['wait']), '24'],
    ['where others wait that may not', standing(['ask'], []), '24'],
    ['where deadlocks are allowed', standing(['ask', 'wait'], ['wait'], 'allow deadlock\n'), '24'],
])('who may stop costs no symmetry that it need not: %s', async (_, text, order) => {
    expect((await explore(text, '--reduction', 'unique', '--continue')).reduction.order).toBe(order);
});

test.each([
    [1, 3, 1],
    [2, 4, 2],
    [3, 4, 2],
])('a deadlock is found if any of %i processes waits where it may not stop', async (count, all, orbits) => {
    // After the first step nothing can happen, and all processes but one wait at `ask`: four states, or three if the
    // only one that may not stop there has to be among them. Two orbits: the one that has gone on may stop there or not.
    const [patient, impatient] = [['ask', 'wait'], ['wait']];
    for (const text of [standing(impatient, patient, '', count), standing(patient, impatient, '', 4 - count)]) {
        const deadlocksWith = async (reduction: string): Promise<number> =>
            (await explore(text, '--continue', '--reduction', reduction)).deadlocks;
        expect([await deadlocksWith('none'), await deadlocksWith('unique')]).toEqual([all, orbits]);
    }
});

test('properties of runs that are about states are images of invariants, and asked once with --each', async () => {
    const mixed = MODEL + few(1) + few(2).replace('invariant few2 =', 'property few2 = always') + few(3);
    const each = await explore(mixed, '--each', '--continue', '--reduction', 'unique');
    expect(
        each.properties?.map(outcome => [
            outcome.name,
            'alikeTo' in outcome ? outcome.alikeTo : undefined,
            outcome.verdict,
        ]),
    ).toEqual([
        ['faults', undefined, 'holds'],
        ['deadlock', undefined, 'holds'],
        ['few1', undefined, 'violated'],
        ['few3', 'few1', 'violated'],
        ['few2', 'few1', 'violated'],
    ]);
    expect(each.violations.map(({ name, location }) => [name, location.line])).toEqual([
        ['few1', 15],
        ['few3', 17],
        ['few2', 16],
    ]);
});

test('a fault of a step and one of an invariant in the same place of a function are two', async () => {
    const text = `var x: 0 .. 3 = 1
        function f(v: 0 .. 3): 0 .. 3 = 3 div v
        process P { loop { choose { a: x := 0 } or { b: when f(x) > 1 skip } } }
        invariant q = f(x) < 9
        allow deadlock`;
    const { violations } = await explore(text, '--continue');
    expect(violations.map(({ invariant, trace }) => [invariant, trace.length - 1])).toEqual([
        ['q', 1],
        [undefined, 2],
    ]);
});
