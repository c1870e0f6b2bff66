/** An optional record of many values is copied field by field: nothing is too long to be compiled. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { startExploration } from '../../engine/pipeline.js';
import { analysisOf } from '../model-of-text.js';

const FILE = 'test/regressions/an-optional-record-of-many-values.orbit';
const TEXT = readFileSync(FILE, 'utf8');

/**
 * With both agents at the `choose`, `kept` is none or one of two messages: 3 states. An agent at `keep` holds one of two
 * messages, and `kept` is none or this very message: 2 × 2 × 2 states. *
 * Only the first state is its own image.
 */
test.each([
    ['none', 11],
    ['unique', 6],
] as const)('with reduction %s there are %d states, found by compiled code', async (reduction, states) => {
    const analysis = await analysisOf(TEXT);
    // The agents; and two fields that hold one value each, always together.
    expect(analysis.symmetry?.report.structure).toBe('C2 x C2');
    const { exploration, interpretedBecause } = startExploration(analysis, { reduction }, UNLIMITED);
    exploration.advance(UNLIMITED);
    expect(exploration.result().report).toMatchObject({ verdict: 'holds', states });
    expect(interpretedBecause).toBeUndefined();
});
