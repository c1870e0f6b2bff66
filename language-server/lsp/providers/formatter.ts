/**
 * Formats a document, some of its lines, or the lines that a typed character completes: the edits of the whole layout
 * (../formatting/format.ts) that lie in the range. A text with syntax errors stays unchanged.
 */
import type { LangiumDocument } from 'langium';
import type { Formatter } from 'langium/lsp';
import type {
    DocumentFormattingParams,
    DocumentOnTypeFormattingOptions,
    DocumentOnTypeFormattingParams,
    DocumentRangeFormattingParams,
    TextEdit,
} from 'vscode-languageserver';
import { format } from '../../formatting/format.js';

export class OrbitFormatter implements Formatter {
    /** A closing brace finishes the lines from its opening one, a semicolon its line, a line break the one before. */
    readonly formatOnTypeOptions: DocumentOnTypeFormattingOptions = {
        firstTriggerCharacter: '}',
        moreTriggerCharacter: [';', '\n'],
    };

    formatDocument(document: LangiumDocument, _params: DocumentFormattingParams): TextEdit[] {
        return formatBetween(document, 0, Infinity);
    }

    formatDocumentRange(document: LangiumDocument, { range }: DocumentRangeFormattingParams): TextEdit[] {
        // A selection of whole lines ends at the beginning of the next line.
        const isEndEmpty = range.end.character === 0 && range.end.line > range.start.line;
        return formatLines(document, range.start.line, isEndEmpty ? range.end.line - 1 : range.end.line);
    }

    formatDocumentOnType(document: LangiumDocument, { position, ch }: DocumentOnTypeFormattingParams): TextEdit[] {
        const { line } = position;
        switch (ch) {
            case '}':
                return formatLines(document, lineOfOpeningBrace(document, position) ?? line, line);
            case '\n':
                // The indentation of the new line is the editor's, which also knows it before the text is complete.
                return line === 0 ? [] : formatLines(document, line - 1, line - 1);
            default:
                return formatLines(document, line, line);
        }
    }
}

function formatLines(document: LangiumDocument, first: number, last: number): TextEdit[] {
    const { textDocument } = document;
    const start = textDocument.offsetAt({ line: first, character: 0 });
    const next = textDocument.offsetAt({ line: last + 1, character: 0 });
    return formatBetween(document, start, next);
}

/** The edits of the whitespace that ends between two offsets: the indentation of the first line is part of it. */
function formatBetween(document: LangiumDocument, start: number, end: number): TextEdit[] {
    const { textDocument } = document;
    return (format(document)?.edits ?? [])
        .filter(edit => start <= edit.end && edit.end < end)
        .map(({ offset, end, newText }) => ({
            range: { start: textDocument.positionAt(offset), end: textDocument.positionAt(end) },
            newText,
        }));
}

/** Of the brace directly before a position. Braces in comments do not count. */
function lineOfOpeningBrace(
    { textDocument }: LangiumDocument,
    position: DocumentOnTypeFormattingParams['position'],
): number | undefined {
    const before = textDocument.getText({ start: { line: 0, character: 0 }, end: position });
    const lines = before.split('\n').map(line => line.replace(/\/\/.*/, ''));
    let depth = 0;
    for (let line = lines.length - 1; line >= 0; line--) {
        for (const character of [...(lines[line] ?? '')].reverse()) {
            depth += character === '}' ? 1 : character === '{' ? -1 : 0;
            if (depth === 0 && character === '{') {
                return line;
            }
        }
    }
    return undefined;
}
