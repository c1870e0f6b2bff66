/**
 * Expressions as WebAssembly, with the meaning of sequential/expression/evaluate.ts.
 *
 * An expression is an i32 if all its integers are known to fit, else an f64 as in the interpreter
 * (value-representation.ts). A fault sets a variable to the number of its site and branches to a label.
 */
import { invariant, unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { StateLayout } from '../explore/state-layout.js';
import { codeOfValue, domainSize, valueOfCode, type Domain } from '../model/domain.js';
import type {
    Cell,
    ElementPlace,
    FaultKind,
    SequentialExpression,
    TemplateSlots,
} from '../sequential/sequential-model.js';
import {
    callTo,
    combined,
    type FunctionBody,
    i32,
    i64,
    type Int,
    type Label,
    type Long,
    notReached,
    type StackValue,
    type WasmVariable,
} from '../webassembly/function-body.js';
import { supportOf } from '../sequential/cell-access.js';
import { cellsChosen } from './accesses.js';
import { compileBinary, compileExtremum, compileNegation, compileOnly, compileSum } from './compile-arithmetic.js';
import { type FaultSites, keepWorst, NO_SITE } from './faults.js';
import { bitsOf, freeAfter, type CompiledTemplate } from './free-slots.js';
import { joinTests, maskTest, oppositeTest, passes } from './mask-test.js';
import type { StateCopy } from './state-copy.js';
import { constant, decoded, encoded, fits, lowOf, type Representation, widened } from './value-representation.js';
import { boundsOf, type Bounds } from '../sequential/expression/bounds.js';

/** The context that all functions of one module share. */
export interface CodeContext {
    readonly cells: readonly Cell[];
    /** The same cells with domains that bound what a state of generated code holds. */
    readonly bounded: readonly Cell[];
    readonly layout: StateLayout;
    readonly sites: FaultSites;
    readonly templates: readonly CompiledTemplate[];
    /** Imported: (operator, left, right) → result, NaN if it is a fault. */
    readonly wideOperation: number;
    /** Imported: () → the kind of the last such fault, as an index of FAULT_KINDS. */
    readonly wideFault: number;
}

/** The model cannot be compiled; the message is the reason. Never leaves this folder. */
export class NotCompilable extends Error {
    override readonly name = 'NotCompilable';
}

interface FaultExit {
    readonly label: Label;
    /** Receives the number of the site. */
    readonly site: WasmVariable<'i32'>;
}

/** The largest size of a function: expressions that share parts may be exponentially large trees. */
const MOST_BYTES = 1 << 18;

/** Neighbors in an array that lie one after the other in one word. */
interface Run {
    /** Positions in the array. */
    readonly first: number;
    readonly last: number;
    /** Of the first of them. */
    readonly cell: number;
    readonly stride: number;
}

export class ExpressionCompiler {
    readonly f: FunctionBody;
    readonly context: CodeContext;
    copy: StateCopy;
    exit: FaultExit;
    faultCount = 0;

    constructor(f: FunctionBody, context: CodeContext, copy: StateCopy, exit: FaultExit) {
        this.f = f;
        this.context = context;
        this.copy = copy;
        this.exit = exit;
    }

    /** The value, whose type is the representation. It must be used before the copy changes. */
    value(expression: SequentialExpression): StackValue<Representation> {
        const representation = this.representationOf(expression);
        return this.f.compute(representation, () => {
            if (this.f.size > MOST_BYTES) {
                throw new NotCompilable('an expression is too large');
            }
            return this.#value(expression, representation);
        });
    }

    /** The value in the wanted representation; i32 only if the value fits. */
    valueAs<Type extends Representation>(expression: SequentialExpression, wanted: Type): StackValue<Type>;
    valueAs(expression: SequentialExpression, wanted: Representation): StackValue<Representation> {
        const given = this.value(expression);
        if (given.type === wanted) {
            return given;
        }
        invariant(wanted === 'f64', 'a number is never made smaller than its expression');
        return widened(given as Int, this.bounds(expression).mayBeNone, this.f);
    }

    /** The value of a Boolean expression: 0 or 1. */
    condition(expression: SequentialExpression): Int {
        const test = maskTest(expression, this);
        if (test !== undefined) {
            return passes(test, this.copy);
        }
        const opposite = oppositeTest(expression, this);
        return opposite === undefined ? this.valueAs(expression, 'i32') : passes(opposite, this.copy).isZero();
    }

    /** Branches to the label if an expression is false, and goes on if all are true. */
    branchIfFalse(expressions: readonly SequentialExpression[], label: Label): void {
        const operands = expressions.flatMap(each => (each.kind === 'and' ? each.operands : [each]));
        for (let index = 0; index < operands.length; index++) {
            let test = maskTest(operands[index], this);
            if (test === undefined) {
                this.f.branchUnless(this.condition(operands[index]), label);
                continue;
            }
            // Tests of one word without a fault between them are one test.
            for (; index + 1 < operands.length; index++) {
                const joint = joinTests(test, maskTest(operands[index + 1], this));
                if (joint === undefined) {
                    break;
                }
                test = joint;
            }
            this.f.branchUnless(passes(test, this.copy), label);
        }
    }

    /** The code of the value; raises the fault if the domain does not contain the value. */
    code(expression: SequentialExpression, domain: Domain, kind: FaultKind, range: SourceRange): Int {
        const fail = (): void => {
            this.raise(kind, range);
        };
        if (expression.kind !== 'constant') {
            return encoded(this.value(expression), this.bounds(expression), domain, this.f, fail);
        }
        const code = codeOfValue(domain, expression.value);
        if (code < 0) {
            fail();
            return notReached('i32');
        }
        return i32(code);
    }

    /** Settles the words in which the expressions choose by an index; needed before code that may be skipped. */
    settleChosen(expressions: readonly SequentialExpression[]): void {
        if (this.copy.hasPending()) {
            this.copy.settle(this.wordsOf(cellsChosen(expressions)));
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

    bounds(expression: SequentialExpression): Bounds {
        return boundsOf(expression, this.context.bounded);
    }

    representationOf(expression: SequentialExpression): Representation {
        const { low, high } = this.bounds(expression);
        return fits(low, high) ? 'i32' : 'f64';
    }

    /** Raises a fault. The next instructions are not reached. */
    raise(kind: FaultKind, range: SourceRange): void {
        this.faultCount++;
        this.exit.site.set(this.context.sites.numberOf(kind, range));
        this.f.branch(this.exit.label);
    }

    raiseIf(condition: Int, kind: FaultKind, range: SourceRange): void {
        this.f.if(condition, () => {
            this.raise(kind, range);
        });
    }

    /**
     * What writes the value of each operand, where operands have no order: if some may be faults, all are evaluated here, and
     * the first kind is raised.
     */
    together<Type extends Representation>(
        operands: readonly SequentialExpression[],
        type: Type,
        evaluate = (operand: SequentialExpression): StackValue<Type> => this.valueAs(operand, type),
    ): (() => StackValue<Type>)[] {
        const { f, exit, context } = this;
        const mayFault = (operand: SequentialExpression): boolean =>
            this.bounds(operand).mayFault || supportOf(operand).some(cell => context.cells[cell].mayBeAbsent);
        if (operands.length < 2 || !operands.some(mayFault)) {
            return operands.map(operand => () => evaluate(operand));
        }
        const worst = f.variable(NO_SITE);
        this.settleChosen(operands);
        const values = operands.map(operand => {
            const value = f.local(type);
            f.block(done => {
                f.block(label => {
                    this.exit = { label, site: exit.site };
                    value.set(evaluate(operand));
                    f.branch(done);
                });
                keepWorst(worst, exit.site);
            });
            return value;
        });
        this.exit = exit;
        f.if(worst.isNot(NO_SITE), () => {
            exit.site.set(worst);
            f.branch(exit.label);
        });
        return values.map(value => () => value);
    }

    /** The position of the indices in the array, row by row. All are evaluated before one raises a fault. */
    position(
        indices: readonly SequentialExpression[],
        domains: readonly Domain[],
        range: SourceRange,
    ): WasmVariable<'i32'> {
        const { f } = this;
        if (indices.length === 1) {
            return f.variable(this.code(indices[0], domains[0], 'index', range));
        }
        const outside = f.variable(0);
        const position = f.variable(0);
        let mayFail = false;
        indices.forEach((index, dimension) => {
            f.block(inside => {
                f.block(failed => {
                    const row = f.variable(position.times(domainSize(domains[dimension])));
                    const code = encoded(this.value(index), this.bounds(index), domains[dimension], f, () => {
                        mayFail = true;
                        f.branch(failed);
                    });
                    position.set(code.plus(row));
                    f.branch(inside);
                });
                outside.set(1);
            });
        });
        if (mayFail) {
            this.raiseIf(outside, 'index', range);
        }
        return position;
    }

    /** The runs of the array, in the order of the positions. */
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

    /** Writes a branch for each run: `write` writes the code for positions in the run. */
    dispatch(runs: readonly Run[], position: Int, write: (run: Run) => void): void {
        if (runs.length === 1) {
            write(runs[0]);
            return;
        }
        const armOf = runs.flatMap(({ first, last }, arm) => Array<number>(last - first + 1).fill(arm));
        const arms = runs.map(run => (): void => {
            write(run);
        });
        this.f.switch(position, armOf, arms, arms.length - 1);
    }

    /** The shift of an element of a run with more than one. */
    shiftOf(run: Run, position: Int): WasmVariable<'i32'> {
        const base = this.context.layout.placements[run.cell].shift - run.first * run.stride;
        return this.f.variable(position.times(run.stride).plus(base));
    }

    /** The difference between stored numbers and codes. */
    biasOf(cell: number): number {
        return this.copy.isTemporary(cell) ? 1 : this.context.layout.placements[cell].bias;
    }

    #value(expression: SequentialExpression, representation: Representation): StackValue<Representation> {
        switch (expression.kind) {
            case 'constant':
                return constant(expression.value, representation);
            case 'cell':
                return this.#cell(expression.cell, expression.range, representation);
            case 'element':
                return this.#element(expression, representation);
            case 'negate':
                return compileNegation(expression, representation, this);
            case 'binary':
                return compileBinary(expression, representation, this);
            case 'conditional':
                return this.f.choose(
                    this.condition(expression.condition),
                    this.valueAs(expression.then, representation),
                    this.valueAs(expression.otherwise, representation),
                );
            case 'select':
                return this.#select(expression, representation);
            case 'all':
            case 'some':
                return this.#unordered(expression.kind, expression.operands);
            case 'count':
                return combined(this.#truths(expression.operands), i32(0), (count, truth) => count.plus(truth));
            case 'sum':
                return compileSum(expression, representation, this);
            case 'min':
            case 'max':
                return compileExtremum(expression.kind, expression, representation, this);
            case 'the':
                return compileOnly(expression, representation, this);
            case 'not':
                return this.condition(expression.operand).isZero();
            case 'and':
            case 'or':
                return this.#junction(expression.kind, expression.operands);
            case 'holds': {
                const code = codeOfValue(this.context.cells[expression.cell].domain, expression.value);
                return this.copy.stored(expression.cell).is(code + this.biasOf(expression.cell));
            }
            case 'fresh':
                return this.#fresh(expression);
            case 'choosable':
                return this.#choosable(expression);
            case 'fault':
                this.raise(expression.fault, expression.range);
                return notReached(representation);
            default:
                return unreachable(expression);
        }
    }

    #fresh({ template, before, taken, range }: Extract<SequentialExpression, { kind: 'fresh' }>): Int {
        const { f } = this;
        const free = f.variable(freeAfter(this.#usedSlots(template), template.slots.length, before, taken, f));
        this.raiseIf(free.isZero(), 'slots', range);
        return free.converted('i64', 'i64_ctz').toInt();
    }

    /** The cells of the choice itself are not in use in the state before the step. */
    #choosable({ template, slot, taken, range }: Extract<SequentialExpression, { kind: 'choosable' }>): Int {
        const { f } = this;
        const used = f.variable(this.#usedSlots(template));
        const free = f.variable(freeAfter(used, template.slots.length, 0, taken, f));
        this.raiseIf(free.isZero(), 'slots', range);
        const first = free.and(i64(0n).minus(free));
        return used.or(first).or(bitsOf(taken)).shiftedRight(BigInt(slot)).and(1n).toInt();
    }

    #usedSlots(template: TemplateSlots): Long {
        const compiled = this.context.templates.find(each => each.template === template);
        invariant(compiled !== undefined, 'the templates of a model are compiled before its steps');
        return callTo('i64', compiled.used);
    }

    #cell(cell: number, range: SourceRange, representation: Representation): StackValue<Representation> {
        const { domain } = this.context.cells[cell];
        const bias = this.biasOf(cell);
        const stored = this.copy.knownStored(cell);
        if (stored === undefined) {
            return this.#decodedStored(this.copy.stored(cell), domain, bias, range, representation);
        }
        if (stored < bias) {
            this.raise('undefined', range);
            return notReached(representation);
        }
        return constant(domainSize(domain) === 0 ? 0 : valueOfCode(domain, stored - bias), representation);
    }

    /** The value of a stored number. */
    #decodedStored(
        stored: Int,
        domain: Domain,
        bias: number,
        range: SourceRange,
        representation: Representation,
    ): StackValue<Representation> {
        const { f } = this;
        let known = stored;
        if (bias > 0) {
            known = f.variable(stored);
            this.raiseIf(known.isZero(), 'undefined', range);
        }
        return representation === 'f64' || domain.kind === 'optional'
            ? decoded(known.minus(bias), domain, representation, f)
            : known.plus(lowOf(domain) - bias);
    }

    #element(expression: ElementPlace, representation: Representation): StackValue<Representation> {
        const { f } = this;
        const { cells, indices, domains, range } = expression;
        const position = this.position(indices, domains, range);
        if (cells.length === 0) {
            // Each index of an empty array is outside its type.
            this.raise('index', range);
            return notReached(representation);
        }
        const { domain } = this.context.cells[cells[0]];
        const result = f.local(representation);
        this.dispatch(this.runs(cells), position, run => {
            const element = f.compute(representation, () => {
                if (run.first === run.last) {
                    return this.#cell(run.cell, range, representation);
                }
                const { word, bits } = this.context.layout.placements[run.cell];
                const stored = this.copy.storedAt(word, this.shiftOf(run, position), bits);
                return this.#decodedStored(stored, domain, this.biasOf(run.cell), range, representation);
            });
            result.set(element);
        });
        return result;
    }

    #select(
        expression: Extract<SequentialExpression, { kind: 'select' }>,
        representation: Representation,
    ): StackValue<Representation> {
        const { index, domain, options, range } = expression;
        const position = this.position([index], [domain], range);
        if (options.length === 0) {
            this.raise('index', range);
            return notReached(representation);
        }
        const result = this.f.local(representation);
        const runs = options.map((_, option): Run => ({ first: option, last: option, cell: -1, stride: 0 }));
        this.dispatch(runs, position, ({ first }) => {
            result.set(this.valueAs(options[first], representation));
        });
        return result;
    }

    #truths(operands: readonly SequentialExpression[]): readonly Int[] {
        return this.together(operands, 'i32', operand => this.condition(operand)).map(valueOf => valueOf());
    }

    #unordered(kind: 'all' | 'some', operands: readonly SequentialExpression[]): Int {
        return operands.some(operand => this.bounds(operand).mayFault)
            ? combined(this.#truths(operands), i32(kind === 'all' ? 1 : 0), (one, other) =>
                  kind === 'all' ? one.and(other) : one.or(other),
              )
            : this.#junction(kind === 'all' ? 'and' : 'or', operands);
    }

    #junction(kind: 'and' | 'or', operands: readonly SequentialExpression[]): Int {
        return this.f.computeUntil('i32', leaveIf => {
            for (const operand of operands.slice(0, -1)) {
                const condition = this.condition(operand);
                leaveIf(kind === 'and' ? condition.isZero() : condition, kind === 'and' ? 0 : 1);
            }
            return this.condition(operands[operands.length - 1]);
        });
    }
}
