/** Templates: processes in parentheses, whose instances are created while the model runs, and references to these. */
import { AstUtils, type AstNode, type Mutable } from 'langium';
import { remembered } from '../../engine/common/list-map.js';
import { descendantsOf } from '../descendants.js';
import * as ast from '../generated/ast.js';
import { declaredTypeOf } from './declared-type.js';

/** The name of the instance whose text it stands in. */
export const SELF = 'self';

const selves = new WeakMap<ast.Process, ast.Self>();

/** What `self` means in a template: a node without a text, inside of the template. */
export function selfOf(process: ast.Process): ast.Self {
    return remembered(selves, process, () => {
        const self: Mutable<ast.Self> = { $type: 'Self', name: SELF };
        self.$container = process;
        self.$containerProperty = SELF;
        return self;
    });
}

export function isTemplate(node: AstNode | undefined): node is ast.Process & { readonly isTemplate: true } {
    return ast.isProcess(node) && node.isTemplate;
}

/** The template around a node. */
export function templateAround(node: AstNode): ast.Process | undefined {
    const process = AstUtils.getContainerOfType(node, ast.isProcess);
    return process?.isTemplate === true ? process : undefined;
}

/** The template of the instances that an expression refers to, by its declared type. */
export function templateReferredTo(expression: ast.Expression): ast.Process | undefined {
    const type = declaredTypeOf(expression);
    return ast.isProcess(type) ? type : undefined;
}

/** The places where instances are created, in a declaration or a step. */
export function spawnsIn(node: AstNode): ast.Spawn[] {
    return descendantsOf(node).filter(ast.isSpawn);
}
