/** Formatting in the editor: all of a text, some of its lines, and the lines that a key finishes. */
import { beforeAll, expect, test } from 'vitest';
import type { TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///untidy.orbit';
const textDocument = { uri: URI };
const options = { tabSize: 2, insertSpaces: false };

let server: InProcessServer;

beforeAll(() => {
    server = new InProcessServer();
});

function applied(text: string, edits: readonly TextEdit[]): string {
    return TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, text), [...edits]);
}

test('a document is laid out with small edits, whatever the options say', async () => {
    const text = 'model   M\nvar x:bool\nprocess P { loop { x:=true } }\n';
    const document = await server.write(URI, text);
    const edits = (await server.Orbit.lsp.Formatter?.formatDocument(document, { textDocument, options })) ?? [];
    expect(applied(text, edits)).toBe('model M\nvar x: bool\nprocess P { loop { x := true } }\n');
    expect(edits.every(({ newText }) => newText.trim() === '')).toBe(true);
});

test('of a range whole lines are laid out, and no others', async () => {
    const text = 'var a:bool\nvar b:bool\nvar c:bool\n';
    const document = await server.write(URI, text);
    const format = async (start: number, startCharacter: number, end: number, endCharacter: number): Promise<string> =>
        applied(
            text,
            (await server.Orbit.lsp.Formatter?.formatDocumentRange(document, {
                textDocument,
                options,
                range: {
                    start: { line: start, character: startCharacter },
                    end: { line: end, character: endCharacter },
                },
            })) ?? [],
        );
    expect(await format(1, 3, 1, 5)).toBe('var a:bool\nvar b: bool\nvar c:bool\n');
    expect(await format(0, 0, 2, 0)).toBe('var a: bool\nvar b: bool\nvar c:bool\n');
});

/** The text after a key, which stands before the cursor already. */
async function typed(marked: string): Promise<string> {
    const text = marked.replace('‸', '');
    const position = positionOf(marked, '‸');
    const document = await server.write(URI, text);
    const ch = text.charAt(marked.indexOf('‸') - 1);
    const edits = await server.Orbit.lsp.Formatter?.formatDocumentOnType(document, {
        textDocument,
        options,
        position,
        ch,
    });
    return applied(text, edits ?? []);
}

test('a closing brace finishes the lines from its opening one', async () => {
    expect(await typed('var x:bool\nprocess P {\nloop {\nx:=true\n}‸\n}\n')).toBe(
        'var x:bool\nprocess P {\n    loop {\n        x := true\n    }\n}\n',
    );
});

test('a semicolon finishes its line', async () => {
    expect(await typed('process P {\n  x:=true;‸\n  y:=true\n}\n')).toBe('process P {\n    x := true;\n  y:=true\n}\n');
});

test('a line break finishes the line before it', async () => {
    expect(await typed('var x:bool\n‸\nvar y:bool\n')).toBe('var x: bool\n\nvar y:bool\n');
});

test('a text with syntax errors stays as it is', async () => {
    expect(await typed('var x bool;‸\n')).toBe('var x bool;\n');
});
