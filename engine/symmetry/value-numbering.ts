/**
 * Between the numbering of values in groups and the codes in states: a group numbers only the values that can occur.
 */
import { invariant } from '../common/assert.js';
import type { LiteralPoints } from './model-symmetry.js';

export interface ValueNumbering {
    /** The numbers are the codes. */
    readonly isIdentity: boolean;
    /** From codes to numbers. "No value" (-1) stays, and so do the codes of a cell whose values are not listed. */
    readonly shrinkInto: (target: Int32Array, state: Readonly<Int32Array>) => void;
    readonly growInto: (target: Int32Array, numbers: Readonly<Int32Array>) => void;
}

export function valueNumbering({ codes }: LiteralPoints): ValueNumbering {
    const isUnlisted = codes.map(listed => listed.length === 0);
    const positions = codes.map(listed => {
        const positionOf = new Int32Array(Math.max(0, ...listed) + 1).fill(-1);
        listed.forEach((code, position) => (positionOf[code] = position));
        return positionOf;
    });
    return {
        isIdentity: codes.every(listed => listed.every((code, position) => code === position)),
        shrinkInto(target, state): void {
            for (let cell = 0; cell < codes.length; cell++) {
                target[cell] = state[cell] < 0 || isUnlisted[cell] ? state[cell] : positions[cell][state[cell]];
                invariant(state[cell] < 0 || target[cell] >= 0, 'reachable states hold values that can occur');
            }
        },
        growInto(target, numbers): void {
            for (let cell = 0; cell < codes.length; cell++) {
                target[cell] = numbers[cell] < 0 || isUnlisted[cell] ? numbers[cell] : codes[cell][numbers[cell]];
            }
        },
    };
}
