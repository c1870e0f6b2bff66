/** What is entered under a hash is found under it, and nothing else. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashChains } from '../../engine/common/hash-chains.js';

/** All things that are found under a hash. */
function listed(chains: HashChains, hash: number): number[] {
    const found: number[] = [];
    for (let index = chains.first(hash); index >= 0; index = chains.next(index)) {
        found.push(index);
    }
    return found.sort((a, b) => a - b);
}

test('each hash finds the things that were entered under it, also between numbers that were never entered', () => {
    const hashes = fc.array(fc.option(fc.oneof(fc.integer(), fc.integer({ min: -3, max: 3 }))), { maxLength: 400 });
    fc.assert(
        fc.property(hashes, list => {
            const chains = new HashChains();
            list.forEach((hash, index) => {
                if (hash !== null) {
                    chains.add(index, hash);
                }
            });
            for (const hash of [...list, 5, -2]) {
                const expected = list.flatMap((other, index) => (other === hash ? [index] : []));
                if (hash !== null) {
                    expect(listed(chains, hash)).toEqual(expected);
                }
            }
        }),
    );
});
