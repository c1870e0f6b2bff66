import { expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';

test('the same seed gives the same numbers, another seed others', () => {
    const numbers = (seed: number): number[] => {
        const random = createRandom(seed);
        return Array.from({ length: 20 }, () => random.below(1000));
    };
    expect(numbers(7)).toEqual(numbers(7));
    expect(numbers(7)).not.toEqual(numbers(8));
});

test('numbers stay below their bound and reach all of it about equally often', () => {
    const random = createRandom(1);
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 6000; i++) {
        counts[random.below(6)]!++;
    }
    // Six standard deviations of a binomial with 6000 trials and probability 1/6 are about 173.
    counts.forEach(count => expect(Math.abs(count - 1000)).toBeLessThan(173));
});
