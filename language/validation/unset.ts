/** Local references that may be read before they hold a value: `var w: W` holds nothing, for there is no first instance. */
import { isReference } from '../../engine/model/domain.js';
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { isInProperty } from '../references/temporal.js';
import { findUnsetReads } from '../references/unset-reads.js';
import { rangeOf, textOf } from '../tree/source-text.js';
import type { CheckContext } from './check-context.js';

/** `declarations` are those of the model and its imports. */
export function checkUnset(declarations: readonly ast.Declaration[], context: CheckContext): void {
    const begin = new Set<ast.Variable>();
    for (const process of declarations.filter(ast.isProcess)) {
        const variables = nodesOf(process).filter(node => ast.isVariable(node) && beginsUnset(node, context));
        if (variables.length > 0) {
            variables.forEach(variable => begin.add(variable as ast.Variable));
            findUnsetReads(process, begin, (variable, node) => {
                reportRead(variable, node, context);
            });
        }
    }
    for (const node of begin.size === 0 ? [] : declarations.flatMap(nodesOf)) {
        const local = ast.isFieldAccess(node) && isInProperty(node) ? node.field.ref : undefined;
        if (ast.isVariable(local) && begin.has(local)) {
            const message = `\`${local.name}\` holds no value before it is written; a property can look at it if it is optional`;
            context.problems.error('reference/unset', message, rangeOf(node));
        }
    }
}

function beginsUnset(variable: ast.Variable, { constants }: CheckContext): boolean {
    const type = constants.shapeOf(variable.type)?.type;
    return (
        ast.isBlock(variable.$container) &&
        variable.initializer === undefined &&
        type?.kind === 'enumeration' &&
        isReference(type.domain)
    );
}

function reportRead(variable: ast.Variable, node: ast.Reference, { problems }: CheckContext): void {
    const { name, type } = variable;
    const message = `\`${name}\` may hold no value here; write it before, or let it begin with \`none\`: \`var ${name}: ${textOf(type) ?? 'W'}? = none\``;
    problems.error('reference/unset', message, rangeOf(node), [
        { message: 'declared here, without a value', range: rangeOf(variable) },
    ]);
}
