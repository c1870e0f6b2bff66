/** Locals of processes that may hold the first value of their type before they are written. */
import type { Node } from '../language/tree/node.js';
import { nodesOf } from '../language/tree/descendants.js';
import * as ast from '../language/generated/nodes.js';
import { namedBy } from '../language/references/declared-type.js';
import { findUnsetReads } from '../language/references/unset-reads.js';

/**
 * Of some declarations. A local that others name always holds a value, and so does an array that may have one cell: the
 * engine does not tell a write of the only cell from one of the whole (engine/sequential/control/local-liveness.ts).
 */
export function localsWithFirstValue(declarations: readonly ast.Declaration[]): ReadonlySet<ast.Variable> {
    const found = new Set<ast.Variable>();
    for (const process of declarations.filter(ast.isProcess)) {
        const unset = new Set(nodesOf(process).filter(isUnsetLocal));
        findUnsetReads(process, unset, variable => found.add(variable));
        unset.forEach(local => {
            if (holdsArray(local.type)) {
                found.add(local);
            }
        });
    }
    for (const node of declarations.flatMap(nodesOf)) {
        const field = ast.isFieldAccess(node) ? node.field.ref : undefined;
        if (field !== undefined && isUnsetLocal(field)) {
            found.add(field);
        }
    }
    return found;
}

function isUnsetLocal(node: Node): node is ast.Variable {
    return (
        ast.isVariable(node) &&
        ast.isBlock(node.$container) &&
        node.initializer === undefined &&
        node.choices === undefined &&
        !node.any
    );
}

function holdsArray({ indices, element }: ast.Type): boolean {
    const named = namedBy(element);
    return (
        indices.length > 0 ||
        (ast.isTypeDeclaration(named) && holdsArray(named.type)) ||
        (ast.isRecordDeclaration(named) && named.fields.some(({ type }) => holdsArray(type)))
    );
}
