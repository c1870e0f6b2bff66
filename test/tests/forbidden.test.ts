/** Steps that the model forbids: a system that takes one fails, and no system that is right does. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { createTests, runTests, type TestAdapter, type TestReport } from '../../library/run-tests.js';
import { modelOf } from '../model-of-text.js';
import { ModelAsSystem } from './model-as-system.js';

type Said = Readonly<Record<string, unknown>>;

const LOCK = `model Lock
type Id = 1 .. 3
var holder: Id? = none
process P[i: Id] {
    loop { choose { take: when holder == none { holder := i } } or { give: when holder == i { holder := none } } }
}
`;

async function reportOf(
    text: string,
    adapter: TestAdapter,
    { mapping = {}, members = 1, forbidden = true }: { mapping?: object; members?: number; forbidden?: boolean } = {},
): Promise<TestReport> {
    const options = { mapping: JSON.stringify(mapping), text, members, forbidden };
    const suite = createTests(await modelOf(text), options);
    if ('problems' in suite) {
        throw new Error(JSON.stringify(suite.problems));
    }
    return runTests(suite, adapter);
}

/** A lock with a guard of its own, and what it was asked for while it refused. */
function lock(mayTake: (member: number, holder: number) => boolean): TestAdapter & { readonly refused: string[] } {
    let holder = 0;
    const refused: string[] = [];
    return {
        refused,
        reset: () => {
            holder = 0;
        },
        do: ({ process, step }) => {
            const member = Number(/\d/.exec(String(process))?.[0]);
            const may = step === 'take' ? mayTake(member, holder) : holder === member;
            if (!may) {
                refused.push(`${holder} ${String(process)} ${String(step)}`);
                return { refused: 'not now' };
            }
            holder = step === 'take' ? member : 0;
            return { ok: true };
        },
    };
}

describe('a step that the model forbids', () => {
    it('is asked for, one of each orbit of a state and a step', async () => {
        const right = lock((_, holder) => holder === 0);
        const report = await reportOf(LOCK, right);
        // Free: to give. Held: to take by the holder, to take and to give by another one.
        expect(report).toMatchObject({ failed: 0, covered: 2, forbidden: 4 });
        expect(right.refused).toHaveLength(4);
        expect(right.refused[0]).toMatch(/^0 P\[.\] give$/);
        const kinds = right.refused.slice(1).map(text => {
            const [holder, process, step] = text.split(' ');
            return `${process === `P[${holder}]` ? 'holder' : 'other'} ${step}`;
        });
        expect(kinds.sort()).toEqual(['holder take', 'other give', 'other take']);
        const without = lock((_, holder) => holder === 0);
        expect(await reportOf(LOCK, without, { forbidden: false })).not.toHaveProperty('forbidden');
        expect(without.refused).toEqual([]);
    });

    it('is asked for with each choice, of which those of members are told apart up to symmetry', async () => {
        const refuses = (isRight: (step: Said) => boolean): TestAdapter => ({
            reset: () => undefined,
            do: step => (isRight(step) ? { ok: true } : { refused: 'no' }),
        });
        const numbers = `model Grows
var most: 0 .. 2 = 0
process T { loop { choose n in 1 .. 2 where n == most + 1 { grow: most := n } } }
allow deadlock
`;
        let most = 0;
        const grows = refuses(({ n }) => n === most + 1 && (most = Number(n)) > 0);
        const reset = (): void => {
            most = 0;
        };
        // 2 at 0, 1 at 1, both at 2.
        expect(await reportOf(numbers, { ...grows, reset })).toMatchObject({ failed: 0, forbidden: 4 });
        const members = `model Chooses
type Id = 1 .. 3
var took: bool[Id] = false
process T { loop { choose i in Id where !(exists j in Id: took[j]) { take: took[i] := true } } }
allow deadlock
`;
        const once = refuses(() => most++ === 0);
        // The one that was taken, and one of the others.
        expect(await reportOf(members, { ...once, reset })).toMatchObject({ failed: 0, forbidden: 2 });
    });

    it('fails if the system takes it, with what stands against it', async () => {
        const careless = lock(() => true);
        expect((await reportOf(LOCK, careless, { forbidden: false })).failed).toBe(0);
        const { failures } = await reportOf(LOCK, careless);
        const [{ misfit, exchanges }] = failures as [TestReport['failures'][number]];
        expect(misfit).toMatchObject({ what: 'forbidden', said: { step: 'take' }, candidates: 1 });
        expect(misfit.nearest.map(({ refusedBy }) => refusedBy)).toEqual(['`holder` = 1, must be none']);
        // Shrunk: taken by one, taken again.
        expect(exchanges.slice(1).map(({ sent }) => ('do' in sent ? sent.do['step'] : ''))).toEqual(['take', 'take']);
    });

    it.each([1, 2, 3, 4])(
        'is asked of each member in its turn: member %d may take what another one holds',
        async own => {
            const careless = lock((member, holder) => (member === own && holder !== own) || holder === 0);
            const report = await reportOf(LOCK.replace('1 .. 3', '1 .. 4'), careless, { members: 4 });
            const said = report.failures.map(({ misfit }) => `${misfit.what} ${String(misfit.said['process'])}`);
            expect(new Set(said)).toEqual(new Set([`forbidden P[${own}]`]));
        },
    );

    it('is not asked for again after three failures, so that the rest is tested', async () => {
        const choices = [1, 2, 3].map(n => `{ c${n}: n := ${n} }`).join(' or ');
        const branches = `${LOCK}var n: 0 .. 3 = 0\nprocess Q { choose ${choices} }\nallow deadlock\n`;
        const careless = lock(() => true);
        let isChosen = false;
        const adapter: TestAdapter = {
            reset: (parameters, initial) => {
                isChosen = false;
                return careless.reset(parameters, initial);
            },
            do: step => {
                if (step['process'] !== 'Q') {
                    return careless.do(step);
                }
                const answer = isChosen ? { refused: 'it has chosen' } : { ok: true };
                isChosen = true;
                return answer;
            },
        };
        const report = await reportOf(branches, adapter, { members: 3 });
        expect(report.failures.map(({ misfit }) => misfit.said['step'])).toEqual(['take', 'take', 'take']);
        expect(report.passed).toBeGreaterThanOrEqual(6);
    });
});

/** A bell may ring before the first answer; what is forbidden at the start is so before and behind it. */
const BELL = `model Bell
var rung: bool = false
var x: 0 .. 3 = 0
process Bell { loop { ring: when !rung { rung := true } } }
process User {
    loop {
        choose { left: when x == 0 { x := 1 } }
        or { right: when x == 0 { x := 2 } }
        or { one: when x == 3 skip }
        or { two: when x == 3 skip }
    }
}
allow deadlock
`;

it('is asked for later if the system has done something before another request', async () => {
    let [x, asked] = [0, 0];
    const rung = { ever: false, now: false };
    const adapter: TestAdapter = {
        reset: () => {
            x = 0;
            rung.now = false;
        },
        do: ({ step }) => {
            if (x === 0 && (step === 'left' || step === 'right')) {
                x = step === 'left' ? 1 : 2;
                return { ok: true };
            }
            if (!rung.ever) {
                rung.ever = rung.now = true;
                return { first: [{ step: 'ring' }], refused: 'no' };
            }
            asked++;
            return step === 'two' && x === 0 && !rung.now ? { ok: true } : { refused: 'no' };
        },
        wait: () => {
            const said = rung.now ? { quiet: true } : { lines: [{ step: 'ring' }] };
            rung.now = true;
            return said;
        },
    };
    const report = await reportOf(BELL, adapter, { mapping: { inputs: ['left', 'right', 'one', 'two'] } });
    expect(asked).toBeGreaterThan(0);
    expect(report.failures[0]?.misfit).toMatchObject({ what: 'forbidden', said: { step: 'two' } });
});

/** A push lights the lamp, sooner or later; a lamp that is lit may be put out. */
const LAMP = `model Lamp
enum State = { off, pushed, on }
var state: State = off
process P {
    loop {
        choose { push: when state == off { state := pushed } }
        or { shine: when state == pushed { state := on } }
        or { out: when state == on { state := off } }
    }
}
`;

describe('a system that is right', () => {
    it('may have taken a step of its own before it is asked: then nothing is forbidden that this step allows', async () => {
        const asked: string[] = [];
        let state = 'off';
        const adapter: TestAdapter = {
            reset: () => {
                state = 'off';
            },
            do: ({ step }) => {
                asked.push(`${state} ${String(step)}`);
                const isRight = step === 'push' ? state === 'off' : state === 'on';
                state = isRight ? (step === 'push' ? 'pushed' : 'off') : state;
                return isRight ? { ok: true } : { refused: 'no' };
            },
            wait: () => {
                state = 'on';
                return { lines: [{ step: 'shine' }] };
            },
        };
        const report = await reportOf(LAMP, adapter, { mapping: { inputs: ['push', 'out'] } });
        expect(report).toMatchObject({ failed: 0, covered: 3 });
        expect(asked).toContain('off out');
        expect(asked).toContain('pushed push');
        // The lamp may shine at any time.
        expect(asked).not.toContain('pushed out');
        // If the lamp shines without a word, each state behind it counts, too.
        asked.splice(0);
        const hidden = { inputs: ['push', 'out'], hide: ['shine'] };
        const quiet: TestAdapter = {
            ...adapter,
            wait: () => {
                state = state === 'pushed' ? 'on' : state;
                return { quiet: true };
            },
        };
        expect((await reportOf(LAMP, quiet, { mapping: hidden })).failed).toBe(
            // It refuses to be put out only before it shines, which it may.
            0,
        );
        expect(asked.filter(text => text === 'off out').length).toBeGreaterThan(0);
    });

    it('may have taken steps of its own that allow it, inputs among them, and says so first', async () => {
        let state = 'off';
        const adapter: TestAdapter = {
            reset: () => {
                state = 'off';
            },
            do: ({ step }) => {
                if (step === 'push') {
                    const isRight = state === 'off';
                    state = isRight ? 'pushed' : state;
                    return isRight ? { ok: true } : { refused: 'no' };
                }
                // Somebody else has pushed.
                const first = { off: ['push', 'shine'], pushed: ['shine'], on: [] }[state] ?? [];
                state = 'off';
                return { ok: true, first: first.map(own => ({ step: own })) };
            },
            wait: () => {
                state = 'on';
                return { lines: [{ step: 'shine' }] };
            },
        };
        const report = await reportOf(LAMP, adapter, { mapping: { inputs: ['push', 'out'] } });
        expect(report).toMatchObject({ failed: 0, undecided: [], covered: 3 });
        expect(report.forbidden).toBeGreaterThan(0);
        // One push is not enough.
        const wrong = { ...adapter, do: () => ({ ok: true, first: [{ step: 'push' }] }) };
        const { failures } = await reportOf(LAMP, wrong, { mapping: { inputs: ['push', 'out'] } });
        expect(failures[0]?.misfit).toMatchObject({ what: 'forbidden', said: { step: 'out' }, candidates: 1 });
    });

    it('is asked for no step that is a fault, or that the constraint cuts off', async () => {
        const asked: string[] = [];
        let x = 0;
        const adapter: TestAdapter = {
            reset: () => {
                x = 0;
            },
            do: ({ step }) => {
                asked.push(`${x} ${String(step)}`);
                if (step === 'down' && x === 0) {
                    return { refused: 'it is 0' };
                }
                x += step === 'down' ? -1 : 1;
                return { ok: true };
            },
        };
        const text = `model Counter
var x: 0 .. 2 = 0
process P { loop { choose { up: x := x + 1 } or { down: when x > 0 { x := x - 1 } } } }
`;
        expect(await reportOf(text, adapter)).toMatchObject({ failed: 0, forbidden: 1 });
        expect(new Set(asked)).toEqual(new Set(['0 up', '1 up', '0 down', '1 down', '2 down']));
        const cut = text.replace('0 .. 2', '0 .. 9').replace('process', 'constraint x < 3\nprocess');
        expect(await reportOf(cut, adapter)).toMatchObject({ failed: 0, undecided: [], forbidden: 1 });
        expect(asked).not.toContain('2 up');
    });

    it('is asked for no step of a member that has no name yet', async () => {
        const asked: string[] = [];
        const adapter: TestAdapter = {
            reset: () => ({ ok: true, values: { holder: null } }),
            do: ({ process, step }) => {
                asked.push(`${String(process)} ${String(step)}`);
                return asked.length % 2 === 1 ? { ok: true } : { refused: 'no' };
            },
        };
        const report = await reportOf(LOCK, adapter, { mapping: { opaque: ['Id'] } });
        // The first step names the first member.
        expect(asked[0]).toMatch(/take$/);
        expect(report.failures.map(({ misfit }) => misfit.what)).not.toContain('forbidden');
    });

    it('with choices and partners refuses what is forbidden, and passes', async () => {
        const text = `model Meets
type Id = 1 .. 2
channel c: 0 of Id
var got: Id?[Id] = none
var most: 0 .. 2 = 0
process S[i: Id] { give: c ! i }
process R[k: Id] { var v: Id? = none; take: c ? v; keep: got[k] := v }
process T { loop { choose n in 1 .. 2 where n > most { grow: most := n } } }
allow deadlock
`;
        const suite = createTests(await modelOf(text), { text, forbidden: true, members: 2 });
        if ('problems' in suite) {
            throw new Error('the model has tests');
        }
        const asked: Said[] = [];
        const system = new ModelAsSystem(suite.parts.selection.sequential, createRandom(3));
        const report = await runTests(suite, {
            reset: (parameters, initial) => {
                system.reset(parameters, initial);
            },
            do: step => {
                const answer = system.do(step);
                if ('refused' in answer) {
                    asked.push(step);
                }
                return answer;
            },
        });
        expect(report).toMatchObject({ failed: 0, covered: report.transitionOrbits, forbidden: asked.length });
        expect(asked.some(({ step, n }) => step === 'grow' && n === 1)).toBe(true);
        expect(asked.some(step => 'with' in step)).toBe(true);
    });
});
