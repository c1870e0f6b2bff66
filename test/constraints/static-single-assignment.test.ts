/** Each summand as a straight line: what it defines, and that running it is running the summand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import { codeOfValue, NO_VALUE } from '../../engine/model/domain.js';
import { Compiler, Fault, FAULT_KINDS } from '../../engine/sequential/expression/evaluate.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type {
    FaultKind,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
} from '../../engine/sequential/sequential-model.js';
import {
    toStaticSingleAssignment,
    type SsaLine,
    type SsaParticipant,
    type SsaSummand,
} from '../../engine/constraints/static-single-assignment.js';
import { loadModel } from '../../language-server/load-model.js';
import { cases } from '../cases.js';
import { models } from '../arbitrary/models.js';
import { randomSequentialModel, randomState } from '../arbitrary/sequential-models.js';
import { binary, constant, toyModel, type Toy } from '../arbitrary/toys.js';
import { initialStatesOf, outcomesOf } from '../reference/literal-symmetries.js';
import { printModel } from '../reference/print.js';
import { forEachCellRead } from '../../engine/sequential/cell-access.js';

/** What the lines do in a state: the text of the successor or the kind of the fault; undefined where it does not fire. */
function run(sequential: SequentialModel, summand: SsaSummand, state: readonly number[]): string | undefined {
    const cellCount = sequential.cells.length;
    const names = [...sequential.cells, ...summand.cellOfName.map(cell => sequential.cells[cell]!)];
    const compiler = new Compiler(names);
    const next = [...state];
    const faults: FaultKind[] = [];
    for (const participant of summand.participants) {
        const values = Int32Array.from({ length: names.length }, (_, name) => state[name] ?? NO_VALUE);
        try {
            if (!runLines(participant, values)) {
                return undefined;
            }
        } catch (error) {
            if (!(error instanceof Fault)) {
                throw error;
            }
            faults.push(error.kind);
        }
        for (const [cell, final] of participant.final) {
            next[cell] = final.kind === 'absent' ? NO_VALUE : values[final.name]!;
        }
    }
    return FAULT_KINDS.find(kind => faults.includes(kind)) ?? next.join();

    function runLines({ path, body }: SsaParticipant, values: Int32Array): boolean {
        for (const line of [...path, ...body]) {
            if (line.kind === 'test') {
                if (!compiler.condition(line.condition)(values)) {
                    return false;
                }
            } else if (line.reached === undefined || compiler.condition(line.reached)(values)) {
                runLine(line, values);
            }
        }
        return true;
    }

    function runLine(line: Exclude<SsaLine, { kind: 'test' }>, values: Int32Array): void {
        if (line.kind === 'evaluate') {
            compiler.expression(line.expression)(values);
        } else if (line.kind === 'check') {
            if (!compiler.condition(line.condition)(values)) {
                throw new Fault(line.fault, line.range);
            }
        } else if (line.kind === 'join') {
            const held = compiler.condition(line.condition)(values) ? line.then : line.otherwise;
            if (held === 'nothing' || (held.kind === 'cell' && values[held.cell] === NO_VALUE)) {
                values[line.name] = NO_VALUE;
            } else {
                const { domain } = sequential.cells[summand.cellOfName[line.name - cellCount]!]!;
                values[line.name] = codeOfValue(domain, compiler.expression(held)(values));
                expect(values[line.name]).toBeGreaterThanOrEqual(0);
            }
        } else {
            const cell = line.kind === 'fit' ? line.cell : summand.cellOfName[line.name - cellCount]!;
            const code = codeOfValue(sequential.cells[cell]!.domain, compiler.expression(line.value)(values));
            if (code < 0) {
                throw new Fault('range', line.range);
            }
            if (line.kind === 'define') {
                values[line.name] = code;
            }
        }
    }
}

function checkRuns(sequential: SequentialModel, mostStates: number): number {
    const { summands } = toStaticSingleAssignment(sequential);
    const waiting = initialStatesOf(sequential).slice(0, mostStates);
    const seen = new Set(waiting.map(String));
    // The lines of a summand say where it leads, not what a constraint cuts off.
    const { constraint: _, ...unconstrained } = sequential;
    let compared = 0;
    for (const state of waiting) {
        const expected = outcomesOf(unconstrained, state);
        const found = summands.map(summand => run(sequential, summand, state)).filter(text => text !== undefined);
        expect([...new Set(found)].sort()).toEqual([...expected].sort());
        compared += expected.size;
        for (const outcome of expected) {
            if (/^-?\d/.test(outcome) && !seen.has(outcome) && seen.size < mostStates) {
                seen.add(outcome);
                waiting.push(outcome.split(',').map(Number));
            }
        }
    }
    return compared;
}

async function sequentialOf(text: string): Promise<SequentialModel | undefined> {
    const { model } = await loadModel(text, 'file:///random.orbit');
    return model === undefined ? undefined : linearize(model).sequential;
}

test('running the lines of a random model is running the model, and each name is defined once, before it is read', async () => {
    let compared = 0;
    await fc.assert(
        fc.asyncProperty(models(), async random => {
            const sequential = await sequentialOf(printModel(random));
            if (sequential === undefined) {
                return;
            }
            const { summands } = toStaticSingleAssignment(sequential);
            summands.forEach(summand => {
                checkDefinitions(summand, sequential.cells.length);
            });
            compared += checkRuns(sequential, 40);
        }),
        { numRuns: 30 },
    );
    expect(compared).toBeGreaterThan(150);
});

function checkDefinitions(summand: SsaSummand, cellCount: number): void {
    const defined = new Set<number>();
    const checkReads = (expression: SequentialExpression): void => {
        forEachCellRead(expression, name => {
            expect(name < cellCount || defined.has(name)).toBe(true);
        });
    };
    for (const { path, body, final } of summand.participants) {
        for (const line of [...path, ...body]) {
            expressionsOf(line).forEach(checkReads);
            if (line.kind === 'define' || line.kind === 'join') {
                expect(defined.has(line.name)).toBe(false);
                defined.add(line.name);
            }
        }
        for (const value of final.values()) {
            expect(value.kind === 'absent' || value.name < cellCount || defined.has(value.name)).toBe(true);
        }
    }
    expect(defined.size).toBe(summand.cellOfName.length);
}

function expressionsOf(line: SsaLine): SequentialExpression[] {
    const reached = line.kind === 'test' || line.reached === undefined ? [] : [line.reached];
    switch (line.kind) {
        case 'test':
        case 'check':
            return [line.condition, ...reached];
        case 'evaluate':
            return [line.expression, ...reached];
        case 'fit':
        case 'define':
            return [line.value, ...reached];
        case 'join':
            return [line.condition, ...reached, ...[line.then, line.otherwise].filter(held => held !== 'nothing')];
    }
}

test.each<[string, Toy['rules']]>([
    [
        'nested branches see what the statements before them wrote',
        ({ read, is, set }) => [
            {
                when: [],
                then: [
                    set('x', binary(constant(1), '-', read('x'))),
                    {
                        kind: 'if',
                        condition: is('x', 1),
                        then: [
                            { kind: 'if', condition: is('y', 1), then: [set('y', 0)], otherwise: [], range: NOWHERE },
                            set('a0', read('y')),
                        ],
                        otherwise: [set('a1', binary(read('y'), '+', read('x')))],
                        range: NOWHERE,
                    },
                ],
            },
        ],
    ],
    [
        'an element is read again after elements were written at an index that is not known before',
        ({ at, set, setAt }) => [
            {
                when: [],
                then: [setAt(['a0', 'a1'], 'x', 1), setAt(['a0', 'a1'], 'y', 0), set('x', at(['a0', 'a1'], 'y'))],
            },
        ],
    ],
    [
        'a branch that is not taken is no fault',
        ({ read, is, set }) => [
            {
                when: [],
                then: [
                    {
                        kind: 'if',
                        condition: is('x', 1),
                        then: [set('y', binary(read('a0'), '+', constant(1)))],
                        otherwise: [set('y', binary(constant(1), 'div', read('a1')))],
                        range: NOWHERE,
                    },
                ],
            },
        ],
    ],
    [
        'a loop whose end depends on the state',
        ({ read, is, set, at }) => [
            {
                when: [],
                then: [
                    repeat(is('x', 0), [
                        set('x', at(['a0', 'a1'], 'y')),
                        set('y', binary(constant(1), '-', read('y'))),
                        set('a0', binary(constant(1), '-', read('a0'))),
                    ]),
                ],
            },
        ],
    ],
    [
        'a loop in a branch, with a branch and an assertion in it',
        ({ read, is, set }) => [
            {
                when: [],
                then: [
                    branch(is('x', 1), [
                        repeat(binary(read('a0'), '!=', read('a1')), [
                            branch(is('y', 1), [set('a0', 1), set('y', 0)], [set('a0', read('y')), set('a1', 1)]),
                            { kind: 'assert', condition: binary(read('a0'), '==', constant(1)), range: NOWHERE },
                        ]),
                    ]),
                    set('x', 0),
                ],
            },
        ],
    ],
])('%s', (_, rules) => {
    expect(checkRuns(toyModel({ cells: { x: 2, y: 2, a0: 2, a1: 2 }, rules }), 16)).toBe(16);
});

function repeat(condition: SequentialExpression, body: readonly SequentialStatement[]): SequentialStatement {
    return { kind: 'while', condition, body, range: NOWHERE };
}

function branch(
    condition: SequentialExpression,
    then: readonly SequentialStatement[],
    otherwise: readonly SequentialStatement[] = [],
): SequentialStatement {
    return { kind: 'if', condition, then, otherwise, range: NOWHERE };
}

test('a loop over a counter has as many rounds as the counter has values, and its tests are gone', () => {
    // for i in 0 .. 99: a[i mod 2] := x
    const model = toyModel({
        cells: { a0: 3, a1: 3, x: 3, i: { kind: 'range', low: -1, high: 2 ** 31 - 10 } },
        kinds: { i: 'temporary' },
        rules: ({ read, set, clear }) => [
            {
                when: [],
                then: [
                    set('i', 0),
                    repeat(binary(read('i'), '<', constant(100)), [
                        {
                            kind: 'assign',
                            target: {
                                kind: 'element',
                                cells: [0, 1],
                                indices: [binary(read('i'), 'mod', constant(2))],
                                domains: [{ kind: 'range', low: 0, high: 1 }],
                                range: NOWHERE,
                            },
                            value: read('x'),
                            range: NOWHERE,
                        },
                        set('i', binary(read('i'), '+', constant(1))),
                    ]),
                    clear('i'),
                ],
            },
        ],
    });
    const [summand] = toStaticSingleAssignment(model).summands;
    const { body } = summand!.participants[0]!;
    // 101 versions of the counter and 100 of elements.
    expect(body.filter(line => line.kind === 'define')).toHaveLength(101);
    expect(body.filter(line => line.kind === 'join')).toHaveLength(100);
    expect(body.every(line => line.kind === 'test' || line.reached === undefined)).toBe(true);
    expect(checkRuns(model, 27)).toBe(27);
});

test('a loop that goes on after every state that it can have is endless', () => {
    const model = toyModel({
        cells: { x: 3, y: 3 },
        rules: ({ read, set }) => [
            {
                when: [],
                then: [
                    repeat(binary(read('x'), '!=', read('y')), [
                        set('x', binary(binary(read('x'), '*', constant(2)), 'mod', constant(3))),
                    ]),
                ],
            },
        ],
    });
    // x is doubled modulo 3: 1 and 2 come to one another, 0 stays.
    expect(outcomesOf(model, [0, 1])).toEqual(new Set(['endless']));
    expect(outcomesOf(model, [1, 2])).toEqual(new Set(['2,2']));
    expect(checkRuns(model, 9)).toBe(9);
    const [summand] = toStaticSingleAssignment(model).summands;
    expect(summand!.participants[0]!.body.filter(line => line.kind === 'check')).toMatchObject([{ fault: 'endless' }]);
});

test('a loop with too many rounds leaves its summand without lines', () => {
    const counting = toyModel({
        cells: { x: 100_000, y: 100_000 },
        rules: ({ read, set }) => [
            {
                when: [],
                then: [repeat(binary(read('x'), '<', read('y')), [set('x', binary(read('x'), '+', constant(1)))])],
            },
        ],
    });
    expect(toStaticSingleAssignment(counting).summands).toMatchObject([{ isTooLarge: true, participants: [] }]);
    // The interpreter counts on.
    expect(outcomesOf(counting, [3, 99_999])).toEqual(new Set(['99999,99999']));
});

test('what a branch clears holds no value, and what neither branch writes keeps none', () => {
    const model = toyModel({
        cells: { x: 2, slot0: 2, slot1: 2 },
        mayBeAbsent: ['slot0', 'slot1'],
        kinds: { slot0: 'channel', slot1: 'channel' },
        initial: { slot0: 'none', slot1: 'none' },
        rules: ({ is, set, clear }) => [
            {
                when: [],
                then: [branch(is('x', 1), [clear('slot0')], [set('slot0', 1)]), branch(is('x', 0), [set('slot1', 0)])],
            },
            { when: [], then: [set('x', 0), branch(is('x', 0), [clear('slot1'), set('x', 1)])] },
        ],
    });
    expect(checkRuns(model, 18)).toBeGreaterThan(5);
});

test('running the lines is running the summand for every kind of statement and expression, in states of any kind', () => {
    const outcomes = new Map<string, number>();
    fc.assert(
        fc.property(fc.gen(), g => {
            const sequential = randomSequentialModel(g);
            const { summands } = toStaticSingleAssignment(sequential);
            for (const summand of summands.filter(({ isTooLarge }) => !isTooLarge)) {
                checkDefinitions(summand, sequential.cells.length);
                const alone = { ...sequential, summands: [sequential.summands[summand.summand]!] };
                for (let count = 0; count < 3; count++) {
                    const state = [...randomState(g, sequential)];
                    const [expected] = outcomesOf(alone, state);
                    expect(run(sequential, summand, state)).toBe(expected);
                    const kind = expected === undefined ? 'disabled' : /^-?\d/.test(expected) ? 'fired' : expected;
                    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
                }
            }
        }),
        { numRuns: cases(400) },
    );
    expect(outcomes.get('fired')).toBeGreaterThan(20);
    expect(outcomes.size).toBeGreaterThan(5);
});
