/** Definitions; from an import to its file: a link at the path, and the file as the definition of the path. */
import { AstUtils, CstUtils, GrammarUtils, type CstNode, type LangiumDocument, type MaybePromise } from 'langium';
import { DefaultDefinitionProvider, type DocumentLinkProvider, type GoToLink } from 'langium/lsp';
import type { DefinitionParams, DocumentLink, LocationLink } from 'vscode-languageserver';
import { isImport, isSelf, type Import } from '../../generated/ast.js';
import { importTargetOf, importsOf } from '../../references/imports.js';

export class OrbitDocumentLinkProvider implements DocumentLinkProvider {
    getDocumentLinks(document: LangiumDocument): DocumentLink[] {
        return importsOf(document).flatMap(node => {
            const range = pathNodeOf(node)?.range;
            const target = importedUri(node);
            return range === undefined || target === undefined ? [] : [{ range, target }];
        });
    }
}

export class OrbitDefinitionProvider extends DefaultDefinitionProvider {
    override getDefinition(
        document: LangiumDocument,
        params: DefinitionParams,
    ): MaybePromise<LocationLink[] | undefined> {
        const root = document.parseResult.value.$cstNode;
        const leaf = root && CstUtils.findLeafNodeAtOffset(root, document.textDocument.offsetAt(params.position));
        const node = leaf && AstUtils.getContainerOfType(leaf.astNode, isImport);
        const path = node && pathNodeOf(node);
        if (leaf === undefined || node === undefined || path?.offset !== leaf.offset) {
            return super.getDefinition(document, params);
        }
        const targetUri = importedUri(node);
        const start = { line: 0, character: 0 };
        const range = { start, end: start };
        return targetUri === undefined
            ? []
            : [{ targetUri, targetRange: range, targetSelectionRange: range, originSelectionRange: path.range }];
    }

    /** `self` has no text of its own: it leads to its template. */
    protected override findLinks(source: CstNode): GoToLink[] {
        const [self] = this.references.findDeclarations(source).filter(isSelf);
        const template = self?.$container;
        const target = template && this.nameProvider.getNameNode(template);
        return template === undefined || target === undefined
            ? super.findLinks(source)
            : [{ source, target, targetDocument: AstUtils.getDocument(template) }];
    }
}

function pathNodeOf(node: Import): ReturnType<typeof GrammarUtils.findNodeForProperty> {
    return GrammarUtils.findNodeForProperty(node.$cstNode, 'path');
}

function importedUri(node: Import): string | undefined {
    const target = importTargetOf(node);
    return target?.kind === 'document' ? target.document.uri.toString() : undefined;
}
