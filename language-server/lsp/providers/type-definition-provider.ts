/** From a name to the record, enumeration or named type in its declared type. */
import { AstUtils, type AstNode, type LangiumDocument, type References } from 'langium';
import type { LangiumServices, TypeDefinitionProvider } from 'langium/lsp';
import type { LocationLink, TypeDefinitionParams } from 'vscode-languageserver';
import * as ast from '../../generated/ast.js';
import type { ElementType, Type } from '../../generated/ast.js';
import { initialValueOf, isNamedDeclaration, nameNodeOf, typeOf, type NamedDeclaration } from './declarations.js';
import { declaredTypeOf, namedBy } from '../../../language/references/declared-type.js';
import { declarationAt } from './uses.js';

export class OrbitTypeDefinitionProvider implements TypeDefinitionProvider {
    private readonly references: References;

    constructor(services: LangiumServices) {
        this.references = services.references.References;
    }

    getTypeDefinition(document: LangiumDocument, { position }: TypeDefinitionParams): LocationLink[] | undefined {
        const found = declarationAt(document, position, this.references);
        if (found === undefined || !isNamedDeclaration(found.declaration)) {
            return undefined;
        }
        const type = typeDeclarationOf(found.declaration);
        const name = type && nameNodeOf(type);
        if (type?.$cstNode === undefined || name === undefined) {
            return undefined;
        }
        return [
            {
                originSelectionRange: found.cst.range,
                targetUri: AstUtils.getDocument(type).uri.toString(),
                targetRange: type.$cstNode.range,
                targetSelectionRange: name.range,
            },
        ];
    }
}

/** The nearest declaration that the type of a name comes from. */
function typeDeclarationOf(node: NamedDeclaration): AstNode | undefined {
    if (ast.isEnumerationValue(node) || ast.isSelf(node)) {
        return node.$container;
    }
    const type = typeOf(node);
    if (type !== undefined) {
        return namedIn(type);
    }
    const value = initialValueOf(node);
    const declared = value && declaredTypeOf(value);
    const isNamed = ast.isRecordDeclaration(declared) || ast.isEnumeration(declared) || ast.isProcess(declared);
    return isNamed ? declared : undefined;
}

/** The name that a type consists of, without its indices. While a text is being written it may be missing. */
function namedIn(type: Type | ElementType): AstNode | undefined {
    if (ast.isType(type)) {
        const element: ElementType | undefined = type.element;
        return element && namedIn(element);
    }
    if (ast.isChannelType(type)) {
        return namedIn(type.message);
    }
    if (ast.isSetType(type) || ast.isBagType(type)) {
        return namedIn(type.member);
    }
    return namedBy(type);
}
