/** From nodes of the syntax tree to ranges of the text. */
import { AstUtils, GrammarUtils, type AstNode, type CstNode } from 'langium';
import { NOWHERE, type SourceRange } from '../engine/common/source-range.js';
import { isBinaryExpression, type BinaryExpression } from './generated/ast.js';

/** The ranges of nodes inside chains of operators, which are computed from those of their operands. */
const chainRanges = new WeakMap<BinaryExpression, SourceRange>();

/** The text of a node. */
export function rangeOf(node: AstNode): SourceRange {
    if (!isBinaryExpression(node) || !isInsideChain(node)) {
        return rangeOfCst(node, node.$cstNode);
    }
    let range = chainRanges.get(node);
    if (range === undefined) {
        range = { ...rangeOf(node.left), end: rangeOf(node.right).end };
        chainRanges.set(node, range);
    }
    return range;
}

/** The text of a property of a node; the whole node if it has no such property. */
export function rangeOfProperty(node: AstNode, property: string, index?: number): SourceRange {
    return rangeOfCst(node, GrammarUtils.findNodeForProperty(node.$cstNode, property, index) ?? node.$cstNode);
}

/** The name in a declaration. */
export function nameRangeOf(node: AstNode): SourceRange {
    return rangeOfProperty(node, 'name');
}

/**
 * Whether a node is an operand of its parent in one chain of operators without parentheses: `b * c` in `a + b * c`. The
 * parser gives such a node the text of the whole chain, with the parent's other operand.
 */
export function isInsideChain(node: BinaryExpression): boolean {
    const parent = node.$container;
    if (!isBinaryExpression(parent)) {
        return false;
    }
    const own = node.$cstNode;
    const other = (parent.left === node ? parent.right : parent.left).$cstNode;
    return own !== undefined && other !== undefined && own.offset <= other.offset && other.end <= own.end;
}

function rangeOfCst(node: AstNode, cst: CstNode | undefined): SourceRange {
    if (cst === undefined) {
        return NOWHERE;
    }
    const { start, end } = cst.range;
    return { uri: AstUtils.getDocument(node).uri.toString(), start, end };
}
