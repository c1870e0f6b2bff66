/** Models of several files: what is imported is read where it is not open, and names lead across. */
import { URI, UriUtils, EmptyFileSystemProvider } from 'langium';
import type { FileSystemProvider, LangiumDocument } from 'langium';
import { beforeEach, expect, test } from 'vitest';
import type { Diagnostic, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { SourceRange } from '../../engine/common/source-range.js';
import { offeredFixes } from '../../language-server/lsp/diagnostics/code-action-provider.js';
import { readSettings } from '../../language-server/settings.js';
import { analysisDiagnostics } from '../../language-server/lsp/diagnostics/symmetry-diagnostics.js';
import { InProcessServer, withCursor } from './in-process.js';
import { positionOf } from './language-client.js';
import { RING_REPORT } from './ring.js';

const MAIN = 'file:///models/main.orbit';
const LOCKS = 'file:///models/locks.orbit';

const LOCKS_TEXT = `/// A lock.
type Side = 0 .. 1
var holder: Side? = none

/// Whether nobody holds it.
function isFree(): bool = holder == none
`;

const MAIN_TEXT = `model Main
import "locks.orbit"
process P[i: Side] {
    loop {
        take: when isFree() { holder := i }
        give: holder := none
    }
}
`;

/** Files in memory. */
class Files {
    readonly texts = new Map<string, string>();
    readonly read: string[] = [];

    readonly provider: FileSystemProvider = Object.assign(new EmptyFileSystemProvider(), {
        readBinary: (uri: URI) => {
            this.read.push(uri.toString());
            const text = this.texts.get(uri.toString());
            return text === undefined
                ? Promise.reject(new Error('no such file'))
                : Promise.resolve(new TextEncoder().encode(text));
        },
        readDirectory: (folder: URI) =>
            Promise.resolve(
                [...this.texts.keys()]
                    .map(uri => URI.parse(uri))
                    .filter(uri => UriUtils.equals(UriUtils.dirname(uri), folder))
                    .map(uri => ({ uri, isFile: true, isDirectory: false })),
            ),
    });
}

let files: Files;
let server: InProcessServer;

beforeEach(() => {
    files = new Files();
    files.texts.set(LOCKS, LOCKS_TEXT);
    server = new InProcessServer(files.provider);
});

function errors({ diagnostics }: LangiumDocument): string[] {
    return (diagnostics ?? []).filter(({ severity }) => severity === 1).map(({ message }: Diagnostic) => message);
}

test('an imported file is read, and its names are known', async () => {
    expect(errors(await server.write(MAIN, MAIN_TEXT))).toEqual([]);
    expect(files.read).toEqual([LOCKS]);
});

test('a file that is not there is missed at the import, until it is', async () => {
    files.texts.clear();
    const document = await server.write(MAIN, MAIN_TEXT);
    expect(errors(document)).toEqual([expect.stringMatching(/^`locks.orbit` cannot be imported/)]);
    await server.write(LOCKS, LOCKS_TEXT);
    expect(errors(document)).toEqual([]);
});

test('a file outside of the folders that are open is not read', async () => {
    const document = await server.write(MAIN, MAIN_TEXT.replace('locks.orbit', '../elsewhere.orbit'));
    expect(errors(document)[0]).toContain('outside of the folder');
    expect(files.read).toEqual([]);
});

test('an edit of an imported file is an edit of its importers', async () => {
    const document = await server.write(MAIN, MAIN_TEXT);
    await server.write(LOCKS, LOCKS_TEXT.replace('isFree', 'isOpen'));
    expect(errors(document)).toEqual([expect.stringContaining('`isFree` is not declared')]);
    await server.write(LOCKS, LOCKS_TEXT.replace('= none', '= 7'));
    expect(errors(document)).toEqual([expect.stringContaining('`locks.orbit` has an error in line 3')]);
});

test('what an analysis finds in an imported file stands at the import, and in no other line', async () => {
    const place = (text: string): SourceRange => ({
        uri: LOCKS,
        start: positionOf(LOCKS_TEXT, text),
        end: positionOf(LOCKS_TEXT, text, text.length),
    });
    const [broken] = RING_REPORT.broken;
    const repairs = [{ title: 'Repair', edits: [{ range: place('holder == none'), newText: '' }] }];
    const locations = [{ range: place('holder == none'), text: 'holder == none' }];
    const guilt = {
        ...broken!,
        locations,
        declaration: place('Side'),
        counterparts: [],
        repairs,
        message: 'not alike',
    };
    const report = { ...RING_REPORT, properties: [], broken: [guilt] };
    const document = await server.openAnalyzed(MAIN, MAIN_TEXT, report);
    const edited = await server.write(
        MAIN,
        `// moved
${MAIN_TEXT}`,
    );
    expect(edited).toBe(document);
    const { explained } = server.analysis.findings(edited);
    const diagnostics = analysisDiagnostics(explained!, edited, readSettings(undefined));
    expect(diagnostics).toMatchObject([
        {
            code: 'symmetry/broken',
            range: { start: { line: 2, character: 7 } },
            message: '`locks.orbit`, line 6: not alike',
            relatedInformation: [
                { message: 'not alike', location: { uri: LOCKS, range: { start: place('holder == none').start } } },
                { location: { uri: LOCKS, range: { start: place('Side').start } } },
            ],
        },
    ]);
    // A fix would be one of the other file.
    expect(diagnostics.flatMap(diagnostic => offeredFixes(diagnostic, MAIN))).toEqual([]);
});

test('a use leads to its declaration in another file', async () => {
    const document = await server.write(MAIN, MAIN_TEXT);
    const links = await server.Orbit.lsp.DefinitionProvider?.getDefinition(document, {
        textDocument: { uri: MAIN },
        position: positionOf(MAIN_TEXT, 'isFree'),
    });
    expect(links).toMatchObject([
        { targetUri: LOCKS, targetSelectionRange: { start: positionOf(LOCKS_TEXT, 'isFree') } },
    ]);
});

test('a hover over a name of another file has its documentation', async () => {
    const document = await server.write(MAIN, MAIN_TEXT);
    const hover = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, {
        textDocument: { uri: MAIN },
        position: positionOf(MAIN_TEXT, 'isFree'),
    });
    expect(hover?.contents).toMatchObject({ value: expect.stringContaining('Whether nobody holds it.') as unknown });
});

/** Both texts after a rename. */
async function renamed(uri: string, text: string, search: string, newName: string): Promise<[string, string]> {
    const main = await server.write(MAIN, MAIN_TEXT);
    const { LangiumDocuments } = server.Orbit.shared.workspace;
    const document = LangiumDocuments.getDocument(URI.parse(uri)) ?? main;
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, {
        textDocument: { uri },
        position: positionOf(text, search),
        newName,
    });
    const apply = (before: string, edits: TextEdit[] | undefined): string =>
        TextDocument.applyEdits(TextDocument.create('', 'orbit', 0, before), edits ?? []);
    return [apply(MAIN_TEXT, edit?.changes?.[MAIN]), apply(LOCKS_TEXT, edit?.changes?.[LOCKS])];
}

test('a name is renamed in all files, from its declaration and from a use', async () => {
    const expected = [MAIN_TEXT.replaceAll('holder', 'owner'), LOCKS_TEXT.replaceAll('holder', 'owner')];
    expect(await renamed(MAIN, MAIN_TEXT, 'holder := i', 'owner')).toEqual(expected);
    expect(await renamed(LOCKS, LOCKS_TEXT, 'holder: Side', 'owner')).toEqual(expected);
});

test('a name of another file is taken', async () => {
    await expect(renamed(MAIN, MAIN_TEXT, 'i: Side', 'holder')).rejects.toThrow('already the name of a variable');
    await expect(renamed(LOCKS, LOCKS_TEXT, 'isFree', 'P')).rejects.toThrow('already the name of a process');
});

test('between the quotation marks of an import the files beside it are offered', async () => {
    const { text, position } = withCursor('model Main\nimport "lo‸"\n');
    const document = await server.write(MAIN, text);
    const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(document, {
        textDocument: { uri: MAIN },
        position,
    });
    expect(list?.items).toMatchObject([{ label: 'locks.orbit', textEdit: { newText: 'locks.orbit' } }]);
});

test('a file that nobody imports any more is forgotten', async () => {
    const { LangiumDocuments } = server.Orbit.shared.workspace;
    await server.write(MAIN, MAIN_TEXT);
    expect(LangiumDocuments.hasDocument(URI.parse(LOCKS))).toBe(true);
    await server.write(MAIN, 'model Main\n');
    expect(LangiumDocuments.hasDocument(URI.parse(LOCKS))).toBe(false);
});
