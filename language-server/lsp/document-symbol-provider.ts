/** The outline: the model, its declarations, and in each process its locals and labels in the order of the text. */
import { AstUtils, type AstNode, type DocumentationProvider, type LangiumDocument } from 'langium';
import type { DocumentSymbolProvider, LangiumServices } from 'langium/lsp';
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import {
    isConstant,
    isEnumeration,
    isLabeled,
    isModel,
    isModelHeader,
    isProcess,
    isVariable,
    type Process,
} from '../generated/ast.js';
import { detailOf, isNamedDeclaration, nameNodeOf, type NamedDeclaration } from './declarations.js';

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
            kind: symbolKindOf(node),
            range,
            selectionRange: nameNode.range,
            children,
        };
    }
}

function childrenOf(node: NamedDeclaration): readonly AstNode[] {
    if (isEnumeration(node)) {
        return node.values;
    }
    return isProcess(node) ? contentsOf(node) : [];
}

/** Locals and labels of a process, however deep they stand. */
function contentsOf(process: Process): readonly AstNode[] {
    return AstUtils.streamAllContents(process.body)
        .filter(node => isLabeled(node) || isVariable(node) || isConstant(node))
        .toArray();
}

function symbolKindOf(node: NamedDeclaration): SymbolKind {
    if (isModelHeader(node)) {
        return SymbolKind.Module;
    }
    switch (node.$type) {
        case 'Parameter':
        case 'Constant':
            return SymbolKind.Constant;
        case 'TypeDeclaration':
            return SymbolKind.Interface;
        case 'Enumeration':
            return SymbolKind.Enum;
        case 'EnumerationValue':
            return SymbolKind.EnumMember;
        case 'EventDeclaration':
            return SymbolKind.Event;
        case 'Process':
            return SymbolKind.Class;
        case 'Invariant':
            return SymbolKind.Boolean;
        case 'Labeled':
            return SymbolKind.Key;
        case 'Variable':
        case 'ProcessIndex':
        case 'BinderVariable':
            return SymbolKind.Variable;
    }
}
