/** From nodes of a syntax tree to ranges of the text, and to what is written there. */
import { NOWHERE, type SourceRange } from '../../engine/common/source-range.js';
import { isBinaryExpression, type BinaryExpression } from '../generated/nodes.js';
import { treeRootOf, type Node, type Place, type SourceText, type Span } from './node.js';

/** The ranges of nodes inside chains of operators, which are computed from those of their operands. */
const chainRanges = new WeakMap<BinaryExpression, SourceRange>();

/** The text of a node. O(depth) */
export function rangeOf(node: Node): SourceRange {
    if (!isBinaryExpression(node) || !isInsideChain(node)) {
        return rangeIn(sourceOf(node), placeOf(node));
    }
    let range = chainRanges.get(node);
    if (range === undefined) {
        range = { ...rangeOf(node.left), end: rangeOf(node.right).end };
        chainRanges.set(node, range);
    }
    return range;
}

/** The text of a property of a node; the whole node if it has no such property. */
export function rangeOfProperty(node: Node, property: string): SourceRange {
    const source = sourceOf(node);
    return rangeIn(source, source?.placeOfProperty(node, property) ?? source?.placeOf(node));
}

/** The name in a declaration. */
export function nameRangeOf(node: Node): SourceRange {
    return rangeOfProperty(node, 'name');
}

/** What is written at a node; undefined if it has no place. */
export function textOf(node: Node): string | undefined {
    const source = sourceOf(node);
    if (!isBinaryExpression(node) || !isInsideChain(node)) {
        return source?.placeOf(node)?.text;
    }
    const { offset, end } = spanOf(node);
    return source?.text.slice(offset, end);
}

/** The offsets of the text of a node; of nothing at the beginning if it has no place. */
export function spanOf(node: Node): Span {
    return isBinaryExpression(node) && isInsideChain(node)
        ? { offset: spanOf(node.left).offset, end: spanOf(node.right).end }
        : (placeOf(node) ?? { offset: 0, end: 0 });
}

/** The place of a node, with the whole chain for an operand of a chain of operators. */
export function placeOf(node: Node): Place | undefined {
    return sourceOf(node)?.placeOf(node);
}

/** The text of the tree of a node. O(depth) */
export function sourceOf(node: Node): SourceText | undefined {
    return treeRootOf(node).$source;
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
    const own = placeOf(node);
    const other = placeOf(parent.left === node ? parent.right : parent.left);
    return own !== undefined && other !== undefined && own.offset <= other.offset && other.end <= own.end;
}

function rangeIn(source: SourceText | undefined, place: Place | undefined): SourceRange {
    const { start, end } = place?.range ?? NOWHERE;
    return source === undefined || place === undefined ? NOWHERE : { uri: source.uri, start, end };
}
