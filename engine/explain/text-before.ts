/** Positions in the text around a place, for edits: where the keyword before a condition begins, where a brace stands. */
import type { SourcePosition, SourceRange } from '../common/source-range.js';
import type { TextOfRange } from '../common/source-text.js';

/** The position behind this text, if the text begins at `start`. */
export function positionAfter(text: string, start: SourcePosition): SourcePosition {
    const lines = text.split('\n');
    const last = lines[lines.length - 1];
    return lines.length === 1
        ? { line: start.line, character: start.character + last.length }
        : { line: start.line + lines.length - 1, character: last.length };
}

/** The range of what a pattern with `$` at its end matches just before a range; undefined if it does not match. */
export function rangeBefore(
    { uri, start }: SourceRange,
    pattern: RegExp,
    textOf: TextOfRange,
): SourceRange | undefined {
    const origin = { line: 0, character: 0 };
    const text = textOf({ uri, start: origin, end: start });
    const match = text === undefined ? null : pattern.exec(text);
    return text === undefined || match === null
        ? undefined
        : { uri, start: positionAfter(text.slice(0, match.index), origin), end: start };
}

/** From the start of the first range to the end of the second one. */
export function spanOf(first: SourceRange, second: SourceRange): SourceRange {
    return { uri: first.uri, start: first.start, end: second.end };
}
