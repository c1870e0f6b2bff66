/**
 * The state as a generated function sees it at one point of a firing: long words in locals, of which some have changed.
 *
 * Constants that were written are not in the locals yet: each word has a mask of bits to clear and one of bits to set,
 * so that all constant updates of a word together are one `and` and one `or`. A cell is written as a whole, hence what
 * is pending either says what a cell holds or does not touch it. Temporaries have a local each, with their code, or -1.
 */
import { invariant } from '../common/assert.js';
import type { Placement, StateLayout } from '../explore/state-layout.js';
import { NO_VALUE } from '../model/domain.js';
import type { FunctionWriter, Local } from '../webassembly/function-writer.js';

/** The local that holds a word of the state before the step. */
export type Origin = (word: number) => Local;

interface ChangedWord {
    /** Its own local once it was written; before that, the local of the state before the step. */
    local: Local;
    isOwn: boolean;
    cleared: bigint;
    set: bigint;
}

export class StateCopy {
    readonly #f: FunctionWriter;
    readonly #layout: StateLayout;
    readonly #origin: Origin;
    readonly #words = new Map<number, ChangedWord>();
    readonly #temporaries = new Map<number, Local>();

    constructor(f: FunctionWriter, layout: StateLayout, origin: Origin) {
        this.#f = f;
        this.#layout = layout;
        this.#origin = origin;
    }

    /** Gives all locals back. */
    release(): void {
        for (const { local, isOwn } of this.#words.values()) {
            if (isOwn) {
                this.#f.release(local);
            }
        }
        for (const local of this.#temporaries.values()) {
            this.#f.release(local);
        }
    }

    /** The words that may differ from the state before the step. */
    changedWords(): number[] {
        return [...this.#words.keys()].sort((first, second) => first - second);
    }

    /** A temporary begins without a value. */
    declareTemporary(cell: number): void {
        if (!this.#temporaries.has(cell)) {
            const local = this.#f.acquire('i32');
            this.#temporaries.set(cell, local);
            this.#f.i32(NO_VALUE).set(local);
        }
    }

    isTemporary(cell: number): boolean {
        return this.#temporaries.has(cell);
    }

    /** Pushes the code of a temporary, -1 for none. */
    pushTemporary(cell: number): void {
        this.#f.get(this.#temporary(cell));
    }

    /** What is stored for a cell, its code plus its bias, where that is known; else undefined. */
    knownStored(cell: number): number | undefined {
        if (this.#temporaries.has(cell)) {
            return undefined;
        }
        const { word, shift, bits } = this.#layout.placements[cell];
        if (bits === 0) {
            return 0;
        }
        const changed = this.#words.get(word);
        if (changed === undefined || changed.cleared === 0n) {
            return undefined;
        }
        const mask = maskOf(bits) << BigInt(shift);
        if ((changed.cleared & mask) === 0n) {
            return undefined;
        }
        return Number((changed.set & mask) >> BigInt(shift));
    }

    /** Pushes what is stored for a cell, as an i32. */
    pushStored(cell: number): void {
        const f = this.#f;
        if (this.#temporaries.has(cell)) {
            f.get(this.#temporary(cell)).i32(1).op('i32_add');
            return;
        }
        const known = this.knownStored(cell);
        if (known !== undefined) {
            f.i32(known);
            return;
        }
        const { word, shift, bits } = this.#layout.placements[cell];
        f.get(this.#local(word));
        if (shift > 0) {
            f.i64(BigInt(shift)).op('i64_shr_u');
        }
        f.op('i32_wrap_i64');
        if (bits < 32 && shift + bits < 64) {
            f.i32(2 ** bits - 1).op('i32_and');
        }
    }

    /** Pushes the long word as it was before what is pending; only for cells that `knownStored` does not know. */
    pushUnchangedBits(word: number): void {
        this.#f.get(this.#local(word));
    }

    /** Pushes the long word with everything that was written. */
    pushWord(word: number): void {
        const changed = this.#words.get(word);
        this.#f.get(this.#local(word));
        if (changed !== undefined) {
            this.#applyPending(changed);
        }
    }

    writeConstant(cell: number, stored: number): void {
        if (this.#temporaries.has(cell)) {
            this.#f.i32(stored - 1).set(this.#temporary(cell));
            return;
        }
        const { word, shift, bits } = this.#layout.placements[cell];
        if (bits > 0) {
            const changed = this.#changed(word);
            const mask = maskOf(bits) << BigInt(shift);
            changed.cleared |= mask;
            changed.set = (changed.set & ~mask) | ((BigInt(stored) << BigInt(shift)) & mask);
        }
    }

    /** Writes what the local holds, an i32. */
    write(cell: number, stored: Local): void {
        const f = this.#f;
        if (this.#temporaries.has(cell)) {
            f.get(stored).i32(1).op('i32_sub').set(this.#temporary(cell));
            return;
        }
        const placement = this.#layout.placements[cell];
        const { word, shift, bits } = placement;
        if (bits === 0) {
            return;
        }
        const changed = this.#changed(word);
        const mask = maskOf(bits) << BigInt(shift);
        changed.cleared |= mask;
        changed.set &= ~mask;
        f.get(changed.local);
        this.#applyPending(changed);
        this.#pushFitting(stored, placement);
        f.op('i64_extend_i32_u');
        if (shift > 0) {
            f.i64(BigInt(shift)).op('i64_shl');
        }
        f.op('i64_or');
        this.#own(changed);
        f.set(changed.local);
    }

    /** Pushes the `bits` bits of a word from a shift on that a local holds, an i32. Nothing may be pending in the word. */
    pushShifted(word: number, shift: Local, bits: number): void {
        invariant((this.#words.get(word)?.cleared ?? 0n) === 0n, 'nothing is pending where an index chooses');
        this.#f.get(this.#local(word)).get(shift).op('i64_extend_i32_u', 'i64_shr_u', 'i32_wrap_i64');
        if (bits < 32) {
            this.#f.i32(2 ** bits - 1).op('i32_and');
        }
    }

    /** Writes a cell that lies as `placement` says, but at a shift that a local holds. Nothing may be pending in the word. */
    writeShifted(placement: Placement, shift: Local, stored: Local): void {
        const f = this.#f;
        const { word, bits } = placement;
        const changed = this.#changed(word);
        invariant(changed.cleared === 0n, 'nothing is pending where an index chooses');
        f.get(changed.local);
        f.i64(maskOf(bits)).get(shift).op('i64_extend_i32_u', 'i64_shl').i64(-1n).op('i64_xor', 'i64_and');
        this.#pushFitting(stored, placement);
        f.op('i64_extend_i32_u').get(shift).op('i64_extend_i32_u', 'i64_shl', 'i64_or');
        this.#own(changed);
        f.set(changed.local);
    }

    /**
     * A narrowed cell may be given a code that it never keeps and nobody reads: the step is then a fault, or does not
     * happen. Its neighbors must not notice.
     */
    #pushFitting(stored: Local, { bits, isNarrowed }: Placement): void {
        this.#f.get(stored);
        if (isNarrowed && bits < 32) {
            this.#f.i32(2 ** bits - 1).op('i32_and');
        }
    }

    /** Whether constants were written that are in no local yet. */
    hasPending(): boolean {
        for (const { cleared } of this.#words.values()) {
            if (cleared !== 0n) {
                return true;
            }
        }
        return false;
    }

    /** Leaves nothing pending in these words, so that the code that follows may run or not. */
    settle(words: Iterable<number>): void {
        for (const word of words) {
            const changed = this.#words.get(word);
            if (changed !== undefined && changed.cleared !== 0n) {
                this.#f.get(changed.local);
                this.#applyPending(changed);
                this.#own(changed);
                this.#f.set(changed.local);
                changed.cleared = 0n;
                changed.set = 0n;
            }
        }
    }

    /** Settles these words in locals of their own: code on either side of a branch then leaves them in the same place. */
    prepare(words: Iterable<number>): void {
        for (const word of words) {
            const changed = this.#changed(word);
            if (changed.cleared !== 0n) {
                this.settle([word]);
            } else if (!changed.isOwn) {
                this.#f.get(changed.local);
                this.#own(changed);
                this.#f.set(changed.local);
            }
        }
    }

    /** Adds what another copy of the same origin has written; the two wrote different cells. */
    unite(other: StateCopy): void {
        const f = this.#f;
        for (const [word, theirs] of other.#words) {
            const ours = this.#changed(word);
            if (theirs.isOwn) {
                f.get(ours.local);
                this.#applyPending(ours);
                f.get(theirs.local);
                this.#applyPending(theirs);
                f.op('i64_xor').get(this.#origin(word)).op('i64_xor');
                this.#own(ours);
                f.set(ours.local);
                ours.cleared = 0n;
                ours.set = 0n;
            } else {
                ours.cleared |= theirs.cleared;
                ours.set |= theirs.set;
            }
        }
    }

    /** Applies what is pending to the word on the stack. */
    #applyPending({ cleared, set }: ChangedWord): void {
        if ((cleared & ~set) !== 0n) {
            this.#f.i64(BigInt.asIntN(64, ~cleared)).op('i64_and');
        }
        if (set !== 0n) {
            this.#f.i64(BigInt.asIntN(64, set)).op('i64_or');
        }
    }

    #own(changed: ChangedWord): void {
        if (!changed.isOwn) {
            changed.local = this.#f.acquire('i64');
            changed.isOwn = true;
        }
        // What was pending is in the value that the caller stores next, but for `write`, which clears its cell before.
        changed.cleared = 0n;
        changed.set = 0n;
    }

    #local(word: number): Local {
        return this.#words.get(word)?.local ?? this.#origin(word);
    }

    #changed(word: number): ChangedWord {
        let changed = this.#words.get(word);
        if (changed === undefined) {
            changed = { local: this.#origin(word), isOwn: false, cleared: 0n, set: 0n };
            this.#words.set(word, changed);
        }
        return changed;
    }

    #temporary(cell: number): Local {
        const local = this.#temporaries.get(cell);
        invariant(local !== undefined, 'a temporary is declared where a firing begins');
        return local;
    }
}

/** The lowest `bits` bits. */
export function maskOf(bits: number): bigint {
    return (1n << BigInt(bits)) - 1n;
}
