/**
 * Initial states that statements compute: `init start[i: T] { … }` has one for each value of its indices.
 *
 * The statements run before all else, on the initial values of the shared variables that have one value only. A cell that
 * all of them leave with one value begins with it, one that none of them writes begins as declared, and the others begin
 * as in one row of a list. To all that reads a model, the list is a condition of the initial states.
 */
import type { SourceRange } from '../common/source-range.js';
import { codeOfValue, domainSize, NO_VALUE, valueOfCode } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { isAbsentField, isPresentField } from './absent-fields.js';
import { readsAnyOf } from './cell-access.js';
import type { SharedLayout } from './cell-layout.js';
import { AbsentRead, Compiler, Fault } from './expression/evaluate.js';
import { emptyScope } from './expression/scope.js';
import { conjunction, constant, disjunction, isFalse } from './expression/simplify.js';
import { specializeStatements } from './expression/specialize-statement.js';
import { Specializer } from './expression/specialize.js';
import { TemporaryCells } from './expression/temporary-cells.js';
import { FAULT_TEXTS, valuesOfInitial } from './initial-cells.js';
import { type NodeBudget, stop } from './linearization-limits.js';
import type { Cell, InitialCell, InitialValue, SequentialExpression, StartList } from './sequential-model.js';

/** The most initial states that a list may have. */
const MOST_ROWS = 4096;

/** The shared cells with what they begin with, and the list of those that depend on each other. */
export interface ComputedStart {
    readonly initial: readonly InitialCell[];
    readonly list?: StartList;
}

/** `initial` has the shared cells. Without bodies it is returned as it is. */
export function computedStart(
    model: Model,
    initial: readonly InitialCell[],
    shared: SharedLayout,
    cells: readonly Cell[],
    budget: NodeBudget,
): ComputedStart {
    const before = model.initialBodies.length === 0 ? undefined : singleValues(initial, cells);
    if (before === undefined) {
        return { initial };
    }
    const { state, several } = before;
    const rows = expanded(rowsOf(model, state, several, shared, cells, budget), initial, cells, model);
    const isKnown = (cell: number): boolean =>
        rows.every(row => row[cell] !== NO_VALUE || isAbsentField(cell, cells, row));
    const isSame = (cell: number): boolean => rows.every(row => row[cell] === rows[0]?.[cell]);
    const listed = initial.flatMap(({ cell }) => (isSame(cell) ? [] : [cell]));
    const range = rangeOfBodies(model);
    const valueOf = (cell: number, code: number): SequentialExpression =>
        constant(valueOfCode(cells[cell].domain, code));
    const beginning = (cell: number, codes: readonly number[]): InitialCell => {
        const present = codes.filter(code => code !== NO_VALUE);
        const expressions = present.map(code => valueOf(cell, code));
        const value: InitialValue =
            expressions.length === 0
                ? { kind: 'none' }
                : expressions.length === 1
                  ? { kind: 'value', expression: expressions[0], range }
                  : { kind: 'oneOf', expressions, range };
        return present.length === codes.length || present.length === 0
            ? { cell, value }
            : { cell, value, isPresent: isPresentField(cell, cells, range) };
    };
    const changed = new Set(initial.flatMap(({ cell }) => (several.has(cell) && isKnown(cell) ? [cell] : [])));
    return {
        initial: initial.map(entry => {
            const { cell, value } = entry;
            if (!isKnown(cell)) {
                if (valuesOfInitial(value).some(expression => readsAnyOf(expression, changed))) {
                    stop(
                        'init/many-values',
                        `\`${cells[cell].name}\` begins with what it reads of variables of several values that \`init\` changes`,
                        range,
                    );
                }
                return entry;
            }
            const codes = [...new Set(rows.map(row => row[cell]))].sort((first, second) => first - second);
            return beginning(cell, codes);
        }),
        ...(listed.length > 0 && { list: listOf(listed, rows, valueOf, range) }),
    };
}

/** The states before the bodies: cells of several values hold none. Undefined for a fault, which the initial states tell. */
function singleValues(
    initial: readonly InitialCell[],
    cells: readonly Cell[],
): { readonly state: Int32Array; readonly several: ReadonlySet<number> } | undefined {
    const compiler = new Compiler(cells);
    const state = new Int32Array(cells.length).fill(NO_VALUE);
    const several = new Set<number>();
    for (const { cell, value, isPresent } of initial) {
        const expressions = valuesOfInitial(value);
        const [only] = expressions;
        if (value.kind === 'none') {
            continue;
        }
        const isOpen = isPresent !== undefined && readsAnyOf(isPresent, several);
        if (!isOpen && isPresent !== undefined && !compiler.condition(isPresent)(state)) {
            continue;
        }
        if (isOpen || expressions.length !== 1 || readsAnyOf(only, several)) {
            several.add(cell);
            continue;
        }
        try {
            state[cell] = codeOfValue(cells[cell].domain, compiler.expression(only)(state));
        } catch (error) {
            if (error instanceof Fault) {
                return undefined;
            }
            throw error;
        }
        if (state[cell] < 0) {
            return undefined;
        }
    }
    return { state, several };
}

/** The state after each body, for each value of its indices. */
function rowsOf(
    model: Model,
    before: Int32Array,
    several: ReadonlySet<number>,
    shared: SharedLayout,
    cells: readonly Cell[],
    budget: NodeBudget,
): Int32Array[] {
    const rows: Int32Array[] = [];
    const unknown = cells.map((cell, index) => (several.has(index) ? { ...cell, mayBeAbsent: true } : cell));
    for (const { indices, where, body, range } of model.initialBodies) {
        const own = [...unknown];
        const temporaries = new TemporaryCells(own);
        const specializer = new Specializer({ model, shared, budget, temporaries });
        const scope = emptyScope();
        specializer.forEachValuation(indices, scope, range, () => {
            if (where !== undefined && isFalse(specializer.expression(where, scope))) {
                return true;
            }
            temporaries.beginStep(-1, '');
            const statements = specializeStatements(specializer, body, scope);
            const row = new Int32Array(own.length).fill(NO_VALUE);
            row.set(before);
            run(() => {
                new Compiler(own).statements(statements)(row);
            }, several);
            rows.push(row.slice(0, cells.length));
            if (rows.length > MOST_ROWS) {
                stop('limit/initial-states', `\`init\` computes more than ${MOST_ROWS} initial states`, range);
            }
            return true;
        });
    }
    if (rows.length === 0) {
        stop('model/no-initial-state', 'there is no initial state: no body computes one', rangeOfBodies(model));
    }
    return rows;
}

function run(effect: () => void, several: ReadonlySet<number>): void {
    try {
        effect();
    } catch (error) {
        if (error instanceof AbsentRead && several.size > 0) {
            stop(
                'init/many-values',
                'this may have several values at first, so no statement of `init` can read it before one is assigned',
                error.range,
            );
        }
        if (error instanceof Fault) {
            stop(
                'model/initial-fault',
                `the initial state cannot be computed: ${FAULT_TEXTS[error.kind]}`,
                error.range,
            );
        }
        throw error;
    }
}

/** A cell that only some bodies write has in the other rows each value that it may have. */
function expanded(
    rows: readonly Int32Array[],
    initial: readonly InitialCell[],
    cells: readonly Cell[],
    model: Model,
): readonly Int32Array[] {
    let all = rows;
    for (const { cell, value } of initial) {
        const isOpen = (row: Int32Array): boolean => row[cell] === NO_VALUE && !isAbsentField(cell, cells, row);
        const isMixed = all.some(row => row[cell] !== NO_VALUE) && all.some(isOpen);
        if (!isMixed || value.kind === 'none') {
            continue;
        }
        const { domain, name } = cells[cell];
        const constants = valuesOfInitial(value).flatMap(choice =>
            choice.kind === 'constant' ? [codeOfValue(domain, choice.value)] : [NO_VALUE],
        );
        const codes = value.kind === 'any' ? Array.from({ length: domainSize(domain) }, (_, code) => code) : constants;
        if (codes.some(code => code < 0)) {
            stop(
                'init/many-values',
                `\`${name}\` may have several values where a body of \`init\` does not write it; write it in all of them`,
                rangeOfBodies(model),
            );
        }
        all = all.flatMap(row => (isOpen(row) ? codes.map(code => withCode(row, cell, code)) : [row]));
        if (all.length > MOST_ROWS) {
            stop(
                'limit/initial-states',
                `\`init\` computes more than ${MOST_ROWS} initial states`,
                rangeOfBodies(model),
            );
        }
    }
    return all;
}

function withCode(row: Int32Array, cell: number, code: number): Int32Array {
    const changed = row.slice();
    changed[cell] = code;
    return changed;
}

function listOf(
    listed: readonly number[],
    states: readonly Int32Array[],
    valueOf: (cell: number, code: number) => SequentialExpression,
    range: SourceRange,
): StartList {
    const different = new Map(states.map(state => [listed.map(cell => state[cell]).join(), state]));
    const rows = Array.from(different.values(), state => listed.map(cell => state[cell]));
    const condition = disjunction(
        rows.map(row =>
            conjunction(
                listed.flatMap((cell, column): SequentialExpression[] => {
                    if (row[column] === NO_VALUE) {
                        // The case beside it says that the field is not there.
                        return [];
                    }
                    const value = valueOf(cell, row[column]);
                    return [value.kind === 'constant' ? { kind: 'holds', cell, value: value.value, range } : value];
                }),
                range,
            ),
        ),
        range,
    );
    return { cells: listed, rows, condition };
}

function rangeOfBodies({ initialBodies, nameRange }: Model): SourceRange {
    return initialBodies[0]?.nameRange ?? nameRange;
}
