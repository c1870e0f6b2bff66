/** Ranges of source text, which every stage carries along. */

/** A position between two characters: `line` and `character` count from 0, in UTF-16 code units (as in LSP). */
export interface SourcePosition {
    readonly line: number;
    readonly character: number;
}

/** The text from `start` to `end`, exclusive, in the document `uri`. */
export interface SourceRange {
    readonly uri: string;
    readonly start: SourcePosition;
    readonly end: SourcePosition;
}

/** For models that were not read from a text (tests, generated models). */
export const NOWHERE: SourceRange = {
    uri: '',
    start: { line: 0, character: 0 },
    end: { line: 0, character: 0 },
};

/** The start of a range, such as `12:5`; both count from 1. */
export function formatPosition(range: SourceRange): string {
    return `${range.start.line + 1}:${range.start.character + 1}`;
}

/** Equal for equal ranges. */
export function keyOfRange({ uri, start, end }: SourceRange): string {
    return `${uri} ${start.line}:${start.character}-${end.line}:${end.character}`;
}
