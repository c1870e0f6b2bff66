/** The panel of an exploration: long runs, the forms of a run, going on from a state, and its group of editors. */
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { eventually } from './workbench-page.js';

/** Its only run has ten thousand steps. */
const LONG = `model Long

var x: 0 .. 20000 = 0

process P { loop { up: x := x + 1 } }

invariant small = x < 10000
`;

/** Two workers look, and both enter. */
const LOCK = `model Doors

param N: 2 .. 64 = 3
type Id = 1 .. N
var taken: bool = false
channel bell: 2 of Id

process Worker[i: Id] {
    loop {
        look: when !taken;
        enter: taken := true;
        ring: when !full(bell) bell ! i;
        leave: taken := false
    }
}

process Guard { loop { listen: bell ? _ } }

invariant alone = count(i in Id: Worker[i] at ring) <= 1
`;

const { workbench } = openWorkbench({ 'long.orbit': LONG, 'doors-with-bell.orbit': LOCK });

/** Opens a model, explores it, and returns its panel once the title is there. */
async function explored(file: string, title: string): Promise<FrameLocator> {
    await workbench.openFile(file);
    await workbench.lens(/^Explore$/);
    await workbench.clickLens(/^Explore$/);
    const panel = await workbench.panel(`Exploration of ${file}`);
    await eventually(
        async () => ((await panel.locator('#title').innerText()) === title ? true : undefined),
        `the title is "${title}"`,
    );
    return panel;
}

test('of ten thousand steps those in sight are there, a click touches two rows and the keyboard reaches both ends', async () => {
    const panel = await explored('long.orbit', 'small is violated after 10,000 steps');
    const rows = panel.locator('.virtual .row');
    await eventually(
        async () => ((await rows.last().getAttribute('aria-posinset')) === '10001' ? true : undefined),
        'the last step is in sight',
    );
    expect(await rows.count()).toBeLessThan(60);
    // What a click changes in the list is counted, not timed.
    const touched = await panel.locator('.virtual').evaluate(async list => {
        const changed = new Set<Node>();
        const observer = new MutationObserver(found => found.forEach(({ target }) => changed.add(target)));
        observer.observe(list, { attributes: true, attributeFilter: ['aria-selected'], subtree: true });
        const [, second] = [...list.querySelectorAll<HTMLElement>('.row')].slice(-3);
        second?.click();
        await new Promise(resolve => setTimeout(resolve, 100));
        observer.disconnect();
        return changed.size;
    });
    expect(touched).toBe(2);
    await panel.locator('.virtual').focus();
    await workbench.page.keyboard.press('Home');
    await panel.locator('.row[aria-posinset="1"][aria-selected="true"]').waitFor();
    await workbench.page.keyboard.press('End');
    await panel.locator('.row[aria-posinset="10001"][aria-selected="true"]').waitFor();
    await panel.locator('#filter').fill('9999');
    await eventually(async () => ((await rows.count()) === 1 ? true : undefined), 'one step writes 9999');
    await workbench.picture('30-long-run');
    await workbench.closeAllEditors();
});

test('messages are written out, and a run has a list, columns and a chart', async () => {
    const panel = await explored('doors-with-bell.orbit', 'alone is violated after 4 steps');
    await panel.locator('#tab-columns').click();
    // The guard is always at the same place, and does not move in the run.
    // Beside the three instances stands the channel.
    expect(await panel.locator('.column-heads .index').count()).toBe(4);
    await panel.locator('#tab-list').click();
    await panel.locator('.choice').filter({ hasText: 'bell ! 1' }).click();
    await panel.locator('.virtual .row').filter({ hasText: 'bell ! 1' }).waitFor();
    await panel.locator('#tab-chart').click();
    await panel.locator('.chart .message text').filter({ hasText: '1' }).first().waitFor();
    await workbench.picture('31-chart');
    await panel.locator('#step-restart').click();
});

test('"What now?" goes on from any state, back, and to a label', async () => {
    const panel = await workbench.panel('Exploration of doors-with-bell.orbit');
    await panel.locator('#tab-list').click();
    const rows = panel.locator('.virtual .row');
    await rows.nth(1).click();
    await panel.locator('.choice').filter({ hasText: 'Worker[1] enter' }).click();
    await eventually(async () => ((await rows.count()) === 3 ? true : undefined), 'the run ends with the taken step');
    await panel.getByLabel('Run to a label').fill('leave');
    await panel.getByLabel('Run to a label').press('Enter');
    await rows.filter({ hasText: 'leave' }).waitFor();
    await panel.locator('#step-back').click();
    await eventually(async () => ((await rows.count()) === 3 ? true : undefined), 'the way is taken back');
    await panel.locator('#step-restart').click();
    await eventually(async () => ((await rows.count()) === 5 ? true : undefined), 'the run that was found is back');
    // By keyboard alone: the next step has the focus as soon as it is there, and Backspace takes the last one back.
    await rows.nth(1).click();
    await panel.locator('.choice').first().focus();
    await workbench.page.keyboard.press('Enter');
    await panel.locator('.choice:focus').first().waitFor();
    await workbench.page.keyboard.press('Backspace');
    await panel.locator('#step-back').waitFor({ state: 'detached' });
    // The start is compared with another state, too.
    await rows.first().click();
    await panel.getByLabel('Step that the state is compared with').fill('4');
    await panel.getByLabel('Step that the state is compared with').press('Tab');
    await panel.locator('.state tr.changed').filter({ hasText: 'taken' }).waitFor();
    await workbench.picture('32-what-now');
});

test('a file that is opened from the panel does not cover it', async () => {
    const panel = await workbench.panel('Exploration of doors-with-bell.orbit');
    await panel.locator('.virtual').focus();
    await workbench.openFile('long.orbit');
    expect(await panel.locator('#title').isVisible()).toBe(true);
    // With its panel the group goes, too.
    await workbench.page.locator('.tab').filter({ hasText: 'Exploration of' }).getByRole('button').click();
    await eventually(
        async () => ((await workbench.page.locator('.editor-group-container').count()) === 1 ? true : undefined),
        'no empty group is left',
    );
    await workbench.closeAllEditors();
});
