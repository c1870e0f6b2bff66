import { describe, expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { uniformModel, UNIFORM_SIZES } from '../arbitrary/uniform-models.js';
import { checkByRunning, instanceOf } from './runs.js';

/** `bench/uniform.ts` tries thousands. */
const MODELS = 60;

describe('on random models', () => {
    test('each proved generator is a symmetry at three sizes', async () => {
        const random = createRandom(Number(process.env['ORBIT_SEED'] ?? 2013));
        let generators = 0;
        for (let models = 0; models < MODELS;) {
            const text = uniformModel(random);
            const instances = await Promise.all(UNIFORM_SIZES.map(size => instanceOf(text, size)));
            // Half of the texts have an error of types.
            if (instances.includes(undefined)) {
                continue;
            }
            models++;
            for (const [position, instance] of instances.entries()) {
                generators += instance!.generators.length;
                expect(checkByRunning(instance!, 25).kind, `with ${String(UNIFORM_SIZES[position])}:\n${text}`).toBe(
                    'agrees',
                );
            }
        }
        // A generator of texts of which nothing is proved would test nothing.
        expect(generators).toBeGreaterThan(MODELS);
    }, 120_000);
});
