/** Pseudorandom numbers that are the same on every run. */

export interface Random {
    /** A whole number from 0 to `bound` - 1, each equally likely. `bound` is at most 2^31. */
    below(bound: number): number;
}

/** The generator `mulberry32` of Tommy Ettinger: 32 bits of state, not for cryptography. */
export function createRandom(seed: number): Random {
    let state = seed | 0;
    return {
        below(bound: number): number {
            state = (state + 0x6d2b79f5) | 0;
            let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
            mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
            return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * bound);
        },
    };
}
