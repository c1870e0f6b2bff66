/** The first minutes in a real workbench: a new model, an empty file, and the walkthrough to a repaired error. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { patient } from '../patience.js';
import { eventually } from './workbench-page.js';

const { workbench } = openWorkbench({ 'blank.orbit': '' });

/** Runs a command that asks for a choice, and makes it. */
async function commandWithChoice(title: string, choice: string): Promise<void> {
    const { page } = workbench;
    const row = (text: string): Locator => page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text });
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input[type="text"]').fill(`>${title}`);
    await row(title).first().click();
    await row(choice).first().click();
}

/** Waits until a panel says what came out of an exploration. */
async function waitForTitle(panelTitle: string, title: string | RegExp): Promise<void> {
    const panel = await workbench.panel(panelTitle);
    await eventually(
        async () => {
            expect(await panel.locator('#title').innerText()).toMatch(title);
            return true;
        },
        `the panel says "${String(title)}"`,
    );
}

/** The steps of the walkthrough that are ticked off, by their titles. */
async function doneSteps(): Promise<readonly string[]> {
    const steps = workbench.page.locator('.gettingStartedContainer .getting-started-step');
    const done = steps.filter({ has: workbench.page.locator('.codicon.complete') });
    return (await done.locator('.step-title').allInnerTexts()).map(text => text.trim());
}

test('an empty file is no error, and becomes a model with one click', async () => {
    await workbench.openFile('blank.orbit');
    await workbench.lens('Begin with a small model');
    expect((await workbench.problems()).filter(text => text.includes('there is no model here'))).toEqual([]);
    await workbench.closeLowerPanel();
    expect(await workbench.page.locator('.statusbar-item').filter({ hasText: 'no result' }).isVisible()).toBe(false);
    await workbench.picture('30-empty-file');
    await workbench.clickLens('Begin with a small model');
    await workbench.lens(/^Explore$/);
    expect(await workbench.text()).toContain('process Worker');
    await workbench.closeEditor();
});

test('in an empty file the first completion is a whole model', async () => {
    await workbench.openFile('blank.orbit');
    await workbench.lens('Begin with a small model');
    await workbench.page.locator('.editor-instance .monaco-editor').click();
    const rows = workbench.page.locator('.suggest-widget.visible .monaco-list-row');
    await eventually(async () => {
        await workbench.page.keyboard.press('Control+Space');
        await rows.first().waitFor({ timeout: patient(2_000) });
        return true;
    }, 'completion is offered');
    expect(await rows.first().getAttribute('aria-label')).toMatch(/^model, snippet/i);
    await workbench.picture('31-completion');
    await workbench.page.keyboard.press('Enter');
    await workbench.lens(/^Explore$/);
    await workbench.closeEditor();
});

test('a new file of the menu is a model that runs', async () => {
    await commandWithChoice('Create: New File...', 'Orbit Model');
    await workbench.lens('3 Worker interchangeable');
    expect(await workbench.text()).toContain('invariant alone');
    await workbench.clickLens(/^Explore$/);
    await waitForTitle('Exploration of Untitled-1', 'Holds');
    await workbench.picture('32-new-model');
    await workbench.placeCursorBefore('invariant alone', 'alone');
    await workbench.closeEditor();
    await workbench.closeEditor();
});

test('the walkthrough leads from a model to its error and to the repair', async () => {
    const { page } = workbench;
    await commandWithChoice('Welcome: Open Walkthrough...', 'Get started with Orbit');
    const steps = page.locator('.gettingStartedContainer .getting-started-step');
    await eventually(async () => ((await steps.count()) === 5 ? true : undefined), 'there are five steps');
    await workbench.picture('33-walkthrough');
    const showWalkthrough = async (): Promise<void> => {
        await page.locator('.tab').filter({ hasText: 'Walkthrough: Orbit' }).click();
        await steps.first().waitFor();
    };
    const press = async (step: string, button: string): Promise<void> => {
        await steps.filter({ hasText: step }).locator('.step-title').click();
        await steps.filter({ hasText: step }).locator('.monaco-button').filter({ hasText: button }).click();
    };
    const waitForStep = async (title: string): Promise<void> => {
        await showWalkthrough();
        await eventually(async () => {
            expect(await doneSteps()).toContain(title);
            return true;
        }, `"${title}" is ticked off`);
    };
    await press('Open a lock', 'Open Example Model');
    // The new model before it had the same name, was explored and never saved.
    expect(await workbench.lens('6 Worker interchangeable')).not.toContain('explored');
    await workbench.picture('34-example');
    await waitForStep('Open a lock');

    await press('Find what is wrong', 'Explore');
    await workbench.lens('violated after 4 steps');
    await workbench.picture('35-error-found');
    await waitForStep('Find what is wrong');
    expect(await doneSteps()).not.toContain('Repair it');

    await page.locator('.tab').filter({ hasText: 'Workers share a lock' }).click();
    await workbench.placeCursorBefore('look: when', 'look');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type('enter: when !taken { taken := true }');
    await showWalkthrough();
    await press('Repair it', 'Explore');
    await workbench.lens(/\bholds\b/);
    await workbench.picture('36-error-repaired');
    await waitForStep('Repair it');
    await workbench.picture('37-walkthrough-done');

    // The next window would show the models that were never saved.
    await workbench.closeAllEditors();
});

test('all tests are run although a model that was never saved is closed', async () => {
    await workbench.command('Testing: Focus on Test Explorer View');
    const rows = workbench.page.locator('.test-explorer .monaco-list-row');
    await workbench.runTests('Test: Run All Tests');
    // A model of the tests before would be the first that is run.
    const verdict = rows.filter({ hasText: 'alternating-bit.orbit' }).locator('.codicon-testing-passed-icon');
    await verdict.waitFor({ timeout: patient(60_000) });
    expect(await rows.filter({ hasText: 'Untitled' }).count()).toBe(0);
    // After the last of the models the button that cancels is gone.
    await workbench.page
        .locator('.codicon-testing-cancel-icon')
        .first()
        .waitFor({ state: 'hidden', timeout: patient(60_000) });
    await workbench.closeLowerPanel();
    await workbench.command('View: Show Explorer');
});
