/** Temporal properties of random systems: the searches against the reference, and the reference against all lassos. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../cases.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import { checkLasso } from '../../engine/verify/check-lasso.js';
import { STRUCTURE_KINDS } from '../arbitrary/index-structures.js';
import {
    constrainedSystemOf,
    temporalSystemOf,
    temporalSystems,
    type TemporalSystem,
} from '../arbitrary/temporal-systems.js';
import { referenceVerdict, violationOf } from '../reference/temporal/check.js';
import { holdsOnLasso, isFairRun } from '../reference/temporal/lasso-evaluation.js';
import { lassosOf } from '../reference/temporal/lassos.js';
import { compare, disagreementOf, lassoOf, type VerdictOf } from './agreement.js';
import { SEARCH_COUNT, SEARCHES, twoSearches } from './searches.js';

/** `npm run bench temporal` compares any number of them. */
const SYSTEMS = cases(200);

test('the searches give the verdicts of the definition', () => {
    const counts = { violated: 0, held: 0, lassos: 0 };
    fc.assert(
        fc.property(temporalSystems(), fc.nat(SEARCH_COUNT - 1), (system, number) => {
            const { violated, held, lassos, disagreements } = compare(system, twoSearches(number));
            counts.violated += violated;
            counts.held += held;
            counts.lassos += lassos;
            if (disagreements.length > 0) {
                expect.fail(`${disagreements.join('\n')}\n${describe(system)}`);
            }
        }),
        { numRuns: SYSTEMS },
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(SYSTEMS / 2);
});

test('with a constraint, steps that lead outside are possible, and no run takes them', () => {
    const systems = Array.from({ length: cases(80) }, (_, seed) => constrainedSystemOf(seed));
    const compared = systems.map((system, seed) => {
        const comparison = compare(system, twoSearches(seed));
        expect(comparison.disagreements, describe(system)).toEqual([]);
        return comparison;
    });
    const sum = (count: (comparison: (typeof compared)[number]) => number): number =>
        compared.reduce((total, comparison) => total + count(comparison), 0);
    expect(
        Math.min(
            sum(({ violated }) => violated),
            sum(({ held }) => held),
        ),
    ).toBeGreaterThan(systems.length / 4);
    // Some state has no other steps, and some run is fair only if such steps are possible.
    expect(systems.some(({ graph }) => graph.leaving.some(firings => firings.length === 0))).toBe(true);
    const isOtherwise = ({ model, graph }: TemporalSystem): boolean => {
        const closed = { ...graph, outside: graph.outside.map(() => []) };
        return model.properties.some(({ members }) =>
            members.some(member => referenceVerdict(model, graph, member) !== referenceVerdict(model, closed, member)),
        );
    };
    expect(systems.some(isOtherwise)).toBe(true);
});

test.each([500_484, 501_199, 501_811])('system %i, about which a search was wrong once', seed => {
    expect(compare(temporalSystemOf(seed), SEARCHES).disagreements).toEqual([]);
});

function describe({ kind, model }: TemporalSystem): string {
    const { properties, fairness } = model;
    return `${kind}\n${printSequentialModel(model)}\n${JSON.stringify({ properties, fairness })}`;
}

test('a search that forgets fairness, or shows another run, is found out', () => {
    const systems = Array.from({ length: 30 }, (_, seed) => temporalSystemOf(seed));
    const isFoundOut = (verdictOf: (system: TemporalSystem) => VerdictOf): boolean =>
        systems.some(system => disagreementOf(system, verdictOf(system)) !== undefined);
    const answering =
        (change: (system: TemporalSystem) => TemporalSystem, shift: number) =>
        (system: TemporalSystem): VerdictOf =>
        (_, member) => {
            const { model, graph } = change(system);
            const violation = violationOf(model, graph, member);
            if (violation === undefined) {
                return { verdict: 'holds' };
            }
            const { states, firings, loopStart } = lassoOf(graph, violation);
            return { verdict: 'violated', lasso: { states, firings: firings.slice(shift), loopStart } };
        };
    expect(isFoundOut(answering(system => system, 0))).toBe(false);
    expect(isFoundOut(answering(system => system, 1))).toBe(true);
    const unfair = (system: TemporalSystem) => ({ ...system, model: { ...system.model, fairness: [] } });
    expect(isFoundOut(answering(unfair, 0))).toBe(true);
});

test('a lasso violates a property for the reference if and only if the check of lassos accepts it', () => {
    let violations = 0;
    fc.assert(
        fc.property(temporalSystems(), ({ model, graph }) => {
            for (const member of model.properties.flatMap(({ members }) => members)) {
                const violation = violationOf(model, graph, member);
                if (violation !== undefined) {
                    violations++;
                    expect(isFairRun(model, graph, violation)).toBe(true);
                    expect(holdsOnLasso(model, graph, violation, member)).toBe(false);
                    expect(checkLasso(model, lassoOf(graph, violation), member)).toBeUndefined();
                }
                let left = 20;
                for (const lasso of lassosOf(graph, 4)) {
                    const isViolation = isFairRun(model, graph, lasso) && !holdsOnLasso(model, graph, lasso, member);
                    expect(checkLasso(model, lassoOf(graph, lasso), member) === undefined).toBe(isViolation);
                    // One violation is enough for the verdict.
                    expect(isViolation && violation === undefined).toBe(false);
                    if (--left === 0) {
                        break;
                    }
                }
            }
        }),
        { numRuns: 40 },
    );
    expect(violations).toBeGreaterThan(30);
});

test('the systems have what they are for', () => {
    const systems = Array.from({ length: 200 }, (_, seed) => temporalSystemOf(seed));
    const share = (has: (system: TemporalSystem) => boolean): number => systems.filter(has).length / systems.length;
    for (const kind of STRUCTURE_KINDS) {
        expect(share(system => system.kind === kind)).toBeGreaterThan(0.05);
    }
    expect(share(({ model }) => model.summands.some(({ participants }) => participants.length > 1))).toBeGreaterThan(
        0.2,
    );
    expect(share(({ graph }) => graph.firings.some(({ summand }) => summand < 0))).toBeGreaterThan(0.1);
    expect(
        share(({ graph }) => graph.firings.some(({ from, to, summand }) => summand >= 0 && from === to)),
    ).toBeGreaterThan(0.3);
    for (const kind of ['weak', 'strong', 'assumption']) {
        expect(share(({ model }) => model.fairness.some(constraint => constraint.kind === kind))).toBeGreaterThan(0.1);
    }
    for (const kind of ['taken', 'possible']) {
        const isIn = ({ model }: TemporalSystem): boolean =>
            model.properties.some(({ members }) => members.some(({ atoms }) => atoms.some(atom => atom.kind === kind)));
        expect(share(isIn)).toBeGreaterThan(0.1);
    }
    for (const { model } of systems) {
        for (const { members } of model.properties) {
            expect(new Set(members.map(({ skeleton }) => skeleton)).size).toBeLessThanOrEqual(2);
        }
    }
});
