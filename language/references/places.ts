/** Expressions that a model can assign to: a variable, an element of it, a field. */
import { nodesOf } from '../tree/descendants.js';
import type { Node } from '../tree/node.js';
import * as ast from '../generated/nodes.js';

/** The expression before all fields of a place: `a[i]` of `a[i].f.g`. */
export function baseOf(place: ast.Expression): ast.Expression {
    let base = place;
    while (ast.isFieldAccess(base)) {
        base = base.record;
    }
    return base;
}

/** From `a` to `a[i].next`: a field access is part of the place that it begins. */
export function outermostPlace(place: ast.Expression): ast.Expression {
    let outer = place;
    while (ast.isFieldAccess(outer.$container) && outer.$containerProperty === 'record') {
        outer = outer.$container;
    }
    return outer;
}

/** The declaration of the name with which a place begins. */
export function rootOf(place: ast.Expression): ast.Named | undefined {
    const base = baseOf(place);
    return ast.isReference(base) && base.label === undefined && base.action === undefined ? base.target.ref : undefined;
}

export function isPlace(expression: ast.Expression): boolean {
    return ast.isVariable(rootOf(expression));
}

/** The places that a node and what is inside it assign to. A receive assigns to the places of its pattern. */
export function placesWrittenIn(node: Node): ast.Expression[] {
    return nodesOf(node).flatMap(inner => {
        if (ast.isAssignment(inner)) {
            return [inner.target];
        }
        if (ast.isExpressionPattern(inner)) {
            return inner.equal ? [] : boundIn(inner.value);
        }
        return ast.isStep(inner) && inner.value !== undefined && inner.place !== undefined ? [inner.place] : [];
    });
}

/** The places that a pattern binds: the expression, or the parts of a record. */
function boundIn(pattern: ast.Expression): ast.Expression[] {
    return ast.isCall(pattern) ? pattern.arguments.flatMap(boundIn) : isPlace(pattern) ? [pattern] : [];
}
