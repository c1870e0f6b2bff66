/** Hover, signature help, semantic tokens, inlay hints, highlights, types, calls, symbols and selections on one model. */
import type { LangiumDocument } from 'langium';
import { SemanticTokensDecoder } from 'langium/lsp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DocumentHighlightKind, type SelectionRange } from 'vscode-languageserver';
import { selectionRangesAt } from '../../language-server/lsp/providers/selection-ranges.js';
import { InProcessServer, withCursor } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///queue.orbit';

const TEXT = `/// A queue of cells.
model Queue

param N: 2 .. 8 = 3
const half = N div 2
type Proc = 0 .. N - 1
enum Mode = { idle, busy }
record Cell = { owner: Proc, mode: Mode }

/// The cells by process.
var cell: Cell[Proc]
var turn: Proc? = none
channel inbox[Proc]: 2 of Cell
channel meet: 0 of bool
event tick[Proc, Mode]

/// The next one around.
function after(i: Proc): Proc = (i + 1) mod N
function beforeThat(i: Proc): Proc = after(after(i))

process P[i: Proc] {
    var mine: Cell
    loop {
        take: when turn == none { turn := i; cell[i].mode := busy }
        inbox[after(i)] ! cell[i];
        inbox[i] ? mine;
        tick[i, idle];
        when mine.mode == busy && half > 0 { turn := none }
    }
}

invariant fair = max(0, N) >= 0 && (forall p in Proc: cell[p].owner < N)
`;

let server: InProcessServer;
let document: LangiumDocument;

beforeAll(async () => {
    server = new InProcessServer();
    document = await server.write(URI, TEXT);
    expect(document.diagnostics?.filter(diagnostic => diagnostic.severity === 1)).toEqual([]);
});

const textDocument = { uri: URI };

function at(search: string, offset = 0): { textDocument: { uri: string }; position: ReturnType<typeof positionOf> } {
    return { textDocument, position: positionOf(TEXT, search, offset) };
}

describe('a hover', () => {
    async function hover(search: string): Promise<string> {
        const found = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, at(search));
        return found !== undefined && typeof found.contents === 'object' && 'value' in found.contents
            ? found.contents.value
            : '';
    }

    test.each([
        ['cell: Cell', ['var cell: Cell[Proc]', 'The cells by process.', '3 cells, each record of 2 cells']],
        ['cell: Cell', ['Written once, in `P`. Read 2 times, in `P` and the model.']],
        ['turn: Proc', ['4 values: none, 0, 1, 2', 'Written 2 times, in `P`. Read once, in `P`.']],
        ['half =', ['*constant · is 1*']],
        ['N: 2', ['*parameter, now 3, from 2 to 8*']],
        ['Cell =', ['*record · record of 2 cells*']],
        ['mode == busy', ['mode: Mode in record Cell', 'field · 2 values: idle, busy', 'Written once, in `P`.']],
        ['inbox[Proc]', ['3 channels', 'holds up to 2 messages']],
        ['meet: 0', ['sender and receiver meet']],
        ['tick[Proc', ['6 events']],
        ['after(i: Proc)', ['function after(i: Proc): Proc = (i + 1) mod N', 'The next one around.']],
        ['mine: Cell', ['local variable', 'Written once, in `P`. Read once, in `P`.']],
        ['max(0', ['max(first, second, …)', 'built-in function']],
        ['loop {', ['Repeats its steps']],
        ['forall p', ['Whether the condition holds for all values.']],
    ])('over %s says %j', async (search, expected) => {
        const text = await hover(search);
        for (const part of expected) {
            expect(text).toContain(part);
        }
    });
});

describe('signature help', () => {
    async function help(marked: string): Promise<{ label: string; active: string } | undefined> {
        const { text, position } = withCursor(TEXT + marked);
        const written = await server.write('file:///signature.orbit', text);
        const result = await server.Orbit.lsp.SignatureHelp?.provideSignatureHelp(written, {
            textDocument: { uri: 'file:///signature.orbit' },
            position,
        });
        const [signature] = result?.signatures ?? [];
        const active = signature?.parameters?.[result?.activeParameter ?? 0]?.label;
        return signature && { label: signature.label, active: typeof active === 'string' ? active : '' };
    }

    test.each([
        ['invariant a = after(‸', 'after(i: Proc): Proc', 'i: Proc'],
        ['invariant a = Cell(0, ‸', 'Cell(owner: Proc, mode: Mode)', 'mode: Mode'],
        ['invariant a = max(1 + (2 * 3), ‸) > 0', 'max(first, second, …)', 'second'],
        ['invariant a = cell[‸', 'cell[Proc]: Cell', 'Proc'],
        ['process Q { tick[0, ‸', 'tick[Proc, Mode]', 'Mode'],
        ['process Q { inbox[‸', 'inbox[Proc] of Cell', 'Proc'],
        ['invariant a = P[‸', 'P[i: Proc]', 'i: Proc'],
    ])('for %s', async (marked, label, active) => {
        expect(await help(marked)).toEqual({ label, active });
    });

    test('ends with the bracket and at a brace', async () => {
        expect(await help('invariant a = after(0) == ‸')).toBeUndefined();
        expect(await help('process Q { when (true) { ‸')).toBeUndefined();
    });
});

test('semantic tokens say what names are, and where steps begin', async () => {
    const provider = server.Orbit.lsp.SemanticTokenProvider;
    const tokens = await provider?.semanticHighlight(document, { textDocument });
    if (provider === undefined || tokens === undefined) {
        throw new Error('there are no tokens');
    }
    const modifiers = Object.entries(provider.tokenModifiers);
    const decoded = SemanticTokensDecoder.decode(tokens, provider.tokenTypes, document).map(token =>
        [
            token.text,
            token.tokenType,
            ...modifiers.filter(([, flag]) => (token.tokenModifiers & flag) !== 0).map(([name]) => name),
        ].join(' '),
    );
    expect(decoded).toEqual(
        expect.arrayContaining([
            'Queue namespace declaration',
            'N parameter declaration readonly',
            'N parameter readonly',
            'half variable declaration readonly',
            'Proc type declaration',
            'Proc type',
            'Mode enum declaration',
            'busy enumMember readonly',
            'Cell struct declaration',
            'mode property declaration',
            'mode property',
            'cell variable declaration',
            'inbox interface declaration',
            'inbox interface step',
            'tick event step',
            'after function declaration',
            'max function defaultLibrary',
            'i parameter readonly',
            'P class declaration',
            'take label declaration step',
            'when keyword step',
            'fair property declaration',
        ]),
    );
});

describe('inlay hints', () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const settings = (inlayHints: object) =>
        server.Orbit.shared.workspace.ConfigurationProvider.updateConfiguration({
            settings: { orbit: { inlayHints } },
        });

    beforeEach(() => {
        settings({});
    });

    /** The lines with hints, as they look. */
    async function shown(inlayHints: object): Promise<string[]> {
        settings(inlayHints);
        const hints =
            (await server.Orbit.lsp.InlayHintProvider?.getInlayHints(document, { textDocument, range })) ?? [];
        const lines = TEXT.split('\n');
        const hinted = [...hints].sort((one, other) => other.position.character - one.position.character);
        for (const { position, label } of hinted) {
            const line = lines[position.line] ?? '';
            lines[position.line] =
                `${line.slice(0, position.character)}«${label as string}»${line.slice(position.character)}`;
        }
        return lines.filter(line => line.includes('«'));
    }

    test('are off by default', async () => {
        expect(await shown({})).toEqual([]);
    });

    test('show the values of parameters where they are used', async () => {
        expect(await shown({ parameterValues: true })).toEqual([
            'const half = N« = 3» div 2',
            'type Proc = 0 .. N« = 3» - 1',
            'function after(i: Proc): Proc = (i + 1) mod N« = 3»',
            'invariant fair = max(0, N« = 3») >= 0 && (forall p in Proc: cell[p].owner < N« = 3»)',
        ]);
    });

    test('show the values of constants that are computed', async () => {
        expect(await shown({ constants: true })).toEqual(['const half = N div 2« = 1»']);
    });

    test('show how many values types have', async () => {
        expect(await shown({ domainSizes: true })).toEqual([
            'type Proc = 0 .. N - 1« 3 values»',
            'var cell: Cell[Proc]« 3 cells, each record of 2 cells»',
            'var turn: Proc?« 4 values» = none',
            'process P[i: Proc« 3 values»] {',
            '    var mine: Cell« record of 2 cells»',
        ]);
    });
});

test('reads and writes are highlighted apart', async () => {
    const highlights =
        (await server.Orbit.lsp.DocumentHighlightProvider?.getDocumentHighlight(document, at('turn =='))) ?? [];
    const kinds = highlights
        .map(({ range, kind }) => [range.start.line + 1, kind])
        .sort(([one = 0], [other = 0]) => one - other);
    const lineOf = (search: string): number => positionOf(TEXT, search).line + 1;
    expect(kinds).toEqual([
        [lineOf('turn: Proc'), DocumentHighlightKind.Write],
        [lineOf('turn == none'), DocumentHighlightKind.Read],
        [lineOf('turn := i'), DocumentHighlightKind.Write],
        [lineOf('turn := none'), DocumentHighlightKind.Write],
    ]);
});

test.each([
    ['cell: Cell', 'Cell ='],
    ['cell[i];', 'Cell ='],
    ['mode == busy', 'Mode ='],
    ['busy }', 'Mode ='],
    ['turn ==', 'Proc ='],
    ['i: Proc]', 'Proc ='],
    ['after(i: Proc)', 'Proc ='],
    ['p in Proc', 'Proc ='],
])('the type of %s is declared at %s', async (search, declaration) => {
    const links = await server.Orbit.lsp.TypeProvider?.getTypeDefinition(document, at(search));
    expect(links).toMatchObject([{ targetUri: URI, targetSelectionRange: { start: positionOf(TEXT, declaration) } }]);
});

test('calls are followed both ways', async () => {
    const provider = server.Orbit.lsp.CallHierarchyProvider;
    const [item] = (await provider?.prepareCallHierarchy(document, at('after(i: Proc)'))) ?? [];
    if (provider === undefined || item === undefined) {
        throw new Error('there is no function');
    }
    const incoming = (await provider.incomingCalls({ item })) ?? [];
    expect(incoming.map(({ from, fromRanges }) => [from.name, fromRanges.length])).toEqual([
        ['beforeThat', 2],
        ['P', 1],
    ]);
    const [caller] = (await provider.prepareCallHierarchy(document, at('beforeThat'))) ?? [];
    const outgoing = caller && (await provider.outgoingCalls({ item: caller }));
    expect(outgoing?.map(({ to, fromRanges }) => [to.name, fromRanges.length])).toEqual([['after', 2]]);
});

test('symbols of all models are found by parts of their names', async () => {
    const symbols = (await server.Orbit.shared.lsp.WorkspaceSymbolProvider?.getSymbols({ query: 'befThat' })) ?? [];
    expect(symbols).toContainEqual(
        expect.objectContaining({ name: 'beforeThat', containerName: 'Queue', location: expect.anything() as unknown }),
    );
});

test('a selection grows with the syntax', () => {
    const selected: string[] = [];
    const [first] = selectionRangesAt(document, [positionOf(TEXT, 'busy }', 2)]);
    const step = positionOf(TEXT, 'busy }');
    expect(step.line).toBeGreaterThan(0);
    for (let range: SelectionRange | undefined = first; range !== undefined; range = range.parent) {
        selected.push(document.textDocument.getText(range.range));
    }
    expect(selected[0]).toBe('busy');
    expect(selected.at(-1)).toBe(TEXT);
    for (const [index, text] of selected.slice(1).entries()) {
        expect(text).toContain(selected[index]);
        expect(text).not.toBe(selected[index]);
    }
});
