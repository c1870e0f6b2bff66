/** Conditions that must hold in a state, as one WebAssembly function. */
import type { SequentialExpression } from '../sequential/sequential-model.js';
import { FunctionBody, type Label, type Variable } from '../webassembly/function-body.js';
import { type CodeContext, ExpressionCompiler } from './compile-expression.js';
import { StateCopy } from './state-copy.js';

/**
 * A function of the address of a state's long words → 1 if all conditions hold, 0 if one is false or a fault. Which one
 * that is, the interpreter finds out when it is needed.
 */
export function compileConditions(conditions: readonly SequentialExpression[], context: CodeContext): FunctionBody {
    return stateFunction(context, (compiler, failed) => {
        compiler.branchIfFalse(conditions, failed);
    });
}

/** A function of the address of a state → 1 if the statements of `write` come to their end, 0 if they leave for the label. */
export function stateFunction(
    context: CodeContext,
    write: (compiler: ExpressionCompiler, failed: Label, address: Variable<'i32'>) => void,
): FunctionBody {
    const f = new FunctionBody(['i32']);
    const address = f.parameter(0);
    const origins: (Variable<'i64'> | undefined)[] = [];
    const copy = new StateCopy(f, context.layout, word => (origins[word] ??= f.loadedAtStart(8 * word, address)));
    f.block(failed => {
        const exit = { label: failed, site: f.local('i32') };
        write(new ExpressionCompiler(f, context, copy, exit), failed, address);
        f.return(1);
    });
    f.result(0);
    return f;
}
