import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createRangeShift } from '../../language-server/analysis/text-shift.js';

/** Where `marked` in the text `before` is in `after`, as text; undefined where it was edited. */
function shifted(before: string, after: string, marked: string): string | undefined {
    const [older, newer] = [before, after].map(text => TextDocument.create('file:///a.orbit', 'orbit', 0, text));
    const offset = before.indexOf(marked);
    if (older === undefined || newer === undefined || offset < 0) {
        throw new Error(`'${marked}' is not in the text`);
    }
    const range = { start: older.positionAt(offset), end: older.positionAt(offset + marked.length) };
    const result = createRangeShift(older, newer)(range);
    return result && newer.getText(result);
}

test('what stands before or after an edit is found again', () => {
    const before = 'var x: bool\nvar y: bool\nvar z: bool\n';
    const after = 'var x: bool\nvar yellow: bool\n\nvar z: bool\n';
    expect(shifted(before, after, 'var x')).toBe('var x');
    expect(shifted(before, after, 'var z')).toBe('var z');
});

test('what was edited is not found again', () => {
    expect(shifted('a == b', 'a == c', 'b')).toBeUndefined();
    expect(shifted('a == b && c', 'a == b || c', 'b && c')).toBeUndefined();
});

test('in equal texts everything keeps its place', () => {
    expect(shifted('a == b', 'a == b', 'b')).toBe('b');
});

test('an inserted copy of a repeated part confuses nothing outside of it', () => {
    expect(shifted('x; x; y', 'x; x; x; y', 'y')).toBe('y');
});
