/**
 * A webview panel that shows one content at a time and reports clicks. The content is kept here and sent as a whole,
 * because a hidden webview is discarded and asks for it again.
 */
import * as vscode from 'vscode';
import type { ContentMessage, PanelMessage, ReadyMessage } from './webview/messages.js';

export interface PanelOptions<Message> {
    /** The name of the webview's script in dist/webview, of the style of its own if it has one, and of the panel's type. */
    readonly script: 'result-panel' | 'symmetry-panel' | 'graph-panel' | 'sweep-panel';
    readonly title: string;
    readonly onMessage: (message: Message) => void;
    readonly onClosed: () => void;
}

export interface Panel<Content> {
    /** Replaces what is shown. */
    update(content: Content): void;
    /** Brings the panel to the front, without taking the focus from the text. */
    reveal(): void;
    isVisible(): boolean;
    /** Sends something else than the content, which is not sent again. */
    post(message: object): void;
    dispose(): void;
}

/** Opens a panel beside the text. */
export function openPanel<Content, Message extends { readonly kind: string } = PanelMessage>(
    extensionUri: vscode.Uri,
    options: PanelOptions<Message>,
): Panel<Content> {
    const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    // Beside another panel, whose group is locked, there would be a third group.
    const viewColumn = columns.values().next().value ?? vscode.ViewColumn.Beside;
    const column = { viewColumn, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(`orbit.${options.script}`, options.title, column, {
        enableScripts: true,
        localResourceRoots: [folder],
    });
    let content: Content | undefined;
    const send = (): void => {
        if (content !== undefined) {
            const message: ContentMessage<Content> = { kind: 'content', content };
            void panel.webview.postMessage(message);
        }
    };
    panel.webview.onDidReceiveMessage((message: ReadyMessage | Message) => {
        if (message.kind === 'ready') {
            send();
        } else {
            options.onMessage(message as Message);
        }
    });
    const follow = (): void => {
        if (panel.viewColumn !== undefined) {
            columns.set(panel, panel.viewColumn);
        }
    };
    follow();
    panel.onDidChangeViewState(follow);
    panel.onDidDispose(() => {
        columns.delete(panel);
        options.onClosed();
        void closeEmptyGroups();
    });
    panel.webview.html = pageOf(panel.webview, folder, options);
    return {
        update(newContent) {
            content = newContent;
            send();
        },
        reveal: () => panel.reveal(undefined, true),
        isVisible: () => panel.visible,
        post: message => void panel.webview.postMessage(message),
        dispose: () => void panel.dispose(),
    };
}

/** The open panels, and where they are. */
const columns = new Map<vscode.WebviewPanel, vscode.ViewColumn>();

/** A group that was locked for panels would stay, empty, also in the next window. */
export async function closeEmptyGroups(): Promise<void> {
    const { all } = vscode.window.tabGroups;
    const isWanted = vscode.workspace.getConfiguration('workbench.editor').get<boolean>('closeEmptyGroups') === true;
    const empty = all.filter(({ tabs }) => tabs.length === 0);
    if (isWanted && empty.length > 0 && empty.length < all.length) {
        await vscode.window.tabGroups.close(empty);
    }
}

/** The panels with a style of their own. */
const STYLED: ReadonlySet<PanelOptions<unknown>['script']> = new Set([
    'graph-panel',
    'result-panel',
    'sweep-panel',
    'symmetry-panel',
]);

/** The name of a file may have any character. */
function escaped(text: string): string {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The page of a panel. It may only load one script and the styles of the extension. */
function pageOf(
    webview: vscode.Webview,
    folder: vscode.Uri,
    options: Pick<PanelOptions<unknown>, 'script' | 'title'>,
): string {
    const nonce = crypto.randomUUID();
    const script = webview.asWebviewUri(vscode.Uri.joinPath(folder, `${options.script}.js`)).toString();
    const styles = ['panel.css', ...(STYLED.has(options.script) ? [`${options.script}.css`] : [])].map(name => {
        const address = webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
        return `<link rel="stylesheet" href="${address}">`;
    });
    const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width">
    <title>${escaped(options.title)}</title>
    ${styles.join('\n    ')}
</head>
<body>
    <main id="root"></main>
    <script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
