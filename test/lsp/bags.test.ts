/** Bags in the editor: hovers, names of channels that deliver in any order, and what is offered behind `in`. */
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer, withCursor } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///bags.orbit';

const TEXT = `type Proc = 1 .. 5
/// What is on the way.
channel net[Proc]: bag 2 of Proc
var kept: bag 3 of Proc = { 1: 2 }

process P[i: Proc] {
    loop {
        choose { send: net[i] ! i } or { receive: net[i] ? _ }
        or x in kept { move: { kept[x] := kept[x] - 1; net[i, x] := 1 } }
    }
}
`;

test('bags and channels that deliver in any order are told, renamed and offered', async () => {
    const server = new InProcessServer();
    const document = await server.write(URI, TEXT);
    expect((document.diagnostics ?? []).filter(({ severity }) => severity === 1)).toEqual([]);
    const at = (search: string) => ({ textDocument: { uri: URI }, position: positionOf(TEXT, search) });
    const hover = async (search: string): Promise<string> => {
        const found = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, at(search));
        return (found?.contents as { value: string } | undefined)?.value ?? '';
    };
    expect(await hover('kept: bag')).toContain('bag 3 of Proc, 5 cells');
    expect(await hover('net[i] ?')).toContain('What is on the way.');
    expect(await hover('net[Proc]')).toContain('array of channels');
    expect(await hover('bag 3')).toContain('at most K copies of each value');

    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { ...at('net[Proc]'), newName: 'links' });
    const changed = TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, TEXT), edit?.changes?.[URI] ?? []);
    expect(changed).toBe(TEXT.replaceAll(/\bnet\b/g, 'links'));

    const { text, position } = withCursor(`${TEXT}invariant i = forall x in ‸`);
    const other = await server.write('file:///other.orbit', text);
    const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(other, {
        textDocument: { uri: 'file:///other.orbit' },
        position,
    });
    expect(list?.items.map(({ label }) => label)).toEqual(expect.arrayContaining(['kept', 'net', 'Proc']));
});
