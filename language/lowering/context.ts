/** The context of lowering: declarations, values of names, and a function for subexpressions (no import cycle). */
import { invariant } from '../../engine/common/assert.js';
import type { Domain } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type * as ast from '../generated/nodes.js';
import type { Constants } from '../typing/constants.js';
import { asIndex } from '../representation/set.js';
import type { LoweredValue, Shape } from '../representation/shape.js';
import type { DeclarationTable } from './declaration-table.js';

export interface LoweringContext {
    readonly constants: Constants;
    readonly table: DeclarationTable;
    readonly lower: (expression: ast.Expression, context: LoweringContext) => LoweredValue;
    /** The values of a process's constants and of the names in its blocks, each lowered once. */
    readonly named: Map<ast.Constant | ast.Let, LoweredValue>;
    /** The shapes of the model's constants that are declared without a type. */
    readonly constantShapes: Map<ast.Constant, Shape>;
    /** The values of the variables of the enclosing comprehensions. */
    readonly elements: ReadonlyMap<ast.BinderVariable, Expression>;
    /** The cases of the values before fields that are written, where several cases have them. */
    readonly assumedCases: ReadonlyMap<ast.FieldAccess, ast.EnumerationValue>;
}

export function lowerValue(expression: ast.Expression, context: LoweringContext): LoweredValue {
    return context.lower(expression, context);
}

/** Lowers an expression whose value fits into one cell. */
export function lowerScalar(expression: ast.Expression, context: LoweringContext): Expression {
    return lowerValue(expression, context).toScalar();
}

/** `domains`: the types of the indices. */
export function lowerIndices(
    indices: readonly ast.Expression[],
    domains: readonly (Domain | undefined)[],
    context: LoweringContext,
): Expression[] {
    return indices.map((index, position) => asIndex(lowerValue(index, context), domains[position]));
}

/** An element of an array, a row of it, or what an index more names inside of an element: the count of a value in a bag. */
export function elementOfArray(
    array: LoweredValue,
    indices: readonly ast.Expression[],
    context: LoweringContext,
): LoweredValue {
    return array.at(lowerIndices(indices, domainsOfIndices(array, indices.length), context));
}

/** The types of so many indices: those of the array, and that of the counts of a bag. */
export function domainsOfIndices(array: LoweredValue, count: number): readonly (Domain | undefined)[] {
    return count > array.indices.length ? [...array.indices, array.shape().element.inner()?.index] : array.indices;
}

export function shapeOf(type: ast.Type, { constants }: LoweringContext): Shape {
    const shape = constants.shapeOf(type);
    invariant(shape !== undefined, 'a checked type has a shape');
    return shape;
}

/** The context of one element of a comprehension. */
export function withElement(
    context: LoweringContext,
    variables: readonly ast.BinderVariable[],
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
