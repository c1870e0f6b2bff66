/** Procedures in the editor: from a call to the procedure, names, hovers, signatures, and what is offered. */
import type { LangiumDocument } from 'langium';
import { beforeAll, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer, withCursor } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///procedures.orbit';

const TEXT = `type Proc = 0 .. 1
var count: 0 .. 3[Proc] = 0

/// Adds to a counter.
procedure add(var place: 0 .. 3, by: 0 .. 3) { place := (place + by) mod 4 }

process P[i: Proc] {
    var own: 0 .. 3 = 0
    up: add(count[i], 1);
    both: { add(own, count[i]); count[i] := own }
}
`;

let server: InProcessServer;
let document: LangiumDocument;

beforeAll(async () => {
    server = new InProcessServer();
    document = await server.write(URI, TEXT);
    expect(document.diagnostics ?? []).toEqual([]);
});

function at(search: string): { textDocument: { uri: string }; position: ReturnType<typeof positionOf> } {
    return { textDocument: { uri: URI }, position: positionOf(TEXT, search) };
}

test('leads from a call to the procedure, and renames both', async () => {
    const links = await server.Orbit.lsp.DefinitionProvider?.getDefinition(document, at('add(own'));
    expect(links).toMatchObject([{ targetSelectionRange: { start: positionOf(TEXT, 'add(var') } }]);
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { ...at('add(own'), newName: 'raise' });
    const edits = edit?.changes?.[URI] ?? [];
    const changed = TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, TEXT), edits);
    expect(changed).toBe(TEXT.replaceAll(/\badd\b/g, 'raise'));
});

test('renames a parameter in the procedure only', async () => {
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { ...at('place :='), newName: 'cell' });
    const edits = edit?.changes?.[URI] ?? [];
    const changed = TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, TEXT), edits);
    expect(changed).toBe(TEXT.replaceAll(/\bplace\b/g, 'cell'));
});

test('a hover on a call says what the procedure takes, one on a variable that a call writes it', async () => {
    const hover = async (search: string): Promise<string> => {
        const found = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, at(search));
        return (found?.contents as { value: string } | undefined)?.value ?? '';
    };
    expect(await hover('add(own')).toContain('procedure add(var place: 0 .. 3, by: 0 .. 3)');
    expect(await hover('add(own')).toContain('Adds to a counter.');
    expect(await hover('own: 0')).toContain('Written once');
});

test('tells who calls a procedure', async () => {
    const provider = server.Orbit.lsp.CallHierarchyProvider;
    const [item] = (await provider?.prepareCallHierarchy(document, at('add(own'))) ?? [];
    const calls = item && (await provider?.incomingCalls({ item }));
    expect(calls?.map(({ from, fromRanges }) => [from.name, fromRanges.length])).toEqual([['P', 2]]);
});

test('the outline has the procedure', async () => {
    const symbols = await server.Orbit.lsp.DocumentSymbolProvider?.getSymbols(document, {
        textDocument: { uri: URI },
    });
    expect(symbols?.map(({ name }) => name)).toContain('add');
});

test('the arguments of a call are described while they are written', async () => {
    const { text, position } = withCursor(TEXT.replace('add(own, count[i])', 'add(own, ‸)'));
    const written = await server.write('file:///signature.orbit', text);
    const help = await server.Orbit.lsp.SignatureHelp?.provideSignatureHelp(written, {
        textDocument: { uri: 'file:///signature.orbit' },
        position,
    });
    expect(help?.signatures[0]?.label).toBe('add(var place: 0 .. 3, by: 0 .. 3)');
    expect(help?.activeParameter).toBe(1);
});

test('procedures are offered where a statement begins, and not in expressions', async () => {
    const offered = async (marked: string): Promise<readonly string[]> => {
        const { text, position } = withCursor(marked);
        const written = await server.write('file:///completion.orbit', text);
        const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(written, {
            textDocument: { uri: 'file:///completion.orbit' },
            position,
        });
        return (list?.items ?? []).filter(({ detail }) => detail !== 'snippet').map(({ label }) => label);
    };
    expect(await offered(TEXT.replace('both: { add', 'both: { ‸add'))).toContain('add');
    expect(await offered(TEXT.replace('count[i] := own', 'count[i] := ‸own'))).not.toContain('add');
});
