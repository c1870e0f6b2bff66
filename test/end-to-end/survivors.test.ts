/** *Find What Nothing Notices*: lenses where a change goes unnoticed, and the baseline that takes one away. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { eventually } from './workbench-page.js';

const { workbench, workspace } = openWorkbench({
    'unnoticed.orbit': `model Unnoticed

type Id = 1 .. 2

var taken: bool = false

process P[i: Id] {
    loop {
        enter: when !taken { taken := true }
        leave: taken := false
    }
}
`,
});

test('a survivor has a lens, which an accepted one has not any more', async () => {
    const { page } = workbench;
    await workbench.openFile('unnoticed.orbit');
    await workbench.lens('interchangeable');
    await workbench.command('Orbit: Find What Nothing Notices');
    await workbench.lens('nothing notices if the guard !taken is dropped');
    await workbench.picture('103-what-nothing-notices');
    await workbench.clickLens('nothing notices if the guard !taken is dropped');
    await page.locator('.quick-input-widget input[type="text"]').waitFor();
    await page.keyboard.type('it is an example');
    await page.keyboard.press('Enter');
    await eventually(
        async () => ((await workbench.lenses()).some(lens => lens.includes('the guard !taken')) ? undefined : true),
        'the lens is gone',
    );
    const { survivors } = JSON.parse(readFileSync(join(workspace, 'survivors.json'), 'utf8')) as {
        readonly survivors: readonly { readonly file: string; readonly because: string }[];
    };
    expect(survivors.filter(({ file }) => file === 'unnoticed.orbit')).toMatchObject([{ because: 'it is an example' }]);
    expect(survivors.length).toBeGreaterThan(1);
});
