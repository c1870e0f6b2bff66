/** Hovers, renaming, definitions, outline and colors around properties of runs. */
import type { LangiumDocument } from 'langium';
import { SemanticTokensDecoder } from 'langium/lsp';
import { beforeAll, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///runs.orbit';

const TEXT = `model Runs
type Proc = 0 .. 1
var free: bool = true
event tick
fair process P[i: Proc] {
    loop {
        choose { strong fair enter: when free { free := false } } or { enter: tick }
        leave: free := true
    }
}
property served = forall p in Proc: P[p] at enter leads  to P[p] takes enter
property ticks = !(eventually always !(P[0] takes tick)) && (free weak until possible P[0] at leave)
assume again = infinitely often free
`;

let server: InProcessServer;
let document: LangiumDocument;

beforeAll(async () => {
    server = new InProcessServer();
    document = await server.write(URI, TEXT);
    expect(document.diagnostics?.filter(({ severity }) => severity === 1)).toEqual([]);
});

function at(search: string): { textDocument: { uri: string }; position: ReturnType<typeof positionOf> } {
    return { textDocument: { uri: URI }, position: positionOf(TEXT, search) };
}

test.each([
    ['leads', '`p ~> q`'],
    ['to P[p]', '`p ~> q`'],
    ['always', '`[]p`'],
    ['eventually', '`<>p`'],
    ['weak until', 'Not in TLA+'],
    ['infinitely', '`[]<>p`'],
    ['possible', 'In TLA+: none'],
    ['takes tick', 'the next step'],
    ['fair process', '`WF_vars(A)`'],
    ['strong fair', '`SF_vars(A)`'],
    ['property served', 'every fair run'],
    ['assume', 'Only runs'],
    ['enter: when', 'strong fair enter:'],
])('a hover over %s says %j', async (search, expected) => {
    const found = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, at(search));
    expect(JSON.stringify(found?.contents)).toContain(expected);
});

test.each([
    ['enter leads', 'begin', /\benter\b/g],
    ['enter\nproperty', 'begin', /\benter\b/g],
    ['tick)', 'clock', /\btick\b/g],
    ['served', 'kept', /\bserved\b/g],
    ['again', 'much', /\bagain\b/g],
])('%j is renamed everywhere', async (search, newName, names) => {
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { ...at(search), newName });
    const edits = edit?.changes?.[URI] ?? [];
    expect(TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, TEXT), edits)).toBe(
        TEXT.replaceAll(names, newName),
    );
});

test('a property is no deadlock', async () => {
    const request = server.Orbit.lsp.RenameProvider?.rename(document, { ...at('served'), newName: 'deadlock' });
    await expect(Promise.resolve(request)).rejects.toThrow('the name of a property that every model has');
});

test('the outline has properties and assumptions', async () => {
    const [model] = (await server.Orbit.lsp.DocumentSymbolProvider?.getSymbols(document, at('model'))) ?? [];
    expect(model?.children?.slice(-3).map(({ name }) => name)).toEqual(['served', 'ticks', 'again']);
});

test('what is taken has the color of a label or an event', async () => {
    const provider = server.Orbit.lsp.SemanticTokenProvider;
    const tokens = await provider?.semanticHighlight(document, at('model'));
    if (provider === undefined || tokens === undefined) {
        throw new Error('there are no tokens');
    }
    const decoded = SemanticTokensDecoder.decode(tokens, provider.tokenTypes, document);
    const kinds = decoded.slice(decoded.findIndex(({ text }) => text === 'served'));
    expect(
        kinds.filter(({ text }) => ['enter', 'tick', 'ticks'].includes(text)).map(({ tokenType }) => tokenType),
    ).toEqual(['label', 'label', 'property', 'event']);
});
