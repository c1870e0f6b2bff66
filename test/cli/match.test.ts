/** `orbit match`: each log is judged as its lines say, whatever symmetries fold, and what is wrong is told at its place. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LogDocument, MatchDocument, ProblemsDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

type Line = Readonly<Record<string, unknown>>;

async function judged(
    model: string,
    lines: readonly Line[],
    words: readonly string[] = [],
    mapping?: object,
): Promise<LogDocument & { readonly exitCode: number }> {
    const files = {
        'm.orbit': model,
        log: lines.map(line => `${JSON.stringify(line)}\n`).join(''),
        ...(mapping !== undefined && { 'm.log.json': JSON.stringify(mapping) }),
    };
    const { stdout, stderr, exitCode } = await orbit(['match', 'm.orbit', 'log', '--json', ...words], { files });
    expect(stderr).toBe('');
    const { logs } = JSON.parse(stdout) as MatchDocument;
    return { ...logs[0]!, exitCode };
}

async function problemOf(model: string, log: string, mapping?: object): Promise<ProblemsDocument['problems'][number]> {
    const files = { 'm.orbit': model, log, ...(mapping !== undefined && { 'm.log.json': JSON.stringify(mapping) }) };
    const { stdout, exitCode } = await orbit(['match', 'm.orbit', 'log', '--json'], { files });
    expect(exitCode).toBe(2);
    return (JSON.parse(stdout) as ProblemsDocument).problems[0]!;
}

const COMMIT = readFileSync('models/two-phase-commit.orbit', 'utf8');
const SESSIONS = readFileSync('models/sessions.orbit', 'utf8');

const MARKS = `
model Marks
type Id = 1 .. 3
var x: bool[Id] = false
var y: bool[Id] = false
process P {
    loop {
        choose i in Id { send: when !x[i] { x[i] := true } } or j in Id { send: when !y[j] { y[j] := true } }
    }
}
allow deadlock
`;

const STEPS = `
model Steps
type Id = 1 .. 3
var n: 0 .. 2[Id] = 0
process P[i: Id] {
    loop { choose { up: when n[i] < 2 { n[i] := n[i] + 1 } } or { down: when n[i] > 0 { n[i] := n[i] - 1 } } }
}
invariant low = forall i in Id: n[i] < 2
`;

describe('names', () => {
    test('of a place may stand for several values, until another line tells which', async () => {
        const model = `type N = 0 .. 1
            var c: bool[N] = false
            var turn: N = 0
            process P[i: N] { loop { pass: when turn == i { turn := 1 - i } } }`;
        const lines = [{ 'c[b]': false }, { step: 'pass', i: 'a' }, { step: 'pass', i: 'b' }];
        const { fits, names, trace } = await judged(model, lines);
        expect({ fits, names, steps: trace?.length }).toMatchObject({ fits: true, steps: 3 });
        expect((await judged(model, lines.slice(0, 2))).trace).toHaveLength(2);
    });

    test('stand for different processes', async () => {
        const line = (i: string): Line => ({ step: 'prepare', i });
        expect(await judged(COMMIT, ['a', 'b', 'c'].map(line))).toMatchObject({ verdict: 'fits', lines: 3 });
        const again = await judged(COMMIT, ['a', 'b', 'b'].map(line));
        expect(again).toMatchObject({ verdict: 'misfit', exitCode: 1, misfit: { line: 3, candidates: 1 } });
        expect(again.misfit?.nearest[0]?.refusedBy).toContain('`state[b]` = prepared');
        expect(await judged(COMMIT, ['a', 'b', 'c', 'd'].map(line))).toMatchObject({ misfit: { line: 4 } });
    });

    test('are not two for one process', async () => {
        const ups = ['a', 'b', 'c', 'd'].map(i => ({ step: 'up', i }));
        expect(await judged(STEPS, ups.slice(0, 3))).toMatchObject({ fits: true });
        // Each of the three may go up twice.
        expect(await judged(STEPS, ups)).toMatchObject({ misfit: { line: 4 } });
        const [once, twice] = [1, 2].map(n => ({ step: 'up', n }));
        expect(
            await judged(STEPS, [
                { ...once, i: 'a' },
                { ...twice, i: 'a' },
            ]),
        ).toMatchObject({ fits: true });
        expect(
            await judged(STEPS, [
                { ...once, i: 'a' },
                { ...twice, i: 'b' },
            ]),
        ).toMatchObject({ misfit: { line: 2 } });
    });

    test('are not bound by hidden steps', async () => {
        const lines = [
            { step: 'receivePrepared', i: 'a' },
            { step: 'prepare', i: 'b' },
        ];
        expect(await judged(COMMIT, lines, ['--hide', 'prepare'])).toMatchObject({ verdict: 'fits' });
        expect(await judged(COMMIT, lines)).toMatchObject({ misfit: { line: 1 } });
    });

    test('are values if they are written so, unless the type is opaque', async () => {
        const lines = [
            { step: 'prepare', i: 2 },
            { 'state[2]': 'prepared', 'state[1]': 'working' },
        ];
        const { names, verdict } = await judged(COMMIT, lines);
        expect([verdict, names]).toEqual(['fits', []]);
        const opaque = await judged(COMMIT, lines, [], { opaque: ['Manager'] });
        expect(opaque.names.map(({ name }) => name)).toEqual(['2', '1']);
    });

    test('are another order of the values, if the type is opaque', async () => {
        const model = STEPS.replace('= 0\n', '= [0, 0, 1]\n');
        const lines = [
            { step: 'down', i: 1 },
            { step: 'up', i: 3 },
        ];
        expect(await judged(model, lines)).toMatchObject({ misfit: { line: 1 } });
        const opaque = await judged(model, lines, [], { opaque: ['Id'] });
        expect(opaque).toMatchObject({ verdict: 'fits', names: [{ name: '1', value: '3' }, { name: '3' }] });
    });

    test('may be the same as a value that comes behind them', async () => {
        const model = STEPS.replace('= 0\n', '= [0, 1, 1]\n');
        const lines = (i: number): Line[] => [
            { step: 'up', i: 'a', n: 1 },
            { step: 'up', i, n: 2 },
        ];
        expect(await judged(model, lines(1))).toMatchObject({ verdict: 'violated', names: [{ value: '1' }] });
        expect(await judged(model, lines(2))).toMatchObject({ verdict: 'violated', names: [{ value: '1' }] });
        expect(
            await judged(STEPS, [
                { step: 'up', i: 'a' },
                { step: 'down', i: 2 },
            ]),
        ).toMatchObject({
            verdict: 'fits',
            names: [{ value: '2' }],
        });
    });

    test('end with their process, also in a hidden step', async () => {
        const request = { process: 'Main[s]', step: 'request', Handler: 'h' };
        const begin = [request, { process: 'Handler[h]', step: 'call' }, { process: 'Handler[h]', step: 'answer' }];
        const hide = ['--hide', 'ret,calculate,done,coll'];
        const again = [...begin, { process: 'Main[s]', step: 'request', Handler: 'k' }];
        expect(await judged(SESSIONS, again, hide)).toMatchObject({ verdict: 'fits' });
        const reused = await judged(SESSIONS, [...again, { process: 'Handler[h]', step: 'call' }], hide);
        expect(reused).toMatchObject({ verdict: 'misfit', misfit: { line: 5 } });
        expect(reused.misfit?.nearest[0]?.refusedBy).toBe('`h` has ended at line 4');
        const other = await judged(SESSIONS, [...begin, request], hide);
        expect(other).toMatchObject({ misfit: { line: 4 } });
        // Nobody else may have the name, also long after its end.
        const late = { ...request, process: 'Main[t]' };
        expect(await judged(SESSIONS, [...again, { ...late, Handler: 'l' }], hide)).toMatchObject({ fits: true });
        expect(await judged(SESSIONS, [...again, late], hide)).toMatchObject({ misfit: { line: 5 } });
    });

    test('of many instances keep no slots', async () => {
        const round = (n: number): Line[] =>
            ['call', 'ret', 'answer', 'done'].reduce<Line[]>(
                (lines, step) => [...lines, { process: `Handler[h${n}]`, step }],
                [{ process: 'Main[s]', step: 'request', Handler: `h${n}` }],
            );
        const lines = Array.from({ length: 30 }, (_, n) => round(n)).flat();
        expect(await judged(SESSIONS, lines)).toMatchObject({ verdict: 'fits', lines: 150 });
    });
});

describe('symmetries of a log', () => {
    test('keep binders and variables apart', async () => {
        const sends = (...keys: readonly string[]): Line[] => keys.map(key => ({ step: 'send', [key]: 'a' }));
        expect(await judged(MARKS, sends('i', 'j'))).toMatchObject({ verdict: 'fits', symmetries: '6' });
        expect(await judged(MARKS, sends('i', 'i'))).toMatchObject({ verdict: 'misfit' });
        expect(await judged(MARKS, [...sends('i'), { 'x[a]': true }])).toMatchObject({ verdict: 'fits' });
        expect(await judged(MARKS, [...sends('i'), { 'y[a]': true }])).toMatchObject({ verdict: 'misfit' });
    });

    test('keep families and labels apart', async () => {
        const model = `
            model Twins
            type Id = 1 .. 2
            var x: bool[Id] = false
            var y: bool[Id] = false
            process P[i: Id] { loop { choose { on: when !x[i] { x[i] := true } } or { set: when !y[i] { y[i] := true } } } }
            process Q[i: Id] { loop { off: when x[i] { x[i] := false } } }
            process R[i: Id] { loop { off: when y[i] { y[i] := false } } }
        `;
        const log = (step: string, family: string): Line[] => [
            { step, i: 'a' },
            { process: `${family}[a]`, step: 'off' },
        ];
        expect(await judged(model, log('on', 'Q'))).toMatchObject({ verdict: 'fits' });
        expect(await judged(model, log('set', 'Q'))).toMatchObject({ verdict: 'misfit' });
        expect(await judged(model, log('on', 'R'))).toMatchObject({ verdict: 'misfit' });
    });

    test.each<[string, string, readonly Line[]]>([
        [
            'labels',
            'process P { loop { choose { a: when t == 1 { t := 2 } } or { b: when t == 2 { t := 1 } } } }',
            [{ step: 'a' }, { step: 'b' }],
        ],
        [
            'families',
            'process A { loop { a: when t == 1 { t := 2 } } } process B { loop { a: when t == 2 { t := 1 } } }',
            [
                { process: 'A', step: 'a' },
                { process: 'B', step: 'a' },
            ],
        ],
        [
            'binders',
            'process P { loop { choose i in Id { a: when t == 1 { t := 2 } } or j in Id { a: when t == 2 { t := 1 } } } }',
            [
                { step: 'a', i: 'u' },
                { step: 'a', j: 'u' },
            ],
        ],
        [
            'variables',
            `var y: bool = false
            var z: bool = false
            process P { loop { choose { a: when t == 1 && !y { y := true } } or { a: when t == 2 && !z { z := true } } } }`,
            [
                { step: 'a', y: true },
                { step: 'a', z: true },
            ],
        ],
        [
            'values of an enumeration',
            `enum Color = { white, red, green }
            var c: Color = white
            process P {
                loop {
                    choose { a: when t == 1 && c == white { c := red } } or { a: when t == 2 && c == white { c := green } }
                }
            }`,
            [
                { step: 'a', c: 'red' },
                { step: 'a', c: 'green' },
            ],
        ],
        [
            'locations',
            `process P { choose { a: when t == 1 { skip } left: when false { skip } } or { a: when t == 2 { skip } right: when false { skip } } }`,
            [
                { step: 'a', 'P at': 'left' },
                { step: 'a', 'P at': 'right' },
            ],
        ],
    ])('exchange no %s, also where they exchange the values of a type', async (_, rest, lines) => {
        // One of two symmetric starts would be left, in which one of the two steps is not possible.
        const model = `type Id = 1 .. 2\nvar t: Id = any\nvar x: bool[Id] = false\n${rest}`;
        for (const line of lines) {
            expect(await judged(model, [line])).toMatchObject({ verdict: 'fits', symmetries: '1' });
            expect(await judged(model, [line, line])).toMatchObject({ verdict: 'misfit', misfit: { line: 2 } });
        }
    });

    test('keep invariants apart', async () => {
        const model = `type Id = 1 .. 2
            var x: bool[Id] = false
            process P[i: Id] { go: x[i] := true }
            invariant one = !x[1]
            invariant two = !x[2]`;
        for (const [i, name] of ['one', 'two'].entries()) {
            const { invariants } = await judged(model, [{ step: 'go', i: i + 1 }]);
            expect(invariants).toMatchObject([{ name, verdict: 'violated' }]);
        }
    });

    test('tell families with one label apart, whatever their indices are', async () => {
        const model =
            'model M\ntype Id = 1 .. 2\nprocess P[i: Id, j: Id] { loop { a: skip } }\nprocess Q { loop { a: skip } }';
        expect(
            await judged(model, [
                { process: 'P[x, y]', step: 'a' },
                { process: 'Q', step: 'a' },
            ]),
        ).toMatchObject({ fits: true });
    });

    test('keep the start', async () => {
        const model = STEPS.replace('= 0\n', '= [0, 0, 1]\n');
        const { symmetries, verdict } = await judged(model, [
            { step: 'down', i: 'a' },
            { step: 'down', i: 'b' },
        ]);
        expect([symmetries, verdict]).toEqual(['2', 'misfit']);
    });

    test('leave the run with the values that the log has', async () => {
        const text = readFileSync('models/peterson.orbit', 'utf8');
        const lines = [2, 2, 3, 2].map(i => ({ step: 'pass', process: `P[${i}]` }));
        const { trace, verdict } = await judged(text, lines, ['--hide', 'setFlag,setTurn,exit,critical']);
        const shown = trace.filter(({ logLine }) => logLine !== undefined).map(({ step }) => step?.process);
        expect([verdict, shown]).toEqual(['fits', ['P[2]', 'P[2]', 'P[3]', 'P[2]']]);
    });

    test('are those of the model with as many slots as the log needs', async () => {
        const model = `
            model Many
            type S = 1 .. 3
            type Z = 1 .. 4
            process Main[i: S] { loop { make: spawn W() } }
            process Other[z: Z] { loop { turn: skip } }
            process W() { loop { work: skip } }
            allow deadlock`;
        const lines = ['a', 'b', 'c', 'd', 'e'].map(W => ({ step: 'make', W }));
        const orders = await Promise.all([lines.slice(0, 1), lines].map(each => judged(model, each)));
        const factorials = (slots: number): string =>
            String([3, 4, slots].map(n => [1, 1, 2, 6, 24, 120, 720, 5040, 40320][n]!).reduce((one, n) => one * n));
        expect(orders.map(({ symmetries }) => symmetries)).toEqual([factorials(3), factorials(6)]);
    });

    test('of a ring are its rotations', async () => {
        const text = readFileSync('models/token-ring.orbit', 'utf8');
        expect((await judged(text, [])).symmetries).toBe('5');
    });
});

describe('the values of a set', () => {
    const model = `
        type Id = 1 .. 3
        record Note = { about: set of Id, first: bool[Id] }
        enum Mail = { nothing, note(about: set of Id) }
        var own: set of Id = {}
        var mail: Mail = nothing
        channel sent: 2 of Note
        channel posted: 2 of Mail
        process P {
            loop {
                choose i in Id { add: own := own union { i } }
                or { keep: mail := note(own) }
                or { send: sent ! Note(own, [i in Id: i in own]) }
                or { post: posted ! note(own) }
            }
        }
        allow deadlock`;

    test.each<[string, Line]>([
        ['in a case', { step: 'keep', mail: { case: 'note', about: ['b', 'a'] } }],
        ['in a message', { step: 'send', message: { about: ['a', 'b'] } }],
        ['in a channel', { step: 'send', sent: [{ about: ['a', 'b'] }] }],
        ['in a case of a message', { step: 'post', message: { case: 'note', about: ['b', 'a'] } }],
    ])('%s may be names', async (_, line) => {
        const both = [{ step: 'add', i: 'a' }, { step: 'add', i: 'b' }, line];
        expect(await judged(model, both)).toMatchObject({ verdict: 'fits' });
        const other = [{ step: 'add', i: 'a' }, { step: 'add', i: 'c' }, { step: 'add', i: 'b' }, line];
        expect(await judged(model, other)).toMatchObject({ verdict: 'misfit' });
    });

    test('are copies in a bag, of which none is told apart', async () => {
        const bag = `type Id = 1 .. 2
            var bag: bag 12 of Id = {}
            process P { loop { choose i in Id { put: when bag[i] < 12 { bag[i] := bag[i] + 1 } } } }
            allow deadlock`;
        const lines = [...Array.from({ length: 12 }, () => ({ step: 'put', i: 'a' })), { bag: '{a: 12}' }];
        expect(await judged(bag, lines)).toMatchObject({ verdict: 'fits' });
    });

    test('may be values that no line has told before', async () => {
        const line = { step: 'send', message: { about: [2], first: [false, true, false] } };
        expect(await judged(model, [{ step: 'add' }, line])).toMatchObject({ verdict: 'fits' });
        const message = { case: 'note', about: [2] };
        expect(await judged(model, [{ step: 'add' }, { step: 'post', message }])).toMatchObject({ verdict: 'fits' });
    });
});

describe('locals that nothing reads behind a step', () => {
    const model = `type Id = 1 .. 2
        enum Mail = { nothing, note(about: Id) }
        process P {
            var written: 0 .. 9 = 3
            var kept: 0 .. 9 = 5
            var row: bool[Id] = false
            var mail: Mail = note(1)
            start: skip;
            step: when kept == 5 && !row[2] && mail is note { written := written + 1; row[1] := true; mail.about := 2 }
            rest: skip
        }
        allow deadlock`;

    test.each<[Line, 'fits' | 'misfit']>([
        [{ written: 4 }, 'fits'],
        [{ row: [true, false] }, 'fits'],
        [{ mail: { case: 'note', about: 2 } }, 'fits'],
        [{ kept: 5 }, 'fits'],
        [{ kept: 4 }, 'misfit'],
        [{ before: { written: 3 } }, 'fits'],
        [{ before: { written: 4 } }, 'misfit'],
    ])('%o behind it: %s', async (values, verdict) => {
        const lines = [{ step: 'start' }, { step: 'step', ...values }];
        expect(await judged(model, lines)).toMatchObject({ verdict });
    });
});

describe('what is answered', () => {
    test('an empty log fits', async () => {
        expect(await judged(STEPS, [])).toMatchObject({ verdict: 'fits', lines: 0, exitCode: 0 });
    });

    test('a violation in some explanations is none', async () => {
        const some = await judged(STEPS, [{ step: 'up' }, { step: 'up' }]);
        expect(some).toMatchObject({ verdict: 'fits', invariants: [{ name: 'low', verdict: 'possible' }] });
        const all = await judged(STEPS, [
            { step: 'up', i: 'a' },
            { step: 'up', i: 'a' },
            { step: 'down', i: 'a' },
        ]);
        expect(all).toMatchObject({ verdict: 'violated', exitCode: 1, invariants: [{ verdict: 'violated' }] });
    });

    test('two explanations of one state, one with a violation, are both kept', async () => {
        const lines = [{ step: 'up' }, { step: 'up' }, { step: 'down' }, { step: 'down' }, { n: [0, 0, 0] }];
        expect(await judged(STEPS, lines)).toMatchObject({ invariants: [{ name: 'low', verdict: 'possible' }] });
    });

    test('an explanation that comes later to a state is one of all states behind it', async () => {
        const model = `var s: 0 .. 3 = 0
            process P {
                loop {
                    choose { h: when s == 0 { s := 1 } } or { h: when s == 0 { s := 3 } }
                    or { h: when s == 3 { s := 1 } } or { h: when s == 1 { s := 2 } }
                }
            }
            invariant never = s != 3
            allow deadlock`;
        const judgedAt2 = await judged(model, [{ s: 2 }], ['--hide', 'h']);
        expect(judgedAt2).toMatchObject({ verdict: 'fits', invariants: [{ name: 'never', verdict: 'possible' }] });
    });

    test('hidden steps in a circle come to an end', async () => {
        // The states are 27, and 10 up to symmetry.
        const words = ['--hide', 'up,down', '--max-candidates', '27'];
        expect(await judged(STEPS, [{ 'n[a]': 2, 'n[b]': 1 }], words)).toMatchObject({ fits: true });
    });

    test('a limit of candidates leaves it open', async () => {
        const limited = await judged(STEPS, [{ 'n[a]': 2 }], ['--hide', 'up,down', '--max-candidates', '5']);
        expect(limited).toMatchObject({ verdict: 'undecided', exitCode: 3, limit: { line: 1, hidden: 'up' } });
    });

    test('a constraint that has cut off a step leaves it open', async () => {
        const model = STEPS.replace('invariant low', 'constraint n[1] < 2 && n[2] < 2 && n[3] < 2\ninvariant low');
        const lines = [
            { step: 'up', i: 'a' },
            { step: 'up', i: 'a' },
        ];
        expect(await judged(model, lines)).toMatchObject({ verdict: 'undecided', exitCode: 3 });
    });

    describe('what a constraint has cut off before', () => {
        const model = (property = ''): string => `
            model Cut
            var x: 0 .. 9 = 0
            process P { choose { a: x := x + 2 } or { a: x := 1 }; b: when x == 2 || x == 4 { skip } }
            constraint x <= 1
            ${property}`;

        test('may be what a later line means', async () => {
            const lines = [{ step: 'a' }, { step: 'b' }];
            expect(await judged(model(), lines)).toMatchObject({ verdict: 'undecided', lines: 1, exitCode: 3 });
            const within = await judged(model().replace('constraint x <= 1', ''), lines);
            expect(within).toMatchObject({ verdict: 'fits' });
        });

        test('may have passed no violation', async () => {
            const all = await judged(model('invariant small = x != 1'), [{ step: 'a' }]);
            expect(all).toMatchObject({ verdict: 'undecided', exitCode: 3, invariants: [{ verdict: 'possible' }] });
        });

        test('may be where nothing more can happen', async () => {
            const open = model().replace('b: when x == 2 || x == 4 { skip }', 'b: when x == 1 { x := 5 }');
            const complete = await judged(open, [{ step: 'a' }], ['--complete']);
            expect(complete).toMatchObject({ verdict: 'undecided', fits: true, exitCode: 3 });
            expect(complete.incomplete).toBeUndefined();
        });
    });

    test('a local that nothing reads any more may be anything', async () => {
        const model = `
            model Dead
            process Q[i: 1 .. 1] {
                var t: 0 .. 9 = 0
                a: t := 3;
                c: when t == 3 { skip }
                choose k in 1 .. 2 { d: skip; b: skip }
            }`;
        const last = (key: string, t: number): Line[] => [
            { step: 'a' },
            { step: 'c' },
            { step: 'd', k: 2 },
            { step: 'b', process: 'Q[1]', k: 2, [key]: t },
        ];
        for (const key of ['t', 'Q[1].t']) {
            expect(await judged(model, last(key, 3))).toMatchObject({ verdict: 'fits', exitCode: 0 });
        }
        const read = [{ step: 'a' }, { step: 'c', process: 'Q[1]', t: 4 }];
        expect(await judged(model, read)).toMatchObject({ verdict: 'misfit', misfit: { line: 2 } });
    });

    test('a complete log ends where nothing can happen', async () => {
        const model = 'model M\nprocess P { a: skip; b: skip }';
        expect(await judged(model, [{ step: 'a' }], ['--complete'])).toMatchObject({
            verdict: 'misfit',
            incomplete: true,
        });
        expect(await judged(model, [{ step: 'a' }, { step: 'b' }], ['--complete'])).toMatchObject({ verdict: 'fits' });
    });
});

describe('a line that fits nothing is mended', () => {
    const log = (...steps: readonly string[]): Line[] => steps.map(step => ({ step }));
    const model = 'model M\nprocess P { loop { a: skip; b: skip; c: skip } }';

    test.each([
        ['abcxbc', { kind: 'other', line: 4, step: 'a' }],
        ['abcbca', { kind: 'missing', line: 4, step: 'a' }],
        ['abccab', { kind: 'remove', line: 4 }],
        ['abacbc', { kind: 'exchange', line: 3 }],
    ])('%s', async (steps, repair) => {
        const lines = log(...steps.replace('x', 'c'));
        const { misfit } = await judged(model, lines);
        expect(misfit?.repairs).toContainEqual({ ...repair, reaches: misfit?.lastLine });
    });

    test('behind a state that violates an invariant', async () => {
        const lines = [{ step: 'up', i: 'a' }, { step: 'up', i: 'a' }, { 'n[a]': 0 }];
        const { misfit } = await judged(STEPS, lines);
        expect(misfit?.repairs).toContainEqual({ kind: 'remove', line: 3, reaches: 3 });
    });

    test('by hiding a step that never occurs', async () => {
        const { misfit } = await judged(model, log(...'acac'));
        expect(misfit?.hide).toEqual(['b']);
    });

    test('or it has a name too many', async () => {
        const lines = ['a', 'b', 'c', 'd'].map(i => ({ process: `ResourceManager[${i}]`, step: 'prepare' }));
        const { misfit } = await judged(COMMIT, lines);
        expect(misfit?.nearest[0]?.refusedBy).toContain('`d` is one name more than `Manager` has values');
    });
});

test('what could have come is told with the values of the log, whichever of them the search keeps', async () => {
    // Only 1 and 2 are still down; the search keeps the state in which 1 is up.
    const model = `
type Id = 1 .. 3
var isUp: bool[Id] = false
process P[i: Id] { loop { up: when !isUp[i] { isUp[i] := true } } }
allow deadlock
`;
    const { misfit } = await judged(model, [
        { process: 'P[3]', step: 'up' },
        { process: 'P[3]', step: 'up' },
    ]);
    expect(misfit?.instead).toEqual(['P[1] up', 'P[2] up']);
});

describe('what is wrong is told at its line', () => {
    test.each([
        ['log/step', 1, '{"step":"prepard"}'],
        ['log/syntax', 2, '{"step":"prepare"}\n[1]\n{}'],
        ['log/value', 1, '{"state[a]":"readyy"}'],
        ['log/value', 1, '{"step":"prepare","i":7}'],
        ['log/key', 1, '{"state[a].x":1}'],
        ['log/key', 1, '{"process":"Nobody[1]"}'],
    ])('%s', async (code, line, log) => {
        expect(await problemOf(COMMIT, log)).toMatchObject({ code, line, file: 'log' });
    });

    test.each([
        ['a length', '{"v":[true,false]}', '{"v":[false,false,false]}', 'it has 3 elements'],
        ['a field', '{"r":{"term":0,"rool":0}}', '{"r":{"term":0}}', 'it has no field `rool`'],
        ['a name of another record', '{"s":["ask(T(0, 0))"]}', '{"r":"R(0, 0)"}', 'at `[0].a` it is a `R`'],
        ['a value in a record', '{"r":{"term":7}}', '{"r":{"role":0}}', 'at `term` it is one of 0 .. 1'],
        ['a value in an array', '{"rs":[{},{"term":2},{}]}', '{"rs":[{},{},{}]}', 'at `[1].term` it is one of 0 .. 1'],
        ['a single value', '{"r":3}', '{"r":{}}', 'it has the fields `term`, `role`'],
        ['a case', '{"m":"begin"}', '{"m":"stop"}', 'it is one of stop, ask, both'],
        ['a case with fields', '{"m":{"case":"begin"}}', '{"m":{"case":"stop"}}', 'it is one of stop, ask, both'],
        ['a case without its fields', '{"m":"ask"}', '{"m":"stop"}', '`ask` has fields'],
        ['a field of another case', '{"m":{"case":"ask","b":true}}', '{"m":"stop"}', 'it has no field `b`'],
        ['a value in a case', '{"m":"ask(true)"}', '{"m":"stop"}', 'at `a` it has the fields `term`, `role`'],
        ['a value in a sequence', '{"q":[0,5]}', '{"q":[]}', 'at `[1]` it is one of 0 .. 1'],
        ['so many elements', '{"q":[0,1,0]}', '{"q":[]}', 'it has at most 2 elements'],
        ['an element of a set', '{"s":["ask(R(0, 9))"]}', '{"s":[]}', 'at `[0].a.role` it is one of 0 .. 1'],
        ['a set', '{"s":"stop"}', '{"s":"{}"}', 'it is a list'],
    ])('%s that a value never has: %s', async (_, wrong, right, reason) => {
        const whole = `
record R = { term: 0 .. 1, role: 0 .. 1 }
enum M = { stop, ask(a: R), both(a: R, b: bool) }
type Id = 0 .. 2
var v: bool[Id] = false
var r: R = R(0, 0)
var rs: R[Id] = R(0, 0)
var m: M = stop
var q: seq 2 of 0 .. 1 = []
var s: set of M = {}
process P { loop { up: r.term := 0 } }
`;
        const problem = await problemOf(whole, wrong);
        expect(problem).toMatchObject({ code: 'log/value', line: 1 });
        expect(problem.message).toContain(reason);
        expect(await judged(whole, [JSON.parse(right) as Line])).toMatchObject({ verdict: 'fits' });
    });

    test('half a last line is left out', async () => {
        const { stdout, stderr, exitCode } = await orbit(['match', 'm.orbit', 'log', '--quiet'], {
            files: { 'm.orbit': STEPS, log: '{"step":"up"}\n{"step":"u' },
        });
        expect([exitCode, stdout]).toEqual([0, 'log: fits, 1 line\n']);
        expect(stderr).toContain('log:2: the last line has no end');
    });

    test('a mapping that says nothing', async () => {
        expect(await problemOf(STEPS, '', { stepp: 'event' })).toMatchObject({ code: 'log/syntax' });
    });
});

test('a mapping says what keys, words and names mean', async () => {
    const lines = [
        { event: 'PREPARE', node: '10.0.0.7', st: 'READY' },
        { event: 'beat' },
        { event: 'chooseToAbort', node: 'x', st: 'ABORTED' },
    ];
    const mapping = {
        step: 'event',
        steps: { PREPARE: 'prepare' },
        ignore: ['beat'],
        keys: { node: 'i', st: 'state[i]' },
        values: { READY: 'prepared', ABORTED: 'aborted' },
        names: { Manager: { '10.0.0.7': 3 } },
    };
    const { verdict, names, trace } = await judged(COMMIT, lines, [], mapping);
    expect([verdict, names.length]).toEqual(['fits', 1]);
    expect(trace[1]?.step?.process).toBe('ResourceManager[3]');
});

test('lines come from standard input, too', async () => {
    const { stdout, exitCode } = await orbit(['match', 'm.orbit', '-', '--quiet'], {
        files: { 'm.orbit': STEPS },
        standardInput: '{"step":"up"}\n{"step":"down"}\n{"step":"down"}\n',
    });
    expect([exitCode, stdout]).toEqual([1, '-: line 3 fits nothing (1 state before it)\n']);
});

describe('a message is what is sent or received', () => {
    const exchange = (channel: string): string => `
channel c: ${channel} of 0 .. 1
process Sender { loop { send: c ! 1 } }
process Receiver { var y: 0 .. 1 = 0  loop { take: c ? y; use: y := 0 } }
allow deadlock
`;
    test.each(['0', '2', 'bag 2'])('over a channel with the capacity %s', async capacity => {
        const model = exchange(capacity);
        const isTogether = capacity === '0';
        const send = (message: number): Line => ({ step: 'send', message });
        const take = (message: number): Line => ({ step: 'take', message });
        const both = isTogether ? [take(1), { step: 'use' }, send(1)] : [send(1), take(1)];
        expect(await judged(model, both)).toMatchObject({ verdict: 'fits' });
        expect(await judged(model, [send(0)])).toMatchObject({ verdict: 'misfit' });
        expect(await judged(model, isTogether ? [take(0)] : [send(1), take(0)])).toMatchObject({ verdict: 'misfit' });
        expect(await problemOf(model, '{"step":"send","message":2}')).toMatchObject({ code: 'log/value', line: 1 });
        expect(await problemOf(model, '{"message":1}')).toMatchObject({ code: 'log/key', line: 1 });
        expect(await problemOf(model, '{"step":"use","message":1}')).toMatchObject({ code: 'log/key', line: 1 });
        const twice = problemOf(model, '{"step":"send","message":1,"msg":0}', { keys: { msg: 'message' } });
        expect(await twice).toMatchObject({ code: 'log/key', line: 1 });
        const before = problemOf(model, '{"step":"send","before":{"message":1}}');
        expect(await before).toMatchObject({ code: 'log/key', line: 1 });
    });

    const turning = `
channel q: 2 of 0 .. 3 = [1, 2]
channel r: 2 of 0 .. 3
process P { var x: 0 .. 3 = 0  loop { choose { turn: q ? x { q := append(q, x) } } or { pass: q ? x { r := append(r, 3) } } } }
allow deadlock
`;
    test('also in a step that writes this channel, or another one', async () => {
        expect(await judged(turning, [{ step: 'turn', message: 1 }])).toMatchObject({ verdict: 'fits' });
        expect(await judged(turning, [{ step: 'turn', message: 2 }])).toMatchObject({ verdict: 'misfit' });
        expect(await judged(turning, [{ step: 'pass', message: 1 }])).toMatchObject({ verdict: 'fits' });
        expect(await judged(turning, [{ step: 'pass', message: 3 }])).toMatchObject({ verdict: 'misfit' });
    });

    // No state tells which value was sent, so that a symmetry exchanges 1 and 2 for all but the log.
    const chosen = `
type Id = 1 .. 2
var x: bool[Id] = false
channel c: 0 of bool
channel d: bag 1 of Id
process P[i: Id] { loop { flip: x[i] := !x[i] } }
process S { loop { choose { send: c ! x[1] } or { put: d ! 1 { d := {} } } } }
process R { loop { take: c ? _ } }
`;
    test('which symmetries keep', async () => {
        const flipped = (i: number): Line => ({ step: 'flip', process: `P[${i}]` });
        const sent = { step: 'send', message: true };
        expect(await judged(chosen, [flipped(1), sent])).toMatchObject({ verdict: 'fits' });
        expect(await judged(chosen, [flipped(2), sent])).toMatchObject({ verdict: 'misfit' });
        expect(await judged(chosen, [flipped(2), { step: 'put', message: 1 }])).toMatchObject({ verdict: 'fits' });
        expect(await judged(chosen, [flipped(2), { step: 'put', message: 2 }])).toMatchObject({ verdict: 'misfit' });
    });

    test('with the values of its fields where they are', async () => {
        const cases = `
type Id = 1 .. 2
enum M = { stop, tell(who: Id?, seen: set of Id, row: bool[Id]) }
channel c: 0 of M
process P { loop { choose { send: c ! stop } or { send: c ! tell(none, { 2 }, [i in Id: i == 1]) } } }
process Q { loop { c ? _ } }
`;
        const sent = (message: unknown): Promise<LogDocument> => judged(cases, [{ step: 'send', message }]);
        expect(await sent('stop')).toMatchObject({ verdict: 'fits' });
        expect(await sent({ case: 'tell', who: null, row: [true, false] })).toMatchObject({ verdict: 'fits' });
        expect(await sent({ case: 'tell', seen: [2] })).toMatchObject({ verdict: 'fits' });
        expect(await sent('tell(none, {2}, [true, false])')).toMatchObject({ verdict: 'fits' });
        expect(await sent({ case: 'tell', seen: [1] })).toMatchObject({ verdict: 'misfit' });
        expect(await sent({ case: 'tell', who: 1 })).toMatchObject({ verdict: 'misfit' });
    });
});

describe('the logs that the mapping names', () => {
    const files = (mapping?: object): Record<string, string> => ({
        'm.orbit': STEPS,
        'here/m.orbit': STEPS,
        ...(mapping !== undefined && {
            'm.log.json': JSON.stringify(mapping),
            'here/m.log.json': JSON.stringify(mapping),
        }),
        'logs/one.jsonl': '{"step":"up","i":"a"}',
        'logs/two.jsonl': '{"step":"down","i":"a"}',
        'logs/old/three.jsonl': '{"step":"up","i":"a"}',
        'logs/notes': 'no log',
        'here/logs/four.jsonl': '{"step":"up","i":"a"}',
    });
    const judgedAlone = async (words: readonly string[], mapping: object): Promise<readonly (readonly unknown[])[]> => {
        const { stdout, exitCode } = await orbit(['match', ...words, '--json'], { files: files(mapping) });
        const { logs } = JSON.parse(stdout) as MatchDocument;
        return [...logs.map(({ file, verdict }) => [file, verdict]), [exitCode]];
    };

    test('are judged if the call names none', async () => {
        const both = [['logs/one.jsonl', 'fits'], ['logs/two.jsonl', 'misfit'], [1]];
        expect(await judgedAlone(['m.orbit'], { logs: 'logs/*.jsonl' })).toEqual(both);
        expect(await judgedAlone(['m.orbit', 'logs/one.jsonl'], { logs: 'logs/two.jsonl' })).toEqual([
            ['logs/one.jsonl', 'fits'],
            [0],
        ]);
        expect(await judgedAlone(['m.orbit'], { logs: ['logs/old/*', 'logs/**/o*.jsonl'] })).toEqual([
            ['logs/old/three.jsonl', 'fits'],
            ['logs/one.jsonl', 'fits'],
            [0],
        ]);
    });

    test('are paths from the folder of the mapping', async () => {
        const below = [['here/logs/four.jsonl', 'fits'], [0]];
        expect(await judgedAlone(['here/m.orbit'], { logs: 'logs/*' })).toEqual(below);
        expect(await judgedAlone(['m.orbit', '--map', 'here/m.log.json'], { logs: './logs/*' })).toEqual(below);
    });

    test('are asked for if there are none', async () => {
        const errorOf = async (mapping?: object): Promise<string> => {
            const { stderr, exitCode } = await orbit(['match', 'm.orbit'], { files: files(mapping) });
            expect(exitCode).toBe(2);
            return stderr;
        };
        expect(await errorOf()).toContain(
            "orbit match MODEL LOG…, or name them by 'logs' of a mapping; there is no 'm.log.json'",
        );
        expect(await errorOf({})).toContain("'m.log.json' has none");
        expect(await errorOf({ logs: ['log/*', 'logs/*.txt'] })).toContain(
            "no file is as 'logs' of 'm.log.json' says, 'log/*', 'logs/*.txt'",
        );
    });
});
