/**
 * Carries a source range of an older text over to a newer one. Everything before the first and after the last difference
 * of the two texts has kept its meaning; a range that touches what lies between has none in the newer text.
 */
import type { Range, TextDocument } from 'vscode-languageserver-textdocument';

/** The function that maps ranges of `before` to ranges of `after`, or to undefined where the text was edited. */
export function createRangeShift(before: TextDocument, after: TextDocument): (range: Range) => Range | undefined {
    const older = before.getText();
    const newer = after.getText();
    if (older === newer) {
        return range => range;
    }
    const shorter = Math.min(older.length, newer.length);
    let prefix = 0;
    while (prefix < shorter && older.charCodeAt(prefix) === newer.charCodeAt(prefix)) {
        prefix++;
    }
    let suffix = 0;
    while (
        suffix < shorter - prefix &&
        older.charCodeAt(older.length - 1 - suffix) === newer.charCodeAt(newer.length - 1 - suffix)
    ) {
        suffix++;
    }
    const added = newer.length - older.length;
    return range => {
        const start = before.offsetAt(range.start);
        const end = before.offsetAt(range.end);
        if (end <= prefix) {
            return range;
        }
        if (start >= older.length - suffix) {
            return { start: after.positionAt(start + added), end: after.positionAt(end + added) };
        }
        return undefined;
    };
}
