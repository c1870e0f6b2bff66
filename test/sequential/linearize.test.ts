/** Each ruling of the semantics on a model that is about nothing else. */
import { describe, expect, test } from 'vitest';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { NO_VALUE } from '../../engine/model/domain.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { printExpression, printSequentialModel } from '../../engine/sequential/print.js';
import { integers } from '../arbitrary/domains.js';
import { peterson } from '../arbitrary/published-models.js';
import * as typed from '../explore/explore-model.js';
import { modelOf } from '../model-of-text.js';
import { linearizationErrors, spaceOf } from './text-space.js';
import { sequentialOf } from '../model-of-text.js';

async function explore(text: string): Promise<ExplorationReport> {
    return typed.explore(await modelOf(text));
}

function faultsOf({ violations }: ExplorationReport): string[] {
    return violations.filter(({ kind }) => kind === 'fault').map(({ name }) => name);
}

/** One process around a Boolean shared variable, and others. */
function around(body: string, others = ''): string {
    return `
        var taken: bool = false
        process P { ${body} }
        ${others}`;
}

/** Sets the shared variable once. */
const SETTER = 'process Setter { taken := true }';

async function locationsOf(text: string): Promise<string[] | undefined> {
    return (await sequentialOf(text)).instances[0]?.locations.map(({ name }) => name);
}

/** What the invariant says in the sequential model. */
async function claimOf(text: string): Promise<string | undefined> {
    const { invariants, cells } = await sequentialOf(text);
    return invariants[0] && printExpression(invariants[0].expression, cells);
}

describe('locations', () => {
    test('a process with one location has no program counter', async () => {
        const { cells, instances } = await sequentialOf(around('loop { taken := true }'));
        expect(instances.map(instance => instance.counter)).toEqual([-1]);
        expect(cells.map(cell => cell.name)).toEqual(['taken']);
    });

    test('a loop around a choice adds no state', async () => {
        expect(await locationsOf(around('loop { choose { skip } or { skip } }'))).toHaveLength(1);
    });

    test('each step of a sequence has a location, and so has the end', async () => {
        expect(await locationsOf(around('skip; skip'))).toHaveLength(3);
    });

    test('continuations with the same offers are one location', async () => {
        // Both alternatives leave the same rest: a common step, then the end.
        expect(await locationsOf(around('choose { skip } or { skip } skip'))).toHaveLength(3);
    });

    test('two equal steps at two places of the text are two', async () => {
        // Start, before the second step of each alternative, before the common step, end.
        expect(await locationsOf(around('choose { skip; skip } or { skip; skip } skip'))).toHaveLength(5);
    });

    test('the initial location is the first one, whatever comes before it in the text', async () => {
        const text = around('first: skip; second: skip');
        const { instances, cells, initial } = await sequentialOf(text);
        expect(await locationsOf(text)).toEqual(['first', 'second', 'end']);
        const counter = instances[0]?.counter ?? -1;
        expect(cells[counter]).toMatchObject({ kind: 'counter', name: 'P.at' });
        expect(initial[counter]?.value).toMatchObject({ expression: { value: 0 } });
    });

    test('a location whose name is taken gets a number', async () => {
        expect(await locationsOf(around('skip; skip'))).toEqual(['line 3', 'line 3 (2)', 'end']);
    });
});

describe('paths', () => {
    test('tests merge into the step that follows: while and assignment are an atomic test-and-set', async () => {
        const report = await explore(`
            var taken: bool = false
            process P { while taken { } enter: taken := true; inside: when false { } }
            process Q { while taken { } enter: taken := true; inside: when false { } }
            invariant one = !(P at inside && Q at inside)`);
        // Nobody in, P in, Q in; the one that comes late waits for ever.
        expect(report).toMatchObject({ states: 3, transitions: 2, deadlocks: 2 });
        expect(report.violations.map(({ kind }) => kind)).toEqual(['deadlock']);
    });

    test('an empty while waits until its test is false', async () => {
        const waiting = around('while !taken { } skip', SETTER);
        const { summands } = await sequentialOf(waiting);
        expect(summands.filter(summand => summand.participants[0]?.instance === 0)).toHaveLength(1);
        expect(await explore(waiting)).toMatchObject({ states: 3, deadlocks: 0 });
    });

    test('a loop without a step offers nothing: the least fixpoint', async () => {
        const stuck = around('loop { if taken { } }');
        expect((await sequentialOf(stuck)).summands).toEqual([]);
        expect(await explore(stuck)).toMatchObject({ states: 1, transitions: 0, deadlocks: 1 });
    });

    test('a way round a loop without a step adds nothing to the ways with one', async () => {
        expect((await sequentialOf(around('loop { choose { } or { skip } }'))).summands).toHaveLength(1);
    });

    test('two ways to a step with the same tests are one offer', async () => {
        expect((await sequentialOf(around('choose { } or { } skip'))).summands).toHaveLength(1);
    });

    test('break leaves the innermost loop', async () => {
        const { summands } = await sequentialOf(around('loop { skip; loop { skip; break } skip }'));
        expect(summands.map(({ participants: [first] }) => [first?.source, first?.target])).toEqual([
            [0, 1],
            [1, 2],
            [2, 0],
        ]);
    });

    test('static tests choose the branch for each instance', async () => {
        const { summands } = await sequentialOf(`
            process P[i: 0 .. 2] {
                loop {
                    if i == 0 { zero: skip } else { other: skip }
                    while i == 1 { forever: skip }
                }
            }`);
        expect(summands.map(({ label, participants: [first] }) => `${first?.instance} ${label}`)).toEqual([
            '0 zero',
            '1 other',
            '1 forever',
            '2 other',
        ]);
    });

    test('a fault before a test that is false still shows', async () => {
        const report = await explore(`
            var x: 0 .. 2 = 2
            process P { skip; var k: 0 .. 2 = x + 1; loop { when false { x := k } } }`);
        expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault range']);
    });
});

describe('locals', () => {
    test('a local that is not live holds no value, initially too', async () => {
        const sequential = await sequentialOf(`
            process P { var k: 0 .. 2 = any; k := 1; when k == 1 { } }`);
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

    test('a write to a part of an array is a read of the whole', async () => {
        const space = await spaceOf(`
            type Bit = 0 .. 1
            process P { var a: Bit[Bit] = any; a[0] := 1; a[1] := 1; when a[0] == a[1] { } }`);
        // 4 arrays at first, then 2 (the first element is 1), then 1, then none.
        expect(space).toMatchObject({ states: 8, transitions: 7 });
    });

    test('a local that is read by a test before a label is live where control is before the label', async () => {
        const model = await peterson(3);
        const { cells } = typed.sequentialOf(model);
        expect(cells.filter(cell => cell.kind === 'local').map(cell => cell.mayBeAbsent)).toEqual([true, true, true]);
        // 572 states of Peterson's algorithm for 3 processes: counted by test/reference/model-state-space.ts.
        expect(typed.explore(model).states).toBe(572);
    });

    test('a declaration between steps is initialized by the step that follows', async () => {
        const report = await explore(`
            var x: 0 .. 2 = 0
            process P { loop {
                when x < 1 { x := 1 }
                var k: 0 .. 2 = x + 1
                when k == 2 { x := k }
            } }`);
        expect(report).toMatchObject({ states: 3, transitions: 2, deadlocks: 1 });
        expect(report.violations[0]?.trace.at(-1)?.state).toEqual({ x: 2, 'P.at': 'line 4' });
    });

    test("a declaration between steps with 'any' chooses a value", async () => {
        const space = await spaceOf(`
            var x: 0 .. 2 = 0
            process P { loop { var k: 0 .. 2 = any; x := k } }`);
        expect(space).toMatchObject({ states: 3, transitions: 9 });
    });

    test('the initial value of a local that is not live can be that of one that is', async () => {
        const from = (initial: string): string => `
            process P { var a: 0 .. 2 = ${initial}; var b: 0 .. 2 = a + 1; loop { when b == 2 { b := 2 } } }`;
        expect((await spaceOf(from('1'))).transitions).toBe(1);
        expect(await linearizationErrors(from('any'))).toEqual(['local/unknown-initial-value']);
    });
});

describe('at', () => {
    test('control is before the label and the tests on the way hold', async () => {
        const text = `
            process P { var k: 0 .. 2 = 0; loop { while k < 2 { k := 2 } critical: skip } }
            invariant claim = P at critical`;
        expect(await claimOf(text)).toBe('!(P.k < 2)');
    });

    test('the label before a while belongs to its head and is passed at every return', async () => {
        const text = `
            var x: 0 .. 2 = 0
            process P { again: while x < 2 { skip; skip } }
            invariant claim = P at again`;
        // Location 0 is the head, 1 before the second step, 2 the end.
        expect(await claimOf(text)).toBe('(P.at == again)');
    });

    test('it ignores guards and partners', async () => {
        const text = `
            event e
            process P { here: when false e; skip }
            process Q { skip; e }
            invariant claim = P at here`;
        expect(await claimOf(text)).toBe('(P.at == here)');
    });

    test('a declaration on the way stands for its initial value', async () => {
        const text = `
            var x: 0 .. 2 = 0
            process P { skip; var k: 0 .. 9 = x + 1; if k == 2 { two: skip } else { skip } }
            invariant claim = P at two`;
        expect(await claimOf(text)).toBe('((P.at == two) && ((x + 1) == 2))');
    });

    test('an index that is not known before the run chooses the instance, and outside the family it is a fault', async () => {
        const asked = `
            var x: 0 .. 3 = any
            process P[i: 0 .. 2 where i != 1] { here: skip; there: skip }
            invariant claim = P[x] at here || true
            allow deadlock`;
        expect(await claimOf(asked)).toBe('([(P[0].at == here), fault(index), (P[2].at == here)][x] || 1)');
        expect((await explore(asked)).violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault index']);
    });

    test('in a guard it reads the program counter of the other instance', async () => {
        const report = await explore(`
            process Leader { first: skip; second: skip }
            process Follower { when Leader at second { } }`);
        // first, second, end, and the follower may have moved at second: it stays behind in one deadlock.
        expect(report).toMatchObject({ states: 5, deadlocks: 1 });
    });

    test('a definition in a circle is a problem at the place that asks', async () => {
        const errors = await linearizationErrors(`
            process P { skip; if Q at b { a: skip } skip }
            process Q { skip; if P at a { b: skip } skip }`);
        expect(errors).toEqual(['at/circular']);
    });
});

describe('events', () => {
    test('a location without a label is called by the event that it waits for', async () => {
        expect(await locationsOf('event meet\n process P { meet; meet }')).toEqual(['meet', 'meet (2)', 'end']);
    });

    test('an event fires only together with everybody who has it in the alphabet', async () => {
        const both = `event meet
            process P { skip; meet }
            process Q { meet }`;
        const { summands } = await sequentialOf(both);
        expect(
            summands.map(({ label, participants }) => [label, participants.map(({ instance }) => instance)]),
        ).toEqual([
            ['line 2', [0]],
            ['meet', [0, 1]],
        ]);
        expect(await explore(both)).toMatchObject({ states: 3, deadlocks: 0 });
    });

    test('an instance that has terminated keeps its alphabet', async () => {
        const report = await explore(`
            event meet
            process P { loop { meet } }
            process Q { meet }`);
        expect(report).toMatchObject({ states: 2, transitions: 1, deadlocks: 1 });
    });

    test('alphabets are those after static tests are decided', async () => {
        const transitionsOf = async (condition: string): Promise<number> => {
            const space = await spaceOf(`
                event e
                var x: 0 .. 1 = 0
                process P[i: 0 .. 1] { loop { if ${condition} { e } else { when false { } } } }`);
            return space.transitions;
        };
        // Instance 1 cannot name the event, so instance 0 does not wait for it.
        expect(await transitionsOf('i == 0')).toBe(1);
        expect(await transitionsOf('i == 0 && x == 0')).toBe(1);
        // With the variable first the test is not static.
        expect(await transitionsOf('x == 0 && i == 0')).toBe(0);
    });

    test('a guard that is never true keeps the event in the alphabet', async () => {
        const report = await explore(`
            event e
            process P { e }
            process Q { when false e }`);
        expect(report).toMatchObject({ states: 1, transitions: 0, deadlocks: 1 });
    });

    test('a dynamic argument contributes all values of its type', async () => {
        const text = `
            type Seat = 0 .. 1
            event e[Seat]
            var x: Seat = any
            process P { loop { e[x] } }
            process Q { loop { e[0] } }`;
        const { summands } = await sequentialOf(text);
        expect(summands.map(({ label, participants }) => `${label} ${participants.length}`)).toEqual([
            'e[0] 2',
            'e[1] 1',
        ]);
        expect((await spaceOf(text)).transitions).toBe(2);
    });

    test('an argument outside the type of the event is a fault of the step', async () => {
        const report = await explore(`
            event e[0 .. 1]
            var x: 0 .. 3 = any
            process P { loop { e[x] } }`);
        expect(report).toMatchObject({ states: 4, transitions: 4, deadlocks: 0 });
        expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault index']);
    });

    test('bodies that meet may not race', async () => {
        const meeting = (first: string, second: string): Promise<string[]> =>
            linearizationErrors(`
                event e
                var x: 0 .. 2 = 0
                var y: 0 .. 2 = 0
                process P { ${first} }
                process Q { ${second} }`);
        const writeX = 'e { x := 1 }';
        const readX = 'e { y := x }';
        expect(await meeting(writeX, writeX)).toEqual(['event/race']);
        expect(await meeting(writeX, readX)).toEqual(['event/race']);
        expect(await meeting(readX, writeX)).toEqual(['event/race']);
        // Guards are evaluated before the step.
        expect(await meeting(writeX, 'when x == 0 e { y := 1 }')).toEqual([]);
        expect(await meeting(readX, 'e')).toEqual([]);
    });

    test('a label of a participant names the joint step, else the event does', async () => {
        const { summands } = await sequentialOf(`
            event e[0 .. 1]
            event f
            process P { e[1]; named: f }
            process Q { e[1]; f }`);
        expect(summands.map(summand => summand.label)).toEqual(['e[1]', 'named']);
    });
});

describe('termination and deadlock', () => {
    test('an instance that has left its body is no deadlock', async () => {
        expect(await explore(around('skip'))).toMatchObject({ states: 2, deadlocks: 0, verdict: 'holds' });
    });

    test('it may leave through a test', async () => {
        const body = 'skip; while !taken { when false { } }';
        expect(await explore(around(body, SETTER))).toMatchObject({ states: 4, deadlocks: 0 });
        expect(await explore(around(body))).toMatchObject({ states: 2, deadlocks: 1 });
    });

    test('a self loop is no deadlock', async () => {
        expect(await explore(around('loop { skip }'))).toMatchObject({ states: 1, transitions: 1, deadlocks: 0 });
    });

    test('a firing that is a fault is no deadlock', async () => {
        const report = await explore(around('assert taken'));
        expect(report).toMatchObject({ states: 1, transitions: 1, deadlocks: 0 });
        expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault assert']);
    });

    test('deadlocks are counted also where the model allows them', async () => {
        const stuck = around('when false { }', 'allow deadlock');
        expect(await explore(stuck)).toMatchObject({ deadlocks: 1, verdict: 'holds', violations: [] });
    });
});

describe('faults', () => {
    test.each([
        ['true || BAD', 1, []],
        ['x != 0 && BAD', 0, []],
        ['x != 0 implies BAD', 1, []],
        ['(if x == 0 then true else BAD)', 1, []],
        ['exists i in 0 .. 2: i == 0 || BAD', 1, []],
        ['forall i in 0 .. 2: i != 0 && BAD', 0, []],
        ['BAD && false', 1, ['division']],
        ['count(i in 0 .. 2: BAD) == 0', 1, ['division']],
    ])('connectives and quantifiers stop as soon as the result is known: %s', async (guard, transitions, faults) => {
        const report = await explore(`
            var x: 0 .. 1 = 0
            process P { loop { when ${guard.replace('BAD', '(1 div x == 1)')} { } } }`);
        expect(report.transitions).toBe(transitions);
        expect(faultsOf(report)).toEqual(faults);
    });

    test('a write to an element outside the array is a fault where it is reached', async () => {
        const report = await explore(`
            type Bit = 0 .. 1
            var a: Bit[Bit] = 0
            process P[i: 0 .. 2] { loop { { if a[0] == 0 { a[i] := 0 } } } }`);
        expect(report).toMatchObject({ states: 1, transitions: 3 });
        expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault index']);
    });

    test('of several faults of a joint step the first kind counts, whoever comes first', async () => {
        const bodies = ['e { assert false }', 'e { y := 1 div x }'];
        for (const [first, second] of [bodies, [...bodies].reverse()]) {
            const report = await explore(`
                event e
                var x: 0 .. 1 = 0
                var y: 0 .. 1 = 0
                process P { ${first} }
                process Q { ${second} }`);
            expect(faultsOf(report)).toEqual(['division']);
        }
    });

    test('a partner who is not ready keeps a fault from arising', async () => {
        const report = await explore(`
            event e
            var x: 0 .. 1 = 0
            process P { when 1 div x == 1 e }
            process Q { when x == 1 e }`);
        expect(report).toMatchObject({ transitions: 0, deadlocks: 1 });
        expect(report.violations.map(({ kind }) => kind)).toEqual(['deadlock']);
    });
});

describe('limits', () => {
    test('expressions that expand too far are a problem at their place', async () => {
        const errors = await linearizationErrors(`
            type Big = 1 .. 300
            var x: bool = false
            process P { skip }
            invariant wide = forall i in Big: forall j in Big: forall k in Big: x`);
        expect(errors).toEqual(['limit/expression-size']);
    });

    test('too many ways between two steps', async () => {
        const tests = Array.from({ length: 40 }, (_, index) => `if x[${index}] { }`).join(' ');
        const { problems } = linearize(
            await modelOf(`var x: bool[0 .. 39] = false
                process P { ${tests}
                    skip }`),
        );
        expect(problems).toMatchObject([{ code: 'limit/paths', range: { start: { line: 2 } } }]);
    });

    test('too many partners for one event', async () => {
        const errors = await linearizationErrors(`
            event all
            process P[i: 0 .. 19] { loop { choose { all } or { all { } } } }`);
        expect(errors).toEqual(['limit/joint-steps']);
    });

    test.each([
        ['process P[i: 0 .. 30000] { skip }', 'limit/instances'],
        ['var x: bool[0 .. 200000] = false process P { skip }', 'limit/cells'],
    ])('too many instances and cells: %s', async (text, code) => {
        expect(await linearizationErrors(text)).toEqual([code]);
    });

    test('too many values and indices, which a text cannot say', async () => {
        const huge = integers(0, 2 ** 40);
        const model = await modelOf('var x: 0 .. 1 = 0 process P[i: 0 .. 1] { skip }');
        const variables = model.variables.map(each => ({ ...each, element: huge }));
        const processes = model.processes.map(each => ({
            ...each,
            indices: each.indices.map(index => ({ ...index, domain: huge })),
        }));
        expect(linearize({ ...model, variables }).problems.map(({ code }) => code)).toEqual(['limit/domain-size']);
        expect(linearize({ ...model, processes }).problems.map(({ code }) => code)).toEqual(['limit/instances']);
    });
});

test('the printed form is the same for the same model', async () => {
    const print = async (): Promise<string> => printSequentialModel(typed.sequentialOf(await peterson(3)));
    expect(await print()).toBe(await print());
});
