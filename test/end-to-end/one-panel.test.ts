/** One panel that follows the editor, a second one if it is pinned; both after a reload; and runs that were saved. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { patient } from '../patience.js';
import { unsafeLock } from './unsafe-lock.js';
import { eventually } from './workbench-page.js';

/** But for the lock nothing is wrong with it. */
const DOOR = unsafeLock(
    'Door',
    'param N: 2 .. 64 = 3\ntype Id = 1 .. N',
    'invariant few = count(i in Id: Worker[i] at leave) <= N',
    'property again = always possible (forall i in Id: Worker[i] at look)',
);

const LAMP = `model Lamp

var on: bool = false

process P { loop { switch: on := !on } }
`;

const { workbench, workspace } = openWorkbench({ 'door.orbit': DOOR, 'lamp.orbit': LAMP });
/** The titles of the panels that are open, left to right. */
const panelTabs = (): Promise<readonly string[]> =>
    workbench.page.locator('.part.editor .tab').filter({ hasText: 'Exploration of' }).allInnerTexts();

async function waitForTitle(panel: FrameLocator, title: string): Promise<void> {
    await panel.locator('#title').filter({ hasText: title }).waitFor();
}

/** The marks at the foot of the panel: `✓ few`. */
async function waitForMarks(panel: FrameLocator, expected: readonly string[]): Promise<void> {
    await eventually(
        async () => {
            const texts = await panel.locator('.stated > :not(#check-others, #cancel)').allInnerTexts();
            // What is for screen readers has a line of its own.
            expect(texts.map(text => text.split('\n')[0])).toEqual(expected);
            return true;
        },
        `the marks are ${expected.join(', ')}`,
    );
}

test('the panel follows the editor, and says what is open after a violation', { tags: 'gate' }, async () => {
    await workbench.openFile('lamp.orbit');
    await workbench.lens('Explore');
    await workbench.clickLens(/^Explore/);
    await waitForTitle(await workbench.panel('Exploration of lamp.orbit'), 'Holds');
    await workbench.openFile('door.orbit');
    const panel = await workbench.panel('Exploration of door.orbit');
    await waitForTitle(panel, 'Not explored yet');
    expect(await panelTabs()).toHaveLength(1);
    await waitForMarks(panel, ['○ no deadlock, no fault', '○ alone', '○ few', '○ again']);
    await panel.locator('#explore-again').click();
    await waitForTitle(panel, 'alone is violated after 4 steps');
    await panel.locator('#check-others').filter({ hasText: 'Check the other 3' }).click();
    await waitForMarks(panel, ['✓ no deadlock, no fault', '✗ alone', '✓ few', '✓ again']);
    // The run that was found stays in sight; a mark leads to its own.
    await waitForTitle(panel, 'alone is violated after 4 steps');
    await panel.locator('.stated button').filter({ hasText: 'few' }).click();
    await waitForTitle(panel, 'Holds');
    await panel.locator('.stated button').filter({ hasText: 'alone' }).click();
    await waitForTitle(panel, 'alone is violated after 4 steps');
    // Other views of the model take its place, and lead back.
    await panel.locator('#view-symmetry-panel').click();
    await waitForTitle(await workbench.panel('Symmetries of door.orbit'), 'fewer states');
    await (await workbench.panel('Symmetries of door.orbit')).locator('#view-result-panel').click();
    await waitForTitle(await workbench.panel('Exploration of door.orbit'), 'alone is violated after 4 steps');
});

test('another value of a parameter is no edit', async () => {
    const panel = await workbench.panel('Exploration of door.orbit');
    await panel.locator('#change').click();
    await workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /^4$/ }).click();
    await panel
        .locator('#stale')
        .filter({ hasText: /^this is N = 3; now N = 4$/ })
        .waitFor();
    await workbench.clickLens(/^(take|back to) 3$/);
    await panel.locator('#stale').waitFor({ state: 'detached' });
});

test('a pinned panel stays with its model, another one follows, and both come back with the window', async () => {
    await (await workbench.panel('Exploration of door.orbit')).locator('#pin').click();
    await workbench.openFile('lamp.orbit');
    await workbench.clickLens(/^Explore/);
    await waitForTitle(await workbench.panel('Exploration of lamp.orbit'), 'Holds');
    expect(await panelTabs()).toEqual(['Exploration of door.orbit', 'Exploration of lamp.orbit']);
    await workbench.reload();
    await waitForTitle(await workbench.panel('Exploration of lamp.orbit'), 'Holds');
    await workbench.page.locator('.tab').filter({ hasText: 'Exploration of door.orbit' }).click();
    const pinned = await workbench.panel('Exploration of door.orbit');
    await waitForTitle(pinned, 'alone is violated after 4 steps');
    await pinned.locator('#pin').filter({ hasText: 'Pinned' }).waitFor();
    await workbench.picture('33-pinned');
});

/** The dialog is deaf while it reads a folder. */
async function typeFile(path: string): Promise<void> {
    const input = workbench.page.locator('.quick-input-widget input[type="text"]');
    await input.waitFor();
    await eventually(async () => {
        if (await input.isVisible()) {
            await input.fill(path);
            await workbench.page
                .locator('.quick-input-widget')
                .getByRole('button', { name: 'OK' })
                .click({ timeout: patient(2_000) });
            await input.waitFor({ state: 'hidden', timeout: patient(3_000) });
        }
        return true;
    }, `${path} is chosen`);
}

test('a saved run opens with its own model, also if no editor is open, and no other model is taken', async () => {
    await (await workbench.panel('Exploration of door.orbit')).getByRole('button', { name: 'JSON' }).click();
    await typeFile(join(workspace, 'door-run.json'));
    await workbench.closeAllEditors();
    await workbench.command('Orbit: Open Saved Run');
    await typeFile(join(workspace, 'door-run.json'));
    await workbench.page
        .locator('.tab')
        .filter({ hasText: /^door.orbit/ })
        .waitFor();
    const panel = await workbench.panel('Exploration of door.orbit');
    await waitForTitle(panel, 'alone is violated after 4 steps');
    // Its links lead into the text, and no group is left of the editors before.
    await panel.locator('.reason-line .link').first().click();
    await eventually(async () => ((await workbench.selectedText()).includes('alone') ? true : undefined), 'a place');
    expect(await workbench.page.locator('.editor-group-container').count()).toBe(2);
    writeFileSync(join(workspace, 'lamp-run.json'), JSON.stringify({ ...SAVED, file: 'lamp.orbit' }));
    await workbench.command('Orbit: Open Saved Run');
    await typeFile(join(workspace, 'lamp-run.json'));
    const refused = workbench.page.locator('.notification-toast').filter({ hasText: 'run of the model `Torch`' });
    await refused.filter({ hasText: 'lamp.orbit is `Lamp`' }).waitFor();
    expect(await panelTabs()).toEqual(['Exploration of door.orbit']);
});

/** A walk of another model. */
const SAVED = { schemaVersion: 1, model: 'Torch', params: {}, end: 'steps', trace: [] };

test('after all editors are closed no locked group is left: the next file opens in it', async () => {
    await workbench.closeAllEditors();
    await workbench.openFile('lamp.orbit');
    expect(await workbench.page.locator('.editor-group-container').count()).toBe(1);
});
