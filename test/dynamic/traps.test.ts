/** The traps of traps.ts, by the reference implementation. */
import { expect, test } from 'vitest';
import { referenceResult } from '../reference/classes.js';
import { TRAPS } from './traps.js';

test.each(TRAPS)('$name', ({ text, classes, deadlocks, symmetric = [], mostLive }) => {
    const result = referenceResult(text, 100, { symmetric })!;
    expect(result.faults).toEqual([]);
    expect(result.classes).toBe(classes);
    expect(result.deadlocks).toBe(deadlocks);
    expect(result.mostLive).toEqual(mostLive ?? result.mostLive);
});
