/** `orbit explore` on properties of runs. */
import { expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit, type Outcome } from './in-process.js';

const LOCK = `
model Lock
type Proc = 1 .. 3
var free: bool = true
fair process P[i: Proc] {
    loop { try: skip; enter: when free { free := false } leave: free := true }
}
property served = forall i in Proc: P[i] at enter leads to P[i] at leave
property restart = always possible (forall i in Proc: P[i] at try)
property mutex = always count(i in Proc: P[i] at leave) <= 1
`;
const STRONG = LOCK.replace('enter:', 'strong fair enter:');

function run(text: string, ...words: string[]): Promise<Outcome> {
    return orbit(['explore', 'm', ...words], { files: { m: text } });
}

async function explored(text: string, ...words: string[]): Promise<{ exitCode: number; document: ExploreDocument }> {
    const { exitCode, stdout } = await run(text, '--json', ...words);
    return { exitCode, document: JSON.parse(stdout) as ExploreDocument };
}

test('a violation is a run that comes back, for one of the values that stand for each other', async () => {
    const { exitCode, document } = await explored(LOCK, '--continue');
    expect(exitCode).toBe(1);
    // One process waits while another one goes round; the least lasso has 2 steps before 3.
    expect(document.violations).toMatchObject([
        { kind: 'property', name: 'served', member: { i: 1 }, members: 3, membersAlike: 3, loopStart: 2 },
    ]);
    const [violation] = document.violations;
    expect(violation?.trace).toHaveLength(6);
    expect(violation?.trace.at(-1)?.state).toEqual(violation?.trace[2]?.state);
    expect(violation?.unfair).toContainEqual(
        expect.objectContaining({ process: 'P[1]', label: 'enter', kind: 'strong' }),
    );
    expect(document.properties).toMatchObject([
        { name: 'served', kind: 'property', verdict: 'violated', members: 3, reduction: { order: '2' } },
        { name: 'restart', kind: 'property', verdict: 'holds', members: 1, reduction: { order: '6' } },
    ]);
});

test('with the fairness that the violation asks for, it holds for all by one', async () => {
    const { exitCode, document } = await explored(STRONG);
    expect([exitCode, document.verdict]).toEqual([0, 'holds']);
    expect(document.properties?.[0]).toMatchObject({ name: 'served', members: 3, membersChecked: 1 });
    const { stdout } = await run(STRONG);
    expect(stdout).toContain('served   holds · one of 3 interchangeable checked');
});

test('the text shows the loop, and to whom it is unfair', async () => {
    const { stdout } = await run(LOCK);
    expect(stdout).toContain('for i = 1 (stands for 3 of 3 by symmetry)');
    expect(stdout).toContain('unfair to P[1] and P[2]: enter is possible again and again and never taken');
    expect(stdout).toContain('back to 2, for ever');
});

test('one property is asked for by its name, and each by itself', async () => {
    expect((await explored(LOCK, '--property', 'restart')).document).toMatchObject({
        verdict: 'holds',
        properties: [{ name: 'restart' }],
    });
    const { document } = await explored(LOCK, '--each', '--continue');
    expect(document.properties?.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
        'faults holds',
        'deadlock holds',
        'served violated',
        'restart holds',
        'mutex holds',
    ]);
});

test('the first violation ends the call', async () => {
    const { document } = await explored(`${LOCK}invariant wrong = free\n`);
    expect(document.violations.map(({ name }) => name)).toEqual(['wrong']);
    expect(document.properties).toEqual([]);
});

test('a run that ends goes on in its last state', async () => {
    const ends = 'model Ends\nvar x: 0 .. 1 = 0\nprocess P { set: x := 1 }\nproperty back = infinitely often x == 0\n';
    const { document } = await explored(ends);
    expect(document.violations[0]).toMatchObject({ loopStart: 1, unfair: [] });
    expect((await run(ends)).stdout).toContain('then nothing happens any more');
});

test('assumptions that no run satisfies are told', async () => {
    const { stderr, stdout } = await run(
        `${LOCK}assume never = infinitely often (free && !free)\n`,
        '--property',
        'served',
    );
    expect(stdout).toContain('holds');
    expect(stderr).toContain('no run satisfies the assumptions');
});

test.each([
    ['--states', 'fingerprint'],
    ['--checkpoint', 'file'],
])('%s cannot be used with them', async (...words) => {
    const { exitCode, stderr } = await run(LOCK, ...words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('a property of runs needs exact states in memory');
    expect((await run(`${LOCK}invariant few = true\n`, ...words, '--property', 'mutex')).exitCode).toBe(0);
});

test('a limit leaves a property undecided', async () => {
    const { exitCode, document } = await explored(STRONG, '--max-states', '5', '--property', 'served');
    expect([exitCode, document.verdict, document.limit?.kind]).toEqual([3, 'undecided', 'states']);
});
