/** `--property`: several names, `faults` beside `deadlock`, and names that are none. */
import { expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit, type Outcome } from './in-process.js';

/** By hand: two may be on; the first two members are told apart from the others. */
const COUNTERS = `model Counters
param N: 1 .. 4 = 3
type Proc = 1 .. N
var on: bool[Proc] = false
var n: 0 .. 9 = 0
process P[i: Proc] { loop { when !on[i] && n < 2 { on[i] := true; n := n + 1 } } }
invariant first = !on[1]
invariant second = !on[2]
invariant small = n < 9
property calm = eventually n > 0
allow deadlock
`;

function called(command: string, ...words: string[]): Promise<Outcome> {
    return orbit([command, 'm', ...words], { files: { m: COUNTERS } });
}

async function violated(...names: string[]): Promise<{ exitCode: number; names: string[] }> {
    const { stdout, exitCode } = await called('explore', '--json', ...names.map(name => `--property=${name}`));
    return { exitCode, names: (JSON.parse(stdout) as ExploreDocument).violations.map(({ name }) => name) };
}

test('all named properties are checked, in whichever order', async () => {
    expect(await violated('small')).toEqual({ exitCode: 0, names: [] });
    expect(await violated('first', 'small')).toEqual({ exitCode: 1, names: ['first'] });
    expect(await violated('small', 'first')).toEqual({ exitCode: 1, names: ['first'] });
});

test('`faults` names the steps alone, and can stand beside others', async () => {
    expect(await violated('faults')).toEqual({ exitCode: 0, names: [] });
    expect(await violated('faults', 'first')).toEqual({ exitCode: 1, names: ['first'] });
    const faulty = COUNTERS.replace('n < 2', 'n < 9').replace('0 .. 9', '0 .. 2');
    const { stdout, exitCode } = await orbit(['explore', 'm', '--property', 'faults', '--quiet'], {
        files: { m: faulty },
    });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('violated: range')]);
    const junit = await called('explore', '--property', 'small', '--property', 'first', '--format', 'junit');
    // In the order of the text, after the faults.
    expect([...junit.stdout.matchAll(/<testcase name="(\w+)"/g)].map(([, name]) => name)).toEqual([
        'faults',
        'first',
        'small',
    ]);
});

test('a name that the model does not state is an error, wherever it stands', async () => {
    for (const command of ['explore', 'symmetry']) {
        const { exitCode, stderr } = await called(command, '--property', 'small', '--property', 'large');
        expect([exitCode, stderr]).toEqual([
            2,
            expect.stringContaining("no property 'large'; it states first, second, small, calm, faults"),
        ]);
    }
});

test('the symmetries that keep several properties are those of their set', async () => {
    const orderOf = async (...names: string[]): Promise<string> => {
        const { stdout } = await called('symmetry', '--json', ...names.map(name => `--property=${name}`));
        return (JSON.parse(stdout) as { order: string }).order;
    };
    // S3; the stabilizer of one process; the exchange of the first two.
    expect([await orderOf('small'), await orderOf('first'), await orderOf('first', 'second')]).toEqual(['6', '2', '2']);
    expect([await orderOf('faults'), await orderOf('calm', 'faults')]).toEqual(['6', '6']);
    const { exitCode, stderr } = await called('symmetry', '--property', 'calm', '--property', 'first');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('reported for it alone')]);
});

test('`orbit verify` proves the named invariants for all values, and has no use for names otherwise', async () => {
    // `first` and `second` are about single members.
    const text = COUNTERS.replace(/invariant first.*\ninvariant second.*\n/, 'invariant most = n <= 2\n');
    const verify = (...words: string[]): Promise<Outcome> => orbit(['verify', 'm', ...words], { files: { m: text } });
    const { stdout, exitCode } = await verify('--param', 'N=all', '--property', 'most', '--property', 'faults');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('most, faults for every N')]);
    expect((await verify('--property', 'most')).exitCode).toBe(2);
});
