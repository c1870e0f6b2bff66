/**
 * The declared type of an expression without indices, `?` and names of types. It needs no values, so it is known while
 * names are linked: a field belongs to the record that is the declared type of the expression before the dot.
 */
import { enclosing, type Link } from '../tree/node.js';
import * as ast from '../generated/nodes.js';
import { fieldsOf } from './constructors.js';
import { headLocalsOfTemplate } from './locals.js';

/**
 * A type after all names of types are followed. A `RangeType` here has two bounds, or its name is unknown. The type of a
 * reference to an instance is its template.
 */
export type DeclaredType =
    | ast.Process
    | ast.RecordDeclaration
    | ast.Enumeration
    | ast.BooleanType
    | ast.ChannelType
    | ast.SetType
    | ast.SequenceType
    | ast.BagType
    | ast.RangeType;

/** Undefined if the expression is a number or a truth value by its form, or if its name is unknown. */
export function declaredTypeOf(expression: ast.Expression): DeclaredType | undefined {
    return typeOfExpression(expression, new Set());
}

/** The type that has the fields of an expression: of a sequence that of its elements. */
export function typeWithFieldsOf(expression: ast.Expression): DeclaredType | undefined {
    return elementOf(declaredTypeOf(expression), new Set());
}

export function declaredTypeIn(type: ast.Type | ast.ElementType): DeclaredType | undefined {
    return followType(type, new Set());
}

/** The declaration that a type names; in a text with syntax errors the name may be missing. */
export function namedBy(type: ast.ElementType): ast.Named | undefined {
    return ast.isRangeType(type) && type.high === undefined && ast.isReference(type.low)
        ? targetOf(type.low.target)
        : undefined;
}

/** The declarations that have been followed: a cyclic declaration is followed once. */
type Seen = ReadonlySet<ast.Named>;

/** In a text with syntax errors any part may be missing, whatever the types say. */
function typeOfExpression(expression: ast.Expression | undefined, seen: Seen): DeclaredType | undefined {
    switch (expression?.$type) {
        case 'Reference':
            return typeOfName(targetOf(expression.target), seen);
        case 'FieldAccess': {
            // Not by its reference, which may be the one that is being resolved.
            const name = textOf(expression.field);
            const owner: ast.Expression | undefined = expression.record;
            const process = ast.isReference(owner) ? targetOf(owner.target) : undefined;
            if (ast.isProcess(process)) {
                return typeOfName(named(headLocalsOfTemplate(process), name), seen);
            }
            const record = elementOf(typeOfExpression(owner, seen), seen);
            if (ast.isProcess(record)) {
                return typeOfName(named([...record.parameters, ...headLocalsOfTemplate(record)], name), seen);
            }
            return typeOfName(named(fieldsOf(record), name), seen);
        }
        case 'Call': {
            const called = targetOf(expression.function);
            // `first` of a type, or a function of sequences.
            return ast.isBuiltinFunction(called)
                ? typeOfExpression(expression.arguments[0], seen)
                : typeOfName(called, seen);
        }
        case 'Spawn':
            return typeOfName(targetOf(expression.template), seen);
        case 'Conditional':
            return typeOfExpression(expression.then, seen) ?? typeOfExpression(expression.otherwise, seen);
        case 'ArrayLiteral':
            return typeOfExpression(expression.comprehension?.body ?? expression.elements[0], seen);
        default:
            return undefined;
    }
}

/** The type of the elements of a sequence, or of the messages of a channel, which alone have fields; any other type. */
function elementOf(type: DeclaredType | undefined, seen: Seen): DeclaredType | undefined {
    return ast.isSequenceType(type)
        ? elementOf(followType(type.member, seen), seen)
        : ast.isChannelType(type)
          ? followType(type.message, seen)
          : type;
}

function named(declarations: readonly ast.Named[], name: string | undefined): ast.Named | undefined {
    return declarations.find(declaration => declaration.name === name);
}

function typeOfName(named: ast.Named | undefined, seen: Seen): DeclaredType | undefined {
    switch (named?.$type) {
        case 'Variable':
        case 'Parameter':
        case 'ProcessIndex':
        case 'ProcessParameter':
        case 'FunctionParameter':
        case 'ProcedureParameter':
        case 'RecordField':
            return followType(named.type, seen);
        case 'BinderVariable': {
            const group = enclosing(named, ast.isBinderGroup);
            return group && typeOfGroup(group, seen);
        }
        case 'TypeDeclaration':
            return seen.has(named) ? undefined : followType(named.type, new Set([...seen, named]));
        case 'Constant':
            return named.type === undefined ? typeOfValue(named, seen) : followType(named.type, seen);
        case 'Let':
            return typeOfValue(named, seen);
        case 'FunctionDeclaration':
            return followType(named.result, seen);
        case 'ChannelDeclaration':
            // That of the messages, which alone have parts.
            return followType(named.message, seen);
        case 'EnumerationValue':
            return named.$container;
        case 'Self':
            return named.$container as ast.Process;
        case 'Process':
            return named.isTemplate ? named : undefined;
        case 'RecordDeclaration':
        case 'Enumeration':
            return named;
        default:
            return undefined;
    }
}

/** The type that the variables of a group run through; what can be a type may be the name of a set. */
function typeOfGroup({ type, collection }: ast.BinderGroup, seen: Seen): DeclaredType | undefined {
    if (type === undefined) {
        return elementTypeOf(collection, seen);
    }
    const { element } = type;
    const isSet = ast.isRangeType(element) && element.high === undefined;
    return (isSet ? elementTypeOf(element.low, seen) : undefined) ?? followType(type, seen);
}

/** The type of the elements of a set; undefined for an expression that is none. */
function elementTypeOf(set: ast.Expression | undefined, seen: Seen): DeclaredType | undefined {
    switch (set?.$type) {
        case 'SetLiteral': {
            const { comprehension, elements } = set;
            const [variable] = comprehension?.groups[0]?.variables ?? [];
            return comprehension?.body !== undefined
                ? typeOfExpression(comprehension.body, seen)
                : variable === undefined
                  ? typeOfExpression(elements[0]?.low, seen)
                  : typeOfName(variable, seen);
        }
        case 'BinaryExpression':
            return elementTypeOf(set.left, seen) ?? elementTypeOf(set.right, seen);
        case 'Conditional':
            return elementTypeOf(set.then, seen) ?? elementTypeOf(set.otherwise, seen);
        default: {
            const named = set?.$type === 'Reference' ? targetOf(set.target) : undefined;
            if ((ast.isLet(named) || ast.isConstant(named)) && !seen.has(named)) {
                const element = elementTypeOf(named.value, new Set([...seen, named]));
                if (element !== undefined) {
                    return element;
                }
            }
            if (ast.isChannelDeclaration(named)) {
                return typeOfName(named, seen);
            }
            const type = typeOfExpression(set, seen);
            if (ast.isChannelType(type)) {
                return followType(type.message, seen);
            }
            return ast.isSetType(type) || ast.isSequenceType(type) || ast.isBagType(type)
                ? followType(type.member, seen)
                : undefined;
        }
    }
}

function typeOfValue(named: ast.Constant | ast.Let, seen: Seen): DeclaredType | undefined {
    return seen.has(named) ? undefined : typeOfExpression(named.value, new Set([...seen, named]));
}

function targetOf(reference: Link<ast.Named> | undefined): ast.Named | undefined {
    return reference?.ref;
}

function textOf(reference: Link | undefined): string | undefined {
    return reference?.$refText;
}

function followType(type: ast.Type | ast.ElementType | undefined, seen: Seen): DeclaredType | undefined {
    switch (type?.$type) {
        case undefined:
            return undefined;
        case 'Type':
            return followType(type.element, seen);
        case 'BooleanType':
        case 'ChannelType':
        case 'SetType':
        case 'SequenceType':
        case 'BagType':
            return type;
        case 'RangeType': {
            const named = namedBy(type);
            const isType =
                ast.isTypeDeclaration(named) ||
                ast.isRecordDeclaration(named) ||
                ast.isEnumeration(named) ||
                ast.isProcess(named);
            return isType ? typeOfName(named, seen) : type;
        }
    }
}
