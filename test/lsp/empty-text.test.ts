/** An empty text in an editor: nobody has made a mistake yet, and what to begin with is one click or key away. */
import { beforeAll, expect, test } from 'vitest';
import { DiagnosticSeverity, type CodeLens, type CompletionItem } from 'vscode-languageserver';
import { InProcessServer, withCursor } from './in-process.js';

const URI = 'file:///empty.orbit';

let server: InProcessServer;

beforeAll(async () => {
    server = new InProcessServer();
    await server.initialize();
});

async function lenses(text: string): Promise<readonly CodeLens[]> {
    const document = await server.write(URI, text);
    const params = { textDocument: { uri: URI } };
    return (await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, params)) ?? [];
}

/** What is offered, in the order in which an editor shows it. */
async function offered(marked: string): Promise<readonly CompletionItem[]> {
    const { text, position } = withCursor(marked);
    const document = await server.write(URI, text);
    const params = { textDocument: { uri: URI }, position };
    const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(document, params);
    const keyOf = ({ sortText, label }: CompletionItem): string => `${sortText ?? ''} ${label}`;
    return [...(list?.items ?? [])].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

test.each(['', '\n\n', '// Nothing yet.\n', 'model M\n'])('%j is no error', async text => {
    const { diagnostics = [] } = await server.write(URI, text);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
        ['model/empty', DiagnosticSeverity.Hint],
    ]);
});

test.each(['', '  \n\n'])('in %j a lens offers a model to begin with', async text => {
    expect(await lenses(text)).toMatchObject([
        { range: { start: { line: 0, character: 0 } }, command: { command: 'orbit.newModel', arguments: [URI] } },
    ]);
});

test('where somebody has begun, nothing is offered to begin with', async () => {
    expect(await lenses('// My model.\n')).toEqual([]);
    expect(
        (await lenses('model M\nvar x: bool\nprocess P { x := true }\n')).map(({ command }) => command?.command),
    ).not.toContain('orbit.newModel');
});

test.each(['‸', '\n‸\n', 'mo‸'])('in %j the snippet for a whole model comes first', async marked => {
    const [first] = await offered(marked);
    expect([first?.label, first?.detail, first?.preselect]).toEqual(['model', 'snippet', true]);
    expect(first?.insertText).toContain('process');
});

test('between declarations it does not', async () => {
    const [first] = await offered('var x: bool\n‸\nprocess P { x := true }\n');
    expect(first?.label).not.toBe('model');
});
