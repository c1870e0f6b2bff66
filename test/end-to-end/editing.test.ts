/** Writing a model in a real workbench. Every test leaves a picture. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { patient } from '../patience.js';
import { eventually } from './workbench-page.js';

/** Waits until the text in the editor is as expected. */
async function untilText(what: string, holds: (text: string) => boolean): Promise<void> {
    await eventually(async () => holds(await workbench.text()) || undefined, `the text ${what}`);
}

const UNTIDY = `model   Untidy
enum Color = {red,green}
var light:Color=red   // the lamp
process P{
loop{
go: when light==red{light:=green}
stop: light := red
}
}
`;

const TIDY = `model Untidy
enum Color = { red, green }
var light: Color = red // the lamp

process P {
    loop {
        go: when light == red { light := green }
        stop: light := red
    }
}`;

const LOCKS = `/// Whoever holds the lock.
var holder: 0 .. 1? = none
`;

const DOORS = `model Doors
import "locks.orbit"

process P[i: 0 .. 1] {
    loop {
        take: when holder == none { holder := i }
        give: holder := none
    }
}
`;

afterEach(async () => {
    await workbench.page.keyboard.press('Escape');
    await workbench.closeEditor();
});

const { workbench, workspace } = openWorkbench({
    'draft.orbit': UNTIDY,
    'locks.orbit': LOCKS,
    'doors.orbit': DOORS,
});

describe('writing', () => {
    test('completion offers what fits, and a snippet becomes text', { tags: 'gate' }, async () => {
        await workbench.openFile('draft.orbit');
        await workbench.lens(/^Explore$/);
        await workbench.placeCursorBefore('stop: light', 'stop');
        await workbench.page.keyboard.press('Enter');
        await workbench.page.keyboard.press('ArrowUp');
        await workbench.page.keyboard.type('when light == ');
        await workbench.page.keyboard.press('Control+Space');
        const suggestions = workbench.page.locator('.suggest-widget.visible .monaco-list-row');
        await suggestions.filter({ hasText: 'green' }).waitFor();
        // The values of the enumeration come before everything else.
        expect(await suggestions.first().innerText()).toMatch(/^(green|red)/);
        await workbench.picture('20-completion');
        await workbench.page.keyboard.type('gre');
        await suggestions.and(workbench.page.locator('.focused')).filter({ hasText: 'green' }).waitFor();
        await workbench.page.keyboard.press('Enter');
        await untilText('has the value', text => text.includes('when light == green'));
        await workbench.page.keyboard.type(';\nchoo');
        await suggestions.and(workbench.page.locator('.focused')).filter({ hasText: 'choose' }).waitFor();
        await workbench.page.keyboard.press('Enter');
        await untilText('has the snippet', text => /choose \{\s+\} or \{\s+\}/.test(text));
    });

    test('arguments are shown while a call is written', async () => {
        await workbench.openFile('draft.orbit');
        await workbench.placeCursorBefore('stop: light', 'stop');
        await workbench.page.keyboard.type('when max(');
        const help = workbench.page.locator('.parameter-hints-widget.visible');
        await eventually(async () => {
            if (!(await help.isVisible())) {
                // On a busy machine the answer to the key may be one to an older text.
                await help
                    .waitFor({ timeout: patient(5_000) })
                    .catch(() => workbench.page.keyboard.press('Control+Shift+Space'));
            }
            return (await help.isVisible()) ? true : undefined;
        }, 'arguments are shown');
        await eventually(
            async () => ((await help.innerText()).includes('max(first, second') ? true : undefined),
            'the signature of max is shown',
        );
        await workbench.picture('21-signature');
    });

    test('a quick fix repairs a misspelled name', { tags: 'gate' }, async () => {
        await workbench.openFile('draft.orbit');
        await workbench.placeCursorBefore('stop: light := red', 'red');
        await workbench.page.keyboard.type('g');
        await workbench.page.locator('.editor-instance .view-overlays .squiggly-error').first().waitFor();
        const action = workbench.page.locator('.action-widget .monaco-list-row').filter({ hasText: 'Replace by' });
        await eventually(async () => {
            // The squiggle is drawn before the workbench asks what there is to repair.
            await workbench.page.keyboard.press('Control+.');
            await action.first().waitFor({ timeout: patient(5_000) });
            return true;
        }, 'the repair is offered');
        await workbench.picture('22-quick-fix');
        await workbench.page.keyboard.press('Enter');
        await untilText('has the right name', text => text.includes('stop: light := red'));
    });

    test('formatting lays the text out', async () => {
        await workbench.openFile('draft.orbit');
        await workbench.lens(/^Explore$/);
        await workbench.command('Format Document');
        await untilText('is laid out', text => text === TIDY);
        await workbench.picture('23-formatted');
    });

    test('a closing brace is put where it belongs', async () => {
        await workbench.openFile('draft.orbit');
        await workbench.placeCursorBefore('stop: light', 'stop');
        await workbench.page.keyboard.type('more: when   light==green{light:=red}');
        // The line is formatted while it is typed.
        await untilText('is formatted', text => text.includes('more: when light == green { light := red }'));
    });

    test('the outline shows what the model declares', async () => {
        await workbench.openFile('draft.orbit');
        await workbench.command('Explorer: Focus on Outline View');
        const rows = workbench.page.locator('.outline-pane .monaco-list-row');
        await eventually(async () => {
            const texts = (await rows.allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim());
            return ['Untidy', 'Color', 'red', 'light'].every(name => texts.some(text => text.startsWith(name)))
                ? true
                : undefined;
        }, 'the outline has the declarations');
        await workbench.picture('24-outline');
    });
});

describe('two files', () => {
    test('a name is renamed in both', { tags: 'gate' }, async () => {
        await workbench.openFile('doors.orbit');
        await workbench.lens(/^Explore$/);
        await workbench.placeCursorBefore('give: holder', 'holder');
        await workbench.page.keyboard.press('F2');
        const box = workbench.page.locator('.rename-box input');
        await box.waitFor();
        await box.fill('owner');
        await workbench.page.keyboard.press('Enter');
        await untilText('has the new name', text => text.split('owner').length === 4);
        await workbench.picture('25-renamed');
        await workbench.command('File: Save All Files');
        await eventually(
            () =>
                Promise.resolve(
                    readFileSync(join(workspace, 'locks.orbit'), 'utf8').includes('var owner:') || undefined,
                ),
            'the declaration in the other file is renamed',
        );
    });

    test('a use leads to the other file', async () => {
        await workbench.openFile('doors.orbit');
        await workbench.lens(/^Explore$/);
        await workbench.placeCursorBefore('give: owner', 'owner');
        await workbench.page.keyboard.press('F12');
        await workbench.page.locator('.editor-instance .monaco-editor[data-uri$="/locks.orbit"]').waitFor();
        await workbench.picture('26-definition');
        await workbench.closeAllEditors();
        await workbench.openFile('doors.orbit');
    });
});
