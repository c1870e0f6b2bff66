/** Properties of the answer to every text. Throws if one does not hold. */
import { URI } from 'langium';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createRandom } from '../../engine/common/random.js';
import { loadModel } from '../../language-server/load-model.js';
import { askEverything, type InProcessServer } from '../lsp/in-process.js';

const MODEL = 'file:///folder/model.orbit';

/** Words of the implementation that no message should contain. */
const INTERNAL = /NoViable|Mismatched|token of type|\bundefined\b|\bnull\b|\[object|NaN/;

/** Loads a model as the command line does. Returns whether there is a model. */
export async function examineLoading(bytes: Uint8Array): Promise<boolean> {
    const { model, problems } = await loadModel(bytes, MODEL);
    const hasErrors = problems.some(({ severity }) => severity === 'error');
    assert((model === undefined) === hasErrors, 'there is a model where there is no error');
    const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/).length;
    for (const { range, code, message } of problems) {
        assert(range.uri === MODEL, `${code} lies in the text`);
        assert(range.start.line <= range.end.line && range.end.line < lines, `${code} lies inside of the text`);
        // Text of the author is quoted.
        assert(!INTERNAL.test(message.replace(/`[^`]*`/g, '')), `“${message}” is for a reader`);
    }
    return model !== undefined;
}

/** The requests of an editor about an open document, at a place that `seed` chooses. */
export async function examineEditor(server: InProcessServer, text: string, seed: number): Promise<void> {
    const random = createRandom(seed);
    const document = await server.write(MODEL, text);
    const { lsp } = server.Orbit;
    const textDocument = { uri: MODEL };
    const at = { textDocument, position: document.textDocument.positionAt(random.below(text.length + 1)) };
    await askEverything(server, document, at.position);
    if ((await lsp.RenameProvider?.prepareRename(document, at)) !== undefined) {
        const edit = await lsp.RenameProvider?.rename(document, { ...at, newName: 'aNameThatNoTextHas' });
        TextDocument.applyEdits(document.textDocument, edit?.changes?.[MODEL] ?? []);
    }
    const options = { tabSize: 4, insertSpaces: true };
    const edits = await lsp.Formatter?.formatDocument(document, { textDocument, options });
    TextDocument.applyEdits(document.textDocument, edits ?? []);
    assert(server.log.length === 0, `nothing is logged: ${server.log.join('\n')}`);
    await server.Orbit.shared.workspace.DocumentBuilder.update([], [URI.parse(MODEL)]);
}

function assert(condition: boolean, what: string): void {
    if (!condition) {
        throw new Error(`not so: ${what}`);
    }
}
