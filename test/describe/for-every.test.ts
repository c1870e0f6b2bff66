/** What is said of a proof for all values. */
import { expect, test } from 'vitest';
import { formatProof } from '../../engine/describe/for-every.js';

test('a proof says how long it took, whether it was checked again, and what it does not answer', () => {
    const proof = { forAll: ['N'], notForAll: [], exact: [], seconds: 2.4 };
    expect(formatProof({ ...proof, rechecked: true })).toBe('Holds for every N (proved in 2.4 s, checked again).');
    expect(formatProof({ ...proof, notForAll: ['served'], rechecked: false })).toBe(
        'Holds for every N (proved in 2.4 s); not for all: served.',
    );
});
