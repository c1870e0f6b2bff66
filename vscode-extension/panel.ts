/**
 * The panel beside the text. It follows the editor: it shows the model there, until it is pinned; the next one that is
 * asked for follows then. Each of its views (exploration, symmetries, state graph, sweep) keeps the content of each
 * document. That is sent as a whole, because a hidden webview is discarded and asks for it again.
 */
import * as vscode from 'vscode';
import { saveText } from './saved-run.js';
import { fileNameOf, placesToShow, revealLocation } from './source-location.js';
import type { ContentMessage, FrameMessage, PanelState, ReadyMessage, ViewName } from './webview/messages.js';

/** A view that a panel can show of a document. */
export interface View<Message> {
    /** `Exploration of`: stands before the name of the file. */
    readonly title: string;
    /** Undefined as long as there is nothing to show. */
    contentOf(uri: string): object | undefined;
    receive(uri: string, message: Message): void;
    /** A panel has come to the document. */
    refresh?(uri: string): Promise<void>;
    /** Asks the user for what it needs; only of a view that shows nothing before. */
    begin?(uri: string): Promise<void>;
    /** The last panel that showed it was closed. */
    closed?(uri: string): void;
}

const PANEL_TYPE = 'orbit.panel';

interface OpenPanel {
    readonly panel: vscode.WebviewPanel;
    /** Where it was seen last; a hidden one does not say. */
    column: vscode.ViewColumn | undefined;
    state: PanelState;
}

export class Panels implements vscode.Disposable {
    private readonly folder: vscode.Uri;
    private readonly views = new Map<ViewName, View<unknown>>();
    private readonly open = new Set<OpenPanel>();
    /** A place in this file was shown from a panel, which stays with its model. */
    private revealed: string | undefined;
    private readonly subscriptions: readonly vscode.Disposable[];

    constructor(extensionUri: vscode.Uri) {
        this.folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
        this.subscriptions = [
            vscode.window.onDidChangeActiveTextEditor(() => this.follow()),
            vscode.window.tabGroups.onDidChangeTabs(() => void tidyGroups()),
        ];
        void tidyGroups();
    }

    add<Message>(name: ViewName, view: View<Message>): void {
        this.views.set(name, view);
    }

    /** Panels of the last window come back, as soon as all views are there. */
    restoreAll(): vscode.Disposable {
        return vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
            deserializeWebviewPanel: async (panel, kept: { readonly panel?: PanelState } | undefined) => {
                const state = kept?.panel;
                if (state === undefined || !(await isThere(state.uri))) {
                    panel.dispose();
                    return;
                }
                this.turn(this.adopt(panel, state), state);
                this.follow();
            },
        });
    }

    /** Brings a view of a document to the front, without taking the focus from the text. */
    show(view: ViewName, uri: string): void {
        const open = [...this.open];
        const shown =
            open.find(({ state }) => state.view === view && state.uri === uri) ??
            open.find(({ state }) => !state.isPinned) ??
            this.create(uri, view);
        shown.panel.reveal(undefined, true);
        this.turn(shown, { uri, view, isPinned: shown.state.isPinned });
    }

    /** The content of a view has changed. */
    update(view: ViewName, uri: string): void {
        this.showing(view, uri).forEach(shown => this.send(shown));
    }

    /** Sends something else than the content, which is not sent again. */
    post(view: ViewName, uri: string, message: object): void {
        this.showing(view, uri).forEach(({ panel }) => void panel.webview.postMessage(message));
    }

    shows(view: ViewName, uri: string): boolean {
        return this.showing(view, uri).length > 0;
    }

    isVisible(view: ViewName, uri: string): boolean {
        return this.showing(view, uri).some(({ panel }) => panel.visible);
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions, ...[...this.open].map(({ panel }) => panel)).dispose();
    }

    private showing(view: ViewName, uri: string): readonly OpenPanel[] {
        return [...this.open].filter(({ state }) => state.view === view && state.uri === uri);
    }

    /** Turns the panel that is not pinned to the model in the editor; a sweep that was never asked for is none. */
    private follow(): void {
        const document = vscode.window.activeTextEditor?.document;
        const uri = document?.uri.toString();
        if (uri === undefined || document?.languageId !== 'orbit' || uri === this.revealed) {
            return;
        }
        this.revealed = undefined;
        for (const shown of this.open) {
            const { isPinned, view } = shown.state;
            if (!isPinned && shown.state.uri !== uri) {
                this.turn(shown, { uri, view: this.needsBegin(view, uri) ? 'result-panel' : view, isPinned });
            }
        }
    }

    private needsBegin(name: ViewName, uri: string): boolean {
        const view = this.views.get(name);
        return view?.begin !== undefined && view.contentOf(uri) === undefined;
    }

    private turn(shown: OpenPanel, state: PanelState): void {
        const { panel } = shown;
        const isOtherPage = panel.webview.html === '' || shown.state.view !== state.view;
        const view = this.views.get(state.view);
        shown.state = state;
        panel.title = `${view?.title} ${fileNameOf(state.uri)}`;
        if (isOtherPage) {
            panel.webview.html = pageOf(panel.webview, this.folder, state.view, panel.title);
        }
        this.send(shown);
        void view?.refresh?.(state.uri);
    }

    private send({ panel, state }: OpenPanel): void {
        const content = this.views.get(state.view)?.contentOf(state.uri);
        const message: ContentMessage<object> = { kind: 'content', state, content };
        void panel.webview.postMessage(message);
    }

    private create(uri: string, view: ViewName): OpenPanel {
        // Beside another panel, whose group is locked, there would be a third group.
        const column = [...this.open].flatMap(shown => shown.column ?? []).at(0) ?? vscode.ViewColumn.Beside;
        const position = { viewColumn: column, preserveFocus: true };
        const panel = vscode.window.createWebviewPanel(PANEL_TYPE, '', position);
        return this.adopt(panel, { uri, view, isPinned: false });
    }

    private adopt(panel: vscode.WebviewPanel, state: PanelState): OpenPanel {
        panel.webview.options = { enableScripts: true, localResourceRoots: [this.folder] };
        panel.webview.html = '';
        const shown: OpenPanel = { panel, column: panel.viewColumn, state };
        this.open.add(shown);
        panel.onDidChangeViewState(() => (shown.column = panel.viewColumn ?? shown.column));
        panel.webview.onDidReceiveMessage((message: ReadyMessage | FrameMessage) => void this.receive(shown, message));
        panel.onDidDispose(() => {
            this.open.delete(shown);
            const { view, uri } = shown.state;
            if (!this.shows(view, uri)) {
                this.views.get(view)?.closed?.(uri);
            }
            void tidyGroups();
        });
        return shown;
    }

    private async receive(shown: OpenPanel, message: ReadyMessage | FrameMessage): Promise<void> {
        const { uri, view } = shown.state;
        switch (message.kind) {
            case 'ready':
                this.send(shown);
                break;
            case 'pin':
                this.turn(shown, { ...shown.state, isPinned: message.isPinned });
                this.follow();
                break;
            case 'view':
                if (this.needsBegin(message.view, uri)) {
                    await this.views.get(message.view)?.begin?.(uri);
                } else {
                    this.turn(shown, { ...shown.state, view: message.view });
                }
                break;
            case 'reveal':
                for (const place of placesToShow(message.location, message.also)) {
                    this.revealed = place.file;
                    await revealLocation(place);
                }
                break;
            case 'save':
                await saveText(message.name, message.text);
                break;
            default:
                this.views.get(view)?.receive(uri, message);
        }
    }
}

/** Opens a file, so that the server reads it. */
async function isThere(uri: string): Promise<boolean> {
    try {
        await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
        return true;
    } catch {
        // It was moved or deleted since.
        return false;
    }
}

/** A group that was locked for panels would stay, empty, also in the next window; the last one takes files again. */
async function tidyGroups(): Promise<void> {
    const { all } = vscode.window.tabGroups;
    const empty = all.filter(({ tabs }) => tabs.length === 0);
    if (empty.length === 0) {
        return;
    }
    if (empty.length === all.length) {
        await vscode.commands.executeCommand('workbench.action.unlockEditorGroup');
    } else if (vscode.workspace.getConfiguration('workbench.editor').get<boolean>('closeEmptyGroups') === true) {
        await vscode.window.tabGroups.close(empty);
    }
}

/** The name of a file may have any character. */
function escaped(text: string): string {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The page of a view. It may only load one script and the styles of the extension. */
function pageOf(webview: vscode.Webview, folder: vscode.Uri, view: ViewName, title: string): string {
    const nonce = crypto.randomUUID();
    const addressOf = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    const styles = ['panel.css', `${view}.css`].map(name => `<link rel="stylesheet" href="${addressOf(name)}">`);
    const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width">
    <title>${escaped(title)}</title>
    ${styles.join('\n    ')}
</head>
<body>
    <nav id="frame" aria-label="Views of the model"></nav>
    <main id="root"></main>
    <script nonce="${nonce}" src="${addressOf(`${view}.js`)}"></script>
</body>
</html>`;
}
