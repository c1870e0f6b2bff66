/** Takes a place out of a text from `reference/print.ts`: a test holds, a variable starts anywhere. */
import type { SourceRange } from '../../engine/common/source-range.js';

/** The text without what stands at the ranges; undefined where that cannot be written down. */
export function neutralizeText(text: string, ranges: readonly SourceRange[]): string | undefined {
    const fromTheEnd = [...ranges].sort((first, second) => offsetOf(text, second) - offsetOf(text, first));
    return fromTheEnd.reduce<string | undefined>(
        (edited, range) => edited && neutralizePlace(edited, offsetOf(edited, range), endOf(edited, range)),
        text,
    );
}

function neutralizePlace(text: string, start: number, end: number): string | undefined {
    const before = text.slice(0, start);
    const place = text.slice(start, end);
    if (place.includes(':=')) {
        return `${before}skip${text.slice(end)}`;
    }
    // In the place of a value there is nothing to write that says nothing.
    if (/(:=|[[,])\s*\(*$/.test(before) || /^\s*:=/.test(text.slice(end))) {
        return undefined;
    }
    // Of alternatives the others stay, so `true` would say too much.
    if (/\|\|\s*\(*$/.test(before) || /^\)*\s*\|\|/.test(text.slice(end))) {
        return undefined;
    }
    // Parentheses around the place belong to it.
    const word = /(\w+|=)\s*\(*$/.exec(before)?.[1];
    const line = before.slice(before.lastIndexOf('\n') + 1);
    if (word === '=' && /^\s*var\b[^=]*=\s*$/.test(line)) {
        // Between steps a variable cannot start anywhere.
        return line.startsWith(' ') ? undefined : `${before}any${text.slice(end)}`;
    }
    if (word !== 'if' && word !== 'while') {
        return `${before}true${text.slice(end)}`;
    }
    const keyword = before.lastIndexOf(word);
    const block = text.indexOf('{', end);
    const blockEnd = closing(text, block);
    const hasElse = /^\s*else\s*\{/.test(text.slice(blockEnd));
    const elseBlock = hasElse ? text.indexOf('{', blockEnd) : blockEnd;
    const elseEnd = hasElse ? closing(text, elseBlock) : blockEnd;
    const head = text.slice(0, keyword);
    const body = text.slice(block, blockEnd);
    const otherwise = hasElse ? text.slice(elseBlock, elseEnd) : '{ }';
    const rest = text.slice(elseEnd);
    if (/^\s*(\w+: )*$/.test(line.slice(0, line.lastIndexOf(word)))) {
        return word === 'while'
            ? `${head}loop { choose ${body} or { break; } }${rest}`
            : `${head}choose ${body} or ${otherwise}${rest}`;
    }
    // Inside a step; in the middle of an expression there is nothing to take out.
    return word === 'if' && !place.includes('then') && text[block - 1] === ' ' ? `${head}skip${rest}` : undefined;
}

/** The position after the brace that closes the one at `open`. */
function closing(text: string, open: number): number {
    let depth = 0;
    for (let position = open; position < text.length; position++) {
        depth += text[position] === '{' ? 1 : text[position] === '}' ? -1 : 0;
        if (depth === 0) {
            return position + 1;
        }
    }
    throw new Error('a brace is not closed');
}

function offsetOf(text: string, { start }: SourceRange): number {
    return offset(text, start.line, start.character);
}

function endOf(text: string, { end }: SourceRange): number {
    return offset(text, end.line, end.character);
}

function offset(text: string, line: number, character: number): number {
    const lines = text.split('\n').slice(0, line);
    return lines.reduce((total, passed) => total + passed.length + 1, character);
}
