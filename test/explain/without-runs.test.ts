/** What breaks a symmetry does not depend on what a model says of its runs, apart from the locals that it names. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutRuns } from '../../engine/explain/without-runs.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { modelOf, symmetryOf } from '../model-of-text.js';

const FOLDER = join(import.meta.dirname, 'broken');
/** One in eight. */
const SOME = readdirSync(FOLDER).filter((name, index) => name.endsWith('.orbit') && index % 8 === 0);

async function brokenIn(text: string): Promise<unknown> {
    const { report } = await symmetryOf(text);
    const said = [...report.broken, ...report.assertions];
    return said.map(({ message, locations, repairs }) => [
        message,
        locations.map(place => place.text),
        repairs.map(({ title }) => title),
    ]);
}

test.each(SOME)('%s has the same to say if its processes are fair', async name => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const fair = text.replace(/^process/gm, 'strong fair process').replace(/^event/gm, 'fair event');
    expect(fair).not.toBe(text);
    const runs = '\nproperty again = always eventually true\nassume calm = infinitely often true\n';
    expect(await brokenIn(fair + runs)).toEqual(await brokenIn(text));
});

const LOCALS = `model Locals
type Id = 1 .. 3
var last: Id = any
process P[i: Id] {
    var k: 0 .. 1 = 0
    loop { set: k := i mod 2; use: last := k + 1; strong fair rest: skip }
}
`;

test('locals that a property of runs names stay live in all states, and nothing else stays', async () => {
    const model = await modelOf(`${LOCALS}property low = forall i in Id: infinitely often P[i].k < 1`);
    const left = withoutRuns(model);
    expect([left.properties, left.assumptions, JSON.stringify(left).includes('fairness')]).toEqual([[], [], false]);
    const [before, after] = [model, left].map(each => linearize(each).sequential);
    expect(after?.summands.length).toBeGreaterThan(0);
    // Without the property a value that is not read again is forgotten.
    const printed = (sequential: typeof before): string =>
        JSON.stringify([sequential?.cells, sequential?.summands, sequential?.initial]);
    expect(printed(after)).toBe(printed(before));
    const none = await modelOf(LOCALS);
    expect(printed(linearize(none).sequential)).not.toBe(printed(before));
});

test('a model that says nothing of runs is the same object', async () => {
    const model = await modelOf(LOCALS.replace('strong fair ', ''));
    expect(withoutRuns(model)).toBe(model);
});
