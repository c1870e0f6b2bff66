/** Random models with numbers without end beside the reference; see compare.ts. */
import { expect, test } from 'vitest';
import { numberModel } from '../arbitrary/number-models.js';
import { compare, type Comparison } from './compare.js';

const LIMITS = { bound: 8, classes: 1500, states: 8000 };

async function comparedFrom(first: number, count: number): Promise<Extract<Comparison, { kind: 'agreed' }>[]> {
    const results: Comparison[] = [];
    for (let seed = first; seed < first + count; seed++) {
        results.push(await compare(numberModel(seed), LIMITS));
    }
    return results.filter(result => result.kind === 'agreed');
}

test('the reference has no state, step, violation or verdict that the classes have not', async () => {
    const agreed = await comparedFrom(0, 16);
    expect(agreed.length).toBeGreaterThan(12);
    expect(agreed.some(({ isExact }) => isExact)).toBe(true);
    expect(agreed.some(({ isExact }) => !isExact)).toBe(true);
    expect(agreed.some(({ group }) => group > 1n)).toBe(true);
    expect(new Set(agreed.map(({ verdict }) => verdict)).size).toBeGreaterThan(1);
});

test('nor with more models', { tags: 'thorough', timeout: 600_000 }, async () => {
    expect((await comparedFrom(1000, 200)).length).toBeGreaterThan(150);
});
