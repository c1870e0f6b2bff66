/** Variables, shared and local: one for each scalar, or array of scalars, of the type. */
import { unreachable } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Expression } from '../../engine/model/expression.js';
import type { Initializer, Variable } from '../../engine/model/model.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import * as ast from '../generated/nodes.js';
import { documentationOf } from '../references/documentation.js';
import { domainTextOf } from '../references/binders.js';
import { hiddenBy, type Local } from '../references/locals.js';
import { nameRangeOf, rangeOf, rangeOfProperty } from '../tree/source-text.js';
import type { Leaf } from '../representation/shape.js';
import { lowerValue, type LoweringContext } from './context.js';
import type { VariableSlot } from './declaration-table.js';
import { choosesParts } from '../typing/any-literal.js';
import { lowerChosenParts } from './lower-any.js';
import { lowerChoices } from './lower-choices.js';

export function lowerVariable(variable: Local, context: LoweringContext): Variable[] {
    const slot = context.table.slotOf(variable);
    const leaves = slot.shape.leaves();
    const initializers = initializersOf(variable, slot, leaves, context);
    const hidden = hiddenBy(variable);
    // No name of the language contains `#`, so a hidden local and the one that hides it have different names.
    const name = hidden === 0 ? variable.name : `${variable.name}#${hidden + 1}`;
    return leaves.map((leaf, position) => ({
        ...named(name, leaf),
        documentation: documentationOf(variable),
        element: leaf.element,
        indices: leaf.indices,
        ...(leaf.within && {
            within: { of: slot.first + position - leaf.within.before, value: leaf.within.value },
        }),
        ...(leaf.format && { format: leaf.format }),
        initializer: initializers[position] ?? { kind: 'default' },
        range: rangeOf(variable),
        nameRange: nameRangeOf(variable),
    }));
}

/** One for each leaf. A parameter gets its value when its instance is created. */
function initializersOf(
    variable: Local,
    slot: VariableSlot,
    leaves: readonly Leaf[],
    context: LoweringContext,
): Initializer[] {
    switch (variable.$type) {
        case 'Variable':
            return lowerInitializer(variable, slot, leaves, context);
        case 'BinderVariable':
            return leaves.map(() => ({ kind: 'any', range: rangeOf(domainTextOf(variable.$container) ?? variable) }));
        case 'ProcessParameter':
            return leaves.map(() => ({ kind: 'default' }));
        default:
            return unreachable(variable);
    }
}

function named(name: string, { path, segments }: Leaf): Pick<Variable, 'name' | 'segments'> {
    const [own, ...fields] = segments;
    return {
        name: [name, ...path].join('.'),
        segments: [{ text: name, indices: own?.indices ?? 0 }, ...fields],
    };
}

/** One initializer for each leaf. */
function lowerInitializer(
    variable: ast.Variable,
    slot: VariableSlot,
    leaves: readonly Leaf[],
    context: LoweringContext,
): Initializer[] {
    if (variable.any) {
        const range = rangeOfProperty(variable, 'any');
        return leaves.map(() => ({ kind: 'any', range }));
    }
    if (variable.choices !== undefined) {
        return lowerChoices(variable.choices, slot, context);
    }
    if (variable.initializer === undefined) {
        return leaves.map(() => ({ kind: 'default' }));
    }
    if (choosesParts(variable.initializer)) {
        return lowerChosenParts(variable.initializer, slot.shape, context);
    }
    const value = lowerValue(variable.initializer, context);
    const range = rangeOf(variable.initializer);
    if (slot.shape.indices.length === 0 || value.indices.length > 0) {
        return slot.shape.scalarsOf(value).map(expressions => ({ kind: 'value', expressions, range }));
    }
    const { element, indices } = slot.shape;
    return element.scalarsOf(value).map(expressions => filling(expressions, sizeOfArray(indices), range));
}

/** One value for all cells of an array. A value of several scalars is repeated for each cell. */
function filling(expressions: readonly Expression[], count: number, range: SourceRange): Initializer {
    return expressions.length === 1
        ? { kind: 'value', expressions, range }
        : { kind: 'value', expressions: Array.from({ length: count }, () => expressions).flat(), range };
}
