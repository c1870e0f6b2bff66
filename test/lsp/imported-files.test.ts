/** Files that change on disk under the models that import them, and analyses that start again. */
import { EmptyFileSystemProvider, URI } from 'langium';
import { beforeEach, describe, expect, test } from 'vitest';
import { FileChangeType } from 'vscode-languageserver';
import { InProcessServer } from './in-process.js';

const FOLDER = 'file:///folder/';
const MAIN = `${FOLDER}main.orbit`;
const LOCK = `${FOLDER}lib/lock.orbit`;

const MAIN_TEXT = `import "lib/lock.orbit"
process P[i: Proc] { loop { take: when isFree() { holder := i }; give: when holder == i { holder := none } } }
`;
const LOCK_TEXT = `type Proc = 0 .. 1
var holder: Proc? = none
function isFree(): bool = holder == none
`;

class Files extends EmptyFileSystemProvider {
    readonly texts = new Map<string, string>();

    override readFile(uri?: URI): Promise<string> {
        const text = this.texts.get(String(uri));
        return text === undefined ? Promise.reject(new Error('ENOENT')) : Promise.resolve(text);
    }

    override readBinary(uri?: URI): Promise<Uint8Array> {
        return this.readFile(uri).then(text => new TextEncoder().encode(text));
    }

    override stat(uri?: URI): Promise<{ isFile: boolean; isDirectory: boolean; uri: URI }> {
        return uri !== undefined && this.texts.has(uri.toString())
            ? Promise.resolve({ isFile: true, isDirectory: false, uri })
            : Promise.reject(new Error('ENOENT'));
    }
}

let files: Files;
let server: InProcessServer;

beforeEach(async () => {
    files = new Files();
    server = new InProcessServer(files);
    await server.Orbit.shared.workspace.WorkspaceManager.initializeWorkspace([]);
});

function errorsOf(uri: string): string[] {
    const document = server.Orbit.shared.workspace.LangiumDocuments.getDocument(URI.parse(uri));
    return (document?.diagnostics ?? [])
        .filter(({ severity }) => severity === 1)
        .map(({ code, range }) => `${range.start.line + 1} ${String(code)}`);
}

/** What the editor tells when a file changes on disk, and the build that follows. */
async function fileChanged(uri: string, type: FileChangeType): Promise<void> {
    const { workspace, lsp } = server.Orbit.shared;
    lsp.DocumentUpdateHandler.didChangeWatchedFiles?.({ changes: [{ uri, type }] });
    // The handler waits for the workspace before it takes the lock.
    await new Promise(resolve => setTimeout(resolve, 0));
    await workspace.WorkspaceLock.read(() => undefined);
}

describe('an imported file that is not open', () => {
    test('is found as soon as it is there, and missed when it is gone', async () => {
        await server.write(MAIN, MAIN_TEXT);
        expect(errorsOf(MAIN)).toEqual(['1 import/not-found']);
        files.texts.set(LOCK, LOCK_TEXT);
        await fileChanged(LOCK, FileChangeType.Created);
        expect(errorsOf(MAIN)).toEqual([]);
        files.texts.delete(LOCK);
        await fileChanged(LOCK, FileChangeType.Deleted);
        expect(errorsOf(MAIN)).toEqual(['1 import/not-found']);
    });

    test('is read again when it changes', async () => {
        files.texts.set(LOCK, 'type Proc = 0 .. 1\n');
        await server.write(MAIN, MAIN_TEXT);
        expect(errorsOf(MAIN)).not.toEqual([]);
        files.texts.set(LOCK, LOCK_TEXT);
        await fileChanged(LOCK, FileChangeType.Changed);
        expect(errorsOf(MAIN)).toEqual([]);
    });

    test('counts through the file between them', async () => {
        files.texts.set(`${FOLDER}middle.orbit`, 'import "lib/lock.orbit"\n');
        files.texts.set(LOCK, LOCK_TEXT);
        await server.write(MAIN, MAIN_TEXT.replace('lib/lock', 'middle'));
        expect(errorsOf(MAIN)).toEqual([]);
        files.texts.set(LOCK, 'type Proc = 0 .. 1\n');
        await fileChanged(LOCK, FileChangeType.Changed);
        expect(errorsOf(MAIN)).not.toEqual([]);
        // It can be opened, and is then what the editor says.
        await server.write(LOCK, LOCK_TEXT);
        expect(errorsOf(MAIN)).toEqual([]);
    });

    test('may import its importer', async () => {
        files.texts.set(LOCK, `import "../main.orbit"\n${LOCK_TEXT}`);
        await server.write(MAIN, MAIN_TEXT);
        expect(errorsOf(MAIN)).toEqual([]);
        await server.write(LOCK, `import "../main.orbit"\n${LOCK_TEXT}`);
        await server.write(MAIN, MAIN_TEXT);
        expect([...errorsOf(MAIN), ...errorsOf(LOCK)]).toEqual([]);
    });

    test('does not matter to anyone else', async () => {
        files.texts.set(`${FOLDER}other.orbit`, 'var x bool\n');
        await server.write(MAIN, 'var x: bool\nprocess P { x := !x }\n');
        await fileChanged(`${FOLDER}other.orbit`, FileChangeType.Changed);
        expect(server.Orbit.shared.workspace.LangiumDocuments.all.toArray()).toHaveLength(1);
    });
});

test('the analysis of a model starts again when a file that it imports is saved', async () => {
    server.save(MAIN);
    await server.write(LOCK, LOCK_TEXT);
    await server.write(MAIN, MAIN_TEXT);
    expect(server.requests.map(({ request }) => request.model?.name)).toEqual(['main']);
    const lock = await server.write(LOCK, LOCK_TEXT.replace('0 .. 1', '0 .. 2'));
    server.Orbit.shared.lsp.DocumentUpdateHandler.didSaveDocument?.({ document: lock.textDocument });
    expect(server.requests.map(({ request }) => request.model?.name)).toEqual(['main', 'main']);
});
