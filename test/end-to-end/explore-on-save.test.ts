/** The setting that a save explores, and the key that explores. */
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { unsafeLock } from './unsafe-lock.js';
import { eventually } from './workbench-page.js';

const GATE = unsafeLock('Gate', 'type Id = 1 .. 3');

const { workbench } = openWorkbench({ 'gate.orbit': GATE });

const panels = (): Promise<number> =>
    workbench.page.locator('.part.editor .tab').filter({ hasText: 'Exploration of' }).count();

test('a save explores a small model without a panel, and again after an edit', async () => {
    await workbench.command('Preferences: Open User Settings (JSON)');
    await workbench.page.locator('.editor-instance .monaco-editor[data-uri$="settings.json"]').waitFor();
    await workbench.page.keyboard.press('Control+Home');
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.page.keyboard.insertText('"orbit.explore.onSave": "small",');
    await workbench.save();
    await workbench.closeEditor();
    await workbench.openFile('gate.orbit');
    await workbench.lens(/^Explore$/);
    await workbench.save();
    await workbench.lens('alone violated after 4 steps');
    expect(await panels()).toBe(0);
    await eventually(
        async () => (await workbench.problems()).some(text => text.includes('alone')) || undefined,
        'the violation is among the problems',
    );
    await workbench.picture('40-explored-on-save');
    await workbench.closeLowerPanel();
    await workbench.placeCursorBefore('look: when !taken;', 'look');
    await workbench.page.keyboard.press('Control+/');
    await workbench.save();
    await workbench.lens('alone violated after 2 steps');
    expect(await panels()).toBe(0);
    await workbench.undoTo(GATE.trim());
    await workbench.save();
    await workbench.lens('alone violated after 4 steps');
});

test('the key explores, with a panel', async () => {
    await workbench.placeCursorBefore('look: when !taken;', 'look');
    await workbench.page.keyboard.press('Control+Alt+Enter');
    const panel = await workbench.panel('Exploration of gate.orbit');
    await panel.getByRole('heading', { name: 'alone is violated after 4 steps' }).waitFor();
    await workbench.picture('41-explored-by-key');
    await workbench.closeAllEditors();
});
