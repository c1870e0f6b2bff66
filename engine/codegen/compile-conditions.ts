/** Conditions that must hold in a state, as one WebAssembly function. */
import type { SequentialExpression } from '../sequential/sequential-model.js';
import { FunctionBody, type WasmVariable } from '../webassembly/function-body.js';
import { type CodeContext, ExpressionCompiler } from './compile-expression.js';
import { StateCopy } from './state-copy.js';

/** A function of the address of a state → 1 if all conditions hold, 0 if one is false or a fault. */
export function compileConditions(conditions: readonly SequentialExpression[], context: CodeContext): FunctionBody {
    const f = new FunctionBody(['i32']);
    const address = f.parameter(0);
    const origins: (WasmVariable<'i64'> | undefined)[] = [];
    const copy = new StateCopy(f, context.layout, word => (origins[word] ??= f.loadedAtStart(8 * word, address)));
    f.block(failed => {
        const compiler = new ExpressionCompiler(f, context, copy, { label: failed, site: f.local('i32') });
        compiler.branchIfFalse(conditions, failed);
        f.return(1);
    });
    f.result(0);
    return f;
}
