/** What the lowering of an expression knows: the declarations, and what the variables of comprehensions stand for. */
import type { Expression } from '../../engine/model/expression.js';
import type { BinderVariable, Constant, Let, Model } from '../generated/ast.js';
import type { Constants } from '../typing/constants.js';
import type { Shape } from '../typing/shape.js';
import { DeclarationTable } from './declaration-table.js';
import type { LoweredValue } from './lowered-value.js';

export interface LoweringContext {
    readonly constants: Constants;
    readonly table: DeclarationTable;
    /** What the constants of a process and the names of its blocks stand for, lowered once. */
    readonly named: Map<Constant | Let, LoweredValue>;
    /** What the constants of the model are that say no type themselves. */
    readonly constantShapes: Map<Constant, Shape>;
    /** The variables of the comprehensions around. */
    readonly elements: ReadonlyMap<BinderVariable, Expression>;
}

export function newContext(model: Model, constants: Constants): LoweringContext {
    return {
        constants,
        table: new DeclarationTable(model, constants),
        named: new Map(),
        constantShapes: new Map(),
        elements: new Map(),
    };
}

/** The context of one element of a comprehension. */
export function withElement(
    context: LoweringContext,
    variables: readonly BinderVariable[],
    values: readonly Expression[],
): LoweringContext {
    const elements = new Map(context.elements);
    variables.forEach((variable, position) => {
        const value = values[position];
        if (value !== undefined) {
            elements.set(variable, value);
        }
    });
    return { ...context, elements };
}
