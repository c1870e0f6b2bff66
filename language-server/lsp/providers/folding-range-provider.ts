/** Folding ranges: braces and comments over several lines. */
import { AstUtils, type LangiumDocument } from 'langium';
import type { FoldingRangeProvider } from 'langium/lsp';
import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver';
import { isBlock, isBody, isEnumeration } from '../../generated/ast.js';

export class OrbitFoldingRangeProvider implements FoldingRangeProvider {
    getFoldingRanges(document: LangiumDocument): FoldingRange[] {
        return [...foldBraces(document), ...foldComments(document)];
    }
}

/** The line of the closing brace stays visible; of several pairs that open on one line the outermost folds. */
function foldBraces(document: LangiumDocument): FoldingRange[] {
    const lastLines = new Map<number, number>();
    for (const node of AstUtils.streamAst(document.parseResult.value)) {
        if (node.$cstNode === undefined || !(isBlock(node) || isBody(node) || isEnumeration(node))) {
            continue;
        }
        const { start, end } = node.$cstNode.range;
        const lastLine = end.line - 1;
        if (lastLine > start.line) {
            lastLines.set(start.line, Math.max(lastLine, lastLines.get(start.line) ?? 0));
        }
    }
    return [...lastLines].map(([startLine, endLine]) => ({ startLine, endLine }));
}

/** Two or more lines that hold nothing but a comment. */
function foldComments(document: LangiumDocument): FoldingRange[] {
    const ranges: FoldingRange[] = [];
    const lines = document.textDocument.getText().split(/\r\n|\r|\n/);
    let startLine: number | undefined;
    for (let line = 0; line <= lines.length; line++) {
        const isComment = lines[line]?.trimStart().startsWith('//') === true;
        if (isComment) {
            startLine ??= line;
        } else if (startLine !== undefined) {
            if (line - 1 > startLine) {
                ranges.push({ startLine, endLine: line - 1, kind: FoldingRangeKind.Comment });
            }
            startLine = undefined;
        }
    }
    return ranges;
}
