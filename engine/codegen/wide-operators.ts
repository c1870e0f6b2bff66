import type { SequentialBinaryOperator } from '../sequential/expression/arithmetic.js';
/** The operators on integers beyond 32 bits, which generated code asks its host to apply. */

/** The operators that `wideOperation` knows, by their numbers. */
export const WIDE_OPERATORS: readonly SequentialBinaryOperator[] = [
    '+',
    '-',
    '*',
    'div',
    'mod',
    'pow',
    'xor',
    'bitand',
    'bitor',
    'shl',
    'shr',
];
