/** Calls in expressions whose statements stand in front of the expression: those that write, and those with a loop. */
import type { AstNode } from 'langium';
import { operatorOf } from './check-expression.js';
import type { Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { partsOf } from './parts.js';
import type { Routine } from './symbols.js';

export interface HoistedCall {
    readonly call: Murphi.Call;
    readonly routine: Routine;
}

/**
 * The call in expressions that are evaluated together, where `target` is written at last. One whose place in their order
 * is open is refused; one with a loop stays where it is then.
 */
export function hoistedCall(
    nodes: readonly Murphi.Expression[],
    facts: Facts,
    target?: Murphi.Expression,
): HoistedCall | undefined {
    const calls = partsOf('Call', ...nodes).flatMap((call): HoistedCall[] => {
        const routine = facts.symbolOf(call);
        return routine?.kind === 'routine' ? [{ call, routine }] : [];
    });
    const writing = calls.filter(({ routine }) => routine.writes.size > 0);
    const [first, ...others] = writing.length > 0 ? writing : calls.filter(({ routine }) => hasLoop(routine));
    if (first === undefined) {
        return undefined;
    }
    const isFirst = others.length === 0 && !nodes.some(node => isConditional(first.call, node));
    if (isFirst && !isReadBeside(first, nodes, facts, target)) {
        return first;
    }
    if (writing.length > 0) {
        const message = 'the order of what this call writes and of what stands beside it is open';
        facts.refuse(first.call, 'murphi/not-carried-over', message);
    }
    return undefined;
}

function hasLoop({ node }: Routine): boolean {
    return partsOf('While', node).length > 0;
}

/** Whether expressions read, outside of a call, what it writes. */
function isReadBeside(
    { call, routine }: HoistedCall,
    nodes: readonly Murphi.Expression[],
    facts: Facts,
    target: Murphi.Expression | undefined,
): boolean {
    const written = [...routine.writes].map(variable => {
        const argument = call.arguments[routine.parameters.indexOf(variable)];
        return argument === undefined ? variable : facts.rootOf(argument);
    });
    return partsOf('Name', ...nodes)
        .filter(name => name !== target && !isWithin(name, call))
        .some(name => written.includes(facts.rootOf(name)));
}

function isWithin(part: AstNode, whole: AstNode): boolean {
    return part === whole || (part.$container !== undefined && isWithin(part.$container, whole));
}

/** Whether a part of an expression is evaluated only sometimes, or more than once. */
function isConditional(part: AstNode, whole: AstNode): boolean {
    if (part === whole || part.$container === undefined) {
        return false;
    }
    const { $container: container, $containerProperty: property } = part;
    const isSometimes =
        container.$type === 'Quantified' ||
        (container.$type === 'Conditional' && property !== 'condition') ||
        (container.$type === 'Binary' &&
            property === 'right' &&
            ['&', '&&', '|', '||', '->'].includes(operatorOf(container as Murphi.Binary)));
    return isSometimes || isConditional(container, whole);
}
