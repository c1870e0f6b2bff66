/** What a person does in the workbench. The editor redraws at any time, so every reading is repeated until it fits. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { patient } from '../patience.js';

const PATIENCE_MILLISECONDS = patient(30_000);
/** So long a click may take to have an effect, before it is tried again. */
const CLICK_MILLISECONDS = patient(8_000);

/** Calls `look` until it neither throws nor returns undefined. The last failure is the one that is reported. */
export async function eventually<Result>(
    look: () => Promise<Result | undefined>,
    what: string,
    patienceMilliseconds = PATIENCE_MILLISECONDS,
): Promise<Result> {
    const end = performance.now() + patienceMilliseconds;
    let failure: unknown;
    while (performance.now() < end) {
        try {
            const result = await look();
            if (result !== undefined) {
                return result;
            }
        } catch (error) {
            failure = error;
        }
        await new Promise(resolve => setTimeout(resolve, 100));
    }
    throw new Error(`not within ${patienceMilliseconds / 1000} s: ${what}`, { cause: failure });
}

export class WorkbenchPage {
    #page: Page | undefined;

    get page(): Page {
        if (this.#page === undefined) {
            throw new Error('the workbench is open in tests only, not while they are collected');
        }
        return this.#page;
    }

    use(page: Page): void {
        page.setDefaultTimeout(PATIENCE_MILLISECONDS);
        this.#page = page;
    }

    /** Opens the workbench and waits until it can be used. */
    async open(url: string): Promise<void> {
        await this.page.goto(url, { waitUntil: 'domcontentloaded' });
        await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 3 * PATIENCE_MILLISECONDS });
    }

    /** Reloads the window as its user does; a browser that reloads the page may lose what was not stored yet. */
    async reload(): Promise<void> {
        const loaded = this.page.waitForEvent('load');
        await this.command('Developer: Reload Window').catch((error: unknown) => {
            // The box for commands goes with the page.
            if (!/navigat|closed|detached/i.test(String(error))) {
                throw error;
            }
        });
        await loaded;
        await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 3 * PATIENCE_MILLISECONDS });
    }

    /** Opens a file in the root of the workspace: its name, typed in the explorer, leads to its row. */
    async openFile(name: string): Promise<void> {
        const explorer = this.page.locator('.explorer-folders-view .monaco-list');
        const row = explorer
            .locator('.monaco-list-row.focused')
            .filter({ has: this.page.getByText(name, { exact: true }) });
        const editor = this.page.locator(`.editor-instance .monaco-editor[data-uri$="/${name}"]`);
        const timeout = patient(2_000);
        await eventually(
            async () => {
                await this.page.keyboard.press('Control+Shift+E');
                await explorer.and(this.page.locator(':focus')).waitFor({ timeout });
                await this.page.keyboard.type(name);
                await row.waitFor({ timeout });
                await this.page.keyboard.press('Enter');
                await editor.waitFor({ timeout: CLICK_MILLISECONDS });
                return true;
            },
            `${name} is open`,
            2 * PATIENCE_MILLISECONDS,
        );
    }

    /** Runs a command of the palette by its whole title, `Category: Title`. */
    async command(title: string): Promise<void> {
        const input = await this.quickInput('F1');
        await input.fill(`>${title}`);
        await this.page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: title }).waitFor();
        await this.page.keyboard.press('Enter');
        await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    }

    /** The box that a key opens. A webview that is loading swallows keys, so the key may have to be pressed again. */
    private async quickInput(key: string): Promise<Locator> {
        const input = this.page.locator('.quick-input-widget input[type="text"]');
        return eventually(async () => {
            if (!(await input.isVisible())) {
                await this.page.keyboard.press(key);
                await input.waitFor({ state: 'visible', timeout: patient(2_000) });
            }
            return input;
        }, `${key} opens the box for commands and files`);
    }

    /** The texts of all code lenses, top to bottom; alternatives on one line are separate. */
    async lenses(): Promise<readonly string[]> {
        return (
            await this.page
                .locator('.editor-instance .codelens-decoration a, .editor-instance .codelens-decoration span')
                .allInnerTexts()
        )
            .map(plain)
            .filter(text => text !== '' && text !== '|');
    }

    /** Waits for a lens that contains `text` and returns the whole of it. */
    lens(text: string | RegExp): Promise<string> {
        return eventually(
            async () =>
                (await this.lenses()).find(lens => (typeof text === 'string' ? lens.includes(text) : text.test(lens))),
            `a lens says ${text}`,
        );
    }

    /** Clicks the lens with this text, the first if there are several. */
    async clickLens(text: string | RegExp): Promise<void> {
        await this.page.locator('.editor-instance .codelens-decoration a').filter({ hasText: text }).first().click();
    }

    /** What hovering over a word shows: `word` in the first line that contains `lineText`. */
    async hover(lineText: string, word: string): Promise<string> {
        const contents = this.page.locator('.monaco-hover:not(.hidden) .hover-contents');
        return eventually(async () => {
            // A lens that comes meanwhile moves the line.
            const point = await this.pointOf(lineText, word);
            await this.page.mouse.move(point.x + 150, point.y + 3);
            await this.page.mouse.move(point.x, point.y, { steps: 4 });
            await contents.first().waitFor({ state: 'visible', timeout: patient(3_000) });
            const text = plain((await contents.allInnerTexts()).join('\n'));
            return text.startsWith('Loading') ? undefined : text;
        }, `hovering over "${word}" shows something`);
    }

    /** The same, once it says what is expected: parts of a hover come one after the other. */
    async hoverWith(lineText: string, word: string, expected: RegExp): Promise<string> {
        return eventually(
            async () => {
                // Away from the word, or the hover that is there stays as it is.
                await this.page.mouse.move(700, 880);
                const text = await this.hover(lineText, word);
                return expected.test(text) ? text : undefined;
            },
            `hovering over "${word}" shows ${String(expected)}`,
        );
    }

    /** Puts the cursor before a word. */
    async placeCursorBefore(lineText: string, word: string): Promise<void> {
        const point = await this.pointOf(lineText, word, 'start');
        await this.page.mouse.click(point.x, point.y);
    }

    /** Where a word is on the screen. The editor must show it. */
    private pointOf(
        lineText: string,
        word: string,
        where: 'middle' | 'start' = 'middle',
    ): Promise<{ x: number; y: number }> {
        return eventually(
            () =>
                this.page.evaluate(
                    ([soughtLine, soughtWord, atStart]) => {
                        const lines = [...document.querySelectorAll('.editor-instance .view-lines .view-line')];
                        const line = lines.find(candidate =>
                            (candidate.textContent ?? '').replace(/\u00a0/g, ' ').includes(soughtLine),
                        );
                        const offset = (line?.textContent ?? '')
                            .replace(/\u00a0/g, ' ')
                            .search(new RegExp(`\\b${soughtWord}\\b`));
                        if (line === undefined || offset < 0) {
                            return undefined;
                        }
                        const range = document.createRange();
                        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
                        let passed = 0;
                        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
                            const length = (node as Text).length;
                            if (passed <= offset && offset < passed + length) {
                                range.setStart(node, offset - passed);
                            }
                            if (passed < offset + soughtWord.length && offset + soughtWord.length <= passed + length) {
                                range.setEnd(node, offset + soughtWord.length - passed);
                                break;
                            }
                            passed += length;
                        }
                        const box = range.getBoundingClientRect();
                        return { x: atStart ? box.left + 1 : box.left + box.width / 2, y: box.top + box.height / 2 };
                    },
                    [lineText, word, where === 'start'] as const,
                ),
            `"${word}" is on the screen`,
        );
    }

    /** The messages in the Problems view, with their places. */
    async problems(): Promise<readonly string[]> {
        const rows = this.page.locator('.markers-panel .monaco-list-row');
        if (!(await this.page.locator('.markers-panel').isVisible())) {
            await this.command('View: Toggle Problems');
            await this.page.locator('.markers-panel').waitFor();
        }
        return (await rows.allInnerTexts()).map(plain);
    }

    /** The lines of the editor that are on the screen, top to bottom. */
    async text(): Promise<string> {
        const lines = await this.page.evaluate(() =>
            [...document.querySelectorAll('.editor-instance .view-lines .view-line')]
                .map(line => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' }))
                .sort((one, other) => one.top - other.top)
                .map(line => line.text),
        );
        return plain(lines.join('\n'));
    }

    /** Undoes edits one by one until the editor shows a text again. */
    async undoTo(text: string): Promise<void> {
        await eventually(async () => {
            if ((await this.text()) === text) {
                return true;
            }
            await this.page.keyboard.press('Control+Z');
            return undefined;
        }, 'the edits are undone');
    }

    /** The text of the lines with a selection, as far as they are on the screen. */
    async selectedText(): Promise<string> {
        return this.page.evaluate(() => {
            const selected = [...document.querySelectorAll('.editor-instance .view-overlays .selected-text')];
            const tops = new Set(selected.map(part => Math.round(part.getBoundingClientRect().top)));
            return [...document.querySelectorAll('.editor-instance .view-lines .view-line')]
                .filter(line => tops.has(Math.round(line.getBoundingClientRect().top)))
                .map(line => line.textContent ?? '')
                .join('\n');
        });
    }

    /** Closes the editor in sight without saving it. The command is over before the editor is gone. */
    async closeEditor(): Promise<void> {
        const tabs = this.page.locator('.part.editor .tab');
        const before = await tabs.count();
        await this.command('View: Revert and Close Editor');
        await eventually(async () => ((await tabs.count()) < before ? true : undefined), 'the editor is closed');
    }

    /** Closes every editor and panel, and does not save what was never saved. */
    async closeAllEditors(): Promise<void> {
        await this.command('View: Close All Editors');
        const tabs = this.page.locator('.part.editor .tab');
        const doNotSave = this.page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: "Don't Save" });
        await eventually(async () => {
            if (await doNotSave.isVisible()) {
                await doNotSave.click();
            }
            return (await tabs.count()) === 0 ? true : undefined;
        }, 'all editors are closed');
    }

    /** Hides the Problems view, or whatever else is below the editor. */
    async closeLowerPanel(): Promise<void> {
        const panel = this.page.locator('.part.panel');
        if (await panel.isVisible()) {
            await this.page.keyboard.press('Control+J');
            await panel.waitFor({ state: 'hidden' });
        }
    }

    async save(): Promise<void> {
        await this.page.keyboard.press('Control+S');
    }

    /** Runs everything that the open file states, from the Testing view, or what another command of that view runs. */
    async runTests(command = 'Test: Run Tests in Current File'): Promise<void> {
        await this.command(command);
        // VS Code runs tests in trusted folders only; explorations from a lens need no trust.
        const trust = this.page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: 'Trust' });
        await trust
            .first()
            .click({ timeout: patient(5_000) })
            .catch(() => undefined);
    }

    /** The inside of the panel whose tab has this title. */
    async panel(title: string): Promise<FrameLocator> {
        await this.page.locator('.tab').filter({ hasText: title }).waitFor();
        return this.page
            .locator('iframe.webview.ready')
            .last()
            .contentFrame()
            .locator('iframe#active-frame')
            .contentFrame();
    }

    /** Leaves a picture in screenshots/. */
    async picture(name: string): Promise<void> {
        mkdirSync('screenshots', { recursive: true });
        await this.page.screenshot({ path: join('screenshots', `${name}.png`) });
    }
}

function plain(text: string): string {
    return text.replace(/\u00a0/g, ' ').trim();
}
