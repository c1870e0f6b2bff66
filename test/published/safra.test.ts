/**
 * ewd998/EWD998PCal of the TLA+ Examples with three nodes, once with bags and once with arrays of counts: the states that its
 * `manifest.json` publishes for TLC, within the constraint. It has no symmetry.
 */
// @module-tag thorough
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { startExploration } from '../../engine/pipeline.js';
import { analysisOf } from '../model-of-text.js';

test('termination detection over a network without order has the published states in both texts', async () => {
    const reports = [];
    for (const form of ['bags', 'arrays']) {
        const analysis = await analysisOf(readFileSync(`test/published/safra-with-${form}.orbit`, 'utf8'));
        expect(analysis.symmetry?.report.structure).toBe('trivial');
        const { exploration } = startExploration(analysis, { reduction: 'none' }, UNLIMITED);
        exploration.advance(UNLIMITED);
        reports.push(exploration.result().report);
    }
    const [first, second] = reports;
    expect(first).toMatchObject({ verdict: 'holds', states: 321_370 });
    expect([second?.verdict, second?.states]).toEqual(['holds', 321_370]);
    expect([second?.transitions, second?.outside]).toEqual([first?.transitions, first?.outside]);
});
