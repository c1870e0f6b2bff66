/**
 * The nodes of a syntax tree as a list. Checks look at every node of a text, several times at each keystroke; the streams
 * of Langium take ten times as long for that.
 */
import type { AstNode } from 'langium';

/** By declaration of the model. A tree does not change once it is parsed. */
const known = new WeakMap<AstNode, readonly AstNode[]>();

/** The node and all below it, each before those below it, in the order of the grammar's properties. */
export function nodesOf(root: AstNode): readonly AstNode[] {
    const isDeclaration = root.$container?.$type === 'Model';
    let nodes = isDeclaration ? known.get(root) : undefined;
    if (nodes === undefined) {
        const found: AstNode[] = [];
        addNodes(root, found);
        nodes = found;
        if (isDeclaration) {
            known.set(root, nodes);
        }
    }
    return nodes;
}

/** All nodes below `root`. */
export function descendantsOf(root: AstNode): readonly AstNode[] {
    return root.$type === 'Model' ? childrenOf(root).flatMap(nodesOf) : nodesOf(root).slice(1);
}

function addNodes(node: AstNode, nodes: AstNode[]): void {
    nodes.push(node);
    for (const child of childrenOf(node)) {
        addNodes(child, nodes);
    }
}

function childrenOf(node: AstNode): AstNode[] {
    const children: AstNode[] = [];
    for (const [name, value] of Object.entries(node) as [string, unknown][]) {
        // What belongs to the tree itself begins with `$`: the parent, the text.
        if (name.startsWith('$')) {
            continue;
        }
        if (Array.isArray(value)) {
            for (const element of value as unknown[]) {
                if (isNode(element)) {
                    children.push(element);
                }
            }
        } else if (isNode(value)) {
            children.push(value);
        }
    }
    return children;
}

/** References to other nodes are objects without a type. */
function isNode(value: unknown): value is AstNode {
    return typeof value === 'object' && value !== null && '$type' in value && typeof value.$type === 'string';
}
