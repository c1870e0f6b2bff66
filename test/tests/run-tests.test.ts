/** Systems under test: what they may do, and what no run of the model does. */
import { describe, expect, it } from 'vitest';
import { runSuite } from '../../engine/tests/run-suite.js';
import { Tester } from '../../engine/tests/tester.js';
import { createTests, runTests, type TestAdapter, type TestReport } from '../../library/run-tests.js';
import { modelOf } from '../model-of-text.js';

type Said = Readonly<Record<string, unknown>>;

async function reportOf(text: string, adapter: TestAdapter, mapping: object = {}): Promise<TestReport> {
    const suite = createTests(await modelOf(text), { mapping: JSON.stringify(mapping), text });
    if ('problems' in suite) {
        throw new Error(JSON.stringify(suite.problems));
    }
    return runTests(suite, adapter);
}

/** A lamp that goes on after a push, or breaks; then it stays dark. */
const LAMP = `model Lamp
enum State = { off, pushed, on, broken }
var state: State = off
process P {
    loop {
        choose { push: when state == off { state := pushed } }
        or { shine: when state == pushed { state := on } }
        or { fail: when state == pushed { state := broken } }
        or { release: when state == on { state := off } }
    }
}
allow deadlock
`;
const LAMP_INPUTS = { inputs: ['push', 'release'] };

/** What the lamp says when it is asked: lines, or that it is quiet. */
function lamp(choose: (pushes: number) => Said, release: Said = { ok: true }): TestAdapter {
    let pushes = 0;
    return {
        reset: () => undefined,
        do: ({ step }) => {
            pushes += step === 'push' ? 1 : 0;
            return step === 'push' ? { ok: true } : release;
        },
        wait: () => choose(pushes),
    };
}

describe('a system with steps of its own', () => {
    it('chooses among them, and what it never chooses is not covered and no failure', async () => {
        const shining = await reportOf(
            LAMP,
            lamp(() => ({ lines: [{ step: 'shine' }] })),
            LAMP_INPUTS,
        );
        expect(shining).toMatchObject({ failed: 0, covered: 3, transitionOrbits: 4, undecided: [] });
        const both = lamp(pushes => ({ lines: [{ step: pushes % 2 === 0 ? 'shine' : 'fail' }] }));
        expect(await reportOf(LAMP, both, LAMP_INPUTS)).toMatchObject({ failed: 0, covered: 4 });
    });

    it('fails if it is quiet while a step of its own is due', async () => {
        const report = await reportOf(
            LAMP,
            lamp(() => ({ quiet: true })),
            LAMP_INPUTS,
        );
        expect(report.failures[0]?.misfit).toMatchObject({
            what: 'quiet',
            candidates: 1,
            instead: ['P shine', 'P fail'],
        });
        // Behind a hidden step that may be taken without a word the lamp is on, and that is quiet.
        const hidden = await reportOf(
            LAMP,
            lamp(() => ({ quiet: true })),
            { ...LAMP_INPUTS, hide: ['shine'] },
        );
        expect(hidden.failed).toBe(0);
        // A hidden step is one of its own: it is not quiet before it, nor behind it.
        const warm = LAMP.replace('= pushed }', '= warm }').replace('pushed, on', 'pushed, warm, on');
        const warms = warm.replace('or { shine', 'or { heat: when state == warm { state := pushed } } or { shine');
        const cold = await reportOf(
            warms,
            lamp(() => ({ quiet: true })),
            { ...LAMP_INPUTS, hide: ['heat'] },
        );
        expect(cold.failures[0]?.misfit).toMatchObject({ what: 'quiet', candidates: 2 });
    });

    it('fails if it takes a step that nothing asks for, or says a wrong value', async () => {
        const wrongStep = await reportOf(
            LAMP,
            lamp(() => ({ lines: [{ step: 'release' }] })),
            LAMP_INPUTS,
        );
        expect(wrongStep.failures[0]?.misfit).toMatchObject({ what: 'line', said: { step: 'release' } });
        const wrongValue = await reportOf(
            LAMP,
            lamp(() => ({ lines: [{ step: 'shine', state: 'off' }] })),
            LAMP_INPUTS,
        );
        expect(wrongValue.failures[0]?.misfit.nearest[0]?.refusedBy).toContain('here it is `on`');
        const wrongBefore = await reportOf(
            LAMP,
            lamp(() => ({ lines: [{ step: 'shine', before: { state: 'off' } }] })),
            LAMP_INPUTS,
        );
        expect(wrongBefore.failures[0]?.misfit.nearest[0]?.refusedBy).toBe(
            'the log says `state` was `off`, here it was `pushed`',
        );
    });

    it('may refuse what it cannot do, and fails if it can', async () => {
        const adapter = lamp(() => ({ lines: [{ step: 'shine' }] }), { refused: 'stuck' });
        const report = await reportOf(LAMP, adapter, LAMP_INPUTS);
        expect(report.failures[0]?.misfit).toMatchObject({
            what: 'refused',
            said: { step: 'release', refused: 'stuck' },
        });
    });
});

/** A clock ticks before it is asked for each press, and says so with its answer or later. */
const CLOCK = `model Late
var on: bool = false
process Clock { loop { tick: when !on { on := true } } }
process User { loop { press: when !on skip } }
process Off { loop { clear: when on { on := false } } }
`;

function clock(tell: 'first' | 'later', refusesAlways = false): TestAdapter {
    let isOn = false;
    let told: Said[] = [];
    return {
        reset: () => {
            isOn = false;
            told = [];
        },
        do: ({ step }) => {
            if (step === 'press' && !isOn) {
                isOn = true;
                told = [{ step: 'tick' }];
            }
            const isPossible = (step === 'clear') === isOn && !refusesAlways;
            isOn &&= step !== 'clear' || !isPossible;
            const first = tell === 'first' ? told : [];
            told = tell === 'first' ? [] : told;
            return isPossible ? { ok: true, first } : { refused: 'not now', first };
        },
        wait: () => {
            const lines = [...told, ...(isOn ? [] : [{ step: 'tick' }])];
            told = [];
            isOn = true;
            return lines.length === 0 ? { quiet: true } : { lines };
        },
    };
}

describe('a step of its own before it is asked', () => {
    const mapping = { inputs: ['press', 'clear'] };

    it('is told first, before the refusal', async () => {
        expect(await reportOf(CLOCK, clock('first'), mapping)).toMatchObject({ failed: 0, undecided: [] });
        const late = await reportOf(CLOCK, clock('later'), mapping);
        expect(late.failures[0]?.misfit).toMatchObject({ what: 'refused', said: { step: 'press' } });
    });

    it('does not excuse what is refused behind it', async () => {
        const report = await reportOf(CLOCK, clock('first', true), mapping);
        expect(report.failures[0]?.misfit).toMatchObject({ what: 'refused', said: { step: 'clear' } });
    });

    it('must fit', async () => {
        const adapter = { ...clock('later'), do: () => ({ ok: true, first: [{ step: 'clear' }] }) };
        const report = await reportOf(CLOCK, adapter, mapping);
        expect(report.failures[0]?.misfit).toMatchObject({ what: 'line', said: { step: 'clear' } });
    });
});

/** A parcel is brought without a word before it can be taken; one that is lost is still on the way at first. */
const PARCEL = `model Parcel
enum State = { away, under, there }
var state: State = away
process Post { loop { ring: when state == away { state := under } when state == under { state := there } } }
process User { loop { take: when state == there { state := away } } }
`;

describe('a step that is refused', () => {
    const mapping = { inputs: ['take'] };

    function post(isLost: boolean): TestAdapter {
        let [hasRung, asked] = [false, 0];
        return {
            reset: () => {
                [hasRung, asked] = [false, 0];
            },
            do: () => {
                asked++;
                if (isLost || asked === 1) {
                    return { refused: 'not there' };
                }
                [hasRung, asked] = [false, 0];
                return { ok: true };
            },
            wait: () => {
                const said = hasRung ? { quiet: true } : { lines: [{ step: 'ring' }] };
                hasRung = true;
                return said;
            },
        };
    }

    it('is not waited for where no step of its own is possible', async () => {
        const text = `model Coin
var side: 0 .. 1 = 0
process P { loop { choose { toss: side := 0 } or { toss: side := 1 } or { see: when side == 1 skip } } }
`;
        const coin: TestAdapter = {
            reset: () => undefined,
            do: ({ step }) => (step === 'see' ? { refused: 'it is the other side' } : { ok: true }),
        };
        expect(await reportOf(text, coin, { inputs: ['toss', 'see'] })).toMatchObject({ failed: 0, undecided: [] });
    });

    it('is asked for again once the system is quiet', async () => {
        expect(await reportOf(PARCEL, post(false), mapping)).toMatchObject({ failed: 0, undecided: [] });
        const lost = await reportOf(PARCEL, post(true), mapping);
        expect(lost.failures[0]?.misfit).toMatchObject({ what: 'refused', said: { step: 'take' } });
        expect(lost.failures[0]?.exchanges.at(-2)).toMatchObject({ sent: { wait: true }, answer: { quiet: true } });
    });
});

/** A lamp that is pushed may shine without a word; a kick then turns it off, and dents it before. */
const KICKED = `model Kicked
enum State = { off, pushed, on, broken, dented }
var state: State = off
process P {
    loop {
        choose { push: when state == off { state := pushed } }
        or { shine: when state == pushed { state := on } }
        or { fail: when state == pushed { state := broken } }
        or { kick: when state == pushed || state == on {
            if state == pushed { state := dented } else { state := off }
        } }
    }
}
allow deadlock
`;
const KICKED_MAPPING = { inputs: ['push', 'kick'], hide: ['shine'] };

function kicked(state: string, wait: Said): TestAdapter {
    return {
        reset: () => undefined,
        do: ({ step }) => (step === 'kick' ? { ok: true, values: { state } } : { ok: true }),
        wait: () => wait,
    };
}

describe('a system in one of several states', () => {
    it('fails if it is quiet, and then does what only another state does', async () => {
        const report = await reportOf(KICKED, kicked('dented', { quiet: true }), KICKED_MAPPING);
        const kinds = report.failures.map(({ exchanges, misfit }) => [
            exchanges.filter(({ answer }) => (answer as Said)['quiet'] === true).length > 0,
            misfit.said['step'],
            misfit.said['state'],
        ]);
        expect(kinds).toContainEqual([true, 'kick', 'dented']);
        // Off after a kick says that it was on, with quiet before or without.
        expect((await reportOf(KICKED, kicked('off', { quiet: true }), KICKED_MAPPING)).failed).toBe(0);
        // Without quiet, both are right.
        const breaks = kicked('dented', { lines: [{ step: 'fail' }] });
        expect((await reportOf(KICKED, breaks, KICKED_MAPPING)).failed).toBe(0);
    });

    it('may be quiet on a cycle of hidden steps, and that is said', async () => {
        const text = `model Spins
var spin: bool = false
var on: bool = false
process P {
    loop {
        choose { turn: spin := !spin } or { push: when !on { on := true } } or { light: when on { on := false } }
    }
}
`;
        const adapter: TestAdapter = { reset: () => undefined, do: () => undefined, wait: () => ({ quiet: true }) };
        const report = await reportOf(text, adapter, { inputs: ['push'], hide: ['turn'] });
        expect(report).toMatchObject({ failed: 0, isEndless: true });
        expect(report.covered).toBeLessThan(report.transitionOrbits);
        // Without the cycle it fails.
        const still = text.replace('{ turn: spin := !spin }', '{ turn: when !spin { spin := true } }');
        const failing = await reportOf(still, adapter, { inputs: ['push'], hide: ['turn'] });
        expect(failing.failures[0]?.misfit.what).toBe('quiet');
    });
});

const NAMES = `model Names
type Id = 1 .. 3
var done: bool[Id] = false
process P[i: Id] { go: when !done[i] { done[i] := true } }
`;

describe('what a tester asks', () => {
    it('begins in each start, which it tells', async () => {
        const starts: Said[] = [];
        const adapter: TestAdapter = { reset: (_, initial) => void starts.push(initial), do: () => undefined };
        const text = `model Starts
type Id = 1 .. 2
param K: 1 .. 3 = 2
var turn: Id in Id
invariant first = turn == 1 || turn == 2
invariant uneven = turn == 2 || true
invariant other = turn != 1 || true
var x: bool = false
process P { go: when turn == 2 { x := true } }
process Q { stay: when turn == 1 { x := true } }
`;
        await reportOf(text, adapter);
        expect(starts.map(({ turn }) => turn)).toEqual([1, 2]);
    });

    it('speaks of members as the model does, and of names that the system has given', async () => {
        const asked: unknown[] = [];
        const plain: TestAdapter = { reset: () => undefined, do: ({ process }) => void asked.push(process) };
        await reportOf(NAMES, plain);
        expect(asked.slice(0, 3)).toEqual(['P[1]', 'P[2]', 'P[3]']);
        const named: unknown[] = [];
        const names: TestAdapter = {
            reset: () => ({ ok: true, values: { 'done[red]': false } }),
            do: ({ process }) => void named.push(process),
        };
        const report = await reportOf(NAMES, names, { opaque: ['Id'] });
        expect(report.failed).toBe(0);
        expect(named).toContain('P[red]');
    });

    it('means who takes part in a step, also for what is refused', async () => {
        const text = `model Meets
type Id = 1 .. 3
channel c: 0 of Id
var got: Id?[Id] = none
process S[i: Id] { give: c ! i }
process R[k: Id] { var v: Id? = none; take: c ? v; keep: got[k] := v }
allow deadlock
`;
        let busy = new Set<string>();
        const partners: string[] = [];
        const adapter: TestAdapter = {
            reset: () => {
                busy = new Set();
            },
            do: ({ process, step, with: others = [] }) => {
                const all = [process, ...(others as readonly string[])].map(String);
                if (step === 'keep') {
                    return { ok: true };
                }
                partners.push(...all.slice(1));
                if (all.some(name => busy.has(name))) {
                    return { refused: 'it has taken part before' };
                }
                all.forEach(name => busy.add(name));
                return { ok: true };
            },
        };
        const report = await reportOf(text, adapter);
        expect(report.failures).toEqual([]);
        expect(report.covered).toBe(report.transitionOrbits);
        expect(new Set(partners)).toEqual(new Set(['R[1]', 'R[2]', 'R[3]']));
        // A system that refuses one that is free is wrong.
        const never: TestAdapter = {
            ...adapter,
            do: step =>
                (step['with'] as readonly string[] | undefined)?.includes('R[1]') === true
                    ? { refused: 'never' }
                    : adapter.do(step),
        };
        expect((await reportOf(text, never)).failures[0]?.misfit.what).toBe('refused');
    });

    it('is told by the participant whose step is an input, with what it chooses', async () => {
        const text = `model Hands
channel line: 0 of 0 .. 1
var got: 0 .. 1 = 0
process System { loop { receive: line ? got } }
process User { loop { choose x in 0 .. 1 { press: line ! x } } }
`;
        for (const mapping of [{ inputs: ['press'] }, {}]) {
            const asked = new Set<string>();
            const adapter: TestAdapter = {
                reset: () => undefined,
                do: step => {
                    asked.add(JSON.stringify(step));
                },
            };
            expect(await reportOf(text, adapter, mapping)).toMatchObject({ failed: 0, covered: 4 });
            expect([...asked].map(each => JSON.parse(each) as unknown).sort()).toEqual(
                [0, 1].map(x => ({ process: 'User', step: 'press', x, with: ['System'] })),
            );
        }
    });

    it('is told with what each participant chooses whose step is an input', async () => {
        const text = `model Trade
channel line: 0 of 0 .. 1
var got: 0 .. 1 = 0
var paid: 0 .. 2 = 0
process Seller { loop { choose price in 1 .. 2 { sell: when paid < 2 line ? got { paid := price } } } }
process Buyer { loop { choose x in 0 .. 1 { buy: line ! x } } }
allow deadlock
`;
        for (const mapping of [{}, { inputs: ['sell', 'buy'] }, { inputs: ['buy'] }]) {
            let paid = 0;
            const asked = new Set<string>();
            const adapter: TestAdapter = {
                reset: () => {
                    paid = 0;
                },
                do: step => {
                    asked.add(JSON.stringify(step));
                    if (paid === 2) {
                        return { refused: 'enough' };
                    }
                    const [other] = step['with'] as readonly [string | Said];
                    const { price = 1, x } = { ...(typeof other === 'string' ? {} : other), ...step };
                    paid = Number(price);
                    return { ok: true, values: { paid, got: x } };
                },
                wait: () => ({ quiet: true }),
            };
            const { failed, covered, transitionOrbits } = await reportOf(text, adapter, mapping);
            const isSellersOwn = 'inputs' in mapping && mapping.inputs.length === 1;
            expect([failed, covered < transitionOrbits]).toEqual([0, isSellersOwn]);
            const expected = [0, 1].flatMap((x): Said[] =>
                isSellersOwn
                    ? [{ process: 'Buyer', step: 'buy', x, with: ['Seller'] }]
                    : [1, 2].map(price => ({
                          process: 'Seller',
                          step: 'sell',
                          price,
                          with: [{ process: 'Buyer', step: 'buy', x }],
                      })),
            );
            expect([...asked].sort()).toEqual(expected.map(step => JSON.stringify(step)).sort());
        }
    });

    it('gives one name to an instance that stands in it twice', async () => {
        const text = `model Own
var last: H? = none
process H() { choose h in H where h == self { work: last := h } }
process P { go: spawn H() }
allow deadlock
`;
        const asked: Said[] = [];
        const adapter: TestAdapter = {
            reset: () => undefined,
            do: step => {
                asked.push(step);
            },
            wait: () => ({ quiet: true }),
        };
        const mapping = { inputs: ['work'], hide: ['go'] };
        expect(await reportOf(text, adapter, mapping)).toMatchObject({ failed: 0, undecided: [] });
        expect(asked[0]).toEqual({ process: 'H[H#1]', step: 'work', h: 'H#1' });
    });

    it('creates instances by names of its own', async () => {
        const text = `model Creates
process H(k: 0 .. 1) { work: skip }
process P { one: spawn H(0); two: spawn H(1) }
allow deadlock
`;
        const asked: Said[] = [];
        const adapter: TestAdapter = { reset: () => undefined, do: step => void asked.push(step) };
        expect(await reportOf(text, adapter)).toMatchObject({ failed: 0 });
        const created = asked.flatMap(step => (typeof step['H'] === 'string' ? [step['H']] : []));
        expect(created).toContain('H#1');
        expect(asked.some(({ process }) => process === 'H[H#1]')).toBe(true);
    });
});

describe('values of an answer', () => {
    const counts = (start: Said, up: Said): TestAdapter => ({
        reset: () => ({ ok: true, values: start }),
        do: ({ step }) => ({ ok: true, values: step === 'up' ? up : {} }),
    });

    it('say no step: neither at the start, nor under the names of a mapping', async () => {
        const mapping = { step: 'event', steps: { rises: 'up' }, keys: { who: 'process' } };
        for (const [start, up, wrong] of [
            [{ event: 'rises' }, {}, 'event'],
            [{}, { event: 'rises' }, 'event'],
            [{}, { who: 'P' }, 'who'],
        ] as const) {
            await expect(reportOf(COUNTER, counts(start, up), mapping)).rejects.toThrow(`and \`${wrong}\` is none`);
        }
    });

    it('are those of a step that was taken, and none of one that the system took on its own', async () => {
        const waits = lamp(() => ({ lines: [{ step: 'shine' }], values: { state: 'on' } }));
        await expect(reportOf(LAMP, waits, LAMP_INPUTS)).rejects.toThrow('the answer to `wait` has no values');
    });

    it('name an instance that the step has created as the system does', async () => {
        const text = `model Creates
process H(k: 0 .. 1) { work: skip }
process P { one: spawn H(0); two: spawn H(1) }
allow deadlock
`;
        const asked: string[] = [];
        const adapter: TestAdapter = {
            reset: () => undefined,
            do: ({ process, step }) => {
                asked.push(`${String(process)} ${String(step)}`);
                return { ok: true, values: step === 'one' ? { H: 'first' } : {} };
            },
        };
        const report = await reportOf(text, adapter);
        expect(report).toMatchObject({ failed: 0, covered: report.transitionOrbits });
        expect(asked).toContain('H[first] work');
        expect(asked.some(text => /^H\[H#\d\] work$/.test(text))).toBe(true);
    });
});

it('is cut if the time is over where further tests would come, and is not where none would', async () => {
    const text = `model Die
var side: 0 .. 2 = 0
process P { choose { one: side := 1 } or { two: side := 2 } }
`;
    const suite = createTests(await modelOf(text), { mapping: JSON.stringify({ inputs: [] }), text });
    if ('problems' in suite) {
        throw new Error(JSON.stringify(suite.problems));
    }
    const { selection, runs, mapping, parameters, textOf } = suite.parts;
    const settings = { ...mapping.settings, inputs: new Set<string>(), maxCandidates: 10 };
    const isCutWith = (own: (execution: number) => string): boolean => {
        let executed = 0;
        const conversation = runSuite(new Tester(selection, settings, parameters, textOf), selection, runs, {
            asksForbidden: false,
            isOver: () => executed >= runs.length,
        });
        let next = conversation.next();
        while (next.done !== true) {
            executed += 'reset' in next.value ? 1 : 0;
            next = conversation.next('reset' in next.value ? { ok: true } : { lines: [{ step: own(executed) }] });
        }
        expect(next.value.tests).toHaveLength(2);
        return next.value.isCut;
    };
    expect(isCutWith(() => 'one')).toBe(true);
    expect(isCutWith(execution => (execution === 1 ? 'one' : 'two'))).toBe(false);
});

/** Counts wrongly when it is asked for the third time. */
const COUNTER = `model Counter
var x: 0 .. 5 = 0
var y: bool = false
process P {
    loop { choose { up: when x < 5 { x := x + 1 } } or { flip: y := !y } or { clear: when x == 5 { x := 0 } } }
}
`;

describe('a failing test', () => {
    it('is made as short as a way to the same step', async () => {
        let x = 0;
        const adapter: TestAdapter = {
            reset: () => {
                x = 0;
            },
            do: ({ step }) => {
                x = step === 'up' ? x + 1 : step === 'clear' ? 0 : x;
                return { ok: true, values: { x: x === 3 && step === 'up' ? 4 : x } };
            },
        };
        const report = await reportOf(COUNTER, adapter);
        const steps = report.failures.map(({ exchanges }) => exchanges.length - 1);
        // Without flips, which make the planned way longer, three steps are needed.
        expect(Math.min(...steps)).toBe(3);
        const [shortest] = report.failures.filter(({ exchanges }) => exchanges.length === 4);
        expect(shortest?.misfit.nearest[0]?.refusedBy).toBe('the log says `x` is `4`, here it is `3`');
    });

    it.each([
        [{ maybe: true }, 'is no answer'],
        [[], 'is one object'],
        [{ ok: true, refused: 'no' }, 'is no answer'],
        [{ quiet: true }, 'only `wait` asks for that'],
        [{ lines: [1] }, 'a list of objects'],
        [{ ok: true, first: 1 }, '`first` is a list of objects'],
        [{ first: [{ step: 'up' }] }, 'is no answer'],
        [{ ok: true, lines: [{ step: 'nothing' }] }, 'no step or event is called `nothing`'],
        [{ ok: true, values: { x: 'many' } }, 'cannot be'],
        [{ lines: [], refused: 3 }, 'is no answer'],
        [{ refused: 'no', values: { x: 1 } }, 'have no lines and no values'],
        [{ ok: true, values: { step: 'up', x: 1 } }, '`values` says what places hold, and `step` is none'],
        [{ ok: true, values: { process: 'P' } }, '`values` says what places hold, and `process` is none'],
    ])('is none if the adapter answers %j', async (answer, reason) => {
        const adapter = { reset: () => undefined, do: () => answer } as unknown as TestAdapter;
        await expect(reportOf(COUNTER, adapter)).rejects.toThrow(reason);
    });
});
