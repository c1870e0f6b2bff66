/**
 * The declaration around a position, parsed alone for requests that cannot wait: a document with only its lines, in
 * their places, that sees the declarations of the last parse as if it imported them.
 */
import { DocumentState, type LangiumDocument } from 'langium';
import type { LangiumServices } from 'langium/lsp';
import type { Position } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isModel, type Import, type Model } from '../../generated/ast.js';
import { setImportTarget } from '../../references/imports.js';
import { ALWAYS_DECLARATION, OUTSIDE_DECLARATION } from './declaration-words.js';

/** The fragment around `position`. `document` is the last parse of the text, which may be older than `text`. */
export async function fragmentAt(
    document: LangiumDocument,
    text: TextDocument,
    position: Position,
    services: LangiumServices,
): Promise<LangiumDocument> {
    const lines = text.getText().split('\n');
    const { start, end } = declarationAround(lines, position.line);
    const fragmentText = '\n'.repeat(start) + lines.slice(start, end).join('\n');
    const { LangiumDocumentFactory } = services.shared.workspace;
    const fragment = LangiumDocumentFactory.fromString(fragmentText, document.uri);
    const model = fragment.parseResult.value;
    const whole = document.parseResult.value;
    if (isModel(model) && isModel(whole)) {
        importSurroundings(model, document);
    }
    fragment.localSymbols = await services.references.ScopeComputation.collectLocalSymbols(fragment);
    fragment.state = DocumentState.ComputedScopes;
    return fragment;
}

/** The lines from the declaration at a line to the next declaration; `end` is exclusive. */
function declarationAround(lines: readonly string[], line: number): { readonly start: number; readonly end: number } {
    let start = 0;
    let depth = 0;
    for (let index = 0; index < lines.length; index++) {
        const text = (lines[index] ?? '').replace(/\/\/.*/, '');
        const word = /^\w+/.exec(text)?.[0] ?? '';
        if (ALWAYS_DECLARATION.has(word) || (depth <= 0 && OUTSIDE_DECLARATION.has(word))) {
            if (index > line) {
                return { start, end: index };
            }
            start = index;
            depth = 0;
        }
        for (const character of text) {
            depth += character === '{' ? 1 : character === '}' ? -1 : 0;
        }
    }
    return { start, end: lines.length };
}

/** An import that has no text. */
function importSurroundings(model: Model, document: LangiumDocument): void {
    const node: Import = { $type: 'Import', $container: model, $containerProperty: 'declarations', path: '' };
    setImportTarget(node, { kind: 'document', document });
    model.declarations.push(node);
}
