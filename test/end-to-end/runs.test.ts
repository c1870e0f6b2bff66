/** Properties of runs: from typing a model to the run that comes back to a state, and to the word that excludes it. */
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { eventually } from './workbench-page.js';

const LOCK = `model Lock

type Proc = 1 .. 4
var free: bool = true

fair process P[i: Proc] {
    loop {
        try: skip;
        enter: when free { free := false }
        leave: free := true
    }
}

property served = forall i in Proc: P[i] at enter leads to P[i] at leave
property restart = always possible (forall i in Proc: P[i] at try)
`;

/** It ends after one step, and `again` never holds later. */
const END = `model End

var x: 0 .. 1 = 0

process P { end set: x := 1 }

property again = infinitely often x == 0
`;

const { workbench } = openWorkbench({ 'fair-lock.orbit': '', 'short.orbit': END });

test('a run that comes back to a state is bracketed, and its end leads to its beginning', async () => {
    await workbench.openFile('fair-lock.orbit');
    await workbench.lens('Begin with a small model');
    await workbench.page.locator('.editor-instance .view-lines').click();
    // What is typed behind an indented line is indented, too, so the text is laid out at the end.
    await workbench.page.keyboard.insertText(LOCK.replace(/^ +/gm, ''));
    await workbench.lens(/^Explore$/);
    await workbench.command('Format Document');
    await eventually(
        async () => ((await workbench.text()).includes('        enter: when free') ? true : undefined),
        'the text is laid out',
    );
    await workbench.save();
    await eventually(
        async () => ((await workbench.lenses()).some(lens => lens.includes('edited since')) ? undefined : true),
        'the symmetries are those of the text',
    );
    // The first check is that of the deadlock, then come the properties.
    await workbench.clickLens(/^Check$/);
    const panel = await workbench.panel('Exploration of fair-lock.orbit');
    await eventually(
        async () =>
            /^served is violated by a run that repeats \d+ steps for ever$/.test(
                await panel.locator('#title').innerText(),
            )
                ? true
                : undefined,
        'the title is about a run',
    );
    await workbench.lens('violated by a run that repeats');
    await panel.locator('#tab-list').click();
    await workbench.picture('90-run-for-ever');
    const back = panel.locator('#loop-back');
    const start = /^back to (\d+), for ever$/.exec(await back.innerText())?.[1] ?? '';
    await panel.locator('.steps .loop-mark.first').waitFor();
    await back.click();
    await panel.locator(`.row[aria-posinset="${Number(start) + 1}"][aria-selected="true"]`).waitFor();
    // Down from the last state goes round the loop, too.
    await panel.locator('.virtual').focus();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.press('ArrowDown');
    await panel.locator(`.row[aria-posinset="${Number(start) + 1}"][aria-selected="true"]`).waitFor();
    // The next step after the last state is that after the first state of the loop.
    await workbench.page.keyboard.press('End');
    await panel.locator('.choice').filter({ hasText: 'the next step here' }).first().click();
    await panel.locator(`.row[aria-posinset="${Number(start) + 2}"][aria-selected="true"]`).waitFor();
    expect(await back.isVisible()).toBe(true);
    await panel.locator('#tab-columns').click();
    await panel.locator('.in-columns .loop-mark.first').waitFor();
    await workbench.picture('91-run-for-ever-columns');
    for (const theme of ['dark', 'light']) {
        await workbench.command('Preferences: Toggle between Light/Dark Themes');
        await panel.locator(`body.vscode-${theme}`).waitFor();
        await workbench.picture(`92-run-for-ever-${theme}`);
    }
});

test('the word that excludes the run is written from the panel, and then the property holds', async () => {
    const panel = await workbench.panel('Exploration of fair-lock.orbit');
    await panel.locator('#make-fair-0').filter({ hasText: 'Add strong fair' }).click();
    await eventually(
        async () => ((await workbench.text()).includes('strong fair enter: when free') ? true : undefined),
        'the text has the word',
    );
    await panel.locator('#make-fair-0').waitFor({ state: 'detached' });
    await workbench.clickLens(/^Check$/);
    await panel.locator('#title').filter({ hasText: 'Holds' }).waitFor();
    await workbench.lens(/^holds in .*, one of 4 interchangeable checked$/);
    await workbench.picture('93-run-excluded');
});

test('the light bulb at a property writes the same word', async () => {
    await workbench.placeCursorBefore('strong fair enter', 'strong');
    for (const _letter of 'strong fair ') {
        await workbench.page.keyboard.press('Delete');
    }
    await workbench.lens(/^holds in .*, before the edit$/);
    await workbench.clickLens(/^Check$/);
    await workbench.lens('violated by a run that repeats');
    await workbench.page.locator('.editor-instance .view-overlays .squiggly-error').first().waitFor();
    await workbench.placeCursorBefore('property served', 'served');
    await workbench.page.keyboard.press('Control+.');
    const action = workbench.page.locator('.action-widget .monaco-list-row').filter({ hasText: 'strong fair enter:' });
    await action.first().waitFor();
    await workbench.picture('94-run-fix');
    const focused = action.and(workbench.page.locator('.focused'));
    await eventually(async () => {
        if (await focused.isVisible()) {
            return true;
        }
        await workbench.page.keyboard.press('ArrowDown');
        return undefined;
    }, 'the fix is chosen');
    await workbench.page.keyboard.press('Enter');
    await eventually(
        async () => ((await workbench.text()).includes('strong fair enter: when free') ? true : undefined),
        'the text has the word',
    );
    await workbench.closeAllEditors();
});

test('a run that ends says so', async () => {
    await workbench.openFile('short.orbit');
    await workbench.lens(/^Explore$/);
    await workbench.clickLens(/^Check$/);
    const panel = await workbench.panel('Exploration of short.orbit');
    await panel.locator('#title').filter({ hasText: 'again is violated by a run that ends after 1 step' }).waitFor();
    await panel.locator('.loop-end').filter({ hasText: 'then nothing happens any more' }).waitFor();
    expect(await panel.locator('.loop-mark').count()).toBe(0);
    await workbench.picture('95-run-that-ends');
    await workbench.closeAllEditors();
});
