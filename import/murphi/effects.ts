/** Which variables statements write and read, calls included. */
import { AstUtils, type AstNode } from 'langium';
import type { Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import type { Variable } from './symbols.js';

export interface Effects {
    readonly writes: ReadonlySet<Variable>;
    /** With those of which only an index or another cell is read: rather too many. */
    readonly reads: ReadonlySet<Variable>;
}

export function effectsOf(nodes: readonly AstNode[], facts: Facts): Effects {
    const [writes, reads] = [new Set<Variable>(), new Set<Variable>()];
    const add = (variables: Set<Variable>, place: Murphi.Expression): void => {
        const root = facts.rootOf(place);
        if (root !== undefined) {
            variables.add(root);
        }
    };
    for (const part of nodes.flatMap(node => [
        ...AstUtils.streamAst(node),
    ]) as readonly AstNode[] as readonly MurphiNode[]) {
        switch (part.$type) {
            case 'Assignment':
            case 'Clear':
            case 'Undefine':
                add(writes, part.target);
                break;
            case 'Name':
                add(reads, part);
                break;
            case 'Call':
            case 'ProcedureCall': {
                const routine = facts.symbolOf(part);
                if (routine?.kind === 'routine') {
                    routine.writes.forEach(variable => variable.role === 'global' && writes.add(variable));
                    routine.reads.forEach(variable => variable.role === 'global' && reads.add(variable));
                    part.arguments.forEach((argument, index) => {
                        const parameter = routine.parameters[index];
                        if (parameter?.role === 'reference' && routine.writes.has(parameter)) {
                            add(writes, argument);
                        }
                    });
                }
                break;
            }
            default:
        }
    }
    return { writes, reads };
}

type MurphiNode = Murphi.Statement | Murphi.Expression | (AstNode & { readonly $type: '' });
