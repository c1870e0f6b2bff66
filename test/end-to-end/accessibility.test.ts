/** Every panel against the rules of axe, in a light, a dark and a high-contrast theme. */
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { patient } from '../patience.js';
import { eventually } from './workbench-page.js';

const { workbench } = openWorkbench({
    // The second one has not tried before it enters.
    'semaphore-mutex-1.jsonl': '{ "process": "P[a]", "step": "try" }\n{ "process": "P[b]", "step": "enter" }\n',
    'semaphore-mutex.log.json': '{ "logs": "semaphore-mutex-*.jsonl" }',
});

/** What axe finds in the panel that is in sight: rule, and the elements that break it. */
async function findings(): Promise<readonly string[]> {
    const frame = await eventually(async () => {
        for (const candidate of workbench.page.frames()) {
            const isPanel = (await candidate.locator('main#root > *').count()) > 0;
            if (isPanel && (await candidate.locator('main#root').isVisible())) {
                return candidate;
            }
        }
        return undefined;
    }, 'a panel is in sight');
    await frame.evaluate(axe.source);
    return frame.evaluate(async () => {
        const { axe: injected } = window as unknown as { axe: typeof axe };
        const { violations } = await injected.run(document, {
            // A panel is a part of the workbench, which has the landmarks and the headings around it.
            rules: { region: { enabled: false } },
        });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
    });
}

async function useTheme(name: string): Promise<void> {
    const { page } = workbench;
    const input = page.locator('.quick-input-widget input[type="text"]');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const timeout = patient(8_000);
    await eventually(
        async () => {
            // Text that is typed before the themes are there is lost, so all of it begins again.
            await page.keyboard.press('F1');
            await input.fill('>Preferences: Color Theme', { timeout });
            await rows.filter({ hasText: /^Preferences: Color Theme/ }).click({ timeout });
            // Now the same box lists themes.
            const commands = rows.filter({ hasText: /^Preferences: Color Theme/ });
            await commands.waitFor({ state: 'detached', timeout });
            await input.fill(name, { timeout });
            await rows.filter({ hasText: name }).first().click({ timeout });
            return true;
        },
        `the theme is ${name}`,
        patient(60_000),
    );
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

test.each([
    ['Light Modern', 'light'],
    ['Dark Modern', 'dark'],
    ['Dark High Contrast', 'high-contrast'],
])('the panels have no fault that axe knows of: %s', async (theme, name) => {
    await useTheme(theme);
    await workbench.openFile('dining-philosophers.orbit');
    await workbench.lens(/^Explore$/);
    await workbench.clickLens(/^Explore$/);
    const run = await workbench.panel('Exploration of dining-philosophers.orbit');
    await run.getByRole('heading', { name: 'Deadlock after 5 steps' }).waitFor();
    for (const form of ['list', 'columns', 'chart']) {
        await run.locator(`#tab-${form}`).click();
        await run.locator('.choices').waitFor();
        expect(await findings()).toEqual([]);
        // The state and what is possible in it are beside or below the run, and not scrolled away with it.
        const overflow = await run.locator('.split').evaluate(split => getComputedStyle(split).overflowY);
        expect(overflow).toBe('visible');
        await run.locator('.state').getByText('get[4, 4]').first().waitFor();
        await workbench.picture(`60-run-${form}-${name}`);
    }
    await run.locator('#tab-list').click();
    expect(await run.locator('.row .link:not([tabindex="-1"])').count()).toBe(0);
    expect(await run.locator('.reason .link:not([tabindex="-1"])').count()).toBeLessThan(2);
    await workbench.closeAllEditors();

    await workbench.openFile('three-tier.orbit');
    await workbench.lens(/^Explore$/);
    await workbench.command('Orbit: Show Symmetries');
    const symmetries = await workbench.panel('Symmetries of three-tier.orbit');
    await symmetries.locator('#state-0').click();
    await symmetries.locator('.counterpart table').waitFor();
    await symmetries.locator('.algebra > summary').click();
    expect(await findings()).toEqual([]);
    await workbench.picture(`61-symmetries-${name}`);
    await workbench.closeAllEditors();

    await workbench.openFile('dining-philosophers.orbit');
    await workbench.lens(/^Explore$/);
    await workbench.command('Orbit: Show State Graph');
    const graph = await workbench.panel('State Graph of dining-philosophers.orbit');
    await graph.locator('.node').first().waitFor();
    await graph.locator('.rows tr[aria-selected="true"]').waitFor();
    expect(await graph.locator('html').evaluate(page => page.scrollTop)).toBe(0);
    expect(await findings()).toEqual([]);
    await workbench.picture(`62-state-graph-${name}`);
    await workbench.closeAllEditors();

    await workbench.openFile('semaphore-mutex.orbit');
    await workbench.lens('sweep');
    await workbench.clickLens(/^sweep$/);
    await workbench.page.locator('.quick-input-widget input[type="text"]').fill('2 .. 8');
    await workbench.page.keyboard.press('Enter');
    const sweep = await workbench.panel('Sweep of semaphore-mutex.orbit');
    await sweep.getByRole('heading', { name: 'Holds for each N from 2 to 8' }).waitFor();
    expect(await findings()).toEqual([]);
    await workbench.picture(`63-sweep-${name}`);
    await workbench.closeAllEditors();

    await workbench.openFile('semaphore-mutex-1.jsonl');
    await workbench.command('Orbit: Match Log …');
    const log = await workbench.panel('Exploration of semaphore-mutex.orbit');
    await log.getByRole('heading', { name: 'Line 2 fits nothing' }).waitFor();
    await log.locator('.choices').waitFor();
    expect(await findings()).toEqual([]);
    await workbench.picture(`64-log-${name}`);
    await workbench.closeAllEditors();
});
