/** Each ruling of the semantics on a model that is about nothing else. */
import { describe, expect, test } from 'vitest';
import type { Control, Model } from '../../engine/model/model.js';
import type { Expression } from '../../engine/model/expression.js';
import { NO_VALUE } from '../../engine/model/domain.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { printExpression, printSequentialModel } from '../../engine/sequential/print.js';
import { explore, sequentialOf } from '../explore/explore-model.js';
import { peterson } from '../arbitrary/published-models.js';
import {
    all,
    any,
    assign,
    binder,
    BOOLEAN,
    BREAK,
    check,
    choice,
    choose,
    declare,
    event,
    ifThen,
    integers,
    isAt,
    labeled,
    line,
    local,
    loop,
    model,
    not,
    op,
    over,
    process,
    read,
    shared,
    step,
    the,
    variable,
    when,
    whileDo,
} from '../arbitrary/model-builder.js';

const BIT = integers(0, 1);
const TRIT = integers(0, 2);
/** A second process that sets the shared variable 0 once. */
const SETTER = process('Setter', { body: [step({ do: [assign(shared(0), true)] })] });

/** One process around a Boolean shared variable `taken`. */
function around(body: Control[], ...others: ReturnType<typeof process>[]): Model {
    return model({ variables: [variable('taken', BOOLEAN, false)], processes: [process('P', { body }), ...others] });
}

function locationCount(of: Model, instance = 0): number | undefined {
    return sequentialOf(of).instances[instance]?.locations.length;
}

function claim(expression: Expression, body: Control[], locals: ReturnType<typeof variable>[] = []): string {
    const { invariants, cells } = sequentialOf(
        model({
            variables: [variable('x', TRIT, 0)],
            processes: [process('P', { body, locals })],
            invariants: { claim: expression },
        }),
    );
    return printExpression((invariants[0] as (typeof invariants)[0]).expression, cells);
}

describe('locations', () => {
    test('a process with one location has no program counter', () => {
        const { cells, instances } = sequentialOf(around([loop(step({ do: [assign(shared(0), true)] }))]));
        expect(instances.map(instance => instance.counter)).toEqual([-1]);
        expect(cells.map(cell => cell.name)).toEqual(['taken']);
    });

    test('a loop around a choice adds no state', () => {
        expect(locationCount(around([loop(choose([step({ line: 1 })], [step({ line: 2 })]))]))).toBe(1);
    });

    test('each step of a sequence has a location, and so has the end', () => {
        expect(locationCount(around([step({ line: 1 }), step({ line: 2 })]))).toBe(3);
    });

    test('continuations with the same offers are one location', () => {
        // Both alternatives leave the same rest: a common step, then the end.
        expect(locationCount(around([choose([step({ line: 1 })], [step({ line: 2 })]), step({ line: 3 })]))).toBe(3);
    });

    test('two equal steps at two places of the text are two', () => {
        const twice = around([
            choose([step({ line: 1 }), step({ line: 3 })], [step({ line: 2 }), step({ line: 4 })]),
            step({ line: 5 }),
        ]);
        // Start, before the second step of each alternative, before the common step, end.
        expect(locationCount(twice)).toBe(5);
    });

    test('the initial location is the first one, whatever comes before it in the text', () => {
        const { instances, cells, initial } = sequentialOf(
            around([labeled('first', step()), labeled('second', step())]),
        );
        expect(instances[0]?.locations.map(location => location.name)).toEqual(['first', 'second', 'end']);
        const counter = instances[0]?.counter ?? -1;
        expect(cells[counter]).toMatchObject({ kind: 'counter', name: 'P.at' });
        expect(initial[counter]?.value).toMatchObject({ expression: { value: 0 } });
    });

    test('a location whose name is taken gets a number', () => {
        const { instances } = sequentialOf(around([step({ line: 7 }), step({ line: 7 })]));
        expect(instances[0]?.locations.map(location => location.name)).toEqual(['line 7', 'line 7 (2)', 'end']);
    });
});

describe('paths', () => {
    test('tests merge into the step that follows: while and assignment are an atomic test-and-set', () => {
        const lock = (name: string): ReturnType<typeof process> =>
            process(name, {
                body: [whileDo(read(shared(0))), labeled('enter', step({ do: [assign(shared(0), true)] }))],
            });
        const report = explore(
            model({
                variables: [variable('taken', BOOLEAN, false)],
                processes: [lock('P'), lock('Q')],
                invariants: { one: not(all(isAt(0, [], 'none'), isAt(1, [], 'none'))) },
            }),
        );
        // Nobody in, P in, Q in; the one that comes late waits for ever.
        expect(report).toMatchObject({ states: 3, transitions: 2, deadlocks: 2 });
    });

    test('an empty while waits until its test is false', () => {
        const waiting = around([whileDo(not(read(shared(0)))), step()], SETTER);
        expect(sequentialOf(waiting).summands.filter(summand => summand.participants[0]?.instance === 0)).toHaveLength(
            1,
        );
        expect(explore(waiting)).toMatchObject({ states: 3, deadlocks: 0 });
    });

    test('a loop without a step offers nothing: the least fixpoint', () => {
        const stuck = around([loop(ifThen(read(shared(0)), []))]);
        expect(sequentialOf(stuck).summands).toEqual([]);
        expect(explore(stuck)).toMatchObject({ states: 1, transitions: 0, deadlocks: 1 });
    });

    test('a way round a loop without a step adds nothing to the ways with one', () => {
        const offers = sequentialOf(around([loop(choose([], [step()]))])).summands;
        expect(offers).toHaveLength(1);
    });

    test('two ways to a step with the same tests are one offer', () => {
        expect(sequentialOf(around([choose([], []), step()])).summands).toHaveLength(1);
    });

    test('break leaves the innermost loop', () => {
        const body = [loop(step({ line: 1 }), loop(step({ line: 2 }), BREAK), step({ line: 3 }))];
        const targets = sequentialOf(around(body)).summands.map(({ participants: [first] }) => [
            first?.source,
            first?.target,
        ]);
        expect(targets).toEqual([
            [0, 1],
            [1, 2],
            [2, 0],
        ]);
    });

    test('static tests choose the branch for each instance', () => {
        const i = binder('i', integers(0, 2));
        const { summands } = sequentialOf(
            model({
                variables: [variable('x', BIT, 0)],
                processes: [
                    process('P', {
                        indices: [i],
                        body: [
                            loop(
                                ifThen(op(the(i), '==', 0), [labeled('zero', step())], [labeled('other', step())]),
                                whileDo(op(the(i), '==', 1), labeled('for ever', step())),
                            ),
                        ],
                    }),
                ],
            }),
        );
        expect(summands.map(({ label, participants: [first] }) => `${first?.instance} ${label}`)).toEqual([
            '0 zero',
            '1 other',
            '1 for ever',
            '2 other',
        ]);
    });

    test('a fault before a test that is false still shows', () => {
        const body = [declare(0), loop(step({ when: false }))];
        const report = explore(
            model({
                variables: [variable('x', TRIT, 2)],
                processes: [
                    process('P', {
                        locals: [variable('k', TRIT, op(read(shared(0)), '+', 1))],
                        body: [step(), ...body],
                    }),
                ],
            }),
        );
        expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault range']);
    });
});

describe('locals', () => {
    test('a local that is not live holds no value, initially too', () => {
        const sequential = sequentialOf(
            model({
                processes: [
                    process('P', {
                        locals: [variable('k', TRIT, 'any')],
                        body: [step({ do: [assign(local(0), 1)] }), step({ when: op(read(local(0)), '==', 1) })],
                    }),
                ],
            }),
        );
        const states = new InitialStates(sequential);
        const state = new Int32Array(sequential.cells.length);
        expect(states.nextInto(state)).toBe(true);
        expect(state[0]).toBe(NO_VALUE);
        // `any` makes one initial state, for nobody reads the value.
        expect(states.nextInto(state)).toBe(false);
        expect(sequential.cells[0]?.mayBeAbsent).toBe(true);
        // At the end it is dead again.
        expect(sequential.summands[1]?.participants[0]?.body).toContainEqual({ kind: 'clear', cell: 0 });
    });

    test('a write to a part of an array is a read of the whole', () => {
        const report = explore(
            model({
                processes: [
                    process('P', {
                        locals: [variable('a', BIT, 'any', BIT)],
                        body: [
                            step({ do: [assign(local(0, 0), 1)] }),
                            step({ do: [assign(local(0, 1), 1)] }),
                            step({ when: op(read(local(0, 0)), '==', read(local(0, 1))) }),
                        ],
                    }),
                ],
            }),
        );
        // 4 arrays at first, then 2 (the first element is 1), then 1, then none.
        expect(report).toMatchObject({ states: 8, transitions: 7 });
    });

    test('a local that is read by a test before a label is live where control is before the label', () => {
        const { cells } = sequentialOf(peterson(3));
        expect(cells.filter(cell => cell.kind === 'local').map(cell => cell.mayBeAbsent)).toEqual([true, true, true]);
        // 572 states of Peterson's algorithm for 3 processes: counted by test/reference/model-state-space.ts.
        expect(explore(peterson(3)).states).toBe(572);
    });

    test('a declaration between steps is initialized by the step that follows', () => {
        const report = explore(
            model({
                variables: [variable('x', TRIT, 0)],
                processes: [
                    process('P', {
                        locals: [variable('k', TRIT, op(read(shared(0)), '+', 1))],
                        body: [
                            loop(
                                step({ when: op(read(shared(0)), '<', 1), do: [assign(shared(0), 1)] }),
                                declare(0),
                                step({ when: op(read(local(0)), '==', 2), do: [assign(shared(0), read(local(0)))] }),
                            ),
                        ],
                    }),
                ],
            }),
        );
        expect(report).toMatchObject({ states: 3, transitions: 2, deadlocks: 1 });
        expect(report.violations[0]?.trace.at(-1)?.state).toEqual({ x: 2, 'P.at': 'line 1' });
    });

    test("a declaration between steps with 'any' chooses a value", () => {
        const report = explore(
            model({
                variables: [variable('x', TRIT, 0)],
                processes: [
                    process('P', {
                        locals: [variable('k', TRIT, 'any')],
                        body: [loop(declare(0), step({ do: [assign(shared(0), read(local(0)))] }))],
                    }),
                ],
            }),
        );
        expect(report).toMatchObject({ states: 3, transitions: 9 });
    });

    test('the initial value of a local that is not live can be that of one that is', () => {
        const body = [loop(step({ when: op(read(local(1)), '==', 2), do: [assign(local(1), 2)] }))];
        const from = (initial: number | 'any'): Model =>
            model({
                processes: [
                    process('P', {
                        locals: [variable('a', TRIT, initial), variable('b', TRIT, op(read(local(0)), '+', 1))],
                        body,
                    }),
                ],
            });
        expect(explore(from(1)).transitions).toBe(1);
        expect(linearize(from('any')).problems.map(problem => problem.code)).toEqual(['local/unknown-initial-value']);
    });
});

describe('at', () => {
    const k = variable('k', TRIT, 0);

    test('control is before the label and the tests on the way hold', () => {
        const body = [
            loop(whileDo(op(read(local(0)), '<', 2), step({ do: [assign(local(0), 2)] })), labeled('critical', step())),
        ];
        expect(claim(isAt(0, [], 'critical'), body, [k])).toBe('!(P.k < 2)');
    });

    test('the label before a while belongs to its head and is passed at every return', () => {
        const body = [labeled('again', whileDo(op(read(shared(0)), '<', 2), step({ line: 1 }), step({ line: 2 })))];
        // Location 0 is the head, 1 before the second step, 2 the end.
        expect(claim(isAt(0, [], 'again'), body)).toBe('(P.at == again)');
    });

    test('it ignores guards and partners', () => {
        const body = [labeled('here', step({ when: false, event: [0] })), step()];
        const { invariants, cells } = sequentialOf(
            model({
                events: [event('e')],
                processes: [process('P', { body }), process('Q', { body: [step(), step({ event: [0] })] })],
                invariants: { claim: isAt(0, [], 'here') },
            }),
        );
        expect(printExpression((invariants[0] as (typeof invariants)[0]).expression, cells)).toBe('(P.at == here)');
    });

    test('a declaration on the way stands for its initial value', () => {
        const initial = op(read(shared(0)), '+', 1);
        const body = [step(), declare(0), ifThen(op(read(local(0)), '==', 2), [labeled('two', step())], [step()])];
        expect(claim(isAt(0, [], 'two'), body, [variable('k', integers(0, 9), initial)])).toBe(
            '((P.at == two) && ((x + 1) == 2))',
        );
    });

    test('an index that is not known before the run chooses the instance, and outside the family it is a fault', () => {
        const i = binder('i', integers(0, 2));
        const asked = model({
            variables: [variable('x', integers(0, 3), 'any')],
            processes: [
                process('P', {
                    indices: [i],
                    where: op(the(i), '!=', 1),
                    body: [labeled('here', step()), labeled('there', step())],
                }),
            ],
            invariants: { claim: any(isAt(0, [read(shared(0))], 'here'), true) },
            allowsDeadlock: true,
        });
        const { invariants, cells } = sequentialOf(asked);
        expect(printExpression((invariants[0] as (typeof invariants)[0]).expression, cells)).toBe(
            '([(P[0].at == here), fault(index), (P[2].at == here)][x] || 1)',
        );
        expect(explore(asked).violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault index']);
    });

    test('in a guard it reads the program counter of the other instance', () => {
        const follower = process('Follower', { body: [step({ when: isAt(0, [], 'second') })] });
        const report = explore(
            model({
                processes: [
                    process('Leader', { body: [labeled('first', step()), labeled('second', step())] }),
                    follower,
                ],
            }),
        );
        // first, second, end, and the follower may have moved at second: it stays behind in one deadlock.
        expect(report).toMatchObject({ states: 5, deadlocks: 1 });
    });

    test('a definition in a circle is a problem at the place that asks', () => {
        const circle = model({
            processes: [
                process('P', { body: [step(), ifThen(isAt(1, [], 'b'), [labeled('a', step())]), step()] }),
                process('Q', { body: [step(), ifThen(isAt(0, [], 'a'), [labeled('b', step())]), step()] }),
            ],
        });
        const { sequential, problems } = linearize(circle);
        expect(sequential).toBeUndefined();
        expect(problems.map(problem => problem.code)).toEqual(['at/circular']);
    });
});

describe('events', () => {
    const seat = integers(0, 1);

    test('a location without a label is called by the event that it waits for', () => {
        const waiting = model({
            events: [event('meet')],
            processes: [process('P', { body: [step({ event: [0] }), step({ event: [0] })] })],
        });
        const { instances } = sequentialOf(waiting);
        expect(instances[0]?.locations.map(location => location.name)).toEqual(['meet', 'meet (2)', 'end']);
    });

    test('an event fires only together with everybody who has it in the alphabet', () => {
        const both = model({
            events: [event('meet')],
            processes: [
                process('P', { body: [step({ line: 1 }), step({ event: [0], line: 2 })] }),
                process('Q', { body: [step({ event: [0], line: 3 })] }),
            ],
        });
        const { summands } = sequentialOf(both);
        expect(
            summands.map(({ label, participants }) => [label, participants.map(({ instance }) => instance)]),
        ).toEqual([
            ['line 1', [0]],
            ['meet', [0, 1]],
        ]);
        expect(explore(both)).toMatchObject({ states: 3, deadlocks: 0 });
    });

    test('an instance that has terminated keeps its alphabet', () => {
        const report = explore(
            model({
                events: [event('meet')],
                processes: [
                    process('P', { body: [loop(step({ event: [0] }))] }),
                    process('Q', { body: [step({ event: [0] })] }),
                ],
            }),
        );
        expect(report).toMatchObject({ states: 2, transitions: 1, deadlocks: 1 });
    });

    test('alphabets are those after static tests are decided', () => {
        const i = binder('i', seat);
        const only = (condition: Expression): Model =>
            model({
                variables: [variable('x', BIT, 0)],
                events: [event('e')],
                processes: [
                    process('P', {
                        indices: [i],
                        body: [loop(ifThen(condition, [step({ event: [0] })], [step({ when: false })]))],
                    }),
                ],
            });
        // Instance 1 cannot name the event, so instance 0 does not wait for it.
        expect(explore(only(op(the(i), '==', 0))).transitions).toBe(1);
        expect(explore(only(all(op(the(i), '==', 0), op(read(shared(0)), '==', 0)))).transitions).toBe(1);
        // With the variable first the test is not static.
        expect(explore(only(all(op(read(shared(0)), '==', 0), op(the(i), '==', 0)))).transitions).toBe(0);
    });

    test('a guard that is never true keeps the event in the alphabet', () => {
        const report = explore(
            model({
                events: [event('e')],
                processes: [
                    process('P', { body: [step({ event: [0] })] }),
                    process('Q', { body: [step({ event: [0], when: false })] }),
                ],
            }),
        );
        expect(report).toMatchObject({ states: 1, transitions: 0, deadlocks: 1 });
    });

    test('a dynamic argument contributes all values of its type', () => {
        const named = (argument: Expression): Model =>
            model({
                variables: [variable('x', seat, 'any')],
                events: [event('e', seat)],
                processes: [
                    process('P', { body: [loop(step({ event: [0, argument] }))] }),
                    process('Q', { body: [loop(step({ event: [0, 0] }))] }),
                ],
            });
        const { summands } = sequentialOf(named(read(shared(0))));
        expect(summands.map(({ label, participants }) => `${label} ${participants.length}`)).toEqual([
            'e[0] 2',
            'e[1] 1',
        ]);
        expect(explore(named(read(shared(0)))).transitions).toBe(2);
    });

    test('an argument outside the type of the event is a fault of the step', () => {
        const report = explore(
            model({
                variables: [variable('x', integers(0, 3), 'any')],
                events: [event('e', seat)],
                processes: [process('P', { body: [loop(step({ event: [0, read(shared(0))] }))] })],
            }),
        );
        expect(report).toMatchObject({ states: 4, transitions: 4, deadlocks: 0 });
        expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault index']);
    });

    test('bodies that meet may not race', () => {
        const meeting = (first: Control, second: Control): string[] =>
            linearize(
                model({
                    variables: [variable('x', TRIT, 0), variable('y', TRIT, 0)],
                    events: [event('e')],
                    processes: [process('P', { body: [first] }), process('Q', { body: [second] })],
                }),
            ).problems.map(problem => problem.code);
        const writeX = step({ event: [0], do: [assign(shared(0), 1)], line: 1 });
        const readX = step({ event: [0], do: [assign(shared(1), read(shared(0)))], line: 2 });
        const testX = step({ event: [0], when: op(read(shared(0)), '==', 0), do: [assign(shared(1), 1)], line: 3 });
        expect(meeting(writeX, writeX)).toEqual(['event/race']);
        expect(meeting(writeX, readX)).toEqual(['event/race']);
        expect(meeting(readX, writeX)).toEqual(['event/race']);
        // Guards are evaluated before the step.
        expect(meeting(writeX, testX)).toEqual([]);
        expect(meeting(readX, step({ event: [0] }))).toEqual([]);
    });

    test('a label of a participant names the joint step, else the event does', () => {
        const { summands } = sequentialOf(
            model({
                events: [event('e', seat), event('f')],
                processes: [
                    process('P', { body: [step({ event: [0, 1] }), labeled('named', step({ event: [1] }))] }),
                    process('Q', { body: [step({ event: [0, 1] }), step({ event: [1] })] }),
                ],
            }),
        );
        expect(summands.map(summand => summand.label)).toEqual(['e[1]', 'named']);
    });
});

describe('termination and deadlock', () => {
    test('an instance that has left its body is no deadlock', () => {
        expect(explore(around([step()]))).toMatchObject({ states: 2, deadlocks: 0, verdict: 'holds' });
    });

    test('it may leave through a test', () => {
        const body = [step(), whileDo(not(read(shared(0))), step({ when: false }))];
        expect(explore(around(body, SETTER))).toMatchObject({ states: 4, deadlocks: 0 });
        expect(explore(around(body))).toMatchObject({ states: 2, deadlocks: 1 });
    });

    test('a self loop is no deadlock', () => {
        expect(explore(around([loop(step())]))).toMatchObject({ states: 1, transitions: 1, deadlocks: 0 });
    });

    test('a firing that is a fault is no deadlock', () => {
        const report = explore(around([step({ do: [check(read(shared(0)))] })]));
        expect(report).toMatchObject({ states: 1, transitions: 1, deadlocks: 0 });
        expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault assert']);
    });

    test('deadlocks are counted also where the model allows them', () => {
        const stuck = { ...around([step({ when: false })]), allowsDeadlock: true };
        expect(explore(stuck)).toMatchObject({ deadlocks: 1, verdict: 'holds', violations: [] });
    });
});

describe('faults', () => {
    test('connectives and quantifiers stop as soon as the result is known', () => {
        const i = binder('i', TRIT);
        const bad = op(op(1, 'div', read(shared(0))), '==', 1);
        const guards: [Expression, number, string[]][] = [
            [any(true, bad), 1, []],
            [all(op(read(shared(0)), '!=', 0), bad), 0, []],
            [op(op(read(shared(0)), '!=', 0), 'implies', bad), 1, []],
            [choice(op(read(shared(0)), '==', 0), true, bad), 1, []],
            [over('exists', i, any(op(the(i), '==', 0), bad)), 1, []],
            [over('forall', i, all(op(the(i), '!=', 0), bad)), 0, []],
            [all(bad, false), 1, ['division']],
            [over('count', i, bad), 1, ['division']],
        ];
        for (const [guard, transitions, faults] of guards) {
            const condition = guard.kind === 'quantifier' && guard.quantifier === 'count' ? op(guard, '==', 0) : guard;
            const report = explore(
                model({
                    variables: [variable('x', BIT, 0)],
                    processes: [process('P', { body: [loop(step({ when: condition }))] })],
                }),
            );
            expect(report.transitions).toBe(transitions);
            expect(report.violations.filter(({ kind }) => kind === 'fault').map(({ name }) => name)).toEqual(faults);
        }
    });

    test('a write to an element outside the array is a fault where it is reached', () => {
        const i = binder('i', TRIT);
        const report = explore(
            model({
                variables: [variable('a', BIT, 0, BIT)],
                processes: [
                    process('P', {
                        indices: [i],
                        body: [
                            loop(step({ do: [when(op(read(shared(0, 0)), '==', 0), [assign(shared(0, the(i)), 0)])] })),
                        ],
                    }),
                ],
            }),
        );
        expect(report).toMatchObject({ states: 1, transitions: 3 });
        expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault index']);
    });

    test('of several faults of a joint step the first kind counts, whoever comes first', () => {
        const bodies = [
            step({ event: [0], do: [check(false)] }),
            step({ event: [0], do: [assign(shared(1), op(1, 'div', read(shared(0))))] }),
        ];
        for (const [first, second] of [bodies, [...bodies].reverse()]) {
            const report = explore(
                model({
                    variables: [variable('x', BIT, 0), variable('y', BIT, 0)],
                    events: [event('e')],
                    processes: [
                        process('P', { body: [first as Control] }),
                        process('Q', { body: [second as Control] }),
                    ],
                }),
            );
            expect(report.violations.map(({ name }) => name)).toEqual(['division']);
        }
    });

    test('a partner who is not ready keeps a fault from arising', () => {
        const report = explore(
            model({
                variables: [variable('x', BIT, 0)],
                events: [event('e')],
                processes: [
                    process('P', { body: [step({ event: [0], when: op(op(1, 'div', read(shared(0))), '==', 1) })] }),
                    process('Q', { body: [step({ event: [0], when: op(read(shared(0)), '==', 1) })] }),
                ],
            }),
        );
        expect(report).toMatchObject({ transitions: 0, deadlocks: 1 });
        expect(report.violations.map(({ kind }) => kind)).toEqual(['deadlock']);
    });
});

describe('limits', () => {
    test('expressions that expand too far are a problem at their place', () => {
        const big = integers(1, 300);
        const [i, j, k] = [binder('i', big), binder('j', big), binder('k', big)];
        const wide = over('forall', i, over('forall', j, over('forall', k, read(shared(0)))));
        const { sequential, problems } = linearize(
            model({
                variables: [variable('x', BOOLEAN, false)],
                processes: [],
                invariants: { wide: { ...wide, range: line(4) } },
            }),
        );
        expect(sequential).toBeUndefined();
        expect(problems.map(problem => problem.code)).toEqual(['limit/expression-size']);
    });

    test('too many ways between two steps', () => {
        const tests = Array.from({ length: 40 }, (_, index) => ifThen(read(shared(0, index)), []));
        const { problems } = linearize(
            model({
                variables: [variable('x', BOOLEAN, false, integers(0, 39))],
                processes: [process('P', { body: [...tests, step({ line: 3 })] })],
            }),
        );
        expect(problems).toMatchObject([{ code: 'limit/paths', range: line(3) }]);
    });

    test('too many partners for one event', () => {
        const i = binder('i', integers(0, 19));
        const { problems } = linearize(
            model({
                events: [event('all')],
                processes: [
                    process('P', {
                        indices: [i],
                        body: [loop(choose([step({ event: [0], line: 1 })], [step({ event: [0], line: 2 })]))],
                    }),
                ],
            }),
        );
        expect(problems.map(problem => problem.code)).toEqual(['limit/joint-steps']);
    });

    test('too many instances, cells and values', () => {
        const huge = integers(0, 2 ** 40);
        const codes = (of: Model): string[] => linearize(of).problems.map(problem => problem.code);
        expect(codes(model({ processes: [process('P', { indices: [binder('i', huge)], body: [step()] })] }))).toEqual([
            'limit/instances',
        ]);
        expect(
            codes(
                model({ processes: [process('P', { indices: [binder('i', integers(0, 30_000))], body: [step()] })] }),
            ),
        ).toEqual(['limit/instances']);
        expect(codes(model({ variables: [variable('x', BIT, 0, huge)], processes: [] }))).toEqual(['limit/cells']);
        expect(codes(model({ variables: [variable('x', huge, 0)], processes: [] }))).toEqual(['limit/domain-size']);
    });
});

test('the printed form is the same for the same model', () => {
    expect(printSequentialModel(sequentialOf(peterson(3)))).toBe(printSequentialModel(sequentialOf(peterson(3))));
});
