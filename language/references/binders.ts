/** What the variables of a binder run through: the values of a type, or the elements of a set. */
import * as ast from '../generated/nodes.js';
import { isTypeName } from './templates.js';

/**
 * The set whose elements the variables run through; undefined if it is a type. What can be a type is parsed as one, so the
 * name of a place, or an expression in parentheses, stands where the name of a type would.
 */
export function collectionOf({ type, collection }: ast.BinderGroup): ast.Expression | undefined {
    if (type === undefined) {
        return collection;
    }
    const { element } = type;
    if (!ast.isRangeType(element) || element.high !== undefined || element.optional) {
        return undefined;
    }
    const named = ast.isReference(element.low) ? element.low.target.ref : undefined;
    const isName = ast.isReference(element.low) && (named === undefined || isTypeName(named));
    return isName ? undefined : element.low;
}

/** The type that the variables run through, or the set. */
export function domainTextOf({ type, collection }: ast.BinderGroup): ast.Type | ast.Expression | undefined {
    return type ?? collection;
}

/** Whether a set lists its elements, without numbers of copies. */
export function isListedSet(set: ast.Expression): set is ast.SetLiteral {
    return (
        ast.isSetLiteral(set) &&
        set.comprehension === undefined &&
        set.elements.every(({ copies }) => copies === undefined)
    );
}
