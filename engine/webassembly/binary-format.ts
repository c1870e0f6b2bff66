/** The WebAssembly binary format: numbers, types, instructions. [WebAssembly Core Specification 2.0, chapter 5] */

export type ValueType = 'i32' | 'i64' | 'f64';

export const TYPE_CODE: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c };

/** The type of a block that leaves nothing. */
export const NO_RESULT = 0x40;

/** The instructions that the compiler uses, by their names in the specification. */
// prettier-ignore
export const OPCODE = {
    unreachable: 0x00, block: 0x02, loop: 0x03, if: 0x04, else: 0x05, end: 0x0b, br: 0x0c, br_if: 0x0d, br_table: 0x0e,
    return: 0x0f, call: 0x10, drop: 0x1a, select: 0x1b,
    local_get: 0x20, local_set: 0x21, local_tee: 0x22,
    i32_load: 0x28, i64_load: 0x29, i32_load8_u: 0x2d, i32_store: 0x36, i64_store: 0x37, i32_store8: 0x3a, i32_store16: 0x3b,
    i32_const: 0x41, i64_const: 0x42, f64_const: 0x44,
    i32_eqz: 0x45, i32_eq: 0x46, i32_ne: 0x47, i32_lt_s: 0x48, i32_lt_u: 0x49, i32_gt_s: 0x4a, i32_gt_u: 0x4b,
    i32_le_s: 0x4c, i32_le_u: 0x4d, i32_ge_s: 0x4e, i32_ge_u: 0x4f,
    i64_eqz: 0x50, i64_eq: 0x51, i64_ne: 0x52, i64_lt_u: 0x54,
    f64_eq: 0x61, f64_ne: 0x62, f64_lt: 0x63, f64_gt: 0x64, f64_le: 0x65, f64_ge: 0x66,
    i32_add: 0x6a, i32_sub: 0x6b, i32_mul: 0x6c, i32_div_s: 0x6d, i32_rem_s: 0x6f, i32_and: 0x71, i32_or: 0x72,
    i32_xor: 0x73, i32_shl: 0x74, i32_shr_s: 0x75, i32_shr_u: 0x76,
    i64_ctz: 0x7a, i64_popcnt: 0x7b,
    i64_add: 0x7c, i64_sub: 0x7d, i64_mul: 0x7e, i64_and: 0x83, i64_or: 0x84, i64_xor: 0x85, i64_shl: 0x86, i64_shr_u: 0x88, i64_rotl: 0x89,
    f64_abs: 0x99, f64_neg: 0x9a, f64_add: 0xa0, f64_sub: 0xa1, f64_mul: 0xa2, f64_min: 0xa4, f64_max: 0xa5,
    i32_wrap_i64: 0xa7, i32_trunc_f64_s: 0xaa, i64_extend_i32_u: 0xad, f64_convert_i32_s: 0xb7, f64_convert_i32_u: 0xb8,
} as const;

export type Instruction = keyof typeof OPCODE;

/** The prefix of atomic instructions (threads proposal, "Atomic Memory Accesses"). */
export const ATOMIC_PREFIX = 0xfe;

/** The atomic instructions in use, and their alignment as a power of two. */
export const ATOMIC = {
    i64_atomic_load: { code: 0x11, alignment: 3 },
    /** Address, expected and new value: stores the new value if the expected one is there; returns the old value. */
    i64_atomic_rmw_cmpxchg: { code: 0x49, alignment: 3 },
    /** Address and bits: sets the bits; returns the old value. */
    i32_atomic_rmw8_or_u: { code: 0x35, alignment: 0 },
} as const;

export class ByteWriter {
    #bytes: Uint8Array;
    #length = 0;

    constructor(capacity = 256) {
        this.#bytes = new Uint8Array(capacity);
    }

    get length(): number {
        return this.#length;
    }

    truncate(length: number): void {
        this.#length = Math.min(this.#length, length);
    }

    /** The bytes written so far; valid until the next one is written. */
    bytes(): Uint8Array {
        return this.#bytes.subarray(0, this.#length);
    }

    byte(value: number): void {
        this.#reserve(1);
        this.#bytes[this.#length++] = value;
    }

    replace(index: number, value: number): void {
        this.#bytes[index] = value;
    }

    append(bytes: ArrayLike<number>): void {
        this.#reserve(bytes.length);
        this.#bytes.set(bytes, this.#length);
        this.#length += bytes.length;
    }

    /** A length, an index or an unsigned constant below 2^32. */
    unsigned(value: number): void {
        let rest = value >>> 0;
        while (rest >= 0x80) {
            this.byte((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        this.byte(rest);
    }

    signed(value: number): void {
        let rest = value | 0;
        for (;;) {
            const low = rest & 0x7f;
            rest >>= 7;
            if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) {
                this.byte(low);
                return;
            }
            this.byte(low | 0x80);
        }
    }

    /** The 64 bits of `value`, taken as signed. */
    signed64(value: bigint): void {
        let rest = BigInt.asIntN(64, value);
        for (;;) {
            const low = Number(rest & 0x7fn);
            rest >>= 7n;
            if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) {
                this.byte(low);
                return;
            }
            this.byte(low | 0x80);
        }
    }

    float64(value: number): void {
        const view = new DataView(new ArrayBuffer(8));
        view.setFloat64(0, value, true);
        this.append(new Uint8Array(view.buffer));
    }

    /** A name of ASCII characters. */
    name(text: string): void {
        this.unsigned(text.length);
        for (let index = 0; index < text.length; index++) {
            this.byte(text.charCodeAt(index));
        }
    }

    /** The bytes of another writer, after their number. */
    sized(content: ByteWriter): void {
        this.unsigned(content.length);
        this.append(content.bytes());
    }

    #reserve(count: number): void {
        const needed = this.#length + count;
        if (needed > this.#bytes.length) {
            const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
            larger.set(this.bytes());
            this.#bytes = larger;
        }
    }
}
