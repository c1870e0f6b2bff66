/** What is said of a run that violates a temporal property. */
import { expect, test } from 'vitest';
import { createTextOf } from '../../engine/common/source-text.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { startExploration } from '../../engine/pipeline.js';
import type { Loop, UnfairStep } from '../../engine/explore/verdict.js';
import { reasonOfLoop } from '../../engine/reasons/loop.js';
import { analysisOf } from '../model-of-text.js';

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

const LOCK = `
type Id = 1 .. 2
var taken: bool = false
var on: bool[Id]
process P[i: Id] {
    loop { idle: skip; enter: when !taken { taken := true }; leave: { taken := false; on[i] := true } }
}
property p = forall i in Id: `;

/** The first line of the reason for a property of the lock. */
async function promiseOf(property: string): Promise<string | undefined> {
    const text = LOCK + property;
    const started = startExploration(await analysisOf(text), { reduction: 'none' }, UNLIMITED);
    started.exploration.advance(UNLIMITED);
    const [violation] = started.exploration.result().report?.violations ?? [];
    return (
        violation &&
        started.reasonOf(
            violation,
            createTextOf(() => text),
        )[0]?.text
    );
}

test('the reason is what the property promises, and since when the run does not keep it', async () => {
    const reasons = {
        // Who is at `enter` may wait there while the other one goes round.
        'P[i] at enter leads to P[i] at leave':
            'for i = 1: `P[1]` is at `enter` from step 1 on and never comes to `leave`',
        'eventually P[i] at leave': 'for i = 1: `P[1]` never comes to `leave`',
        'infinitely often P[i] at leave': 'for i = 1: `P[1]` never comes to `leave`',
        'infinitely often P[i] takes leave': 'for i = 1: `P[1]` never takes `leave`',
        'eventually always !(P[i] at leave)': 'for i = 1: `P[1]` is at `leave` again and again',
        'P[i] at enter leads to on[i] && taken':
            'for i = 1: `P[1]` is at `enter` from step 1 on, and `on[1] && taken` is never true',
    };
    for (const [property, reason] of Object.entries(reasons)) {
        expect(await promiseOf(property), property).toBe(reason);
    }
});

test('instances that the loop treats alike have one line, with the word that excludes the run', () => {
    const unfair: UnfairStep[] = [enter(1), { process: 'Q', kind: 'weak' }, enter(2)];
    expect(textsOf({ unfair }).slice(1)).toEqual([
        'unfair to `P[1]` and `P[2]`: `enter` is possible again and again and never taken; `strong fair enter:` would exclude this run',
        'unfair to `Q`: a step is always possible and never taken; `fair process Q` would exclude this run',
    ]);
    const namesOf = (count: number): string | undefined =>
        /unfair to (.*?):/.exec(textsOf({ unfair: Array.from({ length: count }, (_, at) => enter(at)) })[1] ?? '')?.[1];
    expect(namesOf(5)).toBe('`P[0]`, `P[1]`, `P[2]`, `P[3]` and `P[4]`');
    expect(namesOf(9)).toBe('`P[0]`, `P[1]`, `P[2]`, `P[3]` and 5 others');
});
