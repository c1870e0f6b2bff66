/** No provider fails on a text that is being written: models with parts left out, doubled or replaced. */
import { readFileSync, readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import type { LangiumDocument } from 'langium';
import { beforeAll, expect, test } from 'vitest';
import type { Position } from 'vscode-languageserver';
import { selectionRangesAt } from '../../language-server/lsp/providers/selection-ranges.js';
import { piecesOf } from '../formatting/layouts.js';
import { InProcessServer } from './in-process.js';

const URI = 'file:///damaged.orbit';

const models = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => readFileSync(`models/${file}`, 'utf8').replace(/^\/\/\/.*\n/gm, ''));

/** Words and signs of all models. */
const words = [...new Set(models.flatMap(text => piecesOf(text)))].filter(word => !word.startsWith('//'));

let server: InProcessServer;

beforeAll(async () => {
    server = new InProcessServer();
    await server.initialize();
    server.Orbit.shared.workspace.ConfigurationProvider.updateConfiguration({
        settings: { orbit: { inlayHints: { parameterValues: true, constants: true, domainSizes: true } } },
    });
});

interface Damage {
    /** Where, as a part of the text's length. */
    readonly at: number;
    readonly removed: number;
    readonly inserted: string;
}

const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
    fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        removed: fc.oneof(fc.constant(0), fc.nat(5), fc.nat(200)),
        inserted: fc.oneof(
            fc.constant(''),
            fc.constantFrom(...words),
            fc.constantFrom(...words).map(word => ` ${word} `),
            fc.string({ maxLength: 3 }),
        ),
    }),
    { minLength: 1, maxLength: 4 },
);

function damaged(text: string, list: readonly Damage[]): string {
    return list.reduce((result, { at, removed, inserted }) => {
        const offset = Math.floor(at * result.length);
        return result.slice(0, offset) + inserted + result.slice(offset + removed);
    }, text);
}

/** Everything that an editor asks for. */
async function askEverything(document: LangiumDocument, position: Position): Promise<void> {
    const { lsp } = server.Orbit;
    const textDocument = { uri: URI };
    const at = { textDocument, position };
    const end = document.textDocument.positionAt(document.textDocument.getText().length);
    const range = { start: { line: 0, character: 0 }, end };
    const options = { tabSize: 4, insertSpaces: true };
    await lsp.CompletionProvider?.getCompletion(document, at);
    await lsp.SignatureHelp?.provideSignatureHelp(document, at);
    await lsp.HoverProvider?.getHoverContent(document, at);
    await lsp.DefinitionProvider?.getDefinition(document, at);
    await lsp.TypeProvider?.getTypeDefinition(document, at);
    await lsp.ReferencesProvider?.findReferences(document, { ...at, context: { includeDeclaration: true } });
    await lsp.DocumentHighlightProvider?.getDocumentHighlight(document, at);
    await lsp.DocumentSymbolProvider?.getSymbols(document, { textDocument });
    await lsp.FoldingRangeProvider?.getFoldingRanges(document, { textDocument });
    await lsp.SemanticTokenProvider?.semanticHighlight(document, { textDocument });
    await lsp.InlayHintProvider?.getInlayHints(document, { textDocument, range });
    await lsp.CodeLensProvider?.provideCodeLens(document, { textDocument });
    await lsp.RenameProvider?.prepareRename(document, at);
    await lsp.Formatter?.formatDocument(document, { textDocument, options });
    await lsp.Formatter?.formatDocumentOnType(document, { ...at, ch: '}', options });
    const diagnostics = document.diagnostics ?? [];
    await lsp.CodeActionProvider?.getCodeActions(document, { textDocument, range, context: { diagnostics } });
    const [item] = (await lsp.CallHierarchyProvider?.prepareCallHierarchy(document, at)) ?? [];
    if (item !== undefined) {
        await lsp.CallHierarchyProvider?.incomingCalls({ item });
        await lsp.CallHierarchyProvider?.outgoingCalls({ item });
    }
    await server.Orbit.shared.lsp.WorkspaceSymbolProvider?.getSymbols({ query: 'a' });
    selectionRangesAt(document, [position]);
}

test('every question has an answer, wherever the cursor is', async () => {
    await fc.assert(
        fc.asyncProperty(
            fc.constantFrom(...models),
            damages,
            fc.double({ min: 0, max: 1, noNaN: true }),
            async (model, list, cursor) => {
                const text = damaged(model, list);
                const document = await server.write(URI, text);
                await askEverything(document, document.textDocument.positionAt(Math.floor(cursor * text.length)));
                expect(server.log).toEqual([]);
            },
        ),
        { numRuns: Number(process.env['ORBIT_FUZZ_RUNS'] ?? 100) },
    );
}, 120_000);
