/** What names mean at a place of the text, in one instance. */
import type { Domain, Value } from '../../model/domain.js';
import type { SequentialExpression } from '../sequential-model.js';

/** The cells of a variable, row by row. */
export interface VariableCells {
    readonly first: number;
    readonly indices: readonly Domain[];
}

/** What a temporary stands for: an expression for each element, row by row. Those of a body are cells. */
export interface TemporaryValue {
    readonly indices: readonly Domain[];
    readonly values: readonly SequentialExpression[];
}

/** What names mean at a place of the text. */
export interface Scope {
    /** By the index in `Process.locals`; empty outside a process. */
    readonly locals: readonly VariableCells[];
    /** The value of each binder in scope, by its id. */
    readonly binders: Map<number, Value>;
    /** By the id of the temporary. */
    readonly temporaries: Map<number, TemporaryValue>;
    /** By the index in `Process.locals`: the values of the cells of locals that a choice on the way has given them. */
    readonly chosen?: ReadonlyMap<number, readonly Value[]>;
    /** The scalars of the message that a receive looks at. */
    readonly message?: readonly SequentialExpression[];
}

/** A scope in which nothing but what all share has a name. */
export function emptyScope(): Scope {
    return { locals: [], binders: new Map(), temporaries: new Map() };
}
