/** The names declared inside a process, a function or an expression. */
import type { Node } from '../tree/node.js';
import { remembered } from '../../engine/common/list-map.js';
import { descendantsOf } from '../tree/descendants.js';
import { bagChannelOf } from './places.js';
import * as ast from '../generated/nodes.js';

/** Every name inside a block is looked up there. A changed text has new nodes. */
const known = new WeakMap<Node, readonly ast.Named[]>();

/** The names that a node declares for the text inside it: binders, parameters, the declarations of a block. */
export function localNamesIn(node: Node): readonly ast.Named[] {
    // In a text with syntax errors any part may be missing, whatever the types say.
    return remembered(known, node, () =>
        declaredIn(node).filter(({ name }) => (name as string | undefined) !== undefined),
    );
}

/** The type of a node decides which interface of the syntax tree it has. */
function declaredIn(node: Node): readonly ast.Named[] {
    switch (node.$type) {
        case 'Block':
            return (node as ast.Block).items.filter(isLocalDeclaration);
        case 'Body':
            return (node as ast.Body).statements.filter(item => ast.isVariable(item) || ast.isLet(item));
        case 'Quantifier':
        case 'Comprehension':
        case 'SetComprehension':
        case 'Alternative':
        case 'For':
        case 'ForStatement':
            return variablesOf((node as ast.Quantifier | ast.Alternative).groups);
        case 'InitialBody':
            return (node as ast.InitialBody).indices;
        case 'Process':
            return [...(node as ast.Process).indices, ...(node as ast.Process).parameters];
        case 'FunctionDeclaration':
            return (node as ast.FunctionDeclaration).parameters;
        case 'Procedure':
            return (node as ast.Procedure).parameters;
        case 'RecordDeclaration':
        case 'EnumerationValue':
            return (node as ast.RecordDeclaration | ast.EnumerationValue).fields;
        default:
            return [];
    }
}

/** Whether an item of a block or a statement only declares a name. */
export function isLocalDeclaration(node: Node | undefined): node is ast.Variable | ast.Constant | ast.Let {
    return ast.isVariable(node) || ast.isConstant(node) || ast.isLet(node);
}

/** The variables of a quantifier, a comprehension, a loop or a choice. */
export function variablesOf(groups: readonly ast.BinderGroup[]): ast.BinderVariable[] {
    return groups.flatMap(group => group.variables);
}

/** A local of a process: a parameter, a variable of one of its blocks, or one that a choice binds. */
export type Local = ast.ProcessParameter | ast.Variable | ast.BinderVariable;

/** The locals of a process in the order of the text, without those of bodies of steps, which end with the step. */
export function localsOf(process: ast.Process): Local[] {
    return descendantsOf(process).filter(isLocal);
}

/** The steps of a process that take one of the messages of a channel without order. */
export function receivesIn(process: ast.Process): ast.Step[] {
    return descendantsOf(process).filter(
        (node): node is ast.Step => ast.isStep(node) && node.pattern !== undefined && bagChannelOf(node) !== undefined,
    );
}

/** The variables at the beginning of a process, which properties can name: `P[i].k`. */
export function headLocalsOfTemplate(process: ast.Process): ast.Variable[] {
    // In a text with syntax errors a process may have no body, whatever the type says.
    const body: ast.Process['body'] | undefined = process.body;
    const items = body?.items ?? [];
    const end = items.findIndex(item => !isLocalDeclaration(item));
    return items.slice(0, end < 0 ? items.length : end).filter(ast.isVariable);
}

/** How many locals of the same name a local hides: those of the blocks around it. */
export function hiddenBy(local: Local): number {
    let hidden = 0;
    const scope = ast.isBinderVariable(local) ? local.$container : local;
    for (let node: Node | undefined = scope.$container.$container; node !== undefined; node = node.$container) {
        hidden += declaredBy(node).filter(({ name }) => name === local.name).length;
    }
    return hidden;
}

/** The locals that a process, a block or an alternative declares. */
function declaredBy(node: Node): Local[] {
    if (ast.isProcess(node)) {
        return node.parameters;
    }
    if (ast.isBlock(node)) {
        return node.items.filter(ast.isVariable);
    }
    return ast.isAlternative(node) ? variablesOf(node.groups) : [];
}

function isLocal(node: Node): node is Local {
    return (
        ast.isProcessParameter(node) ||
        (ast.isVariable(node) && ast.isBlock(node.$container)) ||
        (ast.isBinderVariable(node) && isChosen(node))
    );
}

/** Whether an alternative of a choice binds a variable, not a quantifier or a loop. */
export function isChosen(variable: ast.BinderVariable): boolean {
    return ast.isAlternative(variable.$container.$container);
}
