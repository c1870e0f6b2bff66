/**
 * The nodes of a syntax tree as a list. Checks look at every node of a text, several times at each keystroke; the streams
 * of Langium take ten times as long for that.
 */
import type { AstNode } from 'langium';

/** The node and all below it, each before those below it, in the order of the grammar's properties. */
export function nodesOf(root: AstNode): AstNode[] {
    const nodes: AstNode[] = [];
    addNodes(root, nodes);
    return nodes;
}

/** All nodes below `root`. */
export function descendantsOf(root: AstNode): AstNode[] {
    const nodes = nodesOf(root);
    nodes.shift();
    return nodes;
}

function addNodes(node: AstNode, nodes: AstNode[]): void {
    nodes.push(node);
    for (const name of Object.keys(node)) {
        // What belongs to the tree itself begins with `$`: the parent, the text.
        if (name.startsWith('$')) {
            continue;
        }
        const value = (node as unknown as Record<string, unknown>)[name];
        if (Array.isArray(value)) {
            for (const element of value as unknown[]) {
                if (isNode(element)) {
                    addNodes(element, nodes);
                }
            }
        } else if (isNode(value)) {
            addNodes(value, nodes);
        }
    }
}

/** References to other nodes are objects without a type. */
function isNode(value: unknown): value is AstNode {
    return typeof value === 'object' && value !== null && '$type' in value && typeof value.$type === 'string';
}
