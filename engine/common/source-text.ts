import type { SourceRange } from './source-range.js';

/** The text of a range, if it is known. */
export type TextOfRange = (range: SourceRange) => string | undefined;

/** The text of a range, as far as the texts are known. Lines end as they do in LSP. */
export function createTextOf(textOfDocument: (uri: string) => string | undefined): TextOfRange {
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
