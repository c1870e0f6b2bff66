/** Answers in the text: beside it, in the Testing view, after a reload of the window, and with other parameters. */
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { unsafeLock } from './unsafe-lock.js';
import { eventually } from './workbench-page.js';

const LOCK = unsafeLock(
    'Lock',
    'param N: 2 .. 64 = 3\ntype Id = 1 .. N',
    'invariant all = count(i in Id: Worker[i] at leave) <= N',
    'assert symmetric Worker',
);

const { workbench, url } = openWorkbench({ 'lock.orbit': LOCK });

/** The marks beside the text, top to bottom: `passed`, `failed`, `unset`, … */
async function marks(): Promise<readonly string[]> {
    const names = await workbench.page.evaluate(() =>
        [...document.querySelectorAll('.editor-instance .glyph-margin-widgets .testing-run-glyph')]
            .map(glyph => ({ top: glyph.getBoundingClientRect().top, name: glyph.className }))
            .sort((one, other) => one.top - other.top)
            .map(({ name }) => name),
    );
    return names.map(name => /codicon-testing-(\w+)-icon/.exec(name)?.[1] ?? name);
}

/** Waits until the marks are these, each an alternative. */
async function waitForMarks(expected: readonly string[]): Promise<void> {
    await eventually(
        async () => {
            expect(await marks()).toEqual(expected);
            return true;
        },
        `the marks beside the text are ${expected.join(', ')}`,
    );
}

/** The rows of the Testing view: the name of each item. */
async function waitForTest(label: string, state: string): Promise<void> {
    const row = workbench.page.locator('.test-explorer .monaco-list-row').filter({ hasText: label });
    await row.first().locator(`.codicon-testing-${state}-icon`).waitFor();
}

test('a violation is marked beside its invariant and in the problems, and what was not decided is not', async () => {
    await workbench.openFile('lock.orbit');
    await workbench.lens('interchangeable');
    await workbench.clickLens(/^Explore$/);
    await workbench.lens('violated after 4 steps');
    // model, `alone`, `all`, `assert symmetric`: the exploration has ended at the violation of `alone`.
    await waitForMarks(['run', 'failed', 'run', 'passed']);
    await eventually(
        async () => (await workbench.problems()).find(text => text.includes('alone is violated after 4 steps')),
        'the problems tell the violation',
    );
    await workbench.closeLowerPanel();
    await workbench.picture('20-results');
});

test('everything that a file states is run from the Testing view, each with its verdict', async () => {
    await workbench.command('Testing: Focus on Test Explorer View');
    await workbench.page.locator('.test-explorer .monaco-list-row').filter({ hasText: 'lock.orbit' }).click();
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.runTests();
    await waitForMarks(['passed', 'failed', 'passed', 'passed']);
    await waitForTest('alone', 'failed');
    await waitForTest('all', 'passed');
    await workbench.picture('21-testing');
});

test('a closed window forgets nothing: mark, lens, problem and run are there again', async () => {
    await workbench.open(url);
    await workbench.openFile('lock.orbit');
    await workbench.lens('violated after 4 steps');
    await waitForMarks(['passed', 'failed', 'passed', 'passed']);
    await workbench.hoverWith(
        'invariant all',
        'all',
        /holds in all \d+ states; 15 explored \([\d.]+x\), N = 3, (just now|1 minute ago)/,
    );
    await workbench.page.mouse.move(700, 880);
    await workbench.clickLens('violated after 4 steps');
    const panel = await workbench.panel('Exploration of lock.orbit');
    await eventually(
        async () =>
            (await panel.locator('#title').innerText()) === 'alone is violated after 4 steps' ? true : undefined,
        'the run is open again, without another exploration',
    );
    await workbench.picture('22-reloaded');
});

test('a comment makes no result older than the text, an edit of the model does, and undoing it does not', async () => {
    const panel = await workbench.panel('Exploration of lock.orbit');
    const before = await workbench.text();
    await workbench.placeCursorBefore('model Lock', 'Lock');
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type(' // a remark');
    await workbench.lens('violated after 4 steps');
    await workbench.page.waitForTimeout(500);
    expect(await panel.locator('#stale').count()).toBe(0);
    await workbench.placeCursorBefore('look: when !taken', 'taken');
    await workbench.page.keyboard.type('!');
    await panel.locator('#stale').waitFor();
    await workbench.lens('edited since');
    await workbench.page.waitForTimeout(500);
    await workbench.picture('23-older-than-the-text');
    await panel.locator('#retrace').click();
    // The text is now that of a lock that nobody can take.
    await panel.locator('#retraced').filter({ hasText: 'up to step 0: Deadlock in an initial state' }).waitFor();
    await panel.locator('#title').click();
    await workbench.page.keyboard.press('Control+1');
    await workbench.undoTo(before);
    await eventually(
        async () => ((await panel.locator('#stale').count()) === 0 ? true : undefined),
        'nothing is stale',
    );
});

test('several values are explored one after the other, with a picture and a table', async () => {
    await workbench.clickLens(/^sweep$/);
    const input = workbench.page.locator('.quick-input-widget input[type="text"]');
    await input.fill('2 .. 70');
    await workbench.page.getByText('N is in 2 .. 64').waitFor();
    await input.fill('2 .. 5');
    await workbench.page.keyboard.press('Enter');
    const panel = await workbench.panel('Sweep of lock.orbit');
    // The lock is wrong for each N; after the first value the sweep stops.
    await panel.getByRole('heading', { name: 'alone is violated after 4 steps for N = 2' }).waitFor();
    await panel.locator('#goes-on').check();
    await panel.getByRole('heading', { name: 'Violated for 4 of 4 values of N' }).waitFor();
    expect(await panel.locator('table.sweep tbody tr').count()).toBe(4);
    expect(await panel.locator('table.sweep tr.violated').count()).toBe(4);
    expect(await panel.locator('.sweep-chart circle').count()).toBe(4);
    expect(await panel.getByRole('img').getAttribute('aria-label')).toMatch(
        /^Orbits: From \d+ at N = 2 to \d+ at N = 5$/,
    );
    await workbench.picture('25-sweep');
    await panel.getByRole('button', { name: '5', exact: true }).click();
    await workbench.lens('N = 5 (3 in the text)');
    await workbench.clickLens(/^back to 3$/);
    await workbench.lens(/^N = 3$/);
});

test('another value of a parameter takes three clicks and no edit, and is there again in the next window', async () => {
    const before = await workbench.text();
    await workbench.clickLens(/^change$/);
    await workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /^4$/ }).click();
    await workbench.lens('N = 4 (3 in the text)');
    await workbench.lens('4 Worker interchangeable');
    await workbench.clickLens(/^Explore$/);
    const panel = await workbench.panel('Exploration of lock.orbit');
    await workbench.lens('alone violated after 4 steps');
    expect(await panel.locator('#parameters').innerText()).toBe('N = 4');
    expect(await workbench.text()).toBe(before);
    await workbench.picture('24-other-parameter');
    await workbench.open(url);
    await workbench.openFile('lock.orbit');
    await workbench.lens('N = 4 (3 in the text)');
    await workbench.lens('violated after 4 steps');
    await workbench.hoverWith('invariant alone', 'alone', /violated after 4 steps, N = 4.*also N = 3/s);
    // The hover may cover the lens.
    await workbench.page.mouse.move(700, 880);
    await workbench.clickLens('back to 3');
    await workbench.lens('N = 3');
});
