/** Expressions about runs that readers of other languages read in two ways, and the parentheses for both. */
import type { SourceRange } from '../../engine/common/source-range.js';
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { isTemporalOperator } from '../references/temporal.js';
import type { Place } from '../tree/node.js';
import { isInsideChain, placeOf, rangeOf, rangeOfProperty, sourceOf, spanOf } from '../tree/source-text.js';

/** `always p implies q` by its `always`, or `a until b implies c` by its `until`. */
export type Unclear = ast.TemporalPrefix | ast.BinaryExpression;

/** The two readings of an unclear expression. */
export interface Readings {
    readonly operator: string;
    /** The whole text that is read in two ways. */
    readonly range: SourceRange;
    /** The ranges that each of them puts into parentheses. */
    readonly parts: readonly [SourceRange, SourceRange];
    readonly texts: readonly [string, string];
}

export function unclearIn(expression: ast.Expression): readonly Unclear[] {
    return nodesOf(expression).filter(node =>
        ast.isTemporalPrefix(node) ? isUnclearPrefix(node) : ast.isBinaryExpression(node) && isUnclearChain(node),
    ) as Unclear[];
}

export function readingsOf(node: Unclear): Readings {
    return ast.isTemporalPrefix(node) ? readingsOfPrefix(node) : readingsOfChain(node);
}

/** A prefix operator before an operand and a looser operator, unless another prefix operator stands before it. */
function isUnclearPrefix(node: ast.TemporalPrefix): boolean {
    const { $container: container } = node;
    const isFirst = !ast.isTemporalPrefix(container) || isInParentheses(node);
    return isFirst && chainBehind(node) !== undefined;
}

/** Whether a prefix operator with its operand is in parentheses, which belong to the text of the node. */
function isInParentheses(node: ast.TemporalPrefix): boolean {
    return (placeOf(node)?.offset ?? 0) < (placeOfOperator(node)?.offset ?? 0);
}

function placeOfOperator(node: ast.TemporalPrefix): Place | undefined {
    return sourceOf(node)?.placeOfProperty(node, 'operator');
}

/** The chain of looser operators that a prefix operator reaches over; undefined if it has parentheses or is none. */
function chainBehind(node: ast.TemporalPrefix): ast.BinaryExpression | undefined {
    let { operand } = node;
    while (ast.isTemporalPrefix(operand) && !isInParentheses(operand)) {
        operand = operand.operand;
    }
    if (!ast.isBinaryExpression(operand) || !isLooser(operand.operator)) {
        return undefined;
    }
    const isInside = (placeOf(operand)?.offset ?? 0) < (placeOf(firstOf(operand))?.offset ?? 0);
    return isInside ? undefined : operand;
}

function isLooser(operator: string): boolean {
    return operator === '&&' || operator === '||' || operator === 'implies' || isTemporalOperator(operator);
}

/** The first operand of a chain of looser operators. */
function firstOf(chain: ast.BinaryExpression): ast.Expression {
    const { left } = chain;
    return ast.isBinaryExpression(left) && isLooser(left.operator) && isInsideChain(left) ? firstOf(left) : left;
}

/** An operator on runs with an `implies` or another such operator beside it. */
function isUnclearChain(node: ast.BinaryExpression): boolean {
    const { $container: container } = node;
    const isFirst =
        !ast.isBinaryExpression(container) || !isTemporalOperator(container.operator) || !isInsideChain(node);
    return isFirst && isTemporalOperator(node.operator) && innerOf(node) !== undefined;
}

/** The operand that is joined to the operator by an operator about as loose. */
function innerOf({ left, right }: ast.BinaryExpression): ast.BinaryExpression | undefined {
    return [right, left].find(
        (operand): operand is ast.BinaryExpression =>
            ast.isBinaryExpression(operand) &&
            (operand.operator === 'implies' || isTemporalOperator(operand.operator)) &&
            isInsideChain(operand),
    );
}

function readingsOfPrefix(node: ast.TemporalPrefix): Readings {
    const chain = chainBehind(node) ?? (node.operand as ast.BinaryExpression);
    const start = rangeOfProperty(node, 'operator');
    const from = placeOfOperator(node)?.offset ?? 0;
    const narrow = { ...start, end: rangeOf(firstOf(chain)).end };
    const wide = rangeOf(chain);
    const whole = { ...start, end: wide.end };
    const words = [`(${node.operator} p) ${chain.operator} q`, `${node.operator} (p ${chain.operator} q)`] as const;
    const parts = [narrow, wide] as const;
    return { operator: node.operator, range: whole, parts, texts: textsOf(node, from, whole, parts, words) };
}

function readingsOfChain(node: ast.BinaryExpression): Readings {
    const inner = innerOf(node) ?? node;
    const operands =
        inner === node.right ? [node.left, inner.left, inner.right] : [inner.left, inner.right, node.right];
    const [first, second, third] = operands.map(rangeOf) as [SourceRange, SourceRange, SourceRange];
    const from = spanOf(operands[0] ?? node).offset;
    const [left, right] = inner === node.right ? [node.operator, inner.operator] : [inner.operator, node.operator];
    const parts = [
        { ...first, end: second.end },
        { ...second, end: third.end },
    ] as const;
    const words = [`(a ${left} b) ${right} c`, `a ${left} (b ${right} c)`] as const;
    const whole = { ...first, end: third.end };
    return { operator: node.operator, range: whole, parts, texts: textsOf(node, from, whole, parts, words) };
}

/** The readings of longer texts are shown by letters. */
const LONGEST_TEXT = 60;

/** `from` is the offset of the whole text. */
function textsOf(
    node: Unclear,
    from: number,
    whole: SourceRange,
    parts: Readings['parts'],
    words: Readings['texts'],
): Readings['texts'] {
    const begin = whole.start.character;
    const length = whole.end.character - begin;
    if (whole.start.line !== whole.end.line || length > LONGEST_TEXT) {
        return words;
    }
    const text = sourceOf(node)?.text.slice(from, from + length) ?? '';
    const [narrow, wide] = parts.map(({ start, end }) => {
        const [first, last] = [start.character - begin, end.character - begin];
        return `${text.slice(0, first)}(${text.slice(first, last)})${text.slice(last)}`;
    });
    return [narrow ?? words[0], wide ?? words[1]];
}
