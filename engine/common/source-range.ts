/** Where in the text a thing came from; carried through every stage so that each answer can point at its cause. */

/** A place between two characters: `line` and `character` count from 0, characters are UTF-16 code units (as in LSP). */
export interface SourcePosition {
    readonly line: number;
    readonly character: number;
}

/** The text from `start` up to and not including `end`, in the document `uri`. */
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

/** The start of a range as people write it: `12:5`, both counted from 1. */
export function formatPosition(range: SourceRange): string {
    return `${range.start.line + 1}:${range.start.character + 1}`;
}
