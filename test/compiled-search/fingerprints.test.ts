/** A search that stores fingerprints has the report of one that stores states: in small models no two have the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { compileSearchOf } from '../../engine/compiled-search/compiled-search.js';
import { Exploration, type ExplorationOptions } from '../../engine/explore/search.js';
import { bitsOfCell } from '../../engine/sequential/expression/code-range.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { linearModels } from '../arbitrary/linear-models.js';
import { diningPhilosophers, peterson, semaphoreMutex } from '../arbitrary/published-models.js';
import { binary, constant, toyModel } from '../arbitrary/toys.js';
import { sequentialOf } from '../explore/explore-model.js';

function explore(model: SequentialModel, options: ExplorationOptions): Exploration {
    const code = compileSearchOf(model, options);
    const exploration = new Exploration(model, {
        ...options,
        ...(code.kind === 'compiled' && { search: code.search }),
    });
    while (!exploration.advance(UNLIMITED));
    return exploration;
}

/** Everything but what the states take in memory, and how sure it is. */
function answerOf(exploration: Exploration): unknown {
    const { report, problems } = exploration.result();
    const { omissionProbability: _, ...rest } = { ...report };
    return { ...rest, peakBytes: 0, bytesPerState: 0, problems };
}

const SHARDS = { shards: { count: 3, fromStates: 1 } };

test.each([
    ['dining philosophers', sequentialOf(await diningPhilosophers(20)), 3000],
    ['Peterson', sequentialOf(await peterson(9)), 20_000],
    ['the semaphore', sequentialOf(await semaphoreMutex(64)), 20_000],
])('on %s, with states of several words', (_name, model, maxStates) => {
    expect(model.cells.reduce((sum, cell) => sum + bitsOfCell(cell), 0)).toBeGreaterThan(64);
    const options = { continueAfterViolation: true, maxStates };
    const expected = answerOf(explore(model, options));
    for (const shards of [{}, SHARDS]) {
        const found = explore(model, { ...options, ...shards, storesFingerprints: true });
        expect(answerOf(found)).toEqual(expected);
        const { report } = found.result();
        invariant(report?.omissionProbability !== undefined, 'it is said that it is not certain');
        expect(report.omissionProbability).toBeCloseTo(maxStates ** 2 / 2 ** 64, 12);
    }
});

test('on random models', async () => {
    let explored = 0;
    await fc.assert(
        fc.asyncProperty(linearModels(), fc.boolean(), async (load, isSharded) => {
            const sequential = await load();
            if (sequential === undefined) {
                return;
            }
            const options = { maxStates: 300, continueAfterViolation: true, ...(isSharded && SHARDS) };
            const found = explore(sequential, { ...options, storesFingerprints: true });
            expect(answerOf(found), printSequentialModel(sequential)).toEqual(answerOf(explore(sequential, options)));
            explored++;
        }),
        { numRuns: 20, endOnFailure: true },
    );
    expect(explored).toBeGreaterThan(10);
});

test('states that differ in two bits of two words have different fingerprints', () => {
    // Each pair of these bits, one in each word, is changed together: 20 times 20 states and the initial one.
    const bits = [0, 1, 7, 13, 14];
    const cells = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`c${index}`, 2 ** 15]));
    const names = Object.keys(cells);
    const model = toyModel({
        cells,
        initial: Object.fromEntries(names.map(name => [name, 0])),
        rules: ({ read, is, set }) =>
            names.slice(0, 4).flatMap(first =>
                names.slice(4).flatMap(second =>
                    bits.flatMap(one =>
                        bits.map(other => ({
                            when: names.map(name => is(name, 0)),
                            then: [
                                set(first, binary(read(first), '+', constant(2 ** one))),
                                set(second, constant(2 ** other)),
                            ],
                        })),
                    ),
                ),
            ),
    });
    expect(explore(model, {}).result().report?.states).toBe(1 + 20 * 20);
    expect(explore(model, { storesFingerprints: true }).result().report?.states).toBe(1 + 20 * 20);
});
