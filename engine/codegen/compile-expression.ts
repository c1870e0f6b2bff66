/**
 * Expressions as WebAssembly, with the meaning that sequential/expression/evaluate.ts gives them.
 *
 * An expression whose integers are known to fit into 32 bits is an i32; any other is an f64 and computed just as the
 * interpreter computes (value-representation.ts). A fault puts the number of its site into a local and leaves for the
 * label that the caller has named.
 */
import { invariant, unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { StateLayout } from '../explore/state-layout.js';
import { codeOfValue, domainSize, valueOfCode, type Domain } from '../model/domain.js';
import type { Cell, ElementPlace, FaultKind, SequentialExpression } from '../sequential/sequential-model.js';
import { boundsOf, type Bounds } from '../sequential/expression/simplify.js';
import type { FunctionWriter, Label, Local } from '../webassembly/function-writer.js';
import { Accesses } from './accesses.js';
import { compileBinary, compileExtremum, compileNegation, compileSum } from './compile-arithmetic.js';
import type { FaultSites } from './faults.js';
import { joinTests, maskTest, oppositeTest, pushMaskTest } from './mask-test.js';
import type { StateCopy } from './state-copy.js';
import { decode, encode, fits, lowOf, pushConstant, widen, type Representation } from './value-representation.js';

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

/** A function beyond this size is not worth compiling: expressions that share parts may be exponentially large trees. */
const MOST_BYTES = 1 << 18;

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
                pushConstant(expression.value, representation, this.f);
                break;
            case 'cell':
                this.#readCell(expression.cell, expression.range, representation);
                break;
            case 'element':
                this.#readElement(expression, representation);
                break;
            case 'negate':
                compileNegation(expression, representation, this);
                break;
            case 'binary':
                compileBinary(expression, representation, this);
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
                compileSum(expression, representation, this);
                break;
            case 'min':
            case 'max':
                compileExtremum(expression.kind, expression, representation, this);
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
        widen(this.bounds(expression).mayBeNone, this.f);
    }

    /** Pushes the value of a Boolean expression: 0 or 1. */
    condition(expression: SequentialExpression): void {
        const test = maskTest(expression, this);
        const opposite = test === undefined ? oppositeTest(expression, this) : undefined;
        if (opposite !== undefined) {
            pushMaskTest(opposite, 'i64_ne', this.copy, this.f);
        } else if (test === undefined) {
            const representation = this.value(expression);
            invariant(representation === 'i32', 'truth values are small');
        } else {
            pushMaskTest(test, 'i64_eq', this.copy, this.f);
        }
    }

    /** Leaves for the label where the expression is false, and goes on where it is true. */
    branchIfFalse(expressions: readonly SequentialExpression[], label: Label): void {
        const operands = expressions.flatMap(each => (each.kind === 'and' ? each.operands : [each]));
        for (let index = 0; index < operands.length; index++) {
            const first = maskTest(operands[index], this);
            if (first === undefined) {
                this.condition(operands[index]);
                this.f.op('i32_eqz').brIf(label);
                continue;
            }
            // Tests of one word without a fault between them are one test.
            let test = first;
            for (; index + 1 < operands.length; index++) {
                const joint = joinTests(test, maskTest(operands[index + 1], this));
                if (joint === undefined) {
                    break;
                }
                test = joint;
            }
            pushMaskTest(test, 'i64_ne', this.copy, this.f);
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
        encode(representation, this.bounds(expression), domain, this.f, () => {
            this.raise(kind, range);
        });
    }

    /**
     * Leaves nothing pending in words from which an index chooses in what `add` adds. To be called before code that may be
     * skipped, for the expression itself may be skipped in part.
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
            encode(representation, this.bounds(index), domain, f, () => {
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

    #readCell(cell: number, range: SourceRange, representation: Representation): void {
        const { domain } = this.context.cells[cell];
        const bias = this.biasOf(cell);
        const stored = this.copy.knownStored(cell);
        if (stored !== undefined) {
            if (stored < bias) {
                this.raise('undefined', range);
            } else {
                pushConstant(domainSize(domain) === 0 ? 0 : valueOfCode(domain, stored - bias), representation, this.f);
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
            decode(domain, representation, f);
            return;
        }
        const offset = lowOf(domain) - bias;
        if (offset !== 0) {
            f.i32(offset).op('i32_add');
        }
    }

    #readElement(expression: ElementPlace, representation: Representation): void {
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
            const bias = this.biasOf(run.cell);
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

    /** By how much what is stored is more than the code. */
    biasOf(cell: number): number {
        return this.copy.isTemporary(cell) ? 1 : this.context.layout.placements[cell].bias;
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
}
