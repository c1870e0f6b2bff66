/** Declared types of names and places as the text has them, with the names of types followed. They need no values. */
import * as ast from '../language/generated/nodes.js';
import { collectionOf } from '../language/references/binders.js';
import { namedBy } from '../language/references/declared-type.js';

export interface ResolvedType {
    /** Those of types with names first. */
    readonly indices: readonly ast.IndexType[];
    readonly element: ast.ElementType;
    readonly isOptional: boolean;
}

/** The type of a place, without the indices that it has; undefined for what is no place. */
export function typeOfPlace(expression: ast.Expression): ResolvedType | undefined {
    const declared = ast.isReference(expression)
        ? expression.label === undefined && expression.action === undefined && expression.target.ref !== undefined
            ? typeOfName(expression.target.ref)
            : undefined
        : ast.isFieldAccess(expression) && expression.field.ref !== undefined
          ? resolvedType(expression.field.ref.type)
          : undefined;
    const count = ast.isReference(expression) || ast.isFieldAccess(expression) ? expression.indices.length : 0;
    return declared && { ...declared, indices: declared.indices.slice(count) };
}

/** Undefined for what has no declared type. */
export function typeOfName(named: ast.Named): ResolvedType | undefined {
    switch (named.$type) {
        case 'Variable':
        case 'FunctionParameter':
        case 'ProcedureParameter':
        case 'ProcessParameter':
        case 'ProcessIndex':
        case 'RecordField':
        case 'Parameter':
            return resolvedType(named.type);
        case 'Constant':
            return named.type && resolvedType(named.type);
        case 'BinderVariable':
            return typeOfGroup(named.$container);
        default:
            return undefined;
    }
}

function typeOfGroup(group: ast.BinderGroup): ResolvedType | undefined {
    const collection = collectionOf(group);
    return collection === undefined ? group.type && resolvedType(group.type) : typeOfElements(collection);
}

/** The type of the elements of a set that a declared place holds, or that are some of the values of a type. */
export function typeOfElements(set: ast.Expression): ResolvedType | undefined {
    if (ast.isBinaryExpression(set) && (set.operator === 'minus' || set.operator === 'intersect')) {
        return typeOfElements(set.left);
    }
    const group = ast.isSetLiteral(set) && set.comprehension?.body === undefined && set.comprehension?.groups[0];
    if (group) {
        return typeOfGroup(group);
    }
    const place = typeOfPlace(set);
    return place?.indices.length === 0 && ast.isSetType(place.element)
        ? resolvedElement(place.element.member)
        : undefined;
}

/** The type with the names of types in it followed. */
export function resolvedType(type: ast.Type): ResolvedType {
    const { element, indices, isOptional } = resolvedElement(type.element);
    return { element, indices: [...indices, ...type.indices], isOptional };
}

/** The same for a type without indices. */
export function resolvedElement(element: ast.ElementType): ResolvedType {
    const named = namedBy(element);
    const isOptional = (ast.isBooleanType(element) || ast.isRangeType(element)) && element.optional;
    if (!ast.isTypeDeclaration(named)) {
        return { element, indices: [], isOptional };
    }
    const inner = resolvedType(named.type);
    return { ...inner, isOptional: inner.isOptional || isOptional };
}
