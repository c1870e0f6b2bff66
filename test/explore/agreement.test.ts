import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { Exploration } from '../../engine/explore/search.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { Model } from '../../engine/model/model.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { randomModel } from '../arbitrary/engine-models.js';
import { exploreReference } from '../reference/model-state-space.js';

test('linearization and exploration agree with the definition on random models', () => {
    let compared = 0;
    let violated = 0;
    let nontrivial = 0;
    fc.assert(
        fc.property(fc.gen(), g => {
            const model = randomModel(g);
            const { sequential, problems } = linearize(model);
            if (sequential === undefined) {
                expect(problems.map(problem => problem.code)).not.toContain('limit/paths');
                return;
            }
            const exploration = new Exploration(sequential, { continueAfterViolation: true, maxStates: 400 });
            exploration.advance(UNLIMITED);
            const { report } = exploration.result();
            if (report === undefined || report.limit !== undefined) {
                return;
            }
            compared++;
            const expected = exploreReference(model);
            const named = (kind: string): string[] => [
                ...new Set(report.violations.filter(found => found.kind === kind).map(found => found.name)),
            ];
            expect(
                {
                    states: report.states,
                    transitions: report.transitions,
                    depth: report.depth,
                    deadlocks: report.deadlocks,
                    faults: named('fault').sort(),
                    violated: named('invariant').sort(),
                },
                describeModel(model, sequential),
            ).toEqual({
                states: expected.states.size,
                transitions: expected.transitions,
                depth: expected.depth,
                deadlocks: expected.deadlocks.size,
                faults: [...expected.faults].sort(),
                violated: [...expected.violated].sort(),
            });
            violated += report.violations.length > 0 ? 1 : 0;
            nontrivial += report.states > 5 ? 1 : 0;
        }),
        { numRuns: 300, endOnFailure: true },
    );
    // Most models are accepted and small; many of them go wrong somewhere.
    expect(compared).toBeGreaterThan(150);
    expect(violated).toBeGreaterThan(50);
    expect(nontrivial).toBeGreaterThan(50);
});

/** What to read when they do not agree: the processes as data, and what they were turned into. */
function describeModel(model: Model, sequential: SequentialModel): string {
    const hidden = new Set(['range', 'labelRange', 'nameRange', 'documentation']);
    const processes = JSON.stringify(model.processes, (key, value: unknown) => (hidden.has(key) ? undefined : value));
    return `${processes}\n${printSequentialModel(sequential)}`;
}
