/**
 * The workbench that the tests of one file share: opened before the first, closed after the last, with a picture of
 * each failure. It is started by vscode-extension/workbench/test.js, which passes its address in ORBIT_WORKBENCH, that of
 * one without a server in ORBIT_WEB_WORKBENCH, and the folder that they show, a copy of models/, in ORBIT_WORKSPACE.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { launchBrowser } from './browser.js';
import { WorkbenchPage } from './workbench-page.js';

export interface OpenWorkbench {
    readonly workbench: WorkbenchPage;
    /** The address of the workbench. */
    readonly url: string;
    /** The folder that the workbench shows. */
    readonly workspace: string;
}

/** Opens the workbench on its folder with these files added, text by name. */
export async function openWorkbench(files: Readonly<Record<string, string>> = {}): Promise<OpenWorkbench> {
    const workspace = environmentVariable('ORBIT_WORKSPACE');
    for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(workspace, name), text);
    }
    const url = environmentVariable('ORBIT_WORKBENCH');
    return { workbench: await openPage(url), url, workspace };
}

/** Opens a workbench in a browser of its own. */
export async function openPage(url: string): Promise<WorkbenchPage> {
    const browser = await launchBrowser();
    afterAll(() => browser.close());
    const workbench = new WorkbenchPage(browser.pages()[0] ?? (await browser.newPage()));
    afterEach(async context => {
        if (context.task.result?.state === 'fail') {
            await workbench.picture(`failed-${context.task.name.replace(/\W+/g, '-')}`);
        }
    });
    await workbench.open(url);
    return workbench;
}

export function environmentVariable(name: string): string {
    const value = process.env[name];
    if (value === undefined) {
        throw new Error(`${name} is not set: run these tests with "npm test -- --end-to-end"`);
    }
    return value;
}
