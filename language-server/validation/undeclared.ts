/**
 * Hints for undeclared names whose meaning is known anyway: `self` and its neighbors in a process, and a variable of a
 * process in a property, which names its owner: `P[i].t`.
 */
import { AstUtils, type AstNode } from 'langium';
import * as ast from '../generated/ast.js';
import { asAdvice, instead, type Advice } from '../../language/problems/remedy.js';
import { modelsOf } from '../../language/references/imports.js';
import { headLocalsOfTemplate, localNamesIn, localsOf } from '../../language/references/locals.js';
import { isInProperty } from '../../language/references/temporal.js';

/** Words of other languages for the process in which they stand. */
const SELF: ReadonlySet<string> = new Set(['self', 'this', '_pid', 'pid', 'me']);

/** What follows “`name` is not declared”; undefined if nothing is known of the name. */
export function explainUndeclared(node: AstNode, name: string): Advice | undefined {
    const process = AstUtils.getContainerOfType(node, ast.isProcess);
    if (process !== undefined) {
        return SELF.has(name) ? asAdvice(explainSelf(process)) : undefined;
    }
    return ast.isReference(node) && isInProperty(node) ? explainLocal(node, name) : undefined;
}

/** The same where a message is received: in other languages a pattern declares the names in it. */
export function explainInPattern(node: AstNode, name: string): Advice | undefined {
    return ast.isReference(node) && ast.isExpressionPattern(node.$container)
        ? { text: `; a receive writes into variables that are declared before: \`var ${name}: …\`` }
        : undefined;
}

function explainSelf({ name, indices }: ast.Process): string | Advice {
    const names = indices.map(index => `\`${index.name}\``);
    return names.length === 0
        ? `; process \`${name}\` is a single one and has no index`
        : names.length === 1
          ? instead(`; its index is ${names.join('')}`, indices[0]?.name ?? '')
          : `; its indices are ${names.join(', ')}`;
}

function explainLocal(node: ast.Reference, name: string): Advice | undefined {
    const model = AstUtils.getContainerOfType(node, ast.isModel);
    const processes = (model === undefined ? [] : modelsOf(model)).flatMap(({ declarations }) =>
        declarations.filter(ast.isProcess),
    );
    const owner = processes.find(process => headLocalsOfTemplate(process).some(local => local.name === name));
    if (owner?.isTemplate === true) {
        return { text: `; the variable of an instance \`w\` of \`${owner.name}\` is \`w.${name}\`` };
    }
    if (owner !== undefined) {
        const indices = owner.indices.map(index => ({ index, bound: binderFor(index, node) }));
        const list = indices.map(({ index, bound }) => bound ?? index.name).join(', ');
        const place = `${owner.name}${list === '' ? '' : `[${list}]`}.${name}`;
        const isWhole = indices.every(({ bound }) => bound !== undefined) && node.indices.length === 0;
        return isWhole
            ? instead(`; for the variable of process \`${owner.name}\` write \`${place}\``, place)
            : { text: `; the variable of process \`${owner.name}\` is \`${place}\`` };
    }
    const hidden = processes.find(process => localsOf(process).some(local => local.name === name));
    return hidden === undefined
        ? undefined
        : { text: `; a property reads those variables of \`${hidden.name}\` that are declared before its first step` };
}

/** The nearest variable of a quantifier around the node with the type of the index, by its text. */
function binderFor(index: ast.ProcessIndex, node: AstNode): string | undefined {
    const type = index.type.$cstNode?.text;
    for (let current: AstNode | undefined = node; current !== undefined; current = current.$container) {
        const bound = localNamesIn(current).find(
            named => ast.isBinderVariable(named) && named.$container.type?.$cstNode?.text === type,
        );
        if (bound !== undefined) {
            return bound.name;
        }
    }
    return undefined;
}
