/** Rename, definition, references, highlights, outline and folding on one small model. */
import type { LangiumDocument } from 'langium';
import { beforeAll, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { DocumentSymbol } from 'vscode-languageserver';
import { InProcessServer } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///locks.orbit';

const TEXT = `// Two lines
// of comment.
model Locks

type Proc = 0 .. 1
enum Color = { red, green }
/// Who holds the lock.
var owner: Proc? = none
var light: Color = red

process P[i: Proc] {
  var mine: bool = false
  loop {
    choose {
      enter: when owner == none { owner := i; mine := true }
    } or {
      enter: when mine { skip }
    }
    leave: {
      owner := none;
      mine := false
    }
  }
}

invariant safe = count(p in Proc: P[p] at enter) <= 2 && (forall q in Proc: owner != q || light == red)
`;

let server: InProcessServer;
let document: LangiumDocument;

beforeAll(async () => {
    server = new InProcessServer();
    document = await server.write(URI, TEXT);
    expect(document.diagnostics?.filter(diagnostic => diagnostic.severity === 1)).toEqual([]);
});

function at(search: string): { textDocument: { uri: string }; position: ReturnType<typeof positionOf> } {
    return { textDocument: { uri: URI }, position: positionOf(TEXT, search) };
}

/** The text after renaming what stands at `search`. */
async function renamed(search: string, newName: string): Promise<string | undefined> {
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { ...at(search), newName });
    const edits = edit?.changes?.[URI];
    return edits && TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, TEXT), edits);
}

test('a variable is renamed at its declaration and its uses, from either', async () => {
    const expected = TEXT.replaceAll('owner', 'holder');
    expect(await renamed('owner: Proc', 'holder')).toBe(expected);
    expect(await renamed('owner == none', 'holder')).toBe(expected);
});

test('a label that stands twice is renamed twice, and where a property names it', async () => {
    expect(await renamed('enter) <= 2', 'take')).toBe(TEXT.replaceAll('enter', 'take'));
});

test('the model, types, enumeration values, processes, indices and bound variables can be renamed', async () => {
    expect(await renamed('Locks', 'Lock')).toBe(TEXT.replace('Locks', 'Lock'));
    expect(await renamed('Proc =', 'Worker')).toBe(TEXT.replaceAll('Proc', 'Worker'));
    expect(await renamed('red,', 'amber')).toBe(TEXT.replaceAll(/\bred\b/g, 'amber'));
    expect(await renamed('P[p]', 'Q')).toBe(TEXT.replaceAll(/\bP\[/g, 'Q['));
    expect(await renamed('i: Proc', 'self')).toBe(TEXT.replaceAll(/\bi\b/g, 'self'));
    expect(await renamed('q in', 'r')).toBe(TEXT.replaceAll(/\bq\b/g, 'r'));
});

test.each([
    ['owner: Proc', 'my lock', 'not a name'],
    ['owner: Proc', '2nd', 'not a name'],
    ['owner: Proc', '', 'not a name'],
    ['owner: Proc', 'a+b', 'not a name'],
    ['owner: Proc', '+', 'not a name'],
    ['owner: Proc', 'loop', 'a word of the language'],
    ['owner: Proc', 'light', 'already the name of a variable in line 9'],
    ['owner: Proc', 'mine', 'already the name of a local variable in line 12'],
    ['mine: bool', 'owner', 'already the name of a variable in line 8'],
    ['q in', 'owner', 'already the name of a variable'],
    ['safe =', 'deadlock', 'a property that every model has'],
    ['enter: when owner', 'leave', 'already the name of a label in line 19'],
])('renaming %s to %s is refused: %s', async (search, newName, reason) => {
    await expect(renamed(search, newName)).rejects.toThrow(reason);
});

test.each([
    ['owner: Proc', 'count', 'may be a name although the language has a use for it'],
    ['owner: Proc', 'model', 'begins a declaration only where no name can stand'],
    ['mine: bool', 'q', 'is bound elsewhere only'],
    ['enter: when owner', 'mine', 'is a label, and labels have their own names'],
])('renaming %s to %s is fine: it %s', async (search, newName) => {
    expect(await renamed(search, newName)).toContain(newName);
});

test('what is no name cannot be renamed', async () => {
    expect(await server.Orbit.lsp.RenameProvider?.prepareRename(document, at('loop {'))).toBeUndefined();
    expect(await server.Orbit.lsp.RenameProvider?.prepareRename(document, at('owner == none'))).toEqual({
        start: positionOf(TEXT, 'owner == none'),
        end: positionOf(TEXT, ' == none'),
    });
});

test('a use leads to its declaration', async () => {
    const links = await server.Orbit.lsp.DefinitionProvider?.getDefinition(document, at('owner == none'));
    expect(links).toMatchObject([{ targetSelectionRange: { start: positionOf(TEXT, 'owner: Proc') } }]);
});

test('all uses are found from the declaration', async () => {
    const params = { ...at('owner: Proc'), context: { includeDeclaration: true } };
    const references = (await server.Orbit.lsp.ReferencesProvider?.findReferences(document, params)) ?? [];
    const uses = [...TEXT.matchAll(/\bowner\b/g)].map(match => document.textDocument.positionAt(match.index));
    expect(references.map(reference => reference.range.start)).toEqual(expect.arrayContaining(uses));
    expect(references).toHaveLength(uses.length);
});

test('uses in the document are highlighted', async () => {
    const highlights = await server.Orbit.lsp.DocumentHighlightProvider?.getDocumentHighlight(
        document,
        at('mine: bool'),
    );
    expect(highlights).toHaveLength(4);
});

test('the outline nests processes in the model and says what things are', async () => {
    const symbols = (await server.Orbit.lsp.DocumentSymbolProvider?.getSymbols(document, at('model'))) ?? [];
    const outline = (symbol: DocumentSymbol, indent = ''): string[] => [
        `${indent}${symbol.name} ${symbol.detail ?? ''}`.trimEnd(),
        ...(symbol.children ?? []).flatMap(child => outline(child, `${indent}  `)),
    ];
    expect(symbols.flatMap(symbol => outline(symbol))).toEqual([
        'Locks',
        '  Proc 0 .. 1',
        '  Color',
        '    red Color',
        '    green Color',
        '  owner Proc? · Who holds the lock.',
        '  light Color',
        '  P [i: Proc]',
        '    mine bool',
        '    enter',
        '    enter',
        '    leave',
        '  safe',
    ]);
});

test('blocks, bodies and comments over several lines can be folded', async () => {
    const ranges = (await server.Orbit.lsp.FoldingRangeProvider?.getFoldingRanges(document, at('model'))) ?? [];
    const folded = ranges.map(({ startLine, endLine }) => [startLine + 1, endLine + 1]);
    // Counted in the text above: the comment, the process, the loop, its two alternatives, the step that leaves.
    expect(folded.sort(([a = 0], [b = 0]) => a - b)).toEqual([
        [1, 2],
        [11, 23],
        [13, 22],
        [14, 15],
        [16, 17],
        [19, 21],
    ]);
});
