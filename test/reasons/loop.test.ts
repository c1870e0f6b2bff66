/** What is said of a run that violates a temporal property. */
import { expect, test } from 'vitest';
import type { Loop, UnfairStep } from '../../engine/explore/verdict.js';
import { reasonOfLoop } from '../../engine/reasons/loop.js';

const LOOP: Loop = { start: 2, member: {}, members: 1, copies: 1, unfair: [] };

function textsOf(loop: Partial<Loop>, lastEntry = 5): readonly string[] {
    return reasonOfLoop({ ...LOOP, ...loop }, lastEntry).map(({ text }) => text);
}

function enter(index: number): UnfairStep {
    return { process: `P[${index}]`, label: 'enter', kind: 'strong' };
}

test('a run comes back to a state, or ends', () => {
    expect(textsOf({})).toEqual(['the run comes back to state 2, for ever']);
    expect(textsOf({}, 2)).toEqual(['then nothing happens any more']);
});

test('the values of the forall are named, and how many others are violated by symmetry', () => {
    expect(textsOf({ member: { i: 1, j: 2 }, members: 6, copies: 6 })).toEqual([
        'for i = 1 and j = 2 (stands for 6 of 6 by symmetry): the run comes back to state 2, for ever',
    ]);
});

test('instances that the loop treats alike have one line, with the word that excludes the run', () => {
    const unfair: UnfairStep[] = [enter(1), { process: 'Q', kind: 'weak' }, enter(2)];
    expect(textsOf({ unfair }).slice(1)).toEqual([
        'unfair to P[1] and P[2]: `enter` is possible again and again and never taken; `strong fair enter:` would exclude this run',
        'unfair to Q: a step is always possible and never taken; `fair process Q` would exclude this run',
    ]);
    const namesOf = (count: number): string | undefined =>
        /unfair to (.*?):/.exec(textsOf({ unfair: Array.from({ length: count }, (_, at) => enter(at)) })[1] ?? '')?.[1];
    expect(namesOf(5)).toBe('P[0], P[1], P[2], P[3] and P[4]');
    expect(namesOf(9)).toBe('P[0], P[1], P[2], P[3] and 5 others');
});
