/** What is left when a process behind the editor is gone in the middle of a run: text, earlier results, and a way on. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { eventually } from './workbench-page.js';

/** Two workers look, and both enter: after 4 steps. */
const LOCK = `model Gate

param N: 2 .. 64 = 3
type Id = 1 .. N
var taken: bool = false

process Worker[i: Id] {
    loop { look: when !taken; enter: taken := true; leave: taken := false }
}

invariant alone = count(i in Id: Worker[i] at leave) <= 1
`;

/** Explored state by state it runs for minutes. */
const PETERSON = readFileSync(join('models', 'peterson.orbit'), 'utf8').replace(/^(param N: .*= *)\d+/m, '$112');

const { workbench } = openWorkbench({ 'gate.orbit': LOCK, 'long-run.orbit': PETERSON });

/** Kills the processes of this machine in whose command line these words stand; throws where there is none. */
function kill(words: string): void {
    const found = readdirSync('/proc').filter(name => {
        try {
            return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(words);
        } catch (error) {
            // It has ended in the meantime.
            if (
                (error as NodeJS.ErrnoException).code === 'ENOENT' ||
                (error as NodeJS.ErrnoException).code === 'ESRCH'
            ) {
                return false;
            }
            throw error;
        }
    });
    expect(found.length).toBeGreaterThan(0);
    found.forEach(pid => process.kill(Number(pid), 'SIGKILL'));
}

/** Explores a model that is violated, then begins a run that does not end by itself. */
async function explored(): Promise<void> {
    await workbench.openFile('gate.orbit');
    await workbench.lens('3 Worker interchangeable');
    await workbench.clickLens(/^Explore$/);
    await workbench.lens('violated after 4 steps');
    await workbench.closeAllEditors();
}

test('a killed language server: the run says so, and everything else is there again', { tags: 'gate' }, async () => {
    await explored();
    await workbench.openFile('long-run.orbit');
    await workbench.lens(/^Explore$/);
    await workbench.command('Orbit: Explore Without Symmetry');
    const panel = await workbench.panel('Exploration of long-run.orbit');
    await panel.locator('#cancel').waitFor();
    kill(join('dist', 'server.cjs'));
    await panel.getByText('The language server was restarted; run again.').waitFor();
    await workbench.picture('40-server-killed');
    // The text is analyzed by the next server, and can be explored.
    await workbench.lens('12 P interchangeable');
    await workbench.clickLens(/^Explore$/);
    await panel.locator('#cancel').waitFor();
    await panel.locator('#cancel').click();
    await eventually(
        async () => ((await panel.locator('#title').innerText()) === 'Cancelled' ? true : undefined),
        'the second run is cancelled',
    );
    await workbench.closeAllEditors();
    await workbench.openFile('gate.orbit');
    await workbench.lens('violated after 4 steps');
});

test('a killed extension host: what was typed and what was found are there again', async () => {
    const text = await workbench.text();
    await workbench.placeCursorBefore('model Gate', 'Gate');
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type(' // not saved');
    kill('--type=extensionHost');
    // The editor shows what it knows until the next host answers: only that one knows of a new error.
    await workbench.placeCursorBefore('look: when !taken', 'taken');
    await workbench.page.keyboard.type('un');
    await eventually(
        async () => (await workbench.problems()).find(problem => problem.includes('`untaken` is not declared')),
        'the problems tell the new error',
    );
    await workbench.closeLowerPanel();
    expect(await workbench.text()).toContain('model Gate // not saved');
    await workbench.undoTo(text);
    await workbench.lens('violated after 4 steps');
    await workbench.picture('41-host-killed');
    await workbench.closeAllEditors();
});
