/** Statements as WebAssembly: their effects are in the state copy of the expression compiler afterwards. */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { codeOfValue } from '../model/domain.js';
import { cellsWritten } from '../sequential/cell-access.js';
import type { ElementPlace, SequentialExpression, SequentialStatement } from '../sequential/sequential-model.js';
import { faultOutside } from '../sequential/expression/evaluate.js';
import { expressionsIn } from './accesses.js';
import type { ExpressionCompiler } from './compile-expression.js';
import { encoded } from './value-representation.js';
import { allOf } from '../webassembly/function-body.js';

export function compileStatements(statements: readonly SequentialStatement[], compiler: ExpressionCompiler): void {
    for (const statement of statements) {
        compileStatement(statement, compiler);
    }
}

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
            compiler.raise(faultOutside(domain), range);
        } else {
            copy.writeConstant(cell, code + bias);
        }
        return;
    }
    f.scope(() => {
        copy.write(cell, f.variable(compiler.code(value, domain, faultOutside(domain), range).plus(bias)));
    });
}

function compileStatement(statement: SequentialStatement, compiler: ExpressionCompiler): void {
    const { f, copy } = compiler;
    compiler.settleChosen(expressionsIn([statement]));
    switch (statement.kind) {
        case 'assign':
            if (statement.target.kind === 'cell') {
                compileAssignment(statement.target.cell, statement.value, statement.range, compiler);
            } else {
                const { target, value, range } = statement;
                f.scope(() => {
                    compileElementAssignment(target, value, range, compiler);
                });
            }
            break;
        case 'clear':
            copy.writeConstant(statement.cell, 0);
            break;
        case 'if': {
            const { then, otherwise } = statement;
            const condition = compiler.condition(statement.condition);
            // Both branches must find and leave the words in the same places.
            const words = compiler.wordsOf(cellsWritten([...then, ...otherwise]));
            const branch = (statements: readonly SequentialStatement[]) => (): void => {
                compileStatements(statements, compiler);
                copy.settle(words);
            };
            f.scope(() => {
                const holds = f.variable(condition);
                copy.prepare(words);
                f.if(holds, branch(then), otherwise.length > 0 ? branch(otherwise) : undefined);
            });
            break;
        }
        case 'while':
            f.scope(() => {
                compileLoop(statement, compiler);
            });
            break;
        case 'assert':
            compiler.raiseIf(compiler.condition(statement.condition).isZero(), 'assert', statement.range);
            break;
        default:
            unreachable(statement);
    }
}

/** As in the interpreter, the state after 1, 2, 4, … rounds is remembered, so a repeated state is noticed. */
function compileLoop(
    { condition, body, range }: Extract<SequentialStatement, { kind: 'while' }>,
    compiler: ExpressionCompiler,
): void {
    const { f, copy } = compiler;
    const words = compiler.wordsOf(cellsWritten(body));
    const temporaries = cellsWritten(body).filter(cell => copy.isTemporary(cell));
    copy.prepare(words);
    const knownWords = words.map(() => f.local('i64'));
    const knownTemporaries = temporaries.map(() => f.local('i32'));
    const remember = (): void => {
        words.forEach((word, index) => {
            knownWords[index].set(copy.word(word));
        });
        temporaries.forEach((cell, index) => {
            knownTemporaries[index].set(copy.temporary(cell));
        });
    };
    remember();
    const round = f.variable(0);
    const replacedAt = f.variable(1);
    f.forever(done => {
        f.branchUnless(compiler.condition(condition), done);
        compileStatements(body, compiler);
        copy.settle(words);
        const isKnown = allOf([
            ...words.map((word, index) => copy.word(word).is(knownWords[index])),
            ...temporaries.map((cell, index) => copy.temporary(cell).is(knownTemporaries[index])),
        ]);
        compiler.raiseIf(isKnown, 'endless', range);
        round.add(1);
        f.if(round.is(replacedAt), () => {
            remember();
            replacedAt.set(replacedAt.shiftedLeft(1));
        });
    });
}

/** The value is computed first, then the position, then the code of the value. */
function compileElementAssignment(
    target: ElementPlace,
    value: SequentialExpression,
    range: SourceRange,
    compiler: ExpressionCompiler,
): void {
    const { f, copy, context } = compiler;
    const { cells, indices, domains } = target;
    const assigned = f.variable(compiler.value(value));
    const position = compiler.position(indices, domains, target.range);
    if (cells.length === 0) {
        compiler.raise('index', target.range);
        return;
    }
    const { domain } = context.cells[cells[0]];
    const code = f.variable(
        encoded(assigned, compiler.bounds(value), domain, f, () => {
            compiler.raise(faultOutside(domain), range);
        }),
    );
    copy.prepare(compiler.wordsOf(cells));
    compiler.dispatch(compiler.runs(cells), position, run => {
        const stored = f.variable(code.plus(compiler.biasOf(run.cell)));
        if (run.first === run.last) {
            copy.write(run.cell, stored);
        } else {
            copy.writeAt(context.layout.placements[run.cell], compiler.shiftOf(run, position), stored);
        }
    });
}
