/** The contents of cells in the initial states. */
import { unreachable } from '../common/assert.js';
import { domainSize, valueOfCode } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import { leafOfChannel } from '../model/channel-leaf.js';
import type { Model, Variable } from '../model/model.js';
import { forEachCellRead, readsAnyOf } from './cell-access.js';
import { sizeOfArray } from './cell-layout.js';
import type { SharedLayout } from './cell-layout.js';
import type { InstanceView } from './control/instance-view.js';
import { stop } from './linearization-limits.js';
import type { NodeBudget } from './linearization-limits.js';
import type { Cell, FaultKind, InitialCell, InitialValue, SequentialExpression } from './sequential-model.js';
import { constant, isFalse, isTrue } from './expression/simplify.js';
import type { Specializer } from './expression/specialize.js';
import { isPresentField } from './absent-fields.js';
import { assignable, inDomain, substitute } from './expression/substitute.js';
import { emptyScope } from './expression/scope.js';

/** Shared variables in the order of the text, then channels. */
export function initialShared(model: Model, shared: SharedLayout, specializer: Specializer): InitialCell[] {
    const scope = emptyScope();
    const variables = model.variables.flatMap((variable, index) => {
        const { first } = shared.variables[index];
        const value = initialValues(variable, expression => specializer.expression(expression, scope));
        return Array.from({ length: sizeOfArray(variable.indices) }, (_, position) => ({
            cell: first + position,
            value: value(position),
        }));
    });
    const channels = shared.channels.flatMap((layout, index) => {
        if (layout.capacity === 0) {
            return [];
        }
        const { range, initializers, leaves } = model.channels[index];
        const entries = new Map<number, InitialValue>();
        [undefined, ...leaves].forEach((_, leaf) => {
            const { indices, cellAt } = layout.leaf(leaf);
            const initializer = initializers[leaf];
            const value =
                initializer &&
                initialValues({ ...leafOfChannel(model.channels[index], leaf), initializer, range }, expression =>
                    specializer.expression(expression, scope),
                );
            for (let position = 0; position < sizeOfArray(indices); position++) {
                const empty: InitialValue =
                    leaf === 0 ? { kind: 'value', expression: constant(0), range } : { kind: 'none' };
                entries.set(cellAt(position), value === undefined ? empty : value(position));
            }
        });
        const first = layout.lengthCell(0);
        return Array.from({ length: layout.count * layout.stride }, (_, offset): InitialCell => ({
            cell: first + offset,
            value: entries.get(first + offset) ?? { kind: 'none' },
        }));
    });
    return withPresence([...variables, ...channels], shared.cells);
}

/** The entries with what says whether fields of a case have a value, which cells before them decide. */
function withPresence(entries: readonly InitialCell[], cells: readonly Cell[]): InitialCell[] {
    const values = new Map<number, SequentialExpression>();
    return entries.map((entry): InitialCell => {
        const { cell, value } = entry;
        if (value.kind === 'value') {
            const { expression } = value;
            if (expression.kind === 'constant') {
                values.set(cell, expression);
            }
        }
        if (cells[cell].within === undefined || value.kind === 'none') {
            return entry;
        }
        const isPresent = isPresentField(cell, cells, cells[cell].declaration, values);
        return isTrue(isPresent)
            ? entry
            : isFalse(isPresent)
              ? { cell, value: { kind: 'none' } }
              : { ...entry, isPresent };
    });
}

/** The initial value of each cell of a variable, row by row. */
function initialValues(
    { initializer, element, range }: Pick<Variable, 'initializer' | 'element' | 'range'>,
    specialize: (expression: Expression) => SequentialExpression,
): (position: number) => InitialValue {
    switch (initializer.kind) {
        case 'any':
            return () => ({ kind: 'any' });
        case 'default': {
            // A type without values has no initial value: `any` of no values.
            const value: InitialValue =
                domainSize(element) === 0
                    ? { kind: 'any' }
                    : { kind: 'value', expression: constant(valueOfCode(element, 0)), range };
            return () => value;
        }
        case 'oneOf': {
            const choices = initializer.choices.map((expressions): InitialValue => ({
                kind: 'oneOf',
                expressions: expressions.map(specialize),
                range: initializer.range,
            }));
            return position => choices[choices.length === 1 ? 0 : position];
        }
        case 'value': {
            const values = initializer.expressions.map((expression): InitialValue => ({
                kind: 'value',
                expression: specialize(expression),
                range: expression.range,
            }));
            return position => values[values.length === 1 ? 0 : position];
        }
        default:
            return unreachable(initializer);
    }
}

/** The first values of the locals of an instance. */
export interface InitialLocals {
    readonly initial: readonly InitialCell[];
    /** Tests that are a fault if a local that is not kept has a faulty initial value. */
    readonly conditions: readonly SequentialExpression[];
}

/** The locals and the counter. Only live locals get a value; others are replaced in the initializers that read them. */
export function initialLocals(
    view: InstanceView,
    live: Uint8Array,
    cells: readonly Cell[],
    specializer: Specializer,
    budget: NodeBudget,
): InitialLocals {
    const { instance } = view;
    const conditions: SequentialExpression[] = [];
    const scope = view.scope(instance.binding);
    const values = new Map<number, InitialValue>();
    const replaced = new Map<number, SequentialExpression>();
    const unknown = new Set<number>();
    const { ended } = instance;
    if (ended !== undefined) {
        const { range } = instance.declaration;
        const locals = instance.declaration.locals.flatMap((_, local) => view.cellsOf(local));
        const initial: InitialCell[] = locals.map(cell => ({ cell, value: { kind: 'none' } }));
        initial.push({ cell: instance.counter, value: { kind: 'value', expression: constant(ended), range } });
        return { initial, conditions };
    }
    for (const local of instance.graph.headLocals) {
        const variable = instance.declaration.locals[local];
        const value = initialValues(variable, expression => {
            const specialized = specializer.expression(expression, scope);
            if (live[local] === 1) {
                forEachCellRead(specialized, cell => {
                    if (unknown.has(cell)) {
                        stop(
                            'local/unknown-initial-value',
                            `\`${variable.name}\` starts from \`${cells[cell].name}\`, which may hold any value and is not ` +
                                'used afterwards',
                            expression.range,
                        );
                    }
                });
            }
            return substitute(specialized, replaced, budget);
        });
        view.cellsOf(local).forEach((cell, position) => {
            const initial = value(position);
            values.set(cell, live[local] === 1 ? initial : { kind: 'none' });
            if (live[local] === 1) {
                return;
            }
            if (initial.kind === 'value') {
                const { expression, range } = initial;
                if (!readsAnyOf(expression, unknown)) {
                    conditions.push(assignable(expression, variable.element, cells, range));
                }
                replaced.set(cell, inDomain(initial.expression, variable.element, cells, initial.range));
            } else {
                unknown.add(cell);
            }
        });
    }
    const locals = instance.declaration.locals.flatMap((_, local) =>
        view.cellsOf(local).map((cell): InitialCell => ({ cell, value: values.get(cell) ?? { kind: 'none' } })),
    );
    const initial = withPresence(locals, cells);
    if (instance.counter >= 0) {
        const { range } = instance.declaration;
        initial.push({ cell: instance.counter, value: { kind: 'value', expression: constant(0), range } });
    }
    return { initial, conditions: conditions.filter(condition => !isTrue(condition)) };
}

/** The expressions that decide what a cell starts with; none for `any` and for no value. */
export function expressionsOfInitial({ value, isPresent }: InitialCell): readonly SequentialExpression[] {
    return isPresent === undefined ? valuesOfInitial(value) : [isPresent, ...valuesOfInitial(value)];
}

/** The values among which a cell that has one starts; none for `any` and for no value. */
export function valuesOfInitial(value: InitialValue): readonly SequentialExpression[] {
    switch (value.kind) {
        case 'any':
        case 'none':
            return [];
        case 'oneOf':
            return value.expressions;
        case 'value':
            return [value.expression];
        default:
            return unreachable(value);
    }
}

/** By kind: a fault in words. */
export const FAULT_TEXTS: Readonly<Record<FaultKind, string>> = {
    index: 'an index is outside its type',
    range: 'a value is outside its type',
    division: 'a division by zero',
    overflow: 'a number beyond 2^53 - 1',
    assert: 'an assertion does not hold',
    race: 'two joint steps access one variable',
    undefined: 'an operation has no value here, as with none or with a negative number of bits',
    endless: 'a loop of a body repeats without end',
    case: 'a value does not have the field that is read',
    slots: 'there is no room for another instance',
    numbers: 'a number is beyond those that are kept',
    outside: 'the constraint does not hold',
};
