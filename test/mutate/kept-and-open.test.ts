/** What a mutant is said to be where a limit leaves an assertion open, and with what is kept of mutants before it. */
import { expect, test } from 'vitest';
import { createTextOf } from '../../engine/common/source-text.js';
import { UNLIMITED, type WorkLimit } from '../../engine/common/work-limit.js';
import { Mutants } from '../../engine/mutants.js';
import type { Model } from '../../engine/model/model.js';
import { modelOf } from '../model-of-text.js';

function mutantsWithin(model: Model, text: string, workLimit: WorkLimit): Mutants {
    return new Mutants(model, { now: () => 0, textOf: createTextOf(() => text), workLimit });
}

/** Only the assertion tells the bound: process 2 alone may begin. */
const ASSERTED = `
    type Id = 1 .. 2
    var x: bool[Id] = false
    process P[i: Id] { set: when i >= 1 { x[i] := true } }
    assert symmetric P
    allow deadlock`;

test('an assertion that a limit leaves open kills no mutant and lets none survive', async () => {
    const model = await modelOf(ASSERTED);
    const { mutations } = mutantsWithin(model, ASSERTED, UNLIMITED);
    const index = mutations.findIndex(({ change }) => change === 'bound');
    expect(mutantsWithin(model, ASSERTED, UNLIMITED).judge(index)).toMatchObject({
        outcome: 'killed',
        by: 'assert symmetric',
    });
    let undecided = 0;
    for (let first = 0; first < 40; first++) {
        // The limit is over at one question, and not at those behind it.
        let questions = -1_000_000;
        const limit = { isExhausted: () => questions++ === first };
        const mutants = mutantsWithin(model, ASSERTED, limit);
        questions = 0;
        const { outcome } = mutants.judge(index);
        expect(['killed', 'undecided'], `question ${first}`).toContain(outcome);
        undecided += outcome === 'undecided' ? 1 : 0;
    }
    expect(undecided).toBeGreaterThan(0);
});

/** Without the bound the model needs more slots than with it, and has another behavior of its own. */
const CREATED = `
    var open: 0 .. 3 = 0
    var seen: bool = false
    process Main { loop {
        choose { make: when open < 2 { spawn Handler(); open := open + 1 } }
        or { look: when open > 0 { seen := true } }
    } }
    process Handler() { work: skip; done: open := open - 1 }
    allow deadlock`;

test('what is kept of the model is used for the same slots only', async () => {
    const model = await modelOf(CREATED);
    const inOrder = mutantsWithin(model, CREATED, UNLIMITED);
    for (const index of inOrder.mutations.keys()) {
        const { outcome, by, effect } = inOrder.judge(index);
        const alone = mutantsWithin(model, CREATED, UNLIMITED).judge(index);
        expect({ index, outcome, by, effect }).toEqual({
            index,
            outcome: alone.outcome,
            by: alone.by,
            effect: alone.effect,
        });
    }
});

test('each mutant has its share of the time, and those that need more have what is left', async () => {
    const model = await modelOf(CREATED);
    const expected = mutantsWithin(model, CREATED, UNLIMITED);
    const outcomes = expected.mutations.map((_, index) => expected.judge(index).outcome);
    const open: number[] = [];
    let mostYielded = 0;
    for (const budget of [0, 200, 1000, 5000, 20_000, 100_000, 1e9]) {
        // Each look at the clock takes a millisecond.
        let time = 0;
        const now = (): number => ++time;
        // The model itself is looked at before.
        let deadline = Infinity;
        const workLimit = { isExhausted: () => time >= deadline };
        const mutants = new Mutants(model, { now, textOf: createTextOf(() => CREATED), workLimit });
        deadline = time + budget;
        const judging = mutants.judgeAll(() => deadline - time);
        let step = judging.next();
        let yielded = 0;
        for (; step.done !== true; step = judging.next()) {
            yielded++;
        }
        const judged = step.value;
        expect(judged.length).toBe(mutants.mutations.length);
        judged.forEach(({ outcome }, index) => {
            expect([outcomes[index], 'undecided'], `mutant ${index} within ${budget}`).toContain(outcome);
        });
        open.push(judged.filter(({ outcome }, index) => outcome !== outcomes[index]).length);
        mostYielded = Math.max(mostYielded, yielded);
    }
    expect(open[0]).toBe(outcomes.filter(outcome => outcome !== 'undecided').length);
    expect(open.at(-1)).toBe(0);
    expect(mostYielded).toBeGreaterThan(outcomes.length);
});
