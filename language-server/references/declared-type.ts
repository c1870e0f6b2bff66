/**
 * The declared type of an expression, as far as the declarations tell without computing a value: enough to know which
 * record a field belongs to. Indices, `?` and names of types are seen through.
 */
import { AstUtils, type Reference } from 'langium';
import * as ast from '../generated/ast.js';
import type { ElementType, Expression, Named, Type } from '../generated/ast.js';
import { headLocalsOf } from './locals.js';

/** What a type comes down to when the names of types are followed. A `RangeType` here has two bounds, or names nothing. */
export type DeclaredType = ast.RecordDeclaration | ast.Enumeration | ast.BooleanType | ast.ChannelType | ast.RangeType;

/** Undefined where the expression is a number or a truth value by its form, or names nothing. */
export function declaredTypeOf(expression: Expression): DeclaredType | undefined {
    return typeOfExpression(expression, new Set());
}

/** What the text of a type comes down to. */
export function declaredTypeIn(type: Type | ElementType): DeclaredType | undefined {
    return followType(type, new Set());
}

/** `seen` holds the declarations on the way here that go on to another one: the text may go round in circles. */
type Seen = ReadonlySet<Named>;

/** While a text is being written, any part of it may be missing, whatever the types say. */
function typeOfExpression(expression: Expression | undefined, seen: Seen): DeclaredType | undefined {
    switch (expression?.$type) {
        case 'Reference':
            return typeOfName(targetOf(expression.target), seen);
        case 'FieldAccess': {
            // Not by its reference: that may be what is being resolved.
            const name = textOf(expression.field);
            const owner: Expression | undefined = expression.record;
            const process = ast.isReference(owner) ? targetOf(owner.target) : undefined;
            if (ast.isProcess(process)) {
                return typeOfName(
                    headLocalsOf(process).find(local => local.name === name),
                    seen,
                );
            }
            const record = typeOfExpression(owner, seen);
            return ast.isRecordDeclaration(record)
                ? typeOfName(
                      record.fields.find(field => field.name === name),
                      seen,
                  )
                : undefined;
        }
        case 'Call':
            return typeOfName(targetOf(expression.function), seen);
        case 'Conditional':
            return typeOfExpression(expression.then, seen) ?? typeOfExpression(expression.otherwise, seen);
        case 'ArrayLiteral': {
            return typeOfExpression(expression.comprehension?.body ?? expression.elements[0], seen);
        }
        default:
            return undefined;
    }
}

function typeOfName(named: Named | undefined, seen: Seen): DeclaredType | undefined {
    switch (named?.$type) {
        case 'Variable':
        case 'Parameter':
        case 'ProcessIndex':
        case 'FunctionParameter':
        case 'RecordField':
            return followType(named.type, seen);
        case 'BinderVariable': {
            const group = AstUtils.getContainerOfType(named, ast.isBinderGroup);
            return group && followType(group.type, seen);
        }
        case 'TypeDeclaration':
            return seen.has(named) ? undefined : followType(named.type, new Set([...seen, named]));
        case 'Constant':
            return named.type === undefined ? typeOfValue(named, seen) : followType(named.type, seen);
        case 'Let':
            return typeOfValue(named, seen);
        case 'FunctionDeclaration':
            return followType(named.result, seen);
        case 'EnumerationValue':
            return named.$container;
        case 'RecordDeclaration':
        case 'Enumeration':
            return named;
        default:
            return undefined;
    }
}

function typeOfValue(named: ast.Constant | ast.Let, seen: Seen): DeclaredType | undefined {
    return seen.has(named) ? undefined : typeOfExpression(named.value, new Set([...seen, named]));
}

function targetOf(reference: Reference<Named> | undefined): Named | undefined {
    return reference?.ref;
}

function textOf(reference: Reference | undefined): string | undefined {
    return reference?.$refText;
}

function followType(type: Type | ElementType | undefined, seen: Seen): DeclaredType | undefined {
    switch (type?.$type) {
        case undefined:
            return undefined;
        case 'Type':
            return followType(type.element, seen);
        case 'BooleanType':
        case 'ChannelType':
            return type;
        case 'RangeType': {
            const low: Expression | undefined = type.low;
            const named = type.high === undefined && ast.isReference(low) ? targetOf(low.target) : undefined;
            const isType = ast.isTypeDeclaration(named) || ast.isRecordDeclaration(named) || ast.isEnumeration(named);
            return isType ? typeOfName(named, seen) : type;
        }
    }
}
