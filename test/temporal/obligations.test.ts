/** Alternatives `eventually always` as fairness: the same verdicts as by definition, with more symmetries. */
// @module-tag long
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findSymmetries, startExploration } from '../../engine/pipeline.js';
import type { PropertyMember, TemporalFormula } from '../../engine/sequential/sequential-model.js';
import { withObligations } from '../../engine/temporal/obligations.js';
import { skeletonOf } from '../arbitrary/temporal-formulas.js';
import { possibleSystemOf, temporalSystemOf } from '../arbitrary/temporal-systems.js';
import { cases } from '../cases.js';
import { modelOf } from '../model-of-text.js';
import { compare, disagreementOf } from './agreement.js';
import { OBLIGED, onAllStates, onQuotient, withObligation } from './searches.js';
import { always, findingOf, REDUCTIONS, temporalAnalysis, verdictsOf } from './text-verdicts.js';

/** `eventually always` the first atom, or the negation of the second, or at once the first. */
function alternativesOf(member: PropertyMember): PropertyMember {
    const settled = member.atoms.slice(0, 2).map((_, atom): TemporalFormula => {
        const right: TemporalFormula = { kind: 'atom', atom, isNegated: atom % 2 === 1 };
        return { kind: 'until', left: { kind: 'true' }, right: { kind: 'release', left: { kind: 'false' }, right } };
    });
    const formula: TemporalFormula = {
        kind: 'or',
        operands: [...settled, { kind: 'atom', atom: 0, isNegated: false }],
    };
    return { ...member, formula, skeleton: skeletonOf([formula], member.atoms) };
}

test('the verdicts are those of the definition', () => {
    const verdicts = { violated: 0, holds: 0, obliged: 0 };
    for (let seed = 0; seed < cases(60, 2); seed++) {
        const system = temporalSystemOf(seed);
        const properties = system.model.properties.map(property => ({
            ...property,
            members: property.members
                .filter(({ atoms }) => atoms.length > 1)
                .slice(0, 1)
                .map(alternativesOf),
        }));
        const model = { ...system.model, properties };
        for (const search of [onAllStates(), onQuotient()]) {
            const disagreement = disagreementOf({ ...system, model }, (of, member) => {
                const answer = withObligation(search)(of, member);
                verdicts.obliged += withObligations(of, member) === undefined ? 0 : 1;
                verdicts[answer.verdict === 'violated' ? 'violated' : 'holds']++;
                return answer;
            });
            expect(disagreement, `seed ${seed}`).toBeUndefined();
        }
    }
    expect(Math.min(verdicts.violated, verdicts.holds, verdicts.obliged)).toBeGreaterThan(10);
});

test('symmetries that exchange the alternatives are used', async () => {
    const model = await modelOf(`
type I = 0 .. 3
process P[i: I] { loop { choose { a: skip } or { b: skip } } }
property settles = exists i in I: eventually always !(P[i] takes b)
`);
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    const { exploration } = startExploration(analysis, { reduction: 'unique' }, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    expect(report?.properties).toMatchObject([{ verdict: 'violated', reduction: { order: '24' } }]);
    // Every process goes on taking \`b\`: a loop of one step for each.
    expect(report?.violations[0]?.trace).toHaveLength(5);
});

test('a property that holds since no run keeps all of them does not say that assumptions exclude every run', async () => {
    const model = await modelOf(`
type I = 0 .. 1
var winner: I = any
process P[i: I] { loop { stay: when winner == i } }
assume busy = infinitely often winner in {0, 1}
property settles = exists i in I: eventually always winner == i
`);
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    const { exploration } = startExploration(analysis, { reduction: 'unique' }, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report, problems } = exploration.result();
    // One state, in which the winner stays.
    expect(report?.properties).toMatchObject([{ verdict: 'holds', states: 1, reduction: { order: '2' } }]);
    expect(problems).toEqual([]);
});

test('what is possible for an alternative is what is possible for its image behind a step', () => {
    const counts = { violated: 0, held: 0, lassos: 0 };
    // While symmetries moved an alternative and not what is possible for it, one of the first thirty had a wrong lasso.
    for (let seed = 0; seed < cases(150); seed++) {
        const { violated, held, lassos, disagreements } = compare(possibleSystemOf(seed), OBLIGED);
        counts.violated += violated;
        counts.held += held;
        counts.lassos += lassos;
        expect(disagreements, `seed ${seed}`).toEqual([]);
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(cases(50));
});

/** A symmetry of the steps exchanges the processes; the start may keep it or not. */
const POSSIBLE = (start: string, property: string): string => `
type I = 0 .. 1
var x: 0 .. 2[I] = any
${start}
process P[i: I] { loop { choose { good: when x[i] == 2 { x[i] := 0 } } or { idle: when x[i] == 2 } } }
property p = ${property}
allow deadlock
`;
const ANYONE = 'init count(i in I: x[i] == 1) == 1\ninit count(i in I: x[i] == 2) == 1';
const FIRST = 'init x[0] == 1\ninit x[1] == 2';

// By hand: `x[i] == 1` stays for ever, and then 0 cannot be reached; the other one may stay at 2, from where 0 can.
test.each([
    [
        '(exists i in I: eventually always (x[i] == 1 && possible (x[i] == 0))) || eventually always (exists j in I: x[j] == 0)',
        'violated',
    ],
    ['exists i in I: eventually always (x[i] == 1 && !possible (x[i] == 0))', 'holds'],
    ['exists i in I: eventually always (x[i] == 2 && possible (x[i] == 0))', 'violated'],
    [
        '(exists i in I: eventually always (x[i] == 2 && possible (x[i] == 0))) || (exists i in I: infinitely often x[i] == 0)',
        'holds',
    ],
    [
        '(forall i in I: infinitely often !(x[i] == 2 && possible (x[i] == 0))) implies infinitely often (exists i in I: x[i] == 0)',
        'holds',
    ],
    [
        'forall k in I: (exists i in I where i != k: eventually always possible (x[i] == 0)) || eventually always (x[k] == 2 || x[k] == 0)',
        'holds',
    ],
    ['forall k in I: exists i in I where i != k: eventually always possible (x[i] == 0)', 'violated'],
] as const)('what is possible in an alternative: %s: %s', async (property, verdict) => {
    for (const start of [ANYONE, FIRST]) {
        expect(verdictsOf(await temporalAnalysis(POSSIBLE(start, property)), 'p')).toEqual(always(verdict));
    }
});

test('alternatives need no automaton, with symmetries or without', async () => {
    const text = `
type I = 0 .. 10
var x: I = any
process P { loop { r: x := (x + 1) mod 11 } }
property one = exists i in I: eventually always x != i
property each = forall k in 0 .. 1: exists i in I where i != k: eventually always x != i
`;
    const analysis = await temporalAnalysis(text);
    // The loop of eleven steps comes to each value. An automaton of the negation has 2^11 states and more.
    expect(verdictsOf(analysis, 'one')).toEqual(always('violated'));
    expect(verdictsOf(analysis, 'each')).toEqual(always('violated'));
});

test('assumptions that no run meets are told also of a property with alternatives', async () => {
    const text = `
type I = 0 .. 1
var x: I = any
process P { loop { flip: x := 1 - x } }
assume stays = eventually always x == 0
property p = exists i in I: eventually always x == i
`;
    const analysis = await temporalAnalysis(text);
    for (const reduction of REDUCTIONS) {
        const { verdict, problems } = findingOf(analysis, 'p', reduction);
        expect([verdict, problems.map(({ code }) => code)]).toEqual(['holds', ['assume/no-run']]);
    }
});

test('a loop that a symmetry takes on is told once, and comes near to the least', async () => {
    const analysis = await temporalAnalysis(`
type I = 0 .. 9
var x: I = any
process P[i: I] {
    loop {
        choose { on: when x == i { x := (i + 1) mod 10 } }
        or { back: when x == i { x := (i + 9) mod 10 } }
        or { stay: when x == i }
    }
}
property p = exists i in I: eventually always !(P[i] takes stay)
`);
    const { lasso, report } = findingOf(analysis, 'p', 'unique');
    expect(report.properties?.[0]?.states).toBe(1);
    // Each stays once and goes on once; before, the way round was gone ten times.
    expect(lasso?.firings).toHaveLength(20);
});
