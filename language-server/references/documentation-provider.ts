/** Doc comments: the lines with `///` directly before a declaration. Built-in functions have their own texts. */
import type { AstNode, DocumentationProvider } from 'langium';
import { isBuiltinFunction } from '../generated/ast.js';
import { builtinDescriptionOf } from './builtin-functions.js';

export class OrbitDocumentationProvider implements DocumentationProvider {
    getDocumentation(node: AstNode): string | undefined {
        const text = isBuiltinFunction(node) ? builtinDescriptionOf(node)?.documentation : documentationOf(node);
        return text === '' ? undefined : text;
    }
}

/** The doc comment of a declaration; empty if it has none. */
export function documentationOf(node: AstNode): string {
    const cst = node.$cstNode;
    if (cst === undefined) {
        return '';
    }
    const text = cst.root.fullText;
    let lineStart = text.lastIndexOf('\n', cst.offset - 1) + 1;
    // A declaration that shares its line with another has no comment of its own.
    if (text.slice(lineStart, cst.offset).trim() !== '') {
        return '';
    }
    const comment: string[] = [];
    while (lineStart > 0) {
        const previousStart = lineStart >= 2 ? text.lastIndexOf('\n', lineStart - 2) + 1 : 0;
        const match = /^\s*\/\/\/ ?(.*)$/.exec(text.slice(previousStart, lineStart).trimEnd());
        if (match === null) {
            break;
        }
        comment.unshift(match[1] ?? '');
        lineStart = previousStart;
    }
    return comment.join('\n').trimEnd();
}
