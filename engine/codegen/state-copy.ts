/**
 * The state at one point of a firing in generated code: long words in variables, some of them changed.
 *
 * Constants that were written are pending: for each word a mask of bits to clear and one of bits to set, so that they
 * take one `and` and one `or`. A cell is pending as a whole or not at all. A temporary has a variable of its own with
 * its code or -1. Values must be used before the next change of the copy.
 */
import { invariant } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import type { Placement, StateLayout } from '../explore/state-layout.js';
import { NO_VALUE } from '../model/domain.js';
import { type FunctionBody, i32, i64, type Int, type Long, type WasmVariable } from '../webassembly/function-body.js';

interface ChangedWord {
    /** The own variable after a write; before that the variable of the original word. */
    variable: WasmVariable<'i64'>;
    isOwn: boolean;
    cleared: bigint;
    set: bigint;
}

export class StateCopy {
    readonly #f: FunctionBody;
    readonly #layout: StateLayout;
    /** By word: the variable with its value before the step. */
    readonly #origin: (word: number) => WasmVariable<'i64'>;
    readonly #words = new Map<number, ChangedWord>();
    readonly #temporaries = new Map<number, WasmVariable<'i32'>>();

    constructor(f: FunctionBody, layout: StateLayout, origin: (word: number) => WasmVariable<'i64'>) {
        this.#f = f;
        this.#layout = layout;
        this.#origin = origin;
    }

    release(): void {
        for (const { variable, isOwn } of this.#words.values()) {
            if (isOwn) {
                this.#f.release(variable);
            }
        }
        for (const variable of this.#temporaries.values()) {
            this.#f.release(variable);
        }
    }

    /** The words that may differ from the state before the step. */
    changedWords(): number[] {
        return [...this.#words.keys()].sort((first, second) => first - second);
    }

    /** A temporary begins without a value. */
    declareTemporary(cell: number): void {
        if (!this.#temporaries.has(cell)) {
            const variable = this.#f.acquire('i32');
            this.#temporaries.set(cell, variable);
            variable.set(NO_VALUE);
        }
    }

    isTemporary(cell: number): boolean {
        return this.#temporaries.has(cell);
    }

    /** The code of a temporary, -1 for none. */
    temporary(cell: number): WasmVariable<'i32'> {
        const variable = this.#temporaries.get(cell);
        invariant(variable !== undefined, 'a temporary is declared where a firing begins');
        return variable;
    }

    /** The number stored for a cell, its code plus its bias, if it is known. */
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

    /** The number stored for a cell. */
    stored(cell: number): Int {
        if (this.#temporaries.has(cell)) {
            return this.temporary(cell).plus(1);
        }
        const known = this.knownStored(cell);
        if (known !== undefined) {
            return i32(known);
        }
        const { word, shift, bits } = this.#layout.placements[cell];
        const shifted = this.unchanged(word).shiftedRight(BigInt(shift)).toInt();
        return bits < 32 && shift + bits < 64 ? shifted.and(2 ** bits - 1) : shifted;
    }

    /** The long word without pending changes; only for cells without a `knownStored`. */
    unchanged(word: number): Long {
        return this.#words.get(word)?.variable ?? this.#origin(word);
    }

    /** The long word with all changes. */
    word(word: number): Long {
        const changed = this.#words.get(word);
        return changed === undefined ? this.#origin(word) : updated(changed);
    }

    writeConstant(cell: number, stored: number): void {
        if (this.#temporaries.has(cell)) {
            this.temporary(cell).set(stored - 1);
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

    write(cell: number, stored: Int): void {
        if (this.#temporaries.has(cell)) {
            this.temporary(cell).set(stored.minus(1));
            return;
        }
        const placement = this.#layout.placements[cell];
        const { word, shift, bits } = placement;
        if (bits > 0) {
            const changed = this.#changed(word);
            const mask = maskOf(bits) << BigInt(shift);
            changed.cleared |= mask;
            changed.set &= ~mask;
            const bitsOfCell = fitting(stored, placement).toLong().shiftedLeft(BigInt(shift));
            this.#setWord(changed, updated(changed).or(bitsOfCell));
        }
    }

    /** The number in the `bits` bits of a word from a shift on. The word must have no pending changes. */
    storedAt(word: number, shift: Int, bits: number): Int {
        invariant((this.#words.get(word)?.cleared ?? 0n) === 0n, 'nothing is pending where an index chooses');
        const shifted = this.unchanged(word).shiftedRight(shift.toLong()).toInt();
        return bits < 32 ? shifted.and(2 ** bits - 1) : shifted;
    }

    /** Writes a cell like that of `placement` at another shift. The word must have no pending changes. */
    writeAt(placement: Placement, shift: Int, stored: Int): void {
        const changed = this.#changed(placement.word);
        invariant(changed.cleared === 0n, 'nothing is pending where an index chooses');
        const mask = i64(maskOf(placement.bits)).shiftedLeft(shift.toLong());
        const bitsOfCell = fitting(stored, placement).toLong().shiftedLeft(shift.toLong());
        this.#setWord(changed, changed.variable.and(mask.xor(-1n)).or(bitsOfCell));
    }

    hasPending(): boolean {
        return [...this.#words.values()].some(({ cleared }) => cleared !== 0n);
    }

    /** Completes pending changes of these words, for code that may be skipped. */
    settle(words: Iterable<number>): void {
        for (const word of words) {
            const changed = this.#words.get(word);
            if (changed !== undefined && changed.cleared !== 0n) {
                this.#setWord(changed, updated(changed));
            }
        }
    }

    /** Settles these words in variables of their own, the same ones for both sides of a branch. */
    prepare(words: Iterable<number>): void {
        for (const word of words) {
            const changed = this.#changed(word);
            if (changed.cleared !== 0n || !changed.isOwn) {
                this.#setWord(changed, updated(changed));
            }
        }
    }

    /** Adds the changes of another copy of the same origin; the two wrote different cells. */
    unite(other: StateCopy): void {
        for (const [word, theirs] of other.#words) {
            const ours = this.#changed(word);
            if (theirs.isOwn) {
                this.#setWord(ours, updated(ours).xor(updated(theirs)).xor(this.#origin(word)));
            } else {
                ours.cleared |= theirs.cleared;
                ours.set |= theirs.set;
            }
        }
    }

    /** Gives a word a value in which nothing is pending. */
    #setWord(changed: ChangedWord, value: Long): void {
        if (!changed.isOwn) {
            changed.variable = this.#f.acquire('i64');
            changed.isOwn = true;
        }
        changed.variable.set(value);
        changed.cleared = 0n;
        changed.set = 0n;
    }

    #changed(word: number): ChangedWord {
        const make = (): ChangedWord => ({ variable: this.#origin(word), isOwn: false, cleared: 0n, set: 0n });
        return remembered(this.#words, word, make);
    }
}

export function maskOf(bits: number): bigint {
    return (1n << BigInt(bits)) - 1n;
}

function updated({ variable, cleared, set }: ChangedWord): Long {
    return variable.and(~(cleared & ~set)).or(set);
}

/** A narrowed cell may be given a code that it never keeps, in a step that is a fault or does not happen. */
function fitting(stored: Int, { bits, isNarrowed }: Placement): Int {
    return isNarrowed && bits < 32 ? stored.and(2 ** bits - 1) : stored;
}
