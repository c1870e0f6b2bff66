/** Expansions beside searches of the engine, on random models; `npm run bench expansion` compares any number of them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { models, modelsWithAlikeInvariants } from '../arbitrary/models.js';
import { templateModels } from '../arbitrary/template-models.js';
import { unevenModels } from '../arbitrary/uneven-models.js';
import { modelOf } from '../model-of-text.js';
import { printModel } from '../reference/print.js';
import { analyzed, compare, compareTemplates, expansionOf, WAYS, type Compared } from './compare.js';

const STATE_LIMIT = 100;

test('random models have the counts of the engine, and a run to each violation', { timeout: 120_000 }, async () => {
    const found: Compared[] = [];
    const texts = fc.oneof(fc.oneof(models(), modelsWithAlikeInvariants()).map(printModel), unevenModels());
    await fc.assert(
        fc.asyncProperty(texts, fc.constantFrom(...WAYS), async (text, way) => {
            found.push(...[await compare(text, way, STATE_LIMIT)].filter(each => each !== undefined));
        }),
        { numRuns: 16 },
    );
    expect(found.length).toBeGreaterThan(6);
    expect(found.filter(({ order }) => order > 1n).length).toBeGreaterThan(0);
    expect(found.filter(({ findings }) => findings.length > 0).length).toBeGreaterThan(0);
});

test('random models with templates have them, too', { timeout: 120_000 }, async () => {
    let compared = 0;
    await fc.assert(
        fc.asyncProperty(templateModels(), async text => {
            compared += (await compareTemplates(text, STATE_LIMIT)) === undefined ? 0 : 1;
        }),
        { numRuns: 4 },
    );
    expect(compared).toBeGreaterThan(0);
});

test('a step that does not exist breaks a path, and so does a first state that is not initial', async () => {
    const analysis = analyzed(
        await modelOf('model M var x: 0 .. 5 = 0 process P { loop { when x < 5 { x := x + 1 } } }'),
    );
    invariant(analysis !== undefined, 'the model has no errors');
    const expansion = expansionOf(analysis, { reduction: 'none', passes: [] });
    // The only cell has the three highest bits.
    const at = (x: number): Uint32Array => Uint32Array.of(x << 29);
    expect(expansion.follow([at(0), at(1), at(3)])).toEqual({ kind: 'broken', index: 2 });
    expect(expansion.follow([at(1)])).toEqual({ kind: 'broken', index: 0 });
    const run = expansion.follow([at(0), at(1)]);
    invariant(run.kind === 'run', 'it is a path');
    expect(run.trace.map(({ state }) => state['x'])).toEqual([0, 1]);
    expect(run.finding).toBeUndefined();
});
