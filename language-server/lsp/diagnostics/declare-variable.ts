/**
 * The quick fix that declares an undeclared variable: in the body or in the process that uses it, and shared only where
 * several processes or properties do. Its type is what the text says of it: of a message, of what it is compared with.
 */
import { AstUtils, type AstNode } from 'langium';
import type { Position, TextEdit } from 'vscode-languageserver';
import { descendantsOf } from '../../../language/tree/descendants.js';
import * as ast from '../../generated/ast.js';
import { isConstructor } from '../../../language/references/constructors.js';
import { declaredTypeIn, declaredTypeOf } from '../../../language/references/declared-type.js';
import { isLocalDeclaration } from '../../../language/references/locals.js';
import { rootOf } from '../../../language/references/places.js';
import { emptyRange, textOf, typeOf } from '../providers/declarations.js';

export interface VariableDeclaration {
    readonly title: string;
    readonly edits: readonly TextEdit[];
}

/** Undefined where the name cannot be that of a variable, or where nothing says what it holds. */
export function declarationOf(node: ast.Reference): VariableDeclaration | undefined {
    const name = node.target.$refText;
    const model = AstUtils.getContainerOfType(node, ast.isModel);
    const uses = model === undefined ? [] : usesOf(name, model);
    if (!uses.includes(node) || !uses.every(isVariableUse)) {
        return undefined;
    }
    const type = likelyType(uses);
    const [first = node] = uses;
    const owner = AstUtils.getContainerOfType(first, ast.isProcess);
    const body = bodyAround(first);
    if (body !== undefined && uses.every(use => isInside(use, body))) {
        const edits = atStart(body, body.statements[0], `var ${name}: ${type}`);
        return {
            title: `Declare the variable \`${name}\` in this ${owner === undefined ? 'function' : 'step'}`,
            edits,
        };
    }
    if (owner === undefined) {
        return undefined;
    }
    if (uses.some(use => !isInside(use, owner))) {
        return { title: `Declare the shared variable \`${name}\``, edits: before(owner, `var ${name}: ${type}\n\n`) };
    }
    const { items } = owner.body;
    const next = items.findIndex(item => !isLocalDeclaration(item));
    const last = items[(next < 0 ? items.length : next) - 1];
    const text = `var ${name}: ${type}`;
    const edits = last === undefined ? atStart(owner.body, items[0], text) : behind(last, text);
    return { title: `Declare the variable \`${name}\` in process \`${owner.name}\``, edits };
}

/** The references of a file to a name that is declared nowhere, in the order of the text. */
function usesOf(name: string, model: ast.Model): ast.Reference[] {
    return descendantsOf(model)
        .filter(ast.isReference)
        .filter(({ target }) => target.$refText === name && target.ref === undefined);
}

/** Not a channel, an event, a type, a process before `at`, or an array. */
function isVariableUse(use: ast.Reference): boolean {
    const { $container: container, $containerProperty: property } = use;
    const isOther =
        ast.isRangeType(container) ||
        (ast.isFieldAccess(container) && property === 'record') ||
        (ast.isStep(container) && property === 'place' && container.value === undefined);
    return !isOther && use.label === undefined && use.indices.length === 0;
}

function isInside(node: AstNode, outer: AstNode): boolean {
    return AstUtils.getContainerOfType(node, (each): each is AstNode => each === outer) !== undefined;
}

/** The statements of a step or a function that first assign to the variable: its value is not needed after them. */
function bodyAround({ $container: container, $containerProperty: property }: ast.Reference): ast.Body | undefined {
    const isTarget = ast.isAssignment(container) && property === 'target' && ast.isBody(container.$container);
    return isTarget ? container.$container : undefined;
}

/** By the first use that names a type, else by the greatest number that it meets. */
function likelyType(uses: readonly ast.Reference[]): string {
    const sources = uses.map(meets);
    const named = sources.find(source => typeof source === 'string');
    const numbers = sources.filter(source => typeof source === 'number');
    return named ?? (numbers.length === 0 ? 'bool' : `0 .. ${Math.max(1, ...numbers)}`);
}

/** The type of what a variable receives, gets or is compared with, or a number where that is one. */
function meets(use: ast.Reference): string | number | undefined {
    const { $container: container, $containerProperty: property } = use;
    if (ast.isExpressionPattern(container)) {
        return nameOfType(messageOf(container));
    }
    if (ast.isCall(container)) {
        const called = container.function.ref;
        const parameters = isConstructor(called)
            ? called.fields
            : ast.isFunctionDeclaration(called)
              ? called.parameters
              : [];
        return nameOfType(parameters[container.arguments.indexOf(use)]?.type);
    }
    if (ast.isStep(container) && property === 'message') {
        return container.place && nameOfType(messagesOver(container.place));
    }
    if (ast.isAssignment(container)) {
        return typeOfValue(property === 'target' ? container.value : container.target);
    }
    if (ast.isStep(container) && container.value !== undefined && container.place !== undefined) {
        return typeOfValue(property === 'place' ? container.value : container.place);
    }
    return ast.isBinaryExpression(container)
        ? typeOfValue(property === 'left' ? container.right : container.left)
        : undefined;
}

function messagesOver(channel: ast.Expression): ast.Type | ast.ElementType | undefined {
    const root = rootOf(channel);
    if (ast.isChannelDeclaration(root)) {
        return root.message;
    }
    const type = declaredTypeOf(channel);
    return ast.isChannelType(type) ? type.message : undefined;
}

/** The type of what a pattern stands for: a message, or a field of one. */
function messageOf(pattern: ast.Pattern): ast.Type | ast.ElementType | undefined {
    const { $container: container } = pattern;
    if (ast.isStep(container)) {
        return container.place && messagesOver(container.place);
    }
    const message = messageOf(container);
    const built = ast.isCasePattern(container) ? container.case.ref : message && declaredTypeIn(message);
    return isConstructor(built) ? built.fields[container.parts.indexOf(pattern)]?.type : undefined;
}

function nameOfType(type: ast.Type | ast.ElementType | undefined): string | undefined {
    return textOf(type?.$cstNode) || undefined;
}

function typeOfValue(value: ast.Expression): string | number | undefined {
    if (ast.isNumberLiteral(value)) {
        return value.value;
    }
    if (ast.isBinaryExpression(value) && /^(?:[-+*]|div|mod)$/.test(value.operator)) {
        const [left, right] = [typeOfValue(value.left), typeOfValue(value.right)];
        return typeof left === 'string' ? left : (right ?? left);
    }
    if (ast.isReference(value) && value.label === undefined) {
        const named = value.target.ref;
        const type = named && typeOf(named);
        if (ast.isType(type) && (value.indices.length === 0 || value.indices.length === type.indices.length)) {
            return nameOfType(value.indices.length === 0 ? type : type.element);
        }
    }
    const type: ast.Named | ast.ElementType | undefined = declaredTypeOf(value);
    const isNamed = ast.isRecordDeclaration(type) || ast.isEnumeration(type) || ast.isProcess(type);
    return isNamed ? type.name : nameOfType(type);
}

/** Behind the opening brace, on a line of its own where what follows stands on one. */
function atStart(block: ast.Block | ast.Body, next: AstNode | undefined, text: string): TextEdit[] {
    const start = block.$cstNode?.range.start;
    const following = next?.$cstNode?.range.start;
    if (start === undefined) {
        return [];
    }
    const isSameLine = following === undefined || following.line === start.line;
    const newText = isSameLine ? ` ${text}` : `\n${' '.repeat(following.character)}${text}`;
    const brace = { line: start.line, character: start.character + 1 };
    const position = isSameLine ? brace : endOfLine(block, brace);
    const isEmpty = following === undefined && block.$cstNode?.range.end.character === brace.character + 1;
    return [{ range: emptyRange(position), newText: isEmpty ? `${newText} ` : newText }];
}

/** Behind a declaration and its comment, on a line of its own where the declaration begins one. */
function behind(declaration: AstNode, text: string): TextEdit[] {
    const range = declaration.$cstNode?.range;
    if (range === undefined) {
        return [];
    }
    const end = endOfLine(declaration, range.end);
    const isAlone = end.character > range.end.character || isLastOfLine(declaration, range.end);
    const newText = isAlone ? `\n${' '.repeat(range.start.character)}${text}` : ` ${text}`;
    return [{ range: emptyRange(end), newText }];
}

function before(process: ast.Process, newText: string): TextEdit[] {
    const start = process.$cstNode?.range.start;
    // Above the comments that belong to the process.
    return start === undefined
        ? []
        : [{ range: emptyRange({ line: firstLineOf(textAround(process), start.line), character: 0 }), newText }];
}

/** The first of the comment lines directly above a line. */
export function firstLineOf(text: string, line: number): number {
    const lines = text.split('\n');
    let first = line;
    while (first > 0 && /^\s*\/\//.test(lines[first - 1] ?? '')) {
        first--;
    }
    return first;
}

/** The end of the line if only a comment follows there, else the position. */
function endOfLine(node: AstNode, position: Position): Position {
    const rest = (textAround(node).split(/\r?\n/)[position.line] ?? '').slice(position.character);
    const isComment = /^[ \t]*\/\//.test(rest);
    return isComment ? { line: position.line, character: position.character + rest.length } : position;
}

function isLastOfLine(node: AstNode, { line, character }: Position): boolean {
    return (textAround(node).split('\n')[line] ?? '').slice(character).trim() === '';
}

function textAround(node: AstNode): string {
    return node.$cstNode?.root.fullText ?? '';
}
