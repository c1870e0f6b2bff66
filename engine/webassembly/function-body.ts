/**
 * WebAssembly functions, written as expressions and statements.
 *
 * A `Value` is an expression, written at each of its uses. A `Variable` is a local; `variable` fixes the value of an
 * expression at that moment. The methods of a `FunctionBody` write statements in the order of the calls. A variable
 * belongs to the innermost block, loop, branch or `compute` around its declaration.
 */
import { ATOMIC, ATOMIC_PREFIX, ByteWriter, NO_RESULT, OPCODE, TYPE_CODE } from './binary-format.js';
import type { Instruction, ValueType } from './binary-format.js';

/** The depth of a block, counted from outside. */
export type Label = number & { readonly __brand: 'Label' };
type Local = number & { readonly __brand: 'Local' };

/** The alignment of addresses, as a power of two. */
const ALIGNMENT = {
    i32_load: 2,
    i64_load: 3,
    i32_load8_u: 0,
    i32_store: 2,
    i64_store: 3,
    i32_store8: 0,
    i32_store16: 0,
} as const;

/** The length and the block depth of the code at some point. */
export interface Mark {
    readonly length: number;
    readonly depth: number;
}

/** A number stands for the constant of the type. */
export type Operand<Type extends ValueType> = StackValue<Type> | (Type extends 'i64' ? bigint : number);

export type Int = StackValue<'i32'>;
export type Long = StackValue<'i64'>;
export type Double = StackValue<'f64'>;

export class StackValue<Type extends ValueType = ValueType> {
    readonly type: Type;
    /** Writes instructions that leave the value on the stack. */
    readonly push: (f: FunctionBody) => void;

    constructor(type: Type, push: (f: FunctionBody) => void) {
        this.type = type;
        this.push = push;
    }

    plus(other: Operand<Type>): StackValue<Type> {
        return this.#combined('add', other);
    }

    minus(other: Operand<Type>): StackValue<Type> {
        return this.#combined('sub', other);
    }

    /** For integers, the lower bits of the product. */
    times(other: Operand<Type>): StackValue<Type> {
        return Number(other) === 1 ? this : this.#with(this.type, 'mul', other);
    }

    /** For signed integers, rounded towards 0. */
    dividedBy(other: Operand<Type>): StackValue<Type> {
        return this.#with(this.type, 'div_s', other);
    }

    /** With the sign of the dividend. */
    remainder(other: Operand<Type>): StackValue<Type> {
        return this.#with(this.type, 'rem_s', other);
    }

    and(other: Operand<Type>): StackValue<Type> {
        const isAll = typeof other === 'bigint' ? BigInt.asIntN(64, other) === -1n : other === -1;
        return isAll ? this : this.#with(this.type, 'and', other);
    }

    or(other: Operand<Type>): StackValue<Type> {
        return this.#combined('or', other);
    }

    xor(other: Operand<Type>): StackValue<Type> {
        return this.#combined('xor', other);
    }

    shiftedLeft(places: Operand<Type>): StackValue<Type> {
        return this.#combined('shl', places);
    }

    /** With zeros from the left. */
    shiftedRight(places: Operand<Type>): StackValue<Type> {
        return this.#combined('shr_u', places);
    }

    /** With the sign from the left. */
    shiftedRightSigned(places: Operand<Type>): StackValue<Type> {
        return this.#combined('shr_s', places);
    }

    rotatedLeft(places: Operand<Type>): StackValue<Type> {
        return this.#combined('rotl', places);
    }

    is(other: Operand<Type>): Int {
        return this.#with('i32', 'eq', other);
    }

    isNot(other: Operand<Type>): Int {
        return this.#with('i32', 'ne', other);
    }

    isZero(): Int {
        return this.converted('i32', `${this.type as 'i32' | 'i64'}_eqz`);
    }

    /** With signs, as the other comparisons without `Unsigned`. */
    isLess(other: Operand<Type>): Int {
        return this.#with('i32', this.#signed('lt'), other);
    }

    isAtMost(other: Operand<Type>): Int {
        return this.#with('i32', this.#signed('le'), other);
    }

    isGreater(other: Operand<Type>): Int {
        return this.#with('i32', this.#signed('gt'), other);
    }

    isAtLeast(other: Operand<Type>): Int {
        return this.#with('i32', this.#signed('ge'), other);
    }

    isLessUnsigned(other: Operand<Type>): Int {
        return this.#with('i32', 'lt_u', other);
    }

    isGreaterUnsigned(other: Operand<Type>): Int {
        return this.#with('i32', 'gt_u', other);
    }

    isAtLeastUnsigned(other: Operand<Type>): Int {
        return this.#with('i32', 'ge_u', other);
    }

    /** The result of an instruction for this one operand. */
    converted<Result extends ValueType>(type: Result, instruction: Instruction): StackValue<Result> {
        return new StackValue(type, f => {
            this.push(f);
            f.op(instruction);
        });
    }

    /** The lower 32 bits of a long word. */
    toInt(): Int {
        return this.converted('i32', 'i32_wrap_i64');
    }

    /** An unsigned integer as a long word. */
    toLong(): Long {
        return this.converted('i64', 'i64_extend_i32_u');
    }

    #signed(comparison: string): string {
        return this.type === 'f64' ? comparison : `${comparison}_s`;
    }

    /** For operations with 0 as their neutral element. */
    #combined(operation: string, other: Operand<Type>): StackValue<Type> {
        return other === 0 || other === 0n ? this : this.#with(this.type, operation, other);
    }

    #with<Result extends ValueType>(result: Result, operation: string, other: Operand<Type>): StackValue<Result> {
        const instruction = `${this.type}_${operation}` as Instruction;
        return new StackValue(result, f => {
            this.push(f);
            f.push(this.type, other);
            f.op(instruction);
        });
    }
}

export class WasmVariable<Type extends ValueType = ValueType> extends StackValue<Type> {
    readonly local: Local;
    readonly #body: FunctionBody;

    constructor(body: FunctionBody, type: Type, local: Local) {
        super(type, each => {
            each.get(local);
        });
        this.#body = body;
        this.local = local;
    }

    set(value: Operand<Type>): void {
        this.#body.push(this.type, value);
        this.#body.set(this.local);
    }

    add(value: Operand<Type>): void {
        this.set(this.plus(value));
    }
}

export class FunctionBody {
    readonly parameters: readonly ValueType[];
    readonly #code = new ByteWriter(1024);
    /** Instructions that run first, no matter when they were written. */
    readonly #prologue = new ByteWriter(64);
    readonly #locals: ValueType[] = [];
    readonly #free: Readonly<Record<ValueType, Local[]>> = { i32: [], i64: [], f64: [] };
    /** By open block: the variables to release at its end. */
    readonly #scopes: WasmVariable[][] = [];
    #depth = 0;
    /** The bounds of the last instruction that sets a local, and the local. */
    #lastSet = { start: 0, end: 0, local: -1 };

    constructor(parameters: readonly ValueType[] = []) {
        this.parameters = parameters;
    }

    get size(): number {
        return this.#code.length + this.#prologue.length;
    }

    /** A point to return to with `rollback`; locals stay. */
    mark(): Mark {
        this.#lastSet.local = -1;
        return { length: this.#code.length, depth: this.#depth };
    }

    rollback({ length, depth }: Mark): void {
        this.#lastSet.local = -1;
        this.#code.truncate(length);
        this.#depth = depth;
    }

    /** The function as an entry of the code section. */
    toBytes(): ByteWriter {
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

    parameter<Type extends ValueType = 'i32'>(index: number): WasmVariable<Type> {
        return new WasmVariable(this, this.parameters[index] as Type, index as Local);
    }

    /** A new variable with this value; with a number as operand it is an i32. */
    variable(value: number): WasmVariable<'i32'>;
    variable(value: bigint): WasmVariable<'i64'>;
    variable<Type extends ValueType>(value: StackValue<Type>): WasmVariable<Type>;
    variable(value: StackValue | number | bigint): WasmVariable {
        const type = value instanceof StackValue ? value.type : typeof value === 'bigint' ? 'i64' : 'i32';
        const variable = this.local(type);
        variable.set(value);
        return variable;
    }

    local<Type extends ValueType>(type: Type): WasmVariable<Type> {
        const variable = this.acquire(type);
        this.#scopes.at(-1)?.push(variable);
        return variable;
    }

    /** A variable that is in use until it is released. */
    acquire<Type extends ValueType>(type: Type): WasmVariable<Type> {
        return new WasmVariable(this, type, this.#free[type].pop() ?? this.#newLocal(type));
    }

    release({ type, local }: WasmVariable): void {
        this.#free[type].push(local);
    }

    /** A long word, loaded when the function begins from `offset` bytes after an address; never released. */
    loadedAtStart(offset: number, base?: WasmVariable<'i32'>): WasmVariable<'i64'> {
        const local = this.#newLocal('i64');
        const code = this.#prologue;
        if (base === undefined) {
            code.byte(OPCODE.i32_const);
            code.signed(0);
        } else {
            code.byte(OPCODE.local_get);
            code.unsigned(base.local);
        }
        code.byte(OPCODE.i64_load);
        code.unsigned(3);
        code.unsigned(offset);
        code.byte(OPCODE.local_set);
        code.unsigned(local);
        return new WasmVariable(this, 'i64', local);
    }

    store8(address: Operand<'i32'>, offset: number, value: Operand<'i32'>): void {
        this.#store('i32_store8', address, offset, 'i32', value);
    }

    store16(address: Operand<'i32'>, offset: number, value: Operand<'i32'>): void {
        this.#store('i32_store16', address, offset, 'i32', value);
    }

    store32(address: Operand<'i32'>, offset: number, value: Operand<'i32'>): void {
        this.#store('i32_store', address, offset, 'i32', value);
    }

    store64(address: Operand<'i32'>, offset: number, value: Operand<'i64'>): void {
        this.#store('i64_store', address, offset, 'i64', value);
    }

    /** Sets `array[index]`; see `elementAt`. */
    setElement(array: number, index: Operand<'i32'>, value: Operand<'i32'>): void {
        this.store32(scaled(index), array, value);
    }

    /** Sets bits of a byte that other threads may change at the same time. */
    atomicOr8(address: Int, bits: Int): void {
        address.push(this);
        bits.push(this);
        this.atomic('i32_atomic_rmw8_or_u');
        this.op('drop');
    }

    clear(address: Operand<'i32'>, bytes: Operand<'i32'>): void {
        this.push('i32', address);
        this.push('i32', 0);
        this.push('i32', bytes);
        // memory.fill
        this.#code.append([0xfc, 11, 0]);
    }

    if(condition: Int, then: () => void, otherwise?: () => void): void {
        condition.push(this);
        this.open('if');
        this.scope(then);
        if (otherwise !== undefined) {
            this.op('else');
            this.scope(otherwise);
        }
        this.end();
    }

    while(condition: Int, work: (done: Label, again: Label) => void): void {
        this.forever((done, again) => {
            this.branchUnless(condition, done);
            work(done, again);
        });
    }

    /** Until it branches to `done`. */
    forever(work: (done: Label, again: Label) => void): void {
        this.block(done => {
            this.loop(again => {
                work(done, again);
                this.branch(again);
            });
        });
    }

    /** At least once. */
    doWhile(work: () => void, condition: Int): void {
        this.loop(again => {
            work();
            this.branchIf(condition, again);
        });
    }

    /** A branch to the label leaves the block. */
    block(work: (label: Label) => void): void {
        const label = this.open('block');
        this.scope(() => {
            work(label);
        });
        this.end();
    }

    /** A branch to the label goes back to the beginning. */
    loop(work: (label: Label) => void): void {
        const label = this.open('loop');
        this.scope(() => {
            work(label);
        });
        this.end();
    }

    branch(label: Label): void {
        this.indexed('br', this.#depth - label);
    }

    branchIf(condition: Int, label: Label): void {
        condition.push(this);
        this.indexed('br_if', this.#depth - label);
    }

    branchUnless(condition: Int, label: Label): void {
        this.branchIf(condition.isZero(), label);
    }

    /** Runs the arm `armOf[index]`; without it the arm `otherwise`, and without that nothing. */
    switch(
        index: Int,
        armOf: readonly (number | undefined)[],
        arms: readonly (() => void)[],
        otherwise?: number,
    ): void {
        this.block(done => {
            const labels = arms.map(() => this.open('block')).reverse();
            index.push(this);
            this.indexed('br_table', armOf.length);
            for (const arm of [...armOf, otherwise]) {
                this.#code.unsigned(this.#depth - (arm === undefined ? done : labels[arm]));
            }
            arms.forEach((arm, number) => {
                this.end();
                this.scope(arm);
                if (number < arms.length - 1) {
                    this.branch(done);
                }
            });
        });
    }

    run(target: number, ...operands: readonly (StackValue | number)[]): void {
        call(target, ...operands).push(this);
    }

    drop(value: StackValue): void {
        value.push(this);
        this.op('drop');
    }

    return(value: Operand<'i32'>): void {
        this.push('i32', value);
        this.op('return');
    }

    /** The last statement of a function that returns something; a number is an i32. */
    result(value: StackValue | number): void {
        this.push(typeof value === 'number' ? 'i32' : value.type, value);
    }

    unreachable(): void {
        this.op('unreachable');
    }

    /** The result of `work`, after the statements that it writes. */
    compute<Type extends ValueType>(type: Type, work: () => Operand<Type>): StackValue<Type> {
        return new StackValue(type, f => {
            this.scope(() => {
                f.push(type, work());
            });
        });
    }

    /** As `compute`; `leaveIf` ends the work with another value. */
    computeUntil<Type extends ValueType>(
        type: Type,
        work: (leaveIf: (condition: Int, value: Operand<Type>) => void) => Operand<Type>,
    ): StackValue<Type> {
        return new StackValue(type, f => {
            const label = f.open('block', type);
            const leaveIf = (condition: Int, value: Operand<Type>): void => {
                this.if(condition, () => {
                    f.push(type, value);
                    f.branch(label);
                });
            };
            this.scope(() => {
                f.push(type, work(leaveIf));
            });
            f.end();
        });
    }

    /** One value or the other; only that one is computed. */
    choose<Type extends ValueType>(
        condition: Int,
        then: StackValue<Type>,
        otherwise: StackValue<Type>,
    ): StackValue<Type> {
        return new StackValue(then.type, f => {
            condition.push(f);
            f.open('if', then.type);
            then.push(f);
            f.op('else');
            otherwise.push(f);
            f.end();
        });
    }

    /** Variables that `work` declares may be used again afterwards. */
    scope(work: () => void): void {
        this.#scopes.push([]);
        work();
        this.#scopes.pop()?.forEach(variable => {
            this.release(variable);
        });
    }

    /* The following methods are for values. */

    /** An instruction without immediate operands. */
    op(instruction: Instruction): void {
        this.#code.byte(OPCODE[instruction]);
    }

    indexed(instruction: Instruction, index: number): void {
        this.#code.byte(OPCODE[instruction]);
        this.#code.unsigned(index);
    }

    /** Leaves an operand on the stack. */
    push<Type extends ValueType>(type: Type, operand: Operand<Type>): void {
        if (operand instanceof StackValue) {
            operand.push(this);
        } else if (typeof operand === 'bigint') {
            this.#code.byte(OPCODE.i64_const);
            this.#code.signed64(operand);
        } else if (type === 'f64') {
            this.#code.byte(OPCODE.f64_const);
            this.#code.float64(operand);
        } else {
            this.#code.byte(OPCODE.i32_const);
            this.#code.signed(operand);
        }
    }

    get(local: Local): void {
        const { start, end, local: set } = this.#lastSet;
        if (set === local && end === this.#code.length) {
            this.#code.replace(start, OPCODE.local_tee);
            this.#lastSet.local = -1;
        } else {
            this.indexed('local_get', local);
        }
    }

    set(local: Local): void {
        const start = this.#code.length;
        this.indexed('local_set', local);
        this.#lastSet = { start, end: this.#code.length, local };
    }

    /** A load or store at the address on the stack plus `offset`. */
    memory(instruction: keyof typeof ALIGNMENT, offset: number): void {
        this.indexed(instruction, ALIGNMENT[instruction]);
        this.#code.unsigned(offset);
    }

    /** An atomic access at the address on the stack plus `offset`. */
    atomic(instruction: keyof typeof ATOMIC, offset = 0): void {
        const { code, alignment } = ATOMIC[instruction];
        this.#code.append([ATOMIC_PREFIX, code, alignment]);
        this.#code.unsigned(offset);
    }

    open(instruction: 'block' | 'loop' | 'if', result?: ValueType): Label {
        this.#code.byte(OPCODE[instruction]);
        this.#code.byte(result === undefined ? NO_RESULT : TYPE_CODE[result]);
        return ++this.#depth as Label;
    }

    end(): void {
        this.#depth--;
        this.op('end');
    }

    #newLocal(type: ValueType): Local {
        this.#locals.push(type);
        return (this.parameters.length + this.#locals.length - 1) as Local;
    }

    #store<Type extends ValueType>(
        instruction: 'i32_store' | 'i32_store8' | 'i32_store16' | 'i64_store',
        address: Operand<'i32'>,
        offset: number,
        type: Type,
        value: Operand<Type>,
    ): void {
        this.push('i32', address);
        this.push(type, value);
        this.memory(instruction, offset);
    }
}

export function i32(value: number): Int {
    return new StackValue('i32', f => {
        f.push('i32', value);
    });
}

export function i64(value: bigint): Long {
    return new StackValue('i64', f => {
        f.push('i64', value);
    });
}

export function f64(value: number): Double {
    return new StackValue('f64', f => {
        f.push('f64', value);
    });
}

/** Stands for a value if no instruction here is reached. */
export function notReached<Type extends ValueType>(type: Type): StackValue<Type> {
    return new StackValue(type, () => undefined);
}

export function load8(address: Operand<'i32'>, offset = 0): Int {
    return load('i32', 'i32_load8_u', address, offset);
}

export function load32(address: Operand<'i32'>, offset = 0): Int {
    return load('i32', 'i32_load', address, offset);
}

export function load64(address: Operand<'i32'>, offset = 0): Long {
    return load('i64', 'i64_load', address, offset);
}

/** `array[index]`, for an array of 32-bit numbers at a fixed address. */
export function elementAt(array: number, index: Operand<'i32'>): Int {
    return load32(scaled(index), array);
}

/** A load that sees what other threads have stored. */
export function atomicLoad64(address: Int, offset: number): Long {
    return new StackValue('i64', f => {
        address.push(f);
        f.atomic('i64_atomic_load', offset);
    });
}

/** Stores a long word if the expected one is there; returns the one that was there, as one step. */
export function compareExchange64(address: Int, offset: number, expected: Long, replacement: Long): Long {
    return new StackValue('i64', f => {
        [address, expected, replacement].forEach(operand => {
            operand.push(f);
        });
        f.atomic('i64_atomic_rmw_cmpxchg', offset);
    });
}

/** One value or the other, without a branch; both are computed. */
export function select<Type extends ValueType>(
    condition: Int,
    value: StackValue<Type>,
    otherwise: Operand<Type>,
): StackValue<Type> {
    return new StackValue(value.type, f => {
        value.push(f);
        f.push(value.type, otherwise);
        condition.push(f);
        f.op('select');
    });
}

/** The result of a function that returns an i32; numbers are operands of type i32. */
export function call(target: number, ...operands: readonly (StackValue | number)[]): Int {
    return callTo('i32', target, ...operands);
}

export function callTo<Type extends ValueType>(
    type: Type,
    target: number,
    ...operands: readonly (StackValue | number)[]
): StackValue<Type> {
    return new StackValue(type, f => {
        operands.forEach(operand => {
            f.push('i32', operand as Int);
        });
        f.indexed('call', target);
    });
}

export function allOf(conditions: readonly Int[]): Int {
    return combined(conditions, i32(1), (one, other) => one.and(other));
}

/** The bits that are set in one of the words. */
export function union(words: readonly Long[]): Long {
    return combined(words, i64(0n), (one, other) => one.or(other));
}

/** Two by two, since a value is written by a call inside that of the value that it is a part of. */
export function combined<Type extends ValueType>(
    values: readonly StackValue<Type>[],
    ofNone: StackValue<Type>,
    combine: (one: StackValue<Type>, other: StackValue<Type>) => StackValue<Type>,
): StackValue<Type> {
    if (values.length <= 1) {
        return values[0] ?? ofNone;
    }
    const half = values.length >> 1;
    const [front, back] = [values.slice(0, half), values.slice(half)];
    return combine(combined(front, ofNone, combine), combined(back, ofNone, combine));
}

function load<Type extends ValueType>(
    type: Type,
    instruction: 'i32_load' | 'i32_load8_u' | 'i64_load',
    address: Operand<'i32'>,
    offset: number,
): StackValue<Type> {
    return new StackValue(type, f => {
        f.push('i32', address);
        f.memory(instruction, offset);
    });
}

/** The number of bytes before an element of an array of 32-bit numbers. */
function scaled(index: Operand<'i32'>): Operand<'i32'> {
    return typeof index === 'number' ? 4 * index : index.shiftedLeft(2);
}
