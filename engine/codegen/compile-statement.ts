/** Statements as WebAssembly: what they write is in the state copy of the expression compiler when they are done. */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { codeOfValue } from '../model/domain.js';
import type {
    ElementPlace,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
} from '../sequential/sequential-model.js';
import { Accesses } from './accesses.js';
import type { ExpressionCompiler } from './compile-expression.js';
import { encode } from './value-representation.js';
import type { Local } from '../webassembly/function-writer.js';

export function compileStatements(statements: readonly SequentialStatement[], compiler: ExpressionCompiler): void {
    for (const statement of statements) {
        compileStatement(statement, compiler);
    }
}

/** Writes the value of `value` to a fixed cell. */
export function compileAssignment(
    cell: number,
    value: SequentialExpression,
    range: SourceRange,
    compiler: ExpressionCompiler,
): void {
    const { f, copy, context } = compiler;
    const { domain } = context.cells[cell];
    const bias = compiler.biasOf(cell);
    if (value.kind === 'constant') {
        const code = codeOfValue(domain, value.value);
        if (code < 0) {
            compiler.raise('range', range);
        } else {
            copy.writeConstant(cell, code + bias);
        }
        return;
    }
    compiler.code(value, domain, 'range', range);
    addBias(bias, compiler);
    const stored = f.acquire('i32');
    f.set(stored);
    copy.write(cell, stored);
    f.release(stored);
}

function compileStatement(statement: SequentialStatement, compiler: ExpressionCompiler): void {
    const { f, copy } = compiler;
    compiler.settleChosen(accesses => accesses.addStatements([statement]));
    switch (statement.kind) {
        case 'assign':
            if (statement.target.kind === 'cell') {
                compileAssignment(statement.target.cell, statement.value, statement.range, compiler);
            } else {
                compileElementAssignment(statement.target, statement.value, statement.range, compiler);
            }
            break;
        case 'clear':
            copy.writeConstant(statement.cell, 0);
            break;
        case 'if': {
            compiler.condition(statement.condition);
            // The condition is on the stack; code on either side must find and leave the words in the same places.
            const words = wordsWritten([...statement.then, ...statement.otherwise], compiler);
            copy.prepare(words);
            f.if();
            compileStatements(statement.then, compiler);
            copy.settle(words);
            if (statement.otherwise.length > 0) {
                f.else();
                compileStatements(statement.otherwise, compiler);
                copy.settle(words);
            }
            f.end();
            break;
        }
        case 'while':
            compileLoop(statement, compiler);
            break;
        case 'assert':
            compiler.condition(statement.condition);
            f.op('i32_eqz');
            compiler.raiseIf('assert', statement.range);
            break;
        default:
            unreachable(statement);
    }
}

/**
 * As the interpreter does it: what the loop writes is compared with one earlier round, which is replaced after 1, 2, 4, …
 * rounds, so a loop that comes back to where it was is noticed.
 */
function compileLoop(
    { condition, body, range }: Extract<SequentialStatement, { kind: 'while' }>,
    compiler: ExpressionCompiler,
): void {
    const { f, copy } = compiler;
    const words = wordsWritten(body, compiler);
    const temporaries = [...new Accesses().addStatements(body).written].filter(cell => copy.isTemporary(cell));
    copy.prepare(words);
    const knownWords = words.map(() => f.acquire('i64'));
    const knownTemporaries = temporaries.map(() => f.acquire('i32'));
    const round = f.acquire('i32');
    const replacedAt = f.acquire('i32');
    const remember = (): void => {
        words.forEach((word, index) => {
            copy.pushWord(word);
            f.set(knownWords[index]);
        });
        temporaries.forEach((cell, index) => {
            copy.pushTemporary(cell);
            f.set(knownTemporaries[index]);
        });
    };
    remember();
    f.i32(0).set(round).i32(1).set(replacedAt);
    const end = f.block();
    const start = f.loop();
    compiler.condition(condition);
    f.op('i32_eqz').brIf(end);
    compileStatements(body, compiler);
    copy.settle(words);
    f.i32(1);
    words.forEach((word, index) => {
        copy.pushWord(word);
        f.get(knownWords[index]).op('i64_eq', 'i32_and');
    });
    temporaries.forEach((cell, index) => {
        copy.pushTemporary(cell);
        f.get(knownTemporaries[index]).op('i32_eq', 'i32_and');
    });
    compiler.raiseIf('endless', range);
    f.get(round).i32(1).op('i32_add').tee(round).get(replacedAt).op('i32_eq').if();
    remember();
    f.get(replacedAt).i32(1).op('i32_shl').set(replacedAt).end();
    f.br(start).end().end();
    const held: Local[] = [...knownWords, ...knownTemporaries, round, replacedAt];
    held.forEach(local => {
        f.release(local);
    });
}

/** The value is computed first, then the place, then the value is looked up in the domain. */
function compileElementAssignment(
    target: ElementPlace,
    value: SequentialExpression,
    range: SourceRange,
    compiler: ExpressionCompiler,
): void {
    const { f, copy, context } = compiler;
    const { cells, indices, domains } = target;
    const representation = compiler.value(value);
    const assigned = f.acquire(representation);
    f.set(assigned);
    const position = compiler.position(indices, domains, target.range);
    if (cells.length === 0) {
        compiler.raise('index', target.range);
        f.release(assigned);
        f.release(position);
        return;
    }
    f.get(assigned);
    encode(representation, compiler.bounds(value), context.cells[cells[0]].domain, f, () => {
        compiler.raise('range', range);
    });
    const code = f.acquire('i32');
    f.set(code);
    const words = compiler.wordsOf(cells);
    copy.prepare(words);
    compiler.dispatch(compiler.runs(cells), position, run => {
        const stored = f.acquire('i32');
        f.get(code);
        addBias(compiler.biasOf(run.cell), compiler);
        f.set(stored);
        if (run.first === run.last) {
            copy.write(run.cell, stored);
        } else {
            const shift = compiler.shiftOf(run, position);
            copy.writeShifted(context.layout.placements[run.cell], shift, stored);
            f.release(shift);
        }
        f.release(stored);
    });
    f.release(code);
    f.release(assigned);
    f.release(position);
}

function addBias(bias: number, { f }: ExpressionCompiler): void {
    if (bias !== 0) {
        f.i32(bias).op('i32_add');
    }
}

/** The long words that statements may write, ascending. */
function wordsWritten(statements: readonly SequentialStatement[], compiler: ExpressionCompiler): number[] {
    return compiler.wordsOf(new Accesses().addStatements(statements).written);
}
