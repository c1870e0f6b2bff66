/** Expressions that are known before the run. */
import type { Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { NOTHING_KNOWN } from './known.js';
import { Names } from './names.js';
import type { Expression } from './orbit-syntax.js';
import { ExpressionWriter } from './write-expression.js';

/** The expression in Orbit; undefined if a variable decides its value. */
export function writeConstant(node: Murphi.Expression, facts: Facts): Expression | undefined {
    const surroundings = { names: new Names(), bindings: new Map(), results: new Map() };
    return facts.isConstant(node) ? new ExpressionWriter(facts, surroundings).value(node, NOTHING_KNOWN) : undefined;
}
