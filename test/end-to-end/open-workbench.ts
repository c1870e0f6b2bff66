/**
 * The workbench that the tests of one file share: opened before the first that is run, closed after the last, with a
 * picture of each failure. It is started by vscode-extension/workbench/test.js, which passes its address in
 * ORBIT_WORKBENCH, that of one without a server in ORBIT_WEB_WORKBENCH, and the folder that they show, a copy of models/,
 * in ORBIT_WORKSPACE.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchBrowser } from './browser.js';
import { WorkbenchPage } from './workbench-page.js';

export interface OpenWorkbench {
    readonly workbench: WorkbenchPage;
    /** The address of the workbench. */
    readonly url: string;
    /** The folder that the workbench shows. */
    readonly workspace: string;
}

/** A workbench on its folder with these files added, text by name. */
export function openWorkbench(files: Readonly<Record<string, string>> = {}): OpenWorkbench {
    const workspace = environmentVariable('ORBIT_WORKSPACE');
    const before = new Set(readdirSync(workspace));
    // The next file of tests finds the models alone.
    afterAll(() =>
        readdirSync(workspace)
            .filter(name => !before.has(name))
            .forEach(name => rmSync(join(workspace, name), { recursive: true })),
    );
    for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(workspace, name), text);
    }
    const url = environmentVariable('ORBIT_WORKBENCH');
    return { workbench: openPage(url), url, workspace };
}

/** A workbench in a browser of its own. A file of which no test is run opens none. */
export function openPage(url: string): WorkbenchPage {
    const workbench = new WorkbenchPage();
    beforeAll(async () => {
        const browser = await launchBrowser();
        workbench.use(browser.pages()[0] ?? (await browser.newPage()));
        await workbench.open(url);
    });
    afterEach(async context => {
        if (context.task.result?.state === 'fail') {
            await workbench.picture(`failed-${context.task.name.replace(/\W+/g, '-')}`);
        }
    });
    afterAll(() => workbench.page.context().close());
    return workbench;
}

export function environmentVariable(name: string): string {
    const value = process.env[name];
    if (value === undefined) {
        throw new Error(`${name} is not set: run these tests with "npm test -- --end-to-end"`);
    }
    return value;
}
