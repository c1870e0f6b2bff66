/** Models whose instances are created: how many there are at once, their names along runs, and the limit on them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ExploreDocument, SimulateDocument, SweepDocument } from '../../language-server/document-schema.js';
import { orbit, type Outcome } from './in-process.js';

const SESSIONS = readFileSync('models/sessions.orbit', 'utf8');

/** Instances that never end. */
const ENDLESS = `model Endless
process Main { var last: W? = none  loop { make: last := spawn W(last) } }
process W(before: W?) { stay: when false }
`;

/** The name of the one that has ended is held while the next one is created. */
const HELD = `model Held
process Main {
    var old: W? = none
    var new: W? = none
    first: old := spawn W();
    wait: when !alive(old);
    second: new := spawn W();
    look: { assert old == new }
}
process W() { leave: skip }
`;

/** Two instances, and nobody can go on. */
const STUCK = `model Stuck
process Main { one: spawn W(1); two: spawn W(2) }
process W(x: 1 .. 2) { wait: when false; leave: skip }
`;

function run(model: string, ...words: string[]): Promise<Outcome> {
    const [command = '', ...options] = words;
    return orbit([command, 'm', ...options], { files: { m: model, s: SCRIPT } });
}

const SCRIPT = 'Main[1] request\nHandler#1 call\nLeap#1 calculate\nHandler#1 answer\nHandler#1 done\nMain[1] request\n';

async function explored(model: string, ...words: string[]): Promise<{ document: ExploreDocument; exitCode: number }> {
    const { stdout, stderr, exitCode } = await run(model, 'explore', '--json', ...words);
    expect(stderr).toBe('');
    return { document: JSON.parse(stdout) as ExploreDocument, exitCode };
}

test('counts are of classes up to names, and the most instances at once are told', async () => {
    const { document, exitCode } = await explored(SESSIONS);
    // The classes are those of the source paper for two servers with one session each.
    expect([exitCode, document.verdict, document.states, document.transitions]).toEqual([0, 'holds', 15, 30]);
    expect(document.templates?.map(({ name, mostLive }) => [name, mostLive])).toEqual([
        ['Handler', 2],
        ['Leap', 2],
    ]);
    expect(document.growthRounds).toBeGreaterThanOrEqual(1);
    const { stdout } = await run(SESSIONS, 'explore');
    expect(stdout).toMatch(/^ {2}states +15 \(one for each orbit, up to names\)$/m);
    expect(stdout).toMatch(/^ {2}instances +Handler at most 2 at once, Leap at most 2 at once$/m);
});

test('a model without templates has none of these fields', async () => {
    const { document } = await explored('model M\nvar x: bool = false\nprocess P { loop { flip: x := !x } }\n');
    expect(document).not.toHaveProperty('templates');
    expect(document).not.toHaveProperty('growthRounds');
});

test('too many instances end it undecided, with a run that creates them', async () => {
    const { document, exitCode } = await explored(ENDLESS, '--max-instances', '3');
    expect([exitCode, document.verdict, document.violations]).toEqual([3, 'undecided', []]);
    expect(document.limit).toMatchObject({ kind: 'instances', value: 3, template: 'W' });
    const { trace = [] } = document.limit ?? {};
    expect(trace.map(({ step }) => step?.label)).toEqual([undefined, 'make', 'make', 'make', 'make']);
    expect(trace.at(-1)).toMatchObject({ fault: 'slots', changed: [] });
    expect(trace.at(3)).toMatchObject({
        state: { 'Main.last': 'W#3', 'W#1.at': 'stay', 'W#3.at': 'stay' },
        changed: expect.arrayContaining(['Main.last', 'W#3.at']) as unknown,
    });
    const { stdout } = await run(ENDLESS, 'explore', '--max-instances', '3');
    expect(stdout).toContain(
        'undecided: more than 3 instances of W live or are named at once; nothing down to depth 1\n',
    );
    expect(stdout).toContain('A run that creates one more W\n');
    expect(stdout).toContain('there is no room for one more instance\n');
});

test('the limit is one of at most 64', async () => {
    for (const wrong of ['0', '65', '1e1']) {
        const { exitCode, stderr } = await run(ENDLESS, 'explore', '--max-instances', wrong);
        expect(exitCode).toBe(2);
        expect(stderr).toContain('--max-instances');
    }
});

test('reports for build servers call it undecided', async () => {
    const { stdout, exitCode } = await run(ENDLESS, 'explore', '--max-instances', '2', '--format', 'junit');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('more than 2 instances of W live or are named at once');
});

test('instances have the numbers in which they were created, and the ended one keeps its own', async () => {
    const { document, exitCode } = await explored(HELD);
    expect(exitCode).toBe(1);
    const [violation] = document.violations;
    const names = violation?.trace.map(({ step, changed }) => [step?.process, step?.label, changed]);
    expect(names).toEqual(
        [
            [undefined, undefined, []],
            ['Main', 'first', ['Main.old', 'Main.at', 'W#1.at']],
            ['W#1', 'leave', ['Main.old', 'W#1.at']],
            ['Main', 'wait', ['Main.at']],
            ['Main', 'second', ['Main.at', 'Main.new', 'W#2.at']],
            ['Main', 'look', []],
        ].map(entry => [entry[0], entry[1], expect.arrayContaining(entry[2] as string[]) as unknown]),
    );
    expect(violation?.trace.at(-1)?.state).toMatchObject({ 'Main.old': 'W#1 (ended)', 'Main.new': 'W#2' });
    expect(violation?.reason?.[0]?.text).not.toContain('@');
});

test('a slot without an instance is no part of a state, and its end is a change', async () => {
    const { document } = await explored(HELD);
    const trace = document.violations[0]?.trace ?? [];
    expect(Object.keys(trace[0]?.state ?? {}).filter(name => name.startsWith('W'))).toEqual([]);
    expect(trace[2]?.state).not.toHaveProperty(['W#1.at']);
    expect(trace[2]?.changed).toContain('W#1.at');
});

test('a reason counts the instances that live', async () => {
    const { document } = await explored(STUCK);
    const texts = document.violations[0]?.reason?.map(({ text }) => text) ?? [];
    expect(texts[0]).toBe('`W#1` and `W#2` wait, and no step is possible; 1 may stop.');
});

test('a walk and a script know the names', async () => {
    const { stdout, exitCode, stderr } = await run(SESSIONS, 'simulate', '--json', '--script', 's');
    expect([exitCode, stderr]).toEqual([0, '']);
    const { trace } = JSON.parse(stdout) as SimulateDocument;
    expect(trace.map(({ step }) => step?.process)).toEqual([
        undefined,
        'Main[1]',
        'Handler#1',
        'Handler#1 & Leap#1',
        'Handler#1',
        'Main[1] & Handler#1',
        'Main[1]',
    ]);
    expect(trace.at(-1)?.changed).toContain('Handler#2.at');
});

test('a walk gets as many instances as it creates', async () => {
    const { stdout } = await run(ENDLESS, 'simulate', '--json', '--steps', '20');
    expect((JSON.parse(stdout) as SimulateDocument).trace.at(-1)?.state).toMatchObject({ 'Main.last': 'W#20' });
    const { exitCode, stderr } = await run(ENDLESS, 'simulate', '--steps', '80');
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('[limit/created]')]);
});

test('a sweep has the instances of each value', async () => {
    const { stdout, exitCode } = await run(SESSIONS, 'explore', '--json', '--sweep', 'K=1..2', '--param', 'N=1');
    const { sweep } = JSON.parse(stdout) as SweepDocument;
    expect(exitCode).toBe(0);
    // The numbers of the source paper.
    expect(sweep.map(({ states, templates }) => [states, templates?.[0]?.mostLive])).toEqual([
        [5, 1],
        [15, 2],
    ]);
});

test('a row of a sweep tells the symmetries beside the exchanges of names', async () => {
    const { stdout } = await run(SESSIONS, 'explore', '--sweep', 'N=2..2');
    expect(stdout).toContain('2 symmetries and names');
    // Three processes of one step, 3! = 6; nothing exchanges slots in which no instance has been.
    const three = 'param N: 1 .. 2 = 1\nprocess P[i: 1 .. 3] { go: skip }\nprocess W() { go: skip }\n';
    expect((await run(three, 'explore', '--sweep', 'N=1..1')).stdout).toContain('6 symmetries and names');
});

test('with --each the most of all explorations is told', async () => {
    const { document } = await explored(SESSIONS, '--each');
    expect(document.templates?.map(({ mostLive }) => mostLive)).toEqual([2, 2]);
});

test.each([['--passes', 'all'], ['--coverage'], ['--checkpoint', 'c']])(
    '%s is refused for a model with templates',
    async (...words) => {
        const { exitCode, stderr } = await run(SESSIONS, 'explore', ...words);
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the model has templates')]);
    },
);

test.each([['--passes', 'all'], ['--coverage'], ['--checkpoint', 'c']])(
    '%s is refused for values without end in words of its own',
    async (...words) => {
        const { exitCode, stderr } = await run(
            readFileSync('models/challenge-response.orbit', 'utf8'),
            'explore',
            '--property',
            'deadlock',
            ...words,
        );
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the model has values without end')]);
        expect(stderr).toMatch(/`--\w+` cannot be used, because a search keeps as many of 'Nonce' as it needs$/m);
    },
);

test('a state graph names instances, and says if there are too few', async () => {
    const { stdout, exitCode } = await run(SESSIONS, 'export', '--to', 'aut', '--param', 'N=1');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('"Handler#1 & Leap#1 calculate"');
    expect(stdout).not.toContain('@');
    const few = await run(ENDLESS, 'export', '--to', 'aut');
    expect([few.exitCode, few.stderr]).toEqual([3, expect.stringContaining('`--instances W=6` considers more')]);
});
