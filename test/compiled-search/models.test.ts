/** The models of the repository, explored by generated code and by the interpreter: one report. */
// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { startExploration, type Analysis, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { cases } from '../cases.js';
import { analysisOf } from '../model-of-text.js';

function explore(
    analysis: Analysis,
    options: ReducedExplorationOptions,
): { report: ExplorationReport; interpretedBecause: string | undefined } {
    const { exploration, interpretedBecause } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    invariant(report !== undefined, 'an exploration without limits has a report');
    return { report: { ...report, bytesPerState: 0, peakBytes: 0 }, interpretedBecause };
}

const names = readdirSync('models').filter(file => file.endsWith('.orbit'));

test.each(names)('%s', async file => {
    const analysis = await analysisOf(readFileSync(`models/${file}`, 'utf8'));
    const base = { continueAfterViolation: true, maxStates: cases(30_000, 15) };
    for (const options of [
        { ...base, reduction: 'none' },
        { ...base, reduction: 'unique' },
        { reduction: 'none', maxStates: 1000 },
        { ...base, reduction: 'auto', continueAfterViolation: false },
    ] satisfies ReducedExplorationOptions[]) {
        const expected = explore(analysis, { ...options, isInterpreted: true });
        const actual = explore(analysis, options);
        expect(actual.interpretedBecause).toBeUndefined();
        expect(expected.interpretedBecause).toBe('this was asked for');
        expect(actual.report).toEqual(expected.report);
    }
});
