/** Sets in the editor: hovers, types of elements, names of binders, and what is offered behind `in`. */
import type { LangiumDocument } from 'langium';
import { beforeAll, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer, withCursor } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///sets.orbit';

const TEXT = `type Proc = 1 .. 5
enum Phase = { ask, answer }
record Message = { phase: Phase, from: Proc, to: Proc }

/// What was sent.
var sent: set of Message = {}
var heard: set of Proc[Proc] = {}
var turn: Proc = 1

process P[i: Proc] {
    loop {
        choose m in sent where m.to == i { hear: heard[i] := heard[i] union { m.from } }
        or { send: sent := sent union { q in heard[i] where q != i: Message(ask, i, q) } }
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

test('a hover says how many cells a set has', async () => {
    expect(await hover('sent: set')).toContain('set of Message, 50 cells');
    expect(await hover('sent where')).toContain('What was sent.');
    expect(await hover('heard: set')).toContain('5 cells, each set of Proc, 5 cells');
    expect(await hover('union { m')).toContain('what is in one of two sets');
});

test('a variable that runs through a set has the type of its elements', async () => {
    const links = await server.Orbit.lsp.DefinitionProvider?.getDefinition(document, at('from } }'));
    expect(links).toMatchObject([{ targetSelectionRange: { start: positionOf(TEXT, 'from: Proc') } }]);
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { ...at('m in sent'), newName: 'letter' });
    const changed = TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, TEXT), edit?.changes?.[URI] ?? []);
    expect(changed).toBe(TEXT.replaceAll(/\bm\b/g, 'letter'));
});

test('behind `in` of a binder types and sets are offered, and the fields of their elements', async () => {
    const offered = async (text: string): Promise<string[]> => {
        const { text: written, position } = withCursor(`${TEXT}${text}`);
        const other = await server.write('file:///other.orbit', written);
        const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(other, {
            textDocument: { uri: 'file:///other.orbit' },
            position,
        });
        return list?.items.map(({ label }) => label) ?? [];
    };
    const collections = await offered('invariant i = forall x in ‸');
    expect(collections).toEqual(expect.arrayContaining(['sent', 'Proc', 'Message', 'set']));
    expect(collections).not.toContain('turn');
    expect(await offered('invariant i = forall x in sent: x.‸')).toEqual(
        expect.arrayContaining(['phase', 'from', 'to']),
    );
});
