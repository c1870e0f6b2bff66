/** A fault of a step at a place that symmetries exchange with others is told at each of them, with a run of its own. */
import { expect, test } from 'vitest';
import { orbit } from '../cli/in-process.js';
import type { ExploreDocument } from '../../language-server/document-schema.js';

const TWO_PROCESSES = `
var x: bool = true
var y: bool = true
process A { loop { choose { f: when y { x := false } } or { a: assert x } } }
process B { loop { choose { f: when x { y := false } } or { b: assert y } } }
`;

/** One process, whose four assertions are exchanged by a rotation of the cells. */
const RING = `
var x: bool[0 .. 3] = true
process P {
    loop {
        choose { when x[0] { x[1] := false } } or { when x[1] { x[2] := false } }
        or { when x[2] { x[3] := false } } or { when x[3] { x[0] := false } }
    }
}
process Q {
    loop { choose { assert x[0] } or { assert x[1] } or { assert x[2] } or { assert x[3] } }
}
`;

/** Two places in one step. */
const ONE_STEP = `
var x: bool = true
var y: bool = true
process A {
    loop { choose { when y { x := false } } or { when x { y := false } } or { { assert x; assert y } } }
}
`;

async function violationsOf(text: string, ...words: string[]): Promise<ExploreDocument['violations']> {
    const { stdout } = await orbit(['explore', 'm.orbit', '--json', ...words], { files: { 'm.orbit': text } });
    return (JSON.parse(stdout) as ExploreDocument).violations;
}

// Only the first one of them was told where there are symmetries.
test.each([
    [2, TWO_PROCESSES, ['--continue']],
    [2, TWO_PROCESSES, ['--each']],
    [4, RING, ['--continue']],
    [3, RING, ['--max-violations', '3']],
    [2, ONE_STEP, ['--continue']],
    [1, RING, []],
])('%i places', async (count, text, words) => {
    const all = await violationsOf(text, '--reduction', 'none', '--continue');
    const found = await violationsOf(text, '--reduction', 'unique', ...words);
    const placesOf = (violations: typeof all): string[] =>
        violations.map(({ location }) => `${location?.line}:${location?.column}`).sort();
    expect(new Set(placesOf(found)).size).toBe(count);
    expect(placesOf(all)).toEqual(expect.arrayContaining(placesOf(found)));
    for (const { location, trace } of found) {
        // As without symmetries: one step makes a value false, and the next one is at the place of the fault.
        expect(trace).toHaveLength(3);
        expect(trace[2]?.step?.location?.line).toBe(location?.line);
    }
});

/** Only the last cell can become false with the first step: the start tells it apart. */
const MOVED_START = `
var x: bool[0 .. 3] = true
var z: 0 .. 3 = 3
process P { loop { choose i in 0 .. 3 { when z != i { z := i } } or { when x[z] { x[z] := false } } } }
process Q {
    loop {
        choose { assert x[0] }
        or { assert x[1] }
        or { assert x[2] }
        or { assert x[3] }
    }
}
`;

// Nothing was said of the other places. The others that are found are no longer only possible.
test.each([
    [[{ line: 10, possibly: [7, 8, 9] }], ['--each']],
    [
        [
            { line: 10, possibly: [9] },
            { line: 7, possibly: [9] },
            { line: 8, possibly: [9] },
        ],
        ['--max-violations', '3'],
    ],
    [[10, 7, 8, 9].map(line => ({ line, possibly: [] })), ['--continue']],
    [[{ line: 10, possibly: [] }], []],
])('%j under symmetries that move the start', async (lines, words) => {
    const found = await violationsOf(MOVED_START, '--reduction', 'unique', ...words);
    const shown = found.map(({ location, possiblyAt = [] }) => ({
        line: location.line,
        possibly: possiblyAt.map(({ line }) => line).sort((first, second) => first - second),
    }));
    expect(shown).toEqual(lines);
});

test('the text says where a fault is possible, too', async () => {
    const words = ['explore', 'm.orbit', '--reduction', 'unique', '--max-violations', '3'];
    const { stdout } = await orbit(words, { files: { 'm.orbit': MOVED_START } });
    expect(stdout).toContain(
        '  possibly also at m.orbit:9:14: symmetries exchange these places, but the start does not keep them\n',
    );
});
