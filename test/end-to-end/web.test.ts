/**
 * The extension as a web extension: in a workbench of static files, with the language server and its threads in web
 * workers, on a folder that is on no disk and not trusted: vscode-extension/workbench/memory-files holds it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect, test } from 'vitest';
import { environmentVariable, openPage } from './open-workbench.js';
import { eventually } from './workbench-page.js';

/** Two workers look, and both enter; the other file is never opened. */
const DOORS = `import "room.orbit"

process Worker[i: Id] {
    loop {
        look: when !taken;
        enter: taken := true;
        leave: taken := false
    }
}

invariant alone = count(i in Id: Worker[i] at leave) <= 1
`;
const ROOM = `param N: 2 .. 64 = 3
type Id = 1 .. N
var taken: bool = false
`;

/** A million states, up to fifty thousand at one depth: more than one thread explores where there is another. */
const WIDE = `model Wide

type Id = 1 .. 6
var sum: 0 .. 54 = 0

process P[i: Id] {
    var x: 0 .. 9 = 0
    loop { up: when x < 9 { x := x + 1; sum := sum + 1 } }
}

invariant small = sum < 54
`;

/** The second line is too early. */
const LOG = `{"process": "Worker[left]", "step": "look"}
{"process": "Worker[left]", "step": "leave"}
{"process": "Worker[left]", "step": "enter"}
`;

const FILES = {
    'doors.orbit': DOORS,
    'room.orbit': ROOM,
    'wide.orbit': WIDE,
    'doors.log.json': '{ "logs": "doors-*.jsonl" }',
    'doors-1.jsonl': LOG,
};
for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(environmentVariable('ORBIT_WORKSPACE'), name), text);
}
const workbench = openPage(environmentVariable('ORBIT_WEB_WORKBENCH'));

/** Explores the model in the editor and returns its panel once the title is there. */
async function explored(file: string, title: string): Promise<FrameLocator> {
    await workbench.clickLens(/^Explore$/);
    const panel = await workbench.panel(`Exploration of ${file}`);
    await waitForTitle(panel, title);
    return panel;
}

async function waitForTitle(panel: FrameLocator, title: string): Promise<void> {
    await eventually(
        async () => ((await panel.locator('#title').innerText()) === title ? true : undefined),
        `the panel says "${title}"`,
    );
}

test('a model has its symmetries above it, in a folder that is not trusted', { tags: 'gate' }, async () => {
    await workbench.page.locator('.statusbar-item').filter({ hasText: 'Restricted Mode' }).waitFor();
    await workbench.openFile('dining-philosophers.orbit');
    await workbench.lens('5 Phil in a ring · about 4.8x fewer states');
});

test('an exploration finds the deadlock, and "What now?" goes on from a state', { tags: 'gate' }, async () => {
    const panel = await explored('dining-philosophers.orbit', 'Deadlock after 5 steps');
    expect(await panel.locator('.reason-line').first().textContent()).toBe(
        'The 5 Phil wait for one another, in a circle.',
    );
    const rows = panel.locator('.virtual .row');
    await rows.nth(1).click();
    await panel.locator('.choice').filter({ hasText: 'Phil[0] · Fork[0]' }).click();
    await rows.filter({ hasText: 'get[0, 0]' }).waitFor();
    expect(await rows.count()).toBe(3);
    await workbench.picture('50-web');
});

test('the panel of the symmetries opens', async () => {
    // The command is that of the editor with the focus.
    await workbench.openFile('dining-philosophers.orbit');
    await workbench.command('Orbit: Show Symmetries');
    const panel = await workbench.panel('Symmetries of dining-philosophers.orbit');
    await waitForTitle(panel, 'About 4.8x fewer states');
    await workbench.closeAllEditors();
});

test('an imported file that is not open is read', async () => {
    await workbench.openFile('doors.orbit');
    await workbench.lens('3 Worker interchangeable');
    await explored('doors.orbit', 'alone is violated after 4 steps');
    await workbench.picture('51-web-import');
    await workbench.closeAllEditors();
});

test('a log that the mapping names is matched, and its line is an error', async () => {
    await workbench.openFile('doors.orbit');
    await workbench.lens('3 Worker interchangeable');
    await workbench.command('Orbit: Match Log …');
    await workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'doors-1.jsonl' }).click();
    const panel = await workbench.panel('Exploration of doors.orbit');
    await waitForTitle(panel, 'Line 2 fits nothing (1 state before it)');
    expect(await panel.locator('#explanation').textContent()).toContain(
        'it would fit if lines 2 and the next changed places',
    );
    expect((await workbench.problems()).join('\n')).toContain('explains this line: Worker leave');
    await workbench.picture('55-web-log');
    await workbench.closeLowerPanel();
    await workbench.closeAllEditors();
});

test('what breaks a symmetry is said after a save', async () => {
    await workbench.openFile('token-ring.orbit');
    await workbench.lens('5 Link in a ring');
    await workbench.placeCursorBefore('rule1: when', 'leader');
    await workbench.page.keyboard.press('ArrowLeft');
    await workbench.page.keyboard.type('u != 0 && ');
    await workbench.lens('edited since');
    await workbench.save();
    await workbench.lens('about 2.0x fewer states');
    await workbench.hoverWith('u != 0', 'u', /u != 0`? breaks the symmetry/);
    await workbench.picture('52-web-broken-symmetry');
    await workbench.closeAllEditors();
});

test('a parameter gets another value, and a long run is stopped', async () => {
    await workbench.openFile('peterson.orbit');
    await workbench.clickLens(/^change$/);
    await workbench.page.locator('.quick-input-widget input[type="text"]').fill('12');
    await workbench.page.keyboard.press('Enter');
    await workbench.lens('N = 12 (3 in the text)');
    await workbench.clickLens(/^Explore$/);
    const panel = await workbench.panel('Exploration of peterson.orbit');
    await panel.locator('#cancel').click();
    await waitForTitle(panel, 'Cancelled');
    // Its worker is gone; another one takes the next run.
    await workbench.clickLens('back to 3');
    await workbench.lens('3 P interchangeable');
    await explored('peterson.orbit', 'Holds');
    await workbench.picture('53-web-holds');
    await workbench.closeAllEditors();
});

test('threads search together where the page is isolated', async () => {
    await workbench.open(environmentVariable('ORBIT_WEB_WORKBENCH_ISOLATED'));
    expect(await workbench.page.evaluate(() => crossOriginIsolated)).toBe(true);
    await workbench.openFile('wide.orbit');
    await workbench.lens(/^Explore$/);
    await workbench.command('Orbit: Explore Without Symmetry');
    const panel = await workbench.panel('Exploration of wide.orbit');
    await waitForTitle(panel, 'small is violated after 54 steps');
    await workbench.picture('54-web-threads');
    // The setting allows four, and there are never more than processors.
    const threads = await workbench.page.evaluate(() => Math.min(4, navigator.hardwareConcurrency));
    await panel.getByText('JSON', { exact: true }).click();
    await workbench.page.locator('.quick-input-widget').getByText('OK', { exact: true }).click();
    await workbench.openFile('wide-run.json');
    await eventually(
        async () => ((await workbench.text()).includes(`"workers": ${threads}`) ? true : undefined),
        `the saved run says that ${threads} threads have explored`,
    );
});
