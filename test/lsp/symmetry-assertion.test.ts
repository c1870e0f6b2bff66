/** `assert symmetric` in the editor: completion, navigation, colors, layout, and what the analysis says of it. */
import { SemanticTokensDecoder } from 'langium/lsp';
import { beforeEach, expect, test } from 'vitest';
import { MarkupContent, type Diagnostic } from 'vscode-languageserver';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { analyze } from '../../engine/pipeline.js';
import { formatText } from '../../language-server/formatting/format-text.js';
import { loadModel } from '../../language-server/load-model.js';
import { analysisDiagnostics } from '../../language-server/lsp/diagnostics/symmetry-diagnostics.js';
import { readSettings } from '../../language-server/settings.js';
import { InProcessServer, withCursor } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///painters.orbit';

const TEXT = `model Painters
type Id = 0 .. 2
enum Color = { red, green }
/// One tile each.
var tile: Color[Id] = any

process Painter[i: Id] {
    loop {
        when i != 1 && tile[i] == red { tile[i] := green }
    }
}

allow deadlock
assert symmetric Painter
assert symmetric values of tile
`;

let server: InProcessServer;

beforeEach(async () => {
    server = new InProcessServer();
    await server.initialize();
});

async function offered(marked: string): Promise<readonly string[]> {
    const { text, position } = withCursor(TEXT + marked);
    const params = { textDocument: { uri: URI }, position };
    const document = await server.write(URI, text);
    const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(document, params);
    return (list?.items ?? []).map(({ label }) => label);
}

test('completion offers the statement, families, and what has values', async () => {
    expect(await offered('assert‸')).toEqual(expect.arrayContaining(['assert symmetric', 'assert symmetric values']));
    const families = await offered('assert symmetric ‸');
    expect(families).toEqual(expect.arrayContaining(['Painter', 'values']));
    expect(families).not.toContain('tile');
    const withValues = await offered('assert symmetric values of ‸');
    expect(withValues).toEqual(expect.arrayContaining(['Id', 'Color', 'tile']));
    expect(withValues).not.toContain('Painter');
});

test('the name leads to its declaration, says what it is, and is renamed with it', async () => {
    const document = await server.write(URI, TEXT);
    const position = positionOf(TEXT, 'of tile', 'of '.length);
    const params = { textDocument: { uri: URI }, position };
    const [definition] = (await server.Orbit.lsp.DefinitionProvider?.getDefinition(document, params)) ?? [];
    expect(definition?.targetSelectionRange.start).toEqual(positionOf(TEXT, 'tile: Color'));
    const hover = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, params);
    expect(MarkupContent.is(hover?.contents) ? hover.contents.value : '').toContain('One tile each.');
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { ...params, newName: 'panel' });
    expect(edit?.changes?.[URI]?.map(({ range }) => range.start.line)).toContain(14);
});

test('the name has the color of what it names', async () => {
    const document = await server.write(URI, TEXT);
    const provider = server.Orbit.lsp.SemanticTokenProvider;
    const tokens = await provider?.semanticHighlight(document, { textDocument: { uri: URI } });
    expect(provider === undefined || tokens === undefined).toBe(false);
    const decoded = SemanticTokensDecoder.decode(tokens!, provider!.tokenTypes, document);
    expect(decoded.slice(-2).map(({ text, tokenType }) => [text, tokenType])).toEqual([
        ['Painter', 'class'],
        ['tile', 'variable'],
    ]);
});

test('the statement stays on one line', () => {
    const text = `process values[i: 0 .. 1] { skip }\nassert   symmetric\n  values\nassert symmetric values\n of   Id\ntype Id = 0 .. 1\n`;
    expect(formatText(text, URI)).toEqual({
        text: `process values[i: 0 .. 1] { skip }\nassert symmetric values\nassert symmetric values of Id\ntype Id = 0 .. 1\n`,
    });
});

test('an assertion that fails is an error at the statement, with the places that stand against it', async () => {
    const { model } = await loadModel(TEXT, URI);
    const report = model && analyze(model, { now: () => 0, workLimit: UNLIMITED }).symmetry?.report;
    expect(report).toBeDefined();
    const document = await server.openAnalyzed(URI, TEXT, report!);
    const { analysis } = server.analysis.findings(document);
    const off = readSettings({ symmetry: { diagnostics: { severity: 'off' } } });
    const found = analysisDiagnostics(analysis!, document, off);
    expect(found.filter(({ code }) => code === 'symmetry/assertion')).toMatchObject([
        {
            severity: 1,
            range: { start: positionOf(TEXT, 'assert symmetric Painter') },
            message:
                'the instances of Painter are not interchangeable: they have C2, not S3; ' +
                'without i != 1 they would be interchangeable',
            relatedInformation: [
                { message: 'i != 1 stands against it', location: { range: { start: positionOf(TEXT, 'i != 1') } } },
                { message: 'Painter[1] has no counterpart of this step of Painter[0]' },
            ],
        },
        { severity: 1, range: { start: positionOf(TEXT, 'assert symmetric values') } },
    ]);
});

test('an edit that brings the symmetry back comes with the diagnostic', async () => {
    const text = TEXT.replace('i != 1 && tile[i] == red', 'forall j in Id where j < i: tile[j] == red').replace(
        'values of tile',
        'values of Id',
    );
    const { model } = await loadModel(text, URI);
    const report = model && analyze(model, { now: () => 0, workLimit: UNLIMITED }).symmetry?.report;
    expect(report).toBeDefined();
    const document = await server.openAnalyzed(URI, text, report!);
    const { analysis } = server.analysis.findings(document);
    const diagnostics = analysisDiagnostics(analysis!, document, readSettings(undefined));
    const [diagnostic] = diagnostics.filter(({ code }) => code === 'symmetry/assertion');
    expect(diagnostic?.message).toContain('without j < i they would be interchangeable');
    // The editor sends a diagnostic back as it got it.
    const sent = JSON.parse(JSON.stringify(diagnostic)) as Diagnostic;
    const actions = await server.Orbit.lsp.CodeActionProvider?.getCodeActions(document, {
        textDocument: { uri: URI },
        range: sent.range,
        context: { diagnostics: [sent] },
    });
    expect(actions).toMatchObject([
        {
            title: 'Compare with != in j < i: the symmetry is back',
            edit: { changes: { [URI]: [{ newText: ' != ', range: { start: positionOf(text, ' < i') } }] } },
        },
    ]);
});
