/** Numbers that look random and are the same on every run: the engine's results may not depend on chance. */

export interface Random {
    /** A whole number from 0 to `bound` - 1, each equally likely. `bound` is at most 2^31. */
    below(bound: number): number;
}

/** The generator `mulberry32` of Tommy Ettinger: 32 bits of state, good enough to scatter, not to keep secrets. */
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
