/**
 * Conditions that must hold in a state, as one WebAssembly function: (address of the state's long words) → 1 where all
 * hold, 0 where one is false or a fault. Which one that is, the interpreter finds out; it is rarely asked.
 */
import type { SequentialExpression } from '../sequential/sequential-model.js';
import { type CodeContext, ExpressionCompiler } from './compile-expression.js';
import { FunctionWriter, type Local } from '../webassembly/function-writer.js';
import { StateCopy } from './state-copy.js';

export function compileConditions(conditions: readonly SequentialExpression[], context: CodeContext): FunctionWriter {
    const f = new FunctionWriter(['i32']);
    const address = f.parameter(0);
    const origins: (Local | undefined)[] = [];
    const copy = new StateCopy(f, context.layout, word => (origins[word] ??= f.loadedAtStart(8 * word, address)));
    const failed = f.block();
    const compiler = new ExpressionCompiler(f, context, copy, { label: failed, site: f.acquire('i32') });
    compiler.branchIfFalse(conditions, failed);
    f.i32(1).op('return').end().i32(0);
    return f;
}
