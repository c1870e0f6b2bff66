/** `simulate --ask`: values of expressions in each state of a run, as the text of the language writes them. */
import { expect, test } from 'vitest';
import { orbit } from './in-process.js';

const MAIL =
    'enum M = { ask(b: 0 .. 3), stop }\nrecord R = { x: 0 .. 3, ok: bool, m: M }\n' +
    'var r: R = R(1, false, ask(2))\nvar q: seq 3 of M = [stop]\nvar b: bag 2 of 0 .. 3 = { 1, 2: 2 }\n' +
    'channel net: 2 of M\nvar o: M? = none\nvar a: 0 .. 3[2] = 2\n' +
    'process A { loop { one: q := append(q, ask(1)); two: net ! ask(3); three: net ? o; four: q := tail(q) } }\n';

/** The last value of each question, after so many steps. */
async function ask(m: string, steps: number, ...questions: readonly string[]): Promise<string[]> {
    const words = ['simulate', 'm', '--json', '--steps', String(steps), ...questions.flatMap(text => ['--ask', text])];
    const { stdout } = await orbit(words, { files: { m } });
    const { trace } = JSON.parse(stdout) as { trace: { asked: Record<string, string> }[] };
    expect(trace).toHaveLength(steps + 1);
    return questions.map(text => trace.at(-1)?.asked[text] ?? '');
}

test('values of every type are shown', async () => {
    const values = await ask(
        MAIL,
        2,
        'r',
        'q',
        'b',
        'net',
        'o',
        'a',
        'r.m',
        'elements(q)',
        'concat(q, [stop])',
        '2 * 3',
    );
    expect(values).toEqual([
        'R(1, false, ask(2))',
        '[stop, ask(1)]',
        '{1, 2: 2}',
        '[ask(3)]',
        'none',
        '[2, 2]',
        'ask(2)',
        '{ask(1), stop}',
        '[stop, ask(1), stop]',
        '6',
    ]);
    expect(await ask(MAIL, 1, 'A at two', '[i in 0 .. 3: i in b]', 'if r.ok then 1 else 5')).toEqual([
        'true',
        '[false, true, true, false]',
        '5',
    ]);
});

test('a fault is told as its sentence, and only where the value has that part', async () => {
    expect(await ask(MAIL, 1, '1 div (r.x - 1)', 'o.b', 'head(net)')).toEqual([
        'fault: a number is divided by zero',
        expect.stringMatching(/^fault: /),
        expect.stringMatching(/^fault: /),
    ]);
});

test('a local that nothing reads any more has its value all the same', async () => {
    const m = 'process Q { var t: 0 .. 3 = 0; loop { a: t := 3; c: when t == 3 { skip } b: skip } }\n';
    expect(await ask(m, 2, 'Q.t', 'Q.t + 1')).toEqual(['3', '4']);
});

test('instances and numbers without end have their names in the run', async () => {
    const created =
        'process Main { var w: W? = none; loop { go: w := spawn W(1); b: skip } }\nprocess W(k: 0 .. 3) { a: skip }\n';
    const named = created.replace('process Main { var w: W? = none; loop', 'var w: W? = none\nprocess Main { loop');
    // The second one, as the run calls it.
    expect(await ask(named, 3, 'count(v in W: true)', 'w')).toEqual(['2', 'W#2']);
    const tickets = 'var next: nat = 7\nprocess P { loop { take: next := next + 1 } }\n';
    expect(await ask(tickets, 3, 'next', 'next > 9')).toEqual(['10', 'true']);
});

test('on the terminal each value stands below its step', async () => {
    const { stdout } = await orbit(['simulate', 'm', '--steps', '1', '--ask', 'len(q)'], { files: { m: MAIL } });
    expect(stdout).toMatch(
        /initial state\n( {5}.*\n)* {5}len\(q\): 1\n {2}1 {2}A one .*\n( {5}.*\n)* {5}len\(q\): 2\n$/,
    );
});

test.each([
    ['none', '1:1', 'this alone has no type'],
    ['r.x then r.x', '1:10', 'one value is asked for'],
    ['always r.ok', '1:1', '`always` is about a run'],
    ['A takes one', '1:1', 'is about a run'],
    ['r.x invariant x = true', '1:5', 'a question is one value and nothing else'],
    ['', '1:1', 'an expression is expected here'],
    ['r.y', '1:3', 'has no field'],
])('%j is refused at its place', async (question, place, message) => {
    const { stderr, exitCode } = await orbit(['simulate', 'm', '--ask', question], { files: { m: MAIL } });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^--ask:${place}: error: .*${message}`))]);
});
