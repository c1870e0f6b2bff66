/** Trap 10: split formulas allow the assignments of the expression, with budgets that split everything and nothing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { Decomposer } from '../../engine/constraints/decompose.js';
import { FormulaTable } from '../../engine/constraints/formula.js';
import { codesOfDomain } from '../../engine/constraints/possible-values.js';
import { forEachTuple, relationToFormula, type Relation } from '../../engine/constraints/relation.js';
import type { Domain } from '../../engine/model/domain.js';
import { Compiler, Fault, outcomeOf, type Evaluator } from '../../engine/sequential/expression/evaluate.js';
import type { Cell, SequentialExpression } from '../../engine/sequential/sequential-model.js';
import { formulaHolds } from '../reference/evaluate-formula.js';

function outcomeAt(evaluate: Evaluator, state: readonly number[]) {
    const outcome = outcomeOf(evaluate, Int32Array.from(state));
    return outcome instanceof Fault ? outcome.kind : outcome;
}

const INDEX: Domain = { kind: 'range', low: 0, high: 2 };
const cells = [
    cell('a0', { kind: 'range', low: 0, high: 2 }),
    cell('a1', { kind: 'range', low: 0, high: 2 }),
    cell('a2', { kind: 'range', low: 0, high: 2 }),
    cell('i', { kind: 'range', low: 0, high: 3 }),
    cell('p', { kind: 'boolean' }),
    cell('o', { kind: 'optional', base: { kind: 'range', low: 1, high: 2 } }),
];

function cell(name: string, domain: Domain): Cell {
    return {
        name,
        domain,
        kind: 'shared',
        variable: 0,
        instance: -1,
        indices: [],
        mayBeAbsent: false,
        declaration: NOWHERE,
    };
}

const range = NOWHERE;
const read = (index: number): SequentialExpression => ({ kind: 'cell', cell: index, range });

/** Integers and conditions over the cells; all faults of expressions included. */
const { integer, condition } = fc.letrec<{ integer: SequentialExpression; condition: SequentialExpression }>(tie => ({
    integer: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.integer({ min: 0, max: 3 }).map((value): SequentialExpression => ({ kind: 'constant', value })),
        fc.constantFrom(0, 1, 2, 3, 5).map(read),
        tie('integer').map((index): SequentialExpression => ({
            kind: 'element',
            cells: [0, 1, 2],
            indices: [index],
            domains: [INDEX],
            range,
        })),
        fc
            .tuple(
                fc.constantFrom('+', '-', '*', 'div', 'mod', 'pow', 'xor', 'bitand', 'bitor', 'shl', 'shr'),
                tie('integer'),
                tie('integer'),
            )
            .map(([operator, left, right]): SequentialExpression => ({ kind: 'binary', operator, left, right, range })),
        fc
            .tuple(tie('condition'), tie('integer'), tie('integer'))
            .map(([test, then, otherwise]): SequentialExpression => ({
                kind: 'conditional',
                condition: test,
                then,
                otherwise,
                range,
            })),
        fc
            .tuple(fc.constantFrom('count', 'sum'), fc.array(tie('condition'), { minLength: 1, maxLength: 4 }))
            .map(([kind, operands]): SequentialExpression => ({ kind, operands, range })),
        fc
            .tuple(fc.constantFrom('min', 'max'), fc.array(tie('integer'), { minLength: 0, maxLength: 4 }))
            .map(([kind, operands]): SequentialExpression => ({ kind, operands, range })),
        fc
            .tuple(tie('integer'), fc.array(tie('integer'), { minLength: 3, maxLength: 3 }))
            .map(([index, options]): SequentialExpression => ({
                kind: 'select',
                index,
                domain: INDEX,
                options,
                range,
            })),
    ),
    condition: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.constant(read(4)),
        fc
            .tuple(fc.constantFrom('==', '!=', '<', '<=', '>', '>='), tie('integer'), tie('integer'))
            .map(([operator, left, right]): SequentialExpression => ({ kind: 'binary', operator, left, right, range })),
        tie('condition').map((operand): SequentialExpression => ({ kind: 'not', operand, range })),
        fc
            .tuple(fc.constantFrom('and', 'or'), fc.array(tie('condition'), { minLength: 2, maxLength: 5 }))
            .map(([kind, operands]): SequentialExpression => ({ kind, operands, range })),
    ),
}));

describe.each([
    ['everything split', { relation: 1, pair: 1 }],
    ['small relations', { relation: 8, pair: 8 }],
    ['the budgets in use', undefined],
])('with %s', (_, budgets) => {
    test('the formulas of an expression hold where it has their outcome, and nowhere else', () => {
        const compiler = new Compiler(cells);
        const domains = cells.map(({ domain }) => codesOfDomain(domain, false));
        let splits = 0;
        fc.assert(
            fc.property(fc.oneof(integer, condition), expression => {
                const table = new FormulaTable();
                const decomposer = new Decomposer(table, cells, compiler, domains, UNLIMITED, budgets);
                const { values, faults } = decomposer.outcomes(expression);
                const evaluate = compiler.expression(expression);
                splits += values.size;
                forEachTuple(
                    domains.map(codes => codes.length),
                    tuple => {
                        const holding = [...values, ...faults].filter(([, id]) => formulaHolds(table, id, tuple));
                        expect(holding.map(([outcome]) => outcome)).toEqual([outcomeAt(evaluate, tuple)]);
                    },
                );
            }),
            { numRuns: 150 },
        );
        expect(splits).toBeGreaterThan(200);
    });
});

test('what adds nothing beside others is not written down', () => {
    const domains = [
        [0, 1, 2],
        [0, 1, 2],
        [0, 1],
    ];
    const table = new FormulaTable();
    const set = (cell: number, ...codes: number[]): number => table.set(cell, codes, domains[cell]!);
    const and = (...children: number[]): number => table.and(children, domains);
    const or = (...children: number[]): number => table.or(children, domains);
    const [x, y, z] = [set(0, 1), set(1, 1), set(2, 1)];
    expect(or(x, and(x, y))).toBe(x);
    expect(and(x, or(x, y))).toBe(x);
    expect(or(set(0, 1, 2), and(x, y))).toBe(set(0, 1, 2));
    expect(and(x, or(set(0, 1, 2), y))).toBe(x);
    expect(or(x, and(set(0, 1, 2), y))).not.toBe(x);
    expect(or(and(x, y), and(x, y, z))).toBe(and(x, y));
    expect(and(x, y, or(z, and(x, y)))).toBe(and(x, y));
});

test('what adds nothing beside something that adds nothing itself is not written down, in whatever order they come', () => {
    const domains = Array<number[]>(4).fill([0, 1]);
    const table = new FormulaTable();
    const [x, y, z, u] = [0, 1, 2, 3].map(cell => table.set(cell, [1], [0, 1])) as [number, number, number, number];
    const part = table.and([x, y], domains);
    const whole = table.and([table.or([part, z], domains), u], domains);
    const rest = table.or([x, z], domains);
    expect(table.or([whole, part, x, z], domains)).toBe(rest);
    expect(table.or([part, whole, x, z], domains)).toBe(rest);
});

test('where operands are the same faults in the same cases their order does not show', () => {
    const compiler = new Compiler(cells);
    const domains = cells.map(({ domain }) => codesOfDomain(domain, false));
    // The index is a fault where it is 3.
    const positive = (...indices: SequentialExpression[]): SequentialExpression[] =>
        indices.map(first => ({
            kind: 'binary',
            operator: '<',
            left: first,
            right: { kind: 'element', cells: [0, 1, 2], indices: [read(3)], domains: [INDEX], range },
            range,
        }));
    const operands = positive(read(0), read(1), read(2));
    for (const kind of ['and', 'or'] as const) {
        const table = new FormulaTable();
        const decomposer = new Decomposer(table, cells, compiler, domains, UNLIMITED, { relation: 1, pair: 1 });
        const outcomes = decomposer.outcomes({ kind, operands, range });
        expect(outcomes.faults.size).toBe(1);
        expect(decomposer.outcomes({ kind, operands: [...operands].reverse(), range })).toEqual(outcomes);
    }
});

test('how an addition and subtraction of several is grouped, ordered and divided on both sides of a comparison does not show', () => {
    const compiler = new Compiler(cells);
    const domains = cells.map(({ domain }) => codesOfDomain(domain, false));
    const joined = (
        operator: '+' | '-' | '==' | '<=',
        left: SequentialExpression,
        right: SequentialExpression,
    ): SequentialExpression => ({ kind: 'binary', operator, left, right, range });
    const [x, y, z, u] = [read(0), read(1), read(2), read(3)];
    const three: SequentialExpression = { kind: 'constant', value: 3 };
    const table = new FormulaTable();
    const decomposer = new Decomposer(table, cells, compiler, domains, UNLIMITED, { relation: 1, pair: 1 });
    const valuesOf = (expression: SequentialExpression): [number, number][] =>
        [...decomposer.outcomes(expression).values].sort(([a], [b]) => a - b);
    for (const [expression, ...others] of [
        [
            joined('-', joined('+', joined('+', x, y), z), u),
            joined('-', joined('+', joined('+', z, y), x), u),
            joined('+', z, joined('+', x, joined('-', y, u))),
            joined('-', joined('+', x, z), joined('-', u, y)),
        ],
        ...(['==', '<='] as const).map(operator => [
            joined(operator, joined('+', joined('+', x, y), z), three),
            joined(operator, joined('+', x, z), joined('-', three, y)),
            joined(operator, y, joined('-', joined('-', three, z), x)),
        ]),
    ] as [SequentialExpression, ...SequentialExpression[]][]) {
        const values = valuesOf(expression);
        expect(values.length).toBeGreaterThan(1);
        for (const other of others) {
            expect(valuesOf(other)).toEqual(values);
        }
        const evaluate = compiler.expression(expression);
        fc.assert(
            fc.property(fc.tuple(...domains.map(codes => fc.constantFrom(...codes))), tuple => {
                const holding = values.filter(([, id]) => formulaHolds(table, id, tuple));
                expect(holding.map(([value]) => value)).toEqual([outcomeAt(evaluate, tuple)]);
            }),
        );
    }
});

test('an addition of sums with too many pairs of values is one sum', () => {
    const large = [
        cell('x', { kind: 'range', low: -70, high: 70 }),
        cell('y', { kind: 'range', low: 0, high: 140 }),
        cell('i', { kind: 'range', low: 0, high: 3 }),
    ];
    const element: SequentialExpression = {
        kind: 'element',
        cells: [2, 2, 2],
        indices: [read(2)],
        domains: [INDEX],
        range,
    };
    const add = (left: SequentialExpression, right: SequentialExpression): SequentialExpression => ({
        kind: 'binary',
        operator: '+',
        left,
        right,
        range,
    });
    const sum: SequentialExpression = { kind: 'sum', operands: [read(1), element, read(0)], range };
    const domains = large.map(({ domain }) => codesOfDomain(domain, false));
    const compiler = new Compiler(large);
    for (const expression of [add(read(0), sum), add(read(0), read(1))]) {
        const table = new FormulaTable();
        const { values, faults } = new Decomposer(table, large, compiler, domains, UNLIMITED).outcomes(expression);
        const evaluate = compiler.expression(expression);
        const outcomes = [...values, ...faults];
        fc.assert(
            fc.property(fc.tuple(...domains.map(codes => fc.constantFrom(...codes))), tuple => {
                const holding = outcomes.filter(([, id]) => formulaHolds(table, id, tuple));
                expect(holding.map(([outcome]) => outcome)).toEqual([outcomeAt(evaluate, tuple)]);
            }),
            { numRuns: 10 },
        );
    }
});

test('an equality with too many pairs of values has one conjunction for each value', () => {
    const large = [
        cell('x', { kind: 'range', low: 0, high: 299 }),
        cell('y', { kind: 'range', low: 100, high: 399 }),
        cell('i', { kind: 'range', low: 0, high: 3 }),
    ];
    // The index is a fault where it is 3.
    const element: SequentialExpression = {
        kind: 'element',
        cells: [1, 1, 1],
        indices: [read(2)],
        domains: [INDEX],
        range,
    };
    const domains = large.map(({ domain }) => codesOfDomain(domain, false));
    const compiler = new Compiler(large);
    const tuples = fc.oneof(
        fc.tuple(...domains.map(codes => fc.constantFrom(...codes))),
        // The values that both can have, 100 apart as codes.
        fc
            .tuple(fc.integer({ min: 98, max: 299 }), fc.constantFrom(0, 3))
            .map(([x, i]) => [x, Math.max(0, x - 100), i]),
    );
    for (const operator of ['==', '!='] as const) {
        for (const right of [read(1), element]) {
            const expression: SequentialExpression = { kind: 'binary', operator, left: read(0), right, range };
            const table = new FormulaTable();
            const { values, faults } = new Decomposer(table, large, compiler, domains, UNLIMITED).outcomes(expression);
            expect(table.nodes.length).toBeLessThan(4 * 300);
            const evaluate = compiler.expression(expression);
            fc.assert(
                fc.property(tuples, tuple => {
                    const holding = [...values, ...faults].filter(([, id]) => formulaHolds(table, id, tuple));
                    expect(holding.map(([outcome]) => outcome)).toEqual([outcomeAt(evaluate, tuple)]);
                }),
                { numRuns: 50 },
            );
        }
    }
});

test('a sum has each of its values where its terms add up to it, at equal distances or not', () => {
    const factor = fc.oneof(
        fc.integer({ min: -5, max: 5 }).map((value): SequentialExpression => ({ kind: 'constant', value })),
        fc.constantFrom(0, 1, 2).map(read),
    );
    const addend = fc
        .tuple(factor, fc.constantFrom(0, 1, 2).map(read))
        .map(([left, right]): SequentialExpression => ({ kind: 'binary', operator: '*', left, right, range }));
    const compiler = new Compiler(cells);
    const domains = cells.map(({ domain }) => codesOfDomain(domain, false));
    fc.assert(
        fc.property(fc.array(addend, { minLength: 1, maxLength: 5 }), operands => {
            const expression: SequentialExpression = { kind: 'sum', operands, range };
            const table = new FormulaTable();
            const budgets = { relation: 1, pair: 1 };
            const { values } = new Decomposer(table, cells, compiler, domains, UNLIMITED, budgets).outcomes(expression);
            const evaluate = compiler.expression(expression);
            forEachTuple(
                domains.map(codes => codes.length),
                tuple => {
                    const holding = [...values].filter(([, id]) => formulaHolds(table, id, tuple));
                    expect(holding.map(([value]) => value)).toEqual([outcomeAt(evaluate, tuple)]);
                },
            );
        }),
        { numRuns: 60 },
    );
});

test('the bounds on a count of two thousand conditions share two lists of terms', () => {
    const count = 2000;
    const flags = Array.from({ length: count }, (_, index) => cell(`flag${index}`, { kind: 'boolean' }));
    const domains = flags.map(({ domain }) => codesOfDomain(domain, false));
    const table = new FormulaTable();
    const decomposer = new Decomposer(table, flags, new Compiler(flags), domains, UNLIMITED);
    const counted: SequentialExpression = { kind: 'count', operands: flags.map((_, index) => read(index)), range };
    const one: SequentialExpression = { kind: 'constant', value: 1 };
    const atMostOne = decomposer.truth({ kind: 'binary', operator: '<=', left: counted, right: one, range });
    const sums = table.nodes.filter(node => node.kind === 'sum');
    // One for each number of them that hold, and one for each number of them that do not.
    expect(sums.length).toBeGreaterThan(count);
    expect(new Set(sums.map(({ terms }) => terms)).size).toBe(2);
    const state = new Int32Array(count);
    expect(formulaHolds(table, atMostOne, state)).toBe(true);
    state[1] = 1;
    expect(formulaHolds(table, atMostOne, state)).toBe(true);
    state[1999] = 1;
    expect(formulaHolds(table, atMostOne, state)).toBe(false);
});

test('a relation becomes a formula that holds for its tuples only, in a form that the order of cells does not change', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    const relations = sizes.chain(domainSizes => {
        const total = domainSizes.reduce((product, size) => product * size, 1);
        return fc.record({
            domainSizes: fc.constant(domainSizes),
            allowed: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: total, maxLength: total }),
        });
    });
    fc.assert(
        fc.property(relations, ({ domainSizes, allowed }) => {
            const table = new FormulaTable();
            const relation: Relation = {
                cells: domainSizes.map((_, cellIndex) => cellIndex),
                domains: domainSizes.map(size => Array.from({ length: size }, (_, code) => code)),
                allowed: Uint8Array.from(allowed),
            };
            const formula = relationToFormula(table, relation);
            forEachTuple(domainSizes, (tuple, index) => {
                expect(formulaHolds(table, formula, tuple)).toBe(allowed[index] === 1);
            });
            // Numbering the cells the other way round and naming them as before gives the same formula, mirrored.
            const count = domainSizes.length;
            const mirroredSizes = [...domainSizes].reverse();
            const mirrored = new Uint8Array(allowed.length);
            const mirroredIndex = new Map<string, number>();
            forEachTuple(mirroredSizes, (tuple, index) => mirroredIndex.set([...tuple].reverse().join(), index));
            forEachTuple(domainSizes, (tuple, index) => {
                mirrored[mirroredIndex.get(tuple.join()) ?? -1] = allowed[index] ?? 0;
            });
            const other = new FormulaTable();
            const mirroredFormula = relationToFormula(other, {
                cells: mirroredSizes.map((_, cellIndex) => cellIndex),
                domains: mirroredSizes.map(size => Array.from({ length: size }, (_, code) => code)),
                allowed: mirrored,
            });
            expect(textOf(table, formula, cellIndex => cellIndex)).toBe(
                textOf(other, mirroredFormula, cellIndex => count - 1 - cellIndex),
            );
        }),
        { numRuns: 300 },
    );
});

/** A formula as text that does not depend on the numbers of formulas. */
function textOf(table: FormulaTable, id: number, rename: (cell: number) => number): string {
    const node = table.nodes[id];
    switch (node?.kind) {
        case 'set':
            return `${rename(node.cell)}:${node.codes.join()}`;
        case 'and':
        case 'or':
            return `${node.kind}(${node.children
                .map(child => textOf(table, child, rename))
                .sort()
                .join(' ')})`;
        default:
            return node?.kind ?? '';
    }
}
