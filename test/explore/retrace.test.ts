/** A run of an earlier text, tried on a later one. */
import { expect, test } from 'vitest';
import { follow, type Simulation } from '../../engine/explore/simulate.js';
import { parseScript } from '../../engine/explore/script.js';
import { retrace, type EarlierEntry } from '../../engine/explore/retrace.js';
import { sequentialOf } from '../model-of-text.js';

const LOCK = `model Lock
type Id = 1 .. 2
var taken: bool = any
process Worker[i: Id] {
    loop { look: when !taken; enter: taken := true; leave: taken := false }
}
invariant alone = count(i in Id: Worker[i] at leave) <= 1
`;

/** Both look before one of them enters; the lock is free at first, the second of two initial states or not. */
async function runOfLock(): Promise<readonly EarlierEntry[]> {
    const script = parseScript(
        'initial taken = false\nWorker[1] look\nWorker[2] look\nWorker[1] enter\nWorker[2] enter',
    );
    if ('code' in script) {
        throw new Error(script.message);
    }
    const walk = follow(await sequentialOf(LOCK), script);
    expect(outcome(walk)).toBe('4 steps: violated alone');
    return walk.kind === 'walk' ? walk.trace : [];
}

function outcome(walk: Simulation): string {
    switch (walk.kind) {
        case 'walk': {
            const { trace, end } = walk;
            return `${trace.length - 1} steps: ${end.kind}${end.kind === 'violated' ? ` ${end.finding.name}` : ''}`;
        }
        case 'slots':
            return 'there are no templates';
        default:
            return `${walk.problem.message}`;
    }
}

test.each([
    ['the same text', (text: string) => text, '4 steps: violated alone'],
    [
        'another variable',
        (text: string) => text.replace('process', 'var n: 0 .. 1 = any\nprocess'),
        '4 steps: violated alone',
    ],
    [
        'what makes it right',
        (text: string) => text.replace('count(i in Id: Worker[i] at leave) <= 1', 'true'),
        '4 steps: steps',
    ],
    [
        'a violation that comes before',
        (text: string) => text.replace('at leave) <= 1', 'at enter) <= 1'),
        '2 steps: violated alone',
    ],
    [
        'a step that is not possible',
        (text: string) =>
            text.replace('look: when !taken; enter: taken := true', 'enter: when !taken { taken := true }'),
        '`look` is gone; Worker[1] could take `enter`',
    ],
    [
        'processes that are gone',
        (text: string) => text.replaceAll('Worker', 'Client'),
        'Worker[1] cannot take `look`; others could take `look`',
    ],
] as const)('after an edit: %s', async (_, edit, expected) => {
    const found = outcome(retrace(await sequentialOf(edit(LOCK)), await runOfLock()));
    expect(found).toBe(expected);
});

test('no run at all begins at the first initial state', async () => {
    expect(outcome(retrace(await sequentialOf(LOCK), []))).toBe('0 steps: steps');
});
