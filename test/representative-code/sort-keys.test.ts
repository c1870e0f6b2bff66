/** A network of comparisons sorts everything if it sorts all sequences of zeros and ones (Knuth, volume 3, 5.3.4, theorem Z). */
import { expect, test } from 'vitest';
import { comparisons } from '../../engine/representative-code/sort-keys.js';

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 11])('the network of %i places sorts', count => {
    for (let bits = 0; bits < 2 ** count; bits++) {
        const places = Array.from({ length: count }, (_, i) => (bits >> i) & 1);
        const sorted = places.slice().sort();
        for (const [low, high] of comparisons(count)) {
            expect(low).toBeLessThan(high);
            const [first, second] = [places[low]!, places[high]!];
            places[low] = Math.min(first, second);
            places[high] = Math.max(first, second);
        }
        expect(places).toEqual(sorted);
    }
});
