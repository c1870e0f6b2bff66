import { expect, test } from 'vitest';
import { MarkupContent } from 'vscode-languageserver';
import { InProcessServer } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///lock.orbit';

const LOCK = `
param N: 2 .. 64 = 64
type Proc = 1 .. N
var owner: Proc? = none
var step: 0 .. 9 = 0
process P[i: Proc] {
    loop {
        take: when owner == none { owner := i }
        give: when owner == i { owner := none; step := (step + 1) mod 10 }
    }
}
`;

async function provided(text: string): Promise<{ titles: string[]; hover: string | undefined }> {
    const server = new InProcessServer();
    const document = await server.write(URI, text);
    const textDocument = { uri: URI };
    const lenses = (await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, { textDocument })) ?? [];
    const position = positionOf(text, 'P[i: Proc]');
    const hover = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, { textDocument, position });
    return {
        titles: lenses.map(({ range, command }) => `${range.start.line + 1}: ${command?.title ?? ''}`),
        hover: MarkupContent.is(hover?.contents) ? hover.contents.value : undefined,
    };
}

test('what is proved for all values stands in the editor before a search has ended', async () => {
    const { titles, hover } = await provided(LOCK);
    expect(titles).toContain('3: interchangeable for every N (proved)');
    expect(titles).toContain('6: interchangeable for every N (proved)');
    expect(hover).toContain('For every N: S_N (proved).');
});

test('nothing is said where nothing is proved, and in a text with errors', async () => {
    const ordered = await provided(LOCK.replace('owner == none', '(owner == none || i < 3)'));
    expect(ordered.titles.filter(title => title.includes('proved'))).toEqual([
        '3: S_2 x S_(N - 2) for every N (proved)',
        '6: S_2 x S_(N - 2) for every N (proved)',
    ]);
    const compared = await provided(LOCK.replace('owner == none', '(exists j in Proc: j < i)'));
    expect(compared.titles.filter(title => title.includes('proved'))).toEqual([]);
    const wrong = await provided(LOCK.replace('owner == none', 'owner == nobody'));
    expect(wrong.titles.filter(title => title.includes('proved'))).toEqual([]);
});
