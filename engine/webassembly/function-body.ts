/**
 * WebAssembly functions, written like the programs that they are.
 *
 * A `Value` is an expression: it is written where it is used, as often as it is used. A `Variable` is a local; `variable`
 * fixes the value of an expression at that moment. Statements are written in the order in which the methods of a
 * `FunctionBody` are called. A variable belongs to the innermost block, loop, branch or `compute` around its declaration.
 */
import type { Instruction, ValueType } from './binary-format.js';
import { FunctionWriter, type Label, type Local, type Mark, type PlainInstruction } from './function-writer.js';

export type { Label, Mark } from './function-writer.js';

/** A number stands for the constant of the type. */
export type Operand<Type extends ValueType> = Value<Type> | (Type extends 'i64' ? bigint : number);

export type Int = Value<'i32'>;
export type Long = Value<'i64'>;
export type Double = Value<'f64'>;

/** Comparisons of integers, and of doubles that may be NaN, that hold where another one does not. */
const OPPOSITE: Readonly<Partial<Record<Instruction, PlainInstruction>>> = {
    i32_eq: 'i32_ne',
    i32_ne: 'i32_eq',
    i32_lt_s: 'i32_ge_s',
    i32_ge_s: 'i32_lt_s',
    i32_gt_s: 'i32_le_s',
    i32_le_s: 'i32_gt_s',
    i32_lt_u: 'i32_ge_u',
    i32_ge_u: 'i32_lt_u',
    i64_eq: 'i64_ne',
    i64_ne: 'i64_eq',
    f64_eq: 'f64_ne',
    f64_ne: 'f64_eq',
};

export class Value<Type extends ValueType = ValueType> {
    readonly type: Type;
    /** Writes instructions that leave the value on the stack. */
    readonly push: (writer: FunctionWriter) => void;
    /** Writes a condition that holds exactly if this one does not. */
    readonly pushOpposite: (writer: FunctionWriter) => void;

    constructor(
        type: Type,
        push: (writer: FunctionWriter) => void,
        pushOpposite = (writer: FunctionWriter): void => {
            push(writer);
            writer.op(`${type as 'i32' | 'i64'}_eqz`);
        },
    ) {
        this.type = type;
        this.push = push;
        this.pushOpposite = pushOpposite;
    }

    plus(other: Operand<Type>): Value<Type> {
        return this.#combined('add', other);
    }

    minus(other: Operand<Type>): Value<Type> {
        return this.#combined('sub', other);
    }

    /** Of integers the lower bits of the product. */
    times(other: Operand<Type>): Value<Type> {
        return Number(other) === 1 ? this : this.#with(this.type, 'mul', other);
    }

    /** Of integers with a sign, towards 0. */
    dividedBy(other: Operand<Type>): Value<Type> {
        return this.#with(this.type, 'div_s', other);
    }

    /** With the sign of the dividend. */
    remainder(other: Operand<Type>): Value<Type> {
        return this.#with(this.type, 'rem_s', other);
    }

    and(other: Operand<Type>): Value<Type> {
        const isAll = typeof other === 'bigint' ? BigInt.asIntN(64, other) === -1n : other === -1;
        return isAll ? this : this.#with(this.type, 'and', other);
    }

    or(other: Operand<Type>): Value<Type> {
        return this.#combined('or', other);
    }

    xor(other: Operand<Type>): Value<Type> {
        return this.#combined('xor', other);
    }

    shiftedLeft(places: Operand<Type>): Value<Type> {
        return this.#combined('shl', places);
    }

    /** With zeros from the left. */
    shiftedRight(places: Operand<Type>): Value<Type> {
        return this.#combined('shr_u', places);
    }

    /** With the sign from the left. */
    shiftedRightSigned(places: Operand<Type>): Value<Type> {
        return this.#combined('shr_s', places);
    }

    rotatedLeft(places: Operand<Type>): Value<Type> {
        return this.#combined('rotl', places);
    }

    is(other: Operand<Type>): Int {
        return this.#with('i32', 'eq', other);
    }

    isNot(other: Operand<Type>): Int {
        return this.#with('i32', 'ne', other);
    }

    isZero(): Int {
        return new Value(
            'i32',
            writer => {
                this.push(writer);
                writer.op(`${this.type as 'i32' | 'i64'}_eqz`);
            },
            this.type === 'i32' ? this.push : undefined,
        );
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

    /** What one instruction without operands makes of it. */
    converted<Result extends ValueType>(type: Result, instruction: PlainInstruction): Value<Result> {
        return new Value(type, writer => {
            this.push(writer);
            writer.op(instruction);
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

    /** For operations for which 0 leaves all as it is. */
    #combined(operation: string, other: Operand<Type>): Value<Type> {
        return other === 0 || other === 0n ? this : this.#with(this.type, operation, other);
    }

    #with<Result extends ValueType>(result: Result, operation: string, other: Operand<Type>): Value<Result> {
        const instruction = `${this.type}_${operation}` as PlainInstruction;
        const opposite = OPPOSITE[instruction];
        const pushWith = (last: PlainInstruction) => (writer: FunctionWriter) => {
            this.push(writer);
            pushOperand(writer, this.type, other);
            writer.op(last);
        };
        return new Value(result, pushWith(instruction), opposite && pushWith(opposite));
    }
}

export class Variable<Type extends ValueType = ValueType> extends Value<Type> {
    readonly local: Local;
    readonly #writer: FunctionWriter;

    constructor(writer: FunctionWriter, type: Type, local: Local) {
        super(type, each => each.get(local));
        this.#writer = writer;
        this.local = local;
    }

    set(value: Operand<Type>): void {
        pushOperand(this.#writer, this.type, value);
        this.#writer.set(this.local);
    }

    add(value: Operand<Type>): void {
        this.set(this.plus(value));
    }
}

export class FunctionBody {
    readonly writer: FunctionWriter;
    /** Variables to give back, by the blocks that are open. */
    readonly #scopes: Variable[][] = [];

    constructor(parameters: readonly ValueType[] = []) {
        this.writer = new FunctionWriter(parameters);
    }

    /** Bytes of its instructions. */
    get size(): number {
        return this.writer.size;
    }

    /** To come back to with `rollback`. */
    mark(): Mark {
        return this.writer.mark();
    }

    rollback(mark: Mark): void {
        this.writer.rollback(mark);
    }

    parameter<Type extends ValueType = 'i32'>(index: number): Variable<Type> {
        return new Variable(this.writer, this.writer.parameters[index] as Type, this.writer.parameter(index));
    }

    /** A new variable with this value; with a number as operand it is an i32. */
    variable(value: number): Variable<'i32'>;
    variable(value: bigint): Variable<'i64'>;
    variable<Type extends ValueType>(value: Value<Type>): Variable<Type>;
    variable(value: Value | number | bigint): Variable {
        const type = value instanceof Value ? value.type : typeof value === 'bigint' ? 'i64' : 'i32';
        const variable = this.local(type);
        variable.set(value);
        return variable;
    }

    /** A new variable, which may hold anything. */
    local<Type extends ValueType>(type: Type): Variable<Type> {
        const variable = this.acquire(type);
        this.#scopes.at(-1)?.push(variable);
        return variable;
    }

    /** A variable for a time that is not that of a block. */
    acquire<Type extends ValueType>(type: Type): Variable<Type> {
        return new Variable(this.writer, type, this.writer.acquire(type));
    }

    release(variable: Variable): void {
        this.writer.release(variable.local);
    }

    /** A long word that is loaded when the function begins, from `offset` bytes after an address. */
    loadedAtStart(offset: number, base?: Variable<'i32'>): Variable<'i64'> {
        return new Variable(this.writer, 'i64', this.writer.loadedAtStart(offset, base?.local));
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
        address.push(this.writer);
        bits.push(this.writer);
        this.writer.atomic('i32_atomic_rmw8_or_u').op('drop');
    }

    /** Sets all bytes of a stretch of memory to 0. */
    clear(address: Operand<'i32'>, bytes: Operand<'i32'>): void {
        pushOperand(this.writer, 'i32', address);
        this.writer.i32(0);
        pushOperand(this.writer, 'i32', bytes);
        this.writer.fillMemory();
    }

    if(condition: Int, then: () => void, otherwise?: () => void): void {
        condition.push(this.writer);
        this.writer.if();
        this.scope(then);
        if (otherwise !== undefined) {
            this.writer.else();
            this.scope(otherwise);
        }
        this.writer.end();
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
        const label = this.writer.block();
        this.scope(() => {
            work(label);
        });
        this.writer.end();
    }

    /** A branch to the label goes back to the beginning. */
    loop(work: (label: Label) => void): void {
        const label = this.writer.loop();
        this.scope(() => {
            work(label);
        });
        this.writer.end();
    }

    branch(label: Label): void {
        this.writer.br(label);
    }

    branchIf(condition: Int, label: Label): void {
        condition.push(this.writer);
        this.writer.brIf(label);
    }

    branchUnless(condition: Int, label: Label): void {
        condition.pushOpposite(this.writer);
        this.writer.brIf(label);
    }

    /**
     * Runs the arm with the number `armOf[index]`. Indexes without an arm run the arm `otherwise`; if that is absent, they
     * run nothing.
     */
    switch(
        index: Int,
        armOf: readonly (number | undefined)[],
        arms: readonly (() => void)[],
        otherwise?: number,
    ): void {
        this.block(done => {
            const labels = arms.map(() => this.writer.block()).reverse();
            const labelOf = (arm: number | undefined): Label => (arm === undefined ? done : labels[arm]);
            index.push(this.writer);
            this.writer.brTable(armOf.map(labelOf), labelOf(otherwise));
            arms.forEach((arm, number) => {
                this.writer.end();
                this.scope(arm);
                if (number < arms.length - 1) {
                    this.branch(done);
                }
            });
        });
    }

    /** Calls a function that returns nothing. */
    run(target: number, ...operands: readonly (Value | number)[]): void {
        call(target, ...operands).push(this.writer);
    }

    /** Computes a value that is not needed. */
    drop(value: Value): void {
        value.push(this.writer);
        this.writer.op('drop');
    }

    return(value: Operand<'i32'>): void {
        pushOperand(this.writer, 'i32', value);
        this.writer.op('return');
    }

    /** The last statement of a function that returns something. */
    result(value: Operand<'i32'>): void {
        pushOperand(this.writer, 'i32', value);
    }

    unreachable(): void {
        this.writer.op('unreachable');
    }

    /** What `work` returns, after the statements that it makes. */
    compute<Type extends ValueType>(type: Type, work: () => Operand<Type>): Value<Type> {
        return new Value(type, writer => {
            this.scope(() => {
                pushOperand(writer, type, work());
            });
        });
    }

    /** As `compute`; `leaveIf` ends the work with another value. */
    computeUntil<Type extends ValueType>(
        type: Type,
        work: (leaveIf: (condition: Int, value: Operand<Type>) => void) => Operand<Type>,
    ): Value<Type> {
        return new Value(type, writer => {
            const label = writer.block(type);
            const leaveIf = (condition: Int, value: Operand<Type>): void => {
                this.if(condition, () => {
                    pushOperand(writer, type, value);
                    writer.br(label);
                });
            };
            this.scope(() => {
                pushOperand(writer, type, work(leaveIf));
            });
            writer.end();
        });
    }

    /** One value or the other; only that one is computed. */
    choose<Type extends ValueType>(condition: Int, then: Value<Type>, otherwise: Value<Type>): Value<Type> {
        return new Value(then.type, writer => {
            condition.push(writer);
            writer.if(then.type);
            then.push(writer);
            writer.else();
            otherwise.push(writer);
            writer.end();
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

    #store<Type extends ValueType>(
        instruction: 'i32_store' | 'i32_store8' | 'i32_store16' | 'i64_store',
        address: Operand<'i32'>,
        offset: number,
        type: Type,
        value: Operand<Type>,
    ): void {
        pushOperand(this.writer, 'i32', address);
        pushOperand(this.writer, type, value);
        this.writer.memory(instruction, offset);
    }
}

export function i32(value: number): Int {
    return new Value('i32', writer => writer.i32(value));
}

export function i64(value: bigint): Long {
    return new Value('i64', writer => writer.i64(value));
}

export function f64(value: number): Double {
    return new Value('f64', writer => writer.f64(value));
}

/** In place of a value, where no instruction is reached. */
export function notReached<Type extends ValueType>(type: Type): Value<Type> {
    return new Value(type, () => undefined);
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
    return new Value('i64', writer => {
        address.push(writer);
        writer.atomic('i64_atomic_load', offset);
    });
}

/** Stores a long word if the expected one is there, and returns what was there, as one step. */
export function compareExchange64(address: Int, offset: number, expected: Long, replacement: Long): Long {
    return new Value('i64', writer => {
        [address, expected, replacement].forEach(operand => {
            operand.push(writer);
        });
        writer.atomic('i64_atomic_rmw_cmpxchg', offset);
    });
}

/** One value or the other, without a branch. Both are computed. */
export function select<Type extends ValueType>(
    condition: Int,
    value: Value<Type>,
    otherwise: Operand<Type>,
): Value<Type> {
    return new Value(value.type, writer => {
        value.push(writer);
        pushOperand(writer, value.type, otherwise);
        condition.push(writer);
        writer.op('select');
    });
}

/** What a function that returns an i32 does; a number is an operand of type i32. */
export function call(target: number, ...operands: readonly (Value | number)[]): Int {
    return callTo('i32', target, ...operands);
}

export function callTo<Type extends ValueType>(
    type: Type,
    target: number,
    ...operands: readonly (Value | number)[]
): Value<Type> {
    return new Value(type, writer => {
        operands.forEach(operand => {
            pushOperand(writer, 'i32', operand as Int);
        });
        writer.call(target);
    });
}

/** Whether all conditions hold; all are computed. */
export function allOf(conditions: readonly Int[]): Int {
    return conditions.length === 0 ? i32(1) : conditions.reduce((all, each) => all.and(each));
}

/** The bits that are set in one of the words. */
export function union(words: readonly Long[]): Long {
    return words.length === 0 ? i64(0n) : words.reduce((all, each) => all.or(each));
}

function load<Type extends ValueType>(
    type: Type,
    instruction: 'i32_load' | 'i32_load8_u' | 'i64_load',
    address: Operand<'i32'>,
    offset: number,
): Value<Type> {
    return new Value(type, writer => {
        pushOperand(writer, 'i32', address);
        writer.memory(instruction, offset);
    });
}

/** The number of bytes before an element of an array of 32-bit numbers. */
function scaled(index: Operand<'i32'>): Operand<'i32'> {
    return typeof index === 'number' ? 4 * index : index.shiftedLeft(2);
}

function pushOperand<Type extends ValueType>(writer: FunctionWriter, type: Type, operand: Operand<Type>): void {
    if (operand instanceof Value) {
        operand.push(writer);
    } else if (typeof operand === 'bigint') {
        writer.i64(operand);
    } else if (type === 'f64') {
        writer.f64(operand);
    } else {
        writer.i32(operand);
    }
}
