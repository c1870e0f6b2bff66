/** Decoding of files. */
import type { Problem } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';

export type Decoded = { readonly text: string } | { readonly text: undefined; readonly problem: Problem };

/** The text of a file, or the place of the first byte that UTF-8 does not allow there. A byte order mark is dropped. */
export function decodeUtf8(bytes: Uint8Array, uri: string): Decoded {
    try {
        return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    } catch {
        const valid = new TextDecoder('utf-8').decode(bytes.subarray(0, firstInvalidByte(bytes)));
        const lines = valid.split('\n');
        const start = { line: lines.length - 1, character: (lines.at(-1) ?? '').length };
        const range: SourceRange = { uri, start, end: { ...start, character: start.character + 1 } };
        return {
            text: undefined,
            problem: {
                severity: 'error',
                code: 'file/not-utf-8',
                message: isUtf16(bytes)
                    ? 'the file is text in UTF-16; save it as UTF-8'
                    : 'the file is not text in UTF-8: a byte is invalid here',
                range,
            },
        };
    }
}

/** Whether it begins with one of the byte order marks of UTF-16, as what PowerShell writes does. */
function isUtf16([first, second]: Uint8Array): boolean {
    return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** The longest prefix that decodes, by bisection: every prefix of it that ends between characters decodes too. */
function firstInvalidByte(bytes: Uint8Array): number {
    let good = 0;
    let bad = bytes.length + 1;
    while (bad - good > 1) {
        const middle = (good + bad) >> 1;
        if (decodesSoFar(bytes.subarray(0, middle))) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    return startOfCharacter(bytes, good);
}

/** Whether a prefix is valid; a character that is cut off at its end is not held against it. */
function decodesSoFar(bytes: Uint8Array): boolean {
    try {
        new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
        return true;
    } catch {
        return false;
    }
}

/** Where the character that is cut off at `end` begins; `end` itself where none is. */
function startOfCharacter(bytes: Uint8Array, end: number): number {
    for (let start = end; start > Math.max(0, end - 4); start--) {
        try {
            new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, start));
            return start;
        } catch {
            continue;
        }
    }
    return Math.max(0, end - 4);
}
