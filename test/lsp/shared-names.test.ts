/** A family and a type with one name in the editor: each use leads to the one that is meant, and is renamed with it. */
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///shared.orbit';

const TEXT = `type Proc = 0 .. 2
var turn: Proc = 0
process Proc[i: Proc] { loop { enter: when turn == i { turn := (i + 1) mod 3 } } }
invariant one = forall j in Proc: Proc[j] at enter
assert symmetric Proc
`;

const FAMILY = /process Proc|Proc\[j\] at|symmetric Proc/g;

async function renamed(search: string, offset: number): Promise<string> {
    const server = new InProcessServer();
    const document = await server.write(URI, TEXT);
    expect(document.diagnostics?.filter(({ severity }) => severity === 1)).toEqual([]);
    const params = { textDocument: { uri: URI }, position: positionOf(TEXT, search, offset), newName: 'Other' };
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, params);
    return TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, TEXT), edit?.changes?.[URI] ?? []);
}

test('the family is renamed where a process is meant', async () => {
    expect(await renamed('process Proc', 8)).toBe(TEXT.replaceAll(FAMILY, text => text.replace('Proc', 'Other')));
});

test('the type is renamed everywhere else', async () => {
    const kept = TEXT.replaceAll(FAMILY, text => text.replace('Proc', '@'));
    expect(await renamed('type Proc', 5)).toBe(kept.replaceAll('Proc', 'Other').replaceAll('@', 'Proc'));
});
