/** Highlights the uses of the name under the cursor in its document, reads and writes in different colors. */
import type { LangiumDocument, LangiumDocuments, References } from 'langium';
import type { DocumentHighlightProvider, LangiumServices } from 'langium/lsp';
import { DocumentHighlightKind, type DocumentHighlight, type DocumentHighlightParams } from 'vscode-languageserver';
import { AstUtils } from 'langium';
import { isVariable } from '../../generated/ast.js';
import { nameNodeOf } from './declarations.js';
import { declarationAt, usesOf, type UseKind } from './uses.js';

export class OrbitDocumentHighlightProvider implements DocumentHighlightProvider {
    private readonly references: References;
    private readonly documents: LangiumDocuments;

    constructor(services: LangiumServices) {
        this.references = services.references.References;
        this.documents = services.shared.workspace.LangiumDocuments;
    }

    getDocumentHighlight(document: LangiumDocument, { position }: DocumentHighlightParams): DocumentHighlight[] {
        const found = declarationAt(document, position, this.references);
        if (found === undefined) {
            return [];
        }
        const { declaration } = found;
        const highlights = usesOf(declaration, this.references, this.documents)
            .filter(use => use.document === document)
            .map(({ range, kind }): DocumentHighlight => ({ range, kind: highlightKindOf(kind) }));
        const name = nameNodeOf(declaration);
        if (name === undefined || AstUtils.getDocument(declaration) !== document) {
            return highlights;
        }
        // The declaration of a variable writes its first value.
        const kind = isVariable(declaration) ? DocumentHighlightKind.Write : DocumentHighlightKind.Text;
        return [{ range: name.range, kind }, ...highlights];
    }
}

function highlightKindOf(kind: UseKind): DocumentHighlightKind {
    switch (kind) {
        case 'read':
            return DocumentHighlightKind.Read;
        case 'write':
            return DocumentHighlightKind.Write;
        case 'name':
            return DocumentHighlightKind.Text;
    }
}
