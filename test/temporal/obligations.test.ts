/** Alternatives `eventually always` as fairness: the same verdicts as by definition, with more symmetries. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findSymmetries, startExploration } from '../../engine/pipeline.js';
import type { PropertyMember, TemporalFormula } from '../../engine/sequential/temporal.js';
import { withObligations } from '../../engine/temporal/obligations.js';
import { skeletonOf } from '../arbitrary/temporal-formulas.js';
import { temporalSystemOf } from '../arbitrary/temporal-systems.js';
import { modelOf } from '../model-of-text.js';
import { disagreementOf } from './agreement.js';
import { onAllStates, onQuotient, withObligation } from './searches.js';

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
    for (let seed = 0; seed < 60; seed++) {
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
