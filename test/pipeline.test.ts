/** From a text to answers: what is checked under reduction is what is checked without it. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../engine/common/assert.js';
import { UNLIMITED } from '../engine/common/work-limit.js';
import type { Model } from '../engine/model/model.js';
import {
    analyze,
    findSymmetries,
    nameSymmetries,
    startExploration,
    type Analysis,
    type Reduction,
} from '../engine/pipeline.js';
import { loadModel } from '../language-server/load-model.js';
import { loadedModels } from './arbitrary/linear-models.js';

async function modelOf(text: string): Promise<Model> {
    const { model, problems } = await loadModel(text, 'file:///model.orbit');
    expect(problems).toEqual([]);
    invariant(model !== undefined, 'a model without problems is there');
    return model;
}

async function analysisOf(text: string): Promise<Analysis> {
    return analyze(await modelOf(text), { now: () => 0, workLimit: UNLIMITED });
}

/** What an exploration finds, of each kind once. */
function findingsOf(analysis: Analysis, reduction: Reduction, properties?: readonly string[]): string[] {
    const options = { reduction, continueAfterViolation: true, ...(properties === undefined ? {} : { properties }) };
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    invariant(report !== undefined, 'an exploration without limits has a report');
    return [...new Set(report.violations.map(({ kind, name }) => `${kind} ${name}`))].sort();
}

// Nothing ever happens here, so all values of x are alike unless what is found in a state tells them apart.
const FAULT_ON_THE_WAY_OUT = `
model FaultOnTheWayOut
type Bit = 0 .. 1
var x: Bit = any
process P { if 1 div (1 - x) > 5 { } }
invariant anything = x == x
`;

const STUCK_IN_ONE_STATE = `
model StuckInOneState
type Bit = 0 .. 1
var x: Bit = any
process P { if x == 1 { when false; } }
allow deadlock
`;

test.each([
    ['a fault on the way out', FAULT_ON_THE_WAY_OUT, ['deadlock'], ['fault division']],
    ['nothing where only the invariant is checked', FAULT_ON_THE_WAY_OUT, ['anything'], []],
    ['a deadlock', STUCK_IN_ONE_STATE.replace('allow deadlock', ''), ['deadlock'], ['deadlock deadlock']],
    ['nothing where deadlock is allowed', STUCK_IN_ONE_STATE, undefined, []],
])('reduction keeps %s', async (_, text, properties, findings) => {
    const analysis = await analysisOf(text);
    expect(findingsOf(analysis, 'none', properties)).toEqual(findings);
    expect(findingsOf(analysis, 'unique', properties)).toEqual(findings);
});

test('what the model does not state cannot be checked under reduction', async () => {
    const analysis = await analysisOf(STUCK_IN_ONE_STATE);
    // The symmetries need not keep it.
    expect(() => findingsOf(analysis, 'unique', ['deadlock'])).toThrow('what is checked is a property of the model');
});

test('what a line says of symmetries is what the report says', { timeout: 60_000 }, async () => {
    const alike = (model: Model): void => {
        const named = nameSymmetries(model, { now: () => 0, workLimit: UNLIMITED }).symmetry?.report;
        const report = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false }).symmetry?.report;
        expect(named).toEqual(
            report && {
                structure: report.structure,
                order: report.order,
                complete: report.complete,
                ...(report.heldFixed && { heldFixed: report.heldFixed }),
                verified: report.verified,
                refuted: report.refuted,
                // None of these models states a symmetry.
                assertions: [],
            },
        );
    };
    await fc.assert(
        fc.asyncProperty(loadedModels(), async load => {
            const model = await load();
            if (model !== undefined) {
                alike(model);
            }
        }),
        { numRuns: 30 },
    );
});

test(
    'where no state is found to try symmetries on, there is time left to say what they are',
    { timeout: 60_000 },
    async () => {
        // Fourteen birds in thirteen holes: to see that there is no way takes longer than anybody waits.
        const model = await modelOf(`
model Pigeons
type Hole = 1 .. 13
type Bird = 0 .. 13
var hole: Hole[Bird] = any
init forall a in Bird, b in Bird: a == b || hole[a] != hole[b]
process P { loop { go: when hole[0] == 1 { hole[0] := 2 } } }
allow deadlock
`);
        let questions = 0;
        const workLimit = { isExhausted: () => ++questions > 20_000 };
        const { symmetry } = nameSymmetries(model, { now: () => 0, workLimit });
        // All birds but the first, and all holes but the two that are named.
        expect(symmetry?.report).toMatchObject({ structure: 'S13 x S11', complete: true, verified: false });
        expect(questions).toBeLessThan(20_000);
    },
);

test('what is found is the same whether anything is said of it or not', async () => {
    const model = await modelOf(STUCK_IN_ONE_STATE.replace('allow deadlock', 'invariant low = x == 0'));
    const found = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED }).symmetry;
    const { symmetry } = analyze(model, { now: () => 0, workLimit: UNLIMITED });
    invariant(found !== undefined && symmetry !== undefined, 'a model without errors has symmetries');
    const { report } = symmetry;
    expect(found.group).toEqual(symmetry.group);
    expect(found.explorationGroup).toEqual(symmetry.explorationGroup);
    expect(found.propertyGroups.map(({ order }) => order.toString())).toEqual(
        report.properties.map(({ order }) => order),
    );
    expect(found).toMatchObject({ complete: report.complete, verified: report.verified, refuted: report.refuted });
});
