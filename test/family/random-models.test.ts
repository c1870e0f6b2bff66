import { describe, expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { uniformModel, UNIFORM_SIZES } from '../arbitrary/sort-models.js';
import { checkByRunning, instanceOf, orderOf } from './runs.js';

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

describe('on messages with arrays', () => {
    /** Each process sends itself; `sent` is a record that begins like its type. */
    const sending = (fields: string, sent: string): string => `
        param N: 2 .. 5 = 3
        type T = 1 .. N
        type Two = 0 .. 1
        record M = { ${fields} }
        channel c: 1 of M
        var got: M
        process P[i: T] { loop { choose { c ! M(${sent}) } or { c ? got } } }
        allow deadlock`;
    const SIZE = [['N', '4']] as const;

    test('values behind an array are exchanged', async () => {
        const instance = await instanceOf(sending('flags: bool[Two], who: T', '[true, false], i'), SIZE);
        // `got` begins with the first process, so that three are alike.
        expect(orderOf(instance!)).toBe(6n);
        expect(checkByRunning(instance!, 25).kind).toBe('agrees');
    });

    test('what moves the elements of an array is not tried', async () => {
        const instance = await instanceOf(sending('flags: bool[T]', '[j in T: i == j]'), SIZE);
        expect(orderOf(instance!)).toBe(1n);
        expect(checkByRunning(instance!, 25).kind).toBe('agrees');
    });
});
