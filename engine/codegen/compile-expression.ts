/**
 * Expressions as WebAssembly, with the meaning that sequential/evaluate.ts gives them.
 *
 * An expression whose integers are known to fit into 32 bits is an i32, in which the least number stands for NONE; any
 * other is an f64 and computed just as the interpreter computes, NONE being -Infinity. A fault puts the number of its
 * site into a local and leaves for the label that the caller has named.
 */
import { invariant, unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { StateLayout } from '../explore/state-layout.js';
import { codeOfValue, domainSize, NONE, valueOfCode } from '../model/domain.js';
import type { Domain } from '../model/domain.js';
import { FAULT_KINDS } from '../sequential/evaluate.js';
import type { SequentialBinaryOperator } from '../sequential/evaluate.js';
import type { Cell, FaultKind, SequentialExpression } from '../sequential/sequential-model.js';
import { boundsOf } from '../sequential/simplify.js';
import type { Bounds } from '../sequential/simplify.js';
import { Accesses } from './accesses.js';
import { WIDE_OPERATORS } from './compiled-instance.js';
import type { FaultSites } from './faults.js';
import type { FunctionWriter, Label, Local } from '../webassembly/function-writer.js';
import { maskOf } from './state-copy.js';
import type { StateCopy } from './state-copy.js';

/** What all functions of one module share. */
export interface CodeContext {
    readonly cells: readonly Cell[];
    readonly layout: StateLayout;
    readonly sites: FaultSites;
    /** Imported: (operator, left, right) → result, NaN where it is a fault. */
    readonly wideOperation: number;
    /** Imported: () → the kind of the last such fault, as an index of FAULT_KINDS. */
    readonly wideFault: number;
}

/** The model cannot be compiled; the message says why. Never leaves this folder. */
export class NotCompilable extends Error {
    override readonly name = 'NotCompilable';
}

/** Where a fault goes. */
export interface FaultExit {
    readonly label: Label;
    /** Receives the number of the site. */
    readonly site: Local;
}

export type Representation = 'i32' | 'f64';

/** NONE among the integers of 32 bits. */
const NONE_32 = -(2 ** 31);
const MOST_32 = 2 ** 31 - 1;
/** A function beyond this size is not worth compiling: expressions that share parts may be exponentially large trees. */
const MOST_BYTES = 1 << 18;

/** Bits of one word that must have one value. */
interface MaskTest {
    readonly word: number;
    readonly mask: bigint;
    readonly value: bigint;
}

/** Neighbors in an array that lie in one word, one after the other. */
interface Run {
    /** Positions in the array. */
    readonly first: number;
    readonly last: number;
    /** Of the first of them. */
    readonly cell: number;
    readonly stride: number;
}

export class ExpressionCompiler {
    readonly f: FunctionWriter;
    readonly context: CodeContext;
    /** What cells hold. */
    copy: StateCopy;
    exit: FaultExit;
    /** How many places leave for the exit, over all. */
    faultCount = 0;

    constructor(f: FunctionWriter, context: CodeContext, copy: StateCopy, exit: FaultExit) {
        this.f = f;
        this.context = context;
        this.copy = copy;
        this.exit = exit;
    }

    /** Pushes the value and says as what. */
    value(expression: SequentialExpression): Representation {
        if (this.f.size > MOST_BYTES) {
            throw new NotCompilable('an expression is too large');
        }
        const representation = this.representationOf(expression);
        switch (expression.kind) {
            case 'constant':
                this.#constant(expression.value, representation);
                break;
            case 'cell':
                this.#readCell(expression.cell, expression.range, representation);
                break;
            case 'element':
                this.#readElement(expression, representation);
                break;
            case 'negate':
                this.#negate(expression, representation);
                break;
            case 'binary':
                if (isComparison(expression.operator)) {
                    this.#comparison(expression.operator, expression.left, expression.right);
                } else {
                    this.#arithmetic(expression.operator, expression, representation);
                }
                break;
            case 'conditional':
                this.condition(expression.condition);
                this.f.if(representation);
                this.valueAs(expression.then, representation);
                this.f.else();
                this.valueAs(expression.otherwise, representation);
                this.f.end();
                break;
            case 'select':
                this.#select(expression, representation);
                break;
            case 'count':
                this.#count(expression.operands);
                break;
            case 'sum':
                this.#sum(expression.operands, expression.range, representation);
                break;
            case 'min':
            case 'max':
                this.#extremum(expression.kind, expression.operands, expression.range, representation);
                break;
            case 'not':
                this.condition(expression.operand);
                this.f.op('i32_eqz');
                break;
            case 'and':
            case 'or':
                this.#junction(expression.kind, expression.operands);
                break;
            case 'fault':
                this.raise(expression.fault, expression.range);
                break;
            default:
                unreachable(expression);
        }
        return representation;
    }

    /** Pushes the value as the caller wants it; an i32 only where the value fits. */
    valueAs(expression: SequentialExpression, wanted: Representation): void {
        const given = this.value(expression);
        if (given === wanted) {
            return;
        }
        invariant(wanted === 'f64', 'a number is never made smaller than its expression');
        this.#widen(this.bounds(expression).mayBeNone);
    }

    /** Pushes the value of a Boolean expression: 0 or 1. */
    condition(expression: SequentialExpression): void {
        const test = this.#maskTest(expression);
        const opposite = test === undefined ? this.#oppositeTest(expression) : undefined;
        if (opposite !== undefined) {
            this.#pushMaskTest(opposite, 'i64_ne');
        } else if (test === undefined) {
            const representation = this.value(expression);
            invariant(representation === 'i32', 'truth values are small');
        } else {
            this.#pushMaskTest(test, 'i64_eq');
        }
    }

    /** Leaves for the label where the expression is false, and goes on where it is true. */
    branchIfFalse(expressions: readonly SequentialExpression[], label: Label): void {
        const operands = expressions.flatMap(each => (each.kind === 'and' ? each.operands : [each]));
        for (let index = 0; index < operands.length; index++) {
            const first = this.#maskTest(operands[index]);
            if (first === undefined) {
                this.condition(operands[index]);
                this.f.op('i32_eqz').brIf(label);
                continue;
            }
            // Tests of one word without a fault between them are one test.
            let test = first;
            for (; index + 1 < operands.length; index++) {
                const joint = joinTests(test, this.#maskTest(operands[index + 1]));
                if (joint === undefined) {
                    break;
                }
                test = joint;
            }
            this.#pushMaskTest(test, 'i64_ne');
            this.f.brIf(label);
        }
    }

    /** Pushes the code of the value, or leaves with the fault where the domain does not have it. */
    code(expression: SequentialExpression, domain: Domain, kind: FaultKind, range: SourceRange): void {
        if (expression.kind === 'constant') {
            const code = codeOfValue(domain, expression.value);
            if (code < 0) {
                this.raise(kind, range);
            } else {
                this.f.i32(code);
            }
            return;
        }
        const representation = this.value(expression);
        this.encode(representation, this.bounds(expression), domain, () => {
            this.raise(kind, range);
        });
    }

    /**
     * Leaves nothing pending in words from which an index chooses in what `add` adds. To be called before code that may be skipped, for the
     * expression itself may be skipped in part.
     */
    settleChosen(add: (accesses: Accesses) => void): void {
        if (this.copy.hasPending()) {
            const accesses = new Accesses();
            add(accesses);
            this.copy.settle(this.wordsOf(accesses.chosen));
        }
    }

    /** The long words of these cells, ascending. */
    wordsOf(cells: Iterable<number>): number[] {
        const words = new Set<number>();
        for (const cell of cells) {
            const { word, bits } = this.context.layout.placements[cell];
            if (!this.copy.isTemporary(cell) && bits > 0) {
                words.add(word);
            }
        }
        return [...words].sort((first, second) => first - second);
    }

    /** What is known of the value. */
    bounds(expression: SequentialExpression): Bounds {
        return boundsOf(expression, this.context.cells);
    }

    representationOf(expression: SequentialExpression): Representation {
        const { low, high } = this.bounds(expression);
        return fits(low, high) ? 'i32' : 'f64';
    }

    /** Leaves with a fault. What follows is not reached. */
    raise(kind: FaultKind, range: SourceRange): void {
        this.faultCount++;
        this.f.i32(this.context.sites.numberOf(kind, range)).set(this.exit.site).br(this.exit.label);
    }

    /** Leaves with a fault where the i32 on the stack is not 0. */
    raiseIf(kind: FaultKind, range: SourceRange): void {
        this.f.if();
        this.raise(kind, range);
        this.f.end();
    }

    /**
     * Where in the array, row by row, the indices point: a local that the caller releases. All indices are evaluated
     * before one of them is a fault.
     */
    position(indices: readonly SequentialExpression[], domains: readonly Domain[], range: SourceRange): Local {
        const { f } = this;
        const position = f.acquire('i32');
        if (indices.length === 1) {
            this.code(indices[0], domains[0], 'index', range);
            f.set(position);
            return position;
        }
        const outside = f.acquire('i32');
        f.i32(0).set(outside).i32(0).set(position);
        let mayFail = false;
        indices.forEach((index, dimension) => {
            const domain = domains[dimension];
            const inside = f.block();
            const failed = f.block();
            f.get(position).i32(domainSize(domain)).op('i32_mul').set(position);
            const representation = this.value(index);
            this.encode(representation, this.bounds(index), domain, () => {
                mayFail = true;
                f.br(failed);
            });
            f.get(position).op('i32_add').set(position).br(inside).end();
            f.i32(1).set(outside).end();
        });
        if (mayFail) {
            f.get(outside);
            this.raiseIf('index', range);
        }
        f.release(outside);
        return position;
    }

    /** The array's neighbors in the state, in the order of the positions. */
    runs(cells: readonly number[]): Run[] {
        const { placements } = this.context.layout;
        const runs: { first: number; last: number; cell: number; stride: number }[] = [];
        cells.forEach((cell, position) => {
            const run = runs.at(-1);
            const previous = cells[position - 1];
            if (run !== undefined && !this.copy.isTemporary(cell) && !this.copy.isTemporary(run.cell)) {
                const here = placements[cell];
                const there = placements[previous];
                const stride = here.shift - there.shift;
                const isLike = here.word === there.word && here.bits === there.bits && here.bias === there.bias;
                if (isLike && here.bits > 0 && (run.first === run.last ? stride > 0 : stride === run.stride)) {
                    run.last = position;
                    run.stride = stride;
                    return;
                }
            }
            runs.push({ first: position, last: position, cell, stride: 0 });
        });
        return runs;
    }

    /** For each run the code that `write` makes, run where the position is one of its. */
    dispatch(runs: readonly Run[], position: Local, write: (run: Run) => void): void {
        const { f } = this;
        if (runs.length === 1) {
            write(runs[0]);
            return;
        }
        const end = f.block();
        const labels = runs.map(() => f.block()).reverse();
        f.get(position);
        const targets = runs.flatMap((run, index) =>
            Array.from({ length: run.last - run.first + 1 }, () => labels[index]),
        );
        f.brTable(targets, labels[0]);
        runs.forEach((run, index) => {
            f.end();
            write(run);
            if (index < runs.length - 1) {
                f.br(end);
            }
        });
        f.end();
    }

    /** A local with the shift of an element of a run with more than one. */
    shiftOf(run: Run, position: Local): Local {
        const { f } = this;
        const shift = f.acquire('i32');
        const base = this.context.layout.placements[run.cell].shift - run.first * run.stride;
        f.get(position).i32(run.stride).op('i32_mul').i32(base).op('i32_add').set(shift);
        return shift;
    }

    #constant(value: number, representation: Representation): void {
        if (representation === 'f64') {
            this.f.f64(value);
        } else {
            this.f.i32(value === NONE ? NONE_32 : value);
        }
    }

    #readCell(cell: number, range: SourceRange, representation: Representation): void {
        const { domain } = this.context.cells[cell];
        const bias = this.#biasOf(cell);
        const stored = this.copy.knownStored(cell);
        if (stored !== undefined) {
            if (stored < bias) {
                this.raise('undefined', range);
            } else {
                this.#constant(domainSize(domain) === 0 ? 0 : valueOfCode(domain, stored - bias), representation);
            }
            return;
        }
        this.copy.pushStored(cell);
        this.#decodeStored(domain, bias, range, representation);
    }

    /** From what is stored, on the stack, to the value. */
    #decodeStored(domain: Domain, bias: number, range: SourceRange, representation: Representation): void {
        const { f } = this;
        if (bias > 0) {
            const stored = f.acquire('i32');
            f.tee(stored).op('i32_eqz');
            this.raiseIf('undefined', range);
            f.get(stored);
            f.release(stored);
        }
        if (representation === 'f64' || domain.kind === 'optional') {
            if (bias !== 0) {
                f.i32(bias).op('i32_sub');
            }
            this.#decode(domain, representation);
            return;
        }
        const offset = lowOf(domain) - bias;
        if (offset !== 0) {
            f.i32(offset).op('i32_add');
        }
    }

    /** From a code on the stack to the value. */
    #decode(domain: Domain, representation: Representation): void {
        const { f } = this;
        if (domain.kind === 'optional') {
            const code = f.acquire('i32');
            f.set(code);
            this.#constant(NONE, representation);
            f.get(code).i32(1).op('i32_sub');
            this.#decode(domain.base, representation);
            f.get(code).op('i32_eqz', 'select');
            f.release(code);
            return;
        }
        const low = lowOf(domain);
        if (representation === 'f64') {
            f.op('f64_convert_i32_u').f64(low).op('f64_add');
        } else if (low !== 0) {
            f.i32(low).op('i32_add');
        }
    }

    /** From a value on the stack to its code; `fail` leaves where the domain does not have it. */
    encode(given: Representation, bounds: Bounds, domain: Domain, fail: () => void): void {
        const { f } = this;
        const base = domain.kind === 'optional' ? domain.base : domain;
        const size = domainSize(base);
        const low = lowOf(base);
        const { mayBeNone } = bounds;
        const isInside = size > 0 && low <= bounds.low && bounds.high <= low + size - 1;
        const fallsOutside = !isInside || (mayBeNone && domain.kind !== 'optional');
        const failIf = (): void => {
            f.if();
            fail();
            f.end();
        };
        if (size === 0 && domain.kind !== 'optional') {
            f.op('drop');
            fail();
            return;
        }
        let representation = given;
        if (given === 'i32' && !fits(low, low + size - 1)) {
            this.#widen(mayBeNone);
            representation = 'f64';
        }
        const value = f.acquire(representation);
        f.set(value);
        const pushIsNone = (): void => {
            f.get(value);
            this.#constant(NONE, representation);
            f.op(representation === 'f64' ? 'f64_eq' : 'i32_eq');
        };
        if (fallsOutside) {
            if (size === 0) {
                f.i32(1);
            } else if (representation === 'f64') {
                f.get(value)
                    .f64(low)
                    .op('f64_lt')
                    .get(value)
                    .f64(low + size - 1)
                    .op('f64_gt', 'i32_or');
            } else {
                f.get(value);
                if (low !== 0) {
                    f.i32(low).op('i32_sub');
                }
                f.i32(size).op('i32_ge_u');
            }
            if (domain.kind === 'optional' && mayBeNone) {
                pushIsNone();
                f.op('i32_eqz', 'i32_and');
            }
            failIf();
        }
        const offset = domain.kind === 'optional' ? low - 1 : low;
        const pushCode = (): void => {
            f.get(value);
            if (representation === 'f64') {
                f.f64(offset).op('f64_sub', 'i32_trunc_f64_s');
            } else if (offset !== 0) {
                f.i32(offset).op('i32_sub');
            }
        };
        if (domain.kind === 'optional' && mayBeNone) {
            pushIsNone();
            f.if('i32');
            f.i32(0).else();
            pushCode();
            f.end();
        } else {
            pushCode();
        }
        f.release(value);
    }

    #readElement(expression: Extract<SequentialExpression, { kind: 'element' }>, representation: Representation): void {
        const { f } = this;
        const { cells, indices, domains, range } = expression;
        if (cells.length === 0) {
            // Each index of an empty array is outside its type.
            f.release(this.position(indices, domains, range));
            this.raise('index', range);
            return;
        }
        const { domain } = this.context.cells[cells[0]];
        const position = this.position(indices, domains, range);
        const result = f.acquire(representation);
        const { placements } = this.context.layout;
        this.dispatch(this.runs(cells), position, run => {
            const bias = this.#biasOf(run.cell);
            if (run.first === run.last) {
                this.#readCell(run.cell, range, representation);
            } else {
                const shift = this.shiftOf(run, position);
                const { word, bits } = placements[run.cell];
                this.copy.pushShifted(word, shift, bits);
                f.release(shift);
                this.#decodeStored(domain, bias, range, representation);
            }
            f.set(result);
        });
        f.get(result);
        f.release(result);
        f.release(position);
    }

    #biasOf(cell: number): number {
        return this.copy.isTemporary(cell) ? 1 : this.context.layout.placements[cell].bias;
    }

    #negate(
        { operand, range }: Extract<SequentialExpression, { kind: 'negate' }>,
        representation: Representation,
    ): void {
        const { f } = this;
        const given = this.value(operand);
        const value = f.acquire(given);
        f.set(value);
        this.#raiseIfNone([[value, operand]], given, range);
        if (given === 'f64') {
            // The bounds are those of the operand, mirrored.
            f.get(value).op('f64_neg');
        } else {
            f.i32(0).get(value).op('i32_sub');
        }
        f.release(value);
        invariant(given === representation, 'a number and its opposite are of one size');
    }

    #raiseIfNone(
        operands: readonly (readonly [Local, SequentialExpression])[],
        representation: Representation,
        range: SourceRange,
    ): void {
        for (const [local, expression] of operands) {
            if (this.bounds(expression).mayBeNone) {
                this.f.get(local);
                this.#constant(NONE, representation);
                this.f.op(representation === 'f64' ? 'f64_eq' : 'i32_eq');
                this.raiseIf('undefined', range);
            }
        }
    }

    #comparison(operator: Comparison, left: SequentialExpression, right: SequentialExpression): void {
        const wide = this.representationOf(left) === 'f64' || this.representationOf(right) === 'f64';
        this.valueAs(left, wide ? 'f64' : 'i32');
        this.valueAs(right, wide ? 'f64' : 'i32');
        this.f.op(COMPARISON[operator][wide ? 'f64' : 'i32']);
    }

    #arithmetic(
        operator: Arithmetic,
        expression: Extract<SequentialExpression, { kind: 'binary' }>,
        representation: Representation,
    ): void {
        const { f } = this;
        const { left, right, range } = expression;
        const isNarrow =
            representation === 'i32' &&
            this.representationOf(left) === 'i32' &&
            this.representationOf(right) === 'i32' &&
            this.#isNarrowOperation(operator, left, right);
        if (!isNarrow) {
            this.#wideArithmetic(operator, expression, representation);
            return;
        }
        if (isNarrowInline(operator) && !this.bounds(left).mayBeNone && !this.bounds(right).mayBeNone) {
            this.valueAs(left, 'i32');
            this.valueAs(right, 'i32');
            f.op(NARROW[operator]);
            return;
        }
        const first = f.acquire('i32');
        const second = f.acquire('i32');
        this.valueAs(left, 'i32');
        f.set(first);
        this.valueAs(right, 'i32');
        f.set(second);
        this.#raiseIfNone(
            [
                [first, left],
                [second, right],
            ],
            'i32',
            range,
        );
        const divisor = this.bounds(right);
        if ((operator === 'div' || operator === 'mod') && divisor.low <= 0 && 0 <= divisor.high) {
            f.get(second).op('i32_eqz');
            this.raiseIf('division', range);
        }
        if (isNarrowInline(operator)) {
            f.get(first).get(second).op(NARROW[operator]);
        } else {
            invariant(operator === 'div' || operator === 'mod', 'the others are computed in wide numbers');
            this.#divide(operator, first, second, this.bounds(left).low >= 0);
        }
        f.release(first);
        f.release(second);
    }

    /** Whether 32 bits are enough on the way too. */
    #isNarrowOperation(operator: Arithmetic, left: SequentialExpression, right: SequentialExpression): boolean {
        const first = this.bounds(left);
        const second = this.bounds(right);
        switch (operator) {
            case '+':
                return fits(first.low + second.low, first.high + second.high);
            case '-':
                return fits(first.low - second.high, first.high - second.low);
            case '*': {
                const ends = [first.low, first.high].flatMap(one => [one * second.low, one * second.high]);
                return ends.every(end => fits(end, end));
            }
            case 'div':
            case 'mod':
                return true;
            case 'bitand':
            case 'bitor':
            case 'xor':
                return first.low >= 0 && second.low >= 0 && !first.mayBeNone && !second.mayBeNone;
            case 'pow':
            case 'shl':
            case 'shr':
                return false;
            default:
                return unreachable(operator);
        }
    }

    /** Euclidean: the remainder is never negative. The divisor is not 0. */
    #divide(operator: 'div' | 'mod', first: Local, second: Local, isPositive: boolean): void {
        const { f } = this;
        if (isPositive) {
            f.get(first)
                .get(second)
                .op(operator === 'div' ? 'i32_div_s' : 'i32_rem_s');
            return;
        }
        const remainder = f.acquire('i32');
        f.get(first).get(second).op('i32_rem_s').set(remainder);
        const sign = (): void => {
            // 1 where the divisor is positive, else -1.
            f.i32(1).i32(-1).get(second).i32(0).op('i32_gt_s', 'select');
        };
        if (operator === 'mod') {
            f.get(remainder).get(second);
            sign();
            f.op('i32_mul').i32(0).get(remainder).i32(0).op('i32_lt_s', 'select', 'i32_add');
        } else {
            f.get(first).get(second).op('i32_div_s');
            sign();
            f.i32(0).get(remainder).i32(0).op('i32_lt_s', 'select', 'i32_sub');
        }
        f.release(remainder);
    }

    /** As the interpreter does it, in the numbers of JavaScript. */
    #wideArithmetic(
        operator: Arithmetic,
        expression: Extract<SequentialExpression, { kind: 'binary' }>,
        representation: Representation,
    ): void {
        const { f } = this;
        const { left, right, range } = expression;
        const result = f.acquire('f64');
        const first = f.acquire('f64');
        const second = f.acquire('f64');
        this.valueAs(left, 'f64');
        f.set(first);
        this.valueAs(right, 'f64');
        f.set(second);
        if (operator === '+' || operator === '-' || operator === '*') {
            f.get(first).get(second).op(WIDE[operator]).tee(result).op('f64_abs').f64(Number.MAX_SAFE_INTEGER);
            f.op('f64_le', 'i32_eqz').if();
            this.#raiseIfNone(
                [
                    [first, left],
                    [second, right],
                ],
                'f64',
                range,
            );
            this.raise('overflow', range);
            f.end();
        } else {
            f.i32(WIDE_OPERATORS.indexOf(operator)).get(first).get(second).call(this.context.wideOperation);
            f.tee(result).get(result).op('f64_ne').if();
            for (const kind of ['division', 'overflow', 'undefined'] as const) {
                f.call(this.context.wideFault).i32(FAULT_KINDS.indexOf(kind)).op('i32_eq');
                this.raiseIf(kind, range);
            }
            f.op('unreachable').end();
        }
        f.get(result);
        if (representation === 'i32') {
            f.op('i32_trunc_f64_s');
        }
        f.release(result);
        f.release(first);
        f.release(second);
    }

    #widen(mayBeNone: boolean): void {
        const { f } = this;
        if (!mayBeNone) {
            f.op('f64_convert_i32_s');
            return;
        }
        const value = f.acquire('i32');
        f.set(value).f64(NONE).get(value).op('f64_convert_i32_s').get(value).i32(NONE_32).op('i32_eq', 'select');
        f.release(value);
    }

    #select(expression: Extract<SequentialExpression, { kind: 'select' }>, representation: Representation): void {
        const { f } = this;
        const { index, domain, options, range } = expression;
        if (options.length === 0) {
            f.release(this.position([index], [domain], range));
            this.raise('index', range);
            return;
        }
        const position = this.position([index], [domain], range);
        const result = f.acquire(representation);
        const runs = options.map((_, option): Run => ({ first: option, last: option, cell: -1, stride: 0 }));
        this.dispatch(runs, position, ({ first }) => {
            this.valueAs(options[first], representation);
            f.set(result);
        });
        f.get(result);
        f.release(result);
        f.release(position);
    }

    #count(operands: readonly SequentialExpression[]): void {
        this.f.i32(0);
        for (const operand of operands) {
            this.condition(operand);
            this.f.op('i32_add');
        }
    }

    #sum(operands: readonly SequentialExpression[], range: SourceRange, representation: Representation): void {
        const { f } = this;
        let low = 0;
        let high = 0;
        let isNarrow = representation === 'i32';
        for (const operand of operands) {
            const bounds = this.bounds(operand);
            low += bounds.low;
            high += bounds.high;
            isNarrow &&= fits(low, high) && fits(bounds.low, bounds.high);
        }
        const type = isNarrow ? 'i32' : 'f64';
        const total = f.acquire(type);
        this.#constant(0, type);
        f.set(total);
        for (const operand of operands) {
            const value = f.acquire(type);
            this.valueAs(operand, type);
            f.set(value);
            this.#raiseIfNone([[value, operand]], type, range);
            f.get(total)
                .get(value)
                .op(isNarrow ? 'i32_add' : 'f64_add')
                .set(total);
            if (!isNarrow) {
                f.get(total).op('f64_abs').f64(Number.MAX_SAFE_INTEGER).op('f64_le', 'i32_eqz');
                this.raiseIf('overflow', range);
            }
            f.release(value);
        }
        f.get(total);
        if (!isNarrow && representation === 'i32') {
            f.op('i32_trunc_f64_s');
        }
        f.release(total);
    }

    #extremum(
        kind: 'min' | 'max',
        operands: readonly SequentialExpression[],
        range: SourceRange,
        representation: Representation,
    ): void {
        const { f } = this;
        // Of a large and a small number the least may be small.
        const wide = operands.some(operand => this.representationOf(operand) === 'f64');
        const type = wide ? 'f64' : 'i32';
        const best = f.acquire(type);
        const value = f.acquire(type);
        this.#constant(NONE, type);
        f.set(best);
        const isBetter = COMPARISON[kind === 'min' ? '<' : '>'][type];
        const equal = COMPARISON['=='][type];
        for (const operand of operands) {
            this.valueAs(operand, type);
            f.set(value).get(value).get(best).get(value).get(best).op(isBetter);
            if (kind === 'min') {
                f.get(best);
                this.#constant(NONE, type);
                f.op(equal, 'i32_or');
                if (this.bounds(operand).mayBeNone) {
                    f.get(value);
                    this.#constant(NONE, type);
                    f.op(equal, 'i32_eqz', 'i32_and');
                }
            }
            f.op('select').set(best);
        }
        if (operands.every(operand => this.bounds(operand).mayBeNone)) {
            f.get(best);
            this.#constant(NONE, type);
            f.op(equal);
            this.raiseIf('undefined', range);
        }
        f.get(best);
        if (wide && representation === 'i32') {
            f.op('i32_trunc_f64_s');
        }
        f.release(best);
        f.release(value);
    }

    #junction(kind: 'and' | 'or', operands: readonly SequentialExpression[]): void {
        const { f } = this;
        const end = f.block('i32');
        operands.forEach((operand, index) => {
            this.condition(operand);
            if (index < operands.length - 1) {
                // The result is known: it is what the operand was.
                const result = kind === 'and' ? 0 : 1;
                if (kind === 'and') {
                    f.op('i32_eqz');
                }
                f.if();
                f.i32(result).br(end).end();
            }
        });
        f.end();
    }

    /** The expression as a test of bits that never faults and whose cell is not known to have changed. */
    #maskTest(expression: SequentialExpression): MaskTest | undefined {
        switch (expression.kind) {
            case 'cell':
                return this.#cellTest(expression.cell, 1);
            case 'not':
                return expression.operand.kind === 'cell' ? this.#cellTest(expression.operand.cell, 0) : undefined;
            case 'binary':
                return expression.operator === '==' ? this.#equalityTest(expression.left, expression.right) : undefined;
            default:
                return undefined;
        }
    }

    #equalityTest(left: SequentialExpression, right: SequentialExpression): MaskTest | undefined {
        if (left.kind === 'cell' && right.kind === 'constant') {
            return this.#cellTest(left.cell, right.value);
        }
        return left.kind === 'constant' && right.kind === 'cell' ? this.#cellTest(right.cell, left.value) : undefined;
    }

    #cellTest(cell: number, value: number): MaskTest | undefined {
        const { word, shift, bits, bias } = this.context.layout.placements[cell];
        const code = codeOfValue(this.context.cells[cell].domain, value);
        const stored = code + bias;
        const isStorable = code >= 0 && stored >= 0 && stored < 2 ** bits;
        if (bias > 0 || bits === 0 || !isStorable || this.copy.knownStored(cell) !== undefined) {
            return undefined;
        }
        return { word, mask: maskOf(bits) << BigInt(shift), value: BigInt(stored) << BigInt(shift) };
    }

    /** What must not hold for the expression to be true. */
    #oppositeTest(expression: SequentialExpression): MaskTest | undefined {
        return expression.kind === 'binary' && expression.operator === '!='
            ? this.#equalityTest(expression.left, expression.right)
            : undefined;
    }

    #pushMaskTest({ word, mask, value }: MaskTest, comparison: 'i64_eq' | 'i64_ne'): void {
        this.copy.pushUnchangedBits(word);
        this.f.i64(BigInt.asIntN(64, mask)).op('i64_and').i64(BigInt.asIntN(64, value)).op(comparison);
    }
}

type Comparison = keyof typeof COMPARISON;
type Arithmetic = Exclude<SequentialBinaryOperator, Comparison>;

const COMPARISON = {
    '==': { i32: 'i32_eq', f64: 'f64_eq' },
    '!=': { i32: 'i32_ne', f64: 'f64_ne' },
    '<': { i32: 'i32_lt_s', f64: 'f64_lt' },
    '<=': { i32: 'i32_le_s', f64: 'f64_le' },
    '>': { i32: 'i32_gt_s', f64: 'f64_gt' },
    '>=': { i32: 'i32_ge_s', f64: 'f64_ge' },
} as const;

const NARROW = {
    '+': 'i32_add',
    '-': 'i32_sub',
    '*': 'i32_mul',
    bitand: 'i32_and',
    bitor: 'i32_or',
    xor: 'i32_xor',
} as const;

const WIDE = { '+': 'f64_add', '-': 'f64_sub', '*': 'f64_mul' } as const;

function isComparison(operator: SequentialBinaryOperator): operator is Comparison {
    return Object.hasOwn(COMPARISON, operator);
}

function isNarrowInline(operator: Arithmetic): operator is keyof typeof NARROW {
    return Object.hasOwn(NARROW, operator);
}

/** Both tests at once, where they are about one word; undefined also where they contradict each other. */
function joinTests(one: MaskTest, other: MaskTest | undefined): MaskTest | undefined {
    if (other === undefined || one.word !== other.word || (one.mask & other.mask) !== 0n) {
        return undefined;
    }
    return { word: one.word, mask: one.mask | other.mask, value: one.value | other.value };
}

/** Whether the integers from `low` to `high`, if there are any, are i32 and none of them stands for NONE. */
function fits(low: number, high: number): boolean {
    return low > high || (low > NONE_32 && high <= MOST_32);
}

/** The least value of a domain that is not optional. */
function lowOf(domain: Domain): number {
    invariant(domain.kind !== 'optional', 'an optional type has no integer of its own');
    return domain.kind === 'range' ? domain.low : 0;
}
