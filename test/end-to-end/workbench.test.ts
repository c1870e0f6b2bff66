/**
 * The extension as a person meets it: the packaged .vsix in a real workbench, in a browser. Every test leaves a picture
 * in screenshots/.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { eventually } from './workbench-page.js';

const { workbench, workspace } = openWorkbench();

/** A figure of the result panel by its name. */
async function figure(panel: FrameLocator, name: string): Promise<string> {
    return panel.locator(`#figure-${name}`).innerText();
}

/** Waits until the result panel has this title. */
async function waitForTitle(panel: FrameLocator, title: string): Promise<void> {
    await eventually(
        async () => ((await panel.locator('#title').innerText()) === title ? true : undefined),
        `the panel says "${title}"`,
    );
}

describe('the token ring', { tags: 'gate' }, () => {
    // The ring turns in 5 ways, and exchanging 0 and 1 in every label changes nothing that a rule can see: C5 × C2 = C10.
    // Burnside: (8^5 + 4 · 8) / 10 = 3280 orbits, since the exchange alone, or with a turn, fixes no state.
    // Every value is initial, so every state is reached.
    let original = '';

    test('shows its group above the model', async () => {
        await workbench.openFile('token-ring.orbit');
        expect(await workbench.lens('about 10x fewer states')).toContain('5 Link in a ring');
        await workbench.lens('5 instances, a ring for every N (proved)');
        await workbench.picture('1-lens');
    });

    test('says in a hover what symmetry does to a variable', async () => {
        const hover = await workbench.hover('var label', 'label');
        expect(hover).toMatch(/0 and 1 are interchangeable/i);
        expect(hover).toMatch(/moves with its process/i);
        await workbench.picture('2-hover');
        await workbench.page.mouse.move(700, 880);
    });

    test('says where an edit breaks the symmetry, once it is saved', async () => {
        original = await workbench.text();
        // The exchange of 0 and 1 in the labels is left: order 2.
        await workbench.placeCursorBefore('rule1: when', 'leader');
        await workbench.page.keyboard.press('ArrowLeft');
        await workbench.page.keyboard.type('u != 0 && ');
        await workbench.lens('edited since');
        await workbench.save();
        await workbench.lens(/^5 Link would be a ring without line \d+ · fix$/);
        await workbench.lens('about 2.0x fewer states');
        await workbench.hoverWith('u != 0', 'u', /u != 0`? breaks the symmetry/);
        await workbench.page.mouse.move(700, 880);
        await workbench.picture('3-broken-symmetry');
    });

    test('has its symmetry back by the fix in the light bulb', async () => {
        await workbench.placeCursorBefore('rule1: when', 'leader');
        await workbench.page.keyboard.press('Control+.');
        await workbench.page.getByText('Remove u != 0: the ring is back').waitFor();
        await workbench.page.keyboard.press('Enter');
        await eventually(
            async () => ((await workbench.text()) === original ? true : undefined),
            'the condition is gone',
        );
        await workbench.save();
        await workbench.lens('5 Link in a ring');
    });

    test('is explored by orbits, and the panel shows the counts', async () => {
        await workbench.clickLens(/^Explore$/);
        const panel = await workbench.panel('Exploration of token-ring.orbit');
        await waitForTitle(panel, 'Holds');
        expect(await figure(panel, 'states')).toBe('3,280');
        expect(await figure(panel, 'order')).toBe('10');
        expect(await figure(panel, 'group')).toBe('C10');
        await workbench.lens('all 32,768 states; 3,280 explored (10x)');
        await workbench.picture('4-explored-reduced');
    });

    test('is explored state by state, with the same verdict', async () => {
        await workbench.command('Orbit: Explore Without Symmetry');
        const panel = await workbench.panel('Exploration of token-ring.orbit');
        await eventually(
            async () => ((await figure(panel, 'states')) === '32,768' ? true : undefined),
            'all 32,768 states are explored',
        );
        await waitForTitle(panel, 'Holds');
    });

    test('marks a result as stale after an edit', async () => {
        const panel = await workbench.panel('Exploration of token-ring.orbit');
        expect(await panel.locator('#stale').count()).toBe(0);
        const before = await workbench.text();
        await workbench.placeCursorBefore('model TokenRing', 'TokenRing');
        await workbench.page.keyboard.type('New');
        await workbench.lens('edited since');
        await panel.locator('#stale').waitFor();
        await workbench.picture('5-stale');
        await workbench.undoTo(before);
    });

    test('lists its symmetries in a panel', async () => {
        await workbench.command('Orbit: Show Symmetries');
        const panel = await workbench.panel('Symmetries of token-ring.orbit');
        await waitForTitle(panel, 'About 10x fewer states');
        expect(await panel.locator('.factor').count()).toBe(2);
        const ring = panel.getByRole('img', { name: 'the 5 instances of Link can be rotated' });
        expect(await ring.locator('.member').count()).toBe(5);
        await panel.locator('#state-0').click();
        await panel.locator('#counterpart-0 th').filter({ hasText: 'its counterpart' }).waitFor();
        await panel.locator('#mark-0').click();
        await panel.locator('.algebra > summary').click();
        expect(await panel.locator('.generators li').count()).toBeGreaterThan(0);
        expect(await panel.locator('.algebra > summary').innerText()).toContain('C10 · 10 symmetries');
        await workbench.picture('6-symmetries');
        await workbench.closeAllEditors();
    });
});

describe('a deadlock of the dining philosophers', { tags: 'gate' }, () => {
    test('comes with a run whose steps show their source', async () => {
        await workbench.openFile('dining-philosophers.orbit');
        await workbench.lens(/^Explore$/);
        await workbench.clickLens(/^Explore$/);
        const panel = await workbench.panel('Exploration of dining-philosophers.orbit');
        await waitForTitle(panel, 'Deadlock after 5 steps');
        const reason = panel.locator('.reason-line');
        expect(await reason.first().textContent()).toBe('The 5 Phil wait for one another, in a circle.');
        expect(await reason.nth(1).innerText()).toMatch(
            /^Phil\[0\] waits for get\[0, 0\]: Fork\[0\] is held by Phil\[4\]\s+line 22/,
        );
        expect(await reason.nth(1).locator('summary').textContent()).toBe('and 4 more, the same by rotation');
        // Each of the five philosophers takes the fork to the right, and nobody can take a second one.
        const steps = panel.locator('.virtual .row');
        expect(await steps.count()).toBe(1 + 5);
        expect(await steps.last().getAttribute('aria-selected')).toBe('true');
        await steps.nth(1).click();
        await eventually(async () => {
            expect(await steps.nth(1).getAttribute('aria-selected')).toBe('true');
            expect(await panel.locator('tr.changed').count()).toBeGreaterThan(0);
            return true;
        }, 'the first step is selected and its changes are marked');
        await eventually(
            async () => ((await workbench.selectedText()).includes('get') ? true : undefined),
            'the editor selects where the step is written',
        );
        await workbench.picture('7-trace');
    });

    test('can be followed with the keyboard', async () => {
        const panel = await workbench.panel('Exploration of dining-philosophers.orbit');
        const steps = panel.locator('.virtual .row');
        await panel.locator('.virtual').focus();
        await workbench.page.keyboard.press('ArrowDown');
        await eventually(
            async () => ((await steps.nth(2).getAttribute('aria-selected')) === 'true' ? true : undefined),
            'the next step is selected',
        );
        await workbench.closeAllEditors();
    });
});

describe('a state graph', () => {
    test('shows orbits by depth with the way to a deadlock, beside a table of the same', async () => {
        await workbench.openFile('dining-philosophers.orbit');
        await workbench.lens(/^Explore$/);
        await workbench.command('Orbit: Show State Graph');
        const panel = await workbench.panel('State Graph of dining-philosophers.orbit');
        await waitForTitle(panel, 'Deadlock in 1 of 80 orbits');
        expect(await panel.locator('.node').count()).toBe(80);
        // The start, and the five steps to the deadlock.
        expect(await panel.locator('.node.on-path').count()).toBe(6);
        expect(await panel.locator('tbody tr[aria-selected="true"] td').nth(1).textContent()).toBe('5');
        await panel.locator('.canvas').focus();
        await workbench.page.keyboard.press('ArrowUp');
        await panel.locator('tr[aria-selected="true"]').filter({ hasText: /^4#/ }).waitFor();
        await panel.getByRole('button', { name: 'unfold its 5 states' }).click();
        await panel.getByRole('heading', { name: 'Its 5 states' }).waitFor();
        expect(await panel.locator('.unfolded tbody tr').count()).toBe(5);
        await workbench.picture('8-state-graph');
        await workbench.closeAllEditors();
    });

    test('opens at its verdict, and what it finds is told in the text', async () => {
        writeFileSync(
            join(workspace, 'found.orbit'),
            'model Found\nvar x: 0 .. 40 = 0\nprocess P { loop { up: when x < 40 { x := x + 1 } down: skip } }\ninvariant few = x < 30\n',
        );
        await workbench.openFile('found.orbit');
        await workbench.lens(/^Explore$/);
        await workbench.command('Orbit: Show State Graph');
        const panel = await workbench.panel('State Graph of found.orbit');
        await panel.locator('.rows tr[aria-selected="true"]').waitFor();
        expect(await panel.locator('html').evaluate(page => page.scrollTop)).toBe(0);
        expect(await panel.locator('.rows').evaluate(rows => rows.scrollLeft)).toBe(0);
        await workbench.lens(/^violated after \d+ steps$/);
        await workbench.closeAllEditors();
    });
});

describe('an invariant', () => {
    test('is checked on its own from its lens', async () => {
        await workbench.openFile('peterson.orbit');
        await workbench.lens(/^Check$/);
        await workbench.clickLens(/^Check$/);
        const panel = await workbench.panel('Exploration of peterson.orbit');
        await waitForTitle(panel, 'Holds');
        expect(await panel.locator('#explanation').innerText()).toMatch(/^mutex holds in/);
        await workbench.picture('8-property');
        await workbench.closeAllEditors();
    });
});

describe('a model with an error', () => {
    test('is marked where it is wrong, and not explored', async () => {
        writeFileSync(
            join(workspace, 'wrong.orbit'),
            'model Wrong\nvar x: 0 .. 1 = 0\nprocess P { loop { y := 1 } }\n',
        );
        await workbench.openFile('wrong.orbit');
        await workbench.page.locator('.editor-instance .view-overlays .squiggly-error').first().waitFor();
        await eventually(
            async () =>
                (await workbench.problems()).find(text => text.includes('`y`') && text.includes('[Ln 3, Col 20]')),
            'a problem names the unknown variable and its place',
        );
        await workbench.picture('9-error');
        await workbench.closeLowerPanel();
        await workbench.closeAllEditors();
    });
});

describe('a long run', () => {
    /** What these run for is minutes, so that the end seen is that of the click. How soon it comes, bench/threads.ts measures. */
    async function cancel(panel: FrameLocator): Promise<void> {
        await panel.locator('#cancel').click();
        await waitForTitle(panel, 'Cancelled');
    }

    /** A model of the folder under another name, with another value of its parameter N. */
    function withParameter(model: string, name: string, value: number): void {
        const text = readFileSync(join('models', `${model}.orbit`), 'utf8');
        const changed = text.replace(/^(param N: .*=\s*)\d+/m, `$1${value}`);
        expect(changed).not.toBe(text);
        writeFileSync(join(workspace, `${name}.orbit`), changed);
    }

    // prettier-ignore
    const cases = [
        { stage: 'finding 24! symmetries',      model: 'peterson',   value: 24, command: 'Explore',                  wait: 300 },
        { stage: 'listing 8^9 initial states',  model: 'token-ring', value: 9,  command: 'Explore Without Symmetry', wait: 1_500 },
        { stage: 'searching state by state',    model: 'peterson',   value: 7,  command: 'Explore Without Symmetry', wait: 1_500 },
        { stage: 'searching orbit by orbit',    model: 'peterson',   value: 12, command: 'Explore',                  wait: 1_500 },
    ];

    test.each(cases)('is cancelled while $stage', async ({ model, value, command, wait }) => {
        const name = `long-${model}-${value}`;
        withParameter(model, name, value);
        await workbench.openFile(`${name}.orbit`);
        await workbench.lens(/^Explore$/);
        await workbench.command(`Orbit: ${command}`);
        const panel = await workbench.panel(`Exploration of ${name}.orbit`);
        await panel.locator('#cancel').waitFor();
        await workbench.page.waitForTimeout(wait);
        await workbench.picture(`10-running-${name}`);
        await cancel(panel);
        await workbench.closeAllEditors();
    });

    test('is cancelled from its notification too, if the panel shows another model', async () => {
        await workbench.openFile('long-token-ring-9.orbit');
        await workbench.command('Orbit: Explore Without Symmetry');
        const panel = await workbench.panel('Exploration of long-token-ring-9.orbit');
        await panel.locator('#cancel').waitFor();
        const notification = workbench.page.locator('.notification-toast').filter({ hasText: 'exploring' });
        await workbench.page.waitForTimeout(1_500);
        expect(await notification.count()).toBe(0);
        await workbench.openFile('hanoi.orbit');
        await notification.locator('.monaco-button').filter({ hasText: 'Cancel' }).click();
        await workbench.openFile('long-token-ring-9.orbit');
        await waitForTitle(panel, 'Cancelled');
        await workbench.closeAllEditors();
    });

    test('leaves the editor free: text can be typed and is checked meanwhile', { tags: 'gate' }, async () => {
        withParameter('peterson', 'long-peterson-12', 12);
        await workbench.openFile('long-peterson-12.orbit');
        await workbench.clickLens(/^Explore$/);
        const panel = await workbench.panel('Exploration of long-peterson-12.orbit');
        await panel.locator('#cancel').waitFor();
        const before = await workbench.text();
        await workbench.placeCursorBefore('model Peterson', 'Peterson');
        await workbench.page.keyboard.type('vra ');
        await workbench.page.locator('.editor-instance .view-overlays .squiggly-error').first().waitFor();
        expect(await panel.locator('#title').innerText()).toBe('Exploring …');
        await workbench.undoTo(before);
        await cancel(panel);
    });
});
