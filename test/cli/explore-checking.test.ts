/** `orbit explore`: what it says besides the verdict. Each property by itself, several violations, steps, coverage. */
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { formatExploration } from '../../cli/text/exploration.js';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit, type Outcome } from './in-process.js';

async function explore(model: string, ...words: string[]): Promise<Outcome & { document: ExploreDocument }> {
    const outcome = await orbit(['explore', 'm', '--json', ...words], { files: { m: model } });
    expect(outcome.stderr).toBe('');
    return { ...outcome, document: JSON.parse(outcome.stdout) as ExploreDocument };
}

/** Four switches; one invariant names the first of them, the other one none. */
const SWITCHES = `
model Switches
type Id = 0 .. 3
var on: bool[Id] = false
process P[i: Id] { loop { choose { up: when !on[i] { on[i] := true } } or { down: when on[i] { on[i] := false } } } }
invariant few = count(i in Id: on[i]) <= 2
invariant first = !on[0]
`;

describe('--each', () => {
    test('explores each property under the symmetries that it keeps', async () => {
        const { document, exitCode } = await explore(SWITCHES, '--each', '--continue');
        expect(exitCode).toBe(1);
        // By hand: to the steps on and off are alike, 2^4 times 4!, so all states are. An invariant counts those that are
        // on: 5 numbers; the other one asks for the first: 2 values, and all that the others have is alike.
        expect(document.properties).toMatchObject([
            { name: 'faults', verdict: 'holds', states: 1, reduction: { order: '384', startOrder: '24' } },
            { name: 'deadlock', verdict: 'holds', states: 1, reduction: { order: '384', startOrder: '24' } },
            { name: 'few', verdict: 'violated', states: 5, reduction: { order: '24' } },
            { name: 'first', verdict: 'violated', states: 2, reduction: { order: '48', startOrder: '6' } },
        ]);
        expect(document).toMatchObject({ verdict: 'violated', states: 9, reduction: { order: '24' } });
        expect(document.violations.map(({ name, trace }) => [name, trace.length - 1])).toEqual([
            ['few', 3],
            ['first', 1],
        ]);
        // All at once are explored under the group of the worst of them.
        expect((await explore(SWITCHES, '--continue')).document).toMatchObject({ states: 8 });
    });

    test('says of a property what is true although a step fails', async () => {
        const text = `
model Failing
var x: 0 .. 2 = 0
process P { loop { up: x := x + 1 } }
invariant small = x <= 2
invariant tiny = x <= 1
`;
        const { document } = await explore(text, '--each');
        expect(document.properties).toMatchObject([
            { name: 'faults', verdict: 'violated' },
            { name: 'deadlock', verdict: 'holds' },
            { name: 'small', verdict: 'holds' },
            { name: 'tiny', verdict: 'violated' },
        ]);
        expect(document.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
            'fault range',
            'invariant tiny',
        ]);
    });

    test('says how likely it is that any of the explorations has missed a state', async () => {
        const text = 'model Long var x: bool[0 .. 79] = false process P { loop { flip: x[0] := !x[0] } }';
        const words = ['--reduction', 'none', '--passes', 'none', '--states', 'fingerprint'];
        // By hand: one pair of states, and one exploration for faults, one for deadlocks.
        expect((await explore(text, ...words)).document.omissionProbability).toBe(2 ** -63);
        expect((await explore(text, ...words, '--each')).document.omissionProbability).toBe(2 ** -62);
    });

    test('is undecided where one of them is, and says which', async () => {
        const withoutFew = SWITCHES.replace(/invariant few.*\n/, '');
        const { document, exitCode } = await explore(withoutFew, '--each', '--max-states', '5');
        expect(exitCode).toBe(1);
        expect(document.properties?.map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'violated']);
        // The last one stays on.
        const uneven = SWITCHES.replace(/invariant f.*\n/g, '').replace(
            'when on[i]',
            'when on[i] && exists j in Id where j != i: on[j]',
        );
        const limited = await explore(uneven, '--each', '--max-states', '4');
        expect(limited.exitCode).toBe(3);
        expect(limited.document.properties).toMatchObject([
            { name: 'faults', verdict: 'undecided', limit: { kind: 'states', value: 4 } },
            { name: 'deadlock', verdict: 'undecided' },
        ]);
    });

    test('cannot be had together with one property', async () => {
        const { exitCode, stderr } = await orbit(['explore', 'm', '--each', '--property', 'few'], {
            files: { m: SWITCHES },
        });
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--each')]);
    });

    test('prints a line for each property', async () => {
        const { stdout } = await orbit(['explore', 'm', '--each'], { files: { m: SWITCHES } });
        expect(stdout).toMatch(
            /^Properties\n {2}faults +holds · 1 state · C2 wr S4, 384 symmetries.* · .*\n {2}deadlock +holds/m,
        );
    });
});

describe('--max-violations', () => {
    test('finds states that are not symmetric to each other, with the number of their copies', async () => {
        const { document } = await explore(SWITCHES, '--property', 'few', '--max-violations', '5');
        // By hand: three of four are on, or all; nothing else violates it.
        expect(document.violations.map(({ name, copies, trace }) => [name, copies, trace.length - 1])).toEqual([
            ['few', '4', 3],
            ['few', '1', 4],
        ]);
        expect(document.states).toBe(5);
        const full = await explore(SWITCHES, '--property', 'few', '--max-violations', '5', '--reduction', 'none');
        expect(full.document.violations).toHaveLength(5);
        expect(full.document.violations[0]).not.toHaveProperty('copies');
    });

    test('finds no two symmetric ones where orbits are stored more than once', async () => {
        const words = ['--property', 'few', '--max-violations', '100', '--reduction'];
        const { document } = await explore(SWITCHES, ...words, 'local');
        expect(document.violations.map(({ copies }) => copies)).toEqual(['4', '1']);
    });

    test('stops there, unless everything is to be explored', async () => {
        const stopped = await explore(SWITCHES, '--property', 'few', '--max-violations', '1');
        expect(stopped.document).toMatchObject({ violations: [{ copies: '4' }], states: 4 });
        const continued = await explore(SWITCHES, '--property', 'few', '--max-violations', '1', '--continue');
        expect(continued.document).toMatchObject({ violations: [{ copies: '4' }], states: 5 });
    });

    test('names none twice after a pause, whatever was asked before it', async () => {
        const few = ['explore', 'm', '--continue', '--property', 'few', '--json'];
        // Three of four are on in the fourth state, all are in the fifth.
        const pausedWith = async (...words: string[]): Promise<Uint8Array> => {
            const limit = ['--max-states', '3', '--checkpoint', 'c'];
            const { saved } = await orbit([...few, ...limit, ...words], { files: { m: SWITCHES } });
            return saved.get('c') ?? new Uint8Array();
        };
        const copiesAfter = async (c: Uint8Array, ...words: string[]) => {
            const { stdout } = await orbit([...few, '--resume', 'c', ...words], { files: { m: SWITCHES, c } });
            return (JSON.parse(stdout) as ExploreDocument).violations.map(({ copies }) => copies);
        };
        const one = await pausedWith();
        const several = await pausedWith('--max-violations', '5');
        expect(await copiesAfter(one)).toEqual(['4']);
        expect(await copiesAfter(several)).toEqual(['4']);
        expect(await copiesAfter(one, '--max-violations', '5')).toEqual(['4', '1']);
        expect(await copiesAfter(several, '--max-violations', '5')).toEqual(['4', '1']);
    });

    test('is one for each name without it, as said in the text', async () => {
        const { stdout } = await orbit(['explore', 'm', '--continue', '--property', 'few'], { files: { m: SWITCHES } });
        expect(stdout).toContain('invariant few after 3 steps, one of 4 symmetric states m:6:11');
    });
});

const PARTS = `
model Parts
var x: 0 .. 2 = 0
process P { loop { if x < 2 { up: x := x + 1 } else { top: when x == 1 { x := 0 } } } }
process Q { late: when x == 7 - 4 { x := 1 }; { x := 2 } }
allow deadlock
`;

describe('steps that are never reached', () => {
    test('are named with their places once all states are explored', async () => {
        const { document } = await explore(PARTS);
        expect(document.unreached).toMatchObject([
            { process: 'P', label: 'top', location: { file: 'm', line: 4, column: 55 } },
            { process: 'Q', label: 'late', location: { line: 5, column: 13 } },
            { process: 'Q', label: 'line 5', location: { line: 5, column: 47 } },
        ]);
        const { stdout } = await orbit(['explore', 'm'], { files: { m: PARTS } });
        expect(stdout).toContain('\nNever taken\n  P top  m:4:55\n  Q late  m:5:13\n  Q line 5  m:5:47\n');
    });

    test('are not known after a limit or the first violation', async () => {
        expect((await explore(PARTS, '--max-states', '2')).document).not.toHaveProperty('unreached');
        const violated = await explore(`${PARTS}invariant low = x == 0`);
        expect(violated.document).not.toHaveProperty('unreached');
        const continued = await explore(`${PARTS}invariant low = x == 0`, '--continue');
        expect(continued.document.unreached).toHaveLength(3);
    });
});

test('--coverage counts steps and tests', async () => {
    const { document } = await explore(PARTS, '--coverage');
    // By hand: x is 0, 1 or 2; up fires twice, and in the last state there is the test but no step.
    expect(document.coverage).toMatchObject({
        states: 3,
        exact: true,
        steps: [
            { process: 'P', label: 'up', fired: 2, blocked: 1 },
            { process: 'P', label: 'top', fired: 0, blocked: 3 },
            { process: 'Q', label: 'late', fired: 0, blocked: 3 },
            { process: 'Q', label: 'line 5', fired: 0, blocked: 0 },
        ],
        branches: [{ process: 'P', location: { line: 4, column: 23, endColumn: 28 }, whenTrue: 2, whenFalse: 0 }],
    });
    const { stdout } = await orbit(['explore', 'm', '--coverage'], { files: { m: PARTS } });
    expect(stdout).toContain('\nCoverage of 3 states: steps\n  P up      line 4  fires 2      waits 1\n');
    expect(stdout).toContain('\nCoverage: tests\n  P  line 4  true 2  false 0\n');
});

test('where a model had to be interpreted the result says why', async () => {
    const { document } = await explore(PARTS);
    expect(document).not.toHaveProperty('interpretedBecause');
    const style = { colors: pc.createColors(false), columns: 80 };
    const text = formatExploration({ ...document, interpretedBecause: 'the code would be too large' }, style);
    expect(text).toContain('  interpreted  the code would be too large, so this took longer\n');
});
