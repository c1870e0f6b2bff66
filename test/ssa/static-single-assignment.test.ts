/** Each summand as a straight line: what it defines, and that running it is running the summand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import { codeOfValue, NO_VALUE } from '../../engine/model/domain.js';
import { Compiler, Fault, FAULT_KINDS } from '../../engine/sequential/evaluate.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { forEachCellRead } from '../../engine/sequential/liveness.js';
import type { FaultKind, SequentialExpression, SequentialModel } from '../../engine/sequential/sequential-model.js';
import {
    toStaticSingleAssignment,
    type SsaLine,
    type SsaParticipant,
    type SsaSummand,
} from '../../engine/ssa/static-single-assignment.js';
import { loadModel } from '../../language-server/load-model.js';
import { models } from '../arbitrary/models.js';
import { binary, constant, toyModel, type Toy } from '../arbitrary/toys.js';
import { initialStatesOf, outcomesOf } from '../reference/literal-symmetries.js';
import { printModel } from '../reference/print.js';

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
        } else {
            // Where branches join, a dead local that the branch taken leaves alone holds no value.
            if (line.value.kind === 'conditional') {
                const taken = compiler.condition(line.value.condition)(values) ? line.value.then : line.value.otherwise;
                if (taken.kind === 'cell' && values[taken.cell] === NO_VALUE) {
                    values[line.name] = NO_VALUE;
                    return;
                }
            }
            const cell = summand.cellOfName[line.name - cellCount]!;
            const code = codeOfValue(sequential.cells[cell]!.domain, compiler.expression(line.value)(values));
            if (code < 0) {
                throw new Fault('range', line.range);
            }
            values[line.name] = code;
        }
    }
}

/** Runs both forms in the first states that are reached; how many outcomes were compared. */
function checkRuns(sequential: SequentialModel, mostStates: number): number {
    const { summands } = toStaticSingleAssignment(sequential);
    const waiting = initialStatesOf(sequential).slice(0, mostStates);
    const seen = new Set(waiting.map(String));
    let compared = 0;
    for (const state of waiting) {
        const expected = outcomesOf(sequential, state);
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
        { numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(400);
});

function checkDefinitions(summand: SsaSummand, cellCount: number): void {
    const defined = new Set<number>();
    const checkReads = (expression: SequentialExpression | undefined): void => {
        if (expression !== undefined) {
            forEachCellRead(expression, name => {
                expect(name < cellCount || defined.has(name)).toBe(true);
            });
        }
    };
    for (const { path, body, final } of summand.participants) {
        for (const line of [...path, ...body]) {
            checkReads(
                line.kind === 'define' ? line.value : line.kind === 'evaluate' ? line.expression : line.condition,
            );
            checkReads(line.kind === 'test' ? undefined : line.reached);
            if (line.kind === 'define') {
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
])('%s', (_, rules) => {
    expect(checkRuns(toyModel({ cells: { x: 2, y: 2, a0: 2, a1: 2 }, rules }), 16)).toBe(16);
});
