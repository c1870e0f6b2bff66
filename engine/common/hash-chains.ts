/**
 * Finds things by the hash of their content: the numbers 0, 1, 2, … of things in lists by their hashes.
 *
 * A map from hashes to lists would allocate a list for nearly every thing; here a thing costs three numbers.
 */

/** How many things there is room for at first; the arrays double when they are full. */
const INITIAL_CAPACITY = 64;

export class HashChains {
    private capacity = INITIAL_CAPACITY;
    /** By the last bits of a hash the number of a thing with such a hash, or -1. Length capacity. */
    private firstWith = new Int32Array(INITIAL_CAPACITY).fill(-1);
    /** By thing another one with the same last bits, or -1. */
    private after = new Int32Array(INITIAL_CAPACITY);
    private hashes = new Int32Array(INITIAL_CAPACITY);

    /** Enters the thing `index`, which must be greater than all before it. `hash` is a whole number of 32 bits. */
    add(index: number, hash: number): void {
        if (index >= this.capacity) {
            this.grow(index);
        }
        const bucket = hash & (this.capacity - 1);
        this.hashes[index] = hash;
        this.after[index] = this.firstWith[bucket];
        this.firstWith[bucket] = index;
    }

    /** Forgets all things. O(most things there have been), a few numbers a thing. */
    clear(): void {
        this.firstWith.fill(-1);
    }

    /** A thing with this hash, or -1. */
    first(hash: number): number {
        return this.within(this.firstWith[hash & (this.capacity - 1)], hash | 0);
    }

    /** The next thing with the hash of this one, in no particular order; -1 where it was the last one. */
    next(index: number): number {
        return this.within(this.after[index], this.hashes[index]);
    }

    private within(start: number, hash: number): number {
        let index = start;
        while (index >= 0 && this.hashes[index] !== hash) {
            index = this.after[index];
        }
        return index;
    }

    /** Things that were never entered are in no list: every list is gone through, not every number. */
    private grow(index: number): void {
        const { firstWith, after, hashes } = this;
        while (this.capacity <= index) {
            this.capacity *= 2;
        }
        this.firstWith = new Int32Array(this.capacity).fill(-1);
        this.after = new Int32Array(this.capacity);
        this.hashes = new Int32Array(this.capacity);
        this.hashes.set(hashes);
        for (let bucket = 0; bucket < firstWith.length; bucket++) {
            for (let entry = firstWith[bucket]; entry >= 0; entry = after[entry]) {
                const newBucket = hashes[entry] & (this.capacity - 1);
                this.after[entry] = this.firstWith[newBucket];
                this.firstWith[newBucket] = entry;
            }
        }
    }
}
