/**
 * Finds things by the hash of their content: the numbers 0, 1, 2, … of things in lists by their hashes.
 *
 * A map from hashes to lists would allocate a list for nearly every thing; here a thing costs three numbers.
 */

/** How many things there is room for at first; the arrays double when they are full. */
const INITIAL_CAPACITY = 64;

export class HashChains {
    private capacity = INITIAL_CAPACITY;
    /** By the last bits of a hash the number of the last thing with such a hash, or -1. Length capacity. */
    private lastWith = new Int32Array(INITIAL_CAPACITY).fill(-1);
    /** By thing the one before it with the same last bits, or -1. */
    private before = new Int32Array(INITIAL_CAPACITY);
    private hashes = new Int32Array(INITIAL_CAPACITY);

    /** Enters the thing `index`, which must be greater than all before it. `hash` is a whole number of 32 bits. */
    add(index: number, hash: number): void {
        if (index >= this.capacity) {
            this.grow(index);
        }
        const bucket = hash & (this.capacity - 1);
        this.hashes[index] = hash;
        this.before[index] = this.lastWith[bucket];
        this.lastWith[bucket] = index;
    }

    /** The last thing with this hash, or -1. */
    last(hash: number): number {
        return this.within(this.lastWith[hash & (this.capacity - 1)], hash);
    }

    /** The thing before `index` with the same hash, or -1. */
    previous(index: number): number {
        return this.within(this.before[index], this.hashes[index]);
    }

    private within(start: number, hash: number): number {
        let index = start;
        while (index >= 0 && this.hashes[index] !== hash) {
            index = this.before[index];
        }
        return index;
    }

    /** Things that were never entered are in no list: every list is gone through, not every number. */
    private grow(index: number): void {
        const { lastWith, before, hashes } = this;
        while (this.capacity <= index) {
            this.capacity *= 2;
        }
        this.lastWith = new Int32Array(this.capacity).fill(-1);
        this.before = new Int32Array(this.capacity);
        this.hashes = new Int32Array(this.capacity);
        this.hashes.set(hashes);
        for (let bucket = 0; bucket < lastWith.length; bucket++) {
            for (let entry = lastWith[bucket]; entry >= 0; entry = before[entry]) {
                const newBucket = hashes[entry] & (this.capacity - 1);
                this.before[entry] = this.lastWith[newBucket];
                this.lastWith[newBucket] = entry;
            }
        }
    }
}
