/** The functions that an expression calls, directly or through other functions. */
import type { Node } from '../tree/node.js';
import { descendantsOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';

/** The declared function that a node calls. */
export function calledBy(node: Node): ast.FunctionDeclaration | undefined {
    const called = ast.isCall(node) ? node.function.ref : undefined;
    return ast.isFunctionDeclaration(called) ? called : undefined;
}

/** The nodes of a function and of all functions that it calls, each with its function. */
export function* nodesOfCalled(
    declaration: ast.FunctionDeclaration,
): Generator<{ readonly node: Node; readonly owner: ast.FunctionDeclaration }> {
    const functions = new Set([declaration]);
    // The set grows during the loop.
    for (const owner of functions) {
        for (const node of descendantsOf(owner)) {
            const called = calledBy(node);
            if (called !== undefined) {
                functions.add(called);
            }
            yield { node, owner };
        }
    }
}
