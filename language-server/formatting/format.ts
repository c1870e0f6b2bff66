/**
 * The layout of a text: the same tokens and comments in the same order, with other whitespace between them. A text with
 * syntax errors has no layout. There are no options, so that all models look alike.
 *
 * Formatting a formatted text changes nothing.
 */
import type { LangiumDocument, RootCstNode } from 'langium';
import { columnsOf } from './columns.js';
import { elementsOf, type Element } from './elements.js';
import { breakLines, matchBrackets, type Break } from './line-breaks.js';

/** The greatest length of a line with statements in braces. The author decides the length of other lines. */
const LINE_LENGTH = 120;

export interface Formatted {
    readonly text: string;
    /** Whitespace to replace, in the order of the text. */
    readonly edits: readonly WhitespaceEdit[];
}

interface WhitespaceEdit {
    readonly offset: number;
    /** Exclusive. */
    readonly end: number;
    readonly newText: string;
}

/** Undefined if the text has syntax errors. */
export function format(document: LangiumDocument): Formatted | undefined {
    const { parserErrors, lexerErrors, value } = document.parseResult;
    const root = value.$cstNode?.root;
    return parserErrors.length > 0 || lexerErrors.length > 0 || root === undefined ? undefined : formatCst(root);
}

function formatCst(root: RootCstNode): Formatted {
    const { fullText } = root;
    const elements = elementsOf(root);
    const { breaks, columns } = layOut(elements);
    const lineBreak = fullText.includes('\r\n') ? '\r\n' : '\n';
    const edits: WhitespaceEdit[] = [];
    let text = '';
    let end = 0;
    const put = (offset: number, newText: string): void => {
        if (fullText.slice(end, offset) !== newText) {
            edits.push({ offset: end, end: offset, newText });
        }
        text += newText;
    };
    let column = 0;
    elements.forEach((element, index) => {
        const before = breaks[index];
        const own = columns[index] ?? 0;
        if (before?.kind === 'line') {
            const lines = index === 0 ? '' : before.hasBlankLine ? lineBreak + lineBreak : lineBreak;
            put(element.offset, lines + ' '.repeat(own));
        } else {
            put(element.offset, ' '.repeat(own - column));
        }
        text += element.text;
        end = element.end;
        column = own + element.text.length;
    });
    put(fullText.length, elements.length === 0 ? '' : lineBreak);
    return { text, edits };
}

interface Layout {
    readonly breaks: readonly Break[];
    readonly columns: Int32Array;
}

/** Opens braces until no line with closed braces is too long. */
function layOut(elements: readonly Element[]): Layout {
    const matching = matchBrackets(elements);
    const mustOpen = new Set<number>();
    for (;;) {
        const breaks = breakLines(elements, matching, mustOpen);
        const columns = columnsOf(elements, breaks);
        const before = mustOpen.size;
        for (const opening of bracesOfLongLines(elements, matching, { breaks, columns })) {
            mustOpen.add(opening);
        }
        if (mustOpen.size === before) {
            return { breaks, columns };
        }
    }
}

/** The outermost braces on each line that is too long, if the line contains the closing brace. */
function bracesOfLongLines(
    elements: readonly Element[],
    matching: Int32Array,
    { breaks, columns }: Layout,
): readonly number[] {
    const braces: number[] = [];
    let first = 0;
    for (let index = 1; index <= elements.length; index++) {
        if (index < elements.length && breaks[index]?.kind !== 'line') {
            continue;
        }
        const last = elements[index - 1]?.isComment === true ? index - 2 : index - 1;
        if ((columns[last] ?? 0) + (elements[last]?.text.length ?? 0) > LINE_LENGTH) {
            for (let opening = first; opening < index; opening++) {
                const closing = matching[opening] ?? -1;
                if (elements[opening]?.bracket === 'opens-items' && opening + 1 < closing && closing < index) {
                    braces.push(opening);
                    opening = closing;
                }
            }
        }
        first = index;
    }
    return braces;
}
