import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SequenceNumbering } from '../../../engine/graph/folding/sequence-numbering.js';

test('equal sequences get equal numbers, counted in the order of their first appearance', () => {
    fc.assert(
        fc.property(
            fc.array(fc.array(fc.integer({ min: -2, max: 3 }), { maxLength: 4 }), { maxLength: 200 }),
            sequences => {
                const numbering = new SequenceNumbering();
                const known: string[] = [];
                for (const sequence of sequences) {
                    if (!known.includes(sequence.join())) {
                        known.push(sequence.join());
                    }
                    sequence.forEach(entry => numbering.push(entry));
                    expect(numbering.finish()).toBe(known.indexOf(sequence.join()));
                }
                expect(numbering.count).toBe(known.length);
            },
        ),
    );
});
