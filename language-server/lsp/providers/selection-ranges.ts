/** The steps by which a selection grows: the token, the parts of the syntax tree around it, the whole text. */
import { CstUtils, type CstNode, type LangiumDocument } from 'langium';
import type { Position, Range, SelectionRange } from 'vscode-languageserver';

export function selectionRangesAt(document: LangiumDocument, positions: readonly Position[]): SelectionRange[] {
    return positions.map(position => selectionRangeAt(document, position));
}

function selectionRangeAt(document: LangiumDocument, position: Position): SelectionRange {
    const { textDocument } = document;
    const root = document.parseResult.value.$cstNode;
    const offset = textDocument.offsetAt(position);
    const ranges: Range[] = [];
    for (let node = root && leafAt(root, offset); node !== undefined; node = node.container) {
        const inside = betweenBraces(node, offset);
        for (const range of inside === undefined ? [node.range] : [inside, node.range]) {
            if (ranges.length === 0 || isWider(range, ranges.at(-1) ?? range)) {
                ranges.push(range);
            }
        }
    }
    const whole = { start: { line: 0, character: 0 }, end: textDocument.positionAt(textDocument.getText().length) };
    return ranges.reduceRight<SelectionRange>((parent, range) => ({ range, parent }), { range: whole });
}

/** The token at an offset; between two tokens the word that ends there. */
function leafAt(root: CstNode, offset: number): CstNode | undefined {
    const leaf = CstUtils.findLeafNodeAtOffset(root, offset);
    const before = offset > 0 ? CstUtils.findLeafNodeAtOffset(root, offset - 1) : undefined;
    const isWord = leaf !== undefined && /^\w/.test(leaf.text);
    return isWord ? leaf : before?.end === offset && /^\w/.test(before.text) ? before : (leaf ?? before);
}

/** The range between the braces of a block, if the offset is in it. */
function betweenBraces(node: CstNode, offset: number): Range | undefined {
    const content = 'content' in node ? (node.content as readonly CstNode[]) : [];
    const opening = content.find(({ text }) => text === '{');
    const closing = [...content].reverse().find(({ text }) => text === '}');
    return opening !== undefined && closing !== undefined && opening.end <= offset && offset <= closing.offset
        ? { start: opening.range.end, end: closing.range.start }
        : undefined;
}

function isWider(outer: Range, inner: Range): boolean {
    const isSame = isBefore(outer.start, inner.start) && isBefore(inner.end, outer.end);
    return isSame && !(isBefore(inner.start, outer.start) && isBefore(outer.end, inner.end));
}

function isBefore(first: Position, second: Position): boolean {
    return first.line < second.line || (first.line === second.line && first.character <= second.character);
}
