/** The distance of two numbers without end: `x - y`, only as one side of a comparison. */
import * as ast from '../generated/nodes.js';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Whether a difference is one side of a comparison. */
export function isComparedDistance({ operator, $container: container }: ast.BinaryExpression): boolean {
    return operator === '-' && ast.isBinaryExpression(container) && COMPARISONS.has(container.operator);
}
