/** `orbit expand`: what comes out of states, and what is refused. */
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { Expansion } from '../../engine/verdict/expansion.js';
import type { ExploreDocument, SimulateDocument } from '../../language-server/document-schema.js';
import { orbit, type Outcome, type World } from './in-process.js';

/** Three processes that may all be in the middle, which the invariant forbids for two. By hand: see `LOCK_LEVELS`. */
const LOCK = `
model Lock
type Id = 1 .. 3
process P[i: Id] { loop { enter: skip; leave: skip } }
invariant alone = count(i in Id: P[i] at leave) <= 1
`;
/** Orbits by how many are in the middle. Of each state a process enters or leaves: three steps. */
const LOCK_LEVELS = [1, 1, 1, 1];

const files = (text: string): Readonly<Record<string, string>> => ({ 'm.orbit': text });

async function expand(options: string, text: string, standardInput = '', world: World = {}): Promise<Outcome> {
    const words = options.split(' ').filter(word => word !== '');
    return orbit(['expand', 'm.orbit', ...words], { files: files(text), standardInput, ...world });
}

const linesOf = ({ stdout }: Outcome): string[] => stdout.split('\n').slice(0, -1);
const statesOf = (outcome: Outcome): string[] => linesOf(outcome).filter(line => !/^[!#.]/.test(line));

/** Level after level; the model is read for each. */
async function search(
    text: string,
    options = '',
): Promise<{ levels: string[][]; verdicts: string[]; transitions: number }> {
    const levels: string[][] = [];
    const verdicts: string[] = [];
    const seen = new Set<string>();
    let transitions = 0;
    let level = [...new Set(statesOf(await expand(`--initial ${options}`, text)))];
    while (level.length > 0) {
        level.forEach(state => seen.add(state));
        levels.push(level);
        const outcome = await expand(options, text, level.map(state => `${state}\n`).join(''));
        expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
        const lines = linesOf(outcome);
        const [, read, count] = /^# (\d+) read, (\d+) transitions$/.exec(lines.at(-1) ?? '') ?? [];
        expect(Number(read)).toBe(level.length);
        transitions += Number(count);
        verdicts.push(...lines.filter(line => line.startsWith('!')));
        level = [...new Set(statesOf(outcome))].filter(state => !seen.has(state));
    }
    return { levels, verdicts, transitions };
}

test('firings that a constraint cuts off have no line and are counted', async () => {
    const text = 'var n: 0 .. 9[0 .. 1] = 0 constraint n[0] < 2 process P[i: 0 .. 1] { loop { n[i] := n[i] + 1 } }';
    const [first = ''] = statesOf(await expand('--initial', text));
    const [second] = statesOf(await expand('', text, `${first}\n`)).filter(state => state !== first);
    const outcomes = await Promise.all([first, second].map(state => expand('', text, `${state}\n`)));
    // Of (0, 0) both steps stay within; of (1, 0) that of process 0 does not.
    expect(outcomes.map(outcome => linesOf(outcome).at(-1))).toEqual([
        '# 1 read, 2 transitions',
        '# 1 read, 1 transitions, 1 outside',
    ]);
});

describe('a search with it', () => {
    test('has the levels that were counted by hand, and verdicts where states are expanded', async () => {
        const { levels, verdicts, transitions } = await search(LOCK);
        expect(levels.map(({ length }) => length)).toEqual(LOCK_LEVELS);
        expect(transitions).toBe(4 * 3);
        // Two or three processes are in the middle.
        expect(verdicts).toEqual([levels[2], levels[3]].map(level => `! invariant alone ${level?.[0]}`));
    });

    test('has all states without reduction', async () => {
        const { levels } = await search(LOCK, '--reduction none');
        expect(levels.map(({ length }) => length)).toEqual([1, 3, 3, 1]);
    });

    test.each([
        ['semaphore-mutex', '--param N=3'],
        ['hypercube', '--param D=2 --property oneMessage --property deadlock'],
        ['sessions', '--param N=1 --instances Handler=2 --instances Leap=2'],
    ])('of %s counts what the engine counts', async (name, options) => {
        const text = readFileSync(`models/${name}.orbit`, 'utf8');
        const { levels, verdicts, transitions } = await search(text, options);
        const counts = { states: levels.flat().length, transitions, depth: levels.length - 1 };
        // The engine takes one property alone, and as many instances as it needs.
        const given = options.replace(/ --property .*/, ' --property oneMessage').replace(/--instances \S+ ?/g, '');
        const words = `explore m.orbit --continue --json --reduction unique ${given}`
            .split(' ')
            .filter(word => word !== '');
        const { stdout } = await orbit(words, { files: files(text) });
        const { states, transitions: expected, depth } = JSON.parse(stdout) as ExploreDocument;
        expect(counts).toEqual({ states, transitions: expected, depth });
        expect(verdicts).toEqual([]);
    });

    test('comes back with a path, which is a run of the model as written', async () => {
        const { levels, verdicts } = await search(LOCK);
        const state = verdicts[0]?.split(' ').at(-1) ?? '';
        const before = await expand(`--towards ${state}`, LOCK, levels[1]?.join('\n'));
        expect(linesOf(before)).toEqual([levels[1]?.[0], '# 1 read, 3 transitions']);
        const path = [levels[0]?.[0], levels[1]?.[0], state].join('\n');
        const { exitCode, stdout } = await expand('--run --json', LOCK, path);
        const { trace, violation, end } = JSON.parse(stdout) as SimulateDocument;
        expect({ exitCode, end, violation: violation?.name }).toEqual({
            exitCode: 1,
            end: 'violated',
            violation: 'alone',
        });
        expect(trace.map(({ step }) => step?.label)).toEqual([undefined, 'enter', 'enter']);
        expect(new Set(trace.slice(1).map(({ step }) => step?.process)).size).toBe(2);
        const text = await expand('--run', LOCK, path);
        expect([text.exitCode, text.stdout]).toEqual([
            1,
            expect.stringContaining('violated: invariant alone after 2 steps'),
        ]);
        expect((await expand('--run --quiet', LOCK, levels[0]?.[0])).stdout).toBe(
            '0 steps, and nothing violated on the way\n',
        );
    });

    test('with passes has other states, and runs of the model as written', async () => {
        const text = `
            model M
            var seen: 0 .. 3 = 0
            var x: 0 .. 2 = 0
            process P { loop { when x < 2 { x := x + 1; seen := (seen + 1) mod 4 } } }
            invariant small = x < 2`;
        const { levels, verdicts } = await search(text, '--passes all');
        expect(levels.map(([state]) => state)).toEqual(['0', '4', '8']);
        expect(verdicts).toEqual(['! invariant small 8', '! deadlock 8']);
        const { stdout } = await expand('--run --json --passes all', text, '0\n4\n8\n');
        const { trace } = JSON.parse(stdout) as SimulateDocument;
        expect(trace.map(({ state }) => [state['x'], state['seen']])).toEqual([
            [0, 0],
            [1, 1],
            [2, 2],
        ]);
    });
});

describe('what is written for a line', () => {
    const states = async (): Promise<string[]> => (await search(LOCK, '--reduction none')).levels.flat();

    test('does not depend on the lines around it, on the parts in which it comes, or on how often it comes', async () => {
        const all = await states();
        const whole = await expand('--tag', LOCK, all.map(state => `${state}\n`).join(''));
        const alone = await Promise.all(all.map(async state => statesOf(await expand('--tag', LOCK, state))));
        expect(statesOf(whole)).toEqual(alone.flat());
        for (const partBytes of [1, 2, 3, 5]) {
            const again = await expand('--tag', LOCK, all.map(state => `${state}\r\n`).join(''), { partBytes });
            expect(again.stdout).toBe(whole.stdout);
        }
        expect(statesOf(await expand('--tag', LOCK, `${all[0]}\n${all[0]}`))).toEqual([...alone[0]!, ...alone[0]!]);
    });

    test('has the state behind a tab', async () => {
        const [first] = await states();
        const [line] = statesOf(await expand('--tag', LOCK, first));
        expect(line?.split('\t')).toEqual([expect.stringMatching(/^[0-9a-f]$/), first]);
    });

    test('ends with a mark at a dot, and the dot is answered', async () => {
        const [first, second] = await states();
        const { stdout } = await expand('', LOCK, `${first}\n.\n.\n${second}\n${second}\n`);
        const lines = stdout.split('\n').filter(line => /^[#.]/.test(line));
        expect(lines).toEqual([
            '# 1 read, 3 transitions',
            '.',
            '# 0 read, 0 transitions',
            '.',
            '# 2 read, 6 transitions',
        ]);
    });

    test('may be a file of verdicts, with states alone in the output', async () => {
        const all = await states();
        const { stdout, saved } = await expand('--verdicts v', LOCK, all.join('\n'));
        expect(stdout).not.toMatch(/[!#]/);
        const verdicts = Buffer.from(saved.get('v') ?? []).toString();
        expect(verdicts.split('\n').slice(-2)).toEqual(['# 8 read, 24 transitions', '']);
        expect(verdicts.match(/^! invariant alone /gm)).toHaveLength(4);
    });

    test('may be records, which are the same states', async () => {
        // Two digits and one byte.
        const text = LOCK.replaceAll('3', '5');
        const { levels } = await search(text);
        const lines = levels.flat();
        const records = Buffer.from(lines.join(''), 'hex').toString('latin1');
        const asText = await expand('--verdicts v', text, lines.join('\n'));
        const asRecords = await expand('--verdicts v --binary', text, records, { partBytes: 2 });
        expect(Buffer.from(asRecords.stdout, 'latin1').toString('hex')).toBe(asText.stdout.replaceAll('\n', ''));
        expect(asRecords.saved).toEqual(asText.saved);
        const initial = await expand('--verdicts v --binary --initial', text);
        expect(initial.stdout).toBe(records.slice(0, 1));
        const towards = await expand(`--verdicts v --binary --towards ${lines[2]}`, text, records);
        expect(Buffer.from(towards.stdout, 'latin1').toString('hex')).toBe(`${lines[1]}${lines[3]}`);
    });

    test('has no successor if the only step is a fault', async () => {
        const text = 'model M var x: 0 .. 1 = 1 process P { up: x := x + 1 }';
        const [state] = statesOf(await expand('--initial', text));
        const { exitCode, stdout } = await expand('', text, state);
        // The assignment is at this place of the text.
        const column = text.indexOf('x := x') + 1;
        expect(exitCode).toBe(0);
        expect(stdout).toMatch(new RegExp(`^! fault range 1:\\d+ ${state}\\n# 1 read, 1 transitions\\n$`));
        expect(Number(/1:(\d+)/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(column);
        const run = await expand('--run --json', text, state);
        expect((JSON.parse(run.stdout) as SimulateDocument).trace.at(-1)?.fault).toBe('range');
    });

    test('is a digit if there are no bits', async () => {
        const text = 'model M process P { loop { again: skip } }';
        const { levels, transitions } = await search(text);
        expect([levels, transitions]).toEqual([[['0']], 1]);
        expect((await expand('', text, '1')).stderr).toContain('bits that are in no variable are set');
    });

    test('has all digits of several words', async () => {
        const text =
            'model M type I = 0 .. 29 var a: 0 .. 7[I] = [i in I: i mod 8] process P { loop { up: when a[0] < 7 { a[0] := a[0] + 1 } } }';
        const [initial] = statesOf(await expand('--initial --reduction none', text));
        // 21 cells of three bits fill a long word but for a bit; the other nine come in the next.
        const word = (first: number, count: number): string =>
            Array.from({ length: count }, (_, i) => ((first + i) % 8).toString(2).padStart(3, '0')).join('');
        const bits = `${word(0, 21)}0${word(21, 9)}`;
        const digits = bits
            .padEnd(92, '0')
            .match(/.{4}/g)!
            .map(four => parseInt(four, 2).toString(16));
        expect(initial).toBe(digits.join(''));
        const [next] = statesOf(await expand('--reduction none', text, initial));
        expect(next).toBe(`2${initial?.slice(1)}`);
    });
});

/** Two counters that go up by themselves: sixteen states, and seven are enough for the deadlock in the last one. */
const COUNTERS = `
model Counters
type Id = 0 .. 1
var n: 0 .. 3[Id] = 0
process P[i: Id] { loop { up: when n[i] < 3 { n[i] := n[i] + 1 } } }
`;

describe('some of the steps', () => {
    test('a search finds the same, and counts the steps that are taken', async () => {
        const all = await search(COUNTERS, '--reduction none');
        expect(all.levels.flat()).toHaveLength(16);
        for (const kind of ['shortest', 'fewest']) {
            const { levels, verdicts, transitions } = await search(COUNTERS, `--reduction none --por ${kind}`);
            expect(verdicts).toEqual(all.verdicts);
            expect(levels.map(states => states.length)).toEqual([1, 1, 1, 1, 1, 1, 1]);
            expect(transitions).toBe(6);
            const path = levels.flat().map(state => `${state}\n`);
            const run = await expand(`--reduction none --por ${kind} --run`, COUNTERS, path.join(''));
            expect(run).toMatchObject({ exitCode: 1, stderr: '' });
            expect(run.stdout).toContain('deadlock');
        }
    });

    test('states belong to the choice', async () => {
        const identities = ['', '--por shortest', '--por fewest'].map(options =>
            expand(`--identity ${options}`, COUNTERS),
        );
        expect(new Set((await Promise.all(identities)).map(({ stdout }) => stdout)).size).toBe(3);
    });

    test('what depends on more than the state is no choice, and a choice that is not possible is told', async () => {
        const auto = await expand('--por auto', COUNTERS);
        expect(auto).toMatchObject({ exitCode: 2 });
        expect(auto.stderr).toContain('Allowed choices are off, shortest, fewest');
        const many = 'model Many process P { choose k in 0 .. 2048 { a: skip } }';
        const { exitCode, stderr } = await expand('--por shortest --reduction none --initial', many);
        expect(exitCode).toBe(0);
        expect(stderr).toBe(
            'all steps are taken: the model has 2049 steps, and at most 2048 are compared with each other\n',
        );
    });
});

describe('states that are none', () => {
    const text = 'model M var x: 0 .. 4 = 0 var y: 0 .. 255 = 0 process P { loop { when x < 4 { x := x + 1 } } }';

    test('dots are, and as many of them as there are', async () => {
        for (const partBytes of [1, 100]) {
            const { exitCode, stdout } = await expand('', text, '.\n.\n000\n.\n.', { partBytes });
            expect([exitCode, stdout.match(/^\.$/gm)?.length]).toEqual([0, 4]);
        }
    });

    test.each([
        [
            '000\n00\n',
            'line 2: a state of this model has 3 digits, and here are 2; were these states made with other parameters',
        ],
        ['000\n0000\n', 'line 2: a state of this model has 3 digits, and here are 4'],
        ['000\n00', 'line 2: the input ends within it'],
        ['\n', 'line 1: a state of this model has 3 digits, and here are 0'],
        ['0g0\n', "line 1: 'g' in column 2 is no hexadecimal digit"],
        ['0ü0\n', 'in column 2 is no hexadecimal digit'],
        ['0A0\n', "line 1: the digit 'A' in column 2 is written in lower case"],
        ['000\t000\n', 'line 1: behind the tab is what `--tag` writes: only states are read (`cut -f 1`)'],
        ['! deadlock 000\n', 'line 1: it is a verdict or an end mark'],
        ['a00\n', 'line 1: this is no state of the model, since `x` has no such value'],
        ['001\n', 'line 1: this is no state of the model, since bits that are in no variable are set'],
    ])('%j is an error at its line', async (input, message) => {
        const { exitCode, stdout, stderr } = await expand('', text, Buffer.from(input).toString('latin1'));
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
        // What is not whole does not look so.
        expect(stdout).not.toContain('#');
    });

    test('neither is a line without an end, nor a record without one', async () => {
        expect((await expand('', text, 'f'.repeat(100_000))).stderr).toContain('a state of this model has 3 digits');
        const { exitCode, stderr, saved } = await expand('--binary --verdicts v', text, '\0\0\0');
        expect([exitCode, stderr]).toEqual([
            2,
            expect.stringContaining('record 2: the input ends within it, after 1 of 2 bytes'),
        ]);
        expect(saved.size).toBe(0);
    });

    test.each([
        ['--towards 00', '--towards: a state of this model has 3 digits'],
        ['--towards .', '--towards: it takes one state'],
    ])('of an option %s neither', async (options, message) => {
        expect(await expand(options, text)).toMatchObject({
            exitCode: 2,
            stderr: expect.stringContaining(message) as string,
        });
    });

    test.each([
        ['', 'there is no state'],
        ['.\n', 'line 1: a dot is no state of a path'],
        ['200\n', 'line 1: it represents no initial state'],
        ['000\n400\n', 'line 2: no step leads to it from line 1'],
    ])('of a path %j', async (input, message) => {
        expect(await expand('--run', text, input)).toMatchObject({
            exitCode: 2,
            stderr: expect.stringContaining(message) as string,
        });
    });
});

describe('states of something else are refused', () => {
    const identityOf = async (options = '', text = LOCK): Promise<string> =>
        (await expand(`--identity ${options}`, text)).stdout.trim();
    const text = LOCK.replace('model Lock', 'model Lock\nparam unused: 0 .. 1 = 0');

    test('unless it is expected', async () => {
        const identity = await identityOf();
        expect(identity).toMatch(/^Lock:\d+\.\d+\.\d+:[0-9a-f]{64}$/);
        expect(await identityOf()).toBe(identity);
        expect((await expand(`--initial --expect ${identity}`, LOCK)).exitCode).toBe(0);
        const document = JSON.parse((await expand('--identity --json', LOCK)).stdout) as object;
        expect(document).toMatchObject({ schemaVersion: 1, model: 'Lock', identity, digits: 1, bytes: 1, order: '6' });
    });

    test.each([
        ['another text', '', text.replace('loop {', 'loop { wait: skip;'), 'another expansion'],
        ['another parameter', '--param unused=1', text, 'another expansion'],
        ['no reduction', '--reduction none', text, 'another expansion'],
        ['one property', '--property alone', text, 'another expansion'],
        ['another model', '', text.replace('model Lock', 'model Door'), "are of the model 'Door', not of 'Lock'"],
    ])('%s', async (_, options, other, message) => {
        const identity = await identityOf(options, other);
        const outcome = await expand(`--expect ${identity}`, text, '0\n');
        expect(outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) as string });
    });

    test('another version, and what is no identity', async () => {
        const [model, , digest] = (await identityOf()).split(':');
        const outcome = await expand(`--expect ${model}:9.9.9:${digest}`, LOCK, '0\n');
        expect(outcome).toMatchObject({
            exitCode: 2,
            stderr: expect.stringContaining('made by Orbit 9.9.9, and this is') as string,
        });
        expect((await expand('--expect abc', LOCK)).stderr).toContain("'abc' is no identity");
    });
});

describe('a certificate', () => {
    const write = async (text: string): Promise<string> =>
        (await orbit(['verify', 'm.orbit', '--output', 'c.json'], { files: files(text) })).written.get('c.json') ?? '';

    test('gives the representatives and the identity of the search that wrote it', async () => {
        const withFile = { files: { ...files(LOCK), 'c.json': await write(LOCK) } };
        // Of the steps alone, where deadlock is all that is checked, a search finds more than the file has.
        for (const options of ['--identity', '--identity --property alone', '']) {
            const plain = await expand(options, LOCK, '5\n');
            expect(await expand(`${options} --certificate c.json`, LOCK, '5\n', withFile)).toEqual(plain);
        }
    });

    test('of another model, or with other symmetries, is refused', async () => {
        const certificate = await write(LOCK);
        const changed = LOCK.replace('<= 1', '<= 2');
        const world = { files: { ...files(changed), 'c.json': certificate } };
        // The invariant is in no graph of the certificate, and keeps the same symmetries.
        expect((await expand('--initial --certificate c.json', changed, '', world)).exitCode).toBe(0);
        const other = LOCK.replace('loop {', 'loop { wait: skip;');
        const refused = await expand('--initial --certificate c.json', other, '', {
            files: { ...files(other), 'c.json': certificate },
        });
        expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("'c.json'") as string });
        const first = LOCK.replace('count(i in Id: P[i] at leave) <= 1', 'P[1] at enter');
        const wrong = await expand('--initial --certificate c.json', first, '', {
            files: { ...files(first), 'c.json': certificate },
        });
        expect(wrong).toMatchObject({
            exitCode: 2,
            stderr: expect.stringContaining('no group that keeps what is checked and agrees with the model') as string,
        });
    });

    test('whose order is wrong is refused', async () => {
        const certificate = (await write(LOCK)).replaceAll('"order":"6"', '"order":"3"');
        const { exitCode } = await expand('--initial --certificate c.json', LOCK, '', {
            files: { ...files(LOCK), 'c.json': certificate },
        });
        expect(exitCode).toBe(2);
    });
});

describe('instances', () => {
    const text = readFileSync('models/sessions.orbit', 'utf8');

    test('are asked for', async () => {
        const outcome = await expand('--initial --instances Handler=2', text);
        expect(outcome).toMatchObject({
            exitCode: 2,
            stderr: expect.stringContaining('`--instances Leap=COUNT`') as string,
        });
    });

    test('that are too few are verdicts, and 3 at the end', async () => {
        const options = '--instances Handler=1 --instances Leap=1';
        let level = statesOf(await expand(`--initial ${options}`, text));
        let outcome = await expand(options, text, level.join('\n'));
        for (let depth = 0; outcome.exitCode === 0 && depth < 10; depth++) {
            level = [...new Set(statesOf(outcome))];
            outcome = await expand(options, text, level.join('\n'));
        }
        expect(outcome.exitCode).toBe(3);
        expect(outcome.stdout).toMatch(/^! instances Handler [0-9a-f]+$/m);
        // Nothing else is lost.
        expect(linesOf(outcome).at(-1)).toMatch(new RegExp(`^# ${level.length} read`));
        expect(outcome.stderr).toContain('--instances Handler=COUNT');
    });

    test('have no passes', async () => {
        const options = '--initial --passes all --instances Handler=2 --instances Leap=2';
        expect((await expand(options, text)).stderr).toContain('the model has templates: `--passes` cannot be used');
    });
});

describe('values without end', () => {
    const text = readFileSync('models/challenge-response.orbit', 'utf8');
    // Single states are looked at, and the model has properties of runs.
    const states = '--property deadlock';

    test('need room, and have no passes', async () => {
        expect((await expand(`--initial ${states}`, text)).stderr).toContain(
            "'Nonce' has values without end, and states need room for them: `--instances Nonce=COUNT`",
        );
        expect((await expand(`--initial --passes all --instances Nonce=5 ${states}`, text)).stderr).toContain(
            "the model has values without end: `--passes` cannot be used, because a search keeps as many of 'Nonce'",
        );
    });

    test('have as many states as exploration finds', async () => {
        const options = `--param N=1 --instances Nonce=4 ${states}`;
        let level = statesOf(await expand(`--initial ${options}`, text));
        const seen = new Set(level);
        while (level.length > 0) {
            const outcome = await expand(options, text, level.join('\n'));
            expect(outcome.exitCode).toBe(0);
            level = [...new Set(statesOf(outcome))].filter(state => !seen.has(state));
            level.forEach(state => seen.add(state));
        }
        // By an interpreter in another language.
        expect(seen.size).toBe(27);
    });
});

describe('what else is refused', () => {
    test('properties of runs', async () => {
        const text = readFileSync('models/hypercube.orbit', 'utf8');
        const { exitCode, stderr } = await expand('--initial --param D=2', text);
        expect([exitCode, stderr]).toEqual([
            2,
            expect.stringContaining(
                "'delivered' is about runs, and here single states are looked at; `--property deadlock --property oneMessage`",
            ),
        ]);
    });

    test('a reader that goes away ends with 2', async () => {
        const outcome = await expand('', LOCK, '0\n', { isReaderGone: true });
        expect(outcome).toMatchObject({
            exitCode: 2,
            stdout: '',
            stderr: expect.stringContaining('cannot write the states') as string,
        });
        const withFile = await expand('--verdicts v', LOCK, '0\n', { isReaderGone: true });
        expect([withFile.exitCode, withFile.saved.size]).toEqual([2, 0]);
    });

    test.each([
        ['--binary', "'--binary' needs '--verdicts <file>'"],
        ['--initial --run', 'cannot be used with'],
        ['--tag --towards 0', 'cannot be used with'],
        ['--reduction none --certificate c', "'--reduction none' uses no '--certificate <file>'"],
        ['--property nothing', "the model states no property 'nothing'"],
        ['--verdicts m.orbit', 'cannot write'],
        ['--instances X=2', "the model has no template 'X'"],
    ])('%s', async (options, message) => {
        expect(await expand(options, LOCK)).toMatchObject({
            exitCode: 2,
            stderr: expect.stringContaining(message) as string,
        });
    });

    test('a document of states', async () => {
        const { exitCode, stdout } = await expand('--json', LOCK);
        expect([exitCode, stdout]).toEqual([2, expect.stringContaining("'--json' is for '--identity' and '--run'")]);
    });

    test('representatives that are not unique, or are not found, end with 3', async () => {
        const isUnique = vi.spyOn(Expansion.prototype, 'isUnique', 'get').mockReturnValue(false);
        const outcome = await expand('', LOCK, '0\n');
        expect([outcome.exitCode, outcome.stdout]).toEqual([3, '']);
        expect(outcome.stderr).toContain('`--reduction none` uses no symmetry');
        isUnique.mockRestore();
        const expanding = vi.spyOn(Expansion.prototype, 'expand').mockImplementation((_states, _count, sink) => {
            sink.undecided(1);
        });
        const given = await expand('', LOCK, '0\n8\nc\n');
        expect([given.exitCode, given.stdout]).toEqual([3, '']);
        expect(given.stderr).toContain(
            'line 2: a successor of the state has a representative that takes too much work',
        );
        expanding.mockRestore();
    });

    test('a folder in place of states', async () => {
        const outcome = await expand('', LOCK, '', { inputError: 'EISDIR' });
        expect(outcome).toMatchObject({
            exitCode: 2,
            stdout: '',
            stderr: expect.stringContaining("cannot read '-': it is a folder") as string,
        });
    });

    test('a model on standard input, where states come', async () => {
        const outcome = await orbit(['expand', '-'], { standardInput: LOCK });
        expect(outcome).toMatchObject({
            exitCode: 2,
            stderr: expect.stringContaining('standard input is for states here') as string,
        });
        expect((await orbit(['expand', '-', '--identity'], { standardInput: LOCK })).exitCode).toBe(0);
    });

    test('no initial state', async () => {
        const { exitCode, stderr } = await expand(
            '--initial',
            'model M var x: bool = any init x && !x process P { loop { a: skip } }',
        );
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining('there is no initial state')]);
    });
});
