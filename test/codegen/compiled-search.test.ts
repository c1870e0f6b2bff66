import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED, type WorkLimit } from '../../engine/common/work-limit.js';
import { compileSearchOf } from '../../engine/codegen/compiled-search.js';
import { Exploration, type ExplorationOptions, type ExplorationResult } from '../../engine/explore/search.js';
import type { StateSearchFactory } from '../../engine/explore/state-search.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { randomModel } from '../arbitrary/engine-models.js';
import { diningPhilosophers, hanoi, peterson, semaphoreMutex, tokenRing } from '../arbitrary/published-models.js';
import { sequentialOf } from '../explore/explore-model.js';

function compiled(model: SequentialModel, { properties }: ExplorationOptions): StateSearchFactory | undefined {
    const code = compileSearchOf(model, properties);
    if (code.kind === 'interpreted') {
        expect(code.reason).toBe('an expression is too large');
        return undefined;
    }
    return code.search;
}

function explore(
    model: SequentialModel,
    options: ExplorationOptions,
    limit: WorkLimit = UNLIMITED,
): { result: ExplorationResult; levels: number[] } {
    const exploration = new Exploration(model, options);
    const levels: number[] = [];
    while (!exploration.advance(limit)) {
        const { depth, states } = exploration.progress();
        levels[depth] = states;
    }
    return { result: exploration.result(), levels };
}

/** Everything but what the states take in memory. */
function comparable({ report, problems }: ExplorationResult): unknown {
    return { ...report, bytesPerState: 0, peakBytes: 0, problems };
}

function compare(model: SequentialModel, options: ExplorationOptions): number {
    const search = compiled(model, options);
    if (search === undefined) {
        return 0;
    }
    const expected = comparable(explore(model, options).result);
    const { result } = explore(model, { ...options, search });
    expect(comparable(result), printSequentialModel(model)).toEqual(expected);
    return result.report?.states ?? 0;
}

const ALL: readonly ExplorationOptions[] = [
    {},
    { continueAfterViolation: true },
    { maxViolations: 2 },
    { maxStates: 7 },
    { continueAfterViolation: true, maxStates: 40 },
    { properties: ['deadlock'], continueAfterViolation: true },
];

test('the compiled search has the report of the interpreted one on random models', () => {
    let states = 0;
    fc.assert(
        fc.property(fc.gen(), fc.constantFrom(...ALL), (g, options) => {
            const { sequential } = linearize(randomModel(g));
            if (sequential !== undefined) {
                states += compare(sequential, { maxStates: 2000, ...options });
            }
        }),
        { numRuns: 300, endOnFailure: true },
    );
    expect(states).toBeGreaterThan(1000);
});

describe('published models', () => {
    test.each([
        ['dining philosophers', diningPhilosophers(8)],
        ['Peterson', peterson(4)],
        ['the semaphore', semaphoreMutex(10)],
        ['the token ring', tokenRing(4)],
        ['Hanoi', hanoi(6)],
    ])('%s', (_name, model) => {
        for (const options of ALL) {
            compare(sequentialOf(model), options);
        }
    });
});

test('the result does not depend on the slices', () => {
    const model = sequentialOf(diningPhilosophers(7));
    const options = { continueAfterViolation: true };
    const search = compiled(model, options);
    invariant(search !== undefined, 'this model is compiled');
    const whole = explore(model, { ...options, search });
    const again = compiled(model, options);
    invariant(again !== undefined, 'it is compiled a second time');
    const sliced = explore(model, { ...options, search: again }, { isExhausted: () => true });
    expect(comparable(sliced.result)).toEqual(comparable(whole.result));
    expect(sliced.levels.length).toBeGreaterThan(10);
});
