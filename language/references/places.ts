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
    return isAssignable(rootOf(expression));
}

/** Whether a name stands for a place: a variable, or a parameter of a procedure that is the place given to it. */
export function isAssignable(
    named: ast.Named | undefined,
): named is ast.Variable | (ast.ProcedureParameter & { readonly isPlace: true }) {
    return ast.isVariable(named) || (ast.isProcedureParameter(named) && named.isPlace);
}

/** The places that a call gives to a procedure. */
export function placesGivenIn({ procedure, arguments: given }: ast.ProcedureCall): ast.Expression[] {
    const called = procedure.ref;
    return ast.isProcedure(called) ? given.filter((_, position) => called.parameters[position]?.isPlace === true) : [];
}

/** The channel without order that a step sends to or receives from. */
export function bagChannelOf({ place, message, pattern }: ast.Step): ast.Variable | undefined {
    const root = place && rootOf(place);
    return (message !== undefined || pattern !== undefined) && ast.isVariable(root) && root.type.isOfChannel
        ? root
        : undefined;
}

/**
 * The places that a node and what is inside it assign to. A receive assigns to the places of its pattern, a call to those
 * that it gives and to shared ones.
 */
export function placesWrittenIn(node: Node): ast.Expression[] {
    return writtenIn(node, new Set());
}

/** `seen` are the procedures whose places are among them. */
function writtenIn(node: Node, seen: Set<ast.Procedure>): ast.Expression[] {
    return nodesOf(node).flatMap(inner => {
        if (ast.isAssignment(inner)) {
            return [inner.target];
        }
        if (ast.isProcedureCall(inner)) {
            const called = inner.procedure.ref;
            const isNew = ast.isProcedure(called) && !seen.has(called);
            const inside = isNew ? writtenIn(called.body, seen.add(called)) : [];
            return [...placesGivenIn(inner), ...inside.filter(place => isShared(rootOf(place)))];
        }
        if (ast.isExpressionPattern(inner)) {
            return inner.equal ? [] : boundIn(inner.value);
        }
        const isWritten = ast.isStep(inner) && (inner.value !== undefined || bagChannelOf(inner) !== undefined);
        return isWritten && inner.place !== undefined ? [inner.place] : [];
    });
}

/** The places that a pattern binds: the expression, or the parts of a record. */
function boundIn(pattern: ast.Expression): ast.Expression[] {
    return ast.isCall(pattern) ? pattern.arguments.flatMap(boundIn) : isPlace(pattern) ? [pattern] : [];
}

function isShared(named: ast.Named | undefined): boolean {
    return ast.isVariable(named) && ast.isModel(named.$container);
}
