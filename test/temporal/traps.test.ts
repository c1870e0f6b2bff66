/**
 * Small models, each with a mistake that a search for violations under symmetries could make, and the verdict that the
 * mistake would change. The verdicts follow from the definition by hand; what a comment says of a run is why.
 */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { PASSES } from '../../engine/passes/pass-names.js';
import { startExploration } from '../../engine/pipeline.js';
import { checkLasso } from '../../engine/verify/check-lasso.js';
import { onQuotientBySubgroup, tracked } from './searches.js';
import { always, findingOf, REDUCTIONS, temporalAnalysis, verdictsOf } from './text-verdicts.js';

interface Trap {
    readonly mistake: string;
    /** Declarations and processes, without types. */
    readonly model: string;
    readonly property: string;
    readonly verdict: 'violated' | 'holds';
}

const TYPES = `
type I = 0 .. 1
type J = 0 .. 2
`;

/** Process 0 or 1 may be the only one that takes the lock, since weak fairness asks only for what is always possible. */
const LOCK = (fairness: string): string => `
    var free: bool = true
    ${fairness}process P[i: I] {
        loop {
            try: skip;
            enter: when free { free := false }
            leave: free := true
        }
    }
`;

const SERVED = 'forall i in I: P[i] at enter leads to P[i] at leave';

const IDLE_BESIDE = `
    var x: I = 0
    process Q { loop { idle: skip } }
    process R { go: x := 1 }
`;

const TRAPS: readonly Trap[] = [
    {
        mistake: 'one instance is checked under the whole group',
        model: 'process P[i: I] { loop { a: skip; b: skip } }',
        property: 'forall i in I: infinitely often P[i] at b',
        verdict: 'violated',
    },
    {
        mistake: 'constraints stay where they are on edges',
        model: `
            var token: J = any
            process P[i: J] {
                loop {
                    choose { pass: when token == i { token := (i + 1) mod 3 } }
                    or { fair hold: when token == i {} }
                }
            }
        `,
        property: 'infinitely often (exists i in J: P[i] takes hold)',
        verdict: 'violated',
    },
    {
        mistake: 'an orbit counts as one constraint',
        model: `
            var moved: bool[I] = false
            fair process P[i: I] { loop { move: moved[i] := true } }
        `,
        property: 'eventually (forall i in I: moved[i])',
        verdict: 'holds',
    },
    {
        mistake: 'the formula is kept, and its atoms are exchanged',
        model: `
            var x: I = any
            process P { loop { flip: x := 1 - x } }
        `,
        property: '(eventually always x == 0) || (eventually always x == 1)',
        verdict: 'violated',
    },
    {
        mistake: 'finite runs are forgotten',
        model: `
            var x: I = 0
            process P { set: x := 1 }
        `,
        property: 'infinitely often x == 0',
        verdict: 'violated',
    },
    {
        mistake: 'a fault counts as possible or taken',
        model: `
            var x: I = 0
            process P { loop { choose { strong fair up: x := x + 1 } or { stay: skip } } }
        `,
        property: 'infinitely often P takes up',
        verdict: 'violated',
    },
    {
        mistake: 'no run goes through a state with faults only',
        model: `
            var x: I = 0
            process P { loop { up: x := x + 1 } }
        `,
        property: 'always x == 0',
        verdict: 'violated',
    },
    {
        // Without an assumption, and without `possible`, it is checked as an invariant.
        mistake: 'no run goes through a state with faults only, nor one that counts',
        model: `
            var x: I = 0
            process P { loop { up: x := x + 1 } }
            assume quiet = infinitely often true
        `,
        property: 'always x == 0',
        verdict: 'violated',
    },
    {
        mistake: 'there is one edge to a state, whoever moves',
        model: `
            var x: bool = any
            fair process P[i: I] { loop { flip: x := !x } }
        `,
        property: 'forall i in I: infinitely often P[i] takes flip',
        verdict: 'holds',
    },
    {
        mistake: 'a joint step belongs to its first participant',
        model: `
            event e
            process A { loop { choose { e } or { idle: skip } } }
            fair process B { loop { e } }
        `,
        property: 'infinitely often B takes e',
        verdict: 'holds',
    },
    {
        mistake: 'steps that change nothing are dropped',
        model: IDLE_BESIDE,
        property: 'eventually x == 1',
        verdict: 'violated',
    },
    {
        mistake: 'strong fairness is checked as weak',
        model: LOCK('strong fair '),
        property: SERVED,
        verdict: 'holds',
    },
    {
        mistake: 'weak fairness is checked as strong',
        model: LOCK('fair '),
        property: SERVED,
        verdict: 'violated',
    },
    {
        // The loop of three steps is over one stored state.
        mistake: 'the loop of the quotient is taken for a loop',
        model: `
            var turn: J = any
            process P[i: J] { loop { go: when turn == i { turn := (i + 1) mod 3 } } }
        `,
        property: 'exists i in J: eventually always turn != i',
        verdict: 'violated',
    },
    {
        mistake: 'a label is fair for each value of a choice',
        model: `
            var last: J = any
            process Picker { loop { choose i in J { strong fair pick: last := i } } }
        `,
        property: 'forall i in J: infinitely often last == i',
        verdict: 'violated',
    },
    {
        mistake: 'there is one initial state',
        model: `
            var x: bool[J] = any
            process P[i: J] {
                loop { clear: when x[i] && (exists j in J where j != i: x[j]) { x[i] := false } }
            }
        `,
        property: 'eventually count(i in J: x[i]) == 1',
        verdict: 'violated',
    },
    {
        // Up and down between 0 and 1 never come to where `out` is possible.
        mistake: 'an unfair component is given up, and not searched again',
        model: `
            var x: 0 .. 3 = 0
            process P {
                loop {
                    choose { up: when x < 2 { x := x + 1 } }
                    or { down: when x > 0 && x < 3 { x := x - 1 } }
                    or { strong fair out: when x == 2 { x := 3 } }
                    or { rest: when x == 3 {} }
                }
            }
        `,
        property: 'eventually x == 3',
        verdict: 'violated',
    },
    {
        mistake: 'of several firings to one orbit the permutation of one is kept',
        model: `
            var turn: J = any
            process P[i: J] {
                loop { choose j in J where j != i { pass: when turn == i { turn := j } } }
            }
        `,
        property: 'exists i in J: eventually always turn != i',
        verdict: 'violated',
    },
    {
        // Process 0 is done at the second step, process 1 never.
        mistake: 'instances are exchanged by symmetries that do not keep the start',
        model: `
            var turn: I = 0
            fair process P[i: I] { go: when turn == i {} done: skip }
        `,
        property: 'forall i in I: eventually P[i] at done',
        verdict: 'violated',
    },
    {
        mistake: 'what is possible for a member stays with it on edges',
        model: `
            var chosen: J? = none
            process P[i: J] { choose { pick: when chosen == none { chosen := i } } or { give: skip } }
        `,
        property: 'forall i in J: possible chosen == i',
        verdict: 'holds',
    },
];

const textOf = ({ model, property }: Pick<Trap, 'model' | 'property'>): string =>
    `${TYPES}${model}\nproperty p = ${property}\n`;

test.each(TRAPS)('$mistake: $verdict', async trap => {
    const analysis = await temporalAnalysis(textOf(trap));
    expect(verdictsOf(analysis, 'p')).toEqual(always(trap.verdict));
});

test.each(TRAPS)('$mistake: $verdict under a subgroup, and where members are followed', async trap => {
    const { sequential } = await temporalAnalysis(`${textOf(trap)}assume calm = infinitely often true\n`);
    for (const search of [onQuotientBySubgroup(), tracked(), tracked({ force: 'local' })]) {
        const answers = sequential!.properties[0]!.members.map(member => {
            const { verdict, lasso, member: shown = member } = search(sequential!, member);
            expect(lasso && checkLasso(sequential!, lasso, shown)).toBeUndefined();
            return verdict;
        });
        expect(answers.includes('violated') ? 'violated' : 'holds').toBe(trap.verdict);
        expect(answers).not.toContain('undecided');
    }
});

test('no pass removes a process beside the property, which may go on for ever', async () => {
    const analysis = await temporalAnalysis(`${TYPES}${IDLE_BESIDE}\nproperty p = eventually x == 1\n`);
    for (const reduction of REDUCTIONS) {
        const options = { reduction, properties: ['p'], passes: PASSES };
        const { exploration } = startExploration(analysis, options, UNLIMITED);
        exploration.advance(UNLIMITED);
        expect(exploration.result().report?.verdict).toBe('violated');
    }
});

/** From 1 there is a way back to 0, and one to 2, from where there is none. */
const ONE_WAY = (out: string): string => `
    var x: J = 0
    process P {
        loop {
            choose { up: when x == 0 { x := 1 } }
            or { down: when x == 1 { x := 0 } }
            or { ${out}: when x == 1 { x := 2 } }
            or { rest: when x == 2 {} }
        }
    }
`;

test('what is possible does not depend on fairness, but the runs that are looked at do', async () => {
    const verdict = async (out: string, rest: string): Promise<unknown> =>
        verdictsOf(await temporalAnalysis(`${TYPES}${ONE_WAY(out)}\n${rest}\n`), 'p');
    for (const out of ['out', 'fair out', 'strong fair out']) {
        // Fairness forces a run out of what it still can do.
        expect(await verdict(out, 'property p = x != 2 implies possible x == 0')).toEqual(always('holds'));
        expect(await verdict(out, 'property p = always (x != 2 implies possible x == 0)')).toEqual(always('holds'));
        expect(await verdict(out, 'property p = always possible x == 2')).toEqual(always('holds'));
        expect(await verdict(out, 'property p = always possible x == 0')).toEqual(always('violated'));
    }
    // Without a run to 2, from each state of a run there is a way back; that to 2 is there, but no run takes it.
    const never = 'assume never = eventually always x != 2\n';
    expect(await verdict('out', `${never}property p = always possible x == 0`)).toEqual(always('holds'));
    expect(await verdict('out', `${never}property p = always possible x == 2`)).toEqual(always('holds'));
});

test('a way through a fault is none', async () => {
    const text = `
        var x: I = 0
        process P[i: I] { loop { choose { up: x := x + 1 } or { stay: skip } } }
        property p = always possible x == 0
    `;
    expect(verdictsOf(await temporalAnalysis(TYPES + text), 'p')).toEqual(always('violated'));
});

test('assumptions that no run satisfies are told of, and every property holds', async () => {
    const text = (assumption: string): string =>
        `${TYPES}${IDLE_BESIDE}\nassume never = ${assumption}\nproperty p = eventually x == 1\n`;
    const impossible = await temporalAnalysis(text('infinitely often (x == 0 && x == 1)'));
    const possible = await temporalAnalysis(text('infinitely often x == 1'));
    for (const reduction of REDUCTIONS) {
        const { verdict, problems } = findingOf(impossible, 'p', reduction);
        expect([verdict, problems.map(({ code }) => code)]).toEqual(['holds', ['assume/no-run']]);
        expect(findingOf(possible, 'p', reduction)).toMatchObject({ verdict: 'holds', problems: [] });
    }
});

test('a step that a constraint cuts off is possible and never taken', async () => {
    const text = (fairness: string, property: string): string => `
        var x: 0 .. 9 = 0
        constraint x <= 2
        ${fairness}process Up { loop { up: x := x + 1 } }
        process Other { loop { skip } }
        property p = ${property}
    `;
    // Weakly fair, Up cannot stay at 2 without a step: no run is fair. If it could rest there, this one would be.
    const fair = await temporalAnalysis(TYPES + text('fair ', 'eventually x > 8'));
    for (const reduction of REDUCTIONS) {
        const { verdict, problems } = findingOf(fair, 'p', reduction);
        expect([verdict, problems.map(({ code }) => code)]).toEqual(['holds', ['assume/no-run']]);
    }
    // The violations are those of the model without the constraint.
    const verdict = async (property: string): Promise<unknown> =>
        verdictsOf(await temporalAnalysis(TYPES + text('', property)), 'p');
    expect(await verdict('eventually x > 8')).toEqual(always('violated'));
    expect(await verdict('eventually always x == 2')).toEqual(always('violated'));
    // What is possible is what can be reached within.
    expect(await verdict('always possible x == 2')).toEqual(always('holds'));
    expect(await verdict('always possible x == 3')).toEqual(always('violated'));
});

test('the negation of an until that is promised and never comes about holds', async () => {
    const text = (property: string): string => `
        var x: I = 0
        process P[i: I] { loop { stay: skip } }
        property p = ${property}
    `;
    expect(verdictsOf(await temporalAnalysis(TYPES + text('!(x == 0 until x == 1)')), 'p')).toEqual(always('holds'));
    expect(verdictsOf(await temporalAnalysis(TYPES + text('!(x == 0 weak until x == 1)')), 'p')).toEqual(
        always('violated'),
    );
});

test('two steps that mean the same are taken one by one', async () => {
    const text = (fairness: string, label: string): string => `
        var x: bool = any
        process P { loop { choose { ${fairness}a: x := !x } or { b: x := !x } } }
        property p = infinitely often P takes ${label}
    `;
    const verdict = async (fairness: string, label: string): Promise<unknown> =>
        verdictsOf(await temporalAnalysis(TYPES + text(fairness, label)), 'p');
    expect(await verdict('', 'a')).toEqual(always('violated'));
    expect(await verdict('fair ', 'a')).toEqual(always('holds'));
    expect(await verdict('fair ', 'b')).toEqual(always('violated'));
});
