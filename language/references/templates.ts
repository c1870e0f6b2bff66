/** Templates: processes in parentheses, whose instances are created while the model runs, and references to these. */
import { enclosing, type Node } from '../tree/node.js';
import { remembered } from '../../engine/common/list-map.js';
import { descendantsOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { declaredTypeOf } from './declared-type.js';

/** The name of the instance whose text it stands in. */
export const SELF = 'self';

const selves = new WeakMap<ast.Process, ast.Self>();

/** What `self` means in a template: a node without a text, inside of the template. */
export function selfOf(process: ast.Process): ast.Self {
    return remembered(selves, process, () => {
        const self = { $type: 'Self', name: SELF, $containerProperty: SELF } as const;
        return { ...self, $container: process };
    });
}

export function isTemplate(node: Node | undefined): node is ast.Process & { readonly isTemplate: true } {
    return ast.isProcess(node) && node.isTemplate;
}

/** Whether a declaration is a type whose values have no end, `enum Nonce = { .. }`. */
export function isTypeOfNames(node: unknown): node is ast.Enumeration & { readonly isOpen: true } {
    return ast.isEnumeration(node) && node.isOpen;
}

/** What names a type: a declared one, or a template, whose values are its instances. */
export function isTypeName(
    node: Node | undefined,
): node is ast.RecordDeclaration | ast.TypeDeclaration | ast.Enumeration | ast.Process | ast.BuiltinType {
    return (
        ast.isBuiltinType(node) ||
        ast.isRecordDeclaration(node) ||
        ast.isTypeDeclaration(node) ||
        ast.isEnumeration(node) ||
        isTemplate(node)
    );
}

/** The template around a node. */
export function templateAround(node: Node): ast.Process | undefined {
    const process = enclosing(node, ast.isProcess);
    return process?.isTemplate === true ? process : undefined;
}

/** The template of the instances that an expression refers to, by its declared type. */
export function templateReferredTo(expression: ast.Expression): ast.Process | undefined {
    const type = declaredTypeOf(expression);
    return ast.isProcess(type) ? type : undefined;
}

/** The places where instances are created, in a declaration or a step. */
export function spawnsIn(node: Node): ast.Spawn[] {
    return descendantsOf(node).filter(ast.isSpawn);
}

/** Whether a declaration is a process with an instance for each value of its indices. */
export function isFamily(node: Node | undefined): node is ast.Process {
    return ast.isProcess(node) && node.indices.length > 0;
}

/** Whether two declarations may have one name: a family and a type, which stand at different places. */
export function mayShareName(first: ast.Named, second: ast.Named): boolean {
    return (isFamily(first) && isDeclaredType(second)) || (isFamily(second) && isDeclaredType(first));
}

function isDeclaredType(node: ast.Named): boolean {
    return ast.isTypeDeclaration(node) || ast.isEnumeration(node) || ast.isRecordDeclaration(node);
}
