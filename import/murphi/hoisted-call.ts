/** Calls in expressions whose statements stand in front of the expression: those that write. */
import type { AstNode } from 'langium';
import { operatorOf, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { partsOf } from './parts.js';
import type { Routine } from './symbols.js';

/**
 * The call in expressions that are evaluated together, where `target` is written at last. One whose place in their order
 * is open is refused.
 */
export function hoistedCall(
    nodes: readonly Murphi.Expression[],
    facts: Facts,
    target?: Murphi.Expression,
): { readonly call: Murphi.Call; readonly routine: Routine } | undefined {
    const [first, ...others] = partsOf('Call', ...nodes).flatMap(call => {
        const routine = facts.routineOf(call);
        return routine?.form === 'procedure' ? [{ call, routine }] : [];
    });
    if (first === undefined) {
        return undefined;
    }
    const { call, routine } = first;
    const written = [...routine.writes].map(variable => {
        const argument = call.arguments[routine.parameters.indexOf(variable)];
        return argument === undefined ? variable : facts.rootOf(argument);
    });
    const isReadBeside = partsOf('Name', ...nodes)
        .filter(name => name !== target && !isWithin(name, call))
        .some(name => written.includes(facts.rootOf(name)));
    if (others.length > 0 || isReadBeside || nodes.some(node => isConditional(call, node))) {
        const message = 'the order of what this call writes and of what stands beside it is open';
        facts.refuse(call, 'murphi/not-carried-over', message);
        return undefined;
    }
    return first;
}

function isWithin(part: AstNode, whole: AstNode): boolean {
    return part === whole || (part.$container !== undefined && isWithin(part.$container, whole));
}

/** Whether a part of an expression is evaluated only sometimes, or more than once. */
function isConditional(part: AstNode, whole: AstNode): boolean {
    const { $container: container, $containerProperty: property } = part;
    if (part === whole || container === undefined) {
        return false;
    }
    const isSometimes =
        container.$type === 'Quantified' ||
        (container.$type === 'Conditional' && property !== 'condition') ||
        (container.$type === 'Binary' &&
            property === 'right' &&
            ['&', '&&', '|', '||', '->'].includes(operatorOf(container as Murphi.Binary)));
    return isSometimes || isConditional(container, whole);
}
