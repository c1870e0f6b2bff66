/** Decoding of files. */
import type { Problem } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';

export type Decoded = { readonly text: string } | { readonly text: undefined; readonly problem: Problem };

/** The text of a file, or the place of the first byte that is invalid in UTF-8. A byte order mark is dropped. */
export function decodeUtf8(bytes: Uint8Array, uri: string): Decoded {
    try {
        return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    } catch {
        const lines = validPrefix(bytes).split('\n');
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

/** Whether bytes begin with a byte order mark of UTF-16, as files of PowerShell do. */
function isUtf16([first, second]: Uint8Array): boolean {
    return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

const BYTE_ORDER_MARK = '\uFEFF';
const REPLACEMENT = '\uFFFD';

/** The text before the first invalid byte: before the first replacement character that the bytes do not contain. */
function validPrefix(bytes: Uint8Array): string {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const encoder = new TextEncoder();
    const replacement = encoder.encode(REPLACEMENT);
    let offset = 0;
    let valid = '';
    for (const part of text.split(REPLACEMENT)) {
        valid += part;
        offset += encoder.encode(part).length;
        if (!replacement.every((byte, index) => bytes[offset + index] === byte)) {
            break;
        }
        valid += REPLACEMENT;
        offset += replacement.length;
    }
    return valid.startsWith(BYTE_ORDER_MARK) ? valid.slice(1) : valid;
}
