/** The signature, type, value and name of a declaration, as hovers, completion and the outline show them. */
import { CstUtils, GrammarUtils, type AstNode, type CstNode, type LangiumDocument } from 'langium';
import type { Position, Range } from 'vscode-languageserver';
import type { ElementType, Expression, Labeled, ModelHeader, Named, Type } from '../../generated/ast.js';
import * as ast from '../../generated/ast.js';
import { builtinDescriptionOf } from '../../../language/references/builtin-functions.js';
import { isLabelOfStep } from '../../../language/references/labels.js';
import { fairnessOf } from '../../../language/references/temporal.js';

/** Whatever has a name. */
export type NamedDeclaration = Named | Labeled | ModelHeader;

const LONGEST_SIGNATURE = 200;

export function isNamedDeclaration(node: AstNode): node is NamedDeclaration {
    return ast.isNamed(node) || ast.isLabeled(node) || ast.isModelHeader(node);
}

/** The declaration on one line, without the body of a process or function and without comments. */
export function signatureOf(node: NamedDeclaration): string {
    switch (node.$type) {
        case 'BuiltinFunction':
            return builtinDescriptionOf(node)?.signature ?? node.name;
        case 'EnumerationValue':
            return `${textOf(node.$cstNode)} in enum ${node.$container.name}`;
        case 'Self':
            return `${node.name}: ${(node.$container as ast.Process).name}`;
        case 'RecordField':
            return `${textOf(node.$cstNode)} in ${ast.isEnumerationValue(node.$container) ? 'case' : 'record'} ${node.$container.name}`;
        case 'BinderVariable':
            return `${node.name} in ${textOf(typeOf(node)?.$cstNode)}`;
        case 'Labeled':
            // Of a step its guard and effect, and not what a loop or a choice holds.
            return isLabelOfStep(node)
                ? textOf(node.$cstNode)
                : [node.isEnd ? 'end' : '', fairnessOf(node) ?? '', `${node.name}:`]
                      .filter(word => word !== '')
                      .join(' ');
        case 'Process':
        case 'FunctionDeclaration':
        case 'InitialBody':
        case 'Procedure':
            return textOf(node.$cstNode, (node.body as AstNode | undefined)?.$cstNode?.offset);
        default:
            return textOf(node.$cstNode);
    }
}

/** The type, indices or arguments in a declaration: `Bit[Agent]`, `[u: Agent]`. */
export function detailOf(node: NamedDeclaration): string {
    switch (node.$type) {
        case 'EnumerationValue':
            return node.$container.name;
        case 'BuiltinFunction':
        case 'Process':
        case 'ChannelDeclaration':
        case 'EventDeclaration':
        case 'FunctionDeclaration':
        case 'Procedure': {
            const signature = signatureOf(node);
            return signature.slice(signature.indexOf(node.name) + node.name.length).replace(/^: /, '');
        }
        default:
            return textOf(typeOf(node)?.$cstNode);
    }
}

/** The type in a declaration. In an incomplete text it may be missing, contrary to the grammar. */
export function typeOf(node: NamedDeclaration): Type | ElementType | undefined {
    switch (node.$type) {
        case 'BinderVariable':
            return ast.isBinderGroup(node.$container) ? node.$container.type : undefined;
        case 'ChannelDeclaration':
            return node.message;
        case 'FunctionDeclaration':
            return node.result;
        case 'Constant':
        case 'FunctionParameter':
        case 'Parameter':
        case 'ProcedureParameter':
        case 'ProcessIndex':
        case 'ProcessParameter':
        case 'RecordField':
        case 'TypeDeclaration':
        case 'Variable':
            return node.type;
        default:
            return undefined;
    }
}

/** The value that a declaration gives to its name, or that it begins with. */
export function initialValueOf(node: NamedDeclaration): Expression | undefined {
    switch (node.$type) {
        case 'Constant':
        case 'Let':
        case 'Parameter':
            return node.value;
        case 'Variable':
            return node.initializer;
        default:
            return undefined;
    }
}

/** The name in its declaration; undefined if the parser has inserted it. */
export function nameNodeOf(node: AstNode): CstNode | undefined {
    return GrammarUtils.findNodeForProperty(node.$cstNode, 'name');
}

/** The name of the model or, without a name, its beginning: the place of statements about the whole model. */
export function headerRange(root: AstNode): Range {
    const header = ast.isModel(root) ? root.headers[0] : undefined;
    return (header && nameNodeOf(header)?.range) ?? emptyRange({ line: 0, character: 0 });
}

/** The name at a position. */
export function nameAt(document: LangiumDocument, position: Position): CstNode | undefined {
    const root = document.parseResult.value.$cstNode;
    const offset = document.textDocument.offsetAt(position);
    return root && CstUtils.findDeclarationNodeAtOffset(root, offset);
}

/** From the start of the node to `end`, on one line. */
export function textOf(cst: CstNode | undefined, end?: number): string {
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
