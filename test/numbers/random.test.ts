/** Random models with numbers without end beside the same texts with a bound; see compare.ts. */
import { expect, test } from 'vitest';
import { numberModel } from '../arbitrary/number-models.js';
import { compare, type Comparison } from './compare.js';

const LIMITS = { bound: 8, classes: 1500, states: 8000 };

test('states with small numbers lie in the classes that are stored, and every run that is told is real', async () => {
    const results: Comparison[] = [];
    for (let seed = 0; seed < 24; seed++) {
        results.push(await compare(numberModel(seed), LIMITS));
    }
    const agreed = results.filter(result => result.kind === 'agreed');
    expect(agreed.length).toBeGreaterThan(12);
    expect(agreed.some(({ isExact }) => isExact)).toBe(true);
    expect(agreed.some(({ isExact }) => !isExact)).toBe(true);
    expect(agreed.some(({ group }) => group > 1n)).toBe(true);
    expect(new Set(agreed.map(({ verdict }) => verdict)).size).toBeGreaterThan(1);
});
