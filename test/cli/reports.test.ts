/** Verdicts in the forms that code scanning services and build servers read: SARIF and JUnit. */
import { describe, expect, test } from 'vitest';
import { toJunit } from '../../cli/report/junit.js';
import { TimeIsOver } from '../../cli/io.js';
import { orbit } from './in-process.js';

/** Both workers look before one of them enters: after 4 steps both are inside. */
const LOCK = `model Lock
param N: 2 .. 5 = 2
type Id = 1 .. N
var taken: bool = false
process Worker[i: Id] {
    loop { look: when !taken; enter: taken := true; leave: taken := false }
}
invariant alone = count(i in Id: Worker[i] at leave) <= 1
invariant some = count(i in Id: Worker[i] at leave) <= N
assert symmetric Worker
`;

/** Without `strong fair` the second process may always be faster at `enter`. */
const FAIR = `model Fair
type Id = 1 .. 2
var free: bool = true
fair process P[i: Id] {
    loop { try: skip; enter: when free { free := false } leave: free := true }
}
invariant alone = count(i in Id: P[i] at leave) <= 1
property served = forall i in Id: P[i] at enter leads to P[i] at leave
property restart = always possible (forall i in Id: P[i] at try)
`;

/** Nothing ever changes. */
const IDLE = `model Idle
var moved: bool = false
process P { loop { idle: skip } }
assume moves = infinitely often moved
property comes = eventually moved
`;

interface Place {
    readonly physicalLocation: { readonly region: { readonly startLine: number } };
    readonly message?: { readonly text: string };
}
interface Result {
    readonly ruleId: string;
    readonly level: string;
    readonly message: { readonly text: string };
    readonly locations: readonly Place[];
    readonly codeFlows?: readonly [{ threadFlows: readonly [{ locations: readonly { location: Place }[] }] }];
}
interface Run {
    readonly results: readonly Result[];
    readonly invocations: readonly [{ toolExecutionNotifications?: readonly { message: { text: string } }[] }];
}

async function report(words: readonly string[], text = LOCK): Promise<{ text: string; exitCode: number }> {
    const { stdout, stderr, exitCode } = await orbit([...words], { files: { 'lock.orbit': text } });
    expect(stderr).toBe('');
    return { text: stdout, exitCode };
}

async function sarif(words: readonly string[], text = LOCK): Promise<Run> {
    const { runs } = JSON.parse((await report([...words, '--format', 'sarif'], text)).text) as { runs: [Run] };
    return runs[0];
}

/** The cases with their outcomes: `passed`, or the element that says otherwise, with its message. */
async function junit(words: readonly string[], text = LOCK): Promise<readonly string[]> {
    const { text: xml } = await report([...words, '--format', 'junit'], text);
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="Orbit" /);
    return [
        ...xml.matchAll(/<testsuite name="([^"]*)"|<testcase name="([^"]*)"[^>]*?(\/>|>\s*<(\w+) message="([^"]*)")/g),
    ].map(
        ([, suite, name, end, element, message]) =>
            suite ?? `${name}: ${end === '/>' ? 'passed' : `${element}: ${message}`}`,
    );
}

describe('an exploration', () => {
    test('is a result with its run for a code scanning service', async () => {
        const { results } = await sarif(['explore', 'lock.orbit']);
        expect(results).toHaveLength(1);
        const [{ ruleId, level, message, locations, codeFlows }] = results as [Result];
        expect([ruleId, level]).toEqual(['explore/violated', 'error']);
        expect(message.text).toContain('alone is violated after 4 steps');
        expect(locations[0]?.physicalLocation.region.startLine).toBe(8);
        const steps = codeFlows?.[0].threadFlows[0].locations.map(({ location }) => location) ?? [];
        expect(steps.map(({ physicalLocation }) => physicalLocation.region.startLine)).toEqual([6, 6, 6, 6]);
        expect(steps.at(-1)?.message?.text).toMatch(/^4: Worker\[\d\] enter$/);
    });

    test('is a test for each property on a build server', async () => {
        expect(await junit(['explore', 'lock.orbit'])).toEqual([
            'lock.orbit N = 2',
            'faults: skipped: the search ended at another violation',
            'deadlock: skipped: the search ended at another violation',
            expect.stringMatching(/^alone: failure: alone is violated after 4 steps: /),
            'some: skipped: the search ended at another violation',
        ]);
        expect(await junit(['explore', 'lock.orbit', '--continue'])).toEqual([
            'lock.orbit N = 2',
            'faults: passed',
            'deadlock: passed',
            expect.stringMatching(/^alone: failure: /),
            'some: passed',
        ]);
        expect(await junit(['explore', 'lock.orbit', '--property', 'some'])).toEqual([
            'lock.orbit N = 2',
            'faults: passed',
            'some: passed',
        ]);
    });

    test('of each property alone, and of several sizes, has all of them', async () => {
        expect(await junit(['explore', 'lock.orbit', '--each'])).toEqual([
            'lock.orbit N = 2',
            'faults: passed',
            'deadlock: passed',
            expect.stringMatching(/^alone: failure: /),
            'some: passed',
        ]);
        const sweep = ['explore', 'lock.orbit', '--sweep', 'N=2..3', '--property', 'some'];
        expect(await junit(sweep)).toEqual([
            'lock.orbit N = 2',
            'faults: passed',
            'some: passed',
            'lock.orbit N = 3',
            'faults: passed',
            'some: passed',
        ]);
    });

    test('that a limit ended is never passed', async () => {
        const words = ['explore', 'lock.orbit', '--property', 'some', '--max-states', '2'];
        expect((await report([...words, '--format', 'junit'])).exitCode).toBe(3);
        expect(await junit(words)).toEqual([
            'lock.orbit N = 2',
            'faults: error: the limit of 2 states was reached',
            'some: error: the limit of 2 states was reached',
        ]);
        const { results, invocations } = await sarif(words);
        expect(results).toEqual([]);
        expect(invocations[0].toolExecutionNotifications?.map(({ message }) => message.text)).toContain(
            'lock.orbit N = 2: some: the limit of 2 states was reached',
        );
    });

    test('of a property of runs has the run, and where that goes on', async () => {
        const { results } = await sarif(['explore', 'lock.orbit'], FAIR);
        const [{ ruleId, message, locations, codeFlows }] = results as [Result];
        expect(ruleId).toBe('explore/violated');
        expect(message.text).toMatch(/^served is violated by a run that repeats \d+ steps for ever\n/);
        expect(message.text).toContain('strong fair enter: would exclude this run');
        expect(locations[0]?.physicalLocation.region.startLine).toBe(8);
        const steps = codeFlows?.[0].threadFlows[0].locations ?? [];
        expect(steps.at(-1)?.location.message?.text).toMatch(/^back to \d+, for ever$/);
        // All states are known before the runs are looked at.
        expect(await junit(['explore', 'lock.orbit'], FAIR)).toEqual([
            'lock.orbit',
            'faults: passed',
            'deadlock: passed',
            'alone: passed',
            expect.stringMatching(/^served: failure: served is violated by a run that repeats/),
            'restart: skipped: the search ended at another violation',
        ]);
        expect(await junit(['explore', 'lock.orbit', '--property', 'restart', '--max-states', '2'], FAIR)).toEqual([
            'lock.orbit',
            expect.stringMatching(/^faults: /),
            'restart: error: the limit of 2 states was reached',
        ]);
    });

    test('tells beside a verdict that no run counts', async () => {
        const { results } = await sarif(['explore', 'lock.orbit'], IDLE);
        expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([['assume/no-run', 'warning']]);
        const { stderr, exitCode } = await orbit(['explore', 'lock.orbit'], { files: { 'lock.orbit': IDLE } });
        expect(stderr).toContain('no run satisfies the assumptions, so `comes` holds for nothing [assume/no-run]');
        expect(exitCode).toBe(0);
        const json = await report(['explore', 'lock.orbit', '--json'], IDLE);
        expect(JSON.parse(json.text)).toMatchObject({
            verdict: 'holds',
            warnings: [{ code: 'assume/no-run', line: 5 }],
        });
    });

    test('tells beside a verdict that a property asks for nothing', async () => {
        const words = ['explore', 'lock.orbit', '--property', 'served'];
        const leaves = FAIR.replace('at enter leads to P[i] at leave', 'at leave leads to P[i] at try');
        expect((await sarif(words, leaves)).results).toEqual([]);
        // Now nobody comes in.
        const { results } = await sarif(words, leaves.replace('free: bool = true', 'free: bool = false'));
        expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([['property/vacuous', 'note']]);
        // Whichever words the property has.
        const other = leaves.replace(
            /P\[i\] at leave leads to (P\[i\] at try)/,
            'always (!(P[i] at leave) || eventually $1)',
        );
        const { results: ofOther } = await sarif(words, other.replace('free: bool = true', 'free: bool = false'));
        expect(JSON.stringify(ofOther)).toContain('asks for something');
        expect(JSON.stringify(ofOther)).not.toMatch(/leads to|implies/);
    });

    test('of a text that is no model is its errors', async () => {
        const wrong = LOCK.replace('taken := true', 'token := true');
        const { results } = await sarif(['explore', 'lock.orbit'], wrong);
        expect(results.map(({ ruleId }) => ruleId)).toEqual(['name/unresolved']);
        expect(await junit(['explore', 'lock.orbit'], wrong)).toEqual([
            'lock.orbit',
            expect.stringMatching(/^is a model: failure: token is not declared/),
        ]);
    });
});

test('the symmetries of a model: assertions are verdicts, and what is broken is a note', async () => {
    expect(await junit(['symmetry', 'lock.orbit'])).toEqual([
        'lock.orbit N = 2',
        'assert symmetric Worker: passed',
        'symmetries are known as a whole: passed',
    ]);
    const broken = LOCK.replace('when !taken', 'when !taken && i != 1');
    const { results } = await sarif(['symmetry', 'lock.orbit'], broken);
    expect(results.map(({ ruleId, level }) => `${level} ${ruleId}`)).toEqual([
        'error symmetry/assertion',
        'note symmetry/broken',
    ]);
    expect(await junit(['symmetry', 'lock.orbit'], broken)).toContainEqual(
        expect.stringMatching(/^assert symmetric Worker: failure: /),
    );
});

test('what is checked without being run is one test for each file', async () => {
    expect(await junit(['check', 'lock.orbit'])).toEqual(['lock.orbit', 'is a model: passed']);
});

test('XML has no character that it cannot have', () => {
    const text = 'a \u0000 \ud800 <b> & "c"';
    const suite = {
        name: text,
        file: 'm',
        findings: [],
        cases: [{ name: 'x', outcome: 'failed', reason: text, text } as const],
    };
    const xml = toJunit([suite]);
    expect(xml).toContain('message="a \ufffd \ufffd &lt;b&gt; &amp; &quot;c&quot;"');
    expect(xml).not.toMatch(/[\0\ud800]/);
});

test('a call that is wrong is a test that failed, and one whose time was over has no answer', async () => {
    const wrong = await orbit(['explore', 'lock.orbit', '--nonsense', '--format', 'junit']);
    expect(wrong).toMatchObject({ exitCode: 2, stderr: '' });
    expect(wrong.stdout).toContain("<failure message=\"unknown option '--nonsense'");
    const late = await orbit(['explore', 'lock.orbit', '--timeout', '0.001', '--format', 'junit'], {
        files: { 'lock.orbit': LOCK },
        endOfWork: () => new TimeIsOver(),
    });
    expect(late).toMatchObject({ exitCode: 3, stderr: '' });
    expect(late.stdout).toContain('<error message="the time was over before there was a result" type="limit/time"');
});

test('a fault in an invariant is one of the invariant', async () => {
    const text = LOCK.replace('<= N\n', '<= N div count(i in Id: !taken)\n');
    for (const words of [['--property', 'some', '--continue'], ['--each']]) {
        const cases = await junit(['explore', 'lock.orbit', ...words], text);
        expect(cases).toContainEqual('faults: passed');
        expect(cases).toContainEqual(expect.stringMatching(/^some: failure: /));
    }
});

test('a form that contradicts another one is an error', async () => {
    const { stdout, exitCode } = await orbit(['explore', 'lock.orbit', '--json', '--format', 'sarif'], {
        files: { 'lock.orbit': LOCK },
    });
    expect(exitCode).toBe(2);
    expect(stdout).toContain("options '--json' and '--format sarif' contradict");
});
