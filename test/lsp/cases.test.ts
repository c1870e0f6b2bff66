/** Cases with fields in the editor: hovers, renaming, symbols, what is offered behind `is`, a dot and elsewhere. */
import type { LangiumDocument } from 'langium';
import { beforeAll, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer, withCursor } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///cases.orbit';

const TEXT = `type Proc = 1 .. 5
enum Message = { ask(from: Proc), answer(from: Proc, value: bool), stop }
enum Color = { red, green }

/// What was sent last.
var last: Message = stop
var said: bool = false
channel c: 1 of Message

process P[i: Proc] {
    loop {
        ask_: when last is stop { last := ask(i) }
        answer_: when last is ask && last.from != i { last := answer(last.from, true) }
        hear: when last is answer { said := last.value; last := stop }
        take: c ? answer(_, said)
    }
}
`;

let server: InProcessServer;
let document: LangiumDocument;

beforeAll(async () => {
    server = new InProcessServer();
    document = await server.write(URI, TEXT);
    expect((document.diagnostics ?? []).filter(({ severity }) => severity === 1)).toEqual([]);
});

function at(search: string): { textDocument: { uri: string }; position: ReturnType<typeof positionOf> } {
    return { textDocument: { uri: URI }, position: positionOf(TEXT, search) };
}

async function hover(search: string): Promise<string> {
    const found = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, at(search));
    return (found?.contents as { value: string } | undefined)?.value ?? '';
}

async function offered(text: string): Promise<string[]> {
    const { text: written, position } = withCursor(`${TEXT}${text}`);
    const other = await server.write('file:///other.orbit', written);
    const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(other, {
        textDocument: { uri: 'file:///other.orbit' },
        position,
    });
    return list?.items.filter(({ detail }) => detail !== 'keyword').map(({ label }) => label) ?? [];
}

test('hovers show a case with its fields, and how many cells a value has', async () => {
    expect(await hover('last: Message')).toContain('3 cases in 4 cells');
    expect(await hover('ask(i)')).toContain('ask(from: Proc) in enum Message');
    expect(await hover('value;')).toContain('value: bool in case answer');
    expect(await hover('is stop')).toContain('whether a value of an `enum` has this case');
});

test('fields of one name are renamed together', async () => {
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { ...at('from != i'), newName: 'sender' });
    const changed = TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, TEXT), edit?.changes?.[URI] ?? []);
    expect(changed).toBe(TEXT.replaceAll(/\bfrom\b/g, 'sender'));
});

test('the outline shows cases and their fields', async () => {
    const symbols = await server.Orbit.lsp.DocumentSymbolProvider?.getSymbols(document, { textDocument: { uri: URI } });
    const message = symbols?.find(({ name }) => name === 'Message');
    expect(message?.children?.map(({ name, children }) => [name, children?.map(field => field.name)])).toEqual([
        ['ask', ['from']],
        ['answer', ['from', 'value']],
        ['stop', []],
    ]);
});

test('behind `is` the cases of the value are offered, elsewhere those with fields as calls', async () => {
    expect(await offered('invariant i = last is ‸')).toEqual(expect.arrayContaining(['ask', 'answer', 'stop']));
    expect(await offered('invariant i = last is ‸')).not.toContain('red');
    expect(await offered('invariant i = last == ‸')).toEqual(expect.arrayContaining(['ask', 'answer', 'stop', 'red']));
});

test('behind a dot those fields are offered that a case which is left has', async () => {
    expect(await offered('invariant i = last.‸')).toEqual(['from', 'value']);
    expect(await offered('invariant i = last is ask implies last.‸')).toEqual(['from']);
});
