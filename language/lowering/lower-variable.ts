/** Variables, shared and local: one for each scalar, or array of scalars, of the type. */
import { unreachable } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Expression } from '../../engine/model/expression.js';
import type { Initializer, Variable } from '../../engine/model/model.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import * as ast from '../generated/nodes.js';
import { documentationOf } from '../references/documentation.js';
import { collectionOf, domainTextOf } from '../references/binders.js';
import { hiddenBy, type Local } from '../references/locals.js';
import { nameRangeOf, rangeOf, rangeOfProperty } from '../tree/source-text.js';
import { sequenceOf, type LoweredSequence, type SequenceShape } from '../representation/sequence.js';
import type { Leaf, Shape } from '../representation/shape.js';
import { lowerValue, type LoweringContext } from './context.js';
import { nameOf, type SlotOwner, type VariableSlot } from './declaration-table.js';
import { choosesParts } from '../typing/any-literal.js';
import { lowerChosenParts } from './lower-any.js';
import { lowerChoices } from './lower-choices.js';

export function lowerVariable(variable: SlotOwner, context: LoweringContext): Variable[] {
    const slot = context.table.slotOf(variable);
    const leaves = slot.shape.leaves();
    const initializers = initializersOf(variable, slot, leaves, context);
    const hidden = ast.isStep(variable) ? 0 : hiddenBy(variable);
    // No name of the language contains `#`, so a hidden local and the one that hides it have different names.
    const declared = nameOf(variable);
    const name = hidden === 0 ? declared : `${declared}#${hidden + 1}`;
    const own = leaves.map((leaf, position): Variable => ({
        ...named(name, leaf),
        documentation: documentationOf(variable),
        element: leaf.element,
        indices: leaf.indices,
        ...(leaf.within && {
            within: {
                of: slot.first + position - leaf.within.before,
                ...(leaf.within.value !== undefined && { value: leaf.within.value }),
            },
        }),
        ...(leaf.format && { format: leaf.format }),
        initializer: initializers[position] ?? { kind: 'default' },
        range: rangeOf(variable),
        nameRange: nameRangeOf(variable),
    }));
    const sequence = ast.isStep(variable) ? undefined : context.table.sequenceOf(variable);
    return sequence === undefined ? own : [placeFor(variable, name, sequence), ...own];
}

/** The local that holds the place of a chosen element. */
function placeFor(variable: SlotOwner, name: string, { places }: SequenceShape): Variable {
    const text = `place of ${name}`;
    return {
        name: text,
        segments: [{ text, indices: 0 }],
        documentation: '',
        element: places,
        indices: [],
        initializer: { kind: 'any', range: rangeOf(variable) },
        range: rangeOf(variable),
        nameRange: nameRangeOf(variable),
    };
}

/** The sequence that a choice takes an element of, and the place that it has chosen; undefined for other locals. */
export function chosenPlace(
    variable: Local,
    context: LoweringContext,
): { readonly sequence: LoweredSequence; readonly place: Expression } | undefined {
    const group = ast.isBinderVariable(variable) ? variable.$container : undefined;
    const collection = group && collectionOf(group);
    if (collection === undefined || context.table.sequenceOf(variable) === undefined) {
        return undefined;
    }
    const range = rangeOf(variable);
    const place = { kind: 'local', local: context.table.slotOf(variable).first - 1, indices: [], range } as const;
    return { sequence: sequenceOf(lowerValue(collection, context)), place: { kind: 'read', place, range } };
}

/** One for each leaf. A parameter gets its value when its instance is created. */
function initializersOf(
    variable: SlotOwner,
    slot: VariableSlot,
    leaves: readonly Leaf[],
    context: LoweringContext,
): Initializer[] {
    switch (variable.$type) {
        case 'Variable':
            return lowerInitializer(variable, slot, leaves, context);
        case 'BinderVariable': {
            const chosen = chosenPlace(variable, context);
            if (chosen !== undefined) {
                const values = slot.shape.scalarsOf(chosen.sequence.elementAt(chosen.place));
                return values.map(expressions => ({ kind: 'value', expressions, range: rangeOf(variable) }));
            }
            return leaves.map(() => ({ kind: 'any', range: rangeOf(domainTextOf(variable.$container) ?? variable) }));
        }
        case 'Step':
            return leaves.map(() => ({ kind: 'any', range: rangeOf(variable) }));
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
    return initializersOfValue(variable.initializer, slot.shape, context);
}

/** One initializer for each leaf of a place of this shape. */
export function initializersOfValue(initial: ast.Expression, shape: Shape, context: LoweringContext): Initializer[] {
    const value = lowerValue(initial, context);
    const range = rangeOf(initial);
    if (shape.indices.length === 0 || value.indices.length > 0) {
        return shape.scalarsOf(value).map(expressions => ({ kind: 'value', expressions, range }));
    }
    const { element, indices } = shape;
    return element.scalarsOf(value).map(expressions => filling(expressions, sizeOfArray(indices), range));
}

/** One value for all cells of an array. A value of several scalars is repeated for each cell. */
function filling(expressions: readonly Expression[], count: number, range: SourceRange): Initializer {
    return expressions.length === 1
        ? { kind: 'value', expressions, range }
        : { kind: 'value', expressions: Array.from({ length: count }, () => expressions).flat(), range };
}
