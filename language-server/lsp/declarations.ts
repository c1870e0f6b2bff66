/** Declarations as hovers, completion and the outline present them: kind, signature, name. */
import { AstUtils, CstUtils, GrammarUtils, type AstNode, type CstNode, type LangiumDocument } from 'langium';
import type { Position, Range } from 'vscode-languageserver';
import {
    isBinderVariable,
    isConstant,
    isEnumeration,
    isEnumerationValue,
    isEventDeclaration,
    isInvariant,
    isLabeled,
    isModelHeader,
    isParameter,
    isProcess,
    isProcessIndex,
    isTypeDeclaration,
    isVariable,
    type BinderVariable,
    type Block,
    type Constant,
    type Enumeration,
    type EnumerationValue,
    type EventDeclaration,
    type Invariant,
    type Labeled,
    type ModelHeader,
    type Parameter,
    type Process,
    type ProcessIndex,
    type Type,
    type TypeDeclaration,
    type Variable,
} from '../generated/ast.js';

/** Whatever has a name. */
export type NamedDeclaration =
    | BinderVariable
    | Constant
    | Enumeration
    | EnumerationValue
    | EventDeclaration
    | Invariant
    | Labeled
    | ModelHeader
    | Parameter
    | Process
    | ProcessIndex
    | TypeDeclaration
    | Variable;

const LONGEST_SIGNATURE = 200;

export function isNamedDeclaration(node: AstNode): node is NamedDeclaration {
    return [
        isBinderVariable,
        isConstant,
        isEnumeration,
        isEnumerationValue,
        isEventDeclaration,
        isInvariant,
        isLabeled,
        isModelHeader,
        isParameter,
        isProcess,
        isProcessIndex,
        isTypeDeclaration,
        isVariable,
    ].some(isKind => isKind(node));
}

/** What a declaration is, in a word or two: `variable`, `process family`. */
export function kindOf(node: NamedDeclaration): string {
    switch (node.$type) {
        case 'BinderVariable':
            return 'bound variable';
        case 'Constant':
            return 'constant';
        case 'Enumeration':
            return 'enumeration';
        case 'EnumerationValue':
            return 'value';
        case 'EventDeclaration':
            return 'event';
        case 'Invariant':
            return 'invariant';
        case 'Labeled':
            return 'label';
        case 'ModelHeader':
            return 'model';
        case 'Parameter':
            return 'parameter';
        case 'Process':
            return node.indices.length > 0 ? 'process family' : 'process';
        case 'ProcessIndex':
            return 'process index';
        case 'TypeDeclaration':
            return 'type';
        case 'Variable':
            return AstUtils.getContainerOfType(node, isProcess) === undefined ? 'variable' : 'local variable';
    }
}

/** The declaration on one line, without the body of a process and without comments. */
export function signatureOf(node: NamedDeclaration): string {
    switch (node.$type) {
        case 'EnumerationValue':
            return `${node.name} in enum ${node.$container.name}`;
        case 'BinderVariable':
            return `${node.name} in ${textOf(typeOf(node)?.$cstNode)}`;
        case 'Labeled':
            return `${node.name}:`;
        case 'Process':
            return textOf(node.$cstNode, bodyOf(node)?.$cstNode?.offset);
        case 'Constant':
        case 'Enumeration':
        case 'EventDeclaration':
        case 'Invariant':
        case 'ModelHeader':
        case 'Parameter':
        case 'ProcessIndex':
        case 'TypeDeclaration':
        case 'Variable':
            return textOf(node.$cstNode);
    }
}

/** The part of a declaration that says what values or indices it has: `Bit[Agent]`, `[u: Agent]`. */
export function detailOf(node: NamedDeclaration): string {
    switch (node.$type) {
        case 'BinderVariable':
        case 'Constant':
        case 'Parameter':
        case 'ProcessIndex':
        case 'TypeDeclaration':
        case 'Variable':
            return textOf(typeOf(node)?.$cstNode);
        case 'EnumerationValue':
            return node.$container.name;
        case 'Process':
        case 'EventDeclaration':
            return signatureOf(node).slice(signatureOf(node).indexOf(node.name) + node.name.length);
        case 'Invariant':
        case 'Labeled':
        case 'ModelHeader':
        case 'Enumeration':
            return '';
    }
}

function bodyOf(process: Process): Block | undefined {
    return process.body;
}

/** The type in a declaration. While a text is being written it may be missing, whatever the grammar says. */
function typeOf(
    node: BinderVariable | Constant | Parameter | ProcessIndex | TypeDeclaration | Variable,
): Type | undefined {
    return node.$type === 'BinderVariable' ? node.$container.type : node.type;
}

/** The name in its declaration; undefined where the parser had to guess it. */
export function nameNodeOf(node: AstNode): CstNode | undefined {
    return GrammarUtils.findNodeForProperty(node.$cstNode, 'name');
}

/** The declaration that the name at a position belongs to, or the name's own range where it is one. */
export function nameAt(document: LangiumDocument, position: Position): CstNode | undefined {
    const root = document.parseResult.value.$cstNode;
    const offset = document.textDocument.offsetAt(position);
    return root && CstUtils.findDeclarationNodeAtOffset(root, offset);
}

/** From the start of the node to `end`, on one line. */
function textOf(cst: CstNode | undefined, end?: number): string {
    if (cst === undefined) {
        return '';
    }
    const text = cst.root.fullText.slice(cst.offset, end ?? cst.end);
    const line = text
        .replace(/\/\/[^\n\r]*/g, '')
        .replace(/\s+/g, ' ')
        .trim();
    return line.length > LONGEST_SIGNATURE ? `${line.slice(0, LONGEST_SIGNATURE)}…` : line;
}

/** A range that holds nothing. */
export function emptyRange(position: Position): Range {
    return { start: position, end: position };
}
