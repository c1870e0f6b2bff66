/** Which variables statements write and read, calls included. */
import type { AstNode } from 'langium';
import type { Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { partsOf } from './parts.js';
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
    for (const { target } of [
        ...partsOf('Assignment', ...nodes),
        ...partsOf('Clear', ...nodes),
        ...partsOf('Undefine', ...nodes),
    ]) {
        add(writes, target);
    }
    for (const { bag } of [
        ...partsOf('MultisetAdd', ...nodes),
        ...partsOf('MultisetRemove', ...nodes),
        ...partsOf('MultisetRemoveMatching', ...nodes),
    ]) {
        add(writes, bag);
    }
    partsOf('Name', ...nodes).forEach(name => add(reads, name));
    for (const call of [...partsOf('Call', ...nodes), ...partsOf('ProcedureCall', ...nodes)]) {
        const routine = facts.routineOf(call);
        routine?.writes.forEach(variable => variable.role === 'global' && writes.add(variable));
        routine?.reads.forEach(variable => variable.role === 'global' && reads.add(variable));
        call.arguments.forEach((argument, index) => {
            const parameter = routine?.parameters[index];
            if (parameter?.role === 'reference' && routine?.writes.has(parameter)) {
                add(writes, argument);
            }
        });
    }
    return { writes, reads };
}
