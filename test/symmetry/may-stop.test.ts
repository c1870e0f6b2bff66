/** Where a process may stop is asked of the values that its variables have there: others cost no symmetry. */
import { expect, test } from 'vitest';
import { orbit } from '../cli/in-process.js';
import type { ExploreDocument, SymmetryDocument } from '../../language-server/document-schema.js';

/** Comes to `last` with x = 4 alone: `x < i` is false there, whatever i is, and false or not for the values before. */
function family(last: string): string {
    return `
process P[i: 1 .. 3] {
    var x: 0 .. 4 = 0
    a: x := x + 1;
    b: x := x + 1;
    c: x := x + 2;
    ${last}
}
`;
}

const LOOP = 'while x < i { d: skip }';
/** The instances end, or wait for ever, but for the one whose number is in `z`. */
const CHOSEN = 'var z: 1 .. 3 = 2\n';
const OPEN = `${CHOSEN}${family('if x < i { d: skip } else { end e: when z == i }')}`;
const STUCK = `${CHOSEN}${family('if x < i { d: skip } else { f: when z == i }')}`;
const FAULTY = family('while 4 mod (4 - x) < i { d: skip }');

async function documentOf<Document>(text: string, command: string, ...words: string[]): Promise<Document> {
    const { stdout } = await orbit([command, 'm.orbit', '--json', ...words], { files: { 'm.orbit': text } });
    return JSON.parse(stdout) as Document;
}

// It was 1, since `x < i` tells the instances apart for values that x has elsewhere.
test('the order of the part that keeps deadlock', async () => {
    const { order, properties } = await documentOf<SymmetryDocument>(family(LOOP), 'symmetry');
    expect(order).toBe('6');
    expect(properties).toMatchObject([{ name: 'deadlock', order: '6' }]);
});

// The symmetries that move z do not keep what is the same in reachable states only, and those that keep z do.
test.each([
    ['ends', family(LOOP), 'holds', '6'],
    ['ends but for a choice', OPEN, 'holds', '2'],
    ['waits for ever', STUCK, 'violated', '2'],
    ['is a fault', FAULTY, 'violated', '1'],
])('an instance that %s is found to, with and without symmetries', async (_, text, verdict, order) => {
    const [all, reduced] = await Promise.all(
        ['none', 'unique'].map(reduction => documentOf<ExploreDocument>(text, 'explore', '--reduction', reduction)),
    );
    expect([all?.verdict, reduced?.verdict]).toEqual([verdict, verdict]);
    expect(reduced?.violations.map(({ kind, trace }) => [kind, trace.length])).toEqual(
        all?.violations.map(({ kind, trace }) => [kind, trace.length]),
    );
    expect(reduced?.reduction.order).toBe(order);
});
