/** One flaw in a model of alike instances: without the places that the diagnostic names, they are alike again. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { analyze } from '../../engine/pipeline.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import { loadModel } from '../../language-server/load-model.js';
import { flawedModels } from '../arbitrary/models.js';
import { printModel } from '../reference/print.js';
import { neutralizeText } from './neutralize-text.js';

async function reportOf(text: string, explain: boolean): Promise<SymmetryReport> {
    const { model, problems } = await loadModel(text, 'test:/model.orbit');
    if (model === undefined) {
        throw new Error(`${problems[0]?.message ?? 'no model'} in\n${text}`);
    }
    const { symmetry, problems: others } = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain });
    if (symmetry === undefined) {
        throw new Error(`${others[0]?.message ?? 'no symmetry'} in\n${text}`);
    }
    return symmetry.report;
}

function allAlike(report: SymmetryReport): boolean {
    return report.families.every(({ orbits }) => orbits.length === 1);
}

test('what is named as the reason for a missing symmetry is the reason', { timeout: 240_000 }, async () => {
    let broken = 0;
    let explained = 0;
    let tried = 0;
    await fc.assert(
        fc.asyncProperty(flawedModels(), async ({ whole, flawed }) => {
            const without = await reportOf(printModel(whole), true);
            expect(allAlike(without), `the instances are alike in\n${printModel(whole)}`).toBe(true);
            expect(without.broken).toEqual([]);

            const text = printModel(flawed);
            const report = await reportOf(text, true);
            if (allAlike(report)) {
                expect(report.broken).toEqual([]);
                return;
            }
            broken++;
            if (report.broken.length === 0) {
                return;
            }
            explained++;
            const edited = neutralizeText(
                text,
                report.broken.flatMap(({ locations }) => locations.map(({ range }) => range)),
            );
            if (edited === undefined) {
                return;
            }
            tried++;
            const again = await reportOf(edited, false);
            expect(
                allAlike(again),
                `without ${report.broken.map(({ message }) => message).join()} the instances are not alike in\n${edited}`,
            ).toBe(true);
        }),
        { numRuns: 15 },
    );
    expect(broken).toBeGreaterThanOrEqual(5);
    expect(explained / broken).toBeGreaterThanOrEqual(0.9);
    // About four in five can be written down without their places; few are drawn here.
    expect(tried / explained).toBeGreaterThanOrEqual(0.65);
});
