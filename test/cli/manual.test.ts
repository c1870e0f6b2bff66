/** The manual as assistants read it: thirty questions about the language, each with the page and the sentence that answers. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPages, readPage } from '../../cli/mcp/manual.js';
import { provideCommand } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'orbit-manual-'));
let manual: string;

beforeAll(async () => {
    await provideCommand(folder);
    manual = readFileSync(join(folder, 'manual.json'), 'utf8');
}, 120_000);

afterAll(() => {
    rmSync(folder, { recursive: true });
});

test.each([
    ['How does a process wait?', 'language/steps', '`when guard` alone, which waits.'],
    ['What is one transition?', 'language/steps', 'nothing of another process comes between.'],
    ['How are looking and acting made two steps?', 'language/steps', 'make the test a step:'],
    ['Do processes take turns?', 'language/processes', 'in any order with those of the others.'],
    [
        'When can an alternative of `choose` be taken?',
        'language/processes',
        'An alternative can be taken where one of the steps',
    ],
    ['What does a process do at its end?', 'language/processes', 'has come to its end and does nothing any more.'],
    [
        'Are types finite?',
        'language/types',
        'Every type but [`nat`](numbers.md) and [`enum { .. }`](names.md) is finite.',
    ],
    ['How is a field of an optional record written?', 'language/types', '`when x != none { x.f := 1 }`'],
    ['Which message does a receive look at?', 'language/channels', 'other messages are not looked at.'],
    ['Are messages kept in order?', 'language/channels', 'messages are kept in order.'],
    ['Who takes part in an event?', 'language/events', 'happens only when all of them take it together.'],
    [
        'When are guards of an event evaluated?',
        'language/events',
        'All guards and arguments are evaluated before the step.',
    ],
    ['May a function change variables?', 'language/functions', 'it changes nothing.'],
    ['May a function be recursive?', 'language/functions', 'A function may call itself as long as'],
    ['How large are integers?', 'language/expressions', 'Integers are exact up to 2^53 - 1'],
    ['How are arrays compared?', 'language/expressions', 'compared with `==` and `!=`, cell by cell'],
    ['What is a fault?', 'language/faults', 'A step is *at fault* when it leaves what the types promise:'],
    ['What is a deadlock?', 'language/faults', 'A *deadlock* is a state in which no step is possible'],
    ['How is a deadlock allowed?', 'language/faults', '`allow deadlock`'],
    ['How is a process created?', 'language/dynamic', 'each `spawn` creates one.'],
    ['Where may a model begin?', 'language/initial-states', 'A run may begin in any of the *initial states*'],
    [
        'What is the difference between an invariant and a property?',
        'language/temporal',
        'a `property` is about what happens in a run.',
    ],
    ['Is there a word for the next state?', 'language/temporal', 'There is no word for the next state'],
    ['Must I declare symmetries?', 'language/symmetry', 'a model need not speak of them.'],
    ['How is an element added to a set?', 'language/collections', '`s union t`, `s minus t`, `s intersect t`'],
    ['What if an element is not of the type?', 'language/collections', 'is the fault [`range`](faults.md).'],
    [
        'How does an array get its length from its value?',
        'language/files',
        'An array over `[*]` takes its length from its value.',
    ],
    [
        'How do I say that something must be reachable?',
        'language/meant',
        'says that some run from some initial state comes',
    ],
    [
        'How do I model tickets that grow for ever?',
        'language/numbers',
        '`nat` is the type of the numbers 0, 1, 2, … without end',
    ],
    ['How is `UNCHANGED` of TLA+ written?', 'language/idioms', 'a cell keeps its value unless a step writes it'],
])('%s', (_, page, sentence) => {
    expect(readPage(manual, `orbit://manual/${page}`)).toMatchObject({
        contents: [{ mimeType: 'text/markdown', text: expect.stringContaining(sentence) as unknown }],
    });
});

test('each message has its paragraph, and each page a title', () => {
    const { resources } = listPages(manual) as { resources: readonly { uri: string; title: string; size: number }[] };
    expect(resources.length).toBeGreaterThan(20);
    for (const { uri, title, size } of resources) {
        const { contents } = readPage(manual, uri) as { contents: readonly [{ text: string }] };
        expect(contents[0].text).toContain(`# ${title}`);
        expect(Buffer.byteLength(contents[0].text)).toBe(size);
    }
    expect(resources.map(({ uri }) => uri)).toContain('orbit://manual/diagnostics');
    expect(() => readPage(manual, 'orbit://manual/none')).toThrow('there is no resource');
});
