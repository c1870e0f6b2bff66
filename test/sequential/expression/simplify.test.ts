import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOWHERE } from '../../../engine/common/source-range.js';
import type { Cell, SequentialExpression } from '../../../engine/sequential/sequential-model.js';
import { codeOfValue, domainSize, NONE, type Domain } from '../../../engine/model/domain.js';
import { Compiler, Fault } from '../../../engine/sequential/expression/evaluate.js';
import {
    binary,
    conditional,
    conjunction,
    constant,
    count,
    disjunction,
    extremum,
    negation,
    negative,
    select,
    sum,
} from '../../../engine/sequential/expression/simplify.js';
import { integers, optional } from '../../arbitrary/domains.js';
import { boundsOf, mayLeave, type Bounds } from '../../../engine/sequential/expression/bounds.js';

test('parts that expressions share are looked at once: bounds of a sum that is doubled fifty times', () => {
    const cells: Cell[] = [
        {
            name: 'x',
            domain: integers(0, 1),
            kind: 'shared',
            variable: 0,
            instance: -1,
            indices: [],
            mayBeAbsent: false,
            declaration: NOWHERE,
        },
    ];
    const cell: SequentialExpression = { kind: 'cell', cell: 0, range: NOWHERE };
    let doubled: SequentialExpression = cell;
    for (let times = 0; times < 50; times++) {
        // As a tree it has 2^50 leaves.
        const isZero = binary('==', doubled, constant(0), NOWHERE);
        doubled = conditional(isZero, doubled, binary('+', doubled, doubled, NOWHERE), NOWHERE);
    }
    expect(boundsOf(doubled, cells)).toEqual({ low: 0, high: 2 ** 50, mayBeNone: false, mayFault: false });
});

const RECORD: Domain = {
    kind: 'record',
    name: 'Client',
    fields: [
        { name: 'server', domain: integers(0, 1) },
        { name: 'number', domain: integers(0, 2) },
    ],
    tuples: [
        [0, 0],
        [0, 1],
        [1, 0],
    ],
};
const DOMAINS: readonly Domain[] = [integers(-2, 2), integers(0, 3), optional(integers(1, 2)), RECORD];
const CELLS = DOMAINS.map((domain, index): Cell => ({
    name: `x${index}`,
    domain,
    kind: 'shared',
    variable: index,
    instance: -1,
    indices: [],
    mayBeAbsent: false,
    declaration: NOWHERE,
}));

const range = NOWHERE;

/** One operation of the expressions; `fold` builds it with the constructor, or as it is. */
type Operation = (fold: boolean) => SequentialExpression;

const operations = fc.letrec<{ operation: Operation }>(tie => {
    const pair = fc.tuple(tie('operation'), tie('operation'));
    const several = fc.array(tie('operation'), { minLength: 1, maxLength: 3 });
    return {
        operation: fc.oneof(
            { maxDepth: 3, withCrossShrink: true },
            fc.constantFrom(-2, 0, 1, 2, 3, 60, 2 ** 52, NONE).map(
                (value): Operation =>
                    () =>
                        constant(value),
            ),
            fc.integer({ min: 0, max: 3 }).map((cell): Operation => () => ({ kind: 'cell', cell, range })),
            fc
                .tuple(
                    fc.constantFrom(
                        ...(['+', '-', '*', 'div', 'mod', 'pow', 'xor', 'bitand', 'bitor', 'shl', 'shr'] as const),
                        ...(['==', '!=', '<', '<=', '>', '>='] as const),
                    ),
                    pair,
                )
                .map(
                    ([operator, [left, right]]): Operation =>
                        fold =>
                            fold
                                ? binary(operator, left(fold), right(fold), range)
                                : { kind: 'binary', operator, left: left(fold), right: right(fold), range },
                ),
            fc.tuple(fc.constantFrom('min', 'max'), several).map(([kind, operands]): Operation => fold => {
                const built = operands.map(operand => operand(fold));
                return fold ? extremum(kind, built, range) : { kind, operands: built, range };
            }),
            several.map((operands): Operation => fold => {
                // What is summed is never an optional value.
                const built = operands.map(operand => binary('+', operand(fold), constant(1), range));
                return fold ? sum(built, range) : { kind: 'sum', operands: built, range };
            }),
            several.map((operands): Operation => fold => {
                const built = operands.map(operand => binary('<', operand(fold), constant(1), range));
                return fold ? count(built, range) : { kind: 'count', operands: built, range };
            }),
            fc.tuple(fc.constantFrom('and', 'or'), several).map(([kind, operands]): Operation => fold => {
                const built = operands.map(operand => binary('>=', operand(fold), constant(1), range));
                const wider = [...built, negation(binary('==', operands[0]!(fold), constant(2), range), range)];
                return fold
                    ? (kind === 'and' ? conjunction : disjunction)(wider, range)
                    : { kind, operands: wider, range };
            }),
            tie('operation').map(
                (operand): Operation =>
                    fold =>
                        fold ? negative(operand(fold), range) : { kind: 'negate', operand: operand(fold), range },
            ),
            fc
                .tuple(tie('operation'), fc.array(tie('operation'), { minLength: 2, maxLength: 2 }))
                .map(([index, options]): Operation => fold => {
                    const built = options.map(option => option(fold));
                    return fold
                        ? select(index(fold), integers(0, 1), built, range)
                        : { kind: 'select', index: index(fold), domain: integers(0, 1), options: built, range };
                }),
        ),
    };
});

/** By state, the value or the kind of the fault. */
function outcomesOf(expression: SequentialExpression): (number | string)[] {
    const evaluate = new Compiler(CELLS).expression(expression);
    const outcomes: (number | string)[] = [];
    const sizes = DOMAINS.map(domainSize);
    const total = sizes.reduce((product, size) => product * size, 1);
    for (let state = 0; state < total; state++) {
        let rest = state;
        const codes = sizes.map(size => {
            const code = rest % size;
            rest = (rest - code) / size;
            return code;
        });
        try {
            outcomes.push(evaluate(Int32Array.from(codes)));
        } catch (error) {
            if (!(error instanceof Fault)) {
                throw error;
            }
            outcomes.push(error.kind);
        }
    }
    return outcomes;
}

function isWithin(outcome: number | string, { low, high, mayBeNone, mayFault }: Bounds): boolean {
    if (typeof outcome === 'string') {
        return mayFault;
    }
    return outcome === NONE ? mayBeNone : low <= outcome && outcome <= high;
}

test('folding changes no value and no fault, and every value lies within the bounds', () => {
    let folded = 0;
    fc.assert(
        fc.property(operations.operation, operation => {
            const plain = operation(false);
            const outcomes = outcomesOf(plain);
            const short = operation(true);
            folded += short.kind === 'constant' || short.kind === 'fault' ? 1 : 0;
            expect(outcomesOf(short)).toEqual(outcomes);
            for (const expression of [plain, short]) {
                const bounds = boundsOf(expression, CELLS);
                expect(outcomes.filter(outcome => !isWithin(outcome, bounds))).toEqual([]);
                for (const domain of DOMAINS.filter(each => !mayLeave(each, expression, CELLS))) {
                    expect(
                        outcomes.filter(outcome => typeof outcome === 'number' && codeOfValue(domain, outcome) < 0),
                    ).toEqual([]);
                }
            }
        }),
        { numRuns: 400 },
    );
    expect(folded).toBeGreaterThan(30);
});

test('bounds are no wider than need be', () => {
    const cell = (index: number): SequentialExpression => ({ kind: 'cell', cell: index, range });
    const bounds = (expression: SequentialExpression): unknown => boundsOf(expression, CELLS);
    const sure = { mayBeNone: false, mayFault: false };
    // x0 in -2 .. 2, x1 in 0 .. 3, x2 in none, 1, 2
    expect(bounds(binary('pow', cell(1), cell(1), range))).toEqual({ low: 0, high: 27, ...sure });
    expect(bounds(binary('pow', cell(0), constant(2), range))).toEqual({ low: -4, high: 4, ...sure });
    expect(bounds(binary('xor', cell(1), constant(4), range))).toEqual({ low: 0, high: 7, ...sure });
    expect(bounds(binary('bitand', cell(1), constant(60), range))).toEqual({ low: 0, high: 3, ...sure });
    expect(bounds(binary('shl', constant(1), cell(1), range))).toEqual({ low: 1, high: 8, ...sure });
    expect(bounds(binary('shr', constant(9), cell(1), range))).toEqual({ low: 1, high: 9, ...sure });
    expect(bounds(extremum('min', [cell(0), cell(1), cell(2)], range))).toEqual({ low: -2, high: 2, ...sure });
    expect(bounds(extremum('max', [cell(0), cell(1), cell(2)], range))).toEqual({ low: 0, high: 3, ...sure });
    expect(bounds(extremum('max', [cell(2)], range))).toEqual({ low: 1, high: 2, mayBeNone: false, mayFault: true });
    expect(bounds(select(cell(1), integers(0, 3), [0, 5, 2, 3].map(constant), range))).toEqual({
        low: 0,
        high: 5,
        ...sure,
    });
});

test('what stands inside of another conjunction is folded too, and what comes after it stays', () => {
    const fault: SequentialExpression = { kind: 'fault', fault: 'range', range };
    const inner: SequentialExpression = { kind: 'and', operands: [constant(1), constant(1)], range };
    expect(conjunction([inner, fault], range)).toEqual(fault);
    expect(conjunction([{ ...inner, operands: [fault, constant(0)] }, constant(0)], range)).toEqual(fault);
    expect(disjunction([inner, fault], range)).toEqual({ kind: 'or', operands: [inner, fault], range });
});
