/**
 * WebAssembly functions over arrays of 32-bit integers, written like the loops that they are.
 *
 * A `Value` is an expression: it is written wherever it is used, as often as it is used. A `Variable` is a local; `variable`
 * fixes what an expression is at that moment. Statements are written in the order in which the methods of a `Body` are called.
 * Arrays have fixed addresses, which become part of the instructions.
 */
import { FunctionWriter } from './function-writer.js';
import type { Local, PlainInstruction } from './function-writer.js';

export type Operand = Value | number;

const INTEGER_SHIFT = 2;
export const INTEGER_BYTES = 4;

export class Value {
    protected readonly writer: FunctionWriter;
    /** Writes what leaves the value on the stack. */
    readonly push: () => void;

    constructor(writer: FunctionWriter, push: () => void) {
        this.writer = writer;
        this.push = push;
    }

    plus(other: Operand): Value {
        return this.#with('i32_add', other);
    }

    minus(other: Operand): Value {
        return this.#with('i32_sub', other);
    }

    /** The lower 32 bits of the product. */
    times(other: Operand): Value {
        return this.#with('i32_mul', other);
    }

    and(other: Operand): Value {
        return this.#with('i32_and', other);
    }

    xor(other: Operand): Value {
        return this.#with('i32_xor', other);
    }

    /** Shifted to the right by so many places, with zeros from the left. */
    shiftedRight(places: Operand): Value {
        return this.#with('i32_shr_u', places);
    }

    is(other: Operand): Value {
        return this.#with('i32_eq', other);
    }

    isNot(other: Operand): Value {
        return this.#with('i32_ne', other);
    }

    isLess(other: Operand): Value {
        return this.#with('i32_lt_s', other);
    }

    isAtMost(other: Operand): Value {
        return this.#with('i32_le_s', other);
    }

    isGreater(other: Operand): Value {
        return this.#with('i32_gt_s', other);
    }

    isAtLeast(other: Operand): Value {
        return this.#with('i32_ge_s', other);
    }

    /** Both taken as unsigned. */
    isAtLeastUnsigned(other: Operand): Value {
        return this.#with('i32_ge_u', other);
    }

    #with(instruction: PlainInstruction, other: Operand): Value {
        const { writer } = this;
        return new Value(writer, () => {
            this.push();
            pushOperand(writer, other);
            writer.op(instruction);
        });
    }
}

export class Variable extends Value {
    readonly #local: Local;

    constructor(writer: FunctionWriter, local: Local) {
        super(writer, () => writer.get(local));
        this.#local = local;
    }

    set(value: Operand): void {
        pushOperand(this.writer, value);
        this.writer.set(this.#local);
    }

    add(value: Operand): void {
        this.set(this.plus(value));
    }
}

/** An integer in memory. */
export class Place extends Value {
    readonly #pushAddress: () => void;
    readonly #offset: number;

    /** At the address that `pushAddress` leaves on the stack, plus `offset`. */
    constructor(writer: FunctionWriter, pushAddress: () => void, offset: number) {
        super(writer, () => {
            pushAddress();
            writer.memory('i32_load', offset);
        });
        this.#pushAddress = pushAddress;
        this.#offset = offset;
    }

    set(value: Operand): void {
        this.#pushAddress();
        pushOperand(this.writer, value);
        this.writer.memory('i32_store', this.#offset);
    }

    add(value: Operand): void {
        this.set(this.plus(value));
    }
}

export class Body {
    readonly writer: FunctionWriter;

    constructor(parameterCount: number) {
        this.writer = new FunctionWriter(Array<'i32'>(parameterCount).fill('i32'));
    }

    parameter(index: number): Variable {
        return new Variable(this.writer, this.writer.parameter(index));
    }

    /** A new variable with this value. */
    variable(value: Operand): Variable {
        const variable = new Variable(this.writer, this.writer.acquire('i32'));
        variable.set(value);
        return variable;
    }

    /** The integer at a fixed address. */
    global(address: number): Place {
        return new Place(this.writer, () => this.writer.i32(0), address);
    }

    /** `array[index + displacement]`, for the array at a fixed address. */
    at(array: number, index: Operand, displacement = 0): Place {
        const { writer } = this;
        const pushAddress = (): void => {
            pushOperand(writer, index);
            writer.i32(INTEGER_SHIFT).op('i32_shl');
        };
        return new Place(writer, pushAddress, array + displacement * INTEGER_BYTES);
    }

    /** One value or the other, without a branch. Both are computed. */
    select(condition: Value, value: Operand, otherwise: Operand): Value {
        return new Value(this.writer, () => {
            pushOperand(this.writer, value);
            pushOperand(this.writer, otherwise);
            condition.push();
            this.writer.op('select');
        });
    }

    if(condition: Value, then: () => void, otherwise?: () => void): void {
        condition.push();
        this.writer.if();
        then();
        if (otherwise !== undefined) {
            this.writer.else();
            otherwise();
        }
        this.writer.end();
    }

    while(condition: Value, body: () => void): void {
        condition.push();
        this.writer.if();
        const loop = this.writer.loop();
        body();
        condition.push();
        this.writer.brIf(loop);
        this.writer.end().end();
    }

    /** For `i` from `from` to `end - 1`. Neither changes meanwhile. */
    for(from: Operand, end: Operand, body: (i: Variable) => void): void {
        const i = this.variable(from);
        this.while(i.isLess(end), () => {
            body(i);
            i.add(1);
        });
    }

    /** The rest of `body` is left out when `leave` is called with a value that is not 0. */
    block(body: (leaveIf: (condition: Value) => void) => void): void {
        const label = this.writer.block();
        body(condition => {
            condition.push();
            this.writer.brIf(label);
        });
        this.writer.end();
    }

    /** What the function with this number returns. */
    call(target: number, ...operands: readonly Operand[]): Value {
        return new Value(this.writer, () => {
            this.run(target, ...operands);
        });
    }

    /** Calls a function that returns nothing. */
    run(target: number, ...operands: readonly Operand[]): void {
        operands.forEach(operand => {
            pushOperand(this.writer, operand);
        });
        this.writer.call(target);
    }

    return(value: Operand): void {
        pushOperand(this.writer, value);
        this.writer.op('return');
    }

    /** The last statement of a function that returns something. */
    result(value: Operand): void {
        pushOperand(this.writer, value);
    }
}

function pushOperand(writer: FunctionWriter, operand: Operand): void {
    if (typeof operand === 'number') {
        writer.i32(operand);
    } else {
        operand.push();
    }
}
