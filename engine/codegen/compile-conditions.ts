/**
 * Conditions that must hold in a state, as one WebAssembly function: (address of the state's long words) → 1 where all
 * hold, 0 where one is false or a fault. Which one that is, the interpreter finds out; it is rarely asked.
 */
import type { SequentialExpression } from '../sequential/sequential-model.js';
import { FunctionWriter, type Label, type Local } from '../webassembly/function-writer.js';
import { type CodeContext, ExpressionCompiler } from './compile-expression.js';
import { StateCopy } from './state-copy.js';

export function compileConditions(conditions: readonly SequentialExpression[], context: CodeContext): FunctionWriter {
    return stateFunction(context, (compiler, failed) => {
        compiler.branchIfFalse(conditions, failed);
    });
}

/** A function of the address of a state → 1 where what `write` makes comes to its end, 0 where it leaves for the label. */
export function stateFunction(
    context: CodeContext,
    write: (compiler: ExpressionCompiler, failed: Label, address: Local) => void,
): FunctionWriter {
    const f = new FunctionWriter(['i32']);
    const address = f.parameter(0);
    const origins: (Local | undefined)[] = [];
    const copy = new StateCopy(f, context.layout, word => (origins[word] ??= f.loadedAtStart(8 * word, address)));
    const failed = f.block();
    write(new ExpressionCompiler(f, context, copy, { label: failed, site: f.acquire('i32') }), failed, address);
    f.i32(1).op('return').end().i32(0);
    return f;
}
