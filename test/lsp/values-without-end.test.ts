/** Editor services for types of values without end, the values that are made, and numbers without end. */
import { beforeAll, expect, test } from 'vitest';
import { MarkupContent, type DocumentSymbol } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer, withCursor } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///names.orbit';
const textDocument = { uri: URI };
const TEXT = `model Names
enum Nonce = { zero, .. }
type Side = 1 .. 2
var mine: Nonce?[Side] = none
var asked: Nonce? = zero
var count: nat = 0
process P[i: Side] {
    loop { choose { make: { mine[i] := new Nonce; count := count + 1 } } or v in Nonce { take: asked := v } }
}
property asks = asked != none leads to mine[1] == asked
`;

let server: InProcessServer;

beforeAll(async () => {
    server = new InProcessServer();
    await server.initialize();
});

async function hover(search: string): Promise<string> {
    const document = await server.write(URI, TEXT);
    const params = { textDocument, position: positionOf(TEXT, search) };
    const provided = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, params);
    return MarkupContent.is(provided?.contents) ? provided.contents.value : '';
}

async function offered(marked: string): Promise<readonly string[]> {
    const { text, position } = withCursor(marked);
    const document = await server.write(URI, text);
    const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(document, { textDocument, position });
    return list?.items.map(({ label }) => label) ?? [];
}

async function renamed(search: string, newName: string): Promise<string> {
    const document = await server.write(URI, TEXT);
    const position = positionOf(TEXT, search);
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { textDocument, position, newName });
    return TextDocument.applyEdits(document.textDocument, edit?.changes?.[URI] ?? []);
}

test('the text has no problem', async () => {
    const document = await server.write(URI, TEXT);
    expect(document.parseResult.parserErrors).toEqual([]);
    expect(document.diagnostics).toEqual([]);
});

test('a hover on the word, on the type and on what holds a value', async () => {
    expect(await hover('new Nonce')).toContain('a value of a type without end');
    expect(await hover('Nonce = {')).toContain('values without end');
    expect(await hover('Nonce; count')).toContain('values without end');
    expect(await hover('asked: Nonce')).toContain('var asked: Nonce?');
    expect(await hover('mine[i]')).toContain('var mine: Nonce?[Side]');
    expect(await hover('nat = 0')).toContain('without end');
});

test('behind `:= new` types of values without end are offered, and nothing else is', async () => {
    const before = 'enum Nonce = { .. }\nenum Key = { null, .. }\nenum Color = { red }\nvar x: Nonce? = none\n';
    const types = await offered(`${before}process P { loop { make: { x := new ‸ } } }`);
    expect(types).toEqual(expect.arrayContaining(['Nonce', 'Key']));
    expect(types).not.toContain('Color');
    expect(types).not.toContain('x');
    expect(await offered(`${before}process P { loop { make: { x := new N‸ } } }`)).toContain('Nonce');
});

test('behind `:=` the word is offered', async () => {
    const marked = 'enum Nonce = { .. }\nvar x: Nonce? = none\nprocess P { loop { make: { x := ‸ } } }';
    expect(await offered(marked)).toContain('new');
});

test('in the braces of an enumeration nothing that has a name is offered', async () => {
    const inside = await offered('var other: bool = false\nenum Nonce = { ‸ }');
    expect(inside).not.toContain('other');
});

test('a rename of the type, and of a value with a name, changes each use', async () => {
    const type = await renamed('Nonce = {', 'Key');
    expect(type).not.toContain('Nonce');
    expect(type.split('Key').length).toBe(TEXT.split('Nonce').length);
    expect(await renamed('Nonce; count', 'Key')).toBe(type);
    const value = await renamed('zero, ..', 'nil');
    expect(value).toContain('enum Nonce = { nil, .. }');
    expect(value).toContain('var asked: Nonce? = nil');
});

test('the outline has the type with its named values', async () => {
    const document = await server.write(URI, TEXT);
    const symbols = (await server.Orbit.lsp.DocumentSymbolProvider?.getSymbols(document, { textDocument })) ?? [];
    const all = (each: DocumentSymbol): readonly string[] => [each.name, ...(each.children ?? []).flatMap(all)];
    expect(symbols.flatMap(all)).toEqual(expect.arrayContaining(['Nonce', 'mine', 'asked', 'count', 'make', 'take']));
});

test('a text is laid out with the dots apart and the word before its type', async () => {
    const untidy = 'enum Nonce={zero,..}\nvar x:Nonce?=none\nprocess P { loop { make:{x:=new   Nonce} } }\n';
    const document = await server.write(URI, untidy);
    const options = { tabSize: 4, insertSpaces: true };
    const edits = (await server.Orbit.lsp.Formatter?.formatDocument(document, { textDocument, options })) ?? [];
    expect(TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, untidy), edits)).toBe(
        'enum Nonce = { zero, .. }\nvar x: Nonce? = none\nprocess P { loop { make: { x := new Nonce } } }\n',
    );
});

test('a definition leads from `new` and from a choice to the type', async () => {
    const document = await server.write(URI, TEXT);
    for (const place of ['Nonce; count', 'Nonce { take']) {
        const params = { textDocument, position: positionOf(TEXT, place) };
        const links = await server.Orbit.lsp.DefinitionProvider?.getDefinition(document, params);
        expect(links?.map(({ targetSelectionRange }) => targetSelectionRange.start)).toEqual([
            { line: 1, character: 5 },
        ]);
    }
});
