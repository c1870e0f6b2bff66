/**
 * The hash by which elements are told apart that a state relates to others: a number for a class of elements and a number
 * for what is said of them make a new one. Who orders elements in another way than representative-by-refinement.ts has to
 * use the same numbers, for classes are put in the order of their hashes.
 */

const FIRST_FACTOR = 0x85ebca6b | 0;
const SECOND_FACTOR = 0xc2b2ae35 | 0;

/** The steps of `scramble`: the number is combined with itself, moved to the right, and multiplied. */
export const SCRAMBLE: readonly { readonly shift: number; readonly factor?: number }[] = [
    { shift: 16, factor: FIRST_FACTOR },
    { shift: 13, factor: SECOND_FACTOR },
    { shift: 16 },
];

/** What is added to a class that comes next in a relation, and to one of those that come in no order. */
export const MEANING_STEP = 1;
export const UNORDERED_STEP = 7;

/** A bijection of 32-bit numbers that scatters its argument. The finalizer of MurmurHash3. */
export function scramble(value: number): number {
    let mixed = value ^ (value >>> 16);
    mixed = Math.imul(mixed, FIRST_FACTOR);
    mixed ^= mixed >>> 13;
    mixed = Math.imul(mixed, SECOND_FACTOR);
    return mixed ^ (mixed >>> 16);
}
