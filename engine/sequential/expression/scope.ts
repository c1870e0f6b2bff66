/** The meaning of names at a place of the text, in one instance. */
import type { Domain, Value } from '../../model/domain.js';
import type { Statement } from '../../model/model.js';
import type { SequentialExpression } from '../sequential-model.js';

/** The cells of a variable, row by row. */
export interface VariableCells {
    readonly first: number;
    readonly indices: readonly Domain[];
}

/** The value of a temporary: an expression for each element, row by row. Temporaries of bodies are cells. */
export interface TemporaryValue {
    readonly indices: readonly Domain[];
    readonly values: readonly SequentialExpression[];
}

/** The meaning of names at a place of the text. */
export interface Scope {
    /** By the index in `Process.locals`; empty outside a process. */
    readonly locals: readonly VariableCells[];
    /** The value of each binder in scope, by its id. */
    readonly binders: Map<number, Value>;
    /** By the id of the temporary. */
    readonly temporaries: Map<number, TemporaryValue>;
    /** By the index in `Process.locals` the values that a choice on the path has given to its cells. */
    readonly chosen?: ReadonlyMap<number, readonly Value[]>;
    /** By the statement that creates an instance, the slot that was found for it. */
    readonly slots?: ReadonlyMap<Statement, SequentialExpression>;
    /** The scalars of the message that a receive looks at. */
    readonly message?: readonly SequentialExpression[];
}

/** A scope with shared names only. */
export function emptyScope(): Scope {
    return { locals: [], binders: new Map(), temporaries: new Map() };
}
