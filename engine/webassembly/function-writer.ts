/**
 * The instructions of one WebAssembly function, its locals, and the blocks that are open: the back end of FunctionBody.
 *
 * A `Label` is the depth of a block counted from outside, so it stays the same however deep a branch to it stands.
 */
import { ATOMIC, ATOMIC_PREFIX, ByteWriter, NO_RESULT, OPCODE, TYPE_CODE } from './binary-format.js';
import type { Instruction, ValueType } from './binary-format.js';

export type Label = number & { readonly __brand: 'Label' };
export type Local = number & { readonly __brand: 'Local' };

/** Instructions without anything behind their code. */
export type PlainInstruction = Exclude<
    Instruction,
    | 'block'
    | 'loop'
    | 'if'
    | 'br'
    | 'br_if'
    | 'br_table'
    | 'call'
    | `local_${string}`
    | `${string}_const`
    | `${string}_load${string}`
    | `${string}_store${string}`
>;

type MemoryInstruction = Extract<Instruction, `${string}_load${string}` | `${string}_store${string}`>;

/** What is promised of addresses, as a power of two. */
const ALIGNMENT: Readonly<Record<MemoryInstruction, number>> = {
    i32_load: 2,
    i64_load: 3,
    i32_load8_u: 0,
    i32_store: 2,
    i64_store: 3,
    i32_store8: 0,
    i32_store16: 0,
};

/** How much was written at some point. */
export interface Mark {
    readonly length: number;
    readonly depth: number;
}

export class FunctionWriter {
    readonly parameters: readonly ValueType[];
    readonly #code = new ByteWriter(1024);
    /** What runs first, whenever it was written. */
    readonly #prologue = new ByteWriter(64);
    readonly #locals: ValueType[] = [];
    readonly #free: Readonly<Record<ValueType, Local[]>> = { i32: [], i64: [], f64: [] };
    #depth = 0;
    /** Where the last instruction that sets a local begins and ends, and the local. */
    #lastSet = { start: 0, end: 0, local: -1 };

    constructor(parameters: readonly ValueType[] = []) {
        this.parameters = parameters;
    }

    /** Bytes of its instructions. */
    get size(): number {
        return this.#code.length + this.#prologue.length;
    }

    /** To come back to with `rollback`; locals stay. */
    mark(): Mark {
        this.#lastSet.local = -1;
        return { length: this.#code.length, depth: this.#depth };
    }

    rollback({ length, depth }: Mark): void {
        this.#lastSet.local = -1;
        this.#code.truncate(length);
        this.#depth = depth;
    }

    parameter(index: number): Local {
        return index as Local;
    }

    /** A local for a while; it holds anything. */
    acquire(type: ValueType): Local {
        return this.#free[type].pop() ?? this.#newLocal(type);
    }

    /** Gives a local back. */
    release(local: Local): void {
        this.#free[this.#locals[local - this.parameters.length]].push(local);
    }

    /**
     * A local loaded from memory when the function begins, from `offset` on counted from the address in `base`, or from 0;
     * it is never given back.
     */
    loadedAtStart(offset: number, base?: Local): Local {
        const local = this.#newLocal('i64');
        const code = this.#prologue;
        if (base === undefined) {
            code.byte(OPCODE.i32_const);
            code.signed(0);
        } else {
            code.byte(OPCODE.local_get);
            code.unsigned(base);
        }
        code.byte(OPCODE.i64_load);
        code.unsigned(3);
        code.unsigned(offset);
        code.byte(OPCODE.local_set);
        code.unsigned(local);
        return local;
    }

    op(...instructions: readonly PlainInstruction[]): this {
        for (const instruction of instructions) {
            this.#code.byte(OPCODE[instruction]);
        }
        return this;
    }

    i32(value: number): this {
        this.#code.byte(OPCODE.i32_const);
        this.#code.signed(value);
        return this;
    }

    i64(value: bigint): this {
        this.#code.byte(OPCODE.i64_const);
        this.#code.signed64(value);
        return this;
    }

    f64(value: number): this {
        this.#code.byte(OPCODE.f64_const);
        this.#code.float64(value);
        return this;
    }

    get(local: Local): this {
        const { start, end, local: set } = this.#lastSet;
        if (set === local && end === this.#code.length) {
            this.#code.replace(start, OPCODE.local_tee);
            this.#lastSet.local = -1;
            return this;
        }
        return this.#indexed('local_get', local);
    }

    set(local: Local): this {
        const start = this.#code.length;
        this.#indexed('local_set', local);
        this.#lastSet = { start, end: this.#code.length, local };
        return this;
    }

    call(target: number): this {
        return this.#indexed('call', target);
    }

    /** A load or store at the address on the stack plus `offset`. */
    memory(instruction: MemoryInstruction, offset = 0): this {
        this.#code.byte(OPCODE[instruction]);
        this.#code.unsigned(ALIGNMENT[instruction]);
        this.#code.unsigned(offset);
        return this;
    }

    /** An atomic access at the address on the stack plus `offset`. */
    atomic(instruction: keyof typeof ATOMIC, offset = 0): this {
        const { code, alignment } = ATOMIC[instruction];
        this.#code.byte(ATOMIC_PREFIX);
        this.#code.unsigned(code);
        this.#code.unsigned(alignment);
        this.#code.unsigned(offset);
        return this;
    }

    /** Sets the bytes of a stretch of memory: address, value and length are on the stack. */
    fillMemory(): this {
        this.#code.byte(0xfc);
        this.#code.unsigned(11);
        this.#code.byte(0);
        return this;
    }

    block(result?: ValueType): Label {
        return this.#open('block', result);
    }

    loop(): Label {
        return this.#open('loop', undefined);
    }

    if(result?: ValueType): Label {
        return this.#open('if', result);
    }

    else(): this {
        return this.op('else');
    }

    end(): this {
        this.#depth--;
        return this.op('end');
    }

    br(label: Label): this {
        return this.#indexed('br', this.#depth - label);
    }

    brIf(label: Label): this {
        return this.#indexed('br_if', this.#depth - label);
    }

    brTable(labels: readonly Label[], otherwise: Label): this {
        this.#indexed('br_table', labels.length);
        for (const label of labels) {
            this.#code.unsigned(this.#depth - label);
        }
        this.#code.unsigned(this.#depth - otherwise);
        return this;
    }

    /** The function as an entry of the code section. */
    body(): ByteWriter {
        const content = new ByteWriter(this.size + 64);
        content.unsigned(this.#locals.length);
        for (const type of this.#locals) {
            content.unsigned(1);
            content.byte(TYPE_CODE[type]);
        }
        content.append(this.#prologue.bytes());
        content.append(this.#code.bytes());
        content.byte(OPCODE.end);
        return content;
    }

    #newLocal(type: ValueType): Local {
        this.#locals.push(type);
        return (this.parameters.length + this.#locals.length - 1) as Local;
    }

    #indexed(instruction: Instruction, index: number): this {
        this.#code.byte(OPCODE[instruction]);
        this.#code.unsigned(index);
        return this;
    }

    #open(instruction: 'block' | 'loop' | 'if', result: ValueType | undefined): Label {
        this.#code.byte(OPCODE[instruction]);
        this.#code.byte(result === undefined ? NO_RESULT : TYPE_CODE[result]);
        return ++this.#depth as Label;
    }
}
