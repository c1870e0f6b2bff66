/** *Find a Run Where …*: a question with completion, its answer in the panel, a value asked of it, and the run kept in the text. */
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';

const TEXT = `model Lease

param N: 2 .. 6 = 3

type Client = 1 .. N

var holder: Client? = none

process C[i: Client] {
    loop {
        take: when holder == none { holder := i }
        give: when holder == i { holder := none }
    }
}
`;
const { workbench } = openWorkbench({ 'lease.orbit': TEXT });

test('a run is asked for, shown and kept', async () => {
    const { page } = workbench;
    await workbench.openFile('lease.orbit');
    await workbench.lens('interchangeable');
    await workbench.command('Orbit: Find a Run Where …');
    await page.locator('.quick-input-title').filter({ hasText: 'Find a run where' }).waitFor();
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await page.keyboard.type('holder == 2 then ho');
    await rows.filter({ hasText: '`ho` is not declared' }).waitFor();
    await rows.filter({ hasText: 'var holder' }).waitFor();
    // The second row is the word that may come next.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(' == 1');
    await rows.filter({ hasText: 'find it' }).waitFor();
    await page.keyboard.press('Enter');
    const panel = await workbench.panel('Exploration of lease.orbit');
    await expect.poll(() => panel.locator('#title').textContent(), { timeout: 20_000 }).toBe('Found after 3 steps');
    expect(await panel.locator('#explanation').textContent()).toBe(
        'holder == 2 then holder == 1: the parts are met at 1, 3',
    );
    // The value of an expression stands above each state.
    await panel.locator('#ask').click();
    await page.locator('.quick-input-title').filter({ hasText: 'Show in each state' }).waitFor();
    await page.keyboard.type('{ i in Client where C[i] at give }');
    await rows.filter({ hasText: 'show it' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => panel.locator('.asked .now').textContent(), { timeout: 20_000 }).toBe('{} → {1}');
    await panel.locator('#keep-run').click();
    await page.locator('.view-line').filter({ hasText: 'run found = holder == 2 then holder == 1' }).waitFor();
});
