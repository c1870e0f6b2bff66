import type { SourceRange } from './source-range.js';

/** A function that returns the text of a range, if the document is known. Lines end as in LSP. */
export function createTextOf(
    textOfDocument: (uri: string) => string | undefined,
): (range: SourceRange) => string | undefined {
    const linesOf = new Map<string, readonly string[] | undefined>();
    return ({ uri, start, end }) => {
        if (!linesOf.has(uri)) {
            linesOf.set(uri, textOfDocument(uri)?.split(/\r\n|\n|\r/));
        }
        const lines = linesOf.get(uri)?.slice(start.line, end.line + 1);
        const last = lines?.length === end.line - start.line + 1 ? lines.pop() : undefined;
        if (lines === undefined || last === undefined) {
            return undefined;
        }
        return [...lines, last.slice(0, end.character)].join('\n').slice(start.character);
    };
}
