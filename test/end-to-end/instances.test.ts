/** Processes that are created: the system of the source paper from typing to its verdict, and a run that names instances. */
import { expect, test } from 'vitest';
import { openWorkbench } from './open-workbench.js';
import { eventually } from './workbench-page.js';

/** Two servers with one session each: 15 states up to symmetry and names. */
const SESSIONS = `model Sessions

type Server = 1 .. 2

channel back[Handler]: 0 of 0 .. 1
channel collect[Server]: 0 of Handler

process Main[i: Server] {
    var open: 0 .. 1 = 0
    loop {
        choose { request: when open < 1 { spawn Handler(i); open := open + 1 } }
        or { coll: collect[i] ? _ { open := open - 1 } }
    }
}

process Handler(owner: Server) {
    var result: 0 .. 1
    call: spawn Leap(self);
    ret: back[self] ? result;
    answer: assert result == 0;
    done: collect[owner] ! self
}

process Leap(caller: Handler) {
    calculate: back[caller] ! 0
}
`;

/** The third worker is one too many. */
const WORKERS = `model Workers

process Source {
    loop { create: spawn Worker() }
}

process Worker() {
    work: skip;
    finish: skip
}

invariant few = count(w in Worker: true) <= 2
`;

const { workbench } = openWorkbench({ 'paper.orbit': '', 'workers.orbit': WORKERS });

test('the system of the paper is typed in, and explored up to symmetry and names with one click', async () => {
    await workbench.openFile('paper.orbit');
    await workbench.lens('Begin with a small model');
    await workbench.page.locator('.editor-instance .view-lines').click();
    await workbench.page.keyboard.insertText(SESSIONS.replace(/^ +/gm, ''));
    await workbench.lens(/^Explore$/);
    await workbench.command('Format Document');
    // What is formatted after it was saved would be another text than the one that is explored.
    await eventually(
        async () =>
            (await workbench.page.locator('.editor-instance .view-lines').innerText()).match(/\s{4}var\sopen/)
                ? true
                : undefined,
        'the text is formatted',
    );
    await workbench.save();
    await eventually(
        async () => ((await workbench.lenses()).some(lens => lens.includes('edited since')) ? undefined : true),
        'the symmetries are those of the text',
    );
    await workbench.lens('interchangeable · created in 1 place');
    await workbench.clickLens(/^Explore$/);
    const panel = await workbench.panel('Exploration of paper.orbit');
    await panel.getByRole('heading', { name: 'Holds' }).waitFor();
    await workbench.picture('70-instances-panel');
    await workbench.closeAllEditors();

    await workbench.openFile('paper.orbit');
    await workbench.lens('in 15 states, renamed ones not counted');
    await workbench.lens('interchangeable · created in 1 place · at most 2 at once');
    const hover = await workbench.hoverWith('process Handler', 'Handler', /at most 2 live at once/);
    expect(hover).toContain('instances are interchangeable');
    await workbench.picture('71-instances-lens');
    await workbench.closeAllEditors();
});

test('a run names the instances by their creation', async () => {
    await workbench.openFile('workers.orbit');
    await workbench.clickLens(/^Explore$/);
    const panel = await workbench.panel('Exploration of workers.orbit');
    await panel.getByRole('heading', { name: 'few is violated after 3 steps' }).waitFor();
    await panel.getByText('Worker#3').first().waitFor();
    await workbench.picture('72-instances-run');
    await workbench.closeAllEditors();
});
