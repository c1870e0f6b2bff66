/** `orbit explore --passes`: which passes run, what they have done, and calls that say nothing. */
import { expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

/** Two switches; after each change a process does something for itself. What is counted is read by no one. */
const SWITCHES = `
model Switches
type Id = 0 .. 1
var on: bool[Id] = false
var count: 0 .. 4 = 0
process P[i: Id] { loop { flip: { on[i] := !on[i]; count := (count + 1) mod 5 } rest: skip } }
invariant one = !(on[0] && on[1])
`;

async function explore(...words: string[]): Promise<ExploreDocument> {
    const { stdout } = await orbit(['explore', 'm', '--json', '--continue', '--reduction', 'none', ...words], {
        files: { m: SWITCHES },
    });
    return JSON.parse(stdout) as ExploreDocument;
}

test('what was done is said in counts', async () => {
    const none = await explore('--passes', 'none');
    // By hand: two switches, where each process is, and a count modulo 5.
    expect(none).toMatchObject({ verdict: 'violated', states: 80, passes: [] });
    const all = await explore('--passes', 'all');
    expect(all).toMatchObject({ verdict: 'violated', states: 4 });
    expect(all.passes.map(({ name }) => name)).toEqual(['cone', 'reset', 'merge', 'narrow']);
    expect(all.passes).toMatchObject([{ variablesDropped: 1 }, { variablesReset: 0 }, { stepsMerged: 2 }, {}]);
    expect((await explore('--passes', 'merge,cone')).passes).toEqual([
        { name: 'cone', variablesDropped: 1, stepsDropped: 0 },
        { name: 'merge', stepsMerged: 2 },
    ]);
});

test('a trace is one of the model as written, with each step and every variable', async () => {
    const [violation] = (await explore('--passes', 'all')).violations;
    expect(violation?.trace.map(({ step }) => step?.label)).toEqual([undefined, 'flip', 'rest', 'flip', 'rest']);
    expect(violation?.trace.map(({ state }) => state['count'])).toEqual([0, 1, 1, 2, 2]);
});

test('the text says what has changed the counts', async () => {
    const { stdout } = await orbit(['explore', 'm', '--passes', 'all'], { files: { m: SWITCHES } });
    expect(stdout).toMatch(/passes +1 variable left out, 2 steps merged/);
});

test.each([
    [['--passes', 'fast'], "There is no 'fast'; write default, all, none, or some of cone,reset,merge,narrow."],
    [['--passes', 'merge', '--coverage'], "'--passes <list>' cannot be used with option '--coverage'"],
])('%s is an error', async (words, message) => {
    const { exitCode, stderr } = await orbit(['explore', 'm', ...words], { files: { m: SWITCHES } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
});
