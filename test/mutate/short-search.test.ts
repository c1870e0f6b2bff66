/** What a short search without symmetries says of a mutant is what the search under symmetries says. */
import { expect, test } from 'vitest';
import { createTextOf } from '../../engine/common/source-text.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { Mutants } from '../../engine/mutants.js';
import type { Mutant } from '../../engine/mutate/mutation.js';
import { modelOf } from '../model-of-text.js';

async function judgedWith(text: string, fewStates: number): Promise<readonly Mutant[]> {
    const mutants = new Mutants(await modelOf(text), {
        now: () => 0,
        textOf: createTextOf(() => text),
        workLimit: UNLIMITED,
        fewStates,
    });
    expect(mutants.problems).toEqual([]);
    return mutants.mutations.map((_, index) => mutants.judge(index));
}

/** With properties of each kind, of which symmetries exchange some. */
const TEXTS: Readonly<Record<string, string>> = {
    'twin invariants': `
        type Id = 1 .. 3
        var inside: bool[Id] = false
        var lock: bool = false
        process P[i: Id] { loop {
            enter: when !lock && !inside[i] { lock := true; inside[i] := true }
            leave: { inside[i] := false; lock := false }
        } }
        invariant one = !(inside[1] && inside[2])
        invariant two = !(inside[2] && inside[3])
        invariant three = !(inside[1] && inside[3])`,
    'an uneven start': `
        type Id = 1 .. 3
        var token: Id = 1
        var used: bool[Id] = false
        fair process P[i: Id] { loop {
            enter: when token == i { used[i] := true }
            choose j in Id { pass: when j != i { token := j } }
        } }
        invariant alone = count(i in Id: P[i] at pass) <= 1
        property again = forall i in Id: (P[i] at pass leads to P[i] at enter)
        run all = forall i in Id: used[i]
        run second = P[2] at pass then P[3] at pass
        expect every step`,
    'what is meant to be violated': `
        type Id = 1 .. 2
        var fork: bool[Id] = false
        process P[i: Id] { loop {
            left: when !fork[i] { fork[i] := true }
            right: when !fork[3 - i] { fork[3 - i] := true }
            drop: { fork[i] := false; fork[3 - i] := false }
        } }
        expect violated deadlock
        assert symmetric P
        invariant apart = !(P[1] at drop && P[2] at drop)`,
    creation: `
        var open: 0 .. 4 = 0
        process Main { loop { make: when open < 2 { spawn Worker(); open := open + 1 } } }
        process Worker() { var done: bool = false  work: done := true; finish: when done { open := open - 1 } }
        invariant few = count(w in Worker: true) <= 2
        run both = count(w in Worker: true) == 2
        allow deadlock`,
    'numbers without end': `
        var next: nat = 0
        var served: nat = 0
        process Take { loop { take: when next <= served + 1 { next := next + 1 } } }
        process Serve { loop { serve: when served < next { served := served + 1 } } }
        invariant behind = served <= next
        invariant near = next <= served + 2`,
};

test.each(Object.entries(TEXTS))('%s', async (_name, text) => {
    const whole = await judgedWith(text, 0);
    expect(new Set(whole.map(({ outcome }) => outcome))).toContain('killed');
    for (const fewStates of [5, 1_000]) {
        expect(await judgedWith(text, fewStates)).toEqual(whole);
    }
});

test('of two names that as few steps violate, the search under symmetries says which', async () => {
    // The mutant without the guard comes to 1 and to 2 in one step.
    const text = `
        var x: 0 .. 2 = 0
        var y: 0 .. 2 = 0
        process P { loop { choose i in 1 .. 2 { set: when x == 0 && i == 3 - i { x := i } } } }
        invariant notTwo = x != 2
        invariant notOne = x != 1
        allow deadlock`;
    const killed = (await judgedWith(text, 1_000)).filter(({ outcome }) => outcome === 'killed');
    expect(killed.length).toBeGreaterThan(0);
    expect(await judgedWith(text, 1_000)).toEqual(await judgedWith(text, 0));
});
