/** Invariants that symmetries exchange: an exploration keeps their set, and reports the one that is violated. */
import { expect, test } from 'vitest';
import type { ExploreDocument, SymmetryDocument } from '../../language-server/protocol.js';
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

test('with --property only the symmetries of the one are used, with --each the cheaper way is taken', async () => {
    const alone = await explore(THREE, '--property', 'few2', '--reduction', 'unique');
    expect([alone.reduction.order, alone.violations.map(({ name }) => name)]).toEqual(['432', ['few2']]);
    const each = await explore(THREE, '--each', '--continue', '--reduction', 'unique');
    expect(each.properties?.map(({ name, alikeTo, verdict }) => [name, alikeTo, verdict])).toEqual([
        ['faults', undefined, 'holds'],
        ['deadlock', undefined, 'holds'],
        ['few1', undefined, 'violated'],
        ['few2', 'few1', 'violated'],
        ['few3', 'few1', 'violated'],
    ]);
    expect(each.violations.map(({ name }) => name)).toEqual(['few1', 'few2', 'few3']);
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
    expect((await orbit(['verify', 'm'], { files: { m: THREE } })).exitCode).toBe(0);
});

test('where deadlocks are allowed, who may stop costs no symmetry; and where it is checked, neither if it says nothing', async () => {
    const text = (end: string, allow: string): string =>
        `model m\ntype Id = 0 .. 3\nvar x: bool[Id] = false\nprocess P[i: Id] { loop { ${end}step: when !x[i] { x[i] := true } } }\n` +
        `process Q { when x[0] { x[0] := x[0] } }\n${allow}`;
    const orderOf = async (model: string): Promise<string> =>
        (await explore(model, '--reduction', 'unique')).reduction.order;
    expect(await orderOf(text('end ', ''))).toBe(await orderOf(text('end ', 'allow deadlock\n')));
    expect(await orderOf(text('', 'allow deadlock\n'))).toBe('6');
});
