/** Verdicts for all values of parameters: from the lens, in the Testing view, and a violation with its run. */
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { unsafeLock } from './unsafe-lock.js';

const LOCK = unsafeLock('Lock', 'param N: 1 .. 64 = 1\ntype Id = 1 .. N');

const { workbench } = openWorkbench({ 'unsafe-lock.orbit': LOCK });

/** Invariants stand at the end of the text. */
async function showEnd(): Promise<void> {
    await workbench.placeCursorBefore('model', 'model');
    await workbench.page.keyboard.press('Control+End');
}

test('one click proves an invariant for all values of both parameters', { tags: 'gate' }, async () => {
    await workbench.openFile('readers-writers.orbit');
    await workbench.clickLens('check for every R and W');
    // Deadlock is looked for in small instances only.
    const proof =
        /Holds for every R and W \(proved in [\d.,]+ m?s, checked again\); not for all: deadlock \(none for 21 instances/;
    const panel = await workbench.panel('Exploration of readers-writers.orbit');
    await panel.getByRole('heading', { name: 'Holds for every R and W' }).waitFor();
    await panel.getByText(proof).waitFor();
    await panel.getByText('How', { exact: true }).click();
    // So many views as the design has computed with another program.
    await panel.getByText(/^26 views of \d+ members? prove it/).waitFor();
    await showEnd();
    await workbench.lens('holds for every R and W');
    await workbench.picture('80-every-size');
    const hover = await workbench.hoverWith(
        'invariant exclusive',
        'exclusive',
        /holds, proved in [\d.,]+ m?s, checked again/,
    );
    expect(hover).toContain('for every R and W');
    await workbench.closeAllEditors();
});

test('a violation names the smallest value, and shows its run', async () => {
    await workbench.openFile('unsafe-lock.orbit');
    await workbench.clickLens('check for every N');
    const panel = await workbench.panel('Exploration of unsafe-lock.orbit');
    await panel.getByRole('heading', { name: 'alone is violated for N = 2' }).waitFor();
    await workbench.picture('81-every-size-violated');
    await panel.getByRole('button', { name: 'Show the run for N = 2' }).click();
    await panel.getByRole('heading', { name: 'alone is violated after 4 steps' }).waitFor();
    await workbench.lens('N = 2 (1 in the text)');
    await workbench.closeAllEditors();
});

test('an invariant of a family is a test of its own', async () => {
    await workbench.openFile('semaphore-mutex.orbit');
    await workbench.lens('check for every N');
    await workbench.runTests();
    // In the results of the run: the list of the files may be longer than the window.
    const row = workbench.page.locator('.monaco-list-row').filter({ hasText: 'mutex for every N' }).first();
    await row.locator('.codicon-testing-passed-icon').waitFor();
    await showEnd();
    await workbench.lens('holds for every N');
    await workbench.picture('82-every-size-test');
    await workbench.closeAllEditors();
});
