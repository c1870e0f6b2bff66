/** The outline: the model, its declarations, values and fields, the locals and labels of processes, in their order. */
import { AstUtils, type AstNode, type DocumentationProvider, type LangiumDocument } from 'langium';
import type { DocumentSymbolProvider, LangiumServices } from 'langium/lsp';
import type { DocumentSymbol } from 'vscode-languageserver';
import { isBlock, isLabeled, isModel, type Process } from '../../generated/ast.js';
import { detailOf, isNamedDeclaration, nameNodeOf, type NamedDeclaration } from './declarations.js';
import { KINDS } from './declaration-kinds.js';

export class OrbitDocumentSymbolProvider implements DocumentSymbolProvider {
    private readonly documentation: DocumentationProvider;

    constructor(services: LangiumServices) {
        this.documentation = services.documentation.DocumentationProvider;
    }

    getSymbols(document: LangiumDocument): DocumentSymbol[] {
        const model = document.parseResult.value;
        if (!isModel(model)) {
            return [];
        }
        const declarations = this.symbolsOf(model.declarations);
        const header = model.headers[0];
        const root = header && this.symbolOf(header, declarations);
        if (root === undefined) {
            return declarations;
        }
        const text = document.textDocument;
        const end = text.positionAt(text.getText().length);
        return [{ ...root, range: { start: { line: 0, character: 0 }, end } }];
    }

    private symbolsOf(nodes: readonly AstNode[]): DocumentSymbol[] {
        return nodes
            .filter(isNamedDeclaration)
            .map(node => this.symbolOf(node, this.symbolsOf(childrenOf(node))))
            .filter(symbol => symbol !== undefined);
    }

    private symbolOf(node: NamedDeclaration, children: DocumentSymbol[]): DocumentSymbol | undefined {
        const nameNode = nameNodeOf(node);
        if (node.$cstNode === undefined || nameNode === undefined || nameNode.text === '') {
            return undefined;
        }
        const [summary] = (this.documentation.getDocumentation(node) ?? '').split('\n');
        const detail = [detailOf(node), summary].filter(part => part !== undefined && part !== '').join(' · ');
        const { range } = node.$cstNode;
        return {
            name: nameNode.text,
            detail,
            kind: KINDS[node.$type].symbol,
            range,
            selectionRange: nameNode.range,
            children,
        };
    }
}

function childrenOf(node: NamedDeclaration): readonly AstNode[] {
    switch (node.$type) {
        case 'Enumeration':
            return node.values;
        case 'RecordDeclaration':
        case 'EnumerationValue':
            return node.fields;
        case 'Process':
            return contentsOf(node);
        default:
            return [];
    }
}

/** Locals, names and labels of a process, however deep they stand; not those inside a step. */
function contentsOf(process: Process): readonly AstNode[] {
    // In an incomplete text a process may have no body, contrary to its type.
    const body: Process['body'] | undefined = process.body;
    return body === undefined
        ? []
        : AstUtils.streamAllContents(body)
              .filter(node => isLabeled(node) || isBlock(node.$container))
              .filter(isNamedDeclaration)
              .toArray();
}
