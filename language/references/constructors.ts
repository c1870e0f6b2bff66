/** What calls build: records, and cases with fields. */
import type { Node } from '../tree/node.js';
import * as ast from '../generated/nodes.js';

/** A record, or a case of an enumeration, which may have no fields. */
export type Constructor = ast.RecordDeclaration | ast.EnumerationValue;

/** Whether a call of a name builds a value. */
export function isConstructor(node: Node | undefined): node is Constructor {
    return ast.isRecordDeclaration(node) || (ast.isEnumerationValue(node) && node.fields.length > 0);
}

/** Whether some case of an enumeration has fields. */
export function hasCases(node: Node | undefined): node is ast.Enumeration {
    return ast.isEnumeration(node) && node.values.some(({ fields }) => fields.length > 0);
}

/** The fields that can stand behind a value: of a name that several cases have, the first. */
export function fieldsOf(node: Node | undefined): readonly ast.RecordField[] {
    if (ast.isRecordDeclaration(node)) {
        return node.fields;
    }
    const fields = ast.isEnumeration(node) ? node.values.flatMap(value => value.fields) : [];
    const names = fields.map(({ name }) => name);
    return fields.filter(({ name }, position) => names.indexOf(name) === position);
}

/** The number of a field among those that can stand behind a value of its type. */
export function numberOfField({ $container: owner, name }: ast.RecordField): number {
    const fields = fieldsOf(ast.isEnumerationValue(owner) ? owner.$container : owner);
    return fields.findIndex(field => field.name === name);
}
