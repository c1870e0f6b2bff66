/** Reasons of the violations of random models: there is one, and what it says of variables is so in the trace. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextOf } from '../../engine/common/source-text.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { formatPlainValue } from '../../engine/describe/words.js';
import { startExploration } from '../../engine/pipeline.js';
import type { ReasonLine } from '../../engine/reasons/reason.js';
import { models } from '../arbitrary/models.js';
import { analysisOf } from '../model-of-text.js';
import { printModel } from '../reference/print.js';

const MODELS = 40;
const MOST_STATES = 300;

function textsOf(lines: readonly ReasonLine[]): readonly string[] {
    return lines.flatMap(({ text, alike }) => [text, ...textsOf(alike?.lines ?? [])]);
}

test(
    'each violation has a reason, and the values in it are those of the last state',
    { timeout: 240_000 },
    async () => {
        const seen = { violations: 0, values: 0 };
        await fc.assert(
            fc.asyncProperty(models().map(printModel), fc.constantFrom('unique', 'none'), async (text, reduction) => {
                const options = { reduction, maxStates: MOST_STATES, continueAfterViolation: true } as const;
                const started = startExploration(await analysisOf(text), options, UNLIMITED);
                started.exploration.advance(UNLIMITED);
                for (const violation of started.exploration.result().report?.violations ?? []) {
                    const texts = textsOf(
                        started.reasonOf(
                            violation,
                            createTextOf(() => text),
                        ),
                    );
                    seen.violations++;
                    expect(texts, violation.name).not.toEqual([]);
                    const { state } = violation.trace[violation.trace.length - 1]!;
                    for (const line of violation.kind === 'fault' ? [] : texts) {
                        expect((line.match(/`/g) ?? []).length % 2, line).toBe(0);
                        for (const [, name = '', value] of line.matchAll(/`([^`]+)` (?:is|=) (-?\w+)(?=,|\)|;|$)/g)) {
                            if (state[name] !== undefined) {
                                seen.values++;
                                expect(value, line).toBe(formatPlainValue(state[name], '').match(/^-?\w+/)?.[0]);
                            }
                        }
                    }
                }
            }),
            { numRuns: MODELS },
        );
        expect(seen.violations).toBeGreaterThan(10);
        expect(seen.values).toBeGreaterThan(5);
    },
);
