/** The names that a node declares for the text inside it: binders, parameters, the declarations of a block. */
import type { AstNode } from 'langium';
import type * as ast from '../generated/ast.js';
import type { Named } from '../generated/ast.js';

/** Blocks may be long, and every name inside them is looked for here. A text that has changed has nodes of its own. */
const known = new WeakMap<AstNode, readonly Named[]>();

export function localNamesIn(node: AstNode): readonly Named[] {
    let names = known.get(node);
    if (names === undefined) {
        // While a text is being written any part of it may be missing, whatever the types say.
        names = declaredIn(node).filter(({ name }) => (name as string | undefined) !== undefined);
        known.set(node, names);
    }
    return names;
}

/** The type of a node decides which interface of the syntax tree it has. */
function declaredIn(node: AstNode): readonly Named[] {
    switch (node.$type) {
        case 'Block':
            return (node as ast.Block).items.filter(
                item => item.$type === 'Variable' || item.$type === 'Constant' || item.$type === 'Let',
            );
        case 'Body':
            return (node as ast.Body).statements.filter(
                statement => statement.$type === 'Variable' || statement.$type === 'Let',
            );
        case 'Quantifier':
        case 'Comprehension':
        case 'Alternative':
        case 'For':
        case 'ForStatement':
            return (node as ast.Quantifier | ast.Alternative).groups.flatMap(group => group.variables);
        case 'Process':
            return (node as ast.Process).indices;
        case 'FunctionDeclaration':
            return (node as ast.FunctionDeclaration).parameters;
        case 'RecordDeclaration':
            return (node as ast.RecordDeclaration).fields;
        default:
            return [];
    }
}
