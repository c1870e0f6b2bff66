/** Finds the indices 0, 1, 2, … of things by hashes of their content. The memory is three numbers for each thing. */

const INITIAL_CAPACITY = 64;

export class HashChains {
    private capacity = INITIAL_CAPACITY;
    /** By bucket, the last bits of a hash: the index of a thing in it, or -1. Length capacity. */
    private firstWith = new Int32Array(INITIAL_CAPACITY).fill(-1);
    /** By thing: another one in the same bucket, or -1. */
    private after = new Int32Array(INITIAL_CAPACITY);
    private hashes = new Int32Array(INITIAL_CAPACITY);

    /** Adds the thing `index`, which must be greater than all before it. `hash` is a 32-bit integer. */
    add(index: number, hash: number): void {
        if (index >= this.capacity) {
            this.grow(index);
        }
        const bucket = hash & (this.capacity - 1);
        this.hashes[index] = hash;
        this.after[index] = this.firstWith[bucket];
        this.firstWith[bucket] = index;
    }

    /** Removes all things. O(capacity). */
    clear(): void {
        this.firstWith.fill(-1);
    }

    /** A thing with this hash, or -1. */
    first(hash: number): number {
        return this.within(this.firstWith[hash & (this.capacity - 1)], hash | 0);
    }

    /** The next thing with the hash of this one, in no particular order, or -1. */
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

    /** Visits the things in buckets, because some indices may not have been added. */
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
