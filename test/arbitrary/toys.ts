/** Small sequential models, written directly: examples of one trap each, some without a construct in the language. */
import { NOWHERE } from '../../engine/common/source-range.js';
import type { Domain } from '../../engine/model/domain.js';
import type {
    Cell,
    FaultKind,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
    Summand,
} from '../../engine/sequential/sequential-model.js';

/** A rule: it fires where all tests hold, and then the statements run. */
export interface Rule {
    readonly when: readonly SequentialExpression[];
    readonly then: readonly SequentialStatement[];
}

export interface Toy {
    /** The number of values of each cell, or its domain. */
    readonly cells: Readonly<Record<string, number | Domain>>;
    /** A value, some values, `any` or `none` (no value); `any` where nothing is given. */
    readonly initial?: Readonly<Record<string, InitialContent>>;
    /** What the initial states must satisfy besides. */
    readonly conditions?: (names: Names) => readonly SequentialExpression[];
    readonly mayBeAbsent?: readonly string[];
    /** The kinds of cells that are not shared variables. A temporary starts without a value. */
    readonly kinds?: Readonly<Record<string, Cell['kind']>>;
    readonly rules: (names: Names) => readonly Rule[];
    readonly invariants?: (names: Names) => readonly SequentialExpression[];
}

export type InitialContent =
    number | 'any' | 'none' | SequentialExpression | readonly (number | SequentialExpression)[];

export interface Names {
    readonly read: (name: string) => SequentialExpression;
    /** `name = value` */
    readonly is: (name: string, value: number) => SequentialExpression;
    /** The cell of `array` that the cell `index` (counted from 0) points at. */
    readonly at: (array: readonly string[], index: string) => SequentialExpression;
    readonly set: (name: string, value: number | SequentialExpression) => SequentialStatement;
    readonly setAt: (
        array: readonly string[],
        index: string,
        value: number | SequentialExpression,
    ) => SequentialStatement;
    readonly clear: (name: string) => SequentialStatement;
}

function toExpression(value: number | SequentialExpression): SequentialExpression {
    return typeof value === 'number' ? constant(value) : value;
}

export function constant(value: number): SequentialExpression {
    return { kind: 'constant', value };
}

export function binary(
    left: SequentialExpression,
    operator: Extract<SequentialExpression, { kind: 'binary' }>['operator'],
    right: SequentialExpression,
): SequentialExpression {
    return { kind: 'binary', operator, left, right, range: NOWHERE };
}

/** A test that is this fault where `condition` does not hold. */
export function faultUnless(condition: SequentialExpression, fault: FaultKind): SequentialExpression {
    return { kind: 'or', operands: [condition, { kind: 'fault', fault, range: NOWHERE }], range: NOWHERE };
}

export function toyModel(toy: Toy): SequentialModel {
    const cellNames = Object.keys(toy.cells);
    const cells = cellNames.map((name): Cell => {
        const size = toy.cells[name] ?? 0;
        return {
            name,
            domain: typeof size === 'number' ? { kind: 'range', low: 0, high: size - 1 } : size,
            kind: toy.kinds?.[name] ?? 'shared',
            variable: cellNames.indexOf(name),
            instance: -1,
            indices: [],
            mayBeAbsent: toy.mayBeAbsent?.includes(name) ?? toy.kinds?.[name] === 'temporary',
            declaration: NOWHERE,
        };
    });
    const cellOf = (name: string): number => {
        const cell = cellNames.indexOf(name);
        if (cell < 0) {
            throw new Error(`no cell ${name}`);
        }
        return cell;
    };
    const read = (name: string): SequentialExpression => ({ kind: 'cell', cell: cellOf(name), range: NOWHERE });
    const places = (array: readonly string[], index: string) => ({
        kind: 'element' as const,
        cells: array.map(cellOf),
        indices: [read(index)],
        domains: [{ kind: 'range' as const, low: 0, high: array.length - 1 }],
        range: NOWHERE,
    });
    const names: Names = {
        read,
        is: (name, value) => binary(read(name), '==', constant(value)),
        at: places,
        set: (name, value) => ({
            kind: 'assign',
            target: { kind: 'cell', cell: cellOf(name) },
            value: toExpression(value),
            range: NOWHERE,
        }),
        setAt: (array, index, value) => ({
            kind: 'assign',
            target: places(array, index),
            value: toExpression(value),
            range: NOWHERE,
        }),
        clear: name => ({ kind: 'clear', cell: cellOf(name) }),
    };
    return {
        name: 'Toy',
        cells,
        instances: [
            {
                name: 'P',
                process: 0,
                indices: [],
                locations: [{ name: 'here', range: NOWHERE }],
                counter: -1,
                mayStop: constant(1),
            },
        ],
        summands: toy.rules(names).map((rule, index): Summand => ({
            label: `rule${index}`,
            participants: [
                {
                    instance: 0,
                    source: 0,
                    target: 0,
                    path: rule.when.map(condition => ({ kind: 'test', condition })),
                    body: rule.then,
                    range: NOWHERE,
                },
            ],
        })),
        initial: cellNames.map((name, cell) => {
            const value = toy.initial?.[name] ?? (toy.kinds?.[name] === 'temporary' ? 'none' : 'any');
            if (value === 'any' || value === 'none') {
                return { cell, value: { kind: value } };
            }
            if (typeof value === 'object' && 'length' in value) {
                return { cell, value: { kind: 'oneOf', expressions: value.map(toExpression), range: NOWHERE } };
            }
            return { cell, value: { kind: 'value', expression: toExpression(value), range: NOWHERE } };
        }),
        initialConditions: toy.conditions?.(names) ?? [],
        invariants: (toy.invariants?.(names) ?? []).map((expression, index) => ({
            name: `invariant${index}`,
            kind: 'invariant',
            expression,
            range: NOWHERE,
        })),
        runs: [],
        properties: [],
        fairness: [],
        allowsDeadlock: true,
        assertionTexts: [],
    };
}
