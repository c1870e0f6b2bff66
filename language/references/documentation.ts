/** Doc comments: the lines with `///` directly before a declaration. */
import type { Node } from '../tree/node.js';
import { placeOf, sourceOf } from '../tree/source-text.js';

/** The doc comment of a declaration; empty if it has none. */
export function documentationOf(node: Node): string {
    const place = placeOf(node);
    if (place === undefined) {
        return '';
    }
    const text = sourceOf(node)?.text ?? '';
    let lineStart = text.lastIndexOf('\n', place.offset - 1) + 1;
    // A declaration that shares its line with another has no comment of its own.
    if (text.slice(lineStart, place.offset).trim() !== '') {
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
