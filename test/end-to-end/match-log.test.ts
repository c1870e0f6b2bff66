/** *Match Log…*: from a log beside its model to the line that fits nothing, the run behind it, and the Testing view. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { eventually } from './workbench-page.js';

const MODEL = `model Votes

type Server = 1 .. 3

var leader: Server? = none
var votes: bool[Server] = false

process S[i: Server] {
    loop {
        vote: when !votes[i] { votes[i] := true }
        win: when leader == none && (forall j in Server: votes[j]) { leader := i }
    }
}
`;

const LINES = [
    '{"process": "S[alpha]", "step": "vote"}',
    '{"process": "S[beta]", "step": "vote"}',
    '{"process": "S[alpha]", "step": "win"}',
    '{"process": "S[gamma]", "step": "vote"}',
];

const { workbench, workspace } = openWorkbench({
    'votes.orbit': MODEL,
    'votes.log.json': '{ "logs": "votes-*.jsonl" }',
    'votes-1.jsonl': `${LINES.join('\n')}\n`,
});

test(
    'the line that fits nothing is an error in the log, and the panel has the run behind it',
    { tags: ['gate'] },
    async () => {
        const { page } = workbench;
        await workbench.openFile('votes.orbit');
        await workbench.lens('interchangeable');
        await workbench.command('Orbit: Match Log …');
        await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'votes-1.jsonl' }).click();
        const panel = await workbench.panel('Exploration of votes.orbit');
        await expect
            .poll(() => panel.locator('#title').textContent(), { timeout: 20_000 })
            .toBe('Line 3 fits nothing (1 state before it)');
        expect(await panel.locator('#explanation').textContent()).toContain(
            'it would fit if lines 3 and the next changed places',
        );
        expect(await panel.locator('#names').textContent()).toBe('names: alpha = 1, beta = 2');
        await workbench.picture('100-log-that-does-not-fit');
        // Another program writes the log, which no editor shows.
        const isProblem = async (): Promise<boolean> =>
            (await workbench.problems()).join('\n').includes('no run of Votes');
        expect(await isProblem()).toBe(true);
        writeFileSync(join(workspace, 'votes-1.jsonl'), `${LINES[0]}\n`);
        await eventually(async () => ((await isProblem()) ? undefined : true), 'the error of the old log is gone');
        writeFileSync(join(workspace, 'votes-1.jsonl'), `${LINES.join('\n')}\n`);
        await panel.locator('#match-again').click();
        await eventually(async () => ((await isProblem()) ? true : undefined), 'the error is back');
        await workbench.closeLowerPanel();
        // From the run to the line of the log, and from its last state on.
        await panel.locator('.steps .row').nth(1).locator('.log-line').click();
        await page.locator('.tab.active').filter({ hasText: 'votes-1.jsonl' }).waitFor();
        await panel.locator('.choice').filter({ hasText: 'vote' }).first().click();
        await panel.locator('.row[aria-posinset="4"][aria-selected="true"]').waitFor();
        expect((await workbench.problems()).join('\n')).toContain('no run of Votes explains this line: S win');
        await workbench.picture('101-problem-in-the-log');

        writeFileSync(join(workspace, 'votes-1.jsonl'), `${[LINES[0], LINES[1], LINES[3], LINES[2]].join('\n')}\n`);
        await panel.locator('#match-again').click();
        await expect.poll(() => panel.locator('#title').textContent(), { timeout: 20_000 }).toBe('Fits, 4 lines');
        await eventually(async () => ((await isProblem()) ? undefined : true), 'the error is gone');
        await workbench.closeLowerPanel();
    },
);

test('a log is an item of the Testing view', async () => {
    const { page } = workbench;
    await workbench.openFile('votes.orbit');
    await workbench.runTests();
    await workbench.command('Testing: Focus on Test Explorer View');
    await page.locator('.test-explorer .monaco-list-row').filter({ hasText: 'votes.orbit' }).first().waitFor();
    await workbench.picture('102-log-as-a-test');
});

test('a mapping that cannot be read is said, in place of a list of logs', async () => {
    const { page } = workbench;
    writeFileSync(join(workspace, 'votes.log.json'), '{ "log": "votes-*.jsonl" }');
    await workbench.openFile('votes.orbit');
    await workbench.command('Orbit: Match Log …');
    await page.locator('.notification-list-item-message').filter({ hasText: 'votes.log.json: ' }).waitFor();
    await workbench.picture('104-mapping-with-a-mistake');
});
